"""Games as tidy tables: one row a game, a seat, a seat's round, a punishment, a message. Every measure starts here.

Only Contribute & Punish has these five tables; records of other games are passed over. Rounds and orders count from 1,
seats from 0 as in the records. Silence has no row among the messages."""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Any, Protocol

import polars as pl

from ostrom.journal.record import GameRecord
from ostrom.study.left_out import NOTHING, By, LeftOut, counted
from ostrom.study.rows import GAMES, MESSAGES, PUNISHMENTS, ROUNDS, SEATS, Rows, add_game
from ostrom.table import InputError

KIND = "contribute_punish"


class Records(Protocol):
    """Whatever hands out the records of games, such as a journal."""

    def records(self, experiment: str | None = None) -> Iterable[tuple[str, str, GameRecord]]:
        """Every game's id, its experiment's id and its record."""


@dataclass(frozen=True, slots=True)
class Tables:
    """The five tables of some games."""

    games: pl.DataFrame
    seats: pl.DataFrame
    """`rank` is fractional, 1 is best, tied balances share their ranks. `imported` counts answers read from a log."""
    rounds: pl.DataFrame
    """`start`, `post` (after the fund) and `end` are balances; `spend` went into punishing, `damage` was suffered;
    `provenance` is that of the contribution."""
    punishments: pl.DataFrame
    messages: pl.DataFrame
    whole: "Tables | None" = None
    """Where single seats were left out: the same games with all their seats, to compare a seat with its table."""
    left_out: LeftOut = NOTHING
    """What is not in these tables."""
    before: pl.DataFrame | None = None
    """Where anything was left out: the table of seats as it was."""

    @property
    def asked(self) -> pl.DataFrame:
        """The seats before any was left out for its defaulted answers."""
        return self.seats if self.before is None else self.before

    @property
    def context(self) -> "Tables":
        """The games with all their seats."""
        return self.whole or self


def tables_from(journal: Records, experiment: str | None = None) -> Tables:
    """The tables of a journal, or of one of its experiments."""
    return tables_of(journal.records(experiment))


def tables_of(records: Iterable[tuple[str, str, GameRecord]]) -> Tables:
    """The tables of some records, each with its game's id and its experiment's."""
    made = Rows()
    for game, experiment, record in records:
        if record.game == KIND:
            add_game(made, str(game), str(experiment), record)
    # Ranks from the highest balance down: 1 is best.
    ranked = frame(made.seats, SEATS).with_columns(
        rank=pl.col("final").rank("average", descending=True).over("game").cast(pl.Float64)
    )
    return Tables(
        games=frame(made.games, GAMES),
        seats=ranked.select("game", "seat", "player", "final", "rank", *list(SEATS)[4:]),
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
    if by == "game":
        kept = _only_games(tables, tables.games.filter(pl.col("defaulted") == 0).select("game"))
        return _noted(tables, kept, by)
    if by != "seat":
        raise InputError(f"defaulted answers are left out by 'game' or by 'seat', not by {by!r}")
    seats = tables.seats.filter(pl.col("defaulted") == 0)
    key = seats.select("game", "seat")
    dealt = key.rename({"seat": "punisher"})
    games = tables.games.join(key, on="game", how="semi", maintain_order="left")
    kept = Tables(
        games=games,
        seats=seats,
        rounds=tables.rounds.join(key, on=["game", "seat"], how="semi", maintain_order="left"),
        punishments=tables.punishments.join(dealt, on=["game", "punisher"], how="semi", maintain_order="left"),
        messages=tables.messages.join(key, on=["game", "seat"], how="semi", maintain_order="left"),
        whole=_only_games(tables.context, games.select("game")),
    )
    return _noted(tables, kept, by)


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


def _noted(tables: Tables, kept: Tables, by: By) -> Tables:
    """What is kept, with a note of what is not."""
    return replace(kept, left_out=counted(tables.left_out, by, tables.asked, kept.seats), before=tables.asked)


def _only_games(tables: Tables, kept: pl.DataFrame) -> Tables:
    def those(table: pl.DataFrame) -> pl.DataFrame:
        return table.join(kept, on="game", how="semi", maintain_order="left")

    return Tables(
        games=those(tables.games),
        seats=those(tables.seats),
        rounds=those(tables.rounds),
        punishments=those(tables.punishments),
        messages=those(tables.messages),
        whole=None if tables.whole is None else _only_games(tables.whole, kept),
    )


def frame(rows: list[tuple[Any, ...]], schema: dict[str, Any]) -> pl.DataFrame:
    """Rows as a table of these columns."""
    columns = list(zip(*rows, strict=True)) if rows else [()] * len(schema)
    return pl.DataFrame(
        [pl.Series(name, column, dtype=kind) for (name, kind), column in zip(schema.items(), columns, strict=True)]
    )
