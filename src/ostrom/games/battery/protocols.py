"""Protocols: which tasks are asked, on which grids.

`full` is every task with its default settings, the grid of EconBench's protocol 1.0.0 and the further tasks. `quick`
keeps every task and every role, on fewer cells: about 300 questions. A protocol of one's own is a TOML file with a
table for every task, whose entries are settings of the task's rules; what it leaves out is as in the full protocol, and
tasks that it does not name are not asked. ::

    [time]
    later = [100, 1000]
    delays = [6, 12]
    fronts = [0]

    [dictator]
    repetitions = 5
"""

import os
import tomllib
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from ostrom.core import InputError
from ostrom.core.validation import first_problem
from ostrom.games.battery.grids import TaskRules
from ostrom.games.battery.tasks import TASKS

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


def questions(protocol: Mapping[str, TaskRules]) -> int:
    """How many questions a subject is asked, at most: sequences that end early take fewer."""
    return sum(rules.questions for rules in protocol.values())


def make_rules(task: str, settings: object) -> TaskRules:
    """The rules of a task with these settings."""
    if task not in TASKS:
        near = TASKS.nearest(task)
        raise InputError(
            f"there is no task called {task!r}; "
            + (f"did you mean {' or '.join(near)}?" if near else f"it must be one of {', '.join(TASKS)}")
        )
    if not isinstance(settings, Mapping):
        raise InputError(f"{task} must be a table of settings, as in [{task}]")
    kind = TASKS[task].rules
    unknown = [name for name in settings if name not in kind.model_fields]
    if unknown:
        known = ", ".join(kind.model_fields)
        raise InputError(f"{task} has no setting {unknown[0]!r}; it must be one of {known}")
    try:
        return kind(**settings)
    except ValidationError as error:
        raise InputError(f"{task}.{first_problem(error)}") from None


def _read(path: Path) -> dict[str, Any]:
    try:
        text = path.read_text(encoding="utf-8")
    except FileNotFoundError:
        known = " or ".join(PROTOCOLS)
        raise InputError(f"there is no protocol called {str(path)!r}; it must be {known}, or a TOML file") from None
    except (OSError, UnicodeDecodeError) as error:
        reason = error.strerror if isinstance(error, OSError) else "it is not text"
        raise InputError(f"{path} cannot be read: {reason}") from error
    try:
        tables = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise InputError(f"{path} is no TOML: {error}") from error
    if not tables:
        raise InputError(f"{path} names no task; it must hold a table for at least one, as in [dictator]")
    return tables
