"""A person in one seat of one game, who gets the same prompts and the same checks as a model. A web page replaces the
connection to a model."""

import json
from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from typing import Any, Final

from typing_extensions import override

from ostrom.core import Answer, Call, Chance, Driver, Line, Optional, Provenance, Question, Seat, Table, Usage, seats
from ostrom.core.game import Game
from ostrom.players.base import Endpoint, Reply, Request, Unanswered
from ostrom.players.models.bots import Bot
from ostrom.players.models.fields import REASONING, AimedField, AnswerField, TextField, schema_of
from ostrom.players.models.framing import NO_SEAT, plain
from ostrom.players.models.optional_fields import ConditionalField
from ostrom.players.models.player import BriefedPlayer
from ostrom.players.models.prompting import form_section, rules_text
from ostrom.players.people.seat import HUMAN, HumanSeat, OpenQuestion
from ostrom.players.people.texts import AS_MODELS, PeopleTexts, texts_of

_BOT: Final = Bot(name=HUMAN, model=HUMAN)
"""The settings of a bot that apply to people too, such as the maximum length of a conversation."""


def _free(usage: Usage) -> float:
    return 0.0


class HumanPlayer(BriefedPlayer):
    """The player of one seat in one game, with a person at a web page."""

    def __init__(self, seat: HumanSeat, game: str, chance: Chance, language: str = AS_MODELS) -> None:
        """`language` is that of the texts; by default the person reads the same texts as a model."""
        # Each seat has its own endpoint, so that no seat waits for another or becomes unavailable with another.
        endpoint = Endpoint(model=seat.endpoint, provider=seat.endpoint, price=_free, keeps_time=True)
        self._texts = texts_of(game, language)
        super().__init__(_BOT, endpoint, "page", self._texts.briefing, self._texts.framing, chance)
        self._seat = seat
        self._chapter = seat.chapter(game)

    @override
    def compose(self, question: Question, past: Sequence[Call]) -> Request:
        request = super().compose(question, past)
        return replace(request, payload=self._open_question(question, request.prompt))

    async def send(self, request: Request, reference: str) -> Reply:
        """Show the question on the page, and return the person's answer. Raises `Unanswered` and `CallCancelled`."""
        return _reply(await self._seat.ask(request.payload))

    @override
    def remember(self, question: Question, past: Sequence[Call], answer: Answer) -> None:
        super().remember(question, past, answer)
        missed = answer.provenance is Provenance.DEFAULTED
        self._seat.remember((self._chapter, *question.key), self._decision(question, past, answer), missed=missed)

    def _open_question(self, question: Question, prompt: Sequence[Line]) -> OpenQuestion:
        fields = self._fields(question)
        section = form_section(fields, self._form, self._framing.variant)
        *earlier, last = (line for line in prompt if line.role != "system")
        schema, texts = _page_schema(fields), _text_names(fields)
        return OpenQuestion(
            key=(self._chapter, *question.key),
            text=self._texts.text(last.text.removesuffix(section).rstrip()),
            earlier=tuple(replace(line, text=self._texts.text(line.text)) for line in earlier),
            form=tuple(field.in_json() for field in fields),
            schema=schema,
            check=lambda text: self._check(question, text),
            words=lambda values: f"{self._when(question)}: {_reply_in_words(values, self._texts, texts)}",
        )

    def _check(self, question: Question, text: str) -> None:
        try:
            self.read(question, _reply(text))
        except Unanswered as refusal:
            reason = self._texts.refusal(refusal.reason, refusal.fault, self._fields(question))
            raise Unanswered(refusal.fault, reason) from None

    def _when(self, question: Question) -> str:
        clock, phase = self._texts.clock, self._texts.name(question.phase).replace("_", " ")
        return self._texts.phrase("when", clock=clock[:1].upper() + clock[1:], turn=question.turn, phase=phase)

    def _decision(self, question: Question, past: Sequence[Call], answer: Answer) -> str:
        reply = next((call.reply for call in reversed(past) if call.fault is None and call.reply), None)
        if answer.provenance is Provenance.DEFAULTED or reply is None:
            passes = answer.value is None and isinstance(question.spec, Optional)
            entered = self._texts.phrases["pass"] if passes else _in_words(answer.value, self._texts)
            return self._texts.phrase("missed", when=self._when(question), value=entered)
        words = _reply_in_words(json.loads(reply), self._texts, _text_names(self._fields(question)))
        return f"{self._when(question)}: {words}"


