"""`ostrom power`: how many games, and dollars, a finding takes, by simulation from the games of a pilot."""

from collections.abc import Sequence
from typing import Annotated, Any

import typer

from ostrom.analysis.measures import Measure
from ostrom.analysis.study import study_of
from ostrom.analysis.tables import GameTables
from ostrom.cli.chosen import OneGame, WithoutDefaulted, chosen_by, tables_of_store
from ostrom.core.estimates import Estimate
from ostrom.core.text import number_of
from ostrom.findings import power as planning
from ostrom.findings.power import Goal, Planned
from ostrom.journal.open import open_journal
from ostrom.library.planning import Spent, check_power, goal_of, planned_games, spent_of
from ostrom.terminal import options as opt
from ostrom.terminal.progress import games_bar
from ostrom.terminal.sheets import Column, Sheet, out, print_json

Between = Annotated[tuple[str, str] | None, typer.Option(metavar="A B", help="The two players whose difference it is.")]
Compare = Annotated[
    tuple[str, str] | None,
    typer.Option(metavar="A B", help="The two experiments whose difference it is; the pilot may be both."),
]


def power(
    game: OneGame = None,
    measure: Annotated[str, typer.Option(metavar="MEASURE", help="The measure, by name.")] = "mean_final",
    difference: Annotated[
        float | None, typer.Option(help="Plan to tell a difference of this size, in the unit of the measure.")
    ] = None,
    between: Between = None,
    compare: Compare = None,
    width: Annotated[float | None, typer.Option(help="Plan for intervals narrower than this.")] = None,
    player: Annotated[
        list[str] | None, typer.Option(metavar="NAME", help="Whose measure; all of them if omitted; repeatable.")
    ] = None,
    chance: Annotated[
        float, typer.Option("--power", help="The chance with which it is to be found, between 0.5 and 0.99.")
    ] = planning.POWER,
    games: Annotated[
        int | None, typer.Option(help="Give the chance with this many games, in place of a number.")
    ] = None,
    repetitions: Annotated[
        int, typer.Option(min=100, max=100_000, help="How often an experiment is simulated.")
    ] = planning.REPETITIONS,
    experiment: opt.Experiment = None,
    without_defaulted: WithoutDefaulted = None,
    store: opt.Store = None,
    json: opt.Json = False,
) -> None:
    """Plan how many games a finding takes, from the games of a pilot."""
    check_power(difference, between, compare, width, player, experiment, chance, games)
    names: Sequence[str | None] = compare or (experiment,)
    pilots = [tables_of_store(store, chosen_by(name, game, without_defaulted))[0] for name in names]
    found = study_of(pilots[0]).measures[measure]
    goal, parts = goal_of(pilots, found, difference, between, compare, width, player or [])
    with open_journal(store) as journal:
        spent = spent_of(journal, pilots)
    with games_bar("simulations", None, "sizes") as advance:
        how: dict[str, Any] = {} if games is not None else {"progress": advance}
        planned = planned_games(goal, parts, chance, games, repetitions, **how)
    wanted = _wanted(found, difference, between, compare, width, player)
    if json:
        print_json({"power": _document(goal, planned, wanted, spent, pilots, chance if games is None else None)})
        return
    out.print(_sheet(goal, planned, wanted, spent, pilots, chance if games is None else None))


def _wanted(
    measure: Measure[Any],
    difference: float | None,
    between: tuple[str, str] | None,
    compare: tuple[str, str] | None,
    width: float | None,
    players: Sequence[str] | None,
) -> dict[str, Any]:
    named: Sequence[str] = between or players or []
    return {
        "measure": measure.name,
        **({"difference": difference} if difference is not None else {"width": width}),
        **({"players": list(named)} if named else {}),
        **({"experiments": list(compare)} if compare is not None else {}),
    }


def _document(
    goal: Goal,
    planned: Planned,
    wanted: dict[str, Any],
    spent: Spent,
    pilots: Sequence[GameTables],
    chance: float | None,
) -> dict[str, Any]:
    total = planned.games * goal.arms
    return {
        **wanted,
        "power": chance,
        "games": {"value": planned.games, "low": planned.low, "high": planned.high},
        "experiments_to_play": goal.arms,
        "chance": planned.chance.as_record(),
        "repetitions": planned.repetitions,
        "dollars": spent.dollars(total).as_record(),
        "tokens": spent.tokens(total).as_record(),
        "pilot_games": [tables.games.height for tables in pilots],
    }


def _sheet(
    goal: Goal,
    planned: Planned,
    wanted: dict[str, Any],
    spent: Spent,
    pilots: Sequence[GameTables],
    asked: float | None,
) -> Sheet:
    """What is planned, for the chance that was asked for, or of the number of games that was given."""
    total = planned.games * goal.arms
    each = " in each experiment" if goal.arms > 1 else ""
    span = "" if asked is None else f" ({planned.low:,} to {planned.high:,})"
    aim = "" if asked is None else f", {100 * asked:g} % asked for"
    low, high = planned.chance.low or 0.0, planned.chance.high or 1.0
    rows = [
        ["games", f"{planned.games:,}{span}{each}"],
        ["chance", f"{100 * (planned.chance.value or 0):.1f} % ({100 * low:.1f} to {100 * high:.1f}){aim}"],
        ["dollars", _said(spent.dollars(total), "$", 2)],
        ["tokens", _said(spent.tokens(total), "", 0)],
        ["pilot", " and ".join(number_of(tables.games.height, "game") for tables in pilots)],
    ]
    if "difference" in wanted:
        whose = " − ".join(wanted.get("experiments", wanted.get("players", []))[:: -1 if goal.arms > 1 else 1])
        title = f"a difference of {wanted['difference']:g} in {wanted['measure']}: {whose}"
    else:
        title = f"intervals of {wanted['measure']} narrower than {wanted['width']:g}"
    return Sheet(
        title,
        [Column("what"), Column("how much", wraps=True)],
        rows,
        caption=f"From {planned.repetitions:,} experiments drawn from the pilot's games and analysed as ratings and "
        "reports are. Ranges at 95 %: of games as pilots of this size vary, of the chance as the simulation does.",
    )


def _said(found: Estimate, sign: str, decimals: int) -> str:
    if found.value is None:
        return f"– ({found.reason})"
    span = "" if found.low is None else f" ({sign}{found.low:z,.{decimals}f} to {sign}{found.high:z,.{decimals}f})"
    return f"{sign}{found.value:z,.{decimals}f}{span}"
