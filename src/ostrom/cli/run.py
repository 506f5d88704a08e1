"""`ostrom run` plays one game. It shows the game turn by turn with -v, stores it with --output, and replays it with
--replay. `ostrom resume` continues an experiment that was stopped, and plays nothing twice."""

import shlex
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path
from typing import Annotated, Any

import typer

from ostrom.cli.main import load_plugins
from ostrom.core import InputError
from ostrom.core.chance import check_seed, seed_or_random
from ostrom.core.command import at_store
from ostrom.core.entry_points import COMMANDS_GROUP, declared, load
from ostrom.core.game import Game
from ostrom.core.plugins import DEFAULT_GAME
from ostrom.experiment import Match, make_rules, play, record_of
from ostrom.experiment import replay as play_again
from ostrom.experiment.match import play_games
from ostrom.experiment.plan import SECONDS, WAIT, Experiment, Part, experiment_of
from ostrom.experiment.store import check_versions
from ostrom.findings.estimates import describe_estimate
from ostrom.findings.games import describe_match
from ostrom.findings.tournament import TournamentSettings
from ostrom.journal import GameRecord, check_writable, read_record, write_record
from ostrom.journal.engine import printable_url
from ostrom.journal.open import open_journal
from ostrom.players.base import Contestant
from ostrom.players.roster import seat_players
from ostrom.sim.tournament import schedule_of
from ostrom.terminal import options as opt
from ostrom.terminal.console import go_on, pages, play_on, ready
from ostrom.terminal.game_options import game_of, is_named, rule_settings, takes_game
from ostrom.terminal.render import show
from ostrom.terminal.settings import read_settings
from ostrom.terminal.sheets import err
from ostrom.terminal.verbs import strategies_chosen


@takes_game(default=DEFAULT_GAME)
@opt.with_limits("at_once", "batch", "deadline")
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
        typer.Option(
            metavar="OPTIONS", help="Replay one game, chosen by --number, of a tournament played with these options."
        ),
    ] = None,
    number: Annotated[
        int | None, typer.Option(metavar="K", help="The number of the game in the tournament, counted from 0.")
    ] = None,
    verbose: Annotated[bool, typer.Option("--verbose", "-v", help="Show every turn.")] = False,
    json: opt.Json = False,
) -> None:
    """Play one game and show the result."""
    game = game_of(context)
    if output is not None:
        check_writable(output)
    if (number is None) != (from_tournament is None):
        raise InputError('--from-tournament "OPTIONS" and --number K must be given together')
    opt.only_with(context, replay, "--replay", {"replay", *_SHOWING})
    opt.only_with(context, from_tournament, "--from-tournament", {"from_tournament", "number", *_SHOWING})
    if replay is not None:
        record = read_record(replay)
        if is_named(context) and record.game != game.name:
            raise InputError(f"{replay} is not a record of {game.command}")
        match = play_again(record)
    elif from_tournament is not None and number is not None:
        match = _from_tournament(context, from_tournament, number)
    else:
        planned = _planned(context, game)
        if dry_run:
            show(describe_estimate(planned), json=json)
            return
        if planned.models or planned.people or store:
            record = _play_and_keep(context, planned)
            if output is not None:
                write_record(output, record)
            _show(play_again(record), verbose=verbose, json=json, replayed=None)
            return
        match = next(match for _, match in play_games(planned.fixtures()))
    if output is not None:
        write_record(output, record_of(match))
    _show(match, verbose=verbose, json=json, replayed=replay)


_SHOWING = {"verbose", "json", "output"}
"""Options that apply to every game: to a game that is played now, replayed from a record, or taken from a
tournament."""


def _planned(context: typer.Context, game: Game) -> Experiment:
    """Return an experiment of one game, with all chosen players at its table."""
    parsed = context.params
    opt.load_players(parsed["players"])
    seated = seat_players(game.name, parsed["include"] or [], parsed["exclude"] or [], parsed["llm"] or [])
    if not parsed["include"]:
        seated = _at_one_table(game, seated, len(parsed["llm"] or []))
    game.check_seats(len(seated))
    rules = make_rules(game, rule_settings(context))
    part = Part(game, rules, seated, len(seated), 1, seed_or_random(parsed["seed"]), fixed=True)
    planned = Experiment((part,), seconds=parsed["seconds"], wait=parsed["wait"])
    opt.no_pausing(context, planned)
    if not planned.people:
        opt.no_people(context)
    if not planned.models:
        # The option for questions without an answer also applies to people.
        opt.no_limits(context, but="policy" if planned.people else None)
    if planned.models or planned.people:
        planned = replace(planned, limits=opt.limits(context))
    if planned.people:
        usual: dict[str, Any] = {"seconds": SECONDS, "wait": WAIT}
        planned = replace(planned, **{name: time for name, time in usual.items() if parsed[name] is None})
    return planned


