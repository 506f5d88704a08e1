"""Run an experiment: many games between the same players, each kept in the journal. Where algorithms alone play, a game
is kept as soon as it is over; where models play, every decision is kept as soon as it is made."""

from collections.abc import Callable

from ostrom.arena.experiment import play_games
from ostrom.journal.sql import Journal
from ostrom.lab.plan import Experiment, Part, experiment_of
from ostrom.lab.records import record_of

__all__ = ["Experiment", "Part", "enter", "experiment_of", "run_experiment"]


def enter(planned: Experiment, journal: Journal) -> str:
    """Write the plan into the journal, and get the experiment's id."""
    planned.check()
    return journal.new_experiment(planned.called, kind=planned.kind, settings=planned.settings, planned=planned.games)


def run_experiment(
    planned: Experiment, journal: Journal, progress: Callable[[], None] = lambda: None, experiment: str | None = None
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
