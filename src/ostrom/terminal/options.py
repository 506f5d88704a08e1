"""Options that several commands share. This module also reads the limits and players that these options set."""

import inspect
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial, wraps
from pathlib import Path
from typing import Annotated, Any, Literal, TypeVar, cast, get_args, get_origin

import typer
from pydantic import ValidationError

from ostrom.core import InputError
from ostrom.core.entry_points import note_files
from ostrom.core.text import problem
from ostrom.experiment.limits import Allowance, Limits
from ostrom.experiment.plan import Experiment as Planned
from ostrom.players.roster import load_players_file

RULES = "ostrom.rules"
"""The key, in a command's context, of rules that were given as separate options."""
Function = TypeVar("Function", bound=Callable[..., None])
_table, _people, _models, _parts = (
    partial(typer.Option, rich_help_panel=panel)
    for panel in ("Table", "People", "Models", "Limits of games and players")
)

Rule = Annotated[
    list[str] | None,
    typer.Option(metavar="NAME=VALUE", help="Set any rule of the game by name; repeatable.", rich_help_panel="Rules"),
]
Store = Annotated[
    str | None,
    typer.Option(metavar="URL|FILE", help="The journal; defaults to OSTROM_STORE, then sqlite:///ostrom.db."),
]
Workers = Annotated[int | None, typer.Option(help="Number of processes; by default one per core, if that is faster.")]
ChunkSize = Annotated[
    int | None,
    typer.Option(help="Number of games played at once, which affects memory and speed but never the result."),
]
KeepIn = Annotated[
    str | None,
    typer.Option(
        "--store",
        metavar="URL|FILE",
        help="Store the tables and charts in this journal, with the games that they link to. The pages and the "
        "commands list, report and export then show them.",
    ),
]
Include = Annotated[
    list[str] | None, _table(metavar="NAME[:n]", help="Seat this player, bot or 'human' n times; repeatable.")
]
Llm = Annotated[
    list[str] | None, _table("--llm", metavar="MODEL", help="Add a model without a personality; repeatable.")
]
Exclude = Annotated[list[str] | None, _table(metavar="NAME", help="Leave this player out; repeatable.")]
Players = Annotated[list[Path] | None, _table(metavar="FILE.py", help="Load strategies of your own from a file.")]
Cluster = Annotated[str | None, _table(metavar="tls://…", help="Play on the workers of this Dask scheduler.")]
DryRun = Annotated[bool, _models("--dry-run", help="Estimate calls, tokens and cost without playing.")]
Seed = Annotated[int | None, typer.Option(help="Seed of all random draws; drawn and shown if omitted.")]
Json = Annotated[bool, typer.Option("--json", help="Print one JSON document instead of tables.")]
Experiment = Annotated[
    str | None, typer.Option(metavar="EXPERIMENT", help="Only this experiment's games, by id or name.")
]

OPTIONS_OF_LIMITS = {name: name for name in Limits.model_fields} | {"games": "at_once", "players": "limit_player"}
"""The option of each limit."""
LIMIT_OPTIONS = {option: name for name, option in OPTIONS_OF_LIMITS.items()}
"""The options that set limits, each with the name of the limit."""
PEOPLE_OPTIONS: dict[str, Any] = {
    "seconds": Annotated[float | None, _people(help="Seconds a person has for each answer. (default 300)")],
    "wait": Annotated[
        float | None,
        _people(help="Seconds to wait for people to open their links before their time starts. (default 600)"),
    ],
    "host": Annotated[str | None, _people(help="Address of the seats' pages. (default 127.0.0.1)")],
    "port": Annotated[
        int | None, _people(min=0, max=65535, help="Port of the seats' pages. (default 8000, or a free one)")
    ],
}
"""The options that apply only if people play."""


def with_limits(*without: str) -> Callable[[Function], Function]:
    """Return a decorator that gives a command an option for each limit, except the limits in `without`. The function
    `limits` reads these options from the command's context."""
    return with_options({option: _limit(name) for option, name in LIMIT_OPTIONS.items() if option not in without})


def _limit(name: str) -> Any:
    field = Limits.model_fields[name]
    panel = _parts if name.startswith(("game_", "player")) else _models
    if name == "players":
        return Annotated[list[str] | None, panel(metavar="NAME:WHAT=VALUE", help=field.description)]
    default = "twice the calls" if name == "games" else field.default
    aside = (
        "" if default is None else f" (default {default:g})" if isinstance(default, float) else f" (default {default})"
    )
    metavar = "URL|FILE" if name == "reuse" else None
    choices = get_args(field.annotation) if get_origin(field.annotation) is Literal else ()
    kind: Any = str | None if choices else field.annotation | None  # type: ignore[operator]
    return Annotated[kind, panel(help=f"{field.description}{aside}", metavar="|".join(choices) or metavar)]


def with_people(function: Function) -> Function:
    """Give a command the options about people. The command reads them from its context."""
    return with_options(PEOPLE_OPTIONS)(function)


