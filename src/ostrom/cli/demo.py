"""`ostrom demo`: the lab in a minute, no key needed."""

from ostrom.cli import options as opt


def demo(seed: opt.Seed = 42, json: opt.Json = False) -> None:
    """Play a game of the Commons and a small tournament, and show what came out."""
    from ostrom.cli.commons_tables import tournament_sheet
    from ostrom.cli.game_views import game_document, game_sheet
    from ostrom.cli.output import games_bar, out, print_json
    from ostrom.games.commons.events import TurnPlayed
    from ostrom.lab import play
    from ostrom.players.roster import choose
    from ostrom.sim.schedule import Schedule
    from ostrom.sim.tournament import tournament

    chosen_seed = opt.seed_or_random(seed)
    match = play(seed=chosen_seed)
    entries = choose()
    repetitions, group_size = 5, 4
    with games_bar("tournament", Schedule(tuple(entries), repetitions, group_size).games) as (progress, task):
        result = tournament(
            entries,
            games=repetitions,
            seed=chosen_seed,
            group_size=group_size,
            progress=lambda done: progress.advance(task, done),
        )
    if json:
        print_json({"demo": {"run": game_document(match), "tournament": result.as_record()}})
        return
    out.print("[bold]1. One game.[/bold] Sixteen champions share a pot that grows with cooperation.\n")
    turns = [event for event in match.events if isinstance(event, TurnPlayed)]
    for turn in (turns[0], turns[len(turns) // 2], turns[-1]):
        out.print(f"   {match.game.tell(turn, match.names)[0]}", markup=False)
    out.print()
    out.print(game_sheet(match))
    out.print("\n[bold]2. A tournament.[/bold] Every four of them meet, five times each.\n")
    out.print(tournament_sheet(result))
    out.print("\n[bold]Go on with[/bold]")
    for command, what in (
        (f"ostrom run --seed {chosen_seed} -v", "every turn of that game"),
        (f"ostrom tournament --seed {chosen_seed}", "all sixteen at one table, 50 times"),
        ("ostrom list", "who can play, and what"),
    ):
        out.print(f"   {command:<36}{what}", markup=False)
