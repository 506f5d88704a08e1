"""The two panels of a card that show preferences: the discount curve, and the Marschak–Machina triangle."""

from typing import Any, Final

import altair as alt
import polars as pl

from ostrom.charts.families import clean
from ostrom.charts.theme import layered
from ostrom.games.battery.charts import data
from ostrom.games.battery.charts.marks import HEIGHT, OWN, PEOPLE, QUIET, STAKES, THEORIES, WIDTH, absent, card_title
from ostrom.games.battery.scores.baselines import HUMAN
from ostrom.games.battery.scores.score import Score
from ostrom.games.battery.scores.table import SubjectScores

DISCOUNTING: Final = "Discounting: worth of a later payment"
TRIANGLE: Final = "Risk: the Marschak–Machina triangle"
_PEOPLE: Final = "people"
_KEY: Final = "dark: more at stake; hollow: nothing is paid today"


def discount_panel(one: SubjectScores) -> alt.LayerChart:
    """Indifference points by delay, with every fitted discount function; the one with the least BIC is bold."""
    points = data.discount_points(one)
    time = one.rationality.time
    reason = "it was not asked" if time is None else time.reason
    if not len(points):
        return absent(DISCOUNTING, reason or "there is no indifference point")
    curves, longest = data.discount_curves(one), data.longest_delay(one)
    x = alt.X(
        "months:Q",
        title="delay in months",
        scale=alt.Scale(domain=[0, longest], nice=False),
        axis=_axis([12 * year for year in range(0, int(longest / 12) + 1, 1 + int(longest / 72))]),
    )
    y = alt.Y("ratio:Q", title=_KEY, scale=alt.Scale(domain=[0, 1.02], nice=False), axis=_axis([0, 0.5, 1], "%"))
    amounts = sorted(points["amount"].unique())
    stakes = {amount: STAKES[min(place, len(STAKES) - 1)] for place, amount in enumerate(amounts)}
    shown = points.with_columns(
        pl.Series("ink", [stakes[amount] for amount in points["amount"]], dtype=pl.String),
        pl.Series("now", [front == 0 for front in points["front"]], dtype=pl.Boolean),
    )
    tooltip = [alt.Tooltip(f"{name}:Q", format=".3~f") for name in ("amount", "months", "front", "ratio")]
    base = alt.Chart(shown).encode(x=x, y=y, tooltip=tooltip)
    ink: Any = alt.Color("ink:N", scale=None)
    later = base.transform_filter("!datum.now").mark_point(size=16, strokeWidth=0.9, opacity=0.75).encode(color=ink)
    now = base.transform_filter("datum.now").mark_point(size=30, filled=True, opacity=1).encode(color=ink)
    theories = [theory for theory in THEORIES if theory in set(curves["theory"])]
    human = HUMAN["delta"].value or 0.75
    people = pl.DataFrame(
        [(_PEOPLE, float(month), human ** (month / 12), False) for month in range(int(longest) + 1)],
        schema=["theory", "months", "ratio", "best"],
        orient="row",
    )
    lines = pl.concat([curves.select("theory", "months", "ratio", "best"), people])
    legend = alt.Legend(
        symbolType="stroke", symbolStrokeWidth=3, symbolSize=140, columns=2, columnPadding=8, offset=4, labelFontSize=10
    )
    drawn = (
        alt.Chart(lines)
        .mark_line(clip=True)
        .encode(
            x=x,
            y=y,
            color=alt.Color(
                "theory:N",
                scale=alt.Scale(domain=[*theories, _PEOPLE], range=[*(THEORIES[one] for one in theories), PEOPLE]),
                legend=legend,
            ),
            strokeWidth=alt.condition("datum.best", alt.value(3), alt.value(1.3)),
            strokeDash=alt.condition(f"datum.theory == '{_PEOPLE}'", alt.value([5, 3]), alt.value([1, 0])),
        )
    )
    return layered(later, now, drawn).properties(
        width=WIDTH, height=HEIGHT, title=card_title(DISCOUNTING, _fit_words(one))
    )


