"""`ostrom sweep` runs the verb `sweep`, or plays one game of a point with every turn."""

import shlex
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Annotated, Any

import typer

from ostrom.cli.follow_ups import files_as_options
from ostrom.core import InputError
from ostrom.core.finding import Finding
from ostrom.core.plugins import DEFAULT_GAME, GAMES
from ostrom.experiment import Match, make_rules, play, record_of
from ostrom.experiment.store import keep as keep_game
from ostrom.findings.games import describe_match
from ostrom.findings.keeping import stored_line
from ostrom.findings.sweep import SweepSettings, plan_sweep
from ostrom.findings.sweep import sweep as sweep_verb
from ostrom.journal import check_writable, write_record
from ostrom.journal.open import open_journal
from ostrom.journal.schema import SIMULATION
from ostrom.sim.factors import changed_settings, format_value
from ostrom.sim.sweep import as_settings
from ostrom.sim.sweep_plan import Point, SweepPlan, default_table
from ostrom.terminal import options as opt
from ostrom.terminal.game_options import game_of, rule_settings, takes_game
from ostrom.terminal.render import TerminalReporter, show
from ostrom.terminal.settings import read_settings, with_settings
from ostrom.terminal.sheets import out
from ostrom.terminal.verbs import keep, strategies_chosen


@takes_game(default=DEFAULT_GAME)
@with_settings(SweepSettings)
def sweep(
    context: typer.Context,
    open_: Annotated[
        int | None, typer.Option("--open", metavar="POINT", help="Play a game of this point alone, with every turn.")
    ] = None,
    number: Annotated[
        int, typer.Option(metavar="K", help="The number of the game that --open plays at this point, counted from 0.")
    ] = 0,
    include: opt.Include = None,
    exclude: opt.Exclude = None,
    players: opt.Players = None,
    rule: opt.Rule = None,
    store: opt.KeepIn = None,
    json: opt.Json = False,
) -> None:
    """Play games at many points of rules, seats and tables, and show which measures depend on them."""
    if open_ is None and opt.given(context, "number"):
        raise InputError("--number needs --open: it is the number of the game that --open plays")
    opt.load_players(players)
    game = game_of(context)
    entries = strategies_chosen(game, include or [], exclude or [])
    seated: Sequence[Any] = entries if include else default_table(game, entries)
    settings = read_settings(context, SweepSettings)
    rules = make_rules(game, _fixed_rules(context, settings))
    if open_ is not None:
        plan = plan_sweep(game, rules, seated, settings.model_copy(update={"output": None}))
        _open(context, plan, settings.output)
        return
    finding = sweep_verb.run(game, rules, seated, settings, TerminalReporter())
    finding = replace(finding, facts={**finding.facts, "points": _with_commands(context, finding)})
    experiment = keep(finding, store)
    show(finding if experiment is None else finding.with_facts(kept=experiment), json=json)
    if not json:
        _print_below(finding, experiment, store)


def _with_commands(context: typer.Context, finding: Finding) -> list[dict[str, Any]]:
    """Return the points of a sweep, each with the command that plays its first game."""
    points = []
    for point in finding.facts["points"]:
        command = _command(context, finding.plan, point["point"])
        points.append({"point": point["point"], "values": point["values"], "command": command, **point})
    return points


def _fixed_rules(context: typer.Context, settings: SweepSettings) -> dict[str, Any]:
    """Return the rules that the user typed. Raise InputError if one of them is also varied."""
    rules = rule_settings(context)
    for text in settings.vary:
        name = text.partition("=")[0].strip().replace("-", "_")
        if name in rules:
            raise InputError(f"{name} is varied; leave out --{name.replace('_', '-')}")
    return rules


def _print_below(finding: Finding, experiment: str | None, store: str | None) -> None:
    if experiment is not None:
        out.print(f"\n{stored_line(experiment, store)}", soft_wrap=True)
    line = finding.facts["points"][0]["command"]
    out.print(f"\nTo play a game of a point, with every turn, add --open POINT; point 0 is:\n   {line}", soft_wrap=True)


def _open(context: typer.Context, plan: SweepPlan, output: Path | None) -> None:
    """Play one game of a point. The game is identical to the one in the sweep."""
    number: int = context.params["number"]
    store: str | None = context.params["store"]
    if not 0 <= number < plan.games:
        raise InputError(f"there is no game {number}; a point has games 0 to {plan.games - 1}")
    if output is not None:
        check_writable(output)
    point = plan.point(context.params["open_"])
    line = _command(context, plan, point.number, number)
    match = play(point.table, game=plan.game, rules=point.rules, seed=plan.seed, number=number)
    if output is not None:
        write_record(output, record_of(match))
    experiment = None if store is None else _keep_game(plan, point, match, number, store)
    finding = describe_match(match, story=True).with_facts(command=line, kept=experiment)
    show(finding, json=context.params["json"])
    if context.params["json"]:
        return
    if experiment is not None:
        out.print(f"\n{stored_line(experiment, store)}", soft_wrap=True)
    out.print(f"\nTo play this game alone:\n   {line}", soft_wrap=True)


def _command(context: typer.Context, plan: SweepPlan, place: int, number: int = 0) -> str:
    """Return the command that plays a game of a point alone, with every turn. It names the files that the game
    needs."""
    point = plan.point(place)
    words = [GAMES[plan.game].command]
    for name, value in changed_settings(point.rules).items():
        if value is not None:
            words += ["--rule", f"{name}={format_value(value)}"]
    for name, seats in plan.players_of(point):
        words += ["--include", name if seats == 1 else f"{name}:{seats}"]
    words += ["--seed", str(plan.seed), *files_as_options(context)]
    if number == 0:
        return shlex.join(["ostrom", "run", *words, "-v"])
    inner = shlex.join([*words, "--games", str(plan.games)])
    return shlex.join(["ostrom", "run", "--from-tournament", inner, "--number", str(number), "-v"])


def _keep_game(plan: SweepPlan, point: Point, match: Match, number: int, store: str) -> str:
    """Store a game in a journal. Return the experiment's id."""
    values = ", ".join(
        f"{factor.name} {format_value(value)}" for factor, value in zip(plan.factors, point.values, strict=True)
    )
    settings = {name: value for name, value in as_settings(plan).items() if name != "points"}
    with open_journal(store, create=True) as journal:
        name = f"point {point.number}: {values}"
        experiment = journal.new_experiment(name, kind=SIMULATION, settings={SIMULATION: settings}, planned=1)
        keep_game(journal, experiment, match, f"point {point.number}, game {number}")
    return experiment
