"""The card of a subject: six panels in one picture, wide enough for a slide. Two panels show preferences: the discount
curve and the Marschak–Machina triangle. Four show behaviour in games: accepted offers, returns, guesses and claims."""

from collections.abc import Callable, Mapping
from typing import Any, Final, NamedTuple

import altair as alt
import polars as pl

from ostrom.charts.palette import COLOURS
from ostrom.charts.render import layered, side_by_side, stacked, styled, wrapped
from ostrom.core.text import clean
from ostrom.games.battery.charts import data
from ostrom.games.battery.charts.boards import PEOPLE, panel_title
from ostrom.games.battery.scores.cooperation import LEVELS, neighbourhood
from ostrom.games.battery.scores.score import Code, Score
from ostrom.games.battery.scores.table import DEFINITIONS, HUMAN, PooledPeople, SubjectScores

WIDTH: Final = 252
HEIGHT: Final = 190
"""The size of a panel."""
OWN: Final = COLOURS["Gemini"]
"""The colour of the subject's own answers."""
QUIET: Final = "#8a8f98"
THEORIES: Final = {"exponential": COLOURS["Gemini"], "quasi-hyperbolic": COLOURS["GPT"], "hyperbolic": "#b5609a"}
STAKES: Final = ("#a9b4c4", "#7c8797", "#4f5a6b")
"""The colours of amounts, from the smallest amount to the largest."""
_PEOPLE: Final = "people"
_POINTS_LEGEND: Final = "dark: more at stake; hollow: nothing is paid today"
_BIN_WIDTH: Final = 2
_COLUMNS: Final = 3

PanelContent = tuple[list[alt.Chart], str]
"""The layers of a panel, and the panel's subtitle."""


def _axis(
    kind: Any, column: str, title: str, domain: list[float], values: list[float], form: Any = alt.Undefined, **more: Any
) -> Any:
    scale = alt.Scale(domain=domain, nice=False)
    return kind(f"{column}:Q", title=title, scale=scale, axis=alt.Axis(values=values, format=form, **more))


def _percent_x(column: str, title: str) -> Any:
    return _axis(alt.X, column, title, [-2, 102], [0, 25, 50, 75, 100], grid=False)


def _percent_y(column: str, title: str) -> Any:
    return _axis(alt.Y, column, title, [-3, 103], [0, 25, 50, 75, 100])


def _tooltip(*names: str) -> list[alt.Tooltip]:
    return [alt.Tooltip(f"{name}:Q", format=".3~f") for name in names]


def _people(name: str) -> float:
    """Return the human value of a score whose source gives a single value."""
    value = HUMAN[name].value
    assert value is not None
    return value


def human_line(value: float, label: str, *, upright: bool) -> list[alt.Chart]:
    """Return the human value as a labelled line across a panel. If `upright`, the line is vertical, at a value of x;
    otherwise it is horizontal, at a value of y."""
    mark = pl.DataFrame({"people": [value], "said": [label]})
    rule = alt.Chart(mark).mark_rule(color=PEOPLE, strokeWidth=1.8, strokeDash=[5, 3])
    words = alt.Chart(mark)
    if upright:
        words = words.mark_text(color=PEOPLE, fontSize=10, align="left", dx=4, baseline="bottom")
        return [
            rule.encode(x=alt.X("people:Q")),
            words.encode(x=alt.X("people:Q"), y=alt.value(HEIGHT - 8), text=alt.Text("said:N")),
        ]
    words = words.mark_text(color=PEOPLE, fontSize=10, align="left", dy=-3, baseline="bottom")
    return [
        rule.encode(y=alt.Y("people:Q")),
        words.encode(y=alt.Y("people:Q"), x=alt.value(3), text=alt.Text("said:N")),
    ]


