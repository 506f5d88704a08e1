"""Starting simulations from a page: tournaments, sweeps, evolutions, best responses and searches for rules. The fields
of the dialog are made from the settings of each verb, as the options of its command are. The server must have been
started with `--steer`. A request can name neither files nor players that are read from files."""

import re
import shlex
from collections.abc import Mapping, Sequence
from functools import cache
from importlib import import_module
from typing import Any, Final, Literal

from fastapi import APIRouter, HTTPException, Request
from pydantic import Field

from ostrom.core import InputError
from ostrom.core.entry_points import verbs_of
from ostrom.core.game import Game, make_rules
from ostrom.core.plugins import GAMES
from ostrom.core.settings import Setting, settings_of
from ostrom.core.text import clean
from ostrom.core.verb import Verb
from ostrom.players.roster import built_in_names, built_in_players
from ostrom.terminal.settings import default_text, option_name
from ostrom.web.api.steering import in_thread, runs_of
from ostrom.web.replies import UNREADABLE, Shape, refusals, service_of
from ostrom.web.runs import RunState
from ostrom.web.simulation_runs import SimulationRun, SimulationRuns

KINDS: Final = ("tournament", "sweep", "evolve", "respond", "design")
_TITLES: Final = {
    "tournament": "Tournament",
    "sweep": "Sweep of rules",
    "evolve": "Evolution",
    "respond": "Best response",
    "design": "Search for rules",
}
_MAX_TEXT: Final = 200
_MAX_VALUES: Final = 100
_COMPUTATION: Final = "Computation"
"""The group of the settings that say where a simulation is computed. The server decides this."""
_SERVER_DECIDES: Final = ("workers", "cluster", "backend", "chunk_size")
_NAMES_FILE: Final = re.compile(r"FILE|FOLDER|DIR|://")
_LOOKS_LIKE_FILE: Final = re.compile(
    r"[/\\~]|\.(py|json|toml|csv|parquet|svg|png)\b|\b(policy|automaton|written|people):", re.IGNORECASE
)
_PLAYERS: Final = re.compile(r"NAME(\[:n\]|\|FILE\.py)?")
"""Forms of settings whose values are players."""
_NUMBERS: Final[Mapping[str, Literal["whole", "number"]]] = {"INTEGER": "whole", "NUMBER": "number"}

FieldKind = Literal["whole", "number", "switch", "choice", "players", "text"]


@cache
def verb_of(kind: str) -> Verb:
    """Return the verb of a kind of simulation. It is imported when it is first asked for, so that a server starts
    without SciPy."""
    module, _, name = verbs_of("ostrom.findings")[kind].partition(":")
    verb: Verb = getattr(import_module(module), name)
    return verb


class SimulationField(Shape):
    """A setting of a simulation, as a field of the dialog."""

    name: str
    kind: FieldKind
    options: list[str]
    """The words of a choice."""
    many: bool
    """True if the setting has several values."""
    form: str
    """The form of a value, such as NAME=VALUES; empty for numbers, switches and choices."""
    meaning: str
    range: str
    """The allowed values in words."""
    default: str
    """The default in words; empty if there is none."""


class SimulationKind(Shape):
    """A kind of simulation that can be started."""

    name: str
    title: str
    summary: str
    players: bool
    """True if players are chosen in addition to the settings."""
    fields: list[SimulationField]


class SimulationKinds(Shape):
    """The simulations that can be started on this server."""

    kinds: list[SimulationKind]


class StartSimulation(Shape):
    """A simulation to start."""

    kind: str = Field(max_length=_MAX_TEXT)
    game: str = Field(max_length=_MAX_TEXT)
    """The command of the game."""
    players: list[str] = Field([], max_length=_MAX_VALUES)
    settings: dict[str, str | list[str]] = Field({}, max_length=_MAX_VALUES)
    """The values of fields, in the form in which options of the command line have them."""
    rules: dict[str, Any] = Field({}, max_length=_MAX_VALUES)


