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
    from ostrom.arena.experiment import play_games
    from ostrom.arena.schedule import balanced_tables
    from ostrom.cli.output import games_bar, out, print_json
    from ostrom.games import game_of_command
    from ostrom.journal.location import store_url
    from ostrom.journal.sql import Journal
    from ostrom.lab import make_rules, record_of
    from ostrom.players.roster import seat_players
    from ostrom.table import InputError

    kind = game_of_command(game)
    if kind.command != "punish":
        raise InputError(
            f"there is no benchmark of {kind.command}; 'ostrom bench punish' is one, 'ostrom tournament' another"
        )
    if games < 1:
        raise InputError(f"{games} games cannot be played; --games must be 1 or more")
    contestants = seat_players(kind.name, include or [], exclude or [])
    kind.check_seats(seats)
    rules = make_rules(kind, opt.rule_settings(context, kind))
    chosen_seed = opt.seed_or_random(seed)
    tables = list(balanced_tables(len(contestants), seats, games, chosen_seed))
    called = name or f"{kind.command}-{chosen_seed}"
    settings = {
        "game": kind.name,
        "rules": rules.model_dump(mode="json"),
        "players": [contestant.name for contestant in contestants],
        "seats": seats,
        "games": games,
        "seed": chosen_seed,
    }
    with Journal.open(store_url(store), create=True) as journal, games_bar("games", games) as (progress, task):
        experiment = journal.new_experiment(called, kind=kind.command, settings=settings)
        for number, match in play_games(kind, rules, contestants, tables, chosen_seed):
            journal.add_game(experiment, record_of(match), key=str(number))
            progress.advance(task)
    if json:
        print_json({"bench": {"experiment": experiment, "name": called, **settings}})
        return
    out.print(
        f"{games:,} games of {kind.command} with seed {chosen_seed} are kept as {called} ({experiment}).", markup=False
    )
    out.print(
        f"Go on with: ostrom ratings --experiment {experiment}   ostrom report --experiment {experiment} -o report",
        markup=False,
    )
