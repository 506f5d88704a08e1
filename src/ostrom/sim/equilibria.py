"""Nash equilibria of small games: all equilibria of a two-player game by support enumeration, and the symmetric
equilibria of a payoff table with any number of seats. benchmarks/evolution_speed.py compares this module with
nashpy."""

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
"""The largest number of actions of a game that is searched completely. With more actions, there are over a million
pairs of supports."""
_LIMITED_SUPPORT = 2
"""For larger games, the largest number of actions that a player mixes in the equilibria that are searched for."""
MAX_LIMITED_ACTIONS = 24
"""The largest number of actions of a game for which the search is limited to small supports. With more actions, there
are over a hundred thousand pairs of such supports."""
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
    """Return the equilibria of a two-player game whose probabilities are uniquely determined by their supports, pure
    ones first. For a nondegenerate game, these are all equilibria. For a degenerate game, they include the endpoints of
    continua that the enumeration finds. For a large game, only equilibria in which few actions are mixed are returned
    (see `reduce_game`). `row` and `column` are the payoff matrices of the players, both (rows, columns)."""
    row, column = np.asarray(row, dtype=np.float64), np.asarray(column, dtype=np.float64)
    if row.ndim != 2 or row.shape != column.shape:
        raise InputError(f"a two-player game needs two matrices of the same shape, got {row.shape} and {column.shape}")
    if not (np.isfinite(row).all() and np.isfinite(column).all()):
        raise InputError("payoffs must be finite numbers")
    reduced = reduce_game(row, column)
    result: list[Equilibrium] = []
    for row_support in _supports(reduced.rows, reduced.max_support):
        for column_support in _supports(reduced.columns, reduced.max_support):
            candidate = equilibrium_at(row, column, row_support, column_support)
            if candidate is not None and not any(_same(candidate, other) for other in result):
                result.append(candidate)
    return sorted(
        result,
        key=lambda equilibrium: (not equilibrium.pure, np.count_nonzero(np.asarray(equilibrium.row) > _TOLERANCE)),
    )


class ReducedGame(NamedTuple):
    """The part of a two-player game that is searched for equilibria."""

    rows: tuple[int, ...]
    columns: tuple[int, ...]
    dominated: int
    """The number of actions that are left out because another action is always better. No equilibrium uses these
    actions."""
    duplicates: int
    """The number of actions that are left out because another action has the same payoffs for both players."""
    max_support: int
    """The largest number of actions that a player mixes in the equilibria that are searched for."""

    @property
    def complete(self) -> bool:
        """True if the search covers every equilibrium of the reduced game."""
        return self.max_support >= max(len(self.rows), len(self.columns))


def reduce_game(row: Floats, column: Floats) -> ReducedGame:
    """Return the part of a game that is searched for equilibria. Strictly dominated actions are left out. If many
    actions remain, duplicates of actions are left out too. If there are still many, only equilibria with few mixed
    actions are searched for."""
    rows, columns = list(range(row.shape[0])), list(range(row.shape[1]))
    left = -1
    while left != len(rows) + len(columns):
        left = len(rows) + len(columns)
        rows = _undominated(row, rows, columns)
        columns = _undominated(column.T, columns, rows)
    dominated = sum(row.shape) - left
    if max(row.shape) > MAX_ACTIONS:
        rows, columns = _distinct(row, column, rows, columns), _distinct(column.T, row.T, columns, rows)
    largest = max(len(rows), len(columns))
    if largest > MAX_LIMITED_ACTIONS:
        raise InputError(
            f"equilibria need at most {MAX_LIMITED_ACTIONS} actions per player, got {largest} that are not dominated"
        )
    max_support = largest if largest <= MAX_ACTIONS else _LIMITED_SUPPORT
    return ReducedGame(tuple(rows), tuple(columns), dominated, left - len(rows) - len(columns), max_support)


def _undominated(payoffs: Floats, own: Sequence[int], other: Sequence[int]) -> list[int]:
    """Return the actions of a player that are not strictly dominated by another action of this player."""
    part = payoffs[np.ix_(own, other)]
    margin = _TOLERANCE * max(1.0, float(np.abs(part).max()))
    is_better = np.all(part[None, :, :] > part[:, None, :] + margin, axis=2)
    return [action for place, action in enumerate(own) if not np.any(is_better[place])]


def _distinct(payoffs: Floats, others: Floats, own: Sequence[int], other: Sequence[int]) -> list[int]:
    """Return the actions without duplicates. If several actions have identical payoffs for both players, the first is
    kept."""
    part = np.hstack([payoffs[np.ix_(own, other)], others[np.ix_(own, other)]])
    _, first = np.unique(np.round(part, 9), axis=0, return_index=True)
    return [own[place] for place in sorted(first)]


def _supports(actions: Sequence[int], largest: int) -> Iterator[tuple[int, ...]]:
    sizes = range(1, min(largest, len(actions)) + 1)
    return chain.from_iterable(combinations(actions, size) for size in sizes)


def equilibrium_at(
    row: Floats, column: Floats, row_support: Sequence[int], column_support: Sequence[int]
) -> Equilibrium | None:
    """Return the equilibrium with these supports, or None if there is none. Each player makes the other indifferent
    over its support, and no action outside the support is better."""
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
    """Return the probabilities of the columns that make all rows indifferent. Return None if they do not exist, are not
    positive or are not unique."""
    rows, columns = payoffs.shape
    if rows == 1 and columns == 1:
        return np.ones(1)
    left = np.vstack([payoffs[1:] - payoffs[:-1], np.ones((1, columns))])
    right = np.concatenate([np.zeros(rows - 1), [1.0]])
    probabilities, _, rank, _ = np.linalg.lstsq(left, right, rcond=None)
    if rank < columns or np.abs(left @ probabilities - right).max() > 1e-8 * max(1.0, float(np.abs(payoffs).max())):
        return None
    return np.asarray(probabilities / probabilities.sum()) if probabilities.min() > _TOLERANCE else None


def _same(first: Equilibrium, second: Equilibrium) -> bool:
    return bool(np.allclose([*first.row, *first.column], [*second.row, *second.column], atol=1e-7))


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
    """Return the shares at which no individual gains by becoming another player, if groups are drawn at random. Groups
    may have any number of seats. There may be up to four players."""
    width = _TOLERANCE * max(1.0, float(np.nanmax(np.abs(table.means))))
    equilibria_shares = []
    for point in rest_points(table):
        payoffs = table.expected(np.asarray(point.shares))
        if payoffs.max() <= float(np.asarray(point.shares) @ payoffs) + 1e2 * width:
            equilibria_shares.append(point.shares)
    return equilibria_shares
