"""From a reply to a legal answer, or to the reason why it holds none, in words that can be told to the model."""

from collections.abc import Sequence
from typing import Any

from ostrom.core import Answer, Fault, IllegalAnswer, Question, Text
from ostrom.players.base import REFUSAL, Reply, Unanswered
from ostrom.players.models.briefing import Briefing
from ostrom.players.models.extraction import from_json, from_tags
from ostrom.players.models.fields import REASONING, Field, Malformed
from ostrom.players.models.quoting import shortened


def read_reply(
    briefing: Briefing, question: Question, fields: Sequence[Field], form: str, reply: Reply, max_tokens: int
) -> Answer:
    """The legal answer in a reply. Raises `Unanswered` with a fault of the reply."""
    if REFUSAL in reply.extra:
        raise Unanswered(Fault.REFUSED, f"the model declined: {reply.extra[REFUSAL]}")
    if not reply.text.strip():
        if reply.finish_reason == "length":
            raise Unanswered(Fault.CUT_OFF, _cut_off(max_tokens))
        raise Unanswered(Fault.EMPTY, "the reply was empty")
    try:
        values = (from_tags if form == "tags" else from_json)(reply.text, fields)
    except Malformed as reason:
        if reply.finish_reason == "length":
            raise Unanswered(Fault.CUT_OFF, _cut_off(max_tokens)) from None
        raise Unanswered(Fault.MALFORMED, str(reason)) from None
    except IllegalAnswer as reason:
        raise Unanswered(Fault.ILLEGAL, str(reason)) from None
    return _validated(briefing, question, fields, values)


def _validated(briefing: Briefing, question: Question, fields: Sequence[Field], values: dict[str, Any]) -> Answer:
    raw, was_cut = briefing.decode(question, values), False
    if isinstance(question.spec, Text) and isinstance(raw, str):
        short = shortened(raw, question.spec.max_words)
        was_cut, raw = short != raw.strip(), short
    try:
        return Answer(question.spec.validate(raw), cut=was_cut)
    except IllegalAnswer:
        # The specification speaks of seats by index and of amounts in the game's units; the model knows neither.
        asked = "; ".join(field.in_json() for field in fields if field.name != REASONING)
        raise Unanswered(Fault.ILLEGAL, f"the rules do not allow this answer; it must be {asked}") from None


def _cut_off(max_tokens: int) -> str:
    return f"the reply reached its limit of {max_tokens} tokens before a whole answer; answer more briefly"
