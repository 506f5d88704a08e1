"""List what is installed: the games, players, importers and commands that packages provide as entry points, and the
optional extras of Ostrom. The module also reports facts about the machine. Entry points are listed without importing
their modules. The command line imports this module first, so this module imports few others."""

import importlib.metadata
import importlib.util
import os
import re
import shlex
import sys
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, Final, NamedTuple

from ostrom.core.errors import InputError, OstromError

GAMES_GROUP: Final = "ostrom.games"
INSTRUMENTS_GROUP: Final = "ostrom.instruments"
"""The group of games with one seat that have a command of their own. They are separate so that the playable games can
be listed without importing them."""
PLAYERS_GROUP: Final = "ostrom.players"
IMPORTERS_GROUP: Final = "ostrom.importers"
NAMES_GROUP: Final = "ostrom.names"
"""The group of readable names for players whose ids in records are short codes."""
COMMANDS_GROUP: Final = "ostrom.commands"
"""Functions that become Typer commands. A name with a dot, such as 'bench.battery', is a subcommand."""
PLANS_GROUP: Final = "ostrom.plans"
"""Functions that return an experiment of many games, given players and a seed, for `ostrom.bench`."""
GROUPS: Final = (
    GAMES_GROUP,
    INSTRUMENTS_GROUP,
    PLAYERS_GROUP,
    IMPORTERS_GROUP,
    COMMANDS_GROUP,
    NAMES_GROUP,
    PLANS_GROUP,
)


@dataclass(frozen=True, slots=True)
class Plugin:
    """An entry point of a package, Ostrom included, or a file that the user named."""

    group: str
    name: str
    """The name under which the command line finds the plugin."""
    where: str
    """The import path 'module:NAME' of an entry point, or the path of a file."""
    package: str
    """The distribution that declares the entry point, or the path of the file."""
    version: str
    failure: str | None = None
    """The reason why the plugin did not load, in one line; None if it did not fail."""


@cache
def declared(group: str) -> dict[str, importlib.metadata.EntryPoint]:
    """Return the entry points of a group by name, Ostrom's own first. Nothing is imported."""
    points = importlib.metadata.entry_points(group=group)
    by_name: dict[str, importlib.metadata.EntryPoint] = {}
    for point in sorted(points, key=lambda point: package_of(point) != "ostrom"):
        if point.name in by_name and by_name[point.name].value != point.value:
            note_failure(point, f"the name is taken by {by_name[point.name].value}")
            continue
        by_name[point.name] = point
    return by_name


def load(group: str, name: str) -> Any:
    """Return the object of an entry point. Raise `InputError` in one line if it does not load."""
    point = declared(group)[name]
    try:
        return point.load()
    except (Exception, SystemExit) as error:
        if isinstance(error, ModuleNotFoundError) and (extra := missing_extra(error)) is not None:
            raise extra from error  # A missing extra is not a failure of the plugin.
        reason = in_one_line(error)
        note_failure(point, reason)
        raise InputError(
            f"the plugin {name} ({point.value}, package {package_of(point)}) cannot be loaded: {reason}"
        ) from error


def loaded(group: str) -> Iterator[tuple[str, Any]]:
    """Yield the name and object of every entry of a group that can be loaded. The other entries are noted as
    failures."""
    for name in declared(group):
        try:
            yield name, load(group, name)
        except InputError:
            continue


_failures: dict[tuple[str, str, str], Plugin] = {}


def failures() -> list[Plugin]:
    """Return the plugins that have failed to load until now."""
    return list(_failures.values())


def note_failure(point: importlib.metadata.EntryPoint, reason: str) -> None:
    """Note why an entry point could not be used."""
    note(Plugin(point.group, point.name, point.value, package_of(point), version_of(point), reason))


def note(plugin: Plugin) -> None:
    """Note why a plugin could not be used."""
    _failures[plugin.group, plugin.name, plugin.where] = plugin


def plugins() -> list[Plugin]:
    """Return all declared entry points and the plugins that failed to load."""
    by_key: dict[tuple[str, str, str], Plugin] = {}
    for group in GROUPS:
        for name, point in declared(group).items():
            by_key[group, name, point.value] = Plugin(group, name, point.value, package_of(point), version_of(point))
    return list((by_key | _failures).values())


def package_of(point: importlib.metadata.EntryPoint) -> str:
    """Return the distribution that declares an entry point."""
    return "" if point.dist is None else _name_and_version(point.dist)[0]


def version_of(point: importlib.metadata.EntryPoint) -> str:
    """Return the version of the distribution that declares an entry point."""
    return "" if point.dist is None else _name_and_version(point.dist)[1]


@cache
def _name_and_version(package: importlib.metadata.Distribution) -> tuple[str, str]:
    # The result is cached because reading it takes a millisecond, and a package may declare dozens of entry points.
    return package.name, package.version


def in_one_line(error: BaseException) -> str:
    """Return an error in one line, with its type unless it is an OstromError."""
    text = " ".join(str(error).split())
    return text if isinstance(error, OstromError) else f"{type(error).__name__}: {text}"


def verbs_of(package: str) -> dict[str, str]:
    """Return the verbs that the modules of a package declare: a mapping from name to 'module:FUNCTION'. They are read
    from source text, without importing a module."""
    folder = _source(package)
    verbs: dict[str, str] = {}
    for source in [] if folder is None else sorted(folder.parent.glob("*.py")):
        text = source.read_text(encoding="utf-8")
        for declared_verb in re.finditer(r'^@verb\("([\w-]+)".*?\)\ndef (\w+)\(', text, re.DOTALL | re.MULTILINE):
            verbs[declared_verb[1]] = f"{package}.{source.stem}:{declared_verb[2]}"
    return verbs


