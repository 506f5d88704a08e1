"""Who sits at the table: names from the command line or a program, to contestants."""

import importlib.metadata
import importlib.util
import os
import sys
import zlib
from collections.abc import Mapping, Sequence
from contextlib import redirect_stdout
from functools import cache
from pathlib import Path
from typing import Any

from ostrom.core import InputError, OstromError, Registry
from ostrom.core.plugins import GAMES
from ostrom.games.commons.players import CHAMPIONS, ChampionEntry
from ostrom.players.base import BuiltIn, Contestant
from ostrom.players.people.names import HUMAN, INSTEAD
from ostrom.players.people.room import HumanContestant

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


def seat_players(
    game: str, include: Sequence[str] = (), exclude: Sequence[str] = (), models: Sequence[str] = ()
) -> list[Contestant]:
    """Who sits at a table of this game: its built-in players or those in `include`, built-in, bots or people ("NAME",
    "NAME:n", "human"), less `exclude`; and then one for each of `models`, which are named as pydantic-ai names them."""
    load_installed()
    built_in = built_in_players(game)
    people = not GAMES[game].instrument
    names = _names(_with_bots(built_in, people) if include or exclude else built_in, include, exclude, built_in)
    return [*(_contestant(game, name) for name in names), *seat_models(game, models)]


def seat_models(game: str, models: Sequence[str], temperature: float | None = None) -> list[Contestant]:
    """A contestant with no personality for each of these models, at the usual temperature or at this one."""
    if not models:
        return []
    from ostrom.players.models.bots import ModelContestant, bot_of_model

    bots = [bot_of_model(model) for model in models]
    if temperature is not None:
        bots = [bot.model_copy(update={"temperature": temperature}) for bot in bots]
    return [ModelContestant(bot, game) for bot in bots]


def built_in_players(game: str) -> Registry[Any]:
    """The built-in players of a game: champions, punishers, in the battery the simulated subjects; none where a game
    has none."""
    brought = GAMES[game].part("players")
    return Registry("bot") if brought is None else brought.registry


def description(contestant: Contestant) -> str | dict[str, Any]:
    """A contestant as plain data: the name of a built-in one, all that is set about a model. It holds no key."""
    bot = getattr(contestant, "bot", None)
    return contestant.name if bot is None else {"bot": bot.model_dump(mode="json")}


def contestant_of(game: str, described: str | Mapping[str, Any]) -> Contestant:
    """The contestant of which `description` told."""
    if isinstance(described, str):
        return seat_players(game, [described])[0]
    from ostrom.players.models.bots import Bot, ModelContestant

    return ModelContestant(Bot.model_validate(described["bot"]), game)


def _contestant(game: str, name: str) -> Contestant:
    if name == HUMAN:
        return HumanContestant(game)
    brought: BuiltIn | None = GAMES[game].part("players")
    if brought is not None and name.partition(":")[0] in brought.registry:
        return brought.contestant(name)
    from ostrom.players.models.bots import ModelContestant, load_bot

    return ModelContestant(load_bot(name), game)


def _with_bots(built_in: Registry[Any], people: bool) -> Registry[Any]:
    """The names of built-in players, of bots, and of people where they can sit down, such that a wrong one is told the
    nearest of all."""
    from ostrom.players.models.bots import bot_files

    both: Registry[Any] = Registry(built_in.kind)
    for name in dict.fromkeys([*built_in, *bot_files(), *([HUMAN] if people else [])]):
        both.add(name, None)
    return both


def _names(
    known: Registry[Any], include: Sequence[str], exclude: Sequence[str], all_of: Registry[Any] | None = None
) -> list[str]:
    chosen = [name for item in include for name in _repeated(known, item)] if include else list(all_of or known)
    for name in exclude:
        known[name]
        if name not in chosen:
            raise InputError(f"--exclude {name}: {name} is not among the players chosen with --include")
    return [name for name in chosen if name not in exclude]


def _repeated(known: Registry[Any], item: str) -> list[str]:
    name, colon, times = item.rpartition(":") if ":" in item else (item, "", "")
    if "=" in times:  # the parameters of a simulated subject, and no number of seats
        name, colon = item, ""
    if name == HUMAN and HUMAN not in known:
        raise InputError(f"{item!r}: no person can be asked here; {INSTEAD}")
    if not name.endswith(".json"):  # the file of a bot, wherever it lies
        known[name.partition(":")[0]]
    if not colon:
        return [name]
    if not times.isdecimal() or int(times) < 1:
        raise InputError(f"{item!r}: the number after the colon must be 1 or more, as in {name}:3")
    if int(times) > _MOST:
        raise InputError(f"{item!r}: no table seats so many; at most {_MOST:,}")
    return [name] * int(times)
