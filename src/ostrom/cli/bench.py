"""`ostrom bench`: an experiment of many games, kept in the journal; and `ostrom resume`, which goes on with one that
was stopped, and plays nothing twice."""

from contextlib import nullcontext
from dataclasses import replace
from pathlib import Path
from typing import Annotated

import typer

from ostrom.cli.run import pages
from ostrom.core import InputError
from ostrom.core.entry_points import COMMANDS_GROUP, declared, load
from ostrom.core.game import Game
from ostrom.experiment import make_rules
from ostrom.experiment import options as opt
from ostrom.experiment.console import finish, ready
from ostrom.experiment.estimate import print_estimate
from ostrom.experiment.file import read_experiment
from ostrom.experiment.game_options import game_of, is_named, rule_settings, takes_game
from ostrom.experiment.options import open_journal
from ostrom.experiment.plan import Experiment, Part, experiment_of
from ostrom.experiment.store import check_versions
from ostrom.players.roster import seat_players


@takes_game()
@opt.with_limits()
def bench(
    context: typer.Context,
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
    seats: Annotated[
        int | None, typer.Option(help="How many sit at a table. \\[the game's usual number, or all]")
    ] = None,
    rule: opt.Rule = None,
    name: Annotated[str | None, typer.Option(help="What to call the experiment.")] = None,
    dry_run: opt.DryRun = False,
    cluster: opt.Cluster = None,
    seed: opt.Seed = None,
    store: opt.Store = None,
    json: opt.Json = False,
) -> None:
    """Let players meet evenly over many games, and keep every game in the journal."""
    if is_named(context) == (file is not None):
        raise InputError("name a game, as in 'ostrom bench GAME', or a file with --file experiment.toml")
    opt.load_players(players)
    planned = _of_options(context, game_of(context)) if file is None else _of_file(context, file)
    planned.check()
    if dry_run:
        print_estimate(planned, as_json=json)
        return
    if cluster is None:  # on a cluster, it is the workers who must reach the models
        ready(planned)
    with opt.open_journal(store, create=True) as journal:
        finish(planned, journal, store, json=json, cluster=cluster)


_BESIDE_A_FILE = {"file", "name", "seed", "store", "json", "dry_run", "cluster", "players", *opt.LIMIT_OPTIONS}


def _of_file(context: typer.Context, file: Path) -> Experiment:
    opt.only_with(context, file, "--file", _BESIDE_A_FILE)
    planned = read_experiment(file, opt.seed_or_random(context.params["seed"]))
    if opt.given(context, "seed") and all(part.seed != context.params["seed"] for part in planned.parts):
        raise InputError(f"{file} names its seeds; --seed beside them would do nothing")
    return replace(
        planned, name=context.params["name"] or planned.name, limits=opt.limits(context, before=planned.limits)
    )


def _of_options(context: typer.Context, game: Game) -> Experiment:
    if game.instrument:
        raise InputError(f"there is no benchmark of {game.command}; 'ostrom list games' shows what can be played")
    given = context.params
    contestants = seat_players(game.name, given["include"] or [], given["exclude"] or [], given["llm"] or [])
    two_roles = game.seats.most == 2
    everybody = len(contestants)
    games = given["games"]
    if two_roles and games > 0:  # of a number that cannot be, what was typed is told
        game.check_seats(min(everybody, game.seats.most))
        games *= everybody * (everybody - 1)
    part = Part(
        game=game,
        rules=make_rules(game, rule_settings(context)),
        contestants=contestants,
        seats=(game.seats.usual or everybody) if given["seats"] is None else given["seats"],
        games=games,
        seed=opt.seed_or_random(given["seed"]),
        pairs=two_roles,
    )
    return opt.limited(context, Experiment((part,), given["name"]))


@opt.with_limits("policy")
@opt.with_people
def resume(
    context: typer.Context,
    experiment: Annotated[
        str | None, typer.Argument(help="Which one, by id or name; else the only unfinished.")
    ] = None,
    players: opt.Players = None,
    cluster: opt.Cluster = None,
    accept_version: Annotated[
        bool, typer.Option("--accept-version", help="Go on although the game's version changed since it was begun.")
    ] = False,
    store: opt.Store = None,
    json: opt.Json = False,
) -> None:
    """Go on with an experiment that was stopped; what is decided stays, and only what is missing is asked for."""
    opt.load_players(players)
    with open_journal(store) as journal:
        rows = journal.experiments()
        if experiment is None:
            unfinished = [row for row in rows if row.state == "unfinished"]
            if len(unfinished) != 1:
                named = ", ".join(row.id for row in unfinished) or "none"
                raise InputError(f"name the experiment to go on with; unfinished: {named}")
            wanted = unfinished[0].id
        else:
            wanted = journal.experiment_id(experiment)
        if not accept_version:
            check_versions(journal, wanted)
        row = next(row for row in rows if row.id == wanted)
        if (own := f"resume.{row.kind}") in declared(COMMANDS_GROUP):
            load(COMMANDS_GROUP, own)(context, journal, wanted)
            return
        planned = opt.limited(context, replace(experiment_of(row.name, row.settings), title=row.kind))
        if not planned.people:
            opt.no_people(context)
        times = {name: context.params[name] for name in ("seconds", "wait") if context.params[name] is not None}
        planned = replace(planned, **times)
        with pages(context) if planned.people else nullcontext() as seat_people:
            finish(planned, journal, store, json=json, experiment=wanted, cluster=cluster, seat_people=seat_people)
