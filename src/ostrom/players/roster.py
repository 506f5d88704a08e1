"""Who sits at the table: names from the command line or a program, to contestants."""

import importlib.metadata
import importlib.util
import os
import sys
import zlib
from collections.abc import Sequence
from contextlib import redirect_stdout
from functools import cache
from pathlib import Path
from typing import Any

from ostrom.games import COMMONS
from ostrom.players.base import Contestant
from ostrom.players.champions import CHAMPIONS, ChampionEntry
from ostrom.players.champions.player import ChampionContestant
from ostrom.players.punishers import PUNISHERS
from ostrom.players.punishers.player import PunisherContestant
from ostrom.table import InputError, OstromError, Registry

ENTRY_POINTS = "ostrom.champions"
"""The entry point group through which installed packages bring champions of their own."""
_MOST = 10_000


def load_players_file(path: str | os.PathLike[str]) -> list[str]:
    """Import a Python file of champions and return the names that it registered."""
    path = Path(path)
    if not path.is_file():
        raise InputError(f"there is no file {path}; --players wants a Python file that defines champions")
    before = set(CHAMPIONS)
    # Named for its place, so that two files of one name are two modules.
    name = f"ostrom_players_{path.stem}_{zlib.crc32(str(path.resolve()).encode()):08x}"
    spec = importlib.util.spec_from_file_location(name, path)
    if spec is None or spec.loader is None:
        raise InputError(f"{path} is not a Python file; --players wants one that defines champions")
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module  # so that worker processes can find its classes again
    try:
        with redirect_stdout(sys.stderr):  # standard output is for results
            spec.loader.exec_module(module)
    except OstromError as error:
        raise InputError(f"{path}: {error}") from error
    except (Exception, SystemExit) as error:
        what = " ".join(f"{type(error).__name__}: {error}".split())
        raise InputError(f"{path} does not import: {what}") from error
    new = [entry for entry in CHAMPIONS if entry not in before]
    if not new:
        raise InputError(
            f"{path} registers no champion; put @register_champion above a class that derives from Champion"
        )
    return new


@cache
def load_installed() -> None:
    """Import the champions that installed packages declare."""
    for point in importlib.metadata.entry_points(group=ENTRY_POINTS):
        try:
            point.load()
        except (Exception, SystemExit) as error:
            what = " ".join(f"{type(error).__name__}: {error}".split())
            raise InputError(f"the installed champions {point.value!r} do not import: {what}") from error


def choose(include: Sequence[str] = (), exclude: Sequence[str] = ()) -> list[ChampionEntry]:
    """The champions at the table: every registered one, or those in `include` ("NAME" or "NAME:n"), less `exclude`."""
    load_installed()
    return [CHAMPIONS[name] for name in _names(CHAMPIONS, include, exclude)]


def seat_players(game: str, include: Sequence[str] = (), exclude: Sequence[str] = ()) -> list[Contestant]:
    """The same for any game, as contestants who can sit down."""
    if game == COMMONS.name:
        return [ChampionContestant(entry) for entry in choose(include, exclude)]
    return [PunisherContestant(PUNISHERS[name]) for name in _names(PUNISHERS, include, exclude)]


def _names(registry: Registry[Any], include: Sequence[str], exclude: Sequence[str]) -> list[str]:
    chosen = [name for item in include for name in _repeated(registry, item)] if include else list(registry)
    for name in exclude:
        registry[name]
        if name not in chosen:
            raise InputError(f"--exclude {name}: {name} is not among the players chosen with --include")
    return [name for name in chosen if name not in exclude]


def _repeated(registry: Registry[Any], item: str) -> list[str]:
    name, colon, times = item.partition(":")
    registry[name]
    if not colon:
        return [name]
    if not times.isdecimal() or int(times) < 1:
        raise InputError(f"{item!r}: the number after the colon must be 1 or more, as in {name}:3")
    if int(times) > _MOST:
        raise InputError(f"{item!r}: no table seats so many; at most {_MOST:,}")
    return [name] * int(times)
