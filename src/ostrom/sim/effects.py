"""Main effects, interactions and Sobol indices of the factors of a sweep.

The means over games have a variance over points that includes the variance within games. To remove the latter, squares
of means are estimated over pairs of different games (a U-statistic; Hoeffding 1948). Their intervals are computed by
the jackknife over games. For a sampled design, the error over its rows is added. The part of this error that the
positions of the points explain is left out, since the positions are evenly spread along each factor.

The module also finds the boundaries in a sweep: points at which a measure crosses a level or another measure.
"""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations, pairwise
from typing import Any, Final

import numpy as np
import polars as pl
from scipy.special import stdtrit

from ostrom.core import InputError
from ostrom.core.errors import field
from ostrom.core.estimates import Estimate, means_of_rows, t_interval, within_range
from ostrom.core.text import clean
from ostrom.sim.batch import Floats
from ostrom.sim.factors import Factor, format_value
from ostrom.sim.sweep import SweepResult, estimates_of

LEAST_GAMES: Final = 6
"""Minimum number of games for an interval over games."""
LEAST_ROWS: Final = 64
"""Minimum number of points in each sample of a Sobol design for an interval."""
MAX_KNOWN: Final = 0.25
"""The largest number of functions of the positions that are subtracted from rows, relative to the number of rows."""
DESIGN_FACTOR: Final = 1.5
"""A factor that multiplies the squared error of the design, which excludes the error over games. With this factor,
intervals have a coverage of at least 93 % for discontinuous or oscillating functions of three factors. Without it,
their coverage may be as low as 87 %."""
_ROUNDING: Final = 1e-9
FIRST: Final = "first"
"""The share of the variance due to a factor alone."""
TOTAL: Final = "total"
"""The share of the variance due to a factor, including its interactions."""
INTERACTION: Final = "interaction"
"""The share of the variance due to two factors jointly, beyond the share of each."""


@dataclass(frozen=True)
class _Square:
    """The mean over cells of the squared mean over games, together with its values when each game is left out in
    turn."""

    value: float
    without: Floats
    """(games,) The values without each game in turn; empty if there are too few games."""

    def __add__(self, other: "_Square") -> "_Square":
        return _Square(self.value + other.value, self.without + other.without)

    def __sub__(self, other: "_Square") -> "_Square":
        return _Square(self.value - other.value, self.without - other.without)

    def over(self, other: "_Square") -> "_Square":
        """Return the ratio of this mean to another, with its values without each game."""
        return _Square(self.value / other.value, self.without / other.without)


def _product(first: Floats, second: Floats) -> _Square:
    """Return the mean over cells of E[first]·E[second], from arrays (cells, games). It is computed over pairs of
    different games; for a single game, it is the plain product."""
    cells, games = first.shape
    if games == 1:
        return _Square(float(np.mean(first * second)), np.empty(0))
    sums, others = first.sum(axis=1), second.sum(axis=1)
    diagonals = np.einsum("cg,cg->g", first, second) / cells
    products, diagonal = float(np.mean(sums * others)), float(diagonals.sum())
    value = (products - diagonal) / (games * (games - 1))
    if games < LEAST_GAMES:
        return _Square(value, np.empty(0))
    across = (sums @ second + others @ first) / cells
    return _Square(value, (products - across + diagonals - (diagonal - diagonals)) / ((games - 1) * (games - 2)))


def _unseen(effect: Floats) -> float:
    """Return the standard deviation of the square of a null effect, (cells, games). The jackknife uses only slopes. It
    therefore misses this deviation if the effect is near 0."""
    games: int = effect.shape[1]
    centred = effect - effect.mean(axis=1, keepdims=True)
    gram = (centred @ centred.T if len(centred) < games else centred.T @ centred) / len(centred)
    spread: float = float(np.sum(gram**2))
    return math.sqrt(spread / (games * (games - 1))) / games


