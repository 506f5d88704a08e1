"""Strategies: algorithms that play, in any game, and the adapter that seats them.

A *strategy* is a class whose instance plays one seat of one game in plain Python, or a function that answers one
question. A *row strategy* decides for any number of rows at once, without branches, so that one definition serves a
single game and a batch of millions. A strategy may have both forms; the batch engine then takes the second."""

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
"""A number in [0, 1), another one at each call; the game's seed determines them all."""
Memory: TypeAlias = Any
"""What a row strategy remembers: a tuple of arrays whose last axis is rows."""
View = TypeVar("View", default=Any)


class Strategy(ABC, Generic[View]):
    """Base of strategies: one instance per game and seat, so that what it keeps on `self` is its memory of that game.
    The first sentence of the docstring is its description, unless `description` is set. A dataclass can have
    parameters, which users set after a colon: `Patient:rounds=3`."""

    description: ClassVar[str] = ""
    rows: ClassVar["RowStrategy | None"] = None
    """The same strategy over rows, where there is such a form."""

    @abstractmethod
    def answer(self, question: Question[View], draw: Draw) -> object:
        """Answer one question in plain data: `question.view` is all that the seat may know, `question.phase` says what
        is asked and `question.spec` what a legal answer is. `draw` is the only source of chance."""

    def purpose(self, question: Question[View]) -> str:
        """The purpose of its draws for a question, which keeps them apart from all other draws of the game."""
        return f"strategy/{question.phase}"


class RowStrategy(ABC):
    """A strategy over rows. The first sentence of its docstring is its description. It has no state of its own: its
    memory is handed to it. A frozen dataclass can have parameters, as a `Strategy` can."""

    description: ClassVar[str] = ""
    step: ClassVar[ArrayForm]
    """The array form of its game."""

    @property
    def name(self) -> str:
        return type(self).__name__

    def makes(self, field: str) -> bool:
        """Whether it ever fills in a field of its moves."""
        return True

    def opening(self, view: Any) -> Memory:
        """The memory before the first turn."""
        return ()

    def remember(self, view: Any, memory: Memory) -> Memory:
        """Take in what the last turn brought. Called at the start of every turn but the first, before the decisions;
        where seats move in turn, of those in which the seat is asked."""
        return memory

    @abstractmethod
    def decide(self, phase: str, view: Any, memory: Memory, fields: Collection[str]) -> tuple[Moves, Memory]:
        """The moves of a phase for each row, in these fields, and what to remember of them."""

    def with_settings(self, given: Mapping[str, float]) -> "RowStrategy":
        """The same with these parameters."""
        changed: RowStrategy = replace(self, **given)  # type: ignore[type-var]
        return changed

    def answer(self, question: Question) -> object:
        """Answer a question that is not asked over rows, such as for a message: with the declared fallback, unless it
        says otherwise."""
        return question.fallback


# Parameters.


def parameter(default: float, low: float, high: float, meaning: str) -> Any:
    """A parameter of a strategy that is a dataclass, with its default, its range and what it means."""
    return field(default=default, metadata={"low": low, "high": high, "meaning": meaning})


@dataclass(frozen=True, slots=True)
class Parameter:
    """What can be set about a strategy."""

    name: str
    default: float
    low: float
    high: float
    meaning: str


_VERSION = "counter_version"
"""The field of strategies whose draws were counted otherwise in earlier versions."""

# The registry's entries, each of them a player who can sit down.


