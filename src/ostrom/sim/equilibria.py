"""Nash equilibria of small games: all equilibria of a two-player game by support enumeration, and the symmetric ones of
a payoff table of any number of seats. Compared with nashpy in benchmarks/evolution_speed.py."""

from collections.abc import Iterator, Sequence
from itertools import chain, combinations
from typing import NamedTuple

import numpy as np
from scipy.optimize import linprog

from ostrom.core import InputError
from ostrom.sim.batch import Floats
from ostrom.sim.evolution import rest_points
from ostrom.sim.payoffs import PayoffTable

MAX_ACTIONS = 10
"""With more actions there are over a million pairs of supports."""
_TOLERANCE = 1e-9


class Equilibrium(NamedTuple):
    """Mixed strategies of both players, and their payoffs."""

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
    """Return all equilibria of a two-player game with determined probabilities, pure ones first: all of a nondegenerate
    game, and the endpoints of continua that enumeration finds in a degenerate one. `row` and `column` are the payoff
    matrices of the players, both (rows, columns)."""
    row, column = np.asarray(row, dtype=np.float64), np.asarray(column, dtype=np.float64)
    if row.ndim != 2 or row.shape != column.shape:
        raise InputError(f"a two-player game needs two matrices of the same shape, got {row.shape} and {column.shape}")
    if not (np.isfinite(row).all() and np.isfinite(column).all()):
        raise InputError("payoffs must be finite numbers")
    if max(row.shape) > MAX_ACTIONS:
        raise InputError(f"equilibria need at most {MAX_ACTIONS} actions per player, got {max(row.shape)}")
    result: list[Equilibrium] = []
    for row_support in _supports(row.shape[0]):
        for column_support in _supports(row.shape[1]):
            candidate = _at(row, column, row_support, column_support)
            if candidate is not None and not any(_same(candidate, other) for other in result):
                result.append(candidate)
    return sorted(
        result,
        key=lambda equilibrium: (not equilibrium.pure, np.count_nonzero(np.asarray(equilibrium.row) > _TOLERANCE)),
    )


def _supports(actions: int) -> Iterator[tuple[int, ...]]:
    return chain.from_iterable(combinations(range(actions), size) for size in range(1, actions + 1))


def _at(row: Floats, column: Floats, row_support: Sequence[int], column_support: Sequence[int]) -> Equilibrium | None:
    """Return the equilibrium with these supports, or None: each player makes the other indifferent over its support,
    and no action outside is better."""
    y = _indifferent(row[np.ix_(row_support, column_support)])
    x = _indifferent(column[np.ix_(row_support, column_support)].T)
    if x is None or y is None:
        return None
    row_strategy, column_strategy = np.zeros(row.shape[0]), np.zeros(row.shape[1])
    row_strategy[list(row_support)], column_strategy[list(column_support)] = x, y
    by_row, by_column = row @ column_strategy, row_strategy @ column
    mean_row, mean_column = float(row_strategy @ by_row), float(by_column @ column_strategy)
    width = _TOLERANCE * max(1.0, float(np.abs(row).max()), float(np.abs(column).max()))
    if by_row.max() > mean_row + width or by_column.max() > mean_column + width:
        return None
    return Equilibrium(tuple(row_strategy.tolist()), tuple(column_strategy.tolist()), mean_row, mean_column)


def _indifferent(payoffs: Floats) -> Floats | None:
    """Return the probabilities of the columns that make all rows indifferent; None if they do not exist, are not
    positive or are not determined."""
    rows, columns = payoffs.shape
    if rows == 1 and columns == 1:
        return np.ones(1)
    left = np.vstack([payoffs[1:] - payoffs[:-1], np.ones((1, columns))])
    right = np.concatenate([np.zeros(rows - 1), [1.0]])
    probabilities, _, rank, _ = np.linalg.lstsq(left, right, rcond=None)
    if rank < columns or np.abs(left @ probabilities - right).max() > 1e-8 * max(1.0, float(np.abs(payoffs).max())):
        return None
    return np.asarray(probabilities / probabilities.sum()) if probabilities.min() > _TOLERANCE else None


def _same(one: Equilibrium, other: Equilibrium) -> bool:
    return bool(np.allclose([*one.row, *one.column], [*other.row, *other.column], atol=1e-7))


def value(row: Floats) -> tuple[float, Floats]:
    """Return the value of a zero-sum game to the row player, and its maximin strategy (von Neumann 1928)."""
    payoffs = np.asarray(row, dtype=np.float64)
    rows, columns = payoffs.shape
    solution = linprog(
        [*np.zeros(rows), -1.0],
        A_ub=np.hstack([-payoffs.T, np.ones((columns, 1))]),
        b_ub=np.zeros(columns),
        A_eq=[[*np.ones(rows), 0.0]],
        b_eq=[1.0],
        bounds=[*[(0, None)] * rows, (None, None)],
    )
    return float(solution.x[-1]), np.asarray(solution.x[:-1])


def is_zero_sum(row: Floats, column: Floats) -> bool:
    """Return whether the payoffs add up to a constant."""
    total = np.asarray(row) + np.asarray(column)
    return bool(np.ptp(total) <= _TOLERANCE * max(1.0, float(np.abs(row).max())))


def symmetric_equilibria(table: PayoffTable) -> list[tuple[float, ...]]:
    """Return the shares at which no player gains by a change of kind, in groups drawn at random: any number of seats,
    up to four players."""
    width = _TOLERANCE * max(1.0, float(np.nanmax(np.abs(table.means))))
    equilibria_shares = []
    for point in rest_points(table):
        payoffs = table.expected(np.asarray(point.shares))
        if payoffs.max() <= float(np.asarray(point.shares) @ payoffs) + 1e2 * width:
            equilibria_shares.append(point.shares)
    return equilibria_shares
