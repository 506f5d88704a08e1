"""What the tables of every game have in common: the games, who held their seats and how those ended, how far the
answers are the players' own, and what was left out."""

from typing import NamedTuple, Protocol

import polars as pl

from ostrom.study.left_out import LeftOut


class Played(Protocol):
    """The tables of some games, whichever game it is."""

    @property
    def games(self) -> pl.DataFrame:
        """A row for each game: game, experiment, seats, source, defaulted, repaired, answers and the rules."""

    @property
    def seats(self) -> pl.DataFrame:
        """A row for each seat: game, seat, player, final, rank, defaulted, repaired, answers, imported."""

    @property
    def asked(self) -> pl.DataFrame:
        """The seats before any was left out for its defaulted answers."""

    @property
    def left_out(self) -> LeftOut:
        """What is not in the tables."""


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
