"""Infinite populations: replicator, logit, best-response and ecological dynamics, rest points and their stability.
Groups are drawn at random, so a payoff is the mean over the multinomial distribution of co-players.

The module also computes Nash equilibria of small games: all equilibria of a two-player game by support enumeration, and
the symmetric equilibria of a payoff table with any number of seats. benchmarks/evolution_speed.py compares this module
with nashpy.
"""

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import chain, combinations
from typing import Literal, NamedTuple, TypeAlias, get_args

import numpy as np
import numpy.typing as npt
from scipy.integrate import solve_ivp
from scipy.optimize import brentq, linprog, root
from scipy.special import softmax

from ostrom.core import InputError
from ostrom.sim.batch import Floats
from ostrom.sim.payoffs import PayoffTable

Dynamics: TypeAlias = Literal["replicator", "logit", "best-response", "ecological"]
DYNAMICS: tuple[Dynamics, ...] = get_args(Dynamics)
Stability: TypeAlias = Literal["stable", "unstable", "saddle", "centre", "undecided"]

STEPS = 1000
RATE = 0.1
_ZERO_EIGENVALUE = 1e-7
"""Eigenvalues below this, relative to the largest payoff difference, count as zero."""
_MIN_DISTANCE = 1e-6
"""Rest points closer to each other than this count as the same."""


def replicate(table: PayoffTable, shares: Floats, rate: float = RATE) -> Floats:
    """Return the shares after one step of the discrete replicator: x ← x·exp(η(f − f̄)), normalised."""
    payoffs = table.expected(shares)
    with np.errstate(divide="ignore"):
        # The mean cancels in the normalisation. Subtracting it avoids overflow.
        return np.asarray(softmax(np.log(shares) + rate * (payoffs - shares @ payoffs)))


def grow(table: PayoffTable, shares: Floats) -> Floats:
    """Return the shares after one generation of Axelrod's ecology. Growth is proportional to payoff. If the table's
    lowest payoff is negative, payoffs are counted from it."""
    lowest = min(0.0, float(np.nanmin(table.means)))
    earned = shares * (table.expected(shares) - lowest)
    total = earned.sum()
    return np.asarray(earned / total) if total > 0 else shares


def revise(table: PayoffTable, shares: Floats, rate: float = RATE, strength: float = 1.0) -> Floats:
    """Return the shares after one step of logit dynamics. A fraction `rate` of the population revises and chooses in
    proportion to exp(β f) (Fudenberg and Levine 1998)."""
    return np.asarray((1 - rate) * shares + rate * softmax(strength * table.expected(shares)))


def respond(table: PayoffTable, shares: Floats, rate: float = RATE) -> Floats:
    """Return the shares after one step of best-response dynamics. A fraction `rate` of the population switches to the
    best player. If several players are best, this fraction is divided equally among them (Gilboa and Matsui 1991)."""
    payoffs = table.expected(shares)
    best = payoffs >= payoffs.max() - 1e-12 * max(1.0, float(np.abs(payoffs).max()))
    return np.asarray((1 - rate) * shares + rate * best / best.sum())


def trajectory(
    table: PayoffTable,
    dynamics: Dynamics = "replicator",
    *,
    start: Sequence[float] | None = None,
    steps: int = STEPS,
    rate: float = RATE,
    strength: float = 1.0,
) -> Floats:
    """Return the shares over time, (steps + 1, players). The default start is equal shares."""
    if dynamics not in DYNAMICS:
        raise InputError(f"dynamics are {', '.join(DYNAMICS)}, not {dynamics!r}")
    if not 0 < rate <= (math.inf if dynamics == "replicator" else 1):
        raise InputError(
            f"the rate of a step must be above 0{'' if dynamics == 'replicator' else ' and at most 1'}, got {rate}"
        )
    if steps < 1:
        raise InputError(f"the number of steps must be at least 1, got {steps}")
    shares = check_shares(start, len(table.players))
    step: Callable[..., Floats] = {
        "replicator": partial(replicate, table, rate=rate),
        "ecological": partial(grow, table),
        "logit": partial(revise, table, rate=rate, strength=strength),
        "best-response": partial(respond, table, rate=rate),
    }[dynamics]
    path = [shares]
    for _ in range(steps):
        path.append(step(path[-1]))
    return np.asarray(path)


def check_shares(start: Sequence[float] | None, players: int) -> Floats:
    """Return the initial shares, normalised. Raise InputError unless there is one share per player and they add up to
    1."""
    if start is None:
        return np.full(players, 1.0 / players)
    shares = np.asarray(start, dtype=np.float64)
    if shares.shape != (players,) or (shares < 0).any() or not math.isclose(shares.sum(), 1.0, abs_tol=1e-6):
        raise InputError(
            f"there must be one initial share for each of {players} players, and the shares must add up to 1"
        )
    return np.asarray(shares / shares.sum())


def velocity(table: PayoffTable, shares: Floats) -> Floats:
    """Return the time derivative of the continuous replicator, (…, players): ẋ = x(f − f̄)."""
    payoffs = table.expected(shares)
    return np.asarray(shares * (payoffs - (shares * payoffs).sum(axis=-1, keepdims=True)))


