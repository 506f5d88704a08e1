"""`ostrom sweep`: the same games at many points of rules, seats and tables; where a measure changes, and what it
depends on."""

import shlex
from collections.abc import Callable
from enum import StrEnum
from pathlib import Path
from typing import Annotated

import polars as pl
import typer

from ostrom.cli.show import game_document, game_sheet, print_story
from ostrom.cli.tournament import files_as_options
from ostrom.core import InputError
from ostrom.core.chance import seed_or_random
from ostrom.core.estimates import Estimate
from ostrom.core.plugins import DEFAULT_GAME, files
from ostrom.core.text import number_of
from ostrom.experiment import Match, make_rules, play, record_of
from ostrom.experiment.store import keep
from ostrom.findings.results import of_sweep
from ostrom.findings.simulations import keep_in, kept_line
from ostrom.findings.sweeps import Findings, check_condition, usual_measures, write_findings
from ostrom.journal import check_writable, write_record
from ostrom.journal.open import open_journal
from ostrom.journal.schema import SIMULATION
from ostrom.library.reports import check_folder
from ostrom.sim.boundary import Condition
from ostrom.sim.effects import indices, why_none
from ostrom.sim.factors import spelled
from ostrom.sim.kept import KeptGames, as_settings, settings_in
from ostrom.sim.sweep import SweepResult, play_sweep
from ostrom.sim.sweep_plan import Point, SweepPlan, plan_of
from ostrom.sim.usual_table import usual_table
from ostrom.terminal import options as opt
from ostrom.terminal.game_options import game_of, rule_settings, takes_game
from ostrom.terminal.progress import games_bar
from ostrom.terminal.sheets import Column, Sheet, err, out, print_json
from ostrom.terminal.verbs import strategies_chosen


class Design(StrEnum):
    """Which points are played."""

    factorial = "factorial"
    lhs = "lhs"
    sobol = "sobol"


@takes_game(default=DEFAULT_GAME)
def sweep(
    context: typer.Context,
    vary: Annotated[
        list[str] | None,
        typer.Option(
            metavar="NAME=VALUES",
            help="What varies: a rule, 'seats', the seats of a player by its name, or 'table'; alpha=0:1:0.05, "
            "voting=yes,no, Parasite=0:8:1, table=Pavlov:4,Pavlov:2+Parasite:2; repeatable.",
        ),
    ] = None,
    design: Annotated[
        Design, typer.Option(help="All combinations, a Latin hypercube, or the points that Sobol indices take.")
    ] = Design.factorial,
    points: Annotated[
        int | None,
        typer.Option(help="Points that lhs draws \\[100]; or of each sample of sobol, a power of 2 \\[128]."),
    ] = None,
    games: Annotated[int, typer.Option(help="Games at every point.")] = 200,
    measure: Annotated[
        list[str] | None,
        typer.Option(metavar="NAME", help="Keep and show these measures only, such as contribution; repeatable."),
    ] = None,
    boundary: Annotated[
        str | None,
        typer.Option(
            metavar="CONDITION", help="Find where it holds: contribution=0.5, or final:Pavlov=final:Parasite."
        ),
    ] = None,
    output: Annotated[
        Path | None,
        typer.Option(
            "--output",
            "-o",
            metavar="FOLDER",
            help="Keep games, tables (CSV, Parquet) and charts there; the same command goes on with what is missing. "
            "With --open, the file of the game's record.",
        ),
    ] = None,
    open_: Annotated[
        int | None, typer.Option("--open", metavar="POINT", help="Play a game of this point alone, with every turn.")
    ] = None,
    number: Annotated[int, typer.Option(metavar="K", help="Which game of the point --open plays, from 0.")] = 0,
    include: opt.Include = None,
    exclude: opt.Exclude = None,
    players: opt.Players = None,
    rule: opt.Rule = None,
    seed: opt.Seed = None,
    store: opt.KeepIn = None,
    backend: Annotated[
        str | None, typer.Option(metavar="numpy|compiled|jax", help="The engine; by default the fastest here.")
    ] = None,
    workers: opt.Workers = None,
    chunk_size: opt.ChunkSize = None,
    cluster: opt.Cluster = None,
    json: opt.Json = False,
) -> None:
    """Play games at many points of rules, seats and tables, and show what depends on them."""
    if open_ is None and opt.given(context, "number"):
        raise InputError("--number says which game of a point --open plays; give --open POINT too")
    plan = _planned(context)
    if open_ is not None:
        _open(context, plan)
        return
    condition = None if boundary is None else Condition.of(boundary, plan.measures or plan.available)
    if condition is not None:
        check_condition(condition, plan.factors, plan.design)
    kept = None
    if output is not None:
        check_folder(output)
        kept = KeptGames(output, plan)
    if plan.slow:
        err.print(f"{', '.join(plan.slow)}: plain Python, one game at a time, which slows the sweep.")
    with games_bar("games", len(plan.values) * plan.games) as advance:
        result = play_sweep(
            plan,
            chunk_size=chunk_size,
            workers=workers,
            players_files=files(),
            cluster=cluster,
            kept=kept,
            progress=advance,
        )
    findings = Findings(result, usual_measures(plan, condition, measure or []), condition)
    if output is not None:
        with games_bar("charts", None, "charts") as drawn:
            tables, pictures = write_findings(findings, output, drawn)
    entered = None if store is None else keep_in(store, of_sweep(findings))
    if json:
        told = findings.as_record()
        opened = [{**one, "command": _command(context, plan, one["point"])} for one in told["points"]]
        print_json({**told, "points": opened} | ({} if entered is None else {"kept": entered}))
        return
    _show(findings)
    if entered is not None:
        out.print(f"\n{kept_line(entered, store)}", soft_wrap=True)
    if output is not None:
        named = f"{number_of(len(tables), 'table')} and {number_of(len(pictures), 'chart')}"
        out.print(f"\n{named} written to {output}: {', '.join(pictures)}")
    line = _command(context, plan, 0)
    out.print(f"\nTo play a game of a point, with every turn, add --open POINT; point 0 is:\n   {line}", soft_wrap=True)


