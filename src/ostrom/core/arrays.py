"""The arithmetic that rules and champions share, over arrays of any library that follows the Python array API standard.

Arrays of a table have the shape (seats, games). The row of a seat is contiguous, so that vector units and GPUs can
process whole rows. A sum over seats is a sum of rows. A single game is an array with one column.
"""

from typing import Any, TypeAlias

Array: TypeAlias = Any
"""A NumPy or JAX array."""


def namespace(array: Array) -> Any:
    """Return the library of an array, under the names of the array API standard."""
    return array.__array_namespace__()


def total(rows: Array) -> Array:
    """Return the sum of rows, added in order. A library's own sum may add in an order that depends on the shape and the
    machine. With a fixed order, a single game and a batch have identical sums."""
    if len(rows) == 1:
        return rows[0]
    result = rows[0] + rows[1]
    for row in rows[2:]:
        result += row  # in place on NumPy, where `result` is a new array
    return result


def count(flags: Array) -> Array:
    """Return the number of true rows in each column."""
    xp = namespace(flags)
    return total(xp.astype(flags, xp.int16))


def _scale(values: Array) -> float:
    """Return the reciprocal of the last significant decimal place: the 9th, or the 4th in single precision."""
    return 1e9 if values.dtype == namespace(values).float64 else 1e4


def round_values(values: Array) -> Array:
    """Return values rounded to the last significant decimal place."""
    return units(values) / _scale(values)


def units(values: Array) -> Array:
    """Return values as whole numbers of units of the last significant decimal place, for comparisons. Values that are
    rounded with a division may differ in the last bit, because a compiler may replace a division by a multiplication
    with the reciprocal, which adds a rounding error."""
    return namespace(values).round(values * _scale(values))


def at_least(values: Array, threshold: float | Array) -> Array:
    """Return whether values are at least a threshold, up to rounding error."""
    return units(values) >= _threshold(values, threshold)


def below(values: Array, threshold: float | Array) -> Array:
    """Return whether values are below a threshold by more than rounding error."""
    return units(values) < _threshold(values, threshold)


def _threshold(values: Array, threshold: float | Array) -> float | Array:
    scaled = threshold * _scale(values)
    return float(round(scaled)) if isinstance(scaled, float) else namespace(values).round(scaled)


def power(base: Array, exponent: float | Array) -> Array:
    """Return the base to the power of an exponent. Libraries may round the result differently if the exponent is a
    single number such as 2. This function returns identical results for a number and for an array."""
    if isinstance(exponent, float) and exponent == 1.0:
        return base
    xp = namespace(base)
    return xp.pow(base, xp.zeros_like(base) + exponent)


def ordered(rows: Array) -> list[Array]:
    """Return the rows sorted column by column, lowest first, by Batcher's odd-even merge network. The network takes
    minima and maxima of whole rows, which vector units and GPUs compute many times faster than they sort each
    column."""
    xp = namespace(rows)
    sorted_rows = list(rows)
    for low, high in _network(len(sorted_rows)):
        a, b = sorted_rows[low], sorted_rows[high]
        sorted_rows[low], sorted_rows[high] = xp.minimum(a, b), xp.maximum(a, b)
    return sorted_rows


def _network(size: int) -> list[tuple[int, int]]:
    """Return the comparisons of Batcher's network for any number of inputs (Knuth, TAOCP 3, algorithm 5.2.2M)."""
    pairs: list[tuple[int, int]] = []
    top = 1 << max(0, (size - 1).bit_length() - 1)
    p = top
    while p > 0:
        q, r, d = top, 0, p
        while True:
            pairs += [(i, i + d) for i in range(size - d) if i & p == r]
            if q == p:
                break
            q, r, d = q >> 1, p, q - p
        p >>= 1
    return pairs
