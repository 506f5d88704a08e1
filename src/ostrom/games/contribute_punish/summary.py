"""The report of Contribute & Punish in a few sentences."""

from collections.abc import Mapping, Sequence
from typing import Final

import polars as pl

from ostrom.charts.families import Cast
from ostrom.charts.standings import Standing
from ostrom.charts.summary import Most, richest, span, switched, told_of, with_interval
from ostrom.charts.words import TOKENS
from ostrom.core.counts import number_of
from ostrom.games.contribute_punish.tables import Tables

_MOSTS: Final = (
    Most(
        "contribution_percent",
        "gives the largest part of its balance",
        "Nobody gives anything",
        "All give the same part of their balance",
    ),
    Most(
        "punishment_spent_percent",
        "spends the largest part of its balance on punishing",
        "Nobody spends anything on punishing",
        "All spend the same part of their balance on punishing",
    ),
    Most(
        "retaliation_rate",
        "strikes back most often",
        "Nobody strikes back",
        "All who are punished strike back equally often",
    ),
)


def facts(tables: Tables) -> str:
    """What was played, on one line."""
    games = tables.games
    return (
        f"{number_of(len(games), 'game')} of Contribute & Punish, {tables.seats['player'].n_unique()} players, "
        f"{span(games['seats'])} seats, {span(games['rounds'])} rounds, {switched(games['messages'], 'messages')}."
    )


def sentences(
    tables: Tables, standings: Sequence[Standing], measured: Mapping[str, pl.DataFrame], cast: Cast
) -> list[str]:
    """The sentences, each one computed."""
    course = [
        richest(
            measured["mean_final"],
            cast,
            TOKENS,
            words="{first} ends with the most tokens, {high} on average{reach}; {last} with the fewest, {low}.",
            alike="Games end with {high} tokens on average.",
        )
    ]
    total = measured["aggregate_contribution_by_round"].sort("round")
    if len(total):
        first, last = total.row(0, named=True), total.row(-1, named=True)
        course.append(
            f"Of all tokens, {with_interval(first)} is contributed in round {first['round']} and {with_interval(last)} "
            f"in round {last['round']}."
        )
    return told_of(tables, standings, measured, cast, course=course, mosts=_MOSTS)
