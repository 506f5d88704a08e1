"""Ashlock fingerprints: what a strategy scores in a round against probes of tit for tat that cooperate anyway with
probability x and defect anyway with probability y, over the unit square (Ashlock and Kim 2008). Beyond x + y = 1 the
dual probe is met with 1 − x and 1 − y; both are the strategy that cooperates with probability 1 − y after C and with
probability x after D."""

from typing import Final

import numpy as np

from ostrom.core import InputError
from ostrom.core.arrays import Array
from ostrom.core.game import Game
from ostrom.games.repeated.automata import Automaton
from ostrom.games.repeated.matrices import Matrix, matrix_of
from ostrom.games.repeated.rows import MemoryOne
from ostrom.games.repeated.rules import Rules
from ostrom.games.repeated.theory import long_run, stationary
from ostrom.players.strategy import StrategyEntry
from ostrom.sim.batch import Batch
from ostrom.sim.numpy_engine import play_batch

GAME: Final = "prisoners-dilemma"


def probe(x: float, y: float) -> MemoryOne:
    """The probe at a point of the square."""
    return MemoryOne((1.0 - y, x, 1.0 - y, x), 1.0 - y)


def grid(points: int) -> Array:
    """So many values from 0 to 1."""
    if not 2 <= points <= 201:
        raise InputError(f"a fingerprint has from 2 to 201 points on a side, not {points}")
    return np.linspace(0.0, 1.0, points)


def exact(strategy: MemoryOne | Automaton, points: int = 21, matrix: str = GAME) -> Array:
    """(x, y) The fingerprint of a finite strategy, in the long run."""
    game, values = matrix_of(matrix), grid(points)
    score = _of_memory_one if isinstance(strategy, MemoryOne) else _of_automaton
    return np.asarray([[score(strategy, probe(x, y), game) for y in values] for x in values])  # type: ignore[operator]


def _of_memory_one(strategy: MemoryOne, met: MemoryOne, game: Matrix) -> float:
    return long_run(strategy.after, met.after, game, first=(strategy.first, met.first))[0]


def _of_automaton(strategy: Automaton, met: MemoryOne, game: Matrix) -> float:
    """The chain over the automaton's state and what the other does in it."""
    states, points = len(strategy.plays), game.own(0)
    plays = np.asarray(strategy.plays)
    after = np.asarray([strategy.after_c, strategy.after_d])
    # The probe looks at the strategy's own last action alone: 1 − y after C, x after D.
    cooperates = plays * met.after[0] + (1.0 - plays) * met.after[1]
    chain = np.zeros((2 * states, 2 * states))
    for other in (0, 1):
        for state in range(states):
            then = after[other, state]
            chain[other * states + state, then] += cooperates[state]
            chain[other * states + state, states + then] += 1.0 - cooperates[state]
    start = np.zeros(2 * states)
    start[0], start[states] = met.first, 1.0 - met.first
    shares = stationary(chain, start).reshape(2, states)
    own = np.stack([plays, 1.0 - plays])
    return float(sum(shares[other] @ (points[:, other] @ own) for other in (0, 1)))


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
    """(x, y) The fingerprint of any strategy, as the mean over so many games of so many rounds with each probe."""
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
