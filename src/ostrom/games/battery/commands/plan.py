"""The economic battery as an experiment: every subject is asked every task of a protocol. A task and a subject make one
game, so that tasks of many subjects are asked side by side, are resumed and are replayed like any other game.

A protocol says which tasks are asked, on which grids. `full` is every task with its default settings, the grid of
EconBench's protocol 1.0.0 and the further tasks. `quick` keeps every task and every role, on fewer cells: about 300
questions. A protocol of one's own is a TOML file with a table for every task, whose entries are settings of the task's
rules; what it leaves out is as in the full protocol, and tasks that it does not name are not asked. ::

    [time]
    later = [100, 1000]
    delays = [6, 12]
    fronts = [0]

    [dictator]
    repetitions = 5
"""

import math
import os
import re
import secrets
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from ostrom.core import InputError
from ostrom.core.plugins import GAMES
from ostrom.core.text import first_problem
from ostrom.experiment.described import read_toml
from ostrom.experiment.limits import Limits
from ostrom.experiment.plan import Experiment, Part
from ostrom.games.battery.rules import CONTROL_LIMITS, TaskRules
from ostrom.games.battery.tasks import TASKS
from ostrom.players.base import Contestant
from ostrom.players.models.bots import bot_files
from ostrom.players.people.room import HumanContestant
from ostrom.players.people.seat import HUMAN
from ostrom.players.roster import Seated, built_in_players, contestants_of, seat_models, seat_players

KIND = "battery"
TEMPERATURE = 0.5
"""Of a model that is named without a bot file, as in EconBench's protocol."""
_PERSON = re.compile(r"[A-Za-z0-9_-]{1,40}")
CONTROLS = 15
"""How many control questions a subject is asked at least, over all tasks that have them."""
PROTOCOLS: Mapping[str, Callable[[type[TaskRules]], Mapping[str, Any]]] = {
    "full": lambda rules: {},
    "quick": lambda rules: rules.quick,
}
"""What gives the settings of a task, by the name of the protocol."""


def load_protocol(name_or_path: str | os.PathLike[str]) -> dict[str, TaskRules]:
    """The rules of every task of a protocol, by its name or from a file. What is wrong with a file is told in one
    line."""
    if isinstance(name_or_path, str) and name_or_path in PROTOCOLS:
        settings_of = PROTOCOLS[name_or_path]
        return {name: make_rules(name, settings_of(task.rules)) for name, task in TASKS.items()}
    path = Path(name_or_path)
    tables = _read(path)
    try:
        return {task: make_rules(task, settings) for task, settings in tables.items()}
    except InputError as error:
        raise InputError(f"{path}: {error}") from None


def make_rules(task: str, settings: object) -> TaskRules:
    """The rules of a task with these settings."""
    if task not in TASKS and not TASKS.nearest(task):
        raise InputError(f"there is no task called {task!r}; it must be one of {', '.join(TASKS)}")
    kind = TASKS[task].rules
    if not isinstance(settings, Mapping):
        raise InputError(f"{task} must be a table of settings, as in [{task}]")
    unknown = [name for name in settings if name not in kind.model_fields]
    if unknown:
        raise InputError(f"{task} has no setting {unknown[0]!r}; it must be one of {', '.join(kind.model_fields)}")
    try:
        return kind(**settings)
    except ValidationError as error:
        raise InputError(f"{task}.{first_problem(error)}") from None


def _read(path: Path) -> dict[str, Any]:
    try:
        _, tables = read_toml(path)
    except InputError as error:
        if not isinstance(error.__cause__, FileNotFoundError):
            raise
        known = " or ".join(PROTOCOLS)
        raise InputError(f"there is no protocol called {str(path)!r}; it must be {known}, or a TOML file") from None
    if not tables:
        raise InputError(f"{path} names no task; it must have a table for at least one, as in [dictator]")
    return tables


def battery(
    subjects: Sequence[Seated],
    *,
    protocol: str = "full",
    tasks: Sequence[str] = (),
    seed: int = 0,
    name: str | None = None,
    limits: Limits | None = None,
) -> Experiment:
    """The experiment in which these subjects (simulated ones, bots, models, or one person) answer these tasks of a
    protocol, or all."""
    if isinstance(subjects, str):
        raise InputError(f"subjects must be a list, as in [{subjects!r}]")
    if not subjects:
        raise InputError("name at least one subject, as in --subject exponential; 'ostrom list subjects' shows them")
    subjects = _identified(subjects)
    rules = load_protocol(protocol)
    wanted = [task.replace("-", "_") for task in tasks]  # as the commands of played games are written
    for task in wanted:
        TASKS[task]
        if task not in rules:
            raise InputError(f"the protocol {protocol} has no task {task}; it has {', '.join(rules)}")
    chosen = [task for task in rules if not wanted or task in wanted]
    rules |= _controlled({task: rules[task] for task in chosen})
    parts = tuple(
        Part(TASKS[task].game, rules[task], _seated(TASKS[task].game.name, subjects), 1, len(subjects), seed)
        for task in chosen
    )
    return Experiment(parts, name or f"battery {protocol} seed {seed}", limits, title=KIND)


def _controlled(rules: Mapping[str, TaskRules]) -> dict[str, TaskRules]:
    """The tasks with control questions, shared out evenly: together they say whether a subject reads what it is asked.
    A file that sets its controls keeps them."""
    plain = {task: one for task, one in rules.items() if "controls" not in one.model_fields_set}
    each = max(len(CONTROL_LIMITS), math.ceil(CONTROLS / max(1, len(plain))))
    return {task: one.model_copy(update={"controls": each}) for task, one in plain.items()}


def _identified(subjects: Sequence[Seated]) -> list[Seated]:
    """The subjects, with an id for a person who is named by none: answers of different people are not one person's."""
    people = [subject for subject in subjects if isinstance(subject, str) and subject.partition(":")[0] == HUMAN]
    if people and len(subjects) > 1:
        raise InputError("a person is asked alone; ask the others in an experiment of their own")
    return [f"{HUMAN}:{secrets.token_hex(4)}" if subject == HUMAN else subject for subject in subjects]


def _seated(game: str, subjects: Sequence[Seated]) -> list[Contestant]:
    seated = [subject_named(game, subject) for subject in subjects]
    # By their names, not by how they were written: a bot's file and its name are the same subject.
    names = [contestant.name for contestant in seated]
    for name in names:
        if names.count(name) > 1:
            raise InputError(f"{name} is named twice; name each subject once")
    return seated


def subject_named(game: str, subject: Seated) -> Contestant:
    """A simulated subject, a person, a bot, or else a model by its name, as a contestant of this game."""
    if not isinstance(subject, str):
        return contestants_of(GAMES[game], [subject])[0]
    kind, _, person = subject.partition(":")
    if kind == HUMAN:
        if not _PERSON.fullmatch(person):
            raise InputError(f"{subject!r}: a person's id has up to 40 letters, digits, - or _, as in {HUMAN}:p01")
        return HumanContestant(game, person=person)
    known = subject.partition(":")[0] in built_in_players(game) or subject in bot_files() or subject.endswith(".json")
    if known or ":" not in subject:
        found = seat_players(game, [subject])
        if len(found) > 1:
            raise InputError(f"{subject!r} seats {len(found)} of the same; name each subject once")
        return found[0]
    (model,) = seat_models(game, [subject], temperature=TEMPERATURE)
    return model
