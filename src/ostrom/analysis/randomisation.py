"""Randomisation tests of two arms of games. The difference of a ratio of sums between the arms is divided by its
standard error and compared with its values in random deals: pairs of games that share seed and seating swap sides at
random, and the other games are shuffled between the arms, whose sizes stay. If the arms do not matter, every deal is as
likely as the observed one, so the test is exact at any number of games (Fisher 1935); since it is studentised, it also
holds, for many games, where the arms have the same mean and different spreads (Janssen 1997; Chung and Romano 2013)."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Final
from zlib import crc32

import numpy as np
import numpy.typing as npt

from ostrom.analysis.studentised import POOLED
from ostrom.core.estimates import CONFIDENCE, Floats

SEED: Final = 735
LEAST: Final = 6
"""With fewer games on a side a difference is not tested and has no interval."""
DEALS_AT_ONCE: Final = 1000
"""Deals computed together; the first batch gives the interval."""
MAX_HITS: Final = 50
"""A test ends when this many deals are at least as extreme as the observed difference (Besag and Clifford 1991)."""
_DEALS_PER_TEST: Final = 100
_ROUNDING: Final = 1e-12
"""Relative differences below this are rounding errors."""


@dataclass(frozen=True)
class Arms:
    """A figure of one group in two arms. Rows are units: a pair of games, or a game with nothing on the other side.
    Columns are top and bottom of a ratio and, where another is subtracted, its top and bottom: the figure is the first
    ratio less the second."""

    a: Floats
    b: Floats
    pairs: int
    """The number of units at the beginning that are pairs."""

    @property
    def alone(self) -> tuple[int, int]:
        """The numbers of units after the pairs that are games of a and of b."""
        singles = slice(self.pairs, None)
        of_a = int(np.sum(np.any(self.a[singles, 1::2] > 0, axis=1)))
        return of_a, len(self.a) - self.pairs - of_a

    @cached_property
    def _centred(self) -> tuple[Floats, float]:
        """Both arms side by side, each numerator centred by the ratio of all games and divided by a scale, and the
        scale. Differences are unchanged, and rounding errors stay small."""
        both = np.stack([self.a, self.b])
        tops, bottoms = both[:, :, 0::2], both[:, :, 1::2]
        off = tops - tops.sum(axis=(0, 1)) / bottoms.sum(axis=(0, 1)) * bottoms
        off[np.abs(off) <= _ROUNDING * np.abs(tops).max()] = 0.0
        scale = float(np.max(np.abs(off).sum(axis=(0, 1)) / bottoms.sum(axis=(0, 1)))) or 1.0
        both[:, :, 0::2] = off / scale
        return np.concatenate([both[0], both[1]], axis=1), scale

    @cached_property
    def _moments(self) -> tuple[Floats, Floats]:
        """Sums and products of columns by unit: with the sides as they are, and swapped."""
        columns = self._centred[0]
        return _moments(columns), _moments(np.roll(columns, columns.shape[1] // 2, axis=1))

    @cached_property
    def seen(self) -> tuple[float, float]:
        """The difference b − a and its standard error, for which a pair is one observation."""
        value, error = _errors(self._moments[0].sum(axis=0)[None], 2 * self.a.shape[1])
        return float(value[0]) * self._centred[1], float(error[0]) * self._centred[1]

    @property
    def games(self) -> tuple[int, int]:
        of_a, of_b = (int(np.sum(np.any(side[:, 1::2] > 0, axis=1))) for side in (self.a, self.b))
        return of_a, of_b

    @property
    def is_testable(self) -> bool:
        """True if there are enough games, the games vary, and the arms are not the same games twice."""
        return min(self.games) >= LEAST and bool(np.any(self._centred[0][:, 0::2])) and not self.same

    @property
    def same(self) -> bool:
        """True if all games are paired and equal on both sides."""
        return self.pairs == len(self.a) and np.array_equal(self.a, self.b)

    def _deal(self, start: int) -> Floats:
        stay, change = self._moments
        # The seed depends on the data, so that no single set of deals favours one side in all comparisons of this size.
        data = crc32(self.a.tobytes() + self.b.tobytes())
        stay_rows = _deals(self.pairs, *self.alone, [SEED, data, start])
        return _by_error(*_errors(stay_rows @ (stay - change) + change.sum(axis=0), 2 * self.a.shape[1]))

    @cached_property
    def _first(self) -> Floats:
        return self._deal(0)

    def chance(self, most: int) -> float:
        """Return the p-value of the studentised difference, from at most `most` deals."""
        value, error = (np.asarray([figure]) / self._centred[1] for figure in self.seen)
        far = abs(float(_by_error(value, error)[0])) * (1 - 1e-9)
        hits = dealt = 0
        for start in range(0, most, DEALS_AT_ONCE):
            draws = self._deal(start) if start else self._first
            so_far = hits + np.cumsum(np.abs(draws) >= far)
            if so_far[-1] >= MAX_HITS:
                return MAX_HITS / (dealt + int(np.searchsorted(so_far, MAX_HITS)) + 1)
            hits, dealt = int(so_far[-1]), dealt + len(draws)
        return (hits + 1) / (dealt + 1)

    def interval(self, error: float | None = None) -> tuple[float, float] | None:
        """Return the 95 % interval of the difference, symmetric: 95 % of the deals lie within it, in units of the
        error, its own unless another is given. None where the games do not vary; of width 0 where both arms have the
        same games."""
        value, own = self.seen
        if self.same:
            return 0.0, 0.0
        reach = float(np.quantile(np.abs(self._first), CONFIDENCE, method="higher"))
        if own == 0 or not np.isfinite(reach):
            return None
        half = reach * (own if error is None else error)
        return value - half, value + half

    @cached_property
    def off(self) -> Floats:
        """The deviation of each game of a and of b from the figure of its arm, to first order, (2, units); 0 where a
        unit has no game."""
        offsets = np.zeros((2, len(self.a)))
        for off, side, games in zip(offsets, (self.a, self.b), self.games, strict=True):
            for sign, top, bottom in zip((1, -1), side[:, 0::2].T, side[:, 1::2].T, strict=False):
                whole = bottom.sum()
                off += sign * (top - top.sum() / whole * bottom) * games / whole
        return offsets

    @property
    def kinds(self) -> tuple[slice, slice, slice]:
        """The units that are pairs, those that are games of a, and those of b."""
        of_a = self.pairs + self.alone[0]
        return slice(0, self.pairs), slice(self.pairs, of_a), slice(of_a, len(self.a))


def borrowed_errors(groups: Sequence[Arms]) -> list[float]:
    """Return the standard error of each group's difference, with the games of all groups, weighted by `POOLED` for each
    kind of unit, beside the group's own, each centred by its own group's figure. A figure that depends on a few games
    with high values is then uncertain also in a group without such games (see `ostrom.analysis.studentised`)."""
    of_kinds = [np.concatenate([group.off[:, group.kinds[kind]] for group in groups], axis=1) for kind in range(3)]
    errors = []
    for group in groups:
        by_game = np.array([-1.0, 1.0]) / group.games
        variance = 0.0
        for kind, every_group in zip(group.kinds, of_kinds, strict=True):
            own, borrowed = (by_game @ off for off in (group.off[:, kind], every_group))
            if units := len(own):
                variance += float(own @ own + POOLED * np.mean(borrowed**2)) * units / (units + POOLED)
        errors.append(variance**0.5)
    return errors


def _moments(columns: Floats) -> Floats:
    """Return every column, then the products of any two, by unit."""
    one, other = np.triu_indices(columns.shape[1])
    return np.concatenate([columns, columns[:, one] * columns[:, other]], axis=1)


def _errors(sums: Floats, columns: int) -> tuple[Floats, Floats]:
    """Return the difference and its standard error, that of the linearised ratios (Cochran 1977, ch. 6), from sums of
    moments, a row for each deal."""
    value = np.zeros(len(sums))
    weights = np.zeros((len(sums), columns))
    with np.errstate(divide="ignore", invalid="ignore"):
        for top in range(0, columns, 2):
            arm, part = divmod(top, columns // 2)
            sign = (-1 if arm == 0 else 1) * (1 if part == 0 else -1)
            ratio = sums[:, top] / sums[:, top + 1]
            value += sign * ratio
            weights[:, top], weights[:, top + 1] = sign / sums[:, top + 1], -sign * ratio / sums[:, top + 1]
        one, other = np.triu_indices(columns)
        terms = np.where(one == other, 1, 2) * weights[:, one] * weights[:, other] * sums[:, columns:]
        variance = terms.sum(axis=1)
        # Where all games agree, the remainder is a rounding error.
        return value, np.sqrt(np.where(variance <= _ROUNDING * np.abs(terms).sum(axis=1), 0.0, variance))


def _by_error(value: Floats, error: Floats) -> Floats:
    """Return the difference in units of its error. A deal that leaves an arm empty counts as infinitely extreme."""
    with np.errstate(divide="ignore", invalid="ignore"):
        statistic = np.where(np.abs(value) <= _ROUNDING, 0.0, value / error)
    return np.where(np.isnan(statistic), np.inf, statistic)


def _deals(pairs: int, of_a: int, of_b: int, seed: Sequence[int]) -> npt.NDArray[np.float32]:
    """Return, for each deal of a batch, 1 for the units that stay on their side: pairs with probability one half, other
    games so that the sizes of the arms are unchanged."""
    generator = np.random.default_rng(seed)
    stays = np.zeros((DEALS_AT_ONCE, pairs + of_a + of_b), dtype=np.float32)
    stays[:, :pairs] = generator.integers(0, 2, (DEALS_AT_ONCE, pairs))
    if of_a and of_b:
        order = generator.random((DEALS_AT_ONCE, of_a + of_b), dtype=np.float32)
        stays[:, pairs:] = order <= np.partition(order, of_a - 1, axis=1)[:, of_a - 1, None]  # 1 is a
        for tied in np.flatnonzero(stays[:, pairs:].sum(axis=1) != of_a):  # two equal numbers at the edge
            stays[tied, pairs:] = 0.0
            stays[tied, pairs + np.argpartition(order[tied], of_a - 1)[:of_a]] = 1.0
        stays[:, pairs + of_a :] = 1 - stays[:, pairs + of_a :]
    return stays


def chances_of(family: Sequence[Arms]) -> tuple[list[float | None], list[float | None]]:
    """Return the p-values of the groups that can be tested, and the same corrected for their number. More tests use
    more deals, so that corrected p-values are still precise."""
    most = DEALS_AT_ONCE * max(1, -(-sum(arms.is_testable for arms in family) * _DEALS_PER_TEST // DEALS_AT_ONCE))
    chances = [arms.chance(most) if arms.is_testable else None for arms in family]
    return chances, corrected(chances)


def corrected(chances: Sequence[float | None]) -> list[float | None]:
    """Return the p-values corrected so that, with 95 % confidence, none of those below 5 % is a mistake (Holm 1979);
    None stays None."""
    ranked = sorted((chance, place) for place, chance in enumerate(chances) if chance is not None)
    result: list[float | None] = [None] * len(chances)
    least = 0.0
    for rank, (chance, place) in enumerate(ranked):
        least = max(least, min(1.0, (len(ranked) - rank) * chance))
        result[place] = least
    return result
