"""The Commons: who ends with most, and how games get there."""

import altair as alt
import polars as pl

from ostrom.charts.bars import bars
from ostrom.charts.contributions import BARS
from ostrom.charts.families import COLOURS, Cast
from ostrom.charts.lines import player_lines
from ostrom.charts.long_lines import commonly_reached, last_turn, long_line
from ostrom.charts.outcomes import LINES
from ostrom.charts.strips import strip
from ostrom.charts.theme import styled
from ostrom.charts.words import RANK, Unit, ends, named

CAPITAL = Unit("capital", decimals=0)
SYNERGY = Unit("synergy", decimals=2)
HALF = "Drawn while at least half of the games go on; the table holds all turns."


def mean_capital(frame: pl.DataFrame, cast: Cast) -> alt.LayerChart:
    """The mean of final capital by player."""
    told = ends(frame, cast, CAPITAL)
    title = (
        f"Games end with a capital of {told.high} on average, whoever plays"
        if told.alone
        else f"{told.first} ends with a capital of {told.high} on average, {told.last} with {told.low}"
    )
    return styled(
        bars(frame, cast, unit=CAPITAL),
        title=title,
        subtitle=f"Means of final capital; who was voted out counts with what it kept. {BARS}",
    )


def capital_strip(frame: pl.DataFrame, cast: Cast) -> alt.LayerChart:
    """Every seat of every player, by its final capital."""
    told = ends(frame, cast, CAPITAL)
    middle = float(frame["value"].median())  # type: ignore[arg-type]
    poorest = named(sorted(set(frame.filter(pl.col("value") == frame["value"].min())["player"])), cast)
    title = (
        f"Half of all seats end below {CAPITAL.say(middle)}, while {told.first} once reached {told.high}"
        if not told.alone
        else f"Every seat ends with a capital of {told.high}"
    )
    return styled(
        strip(frame, cast, unit=Unit("final capital", decimals=0), symlog=True, linear=200, dot=16, opacity=0.5),
        title=title,
        subtitle=f"A dot is a seat, a stroke the median; linear near 0, then log. Least: {told.low}, {poorest}.",
    )


def mean_rank(frame: pl.DataFrame, cast: Cast) -> alt.LayerChart:
    """The mean rank by player; the best is the lowest."""
    told = ends(frame, cast, RANK)
    title = (
        f"All rank alike, at {told.low}"
        if told.alone
        else f"{told.last} has the best mean rank, {told.low}; {told.first} the worst, {told.high}"
    )
    return styled(
        bars(frame, cast, unit=RANK, ascending=True),
        title=title,
        subtitle=f"Rank by final capital; ties share their ranks. {BARS}",
    )


def capital_by_turn(frame: pl.DataFrame, cast: Cast) -> alt.LayerChart:
    """The mean capital at the end of every turn."""
    shown = commonly_reached(frame)
    turn = last_turn(shown)
    told = ends(shown.filter(pl.col("turn") == turn), cast, CAPITAL)
    title = (
        f"All hold {told.high} after turn {turn}"
        if told.alone
        else f"After turn {turn}, {told.first} holds {told.high} on average, {told.last} {told.low}"
    )
    return styled(
        player_lines(shown, cast, unit=CAPITAL, zero=True, clock="turn"), title=title, subtitle=f"{LINES} {HALF}"
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
    unit = Unit("Gini coefficient", decimals=3)
    told = ends(frame, cast, unit)
    title = (
        f"Games end with a Gini coefficient of {told.high}"
        if told.alone
        else f"Games with {told.first} end most unequally (Gini {told.high}), with {told.last} least so ({told.low})"
    )
    return styled(
        bars(frame, cast, unit=unit),
        title=title,
        subtitle=f"Mean Gini coefficient of final capital: 0 where all hold the same. {BARS}",
    )
