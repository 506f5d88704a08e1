"""Games of the Commons as tidy tables, and the game's own measures, in addition to those that all games have:
contributions, lobbying and votes."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, ClassVar, Final

import numpy as np
import polars as pl

from ostrom.analysis import tables as common
from ostrom.analysis.intervals import Ratio
from ostrom.analysis.measures import (
    PAIR,
    STUDENTISED,
    Measure,
    Resampling,
    enter,
    ratio_of,
    tailed,
    with_others,
    with_ratio,
)
from ostrom.analysis.study import GameMeasures
from ostrom.analysis.tables import GameTables, Rows, StoredRecords
from ostrom.core import RecordError, Registry
from ostrom.core.arrays import round_values
from ostrom.games.commons.events import EVENTS, OF_TABLE, CommonsTurn, fold
from ostrom.games.commons.rules import CommonsRules
from ostrom.journal.record import GameRecord

GAMES = common.games_schema(
    {"turns": pl.Int64, "endowment": pl.Float64, "duration": pl.Int64}
    | dict.fromkeys(("lobbying", "erosion", "voting"), pl.Boolean)
)
SEATS = common.seats_schema({"final": pl.Float64, "excluded": pl.Boolean, "turns": pl.Int64})
TURNS = {
    **{"game": pl.String, "turn": pl.Int64, "seat": pl.Int64, "player": pl.String, "present": pl.Boolean},
    **dict.fromkeys(("held", "contribution", "lobby", "gain", "capital"), pl.Float64),
    **{"may_vote": pl.Boolean, "vote": pl.Int64, "received": pl.Int64, "provenance": pl.String},
}
ECONOMY = {
    **{"game": pl.String, "turn": pl.Int64, "seats": pl.Int64},
    **dict.fromkeys(OF_TABLE, pl.Float64),
}


def add_game(rows: Rows, game: str, experiment: str, record: GameRecord) -> None:
    """Add a game's rows to every table. Raises `RecordError` if the record ends before the game does."""
    players = common.players_of(game, record)
    rules = CommonsRules.model_validate(record.rules)
    history = fold(common.events_of(record, EVENTS))
    if history.capitals is None:
        raise RecordError(f"the record of the game {game} does not reach the game's end")
    sources = common.sources_of(record, "move")
    before = [0.0] * len(players)
    for turn in history.turns:
        rows["turns"].extend(
            (game, turn.turn, seat, player, *_seat_row(turn, seat, before[seat], sources, voting=rules.voting))
            for seat, player in enumerate(players)
        )
        rows["economy"].append((game, turn.turn, sum(turn.present), *(getattr(turn, name) for name in OF_TABLE)))
        before = turn.capitals
    turns_in = [sum(seats) for seats in zip(*(turn.present for turn in history.turns), strict=True)]
    # Finals are rounded in the same way as capitals when winners are determined. So a rounding error neither creates
    # nor breaks a tie.
    final = round_values(np.asarray(history.capitals, dtype=np.float64)).tolist()
    ended = [final, [seat in history.excluded for seat in range(len(players))], turns_in]
    settings = (rules.endowment, rules.duration, rules.lobbying, rules.erosion, rules.voting)
    common.add_result(rows, game, experiment, record, turns=len(history.turns), settings=settings, ended=ended)


def _seat_row(
    turn: CommonsTurn, seat: int, before: float, sources: dict[tuple[int, int], str], *, voting: bool
) -> tuple[Any, ...]:
    """Return the row of a seat in a turn. If the seat has left, only its capital is set."""
    capital = turn.capitals[seat]
    if not turn.present[seat]:
        return False, before, None, None, None, capital, False, None, 0, None
    may_vote = voting and sum(turn.present) > 2
    move = (turn.contributions[seat], turn.lobby[seat], turn.gains[seat], capital)
    return True, before, *move, may_vote, turn.votes[seat], turn.votes.count(seat), sources.get((turn.turn, seat))


KIND = "commons"


