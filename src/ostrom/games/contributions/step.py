"""Voluntary contributions over arrays: its form for the batch engine, and the view of a built-in player. This form has
no messages, since no built-in player reads them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Final, NamedTuple

import numpy as np
from typing_extensions import override

from ostrom.core import Question
from ostrom.core.arrays import Array, namespace, total
from ostrom.core.step import ArrayForm, Draws, Field, Moves, OneSeat, Pick, Picked, each_array
from ostrom.games.contributions.play import CONTRIBUTION, POINTS, ContributionsView, column
from ostrom.games.contributions.points import LEAVE, STAY, points_field
from ostrom.games.contributions.rules import (
    ALL_OR_NOTHING,
    DEDUCT,
    MOST_SEATS,
    REWARD,
    ContributionsRules,
    deduction_cost,
    income_of,
    payoffs_of,
)

DRAWS: Final = "player"
"""The purpose of the draws that players make for their own decisions."""
NO_ROUND: Final = 1e9
"""In place of the last round if players do not know it."""


@dataclass(frozen=True)
class GroupTable:
    """A batch of games before the decisions of a phase. In the contribution phase, `contributions` are those of the
    last round; in the first round, they are 0. In the points phase, they are those of the present round."""

    rules: ContributionsRules
    round: Any
    """The number of the round, counted from 1. Under JAX, it is a traced number."""
    present: Array
    """(seats, games) 1 for a seat that takes part, otherwise 0."""
    took_part: Array
    """(seats, games) 1 for a seat that took part in the round of `contributions`."""
    contributions: Array
    deducted: Array
    """(seats, games) The deduction points that each seat received in the last round. A seat reads its own only."""
    budget: Array
    """(seats, games) The largest amount that each seat may spend on points."""
    draws: Draws


@dataclass(frozen=True)
class GroupView:
    """The view of one player, with one row for each of its seats."""

    table: GroupTable
    pick: Pick

    contribution = Picked("of_seats", "contributions")
    deducted = Picked("of_seats", "deducted")
    budget = Picked("of_seats", "budget")
    _contributions = Picked("of_tables", "contributions")
    _took_part = Picked("of_tables", "took_part")
    _present = Picked("of_tables", "present")

    @cached_property
    def rules(self) -> ContributionsRules:
        """The rules of each row's game."""
        return each_array(self.table.rules, self.pick.of_games)

    @property
    def round(self) -> Any:
        return self.table.round

    @property
    def last_round(self) -> Any:
        """The number of the last round, or a very large number if players do not know it."""
        return self.rules.rounds if self.rules.last_round is not None else NO_ROUND

    @cached_property
    def xp(self) -> Any:
        """The array library."""
        return namespace(self.table.contributions)

    @cached_property
    def others_mean(self) -> Array:
        """The mean contribution of the others that took part."""
        count = total(self._took_part) - self.pick.of_seats(self.table.took_part)
        given = total(self._contributions) - self.contribution
        return self.xp.where(count > 0, given / self.xp.where(count > 0, count, 1.0), 0.0)

    @cached_property
    def contributions(self) -> Array:
        """(seats, rows) The contribution of each seat, as far as the player knows it. If only the sum is shown, it is
        the mean of the others for each of them."""
        if self.rules.show_contributions == "each":
            return self._contributions
        return self._contributions * 0.0 + self.others_mean

    def other_seats(self) -> list[tuple[int, Array]]:
        """Return the number of every seat, with a mask of the rows in which it is another seat that takes part."""
        seat = self.pick.seat
        return [
            (other, (self._present[other] > 0) & (seat != other)) for other in range(self.table.contributions.shape[0])
        ]

    def draw(self, number: int) -> Array:
        """Return the `number`-th draw of this round, in [0, 1)."""
        return self.table.draws.of_rows(self.pick).uniform(DRAWS, self.round, self.pick.seat, number)


class GroupBatch(NamedTuple):
    """The state of a batch of games. All arrays have the shape (seats, games)."""

    present: Array
    took_part: Array
    """1 for each seat that took part in the last round of contributions."""
    earnings: Array
    contributions: Array
    income: Array
    """The income of this round, before points."""
    deducted: Array
    """The deduction points that each seat received in the last round."""
    given: Array
    """The sum of each seat's contributions."""
    rounds: Array
    """The number of rounds in which each seat took part."""
    asked: Array
    """The number of rounds in which each seat decided, including the one in which it left."""
    spent: Array
    """The sum of each seat's spending on points."""


_POINTS: Final = tuple(Field(points_field(kind, seat)) for kind in (DEDUCT, REWARD) for seat in range(MOST_SEATS))
_LEAVES: Final = Field(LEAVE)


