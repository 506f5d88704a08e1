"""A repeated game over arrays, for the batch engine. This form has no messages, because no strategy for batches reads
them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from typing_extensions import override

from ostrom.core import Question
from ostrom.core.arrays import Array, namespace
from ostrom.core.step import ArrayForm, Draws, Field, Moves, OneSeat, Pick, Picked, each_array
from ostrom.games.repeated.play import CHOICE, RepeatedView
from ostrom.games.repeated.rules import CONTINUE, RepeatedRules, RepeatedState, opening, over, play_round

DRAWS = f"strategy/{CHOICE}"
"""The purpose of the random draws of strategies. Strategies in plain Python use the same purpose, so that both forms
draw the same numbers."""


@dataclass(frozen=True)
class Pairs:
    """A batch of games before the choices of a round."""

    rules: RepeatedRules
    round: Any
    """The number of the round, counted from 1. Under JAX, it is a traced number."""
    state: RepeatedState
    draws: Draws

    @cached_property
    def exchanged(self) -> Array:
        """(2, games) The last action of the other seat."""
        return namespace(self.state.actions).flip(self.state.actions, axis=0)


@dataclass
class PairRows:
    """The view of one strategy, with one row for each of its seats."""

    table: Pairs
    pick: Pick

    own = Picked("of_seats", "state.actions")
    """The strategy's own last action, after the noise. It is 0 before the first round."""
    other = Picked("of_seats", "exchanged")
    """The other player's last action, after the noise."""

    @cached_property
    def rules(self) -> RepeatedRules:
        """The rules of each row's game."""
        return each_array(self.table.rules, self.pick.of_games)

    @property
    def round(self) -> Any:
        return self.table.round

    @property
    def seat(self) -> Any:
        """The strategy's own seat in each row. It is one number if all rows have the same seat, and otherwise an
        array."""
        return self.pick.seat

    @cached_property
    def xp(self) -> Any:
        """The array library."""
        return namespace(self.table.state.totals)

    @cached_property
    def like(self) -> Array:
        """An array with one entry for each row, of the numeric type in which the game is played."""
        return self.pick.of_games(self.table.state.totals[0])

    def constant(self, action: int) -> Array:
        """Return an array with the same action for every row."""
        return self.xp.full_like(self.own, action)

    def either(self, cooperative: Array) -> Array:
        """Return the first action where the condition holds, and otherwise the second."""
        return self.xp.where(cooperative, self.constant(0), self.constant(1))

    def draw(self) -> Array:
        """Return a random number in [0, 1) for each row, drawn anew in every round."""
        draws, dtype = self.table.draws.of_rows(self.pick), self.like.dtype
        numbers = draws.uniform(DRAWS, self.round, self.seat, single=dtype == self.xp.float32)
        return self.xp.astype(numbers, dtype)

    def of_seat(self, values: tuple[float, float]) -> Any:
        """Return, for each row, the value that belongs to its seat. If it is the same for all rows, return a single
        number."""
        first, second = values
        if isinstance(self.seat, int):
            return values[self.seat]
        return first if first == second else self.xp.where(self.seat == 0, first, second)


class RepeatedForm(ArrayForm[RepeatedRules, RepeatedState]):
    """The form of a repeated game for the batch engine. Every round has one phase, in which both seats choose."""

    arguments = ("rounds", CONTINUE, "noise")

    @override
    def phases(self, rules: RepeatedRules) -> Sequence[str]:
        return (CHOICE,)

    @override
    def fields(self, rules: RepeatedRules, phase: str) -> Sequence[Field]:
        return (Field(CHOICE, dtype="int16"),)

    @override
    def init(
        self, rules: RepeatedRules, seats: int, like: Array, fields: frozenset[str], draws: Draws
    ) -> RepeatedState:
        return opening(like)

    @override
    def observe(self, rules: RepeatedRules, phase: str, turn: Any, state: RepeatedState, draws: Draws) -> Pairs:
        return Pairs(rules, turn, state, draws)

    @override
    def view(self, seen: Pairs, pick: Pick) -> PairRows:
        return PairRows(seen, pick)

    @override
    def legal(self, rules: RepeatedRules, phase: str, state: RepeatedState) -> Mapping[str, tuple[Array, Array]]:
        least = namespace(state.actions).zeros_like(state.actions)
        most = np.asarray([[len(actions) - 1] for actions in rules.game.actions], dtype=np.int16)
        return {CHOICE: (least, least + most)}

    @override
    def step(
        self, rules: RepeatedRules, phase: str, turn: Any, state: RepeatedState, moves: Moves, draws: Draws
    ) -> RepeatedState:
        return play_round(state, moves[CHOICE], turn, draws, rules)

    @override
    def ends(self, rules: RepeatedRules, turn: Any, draws: Draws) -> Array:
        return over(turn, draws, rules)

    @override
    def finals(self, rules: RepeatedRules, state: RepeatedState) -> Array:
        return state.totals

    @override
    def figures(self, rules: RepeatedRules, turn: Any, state: RepeatedState) -> Mapping[str, Array]:
        return {"points_per_round": state.totals / turn, "first_action": state.first / turn}

    @override
    def limits(self, rules: RepeatedRules, seats: int) -> Mapping[str, tuple[float, float]]:
        return {"first_action": (0.0, 1.0)}

    @override
    def bounds(self, view: PairRows, field: str) -> tuple[Array, Array] | None:
        first, second = (len(actions) - 1 for actions in view.rules.game.actions)
        most = view.constant(0) + view.xp.asarray(view.of_seat((first, second)), dtype=view.own.dtype)
        return view.constant(0), most

    @override
    def features(self, view: PairRows) -> Sequence[Array]:
        # The features are whether each player chose its first action last, and the elapsed part of the duration.
        xp, dtype = view.xp, view.like.dtype
        late = 0.0 * view.like + view.round / view.rules.duration
        return xp.astype(view.own == 0, dtype), xp.astype(view.other == 0, dtype), xp.minimum(late, 0.0 * late + 2.0)

    @override
    def view_of(self, question: Question[RepeatedView], draws: Draws) -> PairRows | None:
        if question.phase != CHOICE:
            return None
        view = question.view
        actions = view.history[-1].actions if view.history else (0, 0)
        totals = np.asarray(view.totals)[:, None]
        # No strategy reads how often the first action was played. So this number is left at 0.
        state = RepeatedState(np.asarray(actions, dtype=np.int16)[:, None], totals, np.zeros_like(totals))
        return PairRows(Pairs(view.rules, view.round, state, draws), OneSeat(view.seat))

    @override
    def answer_of(self, question: Question[RepeatedView], moves: Mapping[str, Any]) -> object:
        return int(moves[CHOICE])

    @override
    def moves_of(self, phase: str, answer: Any) -> Mapping[str, Any]:
        return {CHOICE: answer}


STEP = RepeatedForm()
