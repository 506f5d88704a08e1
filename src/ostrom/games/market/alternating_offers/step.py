"""Alternating offers over arrays, for the batch engine. This form has no messages, because no strategy for batches
reads them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Final

import numpy as np
from typing_extensions import override

from ostrom.core import Question
from ostrom.core.arrays import Array, namespace
from ostrom.core.step import ArrayForm, Draws, Field, Moves, OneSeat, Pick, each_array
from ostrom.games.market.alternating_offers.bargain import (
    BREAKDOWN,
    NO_OFFER,
    OUTSIDE,
    Bargain,
    drawn_outside,
    opening,
    propose,
    settle,
)
from ostrom.games.market.alternating_offers.play import OFFER, RESPONSE, RESPONSES, AlternatingOffersView
from ostrom.games.market.alternating_offers.rules import AlternatingOffersRules
from ostrom.games.market.alternating_offers.theory import on_tick

FIGURES: Final = ("agreement", "efficiency", "part")


@dataclass(frozen=True)
class BargainTable:
    """A batch of games when a seat is asked."""

    rules: AlternatingOffersRules
    phase: str
    round: Any
    """The number of the round, counted from 1. Under JAX, it is a traced number."""
    state: Bargain
    draws: Draws


@dataclass(frozen=True)
class BargainRows:
    """The view of one strategy, with one row for each of its seats. Amounts are in points."""

    table: BargainTable
    pick: Pick

    @cached_property
    def rules(self) -> AlternatingOffersRules:
        """The rules of each row's game."""
        return each_array(self.table.rules, self.pick.of_games)

    @property
    def round(self) -> Any:
        return self.table.round

    @cached_property
    def xp(self) -> Any:
        """The array library."""
        return namespace(self.table.state.worth)

    @cached_property
    def outside(self) -> Array:
        """The own outside option."""
        return self.pick.of_seats(self.table.state.outside)

    @cached_property
    def other_outside(self) -> Array:
        """The outside option of the other seat, or its mean if it is private."""
        if not self.rules.private:
            return self._of_other(self.table.state.outside)
        return 0.0 * self.outside + self.of_seat(self.rules.largest_outside[::-1]) / 2

    @cached_property
    def offer(self) -> Array:
        """The last offer to this seat, `NO_OFFER` if there is none."""
        return self._of_other(self.table.state.offers)

    @cached_property
    def earlier_offer(self) -> Array:
        """The offer to this seat before the last one, `NO_OFFER` if there is none."""
        return self._of_other(self.table.state.before)

    @cached_property
    def own_offer(self) -> Array:
        """The last offer of this seat, `NO_OFFER` if there is none."""
        return self.pick.of_seats(self.table.state.offers)

    def by_seat(self, own: Array, other: Array) -> tuple[Array, Array]:
        """Return values of this seat and of the other one as values of the first and of the second proposer."""
        first = self.xp.asarray(self.pick.seat) == 0
        return self.xp.where(first, own, other), self.xp.where(first, other, own)

    def of_seat(self, values: tuple[Any, Any]) -> Array:
        """Return, for each row, the value that belongs to its seat."""
        return self.xp.where(self.xp.asarray(self.pick.seat) == 0, values[0], values[1])

    def _of_other(self, table: Array) -> Array:
        return self.pick.of_seats(self.xp.flip(table, axis=0))


