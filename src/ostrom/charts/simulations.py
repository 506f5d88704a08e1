"""Charts of simulations: tournaments, best responses, equilibria, and searches for rules."""

from collections.abc import Sequence
from typing import Any, Final

import altair as alt
import polars as pl

from ostrom.charts.cells import dark_cells
from ostrom.charts.drawings import drawing
from ostrom.charts.families import Cast
from ostrom.charts.forms import SHADES, bars
from ostrom.charts.palette import COLOURS, INK, SOFT, built_in_of
from ostrom.charts.render import LINES_HEIGHT, STEP, WIDTH, estimate_tooltips, label_axis, layered, side_by_side, styled
from ostrom.charts.words import ends, figures, share
from ostrom.core.estimates import Estimate
from ostrom.core.finding import Finding
from ostrom.core.text import clean
from ostrom.journal.names import PlayerNames

# Best responses.


_WIDTH = 520


@drawing
def gains_chart(
    players: Sequence[str], gains: Sequence[Estimate], *, title: str, subtitle: str, unit: str
) -> alt.LayerChart:
    """Draw a row for each player. The gain is a dot with its interval. Rows whose interval includes 0 are pale."""
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
    layers = layered(nothing, interval, dot, width=_WIDTH, height=alt.Step(STEP))
    return styled(layers, title=title, subtitle=subtitle)


# Equilibria.


@drawing
def equilibrium_map(
    frame: pl.DataFrame, rows: Sequence[str], columns: Sequence[str], *, symmetric: bool
) -> alt.LayerChart | alt.HConcatChart:
    """Draw the probabilities of actions. The table has `equilibrium`, `side`, `action`, `probability` and `payoff`. If
    both sides have the same actions and all equilibria are symmetric, only one side is drawn."""
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
    both = side_by_side(left, _side(theirs, columns, "column player"), spacing=30)
    return styled(both, title=title, subtitle=subtitle)


def _side(frame: pl.DataFrame, actions: Sequence[str], who: str) -> alt.LayerChart:
    labels = [clean(name) for name in actions]
    labels_by_action = dict(zip(actions, labels, strict=True))
    rows = frame.with_columns(
        pl.Series("column", [labels_by_action[name] for name in frame["action"]], dtype=pl.String),
        pl.Series("row", [f"{n} · earns {payoff:.3g}" for n, payoff in frame["equilibrium", "payoff"].iter_rows()]),
        pl.Series(
            "words",
            [f"{100 * probability:.1f}%" if probability > 0 else "" for probability in frame["probability"]],
            dtype=pl.String,
        ),
        pl.Series("dark", dark_cells(frame["probability"], SHADES), dtype=pl.Boolean),
    )
    order = list(dict.fromkeys(rows["row"]))
    angle = -35 if max(map(len, labels), default=0) > 7 else 0
    axis = alt.Axis(grid=False, orient="top", labelAngle=angle, labelOverlap=False)
    x = alt.X("column:N", title=who, sort=None, scale=alt.Scale(domain=labels), axis=axis)
    colour = alt.Color("probability:Q", scale=alt.Scale(domain=list(SHADES), range=list(SHADES.values())), legend=None)
    tips = [alt.Tooltip("column:N", title="action"), alt.Tooltip("probability:Q", format=".2%")]
    base = alt.Chart(rows).encode(x=x, y=label_axis(order, "row"))
    layers = [base.mark_rect(stroke="#ffffff", strokeWidth=1.5).encode(color=colour, tooltip=tips)]
    for dark, ink in ((True, "#ffffff"), (False, INK)):
        part = rows.filter(pl.col("dark") == dark)
        if len(part):
            layers.append(alt.Chart(part).mark_text(color=ink).encode(x=x, y=label_axis(order, "row"), text="words:N"))
    return layered(*layers, width=alt.Step(62), height=alt.Step(30))


# Searches for rules.


