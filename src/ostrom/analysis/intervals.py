"""Intervals over games. Games are the independent units: the seats and rounds of one game share its story, so whole
games are drawn again, with replacement, and every figure is computed anew from each draw.

A resample is a row of weights (how often each game was drawn), so all resamples of a ratio of sums are a few matrix
products. The draws are named ones of `ostrom.core.chance`, under a fixed seed: a report says the same every time it is
written. Intervals are at 95 %: of ratios by the studentised bootstrap of `ostrom.analysis.studentised`, of medians
between order statistics. Below a least number of the group's games there is none, and the reason says how many it
takes; docs/inference.md has the coverage that was measured."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise
from typing import Final

import numpy as np
import numpy.typing as npt
import polars as pl

from ostrom.analysis.studentised import Part, studentised
from ostrom.core.chance import key_of, uniform_rows
from ostrom.core.estimates import CONFIDENCE, median
from ostrom.core.text import number_of

Floats = npt.NDArray[np.float64]

RESAMPLES = 1000
SEED = 735
"""Of every bootstrap, unless a caller asks for other draws."""
LEAST: Final = 6
"""With fewer games a group has no interval."""
LEAST_IN_ALL: Final = 60
"""A figure that hangs on a few rich games has none where all players together have fewer: they hold too few of them."""
_DRAWS_AT_ONCE = 2**15
_TAILS = ((1 - CONFIDENCE) / 2, (1 + CONFIDENCE) / 2)


@lru_cache(maxsize=8)
def weights(games: int, seed: int = SEED, resamples: int = RESAMPLES) -> Floats:
    """How often each resample drew each game: an array (resamples, games) whose rows sum to the number of games."""
    drawn = np.empty((resamples, games))
    low, high = (np.uint64(word) for word in key_of(seed))
    at_once = max(1, _DRAWS_AT_ONCE // max(1, games))
    for first in range(0, resamples, at_once):
        rows = np.arange(first, min(first + at_once, resamples))
        resample, draw = np.repeat(rows.astype(np.uint64), games), np.tile(np.arange(games, dtype=np.uint64), len(rows))
        picked = (uniform_rows((low, high), resample, "bootstrap", draw, 0) * games).astype(np.int64)
        places = np.repeat(np.arange(len(rows)), games) * games + picked
        drawn[rows] = np.bincount(places, minlength=len(rows) * games).reshape(len(rows), games)
    drawn.flags.writeable = False
    return drawn


def percentiles(draws: Floats) -> tuple[Floats, Floats]:
    """The 95 % interval of each column of draws (resamples, groups); resamples without a value are passed over."""
    ranked = np.sort(np.where(np.isfinite(draws), draws, np.nan), axis=0)  # puts what is not a number last
    valid = np.maximum(np.sum(~np.isnan(ranked), axis=0), 1)
    columns = np.arange(ranked.shape[1])
    ends = []
    for tail in _TAILS:
        place = tail * (valid - 1)
        below = place.astype(np.int64)
        above = np.minimum(below + 1, valid - 1)
        part = place - below
        ends.append(ranked[below, columns] * (1 - part) + ranked[above, columns] * part)
    return ends[0], ends[1]


def jackknife_reach(without: Floats) -> Floats:
    """How far the 95 % interval of each figure reaches either way, from the figures (units, figures) without each unit
    in turn: t of the jackknife's error (Efron and Tibshirani 1993, ch. 11)."""
    from scipy.special import stdtrit

    units = len(without)
    error = np.sqrt((units - 1) / units * np.sum((without - without.mean(axis=0)) ** 2, axis=0))
    return np.asarray(float(stdtrit(units - 1, _TAILS[1])) * error)


@dataclass(frozen=True, slots=True)
class Resampled:
    """A figure for each group, with all that its uncertainty is made of."""

    keys: pl.DataFrame
    """The groups, a row each."""
    value: Floats
    draws: Floats
    """The figure again from each resample: (resamples, groups)."""
    games: npt.NDArray[np.int64]
    """How many games each group has a part in."""
    influence: Floats
    """What each game adds to the figure's error, to first order: (games, groups)."""
    low: Floats
    """The ends of the 95 % interval; not a number where there is none."""
    high: Floats
    reasons: tuple[str | None, ...]
    """Why there is none."""

    @property
    def error(self) -> Floats:
        """The standard error clustered by game: of the linearised ratio (Cochran 1977, ch. 6), as in
        `ostrom.core.estimates.clustered_mean`."""
        with np.errstate(divide="ignore", invalid="ignore"):
            correction = np.where(self.games > 1, self.games / (self.games - 1), np.nan)
        return np.asarray(np.sqrt(np.sum(self.influence**2, axis=0) * correction))

    def at(self, keys: pl.DataFrame) -> "Resampled":
        """The same for some of the groups, in their order."""
        places = _places(keys, self.keys)
        return Resampled(
            keys,
            self.value[places],
            self.draws[:, places],
            self.games[places],
            self.influence[:, places],
            self.low[places],
            self.high[places],
            tuple(self.reasons[place] for place in places),
        )

    def frame(self) -> pl.DataFrame:
        """The groups with value, low, high, n (games), error and, where there is no interval, the reason; in the order
        of the groups' names."""
        made = self.keys.with_columns(
            pl.Series("value", self.value),
            pl.Series("low", self.low),
            pl.Series("high", self.high),
            pl.Series("n", self.games),
            pl.Series("error", self.error),
            pl.Series("reason", self.reasons, dtype=pl.String),
        )
        return made.with_columns(pl.col("value", "low", "high", "error").fill_nan(None))


