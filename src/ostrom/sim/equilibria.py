"""Nash equilibria of small games: all of a two-player game, by enumeration of supports, and the symmetric ones of a
payoff table of any number of seats. Compared with nashpy in benchmarks/evolution_speed.py."""

from collections.abc import Iterator, Sequence
from itertools import chain, combinations
from typing import NamedTuple

import numpy as np
from scipy.optimize import linprog

from ostrom.core import InputError
from ostrom.sim.evolution import rest_points
from ostrom.sim.payoffs import Floats, PayoffTable

MOST_ACTIONS = 10
"""With more there are over a million pairs of supports."""
_TOLERANCE = 1e-9


class Equilibrium(NamedTuple):
    """What the two sides choose, with which probabilities, and what each then earns."""

    row: tuple[float, ...]
    column: tuple[float, ...]
    row_payoff: float
    column_payoff: float

    @property
    def symmetric(self) -> bool:
        return len(self.row) == len(self.column) and bool(np.allclose(self.row, self.column, atol=1e-7))

    @property
    def pure(self) -> bool:
        return max(self.row) > 1 - _TOLERANCE and max(self.column) > 1 - _TOLERANCE


def equilibria(row: Floats, column: Floats) -> list[Equilibrium]:
    """All equilibria of a two-player game whose supports decide the probabilities: those of a game that is not
    degenerate, and of a degenerate one the ends of its continua that enumeration finds. Pure ones come first. `row` is
    what the row player earns, `column` what the other does, both (rows, columns)."""
    row, column = np.asarray(row, dtype=np.float64), np.asarray(column, dtype=np.float64)
    if row.ndim != 2 or row.shape != column.shape:
        raise InputError(f"a game of two players has two matrices of one shape, got {row.shape} and {column.shape}")
    if not (np.isfinite(row).all() and np.isfinite(column).all()):
        raise InputError("payoffs must be finite numbers")
    if max(row.shape) > MOST_ACTIONS:
        raise InputError(f"equilibria are looked for among at most {MOST_ACTIONS} actions a side, not {max(row.shape)}")
    found: list[Equilibrium] = []
    for mine in _supports(row.shape[0]):
        for theirs in _supports(row.shape[1]):
            made = _at(row, column, mine, theirs)
            if made is not None and not any(_same(made, other) for other in found):
                found.append(made)
    return sorted(found, key=lambda one: (not one.pure, np.count_nonzero(np.asarray(one.row) > _TOLERANCE)))


def _supports(actions: int) -> Iterator[tuple[int, ...]]:
    return chain.from_iterable(combinations(range(actions), size) for size in range(1, actions + 1))


def _at(row: Floats, column: Floats, mine: Sequence[int], theirs: Sequence[int]) -> Equilibrium | None:
    """The equilibrium with these supports, where there is one: each side makes the other indifferent among its support,
    and no action outside of it does better."""
    y = _indifferent(row[np.ix_(mine, theirs)])
    x = _indifferent(column[np.ix_(mine, theirs)].T)
    if x is None or y is None:
        return None
    whole_x, whole_y = np.zeros(row.shape[0]), np.zeros(row.shape[1])
    whole_x[list(mine)], whole_y[list(theirs)] = x, y
    by_row, by_column = row @ whole_y, whole_x @ column
    mean_row, mean_column = float(whole_x @ by_row), float(by_column @ whole_y)
    width = _TOLERANCE * max(1.0, float(np.abs(row).max()), float(np.abs(column).max()))
    if by_row.max() > mean_row + width or by_column.max() > mean_column + width:
        return None
    return Equilibrium(tuple(whole_x.tolist()), tuple(whole_y.tolist()), mean_row, mean_column)


def _indifferent(payoffs: Floats) -> Floats | None:
    """The probabilities of the columns at which all rows earn the same; None where there are none, some are not
    positive, or they are not determined."""
    rows, columns = payoffs.shape
    if rows == 1 and columns == 1:
        return np.ones(1)
    left = np.vstack([payoffs[1:] - payoffs[:-1], np.ones((1, columns))])
    right = np.concatenate([np.zeros(rows - 1), [1.0]])
    found, _, rank, _ = np.linalg.lstsq(left, right, rcond=None)
    if rank < columns or np.abs(left @ found - right).max() > 1e-8 * max(1.0, float(np.abs(payoffs).max())):
        return None
    return np.asarray(found / found.sum()) if found.min() > _TOLERANCE else None


def _same(one: Equilibrium, other: Equilibrium) -> bool:
    return bool(np.allclose([*one.row, *one.column], [*other.row, *other.column], atol=1e-7))


def value(row: Floats) -> tuple[float, Floats]:
    """The value of a zero-sum game to the row player, and how it plays to be sure of it (von Neumann 1928)."""
    payoffs = np.asarray(row, dtype=np.float64)
    rows, columns = payoffs.shape
    solved = linprog(
        [*np.zeros(rows), -1.0],
        A_ub=np.hstack([-payoffs.T, np.ones((columns, 1))]),
        b_ub=np.zeros(columns),
        A_eq=[[*np.ones(rows), 0.0]],
        b_eq=[1.0],
        bounds=[*[(0, None)] * rows, (None, None)],
    )
    return float(solved.x[-1]), np.asarray(solved.x[:-1])


def is_zero_sum(row: Floats, column: Floats) -> bool:
    """Whether what one side earns the other loses, up to a constant."""
    total = np.asarray(row) + np.asarray(column)
    return bool(np.ptp(total) <= _TOLERANCE * max(1.0, float(np.abs(row).max())))


def symmetric_equilibria(table: PayoffTable) -> list[tuple[float, ...]]:
    """Return the shares at which no player, drawn into groups from them, would rather be another: for any number of
    seats and up to four players."""
    width = _TOLERANCE * max(1.0, float(np.nanmax(np.abs(table.means))))
    found = []
    for point in rest_points(table):
        payoffs = table.expected(np.asarray(point.shares))
        if payoffs.max() <= float(np.asarray(point.shares) @ payoffs) + 1e2 * width:
            found.append(point.shares)
    return found
