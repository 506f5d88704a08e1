"""What theory says of strategies and matrices: long-run payoffs of strategies that remember one round, zero-determinant
strategies, and the points that a player can secure alone."""

from collections.abc import Sequence
from functools import lru_cache
from typing import Final, TypeAlias

import numpy as np
from scipy.optimize import linprog

from ostrom.core import InputError
from ostrom.core.arrays import Array
from ostrom.games.repeated.matrices import Matrix

Four: TypeAlias = tuple[float, float, float, float]
"""The probabilities of C after CC, CD, DC and DD; one's own action comes first."""
_EXCHANGED: Final = [0, 2, 1, 3]
"""The same four situations as the other player sees them."""


def transitions(one: Sequence[float], other: Sequence[float]) -> Array:
    """(4, 4) The chain of situations (CC, CD, DC, DD as the first player sees them) between two strategies."""
    first, second = np.asarray(one, dtype=np.float64), np.asarray(other, dtype=np.float64)[_EXCHANGED]
    return np.stack([first * second, first * (1 - second), (1 - first) * second, (1 - first) * (1 - second)], axis=1)


def stationary(chain: Array, start: Array | None = None) -> Array:
    """The share of time that a chain spends in each state in the long run, from this distribution on (by default all
    alike). Where several sets of states absorb it, the start decides between them."""
    size = len(chain)
    begun = np.full(size, 1 / size) if start is None else np.asarray(start, dtype=np.float64)
    # The mean over time, as powers of ((1 + chain) / 2): laziness takes periods away and keeps the shares.
    power = (np.eye(size) + chain) / 2
    for _ in range(60):
        power = power @ power
        power /= power.sum(axis=1, keepdims=True)
    return np.asarray(begun @ power)


def noisy(probabilities: Sequence[float], noise: float) -> tuple[float, ...]:
    """Probabilities of C after the noise."""
    return tuple(p * (1 - noise) + (1 - p) * noise for p in probabilities)


def long_run(
    one: Sequence[float], other: Sequence[float], matrix: Matrix, *, noise: float = 0.0, first: Sequence[float] = (1, 1)
) -> tuple[float, float]:
    """The points of a round that two strategies with a memory of one round get in the long run; `first` are their
    probabilities of C in the first round, which matter where the past is never forgotten."""
    begin, begin_other = noisy(first, noise)
    start = np.outer([begin, 1 - begin], [begin_other, 1 - begin_other]).ravel()
    shares = stationary(transitions(noisy(one, noise), noisy(other, noise)), start)
    points = matrix.points.reshape(2, -1) @ shares
    return float(points[0]), float(points[1])


@lru_cache(maxsize=1024)
def zero_determinant(matrix: Matrix, seat: int, baseline: float, chi: float, phi: float) -> Four:
    """The strategy by which a seat enforces (own points − baseline) = chi · (the other's points − baseline), after
    Press and Dyson (2012): p̃ = φ[(own − baseline) − chi(other − baseline)]. `phi` is a part of the largest φ with
    which all four are probabilities."""
    own, other = matrix.own(seat).ravel(), matrix.points[1 - seat]
    others = (other if seat == 0 else other.T).ravel()
    line = (own - baseline) - chi * (others - baseline)
    # p = (1, 1, 0, 0) + φ · line must stay within 0 and 1.
    room = [-line[:2], line[2:]]
    if len(own) != 4 or min(map(np.min, room)) < -1e-12 or max(map(np.max, room)) <= 0:
        raise InputError(
            f"there is no zero-determinant strategy with chi {chi:g} for this matrix; it takes one like the prisoner's "
            "dilemma, and a chi of at least 1"
        )
    largest = 1.0 / max(float(np.max(one)) for one in room)
    p = np.clip(np.asarray([1.0, 1.0, 0.0, 0.0]) + phi * largest * line, 0.0, 1.0)
    return float(p[0]), float(p[1]), float(p[2]), float(p[3])


@lru_cache(maxsize=1024)
def security_level(matrix: Matrix, seat: int) -> float:
    """The most points of a round, on average, that a seat can make sure of whatever the other does: its maximin over
    mixed strategies."""
    own = matrix.own(seat)
    actions, others = own.shape
    # Maximise v with own.T @ x ≥ v, over probabilities x.
    found = linprog(
        [*[0.0] * actions, -1.0],
        A_ub=np.column_stack([-own.T, np.ones(others)]),
        b_ub=np.zeros(others),
        A_eq=[[*[1.0] * actions, 0.0]],
        b_eq=[1.0],
        bounds=[*[(0.0, 1.0)] * actions, (None, None)],
    )
    return float(-found.fun)
