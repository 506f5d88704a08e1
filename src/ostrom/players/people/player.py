"""A person at one seat of one game: told word for word what a model there would be told, and held to the same checks.
The page takes the place of the connection."""

import json
from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from typing import Any, Final

from typing_extensions import override

from ostrom.core import Answer, Call, Chance, Driver, Line, Provenance, Question, Seat, Table, Usage, seats
from ostrom.core.game import Game
from ostrom.core.plugins import GAMES
from ostrom.players.base import Endpoint, Reply, Request
from ostrom.players.models.bots import Bot
from ostrom.players.models.briefing import briefing_of, framing_of
from ostrom.players.models.fields import REASONING, AimedField, AnswerField, TextField, schema_of
from ostrom.players.models.framing import NOBODY, plain
from ostrom.players.models.player import BriefedPlayer
from ostrom.players.models.prompting import form_section, rules_text
from ostrom.players.people.seat import HUMAN, HumanSeat, OpenQuestion

_BOT: Final = Bot(name=HUMAN, model=HUMAN)
"""The settings that a plain model would have, such as how much of a conversation is told again."""


def _free(given: int, taken: int) -> float:
    return 0.0


class HumanPlayer(BriefedPlayer):
    """One seat's person in one game."""

    def __init__(self, seat: HumanSeat, game: str, chance: Chance) -> None:
        # An endpoint of its own: no seat waits for another one's place, and none is taken for the outage of another.
        endpoint = Endpoint(model=seat.endpoint, provider=seat.endpoint, price=_free, keeps_time=True)
        super().__init__(_BOT, endpoint, "page", briefing_of(game), framing_of(game), chance)
        self._seat = seat
        self._clock = GAMES[game].clock.capitalize()
        self._chapter = seat.chapter(game)

    @override
    def compose(self, question: Question, past: Sequence[Call]) -> Request:
        """What a model would be told, with a form for a page."""
        request = super().compose(question, past)
        return replace(request, payload=self._opened(question, request.prompt))

    async def send(self, request: Request, reference: str) -> Reply:
        """Put the question on the page, and wait for the person's answer."""
        return _reply(await self._seat.ask(request.payload))

    @override
    def remember(self, question: Question, past: Sequence[Call], answer: Answer) -> None:
        super().remember(question, past, answer)
        missed = answer.provenance is Provenance.DEFAULTED
        self._seat.remember((self._chapter, *question.key), self._told(question, past, answer), missed=missed)

    def _opened(self, question: Question, prompt: Sequence[Line]) -> OpenQuestion:
        fields = self._fields(question)
        section = form_section(fields, self._form, self._framing.variant)
        *earlier, last = (line for line in prompt if line.role != "system")
        schema, written = schema_of(fields), _written(fields)
        # Reasons are welcome; a person need not write them down.
        schema["required"] = [name for name in schema["required"] if name != REASONING]
        for aimed in fields:
            if isinstance(aimed, AimedField):  # what is done to the target, for the words on the page's button
                schema["properties"]["target"] = {**schema["properties"]["target"], "title": aimed.name}
        return OpenQuestion(
            key=(self._chapter, *question.key),
            text=last.text.removesuffix(section).rstrip(),
            earlier=tuple(earlier),
            form=tuple(field.in_json() for field in fields),
            schema=schema,
            check=lambda text: _checked(self, question, text),
            words=lambda values: f"{self._when(question)}: {_in_words(values, written)}",
        )

    def _when(self, question: Question) -> str:
        return f"{self._clock} {question.turn}, {question.phase.replace('_', ' ')}"

    def _told(self, question: Question, past: Sequence[Call], answer: Answer) -> str:
        reply = next((call.reply for call in reversed(past) if call.fault is None and call.reply), None)
        if answer.provenance is Provenance.DEFAULTED or reply is None:
            return f"{self._when(question)}: no answer came in time; the game entered {_in_words(answer.value)}"
        return f"{self._when(question)}: {_in_words(json.loads(reply), _written(self._fields(question)))}"


def _reply(text: str) -> Reply:
    return Reply(text, Usage(), cost=0.0, finish_reason=None, effective={})


def _written(fields: Sequence[AnswerField]) -> list[str]:
    return [field.name for field in fields if isinstance(field, TextField)]


def _checked(player: HumanPlayer, question: Question, text: str) -> None:
    player.read(question, _reply(text))


def _in_words(values: object, written: Collection[str] = ()) -> str:
    """What was decided, on one line; what a person wrote, rather than chose, stands in quotation marks."""
    if not isinstance(values, Mapping):
        return _one(values, quoted=False)
    told = {name: _one(value, quoted=name in written) for name, value in values.items() if name != REASONING}
    if len(told) == 1:
        return next(iter(told.values()))
    words = [f"{name} {value}" for name, value in told.items()]
    first, whom = next(iter(told.items()))
    if values[first] is None or (isinstance(values[first], str) and first not in written):
        # An answer that begins with whom it is for: that needs no name, and for nobody there is no more to say.
        return whom if whom.casefold() == NOBODY else ", ".join([whom, *words[1:]])
    return ", ".join(words)


def _one(value: object, *, quoted: bool) -> str:
    if value is None:
        return NOBODY
    if isinstance(value, int | float):
        return plain(value)
    text = " ".join(str(value).split())
    if not text:
        return "nothing"
    return f"“{text}”" if quoted else text


def opening(game: Game, rules: Any, chance: Chance, count: int, seat: int) -> tuple[str, tuple[str, ...]]:
    """The rules as a model at this seat would be told them at its first question, whenever that is, and what each seat
    is called, by index: none of it changes in the course of the game. No rules where the seat may never be asked."""
    question = _first_question(game, rules, chance, count, seat)
    if question is None:
        return "", tuple(Seat(index).label for index in range(count))
    briefing, framing = briefing_of(game.name), framing_of(game.name)
    labels = briefing.labels(question, framing, chance, count)
    return rules_text(briefing, question, framing, chance), labels


def _first_question(game: Game, rules: Any, chance: Chance, count: int, seat: int) -> Question | None:
    """The first question to a seat, where everybody before it gives the declared fallback."""
    driver = Driver(game.play(rules, Table(seats(count), chance)))
    while driver.step is not None:
        for question in driver.step:
            if question.seat.index == seat:
                driver.close()
                return question
        driver.advance([Answer(question.fallback, Provenance.DEFAULTED) for question in driver.step])
    return None
