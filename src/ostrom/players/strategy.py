"""Strategies: algorithms that play games, and the adapter with which a strategy takes a seat in a game.

A *strategy* is a class whose instance plays one seat of one game in plain Python, or a function that answers one
question. A *row strategy* decides for any number of rows at once, without branches, so that one definition serves a
single game and a batch of millions. A strategy may have both forms. In this case, the batch engine uses the row
strategy."""

import difflib
import inspect
import math
import sys
from abc import ABC, abstractmethod
from collections.abc import Callable, Collection, Mapping
from contextlib import redirect_stdout
from dataclasses import dataclass, field, fields, is_dataclass, replace
from functools import partial
from itertools import count
from typing import Any, ClassVar, Generic, TypeAlias

import numpy as np
from typing_extensions import TypeVar, override

from ostrom.core import Chance, GameChance, InputError, PlayerFault, Question, Registry, Seat
from ostrom.core.chance import key_of
from ostrom.core.game import Game
from ostrom.core.plugins import GAMES
from ostrom.core.step import ArrayForm, Draws, Moves
from ostrom.players.base import NoAnswer, Player

Draw: TypeAlias = Callable[[], float]
"""A function that returns a new random number in [0, 1) at each call. The game's seed determines all of these
numbers."""
Memory: TypeAlias = Any
"""The memory of a row strategy: a tuple of arrays whose last axis has one entry for each row."""
View = TypeVar("View", default=Any)


class Strategy(ABC, Generic[View]):
    """Base class of strategies. There is one instance per game and seat, so attributes of `self` can store the memory
    of that game. The first sentence of the docstring is its description, unless `description` is set. A dataclass can
    have parameters, which users set after a colon: `Patient:rounds=3`."""

    description: ClassVar[str] = ""
    rows: ClassVar["RowStrategy | None"] = None
    """The strategy in the form that decides for many rows at once, if it has this form."""

    @abstractmethod
    def answer(self, question: Question[View], draw: Draw) -> object:
        """Return the answer to a question in plain data. `question.view` has all that the seat may know,
        `question.phase` is the kind of question, and `question.spec` specifies legal answers. `draw` is the only source
        of chance."""

    def purpose(self, question: Question[View]) -> str:
        """Return the purpose of the strategy's draws for a question. It separates them from all other draws of the
        game."""
        return f"strategy/{question.phase}"


class RowStrategy(ABC):
    """A strategy that decides for many games at once, one row per seat of a game. The first sentence of its docstring
    is its description. It has no state: its memory is an argument. Like a `Strategy`, it can have parameters if it is a
    frozen dataclass."""

    description: ClassVar[str] = ""
    step: ClassVar[ArrayForm]
    """The array form of its game."""

    @property
    def name(self) -> str:
        return type(self).__name__

    def makes(self, field: str) -> bool:
        """Return whether the strategy ever sets this field of its moves."""
        return True

    def opening(self, view: Any) -> Memory:
        """Return the memory before the first turn."""
        return ()

    def remember(self, view: Any, memory: Memory) -> Memory:
        """Return the memory after the last turn. This is called before the decisions of every turn except the first. If
        seats move in turn, it is called only for turns in which the seat is asked."""
        return memory

    @abstractmethod
    def decide(self, phase: str, view: Any, memory: Memory, fields: Collection[str]) -> tuple[Moves, Memory]:
        """Return the moves of a phase for each row, in these fields, and the new memory."""

    def with_settings(self, settings: Mapping[str, float]) -> "RowStrategy":
        """Return the same strategy with these parameters."""
        changed: RowStrategy = replace(self, **settings)  # type: ignore[type-var]
        return changed

    def answer(self, question: Question) -> object:
        """Return the answer to a question that is not asked over rows, such as a request for a message. By default,
        this is the question's fallback."""
        return question.fallback


# Parameters.


