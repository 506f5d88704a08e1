"""Plugins: packages and files that bring games, players, importers and commands.

A package declares an entry point in one of the groups below; a single file is named with `--plugin FILE.py` or in
`OSTROM_PLUGINS`. Built-in games come through the same entry points. No journal, record or experiment file ever causes
code to be imported: only installed entry points and paths that the user typed. A plugin that does not load is noted
with the reason, and stops nothing else."""

import importlib.metadata
import importlib.util
import os
import sys
import zlib
from collections.abc import Iterator, Mapping
from contextlib import redirect_stdout
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import Any, Final

from ostrom.core.errors import InputError, OstromError
from ostrom.core.game import API, Game
from ostrom.core.registry import Registry

GAMES_GROUP: Final = "ostrom.games"
INSTRUMENTS_GROUP: Final = "ostrom.instruments"
"""Games with one seat that a command of their own puts to use. Their group says so, such that lists of games to play
can be made without importing any."""
PLAYERS_GROUP: Final = "ostrom.players"
IMPORTERS_GROUP: Final = "ostrom.importers"
COMMANDS_GROUP: Final = "ostrom.commands"
VARIABLE: Final = "OSTROM_PLUGINS"
"""The variable that names files of plugins, separated like the entries of PATH."""
DEFAULT_GAME: Final = "commons"
"""The game that is meant where a user names none, as in the first version."""


@dataclass(frozen=True, slots=True)
class Plugin:
    """Something that was brought from outside, or comes with Ostrom in the same way."""

    group: str
    name: str
    """On the command line."""
    where: str
    """'module:NAME', or the path of a file."""
    package: str
    """The distribution that brought it; of a file, its path."""
    version: str
    failure: str | None = None
    """Why it could not be loaded, in one line."""


@cache
def declared(group: str) -> dict[str, importlib.metadata.EntryPoint]:
    """The entry points of a group by name, Ostrom's own first. Nothing is imported."""
    points = importlib.metadata.entry_points(group=group)
    own = [point for point in points if _package(point) == "ostrom"]
    others = [point for point in points if _package(point) != "ostrom"]
    found: dict[str, importlib.metadata.EntryPoint] = {}
    for point in (*own, *others):
        if point.name in found and found[point.name].value != point.value:
            _note(point, f"the name is taken by {found[point.name].value}")
            continue
        found[point.name] = point
    return found


def load(group: str, name: str) -> Any:
    """What an entry point names; an `InputError` in one line where it cannot be loaded."""
    point = declared(group)[name]
    try:
        return point.load()
    except (Exception, SystemExit) as error:
        reason = _in_one_line(error)
        _note(point, reason)
        raise InputError(
            f"the plugin {name} ({point.value}, package {_package(point)}) does not load: {reason}"
        ) from error


def loaded(group: str) -> Iterator[tuple[str, Any]]:
    """Every entry of a group that can be loaded, by name; the others are noted."""
    for name in declared(group):
        try:
            yield name, load(group, name)
        except InputError:
            continue


_failures: dict[tuple[str, str, str], Plugin] = {}
_files: dict[Path, ModuleType] = {}


def failures() -> list[Plugin]:
    """The plugins that could not be loaded so far."""
    return list(_failures.values())


def _note(point: importlib.metadata.EntryPoint, reason: str) -> None:
    plugin = Plugin(point.group, point.name, point.value, _package(point), _version(point), reason)
    _failures[point.group, point.name, point.value] = plugin


def _package(point: importlib.metadata.EntryPoint) -> str:
    return point.dist.name if point.dist is not None else ""


def _version(point: importlib.metadata.EntryPoint) -> str:
    return point.dist.version if point.dist is not None else ""


def _in_one_line(error: BaseException) -> str:
    text = " ".join(str(error).split())
    return text if isinstance(error, OstromError) else f"{type(error).__name__}: {text}"


