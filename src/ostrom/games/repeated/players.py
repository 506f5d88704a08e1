"""The strategies of repeated games. Each is defined once, as a finite machine. C is the first action of a seat, and D
its second. Further actions of a matrix are never used."""

from abc import abstractmethod
from dataclasses import dataclass
from typing import Final

from typing_extensions import override

from ostrom.core import InputError, Registry
from ostrom.games.repeated import automata, library
from ostrom.games.repeated.machines import (
    Four,
    Machine,
    MemoryOne,
    RepeatedStrategy,
    memory_one_machine,
    reactive_machine,
)
from ostrom.games.repeated.matrices import PayoffMatrix
from ostrom.games.repeated.theory import zero_determinant
from ostrom.players.learned import learned_families
from ostrom.players.strategy import StrategyEntry, enter, entry_of, family_of, parameter

MEMORY_ONE: Final = "memory-one"
TIT_FOR_TAT: Final[Four] = (1.0, 0.0, 1.0, 0.0)


class AllC(RepeatedStrategy):
    """Always cooperates."""

    @override
    def machine(self, matrix: PayoffMatrix, seat: int = 0) -> Machine:
        return reactive_machine([1.0], [0], [0])


class AllD(RepeatedStrategy):
    """Always defects."""

    @override
    def machine(self, matrix: PayoffMatrix, seat: int = 0) -> Machine:
        return reactive_machine([0.0], [0], [0])


class RepeatedTitForTat(RepeatedStrategy):
    """Cooperates first, then repeats the other's last action."""

    @override
    def machine(self, matrix: PayoffMatrix, seat: int = 0) -> Machine:
        return reactive_machine([1.0, 0.0], [0, 0], [1, 1])


class TitForTwoTats(RepeatedStrategy):
    """Defects only after the other has defected twice in a row."""

    @override
    def machine(self, matrix: PayoffMatrix, seat: int = 0) -> Machine:
        # The state is the number of consecutive defections of the other up to now.
        return reactive_machine([1.0, 1.0, 0.0], [0, 0, 0], [1, 2, 2])


class Grim(RepeatedStrategy):
    """Cooperates until the other defects, and defects for ever after."""

    @override
    def machine(self, matrix: PayoffMatrix, seat: int = 0) -> Machine:
        return reactive_machine([1.0, 0.0], [0, 1], [1, 1])


class WinStayLoseShift(RepeatedStrategy):
    """Repeats its last action if the other cooperated, and changes it if the other defected; cooperates first."""

    @override
    def machine(self, matrix: PayoffMatrix, seat: int = 0) -> Machine:
        return memory_one_machine((1.0, 0.0, 0.0, 1.0))


@dataclass(frozen=True)
class RandomActions(RepeatedStrategy):
    """Cooperates with probability p, regardless of the past."""

    p: float = parameter(0.5, 0, 1, "the probability of C")

    @override
    def machine(self, matrix: PayoffMatrix, seat: int = 0) -> Machine:
        return reactive_machine([self.p], [0], [0])


@dataclass(frozen=True)
class Joss(RepeatedStrategy):
    """Plays tit for tat, but cooperates only with probability p where tit for tat cooperates."""

    p: float = parameter(0.9, 0, 1, "the probability of C where tit for tat would cooperate")

    @override
    def machine(self, matrix: PayoffMatrix, seat: int = 0) -> Machine:
        return memory_one_machine((self.p, 0.0, self.p, 0.0), self.p)


@dataclass(frozen=True)
class GenerousTitForTat(RepeatedStrategy):
    """Plays tit for tat, but forgives a defection with probability g."""

    g: float = parameter(1 / 3, 0, 1, "the probability of C after the other's D")

    @override
    def machine(self, matrix: PayoffMatrix, seat: int = 0) -> Machine:
        return memory_one_machine((1.0, self.g, 1.0, self.g))


