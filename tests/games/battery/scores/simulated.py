"""Runs of the benchmark of recovery in the suite, and events of simulated subjects that were asked item by item."""

import importlib.util
import sys
from functools import lru_cache
from types import ModuleType
from typing import Any

from foreign_data import ROOT
from ostrom.core import GameChance
from ostrom.core.plugins import GAMES
from ostrom.experiment.match import play_match
from ostrom.games.battery.commands.plan import load_protocol
from ostrom.games.battery.subjects import subject_of


@lru_cache(maxsize=1)
def recovery() -> ModuleType:
    """The benchmark as a module: the suite checks what the documented command measures."""
    found = importlib.util.spec_from_file_location("battery_recovery", ROOT / "benchmarks" / "battery_recovery.py")
    assert found is not None
    assert found.loader is not None
    module = importlib.util.module_from_spec(found)
    sys.modules[found.name] = module
    found.loader.exec_module(module)
    return module


@lru_cache(maxsize=64)
def events(subject: str, task: str, protocol: str = "full", seed: int = 1) -> list[dict[str, Any]]:
    """What a simulated subject answers in a task."""
    rules = load_protocol(protocol)[task]
    match = play_match(GAMES[f"stated_{task}"], rules, [subject_of(subject)], GameChance(seed, 0))
    return [event.as_record() for event in match.events]


def tasks(subject: str, protocol: str = "full", seed: int = 1) -> dict[str, list[dict[str, Any]]]:
    """The events of both tasks that rationality is made of."""
    return {task: events(subject, task, protocol, seed) for task in ("time", "risk")}