class AlternatingOffersForm(ArrayForm[AlternatingOffersRules, Bargain]):
    """Two phases a round: one seat offers, the other one responds."""

    arguments = ("pie", "delta", "delta_second", "breakdown", "outside", "outside_second")
    of_games = ("agreement", "efficiency")
    shares = ("agreement", "efficiency", "part")
    in_turns = True

    @override
    def phases(self, rules: AlternatingOffersRules) -> Sequence[str]:
        return OFFER, RESPONSE

    @override
    def fields(self, rules: AlternatingOffersRules, phase: str) -> Sequence[Field]:
        return (Field(phase),)

    @override
    def init(
        self, rules: AlternatingOffersRules, seats: int, like: Array, fields: frozenset[str], draws: Draws
    ) -> Bargain:
        xp = namespace(like)
        largest = [0.0 * like + amount for amount in rules.largest_outside]
        if rules.private:
            numbers = [draws.uniform(OUTSIDE, 0, seat) for seat in range(seats)]
            largest = [
                xp.astype(drawn_outside(number, amount, rules.tick), like.dtype)
                for number, amount in zip(numbers, largest, strict=True)
            ]
        return opening(xp.stack(largest))

    @override
    def observe(
        self, rules: AlternatingOffersRules, phase: str, turn: Any, state: Bargain, draws: Draws
    ) -> BargainTable:
        return BargainTable(rules, phase, turn, state, draws)

    @override
    def view(self, seen: BargainTable, pick: Pick) -> BargainRows:
        return BargainRows(seen, pick)

    @override
    def movers(self, rules: AlternatingOffersRules, phase: str, state: Bargain) -> Array:
        first = state.proposer == (0.0 if phase == OFFER else 1.0)
        return namespace(state.worth).stack([first & state.open, ~first & state.open])

    @override
    def legal(self, rules: AlternatingOffersRules, phase: str, state: Bargain) -> Mapping[str, tuple[Array, Array]]:
        nothing = 0.0 * state.worth
        return {phase: (nothing, nothing + (rules.pie if phase == OFFER else 1.0 + rules.quits))}

    @override
    def bounds(self, view: BargainRows, field: str) -> tuple[Array, Array] | None:
        if field != OFFER or view.table.phase != OFFER:
            return None
        return 0.0 * view.outside, 0.0 * view.outside + view.rules.pie

    @override
    def features(self, view: BargainRows) -> Sequence[Array]:
        late = view.xp.astype(0.0 * view.outside + view.round / view.rules.rounds, view.outside.dtype)
        return view.xp.maximum(view.offer, 0.0 * view.offer) / view.rules.pie, view.outside / view.rules.pie, late

    @override
    def step(
        self, rules: AlternatingOffersRules, phase: str, turn: Any, state: Bargain, moves: Moves, draws: Draws
    ) -> Bargain:
        if phase == OFFER:
            return propose(state, on_tick(moves[OFFER], rules))
        response = namespace(state.worth).where(state.proposer == 0, moves[RESPONSE][1], moves[RESPONSE][0])
        broken = draws.uniform(BREAKDOWN, turn) < rules.breakdown
        return settle(state, response, turn >= rules.rounds, broken, rules)

    @override
    def done(self, rules: AlternatingOffersRules, turn: Any, state: Bargain) -> Array:
        return ~state.open

    @override
    def finals(self, rules: AlternatingOffersRules, state: Bargain) -> Array:
        return state.payoffs

    @override
    def figures(self, rules: AlternatingOffersRules, turn: Any, state: Bargain) -> Mapping[str, Array]:
        xp, dtype = namespace(state.worth), state.worth.dtype
        efficiency = (state.payoffs[0] + state.payoffs[1]) / rules.pie
        return dict(zip(FIGURES, (xp.astype(state.agreed, dtype), efficiency, state.parts / rules.pie), strict=True))

    @override
    def view_of(self, question: Question[AlternatingOffersView], draws: Draws) -> BargainRows | None:
        if question.phase not in (OFFER, RESPONSE):
            return None
        view = question.view
        own, other = view.seat, 1 - view.seat
        # The mean replaces a private outside option of the other seat, which no strategy may read.
        unknown = float(view.rules.largest_outside[other]) / 2
        outside = np.empty((2, 1))
        outside[own], outside[other] = view.outside, unknown if view.other_outside is None else view.other_outside
        worth = np.full((2, 1), np.nan)
        worth[own] = view.worth
        offers: list[list[float]] = [[NO_OFFER, NO_OFFER], [NO_OFFER, NO_OFFER]]
        for past in view.history:
            offers[past.seat].append(past.amount)
        if view.offer is not None:
            offers[other].append(view.offer)
        state = opening(outside)._replace(
            worth=worth,
            proposer=np.asarray([float((view.round - 1) % 2)]),
            offers=np.asarray([[made[-1]] for made in offers]),
            before=np.asarray([[made[-2]] for made in offers]),
        )
        return BargainRows(BargainTable(view.rules, question.phase, view.round, state, draws), OneSeat(own))

    @override
    def answer_of(self, question: Question[AlternatingOffersView], moves: Mapping[str, Any]) -> object:
        move = float(moves[question.phase])
        if question.phase == RESPONSE:
            return RESPONSES[round(move)]
        return int(on_tick(np.asarray(move), question.view.rules)) if question.view.rules.tick else move

    @override
    def moves_of(self, phase: str, answer: Any) -> Mapping[str, Any]:
        return {phase: answer if phase == OFFER else float(RESPONSES.index(answer))}


STEP = AlternatingOffersForm()
