"""Plugins: packages and files that bring games, players, importers and commands.

A package declares an entry point in one of the groups below; a single file is named with `--plugin FILE.py` or in
`OSTROM_PLUGINS`. Built-in games come through the same entry points. No journal, record or experiment file ever causes
code to be imported: only installed entry points and paths that the user typed. A plugin that does not load is noted
with the reason, and stops nothing else."""

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
from ostrom.core.game import API, Game

VARIABLE: Final = "OSTROM_PLUGINS"
"""The variable that names files of plugins, separated like the entries of PATH."""
DEFAULT_GAME: Final = "commons"
"""The game that is played where a user names none."""

_files: dict[Path, ModuleType] = {}


class Games(Mapping[str, Game]):
    """Every game by its name in records. An entry point is imported when its game is asked for; a name that no entry
    point has, and a walk over all games, import them all."""

    def __init__(self) -> None:
        self._registered: Registry[Game] = Registry("game")
        self._origin: dict[str, Plugin] = {}
        self.registrations = 0
        """Grows with every game that is new, or takes the place of another."""
        self._complete = False
        self._adding = threading.Lock()
        self._thread = threading.local()

    def add(self, game: Game, plugin: Plugin | None = None) -> Game:
        """Enter a game. The same one may come again, and so may one from `__main__`, as when a cell of a notebook is
        run twice; any other second game of a name is refused."""
        if game.api != API:
            raise InputError(
                f"the game {game.name!r} is written for version {game.api} of Ostrom's contract; this is version {API}"
            )
        with self._adding:
            self._enter(game, plugin)
        return game

    def _enter(self, game: Game, plugin: Plugin | None) -> None:
        known = self._registered.get(game.name)
        self.registrations += known is not game
        if known is not None:
            same = _qualified(known) == _qualified(game)
            if not same and "__main__" not in (game.play.__module__, game.rules.__module__):
                raise InputError(f"there are two games called {game.name!r}; give one of them another name")
            self._registered.replace(game.name, game)
        else:
            taken = next((other for other in self._registered.values() if other.command == game.command), None)
            if taken is not None:
                raise InputError(f"two games have the command {game.command!r}; give one of them another command")
            self._registered.add(game.name, game)
        if plugin is not None:
            self._origin[game.name] = plugin

    def of_command(self, command: str) -> Game:
        """The game that a user means."""
        self._load_declared(command)
        found = self._by_command()
        if command not in found:
            self._load_all()
            found = self._by_command()
        if command in found:
            return found[command]
        # A game that one can sit down at goes before an instrument that has its name for an alias.
        named = [game for game in found.values() if not game.instrument and command == game.name]
        named += [game for game in found.values() if command in game.aliases]
        return named[0] if named else found[command]

    def commands(self) -> list[str]:
        """The commands of the games that one can sit down at. No entry point is imported."""
        return self._commands(GAMES_GROUP, instrument=False)

    def instruments(self) -> list[str]:
        """Those of the games that a command of their own puts to use. No entry point is imported."""
        return self._commands(INSTRUMENTS_GROUP, instrument=True)

    def _commands(self, group: str, *, instrument: bool) -> list[str]:
        own = [game.command for game in self._registered.values() if game.instrument == instrument]
        return list(dict.fromkeys([*declared(group), *own]))

    def origin(self, name: str) -> Plugin | None:
        """Which package or file brought a game; None of a game that a program has registered itself."""
        self.get(name)
        return self._origin.get(name)

    def _by_command(self) -> Registry[Game]:
        found: Registry[Game] = Registry("game")
        for game in self._registered.values():
            found.add(game.command, game)
        return found

    def _load_declared(self, command: str) -> None:
        for group in (GAMES_GROUP, INSTRUMENTS_GROUP):
            if command in declared(group):
                self._load(group, command)

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
        # A game that is being imported may ask for others. Another thread must not take that for all there are, so it
        # loads them itself: a lock could not be held through imports, which have locks of their own.
        if self._complete or getattr(self._thread, "loading", False):
            return
        self._thread.loading = True
        try:
            for group in (GAMES_GROUP, INSTRUMENTS_GROUP):
                for name in declared(group):
                    try:
                        self._load(group, name)
                    except InputError:
                        continue  # noted; one broken plugin stops nothing else
            self._complete = True
        finally:
            self._thread.loading = False

    def _load_likely(self, name: str) -> None:
        """Load the game that has this for its command, or for a part of its module's name: most games are found so,
        without importing all of them."""
        for group in (GAMES_GROUP, INSTRUMENTS_GROUP):
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
        """The game, or `default` where there is none."""
        return self[name] if name in self else default  # noqa: SIM401

    def __contains__(self, name: object) -> bool:
        if name not in self._registered and isinstance(name, str):
            with suppress(InputError):  # noted, where plugins are listed
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


GAMES: Final = Games()
"""Every game."""


def find_game(game: str | Game) -> Game:
    """The game that is meant: itself, or named as in a record or as on the command line."""
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
    """Cache what a function says of games until another is registered, as when a cell of a notebook is run again."""

    @lru_cache(maxsize=256)
    def said(registrations: int, *given: Any) -> Any:
        return function(*given)

    return cast(Function, wraps(function)(lambda *given: said(GAMES.registrations, *given)))


def _qualified(game: Game) -> tuple[str, str]:
    return game.play.__module__, game.play.__qualname__


def load_file(path: str | os.PathLike[str], *, setting: str = "plugin") -> ModuleType:
    """Import a Python file that the user has named, once, and register the games that it defines. Strategies register
    themselves by their decorator."""
    path = Path(path)
    if not path.is_file():
        raise InputError(f"there is no file {path}; {field(setting)} must be a Python file")
    resolved = path.resolve()
    if resolved in _files:
        return _files[resolved]
    # Named for its place, so that two files of one name are two modules.
    name = f"ostrom_plugin_{path.stem}_{zlib.crc32(str(resolved).encode()):08x}"
    spec = importlib.util.spec_from_file_location(name, resolved)
    if spec is None or spec.loader is None:
        raise InputError(f"{path} is not a Python file, which {field(setting)} must be")
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module  # so that worker processes can find its classes again
    try:
        with redirect_stdout(sys.stderr):  # standard output is for results
            spec.loader.exec_module(module)
        for value in list(vars(module).values()):
            if isinstance(value, Game) and name in (value.play.__module__, value.rules.__module__):
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
    """The files of plugins that were loaded, for processes that must load them too."""
    return list(_files)


def load_variable() -> None:
    """Load the files that the environment names. One that does not load is noted, and stops nothing else."""
    for entry in os.environ.get(VARIABLE, "").split(os.pathsep):
        if entry:
            try:
                load_file(entry, setting=VARIABLE)
            except InputError as error:
                note(Plugin("file", Path(entry).name, entry, entry, "", str(error)))