def _planned(context: typer.Context) -> SweepPlan:
    """What the options say, every point of it checked."""
    given, game = context.params, game_of(context)
    opt.load_players(given["players"])
    entries = strategies_chosen(game, given["include"] or [], given["exclude"] or [])
    settings = rule_settings(context)
    for text in given["vary"] or []:
        if (name := text.partition("=")[0].strip().replace("-", "_")) in settings:
            raise InputError(f"{name} is varied; leave out --{name.replace('_', '-')}")
    return plan_of(
        given["vary"] or [],
        games=given["games"],
        seed=_seed(context),
        players=entries if given["include"] else usual_table(game, entries),
        game=game,
        rules=make_rules(game, settings),
        design=given["design"].value,
        points=given["points"],
        backend=None if given["backend"] is None else given["backend"].value,
        measures=given["measure"] or [],
    )


def _seed(context: typer.Context) -> int:
    """As given; else that of the sweep which the folder holds; else one drawn now."""
    given = context.params
    if given["seed"] is None and given["output"] is not None and given["open_"] is None:
        there = settings_in(given["output"])
        if there is not None:
            return int(there["seed"])
    return seed_or_random(given["seed"])


def _open(context: typer.Context, plan: SweepPlan) -> None:
    """Play one game of a point, to the last bit the one of the sweep."""
    point, number, output, store = (context.params[name] for name in ("open_", "number", "output", "store"))
    if not 0 <= number < plan.games:
        raise InputError(f"there is no game {number}; a point has games 0 to {plan.games - 1}")
    if output is not None:
        check_writable(output)
    here, line = plan.point(point), _command(context, plan, point, number)
    match = play(here.table, game=plan.game, rules=here.rules, seed=plan.seed, number=number)
    if output is not None:
        write_record(output, record_of(match))
    kept = None if store is None else _kept(plan, here, match, number, store)
    if context.params["json"]:
        print_json({**game_document(match, events=True), "command": line, "kept": kept})
        return
    print_story(match.game, match.rules, match.events, match.names)
    out.print()
    out.print(game_sheet(match))
    if kept is not None:
        out.print(f"\n{kept_line(kept, store)}", soft_wrap=True)
    out.print(f"\nThe same by itself:\n   {line}", soft_wrap=True)


def _command(context: typer.Context, plan: SweepPlan, point: int, number: int = 0) -> str:
    """The line that plays a game of a point by itself, with every turn, and with the files that it needs."""
    words = [*plan.command(point), *files_as_options(context)]
    if number == 0:
        return shlex.join(["ostrom", "run", *words, "-v"])
    inner = shlex.join([*words, "--games", str(plan.games)])
    return shlex.join(["ostrom", "run", "--from-tournament", inner, "--number", str(number), "-v"])


def _kept(plan: SweepPlan, point: Point, match: Match, number: int, store: str) -> str:
    """The experiment of a journal that now has the game."""
    said = ", ".join(f"{one.name} {spelled(value)}" for one, value in zip(plan.factors, point.values, strict=True))
    settings = {name: value for name, value in as_settings(plan).items() if name != "points"}
    with open_journal(store, create=True) as journal:
        name = f"point {point.number}: {said}"
        kept = journal.new_experiment(name, kind=SIMULATION, settings={SIMULATION: settings}, planned=1)
        keep(journal, kept, match, f"point {point.number}, game {number}")
    return kept


_MOST_ROWS = 40
"""Points that a terminal lists one by one."""


def _show(findings: Findings) -> None:
    result = findings.result
    out.print(_points(findings) if len(result.plan.values) <= _MOST_ROWS else _extremes(findings))
    found = findings.crossings()
    if found is not None and findings.condition is not None:
        out.print()
        out.print(_crossed(found, findings))
    for measure in findings.measures if len(result.factors) > 1 else ():
        out.print()
        reason = why_none(result, measure)
        out.print(f"no indices of {measure}: {reason}" if reason else _indices(result, measure))