def _fit_words(one: SubjectScores) -> str:
    time = one.rationality.time
    if time is None or time.reason is not None:
        return f"no score: {clean('' if time is None else time.reason or '', 90)}"
    best = time.best
    if best is None:
        return f"δ = {_told(time.delta, 2)} by least squares of the points"
    names = {"exponential": ("δ",), "quasi-hyperbolic": ("β", "δ"), "hyperbolic": ("k",)}[best.model]
    said = ", ".join(f"{name} = {_told(score, 2)}" for name, score in zip(names, best.parameters, strict=True))
    return f"{best.model} fits best: {said}"


def triangle_panel(one: SubjectScores) -> alt.LayerChart:
    """Every reference lottery, joined with the lottery on an axis that is as good; and the parallel lines of expected
    utility that come closest."""
    points = data.triangle_points(one)
    risk = one.rationality.risk
    reason = "it was not asked" if risk is None else risk.reason
    if risk is None or not len(points):
        return absent(TRIANGLE, reason or "there is no indifference point")
    edges = pl.DataFrame({"x": [0.0, 1.0, 0.0, 0.0], "y": [0.0, 0.0, 1.0, 0.0], "corner": [0, 1, 2, 3]})
    x = alt.X(
        "x:Q",
        title="chance of 0",
        scale=alt.Scale(domain=[-0.03, 1.06 * WIDTH / HEIGHT - 0.03], nice=False),
        axis=_axis([0, 0.5, 1], "%", grid=False),
    )
    y = alt.Y(
        "y:Q",
        title="chance of 1000",
        scale=alt.Scale(domain=[-0.03, 1.03], nice=False),
        axis=_axis([0, 0.5, 1], "%", grid=False),
    )
    # One unit is as long on either axis: indifferent between equal expected values is a slope of 1, and looks it.
    outline = alt.Chart(edges).mark_line(color=QUIET, strokeWidth=1.4).encode(x=x, y=y, order="corner:Q")
    base = alt.Chart(points)
    tooltip = [
        alt.Tooltip(f"{name}:Q", title=title, format=".1%")
        for name, title in (("x", "chance of 0"), ("y", "chance of 1000"), ("x2", "as good: of 0"), ("y2", "of 1000"))
    ]
    joined = base.mark_rule(color=QUIET, strokeWidth=0.8, opacity=0.5).encode(x=x, y=y, x2="x2:Q", y2="y2:Q")
    reference = base.mark_point(filled=True, size=13, color=QUIET, opacity=0.9).encode(x=x, y=y, tooltip=tooltip)
    found = base.mark_point(filled=True, size=26, color=OWN, opacity=0.85).encode(
        x=alt.X("x2:Q", title="chance of 0"), y=alt.Y("y2:Q", title="chance of 1000"), tooltip=tooltip
    )
    layers = [joined, outline]
    if risk.errors.m is not None:
        lines = alt.Chart(data.triangle_lines(risk.errors.m))
        layers.append(lines.mark_rule(color=OWN, strokeWidth=1.8, opacity=0.8).encode(x=x, y=y, x2="x2:Q", y2="y2:Q"))
    return layered(*layers, reference, found).properties(
        width=WIDTH, height=HEIGHT, title=card_title(TRIANGLE, _risk_words(one))
    )


def _risk_words(one: SubjectScores) -> str:
    risk = one.rationality.risk
    if risk is None or risk.reason is not None or risk.errors.m is None:
        return f"no score: {clean('' if risk is None else risk.reason or '', 90)}"
    error = _told(risk.errors.expected_utility, 1)
    return f"lines: the closest expected utility, m = {risk.errors.m:.2f}; Err_EU {error}"


def _axis(values: list[float], form: str = ",~f", *, grid: bool = True) -> alt.Axis:
    return alt.Axis(values=values, format=form, grid=grid)


def _told(score: Score, decimals: int) -> str:
    if score.value is None:
        return "–"
    span = "" if score.low is None or score.high is None else f" ({score.low:.{decimals}f}–{score.high:.{decimals}f})"
    return f"{score.value:.{decimals}f}{span}"
