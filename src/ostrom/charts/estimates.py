"""Estimates as dots with their intervals, one row for each."""

import altair as alt
import polars as pl

from ostrom.charts.drawings import drawing
from ostrom.charts.forms import INTERVALS
from ostrom.charts.render import STEP, estimate_tooltips, label_axis, layered, styled

_WIDTH = 520


@drawing
def estimate_dots(rows: pl.DataFrame, *, words: str, title: str, subtitle: str) -> alt.LayerChart:
    """Draw a dot and its interval for each row of a frame with the columns label, value, low and high."""
    base = alt.Chart(rows).encode(
        y=label_axis(rows["label"].to_list(), names=False),
        tooltip=[alt.Tooltip("label:N", title="parameter"), *estimate_tooltips(words, ",.3f")],
    )
    interval = base.mark_rule(strokeWidth=2).encode(x=alt.X("low:Q"), x2="high")
    dot = base.mark_point(filled=True, size=64).encode(x=alt.X("value:Q", title=words))
    layers = layered(interval, dot, width=_WIDTH, height=alt.Step(STEP))
    return styled(layers, title=title, subtitle=f"{subtitle} {INTERVALS}".strip())