def _discounting(subject: SubjectScores, points: pl.DataFrame) -> PanelContent:
    """Draw indifference points by delay, and every fitted discount function. The function with the lowest BIC is
    bold."""
    curves, longest = data.discount_curves(subject), data.longest_delay(subject)
    years: list[float] = [12 * year for year in range(0, int(longest / 12) + 1, 1 + int(longest / 72))]
    x = _axis(alt.X, "months", "delay in months", [0, longest], years, ",~f", grid=True)
    y = _axis(alt.Y, "ratio", _POINTS_LEGEND, [0, 1.02], [0, 0.5, 1], "%", grid=True)
    amounts = sorted(points["amount"].unique())
    stakes = {amount: STAKES[min(place, len(STAKES) - 1)] for place, amount in enumerate(amounts)}
    coloured = points.with_columns(
        pl.Series("ink", [stakes[amount] for amount in points["amount"]], dtype=pl.String), now=pl.col("front") == 0
    )
    base = alt.Chart(coloured).encode(x=x, y=y, tooltip=_tooltip("amount", "months", "front", "ratio"))
    ink: Any = alt.Color("ink:N", scale=None)
    later = base.transform_filter("!datum.now").mark_point(size=16, strokeWidth=0.9, opacity=0.75).encode(color=ink)
    now = base.transform_filter("datum.now").mark_point(size=30, filled=True, opacity=1).encode(color=ink)
    theories = [theory for theory in THEORIES if theory in set(curves["theory"])]
    people = pl.DataFrame(
        [(_PEOPLE, float(month), _people("delta") ** (month / 12), False) for month in range(int(longest) + 1)],
        schema=["theory", "months", "ratio", "best"],
        orient="row",
    )
    legend = alt.Legend(
        symbolType="stroke", symbolStrokeWidth=3, symbolSize=140, columns=2, columnPadding=8, offset=4, labelFontSize=10
    )
    inks = alt.Scale(domain=[*theories, _PEOPLE], range=[*(THEORIES[theory] for theory in theories), PEOPLE])
    lines = (
        alt.Chart(pl.concat([curves.select("theory", "months", "ratio", "best"), people]))
        .mark_line(clip=True)
        .encode(
            x=x,
            y=y,
            color=alt.Color("theory:N", scale=inks, legend=legend),
            strokeWidth=alt.condition("datum.best", alt.value(3), alt.value(1.3)),
            strokeDash=alt.condition(f"datum.theory == '{_PEOPLE}'", alt.value([5, 3]), alt.value([1, 0])),
        )
    )
    return [later, now, lines], _fit_words(subject)


def _fit_words(subject: SubjectScores) -> str:
    time = subject.time
    if time is None or time.fault is not None:
        return _no_score(None if time is None else time.fault)
    best = time.best
    if best is None:
        return f"δ = {_format_score(time.delta.score, 2)} by least squares of the points"
    names = {"exponential": ("δ",), "quasi-hyperbolic": ("β", "δ"), "hyperbolic": ("k",)}[best.model]
    parameters = ", ".join(
        f"{name} = {_format_score(score, 2)}" for name, score in zip(names, best.parameters, strict=True)
    )
    return f"{best.model} fits best: {parameters}"


def _no_score(fault: Score | None) -> str:
    return f"no score: {clean('' if fault is None else fault.reason or '', 90)}"


def _triangle(subject: SubjectScores, points: pl.DataFrame) -> PanelContent:
    """Draw every reference lottery, connected to the lottery on an axis that the subject values equally. Also draw the
    parallel lines of expected utility that are closest to these lotteries."""
    assert subject.risk is not None
    m = subject.risk.errors.m
    edges = pl.DataFrame({"x": [0.0, 1.0, 0.0, 0.0], "y": [0.0, 0.0, 1.0, 0.0], "corner": [0, 1, 2, 3]})
    # Both axes have the same scale, so that equal expected values have a slope of 1.
    x = _axis(alt.X, "x", "chance of 0", [-0.03, 1.06 * WIDTH / HEIGHT - 0.03], [0, 0.5, 1], "%", grid=False)
    y = _axis(alt.Y, "y", "chance of 1000", [-0.03, 1.03], [0, 0.5, 1], "%", grid=False)
    outline = alt.Chart(edges).mark_line(color=QUIET, strokeWidth=1.4).encode(x=x, y=y, order=alt.Order("corner:Q"))
    base = alt.Chart(points)
    titles = {"x": "chance of 0", "y": "chance of 1000", "x2": "as good: of 0", "y2": "of 1000"}
    tooltip = [alt.Tooltip(f"{name}:Q", title=title, format=".1%") for name, title in titles.items()]
    links = base.mark_rule(color=QUIET, strokeWidth=0.8, opacity=0.5).encode(
        x=x, y=y, x2=alt.X2("x2:Q"), y2=alt.Y2("y2:Q")
    )
    reference = base.mark_point(filled=True, size=13, color=QUIET, opacity=0.9).encode(x=x, y=y, tooltip=tooltip)
    equivalents = base.mark_point(filled=True, size=26, color=OWN, opacity=0.85).encode(
        x=alt.X("x2:Q", title="chance of 0"), y=alt.Y("y2:Q", title="chance of 1000"), tooltip=tooltip
    )
    layers = [links, outline]
    if m is not None:
        lines = alt.Chart(data.triangle_lines(m))
        layers.append(
            lines.mark_rule(color=OWN, strokeWidth=1.8, opacity=0.8).encode(
                x=x, y=y, x2=alt.X2("x2:Q"), y2=alt.Y2("y2:Q")
            )
        )
    subtitle = _no_score(subject.risk.fault)
    if subject.risk.fault is None and m is not None:
        error = _format_score(subject.risk.errors.expected_utility.score, 1)
        subtitle = f"lines: the closest expected utility, m = {m:.2f}; Err_EU {error}"
    return [*layers, reference, equivalents], subtitle


