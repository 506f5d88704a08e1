"""Strategies as finite machines. This module plays them in batches and computes the exact expected results of a pair of
them. C is the first action of a seat, and D any other action."""

from abc import abstractmethod
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Any, Final, TypeAlias

import numpy as np
from typing_extensions import override

from ostrom.core import InputError
from ostrom.core.arrays import Array
from ostrom.core.step import Moves
from ostrom.games.repeated.matrices import PayoffMatrix
from ostrom.games.repeated.play import CHOICE
from ostrom.games.repeated.step import STEP, PairRows
from ostrom.players.strategy import Memory, RowStrategy

Four: TypeAlias = tuple[float, float, float, float]
"""The probabilities of C after CC, CD, DC and DD. The player's own action comes first."""
MAX_PAIR_STATES: Final = 2_000
"""The largest number of states in the Markov chain of a pair. Its matrix has this many rows and columns."""


@dataclass(frozen=True, eq=False)
class Machine:
    """A strategy as a machine, which starts in its first state."""

    plays: Array
    """(states,) The probability of C in each state."""
    after: Array
    """(states, 2, 2) The next state, indexed by state, own action and the other's action. Both actions are those after
    the noise. Action 0 is C."""

    @cached_property
    def deterministic(self) -> bool:
        """True if every state plays C or D with certainty."""
        return bool(np.all((self.plays == 0.0) | (self.plays == 1.0)))

    @cached_property
    def memory_one(self) -> tuple[float, ...] | None:
        """The probabilities of C in the first round and after CC, CD, DC and DD, or None if they depend on more than
        the last round."""
        if not np.all(self.after == self.after[0]):
            return None
        return float(self.plays[0]), *self.plays[self.after[0]].ravel().tolist()

    @cached_property
    def ignores_own(self) -> bool:
        """True if the next state does not depend on the own action."""
        return bool(np.all(self.after[:, 0] == self.after[:, 1]))

    @cached_property
    def transitions(self) -> Array:
        """The next states as a flat array, ordered by state, own action and the other's action. If the machine ignores
        its own actions, the array has no axis for them."""
        table = self.after[:, 0] if self.ignores_own else self.after
        return table.astype(np.int32).ravel()


def reactive_machine(plays: Sequence[float], after_c: Sequence[int], after_d: Sequence[int]) -> Machine:
    """Return a machine whose next state depends only on the other's action."""
    by_other = np.stack([np.asarray(after_c), np.asarray(after_d)], axis=1)
    return Machine(np.asarray(plays, dtype=np.float64), np.repeat(by_other[:, None, :], 2, axis=1))


def memory_one_machine(after: Sequence[float], first: float = 1.0) -> Machine:
    """Return a machine whose states are the first round and the four outcomes of the last round."""
    by_outcome = np.broadcast_to(np.arange(1, 5).reshape(2, 2), (5, 2, 2))
    return Machine(np.asarray([first, *after], dtype=np.float64), by_outcome)


class RepeatedStrategy(RowStrategy):
    """A strategy that is defined by a finite machine alone. The machine is used in single games, in batches and in
    exact computations."""

    step = STEP

    @abstractmethod
    def machine(self, matrix: PayoffMatrix, seat: int = 0) -> Machine:
        """Return the strategy's machine at a seat of a matrix. The machine may depend on the seat only if it has a
        memory of one round."""

    @override
    def opening(self, view: PairRows) -> Memory:
        if self._machines(view)[0].memory_one:
            return ()
        return (view.xp.astype(view.constant(0), view.xp.int32),)

    @override
    def remember(self, view: PairRows, memory: Memory) -> Memory:
        if not memory:
            return memory
        machine = self._machines(view)[0]
        place = memory[0] if machine.ignores_own else 2 * memory[0] + (view.own != 0)
        place = 2 * place + (view.other != 0)
        return (view.xp.take(view.xp.asarray(machine.transitions), place),)

    @override
    def decide(self, phase: str, view: PairRows, memory: Memory, fields: Collection[str]) -> tuple[Moves, Memory]:
        machines = self._machines(view)
        if not memory:
            return {CHOICE: _after_last_round(view, machines)}, memory
        machine = machines[0]
        if machine.deterministic:
            actions = view.xp.asarray(1 - machine.plays, dtype=view.own.dtype)
            return {CHOICE: view.xp.take(actions, memory[0])}, memory
        probabilities = view.xp.asarray(machine.plays, dtype=view.like.dtype)
        return {CHOICE: view.either(view.draw() < view.xp.take(probabilities, memory[0]))}, memory

    def _machines(self, view: PairRows) -> list[Machine]:
        """Return the strategy's machine at the seat that all rows have. If rows have different seats, return the
        machines at both seats."""
        seats = (view.seat,) if isinstance(view.seat, int) else (0, 1)
        return [_machine_at(self, view.table.rules.game, seat) for seat in seats]


