"""Games of the Commons as tidy tables: one row a game, a seat, a seat's turn, and a turn of the economy. Records of
other games are passed over. Turns count from 1, seats from 0 as in the records."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import ClassVar

import polars as pl

from ostrom.journal.record import GameRecord
from ostrom.study.commons.rows import ECONOMY, GAMES, SEATS, TURNS, Rows, add_game
from ostrom.study.left_out import By
from ostrom.study.played import Played, leave_out_defaulted, ranked
from ostrom.study.records import Records, add_games, frame

KIND = "commons"


@dataclass(frozen=True, slots=True)
class CommonsTables(Played):
    """The four tables of some games of the Commons. What a seat ended with, `final`, is its capital, settled to 9
    decimals. A seat that was `excluded` keeps its capital and is ranked with it; `turns` counts those in which it was
    in the game."""

    ACTORS: ClassVar[Mapping[str, str | None]] = {"turns": "seat", "economy": None}

    turns: pl.DataFrame
    """`held` is the capital before the turn, `capital` that after it; `gain` comes before the cost of lobbying.
    `vote` is the seat that was named, `received` the votes against this one, `may_vote` whether there was a vote. A
    seat that is out holds its capital, and has nothing else."""
    economy: pl.DataFrame
    """A game's turn: seats still in, α after the lobbying, synergy, pot, the factor on kept money, cooperation."""


def tables_from(journal: Records, experiment: str | None = None) -> CommonsTables:
    """The tables of a journal, or of one of its experiments."""
    return tables_of(journal.records(experiment))


def tables_of(records: Iterable[tuple[str, str, GameRecord]]) -> CommonsTables:
    """The tables of some records, each with its game's id and its experiment's."""
    made = add_games(Rows(), records, KIND, add_game)
    return CommonsTables(
        games=frame(made.games, GAMES),
        seats=ranked(frame(made.seats, SEATS)),
        turns=frame(made.turns, TURNS),
        economy=frame(made.economy, ECONOMY),
    )


def without_defaulted(tables: CommonsTables, by: By = "game") -> CommonsTables:
    """The tables without what the game answered in a player's place: without every game in which that happened, or
    without every seat to which it happened.

    By seat, a seat's own rows leave; the votes that the others cast against it stay in their rows, and so does the
    economy of its games, which all of their seats made."""
    return leave_out_defaulted(tables, by)


def pooled(tables: CommonsTables, name: str = "all") -> CommonsTables:
    """The same games as if one player had held every seat: any measure by player then speaks of all of them."""
    one = pl.lit(name)
    return replace(
        tables,
        seats=tables.seats.with_columns(player=one),
        turns=tables.turns.with_columns(player=one),
        whole=None if tables.whole is None else pooled(tables.whole, name),
    )
