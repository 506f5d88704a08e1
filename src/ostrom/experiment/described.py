"""Experiments that a file describes, and the plans that are registered from one."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from ostrom.analysis.plans import AnalysisPlan, register
from ostrom.core import InputError
from ostrom.core.chance import check_seed
from ostrom.core.errors import field
from ostrom.core.files import parse_toml
from ostrom.core.game import imported, make_rules
from ostrom.core.plugins import GAMES
from ostrom.core.text import problem
from ostrom.experiment.limits import Allowance, Limits
from ostrom.experiment.plan import Experiment, Part
from ostrom.experiment.schedule import ADAPTIVE, BALANCED
from ostrom.players.base import Contestant
from ostrom.players.models.bots import Bot, Price
from ostrom.players.roster import ModelContestant, built_in_players, seat_models, seat_players

_SEATS = 5
"""At a table, where the file does not say how many; fewer if there are fewer players."""


class _Described(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class DescribedGame(_Described):
    """One kind of game. What it does not say stands above for all of them."""

    game: str
    seats: int | None = None
    rules: dict[str, Any] = {}
    repetitions: int | None = Field(None, ge=1)
    seeds: list[int] | None = Field(None, min_length=1)
    include: list[str] | None = None
    exclude: list[str] = []
    models: list[str] | None = None


class DescribedExperiment(_Described):
    """An experiment described in a file: players, games, rules, repetitions, seeds, limits. `docs/experiments.md`
    shows one."""

    name: str | None = None
    repetitions: int = Field(100, ge=1)
    """Games of each kind and seed."""
    seeds: list[int] | None = Field(None, min_length=1)
    include: list[str] = []
    models: list[str] = []
    games: list[DescribedGame] = Field(min_length=1)
    bots: list[Bot] = []
    """Bots described here rather than in files of their own; `include` may name them."""
    limits: Limits = Limits()
    until: str | None = None
    """The rule by which it stops early."""
    schedule: Literal["balanced", "adaptive"] = "balanced"
    plan: AnalysisPlan | None = None
    """What is to be found out; `--register` keeps it before the first call."""


def read_toml(path: Path) -> tuple[str, dict[str, Any]]:
    """A TOML file as it is written, and what it says."""
    try:
        text = path.read_text(encoding="utf-8")
        return text, parse_toml(text)
    except (OSError, UnicodeDecodeError) as error:
        reason = error.strerror if isinstance(error, OSError) else "it is not text"
        raise InputError(f"{path} cannot be read: {reason}") from error
    except ValueError as error:
        raise InputError(f"{path} is not valid TOML: {error}") from error


def read_experiment(path: Path, seed: int) -> Experiment:
    """The experiment that a file describes; `seed` serves where it names none. What is wrong with it is told in one
    line."""
    text, tables = read_toml(path)
    try:
        described = DescribedExperiment.model_validate(tables)
    except ValidationError as error:
        raise InputError(f"{path}: {_first(error)}") from None
    try:
        _check(described)
        parts = [part for game in described.games for part in _parts(game, described, seed)]
        schedule = ADAPTIVE if described.schedule == ADAPTIVE else BALANCED
        name = described.name or path.stem
        planned = Experiment(tuple(parts), name, described.limits, text, schedule=schedule, until=described.until)
        planned.check()
    except InputError as error:
        raise InputError(f"{path}: {error}") from error
    return planned


def registered(planned: Experiment, path: Path, *, wanted: bool) -> Experiment:
    """The experiment of a file with its plan registered, where that is wanted. A plan that is not registered is
    refused: it would be no plan."""
    plan = DescribedExperiment.model_validate(parse_toml(planned.file or "")).plan
    if plan is None or not wanted:
        if plan is not None:
            raise InputError(f"{path} has a plan; register it with {field('register')}, or leave [plan] out")
        if wanted:
            raise InputError(f"{path} has no plan to register; it takes a table [plan] with hypotheses and measures")
        return planned
    games = {part.game.name: part.game for part in planned.parts}
    if len(games) > 1 or any(game.finals is None for game in games.values()):
        raise InputError(f"{path}: a plan is of one game that has finals")
    # By its path: only a plan needs what analyses games.
    study = imported("ostrom.analysis.study:study_of_game")(planned.parts[0].game)
    plan.check(study.measures, list(dict.fromkeys(one.name for part in planned.parts for one in part.contestants)))
    return replace(planned, registration=register(plan, planned.settings))


def _first(error: ValidationError) -> str:
    first = error.errors()[0]
    *above, field = (str(part) for part in first["loc"])
    where = ".".join([*above, field])
    if first["type"] == "extra_forbidden":
        tables: dict[str, type[BaseModel]] = {
            "games": DescribedGame,
            "bots": Bot,
            "limits": Limits,
            "players": Allowance,
            "price": Price,
            "plan": AnalysisPlan,
        }
        # The number of an entry, as in games.0, is no table's name.
        table = next((tables[name] for name in reversed(above) if name in tables), DescribedExperiment)
        return f"unknown field {where!r}; the fields are {', '.join(table.model_fields)}"
    return problem(first)


def _check(described: DescribedExperiment) -> None:
    """Refuse what would have no effect, or another one than it seems to."""
    names = [bot.name for bot in described.bots]
    lists = [described.include, *(game.include or [] for game in described.games)]
    seated = {item.partition(":")[0] for items in lists for item in items}
    for name in names:
        if names.count(name) > 1:
            raise InputError(f"two bots are called {name!r}; give each a name of its own")
        if ":" in name or name.split() != [name]:
            raise InputError(f"a bot cannot be called {name!r}; its name must be one word without a colon")
        if name not in seated:
            raise InputError(f"the bot {name!r} is described but not seated; name it in include")
    for seeds in (described.seeds, *(game.seeds for game in described.games)):
        if seeds and len(set(seeds)) < len(seeds):
            raise InputError("a seed is listed twice and would give the same games; use repetitions to play more")


def _parts(game: DescribedGame, whole: DescribedExperiment, drawn: int) -> list[Part]:
    kind = GAMES.of_command(game.game)
    include = whole.include if game.include is None else game.include
    models = whole.models if game.models is None else game.models
    contestants = _contestants(kind.name, include, game.exclude, models, whole.bots)
    return [
        Part(
            game=kind,
            rules=make_rules(kind, game.rules),
            contestants=contestants,
            seats=min(_SEATS, len(contestants)) if game.seats is None else game.seats,
            games=whole.repetitions if game.repetitions is None else game.repetitions,
            seed=check_seed(seed),
        )
        for seed in game.seeds or whole.seeds or [drawn]
    ]


def _contestants(
    game: str, include: Sequence[str], exclude: Sequence[str], models: Sequence[str], bots: Sequence[Bot]
) -> list[Contestant]:
    """Players by name, where a bot that the file describes goes before a file of that name."""
    own = {bot.name: bot for bot in bots}
    for name in own:
        if name in built_in_players(game):
            raise InputError(f"the bot {name!r} has the name of a built-in player; give it another one")
    seated: list[Contestant] = []
    elsewhere: list[str] = []
    for item in include:
        name, _, times = item.partition(":")
        if name not in own:
            elsewhere.append(item)
            continue
        if times and not (times.isdecimal() and 1 <= int(times) <= 10_000):
            raise InputError(f"{item!r}: the number after the colon must be 1 or more, as in {name}:3")
        seated += [ModelContestant(own[name], game)] * int(times or 1)
    # Without any name the built-in players sit down, unless the file brings bots of its own.
    if elsewhere or exclude or not seated:
        seated = [*seat_players(game, elsewhere, exclude), *seated]
    return [*seated, *seat_models(game, models)]
