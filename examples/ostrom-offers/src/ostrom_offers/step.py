"""Offers over arrays, for the batch engine: the arithmetic of `bargain` between strategies that decide for many games
at once."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from ostrom.core import Question
from ostrom.core.arrays import Array, namespace
from ostrom.core.step import ArrayForm, Draws, Field, Moves, OneSeat, Pick, each_array
from ostrom_offers.bargain import PATIENCE, State, opening, patience_of, respond
from ostrom_offers.play import ACCEPT, REJECT
from ostrom_offers.rules import OffersRules
from ostrom_offers.view import OffersView

OFFER, RESPONSE = "offer", "response"
STRATEGY = "strategy/offers"
"""The purpose of the draws that strategies make."""


@dataclass(frozen=True)
class Tables:
    """A batch of games when seats are asked."""

    rules: OffersRules
    phase: str
    round: Any
    state: State
    draws: Draws


@dataclass(frozen=True)
class Rows:
    """The rows of one strategy: its own patience, and the offer to it."""

    table: Tables
    pick: Pick

    @cached_property
    def rules(self) -> OffersRules:
        """The settings of each row's game."""
        return each_array(self.table.rules, self.pick.of_games)

    @property
    def round(self) -> Any:
        """The round, counted from 1."""
        return self.table.round

    @property
    def xp(self) -> Any:
        """The array library."""
        return namespace(self.table.state.offer)

    @cached_property
    def left(self) -> Array:
        """How many rounds are left, this one included."""
        return 0.0 * self.patience + (self.rules.rounds - self.round + 1)

    @cached_property
    def patience(self) -> Array:
        """The patience of this seat."""
        return self.pick.of_seats(self.table.state.patience)

    @cached_property
    def expected(self) -> Array:
        """The mean patience of a seat, which is all that is known of the other."""
        return 0.0 * self.patience + 0.5 * (self.rules.least_patience + self.rules.most_patience)

    @cached_property
    def offer(self) -> Array:
        """The part of the pie that is offered to this seat, from 0 to 1."""
        return self.pick.of_games(self.table.state.offer) / self.rules.pie

    def draw(self, number: int) -> Array:
        """The `number`-th draw of this round, in [0, 1)."""
        return self.table.draws.of_rows(self.pick).uniform(STRATEGY, self.round, self.pick.seat, number)


class OffersForm(ArrayForm[OffersRules, State]):
    """Two phases a round: one seat offers, the other one responds."""

    arguments = ("pie", "rounds", "least_patience", "most_patience")
    of_games = ("agreement", "efficiency")
    shares = ("agreement", "efficiency", "share")
    in_turns = True

    def phases(self, rules: OffersRules) -> Sequence[str]:
        """An offer, and a response."""
        return OFFER, RESPONSE

    def fields(self, rules: OffersRules, phase: str) -> Sequence[Field]:
        """Points for the other seat, or 1 to accept and 0 to reject."""
        return (Field(phase),)

    def init(self, rules: OffersRules, seats: int, like: Array, fields: frozenset[str], draws: Draws) -> State:
        """The seats learn their patience."""
        drawn = [0.0 * like + patience_of(draws.uniform(PATIENCE, 0, seat), rules) for seat in range(seats)]
        return opening(namespace(like).stack(drawn))

    def observe(self, rules: OffersRules, phase: str, turn: Any, state: State, draws: Draws) -> Tables:
        """The whole table; its rows show each seat its own patience alone."""
        return Tables(rules, phase, turn, state, draws)

    def view(self, seen: Tables, pick: Pick) -> Rows:
        """The rows of one strategy."""
        return Rows(seen, pick)

    def movers(self, rules: OffersRules, phase: str, state: State) -> Array:
        """The proposer offers, the other one responds."""
        first = state.proposer == (0.0 if phase == OFFER else 1.0)
        return namespace(state.offer).stack([first, ~first])

    def legal(self, rules: OffersRules, phase: str, state: State) -> Mapping[str, tuple[Array, Array]]:
        """Anything up to the pie; to accept or not."""
        nothing = namespace(state.values).zeros_like(state.values)
        return {phase: (nothing, nothing + (rules.pie if phase == OFFER else 1.0))}

    def bounds(self, view: Rows, field: str) -> tuple[Array, Array] | None:
        """The bounds of an offer; a response is a choice."""
        if field != OFFER or view.table.phase != OFFER:
            return None
        return 0.0 * view.patience, 0.0 * view.patience + view.rules.pie

    def features(self, view: Rows) -> Sequence[Array]:
        """What is offered, the own patience, and how late it is."""
        return view.offer, view.patience, 1.0 - (view.left - 1.0) / view.rules.rounds

    def step(self, rules: OffersRules, phase: str, turn: Any, state: State, moves: Moves, draws: Draws) -> State:
        """The offer lies on the table; the response ends the game, or the round."""
        xp = namespace(state.offer)
        first = state.proposer == 0.0
        if phase == OFFER:
            offer = xp.where(first, moves[OFFER][0], moves[OFFER][1])
            return state._replace(offer=xp.where(state.open, offer, state.offer))
        accepts = xp.where(first, moves[RESPONSE][1], moves[RESPONSE][0]) > 0.5
        return respond(state, accepts, rules)

    def done(self, rules: OffersRules, turn: Any, state: State) -> Array:
        """After an agreement, and after the last round."""
        return ~state.open | (turn >= rules.rounds)

    def finals(self, rules: OffersRules, state: State) -> Array:
        """What each seat's part is worth to it."""
        return state.values

    def figures(self, rules: OffersRules, turn: Any, state: State) -> Mapping[str, Array]:
        """Whether the seats agreed, the efficiency, and each seat's share of the pie."""
        return {
            "agreement": namespace(state.offer).astype(~state.open, state.offer.dtype),
            "efficiency": (state.values[0] + state.values[1]) / rules.pie,
            "share": state.parts / rules.pie,
        }

    def view_of(self, question: Question[OffersView], draws: Draws) -> Rows:
        """A table of one game. The other seat's patience is unknown: NaN."""
        seen = question.view
        patience = np.full((2, 1), np.nan)
        patience[seen.seat] = seen.patience
        state = opening(patience)._replace(
            proposer=np.asarray([(seen.round - 1.0) % 2]),
            offer=np.asarray([0.0 if seen.offer is None else seen.offer]),
        )
        return Rows(Tables(seen.rules, question.phase, seen.round, state, draws), OneSeat(seen.seat))

    def answer_of(self, question: Question[OffersView], moves: Mapping[str, Any]) -> object:
        """An amount, or a word."""
        move = float(moves[question.phase])
        return move if question.phase == OFFER else ACCEPT if move > 0.5 else REJECT

    def moves_of(self, phase: str, answer: Any) -> Mapping[str, Any]:
        """The same as a number."""
        return {phase: answer if phase == OFFER else float(answer == ACCEPT)}


STEP = OffersForm()
