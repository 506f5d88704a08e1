"""Run an experiment: many games between the same players, each kept in the journal as soon as it is over."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from ostrom.arena.experiment import play_games
from ostrom.arena.schedule import balanced_tables, check_table
from ostrom.games import GAMES, Game
from ostrom.journal.sql import Journal
from ostrom.lab.playing import make_rules
from ostrom.lab.records import record_of
from ostrom.players.base import Contestant
from ostrom.players.roster import seat_players
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


def experiment_of(name: str, settings: Mapping[str, Any]) -> Experiment:
    """The experiment that these settings, as a journal keeps them, describe."""
    try:
        game = GAMES[settings["game"]]
        return Experiment(
            game=game,
            rules=make_rules(game, settings["rules"]),
            contestants=seat_players(game.name, settings["players"]),
            seats=settings["seats"],
            games=settings["games"],
            seed=settings["seed"],
            name=name,
        )
    except (KeyError, TypeError) as error:
        raise InputError(f"{name} was not planned by a benchmark, so there is nothing to go on with") from error


def run_experiment(
    planned: Experiment, journal: Journal, progress: Callable[[], None] = lambda: None, experiment: str | None = None
) -> str:
    """Play the games of an experiment and keep each in the journal as soon as it is over; returns the experiment's id.
    With the id of one that is there already, only the games that it lacks are played."""
    planned.check()
    done: set[int] = set()
    if experiment is None:
        experiment = journal.new_experiment(
            planned.called, kind=planned.game.command, settings=planned.settings, planned=planned.games
        )
    else:
        done = {int(game.key) for game in journal.games(experiment)}
    tables = balanced_tables(len(planned.contestants), planned.seats, planned.games, planned.seed)
    for number, match in play_games(planned.game, planned.rules, planned.contestants, tables, planned.seed, done):
        journal.add_game(experiment, record_of(match), key=str(number))
        progress()
    return experiment
