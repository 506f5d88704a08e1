"""Briefings: the description of a game in words. A briefing provides the variables of the templates, declares the
fields of an answer, and converts their values to the plain data that the question's specification validates."""

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import fields, is_dataclass
from hashlib import sha256
from pathlib import Path
from typing import Any, ClassVar

from pydantic import BaseModel
from typing_extensions import override

from ostrom.core import Amount, Answer, Chance, Choice, Fields, InputError, Question, Seat, Spec, Text
from ostrom.core.game import Game
from ostrom.core.plugins import GAMES, cached_until_registration
from ostrom.players.models.fields import AnswerField, ChoiceField, NumberField, TextField
from ostrom.players.models.framing import NO_SEAT, Framing, harmless


class Briefing(ABC):
    """One game in words, with self-contained calls. Stateless: everything is a function of the question, the framing
    and the game's chance."""

    prompts: ClassVar[Path]
    """The folder of the game's templates: `<wording>/rules.j2`, and one for each phase beside it."""
    folder: ClassVar[str] = "."
    """The folder of the wordings in it, for games that share templates."""
    wording: str = ""
    """All templates in one text, if they are not in a folder: each under a line `{# wording/phase #}`."""
    unit: str = "tokens"
    """The unit of amounts, in the plural, unless a framing has another."""

    def template(self, question: Question) -> str:
        """Return the name of the question's template, by default its phase."""
        return question.phase

    @abstractmethod
    def context(self, question: Question, framing: Framing, chance: Chance) -> Mapping[str, Any]:
        """Return the variables of the question's template, besides `framing`, `turn`, `phase` and `past`."""

    @abstractmethod
    def form(self, question: Question, framing: Framing, chance: Chance) -> Sequence[AnswerField]:
        """Return the fields of the answer, in the order of the form."""

    def rules_context(self, question: Question, framing: Framing, chance: Chance) -> Mapping[str, Any]:
        """Return the variables of `rules.j2`, besides `framing`. It is rendered once for a seat, at its first question,
        so nothing in it may change during the game."""
        return {}

    def decode(self, question: Question, values: Mapping[str, Any]) -> object:
        """Return the raw answer for the fields' values, in the game's units. By default the one field's value, or all
        by name; a field called `reasoning` is never part of it."""
        return next(iter(values.values())) if len(values) == 1 else dict(values)

    def labels(self, question: Question, framing: Framing, chance: Chance, count: int) -> tuple[str, ...]:
        """Return the label of each seat, by index."""
        return framing.seats_called([Seat(index).label for index in range(count)])


def prompts_digest(game: str) -> str:
    """Return a digest of all templates of a game."""
    briefing = briefing_of(game)
    files = [] if briefing.wording else sorted((briefing.prompts / briefing.folder).rglob("*.j2"))
    texts = [briefing.wording, *(f"{file.name}\n{file.read_text(encoding='utf-8')}" for file in files)]
    return sha256("\n".join(texts).encode()).hexdigest()[:8]


class ConversationalBriefing(Briefing):
    """A game that is one conversation from beginning to end."""

    @abstractmethod
    def figures(self, question: Question, answer: Answer | None) -> Mapping[str, Any]:
        """Return a turn in numbers, with the decision if there is one."""

    @abstractmethod
    def summary(self, rows: Sequence[Mapping[str, Any]], now: Mapping[str, Any], framing: Framing) -> str:
        """Return the figures of past turns on one line, which replaces the oldest turns of a conversation that is too
        long. `now` are the figures of the turn after them, as far as they are known."""

    @abstractmethod
    def decided(self, question: Question, answer: Answer, framing: Framing, chance: Chance) -> str:
        """Return the fallback of a seat without a legal answer, as the end of a sentence: 'contribution 0'."""


class PlainBriefing(Briefing):
    """The briefing of a game that declares none: the rules by their descriptions, and the view by its field names. The
    rules are the view's field `rules`."""

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
        return {"game": self._game, "settings": settings, "me": self._me(question, framing)}

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
            case _:
                raise InputError(
                    f"{self._game.command} asks for {spec.describe()}; the game needs a briefing of its own for that"
                )

    def _me(self, question: Question, framing: Framing) -> str:
        return question.seat.label if framing.labels is None else framing.labels[question.seat.index]


_MAX_WORDS = 400
"""The most words of a text in a view."""


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


def framing_of(game: str) -> Framing:
    """Return the default framing of a game: plain, in its own unit."""
    return Framing(unit=briefing_of(game).unit)
