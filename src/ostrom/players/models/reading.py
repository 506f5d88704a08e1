"""Reading of replies. The answer is the last complete answer in the requested form. It is never guessed from prose. If
there is no legal answer, an error gives the reason, worded as an explanation to the model."""

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Any

from ostrom.core import Answer, Fault, IllegalAnswer, IllegalCombination, Question, Text
from ostrom.players.base import REFUSAL, Reply, Unanswered
from ostrom.players.models.briefing import Briefing
from ostrom.players.models.fields import (
    ELLIPSIS,
    JSON,
    REASONING,
    AnswerField,
    MalformedReply,
    refuse_duplicates,
    values_in,
)
from ostrom.players.models.framing import first_words
from ostrom.players.models.optional_fields import tag_value


def objects_in(text: str) -> Iterator[dict[str, Any]]:
    """Yield the complete JSON objects in a text, in order, except objects inside another object. An object that is
    still open at the end of the text is incomplete; it is skipped with all objects inside it."""
    for start, end in _spans(text):
        try:
            value = JSON.decode(text[start:end])
        except (ValueError, RecursionError):
            continue
        yield value


def _spans(text: str) -> list[tuple[int, int]]:
    """Return the start and end of each object, found in one pass. At a syntax error, open objects are discarded, but
    complete objects inside them are kept. The search continues after the last valid token."""
    spans: list[tuple[int, int]] = []
    end, position = len(text.rstrip()), _opening(text, 0)
    while position >= 0:
        within: list[tuple[int, int]] = []
        opened: list[tuple[str, int, int]] = []
        expected, last = "value", position
        while True:
            match = _TOKEN.match(text, position)
            sign = "" if match is None else match[1][0]
            step = _GRAMMAR.get((expected, sign if sign in '{}[]:,"' else "0"))
            if match is None or step is None:
                break
            last, position = match.start(1), match.end()
            if sign in "{[":
                opened.append((sign, last, len(within)))
            elif sign in "}]":
                bracket, start, depth = opened.pop()
                if bracket == "{":
                    del within[depth:]
                    within.append((start, position))
                if not opened:
                    break
            expected = step if step != "after" else f"after{opened[-1][0]}"
        # The text ends inside an open object, or inside a string that begins at the next token.
        if opened and (position >= end or (match is None and _STRING_BEGINS.match(text, position))):
            return spans
        spans += within
        position = _opening(text, position if not opened and within else last + 1)
    return spans


def _opening(text: str, start: int) -> int:
    match = _OPENING.search(text, start)
    return -1 if match is None else match.start()


_STRING_BEGINS = re.compile(r'[ \t\r\n]*+"')
_OPENING = re.compile(r'\{(?=[ \t\r\n]*+["}])')
_TOKEN = re.compile(
    r'[ \t\r\n]*+("[^"\\]*+(?:\\.[^"\\]*+)*+"|[{}\[\]:,]|-?[0-9][0-9.eE+-]*+|true|false|null|NaN|-?Infinity)', re.DOTALL
)
_VALUES = {"{": "key or end", "[": "item or end", '"': "after", "0": "after"}
_GRAMMAR: dict[tuple[str, str], str] = {
    **{(expected, sign): step for expected in ("value", "item or end") for sign, step in _VALUES.items()},
    ("item or end", "]"): "after",
    ("key or end", '"'): "colon",
    ("key or end", "}"): "after",
    ("key", '"'): "colon",
    ("colon", ":"): "value",
    ("after{", ","): "key",
    ("after{", "}"): "after",
    ("after[", ","): "value",
    ("after[", "]"): "after",
}
"""The grammar of JSON. It maps the expected token and the next character to the token that is expected after it."""


_PLACEHOLDERS = (ELLIPSIS, "...")
"""Placeholders that a model may copy from the form into its tags. They are not answers."""
_MAX_LISTED = 5


def from_json(text: str, fields: Sequence[AnswerField]) -> dict[str, Any]:
    """Return the values in the last complete JSON object that has every property of the answer. Raise `MalformedReply`
    or `IllegalAnswer`."""
    required = [field for field in fields if field.name != REASONING]
    allowed = [name for field in required for name in field.properties()]
    names = [name for field in required if field.always for name in field.properties()]
    answer: Mapping[str, Any] | None = None
    incomplete: Mapping[str, Any] | None = None
    for candidate in objects_in(text):
        if all(name in candidate for name in names):
            answer = candidate
        else:
            incomplete = candidate
    if answer is None:
        if incomplete is None or not any(name in incomplete for name in names):
            raise MalformedReply(f"the reply holds no whole JSON object with {_listed(names)}")
        raise MalformedReply(f"the JSON object lacks {_listed([name for name in names if name not in incomplete])}")
    refuse_duplicates(answer)
    added = [name for name in answer if name not in allowed and name != REASONING]
    if added:
        raise MalformedReply(
            f"the JSON object has {_listed(added)}, which was not asked for; it must have {_listed(allowed)}"
        )
    return values_in(answer, required)


