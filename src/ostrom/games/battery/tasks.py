"""The tasks of the battery, as the entry points of packages and the files of users bring them. A task is declared in
one file: its stated choices are the game `stated_NAME`, and where it is played, the game is `NAME`."""

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
class Task:
    """A task of the battery."""

    name: str
    """'time', 'dictator', …; the stated choices are recorded under `game.name`."""
    game: Game
    """Its stated choices."""
    rules: type[TaskRules]
    """The same as the game's, by its own type."""
    played: bool
    """Whether it can also be played, as the game that is recorded under the task's own name."""

    @property
    def summary(self) -> str:
        return self.game.summary.removeprefix("stated choices: ")

    @property
    def roles(self) -> Mapping[str, Role]:
        return self.rules.roles


class Tasks(Registry[Task]):
    """Every task by its name, as the games that are known now have it."""

    def __init__(self) -> None:
        self.kind = "task"

    @property
    def _entries(self) -> dict[str, Task]:  # type: ignore[override]
        return _tasks(tuple(GAMES.instruments()), tuple(GAMES.commands()))


@cached_until_registration
def _tasks(instruments: tuple[str, ...], played: tuple[str, ...]) -> dict[str, Task]:
    names = [command.replace("-", "_") for command in instruments]
    found: dict[str, Task] = {}
    for name in (name.removeprefix(PREFIX) for name in sorted(names) if name.startswith(PREFIX)):
        try:
            game = GAMES[PREFIX + name]
        except InputError:
            continue  # a plugin that does not load; it is noted, and stops nothing else
        if issubclass(game.rules, TaskRules):
            found[name] = Task(name, game, game.rules, name.replace("_", "-") in played)
    order = sorted(found, key=lambda name: _ORDER.index(name) if name in _ORDER else len(_ORDER))
    return {name: found[name] for name in order}


TASKS: Final = Tasks()
"""All of them, in the order in which they are asked."""