def _acceptance(subject: SubjectScores, frame: pl.DataFrame) -> PanelContent:
    """Draw the share of accepted offers with its isotonic curve, the minimum acceptable offer, and the offer that the
    subject itself makes."""
    x, base = _percent_x("offer", "offer, in percent of the pot"), alt.Chart(frame)
    least = subject.scores["minimum_acceptable"]
    isotonic, accepted = (_percent_y(column, "accepted, %") for column in ("isotonic", "accepted"))
    layers = human_line(_people("offer"), "people offer 40", upright=True)
    if least.value is not None:
        mark = alt.Chart(pl.DataFrame({"offer": [least.value], "accepted": [50.0]}))
        diamond = mark.mark_point(shape="diamond", filled=True, size=110, color=OWN, opacity=1)
        layers.append(mark.mark_rule(strokeWidth=1.2, color=OWN).encode(x=alt.X("offer:Q")))
        layers.append(diamond.encode(x=alt.X("offer:Q"), y=accepted))
    layers.append(base.mark_line(color=OWN, strokeWidth=2.4, interpolate="linear").encode(x=x, y=isotonic))
    dots = base.mark_point(filled=True, size=34, color=OWN, opacity=1)
    layers.append(dots.encode(x=x, y=accepted, tooltip=_tooltip("offer", "accepted", "n")))
    own = _format_score(subject.scores["offer"], 0, " %")
    return layers, f"minimum acceptable offer (diamond): {_format_score(least, 0, ' %')}; own offer {own}"


def _returns(subject: SubjectScores, frame: pl.DataFrame) -> PanelContent:
    """Draw the returned share by the share sent, with the return at which the sender breaks even."""
    x, base = _percent_x("sent", "sent, in percent of the endowment"), alt.Chart(frame)
    y = _percent_y("returned", "returned, % of what was received")
    even = alt.Chart(pl.DataFrame({"returned": [data.even_return(subject)], "said": ["here the sender breaks even"]}))
    words = even.mark_text(color=QUIET, fontSize=10, align="right", baseline="top", dy=4)
    layers = [
        even.mark_rule(color=QUIET, strokeWidth=1).encode(y=alt.Y("returned:Q")),
        words.encode(y=alt.Y("returned:Q"), x=alt.value(WIDTH - 3), text=alt.Text("said:N")),
        *human_line(_people("reciprocity"), "people return 37 %", upright=False),
        *_line_with_dots(base, x, y, 46, "sent", "returned", "n"),
    ]
    sends, returns = (_format_score(subject.scores[name], 0, " %") for name in ("trust", "reciprocity"))
    return layers, f"sends {sends}, returns {returns}"


def _line_with_dots(base: alt.Chart, x: Any, y: Any, size: int, *columns: str) -> list[alt.Chart]:
    dots = base.mark_point(filled=True, size=size, color=OWN, opacity=1)
    line = base.mark_line(color=OWN, strokeWidth=2.4)
    return [line.encode(x=x, y=y), dots.encode(x=x, y=y, tooltip=_tooltip(*columns))]


