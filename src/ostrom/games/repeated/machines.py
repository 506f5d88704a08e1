"""Strategies with finitely many states, and what pairs of them come to: exactly, without playing a game. C is the first
action of a matrix of two, D the second."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, TypeAlias

import numpy as np

from ostrom.core import InputError
from ostrom.core.arrays import Array
from ostrom.games.repeated.matrices import Matrix

Four: TypeAlias = tuple[float, float, float, float]
"""The probabilities of C after CC, CD, DC and DD; one's own action comes first."""
MOST_STATES: Final = 2_000
"""So many states may a pair have together: chains are matrices of this size."""


@dataclass(frozen=True, eq=False)
class Machine:
    """A strategy as states. It starts in the first."""

    plays: Array
    """(states,) The probability of C in each."""
    after: Array
    """(states, 2, 2) The next state, by the own action and the other's as they were carried out; 0 is C."""

    @property
    def deterministic(self) -> bool:
        return bool(np.all((self.plays == 0.0) | (self.plays == 1.0)))


def by_the_other(plays: Sequence[float], after_c: Sequence[int], after_d: Sequence[int]) -> Machine:
    """The machine that goes on by what the other did, whatever it did itself."""
    follow = np.stack([np.asarray(after_c), np.asarray(after_d)], axis=1)
    return Machine(np.asarray(plays, dtype=np.float64), np.repeat(follow[:, None, :], 2, axis=1))


def of_memory_one(after: Sequence[float], first: float = 1.0) -> Machine:
    """The machine whose states are the four situations, and the beginning."""
    follow = np.broadcast_to(np.arange(1, 5).reshape(2, 2), (5, 2, 2))
    return Machine(np.asarray([first, *after], dtype=np.float64), follow)


@dataclass(frozen=True, eq=False)
class Chain:
    """What happens between two machines: the situations that can come up, from the first one on."""

    steps: Array
    """(situations, situations) With which probability one leads to another."""
    outcomes: Array
    """(situations, 4) With which probability both then do CC, CD, DC or DD."""


def chain_of(one: Machine, other: Machine, noise: float = 0.0) -> Chain:
    """The chain of two machines."""
    numbers = {(0, 0): 0}
    reached, outcomes, moves = [(0, 0)], [], []
    for here, there in reached:
        p, q = (float(who.plays[state]) for who, state in ((one, here), (other, there)))
        p, q = (chance * (1 - noise) + (1 - chance) * noise for chance in (p, q))
        likely = (p * q, p * (1 - q), (1 - p) * q, (1 - p) * (1 - q))
        outcomes.append(likely)
        for cell, chance in enumerate(likely):
            if chance > 0.0:
                mine, theirs = divmod(cell, 2)
                then = (int(one.after[here, mine, theirs]), int(other.after[there, theirs, mine]))
                if then not in numbers:
                    numbers[then] = len(reached)
                    reached.append(then)
                    if len(reached) > MOST_STATES:
                        raise InputError(f"a pair with more than {MOST_STATES:,} situations is not computed exactly")
                moves.append((numbers[here, there], numbers[then], chance))
    steps = np.zeros((len(reached), len(reached)))
    for start, end, chance in moves:
        steps[start, end] += chance
    return Chain(steps, np.asarray(outcomes))


def stationary(steps: Array, start: Array | None = None) -> Array:
    """The share of time that a chain spends in each state in the long run, from this distribution on (by default the
    first state). Where several sets of states absorb it, the start decides between them."""
    size = len(steps)
    begun = np.eye(size)[0] if start is None else np.asarray(start, dtype=np.float64)
    # The mean over time, as powers of ((1 + chain) / 2): laziness takes periods away and keeps the shares.
    power = (np.eye(size) + steps) / 2
    for _ in range(60):
        power = power @ power
        power /= power.sum(axis=1, keepdims=True)
    return np.asarray(begun @ power)


def outcome_shares(
    one: Machine, other: Machine, *, rounds: int | None = None, continuation: float | None = None, noise: float = 0.0
) -> Array:
    """(4,) The expected share of rounds in which both do CC, CD, DC and DD: of so many rounds, of a game that goes on
    with this probability after each round (expected sums over the expected number of rounds), or in the long run."""
    chain = chain_of(one, other, noise)
    if continuation is not None:
        start = np.eye(len(chain.steps))[0]
        spent = (1.0 - continuation) * np.linalg.solve(np.eye(len(start)) - continuation * chain.steps.T, start)
    elif rounds is not None:
        now, spent = np.eye(len(chain.steps))[0], np.zeros(len(chain.steps))
        for _ in range(rounds):
            spent += now / rounds
            now = now @ chain.steps
    else:
        spent = stationary(chain.steps)
    return np.asarray(spent @ chain.outcomes)


def mean_points(
    one: Machine,
    other: Machine,
    matrix: Matrix,
    *,
    rounds: int | None = None,
    continuation: float | None = None,
    noise: float = 0.0,
) -> tuple[float, float]:
    """The expected points of a round; `rounds`, `continuation`, or the long run where neither is given."""
    if not matrix.two_by_two:
        raise InputError("expected points are computed for matrices of two actions")
    shares = outcome_shares(one, other, rounds=rounds, continuation=continuation, noise=noise)
    first, second = (matrix.points.reshape(2, -1) @ shares).tolist()
    return first, second


def round_robin(machines: Sequence[Machine], matrix: Matrix, rounds: int) -> Array:
    """(machines, machines) The points that each, in a row, gets against each, in a column, in so many rounds, itself
    included. All must be deterministic: pairs are then steps through tables, for all of them at once."""
    if not all(machine.deterministic for machine in machines):
        raise InputError("a round robin without chance takes deterministic strategies")
    if not (matrix.two_by_two and matrix.symmetric):
        raise InputError("a round robin of machines takes a symmetric matrix of two actions")
    sizes = [len(machine.plays) for machine in machines]
    starts = np.concatenate([[0], np.cumsum(sizes)[:-1]])
    defects = np.concatenate([1 - machine.plays.astype(np.intp) for machine in machines])
    follow = np.concatenate([machine.after + start for machine, start in zip(machines, starts, strict=True)])
    # The next state by the state and the other's action; one's own is known from the state.
    then = follow[np.arange(len(defects)), defects].astype(np.intp).ravel()
    rows, columns = np.triu_indices(len(machines))
    one, other, cells = starts[rows], starts[columns], np.zeros((len(rows), 4), dtype=np.intp)
    flat, places = cells.ravel(), 4 * np.arange(len(rows))
    for _ in range(rounds):
        mine, theirs = defects[one], defects[other]
        flat[places + 2 * mine + theirs] += 1
        one, other = then[2 * one + theirs], then[2 * other + mine]
    points = cells @ matrix.points.reshape(2, -1).T
    table = np.zeros((len(machines), len(machines)))
    table[rows, columns], table[columns, rows] = points[:, 0], points[:, 1]
    return table
