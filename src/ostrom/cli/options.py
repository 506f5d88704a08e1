"""The options that several commands share, each written once, and what is made of them. Only light imports at the
top: the command line answers before the laboratory has been read."""

import secrets
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

if TYPE_CHECKING:
    from ostrom.core.game import Game
    from ostrom.experiment.limits import Limits
    from ostrom.players.strategy import StrategyEntry

_RULES = "Rules"
_TABLE = "Table"
_MODELS = "Models"
_PEOPLE = "People"

Duration = Annotated[
    int, typer.Option(help="Target turn: the game has ended by then in 80 % of cases.", rich_help_panel=_RULES)
]
Turns = Annotated[
    int | None, typer.Option(help="Play exactly so many turns, with a known end.", rich_help_panel=_RULES)
]
Endowment = Annotated[float, typer.Option(help="What every seat receives each turn.", rich_help_panel=_RULES)]
Alpha = Annotated[
    float,
    typer.Option(help="Redistribution at the start: 1 equal shares, 0 proportional.", rich_help_panel=_RULES),
]
Lobbying = Annotated[
    bool, typer.Option("--lobbying/--no-lobbying", help="Spend capital to move α.", rich_help_panel=_RULES)
]
Erosion = Annotated[
    bool, typer.Option("--erosion/--no-erosion", help="Kept money rots in a bad economy.", rich_help_panel=_RULES)
]
ErosionIntensity = Annotated[
    float, typer.Option(help="Exponent of erosion; above 1 is more severe.", rich_help_panel=_RULES)
]
Voting = Annotated[bool, typer.Option("--voting/--no-voting", help="Votes to exclude.", rich_help_panel=_RULES)]

Messages = Annotated[
    bool,
    typer.Option("--messages/--no-messages", help="Seats speak before they give (punish).", rich_help_panel=_RULES),
]
Rule = Annotated[
    list[str] | None,
    typer.Option(metavar="NAME=VALUE", help="Any other rule of the game; repeat for more.", rich_help_panel=_RULES),
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
    typer.Option(help="Replies that a question may get, the reasons told between. [3]", rich_help_panel=_MODELS),
]
Retries = Annotated[
    int | None, typer.Option(help="How often a call that failed on its way is sent again. [5]", rich_help_panel=_MODELS)
]
Calls = Annotated[int | None, typer.Option(help="Calls in flight at once. [32]", rich_help_panel=_MODELS)]
PerProvider = Annotated[int | None, typer.Option(help="Calls in flight to one provider. [16]", rich_help_panel=_MODELS)]
AtOnce = Annotated[
    int | None, typer.Option(help="Games under way at once. \\[twice the calls]", rich_help_panel=_MODELS)
]
Timeout = Annotated[float | None, typer.Option(help="Seconds that a call may take. [120]", rich_help_panel=_MODELS)]
Patience = Annotated[
    float | None,
    typer.Option(help="Seconds until a model that only fails counts as unavailable. [600]", rich_help_panel=_MODELS),
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
    float | None, typer.Option(help="Seconds that a person may take for an answer. [300]", rich_help_panel=_PEOPLE)
]
Wait = Annotated[
    float | None,
    typer.Option(
        help="Seconds that the table waits for people to open their links before their time counts. [600]",
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
    from ostrom.players.roster import load_players_file

    for file in files or []:
        load_players_file(file)


def seated(include: list[str] | None, exclude: list[str] | None, players: list[Path] | None) -> "list[StrategyEntry]":
    """The champions at the table, after users' files have been loaded."""
    from ostrom.games.commons import COMMONS
    from ostrom.players.roster import choose

    load_players(players)
    chosen = choose(include or [], exclude or [])
    COMMONS.check_seats(len(chosen))
    return chosen


def seed_or_random(seed: int | None) -> int:
    """The seed, or one drawn now, short enough to be typed again."""
    from ostrom.core.chance import check_seed

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


def limits(context: typer.Context, before: "Limits | None" = None) -> "Limits":
    """The limits that the user gave; for what was not given those of before, else the usual ones."""
    from pydantic import ValidationError

    from ostrom.core import InputError
    from ostrom.experiment.limits import Limits

    given = {limit: context.params[option] for option, limit in LIMIT_OPTIONS.items() if option in context.params}
    named = {limit: value for limit, value in given.items() if value is not None}
    try:
        return Limits.model_validate({**(before or Limits()).model_dump(), **named})
    except ValidationError as error:
        first = error.errors()[0]
        limit = str(first["loc"][0])
        option = next(option for option, name in LIMIT_OPTIONS.items() if name == limit).replace("_", "-")
        raise InputError(f"--{option} {first['input']}: {first['msg'][0].lower()}{first['msg'][1:]}") from None


def no_limits(context: typer.Context, *, but: str | None = None) -> None:
    """Refuse limits where no model plays, all but one: they would have no effect."""
    from ostrom.core import InputError

    for option in (*LIMIT_OPTIONS, "dry_run"):
        if option in context.params and option != but and given(context, option):
            raise InputError(f"--{option.replace('_', '-')} is for models; seat one with --llm MODEL or --include BOT")


PEOPLE_OPTIONS = ("seconds", "wait", "host", "port")
"""The options that matter only where people play."""


def no_people(context: typer.Context) -> None:
    """Refuse what is for people where none plays: it would have no effect."""
    from ostrom.core import InputError

    for option in PEOPLE_OPTIONS:
        if given(context, option):
            raise InputError(f"--{option} is for people; seat one with --include human")


def only_with(context: typer.Context, value: object, option: str, allowed: set[str]) -> None:
    """Refuse options that would have no effect beside one that decides everything."""
    from ostrom.core import InputError

    if value is None:
        return
    for name in context.params:
        if name not in allowed and given(context, name):
            raise InputError(f"{option} brings its own settings; --{name.replace('_', '-')} beside it would do nothing")


def given(context: typer.Context, name: str) -> bool:
    """Whether the user gave this option."""
    source = context.get_parameter_source(name)
    return source is not None and source.name != "DEFAULT"


RULE_OPTIONS = ("duration", "turns", "endowment", "alpha", "lobbying", "erosion", "erosion_intensity", "voting")


def rule_settings(context: typer.Context, game: "Game") -> dict[str, Any]:
    """The settings that the user gave, for any game: options of their own, and --rule NAME=VALUE. An option that the
    game does not have is refused."""
    from ostrom.core import InputError

    settings: dict[str, Any] = {}
    for name in (*RULE_OPTIONS, "messages"):
        source = context.get_parameter_source(name) if name in context.params else None
        if source is None or source.name == "DEFAULT":
            continue
        if name not in game.rules.model_fields:
            raise InputError(f"{game.command} has no rule --{name.replace('_', '-')}; it has {_known_rules(game)}")
        settings[name] = context.params[name]
    for given in context.params.get("rule") or []:
        name, equals, value = given.partition("=")
        name = name.replace("-", "_")
        if not equals or name not in game.rules.model_fields:
            raise InputError(
                f"--rule {given!r} is no rule of {game.command}; write NAME=VALUE with {_known_rules(game)}"
            )
        settings[name] = value
    return settings


def _known_rules(game: "Game") -> str:
    return ", ".join(game.rules.model_fields)
