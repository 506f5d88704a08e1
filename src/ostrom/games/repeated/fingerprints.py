"""Ashlock fingerprints (Ashlock and Kim 2008): the mean points of a strategy against probes over the unit square. The
probe at (x, y) plays tit for tat, but cooperates with probability x after D and defects with probability y after C."""

from typing import Final

import numpy as np

from ostrom.core import InputError
from ostrom.core.arrays import Array
from ostrom.core.game import Game
from ostrom.games.repeated.machines import MemoryOne, RepeatedStrategy, mean_points, reactive_machine
from ostrom.games.repeated.matrices import matrix_of
from ostrom.games.repeated.rules import Rules
from ostrom.players.strategy import StrategyEntry
from ostrom.sim.batch import Batch
from ostrom.sim.numpy_engine import play_batch

GAME: Final = "prisoners-dilemma"


def probe(x: float, y: float) -> MemoryOne:
    """Return the probe at a point of the square."""
    return MemoryOne((1.0 - y, x, 1.0 - y, x), 1.0 - y)


def grid(points: int) -> Array:
    """Return evenly spaced values from 0 to 1."""
    if not 2 <= points <= 201:
        raise InputError(f"a fingerprint has from 2 to 201 points on a side, not {points}")
    return np.linspace(0.0, 1.0, points)


def exact(strategy: RepeatedStrategy, points: int = 21, matrix: str = GAME) -> Array:
    """Return the fingerprint of a strategy with finitely many states in the long run, (x, y)."""
    game, values = matrix_of(matrix), grid(points)
    machine = strategy.machine(game)

    def points_at(x: float, y: float) -> float:
        return mean_points(machine, reactive_machine([1.0 - y, x], [0, 0], [1, 1]), game)[0]

    return np.asarray([[points_at(x, y) for y in values] for x in values])


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
    """Return the fingerprint of any strategy as the mean over games with each probe, (x, y)."""
    values = grid(points)
    probes = [
        StrategyEntry(f"probe:{x:g},{y:g}", "a probe", None, probe(x, y), __name__, "probe")
        for x in values
        for y in values
    ]
    opponents = np.repeat(np.arange(1, len(probes) + 1), games)
    seating = np.stack([np.zeros_like(opponents), opponents])
    rules = Rules(matrix=matrix, rounds=rounds)
    result = play_batch(Batch(game, rules, [entry, *probes], seating, np.arange(len(opponents)), seed))
    return np.asarray((result.finals[0] / rounds).reshape(points, points, games).mean(axis=-1))
