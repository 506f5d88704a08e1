"""Where a measure of a sweep crosses a level, or another measure: the boundary between two phases."""

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

_NAMED: Final = 6
"""Measures that an error lists."""
OPEN: Final = "the interval reaches the end of the range"


@dataclass(frozen=True)
class Condition:
    """`MEASURE=LEVEL`, or `MEASURE=MEASURE`: a boundary lies where it holds."""

    measure: str
    level: float
    other: str | None = None

    @classmethod
    def of(cls, text: str, measures: Sequence[str]) -> "Condition":
        """The condition that a user wrote."""
        measure, equals, right = (part.strip() for part in text.partition("="))
        if measure not in measures or not equals:
            known = ", ".join(measures[:_NAMED])
            raise InputError(
                f"{clean(text, 120)!r} is no boundary; write MEASURE=LEVEL or MEASURE=MEASURE with {known}, …"
            )
        if right in measures:
            return cls(measure, 0.0, right)
        try:
            level = float(right)
        except ValueError:
            level = np.nan
        if not np.isfinite(level):
            known = ", ".join(measures[:_NAMED])
            raise InputError(f"{clean(right)!r} is neither a number nor a measure; measures are {known}, …")
        return cls(measure, level)

    def __str__(self) -> str:
        return f"{self.measure} = {self.other or f'{self.level:g}'}"

    def apart(self, result: SweepResult) -> Floats:
        """(points, games) By how much the measure lies above."""
        values = result.values(self.measure)
        return np.asarray(values - (self.level if self.other is None else result.values(self.other)))


def sides(result: SweepResult, condition: Condition) -> pl.DataFrame:
    """Every point with its factors, by how much the measure lies above the level (`value`, `low`, `high`), and the
    `side`: above, below, or unsure where the interval holds the level."""
    apart = condition.apart(result)
    # One game shows no chance; that its mean is what it is remains. Too few games show nothing.
    unknown = 0.0 if apart.shape[1] == 1 else np.inf
    found = [
        (value, value - unknown if low is None else low, value + unknown if high is None else high)
        if value is not None
        else (None, None, None)
        for value, low, high in estimates_of(apart)
    ]
    columns = {one.name: [values[place] for values in result.plan.values] for place, one in enumerate(result.factors)}
    made = pl.DataFrame({"point": range(len(apart)), **columns}, strict=False)
    low, high = pl.col("low"), pl.col("high")
    side = pl.when(low > 0).then(pl.lit("above")).when(high < 0).then(pl.lit("below")).otherwise(pl.lit("unsure"))
    told = pl.DataFrame(found, schema=dict.fromkeys(("value", "low", "high"), pl.Float64), orient="row")
    return made.hstack(told.with_columns(side=side))


def crossings(result: SweepResult, condition: Condition, along: str | None = None) -> pl.DataFrame:
    """Where the mean crosses, going along a factor with numbers (the first, unless another is named), for every
    combination of the others: `at` by straight lines between the points, with the interval from `low` to `high`
    in which the measure's own 95 % intervals hold the level, and `rises`. An end that lies beyond the range is missing.
    Points of a factorial design only."""
    factor = _along(result, along)
    others = [one for one in result.factors if one is not factor]
    frame = sides(result, condition).drop_nulls("value").sort([*(one.name for one in others), factor.name])
    groups = frame.partition_by([one.name for one in others], maintain_order=True) if others else [frame]
    rows: list[dict[str, Any]] = []
    for group in groups:
        place = {one.name: group[one.name][0] for one in others}
        bounds = [np.asarray(group[name], dtype=np.float64) for name in (factor.name, "value", "low", "high")]
        rows += [place | found for found in _crossings(*bounds)]
    schema: dict[str, Any] = {one.name: frame.schema[one.name] for one in others}
    schema |= {**dict.fromkeys(("at", "low", "high"), pl.Float64), "rises": pl.Boolean, "reason": pl.String}
    return pl.DataFrame(rows, schema=schema)


def _along(result: SweepResult, named: str | None) -> Factor:
    if result.plan.design != "factorial":
        raise InputError(f"a boundary is found between the points of a factorial design; leave out {field('design')}")
    able = [factor for factor in result.factors if factor.numeric and len(factor.levels) > 1]
    for factor in able:
        if named in (None, factor.name):
            return factor
    raise InputError("a boundary lies along a factor with at least two numbers, and there is none")


def _crossings(at: Floats, value: Floats, low: Floats, high: Floats) -> Iterator[dict[str, Any]]:
    """The crossings of one line of points in the order of their places."""
    for left, right in _changes(value):
        place = at[left] if left == right else _zero(at, value, left, right)
        ends = [_end(at, low, high, start, step, place) for start, step in ((left, -1), (right, 1))]
        rises = bool(value[min(right + (left == right), len(at) - 1)] > value[max(left - (left == right), 0)])
        reason = OPEN if None in ends else None
        yield {"at": float(place), "low": ends[0], "high": ends[1], "rises": rises, "reason": reason}


def _changes(value: Floats) -> Iterator[tuple[int, int]]:
    """Between which points the sign changes; twice the same where a point lies on the level, between two signs."""
    signs = np.sign(value)
    there = np.flatnonzero(signs)
    for left, right in pairwise(there.tolist()):
        if signs[left] != signs[right]:
            yield (left, right) if right == left + 1 else ((left + right) // 2,) * 2


def _zero(at: Floats, bound: Floats, left: int, right: int) -> float:
    return float(at[left] + (at[right] - at[left]) * bound[left] / (bound[left] - bound[right]))


def _end(at: Floats, low: Floats, high: Floats, start: int, step: int, place: float) -> float | None:
    """Where the interval of the measure ceases to hold the level, going from a crossing to one side; None where it
    holds it to the end."""
    here = start
    while low[here] <= 0 <= high[here]:
        if not 0 <= here + step < len(at):
            return None
        here += step
    inner = here - step
    bound = low if low[here] > 0 else high
    if bound[here] == bound[inner]:
        return place
    found = _zero(at, bound, *sorted((here, inner)))
    # Without chance both ends are the crossing itself, but for a rounding error.
    return min(found, place) if step < 0 else max(found, place)


def contour(result: SweepResult, condition: Condition, across: str, up: str) -> pl.DataFrame:
    """The boundary over two factors with numbers as pieces of lines, x, y to x2, y2: of the mean (`kind` value), and of
    the ends of its intervals (low, high), between which it lies at 95 % for each point by itself. Squares of four
    points are cut by straight lines (marching squares); where more factors vary, there is none."""
    frame = sides(result, condition).sort(up, across)
    x, y = (np.asarray(frame[name].unique().sort(), dtype=np.float64) for name in (across, up))
    rows = []
    if len(x) * len(y) == len(frame):
        for kind in ("value", "low", "high"):
            grid = np.asarray(frame[kind], dtype=np.float64).reshape(len(y), len(x))
            rows += [(kind, *piece) for piece in _pieces(x, y, grid)]
    schema = {"kind": pl.String, **dict.fromkeys(("x", "y", "x2", "y2"), pl.Float64)}
    return pl.DataFrame(rows, schema=schema, orient="row")


def _pieces(x: Floats, y: Floats, grid: Floats) -> Iterator[tuple[float, float, float, float]]:
    """Where straight lines between neighbours cross 0, joined square by square."""
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
            if len(cuts) == 4 and (heights[0] > 0) == (
                sum(heights) > 0
            ):  # a saddle: the middle says which corners join
                cuts = [*cuts[1:], cuts[0]]
            yield from ((*one, *other) for one, other in zip(cuts[::2], cuts[1::2], strict=True))
