"""The array form of a game, which the batch engine plays: a turn is a sequence of phases, and in each phase every seat
that moves decides at once.

Arrays of a table have the shape (seats, games), arrays of games the shape (games,). A *row* is one seat of one game;
the rows of a strategy are the seats that it holds, in any number of games."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from operator import attrgetter
from typing import Any, ClassVar, Generic, Literal, Protocol, TypeAlias

import numpy as np
from typing_extensions import TypeVar

from ostrom.core.arrays import Array, namespace
from ostrom.core.chance import uniform_rows
from ostrom.core.questions import Question

Moves: TypeAlias = Mapping[str, Array]
"""The decisions of a phase, by field: arrays of rows where a strategy decides, (seats, games) where a game receives
them. A field that no seat at these tables ever fills in is missing."""

Rules = TypeVar("Rules", default=Any)
State = TypeVar("State", default=Any)


@dataclass(frozen=True, slots=True)
class OneSeat:
    """The same seat in every game of the batch: rows are games, and nothing is copied."""

    seat: int

    def of_games(self, games: Array) -> Array:
        """Rows are games."""
        return games

    def of_tables(self, table: Array) -> Array:
        """Rows are games."""
        return table

    def of_seats(self, table: Array) -> Array:
        """Return the row of one seat."""
        return table[self.seat]


@dataclass(frozen=True, slots=True)
class ManySeats:
    """Any seat of any game: row r is seat `seat[r]` of game `game[r]`."""

    seat: Array
    game: Array
    flat: Array
    """The position of each row's own entry in a table read row after row."""

    @classmethod
    def of(cls, seat: Array, game: Array, games: int) -> "ManySeats":
        """Return the rows at these seats of a batch of this many games."""
        return cls(seat, game, seat * games + game)

    def of_games(self, games: Array) -> Array:
        """From an array of games, each row's game: (games,) → (rows,)."""
        return namespace(games).take(games, self.game)

    def of_tables(self, table: Array) -> Array:
        """From an array of seats, each row's whole table: (seats, games) → (seats, rows)."""
        return namespace(table).take(table, self.game, axis=1)

    def of_seats(self, table: Array) -> Array:
        """From an array of seats, each row's own entry: (seats, games) → (rows,)."""
        xp = namespace(table)
        return xp.take(xp.reshape(table, (-1,)), self.flat)


Pick: TypeAlias = OneSeat | ManySeats
"""The rows of a batch that a strategy holds; `seat` is the seat of each row: one number, or an array of rows."""


class Picked:
    """A quantity of a view that has a `table` and a `pick`: an array of the table, picked for the rows when it is first
    read."""

    def __init__(self, way: Literal["of_games", "of_tables", "of_seats"], path: str) -> None:
        self._way = way
        self._read = attrgetter(path)

    def __set_name__(self, owner: type, name: str) -> None:
        self._name = name

    def __get__(self, view: Any, owner: type) -> Array:
        if view is None:  # read on the class, as documentation does
            return self
        found = vars(view)[self._name] = getattr(view.pick, self._way)(self._read(view.table))
        return found


@dataclass(frozen=True, slots=True)
class Draws:
    """The chance of many games at once."""

    games: Array
    """The number of each game, which names its draws."""
    key: tuple[Any, Any]
    """The generator's key."""

    def uniform(self, purpose: str, turn: Any, seat: Any = 0, draw: int = 0, *, single: bool = False) -> Array:
        """Return a number in [0, 1) for each game, as `Chance.uniform` gives it to a single one."""
        return uniform_rows(self.key, self.games, purpose, turn, seat, draw, single=single)

    def of_rows(self, pick: Pick) -> "Draws":
        """Return the chance of these rows' games."""
        return Draws(pick.of_games(self.games), self.key)


@dataclass(frozen=True, slots=True)
class Field:
    """A part of a move."""

    name: str
    absent: float = 0.0
    """The value at a seat that does not move, or never fills it in."""
    dtype: str | None = None
    """The name of its type in the array library; without it, the type of the arrays that the game is played in."""
    every_seat: bool = True
    """Whether each seat has a row of it. Else seats that never fill it in may have none."""


# Rules that differ from game to game.


def stacked(points: Sequence[Rules], which: Array) -> Rules:
    """Return the rules of many games as one value: (games,) `which` is the index of each game's rules among the points.
    A number that differs between the points becomes an array (games,); everything else must be equal in all points."""
    first, found = points[0], {}
    for name, value in vars(first).items():
        values = [getattr(point, name) for point in points]
        if any(other != value for other in values):
            if not all(is_number(other) for other in values):
                raise ValueError(f"{name} differs between the rules and is not a number")
            found[name] = np.asarray(values)[which]
    return with_numbers(first, found)


