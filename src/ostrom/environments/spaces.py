"""Questions as spaces: what a seat can be asked in a game becomes one action space, what it may know one observation
space. Both are found by playing a few games at random: a specification is known when its question is asked."""

import dataclasses
import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar, TypeAlias

import numpy as np
import numpy.typing as npt
from gymnasium import spaces
from pydantic import BaseModel

from ostrom.core import (
    Amount,
    Answer,
    Choice,
    Driver,
    Fields,
    GameChance,
    InputError,
    Question,
    Spec,
    Table,
    Text,
    seats,
)
from ostrom.core.game import Game
from ostrom.core.specs import Aimed, Stepped, Value
from ostrom.core.table import Past

Option: TypeAlias = str | int | None
Vector: TypeAlias = npt.NDArray[np.float32]
MISSING = -1.0
"""What stands in an observation where there is nothing, or nothing yet."""
_FEWEST, _QUIET, _MOST = 6, 4, 40
"""Games that are played to find the spaces: at least so many, until so many bring nothing new, and at most so many."""
_QUESTIONS = 120
"""So many questions of each game tell what a seat may know."""
_KEPT = 64
"""For so many kinds of game it is remembered what was found."""


# An answer, part by part.


def parts_of(spec: Spec) -> dict[str, Amount | Choice]:
    """The numbers and choices that an answer consists of; a question for a single one has it under no name."""
    match spec:
        case Amount() | Choice():
            return {"": spec}
        case Aimed():
            return {"target": Choice((None, *spec.others)), "spend": Amount(1, spec.most, whole=True)}
        case Fields():
            inner = {name: parts_of(each) for name, each in spec.specs.items()}
            return {
                ".".join(filter(None, (name, key))): part for name, own in inner.items() for key, part in own.items()
            }
        case Text():
            return {}
    raise InputError(f"{type(spec).__name__} is not a numeric question; environments have none for it")


def composed(spec: Spec, values: Mapping[str, Value]) -> Any:
    """The answer that consists of these parts. What is text is left empty; nothing is spent on nobody."""
    match spec:
        case Text():
            return ""
        case Fields():
            inner = {
                name: {key[len(name) + 1 :]: part for key, part in values.items() if key.split(".")[0] == name}
                for name in spec.specs
            }
            return {name: composed(each, inner[name]) for name, each in spec.specs.items()}
        case Aimed() if values["target"] is None:
            return {"target": None, "spend": 0}
        case Aimed():
            return dict(values)
    return values[""]


def amount_at(spec: Amount, level: float) -> float | int:
    """The amount at this part of the way from the least to the most; whole and stepped ones are rounded to."""
    low, high = spec.low, spec.high
    value = min(max(low + min(max(level, 0.0), 1.0) * (high - low), low), high)
    if isinstance(spec, Stepped):
        steps = min(round((value - low) / spec.step), math.floor((high - low) / spec.step + 1e-9))
        value = low + steps * spec.step
    return round(value) if spec.whole else float(value)


# Actions.


@dataclass(frozen=True)
class Part:
    """A part of what a seat can be asked for."""

    phase: str
    name: str
    """Within the answer."""
    options: tuple[Option, ...] | None
    """All that can ever be chosen; None of an amount."""


