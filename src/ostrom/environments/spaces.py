"""Action and observation spaces of a game. The questions of a seat become one action space, and its views become one
observation space. Both spaces are derived from a survey: a few random games are played and their questions recorded.
The survey is needed because the legal answers to a question are known only when it is asked."""

import dataclasses
import math
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar, Final, TypeAlias

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
from ostrom.core.specs import Aimed, Optional, Stepped, Value, When
from ostrom.core.table import Past

Option: TypeAlias = str | int | None
Vector: TypeAlias = npt.NDArray[np.float32]
PASS = "pass"
"""The name of the part of an optional answer that decides whether to pass: 1 means to pass, and 0 means to answer."""
MISSING = -1.0
"""The value in an observation that stands for a missing number."""
_MIN_GAMES = 9
_MAX_GAMES = 40
_UNCHANGED_GAMES = 4
"""The survey of a game ends after this many games in a row without a new question or option."""
_MAX_VIEWS_PER_GAME = 120
_MAX_CACHED_SURVEYS = 64


# The parts of an answer.


def parts_of(spec: Spec) -> dict[str, Amount | Choice]:
    """Return the amounts and choices of an answer by name. If an answer has a single part, its name is empty."""
    match spec:
        case Amount() | Choice():
            return {"": spec}
        case Aimed():
            return {"target": Choice((None, *spec.others)), "spend": Amount(1, spec.most, whole=True)}
        case Fields():
            return {
                ".".join(filter(None, (name, key))): part
                for name, field_spec in spec.specs.items()
                for key, part in parts_of(field_spec).items()
            }
        case When():
            return parts_of(spec.of)
        case Optional():
            return _optional_parts(parts_of(spec.of))
        case Text():
            return {}
    raise InputError(f"{type(spec).__name__} is not a numeric question; environments do not support it")


def _optional_parts(parts: dict[str, Amount | Choice]) -> dict[str, Amount | Choice]:
    """Return the parts of an optional answer. A single choice gets None as a further option. Any other answer gets a
    further part that decides whether to pass."""
    if not parts:
        return {}
    single = parts.get("")
    if isinstance(single, Choice):
        return {"": single if None in single.options else Choice((None, *single.options))}
    if PASS in parts:
        raise InputError(
            f"an optional answer has a field named {PASS}, which is the name of the choice to pass; rename the field"
        )
    return {PASS: Choice((0, 1)), **parts}


def compose(spec: Spec, values: Mapping[str, Value]) -> Any:
    """Return the answer that has these parts. Texts stay empty. If no target is chosen, nothing is spent."""
    match spec:
        case Text():
            return ""
        case Fields():
            inner = {
                name: {key[len(name) + 1 :]: part for key, part in values.items() if key.split(".")[0] == name}
                for name in spec.specs
            }
            answer: dict[str, Any] = {}
            for name, field_spec in spec.specs.items():
                asked = not isinstance(field_spec, When) or field_spec.asked(answer)
                answer[name] = compose(field_spec, inner[name]) if asked else None
            # A specification of a game may limit fields together, such as by a budget.
            limited = getattr(spec, "limited", None)
            return answer if limited is None else limited(answer)
        case When():
            return compose(spec.of, values)
        case Optional():
            passes = values.get(PASS) == 1 or values.get("", 0) is None
            return None if passes or not values else compose(spec.of, values)
        case Aimed() if values["target"] is None:
            return {"target": None, "spend": 0}
        case Aimed():
            return dict(values)
    return values[""]


def amount_at(spec: Amount, level: float) -> float | int:
    """Return the amount at this level. Level 0 is the minimum and level 1 is the maximum. The amount is rounded to a
    legal one."""
    low, high = spec.low, spec.high
    value = min(max(low + min(max(level, 0.0), 1.0) * (high - low), low), high)
    if isinstance(spec, Stepped):
        steps = min(round((value - low) / spec.step), math.floor((high - low) / spec.step + 1e-9))
        value = low + steps * spec.step
    return round(value) if spec.whole else float(value)


# Actions.


@dataclass(frozen=True)
class ActionPart:
    """One amount or choice of a seat's answers."""

    phase: str
    name: str
    """The name of the part within the answer."""
    options: tuple[Option, ...] | None
    """Every option in any game; None for an amount."""


