"""Games of the Commons as tidy tables: one row a game, a seat, a seat's turn, and a turn of the economy. Records of
other games are passed over. Turns count from 1, seats from 0 as in the records."""

from collections.abc import Iterable
from dataclasses import dataclass, replace

import polars as pl

from ostrom.journal.record import GameRecord
from ostrom.study.commons.rows import ECONOMY, GAMES, SEATS, TURNS, Rows, add_game
from ostrom.study.left_out import NOTHING, By, LeftOut, counted
from ostrom.study.tables import Records, frame
from ostrom.table import InputError

KIND = "commons"


@dataclass(frozen=True, slots=True)
class CommonsTables:
    """The four tables of some games of the Commons."""

    games: pl.DataFrame
    seats: pl.DataFrame
    """`final` is the capital at the end, settled to 9 decimals; `rank` is fractional, 1 is best. A seat that was
    `excluded` keeps its capital and is ranked with it; `turns` counts those in which it was in the game."""
    turns: pl.DataFrame
    """`held` is the capital before the turn, `capital` that after it; `gain` comes before the cost of lobbying.
    `vote` is the seat that was named, `received` the votes against this one, `may_vote` whether there was a vote. A
    seat that is out holds its capital, and has nothing else."""
    economy: pl.DataFrame
    """A game's turn: seats still in, α after the lobbying, synergy, pot, the factor on kept money, cooperation."""
    whole: "CommonsTables | None" = None
    """Where single seats were left out: the same games with all their seats."""
    left_out: LeftOut = NOTHING
    """What is not in these tables."""
    before: pl.DataFrame | None = None
    """Where anything was left out: the table of seats as it was."""

    @property
    def asked(self) -> pl.DataFrame:
        """The seats before any was left out for its defaulted answers."""
        return self.seats if self.before is None else self.before

    @property
    def context(self) -> "CommonsTables":
        """The games with all their seats."""
        return self.whole or self


def tables_from(journal: Records, experiment: str | None = None) -> CommonsTables:
    """The tables of a journal, or of one of its experiments."""
    return tables_of(journal.records(experiment))


def tables_of(records: Iterable[tuple[str, str, GameRecord]]) -> CommonsTables:
    """The tables of some records, each with its game's id and its experiment's."""
    made = Rows()
    for game, experiment, record in records:
        if record.game == KIND:
            add_game(made, str(game), str(experiment), record)
    ranked = frame(made.seats, SEATS).with_columns(
        rank=pl.col("final").rank("average", descending=True).over("game").cast(pl.Float64)
    )
    return CommonsTables(
        games=frame(made.games, GAMES),
        seats=ranked.select("game", "seat", "player", "final", "rank", *list(SEATS)[4:]),
        turns=frame(made.turns, TURNS),
        economy=frame(made.economy, ECONOMY),
    )


def without_defaulted(tables: CommonsTables, by: By = "game") -> CommonsTables:
    """The tables without what the game answered in a player's place: without every game in which that happened, or
    without every seat to which it happened.

    By seat, a seat's own rows leave; the votes that the others cast against it stay in their rows, and so does the
    economy of its games, which all of their seats made."""
    if by == "game":
        kept = _only_games(tables, tables.games.filter(pl.col("defaulted") == 0).select("game"))
    elif by == "seat":
        seats = tables.seats.filter(pl.col("defaulted") == 0)
        key = seats.select("game", "seat")
        left = _only_games(tables, key.select("game").unique())
        kept = replace(
            left,
            seats=seats,
            turns=tables.turns.join(key, on=["game", "seat"], how="semi", maintain_order="left"),
            whole=_only_games(tables.context, left.games.select("game")),
        )
    else:
        raise InputError(f"defaulted answers are left out by 'game' or by 'seat', not by {by!r}")
    return replace(kept, left_out=counted(tables.left_out, by, tables.asked, kept.seats), before=tables.asked)


def pooled(tables: CommonsTables, name: str = "all") -> CommonsTables:
    """The same games as if one player had held every seat: any measure by player then speaks of all of them."""
    one = pl.lit(name)
    return replace(
        tables,
        seats=tables.seats.with_columns(player=one),
        turns=tables.turns.with_columns(player=one),
        whole=None if tables.whole is None else pooled(tables.whole, name),
    )


def _only_games(tables: CommonsTables, kept: pl.DataFrame) -> CommonsTables:
    def those(table: pl.DataFrame) -> pl.DataFrame:
        return table.join(kept, on="game", how="semi", maintain_order="left")

    return CommonsTables(
        games=those(tables.games),
        seats=those(tables.seats),
        turns=those(tables.turns),
        economy=those(tables.economy),
        whole=None if tables.whole is None else _only_games(tables.whole, kept),
    )
