"""One seat's model in one game: composes, sends, reads, remembers; and the conversation that it carries on."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from typing_extensions import override

from ostrom.core import Answer, Call, Chance, Fault, Line, Provenance, Question
from ostrom.players.base import Endpoint, Reply, Request
from ostrom.players.models.bots import Bot
from ostrom.players.models.briefing import Briefing, ConversationalBriefing
from ostrom.players.models.connection import ModelConnection
from ostrom.players.models.fields import AnswerField, schema_of
from ostrom.players.models.framing import Framing
from ostrom.players.models.prompting import form_section, grammar_of, question_text, rules_text, system_text
from ostrom.players.models.reading import read_reply

LONGEST_REPLY = 2_000
"""Characters of a reply that stay in the conversation."""
LONGEST_REFUSED = 600
"""Characters of a refused reply that are shown again."""


def cut(text: str, most: int) -> str:
    """A text with its middle left out where it is too long: answers tend to stand at the ends."""
    text = text.strip()
    half = most // 2
    return text if len(text) <= most else f"{text[:half]} … {text[-half:]}"


@dataclass(frozen=True, slots=True)
class ConversationTurn:
    """A turn that was asked and decided. One that was defaulted has no words, only figures."""

    figures: Mapping[str, Any]
    asked: str = ""
    replied: str = ""

    @property
    def size(self) -> int:
        return len(self.asked) + len(self.replied)


@dataclass(slots=True)
class Conversation:
    """What is kept of the turns so far. It is a fold over decided turns: the same turns give the same conversation."""

    most: int
    """Characters to be kept at most."""
    kept: list[ConversationTurn] = field(default_factory=list)
    folded: list[Mapping[str, Any]] = field(default_factory=list)
    """The figures of turns whose words are gone, oldest first."""
    size: int = 0

    def add(self, exchange: ConversationTurn) -> None:
        """Keep a turn. When the conversation is too long it is cut to half of what is allowed, so that its beginning
        stays the same for many turns."""
        self.kept.append(exchange)
        self.size += exchange.size
        if self.size <= self.most:
            return
        while self.kept and self.size > self.most // 2:
            oldest = self.kept.pop(0)
            self.size -= oldest.size
            self.folded.append(oldest.figures)

    def after_folded(self, now: Mapping[str, Any]) -> Mapping[str, Any]:
        """The figures of the turn after the last one that is folded."""
        return self.kept[0].figures if self.kept else now

    def lines(self, asked: str, summary: str | None) -> list[Line]:
        """The turns that are kept and what is asked now, as messages of a user and a model in turn. The first is told
        after the summary of the turns that are gone."""
        spoken = [exchange for exchange in self.kept if exchange.replied]
        lines = [line for one in spoken for line in (Line("user", one.asked), Line("assistant", one.replied))]
        lines.append(Line("user", asked))
        if summary is not None:
            lines[0] = Line("user", f"{summary}\n\n{lines[0].text}")
        return lines


EARLIER = "Earlier turns in numbers; where several turns are named together, their means:"


class BriefedPlayer:
    """One seat's player in one game who is told everything in words: all of a remote player but the sending."""

    def __init__(
        self, bot: Bot, endpoint: Endpoint, form: str, briefing: Briefing, framing: Framing, chance: Chance
    ) -> None:
        self._bot, self.endpoint, self._form = bot, endpoint, form
        self._briefing, self._framing, self._chance = briefing, framing, chance
        self._rules: Line | None = None
        self._conversation = Conversation(bot.conversation)
        self._defaulted = ""
        """What is still to be told about turns that were decided in its place."""

    def compose(self, question: Question, past: Sequence[Call]) -> Request:
        """Rules, conversation, question and form; where replies were refused, these and why. As far as is known here,
        it costs nothing."""
        fields, form = self._fields(question), self._form
        section = form_section(fields, form, self._framing.variant)
        asked = question_text(self._briefing, question, self._framing, self._chance, past=False)
        if self._defaulted:
            asked = f"{self._defaulted}\n\n{asked}"
        lines = [Line("user", asked)]
        if isinstance(self._briefing, ConversationalBriefing):
            lines = self._conversation.lines(asked, self._summary(self._briefing, question))
        prompt = (*self._system(question), *_with_refused(lines, past, section))
        schema = schema_of(fields) if form in ("native", "tool") else None
        grammar = grammar_of(fields) if form == "tags" and self._bot.grammar else None
        return Request(prompt, settings={}, most_input=0, most_output=0, most_cost=0.0, payload=(schema, grammar))

    def read(self, question: Question, reply: Reply) -> Answer:
        """The legal answer that the reply holds. Raises `Unanswered`."""
        fields = self._fields(question)
        return read_reply(self._briefing, question, fields, self._form, reply, self._bot.max_tokens)

    def remember(self, question: Question, past: Sequence[Call], answer: Answer) -> None:
        """Go on from a decided question. Only the reply that was accepted stays in the conversation."""
        briefing = self._briefing
        if not isinstance(briefing, ConversationalBriefing):
            return
        figures = briefing.figures(question, answer)
        accepted = next((call for call in reversed(past) if call.fault is None and call.reply), None)
        if answer.provenance is Provenance.DEFAULTED or accepted is None or accepted.reply is None:
            entered = briefing.decided(question, answer, self._framing, self._chance)
            told = f"In turn {question.turn} you gave no valid answer; this was entered for you: {entered}."
            self._defaulted = f"{self._defaulted}\n{told}" if self._defaulted else told
            self._conversation.add(ConversationTurn(figures))
            return
        asked = question_text(briefing, question, self._framing, self._chance, past=True)
        if self._defaulted:
            asked, self._defaulted = f"{self._defaulted}\n\n{asked}", ""
        self._conversation.add(ConversationTurn(figures, asked, cut(accepted.reply, LONGEST_REPLY)))

    def _fields(self, question: Question) -> Sequence[AnswerField]:
        return self._briefing.form(question, self._framing, self._chance)

    def _system(self, question: Question) -> tuple[Line, ...]:
        if self._rules is None:
            rules = rules_text(self._briefing, question, self._framing, self._chance)
            self._rules = Line("system", system_text(self._bot.personality, rules))
        return (self._rules,) if self._rules.text else ()

    def _summary(self, briefing: ConversationalBriefing, question: Question) -> str | None:
        rows = self._conversation.folded
        if not rows:
            return None
        now = self._conversation.after_folded(briefing.figures(question, None))
        return f"{EARLIER}\n{briefing.summary(rows, now, self._framing)}"