@dataclass(frozen=True)
class SeatActions:
    """A seat's decisions as one space. In each step, parts that the open question does not ask for are ignored."""

    parts: Mapping[str, ActionPart]
    levels: int | None
    """The number of discrete levels of amounts. With None, amounts stay continuous, from 0 (minimum) to 1 (maximum)."""
    space: spaces.Space[Any] = field(init=False)

    def __post_init__(self) -> None:
        sizes = {key: self._size(part) for key, part in self.parts.items()}
        known = [size for size in sizes.values() if size is not None]
        space: spaces.Space[Any]
        if not sizes:
            space = spaces.Discrete(1)
        elif not known:
            space = spaces.Box(0.0, 1.0, (len(sizes),), np.float32)
        elif len(known) == len(sizes):
            space = spaces.Discrete(known[0]) if len(known) == 1 else spaces.MultiDiscrete(known)
        else:
            space = spaces.Dict({key: _space(size) for key, size in sizes.items()})
        object.__setattr__(self, "space", space)

    def _size(self, part: ActionPart) -> int | None:
        return self.levels if part.options is None else len(part.options)

    def mask(self, question: Question | None) -> Any:
        """Return the allowed options in the form that the space's `sample` needs, or None if all parts are continuous.
        Parts that the question does not ask for allow only their first option."""
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

    def _mask(
        self, question: Question | None, allowed: Mapping[str, Any], part: ActionPart
    ) -> npt.NDArray[np.int8] | None:
        size = self._size(part)
        if size is None:
            return None
        is_open = question is not None and part.phase == question.phase and part.name in allowed
        if not is_open:
            return np.asarray([place == 0 for place in range(size)], dtype=np.int8)
        if part.options is None:
            return np.ones(size, dtype=np.int8)
        return np.asarray([option in allowed[part.name].options for option in part.options], dtype=np.int8)

    def answer(self, question: Question, action: Any) -> Any:
        """Return the answer that an action stands for. The answer is illegal if the action contains a masked option."""
        by_part = self._by_part(action)
        values: dict[str, Value] = {}
        parts = {part.name: (key, part) for key, part in self.parts.items() if part.phase == question.phase}
        for name, spec in parts_of(question.spec).items():
            if name not in parts:
                raise InputError(
                    f"{question.phase} {name} was not asked in the games from which the spaces were derived"
                )
            key, part = parts[name]
            if part.options is not None:
                values[name] = part.options[int(by_part[key])]
            else:
                assert isinstance(spec, Amount)
                last = (self.levels or 2) - 1
                level = float(by_part[key]) if self.levels is None else int(by_part[key]) / max(last, 1)
                values[name] = amount_at(spec, level)
        return compose(question.spec, values)

    def _by_part(self, action: Any) -> Mapping[str, Any]:
        if isinstance(self.space, spaces.Dict):
            return {key: np.asarray(action[key]).reshape(-1)[0] for key in self.parts}
        return dict(zip(self.parts, np.asarray(action).reshape(-1), strict=False))


def _space(size: int | None) -> spaces.Space[Any]:
    return spaces.Box(0.0, 1.0, (1,), np.float32) if size is None else spaces.Discrete(size)


# Observations.


@dataclass(frozen=True)
class Observations:
    """A seat's view as a vector. The vector contains the phase and every number of the view. Each short text, such as a
    role, has an entry for each of its possible values, and the entry of the present value is 1. Of sequences that grow,
    such as a history, the vector contains the last `memory` entries, the latest first."""

    names: tuple[str, ...]
    growing: frozenset[str]
    memory: int
    dropped: tuple[str, ...] = ()
    """The names of texts of the view that are left out of observations because they have too many or too long
    values."""

    @property
    def space(self) -> spaces.Space[Vector]:
        return spaces.Box(-np.inf, np.inf, (len(self.names),), np.float32)

    @property
    def nothing(self) -> Vector:
        """The observation of a seat that has not had a question yet."""
        return np.full(len(self.names), MISSING, dtype=np.float32)

    def of(self, question: Question) -> Vector:
        """Return the observation of the seat that has this question."""
        numbers = dict(_numbers(question, self.growing, self.memory))
        return np.asarray([numbers.get(name, MISSING) for name in self.names], dtype=np.float32)


def _numbers(question: Question, growing: frozenset[str], memory: int) -> Iterator[tuple[str, float]]:
    yield f"phase={question.phase}", 1.0
    yield from _numbers_below(question.view, "", "", growing, memory)


def _numbers_below(
    value: Any, path: str, kind: str, growing: frozenset[str], memory: int
) -> Iterator[tuple[str, float]]:
    """Yield every number inside a value with its path. A text is yielded as the number 1, with a path that includes the
    text. `kind` is the path without positions in sequences."""
    match value:
        case None | BaseModel():
            return
        case str():
            yield f"{path}={value}", 1.0
        case bool() | int() | float() | np.number():
            yield path, float(value)
        case _ if (inner := _entries(value)) is not None:
            for name, entry in inner.items():
                place = f"{path}.{name}" if path else str(name)
                yield from _numbers_below(entry, place, f"{kind}.{name}", growing, memory)
        case Sequence() | np.ndarray():
            if kind in growing:
                places = {f"[{-back}]": value[-back] for back in range(1, min(memory, len(value)) + 1)}
            else:
                places = {f"[{index}]": entry for index, entry in enumerate(value)}
            for place, entry in places.items():
                yield from _numbers_below(entry, path + place, f"{kind}[]", growing, memory)


