"""The entry points through which packages provide games, players, importers and commands, and the extras of the
installation. Listing them imports nothing, and this module itself is light: the command line reads it before anything
else."""

import importlib.metadata
import importlib.util
import re
import shlex
import sys
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, Final, NamedTuple

from ostrom.core.errors import InputError, OstromError
from ostrom.core.machine import ELSEWHERE, POSIX_MODULES

GAMES_GROUP: Final = "ostrom.games"
INSTRUMENTS_GROUP: Final = "ostrom.instruments"
"""Games with one seat that a command of their own puts to use. Their group says so, such that lists of games to play
can be made without importing any."""
PLAYERS_GROUP: Final = "ostrom.players"
IMPORTERS_GROUP: Final = "ostrom.importers"
NAMES_GROUP: Final = "ostrom.names"
"""Names of players that records identify by a short id."""
COMMANDS_GROUP: Final = "ostrom.commands"
"""Functions that Typer makes commands of. A name with a dot, as 'bench.battery', is a command inside another."""
PLANS_GROUP: Final = "ostrom.plans"
"""Functions from players and a seed to an experiment of many games, for `ostrom.bench`."""
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
    """The reason why it did not load, in one line."""


@cache
def declared(group: str) -> dict[str, importlib.metadata.EntryPoint]:
    """Return the entry points of a group by name, Ostrom's own first. Nothing is imported."""
    points = importlib.metadata.entry_points(group=group)
    own = [point for point in points if package_of(point) == "ostrom"]
    others = [point for point in points if package_of(point) != "ostrom"]
    found: dict[str, importlib.metadata.EntryPoint] = {}
    for point in (*own, *others):
        if point.name in found and found[point.name].value != point.value:
            note_failure(point, f"the name is taken by {found[point.name].value}")
            continue
        found[point.name] = point
    return found


def load(group: str, name: str) -> Any:
    """Return the object of an entry point. Raise `InputError` in one line if it does not load."""
    point = declared(group)[name]
    try:
        return point.load()
    except (Exception, SystemExit) as error:
        if isinstance(error, ModuleNotFoundError) and (extra := missing_extra(error)) is not None:
            raise extra from error  # nothing is broken
        reason = in_one_line(error)
        note_failure(point, reason)
        raise InputError(
            f"the plugin {name} ({point.value}, package {package_of(point)}) cannot be loaded: {reason}"
        ) from error


def loaded(group: str) -> Iterator[tuple[str, Any]]:
    """Return every entry of a group that loads, by name; failures are noted."""
    for name in declared(group):
        try:
            yield name, load(group, name)
        except InputError:
            continue


_failures: dict[tuple[str, str, str], Plugin] = {}


def failures() -> list[Plugin]:
    """Return the plugins that did not load so far."""
    return list(_failures.values())


def note_failure(point: importlib.metadata.EntryPoint, reason: str) -> None:
    """Keep why an entry point could not be used."""
    note(Plugin(point.group, point.name, point.value, package_of(point), version_of(point), reason))


def note(plugin: Plugin) -> None:
    """Keep why a plugin could not be used."""
    _failures[plugin.group, plugin.name, plugin.where] = plugin


def plugins() -> list[Plugin]:
    """Everything that packages declare, with what failed."""
    found = []
    for group in GROUPS:
        for name, point in declared(group).items():
            failed = _failures.get((group, name, point.value))
            reason = None if failed is None else failed.failure
            found.append(Plugin(group, name, point.value, package_of(point), version_of(point), reason))
    listed = {(plugin.group, plugin.name, plugin.where) for plugin in found}
    return found + [plugin for key, plugin in _failures.items() if key not in listed]


def package_of(point: importlib.metadata.EntryPoint) -> str:
    """Return the distribution that declares an entry point."""
    return "" if point.dist is None else _name_and_version(point.dist)[0]


def version_of(point: importlib.metadata.EntryPoint) -> str:
    """Return the version of that distribution."""
    return "" if point.dist is None else _name_and_version(point.dist)[1]