def _at_one_table(game: Game, everybody: list[Contestant], models: int) -> list[Contestant]:
    """Return the players of the game if the user names none. If all players can sit at one table, these are all
    players. Otherwise they are the models, which are last in the list, and as many of the game's own players as fill
    the table to its usual size."""
    if len(everybody) <= game.seats.most and len(everybody) % game.seats.multiple == 0:
        return everybody
    own, named = everybody[: len(everybody) - models], everybody[len(everybody) - models :]
    return [*own[: max(0, (game.seats.usual or game.seats.most) - models)], *named]


def _play_and_keep(context: typer.Context, planned: Experiment) -> GameRecord:
    """Play one game and return its record. The game is stored in a journal if the user named one, or if models or
    people play, since their answers are too costly to lose."""
    store: str | None = context.params["store"]
    ready(planned)
    with ExitStack() as held:
        seat_people = held.enter_context(pages(context)) if planned.people else None
        journal = held.enter_context(open_journal(store, create=True))
        experiment = play_on(planned, journal, store, seat_people=seat_people)
        row = journal.games(experiment)[0]
        if row.state == "void":
            raise InputError(f"the game {row.id} is void: {row.reason}")
        calls = f"; ostrom status{at_store(printable_url(store))} shows its calls" if planned.models else ""
        err.print(f"kept as {row.id}{calls}", soft_wrap=True)
        return journal.record(row.id)


def _from_tournament(context: typer.Context, options: str, number: int) -> Match:
    """Play a single game of a tournament and return it. It is identical, to the last bit, to the game in the
    tournament."""
    command = context.find_root().command.get_command(context.find_root(), "tournament")  # type: ignore[attr-defined]
    try:
        words = shlex.split(options)
    except ValueError as error:
        raise InputError(f"--from-tournament {options!r} cannot be read: {error}") from error
    asked = command.make_context("tournament", load_plugins(words))
    parsed = asked.params
    settings = read_settings(asked, TournamentSettings)
    if settings.seed is None:
        raise InputError("--from-tournament needs the tournament's --seed; the tournament printed it")
    opt.load_players(parsed["players"])
    game = game_of(asked)
    rules = make_rules(game, rule_settings(asked))
    entries = strategies_chosen(game, parsed["include"] or [], parsed["exclude"] or [])
    schedule = schedule_of(game, entries, settings.games, settings.group_size)
    table = schedule.table(number)
    return play(table, game=game, rules=rules, seed=check_seed(settings.seed), number=schedule.draw(number))


def _show(match: Match, *, verbose: bool, json: bool, replayed: Path | None) -> None:
    finding = describe_match(match, story=verbose)
    if replayed is not None:
        agreement = {"agrees": True, "answers": len(match.decisions), "events": len(match.events)}
        line = f"{replayed} agrees with the rules: {len(match.decisions)} answers, {len(match.events)} events."
        finding = replace(finding.with_facts(replay=agreement), sentences=[line])
    show(finding, json=json)


@opt.with_limits("policy")
@opt.with_people
def resume(
    context: typer.Context,
    experiment: Annotated[
        str | None,
        typer.Argument(
            metavar="[EXPERIMENT]", help="The experiment, by id or name; if omitted, the only unfinished one."
        ),
    ] = None,
    players: opt.Players = None,
    cluster: opt.Cluster = None,
    accept_version: Annotated[
        bool, typer.Option("--accept-version", help="Resume although the game's version has changed.")
    ] = False,
    new_links: Annotated[
        bool, typer.Option("--new-links", help="Make new links for people; the links that they have stop working.")
    ] = False,
    store: opt.Store = None,
    json: opt.Json = False,
) -> None:
    """Resume an experiment that was stopped; answers are kept, and only missing ones are asked for."""
    opt.load_players(players)
    with open_journal(store) as journal:
        rows = journal.experiments()
        if experiment is None:
            unfinished = [row for row in rows if row.state == "unfinished"]
            if len(unfinished) != 1:
                if not unfinished:
                    raise InputError("there is nothing to resume: no experiment is unfinished")
                named = ", ".join(row.id for row in unfinished)
                raise InputError(f"several experiments are unfinished; name one of {named}")
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
        times = {name: context.params[name] for name in ("seconds", "wait") if context.params[name] is not None}
        planned = replace(planned, **times)
        go_on(context, planned, journal, wanted)