def _jackknifed(ratio: _Square, unseen: float) -> Estimate:
    """Return a share with its interval by the jackknife over games. The upper end is extended by `unseen`, because near
    0 the square (m + e)² has slope 0, and m² may be as large as (|m + e| + t·s)²."""
    games = len(ratio.without)
    if games < 2:
        return Estimate(ratio.value, reason=f"an interval over games needs at least {LEAST_GAMES} of them")
    error = math.sqrt((games - 1) / games * float(np.sum((ratio.without - ratio.without.mean()) ** 2)))
    interval = t_interval(ratio.value, error, games - 1)
    assert interval.high is not None
    extension = (1 + float(stdtrit(games - 1, 0.975)) ** 2) * unseen
    return Estimate(interval.value, interval.low, interval.high + extension)


def indices(result: SweepResult, measure: str) -> pl.DataFrame:
    """Return the Sobol indices of a measure. The table has a row for each factor and kind (`first`, `total`) and, for a
    factorial design, a row for the `interaction` of each pair of factors. Further columns are value, low, high and
    reason. The table is empty if `why_none` returns a reason."""
    columns = {"factor": pl.String, "kind": pl.String, "value": pl.Float64, "low": pl.Float64, "high": pl.Float64}
    columns["reason"] = pl.String
    rows: list[tuple[str, str, Estimate]] = []
    if why_none(result, measure) is None:
        values, names = result.values(measure), [factor.name for factor in result.factors]
        if result.plan.design == "factorial":
            rows = _of_factorial(values, names, [len(factor.levels) for factor in result.factors])
        else:
            rows = of_saltelli(values, names, _positions(result))
    records = []
    for name, kind, estimate in rows:
        # An unbiased estimate of an index may be outside the range from 0 to 1, although the index itself is within it.
        within = within_range(estimate, 0.0, 1.0)
        value = None if within.value is None else min(max(within.value, 0.0), 1.0)
        records.append((name, kind, value, within.low, within.high, within.reason))
    return pl.DataFrame(records, schema=columns, orient="row")


def _positions(result: SweepResult) -> Floats:
    """Return the positions of the points of the first two samples along each factor, as shares of their ranks."""
    columns = []
    for place, factor in enumerate(result.factors):
        own = [values[place] for values in result.plan.values]
        codes = [float(value) for value in own] if factor.numeric else [factor.levels.index(value) for value in own]
        columns.append(pl.Series(codes).rank("average").to_numpy() / len(codes))
    samples = 2 * len(result.plan.values) // (len(columns) + 2)
    return np.stack(columns, axis=1)[:samples]


def why_none(result: SweepResult, measure: str) -> str | None:
    """Return the reason why a measure of this sweep has no indices, or None if it has indices."""
    values = result.values(measure)
    if result.plan.design == "lhs":
        return "a Latin hypercube has no indices; use a Sobol design"
    if not np.isfinite(values).all():
        return f"{measure} is missing in some games"
    means = values.mean(axis=1)
    if float(np.ptp(means)) <= 1e-12 * (1 + abs(float(means[0]))):
        return f"{measure} is the same at every point"
    return None


def _of_factorial(values: Floats, names: Sequence[str], levels: Sequence[int]) -> list[tuple[str, str, Estimate]]:
    """Return the analysis of variance over all combinations. Its shares are the Sobol indices for equally likely
    values."""
    grid = (values - values.mean()).reshape(*levels, values.shape[1])
    axes = range(len(levels))

    def mean(over: Sequence[int]) -> Floats:
        return np.asarray(grid.mean(axis=tuple(axis for axis in axes if axis not in over), keepdims=True))

    def marginal(over: Sequence[int]) -> _Square:
        means = mean(over).reshape(-1, values.shape[1])
        return _product(means, means)

    def share(part: _Square, effect: Floats) -> Estimate:
        enough = values.shape[1] >= LEAST_GAMES
        unseen = _unseen(effect.reshape(-1, values.shape[1])) / abs(spread.value) if enough else 0.0
        return _jackknifed(part.over(spread), unseen)

    grand, single = marginal(()), [marginal((axis,)) for axis in axes]
    full = marginal(tuple(axes))
    spread = full - grand
    rows = []
    for axis, name in enumerate(names):
        others = [other for other in axes if other != axis]
        rows.append((name, FIRST, share(single[axis] - grand, mean([axis]) - mean([]))))
        rows.append((name, TOTAL, share(full - marginal(others), grid - mean(others))))
    for first, second in combinations(axes, 2):
        both = marginal((first, second)) - single[first] - single[second] + grand
        effect = mean((first, second)) - mean([first]) - mean([second]) + mean([])
        rows.append((f"{names[first]} × {names[second]}", INTERACTION, share(both, effect)))
    return rows


