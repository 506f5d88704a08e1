"""What the strategies of repeated games are made of: the base of those over rows, and the large class of those that
remember one round."""

from abc import abstractmethod
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Any

from ostrom.core.arrays import Array
from ostrom.core.step import Moves
from ostrom.games.repeated.machines import Four, Machine, of_memory_one
from ostrom.games.repeated.matrices import Matrix
from ostrom.games.repeated.play import CHOICE
from ostrom.games.repeated.step import STEP, RowView
from ostrom.players.strategy import Memory, RowStrategy


class RepeatedStrategy(RowStrategy):
    """A strategy over rows: what it does, and what it remembers of having done it."""

    step = STEP

    def decide(self, phase: str, view: RowView, memory: Memory, fields: Collection[str]) -> tuple[Moves, Memory]:
        """Choose."""
        return {CHOICE: self.act(view, memory)}, memory

    @abstractmethod
    def act(self, view: RowView, memory: Memory) -> Array:
        """The number of an action, for each row."""

    def machine(self, matrix: Matrix, seat: int = 0) -> Machine | None:
        """The same as states, at a seat of a matrix of two actions; None where it has no finite number of them."""
        return None


def drawn(view: RowView, probability: Any, values: Sequence[float]) -> Array:
    """C with this probability, for each row. Nothing is drawn where it can only be one of these values, and all of them
    are certain."""
    if all(value in (0.0, 1.0) for value in values):
        return view.either(probability > 0.5)
    return view.either(view.draw() < probability)


@dataclass(frozen=True)
class MemoryOne(RepeatedStrategy):
    """Cooperates with a probability that depends on the last round alone."""

    after: Four
    """The probabilities of C after CC, CD, DC and DD; one's own action comes first."""
    first: float = 1.0
    """The probability of C in the first round."""

    def act(self, view: RowView, memory: Memory) -> Array:
        """By what both did last."""
        return remembering_one(view, [self.after, self.after], self.first)

    def machine(self, matrix: Matrix, seat: int = 0) -> Machine:
        """Five states."""
        return of_memory_one(self.after, self.first)


def remembering_one(view: RowView, after: Sequence[Four], first: float) -> Array:
    """What a strategy with a memory of one round does, given its probabilities in each of the two seats."""
    xp = view.xp
    cc, cd, dc, dd = (view.of_seat((one, other)) for one, other in zip(after[0], after[1], strict=True))
    own, other = view.own == 0, view.other == 0
    then = xp.where(own, xp.where(other, cc, cd), xp.where(other, dc, dd))
    now = xp.where(xp.asarray(view.round == 1), first, then)
    return drawn(view, now, [*after[0], *after[1], first])
