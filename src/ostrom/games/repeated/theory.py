"""The theory of repeated games: long-run payoffs of strategies with a memory of one round, zero-determinant strategies,
security levels, the morality metrics of the Axelrod library, and Ashlock fingerprints (Ashlock and Kim 2008). A
fingerprint is the mean points of a strategy against probes over the unit square. The probe at (x, y) plays tit for tat,
but cooperates with probability x after D and defects with probability y after C."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

import numpy as np

from ostrom.core import InputError
from ostrom.core.arrays import Array
from ostrom.core.game import Game
from ostrom.games.repeated.machines import (
    Four,
    MemoryOne,
    RepeatedStrategy,
    mean_points,
    memory_one_machine,
    reactive_machine,
)
from ostrom.games.repeated.matrices import PayoffMatrix, matrix_of
from ostrom.games.repeated.rules import Rules
from ostrom.players.strategy import StrategyEntry
from ostrom.sim.batch import Batch
from ostrom.sim.numpy_engine import play_batch


def long_run(
    strategy: Sequence[float],
    other: Sequence[float],
    matrix: PayoffMatrix,
    *,
    noise: float = 0.0,
    first: Sequence[float] = (1, 1),
) -> tuple[float, float]:
    """Return the mean points per round, in the long run, of two strategies with a memory of one round. `first` has
    their probabilities of C in the first round. These matter if the chain has several absorbing sets."""
    return mean_points(memory_one_machine(strategy, first[0]), memory_one_machine(other, first[1]), matrix, noise=noise)


@lru_cache(maxsize=1024)
def zero_determinant(matrix: PayoffMatrix, seat: int, baseline: float, chi: float, phi: float) -> Four | None:
    """Return the strategy that enforces (own points − baseline) = chi · (the other's points − baseline) from a seat,
    after Press and Dyson (2012): p̃ = φ[(own − baseline) − chi(other − baseline)]. `phi` is a fraction of the largest φ
    for which all four values are probabilities. Return None if the matrix allows no such strategy."""
    own, other = matrix.own(seat).ravel(), matrix.points[1 - seat]
    others = (other if seat == 0 else other.T).ravel()
    line = (own - baseline) - chi * (others - baseline)
    # The probabilities p = (1, 1, 0, 0) + φ · line must be within 0 and 1.
    room = [-line[:2], line[2:]]
    if len(own) != 4 or min(map(np.min, room)) < -1e-12 or max(map(np.max, room)) <= 0:
        return None
    largest = 1.0 / max(map(np.max, room))
    p = np.clip(np.asarray([1.0, 1.0, 0.0, 0.0]) + phi * largest * line, 0.0, 1.0)
    return float(p[0]), float(p[1]), float(p[2]), float(p[3])


@lru_cache(maxsize=1024)
def security_level(matrix: PayoffMatrix, seat: int) -> float:
    """Return the maximin value of a seat over mixed strategies. This is the expected points of a round that the seat
    can guarantee."""
    own = matrix.own(seat)
    actions, others = own.shape
    # This maximises v with own.T @ x ≥ v, over probabilities x.
    from scipy.optimize import linprog  # imported here because it takes half a second

    solution = linprog(
        [*[0.0] * actions, -1.0],
        A_ub=np.column_stack([-own.T, np.ones(others)]),
        b_ub=np.zeros(others),
        A_eq=[[*[1.0] * actions, 0.0]],
        b_eq=[1.0],
        bounds=[*[(0.0, 1.0)] * actions, (None, None)],
    )
    return float(-solution.fun)


# The morality metrics are computed from a table of cooperation. An entry of this table is the rate at which the player
# of its row cooperates with the player of its column.


@dataclass(frozen=True)
class Morality:
    """The four morality metrics, with one value for each player."""

    cooperating: tuple[float, ...]
    """The mean rate of cooperation with others."""
    good_partner: tuple[float, ...]
    """The share of the player's matches with others in which it cooperates at least as often as the other."""
    eigenjesus: tuple[float, ...]
    """Cooperation with cooperators: the player's entry in the principal eigenvector of the table of cooperation. It is
    not a number (NaN) if this vector is not unique."""
    eigenmoses: tuple[float, ...]
    """Like `eigenjesus`, but the table of cooperation is scaled from −1 to 1, so that defection against defectors also
    counts."""


def cooperating_rating(rates: Array) -> Array:
    """Return the mean of each row of a table of cooperation. The diagonal and pairs that never met (NaN) are left
    out."""
    others = np.where(np.eye(len(rates), dtype=bool), np.nan, rates)
    met = ~np.isnan(others)
    return np.asarray(np.nansum(others, axis=1) / np.maximum(met.sum(axis=1), 1))


def principal(matrix: Array) -> Array:
    """Return the eigenvector of the eigenvalue with the largest absolute value. It has length 1 and a sum of at least
    0. Return NaN if it is not unique, since the result would then depend on the order of the players."""
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
    """Return the principal eigenvector of the table of cooperation. The diagonal of the table is self-play."""
    return principal(np.nan_to_num(rates, nan=0.0))


def eigenmoses(rates: Array) -> Array:
    """Return the principal eigenvector of the table scaled from −1 (always defects) to 1 (always cooperates). Pairs
    that never met have 0."""
    return principal(np.nan_to_num(2.0 * rates - 1.0, nan=0.0))


def good_partner_rating(rates: Array) -> Array:
    """Return the share of the pairs that met in which each player cooperates at least as often as the other."""
    met = ~np.isnan(rates) & ~np.eye(len(rates), dtype=bool)
    good = met & (np.nan_to_num(rates) >= np.nan_to_num(rates.T) - 1e-12)
    return np.asarray(good.sum(axis=1) / np.maximum(met.sum(axis=1), 1))


def morality(rates: Sequence[Sequence[float]] | Array) -> Morality:
    """Return all four metrics of a table of cooperation."""
    table = np.asarray(rates, dtype=np.float64)
    metrics = (cooperating_rating(table), good_partner_rating(table), eigenjesus(table), eigenmoses(table))
    return Morality(*(tuple(metric.tolist()) for metric in metrics))


GAME: Final = "prisoners-dilemma"


def probe(x: float, y: float) -> MemoryOne:
    """Return the probe strategy at the point (x, y) of the unit square."""
    return MemoryOne((1.0 - y, x, 1.0 - y, x), 1.0 - y)


def fingerprint_grid(points: int) -> Array:
    """Return evenly spaced values from 0 to 1."""
    if not 2 <= points <= 201:
        raise InputError(f"a fingerprint must have from 2 to 201 points on each side, not {points}")
    return np.linspace(0.0, 1.0, points)


def exact_fingerprint(strategy: RepeatedStrategy, points: int = 21, matrix: str = GAME) -> Array:
    """(x, y) Return the fingerprint of a strategy with finitely many states, computed exactly for the long run."""
    game, values = matrix_of(matrix), fingerprint_grid(points)
    machine = strategy.machine(game)

    def points_at(x: float, y: float) -> float:
        return mean_points(machine, reactive_machine([1.0 - y, x], [0, 0], [1, 1]), game)[0]

    return np.asarray([[points_at(x, y) for y in values] for x in values])


def played_fingerprint(
    game: Game,
    entry: StrategyEntry,
    points: int = 11,
    *,
    matrix: str = GAME,
    rounds: int = 200,
    games: int = 20,
    seed: int,
) -> Array:
    """(x, y) Return the fingerprint of any strategy: its mean points over games that are played against each probe."""
    values = fingerprint_grid(points)
    probes = [
        StrategyEntry(f"probe:{x:g},{y:g}", "a probe", None, probe(x, y), __name__, "probe")
        for x in values
        for y in values
    ]
    opponents = np.repeat(np.arange(1, len(probes) + 1), games)
    seating = np.stack([np.zeros_like(opponents), opponents])
    rules = Rules(matrix=matrix, rounds=rounds)
    result = play_batch(Batch(game, rules, [entry, *probes], seating, np.arange(len(opponents)), seed))
    return np.asarray((result.finals[0] / rounds).reshape(points, points, games).mean(axis=-1))
