"""Two arms of games, tested by randomisation. What one arm has more than the other of a ratio of sums is divided by its
standard error, and set beside what comes out where the arms are dealt anew: pairs of games that share seed and seating
change sides by the toss of a coin, the other games are shuffled between the arms, whose sizes stay. If the arms do not
matter, every such deal is as likely as the one that was seen, so the test is exact at any number of games (Fisher
1935); divided by its error it also holds, for many games, where the arms have the same mean and another spread (Janssen
1997; Chung and Romano 2013)."""

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
AT_ONCE: Final = 1000
"""Deals made at a time; the first so many give the interval."""
HITS: Final = 50
"""A test ends when so many deals lie as far out as what was seen (Besag and Clifford 1991)."""
_A_TEST: Final = 100
"""Deals for each test of a family, taken together."""
_DUST: Final = 1e-12


@dataclass(frozen=True)
class Arms:
    """A figure of one group in two arms. Rows are units: a pair of games, or a game with nothing on the other side.
    Columns are top and bottom of a ratio and, where another is subtracted, its top and bottom: the figure is the first
    ratio less the second."""

    a: Floats
    b: Floats
    pairs: int
    """So many units at the beginning are pairs."""

    @property
    def alone(self) -> tuple[int, int]:
        """How many units, behind the pairs, are games of a, and how many of b."""
        singles = slice(self.pairs, None)
        of_a = int(np.sum(np.any(self.a[singles, 1::2] > 0, axis=1)))
        return of_a, len(self.a) - self.pairs - of_a

    @cached_property
    def _centred(self) -> tuple[Floats, float]:
        """Both arms side by side, every top less what the ratio of all games gives and divided by a scale, and the
        scale: a difference stays as it is, and rounding errors stay small."""
        both = np.stack([self.a, self.b])
        tops, bottoms = both[:, :, 0::2], both[:, :, 1::2]
        off = tops - tops.sum(axis=(0, 1)) / bottoms.sum(axis=(0, 1)) * bottoms
        off[np.abs(off) <= _DUST * np.abs(tops).max()] = 0.0
        scale = float(np.max(np.abs(off).sum(axis=(0, 1)) / bottoms.sum(axis=(0, 1)))) or 1.0
        both[:, :, 0::2] = off / scale
        return np.concatenate([both[0], both[1]], axis=1), scale

    @cached_property
    def _moments(self) -> tuple[Floats, Floats]:
        """Sums and products of columns by unit: as the arms are, and with the sides of every unit changed."""
        columns = self._centred[0]
        return _moments(columns), _moments(np.roll(columns, columns.shape[1] // 2, axis=1))

    @cached_property
    def seen(self) -> tuple[float, float]:
        """The difference b − a and its standard error, for which a pair is one observation."""
        value, error = _errors(self._moments[0].sum(axis=0)[None], 2 * self.a.shape[1])
        return float(value[0]) * self._centred[1], float(error[0]) * self._centred[1]

    @property
    def games(self) -> tuple[int, int]:
        """How many games there are on each side."""
        of_a, of_b = (int(np.sum(np.any(side[:, 1::2] > 0, axis=1))) for side in (self.a, self.b))
        return of_a, of_b

    @property
    def is_testable(self) -> bool:
        """Whether there are enough games, any lies off the ratio of all, and the arms are not the same games twice."""
        return min(self.games) >= LEAST and bool(np.any(self._centred[0][:, 0::2])) and not self.same

    @property
    def same(self) -> bool:
        """Whether all games are paired and show the same on both sides."""
        return self.pairs == len(self.a) and np.array_equal(self.a, self.b)

    def _deal(self, start: int) -> Floats:
        """The difference in units of its error, the arms dealt anew so many times."""
        stay, change = self._moments
        # Drawn anew for other data, so that no one set of deals leans every comparison of this size to one side.
        data = crc32(self.a.tobytes() + self.b.tobytes())
        kept = _deals(self.pairs, *self.alone, [SEED, data, start])
        return _by_error(*_errors(kept @ (stay - change) + change.sum(axis=0), 2 * self.a.shape[1]))

    @cached_property
    def _first(self) -> Floats:
        return self._deal(0)

    def chance(self, most: int) -> float:
        """The p-value: how likely a difference of this size, in units of its error, is where the arms do not matter; by
        at most so many deals."""
        value, error = (np.asarray([one]) / self._centred[1] for one in self.seen)
        far = abs(float(_by_error(value, error)[0])) * (1 - 1e-9)
        hits = done = 0
        for start in range(0, most, AT_ONCE):
            drawn = self._deal(start) if start else self._first
            so_far = hits + np.cumsum(np.abs(drawn) >= far)
            if so_far[-1] >= HITS:
                return HITS / (done + int(np.searchsorted(so_far, HITS)) + 1)
            hits, done = int(so_far[-1]), done + len(drawn)
        return (hits + 1) / (done + 1)

    def interval(self, error: float | None = None) -> tuple[float, float] | None:
        """The 95 % interval of the difference: as far to both sides as 95 % of the deals lie, in units of the error,
        its own unless another is given. None where the games show no spread; of games that are the same in both arms it
        has no width."""
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
        """(2, units) How far each game of a and of b lies off the figure of its arm, to first order; 0 where a unit has
        none."""
        found = np.zeros((2, len(self.a)))
        for off, side, games in zip(found, (self.a, self.b), self.games, strict=True):
            for sign, top, bottom in zip((1, -1), side[:, 0::2].T, side[:, 1::2].T, strict=False):
                whole = bottom.sum()
                off += sign * (top - top.sum() / whole * bottom) * games / whole
        return found

    @property
    def kinds(self) -> tuple[slice, slice, slice]:
        """The units that are pairs, those that are games of a, and those of b."""
        of_a = self.pairs + self.alone[0]
        return slice(0, self.pairs), slice(self.pairs, of_a), slice(of_a, len(self.a))


def borrowed_errors(groups: Sequence[Arms]) -> list[float]:
    """The standard error of each group's difference, where the games of all groups, with the weight of `POOLED` of each
    kind, stand beside the group's own, each about its own group's figure. What hangs on a few rich games is so known to
    be uncertain also where a group has had none of them (see `ostrom.analysis.studentised`)."""
    of_kinds = [np.concatenate([one.off[:, one.kinds[kind]] for one in groups], axis=1) for kind in range(3)]
    found = []
    for one in groups:
        by_game = np.array([-1.0, 1.0]) / one.games
        variance = 0.0
        for kind, everybody in zip(one.kinds, of_kinds, strict=True):
            own, borrowed = (by_game @ off for off in (one.off[:, kind], everybody))
            if units := len(own):
                variance += float(own @ own + POOLED * np.mean(borrowed**2)) * units / (units + POOLED)
        found.append(variance**0.5)
    return found


def _moments(columns: Floats) -> Floats:
    """Every column, then the products of any two, by unit."""
    one, other = np.triu_indices(columns.shape[1])
    return np.concatenate([columns, columns[:, one] * columns[:, other]], axis=1)


def _errors(sums: Floats, columns: int) -> tuple[Floats, Floats]:
    """The difference and its standard error, that of the linearised ratios (Cochran 1977, ch. 6), from sums of moments,
    a row for each deal."""
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
        # What is left where all games agree is a rounding error.
        return value, np.sqrt(np.where(variance <= _DUST * np.abs(terms).sum(axis=1), 0.0, variance))


def _by_error(value: Floats, error: Floats) -> Floats:
    """The difference in units of its error. A deal that leaves an arm without anything tells nothing, and is taken to
    lie as far out as can be."""
    with np.errstate(divide="ignore", invalid="ignore"):
        found = np.where(np.abs(value) <= _DUST, 0.0, value / error)
    return np.where(np.isnan(found), np.inf, found)


def _deals(pairs: int, of_a: int, of_b: int, seed: Sequence[int]) -> npt.NDArray[np.float32]:
    """Which units stay on their side, in each of some deals: pairs by the toss of a coin, the other games such that the
    arms' sizes stay."""
    drawn = np.random.default_rng(seed)
    kept = np.zeros((AT_ONCE, pairs + of_a + of_b), dtype=np.float32)
    kept[:, :pairs] = drawn.integers(0, 2, (AT_ONCE, pairs))
    if of_a and of_b:
        order = drawn.random((AT_ONCE, of_a + of_b), dtype=np.float32)
        kept[:, pairs:] = order <= np.partition(order, of_a - 1, axis=1)[:, of_a - 1, None]  # 1 is a
        for tied in np.flatnonzero(kept[:, pairs:].sum(axis=1) != of_a):  # two equal numbers at the edge
            kept[tied, pairs:] = 0.0
            kept[tied, pairs + np.argpartition(order[tied], of_a - 1)[:of_a]] = 1.0
        kept[:, pairs + of_a :] = 1 - kept[:, pairs + of_a :]
    return kept


def chances_of(family: Sequence[Arms]) -> tuple[list[float | None], list[float | None]]:
    """The p-values of some groups, where they can be tested, and the same corrected for their number. Tests take the
    more deals the more they are: what is corrected for so many is still seen."""
    most = AT_ONCE * max(1, -(-sum(arms.is_testable for arms in family) * _A_TEST // AT_ONCE))
    chances = [arms.chance(most) if arms.is_testable else None for arms in family]
    return chances, corrected(chances)


def corrected(chances: Sequence[float | None]) -> list[float | None]:
    """The p-values of a family of tests, corrected so that with 95 % confidence none of those below 5 % is a mistake
    (Holm 1979); those that are missing stay so."""
    known = sorted((chance, place) for place, chance in enumerate(chances) if chance is not None)
    found: list[float | None] = [None] * len(chances)
    least = 0.0
    for rank, (chance, place) in enumerate(known):
        least = max(least, min(1.0, (len(known) - rank) * chance))
        found[place] = least
    return found
