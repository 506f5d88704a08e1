"""Populations without end, in which shares change by what is earned: replicator, logit, best-response and ecological
dynamics; rest points and whether they are stable. Groups are drawn at random, so a player's payoff is the mean over the
multinomial law of its co-players."""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Literal, TypeAlias, get_args

import numpy as np
import numpy.typing as npt
from scipy.integrate import solve_ivp
from scipy.optimize import brentq, root
from scipy.special import softmax

from ostrom.core import InputError
from ostrom.sim.payoffs import Floats, PayoffTable

Dynamics: TypeAlias = Literal["replicator", "logit", "best-response", "ecological"]
DYNAMICS: tuple[Dynamics, ...] = get_args(Dynamics)
Stability: TypeAlias = Literal["stable", "unstable", "saddle", "centre", "undecided"]

STEPS = 1000
RATE = 0.1
_FLAT = 1e-7
"""Eigenvalues within this of 0 decide nothing, relative to the largest payoff difference."""
_SAME = 1e-6
"""Rest points nearer than this are one."""


def replicate(table: PayoffTable, shares: Floats, rate: float = RATE) -> Floats:
    """One step of the replicator in discrete time: x ← x·exp(η(f − f̄)), normalised."""
    payoffs = table.expected(shares)
    with np.errstate(divide="ignore"):
        # The mean falls out of the normalisation; taken off first, no exponential grows too large.
        return np.asarray(softmax(np.log(shares) + rate * (payoffs - shares @ payoffs)))


def grow(table: PayoffTable, shares: Floats, rate: float = RATE) -> Floats:
    """One generation of Axelrod's ecology: shares grow in proportion to what is earned, counted from the lowest payoff
    of the table where that is negative."""
    lowest = min(0.0, float(np.nanmin(table.means)))
    earned = shares * (table.expected(shares) - lowest)
    total = earned.sum()
    return np.asarray(earned / total) if total > 0 else shares


def revise(table: PayoffTable, shares: Floats, rate: float = RATE, strength: float = 1.0) -> Floats:
    """One step of logit dynamics: some revise, and take each player with a probability by exp(β f) (Fudenberg and
    Levine 1998)."""
    return np.asarray((1 - rate) * shares + rate * softmax(strength * table.expected(shares)))


def respond(table: PayoffTable, shares: Floats, rate: float = RATE) -> Floats:
    """One step of best-response dynamics: some revise, and take what earns most; ties are shared (Gilboa and Matsui
    1991)."""
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
    """(steps + 1, players) The shares over time, from equal ones unless a start is given."""
    if dynamics not in DYNAMICS:
        raise InputError(f"dynamics are {', '.join(DYNAMICS)}, not {dynamics!r}")
    if not 0 < rate <= (math.inf if dynamics == "replicator" else 1):
        raise InputError(
            f"the rate of a step must be above 0{'' if dynamics == 'replicator' else ' and at most 1'}, got {rate}"
        )
    if steps < 1:
        raise InputError(f"the number of steps must be at least 1, got {steps}")
    shares = check_shares(start, len(table.players))
    step: Callable[[Floats], Floats] = {
        "replicator": lambda x: replicate(table, x, rate),
        "ecological": lambda x: grow(table, x),
        "logit": lambda x: revise(table, x, rate, strength),
        "best-response": lambda x: respond(table, x, rate),
    }[dynamics]
    found = [shares]
    for _ in range(steps):
        found.append(step(found[-1]))
    return np.asarray(found)


def check_shares(start: Sequence[float] | None, players: int) -> Floats:
    """The shares to start from, which must be as many as the players and add up to 1."""
    if start is None:
        return np.full(players, 1.0 / players)
    shares = np.asarray(start, dtype=np.float64)
    if shares.shape != (players,) or (shares < 0).any() or not math.isclose(shares.sum(), 1.0, abs_tol=1e-6):
        raise InputError(f"a start has a share for each of {players} players, which add up to 1")
    return np.asarray(shares / shares.sum())


def velocity(table: PayoffTable, shares: Floats) -> Floats:
    """(…, players) The replicator in continuous time: ẋ = x(f − f̄)."""
    payoffs = table.expected(shares)
    return np.asarray(shares * (payoffs - (shares * payoffs).sum(axis=-1, keepdims=True)))