@dataclass(frozen=True, slots=True)
class Ratio:
    """A ratio of sums by group, Σ top / Σ bottom: a share, or a mean where every bottom is 1."""

    rows: pl.DataFrame
    """Columns game, the groups' own, top and bottom; any number of rows a game."""
    by: tuple[str, ...]
    games: Sequence[str]
    """All games that are resampled, whether a group has a part in them or not."""
    share: bool = False
    """A part of one: it is never below 0 or above 1."""
    tailed: bool = False
    """It hangs on a few rich games."""
    own_error: bool = False
    """Its error is at least that of the group's own games, however quiet the others' are."""
    limits: tuple[float, float] = (-np.inf, np.inf)
    """Between which it lies, where it is no share."""

    @property
    def bounds(self) -> tuple[float, float]:
        """Between which it lies."""
        return (0.0, 1.0) if self.share else self.limits

    def sums(self) -> tuple[pl.DataFrame, Part]:
        """Every group that has anything at the bottom, and its top and bottom by game."""
        rows = self.rows.drop_nulls(["top", "bottom"])
        keys = rows.filter(pl.col("bottom") > 0).select(self.by).unique().sort(self.by)
        return keys, self._sums(rows, keys)

    def parts(self) -> tuple[pl.DataFrame, list[Part]]:
        """The groups, and what they are made of."""
        keys, part = self.sums()
        return keys, [part]

    def resampled(self, *, seed: int = SEED) -> Resampled:
        """The ratio of every group that has anything at the bottom."""
        return _resampled(self, seed)

    def estimates(self) -> pl.DataFrame:
        """The groups with value, low, high, n, error and reason."""
        return self.resampled().frame()

    def _sums(self, rows: pl.DataFrame, keys: pl.DataFrame) -> Part:
        """Top and bottom summed into arrays (games, groups), zero where a group has no part in a game."""
        placed = _placed(rows, keys, self.by, self.games)
        # In the rows' own order, so that the sums are the same to the last bit on any number of threads.
        where = placed["game_number"].to_numpy().astype(np.int64) * keys.height + placed["group"].to_numpy()
        shape = len(self.games), keys.height
        top, bottom = (
            np.bincount(where, placed[name].cast(pl.Float64).to_numpy(), minlength=shape[0] * shape[1]).reshape(shape)
            for name in ("top", "bottom")
        )
        return np.asarray(top, dtype=np.float64), np.asarray(bottom, dtype=np.float64)


@dataclass(frozen=True, slots=True)
class Difference:
    """One ratio less another, for the groups that have both, from the same games."""

    first: Ratio
    second: Ratio
    tailed: bool = False
    """It hangs on a few rich games."""
    own_error: bool = False
    """Its error is at least that of the group's own games, however quiet the others' are."""

    @property
    def bounds(self) -> tuple[float, float]:
        """Between which it lies."""
        (low, high), (other_low, other_high) = self.first.bounds, self.second.bounds
        return low - other_high, high - other_low

    def parts(self) -> tuple[pl.DataFrame, list[Part]]:
        """Every group that has both, and top and bottom of each by game."""
        (one, first), (other, second) = self.first.sums(), self.second.sums()
        keys = one.join(other, on=list(self.first.by), how="semi", maintain_order="left")
        places = ((_places(keys, one), first), (_places(keys, other), second))
        return keys, [(top[:, at], bottom[:, at]) for at, (top, bottom) in places]

    def resampled(self, *, seed: int = SEED) -> Resampled:
        """The difference of every group."""
        return _resampled(self, seed)

    def estimates(self) -> pl.DataFrame:
        """The groups with value, low, high, n, error and reason."""
        return self.resampled().frame()


def pools_of(keys: pl.DataFrame) -> npt.NDArray[np.int64]:
    """Which groups know of each other's games: players, where all else that names a group is the same."""
    others = [name for name in keys.columns if name != "player"]
    if not others or not keys.height:
        return np.zeros(keys.height, dtype=np.int64)
    return keys.select(pl.struct(others).rank("dense").cast(pl.Int64)).to_series().to_numpy()


