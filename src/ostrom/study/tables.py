"""Games as tidy tables: one row a game, a seat, a seat's round, a punishment, a message. Every measure starts here.

Only Contribute & Punish has these five tables; records of other games are passed over. Rounds and orders count from 1,
seats from 0 as in the records. Silence has no row among the messages."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import ClassVar

import polars as pl

from ostrom.journal.record import GameRecord
from ostrom.study.left_out import By
from ostrom.study.played import Played, leave_out_defaulted, ranked
from ostrom.study.records import Records, add_games, frame
from ostrom.study.rows import GAMES, MESSAGES, PUNISHMENTS, ROUNDS, SEATS, Rows, add_game

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
