"""The two panels of a card that show preferences: the discount curve, and the Marschak–Machina triangle.

The four panels of a card that show play: which offers are accepted, what is returned, which numbers are guessed, and
what is claimed."""

from typing import Any, Final

import altair as alt
import polars as pl

from ostrom.charts.families import clean
from ostrom.charts.render import layered
from ostrom.games.battery.charts import data
from ostrom.games.battery.charts.marks import (
    HEIGHT,
    OWN,
    PEOPLE,
    QUIET,
    STAKES,
    THEORIES,
    WIDTH,
    absent,
    card_title,
    human_line,
)
from ostrom.games.battery.scores.cooperation import LEVELS, neighbourhood
from ostrom.games.battery.scores.described import HUMAN
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


ULTIMATUM: Final = "Ultimatum: which offers are accepted"
TRUST: Final = "Trust: what comes back"
BEAUTY: Final = "Beauty contest: guesses"
TRAVELLER: Final = "Traveller: claim against bonus"
_BIN: Final = 2


def acceptance_panel(one: SubjectScores) -> alt.LayerChart:
    """The share of offers accepted, with its isotonic curve, the minimum acceptable offer and the subject's own."""
    frame = data.acceptance(one)
    if not len(frame):
        return absent(ULTIMATUM, one.social.minimum_acceptable.reason or "no offer was answered")
    x = _percent("offer", "offer, in percent of the pot")
    base = alt.Chart(frame)
    tooltip = [alt.Tooltip(f"{name}:Q", format=".3~f") for name in ("offer", "accepted", "n")]
    curve = base.mark_line(color=OWN, strokeWidth=2.4, interpolate="linear").encode(
        x=x, y=_upright("isotonic", "accepted, %")
    )
    dots = base.mark_point(filled=True, size=34, color=OWN, opacity=1).encode(
        x=x, y=_upright("accepted", "accepted, %"), tooltip=tooltip
    )
    layers = human_line(HUMAN["offer"].value or 40.0, "people offer 40", upright=True)
    least = one.social.minimum_acceptable
    if least.value is not None:
        mark = alt.Chart(pl.DataFrame({"offer": [least.value], "accepted": [50.0]}))
        layers.append(mark.mark_rule(strokeWidth=1.2, color=OWN).encode(x="offer:Q"))
        layers.append(
            mark.mark_point(shape="diamond", filled=True, size=110, color=OWN, opacity=1).encode(
                x="offer:Q", y=_upright("accepted", "accepted, %")
            )
        )
    said = f"minimum acceptable offer (diamond): {_told(least, 0, ' %')}; own offer {_told(one.social.offer, 0, ' %')}"
    return layered(*layers, curve, dots).properties(width=WIDTH, height=HEIGHT, title=card_title(ULTIMATUM, said))


def returns_panel(one: SubjectScores) -> alt.LayerChart:
    """What is returned of what was received, by the share sent, beside what the sender is even with."""
    frame = data.returns(one)
    if not len(frame):
        return absent(TRUST, one.social.reciprocity.reason or "nothing was returned or kept")
    x = _percent("sent", "sent, in percent of the endowment")
    base = alt.Chart(frame)
    tooltip = [alt.Tooltip(f"{name}:Q", format=".3~f") for name in ("sent", "returned", "n")]
    even = alt.Chart(pl.DataFrame({"returned": [data.even_return(one)], "said": ["here the sender is even"]}))
    layers = [
        even.mark_rule(color=QUIET, strokeWidth=1).encode(y="returned:Q"),
        even.mark_text(color=QUIET, fontSize=10, align="right", baseline="top", dy=4).encode(
            y="returned:Q", x=alt.value(WIDTH - 3), text="said:N"
        ),
        *human_line(HUMAN["reciprocity"].value or 37.0, "people return 37 %", upright=False),
        base.mark_line(color=OWN, strokeWidth=2.4).encode(
            x=x, y=_upright("returned", "returned, % of what was received")
        ),
        base.mark_point(filled=True, size=46, color=OWN, opacity=1).encode(
            x=x, y=_upright("returned", "returned, % of what was received"), tooltip=tooltip
        ),
    ]
    said = f"sends {_told(one.social.trust, 0, ' %')}, returns {_told(one.social.reciprocity, 0, ' %')}"
    return layered(*layers).properties(width=WIDTH, height=HEIGHT, title=card_title(TRUST, said))


