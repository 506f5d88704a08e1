"""The charts and sentences of the Commons' report."""

from typing import Final

import polars as pl

from ostrom.charts.catalogue import GameCharts, Measured
from ostrom.charts.forms import BAND, LINES, Bars, Heatmap, Lines, Section, SingleLine
from ostrom.charts.lines import commonly_reached
from ostrom.charts.matrix import PairMatrix
from ostrom.charts.palette import COLOURS
from ostrom.charts.sentences import Most, switched, with_interval
from ostrom.charts.standings import LeaderboardColumn
from ostrom.charts.words import RANK, Unit, share
from ostrom.games.commons.measures import CommonsTables

SYNERGY: Final = Unit("synergy", decimals=2)
GIVEN: Final = share("of the endowment, contributed")
ROUGHLY: Final = share("of the endowment, contributed", 0)
BY_ALL: Final = share("of the endowment, contributed by all")
OUT: Final = share("of seats, voted out")
_HALF_OF_GAMES: Final = "Drawn while at least half of the games are still on; the table has all turns."
_HALF_OF_PLAYERS: Final = "Drawn while at least half of the players are still in a game; the table has all turns."


def _synergy(rows: pl.DataFrame) -> str:
    first, last = rows.row(0, named=True), rows.row(-1, named=True)
    if len(rows) == 1:
        return f"The synergy is {SYNERGY.say(first['value'])}"
    then = f"{SYNERGY.say(last['value'])} in turn {last['turn']}"
    return f"The synergy is {SYNERGY.say(first['value'])} in turn {first['turn']}, {then}"


def _cooperation(rows: pl.DataFrame) -> str:
    first, last = rows.row(0, named=True), rows.row(-1, named=True)
    title = f"{BY_ALL.say(first['value'])} of all endowments is contributed in turn {first['turn']}"
    return f"{title}, {BY_ALL.say(last['value'])} in turn {last['turn']}" if len(rows) > 1 else title


def _with_aims(frame: pl.DataFrame) -> pl.DataFrame:
    """Return the rows with an added column `note` on the direction of the lobbying."""
    aims = frame["direction"].to_list() if "direction" in frame.columns else [None] * len(frame)
    return frame.with_columns(pl.Series("note", [_aim(aim) for aim in aims], dtype=pl.String))


def _aim(direction: float | None) -> str:
    if direction is None:
        return ""
    if abs(direction) < 0.2:
        return "  ·  both ways"
    return "  ·  equal shares" if direction > 0 else "  ·  proportional"


def _equal_exclusions(frame: pl.DataFrame) -> str:
    return "No player is voted out" if max(frame["value"]) == 0 else "All are voted out in {high} of their games"