@dataclass(frozen=True)
class _ZeroDeterminant(RepeatedStrategy):
    """Enforces a linear relation between both players' points, after Press and Dyson. If the matrix does not allow this
    relation, it plays tit for tat, which enforces equal points."""

    @abstractmethod
    def line(self, matrix: PayoffMatrix, seat: int) -> Four | None:
        """Return the four probabilities that enforce the relation from a seat. Return None if the matrix does not allow
        it."""

    @override
    def machine(self, matrix: PayoffMatrix, seat: int = 0) -> Machine:
        return memory_one_machine(self.line(matrix, seat) or TIT_FOR_TAT)


@dataclass(frozen=True)
class Extortion(_ZeroDeterminant):
    """Enforces a surplus over the points of mutual defection that is chi times the other's; plays tit for tat if the
    matrix does not allow this."""

    chi: float = parameter(3.0, 1, 1000, "how many times the other's surplus its own is")
    phi: float = parameter(0.5, 0.001, 1, "how strongly it reacts, as a part of what is possible")

    @override
    def line(self, matrix: PayoffMatrix, seat: int) -> Four | None:
        return zero_determinant(matrix, seat, float(matrix.own(seat)[1, 1]), self.chi, self.phi)


@dataclass(frozen=True)
class Generosity(_ZeroDeterminant):
    """Enforces a loss against the points of mutual cooperation that is chi times the other's; plays tit for tat if the
    matrix does not allow this."""

    chi: float = parameter(2.0, 1, 1000, "how many times the other's loss its own is")
    phi: float = parameter(0.5, 0.001, 1, "how strongly it reacts, as a part of what is possible")

    @override
    def line(self, matrix: PayoffMatrix, seat: int) -> Four | None:
        return zero_determinant(matrix, seat, float(matrix.own(seat)[0, 0]), self.chi, self.phi)


def memory_one(text: str) -> StrategyEntry:
    """Return the memory-one strategy with four probabilities. A fifth one, if given, is that of the first round. Raises
    `InputError` for a text of another form."""
    syntax = f"write {MEMORY_ONE}:CC,CD,DC,DD with four probabilities, and a fifth for the first round if it is not 1"
    try:
        numbers = [float(part) for part in text.split(",")]
    except ValueError:
        raise InputError(f"{MEMORY_ONE}:{text}: these are not numbers; {syntax}") from None
    if len(numbers) not in (4, 5) or not all(0 <= p <= 1 for p in numbers):
        raise InputError(f"{MEMORY_ONE}:{text}: {syntax}, each from 0 to 1")
    cc, cd, dc, dd, first = (*numbers, 1.0)[:5]
    rows = MemoryOne((cc, cd, dc, dd), first)
    name = ",".join(f"{p:.12g}" for p in numbers)
    description = "cooperates with a probability that depends on the last round alone"
    return StrategyEntry(f"{MEMORY_ONE}:{name}", description, None, rows, __name__, "MemoryOne")


STRATEGIES: Final[Registry[StrategyEntry]] = Registry("player")
"""The strategies that come with the game."""
_CLASSES: Final[dict[str, type[RepeatedStrategy]]] = {
    "AllC": AllC,
    "AllD": AllD,
    "TitForTat": RepeatedTitForTat,
    "TitForTwoTats": TitForTwoTats,
    "Grim": Grim,
    "WinStayLoseShift": WinStayLoseShift,
    "Random": RandomActions,
    "Joss": Joss,
    "GenerousTitForTat": GenerousTitForTat,
    "Extortion": Extortion,
    "Generosity": Generosity,
}
for _name, _class in _CLASSES.items():
    enter(STRATEGIES, entry_of(_class, _name))
_FAMILIES: Final = (
    family_of(
        MEMORY_ONE,
        "memory-one:CC,CD,DC,DD cooperates with these probabilities after each of the four outcomes, its own action "
        "first; a fifth is for the first round",
        memory_one,
    ),
    family_of(
        automata.FAMILY,
        "automaton:FILE.json plays the automaton that the file describes by its states",
        automata.automaton,
    ),
    family_of(
        library.FAMILY,
        "axelrod:NAME plays a strategy of the Axelrod library, such as axelrod:TitForTat; it needs 'ostrom[axelrod]'",
        library.axelrod_player,
    ),
    *learned_families("ostrom.games.repeated.learned:member"),
)
for _family in _FAMILIES:
    enter(STRATEGIES, _family)