def parameter(default: float, low: float, high: float, meaning: str) -> Any:
    """Declare a parameter of a strategy that is a dataclass, with its default, range and meaning."""
    return field(default=default, metadata={"low": low, "high": high, "meaning": meaning})


@dataclass(frozen=True, slots=True)
class Parameter:
    """A setting of a strategy."""

    name: str
    default: float
    low: float
    high: float
    meaning: str


# Entries of the registry.


@dataclass(frozen=True, repr=False)
class StrategyEntry:
    """A strategy that can be seated, any number of times."""

    name: str
    description: str
    scalar: Callable[..., Strategy] | None
    """A function that returns the instance for one seat of one game. It is None if the strategy plays only over
    rows."""
    rows: RowStrategy | None
    module: str
    """The module that defines it."""
    qualname: str
    settings: tuple[tuple[str, float], ...] = ()
    member: Callable[[str], "StrategyEntry"] | None = None
    """For a family of strategies: a function that returns the member that the text after the colon names. A family
    itself cannot be seated."""
    tests_faults: bool = False
    """True if the strategy's only purpose is to give no valid answers. Such a strategy plays only if a user names it,
    and never by default."""

    @property
    def plays_by_default(self) -> bool:
        """True if the strategy plays when the user names no players."""
        return self.member is None and not self.tests_faults

    def __repr__(self) -> str:
        return f"<strategy {self.name[:200]}>"

    @property
    def origin(self) -> str:
        """Its origin: 'built-in', or the file or package that defines it."""
        return "built-in" if self.module.startswith("ostrom.games.") else self.module

    @property
    def parameters(self) -> tuple[Parameter, ...]:
        """The settings of the strategy. Many strategies have a noise, which is listed last."""
        holder: Any = self.rows if self.scalar is None else self.scalar
        if not is_dataclass(holder):
            return ()
        declared: list[Any] = [entry for entry in fields(holder) if entry.metadata]
        parameters = (Parameter(entry.name, entry.default, **entry.metadata) for entry in declared)
        return tuple(sorted(parameters, key=lambda parameter: parameter.name == "noise"))

    def make(self) -> Strategy:
        """Return a new instance with the settings of this entry."""
        assert self.scalar is not None
        return self.scalar(**dict(self.settings))

    def sit(self, seat: Seat, chance: Chance) -> Player:
        """Return a new player for one seat of one game."""
        if self.scalar is not None:
            return StrategyPlayer(self, seat, chance)
        assert self.rows is not None
        if not isinstance(chance, GameChance):
            raise InputError(f"{self.name} draws random numbers; it cannot play in a game without a seed")
        return RowPlayer(self.rows, chance)

    def with_settings(self, text: str) -> "StrategyEntry":
        """Return the same strategy with the parameters after the colon of a name. In the new name, the parameters are
        in the order of their declaration. Raises `InputError` for unknown or invalid parameters."""
        full_name = f"{self.name}:{text}"
        if self.member is not None:
            return self.member(text)
        known = {parameter.name: parameter for parameter in self.parameters}
        if not known:
            raise InputError(f"{full_name!r}: {self.name} has no parameters; write it as {self.name}")
        values: dict[str, float] = {}
        for part in text.split(","):
            key, equals, value = (piece.strip() for piece in part.partition("="))
            if not equals:
                first = next(iter(known.values()))
                example = f"{self.name}:{first.name}={first.default:g}"
                raise InputError(f"{full_name!r}: {part!r} is not a setting; write it as in {example}")
            if key not in known:
                raise InputError(f"{full_name!r}: {self.name} has no parameter {key!r}; {_nearest(key, known)}")
            if key in values:
                raise InputError(f"{full_name!r}: {key} is set twice; set it once")
            values[key] = _number(full_name, known[key], value)
        settings = tuple((key, values[key]) for key in known if key in values)
        suffix = ",".join(f"{key}={value:.12g}" for key, value in settings)
        rows = None if self.rows is None else self.rows.with_settings(values)
        return replace(self, name=f"{self.name}:{suffix}", settings=settings, rows=rows)