class SimulationItem(Shape):
    """A simulation that was started since the server started."""

    number: str
    title: str
    command: str
    """The command line that runs the same simulation."""
    state: RunState
    progress: str
    """The latest line of progress."""
    messages: list[str]
    """Messages of the command, such as the reason why it ended without a result."""
    experiment: str | None
    """The experiment with the result; missing before the end."""


class SimulationItems(Shape):
    """The simulations that were started since the server started, the newest first."""

    simulations: list[SimulationItem]


def kinds_of_simulation() -> SimulationKinds:
    """Return the simulations that can be started, with their fields."""
    kinds = [
        SimulationKind(
            name=verb.name,
            title=_TITLES[verb.name],
            summary=verb.summary,
            players="players" in verb.needs,
            fields=[_field(setting) for setting in _settings(verb)],
        )
        for verb in map(verb_of, KINDS)
    ]
    return SimulationKinds(kinds=kinds)


def _settings(verb: Verb) -> list[Setting]:
    """Return the settings that a page can set: no files, no folders, and nothing about where it is computed."""
    return [
        setting
        for setting in settings_of(verb.settings)
        if setting.kind
        and setting.group != _COMPUTATION
        and setting.name not in _SERVER_DECIDES
        and (_PLAYERS.fullmatch(setting.kind) or not _NAMES_FILE.search(setting.kind.partition("|")[0]))
    ]


def _field(setting: Setting) -> SimulationField:
    kind, options = _kind(setting)
    return SimulationField(
        name=setting.name,
        kind=kind,
        options=options,
        many=setting.many,
        form=setting.kind if kind == "text" else "",
        meaning=setting.meaning,
        range=setting.range,
        default=setting.default_text or default_text(setting.default),
    )


def _kind(setting: Setting) -> tuple[FieldKind, list[str]]:
    if setting.kind == "yes|no":
        return "switch", []
    if setting.kind in _NUMBERS and not setting.many:
        return _NUMBERS[setting.kind], []
    if _PLAYERS.fullmatch(setting.kind) and setting.name != "measure":
        return "players", []
    if "|" in setting.kind:
        words = [word for word in setting.kind.split("|") if not _NAMES_FILE.search(word)]
        return ("text" if any(word.isupper() for word in words) else "choice"), words
    return "text", []


def words_of(request: StartSimulation) -> list[str]:
    """Return the words of the command after `ostrom`. Raise `InputError` if the request names an unknown kind, game,
    player or setting, or something that could be a file."""
    if request.kind not in KINDS:
        raise InputError(f"{clean(request.kind)!r} is no simulation; there are {', '.join(KINDS)}")
    verb, game = verb_of(request.kind), GAMES.of_command(request.game)
    if game.step is None:
        raise InputError(f"{game.title} has no array form, so it cannot be simulated in bulk")
    words = [verb.name, *game.command.split()]
    if request.players and "players" not in verb.needs:
        raise InputError(f"{verb.name} has no separate players; its settings name them")
    words += [word for name in _known(game, request.players) for word in ("--include", name)]
    known = {setting.name: setting for setting in _settings(verb)}
    for name, value in request.settings.items():
        if name not in known:
            raise InputError(f"{verb.name} has no setting {clean(name[:_MAX_TEXT])!r} that a page can set")
        words += _option(game, known[name], value)
    # Options of a command are texts too, so the same check applies to both.
    verb.settings.of({name: _plain(known[name], value) for name, value in request.settings.items()})
    rules = make_rules(game, request.rules)
    plain = rules.model_dump(mode="json")
    for name in request.rules:
        words += ["--rule", f"{name}={_rule_text(plain[name])}"]
    return words


def _plain(setting: Setting, value: str | list[str]) -> Any:
    if setting.kind == "yes|no":
        return value in ("yes", "true")
    return [value] if setting.many and isinstance(value, str) else value


def _rule_text(value: Any) -> str:
    text = str(value).lower() if isinstance(value, bool) else str(value)
    return _checked(text)