def _guesses(subject: SubjectScores, frame: pl.DataFrame) -> PanelContent:
    """Draw the distribution of guesses over Nagel's neighbourhoods of levels 0 to 3."""
    p, middle = (float(frame[name][0]) for name in ("p", "middle"))
    bands = pl.DataFrame(
        [(str(level), *neighbourhood(level, p, middle), middle * p**level) for level in range(LEVELS)],
        schema=["level", "low", "high", "middle"],
        orient="row",
    )
    binned = (
        frame.with_columns(((pl.col("guess") / _BIN_WIDTH).floor() * _BIN_WIDTH).alias("from"))
        .group_by("from")
        .agg(pl.len().alias("n"))
        .with_columns((pl.col("from") + _BIN_WIDTH).alias("to"), share=100 * pl.col("n") / pl.col("n").sum())
        .sort("from")
    )
    scale = alt.Scale(domain=[0, 2 * middle + _BIN_WIDTH], nice=False)
    x = alt.X("from:Q", title="guess", scale=scale, axis=alt.Axis(tickCount=5, grid=False))
    top = float(binned["share"].max())  # type: ignore[arg-type]
    heights = alt.Scale(domain=[0, 1.16 * top], nice=False)
    y = alt.Y("share:Q", title="guesses, %", scale=heights, axis=alt.Axis(tickCount=4))
    levels, bars = alt.Chart(bands), alt.Chart(binned).mark_rect(color=OWN, opacity=0.95)
    numbers = levels.mark_text(baseline="top", fontSize=10, opacity=0.8)
    rule, words = human_line(_people("guess"), "people 36.7", upright=True)
    layers = [
        levels.mark_rect(opacity=0.2, color=QUIET).encode(x=alt.X("low:Q", scale=scale), x2=alt.X2("high:Q")),
        numbers.encode(x=alt.X("middle:Q", scale=scale), y=alt.value(2), text=alt.Text("level:N")),
        bars.encode(x=x, x2=alt.X2("to:Q"), y=y, y2=alt.datum(0), tooltip=["from:Q", "to:Q", "n:Q"]),
        rule,
        # This label is below the numbers of the levels and above most bars.
        words.encode(y=alt.value(28)),
    ]
    depth, published = subject.words["depth"].value or "at no level", subject.words["depth_published"].value
    published = f" (as published: {published})" if published else ""
    return layers, f"mean {_format_score(subject.scores['guess'], 1)}, {depth}{published}; grey: Nagel's levels 0 to 3"


_MOVES: Final = {
    "as predicted": "falls with the bonus, as theory says",
    "against": "rises with the bonus, against theory",
    "flat": "does not change with the bonus",
    "undecided": "no clear change with the bonus",
}


def _claims(subject: SubjectScores, frame: pl.DataFrame) -> PanelContent:
    """Draw the mean and range of claims at each bonus."""
    means = (
        frame.group_by("bonus")
        .agg(claim=pl.col("claim").mean(), low=pl.col("claim").min(), high=pl.col("claim").max(), n=pl.len())
        .sort("bonus")
    )
    bonuses = means["bonus"].to_list()
    x = alt.X(
        "bonus:Q",
        title="bonus for the lower claim",
        scale=alt.Scale(type="log", domain=[min(bonuses) / 1.25, max(bonuses) * 1.25], nice=False),
        axis=alt.Axis(values=bonuses, format=",~f", grid=False),
    )
    base, y = alt.Chart(means), _percent_y("claim", "claim, from 2 to 100")
    reach = base.mark_rule(color=OWN, strokeWidth=5, opacity=0.22)
    layers = [
        reach.encode(x=x, y=_percent_y("low", "claim, from 2 to 100"), y2=alt.Y2("high:Q")),
        *_line_with_dots(base, x, y, 52, "bonus", "claim", "low", "high", "n"),
    ]
    verdict, slope = subject.statics["claim"], subject.scores["claim_by_bonus"]
    trend = _MOVES[verdict] if verdict else clean(slope.reason or "asked at one bonus only", 60)
    return layers, f"mean {_format_score(subject.scores['claim'], 0)}; {trend}"


