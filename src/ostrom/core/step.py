"""The array form of a game, for the batch engine. A turn is a sequence of phases; all seats that move in a phase decide
simultaneously.

Arrays of a table have the shape (seats, games); arrays of games have the shape (games,). A *row* is one seat of one
game; the rows of a strategy are its seats in any number of games."""

import math
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
"""The decisions of a phase, by field. For each field, a strategy returns an array over its rows, and a game receives an
array (seats, games). A field is left out if no player's strategy ever sets it."""

Rules = TypeVar("Rules", default=Any)
State = TypeVar("State", default=Any)


@dataclass(frozen=True, slots=True)
class OneSeat:
    """The rows of a strategy that has the same seat in every game of the batch. Each row is a game, so no array needs
    to be copied."""

    seat: int

    def of_games(self, games: Array) -> Array:
        """Return the array unchanged, since each row is one game."""
        return games

    def of_tables(self, table: Array) -> Array:
        """Return the table unchanged, since each row is one game."""
        return table

    def of_seats(self, table: Array) -> Array:
        """Return the entries of this seat: (seats, games) → (games,)."""
        return table[self.seat]


@dataclass(frozen=True, slots=True)
class ManySeats:
    """The rows of a strategy that may have any seat of any game: row r is seat `seat[r]` of game `game[r]`."""

    seat: Array
    game: Array
    flat: Array
    """The index of each row's entry in a table that is flattened to one dimension."""

    @classmethod
    def of(cls, seat: Array, game: Array, games: int) -> "ManySeats":
        """Return the rows for these seats of these games, in a batch of `games` games."""
        return cls(seat, game, seat * games + game)

    def of_games(self, games: Array) -> Array:
        """Return the entry of each row's game: (games,) → (rows,)."""
        return namespace(games).take(games, self.game)

    def of_tables(self, table: Array) -> Array:
        """Return all seats of each row's game: (seats, games) → (seats, rows)."""
        return namespace(table).take(table, self.game, axis=1)

    def of_seats(self, table: Array) -> Array:
        """Return each row's own entry: (seats, games) → (rows,)."""
        xp = namespace(table)
        return xp.take(xp.reshape(table, (-1,)), self.flat)


Pick: TypeAlias = OneSeat | ManySeats
"""The selection of the rows that a strategy has in a batch. `seat` is one number, or an array with the seat of each
row."""


class Picked:
    """A lazy attribute of a view that has a `table` and a `pick`. When the attribute is first read, the entries of the
    view's rows are selected from an array of the table."""

    def __init__(self, method: Literal["of_games", "of_tables", "of_seats"], path: str) -> None:
        self._method = method
        self._read = attrgetter(path)

    def __set_name__(self, owner: type, name: str) -> None:
        self._name = name

    def __get__(self, view: Any, owner: type) -> Array:
        if view is None:  # Documentation tools read this attribute on the class.
            return self
        values = vars(view)[self._name] = getattr(view.pick, self._method)(self._read(view.table))
        return values


@dataclass(frozen=True, slots=True)
class Draws:
    """The random draws of many games at once."""

    games: Array
    """The number of each game, which determines the game's draws."""
    key: tuple[Any, Any]
    """The key of the random generator."""

    def uniform(self, purpose: str, turn: Any, seat: Any = 0, draw: int = 0, *, single: bool = False) -> Array:
        """Return a number in [0, 1) for each game, equal to `Chance.uniform`."""
        return uniform_rows(self.key, self.games, purpose, turn, seat, draw, single=single)

    def of_rows(self, pick: Pick) -> "Draws":
        """Return the draws of the games to which these rows belong."""
        return Draws(pick.of_games(self.games), self.key)


@dataclass(frozen=True, slots=True)
class Field:
    """A part of a move, such as an amount or a choice."""

    name: str
    absent: float = 0.0
    """The value for a seat that does not move, or whose strategy never sets this field."""
    dtype: str | None = None
    """The name of the field's type in the array library; by default the type of the game's arrays."""
    every_seat: bool = True
    """True if arrays of the field have a row for every seat. Otherwise, seats that never set the field may have no
    row."""

    def __post_init__(self) -> None:
        # Two values of NaN are equal only if they are one object, and a game is compiled once for equal fields.
        if math.isnan(self.absent):
            object.__setattr__(self, "absent", math.nan)


# The following functions are for batches in which rules differ from game to game.


def stacked(points: Sequence[Rules], which: Array) -> Rules:
    """Return the rules of many games as one value; `which` (games,) has the index of each game's rules in `points`. A
    number that differs between points becomes an array (games,). Raise ValueError if anything else differs."""
    first = points[0]
    arrays = {}
    for name, value in vars(first).items():
        values = [getattr(point, name) for point in points]
        if any(other != value for other in values):
            if not all(is_number(other) for other in values):
                raise ValueError(f"{name} differs between the rules and is not a number")
            arrays[name] = np.asarray(values)[which]
    return with_numbers(first, arrays)