class ContributionsStep(ArrayForm[ContributionsRules, GroupBatch]):
    """The form of the game for the batch engine. A round has a phase in which all seats contribute and, if the rules
    have points, a phase in which all seats assign them."""

    dtype = "float64"
    arguments = (
        *("rounds", "endowment", "multiplier", "punish_cost", "punish_loss", "reward_cost", "reward_gain"),
        "max_points",
    )

    @override
    def phases(self, rules: ContributionsRules) -> Sequence[str]:
        return (CONTRIBUTION, POINTS) if rules.kinds else (CONTRIBUTION,)

    @override
    def fields(self, rules: ContributionsRules, phase: str) -> Sequence[Field]:
        leaves = (_LEAVES,) if rules.leave else ()
        if phase == CONTRIBUTION:
            return (*leaves, Field("contribution"))
        return (*leaves, *(field for field in _POINTS if field.name.partition("_")[0] in rules.kinds))

    @override
    def init(
        self, rules: ContributionsRules, seats: int, like: Array, fields: frozenset[str], draws: Draws
    ) -> GroupBatch:
        xp = namespace(like)
        nothing = xp.zeros((seats, like.shape[0]), dtype=like.dtype)
        return GroupBatch(nothing + 1.0, *[nothing] * 9)

    @override
    def observe(self, rules: ContributionsRules, phase: str, turn: Any, state: GroupBatch, draws: Draws) -> GroupTable:
        xp = namespace(state.earnings)
        return GroupTable(
            rules=rules,
            round=turn,
            present=state.present,
            took_part=state.took_part,
            contributions=state.contributions,
            deducted=state.deducted,
            budget=xp.maximum(state.earnings + state.income, 0.0),
            draws=draws,
        )

    @override
    def view(self, seen: GroupTable, pick: Pick) -> GroupView:
        return GroupView(seen, pick)

    @override
    def movers(self, rules: ContributionsRules, phase: str, state: GroupBatch) -> Array | None:
        if not rules.leave:
            return None
        here = state.present > 0
        return here if phase == CONTRIBUTION else here & (total(state.present) > 1)

    @override
    def legal(self, rules: ContributionsRules, phase: str, state: GroupBatch) -> Mapping[str, tuple[Array, Array]]:
        nothing = state.earnings * 0.0
        if phase == CONTRIBUTION:
            return {"contribution": (nothing, nothing + rules.endowment)}
        most = nothing + rules.max_points
        return {field.name: (nothing, most) for field in self.fields(rules, phase) if field is not _LEAVES}

    @override
    def step(
        self, rules: ContributionsRules, phase: str, turn: Any, state: GroupBatch, moves: Moves, draws: Draws
    ) -> GroupBatch:
        xp = namespace(state.earnings)
        leaves = moves.get(LEAVE)
        if phase == CONTRIBUTION:
            present = state.present if leaves is None else xp.where(leaves > 0, 0.0, state.present)
            given = xp.where(present > 0, moves["contribution"], 0.0)
            income = income_of(given, present > 0, rules).income
            state = state._replace(
                present=present,
                took_part=present,
                contributions=given,
                income=income,
                given=state.given + given,
                rounds=state.rounds + present,
                asked=state.asked + state.present,
            )
            return state if rules.kinds else state._replace(earnings=state.earnings + income, income=income * 0.0)
        deducted, cost = self._sums(DEDUCT, moves, state, rules)
        rewarded, cost_of_rewards = self._sums(REWARD, moves, state, rules)
        spent = cost + cost_of_rewards
        payoffs = payoffs_of(state.income, spent, deducted, rewarded, rules)
        return state._replace(
            earnings=state.earnings + xp.where(state.took_part > 0, payoffs, 0.0),
            income=state.income * 0.0,
            deducted=deducted,
            present=state.present if leaves is None else xp.where(leaves > 0, 0.0, state.present),
            spent=state.spent + spent,
        )

    def _sums(self, kind: str, moves: Moves, state: GroupBatch, rules: ContributionsRules) -> tuple[Array, Array]:
        """Return the points of a kind that each seat received, and what each seat spent on them."""
        xp = namespace(state.earnings)
        seats = state.earnings.shape[0]
        # No strategy may set the points for some seats; their fields are left out.
        columns = [moves.get(points_field(kind, seat), state.earnings * 0.0) for seat in range(seats)]
        spent = state.earnings * 0.0
        for points in columns:
            spent = spent + (deduction_cost(points, rules) if kind == DEDUCT else points * rules.reward_cost)
        return xp.stack([total(points) for points in columns]), spent

    @override
    def ends(self, rules: ContributionsRules, turn: Any, draws: Draws) -> Array | None:
        return None if rules.leave else (draws.games >= 0) & (turn >= rules.rounds)

    @override
    def done(self, rules: ContributionsRules, turn: Any, state: GroupBatch) -> Array:
        count = total(state.present)
        return (count < 2) | (count * 0 + turn >= rules.rounds)

    @override
    def finals(self, rules: ContributionsRules, state: GroupBatch) -> Array:
        return state.earnings

    @override
    def figures(self, rules: ContributionsRules, turn: Any, state: GroupBatch) -> Mapping[str, Array]:
        xp = namespace(state.earnings)
        rounds = xp.where(state.rounds > 0, state.rounds, 1.0)
        shown = {"contribution": state.given / rounds}
        return shown | {"spent": state.spent / rounds} if rules.kinds else shown

    @override
    def limits(self, rules: ContributionsRules, seats: int) -> Mapping[str, tuple[float, float]]:
        return {"contribution": (0.0, rules.endowment), "spent": (0.0, np.inf)}

    @override
    def turns_in(self, rules: ContributionsRules, turn: Any, state: GroupBatch) -> Array | None:
        return state.asked if rules.leave else None

    @override
    def bounds(self, view: GroupView, field: str) -> tuple[Array, Array] | None:
        if field != "contribution":
            return None
        nothing = view.contribution * 0.0
        return nothing, nothing + view.rules.endowment

    @override
    def features(self, view: GroupView) -> Sequence[Array]:
        # The features are the own and the others' contributions as parts of the endowment, the deduction points
        # received, and the elapsed part of the game, if its length is known.
        ones = view.contribution * 0.0 + 1.0
        elapsed = ones * view.round / view.last_round
        return (
            view.contribution / view.rules.endowment,
            view.others_mean / view.rules.endowment,
            view.xp.minimum(view.deducted / view.rules.max_points, ones),
            elapsed,
        )

    @override
    def view_of(self, question: Question[ContributionsView], draws: Draws) -> GroupView | None:
        if question.phase not in (CONTRIBUTION, POINTS):
            return None
        view = question.view
        count = len(view.present)
        present = column([float(here) for here in view.present])
        given, took_part = _known_contributions(view)
        deducted = np.zeros((count, 1))
        if view.own:
            deducted[view.seat] = view.own[-1].outcome.deducted
        table = GroupTable(
            rules=view.rules,
            round=view.round,
            present=present,
            took_part=took_part,
            contributions=given,
            deducted=deducted,
            budget=np.full((count, 1), view.budget),
            draws=draws,
        )
        return GroupView(table, OneSeat(view.seat))

    @override
    def answer_of(self, question: Question[ContributionsView], moves: Mapping[str, Any]) -> object:
        rules = question.view.rules
        stays = {STAY: LEAVE if moves.get(LEAVE, 0) else STAY} if rules.leave else {}
        if question.phase == CONTRIBUTION:
            amount = int(moves["contribution"])
            return {**stays, CONTRIBUTION: None if stays.get(STAY) == LEAVE else amount} if rules.leave else amount
        names = [points_field(kind, seat) for kind in rules.kinds for seat in question.view.others]
        if stays.get(STAY) == LEAVE:
            return {**stays, **dict.fromkeys(names)}
        return {**stays, **{name: int(moves.get(name, 0)) for name in names}}

    @override
    def moves_of(self, phase: str, answer: Any) -> Mapping[str, Any]:
        if not isinstance(answer, Mapping):
            return {"contribution": answer}
        moves = {name: value or 0 for name, value in answer.items() if name != STAY}
        return moves | {LEAVE: float(answer[STAY] == LEAVE)} if STAY in answer else moves


