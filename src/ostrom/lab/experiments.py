"""Run an experiment: many games between the same players, each kept in the journal. Where algorithms alone play, a game
is kept as soon as it is over; where models play, every decision is kept as soon as it is made."""

from collections.abc import Callable, Iterator, Mapping
from typing import Any, Protocol

from ostrom.arena.experiment import play_games
from ostrom.arena.fixtures import Fixture
from ostrom.arena.limits import Limits
from ostrom.journal.sql import Journal
from ostrom.lab.plan import Experiment, Part, experiment_of
from ostrom.lab.records import record_of
from ostrom.players.base import Contestant

__all__ = ["Experiment", "Part", "Plan", "enter", "experiment_of", "run_experiment"]


class Plan(Protocol):
    """What can be entered in a journal and run: a benchmark, or an audit, whose games are single questions."""

    @property
    def called(self) -> str:
        """Its name."""

    @property
    def kind(self) -> str:
        """What it is entered as."""

    @property
    def settings(self) -> Mapping[str, Any]:
        """All that decides it, as plain data."""

    @property
    def limits(self) -> Limits | None:
        """Matter only where models play."""

    @property
    def games(self) -> int:
        """How many games it has."""

    @property
    def models(self) -> Mapping[str, Contestant]:
        """Everybody who is asked over a wire, by name."""

    def check(self) -> None:
        """Refuse what cannot be played, before anything is written."""

    def fixtures(self) -> Iterator[Fixture]:
        """All games, made one at a time."""


def enter(planned: Plan, journal: Journal) -> str:
    """Write the plan into the journal, and get the experiment's id."""
    planned.check()
    return journal.new_experiment(planned.called, kind=planned.kind, settings=planned.settings, planned=planned.games)


def run_experiment(
    planned: Plan, journal: Journal, progress: Callable[[], None] = lambda: None, experiment: str | None = None
) -> str:
    """Play the games of an experiment between algorithms; returns the experiment's id. With the id of one that is there
    already, only the games that it lacks are played. Where models play, see `lab.conducting`."""
    planned.check()
    if experiment is None:
        experiment = enter(planned, journal)
    with journal.claim(experiment):
        done = {game.key for game in journal.games(experiment)}
        for key, match in play_games(planned.fixtures(), done):
            journal.add_game(experiment, record_of(match), key=key)
            progress()
    return experiment