def is_number(value: Any) -> bool:
    """Return whether a rule is a number, so that an array can replace it; a boolean is not a number."""
    return isinstance(value, int | float) and not isinstance(value, bool)


def with_numbers(rules: Rules, numbers: Mapping[str, Any]) -> Rules:
    """Return the rules with some numbers replaced by other numbers or by arrays."""
    model: Any = rules
    copy: Rules = model.model_copy(update=dict(numbers)) if numbers else rules
    return copy


def varying(rules: Any) -> dict[str, Array]:
    """Return the rules that differ from game to game, which are arrays (games,), by name."""
    return {name: value for name, value in vars(rules).items() if getattr(value, "ndim", 0) == 1}


def each_array(rules: Rules, change: Callable[[Array], Array]) -> Rules:
    """Return the rules with a function applied to their arrays: `each_array(rules, pick.of_games)`."""
    return with_numbers(rules, {name: change(values) for name, values in varying(rules).items()})


def rules_of(rules: Rules, game: int) -> Rules:
    """Return the rules of one game of a batch, in which rules may be arrays."""
    return each_array(rules, lambda values: values[game].item())


class ArrayForm(ABC, Generic[Rules, State]):
    """A game over arrays. All functions are pure. The state is a nested tuple of arrays and `None`; the last axis of
    every array is the games.

    Rules that determine shapes or branches are constants of a compiled game. All other rules should be named in
    `arguments`: then one compiled game works for all their values, and games of one batch can have different values. In
    place of such a number, functions may receive an array (games,) and, under JAX, a traced value; a view converts
    these arrays to rows with `each_array(rules, pick.of_games)`.
    """

    dtype: ClassVar[str] = "float64"
    """The type of the game's arrays. A game with floating-point arrays can also be played in single precision."""
    arguments: ClassVar[Collection[str]] = ()
    """The rules that may be arrays instead of numbers."""
    of_games: ClassVar[Collection[str]] = ()
    """The names of figures that describe whole games, such as efficiency. For each of them, `figures` returns one
    number per game, (games,). Sweeps and searches for rules treat them as measures of the table, not of its players."""
    shares: ClassVar[Collection[str]] = ()
    """The names of figures that lie between 0 and 1; their intervals are limited to this range."""
    in_turns: ClassVar[bool] = False
    """True if seats move in different phases. The memory of a player then changes only in the phases in which this
    player moves."""

    def covers(self, rules: Rules) -> bool:
        """Return whether the array form can play games with these rules. Games with other rules are played one by one,
        as those of a game without an array form."""
        return True

    @abstractmethod
    def phases(self, rules: Rules) -> Sequence[str]:
        """Return the phases of a turn in order; questions name them in the same way."""

    @abstractmethod
    def fields(self, rules: Rules, phase: str) -> Sequence[Field]:
        """Return the fields of a move in a phase."""

    def needed(self, rules: Rules, phase: str, makers: Mapping[str, Array]) -> Sequence[Field]:
        """Return the fields that can have an effect. For each field, `makers` has an array (games,): the number of
        seats whose players ever set the field."""
        return self.fields(rules, phase)

    def remark(self, rules: Rules, seats: int, makers: Mapping[str, int]) -> str:
        """Return a remark, printed below standings, on decisions that are impossible with this number of seats. For
        each field, `makers` has the largest number of seats at a table whose players ever set the field."""
        return ""

    @abstractmethod
    def init(self, rules: Rules, seats: int, like: Array, fields: frozenset[str], draws: Draws) -> State:
        """Return the state before the first turn. `like` (games,) determines the number of games, the type and the
        library; `fields` are the fields that can have an effect; `draws` are the games' random draws, such as for
        private values."""

    @abstractmethod
    def observe(self, rules: Rules, phase: str, turn: Any, state: State, draws: Draws) -> Any:
        """Return the observable state of the tables in a phase. `view` selects rows of it. The turn is counted from 1,
        and is a traced number under JAX."""

    @abstractmethod
    def view(self, seen: Any, pick: Pick) -> Any:
        """Return the rows of one strategy, selected from the result of `observe`."""

    def movers(self, rules: Rules, phase: str, state: State) -> Array | None:
        """Return whether each seat moves in a phase (seats, games); None if all seats move."""
        return None

    def legal(self, rules: Rules, phase: str, state: State) -> Mapping[str, tuple[Array, Array]]:
        """Return the smallest and the largest legal value of each field for each seat. Fields without such bounds are
        left out."""
        return {}

    @abstractmethod
    def step(self, rules: Rules, phase: str, turn: Any, state: State, moves: Moves, draws: Draws) -> State:
        """Return the state after all moves of a phase."""

    def ends(self, rules: Rules, turn: Any, draws: Draws) -> Array | None:
        """Return whether each game ends after this turn (games,), if rules and chance alone determine the end. Return
        None if the end also depends on moves; `done` is then called instead."""
        return None

    def done(self, rules: Rules, turn: Any, state: State) -> Array:
        """Return whether each game is over after this turn (games,); used if `ends` returns None."""
        raise TypeError(f"{type(self).__name__} must define ends or done")

    @abstractmethod
    def finals(self, rules: Rules, state: State) -> Array:
        """Return the final result of each seat (seats, games), equal to `Game.finals` of a finished game."""

    def figures(self, rules: Rules, turn: Any, state: State) -> Mapping[str, Array]:
        """Return further columns of standings by name: each is (seats, games), or (games,) if it is named in
        `of_games`."""
        return {}

    def limits(self, rules: Rules, seats: int) -> Mapping[str, tuple[float, float]]:
        """Return the smallest and the largest possible value of figures, by name. Intervals of these figures are
        limited to this range. By default only the figures in `shares` have limits."""
        return dict.fromkeys(self.shares, (0.0, 1.0))

    def turns_in(self, rules: Rules, turn: Any, state: State) -> Array | None:
        """Return the number of turns in which each seat decided (seats, games); None if all decided in every turn."""
        return None

    def length(self, rules: Rules, turn: Any, state: State) -> Array | None:
        """Return the number of turns (games,) as the questions of a single game count them. Return None if it equals
        the number of turns over arrays. The two numbers differ if roles move in separate turns of a single game but in
        phases of one turn over arrays."""
        return None

    # The following methods are for the search for strategies, which works for any game.

    def bounds(self, view: Any, field: str) -> tuple[Array, Array] | None:
        """Return the minimum and maximum of a field for each row of a view, as arrays of its type; None if the field is
        not a quantity or this phase does not ask for it. Searches for strategies vary only fields with bounds."""
        return None

    def features(self, view: Any) -> Sequence[Array]:
        """Return the inputs of a searched strategy for each row, scaled to about the range from 0 to 1, in a fixed
        order."""
        return ()

    # Conversions between a single game and arrays.

    @abstractmethod
    def view_of(self, question: Question, draws: Draws) -> Any:
        """Return the view of one question as an array view with a single row. Return None if the array form has no such
        phase."""

    @abstractmethod
    def answer_of(self, question: Question, moves: Mapping[str, Any]) -> object:
        """Return the answer to a question from the fields of one row."""

    @abstractmethod
    def moves_of(self, phase: str, answer: Any) -> Mapping[str, Any]:
        """Return the fields of one row for an answer."""

    def notes(self, rules: Rules, seats: int) -> "BatchQuestions | None":
        """Return an object that makes the questions of one game of a batch, for strategies in plain Python. If this
        returns None, the game's generator makes the questions, which is slower."""
        return None