class Games(Mapping[str, Game]):
    """Every game by its name in records. An entry point is imported when its game is asked for; a name that no entry
    point has, and a walk over all games, import them all."""

    def __init__(self) -> None:
        self._registered: Registry[Game] = Registry("game")
        self._origin: dict[str, Plugin] = {}
        self._complete = False

    def add(self, game: Game, plugin: Plugin | None = None) -> Game:
        """Enter a game. The same one may come again, and so may one from `__main__`, as when a cell of a notebook is
        run twice; any other second game of a name is refused."""
        if game.api != API:
            raise InputError(
                f"the game {game.name!r} is written for version {game.api} of Ostrom's contract; this is version {API}"
            )
        known = self._registered.get(game.name)
        if known is not None:
            same = _qualified(known) == _qualified(game)
            if not same and game.play.__module__ != "__main__":
                raise InputError(f"there are two games called {game.name!r}; give one of them another name")
            self._registered.replace(game.name, game)
        else:
            taken = next((other for other in self._registered.values() if other.command == game.command), None)
            if taken is not None:
                raise InputError(f"two games have the command {game.command!r}; give one of them another")
            self._registered.add(game.name, game)
        if plugin is not None:
            self._origin[game.name] = plugin
        return game

    def of_command(self, command: str) -> Game:
        """The game that a user means."""
        for group in (GAMES_GROUP, INSTRUMENTS_GROUP):
            if command in declared(group):
                self._load(group, command)
        found = self._by_command()
        if command not in found:
            self._load_all()
            found = self._by_command()
        named = next((game for game in found.values() if command in game.aliases), None)
        return named if named is not None and command not in found else found[command]

    def commands(self) -> list[str]:
        """The commands of the games that one can sit down at. No entry point is imported."""
        own = [game.command for game in self._registered.values() if not game.instrument]
        return list(dict.fromkeys([*declared(GAMES_GROUP), *own]))

    def origin(self, name: str) -> Plugin | None:
        """Which package or file brought a game; None of a game that a program has registered itself."""
        self.get(name)
        return self._origin.get(name)

    def _by_command(self) -> Registry[Game]:
        found: Registry[Game] = Registry("game")
        for game in self._registered.values():
            found.add(game.command, game)
        return found

    def _load(self, group: str, name: str) -> None:
        point = declared(group)[name]
        game = load(group, name)
        plugin = Plugin(group, name, point.value, _package(point), _version(point))
        try:
            if not isinstance(game, Game):
                raise InputError("it is no Game")
            if game.command != name:
                raise InputError(f"its command is {game.command!r}; the entry point must have the same name")
            self.add(game, plugin)
        except InputError as error:
            _note(point, str(error))
            raise

    def _load_all(self) -> None:
        if self._complete:
            return
        self._complete = True
        for group in (GAMES_GROUP, INSTRUMENTS_GROUP):
            for name in declared(group):
                try:
                    self._load(group, name)
                except InputError:
                    continue  # noted; one broken plugin stops nothing else

    def __getitem__(self, name: str) -> Game:
        if name not in self._registered:
            for group in (GAMES_GROUP, INSTRUMENTS_GROUP):
                if (command := name.replace("_", "-")) in declared(group):
                    self._load(group, command)
        if name not in self._registered:
            self._load_all()
        return self._registered[name]

    def get(self, name: str, default: Any = None) -> Any:
        """The game, or `default` where there is none."""
        return self[name] if name in self else default  # noqa: SIM401

    def __contains__(self, name: object) -> bool:
        if name not in self._registered:
            self._load_all()
        return name in self._registered

    def __iter__(self) -> Iterator[str]:
        self._load_all()
        return iter(list(self._registered))

    def __len__(self) -> int:
        self._load_all()
        return len(self._registered)


GAMES: Final = Games()
"""Every game."""


def _qualified(game: Game) -> tuple[str, str]:
    return game.play.__module__, game.play.__qualname__


def load_file(path: str | os.PathLike[str], *, option: str = "--plugin") -> ModuleType:
    """Import a Python file that the user has named, once, and register the games that it defines. Strategies register
    themselves by their decorator."""
    path = Path(path)
    if not path.is_file():
        raise InputError(f"there is no file {path}; {option} takes a Python file")
    resolved = path.resolve()
    if resolved in _files:
        return _files[resolved]
    # Named for its place, so that two files of one name are two modules.
    name = f"ostrom_plugin_{path.stem}_{zlib.crc32(str(resolved).encode()):08x}"
    spec = importlib.util.spec_from_file_location(name, resolved)
    if spec is None or spec.loader is None:
        raise InputError(f"{path} is not a Python file; {option} takes one")
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module  # so that worker processes can find its classes again
    try:
        with redirect_stdout(sys.stderr):  # standard output is for results
            spec.loader.exec_module(module)
        for value in list(vars(module).values()):
            if isinstance(value, Game) and value.play.__module__ == name:
                GAMES.add(value, Plugin(GAMES_GROUP, value.command, str(path), str(path), value.version))
    except OstromError as error:
        del sys.modules[name]
        raise InputError(f"{path}: {error}") from error
    except (Exception, SystemExit) as error:
        del sys.modules[name]
        raise InputError(f"{path} does not import: {_in_one_line(error)}") from error
    _files[resolved] = module
    return module


def files() -> list[Path]:
    """The files of plugins that were loaded, for processes that must load them too."""
    return list(_files)


def load_variable() -> None:
    """Load the files that the environment names."""
    for entry in os.environ.get(VARIABLE, "").split(os.pathsep):
        if entry:
            load_file(entry, option=VARIABLE)


def plugins() -> list[Plugin]:
    """Everything that was declared or loaded, with what failed."""
    found = []
    for group in (GAMES_GROUP, INSTRUMENTS_GROUP, PLAYERS_GROUP, IMPORTERS_GROUP, COMMANDS_GROUP):
        for name, point in declared(group).items():
            failed = _failures.get((group, name, point.value))
            reason = None if failed is None else failed.failure
            found.append(Plugin(group, name, point.value, _package(point), _version(point), reason))
    listed = {(plugin.group, plugin.name, plugin.where) for plugin in found}
    found += [plugin for key, plugin in _failures.items() if key not in listed]
    return found
