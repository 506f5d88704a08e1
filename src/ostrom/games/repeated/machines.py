"""Strategies with finitely many states: how they play over rows, and the exact results of a pair without playing a
game. C is the first action of a seat, and D any other."""

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
"""The probabilities of C after CC, CD, DC and DD; one's own action comes first."""
MAX_PAIR_STATES: Final = 2_000
"""The states that a pair may have together: chains are matrices of this size."""


@dataclass(frozen=True, eq=False)
class Machine:
    """A strategy as states. It starts in the first."""

    plays: Array
    """(states,) The probability of C in each."""
    after: Array
    """(states, 2, 2) The next state, by the own action and the other's as they were carried out; 0 is C."""

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
        """The next states in one row: by state, own action and the other's action, or without the own action if the
        machine ignores it."""
        table = self.after[:, 0] if self.ignores_own else self.after
        return table.astype(np.int32).ravel()


def reactive_machine(plays: Sequence[float], after_c: Sequence[int], after_d: Sequence[int]) -> Machine:
    """Return the machine whose next state depends on its state and the other's action alone."""
    by_other = np.stack([np.asarray(after_c), np.asarray(after_d)], axis=1)
    return Machine(np.asarray(plays, dtype=np.float64), np.repeat(by_other[:, None, :], 2, axis=1))


def memory_one_machine(after: Sequence[float], first: float = 1.0) -> Machine:
    """Return the machine whose states are the first round and the four outcomes of the last round."""
    by_outcome = np.broadcast_to(np.arange(1, 5).reshape(2, 2), (5, 2, 2))
    return Machine(np.asarray([first, *after], dtype=np.float64), by_outcome)


class RepeatedStrategy(RowStrategy):
    """A strategy over rows that has states: its machine is its only definition, and says what it does in a single
    game, in a batch and in exact computations."""

    step = STEP

    @abstractmethod
    def machine(self, matrix: PayoffMatrix, seat: int = 0) -> Machine:
        """Return its states at a seat of a matrix. Only a machine with a memory of one round may depend on the seat."""

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
        """Return its machine at the seat of all rows, or its machines at both seats if the rows differ in it."""
        seats = (view.seat,) if isinstance(view.seat, int) else (0, 1)
        return [_machine_at(self, view.rules.game, seat) for seat in seats]


@lru_cache(maxsize=1024)
def _machine_at(strategy: RepeatedStrategy, matrix: PayoffMatrix, seat: int) -> Machine:
    # A single game looks it up in every round.
    return strategy.machine(matrix, seat)


def _after_last_round(view: PairRows, machines: Sequence[Machine]) -> Array:
    """Return the actions of a strategy with a memory of one round, for each row."""
    tables = [machine.memory_one for machine in machines if machine.memory_one]
    certain = all(machine.deterministic for machine in machines)
    if certain:
        tables = [tuple(1.0 - p for p in table) for table in tables]
    first, cc, cd, dc, dd = (view.of_seat((by_seat[0], by_seat[-1])) for by_seat in zip(*tables, strict=True))
    other_cooperated = view.other == 0
    now = _select(view, other_cooperated, cc, cd)
    if not (_same(cc, dc) and _same(cd, dd)):
        now = _select(view, view.own == 0, now, _select(view, other_cooperated, dc, dd))
    # Before the first round both actions read as C.
    if not _same(first, cc):
        now = view.xp.where(view.xp.asarray(view.round == 1), first, now)
    if not certain:
        return view.either(view.draw() < now)
    return view.constant(int(now)) if isinstance(now, float) else view.xp.astype(now, view.own.dtype)


def _same(first: Any, second: Any) -> bool:
    return isinstance(first, float) and isinstance(second, float) and first == second


def _select(view: PairRows, condition: Array, yes: Any, no: Any) -> Any:
    """Return `yes` where the condition holds and `no` elsewhere; a number if both are the same number."""
    return yes if _same(yes, no) else view.xp.where(condition, yes, no)


@dataclass(frozen=True)
class MemoryOne(RepeatedStrategy):
    """Cooperates with a probability that depends on the last round alone."""

    after: Four
    """The probabilities of C after CC, CD, DC and DD; one's own action comes first."""
    first: float = 1.0
    """The probability of C in the first round."""

    @override
    def machine(self, matrix: PayoffMatrix, seat: int = 0) -> Machine:
        return memory_one_machine(self.after, self.first)


# Exact results.


@dataclass(frozen=True, eq=False)
class PairChain:
    """The Markov chain of two machines, over the pairs of states that can be reached from the first."""

    steps: Array
    """(pairs, pairs) The probability that one leads to another."""
    outcomes: Array
    """(pairs, 4) The probabilities of CC, CD, DC and DD in each."""


