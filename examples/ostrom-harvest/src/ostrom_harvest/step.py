"""Harvest over arrays, for the batch engine: the arithmetic of `turn` between strategies that decide for many games at
once. Messages are left out: no strategy over rows heeds them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from ostrom.core import Question
from ostrom.core.arrays import Array, namespace, total
from ostrom.core.step import ArrayForm, Draws, Field, Moves, OneSeat, Pick, each_array
from ostrom_harvest.play import MONITORING
from ostrom_harvest.rules import HarvestRules
from ostrom_harvest.turn import NO_QUOTA, State, harvest, opening, quota_of, sustainable
from ostrom_harvest.view import HarvestView

QUOTA, HARVEST = "quota", "harvest"
STRATEGY = "strategy/harvest"
"""The purpose of the draws that strategies make."""


@dataclass(frozen=True)
class PoolTable:
    """A batch of games when all seats are asked."""

    rules: HarvestRules
    round: Any
    state: State
    draws: Draws


@dataclass(frozen=True)
class PoolView:
    """The rows of one strategy."""

    table: PoolTable
    pick: Pick

    @cached_property
    def rules(self) -> HarvestRules:
        """The settings of each row's game."""
        return each_array(self.table.rules, self.pick.of_games)

    @property
    def round(self) -> Any:
        """The round, counted from 1."""
        return self.table.round

    @cached_property
    def xp(self) -> Any:
        """The array library."""
        return namespace(self.table.state.stock)

    @property
    def seats(self) -> int:
        """How many seats a table has."""
        seats: int = self.table.state.holdings.shape[0]
        return seats

    @cached_property
    def stock(self) -> Array:
        """What there is to harvest."""
        return self.pick.of_games(self.table.state.stock)

    @cached_property
    def quota(self) -> Array:
        """What each seat may harvest; the whole stock where there is no quota, or a larger one."""
        return self.xp.minimum(self.pick.of_games(self.table.state.quota), self.stock)

    @cached_property
    def fair(self) -> Array:
        """A seat's share of what can be harvested such that the stock grows back."""
        return sustainable(self.stock, self.rules) / self.seats

    @cached_property
    def others(self) -> Array:
        """What the others took last, as a multiple of a fair share; 1 before the first round."""
        state = self.table.state
        took = self.pick.of_games(total(state.harvests)) - self.pick.of_seats(state.harvests)
        due = self.pick.of_games(state.fair) * (self.seats - 1)
        return self.xp.where(due > 0.0, took / self.xp.where(due > 0.0, due, 1.0), 1.0)

    @cached_property
    def offences(self) -> Array:
        """How often this seat was noticed above the quota."""
        return self.pick.of_seats(self.table.state.offences)

    def draw(self, number: int) -> Array:
        """The `number`-th draw of this round, in [0, 1)."""
        return self.table.draws.of_rows(self.pick).uniform(STRATEGY, self.round, self.pick.seat, number)


class HarvestForm(ArrayForm[HarvestRules, State]):
    """Two phases a round: all propose a quota, where the rules have one, and all harvest."""

    arguments = ("rounds", "capacity", "stock", "regrowth", "collapse", "fine", "monitoring")

    def phases(self, rules: HarvestRules) -> Sequence[str]:
        """No vote where the rules have no quota."""
        return (QUOTA, HARVEST) if rules.voting else (HARVEST,)

    def fields(self, rules: HarvestRules, phase: str) -> Sequence[Field]:
        """An amount."""
        return (Field(phase, absent=float("nan") if phase == QUOTA else 0.0),)

    def init(self, rules: HarvestRules, seats: int, like: Array, fields: frozenset[str], draws: Draws) -> State:
        """The full stock, and nobody holds anything."""
        return opening(like, seats, rules)

    def observe(self, rules: HarvestRules, phase: str, turn: Any, state: State, draws: Draws) -> PoolTable:
        """Everything is public."""
        return PoolTable(rules, turn, state, draws)

    def view(self, seen: PoolTable, pick: Pick) -> PoolView:
        """The rows of one strategy."""
        return PoolView(seen, pick)

    def legal(self, rules: HarvestRules, phase: str, state: State) -> Mapping[str, tuple[Array, Array]]:
        """Anything up to the stock."""
        nothing = namespace(state.holdings).zeros_like(state.holdings)
        return {phase: (nothing, nothing + state.stock)}

    def bounds(self, view: PoolView, field: str) -> tuple[Array, Array] | None:
        """As `legal` has it."""
        return 0.0 * view.stock, view.stock

    def features(self, view: PoolView) -> Sequence[Array]:
        """What there is to harvest, what the others took, and how late it is."""
        xp = view.xp
        late = 0.0 * view.stock + view.round / view.rules.rounds
        return view.stock / view.rules.capacity, xp.minimum(view.others / 2.0, 0.0 * late + 1.0), late

    def step(self, rules: HarvestRules, phase: str, turn: Any, state: State, moves: Moves, draws: Draws) -> State:
        """The proposals make a quota; the harvest is shared out, fined, and grows back."""
        if phase == QUOTA:
            return state._replace(quota=quota_of(moves[QUOTA], state.quota, rules))
        watched = None
        certain = isinstance(rules.monitoring, float) and rules.monitoring >= 1.0
        if rules.sanctioning and not certain:
            xp, seats = namespace(state.stock), state.holdings.shape[0]
            watched = xp.stack([draws.uniform(MONITORING, turn, seat) for seat in range(seats)]) < rules.monitoring
        return harvest(state, moves[HARVEST], watched, rules).state

    def done(self, rules: HarvestRules, turn: Any, state: State) -> Array:
        """After the last round, and where the stock has collapsed."""
        return ~state.open | (turn >= rules.rounds)

    def finals(self, rules: HarvestRules, state: State) -> Array:
        """What each seat harvested, less its fines."""
        return state.holdings

    def figures(self, rules: HarvestRules, turn: Any, state: State) -> Mapping[str, Array]:
        """How long the stock lasted, and how often each seat was noticed above the quota."""
        return {"rounds": state.holdings * 0.0 + turn, "offences": state.offences}

    def view_of(self, question: Question[HarvestView], draws: Draws) -> PoolView | None:
        """A table of one game."""
        if question.phase not in (QUOTA, HARVEST):
            return None
        seen = question.view
        state = opening(np.zeros(1), seen.seats, seen.rules)
        if seen.history:
            last = seen.history[-1]
            fair = sustainable(np.asarray([last.stock]), seen.rules) / seen.seats
            state = state._replace(harvests=_column(last.harvests), fair=fair)
        state = state._replace(
            stock=np.asarray([seen.stock]),
            quota=np.asarray([NO_QUOTA if seen.quota is None else seen.quota]),
            holdings=_column(seen.holdings),
            offences=_column(seen.offences),
        )
        return PoolView(PoolTable(seen.rules, seen.round, state, draws), OneSeat(seen.seat))

    def answer_of(self, question: Question[HarvestView], moves: Mapping[str, Any]) -> object:
        """An amount."""
        return float(moves[question.phase])

    def moves_of(self, phase: str, answer: Any) -> Mapping[str, Any]:
        """An abstention is no number."""
        return {phase: float("nan") if answer is None else answer}


STEP = HarvestForm()


def _column(values: Sequence[float]) -> Array:
    return np.asarray(values, dtype=np.float64)[:, None]