def orbit(table: PayoffTable, start: Sequence[float], time: float, points: int = 400) -> Floats:
    """Return the path of the continuous replicator from a point, (points, players), at even times."""
    times = np.linspace(0.0, time, points)
    solution = solve_ivp(
        lambda _, x: velocity(table, x),
        (0.0, time),
        np.asarray(start, dtype=float),
        t_eval=times,
        method="DOP853",
        rtol=1e-11,
        atol=1e-13,
    )
    return np.asarray(solution.y.T)


@dataclass(frozen=True)
class RestPoint:
    """Shares at which the replicator is stationary."""

    shares: tuple[float, ...]
    stability: Stability
    """The stability, from the eigenvalues of the Jacobian within the simplex: all negative, all positive, of mixed
    signs, purely imaginary, or some of them zero."""
    eigenvalues: tuple[complex, ...]


MAX_REST_PLAYERS = 4
"""The largest number of players of a population for which rest points are searched."""


def rest_points(table: PayoffTable) -> list[RestPoint]:
    """Return the rest points of the replicator for up to four players. Rest points are populations of a single player,
    and shares at which all present players earn the same. If rest points form a continuum, some of its points are
    returned."""
    size = len(table.players)
    if size > MAX_REST_PLAYERS:
        raise InputError(f"rest points need at most {MAX_REST_PLAYERS} players, got {size}")
    points: list[Floats] = []
    for count in range(1, size + 1):
        for present in combinations(range(size), count):
            for shares in _within(table, present):
                if all(np.abs(shares - other).max() > _MIN_DISTANCE for other in points):
                    points.append(shares)
    return [_classified(table, shares) for shares in points]


def _within(table: PayoffTable, present: Sequence[int]) -> list[Floats]:
    """Return the rest points at which these players, and no others, are present."""
    size = len(table.players)
    if len(present) == 1:
        return [np.eye(size)[present[0]]]

    def full(part: Floats) -> Floats:
        shares = np.zeros(size)
        shares[list(present)] = [*part, 1.0 - part.sum()]
        return shares

    def differences(part: Floats) -> Floats:
        payoffs = table.expected(full(part))[list(present)]
        return np.asarray(payoffs[:-1] - payoffs[-1])

    if len(present) == 2:
        return [full(np.asarray([x])) for x in _roots(lambda x: float(differences(np.asarray([x]))[0]))]
    scale = _scale(table)
    points = []
    for start in _inside(len(present)):
        solution = root(differences, start[:-1], tol=1e-13)
        shares = full(solution.x)
        if np.abs(differences(solution.x)).max() < 1e-9 * scale and shares[list(present)].min() > _MIN_DISTANCE:
            points.append(shares)
    return points


def _roots(function: Callable[[float], float]) -> list[float]:
    """Return the points of (0, 1) at which a function changes its sign."""
    grid = np.linspace(0.0, 1.0, 402)[1:-1]
    values = [function(x) for x in grid]
    roots = [float(x) for x, value in zip(grid, values, strict=True) if value == 0]
    if len(roots) == len(grid):
        return []  # Neutral: every point is a rest point.
    pairs = zip(zip(grid, values, strict=True), zip(grid[1:], values[1:], strict=True), strict=False)
    return sorted([*roots, *(brentq(function, a, b, xtol=1e-14) for (a, u), (b, v) in pairs if u * v < 0)])


def _inside(players: int) -> Floats:
    """Return a grid over the interior of a simplex. Its points are the starting points of searches."""
    steps = 12 if players == 3 else 7
    axes = np.stack(np.meshgrid(*[np.arange(1, steps)] * (players - 1), indexing="ij"), axis=-1).reshape(
        -1, players - 1
    )
    interior = axes[axes.sum(axis=1) < steps] / steps
    return np.concatenate([interior, 1.0 - interior.sum(axis=1, keepdims=True)], axis=1)


def _scale(table: PayoffTable) -> float:
    reach = float(np.nanmax(table.means) - np.nanmin(table.means))
    return reach if reach > 0 else 1.0


def _classified(table: PayoffTable, shares: Floats) -> RestPoint:
    size = len(shares)
    if size == 1:
        return RestPoint((1.0,), "stable", ())
    # Within the simplex, a change of one share is balanced by the largest share.
    largest = int(shares.argmax())
    others = [place for place in range(size) if place != largest]
    steps = np.eye(size)[others] - np.eye(size)[largest]
    width = 1e-6
    jacobian = np.stack(
        [(velocity(table, shares + width * step) - velocity(table, shares - width * step))[others] for step in steps],
        axis=1,
    ) / (2 * width)
    values = np.linalg.eigvals(jacobian).astype(np.complex128)
    return RestPoint(tuple(map(float, shares)), _stability(values, _scale(table)), tuple(map(complex, values)))


def _stability(values: npt.NDArray[np.complex128], scale: float) -> Stability:
    flat = np.abs(values.real) <= _ZERO_EIGENVALUE * scale
    if flat.all() and len(values) > 1 and (np.abs(values.imag) > _ZERO_EIGENVALUE * scale).all():
        return "centre"
    up, down = bool((values.real[~flat] > 0).any()), bool((values.real[~flat] < 0).any())
    if up and down:
        return "saddle"
    if flat.any():
        return "unstable" if up else "undecided"
    return "unstable" if up else "stable"


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
