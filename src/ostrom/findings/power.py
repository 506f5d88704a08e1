"""The verb `power`: by simulation from the games of a pilot, it finds the number of games that a finding needs, and
their cost in dollars."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated, Any

from pydantic import Field

from ostrom.analysis.comparison import TOGETHER
from ostrom.analysis.contrasts import Parts, contrast, of_players, parts_of, players_of
from ostrom.analysis.measures import ALL_GAMES, GAME
from ostrom.analysis.planning import (
    MAX_GAMES,
    MIN_GAMES,
    POWER,
    REPETITIONS,
    ExperimentsDiffer,
    GamePlan,
    Goal,
    NarrowInterval,
    PlayersDiffer,
    chance_at,
    plan_games,
    shift_parts,
    total_of,
)
from ostrom.analysis.selection import JournalSettings, Selection, select_tables
from ostrom.analysis.study import study_of
from ostrom.analysis.tables import GameTables, pooled
from ostrom.core.errors import InputError, field
from ostrom.core.estimates import Estimate, proportion
from ostrom.core.finding import MISSING, Column, Finding, Table, number
from ostrom.core.settings import Display, Relation, excludes
from ostrom.core.text import number_of
from ostrom.core.verb import SILENT, Reporter, verb
from ostrom.journal.open import open_journal
from ostrom.journal.sql import Journal


def _needs_goal(given: frozenset[str], settings: "PowerSettings") -> str | None:
    if settings.difference is None and settings.width is None:
        return (
            f"nothing to plan for: give {field('difference')} with {field('between')} or {field('compare')}, or "
            f"{field('width')}"
        )
    if settings.difference is not None and settings.between is None and settings.compare is None:
        return f"{field('difference')} needs two players, {field('between')}, or two experiments, {field('compare')}"
    if settings.difference == 0:
        return f"{field('difference')} must not be 0"
    if settings.compare is not None and len(settings.player) > 1:
        return f"{field('compare')} needs one {field('player')}, or none for all together"
    if settings.between is not None and settings.between[0] == settings.between[1]:
        return f"{field('between')} needs two players; {settings.between[0]} is named twice"
    return None


def _needs_difference(name: str) -> Relation:
    def check(given: frozenset[str], settings: "PowerSettings") -> str | None:
        wrong = settings.width is not None and name in given
        return f"{field(name)} needs {field('difference')}, and not {field('width')}" if wrong else None

    return check


class PowerSettings(JournalSettings):
    """Settings of the verb `power`."""

    measure: Annotated[str, Display("MEASURE")] = Field("mean_final", description="The measure, by name.")
    difference: float | None = Field(
        None, allow_inf_nan=False, description="Plan to detect a difference of this size, in the unit of the measure."
    )
    between: Annotated[tuple[str, str] | None, Display("A B")] = Field(
        None, description="The two players that are compared."
    )
    compare: Annotated[tuple[str, str] | None, Display("A B")] = Field(
        None, description="The two experiments that are compared; both may be the pilot."
    )
    width: float | None = Field(None, gt=0, allow_inf_nan=False, description="Plan for intervals narrower than this.")
    player: Annotated[tuple[str, ...], Display("NAME")] = Field(
        (), description="The player whose measure is planned for; repeatable. By default, all players."
    )
    power: float = Field(
        POWER,
        ge=0.5,
        le=0.99,
        description="The power: the probability that an experiment detects the difference, or that its interval is "
        "narrower than the width.",
    )
    games: int | None = Field(
        None,
        ge=MIN_GAMES,
        le=MAX_GAMES,
        description="Compute the power of this number of games, instead of the number of games for a power.",
    )
    repetitions: int = Field(REPETITIONS, ge=100, le=100_000, description="The number of simulated experiments.")
    relations = (
        excludes("difference", "width"),
        _needs_difference("between"),
        _needs_difference("compare"),
        excludes("between", "compare"),
        excludes("between", "player"),
        excludes("compare", "experiment"),
        _needs_goal,
    )

    @property
    def selections(self) -> list[Selection]:
        """The selected games of each pilot. Raises InputError if a selection is invalid."""
        if self.compare is None:
            return [self.selection]
        return [self.selection.changed(experiments=(name,)) for name in self.compare]


@verb("power", keeps=False)
def power(store: str | None, settings: PowerSettings, reporter: Reporter = SILENT) -> Finding:
    """Plan the number of games that a finding needs, from the games of a pilot."""
    with open_journal(store) as journal:
        return plan_from(journal, settings.selections, settings, reporter)


@dataclass(frozen=True)
class PowerPlan(GamePlan):
    """The number of games that a finding needs, and their cost."""

    measure: str
    experiments: int
    """The number of experiments to play."""
    dollars: Estimate
    tokens: Estimate


def plan_from(
    journal: Journal, selections: Sequence[Selection], settings: PowerSettings, reporter: Reporter = SILENT
) -> Finding:
    """Return the plan that follows from these games of a journal. The games are those of one pilot or, for a plan about
    a difference between experiments, of two pilots. Raises InputError if a pilot is too small to estimate how much the
    measure varies, or if more than MAX_GAMES are needed."""
    pilots = [select_tables(journal, selection, reporter.note, reporter.spell)[0] for selection in selections]
    goal, parts = _goal(pilots, settings)
    if settings.games is not None:
        games, repetitions = settings.games, settings.repetitions
        chance = proportion(chance_at(goal, parts, games, repetitions), repetitions)
        plan = GamePlan(games, games, games, chance, repetitions)
    else:
        with reporter.bar("simulations", None, "sizes") as advance:
            plan = plan_games(goal, parts, power=settings.power, repetitions=settings.repetitions, progress=advance)
    dollars, tokens = _costs(journal, pilots, plan.games * goal.arms)
    result = PowerPlan(**vars(plan), measure=settings.measure, experiments=goal.arms, dollars=dollars, tokens=tokens)
    return _describe(result, settings, [tables.games.height for tables in pilots])


def _goal(pilots: Sequence[GameTables], settings: PowerSettings) -> tuple[Goal, list[Parts]]:
    """Return the goal, and for each pilot the parts of the measure, from which values are resampled. The parts are
    shifted so that the difference between players or experiments has the planned size."""
    measure = study_of(pilots[0]).measures[settings.measure]
    difference = settings.difference
    if settings.compare is not None and difference is not None:
        player = settings.player[0] if settings.player else ALL_GAMES if measure.by == GAME else TOGETHER
        tables = pilots if settings.player else [pooled(pilot) for pilot in pilots]
        first, second = (of_players(parts_of(measure, pilot), [player]) for pilot in tables)
        current = _value_of(second, player) - _value_of(first, player)
        return ExperimentsDiffer(difference, player), [first, shift_parts(second, difference - current)]
    parts = parts_of(measure, pilots[0])
    if settings.between is not None and difference is not None:
        player, other = settings.between
        value = contrast(parts, player, other).value
        assert value is not None
        return PlayersDiffer(difference, player, other), [shift_parts(parts, difference - value, player)]
    assert settings.width is not None
    known = players_of(parts)
    for player in settings.player:
        if player not in known:
            raise InputError(f"there is no player {player} in the pilot; its players are {', '.join(known)}")
    return NarrowInterval(settings.width, settings.player or known), [parts]


def _value_of(parts: Parts, player: str) -> float:
    resampled = parts.resampled()
    if resampled.keys["player"].to_list() != [player]:
        raise InputError(f"the player {player} is not in both experiments")
    return float(resampled.value[0])


def _costs(journal: Journal, pilots: Sequence[GameTables], games: int) -> tuple[Estimate, Estimate]:
    """Return the dollars and the tokens that this number of games costs, estimated from the games of the pilots."""
    spending = journal.spending_by_game()
    ids = dict.fromkeys(game for tables in pilots for game in tables.games["game"])
    tokens = [spending[game].tokens if game in spending else 0 for game in ids]
    costs = [spending[game].cost if game in spending else 0.0 for game in ids]
    if not any(tokens):
        none = Estimate(None, reason="no model was asked in the pilot")
        return none, none
    known = [cost for cost in costs if cost is not None]
    priced = len(known) == len(costs)
    dollars = total_of(known, games) if priced else Estimate(None, reason="a model of the pilot has no price")
    return dollars, total_of(tokens, games)


def _describe(plan: PowerPlan, settings: PowerSettings, pilot_games: Sequence[int]) -> Finding:
    players = settings.between or settings.player
    facts = {
        "measure": plan.measure,
        **({"width": settings.width} if settings.difference is None else {"difference": settings.difference}),
        **({"players": list(players)} if players else {}),
        **({"experiments": list(settings.compare)} if settings.compare is not None else {}),
        "power": settings.power if settings.games is None else None,
        "games": {"value": plan.games, "low": plan.low, "high": plan.high},
        "experiments_to_play": plan.experiments,
        "chance": plan.chance.as_record(),
        "repetitions": plan.repetitions,
        "dollars": plan.dollars.as_record(),
        "tokens": plan.tokens.as_record(),
        "pilot_games": list(pilot_games),
    }
    return Finding(
        verb="power",
        title=f"Power for {plan.measure}",
        facts=facts,
        parts=[_plan_table(plan), _plan_for_people(plan, facts, settings)],
        root="power",
        result=plan,
    )


def _plan_table(plan: PowerPlan) -> Table:
    row = {
        "games": plan.games,
        "games_low": plan.low,
        "games_high": plan.high,
        "experiments": plan.experiments,
        "chance": plan.chance,
        "dollars": plan.dollars,
        "tokens": plan.tokens,
    }
    title = f"Power for {plan.measure}: {plan.games:,} games ({plan.low:,} to {plan.high:,})"
    return Table("plan", [number(name) for name in row], [row], title=title, in_json=False, on_terminal=False)


def _plan_for_people(plan: PowerPlan, facts: Mapping[str, Any], settings: PowerSettings) -> Table:
    planned = settings.games is None
    span = f" ({plan.low:,} to {plan.high:,})" if planned else ""
    in_each = " in each experiment" if plan.experiments > 1 else ""
    aim = f", required: {100 * settings.power:g} %" if planned else ""
    value, low, high = (f"{100 * (end or 0):.1f}" for end in plan.chance)
    cells = {
        "games": f"{plan.games:,}{span}{in_each}",
        "chance": f"{value} % ({low} to {high}){aim}",
        "dollars": _text(plan.dollars, "$", 2),
        "tokens": _text(plan.tokens, "", 0),
        "pilot": " and ".join(number_of(games, "game") for games in facts["pilot_games"]),
    }
    return Table(
        "plan_for_people",
        [Column("what", "what"), Column("amount", "how much", wraps=True)],
        [{"what": name, "amount": text} for name, text in cells.items()],
        title=_heading(settings),
        caption=f"Computed from {plan.repetitions:,} experiments, which were drawn from the pilot's games and "
        "analysed as in ratings and reports. Ranges have 95 % confidence: the range of the games shows how "
        "much the result varies between pilots of this size, and that of the chance shows the simulation error.",
        in_json=False,
        in_journal=False,
    )


def _heading(settings: PowerSettings) -> str:
    if settings.difference is None:
        return f"intervals of {settings.measure} narrower than {settings.width:g}"
    # The difference between two experiments is the second minus the first.
    sides = settings.between if settings.compare is None else settings.compare[::-1]
    return f"a difference of {settings.difference:g} in {settings.measure}: {' − '.join(sides or ())}"


def _text(estimate: Estimate, sign: str, places: int) -> str:
    if estimate.value is None:
        return f"{MISSING} ({estimate.reason})"
    if estimate.low is None:
        return f"{sign}{estimate.value:z,.{places}f}"
    low, high = f"{estimate.low:z,.{places}f}", f"{estimate.high:z,.{places}f}"
    return f"{sign}{estimate.value:z,.{places}f} ({sign}{low} to {sign}{high})"
