"""How one player fared, game after game."""

import altair as alt
import polars as pl

from ostrom.charts.families import Cast
from ostrom.charts.render import WIDTH, styled
from ostrom.charts.together import layered
from ostrom.charts.words import figures

_STRETCH = 20
"""Games of which the line is the mean; of fewer games in all, a quarter of them."""


def player_course(frame: pl.DataFrame, cast: Cast, player: str, *, unit: str) -> alt.LayerChart:
    """Every game of a player as a dot, of a table with `number`, `game`, `final` and `rank`, and the mean of as many
    games before and up to each as a line."""
    rows = frame.drop_nulls("final").sort("number").with_row_index("place", offset=1)
    stretch = max(2, min(_STRETCH, rows.height // 4))
    shown = cast.dressed(rows.with_columns(pl.lit(player).alias("player"))).with_columns(
        mean=pl.col("final").cast(pl.Float64).rolling_mean(stretch, min_samples=stretch)
    )
    face = cast.faces[player]
    named = figures(rows.rename({"final": "value"}), f"final {unit}".strip())
    axis = alt.Axis(grid=False, format="d", tickMinStep=1, tickCount=10)
    x = alt.X("place:Q", title="its games, in the order of the journal", axis=axis, scale=alt.Scale(nice=False))
    y = alt.Y("final:Q", title=named.name, axis=alt.Axis(format=named.axis, tickCount=6))
    base = alt.Chart(shown).encode(x=x)
    told = [
        alt.Tooltip("game:N"),
        alt.Tooltip("place:Q", title="its game"),
        alt.Tooltip("final:Q", title=named.name, format=named.precise),
        alt.Tooltip("rank:Q", title="rank", format=".3~g"),
    ]
    dots = base.mark_circle(color=face.colour, size=26, opacity=0.45).encode(y=y, tooltip=told)
    line = base.mark_line(strokeWidth=2.2, color=face.colour).encode(y=alt.Y("mean:Q"))
    middle = named.say(float(rows["final"].median()))  # type: ignore[arg-type]
    return styled(
        layered(dots, line, width=WIDTH, height=260),
        title=f"Half of {face.label}'s {rows.height} games end with {middle} or more" + (f" {unit}" if unit else ""),
        subtitle=f"A dot is a game; the line is the mean of the {stretch} games up to it.",
    )