def guesses_panel(one: SubjectScores) -> alt.LayerChart:
    """How often each number was guessed, over Nagel's neighbourhoods of levels 0 to 3."""
    frame = data.guesses(one)
    if not len(frame):
        return absent(BEAUTY, one.cooperation.guess.reason or "no guess was made")
    p, middle = (float(frame[name][0]) for name in ("p", "middle"))
    bands = pl.DataFrame(
        [(str(level), *neighbourhood(level, p, middle), middle * p**level) for level in range(LEVELS)],
        schema=["level", "low", "high", "middle"],
        orient="row",
    )
    binned = (
        frame.with_columns(((pl.col("guess") / _BIN).floor() * _BIN).alias("from"))
        .group_by("from")
        .agg(pl.len().alias("n"))
        .with_columns((pl.col("from") + _BIN).alias("to"), share=100 * pl.col("n") / pl.col("n").sum())
        .sort("from")
    )
    scale = alt.Scale(domain=[0, 2 * middle + _BIN], nice=False)
    x = alt.X("from:Q", title="guess", scale=scale, axis=alt.Axis(tickCount=5, grid=False))
    top = float(binned["share"].max())  # type: ignore[arg-type]
    y = alt.Y(
        "share:Q", title="guesses, %", scale=alt.Scale(domain=[0, 1.16 * top], nice=False), axis=alt.Axis(tickCount=4)
    )
    levels = alt.Chart(bands)
    layers = [
        levels.mark_rect(opacity=0.2, color=QUIET).encode(x=alt.X("low:Q", scale=scale), x2="high:Q"),
        levels.mark_text(baseline="top", fontSize=10, opacity=0.8).encode(
            x=alt.X("middle:Q", scale=scale), y=alt.value(2), text="level:N"
        ),
        alt.Chart(binned)
        .mark_rect(color=OWN, opacity=0.95)
        .encode(x=x, x2="to:Q", y=y, y2=alt.datum(0), tooltip=["from:Q", "to:Q", "n:Q"]),
        *_people_guess(scale),
    ]
    depth = one.words["depth"]
    said = f"mean {_told(one.cooperation.guess, 1)}, {depth.value or 'in no level'}; grey: Nagel's levels 0 to 3"
    return layered(*layers).properties(width=WIDTH, height=HEIGHT, title=card_title(BEAUTY, said))


def _people_guess(scale: alt.Scale) -> list[alt.Chart]:
    rule, words = human_line(HUMAN["guess"].value or 36.7, "people 36.7", upright=True)
    # Below the numbers of the levels, above the feet of most bars.
    return [rule, words.encode(y=alt.value(28))]


def claims_panel(one: SubjectScores) -> alt.LayerChart:
    """The claims at each bonus: their mean, and how far they reach."""
    frame = data.claims(one)
    if not len(frame):
        return absent(TRAVELLER, one.cooperation.claim.reason or "no claim was made")
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
    base = alt.Chart(means)
    tooltip = [alt.Tooltip(f"{name}:Q", format=".3~f") for name in ("bonus", "claim", "low", "high", "n")]
    layers = [
        base.mark_rule(color=OWN, strokeWidth=5, opacity=0.22).encode(
            x=x, y=_upright("low", "claim, from 2 to 100"), y2="high:Q"
        ),
        base.mark_line(color=OWN, strokeWidth=2.4).encode(x=x, y=_upright("claim", "claim, from 2 to 100")),
        base.mark_point(filled=True, size=52, color=OWN, opacity=1).encode(
            x=x, y=_upright("claim", "claim, from 2 to 100"), tooltip=tooltip
        ),
    ]
    verdict = one.statics.claim.verdict
    moved = {
        "as predicted": "falls with the bonus, as theory says",
        "against": "rises with the bonus, against theory",
        "flat": "does not move with the bonus",
        "undecided": "no clear move with the bonus",
    }
    said = moved[verdict] if verdict else clean(one.statics.claim.slope.reason or "asked at one bonus only", 60)
    return layered(*layers).properties(
        width=WIDTH, height=HEIGHT, title=card_title(TRAVELLER, f"mean {_told(one.cooperation.claim, 0)}; {said}")
    )


def _percent(column: str, title: str) -> alt.X:
    scale = alt.Scale(domain=[-2, 102], nice=False)
    return alt.X(f"{column}:Q", title=title, scale=scale, axis=alt.Axis(values=[0, 25, 50, 75, 100], grid=False))


def _upright(column: str, title: str) -> alt.Y:
    scale = alt.Scale(domain=[-3, 103], nice=False)
    return alt.Y(f"{column}:Q", title=title, scale=scale, axis=alt.Axis(values=[0, 25, 50, 75, 100]))


def _told(score: Score, decimals: int, unit: str = "") -> str:
    if score.value is None:
        return "–"
    span = "" if score.low is None or score.high is None else f" ({score.low:.{decimals}f}–{score.high:.{decimals}f})"
    return f"{score.value:.{decimals}f}{unit}{span}"
