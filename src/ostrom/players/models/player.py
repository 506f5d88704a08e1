"""The player for one seat of one game that a model plays, and the conversation with the model."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from hashlib import sha256
from typing import Any

from typing_extensions import override

from ostrom.core import Answer, Call, Chance, Fault, Line, Provenance, Question
from ostrom.players.base import Endpoint, Reply, Request, Unanswered
from ostrom.players.models.batches import BatchApi
from ostrom.players.models.bots import Bot
from ostrom.players.models.briefing import Briefing, ConversationalBriefing
from ostrom.players.models.connection import ModelConnection
from ostrom.players.models.distribution import with_distribution
from ostrom.players.models.engine import Slot
from ostrom.players.models.fields import AnswerField, schema_of
from ostrom.players.models.framing import SEAT_FIRST, Framing
from ostrom.players.models.prompting import (
    SEPARATOR,
    form_section,
    grammar_of,
    past_text,
    question_text,
    rules_text,
    system_text,
)
from ostrom.players.models.reading import read_reply
from ostrom.players.models.slots import closed_slot

MAX_REPLY = 2_000
"""The largest number of characters of a reply in the conversation."""
MAX_REFUSED = 600
"""The largest number of characters of a refused reply that the prompt repeats."""


def cut(text: str, most: int) -> str:
    """Return a text. If it is too long, its middle is left out, since answers are usually at the beginning or the
    end."""
    text = text.strip()
    half = most // 2
    return text if len(text) <= most else f"{text[:half]} … {text[-half:]}"


@dataclass(frozen=True, slots=True)
class ConversationTurn:
    """A decided turn. If its answer was the fallback, it has figures and no words."""

    figures: Mapping[str, Any]
    asked: str = ""
    replied: str = ""

    @property
    def size(self) -> int:
        return len(self.asked) + len(self.replied)


@dataclass(slots=True)
class Conversation:
    """The conversation so far. It is computed from the decided turns alone, so that equal turns give equal
    conversations."""

    most: int
    """The largest number of characters of those turns that are kept with their words."""
    turns: list[ConversationTurn] = field(default_factory=list)
    folded: list[Mapping[str, Any]] = field(default_factory=list)
    """The figures of turns whose words were removed, from the oldest to the latest."""
    size: int = 0

    def add(self, turn: ConversationTurn) -> None:
        """Add a turn. If the conversation is too long, it is cut to half of the maximum. So the beginning of the
        conversation stays the same for many turns, and providers can cache it."""
        self.turns.append(turn)
        self.size += turn.size
        if self.size <= self.most:
            return
        while self.turns and self.size > self.most // 2:
            oldest = self.turns.pop(0)
            self.size -= oldest.size
            self.folded.append(oldest.figures)

    def after_folded(self, now: Mapping[str, Any]) -> Mapping[str, Any]:
        """Return the figures of the first turn whose words were not removed. If there is none, return `now`."""
        return self.turns[0].figures if self.turns else now

    def lines(self, question: Sequence[Line], summary: str | None) -> list[Line]:
        """Return the turns as alternating messages of a user and a model, followed by the present question. The summary
        of removed turns precedes the first turn."""
        with_words = [turn for turn in self.turns if turn.replied]
        lines = []
        for turn in with_words:
            lines += [Line("user", turn.asked), Line("assistant", turn.replied)]
        lines += question
        if summary is not None:
            lines[0] = Line("user", f"{summary}\n\n{lines[0].text}")
        return lines


EARLIER = "Earlier turns in numbers; where several turns are named together, their means:"


class BriefedPlayer:
    """A player of one seat in one game to which the game is described in words. It has all methods of a remote player
    except `send`."""

    def __init__(
        self, bot: Bot, endpoint: Endpoint, form: str, briefing: Briefing, framing: Framing, chance: Chance
    ) -> None:
        self._bot, self.endpoint, self._form = bot, endpoint, form
        self._briefing, self._framing, self._chance = briefing, framing, chance
        self._rules: Line | None = None
        self._conversation = Conversation(bot.conversation)
        self._asked: tuple[Question, Sequence[AnswerField]] | None = None
        """The last question, with the fields of its answer."""
        self._defaulted = ""
        """The note about defaulted turns with which the next question begins."""

    def compose(self, question: Question, past: Sequence[Call]) -> Request:
        """Return the request for a question. It contains the rules, the conversation, the question, the form of the
        answer, and refused replies with their reasons. It has no bounds of its usage."""
        fields, form = self._fields(question), self._form
        section = form_section(fields, form, self._form_wording(fields))
        text = question_text(self._briefing, question, self._framing, self._chance, past=False)
        if self._defaulted:
            text = f"{self._defaulted}\n\n{text}"
        if not self._personality_first(question):
            text = system_text(self._bot.personality, text)
        shared = past_text(self._briefing, question, self._framing, self._chance)
        lines = [*(Line("user", block) for block in shared), Line("user", text)]
        if isinstance(self._briefing, ConversationalBriefing):
            lines = self._conversation.lines(lines, self._summary(self._briefing, question))
        prompt = (*self._system(question), *_with_refused(lines, past, section))
        schema = schema_of(fields) if form in ("native", "tool") else None
        grammar = grammar_of(fields) if form == "tags" and self._bot.grammar else None
        return Request(prompt, settings={}, most_input=0, most_output=0, most_cost=0.0, payload=(schema, grammar))

    def read(self, question: Question, reply: Reply) -> Answer:
        """Return the legal answer in a reply. Raise `Unanswered` if the reply has no legal answer."""
        fields = self._fields(question)
        return read_reply(self._briefing, question, fields, self._form, reply, self._bot.max_tokens)

    def remember(self, question: Question, past: Sequence[Call], answer: Answer) -> None:
        """Add a decided question to the conversation. Of its replies, only the accepted one is added."""
        briefing = self._briefing
        if not isinstance(briefing, ConversationalBriefing):
            return
        figures = briefing.figures(question, answer)
        accepted = next((call for call in reversed(past) if call.fault is None and call.reply), None)
        if answer.provenance is Provenance.DEFAULTED or accepted is None or accepted.reply is None:
            entered = briefing.decided(question, answer, self._framing, self._chance)
            note = f"In turn {question.turn} you gave no valid answer; this was entered for you: {entered}."
            self._defaulted = f"{self._defaulted}\n{note}" if self._defaulted else note
            self._conversation.add(ConversationTurn(figures))
            return
        shared = SEPARATOR.join(past_text(briefing, question, self._framing, self._chance))
        text = shared or question_text(briefing, question, self._framing, self._chance, past=True)
        if self._defaulted:
            parts = (text, self._defaulted) if shared else (self._defaulted, text)
            text, self._defaulted = "\n\n".join(parts), ""
        self._conversation.add(ConversationTurn(figures, text, cut(accepted.reply, MAX_REPLY)))

    def _form_wording(self, fields: Sequence[AnswerField]) -> str:
        return self._framing.variant

    def _fields(self, question: Question) -> Sequence[AnswerField]:
        if self._asked is None or self._asked[0] is not question:
            self._asked = question, self._briefing.form(question, self._framing, self._chance)
        return self._asked[1]

    def _system(self, question: Question) -> tuple[Line, ...]:
        if self._rules is None:
            rules = rules_text(self._briefing, question, self._framing, self._chance)
            personality = self._bot.personality if self._personality_first(question) else ""
            self._rules = Line("system", system_text(personality, rules))
        return (self._rules,) if self._rules.text else ()

    def _personality_first(self, question: Question) -> bool:
        return self._bot.personality_first or self._briefing.layout(question, self._framing) == SEAT_FIRST

    def _summary(self, briefing: ConversationalBriefing, question: Question) -> str | None:
        rows = self._conversation.folded
        if not rows:
            return None
        now = self._conversation.after_folded(briefing.figures(question, None))
        return f"{EARLIER}\n{briefing.summary(rows, now, self._framing)}"


class ModelPlayer(BriefedPlayer):
    """The player of one seat in one game, with a model at a provider or on a server."""

    def __init__(
        self, bot: Bot, connection: ModelConnection, briefing: Briefing, framing: Framing, chance: Chance
    ) -> None:
        super().__init__(bot, connection.endpoint, connection.form, briefing, framing, chance)
        self._connection = connection

    @property
    def batches(self) -> BatchApi | None:
        """The batch API of the model's provider, if there is one."""
        return self._connection.batches

    def batch_failure(self, error: Exception) -> Unanswered:
        """Return the fault for a failed request to the batch API."""
        return self._connection.batch_failure(error)

    @override
    def compose(self, question: Question, past: Sequence[Call]) -> Request:
        request, settings = super().compose(question, past), self._connection.requested
        payload = request.payload
        if any(part is not None for part in payload):
            # An earlier reply may be reused only if schema and grammar were the same. The prompt does not contain them,
            # so they are recorded in the settings.
            settings = {**settings, "schema": sha256(json.dumps(payload).encode()).hexdigest()[:16]}
        if (slot := self._scored_slot(self._fields(question))) is not None:
            draw = f"reply/{question.phase}", question.turn, question.seat.index, len(past)
            payload = (*payload, slot, self._chance.uniform(*draw))
        bounds, layout = (
            self._connection.bounds(request.prompt, payload[0]),
            self._briefing.layout(question, self._framing),
        )
        return Request(request.prompt, settings, *bounds, payload, layout)

    async def send(self, request: Request, reference: str) -> Reply:
        """Make one call, without retries, and return its reply. Raise `Unanswered` if there is no reply."""
        schema, grammar, *scored = request.payload
        if not scored:
            return await self._connection.send(request.prompt, schema, reference, grammar)
        reply = await self._connection.send(request.prompt, schema, reference, grammar, logprobs=True)
        slot, uniform = scored
        return with_distribution(reply, slot, uniform, self._bot.temperature)

    @override
    def _form_wording(self, fields: Sequence[AnswerField]) -> str:
        # The answer must be the first part of the reply. Otherwise its probabilities would be those after one of many
        # possible lines of reasoning.
        return "terse" if self._scored_slot(fields) is not None else super()._form_wording(fields)

    def _scored_slot(self, fields: Sequence[AnswerField]) -> Slot | None:
        return closed_slot(fields) if self._bot.answers == "logprobs" else None


def _with_refused(lines: Sequence[Line], past: Sequence[Call], section: str) -> list[Line]:
    """Return the lines followed by the refused replies, each with the reason, and the form of the answer."""
    *before, last = lines
    text = last.text
    for call in past:
        if call.fault is None or not call.fault.of_reply:
            continue
        reason = f"This reply was not accepted: {call.error}. Please answer again."
        reply = cut(call.reply or "", MAX_REFUSED)
        if reply:
            before += [Line("user", text), Line("assistant", reply)]
            text = reason
        else:  # Some providers reject empty messages.
            state = "could not be read" if call.fault is Fault.MALFORMED else "was empty"
            text = f"{text}\n\nYour last reply {state}. Please answer."
    return [*before, Line("user", f"{text}\n\n{section}")]
