"""The options that several commands share, each written once, and what is made of them."""

import secrets
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any

import typer
from pydantic import ValidationError

from ostrom.core import InputError
from ostrom.core.chance import check_seed
from ostrom.core.plugins import GAMES
from ostrom.core.text import problem
from ostrom.experiment.limits import Limits
from ostrom.experiment.store import fill_finals
from ostrom.experiment.terminal import err
from ostrom.journal.engine import store_url
from ostrom.journal.sql import Journal
from ostrom.players.roster import load_players_file

RULES = "ostrom.rules"
"""Where a context keeps the rules that were given as options of their own."""
_RULES = "Rules"
_TABLE = "Table"
_MODELS = "Models"
_PEOPLE = "People"

Rule = Annotated[
    list[str] | None,
    typer.Option(metavar="NAME=VALUE", help="Any rule of the game, by name; repeat for more.", rich_help_panel=_RULES),
]
Store = Annotated[
    str | None,
    typer.Option(metavar="URL", help="The journal; else OSTROM_STORE, else sqlite:///ostrom.db."),
]

Include = Annotated[
    list[str] | None,
    typer.Option(
        metavar="NAME[:n]", help="Seat this player, bot or 'human', n times; repeat for more.", rich_help_panel=_TABLE
    ),
]
Llm = Annotated[
    list[str] | None,
    typer.Option("--llm", metavar="MODEL", help="Add a model with no personality; repeat.", rich_help_panel=_TABLE),
]
Exclude = Annotated[
    list[str] | None,
    typer.Option(metavar="NAME", help="Leave this player out; repeat for more.", rich_help_panel=_TABLE),
]
Players = Annotated[
    list[Path] | None,
    typer.Option(metavar="FILE.py", help="Load champions of your own from a file.", rich_help_panel=_TABLE),
]
Attempts = Annotated[
    int | None,
    typer.Option(
        help="Attempts per question; each retry tells the model why its answer was rejected. \\[3]",
        rich_help_panel=_MODELS,
    ),
]
Retries = Annotated[
    int | None,
    typer.Option(help="How often a call that failed in transit is sent again. \\[5]", rich_help_panel=_MODELS),
]
Calls = Annotated[int | None, typer.Option(help="Calls in flight at once. \\[32]", rich_help_panel=_MODELS)]
PerProvider = Annotated[
    int | None, typer.Option(help="Calls in flight to one provider. \\[16]", rich_help_panel=_MODELS)
]
AtOnce = Annotated[
    int | None, typer.Option(help="Games under way at once. \\[twice the calls]", rich_help_panel=_MODELS)
]
Timeout = Annotated[float | None, typer.Option(help="Seconds that a call may take. \\[120]", rich_help_panel=_MODELS)]
Patience = Annotated[
    float | None,
    typer.Option(help="Seconds until a model that only fails counts as unavailable. \\[600]", rich_help_panel=_MODELS),
]
Policy = Annotated[
    str | None,
    typer.Option(
        metavar="default|void",
        help="Without a legal answer: the fallback, or a void game. \\[default]",
        rich_help_panel=_MODELS,
    ),
]
Budget = Annotated[
    float | None, typer.Option(help="Dollars that the whole experiment may cost.", rich_help_panel=_MODELS)
]
TokenBudget = Annotated[
    int | None, typer.Option(help="Tokens that the whole experiment may use.", rich_help_panel=_MODELS)
]
DryRun = Annotated[
    bool, typer.Option("--dry-run", help="Estimate calls, tokens and cost; ask nobody.", rich_help_panel=_MODELS)
]
Cluster = Annotated[
    str | None,
    typer.Option(metavar="tcp://…", help="Play on the workers of this Dask scheduler.", rich_help_panel=_TABLE),
]
Seconds = Annotated[
    float | None, typer.Option(help="Seconds that a person may take for an answer. \\[300]", rich_help_panel=_PEOPLE)
]
Wait = Annotated[
    float | None,
    typer.Option(
        help="Seconds that the table waits for people to open their links before their time counts. \\[600]",
        rich_help_panel=_PEOPLE,
    ),
]
SeatHost = Annotated[
    str | None,
    typer.Option("--host", help="Where the seats' pages are served. \\[127.0.0.1]", rich_help_panel=_PEOPLE),
]
SeatPort = Annotated[
    int | None,
    typer.Option("--port", min=0, max=65535, help="At which port. \\[8000, or one free]", rich_help_panel=_PEOPLE),
]
Seed = Annotated[int | None, typer.Option(help="Whole number that decides all chance; drawn and shown if not given.")]
Json = Annotated[bool, typer.Option("--json", help="Print one JSON document instead of tables.")]


