"""The played games of the battery, and a few simulated subjects that answered the quick protocol."""

from functools import cache

from ostrom.core import GameChance
from ostrom.core.plugins import GAMES
from ostrom.experiment import record_of
from ostrom.experiment.match import play_match
from ostrom.games.battery.commands.plan import load_protocol
from ostrom.games.battery.scores.table import SubjectScores, score_subjects
from ostrom.games.battery.stated import TASKS
from ostrom.games.battery.subjects import subject_of
from ostrom.journal.record import GameRecord

PLAYED = tuple(GAMES[name] for name, task in TASKS.items() if task.played)
"""The games of the tasks that are played."""
SUBJECTS = ("exponential:delta=0.9,noise=0.03", "fehr-schmidt", "level-k:k=2", "refuser")


@cache
def battery_records(subjects: tuple[str, ...] = SUBJECTS, tasks: tuple[str, ...] = ()) -> tuple[GameRecord, ...]:
    """A game for every subject and task."""
    protocol = load_protocol("quick")
    return tuple(
        record_of(play_match(TASKS[task].game, rules, [subject_of(subject)], GameChance(1, number)))
        for subject in subjects
        for number, (task, rules) in enumerate(protocol.items())
        if not tasks or task in tasks
    )


@cache
def battery_rows(subjects: tuple[str, ...] = SUBJECTS, tasks: tuple[str, ...] = ()) -> tuple[SubjectScores, ...]:
    """Their scores."""
    records = battery_records(subjects, tasks)
    return tuple(score_subjects((f"b{number}", "e", record) for number, record in enumerate(records)))
