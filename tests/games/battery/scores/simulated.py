"""The benchmark of recovery, and events of simulated subjects that were asked item by item."""

from functools import lru_cache
from types import ModuleType
from typing import Any

from coverage_parts import part
from ostrom.core import GameChance
from ostrom.core.plugins import GAMES
from ostrom.experiment.match import play_match
from ostrom.games.battery.commands.plan import load_protocol
from ostrom.games.battery.subjects import subject_of


def recovery() -> ModuleType:
    """Return the benchmark of recovery as a module: the suite checks the measurements of the documented command."""
    return part("battery").recovery


@lru_cache(maxsize=64)
def events(subject: str, task: str, protocol: str = "full", seed: int = 1) -> list[dict[str, Any]]:
    """Return the events of a task answered by a simulated subject."""
    rules = load_protocol(protocol)[task]
    match = play_match(GAMES[f"stated_{task}"], rules, [subject_of(subject)], GameChance(seed, 0))
    return [event.as_record() for event in match.events]


def tasks(subject: str, protocol: str = "full", seed: int = 1) -> dict[str, list[dict[str, Any]]]:
    """Return the events of time and risk, the two tasks of rationality."""
    return {task: events(subject, task, protocol, seed) for task in ("time", "risk")}
