"""Ashlock fingerprints: what a strategy scores in a round against probes of tit for tat that cooperate anyway with
probability x and defect anyway with probability y, over the unit square (Ashlock and Kim 2008). Beyond x + y = 1 the
dual probe is met with 1 − x and 1 − y; both are the strategy that cooperates with probability 1 − y after C and with
probability x after D."""

from typing import Final

import numpy as np

from ostrom.core import InputError
from ostrom.core.arrays import Array
from ostrom.core.game import Game
from ostrom.games.repeated.machines import (
    Machine,
    MemoryOne,
    RepeatedStrategy,
    mean_points,
    reactive_machine,
)
from ostrom.games.repeated.matrices import matrix_of
from ostrom.games.repeated.rules import Rules
from ostrom.players.strategy import StrategyEntry
from ostrom.sim.batch import Batch
from ostrom.sim.numpy_engine import play_batch

GAME: Final = "prisoners-dilemma"


def probe(x: float, y: float) -> MemoryOne:
    """The probe at a point of the square."""
    return MemoryOne((1.0 - y, x, 1.0 - y, x), 1.0 - y)


def grid(points: int) -> Array:
    """Return evenly spaced values from 0 to 1."""
    if not 2 <= points <= 201:
        raise InputError(f"a fingerprint has from 2 to 201 points on a side, not {points}")
    return np.linspace(0.0, 1.0, points)


def exact(strategy: RepeatedStrategy, points: int = 21, matrix: str = GAME) -> Array:
    """(x, y) The fingerprint of a strategy with finitely many states, in the long run."""
    game, values = matrix_of(matrix), grid(points)
    machine = strategy.machine(game)
    if machine is None:
        raise InputError("this strategy has no finite number of states; its fingerprint can be played")
    return np.asarray([[mean_points(machine, _machine_of_probe(x, y), game)[0] for y in values] for x in values])


def _machine_of_probe(x: float, y: float) -> Machine:
    return reactive_machine([1.0 - y, x], [0, 0], [1, 1])


def played(
    game: Game,
    entry: StrategyEntry,
    points: int = 11,
    *,
    matrix: str = GAME,
    rounds: int = 200,
    games: int = 20,
    seed: int,
) -> Array:
    """(x, y) Return the fingerprint of any strategy, as the mean over games with each probe."""
    values = grid(points)
    probes = [
        StrategyEntry(f"probe:{x:g},{y:g}", "a probe", None, probe(x, y), __name__, "probe")
        for x in values
        for y in values
    ]
    met = np.repeat(np.arange(1, len(probes) + 1), games)
    seating = np.stack([np.zeros_like(met), met])
    rules = Rules(matrix=matrix, rounds=rounds)
    result = play_batch(Batch(game, rules, [entry, *probes], seating, np.arange(len(met)), seed))
    return np.asarray((result.finals[0] / rounds).reshape(points, points, games).mean(axis=-1))