class ModelPlayer(BriefedPlayer):
    """One seat's model in one game."""

    def __init__(
        self, bot: Bot, connection: ModelConnection, briefing: Briefing, framing: Framing, chance: Chance
    ) -> None:
        super().__init__(bot, connection.endpoint, connection.form, briefing, framing, chance)
        self._connection = connection

    @override
    def compose(self, question: Question, past: Sequence[Call]) -> Request:
        """The same, with what is asked of the model and what that can cost."""
        request, asked = super().compose(question, past), self._connection.requested
        schema, _ = request.payload
        return Request(request.prompt, asked, *self._connection.bounds(request.prompt, schema), request.payload)

    async def send(self, request: Request, reference: str) -> Reply:
        """Make one call, once."""
        schema, grammar = request.payload
        return await self._connection.send(request.prompt, schema, reference, grammar)


def _with_refused(lines: Sequence[Line], past: Sequence[Call], section: str) -> list[Line]:
    """The form goes last; before it, the replies that were refused, each with the reason."""
    *before, last = lines
    asked = last.text
    for call in past:
        if call.fault is None or not call.fault.of_reply:
            continue
        reason = f"This reply was not accepted: {call.error}. Please answer again."
        reply = cut(call.reply or "", LONGEST_REFUSED)
        if reply:
            before += [Line("user", asked), Line("assistant", reply)]
            asked = reason
        else:  # some providers take no empty message
            was = "could not be read" if call.fault is Fault.MALFORMED else "was empty"
            asked = f"{asked}\n\nYour last reply {was}. Please answer."
    return [*before, Line("user", f"{asked}\n\n{section}")]
