"""Arithmetic that has bit-identical results for single numbers and for arrays. Rules and theories are written with
these functions, so that one definition serves a single game and a batch of millions of games."""

import math
from typing import Any, Final, TypeAlias

from ostrom.core.arrays import Array, namespace
from ostrom.core.specs import Stepped, stepped

Number: TypeAlias = Any
"""A number, or an array with a number for each of many games."""

DEKKER_SPLIT: Final = 134217729.0
"""2^27 + 1, which splits a double into two halves (Dekker 1971)."""
LEAST_WHOLE_DOUBLE: Final = 2.0**53
"""Every larger double is a whole number."""
SINGLE_DECIMALS: Final = 4
"""The largest number of decimals to which single-precision numbers are rounded."""
ROUNDING_TOLERANCE: Final = 1e-9
"""A difference up to this fraction of a step counts as a rounding error."""


def library(*numbers: Number) -> Any:
    """Return the array library of the first array among these. Return None if all are plain numbers."""
    for number in numbers:
        if not isinstance(number, int | float):
            return namespace(number)
    return None


def either(condition: Any, value: Number, other: Number) -> Number:
    """Return the first number where the condition holds, and otherwise the second."""
    xp = library(condition)
    return (value if condition else other) if xp is None else xp.where(condition, value, other)


def largest(first: Number, *others: Number) -> Number:
    """Return the largest number."""
    for other in others:
        xp = library(first, other)
        first = max(first, other) if xp is None else xp.maximum(first, other)
    return first


def smallest(first: Number, *others: Number) -> Number:
    """Return the smallest number."""
    for other in others:
        xp = library(first, other)
        first = min(first, other) if xp is None else xp.minimum(first, other)
    return first


def floor(number: Number) -> Number:
    """Return the number rounded down."""
    return (library(number) or math).floor(number)


def ceil(number: Number) -> Number:
    """Return the number rounded up."""
    return (library(number) or math).ceil(number)


def whole(number: Number) -> Number:
    """Return the nearest whole number. Ties go to the even number."""
    xp = library(number)
    return round(number) if xp is None else xp.round(number)


def is_whole(number: Number) -> Any:
    """Return whether a number has no fraction."""
    return number == floor(number)


def power(base: Number, exponent: int) -> Number:
    """Return a number raised to a whole power. For NumPy arrays, Python's own power is used, since NumPy's may differ
    in the last bit."""
    xp = library(base)
    if xp is None:
        return float(base**exponent)
    if xp.__name__ != "numpy":
        return base**exponent
    values, places = xp.unique(base, return_inverse=True)
    return xp.asarray([float(value) ** exponent for value in values.tolist()], dtype=base.dtype)[places]


def decimals(number: Number, places: int) -> Number:
    """Return the number rounded to this many decimals, with the same result as Python's `round`. In an array,
    multiplication by a power of ten may produce an apparent tie. In this case, the rounding error of the product
    decides the direction of rounding."""
    xp = library(number)
    if xp is None:
        return round(float(number), places)
    if number.dtype != xp.float64:
        scale = 10.0 ** min(places, SINGLE_DECIMALS)
        return xp.round(number * scale) / scale
    scale = 10.0**places
    product = number * scale
    near = xp.round(product)
    remainder, error = product - near, _error(number, scale, product)
    near = xp.where((remainder == 0.5) & (error > 0), near + 1.0, near)
    near = xp.where((remainder == -0.5) & (error < 0), near - 1.0, near)
    return xp.where(xp.abs(product) < LEAST_WHOLE_DOUBLE, near / scale, number)


def _error(number: Array, scale: float, product: Array) -> Array:
    """Return the rounding error of a product (Dekker 1971)."""
    high = DEKKER_SPLIT * number - (DEKKER_SPLIT * number - number)
    low = number - high
    scale_high = DEKKER_SPLIT * scale - (DEKKER_SPLIT * scale - scale)
    scale_low = scale - scale_high
    return ((high * scale_high - product) + high * scale_low + low * scale_high) + low * scale_low


def add(numbers: Any) -> Number:
    """Return the sum, added in the given order, since the result of Python's `sum` differs between versions."""
    first, *others = numbers
    for other in others:
        first = first + other
    return first


def in_steps(low: Number, high: Number, step: Number) -> Stepped:
    """Return a specification for `low` plus multiples of `step`, up to `high`. All three may be arrays."""
    if library(low, high, step) is None:
        return stepped(low, high, step)
    return Stepped(low, high, whole=is_whole(low) & is_whole(step), step=step)


def most_steps(low: Number, high: Number, step: Number) -> Number:
    """Return the number of whole steps that fit between `low` and `high`."""
    return floor((high - low) / step + ROUNDING_TOLERANCE)


def count_steps(value: Number, low: Number, high: Number, step: Number) -> Number:
    """Return the number of steps by which a value exceeds `low`, rounded to the nearest step within the bounds."""
    inside = smallest(largest(value, low), high)
    return smallest(whole((inside - low) / step), most_steps(low, high, step))
