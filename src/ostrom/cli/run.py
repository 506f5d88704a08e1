"""`ostrom run`: one game, shown turn by turn with -v, kept with --output, played again with --replay."""

import shlex
from contextlib import AbstractContextManager, ExitStack
from dataclasses import replace
from pathlib import Path
from typing import Annotated, Any

import typer

from ostrom.cli.main import load_plugins
from ostrom.cli.show import game_document, game_sheet, print_story
from ostrom.cli.tournament import entries_of
from ostrom.core import InputError
from ostrom.core.game import Game, imported
from ostrom.core.plugins import DEFAULT_GAME
from ostrom.experiment import Match, make_rules, play, record_of
from ostrom.experiment import options as opt
from ostrom.experiment import replay as play_again
from ostrom.experiment.console import SeatPeople, play_on, ready
from ostrom.experiment.estimate import print_estimate
from ostrom.experiment.game_options import game_of, is_named, rule_settings, takes_game
from ostrom.experiment.match import play_games
from ostrom.experiment.plan import SECONDS, WAIT, Experiment, Part
from ostrom.experiment.terminal import err, out, print_json
from ostrom.journal import GameRecord, check_writable, read_record, write_record
from ostrom.players.roster import seat_players
from ostrom.sim.schedule import Schedule


@takes_game(default=DEFAULT_GAME)
@opt.with_limits("at_once")
@opt.with_people
def run(
    context: typer.Context,
    include: opt.Include = None,
    exclude: opt.Exclude = None,
    llm: opt.Llm = None,
    players: opt.Players = None,
    rule: opt.Rule = None,
    dry_run: opt.DryRun = False,
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
        typer.Option(metavar="OPTIONS", help="Play one game of the tournament that has these options, with --number."),
    ] = None,
    number: Annotated[int | None, typer.Option(metavar="K", help="The number of that game, counted from 0.")] = None,
    game_number: Annotated[str | None, typer.Option("--game", hidden=True)] = None,
    verbose: Annotated[bool, typer.Option("--verbose", "-v", help="Show every turn.")] = False,
    json: opt.Json = False,
) -> None:
    """Play one game and show how it ended."""
    game = game_of(context)
    number = _number(game_number) if number is None else number
    if output is not None:
        check_writable(output)
    if (number is None) != (from_tournament is None):
        raise InputError('--from-tournament "OPTIONS" and --number K belong together')
    opt.only_with(context, replay, "--replay", {"replay", *_SHOWING})
    opt.only_with(
        context, from_tournament, "--from-tournament", {"from_tournament", "number", "game_number", *_SHOWING}
    )
    if replay is not None:
        record = read_record(replay)
        if is_named(context) and record.game != game.name:
            raise InputError(f"{replay} is the record of another game than {game.command}")
        match = play_again(record)
    elif from_tournament is not None and number is not None:
        match = _from_tournament(context, from_tournament, number)
    else:
        planned = _planned(context, game)
        if dry_run:
            print_estimate(planned, as_json=json)
            return
        if planned.models or planned.people:
            kept = _play_and_keep(context, planned)
            if output is not None:
                write_record(output, kept)
            _show(play_again(kept), verbose=verbose, json=json, replayed=None)
            return
        match = next(match for _, match in play_games(planned.fixtures()))
    if output is not None:
        write_record(output, record_of(match))
    _show(match, verbose=verbose, json=json, replayed=replay)


_SHOWING = {"verbose", "json", "output"}
"""Options that make sense for any game, however it came about."""


def _number(game: str | None) -> int | None:
    """The number that the first version took as --game."""
    if game is not None and not game.removeprefix("-").isdecimal():
        raise InputError(f"--game takes the number of a game; to play {game}: ostrom run {game}")
    return None if game is None else int(game)


def _planned(context: typer.Context, game: Game) -> Experiment:
    """One game with everybody at the table, as an experiment of one game."""
    parsed = context.params
    opt.load_players(parsed["players"])
    seated = seat_players(game.name, parsed["include"] or [], parsed["exclude"] or [], parsed["llm"] or [])
    game.check_seats(len(seated))
    rules = make_rules(game, rule_settings(context))
    part = Part(game, rules, seated, len(seated), 1, opt.seed_or_random(parsed["seed"]), fixed=True)
    planned = Experiment((part,), seconds=parsed["seconds"], wait=parsed["wait"])
    if not planned.people:
        opt.no_people(context)
    if not planned.models:
        # What becomes of a question without an answer matters for people too.
        opt.no_limits(context, but="policy" if planned.people else None)
    if planned.models or planned.people:
        planned = replace(planned, limits=opt.limits(context))
    if planned.people:
        usual: dict[str, Any] = {"seconds": SECONDS, "wait": WAIT}
        planned = replace(planned, **{name: time for name, time in usual.items() if parsed[name] is None})
    return planned


def _play_and_keep(context: typer.Context, planned: Experiment) -> GameRecord:
    """Play one game in which models or people play, and get its record; it is in the journal, as what it cost is
    spent."""
    store: str | None = context.params["store"]
    ready(planned)
    with ExitStack() as held:
        seat_people = held.enter_context(pages(context)) if planned.people else None
        journal = held.enter_context(opt.open_journal(store, create=True))
        kept = play_on(planned, journal, store, seat_people=seat_people)
        row = journal.games(kept)[0]
        if row.state == "void":
            raise InputError(f"the game {row.id} is void: {row.reason}")
        err.print(f"kept as {row.id}; ostrom status shows its calls", markup=False)
        return journal.record(row.id)


def pages(context: typer.Context) -> AbstractContextManager[SeatPeople]:
    """Where people sit down. Named by its path: only a game with people needs the extra that serves pages."""
    given = context.params
    pages: AbstractContextManager[SeatPeople] = imported("ostrom.cli.serve:pages")(
        given["host"], given["port"], quiet=given["json"]
    )
    return pages


def _from_tournament(context: typer.Context, options: str, number: int) -> Match:
    """One game of a tournament by itself, to the last bit the one that was played there."""
    command = context.find_root().command.get_command(context.find_root(), "tournament")  # type: ignore[attr-defined]
    try:
        words = shlex.split(options)
    except ValueError as error:
        raise InputError(f"--from-tournament {options!r} cannot be read: {error}") from error
    asked = command.make_context("tournament", load_plugins(words))
    parsed = asked.params
    if parsed["seed"] is None:
        raise InputError("--from-tournament needs the tournament's --seed; the tournament printed it")
    opt.load_players(parsed["players"])
    game = game_of(asked)
    rules = make_rules(game, rule_settings(asked))
    entries = entries_of(game, parsed["include"] or [], parsed["exclude"] or [])
    schedule = Schedule(tuple(entries), parsed["games"], parsed["group_size"])
    seed = opt.seed_or_random(parsed["seed"])
    return play(schedule.table(number), game=game, rules=rules, seed=seed, number=number)


def _show(match: Match, *, verbose: bool, json: bool, replayed: Path | None) -> None:
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
