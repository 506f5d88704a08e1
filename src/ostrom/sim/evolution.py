"""Infinite populations: replicator, logit, best-response and ecological dynamics, rest points and their stability.
Groups are drawn at random, so a payoff is the mean over the multinomial distribution of co-players."""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import combinations
from typing import Literal, TypeAlias, get_args

import numpy as np
import numpy.typing as npt
from scipy.integrate import solve_ivp
from scipy.optimize import brentq, root
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
