"""Arithmetic that comes out the same to the last bit for one number and for arrays of them: what rules and theories are
written in, so that one definition serves a single game and a batch of millions."""

import math
from typing import Any, Final, TypeAlias

from ostrom.core.arrays import Array, namespace
from ostrom.core.specs import Stepped, stepped

Number: TypeAlias = Any
"""A number of one game, or an array of the numbers of many."""

_SPLIT: Final = 134217729.0
"""2^27 + 1, which splits a double into two halves (Dekker 1971)."""
_WHOLE_FROM: Final = 2.0**53
"""From here on every double is a whole number."""
_SINGLE_DECIMALS: Final = 4
"""Single precision holds no more."""
_NEARLY: Final = 1e-9
"""Of a step: what is nearer to the next one is rounding error."""


def library(*numbers: Number) -> Any:
    """The array library of the first array among these; None where all are plain numbers."""
    for number in numbers:
        if not isinstance(number, int | float):
            return namespace(number)
    return None


def either(condition: Any, one: Number, other: Number) -> Number:
    """The one where the condition holds, else the other."""
    xp = library(condition)
    return (one if condition else other) if xp is None else xp.where(condition, one, other)


def largest(first: Number, *others: Number) -> Number:
    """The largest of numbers."""
    for other in others:
        xp = library(first, other)
        first = max(first, other) if xp is None else xp.maximum(first, other)
    return first


def smallest(first: Number, *others: Number) -> Number:
    """The smallest of numbers."""
    for other in others:
        xp = library(first, other)
        first = min(first, other) if xp is None else xp.minimum(first, other)
    return first


def floor(number: Number) -> Number:
    """The next whole number below."""
    xp = library(number)
    return math.floor(number) if xp is None else xp.floor(number)


def ceil(number: Number) -> Number:
    """The next whole number above."""
    xp = library(number)
    return math.ceil(number) if xp is None else xp.ceil(number)


def whole(number: Number) -> Number:
    """The nearest whole number, of two the even one."""
    xp = library(number)
    return round(number) if xp is None else xp.round(number)


def is_whole(number: Number) -> Any:
    """Whether there is nothing behind the point."""
    return number == floor(number)


def power(base: Number, exponent: int) -> Number:
    """A number to a whole power. Python's own is taken on NumPy too, whose last bit may differ from it."""
    xp = library(base)
    if xp is None:
        return float(base**exponent)
    if xp.__name__ != "numpy":
        return base**exponent
    values, places = xp.unique(base, return_inverse=True)
    return xp.asarray([float(value) ** exponent for value in values.tolist()], dtype=base.dtype)[places]


def decimals(number: Number, places: int) -> Number:
    """Rounded to so many decimals, as Python rounds: to the decimal that is nearest to the number as it is held. An
    array times a power of ten may err, so the error of the product decides what would be a tie."""
    xp = library(number)
    if xp is None:
        return round(float(number), places)
    if number.dtype != xp.float64:
        scale = 10.0 ** min(places, _SINGLE_DECIMALS)
        return xp.round(number * scale) / scale
    scale = 10.0**places
    product = number * scale
    near = xp.round(product)
    left, error = product - near, _error(number, scale, product)
    near = xp.where((left == 0.5) & (error > 0), near + 1.0, near)
    near = xp.where((left == -0.5) & (error < 0), near - 1.0, near)
    return xp.where(xp.abs(product) < _WHOLE_FROM, near / scale, number)


def _error(number: Array, scale: float, product: Array) -> Array:
    """By how much a product falls short of the exact one (Dekker 1971)."""
    high = _SPLIT * number - (_SPLIT * number - number)
    low = number - high
    scale_high = _SPLIT * scale - (_SPLIT * scale - scale)
    scale_low = scale - scale_high
    return ((high * scale_high - product) + high * scale_low + low * scale_high) + low * scale_low


def summed(numbers: Any) -> Number:
    """The sum, in the order of the numbers: Python's own differs between its versions."""
    first, *others = numbers
    for other in others:
        first = first + other
    return first


def in_steps(low: Number, high: Number, step: Number) -> Stepped:
    """The numbers from `low` to `high` in steps, as a specification; its bounds may be arrays."""
    if library(low, high, step) is None:
        return stepped(low, high, step)
    return Stepped(low, high, whole=is_whole(low) & is_whole(step), step=step)


def most_steps(low: Number, high: Number, step: Number) -> Number:
    """How many steps lead from `low` to the highest number that is not above `high`."""
    return floor((high - low) / step + _NEARLY)


def counted(value: Number, low: Number, high: Number, step: Number) -> Number:
    """How many steps above `low` a value lies, to the nearest."""
    inside = smallest(largest(value, low), high)
    return smallest(whole((inside - low) / step), most_steps(low, high, step))
