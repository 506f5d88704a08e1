"""A field of shares: a row for each player, a column for each turn, darker where more is given."""

import altair as alt
import polars as pl

from ostrom.charts.families import Cast
from ostrom.charts.lines import last_turn
from ostrom.charts.theme import STEP, WIDTH, layered
from ostrom.charts.words import Unit

STEPS = ((0.0, "#f4e3c8"), (0.25, "#c9c77f"), (0.5, "#6fae8e"), (0.75, "#2f7f93"), (1.0, "#1b3f6b"))
"""From sand to deep blue: lightness falls all the way, so that the order is seen without the hue."""
_MOST = 60
"""Columns; longer games are drawn with several turns to a column."""
_WRITTEN = 12
"""With at most so many turns each field bears its figure."""


def heatmap(frame: pl.DataFrame, cast: Cast, *, unit: Unit) -> alt.LayerChart:
    """Fields of a table with `player`, `turn`, `value` and `n`; players by their mean, the highest first. A turn in
    which a player is not in any game stays empty."""
    width = -(-last_turn(frame) // _MOST)
    fields = (
        frame.with_columns(start=(pl.col("turn") - 1) // width * width + 1)
        .group_by("player", "start")
        .agg(value=(pl.col("value") * pl.col("n")).sum() / pl.col("n").sum(), n=pl.col("n").max())
        .with_columns(end=pl.col("start") + width - 1)
        .sort("player", "start")
    )
    rows = (
        fields.group_by("player")
        .agg(mean=(pl.col("value") * pl.col("n")).sum() / pl.col("n").sum())
        .sort(["mean", "player"], descending=[True, False])
    )
    shown = cast.dressed(fields).with_columns(
        pl.Series("words", [unit.say(value) for value in fields["value"]], dtype=pl.String),
        pl.Series("when", [_turns(first, last) for first, last in fields.select("start", "end").iter_rows()]),
        dark=pl.col("value") > 0.6,
    )
    labels = [cast.label(player) for player in rows["player"]]
    columns = sorted(fields["start"].unique().to_list())
    base = alt.Chart(shown).encode(
        x=alt.X(
            "start:O",
            title="turn" if width == 1 else f"turn, {width} to a field",
            scale=alt.Scale(domain=columns, paddingInner=0.04),
            axis=alt.Axis(labelAngle=0, values=_ticks(columns)),
        ),
        y=alt.Y(
            "label:N",
            title=None,
            sort=None,
            scale=alt.Scale(domain=labels, paddingInner=0.08),
            axis=alt.Axis(grid=False),
        ),
    )
    field = base.mark_rect().encode(
        color=alt.Color(
            "value:Q",
            scale=alt.Scale(domain=[step for step, _ in STEPS], range=[tint for _, tint in STEPS], clamp=True),
            legend=alt.Legend(
                format=".0%", values=[step for step, _ in STEPS], gradientLength=220, gradientThickness=11
            ),
        ),
        tooltip=[
            alt.Tooltip("label:N", title="player"),
            alt.Tooltip("when:N", title="turn"),
            alt.Tooltip("value:Q", title=unit.name, format=unit.precise),
            alt.Tooltip("n:Q", title="games"),
        ],
    )
    words = _words(base) if len(columns) <= _WRITTEN else []
    return layered(field, *words).properties(width=WIDTH - 60, height=alt.Step(STEP + 3))


def _turns(first: int, last: int) -> str:
    return str(first) if first == last else f"{first}–{last}"


def _ticks(columns: list[int]) -> list[int]:
    """At most some fifteen of the columns are numbered."""
    apart = -(-len(columns) // 15)
    return columns[::apart]


def _words(base: alt.Chart) -> list[alt.Chart]:
    """The figures in the cells, light on dark ones."""
    return [
        base.transform_filter(alt.datum.dark == dark)
        .mark_text(color="#ffffff" if dark else "#23272e", fontSize=10)
        .encode(text="words:N")
        for dark in (True, False)
    ]