def _option(game: Game, setting: Setting, value: str | list[str]) -> list[str]:
    values = [value] if isinstance(value, str) else value
    if len(values) > 1 and not setting.many:
        raise InputError(f"{setting.name} has one value")
    kind, options = _kind(setting)
    if kind == "switch":
        return [] if values[0] not in ("yes", "true") else [option_name(setting.name)]
    if kind == "choice" and any(one not in options for one in values):
        raise InputError(f"{setting.name} must be one of {', '.join(options)}")
    if kind == "players":
        values = _known(game, values)
    return [word for one in values for word in (option_name(setting.name), _checked(one))]


def _checked(text: str) -> str:
    """Return a value of an option. Raise `InputError` if it could be an option or name a file."""
    plain = text.strip()
    is_option = plain.startswith("-") and not re.fullmatch(r"-[\d.]+", plain)
    if not plain or len(plain) > _MAX_TEXT or is_option:
        raise InputError(f"invalid value {clean(text[:_MAX_TEXT])!r}")
    if _LOOKS_LIKE_FILE.search(plain):
        raise InputError(f"{clean(plain)!r} looks like a file, and a page cannot name files; use a terminal")
    return plain


def _known(game: Game, players: Sequence[str]) -> list[str]:
    """Return these players. Raise `InputError` for players that are unknown or that could be read from a file."""
    built_in = built_in_players(game.name)
    for name in players:
        head = name.partition(":")[0]
        if head not in built_in_names(game.name) or head not in built_in:
            raise InputError(f"{clean(name[:_MAX_TEXT])!r} is not a player of {game.command}")
    return [_checked(name) for name in players]


def _runs(request: Request) -> SimulationRuns:
    runs_of(request)
    runs = service_of(request).simulation_runs
    assert runs is not None
    return runs


def _item(run: SimulationRun) -> SimulationItem:
    return SimulationItem(
        number=run.experiment,
        title=run.title,
        command=shlex.join(["ostrom", *run.words]),
        state=run.state,
        progress=run.progress,
        messages=list(run.messages),
        experiment=run.stored,
    )


def _numbered(runs: SimulationRuns, number: str) -> SimulationRun:
    run = runs.of(number)
    if not isinstance(run, SimulationRun):
        raise HTTPException(404, f"no simulation {clean(number[:_MAX_TEXT])} was started here")
    return run


router = APIRouter(
    tags=["simulations"],
    responses=refusals({403: "The server does not steer, or the request comes from another site.", **UNREADABLE}),
)
_UNKNOWN: Final = refusals({404: "No simulation has this number."})


@router.get("/simulations/kinds")
async def kinds(request: Request) -> SimulationKinds:
    """Return the simulations that can be started, with the fields of their dialog."""
    _runs(request)
    return await in_thread(kinds_of_simulation)


@router.get("/simulations")
async def simulations(request: Request) -> SimulationItems:
    """Return the simulations that were started since the server started, the newest first."""
    return SimulationItems(simulations=[_item(run) for run in _runs(request).all()])


@router.post("/simulations", status_code=201)
async def start_simulation(request: Request, simulation: StartSimulation) -> SimulationItem:
    """Start a simulation between strategies. It costs nothing, and its result is stored as an experiment."""
    runs = _runs(request)
    words = await in_thread(words_of, simulation)
    title = f"{_TITLES[simulation.kind]}: {GAMES.of_command(simulation.game).title}"
    return _item(await runs.launch(words, title))


@router.post("/simulations/{number}/stop", responses=_UNKNOWN)
async def stop_simulation(request: Request, number: str) -> SimulationItem:
    """Stop a simulation. It has no result."""
    runs = _runs(request)
    run = _numbered(runs, number)
    if run.state != "ended":
        runs.stop(number)
    return _item(run)


@router.post("/simulations/{number}/again", status_code=201, responses=_UNKNOWN)
async def start_again(request: Request, number: str) -> SimulationItem:
    """Start the same simulation again from its beginning."""
    runs = _runs(request)
    run = _numbered(runs, number)
    return _item(await runs.launch(run.words, run.title))