@dataclass(frozen=True, slots=True)
class CommonsTables(GameTables):
    """The tables of games of the Commons. `final` is a seat's final capital, rounded to 9 decimals. An `excluded` seat
    keeps its capital, by which it is ranked. `turns` is the number of turns in which the seat was in the game."""

    ACTORS: ClassVar[Mapping[str, str | None]] = {"turns": "seat", "economy": None, **GameTables.ACTORS}

    turns: pl.DataFrame
    """One row for each seat and turn. `held` is the capital before the turn, and `capital` the capital after it. `gain`
    is before the cost of lobbying. `vote` is the seat that this seat voted against, and `received` the number of votes
    against this seat. `may_vote` is true if there was a vote. For a seat that has left, only the capital is filled
    in."""
    economy: pl.DataFrame
    """One row for each turn of a game: the number of seats still in the game, α after the lobbying, the synergy, the
    pot, the factor by which kept money was multiplied, and cooperation."""
    kind: str = field(default=KIND, kw_only=True)


ABOUT = {
    "turns": "A row for each seat's turn: what it held, gave, lobbied for and gained, and its vote.",
    "economy": "A row for each turn of a game: the seats still in, α, synergy, the pot and cooperation.",
}


def tables_of(records: StoredRecords) -> CommonsTables:
    """Return the tables of these records. Every row has the ids of its game and experiment."""
    schemas = {"games": GAMES, "seats": SEATS, "turns": TURNS, "economy": ECONOMY}
    return common.game_tables(CommonsTables, KIND, records, add_game, schemas)


@tailed
def capital_by_turn(tables: CommonsTables) -> Ratio:
    """Capital by turn: the mean over a player's seats of the capital at the turn's end, including seats that are out.
    Games that ended before the turn are excluded, so later turns are about longer games."""
    return ratio_of(tables, tables.turns, ("player", "turn"), "capital")


@Resampling
def synergy_by_turn(tables: CommonsTables) -> Ratio:
    """Synergy by turn: the mean over games of the factor that multiplied the turn's pot. Games that ended before the
    turn are excluded."""
    return ratio_of(tables, tables.economy, ("turn",), "synergy")


@Resampling
def contribution(tables: CommonsTables) -> Ratio:
    """Mean contribution: the mean over the player's seat-turns of the fraction of the endowment that it gave."""
    return ratio_of(tables, _in_the_game(tables), ("player",), "contribution", share=True)


@Resampling
def contribution_by_turn(tables: CommonsTables) -> Ratio:
    """Contribution by turn: for each player and turn, the mean over its seats still in the game of the fraction of the
    endowment that it gave. Games that ended before the turn are excluded."""
    return ratio_of(tables, _in_the_game(tables), ("player", "turn"), "contribution", share=True)


@Resampling
def cooperation_by_turn(tables: CommonsTables) -> Ratio:
    """Cooperation by turn: Σ contribution / number of seats still in the game, over all games that reached the turn."""
    return ratio_of(tables, _in_the_game(tables), ("turn",), "contribution", share=True)


@Resampling
def lobbying_share(tables: CommonsTables) -> Ratio:
    """The mean over the player's seat-turns with lobbying and capital of |lobby| / capital before the turn."""
    return ratio_of(tables, _able_to_lobby(tables), ("player",), pl.col("lobby").abs() / pl.col("held"), share=True)


def lobbying(tables: CommonsTables) -> pl.DataFrame:
    """Lobbying: the mean of |lobby| / capital before the turn over the player's seat-turns in which it held capital and
    the rules allowed lobbying, 0 if it spent nothing. The column `direction` is Σ lobby / Σ |lobby| with its interval.
    It is 1 if all spending moved α toward equal shares, −1 if all of it moved α toward proportional shares, and missing
    if nothing was spent."""
    aimed = ratio_of(tables, _able_to_lobby(tables), ("player",), "lobby", pl.col("lobby").abs(), limits=(-1.0, 1.0))
    return with_ratio(lobbying_share(tables), "direction", aimed)


@Resampling
def votes_cast(tables: CommonsTables) -> Ratio:
    """Votes cast: the share of the player's seat-turns with a vote in which it named a seat. There is a vote if voting
    is on and at least three seats are in the game."""
    rows = tables.turns.filter("may_vote")
    return ratio_of(tables, rows, ("player",), pl.col("vote").is_not_null().cast(pl.Int64), share=True)


