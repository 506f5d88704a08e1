"""Games of Contribute & Punish as tidy tables: one row a game, a seat, a seat's round, a punishment, a message.

Rounds and orders count from 1, seats from 0 as in the records. Silence has no row among the messages."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, ClassVar

import polars as pl

from ostrom.analysis.left_out import By
from ostrom.analysis.played import Played, leave_out_defaulted, ranked
from ostrom.analysis.records import (
    GameRows,
    Records,
    Row,
    add_games,
    add_result,
    events_of,
    frame,
    players_of,
    sources_of,
)
from ostrom.core import RecordError
from ostrom.games.contribute_punish.events import EVENTS
from ostrom.games.contribute_punish.rules import ContributePunishRules
from ostrom.journal.record import GameRecord

GAMES = {
    "game": pl.String,
    "experiment": pl.String,
    "kind": pl.String,
    "seats": pl.Int64,
    "rounds": pl.Int64,
    "multiplier": pl.Float64,
    "start": pl.Int64,
    "messages": pl.Boolean,
    "anonymous": pl.Boolean,
    "source": pl.String,
    "defaulted": pl.Int64,
    "repaired": pl.Int64,
    "answers": pl.Int64,
}
SEATS = {
    "game": pl.String,
    "seat": pl.Int64,
    "player": pl.String,
    "final": pl.Int64,
    "defaulted": pl.Int64,
    "repaired": pl.Int64,
    "answers": pl.Int64,
    "imported": pl.Int64,
}
ROUNDS = {
    "game": pl.String,
    "round": pl.Int64,
    "seat": pl.Int64,
    "player": pl.String,
    "start": pl.Int64,
    "contribution": pl.Int64,
    "share": pl.Int64,
    "post": pl.Int64,
    "spend": pl.Int64,
    "damage": pl.Int64,
    "end": pl.Int64,
    "provenance": pl.String,
}
PUNISHMENTS = {
    "game": pl.String,
    "round": pl.Int64,
    "order": pl.Int64,
    "punisher": pl.Int64,
    "target": pl.Int64,
    "punisher_player": pl.String,
    "target_player": pl.String,
    "asked": pl.Int64,
    "spend": pl.Int64,
    "damage": pl.Int64,
}
MESSAGES = {
    "game": pl.String,
    "round": pl.Int64,
    "order": pl.Int64,
    "seat": pl.Int64,
    "player": pl.String,
    "text": pl.String,
}


@dataclass(slots=True)
class Rows(GameRows):
    """Rows as they come, one list a table."""

    rounds: list[Row] = field(default_factory=list)
    punishments: list[Row] = field(default_factory=list)
    messages: list[Row] = field(default_factory=list)


def add_game(made: Rows, game: str, experiment: str, record: GameRecord) -> None:
    """Add a game's rows to every table."""
    final, rounds = _add_events(made, game, players_of(game, record), record)
    rules = ContributePunishRules.model_validate(record.rules)
    settings = (rules.multiplier, rules.start, rules.messages, rules.anonymous)
    add_result(made, game, experiment, record, turns=rounds, settings=settings, ended=[final])


def _add_events(made: Rows, game: str, players: list[str], record: GameRecord) -> tuple[list[int], int]:
    """Add what happened; give back the final balances and the last round."""
    source = sources_of(record, "contribution")
    spoken = order = 0
    spend, damage = [0] * len(players), [0] * len(players)
    paid: dict[str, Any] = {}
    fund: dict[str, Any] = {}
    final: list[int] | None = None
    last = 0
    for tag, event in events_of(record, EVENTS):
        if tag == "message_said":
            spoken += 1
            seat = event["seat"]
            if event["text"]:
                made.messages.append((game, event["round"], spoken, seat, players[seat], event["text"]))
        elif tag == "contributed":
            paid, order = event, 0
            spend, damage = [0] * len(players), [0] * len(players)
        elif tag == "fund_shared":
            fund = event
        elif tag == "punished":
            order += 1
            punisher, target = event["punisher"], event["target"]
            spend[punisher] += event["spend"]
            damage[target] += event["damage"]
            who = (punisher, target, players[punisher], players[target])
            made.punishments.append(
                (game, event["round"], order, *who, event["asked"], event["spend"], event["damage"])
            )
        elif tag == "round_ended":
            spoken, last = 0, event["round"]
            shares = [fund["share"]] * len(players)
            origins = [source.get((last, seat)) for seat in range(len(players))]
            money = (paid["start"], paid["contributions"], shares, fund["balances"], spend, damage, event["balances"])
            rows = zip(range(len(players)), players, *money, origins, strict=True)
            made.rounds.extend((game, last, *row) for row in rows)
        elif tag == "game_ended":
            final = event["balances"]
    if final is None:
        raise RecordError(f"the record of the game {game} does not reach the game's end")
    return final, last


KIND = "contribute_punish"


@dataclass(frozen=True, slots=True)
class Tables(Played):
    """The five tables of some games."""

    ACTORS: ClassVar[Mapping[str, str | None]] = {"rounds": "seat", "punishments": "punisher", "messages": "seat"}

    rounds: pl.DataFrame
    """`start`, `post` (after the fund) and `end` are balances; `spend` went into punishing, `damage` was suffered;
    `provenance` is that of the contribution."""
    punishments: pl.DataFrame
    messages: pl.DataFrame


def tables_from(journal: Records, experiment: str | None = None) -> Tables:
    """The tables of a journal, or of one of its experiments."""
    return tables_of(journal.records(experiment))


def tables_of(records: Iterable[tuple[str, str, GameRecord]]) -> Tables:
    """The tables of some records, each with its game's id and its experiment's."""
    made = add_games(Rows(), records, KIND, add_game)
    return Tables(
        games=frame(made.games, GAMES),
        seats=ranked(frame(made.seats, SEATS)),
        rounds=frame(made.rounds, ROUNDS),
        punishments=frame(made.punishments, PUNISHMENTS),
        messages=frame(made.messages, MESSAGES),
    )


def without_defaulted(tables: Tables, by: By = "game") -> Tables:
    """The tables without what the game answered in a player's place: without every game in which that happened, or
    without every seat to which it happened.

    By seat, a seat's own rows leave (its rounds, its messages, the punishments that it dealt); the punishments that it
    suffered stay, being decisions of others, and measures that compare a seat with its table still see the whole
    table."""
    return leave_out_defaulted(tables, by)


def pooled(tables: Tables, name: str = "all") -> Tables:
    """The same games as if one player had held every seat: any measure by player then speaks of all of them."""
    one = pl.lit(name)
    return replace(
        tables,
        seats=tables.seats.with_columns(player=one),
        rounds=tables.rounds.with_columns(player=one),
        punishments=tables.punishments.with_columns(punisher_player=one, target_player=one),
        messages=tables.messages.with_columns(player=one),
        whole=None if tables.whole is None else pooled(tables.whole, name),
    )
