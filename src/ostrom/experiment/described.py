"""Experiments that are described in a TOML file, and the registration of their analysis plans."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from ostrom.analysis.plans import AnalysisPlan, register
from ostrom.core import InputError
from ostrom.core.chance import check_seed
from ostrom.core.errors import field
from ostrom.core.files import MAX_SETTINGS_BYTES, parse_toml, read_bounded_text
from ostrom.core.game import imported, make_rules
from ostrom.core.plugins import GAMES
from ostrom.core.text import problem
from ostrom.experiment.limits import Allowance, Limits
from ostrom.experiment.plan import Experiment, Part
from ostrom.experiment.schedule import ADAPTIVE, BALANCED
from ostrom.players.base import Contestant
from ostrom.players.models.bots import Bot, Price
from ostrom.players.roster import ModelContestant, built_in_players, seat_models, seat_players

_DEFAULT_SEATS = 5
"""The default number of seats of a game. If there are fewer players, the number of players is the default."""


class _Described(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class DescribedGame(_Described):
    """One kind of game. If a field is missing, the value of the experiment's field is used."""

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
    """The number of games of each kind and seed."""
    seeds: list[int] | None = Field(None, min_length=1)
    include: list[str] = []
    models: list[str] = []
    games: list[DescribedGame] = Field(min_length=1)
    bots: list[Bot] = []
    """Bots that `include` may name."""
    limits: Limits = Limits()
    until: str | None = None
    """The rule that may stop the experiment early."""
    schedule: Literal["balanced", "adaptive"] = "balanced"
    plan: AnalysisPlan | None = None
    """The analysis plan, which can be registered before the first call."""


def read_toml(path: Path) -> tuple[str, dict[str, Any]]:
    """Return the text of a TOML file and its tables. Raise InputError if it is unreadable or invalid."""
    try:
        text = read_bounded_text(path, MAX_SETTINGS_BYTES)
        return text, parse_toml(text)
    except (OSError, UnicodeDecodeError) as error:
        reason = error.strerror if isinstance(error, OSError) else "it is not text"
        raise InputError(f"{path} cannot be read: {reason}") from error
    except ValueError as error:
        raise InputError(f"{path} is not valid TOML: {error}") from error


def read_experiment(path: Path, seed: int) -> Experiment:
    """Return the experiment that a file describes; `seed` is the default seed. Raise InputError with the first problem
    that is found."""
    text, tables = read_toml(path)
    try:
        described = DescribedExperiment.model_validate(tables)
    except ValidationError as error:
        raise InputError(f"{path}: {_first_problem(error)}") from None
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


def registered(planned: Experiment, path: Path, *, register_plan: bool) -> Experiment:
    """Return the experiment in a file. If `register_plan`, its plan is registered. Raise InputError if there is no plan
    to register, or if there is a plan that is not registered."""
    plan = DescribedExperiment.model_validate(parse_toml(planned.file or "")).plan
    if plan is None and not register_plan:
        return planned
    if plan is None:
        raise InputError(f"{path} has no plan to register; it needs a table [plan] with hypotheses and measures")
    if not register_plan:
        raise InputError(f"{path} has a plan; register it with {field('register')}, or leave [plan] out")
    games = {part.game.name: part.game for part in planned.parts}
    if len(games) > 1 or any(game.finals is None for game in games.values()):
        raise InputError(f"{path}: a plan needs a single game with finals")
    # Imported here, since only plans need the analysis of games.
    study = imported("ostrom.analysis.study:study_of_game")(planned.parts[0].game)
    plan.check(study.measures, list(dict.fromkeys(player.name for player in planned.players)))
    return replace(planned, registration=register(plan, planned.settings))


def _first_problem(error: ValidationError) -> str:
    first = error.errors()[0]
    if first["type"] == "extra_forbidden":
        location = [str(part) for part in first["loc"]]
        tables: dict[str, type[BaseModel]] = {
            "games": DescribedGame,
            "bots": Bot,
            "limits": Limits,
            "players": Allowance,
            "price": Price,
            "plan": AnalysisPlan,
        }
        # The location of the error also has numbers of entries, as in games.0.
        table = next((tables[name] for name in reversed(location[:-1]) if name in tables), DescribedExperiment)
        return f"unknown field {'.'.join(location)!r}; the fields are {', '.join(table.model_fields)}"
    return problem(first)


def _check(described: DescribedExperiment) -> None:
    """Raise InputError for entries that have no effect and for duplicates. Also raise it if the file names a journal to
    read, since only a command may name one."""
    if described.limits.reuse is not None or described.limits.reuse_sampled:
        raise InputError(f"limits: name the journal with the option, {field('reuse', 'JOURNAL')}, not in a file")
    names = [bot.name for bot in described.bots]
    lists = [described.include, *(game.include or [] for game in described.games)]
    included = {item.partition(":")[0] for items in lists for item in items}
    for name in names:
        if names.count(name) > 1:
            raise InputError(f"two bots are called {name!r}; give each a name of its own")
        if ":" in name or name.split() != [name]:
            raise InputError(f"invalid name of a bot: {name!r} must be one word without a colon")
        if name not in included:
            raise InputError(f"the bot {name!r} is described but not seated; name it in include")
    for seeds in (described.seeds, *(game.seeds for game in described.games)):
        if seeds and len(set(seeds)) < len(seeds):
            raise InputError("a seed is listed twice and would give the same games; use repetitions to play more")


def _parts(game: DescribedGame, experiment: DescribedExperiment, default_seed: int) -> list[Part]:
    kind = GAMES.of_command(game.game)
    include = experiment.include if game.include is None else game.include
    models = experiment.models if game.models is None else game.models
    contestants = _contestants(kind.name, include, game.exclude, models, experiment.bots)
    return [
        Part(
            game=kind,
            rules=make_rules(kind, game.rules),
            contestants=contestants,
            seats=min(_DEFAULT_SEATS, len(contestants)) if game.seats is None else game.seats,
            games=experiment.repetitions if game.repetitions is None else game.repetitions,
            seed=check_seed(seed),
        )
        for seed in game.seeds or experiment.seeds or [default_seed]
    ]


def _contestants(
    game: str, include: Sequence[str], exclude: Sequence[str], models: Sequence[str], bots: Sequence[Bot]
) -> list[Contestant]:
    """Return the players. A bot of the experiment takes precedence over a bot file of the same name."""
    bots_by_name = {bot.name: bot for bot in bots}
    for name in bots_by_name:
        if name in built_in_players(game):
            raise InputError(f"the bot {name!r} has the name of a built-in player; give it another one")
    contestants: list[Contestant] = []
    other_names: list[str] = []
    for item in include:
        name, _, times = item.partition(":")
        if name not in bots_by_name:
            other_names.append(item)
            continue
        if times and not (times.isdecimal() and 1 <= int(times) <= 10_000):
            raise InputError(f"{item!r}: the number after the colon must be 1 or more, as in {name}:3")
        contestants += [ModelContestant(bots_by_name[name], game)] * int(times or 1)
    # If no names are given, the built-in players are seated, unless the file describes bots.
    if other_names or exclude or not contestants:
        contestants = [*seat_players(game, other_names, exclude), *contestants]
    return [*contestants, *seat_models(game, models)]