def load_players(files: list[Path] | None) -> None:
    """Load users' files of champions."""
    for file in files or []:
        load_players_file(file)


def seed_or_random(seed: int | None) -> int:
    """The seed, or one drawn now, short enough to be typed again."""
    return secrets.randbits(32) if seed is None else check_seed(seed)


LIMIT_OPTIONS = {
    "attempts": "attempts",
    "retries": "retries",
    "calls": "calls",
    "per_provider": "per_provider",
    "at_once": "games",
    "timeout": "timeout",
    "patience": "patience",
    "policy": "policy",
    "budget": "budget",
    "token_budget": "token_budget",
}
"""The options that set limits, and what the limits call them."""


def limits(context: typer.Context, before: Limits | None = None) -> Limits:
    """The limits that the user gave; for what was not given those of before, else the usual ones."""
    given = {limit: context.params[option] for option, limit in LIMIT_OPTIONS.items() if option in context.params}
    named = {limit: value for limit, value in given.items() if value is not None}
    try:
        return Limits.model_validate({**(before or Limits()).model_dump(), **named})
    except ValidationError as error:
        first = error.errors()[0]
        limit = str(first["loc"][0])
        option = next(option for option, name in LIMIT_OPTIONS.items() if name == limit).replace("_", "-")
        raise InputError(problem({**first, "loc": (f"--{option}",)})) from None


def no_limits(
    context: typer.Context, *, but: str | None = None, instead: str = "seat one with --llm MODEL or --include BOT"
) -> None:
    """Refuse limits where no model plays, all but one: they would have no effect. `instead` says how one would play."""
    for option in (*LIMIT_OPTIONS, "dry_run"):
        if option in context.params and option != but and given(context, option):
            raise InputError(f"--{option.replace('_', '-')} is for models; {instead}")


PEOPLE_OPTIONS = ("seconds", "wait", "host", "port")
"""The options that matter only where people play."""


def no_people(context: typer.Context) -> None:
    """Refuse what is for people where none plays: it would have no effect."""
    for option in PEOPLE_OPTIONS:
        if given(context, option):
            raise InputError(f"--{option} is for people; seat one with --include human")


def only_with(context: typer.Context, value: object, option: str, allowed: set[str]) -> None:
    """Refuse options that would have no effect beside one that decides everything."""
    if value is None:
        return
    for name in (*context.meta.get(RULES, {}), *context.params):
        if name not in allowed and (name not in context.params or given(context, name)):
            raise InputError(f"{option} brings its own settings; --{name.replace('_', '-')} beside it would do nothing")


def given(context: typer.Context, name: str) -> bool:
    """Whether the user gave this option."""
    source = context.get_parameter_source(name)
    return source is not None and source.name != "DEFAULT"


def open_journal(store: str | None, *, create: bool = False) -> Journal:
    """Open the journal that is meant; its records come with their series. One of an older schema is upgraded, and says
    so."""
    journal = Journal.open(store_url(store), create=create, series=series_of)
    if journal.upgraded is not None:
        err.print(f"ostrom: the journal {journal.label} was {journal.upgraded}", markup=False, soft_wrap=True)
        fill_finals(journal)
    return journal


def series_of(game: str, events: Sequence[Mapping[str, Any]]) -> dict[str, list[Any]]:
    """A game's events as arrays over turns, by the rules of this installation; none where the game is not installed."""
    if game not in GAMES:
        return {}
    return GAMES[game].series([GAMES[game].events.decode(event) for event in events])
