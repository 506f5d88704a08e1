"""Intervals over games. Games are the independent units, since the seats and rounds of one game depend on each other.
Whole games are therefore resampled with replacement, and every figure is computed anew from each resample.

A resample is a row of weights: the number of times that each game was drawn. So all resamples of a ratio of sums need
only a few matrix products. Random numbers come from `ostrom.core.chance` under a fixed seed, so that a report is the
same every time it is written. Intervals have a confidence of 95 %. Intervals of ratios come from the studentised
bootstrap of `ostrom.analysis.studentised`. Intervals of medians are between order statistics. A group with too few
games has no interval. The reason that is given instead names the number of games needed. docs/inference.md has the
measured coverage.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
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
"""The smallest number of games for which a group has an interval."""
LEAST_UNITS: Final = 3
"""The smallest number of independent units for which a group has an interval, if games depend on each other. The games
of other groups then help to estimate the spread."""
LEAST_IN_ALL: Final = 60
"""The smallest number of games of all players together with which a `tailed` figure has an interval. Such a figure
depends on a few games with high values."""
_MAX_DRAWS = 2**15
_TAILS = ((1 - CONFIDENCE) / 2, (1 + CONFIDENCE) / 2)


@lru_cache(maxsize=8)
def weights(games: int, seed: int = SEED, resamples: int = RESAMPLES) -> Floats:
    """Return the number of times that each resample drew each game, (resamples, games). The sum of each row is the
    number of games."""
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
    """Return the 95 % interval of each column of draws (resamples, groups), ignoring resamples without a value."""
    ranked = np.sort(np.where(np.isfinite(draws), draws, np.nan), axis=0)  # NaN is sorted last.
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
    """Return half the length of each figure's 95 % interval: the t quantile times the jackknife's error (Efron and
    Tibshirani 1993, ch. 11). `without` (units, figures) has the figures when each unit is left out in turn."""
    from scipy.special import stdtrit

    units = len(without)
    error = np.sqrt((units - 1) / units * np.sum((without - without.mean(axis=0)) ** 2, axis=0))
    return np.asarray(float(stdtrit(units - 1, _TAILS[1])) * error)


@dataclass(frozen=True, slots=True)
class Resampled:
    """A figure for each group, with its resamples and its interval."""

    keys: pl.DataFrame
    """The groups, one per row."""
    value: Floats
    draws: Floats
    """The figure in each resample: (resamples, groups)."""
    games: npt.NDArray[np.int64]
    influence: Floats
    """The influence of each game on the figure, to first order: (games, groups)."""
    low: Floats
    """`low` and `high` are the ends of the 95 % interval; NaN if there is none."""
    high: Floats
    reasons: tuple[str | None, ...]
    borrowed: npt.NDArray[np.bool_]
    """For each group, true if all games of the group are equal. Its interval then has a width only because of the games
    of other groups."""

    @property
    def error(self) -> Floats:
        """The standard error of the linearised ratio, clustered by game (Cochran 1977, ch. 6), as in
        `ostrom.core.estimates.clustered_mean`."""
        with np.errstate(divide="ignore", invalid="ignore"):
            correction = np.where(self.games > 1, self.games / (self.games - 1), np.nan)
        return np.asarray(np.sqrt(np.sum(self.influence**2, axis=0) * correction))

    @property
    def squared_error(self) -> Floats:
        """The squared error over units."""
        units = np.count_nonzero(self.influence, axis=0)
        return np.asarray(np.sum(self.influence**2, axis=0) * units / np.maximum(units - 1, 1))

    def stretched(self, factor: Floats, bounds: tuple[float, float]) -> "Resampled":
        """Return the same figures with errors and intervals multiplied by a factor for each group. Intervals stay
        within bounds."""
        low, high = (np.clip(self.value + factor * (end - self.value), *bounds) for end in (self.low, self.high))
        draws = self.value + factor * (self.draws - self.value)
        return replace(self, draws=draws, influence=self.influence * factor, low=low, high=high)

    def at(self, keys: pl.DataFrame) -> "Resampled":
        """Return the figures of these groups, in the order of `keys`."""
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
            self.borrowed[places],
        )

    def frame(self) -> pl.DataFrame:
        """Return the groups, sorted by name, with value, low, high, n (games) and error. `reason` says why a group has
        no interval. `note` marks intervals that come only from the games of other groups."""
        frame = self.keys.with_columns(
            pl.Series("value", self.value),
            pl.Series("low", self.low),
            pl.Series("high", self.high),
            pl.Series("n", self.games),
            pl.Series("error", self.error),
            pl.Series("reason", self.reasons, dtype=pl.String),
            pl.Series("note", [BORROWED if borrowed else None for borrowed in self.borrowed], dtype=pl.String),
        )
        return frame.with_columns(pl.col("value", "low", "high", "error").fill_nan(None))


@dataclass(frozen=True, slots=True)
class Ratio:
    """A ratio of sums by group, Σ top / Σ bottom. The ratio is a share, or a mean if every bottom is 1."""

    rows: pl.DataFrame
    """A table with the columns game, top and bottom, and the columns of the group. A game may have any number of
    rows."""
    by: tuple[str, ...]
    games: Sequence[str]
    """All games that are resampled, including games without a row."""
    share: bool = False
    """True if the figure is a proportion, from 0 to 1."""
    tailed: bool = False
    """True if the figure depends on a few games with high values."""
    limits: tuple[float, float] = (-np.inf, np.inf)
    """The bounds of the figure if it is not a share."""
    units: Sequence[int] | None = None
    """The number of each game's independent unit, from 0. None if each game is a unit of its own."""
    crossed: Sequence[int] | None = None
    """The number of each game's unit of a second kind, if units of two kinds cross: games of one cluster depend on each
    other, and games with the same draws in different clusters depend on each other too."""
    strata: Sequence[int] | None = None
    """The number of each game's table (the set of its players), if the schedule fixes how often each table plays. Games
    of one unit have the same table. Differences between tables are then not treated as chance."""
    stretch: float = 1.0
    """The factor by which the ratio's intervals are lengthened."""

    @property
    def unit_names(self) -> Sequence[str]:
        """The names of the units: the games, or their numbers."""
        return self.games if self.units is None else [str(unit) for unit in range(max(self.units, default=-1) + 1)]

    @property
    def bounds(self) -> tuple[float, float]:
        return (0.0, 1.0) if self.share else self.limits

    def sums(self) -> tuple[pl.DataFrame, Part]:
        """Return every group with a positive bottom, and the top and bottom of each group by unit."""
        rows = self.rows.drop_nulls(["top", "bottom"])
        keys = rows.filter(pl.col("bottom") > 0).select(self.by).unique().sort(self.by)
        return keys, self._sums(rows, keys)

    def parts(self) -> tuple[pl.DataFrame, list[Part]]:
        """Return the groups, and a list with one part: the tops and bottoms of the ratio."""
        keys, part = self.sums()
        return keys, [part]

    def resampled(self, *, seed: int = SEED) -> Resampled:
        """Return the ratio of every group with a positive bottom."""
        return _resampled(self, seed)

    def estimates(self) -> pl.DataFrame:
        """Return the groups with value, low, high, n, error and reason."""
        return self.resampled().frame()

    def _sums(self, rows: pl.DataFrame, keys: pl.DataFrame) -> Part:
        """Return top and bottom, summed by game and group, as arrays (games, groups). The sums are zero if a group does
        not occur in a game."""
        numbered = _numbered_rows(rows, keys, self.by, self.games)
        # The sums follow the order of the rows. Therefore they are the same, to the last bit, with any number of
        # threads.
        game = numbered["game_number"].to_numpy().astype(np.int64)
        unit = game if self.units is None else np.asarray(self.units, dtype=np.int64)[game]
        position = unit * keys.height + numbered["group"].to_numpy()
        shape = len(self.unit_names), keys.height
        columns = (numbered[name].cast(pl.Float64).to_numpy() for name in ("top", "bottom"))
        top, bottom = (np.bincount(position, column, minlength=shape[0] * shape[1]) for column in columns)
        return np.asarray(top.reshape(shape), dtype=np.float64), np.asarray(bottom.reshape(shape), dtype=np.float64)

    def within_tables(self, part: Part) -> Part:
        """Return top and bottom by unit. If the schedule fixes how often each table plays, the differences between
        tables are removed. A unit then keeps only its deviation from the mean of its table, as in stratified samples
        (Cochran 1977, ch. 5). The sums of a group stay unchanged if one of its tables has only one unit, or if the
        units of a table never vary."""
        if self.strata is None:
            return part
        top, bottom = part
        table = np.zeros(len(top), dtype=np.int64)
        units = np.arange(len(self.games)) if self.units is None else np.asarray(self.units, dtype=np.int64)
        table[units] = self.strata
        present = (bottom > 0).astype(np.float64)
        residual = top - top.sum(axis=0) / bottom.sum(axis=0) * bottom
        sums, count = (np.zeros((table.max(initial=0) + 1, top.shape[1])) for _ in range(2))
        np.add.at(sums, table, residual)
        np.add.at(count, table, present)
        inside = residual - (sums / np.maximum(count, 1))[table] * present
        inside *= np.sqrt(count / np.maximum(count - 1, 1))[table]
        fixed = ~np.any(count == 1, axis=0) & (np.abs(inside).max(axis=0) > _ROUNDING * np.abs(top).max(axis=0))
        return np.where(fixed, top - residual + inside, top), bottom


