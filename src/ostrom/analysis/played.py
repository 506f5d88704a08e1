"""What the tables of every game have in common: the games, who held their seats and how those ended, how far the
answers are the players' own, and what was left out."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any, ClassVar, NamedTuple, Self, TypeVar

import polars as pl

from ostrom.analysis.left_out import NOTHING, By, LeftOut, counted
from ostrom.core import InputError


@dataclass(frozen=True, slots=True)
class Played:
    """The tables of some games, whichever game it is."""

    ACTORS: ClassVar[Mapping[str, str | None]] = {}
    """The further tables of the game: for each the column with the seat whose doing a row is, or none where a row is
    the doing of the whole table."""

    games: pl.DataFrame
    """A row for each game: game, experiment, seats, source, defaulted, repaired, answers and the rules."""
    seats: pl.DataFrame
    """A row for each seat: game, seat, player, final, rank, defaulted, repaired, answers, imported. `rank` is
    fractional, 1 is best, those who tie share their ranks. `imported` counts answers read from a log."""
    whole: Self | None = field(default=None, kw_only=True)
    """Where single seats were left out: the same games with all their seats, to compare a seat with its table."""
    left_out: LeftOut = field(default=NOTHING, kw_only=True)
    """What is not in these tables."""
    before: pl.DataFrame | None = field(default=None, kw_only=True)
    """Where anything was left out: the table of seats as it was."""

    @property
    def asked(self) -> pl.DataFrame:
        """The seats before any was left out for its defaulted answers."""
        return self.seats if self.before is None else self.before

    @property
    def context(self) -> Self:
        """The games with all their seats."""
        return self.whole or self


_Tables = TypeVar("_Tables", bound=Played)


def ranked(seats: pl.DataFrame) -> pl.DataFrame:
    """The table of seats with their ranks behind what they ended with."""
    # From the highest down: 1 is best.
    rank = pl.col("final").rank("average", descending=True).over("game").cast(pl.Float64)
    behind = seats.columns.index("final") + 1
    return seats.select(*seats.columns[:behind], rank.alias("rank"), *seats.columns[behind:])


def leave_out_defaulted(tables: _Tables, by: By) -> _Tables:
    """The tables without what the game answered in a player's place: without every game in which that happened, or
    without every seat to which it happened, its own doing in all further tables included. Measures that compare a seat
    with its table still see the whole table."""
    if by == "game":
        kept = only_games(tables, tables.games.filter(pl.col("defaulted") == 0))
    elif by == "seat":
        kept = _only_seats(tables, tables.seats.filter(pl.col("defaulted") == 0))
    else:
        raise InputError(f"defaulted answers are left out by 'game' or by 'seat', not by {by!r}")
    return replace(kept, left_out=counted(tables.left_out, by, tables.asked, kept.seats), before=tables.asked)


def only_games(tables: _Tables, games: pl.DataFrame) -> _Tables:
    """The tables of these games alone, which a table with their ids names, as if there had been no others."""
    names = ("games", "seats", *tables.ACTORS)
    kept: dict[str, Any] = {name: _matching(getattr(tables, name), games, "game") for name in names}
    whole = None if tables.whole is None else only_games(tables.whole, games)
    return replace(tables, **kept, whole=whole, left_out=NOTHING, before=None)


def _only_seats(tables: _Tables, seats: pl.DataFrame) -> _Tables:
    left = only_games(tables, seats)
    own: dict[str, Any] = {
        name: _matching(getattr(tables, name), seats.select("game", pl.col("seat").alias(actor)), "game", actor)
        for name, actor in tables.ACTORS.items()
        if actor is not None
    }
    return replace(left, seats=seats, **own, whole=only_games(tables.context, seats))


def _matching(table: pl.DataFrame, kept: pl.DataFrame, *columns: str) -> pl.DataFrame:
    return table.join(kept, on=columns, how="semi", maintain_order="left")


class Answers(NamedTuple):
    """How far a player's answers are its own."""

    known: int
    """Answers of which it is known; an imported one was read from a log that does not tell."""
    defaulted: int
    repaired: int

    @property
    def defaulted_share(self) -> float | None:
        """The part that the game gave in the player's place; unknown where all answers were imported."""
        return self.defaulted / self.known if self.known else None

    @property
    def repaired_share(self) -> float | None:
        """The part that was legal only after a refusal; unknown where all answers were imported."""
        return self.repaired / self.known if self.known else None


def answers_by_player(tables: Played) -> dict[str, Answers]:
    """Every player's answers, in all games that it sat in: what was left out for its defaulted answers counts too, or
    leaving it out would hide it."""
    sums = (
        tables.asked.group_by("player")
        .agg((pl.col("answers") - pl.col("imported")).sum().alias("known"), pl.col("defaulted", "repaired").sum())
        .sort("player")
    )
    return {player: Answers(known, defaulted, repaired) for player, known, defaulted, repaired in sums.iter_rows()}
