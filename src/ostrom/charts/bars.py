"""Horizontal bars, the longest first: one for each player, with its interval and its figure in words."""

from typing import Any

import altair as alt
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
