"""The strategies of repeated games, over rows: one definition plays a single game and a batch of millions. C is the
first action of a seat and D its second; in matrices with more actions these two are all that they use."""

from abc import abstractmethod
from dataclasses import dataclass
from typing import Final

from ostrom.core import InputError, Registry
from ostrom.core.arrays import Array
from ostrom.games.repeated import automata, library
from ostrom.games.repeated.machines import Four, Machine, by_the_other, of_memory_one
from ostrom.games.repeated.matrices import Matrix
from ostrom.games.repeated.rows import MemoryOne, RepeatedStrategy, drawn, remembering_one
from ostrom.games.repeated.step import RowView
from ostrom.games.repeated.theory import zero_determinant
from ostrom.players.strategy import Memory, StrategyEntry, enter, entry_of, family_of, parameter

MEMORY_ONE: Final = "memory-one"
TIT_FOR_TAT: Final[Four] = (1.0, 0.0, 1.0, 0.0)


class AllC(RepeatedStrategy):
    """Always cooperates."""

    def act(self, view: RowView, memory: Memory) -> Array:
        """C."""
        return view.constant(0)

    def machine(self, matrix: Matrix, seat: int = 0) -> Machine:
        """One state."""
        return by_the_other([1.0], [0], [0])


class AllD(RepeatedStrategy):
    """Always defects."""

    def act(self, view: RowView, memory: Memory) -> Array:
        """D."""
        return view.constant(1)

    def machine(self, matrix: Matrix, seat: int = 0) -> Machine:
        """One state."""
        return by_the_other([0.0], [0], [0])


class TitForTat(RepeatedStrategy):
    """Cooperates first, then does what the other did last."""

    def act(self, view: RowView, memory: Memory) -> Array:
        """The other's last action."""
        return view.either(view.other == 0)

    def machine(self, matrix: Matrix, seat: int = 0) -> Machine:
        """The other's last action."""
        return by_the_other([1.0, 0.0], [0, 0], [1, 1])


class TitForTwoTats(RepeatedStrategy):
    """Defects only after the other has defected twice in a row."""

    def opening(self, view: RowView) -> Memory:
        """Nothing has happened in the round before the last."""
        return (view.constant(0), view.constant(0))

    def remember(self, view: RowView, memory: Memory) -> Memory:
        """What the other did in the last two rounds."""
        return (memory[1], view.other)

    def act(self, view: RowView, memory: Memory) -> Array:
        """D after two defections."""
        return view.either((memory[0] == 0) | (memory[1] == 0))

    def machine(self, matrix: Matrix, seat: int = 0) -> Machine:
        """How often the other has just defected in a row."""
        return by_the_other([1.0, 1.0, 0.0], [0, 0, 0], [1, 2, 2])


class Grim(RepeatedStrategy):
    """Cooperates until the other defects, and defects for ever after."""

    def opening(self, view: RowView) -> Memory:
        """The other has done nothing."""
        return (view.own < 0,)

    def remember(self, view: RowView, memory: Memory) -> Memory:
        """Whether the other has ever defected."""
        return (memory[0] | (view.other != 0),)

    def act(self, view: RowView, memory: Memory) -> Array:
        """D once the other has defected."""
        return view.either(~memory[0])

    def machine(self, matrix: Matrix, seat: int = 0) -> Machine:
        """Before and after the first defection."""
        return by_the_other([1.0, 0.0], [0, 1], [1, 1])


class WinStayLoseShift(RepeatedStrategy):
    """Does the same again after the other cooperated, and changes after it defected; cooperates first."""

    def act(self, view: RowView, memory: Memory) -> Array:
        """C after both did alike."""
        return view.either((view.own == 0) == (view.other == 0))

    def machine(self, matrix: Matrix, seat: int = 0) -> Machine:
        """Of the four situations."""
        return of_memory_one((1.0, 0.0, 0.0, 1.0))


@dataclass(frozen=True)
class Random(RepeatedStrategy):
    """Cooperates with probability p, whatever happens."""

    p: float = parameter(0.5, 0, 1, "the probability of C")

    def act(self, view: RowView, memory: Memory) -> Array:
        """A coin."""
        return drawn(view, self.p + 0.0 * view.like, [self.p])

    def machine(self, matrix: Matrix, seat: int = 0) -> Machine:
        """One state."""
        return by_the_other([self.p], [0], [0])


@dataclass(frozen=True)
class Joss(RepeatedStrategy):
    """Plays tit for tat, but cooperates with probability p only where tit for tat would."""

    p: float = parameter(0.9, 0, 1, "the probability of C where tit for tat would cooperate")

    def act(self, view: RowView, memory: Memory) -> Array:
        """Sneaks in a defection."""
        after = (self.p, 0.0, self.p, 0.0)
        return remembering_one(view, [after, after], self.p)

    def machine(self, matrix: Matrix, seat: int = 0) -> Machine:
        """Of the four situations."""
        return of_memory_one((self.p, 0.0, self.p, 0.0), self.p)