def is_number(value: Any) -> bool:
    """Return whether a rule is a number, which an array can replace; a switch is not."""
    return isinstance(value, int | float) and not isinstance(value, bool)


def with_numbers(rules: Rules, numbers: Mapping[str, Any]) -> Rules:
    """Return the rules with arrays, or other numbers, in place of numbers."""
    model: Any = rules
    found: Rules = model.model_copy(update=dict(numbers)) if numbers else rules
    return found


def varying(rules: Any) -> dict[str, Array]:
    """Return the rules that differ from game to game, by name: arrays (games,)."""
    return {name: value for name, value in vars(rules).items() if getattr(value, "ndim", 0) == 1}


def each_array(rules: Rules, change: Callable[[Array], Array]) -> Rules:
    """Return the rules with their arrays changed, as for fewer games, or for rows: `each_array(rules,
    pick.of_games)`."""
    return with_numbers(rules, {name: change(values) for name, values in varying(rules).items()})


def rules_of(rules: Rules, game: int) -> Rules:
    """Return the rules of one game of a batch."""
    return each_array(rules, lambda values: values[game].item())


class ArrayForm(ABC, Generic[Rules, State]):
    """A game over arrays. All its functions are pure; the state is a tuple of arrays, of `None`s and of such tuples,
    with games on the last axis of every array.

    Rules that set shapes or branches are constants of a compiled game. All others should be named in `arguments`: then
    one compiled game serves all their values, and games of one batch can have different ones. For such a rule the
    functions may be handed an array (games,) in the place of a number, and under JAX a traced value; a view gives its
    rows those of their games, by `each_array(rules, pick.of_games)`."""

    dtype: ClassVar[str] = "float64"
    """The type of its arrays. Games over floating point can also be played in single precision."""
    arguments: ClassVar[Collection[str]] = ()
    """The rules for which an array can stand in the place of a number."""
    in_turns: ClassVar[bool] = False
    """Whether a seat that is not asked now may be asked later: meanwhile its player decides nothing, and remembers what
    it remembered."""

    @abstractmethod
    def phases(self, rules: Rules) -> Sequence[str]:
        """Return the phases of a turn in order, by the names of questions."""

    @abstractmethod
    def fields(self, rules: Rules, phase: str) -> Sequence[Field]:
        """Return the fields of a move of a phase."""

    def needed(self, rules: Rules, phase: str, makers: Mapping[str, Array]) -> Sequence[Field]:
        """Return the fields that can matter, given for each field the number of seats of each game (games,) that ever
        fill it in."""
        return self.fields(rules, phase)

    def remark(self, rules: Rules, seats: int, makers: Mapping[str, int]) -> str:
        """Return a remark below standings on what is impossible at tables of this many seats, given for each field the
        largest number of seats of any table that ever fill it in."""
        return ""

    @abstractmethod
    def init(self, rules: Rules, seats: int, like: Array, fields: frozenset[str]) -> State:
        """Return the state before the first turn, for as many games as `like` has elements and in its type and library.
        `fields` are those that can matter."""

    @abstractmethod
    def observe(self, rules: Rules, phase: str, turn: Any, state: State, draws: Draws) -> Any:
        """Return what can be seen of the tables in a phase; `view` gives each strategy its rows of it. The turn is
        counted from 1, and is a traced number under JAX."""

    @abstractmethod
    def view(self, seen: Any, pick: Pick) -> Any:
        """Return the rows of one strategy."""

    def movers(self, rules: Rules, phase: str, state: State) -> Array | None:
        """(seats, games) Who moves in a phase; None where everybody does."""
        return None

    def legal(self, rules: Rules, phase: str, state: State) -> Mapping[str, tuple[Array, Array]]:
        """Return the least and the most that each seat may put into a field; fields with other kinds of bounds are left
        out."""
        return {}

    @abstractmethod
    def step(self, rules: Rules, phase: str, turn: Any, state: State, moves: Moves, draws: Draws) -> State:
        """Return the state after all moves of a phase."""

    def ends(self, rules: Rules, turn: Any, draws: Draws) -> Array | None:
        """(games,) Which games end after this turn, where that is for rules and chance alone to say. None where it is
        for play to say too, by `done`."""
        return None

    def done(self, rules: Rules, turn: Any, state: State) -> Array:
        """(games,) Which games are over after this turn; asked where `ends` does not say."""
        raise TypeError(f"{type(self).__name__} says neither by ends nor by done which games are over")

    @abstractmethod
    def finals(self, rules: Rules, state: State) -> Array:
        """(seats, games) What each seat holds, as `Game.finals` tells it of a finished game."""

    def figures(self, rules: Rules, turn: Any, state: State) -> Mapping[str, Array]:
        """(seats, games) What else standings tell of a finished game, by name."""
        return {}

    def turns_in(self, rules: Rules, turn: Any, state: State) -> Array | None:
        """(seats, games) In how many turns each seat decided; None where all did in every turn."""
        return None

    def length(self, rules: Rules, turn: Any, state: State) -> Array | None:
        """(games,) How many turns there were, as the questions of a single game count them; None where those are the
        turns of the arrays. Roles that are asked in turns of their own may be phases of one turn here."""
        return None

    # For strategies that a search finds, which know no game.

    def bounds(self, view: Any, field: str) -> tuple[Array, Array] | None:
        """Return the least and the most that each row of a view may put into a field, as arrays of its type; None if it
        is no quantity, or is not asked now. Only fields with bounds are searched as numbers."""
        return None

    def features(self, view: Any) -> Sequence[Array]:
        """Return the inputs of such a strategy for each row, as numbers of about 0 to 1: always as many, in the same
        order."""
        return ()

    # Between a single game and arrays.

    @abstractmethod
    def view_of(self, question: Question, draws: Draws) -> Any:
        """Return the view of a strategy over rows in a single game, as rows of one game; None if a phase is not asked
        over arrays."""

    @abstractmethod
    def answer_of(self, question: Question, moves: Mapping[str, Any]) -> object:
        """Return the answer with the fields of one row."""

    @abstractmethod
    def moves_of(self, phase: str, answer: Any) -> Mapping[str, Any]:
        """Return the fields of one row with an answer."""

    def notes(self, rules: Rules, seats: int) -> "BatchQuestions | None":
        """Return the questions of one game of a batch, for strategies in plain Python; None if the game itself must ask
        them, which always works and is slower."""
        return None


