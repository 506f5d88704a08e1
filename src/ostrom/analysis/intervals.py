"""Intervals over games. Games are the independent units: the seats and rounds of one game depend on each other, so
whole games are resampled with replacement, and every figure is computed anew from each resample.

A resample is a row of weights, the number of times each game was drawn, so all resamples of a ratio of sums are a few
matrix products. The draws are named ones of `ostrom.core.chance`, under a fixed seed, so that a report is the same
every time it is written. Intervals are at 95 %: of ratios by the studentised bootstrap of
`ostrom.analysis.studentised`, of medians between order statistics. A group with too few games has no interval, and the
reason gives the number needed; docs/inference.md has the measured coverage."""

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
"""The seed of every bootstrap, unless a caller passes another."""
LEAST: Final = 6
"""A group with fewer games has no interval."""
LEAST_IN_ALL: Final = 60
"""The fewest games of all players for an interval of a tailed figure, which depends on a few games with high values."""
_MAX_DRAWS = 2**15
_TAILS = ((1 - CONFIDENCE) / 2, (1 + CONFIDENCE) / 2)


@lru_cache(maxsize=8)
def weights(games: int, seed: int = SEED, resamples: int = RESAMPLES) -> Floats:
    """Return how often each resample drew each game, (resamples, games); rows sum to the number of games."""
    counts = np.empty((resamples, games))
    low, high = (np.uint64(word) for word in key_of(seed))
    at_once = max(1, _MAX_DRAWS // max(1, games))
    for first in range(0, resamples, at_once):
        rows = np.arange(first, min(first + at_once, resamples))
        resample, draw = np.repeat(rows.astype(np.uint64), games), np.tile(np.arange(games, dtype=np.uint64), len(rows))
        positions = (uniform_rows((low, high), resample, "bootstrap", draw, 0) * games).astype(np.int64)
        places = np.repeat(np.arange(len(rows)), games) * games + positions
        counts[rows] = np.bincount(places, minlength=len(rows) * games).reshape(len(rows), games)
    counts.flags.writeable = False
    return counts


def percentiles(draws: Floats) -> tuple[Floats, Floats]:
    """Return the 95 % interval of each column of draws (resamples, groups), without the resamples that have no
    value."""
    ranked = np.sort(np.where(np.isfinite(draws), draws, np.nan), axis=0)  # sorts NaN last
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
    """Return half the length of each figure's 95 % interval, from the figures without each unit in turn, (units,
    figures): t times the jackknife's error (Efron and Tibshirani 1993, ch. 11)."""
    from scipy.special import stdtrit

    units = len(without)
    error = np.sqrt((units - 1) / units * np.sum((without - without.mean(axis=0)) ** 2, axis=0))
    return np.asarray(float(stdtrit(units - 1, _TAILS[1])) * error)


@dataclass(frozen=True, slots=True)
class Resampled:
    """A figure for each group, with its resamples and its interval."""

    keys: pl.DataFrame
    """The groups, a row each."""
    value: Floats
    draws: Floats
    """The figure in each resample: (resamples, groups)."""
    games: npt.NDArray[np.int64]
    influence: Floats
    """Each game's influence on the figure, to first order: (games, groups)."""
    low: Floats
    """The ends of the 95 % interval; not a number where there is none."""
    high: Floats
    reasons: tuple[str | None, ...]

    @property
    def error(self) -> Floats:
        """The standard error clustered by game, of the linearised ratio (Cochran 1977, ch. 6), as in
        `ostrom.core.estimates.clustered_mean`."""
        with np.errstate(divide="ignore", invalid="ignore"):
            correction = np.where(self.games > 1, self.games / (self.games - 1), np.nan)
        return np.asarray(np.sqrt(np.sum(self.influence**2, axis=0) * correction))

    def at(self, keys: pl.DataFrame) -> "Resampled":
        """Return the figures of these groups, in this order."""
        places = positions(keys, self.keys)
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
        """Return the groups, sorted by name, with value, low, high, n (games), error and, where there is no interval,
        the reason."""
        frame = self.keys.with_columns(
            pl.Series("value", self.value),
            pl.Series("low", self.low),
            pl.Series("high", self.high),
            pl.Series("n", self.games),
            pl.Series("error", self.error),
            pl.Series("reason", self.reasons, dtype=pl.String),
        )
        return frame.with_columns(pl.col("value", "low", "high", "error").fill_nan(None))


@dataclass(frozen=True, slots=True)
class Ratio:
    """A ratio of sums by group, Σ top / Σ bottom: a share, or a mean where every bottom is 1."""

    rows: pl.DataFrame
    """Columns game, the groups' own, top and bottom; any number of rows a game."""
    by: tuple[str, ...]
    games: Sequence[str]
    """All games that are resampled, also those without a row of a group."""
    share: bool = False
    """A part of one: it is never below 0 or above 1."""
    tailed: bool = False
    """True if it depends on a few games with high values."""
    own_error: bool = False
    """True if its error is at least that of the group's own games, even if the pooled error is smaller."""
    limits: tuple[float, float] = (-np.inf, np.inf)
    """The bounds of a figure that is not a share."""

    @property
    def bounds(self) -> tuple[float, float]:
        return (0.0, 1.0) if self.share else self.limits

    def sums(self) -> tuple[pl.DataFrame, Part]:
        """Return every group with a positive bottom, and its top and bottom by game."""
        rows = self.rows.drop_nulls(["top", "bottom"])
        keys = rows.filter(pl.col("bottom") > 0).select(self.by).unique().sort(self.by)
        return keys, self._sums(rows, keys)

    def parts(self) -> tuple[pl.DataFrame, list[Part]]:
        """Return the groups, and their tops and bottoms."""
        keys, part = self.sums()
        return keys, [part]

    def resampled(self, *, seed: int = SEED) -> Resampled:
        """Return the ratio of every group with a positive bottom."""
        return _resampled(self, seed)

    def estimates(self) -> pl.DataFrame:
        """Return the groups with value, low, high, n, error and reason."""
        return self.resampled().frame()

    def _sums(self, rows: pl.DataFrame, keys: pl.DataFrame) -> Part:
        """Return top and bottom summed into arrays (games, groups), zero where a group does not occur in a game."""
        numbered = _numbered_rows(rows, keys, self.by, self.games)
        # The sums follow the order of the rows, so that they are equal to the last bit on any number of threads.
        position = numbered["game_number"].to_numpy().astype(np.int64) * keys.height + numbered["group"].to_numpy()
        shape = len(self.games), keys.height
        columns = (numbered[name].cast(pl.Float64).to_numpy() for name in ("top", "bottom"))
        top, bottom = (np.bincount(position, column, minlength=shape[0] * shape[1]) for column in columns)
        return np.asarray(top.reshape(shape), dtype=np.float64), np.asarray(bottom.reshape(shape), dtype=np.float64)


@dataclass(frozen=True, slots=True)
class Difference:
    """One ratio less another, for the groups that have both, from the same games."""

    first: Ratio
    second: Ratio
    tailed: bool = False
    """True if it depends on a few games with high values."""
    own_error: bool = False
    """True if its error is at least that of the group's own games, even if the pooled error is smaller."""

    @property
    def bounds(self) -> tuple[float, float]:
        (low, high), (other_low, other_high) = self.first.bounds, self.second.bounds
        return low - other_high, high - other_low

    def parts(self) -> tuple[pl.DataFrame, list[Part]]:
        """Return every group that has both ratios, and top and bottom of each by game."""
        first_keys, first = self.first.sums()
        second_keys, second = self.second.sums()
        keys = first_keys.join(second_keys, on=list(self.first.by), how="semi", maintain_order="left")
        places = ((positions(keys, first_keys), first), (positions(keys, second_keys), second))
        return keys, [(top[:, at], bottom[:, at]) for at, (top, bottom) in places]

    def resampled(self, *, seed: int = SEED) -> Resampled:
        """Return the difference of every group."""
        return _resampled(self, seed)

    def estimates(self) -> pl.DataFrame:
        """Return the groups with value, low, high, n, error and reason."""
        return self.resampled().frame()


def pools_of(keys: pl.DataFrame) -> npt.NDArray[np.int64]:
    """Return the pool of each group, whose games it borrows: players, where all other columns of the group agree."""
    others = [name for name in keys.columns if name != "player"]
    if not others or not keys.height:
        return np.zeros(keys.height, dtype=np.int64)
    return keys.select(pl.struct(others).rank("dense").cast(pl.Int64)).to_series().to_numpy()


def _resampled(figure: Ratio | Difference, seed: int) -> Resampled:
    keys, parts = figure.parts()
    resample_weights = weights(len(parts[0][0]), seed)
    fit = studentised(parts, pools_of(keys), resample_weights, seed, figure.bounds, own_error=figure.own_error)
    influence = np.zeros((resample_weights.shape[1], keys.height))
    games = np.zeros(keys.height, dtype=np.int64)
    for sign, (top, bottom) in zip((1, -1), parts, strict=False):
        whole = bottom.sum(axis=0)
        influence += sign * (top - top.sum(axis=0) / whole * bottom) / whole
        games = np.maximum(games, np.sum(bottom > 0, axis=0))
    reasons = [
        refusal(int(own), int(all_), tailed=figure.tailed) or (None if np.isfinite(low) else ALIKE)
        for own, all_, low in zip(games, fit.games_in_all, fit.low, strict=True)
    ]
    low, high = (np.where([reason is None for reason in reasons], end, np.nan) for end in (fit.low, fit.high))
    return Resampled(keys, fit.value, fit.again, games, influence, low, high, tuple(reasons))


ALIKE: Final = "all games agree: there is no spread to make an interval of"


def refusal(games: int, in_all: int, *, tailed: bool) -> str | None:
    """Return why this number of games of a group, and of all players, allows no interval; None where it does."""
    if games < LEAST:
        return f"{number_of(games, 'game')}: an interval takes at least {LEAST}"
    if tailed and in_all < LEAST_IN_ALL:
        return f"{number_of(in_all, 'game')} in all: an interval of this figure takes at least {LEAST_IN_ALL}"
    return None


def medians(rows: pl.DataFrame, by: tuple[str, ...], games: Sequence[str]) -> pl.DataFrame:
    """Return the median of `value` in every group, with value, low, high, n and reason. The interval lies between order
    statistics, by the binomial law of as many draws as the group has games."""
    keys = rows.select(by).unique().sort(by)
    numbered = (
        _numbered_rows(rows, keys, by, games).sort("group", "value").with_columns(pl.col("value").cast(pl.Float64))
    )
    values, numbers = numbered["value"].to_numpy(), numbered["game_number"].to_numpy()
    ends = np.append(numbered["group"].to_numpy().searchsorted(np.arange(keys.height)), numbered.height)
    rows_of_groups = []
    for first, last in pairwise(ends):
        count = len(np.unique(numbers[first:last]))
        estimate = median(values[first:last], count)
        reason = refusal(count, count, tailed=False)
        rows_of_groups.append((estimate.value, estimate.low, estimate.high, count, reason))
    columns = {**dict.fromkeys(("value", "low", "high"), pl.Float64), "n": pl.Int64, "reason": pl.String}
    return keys.hstack(pl.DataFrame(rows_of_groups, schema=columns, orient="row"))


def positions(keys: pl.DataFrame, among: pl.DataFrame) -> npt.NDArray[np.int64]:
    """Return the row numbers of groups in another table of groups."""
    numbered = among.with_row_index("place")
    return keys.join(numbered, on=keys.columns, how="left", maintain_order="left")["place"].to_numpy()


def _numbered_rows(rows: pl.DataFrame, keys: pl.DataFrame, by: tuple[str, ...], games: Sequence[str]) -> pl.DataFrame:
    """Return the rows, in their order, with the numbers of their game and of their group."""
    numbered = pl.DataFrame({"game": pl.Series(games, dtype=pl.String)}).with_row_index("game_number")
    return rows.join(numbered, on="game", maintain_order="left").join(
        keys.with_row_index("group"), on=list(by), maintain_order="left"
    )


# Experiments that may stop at any of several looks.
#
# An experiment is tested at a few fixed numbers of finished games, its looks, each about 1.4 times the one before, and
# stops at the first look at which its rule holds. An interval with 95 % coverage at one fixed look covers less at a
# look that is chosen by the result. Intervals are therefore longer, by the factor with which they cover at all looks
# simultaneously with 95 % confidence (Pocock, "Group sequential methods in the design and analysis of
# clinical trials", Biometrika 64, 1977): errors over growing numbers of games follow a random walk, which gives the
# factor. Verdicts about all pairs of players may spend a part of the 5 % at each look, little at first (Lan and DeMets,
# "Discrete sequential boundaries for clinical trials", Biometrika 70, 1983): the parts sum to 5 %, which bounds the
# chance of a wrong verdict at any look.

FIRST_LOOK: Final = 40
LOOK_RATIO: Final = 1.4
MAX_LOOKS: Final = 8
_WALKS: Final = 200_000
_WALK_SEED: Final = 735


def looks_at(games: int, first: int = FIRST_LOOK) -> tuple[int, ...]:
    """Return the numbers of games after which there is a look, up to `games`."""
    looks = [games]
    while len(looks) < MAX_LOOKS and (before := round(looks[-1] / LOOK_RATIO)) >= first:
        looks.append(before)
    return tuple(reversed(looks))


@lru_cache
def stretch(looks: tuple[int, ...]) -> float:
    """Return the factor by which intervals are longer, so that they hold at all looks together."""
    from scipy.special import ndtri

    steps = np.sqrt(np.diff(np.asarray((0, *looks), dtype=np.float64)))
    walk = np.cumsum(np.random.default_rng(_WALK_SEED).standard_normal((_WALKS, len(looks))) * steps, axis=1)
    greatest = np.abs(walk / np.sqrt(looks)).max(axis=1)
    return float(np.quantile(greatest, CONFIDENCE) / ndtri((1 + CONFIDENCE) / 2))


def confidences(looks: tuple[int, ...]) -> tuple[float, ...]:
    """Return the confidence of the verdicts at each look; their error rates sum to 5 %."""
    shares = [0.0, *((look / looks[-1]) ** 2 for look in looks)]
    return tuple(1 - (1 - CONFIDENCE) * (now - before) for before, now in pairwise(shares))