@dataclass(frozen=True, slots=True)
class Difference:
    """One ratio minus another ratio of the same games, for groups that have both."""

    first: Ratio
    second: Ratio
    tailed: bool = False
    """True if the difference depends on a few games with high values."""

    @property
    def stretch(self) -> float:
        return max(self.first.stretch, self.second.stretch)

    @property
    def bounds(self) -> tuple[float, float]:
        (low, high), (other_low, other_high) = self.first.bounds, self.second.bounds
        return low - other_high, high - other_low

    def parts(self) -> tuple[pl.DataFrame, list[Part]]:
        """Return every group that has both ratios, and the top and bottom of each ratio by game."""
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
    """Return the number of each group's pool. Groups that differ only in the player form a pool. The intervals of these
    groups use the games of all players of the pool."""
    others = [name for name in keys.columns if name != "player"]
    if not others or not keys.height:
        return np.zeros(keys.height, dtype=np.int64)
    return keys.select(pl.struct(others).rank("dense").cast(pl.Int64)).to_series().to_numpy()


def _resampled(figure: Ratio | Difference, seed: int) -> Resampled:
    """Return a figure with its intervals. If units of two kinds cross, the squared errors over both kinds are added,
    and the squared error over their intersections is subtracted. The result is never below the squared error over
    either kind alone (Cameron, Gelbach and Miller, "Robust inference with multiway clustering", Journal of Business and
    Economic Statistics 29, 2011). The quantiles are those for the kind with fewer units."""
    ratio = figure.first if isinstance(figure, Difference) else figure
    if ratio.units is None or ratio.crossed is None:
        return _resampled_units(figure, seed)
    pairs: dict[tuple[int, int], int] = {}
    inside = [pairs.setdefault(pair, len(pairs)) for pair in zip(ratio.units, ratio.crossed, strict=True)]
    one, other, both = (
        _resampled_units(_with_units(figure, units), seed) for units in (ratio.units, ratio.crossed, inside)
    )
    errors = [fit.squared_error for fit in (one, other, both)]
    total = np.maximum(np.maximum(errors[0], errors[1]), errors[0] + errors[1] - errors[2])
    fewer, error = (one, errors[0]) if len(one.influence) <= len(other.influence) else (other, errors[1])
    with np.errstate(divide="ignore", invalid="ignore"):
        return fewer.stretched(np.where(error > 0, np.sqrt(total / error), 1.0), figure.bounds)