def _entries(value: Any) -> Mapping[str, Any] | None:
    """Return the fields of a record, except those excluded from comparison. Return None for values that are not
    records."""
    if isinstance(value, Mapping):
        return value
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return {entry.name: getattr(value, entry.name) for entry in dataclasses.fields(value) if entry.compare}
    return value._asdict() if hasattr(value, "_asdict") else None


def _add_lengths(value: Any, kind: str, lengths: dict[str, set[int]]) -> None:
    """Add the lengths of the sequences inside a value, by their paths."""
    if isinstance(value, str | bytes | BaseModel) or value is None:
        return
    if (inner := _entries(value)) is not None:
        for name, entry in inner.items():
            _add_lengths(entry, f"{kind}.{name}", lengths)
    elif isinstance(value, Sequence):
        lengths.setdefault(kind, set()).add(len(value))
        # The histories of later views contain those of earlier ones, so only the last entry is new.
        for entry in value[-1:] if isinstance(value, Past) else value:
            _add_lengths(entry, f"{kind}[]", lengths)


# Surveying a game.


@dataclass(frozen=True)
class GameSpaces:
    """The spaces of a game: the actions of each seat, and the observations, which have the same form for all seats."""

    actions: tuple[SeatActions, ...]
    observations: Observations


def find_spaces(game: Game, rules: Any, count: int, *, levels: int | None, memory: int) -> GameSpaces:
    """Play a few games and return spaces for their questions and views. Raise `InputError` if no question is
    numeric."""
    if levels is not None and levels < 2:
        raise InputError(f"levels must be at least 2, not {levels}")
    if memory < 1:
        raise InputError(f"memory must be at least 1, not {memory}")
    survey = _Survey.of(game, rules, count, memory)
    if not any(survey.parts):
        raise InputError(f"{game.command} asks no numeric question")
    # Each space has its own random state, so spaces are not shared.
    actions = tuple(SeatActions(own, levels) for own in survey.parts)
    return GameSpaces(actions, Observations(survey.names, survey.growing, memory, survey.dropped))


@dataclass(frozen=True)
class _Survey:
    """The questions and views of a few games."""

    parts: tuple[Mapping[str, ActionPart], ...]
    """The parts of the answers of each seat, by display name."""
    names: tuple[str, ...]
    growing: frozenset[str]
    dropped: tuple[str, ...]
    known: ClassVar[dict[Any, "_Survey"]] = {}

    @classmethod
    def of(cls, game: Game, rules: Any, count: int, memory: int) -> "_Survey":
        """Return the survey of a game with these settings. Surveys are cached."""
        key = (game.name, game.play, rules.model_dump_json(), count, memory)
        if key not in cls.known:
            if len(cls.known) >= _MAX_CACHED_SURVEYS:
                cls.known.clear()
            cls.known[key] = cls.play_games(game, rules, count, memory)
        return cls.known[key]

    @classmethod
    def play_games(cls, game: Game, rules: Any, count: int, memory: int) -> "_Survey":
        parts: list[dict[tuple[str, str], ActionPart]] = [{} for _ in range(count)]
        lengths: dict[str, set[int]] = {}
        questions: list[Question] = []
        number, unchanged = 0, 0
        while number < _MIN_GAMES or (unchanged < _UNCHANGED_GAMES and number < _MAX_GAMES):
            before = _size(parts)
            for place, question in enumerate(_survey_questions(game, rules, count, number)):
                _add_parts(parts[question.seat.index], question)
                if place < _MAX_VIEWS_PER_GAME:
                    questions.append(question)
                    _add_lengths(question.view, "", lengths)
            unchanged = unchanged + 1 if before == _size(parts) else 0
            number += 1
        growing = frozenset(kind for kind, sizes in lengths.items() if len(sizes) > 1)
        names = dict.fromkeys(name for question in questions for name, _ in _numbers(question, growing, memory))
        observed, dropped = _without_long_texts(_with_whole_memory(names, memory))
        return cls(tuple(_by_display_name(own) for own in parts), observed, growing, dropped)


_PLACE_IN_HISTORY: Final = re.compile(r"\[-\d+\]")
_MAX_TEXT_VALUES: Final = 24
"""The largest number of different values that a text may have in the surveyed games. A text with more values is not
observed."""
_MAX_TEXT_CHARACTERS: Final = 40
"""The largest length that a value of a text may have. A text with a longer value is a message and not a label, and is
not observed."""


