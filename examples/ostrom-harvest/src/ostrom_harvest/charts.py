"""The charts of Harvest's report: how the stock fares, who over-uses it, and a plain chart of each other measure."""

from typing import Any

import altair as alt
import polars as pl

from ostrom.analysis.measures import Measure
from ostrom.charts.catalogue import GameCharts, Measured, Picture, Section, plain_picture
from ostrom.charts.families import COLOURS, Cast
from ostrom.charts.lines import one_line
from ostrom.charts.ranked import BARS, ranked_bars
from ostrom.charts.standings import Beside
from ostrom.charts.theme import styled
from ostrom.charts.words import Unit, share
from ostrom_harvest.measures import MEASURES

STOCK = Unit("tonnes of stock")
OVER_USE = share("of harvests, above a fair share of what grows back")


def stock_by_round(frame: pl.DataFrame, cast: Cast) -> alt.LayerChart:
    """The stock before the harvest, round by round."""
    rows = frame.sort("round")
    first, last = rows.row(0, named=True), rows.row(-1, named=True)
    title = f"The stock falls from {STOCK.say(first['value'])} to {STOCK.say(last['value'])} by round {last['round']}"
    if last["value"] >= first["value"]:
        title = f"The stock holds: {STOCK.say(last['value'])} in round {last['round']}"
    return styled(
        one_line(rows, unit=STOCK, tint=COLOURS["Gemini"], zero=True),
        title=title,
        subtitle="Mean over the games that reached the round. Band: 95% interval.",
    )


def over_usage(frame: pl.DataFrame, cast: Cast) -> alt.LayerChart:
    """Who takes more than a fair share of what grows back."""
    return ranked_bars(
        frame,
        cast,
        unit=OVER_USE,
        title="{first} over-uses the stock in {high} of its harvests, {last} in {low}",
        alike="All over-use the stock in {high} of their harvests",
        subtitle=f"Harvests above an equal share of what grows back. {BARS}",
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
            (
                Picture("stock_by_round", "Stock by round", stock_by_round),
                *map(_plain, ("survival_time", "survival_rate", "efficiency", "equality")),
            ),
        ),
        Section(
            "use",
            "How players use it",
            (Picture("over_usage", "Over-usage", over_usage), *map(_plain, ("total_gain", "offence_rate"))),
        ),
    ),
    beside=(Beside("over_usage", "over-usage", OVER_USE), Beside("survival_time", "survival", Unit("rounds"))),
    compared={"over_usage": OVER_USE, "survival_time": Unit("rounds")},
    course=_course,
)
"""What Harvest adds to the common charts and sentences."""
