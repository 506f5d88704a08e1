"""Briefings: the description of a game in words. A briefing provides the variables of the templates and declares the
fields of an answer. It also converts the values of the fields to plain data, which the question's specification
validates."""

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from copy import copy
from dataclasses import fields, is_dataclass
from functools import cache
from hashlib import sha256
from pathlib import Path
from types import MappingProxyType
from typing import Any, ClassVar, Self

from pydantic import BaseModel
from typing_extensions import override

from ostrom.core import Amount, Answer, Chance, Choice, Fields, InputError, Optional, Question, Seat, Spec, Text, When
from ostrom.core.files import parse_toml
from ostrom.core.game import Game
from ostrom.core.plugins import GAMES, cached_until_registration
from ostrom.core.text import attribute_docstrings
from ostrom.players.models.fields import AnswerField, ChoiceField, NumberField, TextField
from ostrom.players.models.framing import NO_SEAT, Framing, harmless
from ostrom.players.models.optional_fields import ConditionalField, OptionalField


class Briefing(ABC):
    """The description of a game in words, for calls that are independent of each other. A briefing has no state:
    everything is computed from the question, the framing and the game's random draws."""

    prompts: Path
    """The folder of the game's templates. Each wording is a folder in it, which contains `rules.j2` and one template
    for each phase."""
    folder: ClassVar[str] = "."
    """The folder within `prompts` that contains the wordings, for games that share templates."""
    wording: str = ""
    """All templates in one text, for games without a folder of templates. Each template follows a line `{#
    wording/phase #}`."""
    unit: str = "tokens"
    """The unit of amounts, in the plural. A framing may replace it."""
    translations: ClassVar[Path | None] = None
    """The folder of the game's texts in other languages. For each language it has a folder with the templates of the
    plain wording and with `words.toml`, whose table `words` has the names of the game in this language."""
    language: str = "en"
    words: Mapping[str, str] = MappingProxyType({})
    """Words of the language for names in code, such as those of fields and phases."""

    def word(self, name: str) -> str:
        """Return the word for a name in the language of the texts; by default the name itself."""
        return self.words.get(name, name)

    def translated(self, language: str) -> Self | None:
        """Return this briefing in another language, or None if the game has no texts in it."""
        folder = None if self.translations is None else self.translations / language
        if folder is None or not (folder / "words.toml").is_file():
            return None
        other = copy(self)
        other.language, other.prompts = language, folder
        other.words = parse_toml((folder / "words.toml").read_text(encoding="utf-8"))["words"]
        other.unit = other.word(self.unit)
        return other

    def template(self, question: Question) -> str:
        """Return the name of the question's template. By default, it is the name of the question's phase."""
        return question.phase

    @abstractmethod
    def context(self, question: Question, framing: Framing, chance: Chance) -> Mapping[str, Any]:
        """Return the variables of the question's template, besides `framing`, `turn`, `phase` and `past`."""

    @abstractmethod
    def form(self, question: Question, framing: Framing, chance: Chance) -> Sequence[AnswerField]:
        """Return the fields of the answer, in the order in which the prompt lists them."""

    def rules_context(self, question: Question, framing: Framing, chance: Chance) -> Mapping[str, Any]:
        """Return the variables of `rules.j2`, besides `framing`. The template is rendered once for each seat, at its
        first question, so none of the variables may change during the game. In layout 2 they are the same for all seats
        of all games."""
        return {}

    def past(self, question: Question, framing: Framing, chance: Chance) -> Sequence[str]:
        """Return the public past in words, as blocks of text that are the same for all seats. By default there are no
        blocks. In layout 2, the prompt contains these blocks, and the templates of questions omit the past. A later
        step of the game may only add text, to the last block or as a further block."""
        return ()

    def layout(self, question: Question, framing: Framing) -> int:
        """Return the layout of this question's prompt: the order of its parts."""
        return framing.layout

    def decode(self, question: Question, values: Mapping[str, Any]) -> object:
        """Return the raw answer for the values of the fields, in the game's units. By default this is the value of the
        field if there is only one, and otherwise all values by name. A field called `reasoning` is never part of the
        answer."""
        return next(iter(values.values())) if len(values) == 1 else dict(values)

    def labels(self, question: Question, framing: Framing, chance: Chance, count: int) -> tuple[str, ...]:
        """Return the label of each seat, by index."""
        return framing.seats_called(_default_labels(count))


@cache
def _default_labels(count: int) -> tuple[str, ...]:
    return tuple(Seat(index).label for index in range(count))


def prompts_digest(game: str) -> str:
    """Return a digest of all templates of a game."""
    briefing = briefing_of(game)
    files = [] if briefing.wording else sorted((briefing.prompts / briefing.folder).rglob("*.j2"))
    texts = [briefing.wording, *(f"{file.name}\n{file.read_text(encoding='utf-8')}" for file in files)]
    return sha256("\n".join(texts).encode()).hexdigest()[:8]


class ConversationalBriefing(Briefing):
    """The briefing of a game in which all prompts of a seat form one conversation."""

    @abstractmethod
    def figures(self, question: Question, answer: Answer | None) -> Mapping[str, Any]:
        """Return the figures of a turn, including the decision if there is one."""

    @abstractmethod
    def summary(self, rows: Sequence[Mapping[str, Any]], now: Mapping[str, Any], framing: Framing) -> str:
        """Return the figures of past turns on one line. This line replaces the oldest turns of a conversation that is
        too long. `now` has the figures of the first turn after these turns, as far as they are known."""

    @abstractmethod
    def decided(self, question: Question, answer: Answer, framing: Framing, chance: Chance) -> str:
        """Return a description of the fallback that was used for a seat without a legal answer. The description can end
        a sentence, for example 'contribution 0'."""


