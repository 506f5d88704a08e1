"""What a best response gains over each player in its place."""

from collections.abc import Sequence

import altair as alt
import polars as pl

from ostrom.charts.render import STEP, estimate_tooltips, label_axis, styled
from ostrom.charts.together import layered
from ostrom.core.estimates import Estimate

_WIDTH = 520


def gains_chart(
    players: Sequence[str], gains: Sequence[Estimate], *, title: str, subtitle: str, unit: str
) -> alt.LayerChart:
    """A row for each player: the gain as a dot with its interval, pale where the interval holds 0."""
    rows = pl.DataFrame(
        {
            "label": list(players),
            "value": [gain.value for gain in gains],
            "low": [gain.low for gain in gains],
            "high": [gain.high for gain in gains],
        }
    ).with_columns(weight=pl.when((pl.col("low") > 0) | (pl.col("high") < 0)).then(1.0).otherwise(0.45))
    words = f"gain in {unit}" if unit else "gain"
    base = alt.Chart(rows).encode(
        y=label_axis(list(players)),
        opacity=alt.Opacity("weight:Q", scale=None, legend=None),
        tooltip=[alt.Tooltip("label:N", title="player"), *estimate_tooltips(words, ",.1f")],
    )
    x = alt.X("value:Q", title=words, axis=alt.Axis(format=",~r", tickCount=6))
    nothing = alt.Chart(pl.DataFrame({"value": [0.0]})).mark_rule(strokeDash=[4, 3], opacity=0.6).encode(x="value:Q")
    interval = base.mark_rule(strokeWidth=2).encode(x=alt.X("low:Q"), x2="high")
    dot = base.mark_point(filled=True, size=64).encode(x=x)
    drawn = layered(nothing, interval, dot, width=_WIDTH, height=alt.Step(STEP))
    return styled(drawn, title=title, subtitle=subtitle)