@dataclass(frozen=True, repr=False)
class StrategyEntry:
    """A strategy that can be seated, any number of times."""

    name: str
    description: str
    scalar: Callable[..., Strategy] | None
    """Makes the instance that plays one seat of one game; none where it plays over rows only."""
    rows: RowStrategy | None
    module: str
    """Where it is defined."""
    qualname: str
    settings: tuple[tuple[str, float], ...] = ()
    member: Callable[[str], "StrategyEntry"] | None = None
    """Of a family of strategies: makes the one that the text after the colon names. The family itself cannot sit
    down."""

    def __repr__(self) -> str:
        return f"<strategy {self.name[:200]}>"

    @property
    def origin(self) -> str:
        """Where it comes from: 'built-in', or the file or package that defines it."""
        return "built-in" if self.module.startswith("ostrom.games.") else self.module

    @property
    def parameters(self) -> tuple[Parameter, ...]:
        """What can be set about it; the noise, which many share, comes last."""
        holder: Any = self.rows if self.scalar is None else self.scalar
        if not is_dataclass(holder):
            return ()
        declared: list[Any] = [entry for entry in fields(holder) if entry.metadata]
        found = (Parameter(entry.name, entry.default, **entry.metadata) for entry in declared)
        return tuple(sorted(found, key=lambda each: each.name == "noise"))

    @property
    def counter_version(self) -> int:
        """In which version its draws are counted; of strategies that know one alone, the first."""
        return int(dict(self.settings).get(_VERSION, getattr(self.scalar, _VERSION, 1)))

    def counted(self, version: int) -> "StrategyEntry":
        """The same under the same name, with its draws counted as in an earlier version."""
        if version >= self.counter_version:
            return self
        rows = None if self.rows is None else self.rows.with_settings({_VERSION: version})
        return replace(self, settings=(*self.settings, (_VERSION, version)), rows=rows)

    def make(self) -> Strategy:
        """A fresh instance, with its settings."""
        assert self.scalar is not None
        return self.scalar(**dict(self.settings))

    def sit(self, seat: Seat, chance: Chance) -> Player:
        """A new player for one seat of one game."""
        if self.scalar is not None:
            return StrategyPlayer(self, seat, chance)
        assert self.rows is not None
        if not isinstance(chance, GameChance):
            raise InputError(f"{self.name} draws random numbers; it cannot play in a game without a seed")
        return RowPlayer(self.rows, chance)

    def with_settings(self, text: str) -> "StrategyEntry":
        """The same with parameters as they stand after the colon of a name; its own name lists what was set, in the
        order of the parameters."""
        whole = f"{self.name}:{text}"
        if self.member is not None:
            return self.member(text)
        known = {each.name: each for each in self.parameters}
        if not known:
            raise InputError(f"{whole!r}: {self.name} has no parameters; write it as {self.name}")
        given: dict[str, float] = {}
        for part in text.split(","):
            key, equals, value = (piece.strip() for piece in part.partition("="))
            if not equals:
                first = next(iter(known.values()))
                example = f"{self.name}:{first.name}={first.default:g}"
                raise InputError(f"{whole!r}: {part!r} is not a setting; write it as in {example}")
            if key not in known:
                raise InputError(f"{whole!r}: {self.name} has no parameter {key!r}; {_nearest(key, known)}")
            if key in given:
                raise InputError(f"{whole!r}: {key} is set twice; set it once")
            given[key] = _number(whole, known[key], value)
        settings = tuple((key, given[key]) for key in known if key in given)
        said = ",".join(f"{key}={value:.12g}" for key, value in settings)
        rows = None if self.rows is None else self.rows.with_settings(given)
        return replace(self, name=f"{self.name}:{said}", settings=settings, rows=rows)


def _number(text: str, known: Parameter, value: str) -> float:
    right = f"{known.name} must be a number from {known.low:g} to {known.high:g}"
    try:
        number = float(value)
    except ValueError:
        raise InputError(f"{text!r}: {value!r} is not a number; {right}") from None
    if not math.isfinite(number) or not known.low <= number <= known.high:
        raise InputError(f"{text!r}: {value} is out of range; {right}")
    return number


def _nearest(key: str, known: Collection[str]) -> str:
    near = difflib.get_close_matches(key, known, n=1, cutoff=0.5)
    return f"did you mean {near[0]}?" if near else f"it has {' and '.join(known)}"


def named(registry: Registry[StrategyEntry], text: str) -> StrategyEntry:
    """The strategy that a text names, such as 'exponential' or 'exponential:delta=0.9,noise=0.03'."""
    name, colon, settings = text.strip().partition(":")
    entry = registry[name]
    if not colon and entry.member is not None:
        raise InputError(f"{name} is a family of strategies: {entry.description}")
    return entry.with_settings(settings) if colon else entry


# At a seat.


class StrategyPlayer:
    """A strategy in plain Python at one seat of one game. What it raises is its own fault, and names it."""

    def __init__(self, entry: StrategyEntry, seat: Seat, chance: Chance) -> None:
        self._name = entry.name
        self._seat = seat
        self._chance = chance
        self._own = entry.module.startswith("ostrom.games.")
        self._strategy: Strategy = self._call("when it sat down", entry.make)

    def answer(self, question: Question) -> object:
        """Ask the strategy."""
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
            what = f"{type(error).__name__}: {error}" if str(error) else type(error).__name__
            raise PlayerFault(f"{self._name} (seat {self._seat}) raised {' '.join(what.split())} {when}") from error


