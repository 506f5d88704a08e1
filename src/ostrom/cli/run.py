"""`ostrom run`: one game, shown turn by turn with -v, kept with --output, played again with --replay."""

import shlex
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from ostrom.cli import options as opt

if TYPE_CHECKING:
    from ostrom.core.game import Game
    from ostrom.experiment import Match
    from ostrom.experiment.plan import Experiment


def run(
    context: typer.Context,
    game: Annotated[str, typer.Argument(help="Which game; 'ostrom list games' shows them.")] = "commons",
    include: opt.Include = None,
    exclude: opt.Exclude = None,
    llm: opt.Llm = None,
    players: opt.Players = None,
    duration: opt.Duration = 100,
    turns: opt.Turns = None,
    endowment: opt.Endowment = 100.0,
    alpha: opt.Alpha = 0.5,
    lobbying: opt.Lobbying = True,
    erosion: opt.Erosion = True,
    erosion_intensity: opt.ErosionIntensity = 1.0,
    voting: opt.Voting = True,
    messages: opt.Messages = True,
    rule: opt.Rule = None,
    attempts: opt.Attempts = None,
    retries: opt.Retries = None,
    calls: opt.Calls = None,
    per_provider: opt.PerProvider = None,
    timeout: opt.Timeout = None,
    patience: opt.Patience = None,
    policy: opt.Policy = None,
    budget: opt.Budget = None,
    token_budget: opt.TokenBudget = None,
    dry_run: opt.DryRun = False,
    seconds: opt.Seconds = None,
    wait: opt.Wait = None,
    host: opt.SeatHost = None,
    port: opt.SeatPort = None,
    seed: opt.Seed = None,
    store: opt.Store = None,
    output: Annotated[
        Path | None, typer.Option("--output", "-o", metavar="FILE", help="Write the game's complete record.")
    ] = None,
    replay: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Play a record again and check it against the rules.")
    ] = None,
    from_tournament: Annotated[
        str | None,
        typer.Option(metavar="OPTIONS", help="Play one game of the tournament that has these options, with --game."),
    ] = None,
    number: Annotated[
        int | None, typer.Option("--game", metavar="K", help="The number of that game, counted from 0.")
    ] = None,
    verbose: Annotated[bool, typer.Option("--verbose", "-v", help="Show every turn.")] = False,
    json: opt.Json = False,
) -> None:
    """Play one game and show how it ended."""
    from ostrom.cli.estimating import estimate
    from ostrom.cli.hosting import Place
    from ostrom.core import InputError
    from ostrom.core.plugins import GAMES
    from ostrom.experiment import record_of
    from ostrom.experiment import replay as play_again
    from ostrom.experiment.console import finish_one
    from ostrom.experiment.match import play_games
    from ostrom.journal import check_writable, read_record, write_record

    kind = GAMES.of_command(game)  # a wrong name is told before anything else
    if output is not None:
        check_writable(output)
    if (number is None) != (from_tournament is None):
        raise InputError('--from-tournament "OPTIONS" and --game K belong together')
    opt.only_with(context, replay, "--replay", {"replay", "verbose", "json", "output", "game"})
    opt.only_with(
        context,
        from_tournament,
        "--from-tournament",
        {"from_tournament", "number", "verbose", "json", "output", "game"},
    )
    if replay is not None:
        record = read_record(replay)
        if opt.given(context, "game") and record.game != kind.name:
            raise InputError(f"{replay} is the record of another game than {game}")
        match = play_again(record)
    elif from_tournament is not None and number is not None:
        match = _from_tournament(context, from_tournament, number)
    else:
        planned = _planned(context, kind)
        if dry_run:
            estimate(planned, json=json)
            return
        if planned.models or planned.people:
            kept = finish_one(planned, store, Place(host, port, quiet=json))
            if output is not None:
                write_record(output, kept)
            _show(play_again(kept), verbose=verbose, json=json, replayed=None)
            return
        match = next(match for _, match in play_games(planned.fixtures()))
    if output is not None:
        write_record(output, record_of(match))
    _show(match, verbose=verbose, json=json, replayed=replay)


def _planned(context: typer.Context, game: "Game") -> "Experiment":
    """One game with everybody at the table, as an experiment of one game."""
    from dataclasses import replace

    from ostrom.experiment import make_rules
    from ostrom.experiment.plan import SECONDS, WAIT, Experiment, Part
    from ostrom.players.roster import seat_players

    parsed = context.params
    opt.load_players(parsed["players"])
    seated = seat_players(game.name, parsed["include"] or [], parsed["exclude"] or [], parsed["llm"] or [])
    game.check_seats(len(seated))
    rules = make_rules(game, opt.rule_settings(context, game))
    part = Part(game, rules, seated, len(seated), 1, opt.seed_or_random(parsed["seed"]), fixed=True)
    planned = Experiment((part,), seconds=parsed["seconds"], wait=parsed["wait"])
    if not planned.people:
        opt.no_people(context)
    if not planned.models:
        # What becomes of a question without an answer matters for people too.
        opt.no_limits(context, but="policy" if planned.people else None)
    if planned.models or planned.people:
        planned = replace(planned, limits=opt.limits(context))
    if planned.people and planned.seconds is None:
        planned = replace(planned, seconds=SECONDS)
    if planned.people and planned.wait is None:
        planned = replace(planned, wait=WAIT)
    return planned


def _from_tournament(context: typer.Context, options: str, number: int) -> "Match":
    """One game of a tournament by itself, to the last bit the one that was played there."""
    from ostrom.core import InputError
    from ostrom.experiment import make_rules, play
    from ostrom.games.commons import COMMONS
    from ostrom.sim.schedule import Schedule

    command = context.find_root().command.get_command(context.find_root(), "tournament")  # type: ignore[attr-defined]
    try:
        asked = command.make_context("tournament", shlex.split(options))
    except ValueError as error:
        raise InputError(f"--from-tournament {options!r} cannot be read: {error}") from error
    parsed = asked.params
    if parsed["seed"] is None:
        raise InputError("--from-tournament needs the tournament's --seed; the tournament printed it")
    entries = opt.seated(parsed["include"], parsed["exclude"], parsed["players"])
    rules = make_rules(COMMONS, opt.rule_settings(asked, COMMONS))
    schedule = Schedule(tuple(entries), parsed["games"], parsed["group_size"])
    return play(schedule.table(number), rules=rules, seed=opt.seed_or_random(parsed["seed"]), number=number)


def _show(match: "Match", *, verbose: bool, json: bool, replayed: Path | None) -> None:
    from ostrom.cli.game_views import game_document, game_sheet
    from ostrom.cli.output import out, print_json
    from ostrom.cli.show import print_story

    if json:
        document = game_document(match, events=verbose)
        if replayed is not None:
            document["replay"] = {"agrees": True, "answers": len(match.decisions), "events": len(match.events)}
        print_json(document)
        return
    if verbose:
        print_story(match.game, match.rules, match.events, match.names)
        out.print()
    out.print(game_sheet(match))
    if replayed is not None:
        out.print(
            f"{replayed} agrees with the rules: {len(match.decisions)} answers, {len(match.events)} events.",
            markup=False,
        )
