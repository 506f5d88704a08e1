"""What theory says of strategies and matrices: long-run payoffs of strategies that remember one round, zero-determinant
strategies, and the points that a player can secure alone."""

from collections.abc import Sequence
from functools import lru_cache

import numpy as np

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

    found = linprog(
        [*[0.0] * actions, -1.0],
        A_ub=np.column_stack([-own.T, np.ones(others)]),
        b_ub=np.zeros(others),
        A_eq=[[*[1.0] * actions, 0.0]],
        b_eq=[1.0],
        bounds=[*[(0.0, 1.0)] * actions, (None, None)],
    )
    return float(-found.fun)