def _with_units(figure: Ratio | Difference, units: Sequence[int]) -> Ratio | Difference:
    if isinstance(figure, Difference):
        first, second = (replace(ratio, units=units, crossed=None) for ratio in (figure.first, figure.second))
        return replace(figure, first=first, second=second)
    return replace(figure, units=units, crossed=None)


def _resampled_units(figure: Ratio | Difference, seed: int) -> Resampled:
    keys, parts = figure.parts()
    ratios = [figure.first, figure.second] if isinstance(figure, Difference) else [figure]
    parts = [ratio.within_tables(part) for ratio, part in zip(ratios, parts, strict=True)]
    resample_weights = weights(len(parts[0][0]), seed)
    fit = studentised(parts, pools_of(keys), resample_weights, seed, figure.bounds)
    influence = np.zeros((resample_weights.shape[1], keys.height))
    games = np.zeros(keys.height, dtype=np.int64)
    for sign, (top, bottom) in zip((1, -1), parts, strict=False):
        whole = bottom.sum(axis=0)
        influence += sign * (top - top.sum(axis=0) / whole * bottom) / whole
        games = np.maximum(games, np.sum(bottom > 0, axis=0))
    units, in_all = games, fit.games_in_all
    if ratios[0].units is not None:
        games = np.max([_games_of(ratio, keys) for ratio in ratios], axis=0)
        in_all = np.full(len(games), ratios[0].rows["game"].n_unique())
    reasons = [
        refusal(int(own), int(all_), tailed=figure.tailed)
        or (None if own_units >= LEAST_UNITS else _few_units(int(own_units)))
        or (None if np.isfinite(low) else ALIKE)
        for own, own_units, all_, low in zip(games, units, in_all, fit.low, strict=True)
    ]
    low, high = fit.low, fit.high
    if figure.stretch != 1:
        reach = (figure.stretch * (end - fit.value) for end in (low, high))
        low, high = (np.clip(fit.value + end, *figure.bounds) for end in reach)
    low, high = (np.where([reason is None for reason in reasons], end, np.nan) for end in (low, high))
    agree = np.max(np.abs(influence), axis=0, initial=0.0) <= _ROUNDING * (1 + np.abs(fit.value))
    borrowed = agree & (high - low > _ROUNDING * (1 + np.abs(fit.value)))
    return Resampled(keys, fit.value, fit.again, games, influence, low, high, tuple(reasons), np.asarray(borrowed))


