"""The pool of goods that two seats divide: private values for it, the divisions that are possible, and how good a
division is."""

import math
from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import permutations, product
from typing import Final, TypeAlias

import numpy as np

from ostrom.core import Chance, InputError

Units: TypeAlias = tuple[int, ...]
"""A number of units of each good."""
Values: TypeAlias = tuple[float, ...]
"""The points of a seat for a unit of each good."""

COUNTS: Final = "counts"
VALUES: Final = "values"
"""The purposes of random draws."""

DRAWN_UNITS: Final = (1, 4)
"""The smallest and the largest number of units of a good if counts are drawn. With three goods, the pool has 5 to 7
units, as in Deal or No Deal (Lewis and others, 2017)."""
DRAWN_ADDED: Final = (2, 4)
"""The numbers of goods and of added units that make the smallest and the largest drawn pool."""
MAX_DIVISIONS: Final = 10_000
MAX_ATTEMPTS: Final = 1000
"""The number of times that values of a pool are drawn anew if no good is worth something to both seats, or one of them
is worth nothing to either."""
ROUNDING: Final = 1e-9


@lru_cache(maxsize=256)
def divisions(counts: Units) -> np.ndarray:
    """Return all divisions of a pool, as the units that one seat gets: a row each, the smallest numbers first."""
    return np.array(list(product(*(range(count + 1) for count in counts))), dtype=np.int64)


def points_of(units: Sequence[int], values: Sequence[float]) -> float:
    """Return the points of a seat for units of the goods."""
    return float(sum(count * value for count, value in zip(units, values, strict=True)))


def left_of(counts: Sequence[int], units: Sequence[int]) -> Units:
    """Return the units of the pool that are left for the other seat."""
    return tuple(count - taken for count, taken in zip(counts, units, strict=True))


def best_joint_points(counts: Sequence[int], values: Sequence[Values]) -> float:
    """Return the largest sum of points of both seats: each good goes to the seat to which it is worth more."""
    return points_of(counts, [max(pair) for pair in zip(*values, strict=True)])


def is_efficient(counts: Units, values: Sequence[Values], units: Sequence[int]) -> bool:
    """Return whether a division is Pareto-efficient: no other division gives a seat more and neither of them less. The
    division is given by the units of the first seat."""
    first = divisions(counts) @ np.array(values[0])
    second = (np.array(counts) - divisions(counts)) @ np.array(values[1])
    own, other = points_of(units, values[0]), points_of(left_of(counts, units), values[1])
    not_worse = (first >= own - ROUNDING) & (second >= other - ROUNDING)
    better = (first > own + ROUNDING) | (second > other + ROUNDING)
    return not bool(np.any(not_worse & better))


@lru_cache(maxsize=256)
def pool_values(counts: Units, worth: int) -> tuple[Units, ...]:
    """Return all whole values, from 0, with which the pool is worth exactly this many points, in ascending order."""
    return tuple(_vectors(counts, worth))


def _vectors(counts: Units, worth: int) -> Iterator[Units]:
    first, *rest = counts
    if not rest:
        if worth % first == 0:
            yield (worth // first,)
        return
    for value in range(worth // first + 1):
        for others in _vectors(tuple(rest), worth - first * value):
            yield (value, *others)


def is_bargain(first: Values, second: Values) -> bool:
    """Return whether each good is worth something to a seat, and at least one good to both."""
    pairs = list(zip(first, second, strict=True))
    return all(max(pair) > 0 for pair in pairs) and any(min(pair) > 0 for pair in pairs)


@lru_cache(maxsize=256)
def has_bargain(counts: Units, worth: int) -> bool:
    """Return whether the pool can be worth this many points to each of two seats that have something to bargain
    about."""
    patterns = {tuple(float(value > 0) for value in values) for values in pool_values(counts, worth)}
    return any(is_bargain(first, second) for first in patterns for second in patterns)


@lru_cache(maxsize=64)
def drawn_counts(goods: int, worth: int) -> tuple[Units, ...]:
    """Return the counts from which a pool is drawn, in ascending order."""
    low, high = DRAWN_UNITS
    least, most = (goods + added for added in DRAWN_ADDED)
    every = product(range(low, high + 1), repeat=goods)
    return tuple(counts for counts in every if least <= sum(counts) <= most and has_bargain(counts, worth))


def draw_counts(chance: Chance, goods: int, worth: int) -> Units:
    """Return the counts of a pool."""
    candidates = drawn_counts(goods, worth)
    return candidates[int(chance.uniform(COUNTS, 0) * len(candidates))]


def draw_priorities(chance: Chance, scale: Values) -> list[Values]:
    """Return the values of both seats. `scale` has the points of a unit by priority; which good has which priority is
    drawn for each seat."""
    candidates = list(permutations(scale))
    return [candidates[int(chance.uniform(VALUES, 0, seat) * len(candidates))] for seat in range(2)]


def draw_pool_values(chance: Chance, counts: Units, worth: int) -> list[Values]:
    """Return the values of both seats, drawn independently of each other among those with which the pool has this
    worth. Both are drawn again until the seats have something to bargain about. Raise `InputError` if they never
    have."""
    candidates = pool_values(counts, worth)
    for attempt in range(MAX_ATTEMPTS if candidates else 0):
        first, second = (candidates[int(chance.uniform(VALUES, attempt, seat) * len(candidates))] for seat in range(2))
        if is_bargain(first, second):
            return [tuple(map(float, values)) for values in (first, second)]
    raise InputError(f"a pool of {', '.join(map(str, counts))} units cannot be worth {worth} points to both seats")


def number_of_divisions(counts: Sequence[int]) -> int:
    """Return the number of divisions of a pool."""
    return math.prod(count + 1 for count in counts)
