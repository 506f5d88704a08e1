"""Charts that rank the players: bars, strips of dots and lines under a title that names both ends."""

from typing import Any

import altair as alt
import numpy as np
import polars as pl

from ostrom.charts.families import Cast
from ostrom.charts.theme import STEP, WIDTH, layered
from ostrom.charts.words import Unit


def bars(frame: pl.DataFrame, cast: Cast, *, unit: Unit, ascending: bool = False, notes: str = "") -> alt.LayerChart:
    """Bars of a table with `player`, `value`, `low`, `high` and `n`; rows without a value must have been dropped.
    `notes` names a column of words that stand behind the figure."""
    ranked = ordered(frame, ascending=ascending)
    shown = cast.dressed(ranked).with_columns(
        pl.col("low").fill_null(pl.col("value")),
        pl.col("high").fill_null(pl.col("value")),
        pl.Series("figure", [unit.say(value) for value in ranked["value"]], dtype=pl.String),
    )
    if notes:
        shown = shown.with_columns((pl.col("figure") + pl.col(notes)).alias("figure"))
    # Words stand right of the bar and of its interval, and right of the axis where the bar goes to the left.
    shown = shown.with_columns(pl.max_horizontal("value", "high", pl.lit(0.0)).alias("edge"))
    base = alt.Chart(shown).encode(y=_rows(shown["label"].to_list()))
    tooltip = [
        alt.Tooltip("label:N", title="player"),
        alt.Tooltip("value:Q", title=unit.name, format=unit.precise),
        alt.Tooltip("low:Q", title="from", format=unit.precise),
        alt.Tooltip("high:Q", title="to", format=unit.precise),
        alt.Tooltip("n:Q", title="games"),
    ]
    x = alt.X("value:Q", title=unit.name, axis=alt.Axis(format=unit.axis, tickCount=6), scale=alt.Scale(nice=True))
    bar = base.mark_bar(height={"band": 0.68}).encode(x=x, color=colour(cast), tooltip=tooltip)
    interval = base.mark_rule(strokeWidth=1.4, opacity=0.75).encode(x="low:Q", x2="high:Q")
    words = base.mark_text(align="left", baseline="middle", dx=6).encode(x="edge:Q", text="figure:N")
    return layered(bar, interval, words).properties(width=WIDTH - 210, height=alt.Step(STEP))


def ordered(frame: pl.DataFrame, *, ascending: bool = False) -> pl.DataFrame:
    """The rows by their value; equal values by name, so that the picture never depends on the order of the table."""
    return frame.sort(["value", "player"], descending=[not ascending, False])


def colour(cast: Cast, *, legend: bool = True) -> alt.Color:
    """The colour of a player's family, with a legend where there are families to explain."""
    families: Any = alt.Legend(values=cast.families) if legend and len(cast.families) > 1 else None
    return alt.Color("key:N", scale=alt.Scale(domain=cast.domain, range=cast.range), legend=families)


def _rows(labels: list[str]) -> alt.Y:
    # The order is the scale's own domain: sorting inside Vega would put players' names into its expressions.
    return alt.Y("label:N", title=None, sort=None, scale=alt.Scale(domain=labels), axis=alt.Axis(grid=False))


_ROW = 25


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
    """Dots of a table with `player` and `value`, the rows by their median, which a stroke marks, and then by their
    mean. `symlog` is linear
    up to about `linear` and logarithmic beyond; `most` ends the axis there."""
    middles = (
        frame.group_by("player")
        .agg(pl.col("value").median().cast(pl.Float64), pl.col("value").mean().alias("mean"), pl.len().alias("n"))
        .sort(["value", "mean", "player"], descending=[True, True, False])
    )
    rows = cast.dressed(middles)
    order = rows["label"].to_list()
    place = {player: index for index, player in enumerate(rows["player"])}
    peak = float(frame["value"].max()) if most is None else most  # type: ignore[arg-type]
    scale = (
        alt.Scale(type="symlog", constant=linear, domain=[0, peak * 1.12 + 1], nice=False)
        if symlog
        else alt.Scale(domain=[0, peak], nice=False)
    )
    axis = (
        alt.Axis(values=_decades(peak, linear), format="d" if peak < 10_000 else ",d")
        if symlog
        else alt.Axis(format=unit.axis, tickCount=10)
    )
    y = alt.Y("label:N", title=None, sort=None, scale=alt.Scale(domain=order), axis=alt.Axis(grid=False))
    x = alt.X("value:Q", title=unit.name, scale=scale, axis=axis)
    faces = alt.InlineData(
        values=[
            {"p": place[row["player"]], "label": row["label"], "key": row["key"]} for row in rows.iter_rows(named=True)
        ]
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
            color=colour(cast),
            tooltip=[
                alt.Tooltip("label:N", title="player"),
                alt.Tooltip("value:Q", title=unit.name, format=unit.precise),
            ],
        )
    )
    return layered(dots, *_medians(rows, x, y, unit)).properties(width=WIDTH - 60, height=alt.Step(_ROW))


def _medians(rows: pl.DataFrame, x: alt.X, y: alt.Y, unit: Unit) -> list[alt.Chart]:
    """The strokes that mark the rows' medians."""
    # White on near-black: the stroke is seen on light paper, on dark paper and among dots, and needs no ink of the
    # page's, which a painted canvas does not know.
    return [
        alt.Chart(rows)
        .mark_tick(thickness=thickness, size=_ROW * size, color=ink, opacity=1)
        .encode(
            x=x,
            y=y,
            tooltip=[
                alt.Tooltip("label:N", title="player"),
                alt.Tooltip("value:Q", title="median", format=unit.precise),
                alt.Tooltip("n:Q", title="dots"),
            ],
        )
        for thickness, size, ink in ((4.4, 0.86, "#16191e"), (1.8, 0.74, "#ffffff"))
    ]


def _compact(frame: pl.DataFrame, place: dict[str, int]) -> alt.InlineData:
    """Player's place, value and jitter of every dot: one row of three long lists, to be flattened by Vega."""
    ordered = frame.select(
        pl.col("player").replace_strict(place, return_dtype=pl.Int64).alias("p"),
        pl.col("value").cast(pl.Float64).round(4),
    ).sort(["p", "value"])
    # Whole numbers without their ".0": a third of the text.
    values = [int(value) if value.is_integer() else value for value in ordered["value"]]
    return alt.InlineData(values=[{"p": ordered["p"].to_list(), "value": values, "j": jitter(len(ordered))}])


def jitter(dots: int) -> list[int]:
    """An offset from -100 to 100 for each dot, hashed from nothing but its place in the sorted table (the finaliser of
    SplitMix64, Steele and others 2014): one table always gives one picture."""
    with np.errstate(over="ignore"):
        mixed = np.arange(1, dots + 1, dtype=np.uint64) * np.uint64(0x9E3779B97F4A7C15)
        mixed = (mixed ^ (mixed >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
        mixed = (mixed ^ (mixed >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return [int(offset) - 100 for offset in (mixed ^ (mixed >> np.uint64(31))) % np.uint64(201)]


def _decades(peak: float, linear: float) -> list[float]:
    """Ticks for an axis that is logarithmic away from 0; where it is linear still, they would crowd."""
    ticks = [0.0]
    unit = 10.0 ** max(round(np.log10(linear / 2)), 0)
    while unit <= peak * 1.12 + 1:
        ticks += [step * unit for step in (1, 2, 5) if step * unit <= peak * 1.12 + 1]
        unit *= 10
    return ticks