@dataclass(frozen=True)
class GenerousTitForTat(RepeatedStrategy):
    """Plays tit for tat, but forgives a defection with probability g."""

    g: float = parameter(1 / 3, 0, 1, "the probability of C after the other's D")

    def act(self, view: RowView, memory: Memory) -> Array:
        """Forgives now and then."""
        after = (1.0, self.g, 1.0, self.g)
        return remembering_one(view, [after, after], 1.0)

    def machine(self, matrix: Matrix, seat: int = 0) -> Machine:
        """Of the four situations."""
        return of_memory_one((1.0, self.g, 1.0, self.g))


@dataclass(frozen=True)
class _ZeroDeterminant(RepeatedStrategy):
    """Enforces a line between both players' points, after Press and Dyson; plays tit for tat, which enforces equal
    points, where the matrix allows no such line."""

    @abstractmethod
    def line(self, matrix: Matrix, seat: int) -> Four | None:
        """The four probabilities that enforce it from a seat."""

    def probabilities(self, matrix: Matrix, seat: int) -> Four:
        """Its four probabilities at a seat."""
        return self.line(matrix, seat) or TIT_FOR_TAT

    def act(self, view: RowView, memory: Memory) -> Array:
        """By what both did last."""
        return remembering_one(view, [self.probabilities(view.rules.game, seat) for seat in (0, 1)], 1.0)

    def machine(self, matrix: Matrix, seat: int = 0) -> Machine:
        """Of the four situations."""
        return of_memory_one(self.probabilities(matrix, seat))


@dataclass(frozen=True)
class Extortion(_ZeroDeterminant):
    """Takes chi times as much above the points of mutual defection as it leaves to the other; plays tit for tat where
    the matrix allows no such line."""

    chi: float = parameter(3.0, 1, 1000, "how many times the other's surplus its own is")
    phi: float = parameter(0.5, 0.001, 1, "how strongly it reacts, as a part of what is possible")

    def line(self, matrix: Matrix, seat: int) -> Four | None:
        """The line through mutual defection."""
        return zero_determinant(matrix, seat, float(matrix.own(seat)[1, 1]), self.chi, self.phi)


@dataclass(frozen=True)
class Generosity(_ZeroDeterminant):
    """Bears chi times as much of what is lost against mutual cooperation as the other does; plays tit for tat where the
    matrix allows no such line."""

    chi: float = parameter(2.0, 1, 1000, "how many times the other's loss its own is")
    phi: float = parameter(0.5, 0.001, 1, "how strongly it reacts, as a part of what is possible")

    def line(self, matrix: Matrix, seat: int) -> Four | None:
        """The line through mutual cooperation."""
        return zero_determinant(matrix, seat, float(matrix.own(seat)[0, 0]), self.chi, self.phi)


def memory_one(text: str) -> StrategyEntry:
    """The strategy of four probabilities, or of five with that of the first round at the end."""
    right = f"write {MEMORY_ONE}:CC,CD,DC,DD with four probabilities, and a fifth for the first round if it is not 1"
    try:
        given = [float(part) for part in text.split(",")]
    except ValueError:
        raise InputError(f"{MEMORY_ONE}:{text}: these are not numbers; {right}") from None
    if len(given) not in (4, 5) or not all(0 <= p <= 1 for p in given):
        raise InputError(f"{MEMORY_ONE}:{text}: {right}, each from 0 to 1")
    cc, cd, dc, dd, first = (*given, 1.0)[:5]
    rows = MemoryOne((cc, cd, dc, dd), first)
    name = ",".join(f"{p:.12g}" for p in given)
    described = "cooperates with a probability that depends on the last round alone"
    return StrategyEntry(f"{MEMORY_ONE}:{name}", described, None, rows, __name__, "MemoryOne")


STRATEGIES: Final[Registry[StrategyEntry]] = Registry("player")
"""Who comes with the game."""
_DEFINED: Final[tuple[type[RepeatedStrategy], ...]] = (
    *(AllC, AllD, TitForTat, TitForTwoTats, Grim, WinStayLoseShift),
    *(Random, Joss, GenerousTitForTat, Extortion, Generosity),
)
for _strategy in _DEFINED:
    enter(STRATEGIES, entry_of(_strategy))
enter(
    STRATEGIES,
    family_of(
        MEMORY_ONE,
        "memory-one:CC,CD,DC,DD cooperates with these probabilities after each of the four outcomes, its own action "
        "first; a fifth is for the first round",
        memory_one,
    ),
)
enter(
    STRATEGIES,
    family_of(
        automata.FAMILY,
        "automaton:FILE.json plays the automaton that the file describes by its states",
        automata.automaton,
    ),
)
enter(
    STRATEGIES,
    family_of(
        library.FAMILY,
        "axelrod:NAME plays a strategy of the Axelrod library, such as axelrod:TitForTat; it needs 'ostrom[axelrod]'",
        library.axelrod_player,
    ),
)
