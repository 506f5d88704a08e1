"""Learned people in 2×2 games: players whose choices are drawn from a forecaster that was fitted on first choices of
people. The study had no feedback, so these players choose in every round as people did in a first play."""

from collections.abc import Collection
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from scipy.special import expit
from typing_extensions import override

from ostrom.analysis.forecasts.matrix_models import ChoiceNetwork
from ostrom.analysis.forecasts.matrix_theories import level_1_logit, quantal_level_2
from ostrom.core import InputError
from ostrom.core.estimates import Floats
from ostrom.core.step import Moves
from ostrom.games.repeated.matrices import PayoffMatrix
from ostrom.games.repeated.play import CHOICE
from ostrom.games.repeated.step import STEP, PairRows
from ostrom.players.learned import LearnedPeople, learned_entry
from ostrom.players.strategy import Memory, RowStrategy, StrategyEntry

MIXTURE = "mixture"
TYPE_DRAW = 7
"""The number of the draw of a seat's type."""


def payoffs_of(matrix: PayoffMatrix, seat: int) -> tuple[Floats, Floats]:
    """Return the payoffs of a seat and of the other one, (4, 1), as if the seat chose rows. Raise `InputError` if the
    matrix is not 2×2."""
    if any(len(actions) != 2 for actions in matrix.actions):
        raise InputError("learned people of 2×2 games cannot play a matrix of another size")
    own, other = (np.asarray(points, dtype=np.float64) for points in (matrix.points[seat], matrix.points[1 - seat]))
    if seat == 1:
        own, other = own.T, other.T
    return own.reshape(4, 1), other.reshape(4, 1)


@dataclass(frozen=True)
class LearnedChooser(RowStrategy):
    """Draws each choice from a network's forecast of first choices."""

    people: LearnedPeople
    step = STEP

    @override
    def decide(self, phase: str, view: PairRows, memory: Memory, fields: Collection[str]) -> tuple[Moves, Memory]:
        matrix = view.rules.game
        chances = tuple(_network_chance(self.people, matrix, seat) for seat in (0, 1))
        return {CHOICE: view.either(view.draw() < view.of_seat((chances[0], chances[1])))}, memory


@lru_cache(maxsize=256)
def _network_chance(people: LearnedPeople, matrix: PayoffMatrix, seat: int) -> float:
    own, other = payoffs_of(matrix, seat)
    return float(expit(ChoiceNetwork(people.networks).advantage(own, other)[0]))


@dataclass(frozen=True)
class TypedChooser(RowStrategy):
    """Draws a type for the whole game: random, quantal level 1 or quantal level 2; then draws each choice from the
    type's probabilities."""

    people: LearnedPeople
    step = STEP

    @override
    def decide(self, phase: str, view: PairRows, memory: Memory, fields: Collection[str]) -> tuple[Moves, Memory]:
        xp = view.xp
        drawn = view.table.draws.of_rows(view.pick).uniform(f"strategy/{CHOICE}", 0, view.seat, TYPE_DRAW)
        chances = [_type_chances(self.people, view.rules.game, seat) for seat in (0, 1)]
        chance, below = view.like * 0.0, 0.0
        for number, share in enumerate(self.people.type_shares):
            mine = (drawn >= below) & (drawn < below + share)
            below += share
            chance = xp.where(mine, view.of_seat((chances[0][number], chances[1][number])) + chance, chance)
        return {CHOICE: view.either(view.draw() < chance)}, memory


@lru_cache(maxsize=256)
def _type_chances(people: LearnedPeople, matrix: PayoffMatrix, seat: int) -> tuple[float, ...]:
    own, other = payoffs_of(matrix, seat)
    values = np.asarray(people.values[MIXTURE])
    first = level_1_logit(values[2:3], own, other)[0]
    second = quantal_level_2(values[3:4], own, other)[0]
    return 0.5, float(first), float(second)


def member(text: str) -> StrategyEntry:
    """Return the learned people that the text after the colon names."""
    return learned_entry(text, "repeated", _strategy)


def _strategy(people: LearnedPeople, of_types: bool) -> RowStrategy:
    return TypedChooser(people) if of_types else LearnedChooser(people)
