"""`ostrom.power`: how many games, and dollars, a finding takes, by simulation from the games of a pilot; for the
command and for the library."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from numbers import Integral, Real
from typing import Any, Final

import numpy as np

from ostrom.analysis.comparison import TOGETHER
from ostrom.analysis.contrasts import Parts, contrast, of_players, parts_of, players_of
from ostrom.analysis.measures import Measure
from ostrom.analysis.selection import Selection, select_tables
from ostrom.analysis.study import study_of
from ostrom.analysis.tables import GameTables, pooled
from ostrom.core import InputError
from ostrom.core.errors import field
from ostrom.core.estimates import Estimate, proportion
from ostrom.core.listing import Shown
from ostrom.findings import power as planning
from ostrom.findings.power import ExperimentsDiffer, Goal, NarrowInterval, Planned, PlayersDiffer, moved
from ostrom.journal.open import open_journal
from ostrom.journal.sql import Journal
from ostrom.library.playing import AnyPath, store_text
from ostrom.library.results import Results

FEWEST_REPETITIONS: Final = 100
MOST_REPETITIONS: Final = 100_000
"""Experiments that are simulated: with fewer the chance is too coarse, and more tell nothing that shows."""


@dataclass(frozen=True, repr=False)
class Power(Shown):
    """How many games a finding takes."""

    measure: str
    games: int
    """In each experiment."""
    low: int
    high: int
    """As pilots of this size vary."""
    chance: Estimate
    """With which it is then found."""
    experiments: int
    """How many experiments are to be played."""
    dollars: Estimate
    tokens: Estimate

    def _title(self) -> str:
        return f"Power for {self.measure}: {self.games:,} games ({self.low:,} to {self.high:,})"

    def _rows(self) -> list[dict[str, Any]]:
        return [
            {
                "games": self.games,
                "games_low": self.low,
                "games_high": self.high,
                "experiments": self.experiments,
                "chance": self.chance,
                "dollars": self.dollars,
                "tokens": self.tokens,
            }
        ]


def power(
    pilot: str | Results | Sequence[str | Results] | None = None,
    *,
    measure: str = "mean_final",
    difference: float | None = None,
    between: tuple[str, str] | None = None,
    width: float | None = None,
    players: Sequence[str] = (),
    chance: float = planning.POWER,
    games: int | None = None,
    repetitions: int = planning.REPETITIONS,
    game: str | None = None,
    store: AnyPath | None = None,
) -> Power:
    """Plan how many games a finding takes, from the games of a pilot: an experiment, by its name or as `bench` gave it,
    or two of them, whose difference is planned for; of what `where` gave, the games that it chose. What is to be found
    is a `difference` in a measure, `between` two players or of two experiments, or intervals narrower than a `width`.
    With `games` it is the chance to find it in that many."""
    where, chosen = _pilots(pilot, store_text(store))
    if game is not None:
        chosen = [one.changed(game=game) for one in chosen]
    compare = (str(chosen[0].experiment), str(chosen[1].experiment)) if len(chosen) == 2 else None
    check_power(difference, between, compare, width, players, None, chance, games)
    if not (_is_whole(repetitions) and FEWEST_REPETITIONS <= repetitions <= MOST_REPETITIONS):
        most = f"{FEWEST_REPETITIONS} to {MOST_REPETITIONS:,}"
        raise InputError(f"{field('repetitions')} must be a whole number from {most}, got {repetitions!r}")
    with open_journal(where) as journal:
        pilots = [select_tables(journal, one, lambda line: None)[0] for one in chosen]
        spent = spent_of(journal, pilots)
    found = study_of(pilots[0]).measures[measure]
    goal, parts = goal_of(pilots, found, difference, between, compare, width, players)
    planned = planned_games(goal, parts, chance, games, repetitions)
    total = planned.games * goal.arms
    figures = (planned.games, planned.low, planned.high, planned.chance, goal.arms)
    return Power(measure, *figures, spent.dollars(total), spent.tokens(total))


def _pilots(
    pilot: str | Results | Sequence[str | Results] | None, store: str | None
) -> tuple[str | None, list[Selection]]:
    """The journal that the pilots lie in, and which of its games each of them is."""
    several = [pilot] if pilot is None or isinstance(pilot, str | Results) else list(pilot)
    if not 1 <= len(several) <= 2:
        raise InputError(f"a pilot is one experiment, or two whose difference is planned for; got {len(several)}")
    stores = {one.store for one in several if isinstance(one, Results)}
    if stores and store is not None:
        raise InputError(f"the pilot has its journal; leave out {field('store')}")
    if len(stores) > 1 or (stores and any(not isinstance(one, Results) for one in several)):
        raise InputError("two pilots must be of one journal: give both as experiments of it, or both by name")
    chosen = [one.selection if isinstance(one, Results) else Selection.select(one) for one in several]
    return next(iter(stores), store), chosen


def planned_games(
    goal: Goal, parts: Sequence[Parts], chance: float, games: int | None, repetitions: int, **how: Any
) -> Planned:
    """Return how many games are needed, or the chance with a given number."""
    if games is None:
        return planning.plan_games(goal, parts, power=chance, repetitions=repetitions, **how)
    share = planning.chance_at(goal, parts, games, repetitions)
    return Planned(games, games, games, proportion(share, repetitions), repetitions)


def check_power(
    difference: float | None,
    between: object,
    compare: object,
    width: float | None,
    player: Sequence[str] | None,
    experiment: str | None,
    chance: float,
    games: int | None,
) -> None:
    """Refuse what cannot be planned for."""
    if (difference is None) == (width is None):
        raise InputError(
            f"say what is to be found: {field('difference')} with {field('between')} or {field('compare')}, or "
            f"{field('width')}"
        )
    if difference is not None and (between is None) == (compare is None):
        raise InputError(
            f"{field('difference')} needs two players, {field('between')}, or two experiments, {field('compare')}"
        )
    if width is not None and (between is not None or compare is not None):
        raise InputError(
            f"{field('width')} is of one measure's interval; {field('between')} and {field('compare')} need "
            f"{field('difference')}"
        )
    if between is not None and player:
        raise InputError(f"{field('between')} names its players; leave out {field('player')}")
    if compare is not None and player and len(player) > 1:
        raise InputError(f"{field('compare')} needs one {field('player')}, or none for all together")
    if compare is not None and experiment is not None:
        raise InputError(f"{field('compare')} names its own two experiments; leave out {field('experiment')}")
    for name, number in (("difference", difference), ("width", width)):
        if number is not None and not (isinstance(number, Real) and math.isfinite(number)):
            raise InputError(f"{field(name)} must be a finite number, got {number!r}")
    if difference == 0 or (width is not None and width <= 0):
        raise InputError("a difference of 0 cannot be told, nor an interval be narrower than 0")
    if not 0.5 <= chance <= 0.99:
        raise InputError(f"{field('power')} must be between 0.5 and 0.99, got {chance:g}")
    if games is not None and not (_is_whole(games) and planning.LEAST <= games <= planning.MOST):
        raise InputError(
            f"{field('games')} must be a whole number from {planning.LEAST} to {planning.MOST:,}, got {games!r}"
        )


def _is_whole(number: object) -> bool:
    return isinstance(number, Integral) and not isinstance(number, bool)


def goal_of(
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
            raise InputError(f"{field('between')} needs two players; {one} is named twice")
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
        """Return what this many games cost."""
        if not any(self._tokens):
            return Estimate(None, reason="no model was asked in the pilot")
        if any(cost is None for cost in self._costs):
            return Estimate(None, reason="a model of the pilot has no price")
        return planning.costs_of(np.asarray(self._costs, dtype=np.float64), games)

    def tokens(self, games: int) -> Estimate:
        """Return how many tokens this many games need."""
        if not any(self._tokens):
            return Estimate(None, reason="no model was asked in the pilot")
        return planning.costs_of(np.asarray(self._tokens, dtype=np.float64), games)


def spent_of(journal: Journal, pilots: Sequence[GameTables]) -> Spent:
    """What the games of the pilots used up."""
    ids = list(dict.fromkeys(game for tables in pilots for game in tables.games["game"]))
    known = journal.spending_by_game()
    found = [known.get(id_) for id_ in ids]
    return Spent(
        [0.0 if one is None else one.cost for one in found], [0 if one is None else one.tokens for one in found]
    )
