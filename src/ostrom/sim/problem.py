"""The problem of a best response: finding the best strategy for one seat of a table, given the players of the other
seats. This module computes the payoffs of candidates. Against players with finitely many states, it also computes the
exact solution by dynamic programming (Bellman 1957; policy iteration, Howard 1960)."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np

from ostrom.core import Answer, Choice, GameChance, InputError, Question, Table, seats
from ostrom.core.chance import key_of
from ostrom.core.game import Game
from ostrom.core.step import ArrayForm, DecisionProcess, Draws, OneSeat
from ostrom.core.table import Driver
from ostrom.players import policy
from ostrom.players.strategy import StrategyEntry
from ostrom.sim import numpy_engine
from ostrom.sim.batch import Batch, Floats, Ints

_BATCH_SEATS = 131_072
SELECTION, TRAINING = 2**30, 2**31
"""The number of the first game that selects among candidates, and of the first game that trains them. The games of the
evaluation are numbered from 0."""
_MAX_PROBED_QUESTIONS = 200
"""The largest number of questions of a game that are read to find the options of choices."""
_TOLERANCE = 1e-9
"""The relative difference below which two actions count as equally good."""


@dataclass(frozen=True, eq=False)
class OptimalPolicy:
    """An optimal policy and its value."""

    value: float
    """The expected payoff of the game."""
    per_turn: float
    """The expected payoff of the game, divided by the mean number of turns."""
    opening: dict[str, float]
    """The value of each first action if all later play is optimal."""
    best_openings: tuple[str, ...]
    """The optimal first actions."""
    choices: Ints
    """(turns, situations) The index of the action in each turn. The last row applies to all later turns."""
    values: Floats
    """(situations,) Value of each situation in the first turn."""


def solve(process: DecisionProcess) -> OptimalPolicy:
    """Return the optimal policy. If several actions are equally good, the policy takes the first of them."""
    if process.turns is None:
        choices, worth = _solve_infinite(process)
        turns = 1.0 / (1.0 - process.continuation)
    else:
        choices, worth = _solve_finite(process, process.turns)
        turns = float(process.turns)
    first = dict(zip(process.actions, worth[0].tolist(), strict=True))
    best = max(first.values())
    tolerance = _TOLERANCE * max(1.0, abs(best))
    return OptimalPolicy(
        value=best,
        per_turn=best / turns,
        opening=first,
        best_openings=tuple(name for name, value in first.items() if value >= best - tolerance),
        choices=choices,
        values=worth.max(axis=1),
    )


def _best(worth: Floats) -> Ints:
    """Return, for each situation, the first action that is optimal up to rounding errors."""
    best = worth.max(axis=1, keepdims=True)
    return np.asarray(np.argmax(worth >= best - _TOLERANCE * np.maximum(1.0, np.abs(best)), axis=1))


def _solve_finite(process: DecisionProcess, turns: int) -> tuple[Ints, Floats]:
    choices = np.zeros((turns, len(process.gains)), dtype=np.int64)
    worth = np.zeros_like(process.gains)
    after = np.zeros(len(process.gains))
    for turn in reversed(range(turns)):
        worth = process.gains + process.leads @ after
        choices[turn] = _best(worth)
        after = worth.max(axis=1)
    return choices, worth


def _solve_infinite(process: DecisionProcess) -> tuple[Ints, Floats]:
    """Solve an infinite problem by policy iteration. The values of a policy solve a linear system, and each iteration
    improves them strictly."""
    if not 0.0 <= process.continuation < 1.0:
        raise InputError("a best response needs a game that ends; set a probability of continuation below 1")
    situations = np.arange(len(process.gains))
    choice = np.zeros(len(situations), dtype=np.int64)
    while True:
        system = np.eye(len(situations)) - process.continuation * process.leads[situations, choice]
        values = np.linalg.solve(system, process.gains[situations, choice])
        worth = process.gains + process.continuation * (process.leads @ values)
        current = worth[situations, choice]
        better = worth.max(axis=1) > current + _TOLERANCE * np.maximum(1.0, np.abs(current))
        if not better.any():
            return _best(worth)[None], worth
        choice = np.where(better, worth.argmax(axis=1), choice)


class SeatResults(NamedTuple):
    """Results of candidates for a seat."""

    finals: Floats
    """(candidates, games) The finals of the seat, negated if lower finals are better."""
    turns: Floats
    """(candidates, games) Lengths of the games."""
    decided: Floats
    """(candidates, games) The number of turns in which the seat decided."""
    figures: dict[str, Floats]
    """(candidates, games) The game's own figures of the seat."""


