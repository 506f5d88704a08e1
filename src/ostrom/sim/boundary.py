"""Boundaries in a sweep: points at which a measure crosses a level or another measure."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, Final

import numpy as np
import polars as pl

from ostrom.core import InputError
from ostrom.core.errors import field
from ostrom.core.text import clean
from ostrom.sim.batch import Floats
from ostrom.sim.factors import Factor
from ostrom.sim.sweep import SweepResult, estimates_of

_MAX_LISTED_MEASURES: Final = 6
OPEN: Final = "the interval reaches the end of the range"


@dataclass(frozen=True)
class Condition:
    """A boundary condition, `MEASURE=LEVEL` or `MEASURE=MEASURE`."""

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
        """Return the difference of the measure from the level, (points, games)."""
        values = result.values(self.measure)
        return np.asarray(values - (self.level if self.other is None else result.values(self.other)))


def sides(result: SweepResult, condition: Condition) -> pl.DataFrame:
    """Return every point with its factors, the difference of the measure from the level (`value`, `low`, `high`), and
    the `side`: above, below, or unsure if the interval contains the level."""
    apart = condition.apart(result)
    # A single game is taken at its value. Too few games have no finite interval.
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
    """Return the crossings along a numeric factor (the first, by default) for every combination of the others: `at`,
    linearly interpolated between points; `low` to `high`, the range in which the measure's 95 % intervals contain the
    level; and `rises`. An end beyond the range is missing. Needs a factorial design."""
    line = _along(result, along)
    others = [factor for factor in result.factors if factor is not line]
    frame = sides(result, condition).drop_nulls("value").sort([*(factor.name for factor in others), line.name])
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
    raise InputError("a boundary lies along a numeric factor with at least two values, and there is none")


def _crossings(at: Floats, value: Floats, low: Floats, high: Floats) -> Iterator[dict[str, Any]]:
    for left, right in _sign_changes(value):
        place = at[left] if left == right else _zero(at, value, left, right)
        ends = [_end(at, low, high, start, step, place) for start, step in ((left, -1), (right, 1))]
        rises = bool(value[min(right + (left == right), len(at) - 1)] > value[max(left - (left == right), 0)])
        reason = OPEN if None in ends else None
        yield {"at": float(place), "low": ends[0], "high": ends[1], "rises": rises, "reason": reason}


def _sign_changes(value: Floats) -> Iterator[tuple[int, int]]:
    """Yield the pairs of points between which the sign changes; the same point twice if it is on the level."""
    signs = np.sign(value)
    nonzero = np.flatnonzero(signs)
    for left, right in pairwise(nonzero.tolist()):
        if signs[left] != signs[right]:
            yield (left, right) if right == left + 1 else ((left + right) // 2,) * 2


def _zero(at: Floats, bound: Floats, left: int, right: int) -> float:
    return float(at[left] + (at[right] - at[left]) * bound[left] / (bound[left] - bound[right]))


def _end(at: Floats, low: Floats, high: Floats, start: int, step: int, place: float) -> float | None:
    """Return where the interval of the measure stops containing the level, walking from a crossing to one side; None if
    it contains the level up to the end."""
    point = start
    while low[point] <= 0 <= high[point]:
        if not 0 <= point + step < len(at):
            return None
        point += step
    previous = point - step
    bound = low if low[point] > 0 else high
    if bound[point] == bound[previous]:
        return place
    crossing = _zero(at, bound, *sorted((point, previous)))
    # Without randomness both ends equal the crossing, up to rounding.
    return min(crossing, place) if step < 0 else max(crossing, place)


def contour(result: SweepResult, condition: Condition, across: str, up: str) -> pl.DataFrame:
    """Return the boundary over two numeric factors as line segments, x, y to x2, y2: of the mean (`kind` value) and of
    the ends of its pointwise 95 % intervals (low, high). Squares of four points are cut by straight lines (marching
    squares). Empty if more than two factors vary."""
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
            for place, (one, other) in enumerate(zip(heights, heights[1:] + heights[:1], strict=True)):
                if (one > 0) != (other > 0):
                    part = one / (one - other)
                    (r, c), (r2, c2) = corners[place], corners[(place + 1) % 4]
                    cuts.append((float(x[c] + part * (x[c2] - x[c])), float(y[r] + part * (y[r2] - y[r]))))
            # At a saddle the centre decides which corners are joined.
            if len(cuts) == 4 and (heights[0] > 0) == (sum(heights) > 0):
                cuts = [*cuts[1:], cuts[0]]
            yield from ((*one, *other) for one, other in zip(cuts[::2], cuts[1::2], strict=True))