def summary_of(where: str) -> str:
    """Return the first sentence of the docstring of a function 'module:NAME', read from source text without an import;
    empty if there is no source."""
    module, _, name = where.partition(":")
    source = _source(module)
    if source is None:
        return ""
    text = source.read_text(encoding="utf-8")
    match = re.search(rf'^def {name}\(.*?\) -> [^\n]*:\n    """(.*?)(?:"""|\n\n)', text, re.DOTALL | re.MULTILINE)
    return "" if match is None else " ".join(match[1].split())


def group_of(where: str) -> str:
    """Return the help group that a verb 'module:NAME' declares, read from source text; empty if it declares none."""
    module, _, name = where.partition(":")
    source = _source(module)
    if source is None:
        return ""
    text = source.read_text(encoding="utf-8")
    declaration = re.search(rf"^@verb\(((?:(?!\n\n).)*?)\)\ndef {name}\(", text, re.DOTALL | re.MULTILINE)
    group = re.search(r'group="(\w+)"', "" if declaration is None else declaration[1])
    return "" if group is None else group[1]


def _source(module: str) -> Path | None:
    """Return the source file of a module. The file is located by the names of its folders, so that no package is
    imported."""
    first, *rest = module.split(".")
    spec = importlib.util.find_spec(first) if first not in sys.modules else sys.modules[first].__spec__
    if spec is None or not spec.submodule_search_locations:
        return Path(spec.origin) if spec is not None and spec.origin and not rest else None
    for place in spec.submodule_search_locations:
        stem = Path(place, *rest)
        for file in (stem.with_suffix(".py"), stem / "__init__.py"):
            if file.is_file():
                return file
    return None


class Extra(NamedTuple):
    """An optional package."""

    package: str
    serves: str
    extra: str
    """The name of the extra of Ostrom that installs the package."""


EXTRAS: Final = {
    "PIL": Extra("pillow", "films", "video"),
    "imageio_ffmpeg": Extra("imageio-ffmpeg", "films", "video"),
    "psycopg": Extra("psycopg", "a journal in PostgreSQL", "postgres"),
    "pydantic_ai": Extra("pydantic-ai-slim", "language models", "models"),
    "httpx2": Extra("httpx2", "language models", "models"),
    "distributed": Extra("distributed", "more machines", "cluster"),
    "numba": Extra("numba", "rating and playing many games quickly", "compiled"),
    "jax": Extra("jax", "the JAX engine", "jax"),
    "numpyro": Extra("numpyro", "hierarchical models", "bayes"),
    "gymnasium": Extra("gymnasium", "environments for reinforcement learning", "rl"),
    "pettingzoo": Extra("pettingzoo", "environments for reinforcement learning", "rl"),
    "inspect_ai": Extra("inspect-ai", "games as tasks of Inspect", "inspect"),
    "fastapi": Extra("fastapi", "the pages", "web"),
    "starlette": Extra("fastapi", "the pages", "web"),
    "uvicorn": Extra("uvicorn", "the pages", "web"),
}
"""The optional packages by the name under which Python imports them."""

_POSIX_MODULES: Final = frozenset({"fcntl", "resource", "pwd", "grp", "termios"})
"""Modules of the standard library that Windows lacks."""
_WINDOWS_LIMITS: Final = (
    "Windows lacks what this needs: games, tournaments, ratings and reports work there, and journals can be read; to "
    "write a journal, ask models or serve pages, use WSL, Linux or macOS"
)


def missing_extra(error: ModuleNotFoundError) -> InputError | None:
    """Return an error that says which extra or operating system a failed import needs; None if the import failed for
    another reason."""
    extra = EXTRAS.get((error.name or "").partition(".")[0])
    if extra is None:
        return InputError(_WINDOWS_LIMITS) if error.name in _POSIX_MODULES else None
    return InputError(f"this needs {extra.package}, which is not installed: pip install 'ostrom[{extra.extra}]'")


def cores() -> int:
    """Return the number of cores that this process may use. If the system does not report this number, return the
    number of all cores."""
    if hasattr(os, "sched_getaffinity"):  # not on macOS
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def system() -> tuple[str, str]:
    """Return "ok" and the name of the platform, or "absent" and what Ostrom cannot do on this platform."""
    return ("absent", _WINDOWS_LIMITS) if sys.platform == "win32" else ("ok", sys.platform)


PLUGIN_OPTION: Final = "--plugin"
"""The option that names a plugin file."""
_named_files: Final[dict[str, list[str]]] = {}
"""The files of plugins and players that were named on the command line, by the option that named them."""


def note_files(option: str, files: Iterable[str]) -> None:
    """Store the files that a command names with an option. They replace the files of an earlier command in this
    process."""
    _named_files[option] = list(files)


def named_files() -> str:
    """Return the command-line options that name the stored files, quoted so that users can copy them into a shell."""
    return "".join(f" {option} {shlex.quote(file)}" for option, files in _named_files.items() for file in files)


def named_files_as_plugins() -> str:
    """Return the options that name the stored files for a command without an option for players. A file of players is
    also a plugin."""
    files = dict.fromkeys(file for files in _named_files.values() for file in files)
    return "".join(f" {PLUGIN_OPTION} {shlex.quote(file)}" for file in files)