_FRONT: Final = "#2f7f93"
_BEFORE: Final = COLOURS["Claude"]
_ROLES: Final = {"candidates": SOFT, "front": _FRONT, "rules as they were": _BEFORE}
_PANEL: Final = 300
_PANELS: Final = {"seen": "Players of the search, unseen games", "held_out": "Held-out players, unseen games"}


@drawing
def pareto_front(tried: pl.DataFrame, tested: pl.DataFrame, aims: Sequence[str], *, note: str = "") -> alt.HConcatChart:
    """Draw the candidates that no other candidate exceeds in both aims, with the intervals of both aims. One chart
    shows the results with the players of the search, and all candidates. The other chart shows the results with the
    held-out players. `tried` has a column for each aim, and `rules` in words. `tested` has `number` (0 for the original
    rules), `players`, `rules`, and three columns for each aim: its value, and the ends of its interval as AIM_low and
    AIM_high."""
    panels = [
        _panel(tried if group == "seen" else tried.clear(), tested.filter(pl.col("players") == group), aims, words)
        for group, words in _PANELS.items()
    ]
    count = tested["number"].n_unique() - 1
    points = "One set of rules is" if count == 1 else f"{count} sets of rules are"
    layers = side_by_side(*panels, spacing=34)
    return styled(
        layers,
        title=f"{points} on the front of {aims[0]} and {aims[1]}",
        subtitle=f"{note} Crosses: 95% intervals over tables. Grey: the candidates of the search, each in the few "
        "games that it was given there. Numbers are those of the table, the best in the first aim first.",
    )


def _panel(tried: pl.DataFrame, tested: pl.DataFrame, aims: Sequence[str], words: str) -> alt.LayerChart:
    across, up = aims
    before, front = list(_ROLES)[2], list(_ROLES)[1]
    rows = tested.with_columns(
        role=pl.when(pl.col("number") == 0).then(pl.lit(before)).otherwise(pl.lit(front)),
        said=pl.when(pl.col("number") == 0).then(pl.lit("")).otherwise(pl.col("number").cast(pl.String)),
    )
    x, y = _axis(alt.X, across), _axis(alt.Y, up)
    colour = alt.Color("role:N", scale=alt.Scale(domain=list(_ROLES), range=list(_ROLES.values())), legend=alt.Legend())
    tips = [
        alt.Tooltip("rules:N"),
        *(
            alt.Tooltip(f"{aim}{end}:Q", title=f"{aim}{word}", format=".4~g")
            for aim in aims
            for end, word in (("", ""), ("_low", ", from"), ("_high", ", to"))
        ),
    ]
    base = alt.Chart(rows).encode(color=colour, tooltip=tips)
    layers = [
        base.mark_rule(strokeWidth=1.3, opacity=0.55).encode(x=_axis(alt.X, across, "_low"), x2=f"{across}_high", y=y),
        base.mark_rule(strokeWidth=1.3, opacity=0.55).encode(x=x, y=_axis(alt.Y, up, "_low"), y2=f"{up}_high"),
        base.mark_point(filled=True, size=70, opacity=1).encode(x=x, y=y),
        alt.Chart(rows).mark_text(align="left", dx=8, dy=-8, color=INK, fontWeight=600).encode(x=x, y=y, text="said:N"),
    ]
    if len(tried):
        dots = alt.Chart(tried.with_columns(role=pl.lit("candidates"))).mark_circle(size=22, opacity=0.45)
        layers.insert(0, dots.encode(x=x, y=y, color=colour, tooltip=[alt.Tooltip("rules:N"), *_values(aims)]))
    title = alt.TitleParams(words, fontSize=12, fontWeight="normal")
    return layered(*layers, width=_PANEL, height=LINES_HEIGHT - 60, title=title)


