"""Run an experiment: many games between the same players, each kept in the journal as soon as it is over."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from ostrom.arena.experiment import play_games
from ostrom.arena.schedule import balanced_tables, check_table
from ostrom.games import Game
from ostrom.journal.sql import Journal
from ostrom.lab.records import record_of
from ostrom.players.base import Contestant
from ostrom.table import InputError


@dataclass(frozen=True)
class Experiment:
    """Many games in which everybody meets everybody and sits everywhere as evenly as may be."""

    game: Game
    rules: Any
    contestants: Sequence[Contestant]
    """One that is listed twice is seated like two."""
    seats: int
    games: int
    seed: int
    name: str | None = None

    @property
    def called(self) -> str:
        """Its name, or one made of the game and the seed."""
        return self.name or f"{self.game.command} seed {self.seed}"

    @property
    def settings(self) -> dict[str, Any]:
        """All that decides it, as plain data."""
        return {
            "game": self.game.name,
            "rules": self.rules.model_dump(mode="json"),
            "players": [contestant.name for contestant in self.contestants],
            "seats": self.seats,
            "games": self.games,
            "seed": self.seed,
        }

    def check(self) -> None:
        """Refuse what cannot be played, before anything is written."""
        if self.games < 1:
            raise InputError(f"{self.games} games cannot be played; --games must be 1 or more")
        self.game.check_seats(self.seats)
        check_table(len(self.contestants), self.seats)


def run_experiment(planned: Experiment, journal: Journal, progress: Callable[[], None] = lambda: None) -> str:
    """Play the games of an experiment and keep each in the journal as soon as it is over; returns the experiment's
    id."""
    planned.check()
    kept = journal.new_experiment(
        planned.called, kind=planned.game.command, settings=planned.settings, planned=planned.games
    )
    tables = balanced_tables(len(planned.contestants), planned.seats, planned.games, planned.seed)
    for number, match in play_games(planned.game, planned.rules, planned.contestants, tables, planned.seed):
        journal.add_game(kept, record_of(match), key=str(number))
        progress()
    return kept