def _page_schema(fields: Sequence[AnswerField]) -> dict[str, Any]:
    """Return the schema of an answer, extended by data that a page needs: the text of the field's button, and the
    conditions under which the field is asked."""
    schema = schema_of(fields)
    properties = schema["properties"]
    # A person may leave out the reasoning.
    omitted = {REASONING, *(field.name for field in fields if not field.always)}
    schema["required"] = [name for name in schema["required"] if name not in omitted]
    for field in fields:
        if isinstance(field, AimedField):
            properties["target"] = {**properties["target"], "title": field.name}
        if isinstance(field, ConditionalField):
            condition = {"field": field.field, "equals": [label for label, _ in field.options]}
            properties[field.name] = {**properties[field.name], "askedIf": condition}
    return schema


def _reply(text: str) -> Reply:
    return Reply(text, Usage(), cost=0.0, finish_reason=None, effective={})


def _text_names(fields: Sequence[AnswerField]) -> list[str]:
    return [field.name for field in fields if isinstance(field, TextField)]


def _reply_in_words(values: object, words: PeopleTexts, text_names: Collection[str]) -> str:
    """Return a reply on one line. Fields that were not asked are left out, and null is written as passing."""
    if not isinstance(values, Mapping):
        return _in_words(values, words, text_names)
    answered = {name: value for name, value in values.items() if value is not None}
    return _in_words(answered, words, text_names) if answered.keys() - {REASONING} else words.phrases["pass"]


def _in_words(values: object, words: PeopleTexts, text_names: Collection[str] = ()) -> str:
    """Return a decision on one line. The values of the fields in `text_names` are in quotation marks."""
    if not isinstance(values, Mapping):
        return _value_text(values, words, quoted=False)
    given = {name: value for name, value in values.items() if name != REASONING}
    texts = {name: _value_text(value, words, quoted=name in text_names) for name, value in given.items()}
    if len(texts) == 1:
        return next(iter(texts.values()))
    parts = [f"{words.name(name)} {value}" for name, value in texts.items()]
    first, target = next(iter(texts.items()))
    if values[first] is None or (isinstance(values[first], str) and first not in text_names):
        # If the first field is a target, its name is left out. If the target is none of the seats, the other fields are
        # left out too.
        return target if str(values[first] or NO_SEAT).casefold() == NO_SEAT else ", ".join([target, *parts[1:]])
    return ", ".join(parts)


def _value_text(value: object, words: PeopleTexts, *, quoted: bool) -> str:
    if value is None:
        return words.no_seat
    if isinstance(value, int | float):
        return plain(value).replace(".", words.framing.decimal)
    text = " ".join(str(value).split())
    if not text:
        return words.phrases["nothing"]
    if not quoted and text.casefold() == NO_SEAT:
        return words.no_seat
    return f"“{text}”" if quoted else words.name(text)


def opening(
    game: Game, rules: Any, chance: Chance, count: int, seat: int, language: str = AS_MODELS
) -> tuple[str, tuple[str, ...]]:
    """Return the rules in the prompt of the seat's first question, and the labels of all seats by index. Neither
    changes during the game. The rules are empty if no first question to the seat can be determined. `language` is that
    of the texts; by default the person reads the same texts as a model."""
    question = _first_question(game, rules, chance, count, seat)
    if question is None:
        return "", tuple(Seat(index).label for index in range(count))
    texts = texts_of(game.name, language)
    labels = texts.briefing.labels(question, texts.framing, chance, count)
    return texts.text(rules_text(texts.briefing, question, texts.framing, chance)), labels


def _first_question(game: Game, rules: Any, chance: Chance, count: int, seat: int) -> Question | None:
    """Return the first question to a seat if all earlier answers are fallbacks. Return None if the seat is then never
    asked."""
    driver = Driver(game.play(rules, Table(seats(count), chance)))
    while driver.step is not None:
        for question in driver.step:
            if question.seat.index == seat:
                driver.close()
                return question
        driver.advance([Answer(question.fallback, Provenance.DEFAULTED) for question in driver.step])
    return None