def _with_whole_memory(names: Iterable[str], memory: int) -> list[str]:
    """Return the names with all entries of every history. This includes entries for which no surveyed game was long
    enough."""
    templates: dict[str, None] = dict.fromkeys(_PLACE_IN_HISTORY.sub("[-]", name) for name in names)
    groups: dict[str, list[str]] = {}
    for template in templates:
        groups.setdefault(template.partition("[-]")[0] if "[-]" in template else template, []).append(template)
    whole: dict[str, None] = {}
    for group in groups.values():
        places = range(1, memory + 1) if "[-]" in group[0] else (1,)
        whole |= dict.fromkeys(
            name for place in places for template in group for name in _filled(template, place, memory)
        )
    return list(whole)


def _filled(template: str, place: int, memory: int) -> list[str]:
    """Return the names that a template generates for one position in its outermost history, and for all positions in
    inner histories."""
    names = [template.replace("[-]", f"[-{place}]", 1)]
    while "[-]" in names[0]:
        names = [name.replace("[-]", f"[-{inner}]", 1) for name in names for inner in range(1, memory + 1)]
    return names


def _without_long_texts(names: Sequence[str]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return the names that are observed, and the texts that are not."""
    values: dict[str, list[str]] = {}
    for name in names:
        text, equals, value = name.partition("=")
        if equals and text != "phase":
            values.setdefault(text, []).append(value)
    dropped = [
        text
        for text, of_text in values.items()
        if len(of_text) > _MAX_TEXT_VALUES or max(map(len, of_text)) > _MAX_TEXT_CHARACTERS
    ]
    observed = tuple(name for name in names if name.partition("=")[0] not in dropped or "=" not in name)
    return observed, tuple(dropped)


def _size(parts: Sequence[Mapping[Any, ActionPart]]) -> int:
    return sum(len(part.options or (None,)) for own in parts for part in own.values())


def _add_parts(parts: dict[tuple[str, str], ActionPart], question: Question) -> None:
    for name, spec in parts_of(question.spec).items():
        place = (question.phase, name)
        options_before = parts[place].options if place in parts else ()
        if isinstance(spec, Choice):
            options = tuple(dict.fromkeys([*(options_before or ()), *spec.options]))
            parts[place] = ActionPart(question.phase, name, options)
        else:
            parts[place] = ActionPart(question.phase, name, None)


def _by_display_name(parts: Mapping[tuple[str, str], ActionPart]) -> dict[str, ActionPart]:
    """Return parts by display name. The display name is the field, with the phase as a prefix if there are several
    phases."""
    several = len({phase for phase, _ in parts}) > 1
    return {
        (".".join(filter(None, (phase, name))) if several else name or phase): part
        for (phase, name), part in parts.items()
    }


def _survey_questions(game: Game, rules: Any, count: int, number: int) -> Iterator[Question]:
    """Yield every numeric question of one game. In the first game all players give the fallback, in the second the
    least answer, and in the third the greatest answer. These games are needed because random players may end every game
    early. All further games are between random players."""
    rng = np.random.default_rng(number)
    driver = Driver(game.play(rules, Table(seats(count), GameChance(0, number))))
    while driver.step is not None:
        yield from [question for question in driver.step if parts_of(question.spec)]
        driver.advance([_survey_answer(question, number, rng) for question in driver.step])


def _survey_answer(question: Question, number: int, rng: np.random.Generator) -> Answer:
    if number == 0:
        return Answer(question.fallback)
    return extreme_answer(question, last=number == 2) if number in (1, 2) else random_answer(question, rng)


def extreme_answer(question: Question, *, last: bool) -> Answer:
    """Return the least answer, with every amount at its minimum and every choice at its first option. If `last`, return
    the greatest answer."""
    values: dict[str, Value] = {}
    for name, spec in parts_of(question.spec).items():
        values[name] = spec.options[-1 if last else 0] if isinstance(spec, Choice) else amount_at(spec, float(last))
    if not values:
        return Answer(question.fallback)
    return Answer(question.spec.validate(compose(question.spec, values)))


def random_answer(question: Question, rng: np.random.Generator) -> Answer:
    """Return a random legal answer. An amount is at its minimum or maximum as often as between them."""
    parts = parts_of(question.spec)
    if not parts:
        return Answer(question.fallback)
    values: dict[str, Value] = {}
    for name, spec in parts.items():
        if isinstance(spec, Choice):
            values[name] = spec.options[int(rng.integers(len(spec.options)))]
        else:
            values[name] = amount_at(spec, float(np.clip(rng.uniform(-0.5, 1.5), 0.0, 1.0)))
    return Answer(question.spec.validate(compose(question.spec, values)))