def orbit(table: PayoffTable, start: Sequence[float], time: float, points: int = 400) -> Floats:
    """(points, players) The path of the continuous replicator through a point, evenly in time."""
    when = np.linspace(0.0, time, points)
    found = solve_ivp(
        lambda _, x: velocity(table, x),
        (0.0, time),
        np.asarray(start, dtype=float),
        t_eval=when,
        method="DOP853",
        rtol=1e-11,
        atol=1e-13,
    )
    return np.asarray(found.y.T)


@dataclass(frozen=True)
class RestPoint:
    """Shares at which the replicator stands still."""

    shares: tuple[float, ...]
    stability: Stability
    """By the eigenvalues of its surroundings within the simplex: all negative, all positive, of both signs, purely
    imaginary, or some 0."""
    eigenvalues: tuple[complex, ...]


def rest_points(table: PayoffTable) -> list[RestPoint]:
    """All rest points of the replicator that a search finds, for up to four players: each player alone, and where all
    that are there earn the same. Rest points that are not isolated are given by some of theirs."""
    size = len(table.players)
    if size > 4:
        raise InputError(f"rest points are looked for among at most 4 players, not {size}")
    found: list[Floats] = []
    for count in range(1, size + 1):
        for there in combinations(range(size), count):
            for shares in _within(table, there):
                if all(np.abs(shares - other).max() > _SAME for other in found):
                    found.append(shares)
    return [_described(table, shares) for shares in found]


def _within(table: PayoffTable, there: Sequence[int]) -> list[Floats]:
    """The rest points at which exactly these players are there."""
    size = len(table.players)
    if len(there) == 1:
        return [np.eye(size)[there[0]]]

    def full(part: Floats) -> Floats:
        shares = np.zeros(size)
        shares[list(there)] = [*part, 1.0 - part.sum()]
        return shares

    def differences(part: Floats) -> Floats:
        payoffs = table.expected(full(part))[list(there)]
        return np.asarray(payoffs[:-1] - payoffs[-1])

    if len(there) == 2:
        return [full(np.asarray([x])) for x in _roots(lambda x: float(differences(np.asarray([x]))[0]))]
    scale = _scale(table)
    made = []
    for start in _inside(len(there)):
        solved = root(differences, start[:-1], tol=1e-13)
        shares = full(solved.x)
        if np.abs(differences(solved.x)).max() < 1e-9 * scale and shares[list(there)].min() > _SAME:
            made.append(shares)
    return made


def _roots(function: Callable[[float], float]) -> list[float]:
    """Where a function changes its sign between 0 and 1."""
    grid = np.linspace(0.0, 1.0, 402)[1:-1]
    values = [function(x) for x in grid]
    found = [float(x) for x, value in zip(grid, values, strict=True) if value == 0]
    if len(found) == len(grid):
        return []  # neutral: every point rests
    pairs = zip(zip(grid, values, strict=True), zip(grid[1:], values[1:], strict=True), strict=False)
    return sorted([*found, *(brentq(function, a, b, xtol=1e-14) for (a, u), (b, v) in pairs if u * v < 0)])


def _inside(players: int) -> Floats:
    """Points spread over the inside of a simplex, to start searches from."""
    steps = 12 if players == 3 else 7
    axes = np.stack(np.meshgrid(*[np.arange(1, steps)] * (players - 1), indexing="ij"), axis=-1).reshape(
        -1, players - 1
    )
    kept = axes[axes.sum(axis=1) < steps] / steps
    return np.concatenate([kept, 1.0 - kept.sum(axis=1, keepdims=True)], axis=1)


def _scale(table: PayoffTable) -> float:
    reach = float(np.nanmax(table.means) - np.nanmin(table.means))
    return reach if reach > 0 else 1.0


def _described(table: PayoffTable, shares: Floats) -> RestPoint:
    size = len(shares)
    if size == 1:
        return RestPoint((1.0,), "stable", ())
    # The surroundings in coordinates within the simplex: all shares but one take the rest from the largest.
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
    flat = np.abs(values.real) <= _FLAT * scale
    if flat.all() and len(values) > 1 and (np.abs(values.imag) > _FLAT * scale).all():
        return "centre"
    up, down = bool((values.real[~flat] > 0).any()), bool((values.real[~flat] < 0).any())
    if up and down:
        return "saddle"
    if flat.any():
        return "unstable" if up else "undecided"
    return "unstable" if up else "stable"