@dataclass(frozen=True)
class Actions:
    """What a seat decides, as one space. Parts that are not asked for in a step are ignored."""

    parts: Mapping[str, Part]
    levels: int | None
    """Into how many levels amounts are divided; None leaves them continuous, from 0, the least, to 1, the most."""
    space: spaces.Space[Any] = field(init=False)

    def __post_init__(self) -> None:
        sizes = {key: self._size(part) for key, part in self.parts.items()}
        known = [size for size in sizes.values() if size is not None]
        made: spaces.Space[Any]
        if not sizes:
            made = spaces.Discrete(1)
        elif not known:
            made = spaces.Box(0.0, 1.0, (len(sizes),), np.float32)
        elif len(known) == len(sizes):
            made = spaces.Discrete(known[0]) if len(known) == 1 else spaces.MultiDiscrete(known)
        else:
            made = spaces.Dict({key: _space(size) for key, size in sizes.items()})
        object.__setattr__(self, "space", made)

    def _size(self, part: Part) -> int | None:
        return self.levels if part.options is None else len(part.options)

    def mask(self, question: Question | None) -> Any:
        """What may be chosen now, in the form in which the space's `sample` takes it; None where all is continuous. Of
        what is not asked for only the first option is left."""
        allowed = {} if question is None else parts_of(question.spec)
        masks = {key: self._mask(question, allowed, part) for key, part in self.parts.items()}
        match self.space:
            case spaces.Box():
                return None
            case spaces.Discrete():
                return next(iter(masks.values()), np.ones(1, dtype=np.int8))
            case spaces.MultiDiscrete():
                return tuple(masks.values())
        return masks

    def _mask(self, question: Question | None, allowed: Mapping[str, Any], part: Part) -> npt.NDArray[np.int8] | None:
        size = self._size(part)
        if size is None:
            return None
        asked = question is not None and part.phase == question.phase and part.name in allowed
        if not asked:
            return np.asarray([place == 0 for place in range(size)], dtype=np.int8)
        if part.options is None:
            return np.ones(size, dtype=np.int8)
        return np.asarray([option in allowed[part.name].options for option in part.options], dtype=np.int8)

    def answer(self, question: Question, action: Any) -> Any:
        """The answer that an action says. It may be illegal, where a masked option was chosen."""
        taken = self._by_part(action)
        values: dict[str, Value] = {}
        known = {part.name: (key, part) for key, part in self.parts.items() if part.phase == question.phase}
        for name, spec in parts_of(question.spec).items():
            if name not in known:
                raise InputError(f"{question.phase} {name} was not asked in the games by which the spaces were found")
            key, part = known[name]
            if part.options is not None:
                values[name] = part.options[int(taken[key])]
            else:
                assert isinstance(spec, Amount)
                last = (self.levels or 2) - 1
                level = float(taken[key]) if self.levels is None else int(taken[key]) / max(last, 1)
                values[name] = amount_at(spec, level)
        return composed(question.spec, values)

    def _by_part(self, action: Any) -> Mapping[str, Any]:
        if isinstance(self.space, spaces.Dict):
            return {key: np.asarray(action[key]).reshape(-1)[0] for key in self.parts}
        return dict(zip(self.parts, np.asarray(action).reshape(-1), strict=False))


def _space(size: int | None) -> spaces.Space[Any]:
    return spaces.Box(0.0, 1.0, (1,), np.float32) if size is None else spaces.Discrete(size)


# Observations.


@dataclass(frozen=True)
class Observations:
    """What a seat may know, as a vector: the phase, then every number of its view. Of sequences that grow, such as a
    history, the last few entries are told, the latest first."""

    names: tuple[str, ...]
    growing: frozenset[str]
    memory: int

    @property
    def space(self) -> spaces.Space[Vector]:
        return spaces.Box(-np.inf, np.inf, (len(self.names),), np.float32)

    @property
    def nothing(self) -> Vector:
        """What a seat sees that was never asked."""
        return np.full(len(self.names), MISSING, dtype=np.float32)

    def of(self, question: Question) -> Vector:
        """What is seen by the seat that is asked."""
        found = dict(_numbers(question, self.growing, self.memory))
        return np.asarray([found.get(name, MISSING) for name in self.names], dtype=np.float32)


def _numbers(question: Question, growing: frozenset[str], memory: int) -> Iterator[tuple[str, float]]:
    yield f"phase={question.phase}", 1.0
    yield from _inside(question.view, "", "", growing, memory)


def _inside(value: Any, path: str, kind: str, growing: frozenset[str], memory: int) -> Iterator[tuple[str, float]]:
    """Every number below a value, with its path; `kind` is the path without places in sequences."""
    match value:
        case None | str() | BaseModel():
            return
        case bool() | int() | float() | np.number():
            yield path, float(value)
        case _ if (inner := _entries(value)) is not None:
            for name, each in inner.items():
                place = f"{path}.{name}" if path else str(name)
                yield from _inside(each, place, f"{kind}.{name}", growing, memory)
        case Sequence() | np.ndarray():
            if kind in growing:
                places = {f"[{-back}]": value[-back] for back in range(1, min(memory, len(value)) + 1)}
            else:
                places = {f"[{index}]": each for index, each in enumerate(value)}
            for place, each in places.items():
                yield from _inside(each, path + place, f"{kind}[]", growing, memory)


def _entries(value: Any) -> Mapping[str, Any] | None:
    """The fields of a record; those that take no part in comparing two views say nothing about the game."""
    if isinstance(value, Mapping):
        return value
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return {each.name: getattr(value, each.name) for each in dataclasses.fields(value) if each.compare}
    return value._asdict() if hasattr(value, "_asdict") else None


def _lengths(value: Any, kind: str, found: dict[str, set[int]]) -> None:
    """How long the sequences below a value are, by their paths."""
    if isinstance(value, str | bytes | BaseModel) or value is None:
        return
    if (inner := _entries(value)) is not None:
        for name, each in inner.items():
            _lengths(each, f"{kind}.{name}", found)
    elif isinstance(value, Sequence):
        found.setdefault(kind, set()).add(len(value))
        # A past is shared by the views after it: its last entry is the only one that they have not told of.
        for each in value[-1:] if isinstance(value, Past) else value:
            _lengths(each, f"{kind}[]", found)


