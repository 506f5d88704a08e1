"""The economic battery as an experiment: each subject is asked each task of a protocol. A task and a subject make one
game, so that the tasks of many subjects run concurrently, and are resumed and replayed like any other game.

A protocol defines the tasks and their grids. `full` has all tasks with their default settings: the grid of EconBench's
protocol 1.0.0 and further tasks. `quick` has all tasks and roles, on fewer cells: about 300 questions. A custom
protocol is a TOML file with a table for each task, whose entries are rules of the task. Missing rules are those of the
full protocol; missing tasks are not asked. ::

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
from typing import Annotated, Any

from pydantic import Field, ValidationError

from ostrom.core import InputError
from ostrom.core.chance import seed_or_random
from ostrom.core.errors import field
from ostrom.core.plugins import GAMES
from ostrom.core.settings import Display, Settings
from ostrom.core.text import first_problem
from ostrom.experiment.described import read_toml
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
"""The temperature of a model without a bot file, as in EconBench's protocol."""
_PERSON_ID = re.compile(r"[A-Za-z0-9_-]{1,40}")
MIN_CONTROLS = 15
"""The minimum number of control questions of a subject, over all tasks that have them."""


def _full(rules: type[TaskRules]) -> Mapping[str, Any]:
    return {}


def _quick(rules: type[TaskRules]) -> Mapping[str, Any]:
    return rules.quick


PROTOCOLS: Mapping[str, Callable[[type[TaskRules]], Mapping[str, Any]]] = {"full": _full, "quick": _quick}
"""Functions that return the settings of a task, by the name of the protocol."""


def load_protocol(name_or_path: str | os.PathLike[str]) -> dict[str, TaskRules]:
    """Return the rules of each task of a protocol, by its name or from a file. Raise InputError if it is invalid."""
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
    """Return the rules of a task with these settings. Raise InputError if they are invalid."""
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


class BatterySettings(Settings):
    """Settings of the battery."""

    subject: Annotated[tuple[Any, ...], Display(form="NAME|BOT|MODEL|human[:ID]")] = Field(
        (), description="A subject to ask; repeatable. A person is asked alone."
    )
    protocol: Annotated[str | os.PathLike[str], Display(form="quick|full|FILE.toml")] = Field(
        "full", description="The set of questions."
    )
    task: Annotated[tuple[str, ...], Display(form="TASK")] = Field((), description="Only this task; repeatable.")
    name: str | None = Field(None, description="Name of the experiment.")
    seed: int | None = Field(None, description="Seed of all random draws; drawn and shown if omitted.")


def plan_battery(settings: BatterySettings) -> Experiment:
    """Return the experiment in which the subjects (simulated ones, bots, models, or one person) answer the tasks of a
    protocol. Raise InputError if it is invalid."""
    if not settings.subject:
        raise InputError(
            f"name at least one subject, as in {field('subject', 'exponential')}; 'ostrom list subjects' shows them"
        )
    seed = seed_or_random(settings.seed)
    subjects = _with_ids(settings.subject)
    rules = load_protocol(settings.protocol)
    # The commands of played games have hyphens.
    names = [task.replace("-", "_") for task in settings.task]
    for task in names:
        TASKS[task]  # raises for an unknown name
        if task not in rules:
            raise InputError(f"the protocol {settings.protocol} has no task {task}; it has {', '.join(rules)}")
    selection = [task for task in rules if not names or task in names]
    rules |= _with_controls({task: rules[task] for task in selection})
    parts = tuple(
        Part(TASKS[task].game, rules[task], _contestants(TASKS[task].game.name, subjects), 1, len(subjects), seed)
        for task in selection
    )
    return Experiment(parts, settings.name or f"battery {settings.protocol} seed {seed}", title=KIND)


def _with_controls(rules: Mapping[str, TaskRules]) -> dict[str, TaskRules]:
    """Return the tasks whose protocol sets no control questions, with an equal number of them in each."""
    default_rules = {task: each for task, each in rules.items() if "controls" not in each.model_fields_set}
    controls = max(len(CONTROL_LIMITS), math.ceil(MIN_CONTROLS / max(1, len(default_rules))))
    return {task: each.model_copy(update={"controls": controls}) for task, each in default_rules.items()}


def _with_ids(subjects: Sequence[Seated]) -> list[Seated]:
    """Return the subjects, with a random id for a person without one, so that people are not taken for one another."""
    people = [subject for subject in subjects if isinstance(subject, str) and subject.partition(":")[0] == HUMAN]
    if people and len(subjects) > 1:
        raise InputError("a person is asked alone; ask the others in an experiment of their own")
    return [f"{HUMAN}:{secrets.token_hex(4)}" if subject == HUMAN else subject for subject in subjects]


def _contestants(game: str, subjects: Sequence[Seated]) -> list[Contestant]:
    contestants = [subject_named(game, subject) for subject in subjects]
    # The name of a bot and its file are different texts for the same subject.
    names = [contestant.name for contestant in contestants]
    for name in names:
        if names.count(name) > 1:
            raise InputError(f"{name} is named twice; name each subject once")
    return contestants


def subject_named(game: str, subject: Seated) -> Contestant:
    """Return a simulated subject, a person, a bot or a model as a contestant of a game. Raise InputError if there is
    none of this name."""
    if not isinstance(subject, str):
        return contestants_of(GAMES[game], [subject])[0]
    kind, _, person = subject.partition(":")
    if kind == HUMAN:
        if not _PERSON_ID.fullmatch(person):
            raise InputError(f"{subject!r}: a person's id has up to 40 letters, digits, - or _, as in {HUMAN}:p01")
        return HumanContestant(game, person=person)
    known = subject.partition(":")[0] in built_in_players(game) or subject in bot_files() or subject.endswith(".json")
    if known or ":" not in subject:
        contestants = seat_players(game, [subject])
        if len(contestants) > 1:
            raise InputError(f"{subject!r} seats {len(contestants)} of the same; name each subject once")
        return contestants[0]
    (model,) = seat_models(game, [subject], temperature=TEMPERATURE)
    return model
