"""Plugins: packages and files that provide games, players, importers and commands.

A package declares an entry point in a group of `entry_points`; a single file is named with `--plugin FILE.py` or in
`OSTROM_PLUGINS`. Built-in games use the same entry points. Only installed entry points and paths that the user typed
are imported, never code that is named in a journal, record or experiment file. If a plugin fails to load, the reason is
noted; the other plugins still work."""

import importlib.util
import os
import sys
import threading
import zlib
from collections.abc import Callable, Iterator, Mapping
from contextlib import redirect_stdout, suppress
from functools import lru_cache, wraps
from pathlib import Path
from types import ModuleType
from typing import Any, Final, TypeVar, cast

from ostrom.core.entry_points import (
    GAMES_GROUP,
    INSTRUMENTS_GROUP,
    PLANS_GROUP,
    Plugin,
    declared,
    in_one_line,
    load,
    note,
    note_failure,
    package_of,
    version_of,
)
from ostrom.core.errors import InputError, OstromError, field
from ostrom.core.events import Registry
from ostrom.core.game import Game, contract_fault

VARIABLE: Final = "OSTROM_PLUGINS"
"""The environment variable with plugin files, separated like the entries of PATH."""
DEFAULT_GAME: Final = "commons"
"""The game that a command plays if the user names none."""

_GROUPS: Final = (GAMES_GROUP, INSTRUMENTS_GROUP)
_files: dict[Path, ModuleType] = {}


class GameRegistry(Mapping[str, Game]):
    """All games by their names in records. An entry point is imported when its game is requested. Iterating over the
    games, or looking up an unknown name, imports all entry points."""

    def __init__(self) -> None:
        self._registered: Registry[Game] = Registry("game")
        self._origin: dict[str, Plugin] = {}
        self.registrations = 0
        """The number of times that a game was added or replaced."""
        self._complete = False
        self._adding = threading.Lock()
        self._thread = threading.local()

    def add(self, game: Game, plugin: Plugin | None = None) -> Game:
        """Register a game. It replaces a registered game if the two are the same, or if it is defined in `__main__`,
        such as in a notebook cell that runs twice. Raise InputError if another game has the same name."""
        if (fault := contract_fault(game)) is not None:
            raise InputError(f"the game {game.name!r} is refused: {fault}")
        with self._adding:
            self._enter(game, plugin)
        return game

    def _enter(self, game: Game, plugin: Plugin | None) -> None:
        registered = self._registered.get(game.name)
        self.registrations += registered is not game
        if registered is not None:
            same = _qualified(registered) == _qualified(game)
            if not same and "__main__" not in (game.play.__module__, game.rules.__module__):
                raise InputError(f"there are two games called {game.name!r}; give one of them another name")
            self._registered.replace(game.name, game)
        else:
            if any(other.command == game.command for other in self._registered.values()):
                raise InputError(f"two games have the command {game.command!r}; give one of them another command")
            self._registered.add(game.name, game)
        if plugin is not None:
            self._origin[game.name] = plugin

    def registered(self) -> frozenset[str]:
        """Return the names of the games that are registered now. No entry point is imported."""
        return frozenset(self._registered)

    def note_file(self, path: Path, before: frozenset[str]) -> None:
        """Record that a file provides the games that are registered now, were not among those `before`, and have no
        other origin."""
        for name in self.registered() - before - frozenset(self._origin):
            game = self._registered[name]
            self._origin[name] = Plugin(GAMES_GROUP, game.command, str(path), str(path), game.version)

    def of_command(self, command: str) -> Game:
        """Return the game that has this command, name or alias."""
        for group in _GROUPS:
            if command in declared(group):
                self._load(group, command)
        by_command = self._by_command()
        if command not in by_command:
            self._load_all()
            by_command = self._by_command()
        if command in by_command:
            return by_command[command]
        # A playable game with this name has precedence over an instrument with this alias.
        matches = [game for game in by_command.values() if not game.instrument and command == game.name]
        matches += [game for game in by_command.values() if command in game.aliases]
        return matches[0] if matches else by_command[command]  # raises UnknownName

    def commands(self) -> list[str]:
        """Return the commands of playable games. No entry point is imported."""
        return self._commands(GAMES_GROUP, instrument=False)

    def instruments(self) -> list[str]:
        """Return the commands of instruments. No entry point is imported."""
        return self._commands(INSTRUMENTS_GROUP, instrument=True)

    def _commands(self, group: str, *, instrument: bool) -> list[str]:
        own = [game.command for game in self._registered.values() if game.instrument == instrument]
        return list(dict.fromkeys([*declared(group), *own]))

    def origin(self, name: str) -> Plugin | None:
        """Return the package or file that provides a game; None for a game that a program registered."""
        self.get(name)
        return self._origin.get(name)

    def _by_command(self) -> Registry[Game]:
        by_command: Registry[Game] = Registry("game")
        for game in self._registered.values():
            by_command.add(game.command, game)
        return by_command

    def _load(self, group: str, name: str) -> None:
        point = declared(group)[name]
        game = load(group, name)
        plugin = Plugin(group, name, point.value, package_of(point), version_of(point))
        try:
            if not isinstance(game, Game):
                raise InputError("it is not a Game")
            if game.command != name:
                raise InputError(f"its command is {game.command!r}; the entry point must have the same name")
            self.add(game, plugin)
        except InputError as error:
            note_failure(point, str(error))
            raise

    def _load_all(self) -> None:
        # A game that is being imported may request other games. Therefore this function returns at once if it is
        # already running in this thread. It runs in other threads at the same time, because a lock around imports could
        # deadlock with Python's import locks.
        if self._complete or getattr(self._thread, "loading", False):
            return
        self._thread.loading = True
        try:
            for group in _GROUPS:
                for name in declared(group):
                    try:
                        self._load(group, name)
                    except InputError:
                        continue  # The failure is noted, and the other plugins are still loaded.
            self._complete = True
        finally:
            self._thread.loading = False

    def _load_likely(self, name: str) -> None:
        """Load the games whose command or module name contains this name. In most cases, the other games then need not
        be imported."""
        for group in _GROUPS:
            for command, point in declared(group).items():
                if command == name.replace("_", "-") or name in point.module.split("."):
                    self._load(group, command)

    def __getitem__(self, name: str) -> Game:
        if name not in self._registered:
            self._load_likely(name)
        if name not in self._registered:
            self._load_all()
        return self._registered[name]

    def get(self, name: str, default: Any = None) -> Any:
        """Return the game, or `default`."""
        return self[name] if name in self else default  # noqa: SIM401

    def __contains__(self, name: object) -> bool:
        if name not in self._registered and isinstance(name, str):
            with suppress(InputError):  # The failure is noted, and listed by `ostrom doctor`.
                self._load_likely(name)
        if name not in self._registered:
            self._load_all()
        return name in self._registered

    def __iter__(self) -> Iterator[str]:
        self._load_all()
        return iter(list(self._registered))

    def __repr__(self) -> str:
        return f"<Games: {', '.join(self.commands())}>"

    def __len__(self) -> int:
        self._load_all()
        return len(self._registered)