def from_tags(text: str, fields: Sequence[AnswerField]) -> dict[str, Any]:
    """Return the values between the last complete pair of each tag. Raise `MalformedReply` or `IllegalAnswer`."""
    required = [field for field in fields if field.name != REASONING]
    texts = last_pairs(text, tuple(field.name for field in required))
    missing = [f"<{field.name}>" for field in required if field.always and field.name not in texts]
    values: dict[str, Any] = {}
    for field in () if missing else required:
        if field.asked(values) and field.name not in texts:
            missing = [f"<{field.name}>"]
            break
        values[field.name] = tag_value(field, texts.get(field.name), values)
    if missing:
        raise MalformedReply(f"the reply holds no whole {_listed(missing)} filled in")
    return values


def last_pairs(text: str, names: tuple[str, ...]) -> dict[str, str]:
    """Return the text between the last pair of each tag, by name. A pair inside another pair is part of the text. A
    pair that was copied from the form is ignored."""
    marks = [
        (match[2].lower(), bool(match[1]), match.start(), match.end())
        for match in _tags((*names, REASONING)).finditer(text)
    ]
    following: dict[str, int] = {}
    partner = [-1] * len(marks)
    for index in range(len(marks) - 1, -1, -1):
        name, closes, _, _ = marks[index]
        if not closes:
            nearest = following.get(name, -1)
            # If an opening tag is followed by another one of the same name, the first one was only mentioned in the
            # text.
            partner[index] = nearest if nearest >= 0 and marks[nearest][1] else -1
        following[name] = index
    texts: dict[str, str] = {}
    index = 0
    while index < len(marks):
        name, _, _, end = marks[index]
        close = partner[index]
        if close < 0:
            index += 1
            continue
        inside = text[end : marks[close][2]]
        if inside.strip() not in _PLACEHOLDERS:
            texts[name] = inside
        index = close + 1
    return texts


@lru_cache(maxsize=256)
def _tags(names: tuple[str, ...]) -> re.Pattern[str]:
    return re.compile(rf"<(/?)({'|'.join(map(re.escape, names))})>", re.IGNORECASE | re.ASCII)


def _listed(names: Sequence[str]) -> str:
    first = [name[:40] for name in names[:_MAX_LISTED]]
    return ", ".join(first) + (" and more" if len(names) > _MAX_LISTED else "")


def read_reply(
    briefing: Briefing, question: Question, fields: Sequence[AnswerField], form: str, reply: Reply, max_tokens: int
) -> Answer:
    """Return the legal answer in a reply. Raise `Unanswered` with a fault of the reply."""
    if REFUSAL in reply.extra:
        raise Unanswered(Fault.REFUSED, f"the model declined: {reply.extra[REFUSAL]}")
    empty = not reply.text.strip()
    try:
        if empty:
            raise MalformedReply("the reply was empty")
        values = (from_tags if form == "tags" else from_json)(reply.text, fields)
    except MalformedReply as reason:
        if reply.finish_reason == "length":
            limit = f"the reply reached its limit of {max_tokens} tokens before a whole answer; answer more briefly"
            raise Unanswered(Fault.CUT_OFF, limit) from None
        raise Unanswered(Fault.EMPTY if empty else Fault.MALFORMED, str(reason)) from None
    except IllegalAnswer as reason:
        raise Unanswered(Fault.ILLEGAL, str(reason)) from None
    return _validated(briefing, question, fields, values)


def _validated(briefing: Briefing, question: Question, fields: Sequence[AnswerField], values: dict[str, Any]) -> Answer:
    raw, was_cut = briefing.decode(question, values), False
    if isinstance(question.spec, Text) and isinstance(raw, str):
        short = first_words(raw, question.spec.max_words)
        was_cut, raw = short != raw.strip(), short
    try:
        return Answer(question.spec.validate(raw), cut=was_cut)
    except IllegalCombination as reason:
        raise Unanswered(Fault.ILLEGAL, str(reason)) from None
    except IllegalAnswer:
        # The specification describes seats by index and amounts in the game's units. The model saw neither.
        expected = "; ".join(field.in_json() for field in fields if field.name != REASONING)
        raise Unanswered(Fault.ILLEGAL, f"the rules do not allow this answer; it must be {expected}") from None
