"""Intervals by resampling games. Games are the independent units: the seats and rounds of one game share its story, so
whole games are drawn again, with replacement, and every figure is computed anew from each draw.

A resample is a row of weights (how often each game was drawn), so all resamples of a ratio of sums are two matrix
products. The draws are named ones of `ostrom.core.chance`, under a fixed seed: a report says the same every time it is
written. Intervals are percentile intervals at 95 %; with few games (say under 20) they are too narrow, with one game
there is none. A draw that leaves a ratio nothing to divide by has no part in its interval. Where all games of a player
agree, the interval has no width: it then says nothing about what is rare."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
import numpy.typing as npt
import polars as pl

from ostrom.core.chance import key_of, uniform_rows
from ostrom.core.estimates import CONFIDENCE

Floats = npt.NDArray[np.float64]

RESAMPLES = 1000
SEED = 735
"""Of every bootstrap, unless a caller asks for other draws."""
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

    @property
    def error(self) -> Floats:
        """The standard error clustered by game: of the linearised ratio (Cochran 1977, ch. 6), as in
        `ostrom.core.estimates.clustered_mean`."""
        with np.errstate(divide="ignore", invalid="ignore"):
            correction = np.where(self.games > 1, self.games / (self.games - 1), np.nan)
        return np.asarray(np.sqrt(np.sum(self.influence**2, axis=0) * correction))

    def at(self, keys: pl.DataFrame) -> "Resampled":
        """The same for some of the groups, in their order."""
        numbered = self.keys.with_row_index("place")
        places = keys.join(numbered, on=keys.columns, how="left", maintain_order="left")["place"].to_numpy()
        return Resampled(keys, self.value[places], self.draws[:, places], self.games[places], self.influence[:, places])

    def frame(self) -> pl.DataFrame:
        """The groups with value, low, high, n (games) and error, in the order of the groups' names; a figure of one
        game has no interval."""
        low, high = percentiles(self.draws)
        alone = self.games < 2
        estimates = self.keys.with_columns(
            pl.Series("value", self.value),
            pl.Series("low", np.where(alone, np.nan, low)),
            pl.Series("high", np.where(alone, np.nan, high)),
            pl.Series("n", self.games),
            pl.Series("error", self.error),
        )
        return estimates.with_columns(pl.col("value", "low", "high", "error").fill_nan(None))


@dataclass(frozen=True, slots=True)
class Ratio:
    """A ratio of sums by group, Σ top / Σ bottom: a share, or a mean where every bottom is 1."""

    rows: pl.DataFrame
    """Columns game, the groups' own, top and bottom; any number of rows a game."""
    by: tuple[str, ...]
    games: Sequence[str]
    """All games that are resampled, whether a group has a part in them or not."""

    def sums(self) -> tuple[pl.DataFrame, tuple[Floats, Floats]]:
        """Every group that has anything at the bottom, and its top and bottom by game."""
        rows = self.rows.drop_nulls(["top", "bottom"])
        keys = rows.filter(pl.col("bottom") > 0).select(self.by).unique().sort(self.by)
        return keys, self._sums(rows, keys)

    def resampled(self, *, seed: int = SEED) -> Resampled:
        """The ratio of every group that has anything at the bottom."""
        keys, (top, bottom) = self.sums()
        drawn = weights(len(self.games), seed)
        whole = bottom.sum(axis=0)
        above, below = drawn @ top, drawn @ bottom
        value = top.sum(axis=0) / whole
        # A draw with nothing at the bottom has no ratio, even where there is something at the top.
        draws = np.divide(above, below, out=np.full_like(above, np.nan), where=below > 0)
        influence = (top - value * bottom) / whole
        return Resampled(keys, value, draws, np.sum(bottom > 0, axis=0), influence)

    def estimates(self) -> pl.DataFrame:
        """The groups with value, low, high, n and error."""
        return self.resampled().frame()

    def _sums(self, rows: pl.DataFrame, keys: pl.DataFrame) -> tuple[Floats, Floats]:
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

    def resampled(self, *, seed: int = SEED) -> Resampled:
        """The difference of every group."""
        first, second = self.first.resampled(seed=seed), self.second.resampled(seed=seed)
        common = first.keys.join(second.keys, on=list(self.first.by), how="semi", maintain_order="left")
        one, other = first.at(common), second.at(common)
        return Resampled(
            common,
            one.value - other.value,
            one.draws - other.draws,
            np.maximum(one.games, other.games),
            one.influence - other.influence,
        )

    def estimates(self) -> pl.DataFrame:
        """The groups with value, low, high, n and error."""
        return self.resampled().frame()


def medians(rows: pl.DataFrame, by: tuple[str, ...], games: Sequence[str]) -> pl.DataFrame:
    """The median of `value` in every group, with value, low, high and n: each resample's median is that of the values
    of its games, counted as often as the game was drawn."""
    keys = rows.select(by).unique().sort(by)
    placed = _placed(rows, keys, by, games).sort("group", "value").with_columns(pl.col("value").cast(pl.Float64))
    drawn = np.ascontiguousarray(weights(len(games)).T.astype(np.int32))
    values, numbers = placed["value"].to_numpy(), placed["game_number"].to_numpy()
    ends = np.append(placed["group"].to_numpy().searchsorted(np.arange(keys.height)), placed.height)
    middle, counts = np.empty(keys.height), np.empty(keys.height, dtype=np.int64)
    draws = np.empty((drawn.shape[1], keys.height))
    for group in range(keys.height):
        part = slice(ends[group], ends[group + 1])
        middle[group] = np.median(values[part])
        counts[group] = len(np.unique(numbers[part]))
        draws[:, group] = _weighted_medians(values[part], drawn[numbers[part]])
    none = np.zeros((1, keys.height))
    return Resampled(keys, middle, draws, counts, none).frame().drop("error")


def _weighted_medians(ranked: Floats, repeats: npt.NDArray[np.int32]) -> Floats:
    """The medians of ranked values that are repeated as each column of `repeats` says."""
    so_far = np.cumsum(repeats, axis=0)
    total = so_far[-1]
    lower = np.minimum(np.sum(so_far < (total + 1) // 2, axis=0), len(ranked) - 1)
    upper = np.minimum(np.sum(so_far < total // 2 + 1, axis=0), len(ranked) - 1)
    return np.where(total > 0, (ranked[lower] + ranked[upper]) / 2, np.nan)


def _placed(rows: pl.DataFrame, keys: pl.DataFrame, by: tuple[str, ...], games: Sequence[str]) -> pl.DataFrame:
    """The rows with the numbers of their game and of their group, in the order in which they stand."""
    numbered = pl.DataFrame({"game": pl.Series(games, dtype=pl.String)}).with_row_index("game_number")
    return rows.join(numbered, on="game", maintain_order="left").join(
        keys.with_row_index("group"), on=list(by), maintain_order="left"
    )