def of_saltelli(
    values: Floats, names: Sequence[str], positions: Floats | None = None
) -> list[tuple[str, str, Estimate]]:
    """Return the indices from the points of `saltelli`: first-order after Saltelli et al. (2010), total after Jansen
    (1999). `positions` (rows, columns) are the positions of the first two samples' points along each factor, from 0 to
    1. The part of the rows that these positions explain adds no error, since the design is even along each factor."""
    blocks = values.reshape(len(names) + 2, -1, values.shape[1])
    blocks = blocks - blocks[:2].mean()
    first, second, mixed = blocks[0], blocks[1], blocks[2:]
    both = np.concatenate([first, second])
    mean = both.mean(axis=0)[None]
    spread, spread_pairs = _product(both, both).value - _product(mean, mean).value, _pairs(both, both)
    spread_pairs = spread_pairs - _pairs(mean, mean)
    spread_rows = (_by_row(first, first) + _by_row(second, second)) / 2
    known = _known_part(positions, len(first))
    indices = []
    for name, block in zip(names, mixed, strict=True):
        for kind, left, right, scale in (
            (FIRST, second, block - first, 1.0),
            (TOTAL, first - block, first - block, 0.5),
        ):
            share = scale * _product(left, right).value / spread
            by_games = _error_over_games((scale * _pairs(left, right) - share * spread_pairs)[None] / spread)
            residual = (scale * _by_row(left, right) - share * spread_rows) / spread
            by_rows = _error_over_rows(residual, known)
            within = _error_within_rows(left, right, scale / spread)
            indices.append((name, kind, _interval(share, by_games, by_rows, within)))
    return indices


@dataclass(frozen=True)
class _Variance:
    """The squared error of an estimate, with its degrees of freedom."""

    value: float
    freedom: float


def _interval(share: float, by_games: _Variance | None, by_rows: _Variance | None, within: float) -> Estimate:
    """Return a share with its t interval. The error over rows includes the error of games within single rows, `within`.
    The error that games have in common over all rows is part only of the error over games. The degrees of freedom are
    Satterthwaite's (1946)."""
    if by_rows is None:
        return Estimate(share, reason=f"an interval needs at least {LEAST_ROWS} points in each sample")
    # For discontinuous or oscillating functions, an even design has larger errors than random points would have.
    uneven = DESIGN_FACTOR * max(by_rows.value - within, 0.0)
    by_rows = _Variance(min(by_rows.value, within) + uneven, by_rows.freedom)
    parts = [by_rows]
    if by_games is not None:
        beyond = max(by_games.value - within, 0.0)
        parts = (
            [by_games] if by_games.value > by_rows.value + beyond else [by_rows, _Variance(beyond, by_games.freedom)]
        )
    total = sum(part.value for part in parts)
    if total == 0:
        return Estimate(share, share, share)
    freedom = total**2 / sum(part.value**2 / part.freedom for part in parts)
    return t_interval(share, math.sqrt(total), freedom)


def _pairs(left: Floats, right: Floats) -> Floats:
    """Return, for every two games, the mean over cells of the product of both arrays. The result is symmetric."""
    product = left.T @ right / len(left)
    return np.asarray((product + product.T) / 2)


def _error_over_games(pairs: Floats) -> _Variance | None:
    """Return the squared error, summed over the first axis, of means over all pairs of different games, (…, games,
    games). Return None if there are too few games. The jackknife counts the part due to single pairs of games 2 (n − 1)
    / (n − 2) times (Efron and Stein, "The jackknife estimate of variance", Annals of Statistics 9, 1981). The excess is
    subtracted."""
    games = pairs.shape[-1]
    if games < LEAST_GAMES:
        return None
    pairs = pairs * (1 - np.eye(games))
    whole = pairs.sum(axis=(1, 2)) / (games * (games - 1))
    slope = pairs.sum(axis=2) / (games - 1) - whole[:, None]
    own = slope * (games - 1) / (games - 2)
    off = (pairs - whole[:, None, None] - own[:, :, None] - own[:, None, :]) * (1 - np.eye(games))
    of_pairs = np.sum(off**2) / (games * (games - 3))
    least = 2 * of_pairs / (games * (games - 1))
    jackknife = 4 * (games - 1) / (games * (games - 2) ** 2) * np.sum(slope**2)
    alone = max(float(jackknife - 4 * of_pairs / (games * (games - 2))), 0.0)
    total = alone + float(least)
    freedom = total**2 / (alone**2 / (games - 1) + least**2 / (games * (games - 3) / 2)) if total else games - 1
    return _Variance(total, float(freedom))


