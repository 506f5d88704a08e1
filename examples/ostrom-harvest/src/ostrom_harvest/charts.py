"""The charts of Harvest's report: how the stock fares, who over-uses it, and a plain chart of each other measure."""

from typing import Any

import polars as pl

from ostrom.analysis.measures import Measure
from ostrom.charts.catalogue import GameCharts, Measured
from ostrom.charts.forms import Bars, Picture, Section, SingleLine
from ostrom.charts.palette import COLOURS
from ostrom.charts.plain import plain_picture
from ostrom.charts.standings import LeaderboardColumn
from ostrom.charts.words import Unit, share
from ostrom_harvest.measures import MEASURES

STOCK = Unit("tonnes of stock")
OVER_USE = share("of harvests, above a fair share of what grows back")


def _stock(rows: pl.DataFrame) -> str:
    """Whether the stock holds, as the title of its chart."""
    first, last = rows.row(0, named=True), rows.row(-1, named=True)
    if last["value"] >= first["value"]:
        return f"The stock holds: {STOCK.say(last['value'])} in round {last['round']}"
    return f"The stock falls from {STOCK.say(first['value'])} to {STOCK.say(last['value'])} by round {last['round']}"


STOCK_BY_ROUND = SingleLine(
    "stock_by_round",
    "Stock by round",
    STOCK,
    _stock,
    "Mean over the games that reached the round. Band: 95% interval.",
    COLOURS["Gemini"],
    zero=True,
)
OVER_USAGE = Bars(
    "over_usage",
    "Over-usage",
    OVER_USE,
    "{first} over-uses the stock in {high} of its harvests, {last} in {low}",
    "All over-use the stock in {high} of their harvests",
    "Harvests above an equal share of what grows back.",
)


def _plain(name: str) -> Picture:
    measure: Measure[Any] = MEASURES.measures[name]
    return plain_picture(measure, "round")


def _course(measured: Measured) -> list[str]:
    """How the stock fared, in a sentence."""
    rows = measured["stock_by_round"].sort("round")
    if not len(rows):
        return []
    last = rows.row(-1, named=True)
    return [f"In round {last['round']} the stock is {STOCK.say(last['value'])} tonnes on average."]


CHARTS = GameCharts(
    sections=(
        Section(
            "pool",
            "How the pool fares",
            (STOCK_BY_ROUND, *map(_plain, ("survival_time", "survival_rate", "efficiency", "equality"))),
        ),
        Section("use", "How players use it", (OVER_USAGE, *map(_plain, ("total_gain", "offence_rate")))),
    ),
    leaderboard=(
        LeaderboardColumn("over_usage", "over-usage", OVER_USE),
        LeaderboardColumn("survival_time", "survival", Unit("rounds")),
    ),
    compared={"over_usage": OVER_USE, "survival_time": Unit("rounds")},
    course=_course,
)
"""What Harvest adds to the common charts and sentences."""