@drawing
def candidates_over(tried: pl.DataFrame, factor: str, aim: str, *, best: Any, note: str = "") -> alt.LayerChart:
    """Draw each candidate's value of one aim over one of the rules that vary. A line marks the best candidate."""
    numeric = tried.schema[factor].is_numeric()
    rows = tried if numeric else tried.with_columns(pl.col(factor).cast(pl.String))
    title = factor.replace("_", " ")
    x = _axis(alt.X, factor, title=title) if numeric else alt.X(f"{factor}:N", title=title, axis=alt.Axis(labelAngle=0))
    dots = (
        alt.Chart(rows)
        .mark_circle(size=34, opacity=0.6, color=_FRONT)
        .encode(x=x, y=_axis(alt.Y, aim), tooltip=[alt.Tooltip("rules:N"), *_values([aim])])
    )
    points = alt.Chart(pl.DataFrame({factor: [best if numeric else str(best)]}))
    line = points.mark_rule(strokeDash=[4, 3], color=_BEFORE).encode(x=x)
    value_text = f"{best:.3g}" if numeric else str(best)
    return styled(
        layered(dots, line, width=WIDTH, height=300),
        title=f"The search for {aim} chose {title} {value_text}",
        subtitle=f"{note} A dot for each candidate, all other rules that vary at values of their own.",
    )


def _axis(kind: Any, name: str, end: str = "", title: str = "") -> Any:
    axis = alt.Axis(format=".4~g", tickCount=7)
    return kind(f"{name}{end}:Q", title=title or name.replace("_", " "), scale=alt.Scale(zero=False), axis=axis)


def _values(aims: Sequence[str]) -> list[alt.Tooltip]:
    return [alt.Tooltip(f"{aim}:Q", title=f"{aim}, in the search", format=".4~g") for aim in aims]


def win_bars(finding: Finding) -> alt.LayerChart:
    """Draw the share of its games that each player won."""
    frame, cast = _bars_of(finding, "win_rate")
    return win_chart(frame, cast, subtitle=_subtitle(finding))


@drawing
def win_chart(frame: pl.DataFrame, cast: Cast, *, subtitle: str) -> alt.LayerChart:
    """Draw shares of wins, from a table with `player`, `value`, `low` and `high`."""
    unit = share("wins, ties shared")
    title = ends(frame, cast, unit).filled("{first} wins most often, {high} of its games", "All players win as often")
    return styled(bars(frame, cast, unit=unit), title=title, subtitle=f"{subtitle} Lines: 95% intervals.")


def final_bars(finding: Finding) -> alt.LayerChart:
    """Draw the mean final of each player."""
    assert finding.game is not None
    frame, cast = _bars_of(finding, "mean")
    higher = finding.game.better == "higher"
    return final_chart(frame, cast, unit=finding.game.unit, higher=higher, subtitle=_subtitle(finding))


@drawing
def final_chart(frame: pl.DataFrame, cast: Cast, *, unit: str, higher: bool, subtitle: str) -> alt.LayerChart:
    """Draw mean finals, from a table with `player`, `value`, `low` and `high`. If `higher`, the highest final is the
    best."""
    counted = figures(frame, f"mean {unit}".strip(), mean=True)
    ahead = "{first} ends with most, {high} on average" if higher else "{last} ends with least, {low}"
    title = ends(frame, cast, counted).filled(ahead, "All players end with the same")
    picture = bars(frame, cast, unit=counted, ascending=not higher)
    return styled(picture, title=title, subtitle=f"{subtitle} Lines: 95% intervals.")


def _bars_of(finding: Finding, measure: str) -> tuple[pl.DataFrame, Cast]:
    """Return a table of the players with one measure of the standings, and the players' looks."""
    assert finding.game is not None
    standings = finding.tables["standings"].rename({"games": "n"})
    names = standings["player"].unique(maintain_order=True).to_list()
    cast = Cast.named(names, PlayerNames.of_players(names), built_in_of(finding.game.name) or names)
    return standings.filter(pl.col("measure") == measure).drop_nulls("value"), cast


def _subtitle(finding: Finding) -> str:
    """Return a subtitle with the number of games, the tables and the seed."""
    return finding.summary.partition(" players, ")[2].partition(". ")[0].rstrip(".") + "."
