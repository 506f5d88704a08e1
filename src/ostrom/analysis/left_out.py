"""What some tables leave out of the games that were played, in counts and in words: void games, and what the game
answered in a player's place."""

from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any, Literal

import polars as pl

from ostrom.core.text import number_of

By = Literal["game", "seat"]

_NAMED = 5
"""So many void games, or players, are named one by one."""


@dataclass(frozen=True, slots=True)
class Apart:
    """Games that are not pooled with the others, or players that are told apart, and how to include them."""

    what: str
    """'rules', 'copies', 'exercises', 'people', 'simulations', 'archived' or 'players'."""
    games: int
    sentence: str
    way: str
    """By which options of a command they are included."""


@dataclass(frozen=True, slots=True)
class LeftOut:
    """What is not in the tables. Without `by`, defaulted answers are all in."""

    by: By | None = None
    """Defaulted answers were left out by whole games, or by seats."""
    games: int = 0
    """Games of which nothing is left, of so many."""
    of_games: int = 0
    seats: int = 0
    """Seats that left, those of whole games among them, of so many."""
    of_seats: int = 0
    alone: int = 0
    """Games with but one seat left: measures see them, a rating has nobody to compare."""
    players: tuple[str, ...] = ()
    """Players of whom nothing is left."""
    void: tuple[str, ...] = ()
    """The ids of void games: a seat gave no legal answer, and the experiment was to count no such game."""
    apart: tuple[Apart, ...] = ()
    """What is not pooled with these games."""

    def sentences(self, called: Callable[[str], str] = str, *, ways: bool = True) -> list[str]:
        """What was left out, for people; nothing where everything is in. `called` says what to call a player, `ways`
        whether options of commands are named that include it."""
        told = [f"{one.sentence} {one.way}" if ways else one.sentence for one in self.apart]
        if self.by == "game":
            told.append(f"Left out for defaulted answers: {self.games:,} of {number_of(self.of_games, 'game')}.")
        elif self.by == "seat":
            told.append(
                f"Left out for defaulted answers: {self.seats:,} of {number_of(self.of_seats, 'seat')}; the other "
                "seats of their games stay."
            )
            if self.games:
                told.append(f"No seat is left of {number_of(self.games, 'game')}.")
            if self.alone:
                told.append(f"{number_of(self.alone, 'game')} with one seat left cannot be rated.")
        if self.players:
            told.append(f"Nothing is left of {_listed([called(player) for player in self.players])}.")
        if self.void:
            told.append(f"{number_of(len(self.void), 'void game')} left out ({_listed(self.void)}).")
        return told

    def as_record(self) -> dict[str, Any]:
        """The counts as plain data."""
        by = None if self.by is None else f"{self.by}s"
        apart = [asdict(one) for one in self.apart]
        return {**asdict(self), "by": by, "players": list(self.players), "void": list(self.void), "apart": apart}


NOTHING = LeftOut()
"""Everything is in."""


def counted(left_out: LeftOut, by: By, before: pl.DataFrame, after: pl.DataFrame) -> LeftOut:
    """What leaving out made of a table of seats, added to what was left out already."""
    sizes = after.group_by("game").agg(seats=pl.len())
    was = before.group_by("game").agg(seats=pl.len())
    single = sizes.filter(pl.col("seats") == 1).join(was.filter(pl.col("seats") > 1), on="game", how="semi")
    return replace(
        left_out,
        by=by,
        games=before["game"].n_unique() - after["game"].n_unique(),
        of_games=before["game"].n_unique(),
        seats=before.height - after.height,
        of_seats=before.height,
        alone=single.height,
        players=tuple(sorted(set(before["player"]) - set(after["player"]))),
    )


def _listed(names: Sequence[str]) -> str:
    shown = ", ".join(names[:_NAMED])
    more = len(names) - _NAMED
    return shown if more <= 0 else f"{shown} and {more:,} more"