# Finding both.


@dataclass(frozen=True)
class Found:
    """The spaces of a game: actions by seat, and the observations, whose form all seats share."""

    actions: tuple[Actions, ...]
    observations: Observations


def find_spaces(game: Game, rules: Any, count: int, *, levels: int | None, memory: int) -> Found:
    """Play a few games at random and make spaces of what was asked."""
    if levels is not None and levels < 2:
        raise InputError(f"levels must be at least 2, not {levels}")
    if memory < 1:
        raise InputError(f"memory must be at least 1, not {memory}")
    survey = _Survey.of(game, rules, count, memory)
    if not any(survey.parts):
        raise InputError(f"{game.command} asks no numeric question")
    # Spaces are made anew: each has a random state of its own.
    actions = tuple(Actions(own, levels) for own in survey.parts)
    return Found(actions, Observations(survey.names, survey.growing, memory))


@dataclass(frozen=True)
class _Survey:
    """What was asked in a few games."""

    parts: tuple[Mapping[str, Part], ...]
    """By seat."""
    names: tuple[str, ...]
    growing: frozenset[str]
    known: ClassVar[dict[Any, "_Survey"]] = {}

    @classmethod
    def of(cls, game: Game, rules: Any, count: int, memory: int) -> "_Survey":
        """Made once for each kind of game."""
        key = (game.name, game.play, rules.model_dump_json(), count, memory)
        if key not in cls.known:
            if len(cls.known) >= _KEPT:
                cls.known.clear()
            cls.known[key] = cls.made(game, rules, count, memory)
        return cls.known[key]

    @classmethod
    def made(cls, game: Game, rules: Any, count: int, memory: int) -> "_Survey":
        parts: list[dict[tuple[str, str], Part]] = [{} for _ in range(count)]
        lengths: dict[str, set[int]] = {}
        kept: list[Question] = []
        number, quiet = 0, 0
        while number < _FEWEST or (quiet < _QUIET and number < _MOST):
            before = _size(parts)
            for place, question in enumerate(_asked(game, rules, count, number)):
                _note(parts[question.seat.index], question)
                if place < _QUESTIONS:
                    kept.append(question)
                    _lengths(question.view, "", lengths)
            quiet = quiet + 1 if before == _size(parts) else 0
            number += 1
        growing = frozenset(kind for kind, seen in lengths.items() if len(seen) > 1)
        names = dict.fromkeys(name for question in kept for name, _ in _numbers(question, growing, memory))
        return cls(tuple(_named(own) for own in parts), tuple(names), growing)


def _size(parts: Sequence[Mapping[Any, Part]]) -> int:
    return sum(len(part.options or (None,)) for own in parts for part in own.values())


def _note(known: dict[tuple[str, str], Part], question: Question) -> None:
    for name, spec in parts_of(question.spec).items():
        place = (question.phase, name)
        had = known[place].options if place in known else ()
        if isinstance(spec, Choice):
            options = tuple(dict.fromkeys([*(had or ()), *spec.options]))
            known[place] = Part(question.phase, name, options)
        else:
            known[place] = Part(question.phase, name, None)


def _named(known: Mapping[tuple[str, str], Part]) -> dict[str, Part]:
    """Parts by what users call them: the field, after its phase where there are several."""
    several = len({phase for phase, _ in known}) > 1
    return {
        (".".join(filter(None, (phase, name))) if several else name or phase): part
        for (phase, name), part in known.items()
    }


def _asked(game: Game, rules: Any, count: int, number: int) -> Iterator[Question]:
    """Every numeric question of one game between players who answer at random."""
    drawn = np.random.default_rng(number)
    driver = Driver(game.play(rules, Table(seats(count), GameChance(0, number))))
    while driver.step is not None:
        asked = [question for question in driver.step if parts_of(question.spec)]
        yield from asked
        driver.advance([random_answer(question, drawn) for question in driver.step])


def random_answer(question: Question, drawn: np.random.Generator) -> Answer:
    """A legal answer at random: the least and the most of an amount are as likely as all between."""
    parts = parts_of(question.spec)
    if not parts:
        return Answer(question.fallback)
    values: dict[str, Value] = {}
    for name, spec in parts.items():
        if isinstance(spec, Choice):
            values[name] = spec.options[int(drawn.integers(len(spec.options)))]
        else:
            values[name] = amount_at(spec, float(np.clip(drawn.uniform(-0.5, 1.5), 0.0, 1.0)))
    return Answer(question.spec.validate(composed(question.spec, values)))