_UNFOLD: Final = (
    Lines(
        "capital_by_turn",
        "Capital by turn",
        Unit("capital", decimals=0),
        "After turn {when}, {first} holds {high} on average, {last} {low}",
        "All hold {high} after turn {when}",
        f"{LINES} {_HALF_OF_GAMES}",
        clock="turn",
        zero=True,
        rows=commonly_reached,
    ),
    SingleLine(
        "synergy_by_turn",
        "Synergy by turn",
        SYNERGY,
        _synergy,
        f"The factor by which the pot grows, mean over games. {BAND} {_HALF_OF_GAMES}",
        COLOURS["GPT"],
        clock="turn",
        long=True,
        rows=commonly_reached,
    ),
)
_GIVE: Final = (
    SingleLine(
        "cooperation_by_turn",
        "Cooperation by turn",
        BY_ALL,
        _cooperation,
        f"Mean contribution of all seats still in. {BAND} {_HALF_OF_GAMES}",
        COLOURS["Gemini"],
        clock="turn",
        long=True,
        rows=commonly_reached,
    ),
    Bars(
        "contribution",
        "Mean contribution",
        GIVEN,
        "{first} gives {high} of its endowment, {last} {low}",
        "All give {high} of the endowment",
        "Mean over turns in the game.",
    ),
    Lines(
        "contribution_by_turn",
        "Contribution by turn",
        ROUGHLY,
        "In turn {when}, {first} gives {high} of its endowment, {last} {low}",
        "All give {high} in turn {when}",
        f"{LINES} {_HALF_OF_PLAYERS}",
        clock="turn",
        rows=commonly_reached,
    ),
    Heatmap(
        "contribution_heatmap",
        "Contribution by player and turn",
        ROUGHLY,
        "Over these turns {first} gives {high}, {last} {low}",
        "All give {high} over these turns",
        f"A cell is a player's mean contribution in a turn; empty where the player is in no game. {_HALF_OF_PLAYERS}",
        rows=commonly_reached,
        measure="contribution_by_turn",
    ),
    PairMatrix(
        "contribution_by_partner",
        "Who gives with whom",
        GIVEN,
        "{first} gives {high} of its endowment, on average over those it sits with; {last} {low}",
        "All give {high} of the endowment, with any partner",
        "Mean share of the endowment that the player of a row gives in games with the player of a column. "
        "Pale: fewer than six games together.",
        whom="with",
    ),
)
_POWER: Final = (
    Bars(
        "lobbying",
        "Lobbying",
        share("of capital, spent on lobbying in a turn", 2),
        "{first} spends {high} of its capital on lobbying in a turn, {last} {low}",
        "All spend {high} of their capital on lobbying in a turn",
        "Toward equal shares, or toward shares in proportion to contributions.",
        notes="note",
        rows=_with_aims,
    ),
    Bars(
        "votes_received",
        "Votes received",
        Unit("votes received in a turn", decimals=2),
        "{first} receives {high} votes in a turn, {last} {low}",
        "All receive {high} votes in a turn",
        "Over the turns in which there is a vote.",
    ),
    PairMatrix(
        "vote_by_target",
        "Who votes against whom",
        share("of turns with a vote, named"),
        "{first} names each of the others in {high} of the turns, {last} in {low}",
        "All name each other in {high} of the turns",
        "Share of the turns with a vote in which the player of a row names the player of a column. "
        "Pale: fewer than six games together.",
        whom="named",
    ),
    Bars(
        "exclusion_rate",
        "Exclusions",
        OUT,
        "{first} is voted out in {high} of its games, {last} in {low}",
        _equal_exclusions,
        "Games with voting and at least three seats; a seat is out with more than half of the votes cast.",
    ),
)

_MOSTS: Final = (
    Most(
        "contribution",
        "gives the largest part of its endowment",
        "No player gives anything",
        "All give the same part of their endowment",
    ),
    Most(
        "lobbying",
        "spends the largest part of its capital on lobbying in a turn",
        "No player lobbies",
        "All spend the same part of their capital on lobbying",
    ),
    Most("exclusion_rate", "is voted out most often", "No player is voted out", "All are voted out equally often"),
)


def _facts(tables: CommonsTables) -> list[str]:
    return [switched(tables.games[name], name) for name in ("lobbying", "voting")]


def _course(measured: Measured) -> list[str]:
    """Return sentences on the course of cooperation."""
    total = commonly_reached(measured["cooperation_by_turn"]).sort("turn")
    if not len(total):
        return []
    first, last = total.row(0, named=True), total.row(-1, named=True)
    return [
        f"Of all endowments, {with_interval(first)} is contributed in turn {first['turn']} and "
        f"{with_interval(last)} in turn {last['turn']}, the last that at least half of the games reached."
    ]


CHARTS: Final = GameCharts(
    sections=(
        Section("outcomes", "How games unfold", _UNFOLD),
        Section("contributions", "What players give", _GIVE),
        Section("power", "Lobbying and exclusion", _POWER),
    ),
    leaderboard=(
        LeaderboardColumn("mean_rank", "mean rank", RANK),
        LeaderboardColumn("contribution", "gives", share("", 0)),
        LeaderboardColumn("lobbying", "spends on lobbying", share("")),
        LeaderboardColumn("exclusion_rate", "voted out", share("", 0)),
    ),
    compared={
        "cooperation_by_turn": GIVEN,
        "synergy_by_turn": SYNERGY,
        "contribution": GIVEN,
        "lobbying": share("of capital, spent on lobbying", 2),
        "votes_cast": share("of votes used"),
        "exclusion_rate": OUT,
    },
    facts=_facts,
    course=_course,
    mosts=_MOSTS,
)
"""The charts of the Commons, in addition to those that all games have."""