@Resampling
def votes_received(tables: CommonsTables) -> Ratio:
    """Votes received: Σ votes against the player's seats / its seat-turns with a vote. This is the number of others
    that name the player per turn. There is a vote if voting is on and at least three seats are in the game."""
    return ratio_of(tables, tables.turns.filter("may_vote"), ("player",), "received")


@Resampling
def exclusion_rate(tables: CommonsTables) -> Ratio:
    """Exclusion rate: the share of the player's seats that were voted out, in games with voting and at least three
    seats."""
    voting = tables.games.filter(pl.col("voting") & (pl.col("seats") > 2)).select("game")
    rows = tables.seats.join(voting, on="game", how="semi", maintain_order="left")
    return ratio_of(tables, rows, ("player",), pl.col("excluded").cast(pl.Int64), share=True)


def contribution_by_partner(tables: CommonsTables) -> pl.DataFrame:
    """The mean over the player's seat-turns of the fraction of the endowment that it gave, in the games with the other
    player. A seat-turn counts once for each seat that the other player held."""
    return ratio_of(tables, with_others(tables, _by_seat(tables)), PAIR, "given", "turns", share=True).estimates()


def _by_seat(tables: CommonsTables) -> pl.DataFrame:
    """Return the sum of every seat's contributions. These sums, and not the contributions of single turns, are paired
    with other seats, since the pairs of all turns would be too many rows in a long game."""
    return (
        _in_the_game(tables)
        .group_by("game", "seat", "player", maintain_order=True)
        .agg(given=pl.col("contribution").sum(), turns=pl.len().cast(pl.Int64))
    )


def vote_by_target(tables: CommonsTables) -> pl.DataFrame:
    """The share of turns in which a player's seat voted against a seat of another player. Each such pair
    of seats in one game counts, in every turn in which the player's seat could vote."""
    able = tables.turns.filter("may_vote").group_by("game", "seat", "player", maintain_order=True)
    voted = tables.turns.filter(pl.col("vote").is_not_null()).group_by("game", "seat", other_seat="vote")
    rows = with_others(tables, able.agg(turns=pl.len().cast(pl.Int64))).join(
        voted.agg(votes=pl.len().cast(pl.Int64)), on=["game", "seat", "other_seat"], how="left", maintain_order="left"
    )
    return ratio_of(tables, rows, PAIR, pl.col("votes").fill_null(0), "turns", share=True).estimates()


def _in_the_game(tables: CommonsTables) -> pl.DataFrame:
    return tables.turns.filter("present")


def _able_to_lobby(tables: CommonsTables) -> pl.DataFrame:
    """Return the seat-turns in which the seat had capital and the rules allowed lobbying."""
    games = tables.games.filter("lobbying").select("game")
    rows = _in_the_game(tables).filter(pl.col("held") > 0)
    return rows.join(games, on="game", how="semi", maintain_order="left")


_OWN: Registry[Measure[CommonsTables]] = Registry("measure of the Commons")

_PLAYER_TURN = ("player", "turn")
enter(_OWN, capital_by_turn, "Capital by turn", "capital", _PLAYER_TURN)
enter(_OWN, synergy_by_turn, "Synergy by turn", "factor", ("turn",))
enter(_OWN, contribution, "Mean contribution", "share")
enter(_OWN, contribution_by_turn, "Contribution by turn", "share", _PLAYER_TURN)
enter(_OWN, cooperation_by_turn, "Cooperation by turn", "share", ("turn",))
enter(_OWN, contribution_by_partner, "Who gives with whom", "share", PAIR, interval=STUDENTISED)
enter(_OWN, lobbying, "Lobbying", "share", parts=lobbying_share)
enter(_OWN, votes_cast, "Votes cast", "share")
enter(_OWN, votes_received, "Votes received", "votes")
enter(_OWN, vote_by_target, "Who votes against whom", "share", PAIR, interval=STUDENTISED)
enter(_OWN, exclusion_rate, "Exclusion rate", "share")

_LESSON: Final = ("contribution", "lobbying", "exclusion_rate")
MEASURES = GameMeasures(_OWN, tables_of, ABOUT, lesson=_LESSON)
"""The tables and measures of the Commons, in addition to those that all games have."""
