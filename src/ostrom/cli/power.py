"""`ostrom power`: how many games, and dollars, a finding takes, by simulation from the games of a pilot."""

from collections.abc import Sequence
from typing import Annotated, Any

import numpy as np
import typer

from ostrom.analysis.comparison import TOGETHER
from ostrom.analysis.contrasts import Parts, contrast, of_players, parts_of, players_of
from ostrom.analysis.measures import Measure
from ostrom.analysis.study import study_of
from ostrom.analysis.tables import GameTables, pooled
from ostrom.cli.chosen import Chosen, OneGame, WithoutDefaulted, tables_of_store
from ostrom.core import InputError
from ostrom.core.estimates import Estimate, proportion
from ostrom.core.text import number_of
from ostrom.experiment import options as opt
from ostrom.experiment import power as planning
from ostrom.experiment.options import open_journal
from ostrom.experiment.power import ExperimentsDiffer, Goal, NarrowInterval, Planned, PlayersDiffer, moved
from ostrom.experiment.terminal import Column, Sheet, games_bar, out, print_json

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
    games: Annotated[int | None, typer.Option(help="Give the chance with so many games, in place of a number.")] = None,
    repetitions: Annotated[
        int, typer.Option(min=100, max=100_000, help="How often an experiment is simulated.")
    ] = planning.REPETITIONS,
    experiment: opt.Experiment = None,
    without_defaulted: WithoutDefaulted = None,
    store: opt.Store = None,
    json: opt.Json = False,
) -> None:
    """Plan how many games a finding takes, from the games of a pilot."""
    _check(difference, between, compare, width, player, experiment, chance, games)
    names: Sequence[str | None] = compare or (experiment,)
    pilots = [tables_of_store(store, Chosen(name, game, without_defaulted, None, None))[0] for name in names]
    found = study_of(pilots[0]).measures[measure]
    goal, parts = _goal(pilots, found, difference, between, compare, width, player or [])
    spent = _spent(store, pilots)
    if games is not None:
        share = planning.chance_at(goal, parts, games, repetitions)
        planned = Planned(games, games, games, proportion(share, repetitions), repetitions)
    else:
        with games_bar("simulations", None, "sizes") as advance:
            planned = planning.plan_games(goal, parts, power=chance, repetitions=repetitions, progress=advance)
    wanted = _wanted(found, difference, between, compare, width, player)
    if json:
        print_json({"power": _document(goal, planned, wanted, spent, pilots, chance if games is None else None)})
        return
    out.print(_sheet(goal, planned, wanted, spent, pilots, given=games is not None))


def _check(
    difference: float | None,
    between: object,
    compare: object,
    width: float | None,
    player: Sequence[str] | None,
    experiment: str | None,
    chance: float,
    games: int | None,
) -> None:
    if (difference is None) == (width is None):
        raise InputError("say what is to be found: --difference X with --between or --compare, or --width X")
    if difference is not None and (between is None) == (compare is None):
        raise InputError("--difference is between two players, --between A B, or of two experiments, --compare A B")
    if width is not None and (between is not None or compare is not None):
        raise InputError("--width is of one measure's interval; --between and --compare go with --difference")
    if between is not None and player:
        raise InputError("--between names its players; --player beside it would do nothing")
    if compare is not None and player and len(player) > 1:
        raise InputError("--compare takes one --player, or none for all together")
    if compare is not None and experiment is not None:
        raise InputError("--compare names its own two experiments; --experiment beside it would do nothing")
    if difference == 0 or (width is not None and width <= 0):
        raise InputError("a difference of 0 cannot be told, nor an interval be narrower than 0")
    if not 0.5 <= chance <= 0.99:
        raise InputError(f"a power of {chance:g} cannot be planned for; --power must be between 0.5 and 0.99")
    if games is not None and not planning.LEAST <= games <= planning.MOST:
        raise InputError(f"--games must be from {planning.LEAST} to {planning.MOST:,}")


def _goal(
    pilots: Sequence[GameTables],
    measure: Measure[Any],
    difference: float | None,
    between: tuple[str, str] | None,
    compare: tuple[str, str] | None,
    width: float | None,
    players: Sequence[str],
) -> tuple[Goal, list[Parts]]:
    """What is to be found, and the pilot's part of it, in which the difference is the wanted one."""
    if compare is not None and difference is not None:
        whose = players[0] if players else TOGETHER
        first, second = (
            of_players(parts_of(measure, tables if players else pooled(tables)), [whose]) for tables in pilots
        )
        a, b = (float(_only(each, whose)) for each in (first, second))
        return ExperimentsDiffer(difference, whose), [first, moved(second, difference - (b - a))]
    parts = parts_of(measure, pilots[0])
    if between is not None and difference is not None:
        one, other = between
        if one == other:
            raise InputError(f"--between needs two players; {one} is named twice")
        now = contrast(parts, one, other).value
        assert now is not None
        return PlayersDiffer(difference, one, other), [moved(parts, difference - now, one)]
    assert width is not None
    there = players_of(parts)
    for player in players:
        if player not in there:
            raise InputError(f"there is no {player} here; there are {', '.join(there)}")
    whose_all = list(players) or there
    return NarrowInterval(width, whose_all), [parts]


def _only(parts: Parts, player: str) -> float:
    found = parts.resampled()
    if found.keys["player"].to_list() != [player]:
        raise InputError(f"there is no {player} in both experiments")
    return float(found.value[0])


class Spent:
    """What the games of the pilot used up."""

    def __init__(self, costs: Sequence[float | None], tokens: Sequence[int]) -> None:
        self._costs, self._tokens = costs, tokens

    def dollars(self, games: int) -> Estimate:
        """What so many games cost."""
        if not any(self._tokens):
            return Estimate(None, reason="no model was asked in the pilot")
        if any(cost is None for cost in self._costs):
            return Estimate(None, reason="a model of the pilot has no price")
        return planning.costs_of(np.asarray(self._costs, dtype=np.float64), games)

    def tokens(self, games: int) -> Estimate:
        """How many tokens so many games take."""
        if not any(self._tokens):
            return Estimate(None, reason="no model was asked in the pilot")
        return planning.costs_of(np.asarray(self._tokens, dtype=np.float64), games)


def _spent(store: str | None, pilots: Sequence[GameTables]) -> Spent:
    ids = list(dict.fromkeys(game for tables in pilots for game in tables.games["game"]))
    with open_journal(store) as journal:
        known = journal.spending_by_game()
    found = [known.get(id_) for id_ in ids]
    return Spent(
        [0.0 if one is None else one.cost for one in found], [0 if one is None else one.tokens for one in found]
    )


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
    goal: Goal, planned: Planned, wanted: dict[str, Any], spent: Spent, pilots: Sequence[GameTables], *, given: bool
) -> Sheet:
    total = planned.games * goal.arms
    each = " in each experiment" if goal.arms > 1 else ""
    span = "" if given else f" ({planned.low:,} to {planned.high:,})"
    low, high = planned.chance.low or 0.0, planned.chance.high or 1.0
    rows = [
        ["games", f"{planned.games:,}{span}{each}"],
        ["chance", f"{100 * (planned.chance.value or 0):.1f} % ({100 * low:.1f} to {100 * high:.1f})"],
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
    span = "" if found.low is None else f" ({sign}{found.low:,.{decimals}f} to {sign}{found.high:,.{decimals}f})"
    return f"{sign}{found.value:,.{decimals}f}{span}"
