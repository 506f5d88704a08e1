"""What a grid may hold: the kinds of settings that tasks share, each refused with a reason that says what would be
right."""

import math
from itertools import pairwise
from typing import Annotated, TypeAlias

from pydantic import AfterValidator, Field


def _some(values: tuple[float, ...]) -> tuple[float, ...]:
    if not values:
        raise ValueError("it must hold at least one number")
    return values


def _finite(values: tuple[float, ...]) -> tuple[float, ...]:
    if not all(math.isfinite(value) for value in values):
        raise ValueError("every number must be finite")
    return values


def _rising(values: tuple[float, ...]) -> tuple[float, ...]:
    if any(later <= earlier for earlier, later in pairwise(values)):
        raise ValueError("the numbers must be sorted, each larger than the one before")
    return values


def _positive(values: tuple[float, ...]) -> tuple[float, ...]:
    if values and min(values) <= 0:
        raise ValueError(f"{min(values):g} is not allowed; every number must be above 0")
    return values


def _not_negative(values: tuple[float, ...]) -> tuple[float, ...]:
    if min(values) < 0:
        raise ValueError(f"{min(values):g} is not allowed; no number may be below 0")
    return values


def _shares(values: tuple[float, ...]) -> tuple[float, ...]:
    if not 0 <= min(values) <= max(values) <= 1:
        raise ValueError("every number must be a share, from 0 to 1")
    return values


def _probabilities(values: tuple[float, ...]) -> tuple[float, ...]:
    if not 0 < min(values) <= max(values) < 1:
        raise ValueError("every number must be a probability between 0 and 1, neither of them included")
    return values


def _odd(value: int) -> int:
    if value % 2 == 0:
        raise ValueError("it must be odd, so that there can be a majority")
    return value


_Numbers: TypeAlias = Annotated[tuple[float, ...], AfterValidator(_finite), AfterValidator(_rising)]
_Rising: TypeAlias = Annotated[_Numbers, AfterValidator(_some)]

Amounts: TypeAlias = Annotated[_Rising, AfterValidator(_positive)]
"""Amounts of money, multipliers, scales: above 0, sorted."""
AnyAmounts: TypeAlias = Annotated[_Numbers, AfterValidator(_positive)]
"""The same, or none at all."""
Waits: TypeAlias = Annotated[_Rising, AfterValidator(_not_negative)]
"""Times that may be nothing: 0 or more, sorted."""
Shares: TypeAlias = Annotated[_Rising, AfterValidator(_shares)]
"""Parts of an amount: from 0 to 1, sorted."""
Probabilities: TypeAlias = Annotated[_Rising, AfterValidator(_probabilities)]
"""Probabilities that leave room for chance, sorted."""
Repetitions: TypeAlias = Annotated[int, Field(ge=1, le=10_000)]
"""How often the question of a cell is asked."""
Askings: TypeAlias = Annotated[int, Field(ge=1, le=99), AfterValidator(_odd)]
"""How many answers make the majority of a step."""