GAMES: Final = GameRegistry()
"""All games."""


def find_game(game: str | Game) -> Game:
    """Return the game with this name or command, or the game itself. Raise InputError if there is none."""
    if isinstance(game, Game):
        return game
    if not isinstance(game, str):
        raise InputError(f"a game is named by a text, as in {DEFAULT_GAME!r}, or is a Game; got {type(game).__name__}")
    if game in GAMES:
        return GAMES[game]
    if game in declared(PLANS_GROUP):
        raise InputError(f"{game} is not one game but several: 'ostrom bench {game}' plays them all")
    return GAMES.of_command(game)


Function = TypeVar("Function", bound=Callable[..., Any])


def cached_until_registration(function: Function) -> Function:
    """Decorate a function with a cache that is cleared whenever a game is registered."""

    @lru_cache(maxsize=256)
    def cached(registrations: int, *arguments: Any) -> Any:
        return function(*arguments)

    return cast(Function, wraps(function)(lambda *arguments: cached(GAMES.registrations, *arguments)))


def _qualified(game: Game) -> tuple[str, str]:
    return game.play.__module__, game.play.__qualname__


def load_file(path: str | os.PathLike[str], *, setting: str = "plugin") -> ModuleType:
    """Import a Python file that the user named, once, and register its games. Its strategies register themselves by
    their decorator. Raise InputError if the import fails, or if the file is a package's `__init__.py` and has a game:
    the import paths of the game's parts would not be found."""
    path = Path(path)
    if not path.is_file():
        by_name = f"; {field('include')} seats a player by name" if setting == "players" and not path.suffix else ""
        raise InputError(f"there is no file {path}; {field(setting)} must be a Python file{by_name}")
    resolved = path.resolve()
    if resolved in _files:
        return _files[resolved]
    # The module's name depends on the path, so that two files with the same name are two modules.
    name = f"ostrom_plugin_{path.stem}_{zlib.crc32(str(resolved).encode()):08x}"
    spec = importlib.util.spec_from_file_location(name, resolved)
    if spec is None or spec.loader is None:
        raise InputError(f"{path} is not a Python file, which {field(setting)} must be")
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module  # Worker processes import the module's classes by this name.
    before = GAMES.registered()
    try:
        with redirect_stdout(sys.stderr):  # Standard output is reserved for results.
            spec.loader.exec_module(module)
        GAMES.note_file(path, before)  # The file may itself add a game of another module.
        for value in list(vars(module).values()):
            if isinstance(value, Game) and name in (value.play.__module__, value.rules.__module__):
                if path.name == "__init__.py":
                    raise InputError(
                        "the file is part of a package; name a file outside the package that imports the game"
                    )
                GAMES.add(value, Plugin(GAMES_GROUP, value.command, str(path), str(path), value.version))
    except OstromError as error:
        del sys.modules[name]
        raise InputError(f"{path}: {error}") from error
    except (Exception, SystemExit) as error:
        del sys.modules[name]
        raise InputError(f"{path} cannot be imported: {in_one_line(error)}") from error
    _files[resolved] = module
    return module


def files() -> list[Path]:
    """Return the loaded plugin files, which worker processes must load too."""
    return list(_files)


def load_variable() -> None:
    """Load the plugin files that the environment variable names; failures are noted."""
    for entry in os.environ.get(VARIABLE, "").split(os.pathsep):
        if entry:
            try:
                load_file(entry, setting=VARIABLE)
            except InputError as error:
                note(Plugin("file", Path(entry).name, entry, entry, "", str(error)))