def _resampled(figure: Ratio | Difference, seed: int) -> Resampled:
    keys, parts = figure.parts()
    drawn = weights(len(parts[0][0]), seed)
    found = studentised(parts, pools_of(keys), drawn, seed, figure.bounds, own_error=figure.own_error)
    influence = np.zeros((drawn.shape[1], keys.height))
    games = np.zeros(keys.height, dtype=np.int64)
    for sign, (top, bottom) in zip((1, -1), parts, strict=False):
        whole = bottom.sum(axis=0)
        influence += sign * (top - top.sum(axis=0) / whole * bottom) / whole
        games = np.maximum(games, np.sum(bottom > 0, axis=0))
    reasons = [
        refusal(int(own), int(all_), tailed=figure.tailed) or (None if np.isfinite(low) else ALIKE)
        for own, all_, low in zip(games, found.games_in_all, found.low, strict=True)
    ]
    low, high = (np.where([one is None for one in reasons], end, np.nan) for end in (found.low, found.high))
    return Resampled(keys, found.value, found.again, games, influence, low, high, tuple(reasons))


ALIKE: Final = "all games agree: there is no spread to make an interval of"


def refusal(games: int, in_all: int, *, tailed: bool) -> str | None:
    """Why so many games of a group, of so many of all players, have no interval; nothing where they have one."""
    if games < LEAST:
        return f"{number_of(games, 'game')}: an interval takes at least {LEAST}"
    if tailed and in_all < LEAST_IN_ALL:
        return f"{number_of(in_all, 'game')} in all: an interval of this figure takes at least {LEAST_IN_ALL}"
    return None


def medians(rows: pl.DataFrame, by: tuple[str, ...], games: Sequence[str]) -> pl.DataFrame:
    """The median of `value` in every group, with value, low, high, n and reason: between the order statistics that hold
    it by the binomial law of as many draws as the group has games."""
    keys = rows.select(by).unique().sort(by)
    placed = _placed(rows, keys, by, games).sort("group", "value").with_columns(pl.col("value").cast(pl.Float64))
    values, numbers = placed["value"].to_numpy(), placed["game_number"].to_numpy()
    ends = np.append(placed["group"].to_numpy().searchsorted(np.arange(keys.height)), placed.height)
    made = []
    for first, last in pairwise(ends):
        counts = len(np.unique(numbers[first:last]))
        found = median(values[first:last], counts)
        made.append((found.value, found.low, found.high, counts, refusal(counts, counts, tailed=False)))
    columns = {**dict.fromkeys(("value", "low", "high"), pl.Float64), "n": pl.Int64, "reason": pl.String}
    return keys.hstack(pl.DataFrame(made, schema=columns, orient="row"))


def _places(keys: pl.DataFrame, among: pl.DataFrame) -> npt.NDArray[np.int64]:
    """Where groups stand among others."""
    numbered = among.with_row_index("place")
    return keys.join(numbered, on=keys.columns, how="left", maintain_order="left")["place"].to_numpy()


def _placed(rows: pl.DataFrame, keys: pl.DataFrame, by: tuple[str, ...], games: Sequence[str]) -> pl.DataFrame:
    """The rows with the numbers of their game and of their group, in the order in which they stand."""
    numbered = pl.DataFrame({"game": pl.Series(games, dtype=pl.String)}).with_row_index("game_number")
    return rows.join(numbered, on="game", maintain_order="left").join(
        keys.with_row_index("group"), on=list(by), maintain_order="left"
    )


# Experiments that may stop at any of several looks.


FIRST: Final = 40
"""Games at the first look, at least."""
STEP: Final = 1.4
MOST_LOOKS: Final = 8
_DRAWS: Final = 200_000
_SEED: Final = 735


def looks_at(games: int, first: int = FIRST) -> tuple[int, ...]:
    """After how many games there is a look, of at most so many."""
    found = [games]
    while len(found) < MOST_LOOKS and (before := round(found[-1] / STEP)) >= first:
        found.append(before)
    return tuple(reversed(found))


@lru_cache
def stretch(looks: tuple[int, ...]) -> float:
    """By what factor an interval is longer on both sides, so that it holds at all looks together."""
    from scipy.special import ndtri

    steps = np.sqrt(np.diff(np.asarray((0, *looks), dtype=np.float64)))
    walk = np.cumsum(np.random.default_rng(_SEED).standard_normal((_DRAWS, len(looks))) * steps, axis=1)
    greatest = np.abs(walk / np.sqrt(looks)).max(axis=1)
    return float(np.quantile(greatest, CONFIDENCE) / ndtri((1 + CONFIDENCE) / 2))


def confidences(looks: tuple[int, ...]) -> tuple[float, ...]:
    """With which confidence verdicts are given at each look: what they may be wrong sums to 5 %."""
    shares = [0.0, *((look / looks[-1]) ** 2 for look in looks)]
    return tuple(1 - (1 - CONFIDENCE) * (now - before) for before, now in pairwise(shares))