@lru_cache(maxsize=1024)
def _machine_at(strategy: RepeatedStrategy, matrix: PayoffMatrix, seat: int) -> Machine:
    # A single game needs the machine in every round, so it is cached.
    return strategy.machine(matrix, seat)


def _after_last_round(view: PairRows, machines: Sequence[Machine]) -> Array:
    """Return the actions of a strategy with a memory of one round, for each row."""
    tables = [machine.memory_one for machine in machines if machine.memory_one]
    certain = all(machine.deterministic for machine in machines)
    if certain:
        tables = [tuple(1.0 - p for p in table) for table in tables]
    first, cc, cd, dc, dd = tables[0] if len(tables) == 1 else map(view.of_seat, zip(*tables, strict=True))
    # For a strategy that ignores the other's action, this comparison costs no time.
    other_cooperated = None if _same(cc, cd) and _same(dc, dd) else view.other == 0
    now = _select(view, other_cooperated, cc, cd)
    if not (_same(cc, dc) and _same(cd, dd)):
        now = _select(view, view.own == 0, now, _select(view, other_cooperated, dc, dd))
    # Before the first round, both last actions are taken to be C.
    if not _same(first, cc):
        now = view.xp.where(view.xp.asarray(view.round == 1), first, now)
    if not certain:
        return view.either(view.draw() < now)
    return view.constant(int(now)) if isinstance(now, float) else view.xp.astype(now, view.own.dtype)


def _same(first: Any, second: Any) -> bool:
    return isinstance(first, float) and isinstance(second, float) and first == second


def _select(view: PairRows, condition: Array | None, yes: Any, no: Any) -> Any:
    """Return an array that is `yes` where the condition holds and `no` elsewhere. If both are the same number, return
    that number."""
    return yes if _same(yes, no) else view.xp.where(condition, yes, no)


@dataclass(frozen=True)
class MemoryOne(RepeatedStrategy):
    """Cooperates with a probability that depends on the last round alone."""

    after: Four
    """The probabilities of C after CC, CD, DC and DD. The player's own action comes first."""
    first: float = 1.0
    """The probability of C in the first round."""

    @override
    def machine(self, matrix: PayoffMatrix, seat: int = 0) -> Machine:
        return memory_one_machine(self.after, self.first)


# The following functions compute exact results.


@dataclass(frozen=True, eq=False)
class PairChain:
    """The Markov chain of two machines. Its states are the pairs of states that can be reached from the first pair."""

    steps: Array
    """(pairs, pairs) The probability of the transition from one pair of states to another."""
    outcomes: Array
    """(pairs, 4) The probabilities of CC, CD, DC and DD in each pair of states."""


def build_chain(machine: Machine, other: Machine, noise: float = 0.0) -> PairChain:
    """Return the Markov chain of two machines that play each other. Raises `InputError` if the chain has more than
    `MAX_PAIR_STATES` states."""
    numbers = {(0, 0): 0}
    reached, outcomes, moves = [(0, 0)], [], []
    for state, other_state in reached:
        chances = float(machine.plays[state]), float(other.plays[other_state])
        p, q = (chance * (1 - noise) + (1 - chance) * noise for chance in chances)
        probabilities = (p * q, p * (1 - q), (1 - p) * q, (1 - p) * (1 - q))
        outcomes.append(probabilities)
        for cell, chance in enumerate(probabilities):
            if chance > 0.0:
                action, reply = divmod(cell, 2)
                then = (int(machine.after[state, action, reply]), int(other.after[other_state, reply, action]))
                if then not in numbers:
                    numbers[then] = len(reached)
                    reached.append(then)
                    if len(reached) > MAX_PAIR_STATES:
                        raise InputError(
                            f"this pair has more than {MAX_PAIR_STATES:,} combined states, too many for an exact result"
                        )
                moves.append((numbers[state, other_state], numbers[then], chance))
    steps = np.zeros((len(reached), len(reached)))
    for start, end, chance in moves:
        steps[start, end] += chance
    return PairChain(steps, np.asarray(outcomes))


