"""The Commons: who ends with most, and how games get there."""

import altair as alt
import polars as pl

from ostrom.charts.families import COLOURS, Cast
from ostrom.charts.long_lines import commonly_reached, long_line
from ostrom.charts.ranked import BARS, LINES, final_dots, gini_bars, ranked_bars, ranked_lines
from ostrom.charts.theme import styled
from ostrom.charts.words import RANK, Unit

CAPITAL = Unit("capital", decimals=0)
SYNERGY = Unit("synergy", decimals=2)
HALF = "Drawn while at least half of the games go on; the table holds all turns."


def mean_capital(frame: pl.DataFrame, cast: Cast) -> alt.LayerChart:
    """The mean of final capital by player."""
    return ranked_bars(
        frame,
        cast,
        unit=CAPITAL,
        title="{first} ends with a capital of {high} on average, {last} with {low}",
        alike="Games end with a capital of {high} on average, whoever plays",
        subtitle=f"Means of final capital; who was voted out counts with what it kept. {BARS}",
    )


def capital_strip(frame: pl.DataFrame, cast: Cast) -> alt.LayerChart:
    """Every seat of every player, by its final capital."""
    return final_dots(
        frame,
        cast,
        unit=Unit("final capital", decimals=0),
        title="Half of all seats end below {middle}, while {first} once reached {high}",
        alike="Every seat ends with a capital of {high}",
        subtitle="A dot is a seat, a stroke the median; linear near 0, then log. Least: {low}, {poorest}.",
        linear=200,
    )


def mean_rank(frame: pl.DataFrame, cast: Cast) -> alt.LayerChart:
    """The mean rank by player; the best is the lowest."""
    return ranked_bars(
        frame,
        cast,
        unit=RANK,
        title="{last} has the best mean rank, {low}; {first} the worst, {high}",
        alike="All rank alike, at {low}",
        subtitle=f"Rank by final capital; ties share their ranks. {BARS}",
        ascending=True,
    )


def capital_by_turn(frame: pl.DataFrame, cast: Cast) -> alt.LayerChart:
    """The mean capital at the end of every turn."""
    return ranked_lines(
        commonly_reached(frame),
        cast,
        unit=CAPITAL,
        title="After turn {when}, {first} holds {high} on average, {last} {low}",
        alike="All hold {high} after turn {when}",
        subtitle=f"{LINES} {HALF}",
        clock="turn",
        zero=True,
    )


def synergy_by_turn(frame: pl.DataFrame, cast: Cast) -> alt.LayerChart:
    """The factor that grows the pot, turn by turn."""
    rows = commonly_reached(frame).sort("turn")
    first, last = rows.row(0, named=True), rows.row(-1, named=True)
    title = (
        f"The synergy is {SYNERGY.say(first['value'])} in turn {first['turn']}, "
        f"{SYNERGY.say(last['value'])} in turn {last['turn']}"
        if len(rows) > 1
        else f"The synergy is {SYNERGY.say(first['value'])}"
    )
    return styled(
        long_line(rows, unit=SYNERGY, tint=COLOURS["GPT"]),
        title=title,
        subtitle=f"The factor by which the pot grows, mean over games. Band: 95% interval. {HALF}",
    )


def capital_inequality(frame: pl.DataFrame, cast: Cast) -> alt.LayerChart:
    """How unequally games end."""
    return gini_bars(frame, cast, subtitle=f"Mean Gini coefficient of final capital: 0 where all hold the same. {BARS}")
