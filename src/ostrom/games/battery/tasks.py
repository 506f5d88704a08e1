"""The registry of the battery's tasks, from the entry points of packages and the files of users. A task is declared in
one file: its stated choices are the game `stated_NAME`; if it can be played, that game is `NAME`."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from ostrom.core import InputError, Registry
from ostrom.core.game import Game
from ostrom.core.plugins import GAMES, cached_until_registration
from ostrom.games.battery.rules import Role, TaskRules
from ostrom.games.battery.stated import PREFIX

_ORDER: Final = [
    "time",
    "risk",
    "dictator",
    "ultimatum",
    "trust",
    "stag_hunt",
    "public_goods",
    "centipede",
    "traveller",
    "beauty_contest",
    "matching_pennies",
    "garp",
    "loss",
    "ambiguity",
]
"""The order of EconBench's protocol and our own further tasks; others follow by name."""


@dataclass(frozen=True, slots=True)
class BatteryTask:
    """A task of the battery."""

    name: str
    """'time', 'dictator', …; the stated choices are recorded under `game.name`."""
    game: Game
    """Its stated choices."""
    rules: type[TaskRules]
    """The rules of that game, with their own type."""
    played: bool
    """True if the task can also be played, as the game with the task's own name."""

    @property
    def summary(self) -> str:
        return self.game.summary.removeprefix("stated choices: ")

    @property
    def roles(self) -> Mapping[str, Role]:
        return self.rules.roles


class Tasks(Registry[BatteryTask]):
    """Every task of the registered games, by name."""

    def __init__(self) -> None:
        self.kind = "task"

    @property
    def _entries(self) -> dict[str, BatteryTask]:  # type: ignore[override]
        return _tasks(tuple(GAMES.instruments()), tuple(GAMES.commands()))


@cached_until_registration
def _tasks(instruments: tuple[str, ...], played: tuple[str, ...]) -> dict[str, BatteryTask]:
    names = [command.replace("-", "_") for command in instruments]
    tasks: dict[str, BatteryTask] = {}
    for name in (name.removeprefix(PREFIX) for name in sorted(names) if name.startswith(PREFIX)):
        try:
            game = GAMES[PREFIX + name]
        except InputError:
            continue  # a plugin that fails to load is reported elsewhere
        if issubclass(game.rules, TaskRules):
            tasks[name] = BatteryTask(name, game, game.rules, name.replace("_", "-") in played)
    order = sorted(tasks, key=lambda name: _ORDER.index(name) if name in _ORDER else len(_ORDER))
    return {name: tasks[name] for name in order}


TASKS: Final = Tasks()
"""All tasks, in the order of asking."""
