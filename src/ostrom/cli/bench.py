"""`ostrom bench`: an experiment of many games, kept in the journal."""

from typing import Annotated

import typer

from ostrom.cli import options as opt


def bench(
    context: typer.Context,
    game: Annotated[str, typer.Argument(help="Which game: punish.")],
    include: opt.Include = None,
    exclude: opt.Exclude = None,
    games: Annotated[int, typer.Option(help="How many games.")] = 100,
    seats: Annotated[int, typer.Option(help="How many sit at a table.")] = 5,
    messages: opt.Messages = True,
    rule: opt.Rule = None,
    name: Annotated[str | None, typer.Option(help="What to call the experiment.")] = None,
    seed: opt.Seed = None,
    store: opt.Store = None,
    json: opt.Json = False,
) -> None:
    """Let players meet evenly over many games, and keep every game in the journal."""
    from ostrom.cli.output import games_bar, out, print_json
    from ostrom.games import game_of_command
    from ostrom.journal.location import store_url
    from ostrom.journal.sql import Journal
    from ostrom.lab import make_rules
    from ostrom.lab.experiments import Experiment, run_experiment
    from ostrom.players.roster import seat_players
    from ostrom.table import InputError

    kind = game_of_command(game)
    if kind.command != "punish":
        raise InputError(
            f"there is no benchmark of {kind.command}; 'ostrom bench punish' is one, 'ostrom tournament' is too"
        )
    planned = Experiment(
        game=kind,
        rules=make_rules(kind, opt.rule_settings(context, kind)),
        contestants=seat_players(kind.name, include or [], exclude or []),
        seats=seats,
        games=games,
        seed=opt.seed_or_random(seed),
        name=name,
    )
    planned.check()
    with Journal.open(store_url(store), create=True) as journal, games_bar("games", games) as (progress, task):
        kept = run_experiment(planned, journal, progress=lambda: progress.advance(task))
    if json:
        print_json({"bench": {"experiment": kept, "name": planned.called, **planned.settings}})
        return
    out.print(
        f"{games:,} games of {kind.command} with seed {planned.seed}, kept as {planned.called} ({kept}).", markup=False
    )
    out.print(f"Go on with   ostrom ratings --experiment {kept}", markup=False)
    out.print(f"             ostrom report --experiment {kept} -o report", markup=False)
