"""The chart of an audit: on the left each factor's share of the variance of decisions, on the right the mean decision
under each of its levels."""

from typing import Final

import altair as alt
import polars as pl

from ostrom.charts.forms import interval_and_figure
from ostrom.charts.render import STEP, estimate_tooltips, label_axis, layered, side_by_side, styled
from ostrom.games.audit.effects import Audit

COMBINATIONS: Final = "in combination"
NOISE: Final = "noise"
ROW_STEP: Final = STEP + 5
MIN_REACH: Final = 0.1
"""The least extent of the axis of means to either side, so that small differences look small."""
SIGNIFICANT_COLOUR: Final = "#0072b2"
OTHER_COLOUR: Final = "#8a8f98"


def audit_chart(audit: Audit, *, title: str, subtitle: str = "", aspect: str = "decision") -> alt.HConcatChart:
    """Return the shares with their intervals and the means of levels; factors that are not significant are grey."""
    rows = _rows(audit)
    names = rows["name"].to_list()
    left = _shares(rows, names)
    right = _means(audit, names, aspect)
    note = "Blue: distinguishable from chance. Lines: 95% intervals. Right: mean decision under each level."
    return styled(side_by_side(left, right, spacing=22), title=title, subtitle=f"{subtitle} {note}".strip())


def _rows(audit: Audit) -> pl.DataFrame:
    parts = [(factor.name, factor.share, factor.is_significant(len(audit.factors))) for factor in audit.factors]
    parts += [(COMBINATIONS, audit.combinations, False), (NOISE, audit.noise, False)]
    return pl.DataFrame(
        [
            {
                "name": name,
                "value": share.value or 0.0,
                "low": share.low if share.low is not None else share.value or 0.0,
                "high": share.high if share.high is not None else share.value or 0.0,
                "figure": "–" if share.value is None else _percent(share.value),
                "colour": SIGNIFICANT_COLOUR if is_significant else OTHER_COLOUR,
            }
            for name, share, is_significant in parts
        ]
    ).with_columns(pl.max_horizontal("value", "high", pl.lit(0.0)).alias("edge"))


def _percent(value: float) -> str:
    whole = round(100 * value)
    return f"−{-whole}%" if whole < 0 else f"{whole}%"


def _shares(rows: pl.DataFrame, names: list[str]) -> alt.LayerChart:
    base = alt.Chart(rows).encode(y=label_axis(names, "name"))
    x = alt.X("value:Q", title="share of variance", axis=alt.Axis(format="~%", tickCount=6), scale=alt.Scale(nice=True))
    tooltips = [alt.Tooltip("name:N", title="factor"), *estimate_tooltips("share", ".1%")]
    colour = alt.Color("colour:N", scale=None)
    bar = base.mark_bar(height={"band": 0.5}).encode(x=x, color=colour, tooltip=tooltips)
    return layered(bar, *interval_and_figure(base), width=330, height=alt.Step(ROW_STEP))


def _means(audit: Audit, names: list[str], aspect: str) -> alt.LayerChart:
    """Draw every level as a dot; only the highest and the lowest have their names, which never overlap."""
    rows = [
        (
            factor.name,
            level.name,
            level.mean,
            level.answers,
            level.name if place == 0 else "",
            level.name if place == len(factor.levels) - 1 and place else "",
            SIGNIFICANT_COLOUR if factor.is_significant(len(audit.factors)) else OTHER_COLOUR,
        )
        for factor in audit.factors
        for place, level in enumerate(factor.levels)
    ]
    schema = {"name": pl.String, "level": pl.String, "mean": pl.Float64, "answers": pl.Int64}
    frame = pl.DataFrame(rows, schema=schema | dict.fromkeys(("high", "low", "colour"), pl.String), orient="row")
    base = alt.Chart(frame).encode(y=label_axis(names, "name", names=False))
    means = [audit.mean, *frame["mean"].to_list()]
    ends = [max(0.0, min(*means, audit.mean - MIN_REACH)), min(1.0, max(*means, audit.mean + MIN_REACH))]
    scale = alt.Scale(zero=False, nice=True, padding=44, domain=ends)
    x = alt.X("mean:Q", title=f"mean {aspect}", axis=alt.Axis(format="~%", tickCount=5), scale=scale)
    dots = base.mark_point(filled=True, size=60, opacity=0.9).encode(
        x=x,
        color=alt.Color("colour:N", scale=None),
        tooltip=[alt.Tooltip("level:N"), alt.Tooltip("mean:Q", title=aspect, format=".1%"), alt.Tooltip("answers:Q")],
    )
    right = base.mark_text(align="left", baseline="middle", dx=8).encode(x=x, text=alt.Text("high:N"))
    left = base.mark_text(align="right", baseline="middle", dx=-8).encode(x=x, text=alt.Text("low:N"))
    return layered(dots, right, left, width=250, height=alt.Step(ROW_STEP))
