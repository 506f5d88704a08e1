"""At which points a sweep is played: all combinations of values, a Latin hypercube, or the points of Saltelli's design
for Sobol indices."""

import math
from collections.abc import Sequence
from itertools import product
from typing import Any, Final, Literal, TypeAlias

import numpy as np
import numpy.typing as npt

from ostrom.core import InputError
from ostrom.core.errors import field
from ostrom.sim.factors import Factor

Kind: TypeAlias = Literal["factorial", "lhs", "sobol"]
KINDS: Final[Sequence[Kind]] = ("factorial", "lhs", "sobol")
MOST_POINTS: Final = 100_000
USUAL: Final = {"lhs": 100, "sobol": 128}
"""The default number of points that are drawn."""
Floats: TypeAlias = npt.NDArray[np.float64]


def points_of(factors: Sequence[Factor], kind: Kind, drawn: int | None, seed: int) -> list[tuple[Any, ...]]:
    """The values of every factor at every point. `drawn` is the size of a Latin hypercube, or of each of the two
    samples of a Sobol design."""
    if kind not in KINDS:
        raise InputError(f"there is no design {kind!r}; use {', '.join(KINDS)}")
    if kind == "factorial":
        return _factorial(factors, drawn)
    count = USUAL[kind] if drawn is None else drawn
    if count < 2:
        raise InputError(f"the number of points must be at least 2, got {count}")
    if kind == "sobol" and count & (count - 1):
        raise InputError(f"a Sobol design takes a power of 2 as its number of points, such as {_power(count)}")
    _check_number(count * (len(factors) + 2) if kind == "sobol" else count)
    places = _hypercube(len(factors), count, seed) if kind == "lhs" else saltelli(len(factors), count, seed)
    return [tuple(factor.at(place) for factor, place in zip(factors, row, strict=True)) for row in places.tolist()]


def _factorial(factors: Sequence[Factor], drawn: int | None) -> list[tuple[Any, ...]]:
    if drawn is not None:
        raise InputError(
            f"{field('points')} is for {field('design', 'lhs')} and sobol; a factorial design has every combination"
        )
    for factor in factors:
        if factor.span is not None:
            low, high = factor.span
            raise InputError(
                f"{factor.name}={low:g}:{high:g} has no step; write {factor.name}={low:g}:{high:g}:STEP, or draw from "
                f"it with {field('design', 'lhs')}"
            )
    _check_number(math.prod(len(factor.levels) for factor in factors))
    return list(product(*(factor.levels for factor in factors)))


def _check_number(points: int) -> None:
    if points > MOST_POINTS:
        raise InputError(
            f"{points:,} points are too many, at most {MOST_POINTS:,} are possible; take larger steps, or draw some "
            f"with {field('design', 'lhs')} and {field('points', 1000)}"
        )


def _power(count: int) -> int:
    return 1 << max(1, round(math.log2(count)))


def _hypercube(factors: int, count: int, seed: int) -> Floats:
    from scipy.stats import qmc

    return np.asarray(qmc.LatinHypercube(factors, rng=seed).random(count))


def saltelli(factors: int, count: int, seed: int) -> Floats:
    """((factors + 2) · count, factors) Two samples A and B of the unit cube, and A with each column in turn from B, one
    below the other (Saltelli and others 2010). Both come from one scrambled Sobol sequence."""
    from scipy.stats import qmc

    drawn = qmc.Sobol(2 * factors, rng=seed).random(count)
    first, second = drawn[:, :factors], drawn[:, factors:]
    mixed = np.tile(first, (factors, 1, 1))
    for factor in range(factors):
        mixed[factor, :, factor] = second[:, factor]
    return np.concatenate([first, second, mixed.reshape(-1, factors)])
