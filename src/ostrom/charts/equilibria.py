"""Equilibria side by side: a row for each, a field for each action, darker the more often it is chosen."""

from collections.abc import Sequence

import altair as alt
import polars as pl

from ostrom.charts.forms import SHADES
from ostrom.charts.render import INK, label_axis, styled
from ostrom.charts.together import beside, layered
from ostrom.core.text import clean


def equilibrium_map(
    frame: pl.DataFrame, rows: Sequence[str], columns: Sequence[str], *, symmetric: bool
) -> alt.LayerChart | alt.HConcatChart:
    """The probabilities of a table with `equilibrium`, `side`, `action`, `probability` and `payoff`. Where both sides
    have the same actions and all equilibria are symmetric, one side is drawn."""
    count = frame["equilibrium"].n_unique()
    title = (
        f"The game has {count} {'equilibrium' if count == 1 else 'equilibria'}" if count else "No equilibrium was found"
    )
    subtitle = "Fields: the probability of each action. Figures behind the numbers: what the side earns."
    mine, theirs = (frame.filter(pl.col("side") == side) for side in ("row", "column"))
    alike = mine["probability"].to_list() == theirs["probability"].to_list() if symmetric else False
    left = _side(mine, rows, "row player" if not alike else "every player")
    if alike:
        return styled(left, title=title, subtitle=subtitle)
    both = beside(left, _side(theirs, columns, "column player"), spacing=30)
    return styled(both, title=title, subtitle=subtitle)


def _side(frame: pl.DataFrame, actions: Sequence[str], who: str) -> alt.LayerChart:
    labels = [clean(name) for name in actions]
    said = dict(zip(actions, labels, strict=True))
    shown = frame.with_columns(
        pl.Series("column", [said[name] for name in frame["action"]], dtype=pl.String),
        pl.Series("row", [f"{n} · earns {paid:.3g}" for n, paid in frame["equilibrium", "payoff"].iter_rows()]),
        pl.Series("words", [f"{100 * one:.1f}%" if one > 0 else "" for one in frame["probability"]], dtype=pl.String),
        dark=pl.col("probability") > 0.6,
    )
    order = list(dict.fromkeys(shown["row"]))
    angle = -35 if max(map(len, labels), default=0) > 7 else 0
    axis = alt.Axis(grid=False, orient="top", labelAngle=angle, labelOverlap=False)
    x = alt.X("column:N", title=who, sort=None, scale=alt.Scale(domain=labels), axis=axis)
    colour = alt.Color("probability:Q", scale=alt.Scale(domain=list(SHADES), range=list(SHADES.values())), legend=None)
    tips = [alt.Tooltip("column:N", title="action"), alt.Tooltip("probability:Q", format=".2%")]
    base = alt.Chart(shown).encode(x=x, y=label_axis(order, "row"))
    drawn = [base.mark_rect(stroke="#ffffff", strokeWidth=1.5).encode(color=colour, tooltip=tips)]
    for dark, ink in ((True, "#ffffff"), (False, INK)):
        part = shown.filter(pl.col("dark") == dark)
        if len(part):
            drawn.append(alt.Chart(part).mark_text(color=ink).encode(x=x, y=label_axis(order, "row"), text="words:N"))
    return layered(*drawn, width=alt.Step(62), height=alt.Step(30))
