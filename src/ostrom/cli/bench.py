"""`ostrom bench`: an experiment of many games, kept in the journal."""

import sys
from typing import TYPE_CHECKING, Annotated

import typer

from ostrom.cli import options as opt

if TYPE_CHECKING:
    from ostrom.journal.sql import Journal
    from ostrom.lab.experiments import Experiment


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
    from ostrom.cli.store import open_journal
    from ostrom.games import game_of_command
    from ostrom.lab import make_rules
    from ostrom.lab.experiments import Experiment
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
    with open_journal(store, create=True) as journal:
        finish(planned, journal, store, json=json)


def finish(
    planned: "Experiment", journal: "Journal", store: str | None, *, json: bool, experiment: str | None = None
) -> None:
    """Play what is to be played, and say how to go on; also where it was stopped."""
    from ostrom.cli.output import games_bar, out, print_json
    from ostrom.lab.experiments import run_experiment

    # A password in the URL is not repeated: whoever gave it knows it.
    place = f" --store {store}" if store and "@" not in store else ""
    left = planned.games - (len(journal.games(experiment)) if experiment else 0)
    before = {row.id for row in journal.experiments()}
    try:
        with games_bar("games", left) as (progress, task):
            kept = run_experiment(planned, journal, lambda: progress.advance(task), experiment)
    except KeyboardInterrupt:
        kept = experiment or next(row.id for row in journal.experiments() if row.id not in before)
        done = len(journal.games(kept))
        print(
            f"ostrom: stopped; {done:,} of {planned.games:,} games are kept. Go on with: ostrom resume {kept}{place}",
            file=sys.stderr,
        )
        raise typer.Exit(1) from None
    if json:
        print_json({"bench": {"experiment": kept, "name": planned.called, **planned.settings}})
        return
    games = "1 game" if planned.games == 1 else f"{planned.games:,} games"
    out.print(
        f"{games} of {planned.game.command} with seed {planned.seed}, kept as {planned.called} ({kept}).", markup=False
    )
    out.print(f"Go on with   ostrom ratings --experiment {kept}{place}", markup=False, soft_wrap=True)
    out.print(f"             ostrom report --experiment {kept} -o report{place}", markup=False, soft_wrap=True)