class CardPanel(NamedTuple):
    """A panel of the card."""

    title: str
    score: str
    """The name of a score of the panel's task. The code of this score says whether the task was asked, and its reason
    says why the panel is empty."""
    table: Callable[[SubjectScores], pl.DataFrame]
    draw: Callable[[SubjectScores, pl.DataFrame], PanelContent]
    nothing: str
    """The reason that an empty panel shows if the score has no reason of its own."""

    def chart(self, subject: SubjectScores) -> alt.LayerChart:
        """Return the panel of a subject, or the reason why it is empty."""
        frame = self.table(subject)
        if not len(frame):
            return empty_panel(self.title, subject.scores[self.score].reason or self.nothing)
        layers, subtitle = self.draw(subject, frame)
        title = panel_title(self.title, subtitle, lines=2, offset=6)
        return layered(*layers, width=WIDTH, height=HEIGHT, title=title)


_NO_POINT: Final = "there is no indifference point"
PANELS: Final[Mapping[str, CardPanel]] = {
    "discounting": CardPanel(
        "Discounting: worth of a later payment", "delta", data.discount_points, _discounting, _NO_POINT
    ),
    "triangle": CardPanel("Risk: the Marschak–Machina triangle", "err_eu", data.triangle_points, _triangle, _NO_POINT),
    "acceptance": CardPanel(
        "Ultimatum: which offers are accepted", "fairness", data.acceptance, _acceptance, "no offer was answered"
    ),
    "returns": CardPanel(
        "Trust: what comes back", "reciprocity", data.returns, _returns, "nothing was returned or kept"
    ),
    "guesses": CardPanel("Beauty contest: guesses", "guess", data.guesses, _guesses, "no guess was made"),
    "claims": CardPanel("Traveller: claim against bonus", "claim", data.claims, _claims, "no claim was made"),
}


def card(subject: SubjectScores, label: str) -> alt.VConcatChart:
    """Return the card of a subject, with one panel for every task that was asked. An empty panel shows the reason. The
    people of a session have no panels, since panels show the answers of one subject."""
    if isinstance(subject, PooledPeople):
        panels = [empty_panel("Means over people", subject.source)]
    else:
        asked = [panel for panel in PANELS.values() if subject.scores[panel.score].code != Code.NOT_ASKED]
        panels = [panel.chart(subject) for panel in asked]
    panels = panels or [empty_panel("The card's six tasks", "none of them was asked")]
    # Vega's own wrapping grid evaluates expressions as code, which pages forbid. So rows are explicit.
    rows = [panels[first : first + _COLUMNS] for first in range(0, len(panels), _COLUMNS)]
    resolve = alt.Resolve(scale=alt.ScaleResolveMap(color="independent", strokeWidth="independent"))
    chart = stacked(*(side_by_side(*row, spacing=76, bounds="flush") for row in rows), spacing=26, resolve=resolve)
    figures = [
        f"{DEFINITIONS[name].title} {_format_score(subject.scores[name], 0)}"
        for name in ("rationality", "social", "cooperation")
    ]
    return styled(chart, title=label, subtitle=" · ".join([*figures, *([subject.label] if subject.label else [])]))


def _format_score(score: Score, decimals: int, unit: str = "") -> str:
    if score.value is None:
        return "–"
    span = "" if score.low is None or score.high is None else f" ({score.low:z.{decimals}f}–{score.high:z.{decimals}f})"
    return f"{score.value:z.{decimals}f}{unit}{span}"


def empty_panel(title: str, reason: str) -> alt.LayerChart:
    """Return an empty panel with the reason."""
    lines = pl.DataFrame({"words": [wrapped(clean(reason, 200), 38)]}, schema={"words": pl.List(pl.String)})
    words = (
        alt.Chart(lines)
        .mark_text(fontSize=11, lineHeight=15, opacity=0.75, baseline="middle", align="center")
        .encode(text=alt.Text("words:N"), x=alt.value(WIDTH / 2), y=alt.value(HEIGHT / 2))
    )
    frame = alt.Chart(lines).mark_rect(opacity=0.06, color=QUIET)
    heading = panel_title(title, "nothing to draw", lines=2, offset=24)
    return layered(frame, words, width=WIDTH, height=HEIGHT, title=heading)
