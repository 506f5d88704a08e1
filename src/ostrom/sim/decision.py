"""The best that one seat can do among players of finitely many states, by dynamic programming (Bellman 1957; Howard
1960, policy iteration)."""

from dataclasses import dataclass

import numpy as np

from ostrom.core import InputError
from ostrom.core.step import DecisionProcess
from ostrom.sim.batch import Floats, Whole

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
    choices: Whole
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


def _best(worth: Floats) -> Whole:
    """(situations,) The first action that no other beats by more than rounding."""
    best = worth.max(axis=1, keepdims=True)
    return np.asarray(np.argmax(worth >= best - _SAME * np.maximum(1.0, np.abs(best)), axis=1))


def _to_the_end(process: DecisionProcess, turns: int) -> tuple[Whole, Floats]:
    choices = np.zeros((turns, len(process.gains)), dtype=np.int64)
    worth = np.zeros_like(process.gains)
    after = np.zeros(len(process.gains))
    for turn in reversed(range(turns)):
        worth = process.gains + process.leads @ after
        choices[turn] = _best(worth)
        after = worth.max(axis=1)
    return choices, worth


def _for_ever(process: DecisionProcess) -> tuple[Whole, Floats]:
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