class BatchQuestions(Protocol):
    """An object that makes the questions of one game of a batch. Their views equal those of a single game."""

    def question(self, phase: str, turn: int, state: Any, column: int, seat: int) -> Question:
        """Return the question to a seat that moves in this phase; `column` is the game's index in the state."""

    def take_in(self, phase: str, turn: int, moves: Moves, state: Any, column: int) -> None:
        """Record the moves of a phase."""


@dataclass(frozen=True)
class KernelResult:
    """The results of games, in the order in which the games were requested."""

    turns: Array
    """(games,) The number of turns."""
    finals: Array
    """(seats, games)"""
    turns_in: Array
    """(seats, games) The number of turns in which each seat decided."""
    figures: Mapping[str, Array]
    """Further columns of standings by name, each (seats, games), as `ArrayForm.figures` returns them."""

    @classmethod
    def empty(cls, seats: int, games: int, figures: Sequence[str]) -> "KernelResult":
        """Return uninitialised arrays for the results."""
        shape = (seats, games)
        columns = {name: np.empty(shape) for name in figures}
        return cls(np.empty(games, dtype=np.int64), np.empty(shape), np.empty(shape, dtype=np.int64), columns)


class Kernel(Protocol):
    """A compiled version of a game's array form. It plays the games one after another, without holding Python's global
    interpreter lock. Moves and ranks equal those of the array form; amounts are equal up to rounding."""

    def covers(self, strategies: Sequence[Any]) -> bool:
        """Return whether the kernel implements all these strategies over rows."""

    def play(
        self, rules: Any, strategies: Sequence[Any], seating: Array, games: Array, key: tuple[int, int]
    ) -> KernelResult:
        """Play the games with these numbers. `seating` (seats, games) has the index of the strategy in each seat."""


@dataclass(frozen=True, eq=False)
class DecisionProcess:
    """A Markov decision process: situations, actions, rewards and transitions. It starts in the first situation."""

    actions: tuple[str, ...]
    gains: Array
    """(situations, actions) The mean reward of an action in a turn."""
    leads: Array
    """(situations, actions, situations) Transition probabilities."""
    turns: int | None
    """The number of turns; None if another turn follows each turn with probability `continuation`."""
    continuation: float
    strategy: Callable[[Array], Any]
    """A function that returns the strategy over rows for a plan. A plan is an array (turns, situations) of action
    numbers; its last row applies to all later turns."""
    text: Callable[[Array], str]
    """A function that returns the content of a file that stores a plan."""
    family: str
    """The name of the family of players that can read such files."""