def stationary(steps: Array, start: Array | None = None) -> Array:
    """Return the share of time that a chain spends in each state in the long run. The chain starts from the
    distribution `start`, by default the first state. The start matters if there are several absorbing sets."""
    size = len(steps)
    distribution = np.eye(size)[0] if start is None else np.asarray(start, dtype=np.float64)
    # Powers of the lazy chain (1 + steps) / 2 converge to the time average, even for a periodic chain.
    power = (np.eye(size) + steps) / 2
    for _ in range(60):
        power = power @ power
        power /= power.sum(axis=1, keepdims=True)
    return np.asarray(distribution @ power)


def outcome_shares(
    machine: Machine,
    other: Machine,
    *,
    rounds: int | None = None,
    continuation: float | None = None,
    noise: float = 0.0,
) -> Array:
    """Return the expected shares of rounds with CC, CD, DC and DD. They are computed for a fixed number of `rounds`, or
    for a game with a probability of another round (as a ratio of expectations). By default, they are those of the long
    run."""
    chain = build_chain(machine, other, noise)
    start = np.eye(len(chain.steps))[0]
    if continuation is not None:
        shares = (1.0 - continuation) * np.linalg.solve(np.eye(len(start)) - continuation * chain.steps.T, start)
    elif rounds is not None:
        now, shares = start, np.zeros(len(chain.steps))
        for _ in range(rounds):
            shares += now / rounds
            now = now @ chain.steps
    else:
        shares = stationary(chain.steps)
    return np.asarray(shares @ chain.outcomes)


def mean_points(
    machine: Machine,
    other: Machine,
    matrix: PayoffMatrix,
    *,
    rounds: int | None = None,
    continuation: float | None = None,
    noise: float = 0.0,
) -> tuple[float, float]:
    """Return the expected points per round of both players. The arguments are the same as for `outcome_shares`."""
    if not matrix.two_by_two:
        raise InputError("expected points are computed for matrices of two actions")
    shares = outcome_shares(machine, other, rounds=rounds, continuation=continuation, noise=noise)
    first, second = (matrix.points.reshape(2, -1) @ shares).tolist()
    return first, second


def round_robin(machines: Sequence[Machine], matrix: PayoffMatrix, rounds: int) -> Array:
    """Return the points of each machine (row) against each machine (column), including itself. All machines must be
    deterministic. So all pairs can be played at once by table lookups."""
    if not all(machine.deterministic for machine in machines):
        raise InputError("a round robin without chance needs deterministic strategies")
    if not (matrix.two_by_two and matrix.symmetric):
        raise InputError("a round robin of machines needs a symmetric matrix of two actions")
    sizes = [len(machine.plays) for machine in machines]
    starts = np.concatenate([[0], np.cumsum(sizes)[:-1]])
    defects = np.concatenate([1 - machine.plays.astype(np.intp) for machine in machines])
    after = np.concatenate([machine.after + start for machine, start in zip(machines, starts, strict=True)])
    # The next state, indexed by the state and the other's action. The own action needs no index, since the state
    # determines it.
    then = after[np.arange(len(defects)), defects].astype(np.intp).ravel()
    rows, columns = np.triu_indices(len(machines))
    state, other = starts[rows], starts[columns]
    cells = np.zeros((len(rows), 4), dtype=np.intp)
    flat, places = cells.ravel(), 4 * np.arange(len(rows))
    for _ in range(rounds):
        action, reply = defects[state], defects[other]
        flat[places + 2 * action + reply] += 1
        state, other = then[2 * state + reply], then[2 * other + action]
    points = cells @ matrix.points.reshape(2, -1).T
    table = np.zeros((len(machines), len(machines)))
    table[rows, columns], table[columns, rows] = points[:, 0], points[:, 1]
    return table