@cache
def _name_and_version(package: importlib.metadata.Distribution) -> tuple[str, str]:
    """Read once: it takes a millisecond, and a package declares dozens of points."""
    return package.name, package.version


def in_one_line(error: BaseException) -> str:
    """Return an error in one line, with its type if it is not one of ours."""
    text = " ".join(str(error).split())
    return text if isinstance(error, OstromError) else f"{type(error).__name__}: {text}"


def verbs_of(package: str) -> dict[str, str]:
    """Return the verbs that the modules of a package declare, by name, as 'module:FUNCTION'. They are read from the
    sources, so that no module is imported."""
    folder = _source(package)
    verbs: dict[str, str] = {}
    for source in [] if folder is None else sorted(folder.parent.glob("*.py")):
        text = source.read_text(encoding="utf-8")
        for declared_verb in re.finditer(r'^@verb\("([\w-]+)".*?\)\ndef (\w+)\(', text, re.DOTALL | re.MULTILINE):
            verbs[declared_verb[1]] = f"{package}.{source.stem}:{declared_verb[2]}"
    return verbs


def summary_of(where: str) -> str:
    """Return the first sentence of the docstring of a function 'module:NAME', read from the source without an import;
    empty without such a source."""
    module, _, name = where.partition(":")
    source = _source(module)
    if source is None:
        return ""
    text = source.read_text(encoding="utf-8")
    found = re.search(rf'^def {name}\(.*?\) -> [^\n]*:\n    """(.*?)(?:"""|\n\n)', text, re.DOTALL | re.MULTILINE)
    return "" if found is None else " ".join(found[1].split())


def _source(module: str) -> Path | None:
    """Return the file of a module. Its packages are found by their folders, so that none is imported."""
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
    """The extra of ostrom that brings it."""


EXTRAS: Final = {
    "polars": Extra("polars", "ratings and reports", "study"),
    "altair": Extra("altair", "charts", "study"),
    "vl_convert": Extra("vl-convert-python", "charts", "study"),
    "PIL": Extra("pillow", "films", "video"),
    "imageio_ffmpeg": Extra("imageio-ffmpeg", "films", "video"),
    "psycopg": Extra("psycopg", "a journal in PostgreSQL", "postgres"),
    "pydantic_ai": Extra("pydantic-ai-slim", "language models", "models"),
    "httpx2": Extra("httpx2", "language models", "models"),
    "jinja2": Extra("jinja2", "prompts and pages", "models"),
    "distributed": Extra("distributed", "more machines", "cluster"),
    "numba": Extra("numba", "rating and playing many games quickly", "compiled"),
    "jax": Extra("jax", "the JAX engine", "jax"),
    "gymnasium": Extra("gymnasium", "environments for reinforcement learning", "rl"),
    "pettingzoo": Extra("pettingzoo", "environments for reinforcement learning", "rl"),
    "inspect_ai": Extra("inspect-ai", "games as tasks of Inspect", "inspect"),
    "fastapi": Extra("fastapi", "the pages", "web"),
    "starlette": Extra("fastapi", "the pages", "web"),
    "uvicorn": Extra("uvicorn", "the pages", "web"),
}
"""By the name under which Python imports them."""


def missing_extra(error: ModuleNotFoundError) -> InputError | None:
    """Return the error that names the extra, or the system, that a failed import needs; None for another failure."""
    extra = EXTRAS.get((error.name or "").partition(".")[0])
    if extra is None:
        return InputError(ELSEWHERE) if error.name in POSIX_MODULES else None
    return InputError(f"this needs {extra.package}, which is not installed: pip install 'ostrom[{extra.extra}]'")


_named_files: Final[dict[str, list[str]]] = {}
"""By option, the files of plugins and of players that the command of this process was given."""


def note_files(option: str, files: Iterable[str]) -> None:
    """Remember the files that were named with an option; those of a command before are forgotten."""
    _named_files[option] = list(files)


def named_files() -> str:
    """Return the options that name these files again, for a command to copy into a shell."""
    return "".join(f" {option} {shlex.quote(file)}" for option, files in _named_files.items() for file in files)
