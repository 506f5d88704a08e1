"""`ostrom bench`: an experiment of many games, kept in the journal."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from ostrom.cli import options as opt

if TYPE_CHECKING:
    from ostrom.core.game import Game
    from ostrom.experiment.plan import Experiment

_BATTERY = "Battery"
_SEATS = 5
"""At a table of Contribute & Punish; in the Commons everybody sits at one."""


def bench(
    context: typer.Context,
    game: Annotated[
        str | None, typer.Argument(help="punish, commons, battery, or a task that is played: trust, …")
    ] = None,
    file: Annotated[
        Path | None, typer.Option(metavar="FILE.toml", help="An experiment described in a file, in place of a game.")
    ] = None,
    include: opt.Include = None,
    exclude: opt.Exclude = None,
    llm: opt.Llm = None,
    players: opt.Players = None,
    games: Annotated[
        int, typer.Option(help="How many games; of a game of two roles, how often every ordered pair meets.")
    ] = 100,
    seats: Annotated[int | None, typer.Option(help="How many sit at a table. \\[punish: 5, commons: all]")] = None,
    duration: opt.Duration = 100,
    turns: opt.Turns = None,
    lobbying: opt.Lobbying = True,
    erosion: opt.Erosion = True,
    voting: opt.Voting = True,
    messages: opt.Messages = True,
    rule: opt.Rule = None,
    subject: Annotated[
        list[str] | None,
        typer.Option(metavar="NAME|BOT|MODEL", help="Who is asked; repeat for more.", rich_help_panel=_BATTERY),
    ] = None,
    protocol: Annotated[
        str, typer.Option(metavar="quick|full|FILE.toml", help="Which questions.", rich_help_panel=_BATTERY)
    ] = "full",
    task: Annotated[
        list[str] | None, typer.Option(metavar="TASK", help="This task only; repeat.", rich_help_panel=_BATTERY)
    ] = None,
    name: Annotated[str | None, typer.Option(help="What to call the experiment.")] = None,
    attempts: opt.Attempts = None,
    retries: opt.Retries = None,
    calls: opt.Calls = None,
    per_provider: opt.PerProvider = None,
    at_once: opt.AtOnce = None,
    timeout: opt.Timeout = None,
    patience: opt.Patience = None,
    policy: opt.Policy = None,
    budget: opt.Budget = None,
    token_budget: opt.TokenBudget = None,
    dry_run: opt.DryRun = False,
    cluster: opt.Cluster = None,
    seed: opt.Seed = None,
    store: opt.Store = None,
    json: opt.Json = False,
) -> None:
    """Let players meet evenly over many games, and keep every game in the journal."""
    from ostrom.cli.estimating import estimate
    from ostrom.cli.store import open_journal
    from ostrom.core import InputError
    from ostrom.core.plugins import GAMES
    from ostrom.experiment.console import finish, ready

    if (game is None) == (file is None):
        raise InputError("name a game, as in 'ostrom bench punish', or a file with --file experiment.toml")
    opt.load_players(players)
    if file is not None:
        planned = _of_file(context, file)
    elif game == "battery":
        planned = _of_battery(context)
    else:
        planned = _of_options(context, GAMES.of_command(str(game)))
    planned.check()
    if dry_run:
        estimate(planned, json=json)
        return
    if cluster is None:  # on a cluster, it is the workers who must reach the models
        ready(planned)
    with open_journal(store, create=True) as journal:
        finish(planned, journal, store, json=json, cluster=cluster)


_BESIDE_THE_BATTERY = {"game", "subject", "protocol", "task", "name", "seed", "store", "json", "dry_run", "cluster"}


def _of_battery(context: typer.Context) -> "Experiment":
    from ostrom.games.battery.plan import battery

    opt.only_with(context, "battery", "battery", _BESIDE_THE_BATTERY | set(opt.LIMIT_OPTIONS))
    given = context.params
    planned = battery(
        given["subject"] or [],
        protocol=given["protocol"],
        tasks=given["task"] or [],
        seed=opt.seed_or_random(given["seed"]),
        name=given["name"],
    )
    return _limited(context, planned, "ask one with --subject BOT or --subject MODEL")


def _limited(context: typer.Context, planned: "Experiment", instead: str | None = None) -> "Experiment":
    """With the limits that were given, where models play; where none does, `instead` says how one would."""
    from dataclasses import replace

    from ostrom.core import InputError

    if planned.models:
        return replace(planned, limits=opt.limits(context))
    useless = [option for option in (*opt.LIMIT_OPTIONS, "dry_run") if opt.given(context, option)]
    if useless and instead is not None:
        raise InputError(f"--{useless[0].replace('_', '-')} is for models; {instead}")
    opt.no_limits(context)
    return planned


_BESIDE_A_FILE = {"file", "name", "seed", "store", "json", "dry_run", "cluster", "players", *opt.LIMIT_OPTIONS}


def _of_file(context: typer.Context, file: Path) -> "Experiment":
    from dataclasses import replace

    from ostrom.core import InputError
    from ostrom.experiment.file import read_experiment

    opt.only_with(context, file, "--file", _BESIDE_A_FILE)
    planned = read_experiment(file, opt.seed_or_random(context.params["seed"]))
    if opt.given(context, "seed") and all(part.seed != context.params["seed"] for part in planned.parts):
        raise InputError(f"{file} names its seeds; --seed beside them would do nothing")
    return replace(
        planned, name=context.params["name"] or planned.name, limits=opt.limits(context, before=planned.limits)
    )


def _of_options(context: typer.Context, game: "Game") -> "Experiment":
    from ostrom.core import InputError
    from ostrom.experiment import make_rules
    from ostrom.experiment.plan import Experiment, Part
    from ostrom.games.contribute_punish import CONTRIBUTE_PUNISH
    from ostrom.players.roster import seat_players

    if game.instrument:
        raise InputError(f"there is no benchmark of {game.command}; 'ostrom list games' shows what can be played")
    given = context.params
    contestants = seat_players(game.name, given["include"] or [], given["exclude"] or [], given["llm"] or [])
    two_roles = game.seats.most == 2
    everybody = len(contestants)
    usual = _SEATS if game.name == CONTRIBUTE_PUNISH.name else 2 if two_roles else everybody
    games = given["games"]
    if two_roles and games > 0:  # of a number that cannot be, what was typed is told
        game.check_seats(min(everybody, game.seats.most))
        games *= everybody * (everybody - 1)
    part = Part(
        game=game,
        rules=make_rules(game, opt.rule_settings(context, game)),
        contestants=contestants,
        seats=usual if given["seats"] is None else given["seats"],
        games=games,
        seed=opt.seed_or_random(given["seed"]),
        pairs=two_roles,
    )
    for option in ("subject", "protocol", "task"):
        if opt.given(context, option):
            raise InputError(f"--{option} belongs to the battery: ostrom bench battery --subject NAME")
    return _limited(context, Experiment((part,), given["name"]))