class RowPlayer:
    """A row strategy in a single game: a batch of one row."""

    def __init__(self, strategy: RowStrategy, chance: GameChance) -> None:
        self._strategy = strategy
        self._draws = Draws(np.asarray([chance.game], dtype=np.uint64), key_of(chance.seed))
        self._memory: Memory = None
        self._turn = 0

    def answer(self, question: Question) -> object:
        """Decide what is asked."""
        strategy, step = self._strategy, self._strategy.step
        view = step.view_of(question, self._draws)
        if view is None:
            return strategy.answer(question)
        rules = question.view.rules
        begins = question.phase == step.phases(rules)[0]
        if self._turn == 0:
            self._memory = strategy.opening(view)
        # Who is not asked in the first turn has something to take in when it is.
        if self._turn != question.turn and (self._turn or (begins and question.turn > 1)):
            self._memory = strategy.remember(view, self._memory)
        self._turn = question.turn
        fields = [each.name for each in step.fields(rules, question.phase)]
        moves, self._memory = strategy.decide(question.phase, view, self._memory, fields)
        return step.answer_of(question, {name: values[0] for name, values in moves.items()})


class FunctionStrategy(Strategy):
    """A function of one question as a strategy; one that takes a second argument is handed the draws."""

    def __init__(self, function: Callable[..., object]) -> None:
        self._function = function
        self._draws = len(inspect.signature(function).parameters) > 1

    @override
    def answer(self, question: Question, draw: Draw) -> object:
        return self._function(question, draw) if self._draws else self._function(question)


# Registration.

Definition: TypeAlias = type[Strategy] | type[RowStrategy] | Callable[..., object]
Defined = TypeVar("Defined", bound=Definition)

_BROUGHT: dict[str, Registry[StrategyEntry]] = {}
"""Strategies by the game that they were registered for, under the name that they gave it."""
_ENTERED: dict[str, dict[str, None]] = {}
"""The names that each module has entered anywhere."""


def entry_of(defined: Definition, name: str | None = None) -> StrategyEntry:
    """A strategy as a registry would hold it."""
    called = getattr(defined, "__name__", repr(defined))
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
        raise InputError(f"{called} is not a strategy; it must derive from ostrom.Strategy, or be a function")
    described = getattr(defined, "description", "") or _first_sentence(defined)
    return StrategyEntry(name or called, described, scalar, rows, defined.__module__, defined.__qualname__)


def family_of(name: str, description: str, member: Callable[[str], StrategyEntry]) -> StrategyEntry:
    """A family of strategies as a registry would hold it. Its description says how one of them is named."""
    return StrategyEntry(name, description, None, None, member.__module__, member.__qualname__, member=member)


def _first_sentence(described: object) -> str:
    text = " ".join((getattr(described, "__doc__", None) or "").split())
    return text.split(". ")[0].rstrip(".") if text else "(no description)"


def enter(registry: Registry[StrategyEntry], entry: StrategyEntry) -> None:
    """Enter a strategy. One's own may come again: the same definition, or one of a notebook in the place of another;
    any other second strategy of a name is refused."""
    known = registry.get(entry.name)
    same = known is not None and (
        (known.module, known.qualname) == (entry.module, entry.qualname) or known.module == entry.module == "__main__"
    )
    if same:
        registry.replace(entry.name, entry)
    else:
        registry.add(entry.name, entry)
    _ENTERED.setdefault(entry.module, {})[entry.name] = None


def strategy(*, game: str | Game, name: str | None = None) -> Callable[[Defined], Defined]:
    """Decorator: register a class or a function as a strategy of a game, which is named as on the command line or as in
    a record. Its own name is the class's or the function's, unless another is given."""

    def registered(defined: Defined) -> Defined:
        entry = entry_of(defined, name)
        if isinstance(game, str) and entry.module == "__main__" and game not in GAMES:
            GAMES.of_command(game)  # says which games there are
        text = game if isinstance(game, str) else game.name
        enter(_BROUGHT.setdefault(text, Registry("player")), entry)
        return defined

    return registered


def brought_for(game: Game) -> list[StrategyEntry]:
    """The strategies that were registered for a game by the decorator."""
    found: dict[str, StrategyEntry] = {}
    for text in dict.fromkeys([game.name, game.command]):
        found |= _BROUGHT.get(text, {})
    return list(found.values())


def games_of(module: str) -> list[str]:
    """The games that a module has brought strategies for by the decorator, as it names them."""
    return [game for game, held in _BROUGHT.items() if any(entry.module == module for entry in held.values())]


def entered_by(module: str) -> list[str]:
    """The names of all players that a module has registered."""
    return list(_ENTERED.get(module, ()))
