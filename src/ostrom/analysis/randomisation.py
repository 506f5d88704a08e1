"""Randomisation tests of two arms of games. The difference of a ratio of sums between the arms is divided by its
standard error and compared with its values in random deals. In a random deal, the games are assigned to the arms anew.
The two games of a pair, which have the same seed and seating, swap sides at random. The other games are shuffled
between the arms, so that the sizes of the arms stay the same. If the arms do not matter, every deal is as likely as the
observed one, so the test is exact at any number of games (Fisher 1935). The test shows whether the games of the arms
differ in any way. `ostrom.analysis.differences` tests whether their figures differ."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Final
from zlib import crc32

import numpy as np
import numpy.typing as npt

from ostrom.analysis.differences import DifferenceFit, fit_difference
from ostrom.analysis.studentised import POOLED
from ostrom.core.estimates import Floats

SEED: Final = 735
LEAST: Final = 6
"""The smallest number of games on each side for a test or an interval."""
LOPSIDED: Final = 2
"""If one arm has at least this many times as many games as the other, the skewness of games is estimated."""
DEALS_AT_ONCE: Final = 1000
"""The number of deals that are computed together."""
MAX_HITS: Final = 50
"""A test ends when this many deals are at least as extreme as the observed difference (Besag and Clifford 1991)."""
_DEALS_PER_TEST: Final = 100
_ROUNDING: Final = 1e-12
"""Relative differences below this are rounding errors."""


@dataclass(frozen=True)
class Arms:
    """A figure of one group in two arms. Each row is a unit. A unit is a pair of games, or a game without a partner in
    the other arm. The columns are the numerator (top) and denominator (bottom) of a ratio. If a second ratio is
    subtracted, its top and bottom are further columns."""

    a: Floats
    b: Floats
    pairs: int
    """The number of units that are pairs. These units come first."""

    @property
    def alone(self) -> tuple[int, int]:
        """The numbers of unpaired games of a and of b."""
        singles = slice(self.pairs, None)
        of_a = int(np.sum(np.any(self.a[singles, 1::2] > 0, axis=1)))
        return of_a, len(self.a) - self.pairs - of_a

    @cached_property
    def _centred(self) -> tuple[Floats, float]:
        """The centred columns of `a`, followed by those of `b`, and the scale by which they are divided. To centre a
        numerator, the pooled ratio times its denominator is subtracted. Centring and dividing keep rounding errors
        small, and change differences between ratios only by the scale."""
        both = np.stack([self.a, self.b])
        tops, bottoms = both[:, :, 0::2], both[:, :, 1::2]
        off = tops - tops.sum(axis=(0, 1)) / bottoms.sum(axis=(0, 1)) * bottoms
        off[np.abs(off) <= _ROUNDING * np.abs(tops).max()] = 0.0
        scale = float(np.max(np.abs(off).sum(axis=(0, 1)) / bottoms.sum(axis=(0, 1)))) or 1.0
        both[:, :, 0::2] = off / scale
        return np.concatenate([both[0], both[1]], axis=1), scale

    @cached_property
    def _moments(self) -> tuple[Floats, Floats]:
        """The columns of each unit and their products: once with the sides unchanged, and once with the sides
        swapped."""
        columns = self._centred[0]
        return _moments(columns), _moments(np.roll(columns, columns.shape[1] // 2, axis=1))

    @cached_property
    def seen(self) -> tuple[float, float]:
        """The difference b − a and its standard error. A pair counts as one observation."""
        value, error = _errors(self._moments[0].sum(axis=0)[None], 2 * self.a.shape[1])
        return float(value[0]) * self._centred[1], float(error[0]) * self._centred[1]

    @property
    def games(self) -> tuple[int, int]:
        of_a, of_b = (int(np.sum(np.any(side[:, 1::2] > 0, axis=1))) for side in (self.a, self.b))
        return of_a, of_b

    @property
    def is_testable(self) -> bool:
        """True if there are enough games, the games vary, and the two arms are not the same games."""
        return min(self.games) >= LEAST and bool(np.any(self._centred[0][:, 0::2])) and not self.same

    @property
    def same(self) -> bool:
        """True if all games are paired and each pair is equal on both sides."""
        return self.pairs == len(self.a) and np.array_equal(self.a, self.b)

    def _deal(self, start: int) -> Floats:
        stay, change = self._moments
        # The seed depends on the data. Otherwise the same deals could favour one side in all comparisons of the same
        # size.
        data = crc32(self.a.tobytes() + self.b.tobytes())
        stay_rows = _deals(self.pairs, *self.alone, [SEED, data, start])
        return _by_error(*_errors(stay_rows @ (stay - change) + change.sum(axis=0), 2 * self.a.shape[1]))

    def chance(self, most: int) -> float:
        """Return the p-value of the studentised difference. It is computed from at most `most` deals."""
        value, error = (np.asarray([figure]) / self._centred[1] for figure in self.seen)
        far = abs(float(_by_error(value, error)[0])) * (1 - 1e-9)
        hits = dealt = 0
        for start in range(0, most, DEALS_AT_ONCE):
            draws = self._deal(start)
            so_far = hits + np.cumsum(np.abs(draws) >= far)
            if so_far[-1] >= MAX_HITS:
                return MAX_HITS / (dealt + int(np.searchsorted(so_far, MAX_HITS)) + 1)
            hits, dealt = int(so_far[-1]), dealt + len(draws)
        return (hits + 1) / (dealt + 1)

    def fit(self, error: float | None = None) -> DifferenceFit | None:
        """Return the fit of the difference of the figures, with at least this error. Return None if the games do not
        vary. If the error comes from a pool of groups, the interval is symmetric."""
        least = 0.0 if error is None else error
        return fit_difference(self.seen[0], self.offsets, min(self.games), error=least, symmetric=error is not None)

    def interval(self, error: float | None = None) -> tuple[float, float] | None:
        """Return the 95 % interval of the difference of the figures. Return None if the games do not vary. If both arms
        have the same games, the interval has zero width."""
        fit = None if self.same else self.fit(error)
        return (0.0, 0.0) if self.same else None if fit is None else fit.interval()

    @property
    def games_needed(self) -> int:
        """The number of games that the smaller arm needs if the other arm has at least twice as many games. It is the
        greater of the two squared skewnesses. It is 0 if the other arm has less than twice as many games. Equal
        skewness cancels out if the arms have equal numbers of games, but in a small arm it cannot be estimated well."""
        fewest, most = sorted(self.games)
        if self.pairs or most < LOPSIDED * fewest:
            return 0
        spreads = [(np.mean(off**2), np.mean(off**3)) for off in self.offsets[1:]]
        return int(max((third**2 / second**3 for second, third in spreads if second > 0), default=0.0))

    @property
    def offsets(self) -> list[Floats]:
        """The deviation of each unit from the difference, as three arrays: for pairs, for unpaired games of a, and for
        unpaired games of b."""
        by_game = np.array([-1.0, 1.0]) / self.games
        return [by_game @ self.off[:, kind] for kind in self.kinds]

    @cached_property
    def off(self) -> Floats:
        """The deviation of each game from the figure of its arm, to first order: (2, units). The deviation is 0 if an
        arm has no game in a unit."""
        offsets = np.zeros((2, len(self.a)))
        for off, side, games in zip(offsets, (self.a, self.b), self.games, strict=True):
            for sign, top, bottom in zip((1, -1), side[:, 0::2].T, side[:, 1::2].T, strict=False):
                whole = bottom.sum()
                off += sign * (top - top.sum() / whole * bottom) * games / whole
        return offsets

    @property
    def kinds(self) -> tuple[slice, slice, slice]:
        """Three slices of units: the pairs, the unpaired games of a, and those of b."""
        of_a = self.pairs + self.alone[0]
        return slice(0, self.pairs), slice(self.pairs, of_a), slice(of_a, len(self.a))


def borrowed_errors(groups: Sequence[Arms]) -> list[float]:
    """Return the standard error of each group's difference, estimated from the group's own games and from the games of
    all groups. The games of all groups have the total weight `POOLED` for each kind of unit, and each game is centred
    by its own group's figure. A figure that depends on a few games with high values is then uncertain even in a group
    without such games (see `ostrom.analysis.studentised`)."""
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
    """Return, for each unit, every column and the products of any two columns."""
    first, second = np.triu_indices(columns.shape[1])
    return np.concatenate([columns, columns[:, first] * columns[:, second]], axis=1)


def _errors(sums: Floats, columns: int) -> tuple[Floats, Floats]:
    """Return the difference and its standard error from sums of moments, with a row for each deal. The error is that of
    linearised ratios (Cochran 1977, ch. 6)."""
    value = np.zeros(len(sums))
    weights = np.zeros((len(sums), columns))
    with np.errstate(divide="ignore", invalid="ignore"):
        for top in range(0, columns, 2):
            arm, part = divmod(top, columns // 2)
            sign = (-1 if arm == 0 else 1) * (1 if part == 0 else -1)
            ratio = sums[:, top] / sums[:, top + 1]
            value += sign * ratio
            weights[:, top], weights[:, top + 1] = sign / sums[:, top + 1], -sign * ratio / sums[:, top + 1]
        first, second = np.triu_indices(columns)
        terms = np.where(first == second, 1, 2) * weights[:, first] * weights[:, second] * sums[:, columns:]
        variance = terms.sum(axis=1)
        # If all games are equal, the remainder is only a rounding error.
        return value, np.sqrt(np.where(variance <= _ROUNDING * np.abs(terms).sum(axis=1), 0.0, variance))


def _by_error(value: Floats, error: Floats) -> Floats:
    """Return the difference divided by its error. A deal in which an arm is empty counts as infinitely extreme."""
    with np.errstate(divide="ignore", invalid="ignore"):
        statistic = np.where(np.abs(value) <= _ROUNDING, 0.0, value / error)
    return np.where(np.isnan(statistic), np.inf, statistic)


def _deals(pairs: int, of_a: int, of_b: int, seed: Sequence[int]) -> npt.NDArray[np.float32]:
    """Return an array for each deal of a batch, with 1 for each unit that stays on its side. A pair stays with a
    probability of one half. The number of unpaired games that stay is such that the sizes of the arms do not change."""
    generator = np.random.default_rng(seed)
    stays = np.zeros((DEALS_AT_ONCE, pairs + of_a + of_b), dtype=np.float32)
    stays[:, :pairs] = generator.integers(0, 2, (DEALS_AT_ONCE, pairs))
    if of_a and of_b:
        order = generator.random((DEALS_AT_ONCE, of_a + of_b), dtype=np.float32)
        # 1 means that the game belongs to a.
        stays[:, pairs:] = order <= np.partition(order, of_a - 1, axis=1)[:, of_a - 1, None]
        # Equal random numbers at the boundary would mark too many games.
        for tied in np.flatnonzero(stays[:, pairs:].sum(axis=1) != of_a):
            stays[tied, pairs:] = 0.0
            stays[tied, pairs + np.argpartition(order[tied], of_a - 1)[:of_a]] = 1.0
        stays[:, pairs + of_a :] = 1 - stays[:, pairs + of_a :]
    return stays


def chances_of(family: Sequence[Arms]) -> tuple[list[float | None], list[float | None]]:
    """Return the p-values of the groups that can be tested, and the p-values corrected for their number. More deals are
    used if there are more tests, so that corrected p-values remain precise."""
    most = DEALS_AT_ONCE * max(1, -(-sum(arms.is_testable for arms in family) * _DEALS_PER_TEST // DEALS_AT_ONCE))
    chances = [arms.chance(most) if arms.is_testable else None for arms in family]
    return chances, corrected(chances)


def corrected(chances: Sequence[float | None]) -> list[float | None]:
    """Return the p-values corrected so that, with 95 % confidence, none of the corrected p-values below 5 % is a false
    positive (Holm 1979). The entry None stays None."""
    ranked = sorted((chance, place) for place, chance in enumerate(chances) if chance is not None)
    result: list[float | None] = [None] * len(chances)
    least = 0.0
    for rank, (chance, place) in enumerate(ranked):
        least = max(least, min(1.0, (len(ranked) - rank) * chance))
        result[place] = least
    return result
