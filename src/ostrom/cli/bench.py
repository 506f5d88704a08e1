"""`ostrom bench`: an experiment of many games, kept in the journal."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from ostrom.cli import options as opt

if TYPE_CHECKING:
    from ostrom.games import Game
    from ostrom.lab.plan import Experiment

_SEATS = 5
"""At a table of Contribute & Punish; in the Commons everybody sits at one."""


def bench(
    context: typer.Context,
    game: Annotated[str | None, typer.Argument(help="Which game: punish or commons.")] = None,
    file: Annotated[
        Path | None, typer.Option(metavar="FILE.toml", help="An experiment described in a file, in place of a game.")
    ] = None,
    include: opt.Include = None,
    exclude: opt.Exclude = None,
    llm: opt.Llm = None,
    players: opt.Players = None,
    games: Annotated[int, typer.Option(help="How many games.")] = 100,
    seats: Annotated[int | None, typer.Option(help="How many sit at a table. [punish: 5, commons: everybody]")] = None,
    duration: opt.Duration = 100,
    turns: opt.Turns = None,
    lobbying: opt.Lobbying = True,
    erosion: opt.Erosion = True,
    voting: opt.Voting = True,
    messages: opt.Messages = True,
    rule: opt.Rule = None,
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
    from ostrom.cli.conducting import finish
    from ostrom.cli.estimating import estimate
    from ostrom.cli.store import open_journal
    from ostrom.games import game_of_command
    from ostrom.table import InputError

    if (game is None) == (file is None):
        raise InputError("name a game, as in 'ostrom bench punish', or a file with --file experiment.toml")
    opt.load_players(players)
    planned = _of_file(context, file) if file is not None else _of_options(context, game_of_command(str(game)))
    planned.check()
    if dry_run:
        estimate(planned, json=json)
        return
    with open_journal(store, create=True) as journal:
        finish(planned, journal, store, json=json, cluster=cluster)


_BESIDE_A_FILE = {"file", "name", "seed", "store", "json", "dry_run", "cluster", "players", *opt.LIMIT_OPTIONS}


def _of_file(context: typer.Context, file: Path) -> "Experiment":
    from dataclasses import replace

    from ostrom.lab.experiment_file import read_experiment

    opt.only_with(context, file, "--file", _BESIDE_A_FILE)
    planned = read_experiment(file, opt.seed_or_random(context.params["seed"]))
    return replace(
        planned, name=context.params["name"] or planned.name, limits=opt.limits(context, before=planned.limits)
    )


def _of_options(context: typer.Context, game: "Game") -> "Experiment":
    from ostrom.games import COMMONS, CONTRIBUTE_PUNISH
    from ostrom.lab import make_rules
    from ostrom.lab.plan import Experiment, Part
    from ostrom.players.roster import seat_players
    from ostrom.table import InputError

    if game.name not in (COMMONS.name, CONTRIBUTE_PUNISH.name):
        raise InputError(
            f"there is no benchmark of {game.command}; there are 'ostrom bench punish' and 'bench commons'"
        )
    given = context.params
    contestants = seat_players(game.name, given["include"] or [], given["exclude"] or [], given["llm"] or [])
    usual = _SEATS if game.name == CONTRIBUTE_PUNISH.name else len(contestants)
    part = Part(
        game=game,
        rules=make_rules(game, opt.rule_settings(context, game)),
        contestants=contestants,
        seats=usual if given["seats"] is None else given["seats"],
        games=given["games"],
        seed=opt.seed_or_random(given["seed"]),
    )
    planned = Experiment((part,), given["name"])
    if planned.models:
        return Experiment((part,), given["name"], opt.limits(context))
    opt.no_limits(context)
    return planned
