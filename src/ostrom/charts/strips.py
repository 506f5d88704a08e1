"""Strips: every value of a table as a dot in its player's row, with the median marked, on an axis that may be
logarithmic away from 0."""

from typing import Final

import altair as alt
import numpy as np
import polars as pl

from ostrom.charts.families import Cast
from ostrom.charts.render import PLAYER, WIDTH, HeldRows, label_axis, layered
from ostrom.charts.words import Unit

_ROW: Final = 25


def strip(
    frame: pl.DataFrame,
    cast: Cast,
    *,
    unit: Unit,
    symlog: bool = False,
    linear: float = 2.0,
    most: float | None = None,
    dot: float = 9.0,
    opacity: float = 0.35,
) -> alt.LayerChart:
    """Draw dots of a table with `player` and `value`, the rows sorted by their median, which a stroke marks, and then
    by their mean. `symlog` is linear up to about `linear` and logarithmic beyond; `most` ends the axis there. The axis
    includes 0, and extends below it where a value does."""
    middles = (
        frame.group_by("player")
        .agg(pl.col("value").median().cast(pl.Float64), pl.col("value").mean().alias("mean"), pl.len().alias("n"))
        .sort(["value", "mean", "player"], descending=[True, True, False])
    )
    rows = cast.with_styles(middles)
    place = {player: index for index, player in enumerate(rows["player"])}
    low = min(0.0, float(frame["value"].min()))  # type: ignore[arg-type]
    high = max(0.0, float(frame["value"].max())) if most is None else most  # type: ignore[arg-type]
    if symlog:
        # Where the axis ends at 0, there are no values beyond.
        domain = [low * 1.12 - 1 if low < 0 else 0, high * 1.12 + 1 if high > 0 or low == 0 else 0]
        scale = alt.Scale(type="symlog", constant=linear, domain=domain, nice=False)
        ticks = [-tick for tick in reversed(_decades(-low, linear)[1:])] if low < 0 else []
        ticks += _decades(high, linear) if domain[1] > 0 else [0.0]
        axis = alt.Axis(values=ticks, format="d" if max(-low, high) < 10_000 else ",d")
    else:
        scale, axis = alt.Scale(domain=[low, high], nice=False), alt.Axis(format=unit.axis, tickCount=10)
    y = label_axis(rows["label"].to_list())
    x = alt.X("value:Q", title=unit.name, scale=scale, axis=axis)
    faces = HeldRows(
        values=[{"p": p, "label": label, "key": key} for p, (label, key) in enumerate(rows["label", "key"].iter_rows())]
    )
    dots = (
        alt.Chart(_compact(frame, place))
        .transform_flatten(["p", "value", "j"])
        .transform_lookup(lookup="p", from_=alt.LookupData(data=faces, key="p", fields=["label", "key"]))
        .mark_circle(size=dot, opacity=opacity, aria=False)
        .encode(
            x=x,
            y=y,
            yOffset=alt.YOffset("j:Q", scale=alt.Scale(domain=[-110, 110], nice=False)),
            color=cast.colour(),
            tooltip=[PLAYER, alt.Tooltip("value:Q", title=unit.name, format=unit.precise)],
        )
    )
    return layered(dots, *_medians(rows, x, y, unit), width=WIDTH - 60, height=alt.Step(_ROW))


def _medians(rows: pl.DataFrame, x: alt.X, y: alt.Y, unit: Unit) -> list[alt.Chart]:
    """Return the strokes that mark the rows' medians."""
    # White on near-black: the stroke is visible on light paper, on dark paper and among dots, and does not depend on
    # the page's ink, which a canvas does not know.
    median = alt.Tooltip("value:Q", title="median", format=unit.precise)
    return [
        alt.Chart(rows)
        .mark_tick(thickness=thickness, size=_ROW * size, color=ink, opacity=1)
        .encode(x=x, y=y, tooltip=[PLAYER, median, alt.Tooltip("n:Q", title="dots")])
        for thickness, size, ink in ((4.4, 0.86, "#16191e"), (1.8, 0.74, "#ffffff"))
    ]


def _compact(frame: pl.DataFrame, place: dict[str, int]) -> HeldRows:
    """Return the player's index, value and jitter of every dot: one row of three long lists, which Vega flattens."""
    ordered = frame.select(
        pl.col("player").replace_strict(place, return_dtype=pl.Int64).alias("p"),
        pl.col("value").cast(pl.Float64).round(4),
    ).sort(["p", "value"])
    # Whole numbers are written without ".0", which saves a third of the text.
    values = [int(value) if value.is_integer() else value for value in ordered["value"]]
    return HeldRows(values=[{"p": ordered["p"].to_list(), "value": values, "j": jitter(len(ordered))}])


def jitter(dots: int) -> list[int]:
    """Return an offset from -100 to 100 for each dot, a hash of its position in the sorted table (the finaliser of
    SplitMix64, Steele and others 2014), so that a table always gives the same picture."""
    with np.errstate(over="ignore"):
        mixed = np.arange(1, dots + 1, dtype=np.uint64) * np.uint64(0x9E3779B97F4A7C15)
        mixed = (mixed ^ (mixed >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
        mixed = (mixed ^ (mixed >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return [int(offset) - 100 for offset in (mixed ^ (mixed >> np.uint64(31))) % np.uint64(201)]


def _decades(peak: float, linear: float) -> list[float]:
    """Return ticks for an axis that is logarithmic away from 0; in its linear part they would be too dense."""
    ticks = [0.0]
    unit = 10.0 ** max(round(np.log10(linear / 2)), 0)
    while unit <= peak * 1.12 + 1:
        ticks += [step * unit for step in (1, 2, 5) if step * unit <= peak * 1.12 + 1]
        unit *= 10
    return ticks
