"""What a briefing is: the part of a game that has to be put into words. It gives the templates their variables, says
which fields an answer has, and turns them into the plain data that the question's specification validates. It knows no
model and no network."""

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
from ostrom.players.models.framing import NOBODY, Framing, harmless


class Briefing(ABC):
    """One game in words, of which each call stands alone. Stateless: everything is a function of the question, the
    framing and the game's chance."""

    prompts: ClassVar[Path]
    """The folder of the game's templates: `<wording>/rules.j2`, and one for each phase beside it."""
    folder: ClassVar[str] = "."
    """Where in it the wordings lie, for games that share templates."""
    wording: str = ""
    """All templates in one text, where they do not lie in a folder: each under a line `{# wording/phase #}`."""
    unit: str = "tokens"
    """What amounts are counted in, in the plural, unless a framing says otherwise."""

    def template(self, question: Question) -> str:
        """The name of the question's template: its phase."""
        return question.phase

    @abstractmethod
    def context(self, question: Question, framing: Framing, chance: Chance) -> Mapping[str, Any]:
        """The variables of the question's template, besides `framing`, `turn`, `phase` and
        `past`."""

    @abstractmethod
    def form(self, question: Question, framing: Framing, chance: Chance) -> Sequence[AnswerField]:
        """The fields of the answer, in the order in which they are asked for."""

    def rules_context(self, question: Question, framing: Framing, chance: Chance) -> Mapping[str, Any]:
        """The variables of `rules.j2`, besides `framing`. Rendered once for a seat and game, at its first question: it
        must hold nothing that changes in the course of the game."""
        return {}

    def decode(self, question: Question, values: Mapping[str, Any]) -> object:
        """The raw answer out of the fields' values, in the game's units. By default the one field's value, or all of
        them by name; a field called `reasoning` is never part of it."""
        return next(iter(values.values())) if len(values) == 1 else dict(values)

    def labels(self, question: Question, framing: Framing, chance: Chance, count: int) -> tuple[str, ...]:
        """What each seat is called, by index."""
        return framing.seats_called([Seat(index).label for index in range(count)])


def prompts_digest(game: str) -> str:
    """Names the version of a game's prompts: another one wherever a template is another."""
    briefing = briefing_of(game)
    files = [] if briefing.wording else sorted((briefing.prompts / briefing.folder).rglob("*.j2"))
    texts = [briefing.wording, *(f"{file.name}\n{file.read_text(encoding='utf-8')}" for file in files)]
    return sha256("\n".join(texts).encode()).hexdigest()[:8]


class ConversationalBriefing(Briefing):
    """A game in which a model is asked within one conversation from beginning to end."""

    @abstractmethod
    def figures(self, question: Question, answer: Answer | None) -> Mapping[str, Any]:
        """A turn in numbers, with what was decided where it is."""

    @abstractmethod
    def summary(self, rows: Sequence[Mapping[str, Any]], now: Mapping[str, Any], framing: Framing) -> str:
        """The figures of past turns on one line. It takes the place of the oldest turns of a conversation that has
        grown too long. `now` are the figures of the turn after them, as far as they are known."""

    @abstractmethod
    def decided(self, question: Question, answer: Answer, framing: Framing, chance: Chance) -> str:
        """What was entered for a seat that gave no legal answer, as the end of a sentence: 'contribution 0'."""


class PlainBriefing(Briefing):
    """The briefing of a game that brings none: the rules by their descriptions, and what the seat may know by name.
    A view tells of the rules where it holds them, under `rules`."""

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
            raise InputError(f"{self._game.command} has no briefing of its own, so its amounts cannot be scaled")
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
                return ChoiceField(name, tuple((NOBODY if one is None else str(one), one) for one in spec.options))
            case Text():
                return TextField(name, spec.max_words)
            case _:
                raise InputError(
                    f"{self._game.command} asks for {spec.describe()}; the game needs a briefing of its own for that"
                )

    def _me(self, question: Question, framing: Framing) -> str:
        return question.seat.label if framing.labels is None else framing.labels[question.seat.index]


_MOST_WORDS = 400
"""How many words of a text in a view are told."""


def _plain_data(value: object) -> Any:
    """What a view holds, as numbers, lists and names. Texts may be a player's own: they are made harmless."""
    match value:
        case None | bool() | int() | float():
            return value
        case str():
            return harmless(value, _MOST_WORDS)
        case Seat():
            return value.label
        case BaseModel():
            return {name: _plain_data(getattr(value, name)) for name in type(value).model_fields}
        case Mapping():
            return {str(name): _plain_data(one) for name, one in value.items()}
        case Sequence() | set() | frozenset():
            return [_plain_data(one) for one in value]
        case _ if is_dataclass(value):
            return {each.name: _plain_data(getattr(value, each.name)) for each in fields(value)}
        case _ if hasattr(value, "tolist"):
            return _plain_data(value.tolist())
        case _:
            return harmless(str(value), _MOST_WORDS)


def briefing_for(game: Game) -> Briefing:
    """The game's own briefing; a plain one where it declares none."""
    declared = game.part("briefing")
    if declared is None:
        return PlainBriefing(game)
    made: Briefing = declared() if isinstance(declared, type) else declared(game)
    return made


@cached_until_registration
def briefing_of(game: str) -> Briefing:
    """The briefing of a game, by its name in records."""
    return briefing_for(GAMES[game])


def framing_of(game: str) -> Framing:
    """How a game is put where nobody says otherwise: plainly, in its own unit."""
    return Framing(unit=briefing_of(game).unit)