def _number(text: str, known: Parameter, value: str) -> float:
    expected = f"{known.name} must be a number from {known.low:g} to {known.high:g}"
    try:
        number = float(value)
    except ValueError:
        raise InputError(f"{text!r}: {value!r} is not a number; {expected}") from None
    if not math.isfinite(number) or not known.low <= number <= known.high:
        raise InputError(f"{text!r}: {value} is out of range; {expected}")
    return number


def _nearest(key: str, known: Collection[str]) -> str:
    matches = difflib.get_close_matches(key, known, n=1, cutoff=0.5)
    return f"did you mean {matches[0]}?" if matches else f"it has {' and '.join(known)}"


def find_strategy(registry: Registry[StrategyEntry], text: str) -> StrategyEntry:
    """Return the strategy that a text names, such as 'exponential' or 'exponential:delta=0.9,noise=0.03'."""
    name, colon, settings = text.strip().partition(":")
    entry = registry[name]
    if not colon and entry.member is not None:
        raise InputError(f"{name} is a family of strategies: {entry.description}")
    return entry.with_settings(settings) if colon else entry


# The next classes are strategies in a seat.


class StrategyPlayer:
    """A strategy in plain Python in one seat of one game. If the strategy raises an exception, a `PlayerFault` with the
    strategy's name is raised."""

    def __init__(self, entry: StrategyEntry, seat: Seat, chance: Chance) -> None:
        self._name = entry.name
        self._seat = seat
        self._chance = chance
        self._own = entry.module.startswith("ostrom.games.")
        self._strategy: Strategy = self._call("when it sat down", entry.make)

    def answer(self, question: Question) -> object:
        """Return the strategy's answer."""
        purpose, numbers = self._strategy.purpose(question), count()

        def draw() -> float:
            return self._chance.uniform(purpose, question.turn, self._seat.index, next(numbers))

        return self._call(f"in turn {question.turn}", self._strategy.answer, question, draw)

    def _call(self, when: str, method: Callable[..., Any], *arguments: object) -> Any:
        try:
            if self._own:
                return method(*arguments)
            with redirect_stdout(sys.stderr):  # standard output is for results
                return method(*arguments)
        except (NoAnswer, PlayerFault):
            raise
        except (Exception, SystemExit) as error:
            text = f"{type(error).__name__}: {error}" if str(error) else type(error).__name__
            raise PlayerFault(f"{self._name} (seat {self._seat}) raised {' '.join(text.split())} {when}") from error


class RowPlayer:
    """A row strategy in a single game, as a batch of one row."""

    def __init__(self, strategy: RowStrategy, chance: GameChance) -> None:
        self._strategy = strategy
        self._draws = Draws(np.asarray([chance.game], dtype=np.uint64), key_of(chance.seed))
        self._memory: Memory = None
        self._turn = 0

    def answer(self, question: Question) -> object:
        """Return the strategy's answer."""
        strategy, step = self._strategy, self._strategy.step
        view = step.view_of(question, self._draws)
        if view is None:
            return strategy.answer(question)
        rules = question.view.rules
        begins = question.phase == step.phases(rules)[0]
        if self._turn == 0:
            self._memory = strategy.opening(view)
        # If the first question to a seat comes in a later turn, `remember` is also called for the turn before.
        if self._turn != question.turn and (self._turn or (begins and question.turn > 1)):
            self._memory = strategy.remember(view, self._memory)
        self._turn = question.turn
        fields = [field.name for field in step.fields(rules, question.phase)]
        moves, self._memory = strategy.decide(question.phase, view, self._memory, fields)
        return step.answer_of(question, {name: values[0] for name, values in moves.items()})


class FunctionStrategy(Strategy):
    """A function of one question as a strategy. If the function has a second parameter, it receives the draw."""

    def __init__(self, function: Callable[..., object]) -> None:
        self._function = function
        self._draws = len(inspect.signature(function).parameters) > 1

    @override
    def answer(self, question: Question, draw: Draw) -> object:
        return self._function(question, draw) if self._draws else self._function(question)