def with_options(options: Mapping[str, Any]) -> Callable[[Function], Function]:
    """Return a decorator that adds options to a command. The command's function reads them from the context."""

    def extend(function: Function) -> Function:
        own = inspect.signature(function)
        added = [
            inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=_default(option), annotation=option)
            for name, option in options.items()
        ]

        @wraps(function)
        def command(**values: Any) -> None:
            function(**{name: value for name, value in values.items() if name in own.parameters})

        command.__signature__ = own.replace(parameters=[*own.parameters.values(), *added])  # type: ignore[attr-defined]
        command.__annotations__ = {**function.__annotations__, **options}
        return cast(Function, command)

    return extend


def _default(option: Any) -> Any:
    """Return the default of an option. It is None if the option's type includes None. Otherwise the option is
    required."""
    kind = get_args(option)[0]
    return None if type(None) in get_args(kind) else inspect.Parameter.empty


def load_players(files: list[Path] | None) -> None:
    """Load strategies from the user's files."""
    note_files("--players", map(str, files or []))
    for file in files or []:
        load_players_file(file)


def limits(context: typer.Context, before: Limits | None = None) -> Limits:
    """Return the limits that the options give. Limits without an option keep their value in `before` or, without
    `before`, their default."""
    values = {limit: context.params[option] for option, limit in LIMIT_OPTIONS.items() if option in context.params}
    named = {limit: value for limit, value in values.items() if value is not None}
    players = _by_player(named.pop("players", []), before or Limits())
    try:
        return Limits.model_validate(
            {**({} if before is None else before.model_dump()), **named, **({"players": players} if players else {})}
        )
    except ValidationError as error:
        first = error.errors()[0]
        option = OPTIONS_OF_LIMITS[str(first["loc"][0])].replace("_", "-")
        raise InputError(problem({**first, "loc": (f"--{option}",)})) from None


def typed_limits(context: typer.Context) -> Limits | None:
    """Return the limits that the user typed, or None if there are none."""
    return limits(context) if any(given(context, option) for option in LIMIT_OPTIONS) else None


def _by_player(texts: Sequence[str], before: Limits) -> dict[str, dict[str, Any]]:
    """Return the limits of single players. They are those in `before`, with the changes that the user typed."""
    players = {name: allowance.model_dump() for name, allowance in before.players.items()}
    for text in texts:
        name, _, limit = text.rpartition(":")  # Names of models may contain colons.
        what, _, value = limit.partition("=")
        if not name or not value or what not in Allowance.model_fields:
            known = ", ".join(Allowance.model_fields)
            raise InputError(f"--limit-player {text!r}: use NAME:WHAT=VALUE, where WHAT is one of {known}")
        players.setdefault(name, {})[what] = value
    return players


def limited(context: typer.Context, planned: Planned, **where_none: str) -> Planned:
    """Return a plan with the limits that the user gave. Raise InputError for limits if no model plays."""
    no_pausing(context, planned)
    if planned.models:
        return replace(planned, limits=limits(context, before=planned.limits))
    no_limits(context, **where_none)
    return planned


def no_pausing(context: typer.Context, planned: Planned) -> None:
    """Raise InputError for the option that pauses games, if people play."""
    if planned.people and "pause_at_defaults" in context.params and given(context, "pause_at_defaults"):
        raise InputError("--pause-at-defaults is for runs without people; a game with people does not pause")


def no_limits(
    context: typer.Context, *, but: str | None = None, instead: str = "seat one with --llm MODEL or --include BOT"
) -> None:
    """Raise InputError for limits if no model plays, since limits would have no effect. Only the limit named in `but`
    is allowed. `instead` is the part of the message that says how to add a model."""
    for option in (*LIMIT_OPTIONS, "dry_run"):
        if option in context.params and option != but and given(context, option):
            raise InputError(f"--{option.replace('_', '-')} is for models; {instead}")


def no_people(context: typer.Context) -> None:
    """Raise InputError for options about people if no people play, since these options would have no effect."""
    for option in PEOPLE_OPTIONS:
        if option in context.params and given(context, option):
            raise InputError(f"--{option} is for people; seat one with --include human")
    if given(context, "new_links"):
        raise InputError("--new-links is for people, but no people play in these games")


def only_with(context: typer.Context, value: object, option: str, allowed: set[str]) -> None:
    """Raise InputError for options that have no effect because `option` determines everything. The options in `allowed`
    are not refused."""
    if value is None:
        return
    for name in (*context.meta.get(RULES, {}), *context.params):
        if name not in allowed and (name not in context.params or given(context, name)):
            raise InputError(f"{option} has its own settings; leave out --{name.replace('_', '-')}")


def given(context: typer.Context, name: str) -> bool:
    """Return whether the user gave this option."""
    source = context.get_parameter_source(name)
    return source is not None and source.name != "DEFAULT"