def _known_contributions(view: ContributionsView) -> tuple[Array, Array]:
    """Return the contributions of this round, or of the last one if seats have not contributed yet, and which seats
    took part. If only the sum is shown, the others get their mean."""
    count = len(view.present)
    if view.total is not None:
        each, together, own = view.contributions, view.total, view.own_contribution
    elif view.history:
        past = view.history[-1]
        each, together, own = past.contributions or None, past.total, view.own[-1].contribution
    else:
        return np.zeros((count, 1)), np.zeros((count, 1))
    if each is not None:
        return column([amount or 0 for amount in each]), column([float(amount is not None) for amount in each])
    mean = (together - (own or 0)) / max(1, count - 1)
    return column([own or 0 if seat == view.seat else mean for seat in range(count)]), np.ones((count, 1))


def legal_contribution(view: GroupView, amount: Array) -> Array:
    """Return an amount that the rules allow: rounded to whole tokens, or all or nothing."""
    xp, endowment = view.xp, view.rules.endowment
    if view.rules.contribution == ALL_OR_NOTHING:
        return xp.where(2 * amount >= endowment, endowment + amount * 0.0, amount * 0.0)
    return xp.floor(xp.minimum(xp.maximum(amount, 0.0), endowment + amount * 0.0) + 0.5)


STEP = ContributionsStep()