class PlainBriefing(Briefing):
    """The briefing of a game that declares no briefing. It describes the rules by the descriptions of their fields, and
    the view by the names and docstrings of the view's fields. The rules are in the view's field `rules`."""

    prompts = Path(__file__).parent / "prompts"

    def __init__(self, game: Game) -> None:
        self._game = game
        self.unit = game.unit or Briefing.unit

    @override
    def template(self, question: Question) -> str:
        return "question"

    @override
    def rules_context(self, question: Question, framing: Framing, chance: Chance) -> Mapping[str, Any]:
        rules = getattr(question.view, "rules", None)
        settings = [
            (name.replace("_", " "), _plain_data(getattr(rules, name)), field.description or "")
            for name, field in (type(rules).model_fields if isinstance(rules, BaseModel) else {}).items()
        ]
        return {
            "game": self._game,
            "settings": settings,
            "meanings": _meanings(type(question.view)),
            "me": self._me(question, framing),
        }

    @override
    def context(self, question: Question, framing: Framing, chance: Chance) -> Mapping[str, Any]:
        known = _plain_data(question.view)
        if isinstance(known, dict):
            known = {name: value for name, value in known.items() if name != "rules"}
        return {
            "game": self._game,
            "known": known,
            "me": self._me(question, framing),
            "asked": question.spec.describe(),
        }

    @override
    def form(self, question: Question, framing: Framing, chance: Chance) -> Sequence[AnswerField]:
        if framing.scale != 1:
            raise InputError(f"{self._game.command} has no briefing of its own, so its amounts have no scale")
        spec = question.spec
        parts = spec.specs if isinstance(spec, Fields) else {question.phase: spec}
        return [self._field(name, part) for name, part in parts.items()]

    @override
    def decode(self, question: Question, values: Mapping[str, Any]) -> object:
        return dict(values) if isinstance(question.spec, Fields) else next(iter(values.values()))

    def _field(self, name: str, spec: Spec) -> AnswerField:
        match spec:
            case Amount():
                return NumberField(name, spec.low, spec.high, whole=spec.whole)
            case Choice():
                labels = (NO_SEAT if option is None else str(option) for option in spec.options)
                return ChoiceField(name, tuple(zip(labels, spec.options, strict=True)))
            case Text():
                return TextField(name, spec.max_words)
            case Optional():
                return OptionalField(self._field(name, spec.of))
            case When():
                labels = (NO_SEAT if value is None else str(value) for value in spec.values)
                options = tuple(zip(labels, spec.values, strict=True))
                return ConditionalField(self._field(name, spec.of), spec.field, options)
            case _:
                raise InputError(
                    f"{self._game.command} asks for {spec.describe()}; the game needs a briefing of its own for that"
                )

    def _me(self, question: Question, framing: Framing) -> str:
        return question.seat.label if framing.labels is None else framing.labels[question.seat.index]


def _meanings(view: type) -> list[tuple[str, str]]:
    """Return the names and meanings of a view's fields that have a pydantic description or a docstring."""
    texts = attribute_docstrings(view)
    if issubclass(view, BaseModel):
        names = {name: field.description or texts.get(name, "") for name, field in view.model_fields.items()}
    else:
        names = {field.name: texts.get(field.name, "") for field in fields(view)} if is_dataclass(view) else {}
    return [(name, text) for name, text in names.items() if text and name != "rules"]


_MAX_WORDS = 400
"""The largest number of words of a text in a view."""


def _plain_data(value: object) -> Any:
    """Return a view as numbers, lists and names. Texts may be written by players, so they are sanitised."""
    match value:
        case None | bool() | int() | float():
            return value
        case str():
            return harmless(value, _MAX_WORDS)
        case Seat():
            return value.label
        case BaseModel():
            return {name: _plain_data(getattr(value, name)) for name in type(value).model_fields}
        case Mapping():
            return {str(name): _plain_data(item) for name, item in value.items()}
        case Sequence() | set() | frozenset():
            return [_plain_data(item) for item in value]
        case _ if is_dataclass(value):
            return {field.name: _plain_data(getattr(value, field.name)) for field in fields(value)}
        case _ if hasattr(value, "tolist"):
            return _plain_data(value.tolist())
        case _:
            return harmless(str(value), _MAX_WORDS)


def briefing_for(game: Game) -> Briefing:
    """Return the game's own briefing, or a plain one if it declares none."""
    declared = game.part("briefing")
    if declared is None:
        return PlainBriefing(game)
    briefing: Briefing = declared() if isinstance(declared, type) else declared(game)
    return briefing


@cached_until_registration
def briefing_of(game: str) -> Briefing:
    """Return the briefing of a game, by its name in records."""
    return briefing_for(GAMES[game])


@cached_until_registration
def briefing_in(game: str, language: str) -> Briefing:
    """Return the briefing of a game in a language, or in English if the game has no texts in it."""
    return briefing_of(game).translated(language) or briefing_of(game)


def framing_of(game: str) -> Framing:
    """Return the default framing of a game: plain, in its own unit."""
    return Framing(unit=briefing_of(game).unit)
