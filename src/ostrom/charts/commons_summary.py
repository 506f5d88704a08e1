"""The report of the Commons in a few sentences."""

from collections.abc import Mapping, Sequence
from typing import Final

import polars as pl

from ostrom.charts.commons_outcomes import CAPITAL
from ostrom.charts.families import Cast
from ostrom.charts.long_lines import commonly_reached
from ostrom.charts.standings import Standing
from ostrom.charts.summary_words import Most, richest, span, switched, told_of, with_interval
from ostrom.study.commons.tables import CommonsTables
from ostrom.table.counts import number_of

_MOSTS: Final = (
    Most(
        "contribution",
        "gives the largest part of its endowment",
        "Nobody gives anything",
        "All give the same part of their endowment",
    ),
    Most(
        "lobbying",
        "spends the largest part of its capital on lobbying in a turn",
        "Nobody lobbies",
        "All spend the same part of their capital on lobbying",
    ),
    Most(
        "exclusion_rate",
        "is voted out most often",
        "Nobody is voted out",
        "All are voted out equally often",
    ),
)


def facts(tables: CommonsTables) -> str:
    """What was played, on one line."""
    games = tables.games
    said = ", ".join(switched(games[name], name) for name in ("lobbying", "voting"))
    return (
        f"{number_of(len(games), 'game')} of the Commons, "
        f"{tables.seats['player'].n_unique()} players, {span(games['seats'])} seats, {span(games['turns'])} turns, "
        f"{said}."
    )


def sentences(
    tables: CommonsTables, standings: Sequence[Standing], measured: Mapping[str, pl.DataFrame], cast: Cast
) -> list[str]:
    """The sentences, each one computed."""
    course = [
        richest(
            measured["mean_capital"],
            cast,
            CAPITAL,
            words="{first} ends with the most capital, {high} on average{reach}; {last} with the least, {low}.",
            alike="Games end with a capital of {high} on average.",
        )
    ]
    total = commonly_reached(measured["cooperation_by_turn"]).sort("turn")
    if len(total):
        first, last = total.row(0, named=True), total.row(-1, named=True)
        course.append(
            f"Of all endowments, {with_interval(first)} is contributed in turn {first['turn']} and "
            f"{with_interval(last)} in turn {last['turn']}, the last that at least half of the games reached."
        )
    return told_of(tables, standings, measured, cast, course=course, mosts=_MOSTS)
