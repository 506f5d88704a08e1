"""The theory of repeated games: long-run payoffs of strategies with a memory of one round, zero-determinant strategies,
the points that a player can secure alone, and the morality metrics of the Axelrod library."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from ostrom.core.arrays import Array
from ostrom.games.repeated.machines import Four, mean_points, memory_one_machine
from ostrom.games.repeated.matrices import PayoffMatrix


def long_run(
    one: Sequence[float],
    other: Sequence[float],
    matrix: PayoffMatrix,
    *,
    noise: float = 0.0,
    first: Sequence[float] = (1, 1),
) -> tuple[float, float]:
    """The points of a round that two strategies with a memory of one round get in the long run; `first` are their
    probabilities of C in the first round, which matter where the past is never forgotten."""
    return mean_points(memory_one_machine(one, first[0]), memory_one_machine(other, first[1]), matrix, noise=noise)


@lru_cache(maxsize=1024)
def zero_determinant(matrix: PayoffMatrix, seat: int, baseline: float, chi: float, phi: float) -> Four | None:
    """The strategy by which a seat enforces (own points − baseline) = chi · (the other's points − baseline), after
    Press and Dyson (2012): p̃ = φ[(own − baseline) − chi(other − baseline)]. `phi` is a part of the largest φ with
    which all four are probabilities. None where the matrix allows no such line: it takes one like the prisoner's
    dilemma."""
    own, other = matrix.own(seat).ravel(), matrix.points[1 - seat]
    others = (other if seat == 0 else other.T).ravel()
    line = (own - baseline) - chi * (others - baseline)
    # p = (1, 1, 0, 0) + φ · line must stay within 0 and 1.
    room = [-line[:2], line[2:]]
    if len(own) != 4 or min(map(np.min, room)) < -1e-12 or max(map(np.max, room)) <= 0:
        return None
    largest = 1.0 / max(float(np.max(one)) for one in room)
    p = np.clip(np.asarray([1.0, 1.0, 0.0, 0.0]) + phi * largest * line, 0.0, 1.0)
    return float(p[0]), float(p[1]), float(p[2]), float(p[3])


@lru_cache(maxsize=1024)
def security_level(matrix: PayoffMatrix, seat: int) -> float:
    """The most points of a round, on average, that a seat can make sure of whatever the other does: its maximin over
    mixed strategies."""
    own = matrix.own(seat)
    actions, others = own.shape
    # Maximise v with own.T @ x ≥ v, over probabilities x.
    from scipy.optimize import linprog  # takes half a second to import, and every command knows the players here

    solution = linprog(
        [*[0.0] * actions, -1.0],
        A_ub=np.column_stack([-own.T, np.ones(others)]),
        b_ub=np.zeros(others),
        A_eq=[[*[1.0] * actions, 0.0]],
        b_eq=[1.0],
        bounds=[*[(0.0, 1.0)] * actions, (None, None)],
    )
    return float(-solution.fun)


# Morality metrics. All start from the table of cooperation: how often each player, in a row, cooperates with each
# other, in a column.


@dataclass(frozen=True)
class Morality:
    """One figure for each player."""

    cooperating: tuple[float, ...]
    """The mean share of cooperation with others."""
    good_partner: tuple[float, ...]
    """The share of its matches with others in which it cooperates at least as often as the other."""
    eigenjesus: tuple[float, ...]
    """Cooperation with cooperators: the principal eigenvector of the table of cooperation. Not a number if it is not
    unique."""
    eigenmoses: tuple[float, ...]
    """The same where defecting against those who defect counts as well: of the table from −1 to 1."""


def cooperating_rating(rates: Array) -> Array:
    """The mean of each row without the diagonal; pairs that never met are not a number, and left out."""
    others = np.where(np.eye(len(rates), dtype=bool), np.nan, rates)
    met = ~np.isnan(others)
    return np.asarray(np.nansum(others, axis=1) / np.maximum(met.sum(axis=1), 1))


def principal(matrix: Array) -> Array:
    """The eigenvector of the largest eigenvalue by size, of length 1, its sum not below 0. Not a number where there is
    no one such: where all eigenvalues are 0, or several are the largest. Which vector came out would then depend on the
    order of the players."""
    values, vectors = np.linalg.eig(matrix)
    sizes = np.abs(values)
    largest = sizes.max()
    if largest <= 1e-12 or np.sum(sizes >= largest * (1 - 1e-9)) > 1:
        return np.full(len(values), np.nan)
    vector = np.real(vectors[:, np.argmax(sizes)])
    total = vector.sum()
    sign = np.sign(total if abs(total) > 1e-12 else vector[np.argmax(np.abs(vector))])
    return np.asarray(np.where(np.abs(vector) < 1e-12, 0.0, vector * (sign or 1.0)))


def eigenjesus(rates: Array) -> Array:
    """Return the principal eigenvector of the table of cooperation, with self-play on the diagonal."""
    return principal(np.nan_to_num(rates, nan=0.0))


def eigenmoses(rates: Array) -> Array:
    """Return that of the same table from −1 (always defects) to 1; pairs that never met count as 0."""
    return principal(np.nan_to_num(2.0 * rates - 1.0, nan=0.0))


def good_partner_rating(rates: Array) -> Array:
    """Over the pairs that met; Axelrod's counts repetitions of a match one by one, which is the same for one each."""
    met = ~np.isnan(rates) & ~np.eye(len(rates), dtype=bool)
    good = met & (np.nan_to_num(rates) >= np.nan_to_num(rates.T) - 1e-12)
    return np.asarray(good.sum(axis=1) / np.maximum(met.sum(axis=1), 1))


def morality(rates: Sequence[Sequence[float]] | Array) -> Morality:
    """All four from the table of cooperation."""
    table = np.asarray(rates, dtype=np.float64)
    metrics = (cooperating_rating(table), good_partner_rating(table), eigenjesus(table), eigenmoses(table))
    return Morality(*(tuple(one.tolist()) for one in metrics))