def _error_within_rows(left: Floats, right: Floats, scale: float) -> float:
    """Return the part of the squared error of the mean over rows that is due to games, as if different rows had no
    games in common."""
    rows = (left[:, :, None] * right[:, None, :] + left[:, None, :] * right[:, :, None]) / 2
    error = _error_over_games(rows)
    return 0.0 if error is None else error.value * (scale / len(left)) ** 2


def _known_part(positions: Floats | None, rows: int) -> Floats:
    """Return an orthonormal basis of the functions of a row's positions, (rows, columns). The functions are a constant
    and, as far as the number of rows allows, the first and second power of each position and the products of any two
    positions."""
    basis = np.ones((rows, 1))
    if positions is not None:
        centred = np.concatenate(np.split(positions - positions.mean(axis=0), 2), axis=1)
        products = [centred[:, [one]] * centred[:, [other]] for one, other in combinations(range(centred.shape[1]), 2)]
        for more in (centred, centred**2, np.concatenate(products, axis=1)):
            if basis.shape[1] + more.shape[1] <= MAX_KNOWN * rows:
                basis = np.concatenate([basis, more], axis=1)
    left, size, _ = np.linalg.svd(basis, full_matrices=False)
    return np.asarray(left[:, size > _ROUNDING * size[0]])


def _error_over_rows(influence: Floats, known: Floats) -> _Variance | None:
    """Return the squared error of a mean over rows. Only the part of the rows that `known` does not explain contributes
    to it. Return None if there are too few rows."""
    rows, columns = known.shape
    if rows < LEAST_ROWS:
        return None
    residual = influence - known @ (known.T @ influence)
    return _Variance(float(np.sum(residual**2)) / (rows - columns) / rows, rows - columns)


def _by_row(left: Floats, right: Floats) -> Floats:
    """Return, for each row, the unbiased product of the means of both arrays, computed from pairs of different
    games."""
    games = left.shape[1]
    if games == 1:
        return np.asarray(left[:, 0] * right[:, 0])
    same = np.einsum("cg,cg->c", left, right)
    return np.asarray((left.sum(axis=1) * right.sum(axis=1) - same) / (games * (games - 1)))


def main_effects(result: SweepResult, measure: str) -> pl.DataFrame:
    """Return the main effects of a factorial design by factor and value: the `mean` of a measure over the other
    factors, and the difference of this mean from the grand mean (`effect`, low, high; paired by game)."""
    columns = {"factor": pl.String, "value": pl.String, "mean": pl.Float64}
    columns |= dict.fromkeys(("effect", "low", "high"), pl.Float64)
    rows = []
    if result.plan.design == "factorial" and why_none(result, measure) is None:
        values = result.values(measure)
        grid = values.reshape(*(len(factor.levels) for factor in result.factors), -1)
        for axis, factor in enumerate(result.factors):
            averaged = tuple(other for other in range(len(result.factors)) if other != axis)
            means = grid.mean(axis=averaged)
            effects = means_of_rows(means - means.mean(axis=0))
            for level, mean, effect in zip(factor.levels, means, effects, strict=True):
                rows.append(
                    (factor.name, format_value(level), float(mean.mean()), effect.value, effect.low, effect.high)
                )
    return pl.DataFrame(rows, schema=columns, orient="row")


_MAX_LISTED_MEASURES: Final = 6
OPEN: Final = "the interval reaches the end of the range"


