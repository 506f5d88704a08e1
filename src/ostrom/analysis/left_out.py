"""Describes the exclusions from the tables of games, in counts and in words: void games, games that are not pooled, and
games or seats with defaulted answers."""

from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any, Literal, Self

import polars as pl

from ostrom.core.errors import spell_fields
from ostrom.core.text import number_of

By = Literal["game", "seat"]

MAX_LISTED = 5


@dataclass(frozen=True, slots=True)
class Apart:
    """A group of games that are excluded because they differ from the others in one respect, or players of one name
    that are shown separately. `way` is the option that pools them."""

    what: str
    """The respect in which these games or players differ: 'rules', 'copies', 'exercises', 'people', 'simulations',
    'archived', 'rosters' or 'players'."""
    games: int
    sentence: str
    way: str
    """The option that includes the games. `field` marks the fields of a selection in this text, and `spelled` replaces
    the marks."""

    def spelled(self, spell: Callable[[str, str | None], str]) -> Self:
        """Return a copy in which `spell` has replaced the marked fields of a selection by options, arguments or
        parameters."""
        return replace(self, way=spell_fields(self.way, spell))


@dataclass(frozen=True, slots=True)
class Exclusions:
    """The games and seats that were excluded from tables. If `by` is None, defaulted answers exclude no game or
    seat."""

    by: By | None = None
    games: int = 0
    """The number of games, out of `of_games`, in which every seat is excluded."""
    of_games: int = 0
    seats: int = 0
    """The number of excluded seats, out of `of_seats`, including the seats of excluded games."""
    of_seats: int = 0
    alone: int = 0
    """The number of games with only one seat left. Measures count them, but ratings do not."""
    players: tuple[str, ...] = ()
    void: tuple[str, ...] = ()
    """The ids of void games. In a void game, a seat gave no legal answer, and the policy of the experiment excludes the
    game."""
    apart: tuple[Apart, ...] = ()

    def sentences(self, called: Callable[[str], str] = str, *, ways: bool = True) -> list[str]:
        """Return the exclusions in sentences. `called` returns a player's display name. If `ways` is true, the
        sentences name the options that include the games."""
        sentences = [
            f"{exclusion.sentence} {exclusion.way}" if ways else exclusion.sentence for exclusion in self.apart
        ]
        if self.by == "game":
            sentences.append(f"Left out for defaulted answers: {self.games:,} of {number_of(self.of_games, 'game')}.")
        elif self.by == "seat":
            sentences.append(
                f"Left out for defaulted answers: {self.seats:,} of {number_of(self.of_seats, 'seat')}; the other "
                "seats of their games stay."
            )
            if self.games:
                sentences.append(f"No seat is left of {number_of(self.games, 'game')}.")
            if self.alone:
                sentences.append(f"{number_of(self.alone, 'game')} with one seat left cannot be rated.")
        if self.players:
            sentences.append(f"Nothing is left of {_list_names([called(player) for player in self.players])}.")
        if self.void:
            sentences.append(f"{number_of(len(self.void), 'void game')} left out ({_list_names(self.void)}).")
        return sentences

    def as_record(self) -> dict[str, Any]:
        """Return the counts as plain data."""
        by = None if self.by is None else f"{self.by}s"
        apart = [asdict(exclusion) for exclusion in self.apart]
        return {**asdict(self), "by": by, "players": list(self.players), "void": list(self.void), "apart": apart}


NOTHING = Exclusions()


def counted(left_out: Exclusions, by: By, before: pl.DataFrame, after: pl.DataFrame) -> Exclusions:
    """Return the exclusions with the numbers of games and seats that are in the table `before` but not in `after`."""
    sizes = after.group_by("game").agg(seats=pl.len())
    sizes_before = before.group_by("game").agg(seats=pl.len())
    single = sizes.filter(pl.col("seats") == 1).join(sizes_before.filter(pl.col("seats") > 1), on="game", how="semi")
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


def _list_names(names: Sequence[str]) -> str:
    listed = ", ".join(names[:MAX_LISTED])
    more = len(names) - MAX_LISTED
    return listed if more <= 0 else f"{listed} and {more:,} more"
