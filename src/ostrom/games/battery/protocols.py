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
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from ostrom.core import InputError
from ostrom.core.text import first_problem
from ostrom.games.battery.garp import crossing_budgets
from ostrom.games.battery.stated import TaskRules
from ostrom.games.battery.tasks import TASKS

_BRIEF_SEQUENCES = {"bisections": 5, "askings": 1, "reversals": 1, "dominance": 2, "triples": 1}

QUICK: Mapping[str, Mapping[str, Any]] = {
    "time": {"later": [10, 1000], "delays": [6, 36], "fronts": [0, 12], **_BRIEF_SEQUENCES},
    "risk": {"references": [[2, 8, 2], [4, 4, 4], [3, 3, 6], [6, 3, 3], [4, 0, 8], [6, 0, 6]], **_BRIEF_SEQUENCES},
    "dictator": {"repetitions": 2},
    "ultimatum": {"pots": [10, 1000], "offers": [0, 0.1, 0.2, 0.3, 0.4, 0.5], "repetitions": 2, "responses": 2},
    "trust": {"endowments": [10, 1000], "sent": [0.2, 0.6, 1.0], "repetitions": 2},
    "stag_hunt": {"stags": [10, 1000], "repetitions": 2},
    "public_goods": {"endowments": [10, 1000], "multipliers": [1, 1.5, 2], "repetitions": 2},
    "centipede": {"scales": [1, 100], "repetitions": 2},
    "traveller": {"scales": [0.1, 1], "other_bonuses": [20, 50], "repetitions": 2},
    "beauty_contest": {"repetitions": 2},
    "matching_pennies": {"prizes": [100], "repetitions": 10},
    "garp": {"budgets": crossing_budgets(10)},
    "loss": {"gains": [100], "losses": [0.25, 0.4, 0.5, 0.6, 0.8, 1.0]},
    "ambiguity": {"prizes": [100], "known": [0.3, 0.4, 0.5, 0.6, 0.7]},
}
"""The settings of the quick protocol. Its sequences go by single answers and halve five times, so that a point is found
to a 64th; one sequence of each adaptive task is asked again, and one with the order reversed."""

PROTOCOLS: Mapping[str, Mapping[str, Mapping[str, Any]]] = {"full": {task: {} for task in TASKS}, "quick": QUICK}
"""The settings of every task, by the name of the protocol."""


def load_protocol(name_or_path: str | os.PathLike[str]) -> dict[str, TaskRules]:
    """The rules of every task of a protocol, by its name or from a file. What is wrong with a file is told in one
    line."""
    if isinstance(name_or_path, str) and name_or_path in PROTOCOLS:
        return {task: make_rules(task, settings) for task, settings in PROTOCOLS[name_or_path].items()}
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