def build_chain(one: Machine, other: Machine, noise: float = 0.0) -> PairChain:
    """Return the chain of two machines. Raises `InputError` where it has more than `MAX_PAIR_STATES` states."""
    numbers = {(0, 0): 0}
    reached, outcomes, moves = [(0, 0)], [], []
    for state, other_state in reached:
        p, q = (chance * (1 - noise) + (1 - chance) * noise for chance in _chances(one, state, other, other_state))
        probabilities = (p * q, p * (1 - q), (1 - p) * q, (1 - p) * (1 - q))
        outcomes.append(probabilities)
        for cell, chance in enumerate(probabilities):
            if chance > 0.0:
                action, reply = divmod(cell, 2)
                then = (int(one.after[state, action, reply]), int(other.after[other_state, reply, action]))
                if then not in numbers:
                    numbers[then] = len(reached)
                    reached.append(then)
                    if len(reached) > MAX_PAIR_STATES:
                        raise InputError(
                            f"a pair with more than {MAX_PAIR_STATES:,} situations is not computed exactly"
                        )
                moves.append((numbers[state, other_state], numbers[then], chance))
    steps = np.zeros((len(reached), len(reached)))
    for start, end, chance in moves:
        steps[start, end] += chance
    return PairChain(steps, np.asarray(outcomes))


def _chances(one: Machine, state: int, other: Machine, other_state: int) -> tuple[float, float]:
    return float(one.plays[state]), float(other.plays[other_state])


def stationary(steps: Array, start: Array | None = None) -> Array:
    """Return the share of time that a chain spends in each state in the long run, from a distribution (by default the
    first state). Where several sets of states absorb it, the start decides between them."""
    size = len(steps)
    distribution = np.eye(size)[0] if start is None else np.asarray(start, dtype=np.float64)
    # The mean over time, as powers of ((1 + chain) / 2): laziness removes periods and leaves the shares as they are.
    power = (np.eye(size) + steps) / 2
    for _ in range(60):
        power = power @ power
        power /= power.sum(axis=1, keepdims=True)
    return np.asarray(distribution @ power)


def outcome_shares(
    one: Machine, other: Machine, *, rounds: int | None = None, continuation: float | None = None, noise: float = 0.0
) -> Array:
    """(4,) Return the expected shares of rounds with CC, CD, DC and DD: of this number of rounds, of a game with this
    probability of another round (expected sums over the expected number of rounds), or in the long run."""
    chain = build_chain(one, other, noise)
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
    one: Machine,
    other: Machine,
    matrix: PayoffMatrix,
    *,
    rounds: int | None = None,
    continuation: float | None = None,
    noise: float = 0.0,
) -> tuple[float, float]:
    """Return the expected points of a round, of `rounds`, of `continuation`, or by default in the long run."""
    if not matrix.two_by_two:
        raise InputError("expected points are computed for matrices of two actions")
    shares = outcome_shares(one, other, rounds=rounds, continuation=continuation, noise=noise)
    first, second = (matrix.points.reshape(2, -1) @ shares).tolist()
    return first, second


def round_robin(machines: Sequence[Machine], matrix: PayoffMatrix, rounds: int) -> Array:
    """(machines, machines) Return the points that each, in a row, gets against each, in a column, itself included. All
    must be deterministic: pairs are then steps through tables, for all of them at once."""
    if not all(machine.deterministic for machine in machines):
        raise InputError("a round robin without chance needs deterministic strategies")
    if not (matrix.two_by_two and matrix.symmetric):
        raise InputError("a round robin of machines needs a symmetric matrix of two actions")
    sizes = [len(machine.plays) for machine in machines]
    starts = np.concatenate([[0], np.cumsum(sizes)[:-1]])
    defects = np.concatenate([1 - machine.plays.astype(np.intp) for machine in machines])
    after = np.concatenate([machine.after + start for machine, start in zip(machines, starts, strict=True)])
    # The next state by the state and the other's action; one's own is known from the state.
    then = after[np.arange(len(defects)), defects].astype(np.intp).ravel()
    rows, columns = np.triu_indices(len(machines))
    one, other, cells = starts[rows], starts[columns], np.zeros((len(rows), 4), dtype=np.intp)
    flat, places = cells.ravel(), 4 * np.arange(len(rows))
    for _ in range(rounds):
        action, reply = defects[one], defects[other]
        flat[places + 2 * action + reply] += 1
        one, other = then[2 * one + reply], then[2 * other + action]
    points = cells @ matrix.points.reshape(2, -1).T
    table = np.zeros((len(machines), len(machines)))
    table[rows, columns], table[columns, rows] = points[:, 0], points[:, 1]
    return table