@dataclass(frozen=True)
class Problem:
    """The problem of finding the best strategy for one seat of a table, given the players of the other seats."""

    game: Game
    rules: Any
    others: tuple[StrategyEntry, ...]
    """The players of the other seats, in the order of these seats."""
    seat: int
    seed: int

    @property
    def step(self) -> ArrayForm:
        """The array form of the game. Raise InputError if it has none."""
        step: ArrayForm | None = self.game.part("step")
        if step is None:
            raise InputError(f"{self.game.command} has no array form, which a search needs")
        return step

    @property
    def seats(self) -> int:
        return len(self.others) + 1

    def play(self, candidates: Sequence[StrategyEntry], start: int, games: int) -> SeatResults:
        """Play the same games, numbered from `start`, with each candidate."""
        batch_size = max(1, _BATCH_SEATS // (self.seats * games))
        parts = [
            self._play(candidates[first : first + batch_size], start, games)
            for first in range(0, len(candidates), batch_size)
        ]
        names = parts[0].figures
        return SeatResults(
            np.concatenate([part.finals for part in parts]),
            np.concatenate([part.turns for part in parts]),
            np.concatenate([part.decided for part in parts]),
            {name: np.concatenate([part.figures[name] for part in parts]) for name in names},
        )

    def _play(self, candidates: Sequence[StrategyEntry], start: int, games: int) -> SeatResults:
        cast = [*self.others, *candidates]
        seating = np.zeros((self.seats, len(candidates) * games), dtype=np.int64)
        others = [seat for seat in range(self.seats) if seat != self.seat]
        seating[others] = np.arange(len(others))[:, None]
        seating[self.seat] = len(others) + np.repeat(np.arange(len(candidates)), games)
        numbers = np.tile(np.arange(start, start + games), len(candidates))
        result = numpy_engine.play_batch(Batch(self.game, self.rules, cast, seating, numbers, self.seed))
        shape, sign = (len(candidates), games), 1.0 if result.higher else -1.0
        figures = {name: values[self.seat].reshape(shape) for name, values in result.figures.items()}
        return SeatResults(
            sign * result.finals[self.seat].reshape(shape),
            result.turns.reshape(shape).astype(np.float64),
            result.turns_in[self.seat].reshape(shape).astype(np.float64),
            figures,
        )

    @cached_property
    def _views(self) -> dict[str, Any]:
        """The seat's view of the game in the first turn, by phase."""
        step, rules = self.step, self.rules
        fields = frozenset(field.name for phase in step.phases(rules) for field in step.fields(rules, phase))
        draws = Draws(np.zeros(1, dtype=np.uint64), key_of(0))
        state = step.init(rules, self.seats, np.zeros(1, dtype=step.dtype), fields, draws)
        return {
            phase: step.view(step.observe(rules, phase, 1, state, draws), OneSeat(self.seat))
            for phase in step.phases(rules)
        }

    @cached_property
    def fields(self) -> tuple[str, ...]:
        """All fields of a move."""
        return tuple(field.name for phase in self._views for field in self.step.fields(self.rules, phase))

    @cached_property
    def numbers(self) -> tuple[str, ...]:
        """The fields that are quantities."""
        bounds_of = {
            field.name: self.step.bounds(view, field.name)
            for phase, view in self._views.items()
            for field in self.step.fields(self.rules, phase)
        }
        return tuple(name for name, bounds in bounds_of.items() if bounds is not None)

    @cached_property
    def choices(self) -> dict[str, tuple[policy.Option, ...]]:
        """The fields that are choices, each with the options that the questions of the game offer."""
        options: dict[str, dict[str, policy.Option]] = {}
        for question in self._questions():
            if question.phase in self._views and isinstance(question.spec, Choice):
                for option in question.spec.options:
                    for name, value in self.step.moves_of(question.phase, option).items():
                        text = "nothing" if option is None else str(option)
                        options.setdefault(name, {})[text] = policy.Option(value=float(value), name=text)
        distinct = {name: tuple(of_field.values()) for name, of_field in options.items() if name not in self.numbers}
        return {name: of_field for name, of_field in distinct.items() if len({option.value for option in of_field}) > 1}

    def _questions(self) -> list[Question]:
        """Return the first questions to the seat in a single game in which every seat gives the fallback answer."""
        chance = GameChance(self.seed, TRAINING)
        table = Table(seats(self.seats), chance)
        asked: list[Question] = []
        driver = Driver(self.game.play(self.rules, table))
        while driver.step is not None and len(asked) < _MAX_PROBED_QUESTIONS:
            asked += [question for question in driver.step if question.seat.index == self.seat]
            driver.advance([Answer(question.fallback) for question in driver.step])
        driver.close()
        return asked

    @cached_property
    def inputs(self) -> int:
        """Number of features of a view."""
        return min(len(self.step.features(view)) for view in self._views.values())