@dataclass(frozen=True)
class Condition:
    """The condition of a boundary, `MEASURE=LEVEL` or `MEASURE=MEASURE`."""

    measure: str
    level: float
    other: str | None = None

    @classmethod
    def of(cls, text: str, measures: Sequence[str]) -> "Condition":
        """Parse the condition that a user wrote. Raise InputError if it names an unknown measure."""
        measure, equals, right = (part.strip() for part in text.partition("="))
        if measure not in measures or not equals:
            known = ", ".join(measures[:_MAX_LISTED_MEASURES])
            raise InputError(
                f"{clean(text, 120)!r} is not a boundary; write MEASURE=LEVEL or MEASURE=MEASURE with {known}, …"
            )
        if right in measures:
            return cls(measure, 0.0, right)
        try:
            level = float(right)
        except ValueError:
            level = np.nan
        if not np.isfinite(level):
            known = ", ".join(measures[:_MAX_LISTED_MEASURES])
            raise InputError(f"{clean(right)!r} is neither a number nor a measure; measures are {known}, …")
        return cls(measure, level)

    def __str__(self) -> str:
        return f"{self.measure} = {self.other or f'{self.level:g}'}"

    def apart(self, result: SweepResult) -> Floats:
        """Return the difference of the measure from the level or from the other measure, (points, games)."""
        values = result.values(self.measure)
        return np.asarray(values - (self.level if self.other is None else result.values(self.other)))


def sides(result: SweepResult, condition: Condition) -> pl.DataFrame:
    """Return every point with its factors, the difference of the measure from the level (`value`, `low`, `high`), and
    the `side`: above, below, or, if the interval contains the level or is missing, unsure."""
    finite = [pl.when(pl.col(name).is_finite()).then(pl.col(name)).alias(name) for name in ("low", "high")]
    return _unbounded_sides(result, condition).with_columns(finite)


def _unbounded_sides(result: SweepResult, condition: Condition) -> pl.DataFrame:
    """Return the table of `sides`, with infinite ends where an interval is missing."""
    apart = condition.apart(result)
    # With a single game, the interval is the value. With too few games, the ends of the interval are infinite.
    unknown = 0.0 if apart.shape[1] == 1 else np.inf
    estimates = [
        (value, value - unknown if low is None else low, value + unknown if high is None else high)
        if value is not None
        else (None, None, None)
        for value, low, high in estimates_of(apart)
    ]
    columns = {
        factor.name: [values[place] for values in result.plan.values] for place, factor in enumerate(result.factors)
    }
    points = pl.DataFrame({"point": range(len(apart)), **columns}, strict=False)
    low, high = pl.col("low"), pl.col("high")
    side = pl.when(low > 0).then(pl.lit("above")).when(high < 0).then(pl.lit("below")).otherwise(pl.lit("unsure"))
    differences = pl.DataFrame(estimates, schema=dict.fromkeys(("value", "low", "high"), pl.Float64), orient="row")
    return points.hstack(differences.with_columns(side=side))


def crossings(result: SweepResult, condition: Condition, along: str | None = None) -> pl.DataFrame:
    """Return the crossings along a numeric factor (by default the first), for every combination of the other factors.
    `at` is interpolated linearly between points. From `low` to `high`, the measure's 95 % intervals contain the level.
    An end beyond the range of the factor is missing. `rises` is true if the measure rises at the crossing. The design
    must be factorial."""
    line = _along(result, along)
    others = [factor for factor in result.factors if factor is not line]
    order = [*(factor.name for factor in others), line.name]
    frame = _unbounded_sides(result, condition).drop_nulls("value").sort(order)
    groups = frame.partition_by([factor.name for factor in others], maintain_order=True) if others else [frame]
    rows: list[dict[str, Any]] = []
    for group in groups:
        place = {factor.name: group[factor.name][0] for factor in others}
        bounds = [np.asarray(group[name], dtype=np.float64) for name in (line.name, "value", "low", "high")]
        rows += [place | crossing for crossing in _crossings(*bounds)]
    schema: dict[str, Any] = {factor.name: frame.schema[factor.name] for factor in others}
    schema |= {**dict.fromkeys(("at", "low", "high"), pl.Float64), "rises": pl.Boolean, "reason": pl.String}
    return pl.DataFrame(rows, schema=schema)


def _along(result: SweepResult, named: str | None) -> Factor:
    if result.plan.design != "factorial":
        raise InputError(f"a boundary is found between the points of a factorial design; leave out {field('design')}")
    able = [factor for factor in result.factors if factor.numeric and len(factor.levels) > 1]
    for factor in able:
        if named in (None, factor.name):
            return factor
    raise InputError("a boundary needs a numeric factor with at least two values, and there is none")


