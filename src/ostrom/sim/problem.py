"""The best that one seat can do among players of finitely many states, by dynamic programming (Bellman 1957; Howard
1960, policy iteration)."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np

from ostrom.core import InputError
from ostrom.core.game import Game
from ostrom.core.step import ArrayForm, DecisionProcess, Draws, OneSeat
from ostrom.players.strategy import StrategyEntry
from ostrom.sim import numpy_engine
from ostrom.sim.batch import Batch, Floats, Ints

_SEATS_AT_ONCE = 131_072
SELECTION, TRAINING = 2**30, 2**31
"""The numbers from which the games are counted that choose among what was found, and those that find it. Games in which
it is judged are counted from 0."""
_SAME = 1e-9
"""Actions whose values differ by no more than this part of them are both best."""


@dataclass(frozen=True, eq=False)
class Solution:
    """What to do in each situation, and what it is worth."""

    value: float
    """What the whole game brings on average."""
    per_turn: float
    """The same over the mean number of turns."""
    opening: dict[str, float]
    """What each first action is worth, if everything after it is best."""
    best_openings: tuple[str, ...]
    """The first actions than which none is better."""
    choices: Ints
    """(turns, situations) The number of the action in each turn; the last row holds for all turns after it."""
    values: Floats
    """(situations,) What each situation is worth in the first turn."""


def solve(process: DecisionProcess) -> Solution:
    """The best plan. Of actions that are equally good the first named is taken."""
    if process.turns is None:
        choices, worth = _for_ever(process)
        turns = 1.0 / (1.0 - process.continuation)
    else:
        choices, worth = _to_the_end(process, process.turns)
        turns = float(process.turns)
    first = dict(zip(process.actions, worth[0].tolist(), strict=True))
    best = max(first.values())
    near = _SAME * max(1.0, abs(best))
    return Solution(
        value=best,
        per_turn=best / turns,
        opening=first,
        best_openings=tuple(name for name, value in first.items() if value >= best - near),
        choices=choices,
        values=worth.max(axis=1),
    )


def _best(worth: Floats) -> Ints:
    """(situations,) The first action that no other beats by more than rounding."""
    best = worth.max(axis=1, keepdims=True)
    return np.asarray(np.argmax(worth >= best - _SAME * np.maximum(1.0, np.abs(best)), axis=1))


def _to_the_end(process: DecisionProcess, turns: int) -> tuple[Ints, Floats]:
    choices = np.zeros((turns, len(process.gains)), dtype=np.int64)
    worth = np.zeros_like(process.gains)
    after = np.zeros(len(process.gains))
    for turn in reversed(range(turns)):
        worth = process.gains + process.leads @ after
        choices[turn] = _best(worth)
        after = worth.max(axis=1)
    return choices, worth


def _for_ever(process: DecisionProcess) -> tuple[Ints, Floats]:
    """Policy iteration: the value of a plan is a linear system, and each better plan is strictly better."""
    if not 0.0 <= process.continuation < 1.0:
        raise InputError("a game that never ends has no best response here; set a continuation below 1")
    count = np.arange(len(process.gains))
    choice = np.zeros(len(count), dtype=np.int64)
    while True:
        system = np.eye(len(count)) - process.continuation * process.leads[count, choice]
        values = np.linalg.solve(system, process.gains[count, choice])
        worth = process.gains + process.continuation * (process.leads @ values)
        now = worth[count, choice]
        better = worth.max(axis=1) > now + _SAME * np.maximum(1.0, np.abs(now))
        if not better.any():
            return _best(worth)[None], worth
        choice = np.where(better, worth.argmax(axis=1), choice)


class Played(NamedTuple):
    """What candidates for a seat brought."""

    finals: Floats
    """(candidates, games) The seat's finals, such that more is better."""
    turns: Floats
    """(candidates, games) How long the games were."""
    decided: Floats
    """(candidates, games) In how many turns the seat decided."""
    figures: dict[str, Floats]
    """(candidates, games) What else is told of the seat."""


@dataclass(frozen=True)
class Problem:
    """One seat of a table whose other seats are taken."""

    game: Game
    rules: Any
    others: tuple[StrategyEntry, ...]
    """Who sits at the other seats, in their order."""
    seat: int
    seed: int

    @property
    def step(self) -> ArrayForm:
        """The array form of the game."""
        step: ArrayForm | None = self.game.part("step")
        if step is None:
            raise InputError(f"{self.game.command} has no array form, so nothing can be searched in it")
        return step

    @property
    def seats(self) -> int:
        return len(self.others) + 1

    def play(self, candidates: Sequence[StrategyEntry], start: int, games: int) -> Played:
        """Let each candidate play the same games, numbered from `start`."""
        at_once = max(1, _SEATS_AT_ONCE // (self.seats * games))
        parts = [self._play(candidates[at : at + at_once], start, games) for at in range(0, len(candidates), at_once)]
        names = parts[0].figures
        return Played(
            np.concatenate([part.finals for part in parts]),
            np.concatenate([part.turns for part in parts]),
            np.concatenate([part.decided for part in parts]),
            {name: np.concatenate([part.figures[name] for part in parts]) for name in names},
        )

    def _play(self, candidates: Sequence[StrategyEntry], start: int, games: int) -> Played:
        cast = [*self.others, *candidates]
        seating = np.zeros((self.seats, len(candidates) * games), dtype=np.int64)
        others = [seat for seat in range(self.seats) if seat != self.seat]
        seating[others] = np.arange(len(others))[:, None]
        seating[self.seat] = len(others) + np.repeat(np.arange(len(candidates)), games)
        numbers = np.tile(np.arange(start, start + games), len(candidates))
        result = numpy_engine.play_batch(Batch(self.game, self.rules, cast, seating, numbers, self.seed))
        shape, sign = (len(candidates), games), 1.0 if result.higher else -1.0
        figures = {name: values[self.seat].reshape(shape) for name, values in result.figures.items()}
        return Played(
            sign * result.finals[self.seat].reshape(shape),
            result.turns.reshape(shape).astype(np.float64),
            result.turns_in[self.seat].reshape(shape).astype(np.float64),
            figures,
        )

    @cached_property
    def _views(self) -> dict[str, Any]:
        """What the seat sees in the first turn of one game, by phase."""
        step, rules = self.step, self.rules
        fields = frozenset(each.name for phase in step.phases(rules) for each in step.fields(rules, phase))
        state = step.init(rules, self.seats, np.zeros(1, dtype=step.dtype), fields)
        draws = Draws(np.zeros(1, dtype=np.uint64), (np.uint32(0), np.uint32(0)))
        return {
            phase: step.view(step.observe(rules, phase, 1, state, draws), OneSeat(self.seat))
            for phase in step.phases(rules)
        }

    @cached_property
    def fields(self) -> tuple[str, ...]:
        """Everything that a move has."""
        return tuple(each.name for phase in self._views for each in self.step.fields(self.rules, phase))

    @cached_property
    def numbers(self) -> tuple[str, ...]:
        """The fields that are quantities."""
        there = {
            each.name: self.step.bounds(view, each.name)
            for phase, view in self._views.items()
            for each in self.step.fields(self.rules, phase)
        }
        return tuple(name for name, bounds in there.items() if bounds is not None)

    @cached_property
    def inputs(self) -> int:
        """How many features the game tells of a row."""
        return min(len(self.step.features(view)) for view in self._views.values())
