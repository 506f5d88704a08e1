"""The report of the Commons in a few sentences."""

from collections.abc import Mapping, Sequence
from typing import Final

import polars as pl

from ostrom.charts.answer_words import answers_by_player_sentence, answers_sentence
from ostrom.charts.commons_outcomes import CAPITAL
from ostrom.charts.families import Cast
from ostrom.charts.long_lines import commonly_reached
from ostrom.charts.standings import Standing
from ostrom.charts.summary import INTERVALS, Most, leader, most_of, span, with_interval
from ostrom.charts.words import ends
from ostrom.study.commons.tables import CommonsTables

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
    said = ", ".join(_switch(games[name], name) for name in ("lobbying", "voting"))
    return (
        f"{len(games):,} {'game' if len(games) == 1 else 'games'} of the Commons, "
        f"{tables.seats['player'].n_unique()} players, {span(games['seats'])} seats, {span(games['turns'])} turns, "
        f"{said}."
    )


def sentences(
    tables: CommonsTables, standings: Sequence[Standing], measured: Mapping[str, pl.DataFrame], cast: Cast
) -> list[str]:
    """The sentences, each one computed."""
    told = [leader(standings, cast), _richest(measured["mean_capital"], cast)]
    total = commonly_reached(measured["cooperation_by_turn"]).sort("turn")
    if len(total):
        first, last = total.row(0, named=True), total.row(-1, named=True)
        told.append(
            f"Of all endowments, {with_interval(first)} is contributed in turn {first['turn']} and "
            f"{with_interval(last)} in turn {last['turn']}, the last that at least half of the games reached."
        )
    told += [most_of(measured[most.measure], most, cast) for most in _MOSTS]
    told += [answers_sentence(tables), answers_by_player_sentence(tables, cast), INTERVALS]
    return [sentence for sentence in told if sentence]


def _richest(frame: pl.DataFrame, cast: Cast) -> str:
    if not len(frame):
        return ""
    told = ends(frame, cast, CAPITAL)
    if told.alone:
        return f"Games end with a capital of {told.high} on average."
    top = frame.sort(["value", "player"], descending=[True, False]).row(0, named=True)
    reach = "" if top["low"] is None else f" ({CAPITAL.say(top['low'])} to {CAPITAL.say(top['high'])})"
    most = f"{told.first} ends with the most capital, {told.high} on average{reach}"
    return f"{most}; {told.last} with the least, {told.low}."


def _switch(column: pl.Series, name: str) -> str:
    found = set(column.to_list())
    if len(found) > 1:
        return f"with and without {name}"
    return f"with {name}" if found == {True} else f"without {name}"