def _crossings(at: Floats, value: Floats, low: Floats, high: Floats) -> Iterator[dict[str, Any]]:
    for left, right in _sign_changes(value):
        place = at[left] if left == right else _zero(at, value, left, right)
        ends = [_end(at, low, high, start, step, place) for start, step in ((left, -1), (right, 1))]
        rises = bool(value[min(right + (left == right), len(at) - 1)] > value[max(left - (left == right), 0)])
        reason = OPEN if None in ends else None
        yield {"at": float(place), "low": ends[0], "high": ends[1], "rises": rises, "reason": reason}


def _sign_changes(value: Floats) -> Iterator[tuple[int, int]]:
    """Yield the pairs of neighbouring points between which the sign changes. A point exactly on the level is paired
    with itself."""
    signs = np.sign(value)
    nonzero = np.flatnonzero(signs)
    for left, right in pairwise(nonzero.tolist()):
        if signs[left] != signs[right]:
            yield (left, right) if right == left + 1 else ((left + right) // 2,) * 2


def _zero(at: Floats, bound: Floats, left: int, right: int) -> float:
    return float(at[left] + (at[right] - at[left]) * bound[left] / (bound[left] - bound[right]))


def _end(at: Floats, low: Floats, high: Floats, start: int, step: int, place: float) -> float | None:
    """Return the position, on one side of a crossing, beyond which the interval of the measure no longer contains the
    level. Return None if the intervals contain the level up to the last point."""
    point = start
    while low[point] <= 0 <= high[point]:
        if not 0 <= point + step < len(at):
            return None
        point += step
    previous = point - step
    bound = low if low[point] > 0 else high
    if bound[point] == bound[previous]:
        return place
    # Next to a point without an interval, the level may be anywhere up to the first point that has an interval.
    known = bool(np.isfinite(bound[previous]))
    crossing = _zero(at, bound, *sorted((point, previous))) if known else float(at[point])
    # Without randomness both ends equal the crossing, up to rounding.
    return min(crossing, place) if step < 0 else max(crossing, place)


def contour(result: SweepResult, condition: Condition, across: str, up: str) -> pl.DataFrame:
    """Return the boundary over two numeric factors as line segments from x, y to x2, y2. The column `kind` is "value"
    for the mean, and "low" or "high" for the ends of its pointwise 95 % intervals. Squares of four points are cut by
    straight lines (marching squares). The table is empty if more than two factors vary."""
    frame = sides(result, condition).sort(up, across)
    x, y = (np.asarray(frame[name].unique().sort(), dtype=np.float64) for name in (across, up))
    rows = []
    if len(x) * len(y) == len(frame):
        for kind in ("value", "low", "high"):
            grid = np.asarray(frame[kind], dtype=np.float64).reshape(len(y), len(x))
            rows += [(kind, *segment) for segment in _segments(x, y, grid)]
    schema = {"kind": pl.String, **dict.fromkeys(("x", "y", "x2", "y2"), pl.Float64)}
    return pl.DataFrame(rows, schema=schema, orient="row")


def _segments(x: Floats, y: Floats, grid: Floats) -> Iterator[tuple[float, float, float, float]]:
    """Yield the segments of the zero level, square by square."""
    for row in range(len(y) - 1):
        for column in range(len(x) - 1):
            corners = [(row, column), (row, column + 1), (row + 1, column + 1), (row + 1, column)]
            heights = [float(grid[corner]) for corner in corners]
            if not np.isfinite(heights).all():
                continue
            cuts = []
            for place, (height, next_height) in enumerate(zip(heights, heights[1:] + heights[:1], strict=True)):
                if (height > 0) != (next_height > 0):
                    part = height / (height - next_height)
                    (r, c), (r2, c2) = corners[place], corners[(place + 1) % 4]
                    cuts.append((float(x[c] + part * (x[c2] - x[c])), float(y[r] + part * (y[r2] - y[r]))))
            # At a saddle point, the value at the centre determines which corners are joined.
            if len(cuts) == 4 and (heights[0] > 0) == (sum(heights) > 0):
                cuts = [*cuts[1:], cuts[0]]
            yield from ((*start, *end) for start, end in zip(cuts[::2], cuts[1::2], strict=True))