# Registration.

Definition: TypeAlias = type[Strategy] | type[RowStrategy] | Callable[..., object]
"""A strategy in the form in which its author writes it: a class, or a function of a question."""
Defined = TypeVar("Defined", bound=Definition)

_BY_GAME: dict[str, Registry[StrategyEntry]] = {}
"""Strategies by the name of the game for which they were registered."""
_BY_MODULE: dict[str, dict[str, None]] = {}
"""The names that each module has registered."""


def entry_of(defined: Definition, name: str | None = None) -> StrategyEntry:
    """Return a strategy as an entry of a registry. Raise `InputError` if the object is not a strategy."""
    label = getattr(defined, "__name__", repr(defined))
    kind = defined if isinstance(defined, type) else None
    rows: RowStrategy | None = None
    scalar: Callable[..., Strategy] | None = None
    if kind is not None and issubclass(kind, RowStrategy):
        rows = kind()
    elif kind is not None and issubclass(kind, Strategy):
        scalar, rows = kind, kind.rows
    elif kind is None and callable(defined):
        scalar = partial(FunctionStrategy, defined)
    else:
        raise InputError(f"{label} is not a strategy; it must derive from ostrom.Strategy, or be a function")
    description = getattr(defined, "description", "") or _first_sentence(defined)
    return StrategyEntry(name or label, description, scalar, rows, defined.__module__, defined.__qualname__)


def family_of(name: str, description: str, member: Callable[[str], StrategyEntry]) -> StrategyEntry:
    """Return a family of strategies as an entry of a registry. The description shows how to name a member."""
    module, qualname = getattr(member, "__module__", __name__), getattr(member, "__qualname__", name)
    return StrategyEntry(name, description, None, None, module, qualname, member=member)


def _first_sentence(definition: object) -> str:
    text = " ".join((getattr(definition, "__doc__", None) or "").split())
    return text.split(". ")[0].rstrip(".") if text else "(no description)"


def enter(registry: Registry[StrategyEntry], entry: StrategyEntry) -> None:
    """Add a strategy to a registry. It replaces an entry of the same definition or, in a notebook, of the same name.
    Any other duplicate name is an error."""
    known = registry.get(entry.name)
    same = known is not None and (
        (known.module, known.qualname) == (entry.module, entry.qualname) or known.module == entry.module == "__main__"
    )
    if same:
        registry.replace(entry.name, entry)
    else:
        registry.add(entry.name, entry)
    _BY_MODULE.setdefault(entry.module, {})[entry.name] = None


def strategy(*, game: str | Game, name: str | None = None) -> Callable[[Defined], Defined]:
    """Return a decorator that registers a class or a function as a strategy of a game. The game is given by its name on
    the command line or in records. The strategy's name is by default the name of the class or function."""

    def register(defined: Defined) -> Defined:
        entry = entry_of(defined, name)
        if isinstance(game, str) and entry.module == "__main__" and game not in GAMES:
            GAMES.of_command(game)  # This raises an error that lists the games.
        text = game if isinstance(game, str) else game.name
        enter(_BY_GAME.setdefault(text, Registry("player")), entry)
        return defined

    return register


def brought_for(game: Game) -> list[StrategyEntry]:
    """Return the strategies that the decorator has registered for a game."""
    entries: dict[str, StrategyEntry] = {}
    for text in dict.fromkeys([game.name, game.command]):
        entries |= _BY_GAME.get(text, {})
    return list(entries.values())


def games_of(module: str) -> list[str]:
    """Return the names of the games for which a module has registered strategies by the decorator."""
    return [game for game, registry in _BY_GAME.items() if any(entry.module == module for entry in registry.values())]


def entered_by(module: str) -> list[str]:
    """Return the names of all players that a module has registered."""
    return list(_BY_MODULE.get(module, ()))