def _games_of(ratio: Ratio, keys: pl.DataFrame) -> npt.NDArray[np.int64]:
    """Return the number of games of each group."""
    # A measure of whole games is grouped by a column called `games`. So the column of counts has a name that no table
    # uses.
    counted = ratio.rows.filter(pl.col("bottom") > 0).group_by(ratio.by).agg(_count=pl.col("game").n_unique())
    joined = keys.join(counted, on=list(ratio.by), how="left", maintain_order="left")
    return joined["_count"].cast(pl.Int64).to_numpy()


BORROWED: Final = "its own games all agree; the interval is from the games of the other players"
_ROUNDING: Final = 1e-9
ALIKE: Final = "all games agree: there is no spread for an interval"


def refusal(games: int, in_all: int, *, tailed: bool) -> str | None:
    """Return the reason why a group has no interval, or None if it has one. `games` is the number of games of the
    group, and `in_all` that of all players together."""
    if games < LEAST:
        return f"{number_of(games, 'game')}: an interval needs at least {LEAST}"
    if tailed and in_all < LEAST_IN_ALL:
        return f"{number_of(in_all, 'game')} in all: an interval of this figure takes at least {LEAST_IN_ALL}"
    return None


def _few_units(units: int) -> str:
    return f"{number_of(units, 'unit')} of games that depend on each other: an interval needs at least {LEAST_UNITS}"


def medians(rows: pl.DataFrame, by: tuple[str, ...], games: Sequence[str]) -> pl.DataFrame:
    """Return the median of `value` in every group, with value, low, high, n and reason. The ends of the interval are
    order statistics. They are chosen by the binomial distribution with one trial per game of the group."""
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
    """Return the row number of each group in another table of groups."""
    numbered = among.with_row_index("place")
    return keys.join(numbered, on=keys.columns, how="left", maintain_order="left")["place"].to_numpy()


def _numbered_rows(rows: pl.DataFrame, keys: pl.DataFrame, by: tuple[str, ...], games: Sequence[str]) -> pl.DataFrame:
    """Return the rows in the same order, with the number of each row's game and the number of its group."""
    numbered = pl.DataFrame({"game": pl.Series(games, dtype=pl.String)}).with_row_index("game_number")
    return rows.join(numbered, on="game", maintain_order="left").join(
        keys.with_row_index("group"), on=list(by), maintain_order="left"
    )


# Experiments that may stop at any of several looks. A look is a fixed number of finished games at which the results are
# tested. Each look has about 1.4 times as many games as the one before. The experiment stops at the first look at which
# its rule holds. An interval with 95 % coverage at one fixed look has a lower coverage at a look that is chosen by the
# result. Intervals are therefore lengthened by a factor, so that they cover at all looks simultaneously with 95 %
# confidence (Pocock, "Group sequential methods in the design and analysis of clinical trials", Biometrika 64, 1977).
# The factor follows from a random walk, since errors over growing numbers of games follow one. Verdicts about all pairs
# of players use a part of the 5 % at each look, and a small part at the first looks (Lan and DeMets, "Discrete
# sequential boundaries for clinical trials", Biometrika 70, 1983). The parts sum to 5 %, which bounds the probability
# of a wrong verdict at any look.

FIRST_LOOK: Final = 40
LOOK_RATIO: Final = 1.4
MAX_LOOKS: Final = 8
_WALKS: Final = 200_000
_WALK_SEED: Final = 735


def looks_at(games: int, first: int = FIRST_LOOK) -> tuple[int, ...]:
    """Return the numbers of games, up to `games`, at which a stopping rule looks at the results."""
    looks = [games]
    while len(looks) < MAX_LOOKS and (before := round(looks[-1] / LOOK_RATIO)) >= first:
        looks.append(before)
    return tuple(reversed(looks))


@lru_cache
def stretch(looks: tuple[int, ...]) -> float:
    """Return the factor by which intervals are lengthened so that they hold at all looks together."""
    from scipy.special import ndtri

    steps = np.sqrt(np.diff(np.asarray((0, *looks), dtype=np.float64)))
    walk = np.cumsum(np.random.default_rng(_WALK_SEED).standard_normal((_WALKS, len(looks))) * steps, axis=1)
    greatest = np.abs(walk / np.sqrt(looks)).max(axis=1)
    return float(np.quantile(greatest, CONFIDENCE) / ndtri((1 + CONFIDENCE) / 2))


def confidences(looks: tuple[int, ...]) -> tuple[float, ...]:
    """Return the confidence of the verdicts at each look. Their error rates sum to 5 %."""
    shares = [0.0, *((look / looks[-1]) ** 2 for look in looks)]
    return tuple(1 - (1 - CONFIDENCE) * (now - before) for before, now in pairwise(shares))