def _title(result: SweepResult) -> str:
    plan = result.plan
    sizes = (
        " × ".join(str(len(factor.levels)) for factor in plan.factors) if plan.design == "factorial" else plan.design
    )
    points = (
        f"{number_of(len(plan.values), 'point')} ({sizes})" if len(plan.factors) > 1 else f"{len(plan.values)} points"
    )
    return f"{result.game.title}, sweep · seed {plan.seed} · {points} · {number_of(plan.games, 'game')} each"


def _points(findings: Findings) -> Sheet:
    """Every point with its measures."""
    result = findings.result
    columns: dict[Column, Callable[[int], str]] = {Column("point", number=True): str}
    for place, factor in enumerate(result.factors):
        columns[Column(factor.name, number=factor.numeric)] = lambda point, place=place: spelled(  # type: ignore[misc]
            result.plan.values[point][place]
        )
    for place, measure in enumerate(findings.measures):
        found = result.estimates(measure)
        value, reach = Column(measure, number=True, spare=2 * place), Column("95 %", number=True, spare=2 * place + 1)
        columns[value] = lambda point, found=found: _value(found[point])  # type: ignore[misc]
        columns[reach] = lambda point, found=found: _range(found[point])  # type: ignore[misc]
    return Sheet.of(_title(result), range(len(result.plan.values)), columns, caption=_speed(findings))


def _extremes(findings: Findings) -> Sheet:
    """The points at which each measure is lowest and highest."""
    result, rows = findings.result, []
    for measure in findings.measures:
        found = [(one.value, point) for point, one in enumerate(result.estimates(measure)) if one.value is not None]
        rows += [(word, measure, point) for word, (_, point) in (("lowest", min(found)), ("highest", max(found)))]
    columns: dict[Column, Callable[[tuple[str, str, int]], str]] = {
        Column(""): lambda row: row[0],
        Column("measure"): lambda row: row[1],
        Column("value", number=True): lambda row: _value(result.estimates(row[1])[row[2]]),
        Column("95 %", number=True): lambda row: _range(result.estimates(row[1])[row[2]]),
        Column("point", number=True): lambda row: str(row[2]),
    }
    for place, factor in enumerate(result.factors):
        columns[Column(factor.name, number=factor.numeric)] = lambda row, place=place: spelled(  # type: ignore[misc]
            result.plan.values[row[2]][place]
        )
    return Sheet.of(_title(result), rows, columns, caption=_speed(findings))


def _crossed(found: pl.DataFrame, findings: Findings) -> Sheet:
    """Where the boundary lies, for each combination of the other factors."""
    others = [name for name in found.columns if name not in ("at", "low", "high", "rises", "reason")]
    along = next(factor.name for factor in findings.result.factors if factor.name not in others)
    columns = [
        *(Column(name, number=found.schema[name].is_numeric()) for name in others),
        Column(f"{along} where {findings.condition}", number=True),
        Column("95 %", number=True),
        Column("there it"),
    ]
    rows = [
        [
            *(spelled(row[name]) for name in others),
            f"{row['at']:.4g}",
            f"{_end(row['low'])}–{_end(row['high'])}",
            "rises" if row["rises"] else "falls",
        ]
        for row in found.iter_rows(named=True)
    ]
    nowhere = "" if rows else f"{findings.condition} is crossed nowhere along {along}"
    return Sheet("The boundary", columns, rows, caption=nowhere)


def _end(end: float | None) -> str:
    return "…" if end is None else f"{end:.4g}"


def _indices(result: SweepResult, measure: str) -> Sheet:
    named = {"first": "by itself", "total": "with its interactions", "interaction": "together"}
    columns = [
        Column("factor"),
        Column("part"),
        Column("share of the variance", number=True),
        Column("95 %", number=True),
    ]
    rows = [
        [row["factor"], named[row["kind"]], f"{100 * row['value']:.1f} %", _percents(row["low"], row["high"])]
        for row in indices(result, measure).iter_rows(named=True)
    ]
    return Sheet(f"What {measure} depends on (Sobol indices)", columns, rows)


def _percents(low: float | None, high: float | None) -> str:
    return "–" if low is None or high is None else f"{100 * low:.1f}–{100 * high:.1f}"


def _value(estimate: Estimate) -> str:
    return "–" if estimate.value is None else _figure(estimate.value)


def _range(estimate: Estimate) -> str:
    return "–" if estimate.low is None or estimate.high is None else f"{_figure(estimate.low)}–{_figure(estimate.high)}"


def _figure(value: float) -> str:
    return f"{value:z,.0f}" if abs(value) >= 1000 else f"{value:z.3f}" if abs(value) < 10 else f"{value:z.1f}"


def _speed(findings: Findings) -> str:
    result = findings.result
    why = {
        measure: next((one.reason for one in result.estimates(measure) if one.value is not None and one.reason), None)
        for measure in findings.measures
    }
    refused = "".join(f"{measure}: {reason}.\n" for measure, reason in why.items() if reason)
    return (
        "Intervals hold the chance within games; game k has the same draws at every point.\n"
        f"{refused}{number_of(result.played, 'game')} in {result.seconds:.1f} s, {result.plan.backend}"
    )