class BatchQuestions(Protocol):
    """Follows one game of a batch, so that strategies in plain Python see what they would see in a single game."""

    def question(self, phase: str, turn: int, state: Any, column: int, seat: int) -> Question:
        """Return the question to a seat that moves in this phase."""

    def take_in(self, phase: str, turn: int, moves: Moves, state: Any, column: int) -> None:
        """Note what a phase brought."""


@dataclass(frozen=True)
class KernelResult:
    """The results of games, in their order."""

    turns: Array
    """(games,) How long each lasted."""
    finals: Array
    """(seats, games)"""
    turns_in: Array
    """(seats, games) In how many turns each seat decided."""
    figures: Mapping[str, Array]
    """(seats, games) By name, as `ArrayForm.figures` has them."""

    @classmethod
    def empty(cls, seats: int, games: int, figures: Sequence[str]) -> "KernelResult":
        """Room for what comes out."""
        whole, shape = np.int64, (seats, games)
        made = {name: np.empty(shape) for name in figures}
        return cls(np.empty(games, dtype=whole), np.empty(shape), np.empty(shape, dtype=whole), made)


class Kernel(Protocol):
    """A game's array form once more, compiled: it plays whole games one after the other, and lets other threads run
    meanwhile. What comes out is what the array form says: the same moves and ranks, amounts to within rounding."""

    def covers(self, strategies: Sequence[Any]) -> bool:
        """Return whether it implements these strategies over rows."""

    def play(
        self, rules: Any, strategies: Sequence[Any], seating: Array, games: Array, key: tuple[int, int]
    ) -> KernelResult:
        """Play the games with these numbers to their end; `seating` (seats, games) has the places of strategies."""


@dataclass(frozen=True, eq=False)
class DecisionProcess:
    """Situations, the actions in each, what an action gains and where it leads. It starts in the first situation."""

    actions: tuple[str, ...]
    """The names of the actions."""
    gains: Array
    """(situations, actions) The mean gain of a turn."""
    leads: Array
    """(situations, actions, situations) The probability that one leads to another."""
    turns: int | None
    """The number of turns; None where each is followed by another with probability `continuation`."""
    continuation: float
    strategy: Callable[[Array], Any]
    """The strategy over rows that follows a plan: (turns, situations) the number of the action in each turn, where the
    last row holds for all turns after it."""
    text: Callable[[Array], str]
    """The text of a file that holds a plan."""
    family: str
    """The family of players that reads such a file."""
