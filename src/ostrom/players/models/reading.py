"""From the text of a reply to a legal answer, or to the reason why it holds none, in words that can be told to the
model: the last whole answer in the form that was asked for, never the first, and never a guess from prose."""

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Any

from ostrom.core import Answer, Fault, IllegalAnswer, Question, Text
from ostrom.players.base import REFUSAL, Reply, Unanswered
from ostrom.players.models.briefing import Briefing
from ostrom.players.models.fields import (
    ELLIPSIS,
    JSON,
    REASONING,
    AnswerField,
    DuplicateKey,
    MalformedReply,
    refuse_duplicates,
)
from ostrom.players.models.framing import first_words


def objects_in(text: str) -> Iterator[dict[str, Any]]:
    """The whole JSON objects in a text, in order; those within another are part of it. What stands in an object that
    the text leaves open at its end is half of something, and is left alone."""
    for start, end in _spans(text):
        try:
            found = JSON.decode(text[start:end])
        except (ValueError, RecursionError):
            continue
        yield found


def _spans(text: str) -> list[tuple[int, int]]:
    """Where objects begin and end. One pass: where the grammar breaks, whatever was open is given up, what was whole
    within it stands for itself, and the search goes on after the last sign that fitted."""
    whole: list[tuple[int, int]] = []
    end, position = len(text.rstrip()), _opening(text, 0)
    while position >= 0:
        within: list[tuple[int, int]] = []
        opened: list[tuple[str, int, int]] = []
        wanted, last = "value", position
        while True:
            match = _TOKEN.match(text, position)
            sign = "" if match is None else match[1][0]
            step = _GRAMMAR.get((wanted, sign if sign in '{}[]:,"' else "0"))
            if match is None or step is None:
                break
            last, position = match.start(1), match.end()
            if sign in "{[":
                opened.append((sign, last, len(within)))
            elif sign in "}]":
                bracket, start, held = opened.pop()
                if bracket == "{":
                    del within[held:]
                    within.append((start, position))
                if not opened:
                    break
            wanted = step if step != "after" else f"after{opened[-1][0]}"
        # Whether the text ends within what is open, or within a string that begins at the next sign.
        if opened and (position >= end or (match is None and _STRING_BEGINS.match(text, position))):
            return whole
        whole += within
        position = _opening(text, position if not opened and within else last + 1)
    return whole


def _opening(text: str, start: int) -> int:
    found = _OPENING.search(text, start)
    return -1 if found is None else found.start()


_STRING_BEGINS = re.compile(r'[ \t\r\n]*+"')
_OPENING = re.compile(r'\{(?=[ \t\r\n]*+["}])')
_TOKEN = re.compile(
    r'[ \t\r\n]*+("[^"\\]*+(?:\\.[^"\\]*+)*+"|[{}\[\]:,]|-?[0-9][0-9.eE+-]*+|true|false|null|NaN|-?Infinity)', re.DOTALL
)
_VALUES = {"{": "key or end", "[": "item or end", '"': "after", "0": "after"}
_GRAMMAR: dict[tuple[str, str], str] = {
    **{(wanted, sign): step for wanted in ("value", "item or end") for sign, step in _VALUES.items()},
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
"""What is wanted and what comes, to what is wanted next."""


_ECHOES = (ELLIPSIS, "...")
"""What stands between tags that were copied from the form."""
_NAMED = 5


def from_json(text: str, fields: Sequence[AnswerField]) -> dict[str, Any]:
    """The values in the last whole JSON object that has every property of the answer. Raises `Malformed` or
    `IllegalAnswer`."""
    asked = [field for field in fields if field.name != REASONING]
    names = [name for field in asked for name in field.properties()]
    answer: Mapping[str, Any] | None = None
    lacking: Mapping[str, Any] | None = None
    for found in objects_in(text):
        if all(name in found for name in names):
            answer = found
        else:
            lacking = found
    if answer is None:
        if lacking is None or not any(name in lacking for name in names):
            raise MalformedReply(f"the reply holds no whole JSON object with {_listed(names)}")
        raise MalformedReply(f"the JSON object lacks {_listed([name for name in names if name not in lacking])}")
    try:
        refuse_duplicates(answer)
    except DuplicateKey as error:
        raise MalformedReply(str(error)) from None
    added = [name for name in answer if name not in names and name != REASONING]
    if added:
        raise MalformedReply(
            f"the JSON object has {_listed(added)}, which was not asked for; it must have {_listed(names)}"
        )
    return {field.name: field.from_json(answer) for field in asked}


def from_tags(text: str, fields: Sequence[AnswerField]) -> dict[str, Any]:
    """The values between the last whole pair of each tag. Raises `MalformedReply` or `IllegalAnswer`."""
    asked = [field for field in fields if field.name != REASONING]
    found = last_pairs(text, tuple(field.name for field in asked))
    missing = [f"<{field.name}>" for field in asked if field.name not in found]
    if missing:
        raise MalformedReply(f"the reply holds no whole {_listed(missing)} filled in")
    return {field.name: field.from_tag(found[field.name]) for field in asked}


def last_pairs(text: str, names: tuple[str, ...]) -> dict[str, str]:
    """What stands between the last pair of each tag, by name. What stands within another pair is that one's text, and
    a pair copied from the form is no answer."""
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
            # An opening tag that another of its name follows was only spoken of.
            partner[index] = nearest if nearest >= 0 and marks[nearest][1] else -1
        following[name] = index
    found: dict[str, str] = {}
    index = 0
    while index < len(marks):
        name, _, _, end = marks[index]
        close = partner[index]
        if close < 0:
            index += 1
            continue
        inside = text[end : marks[close][2]]
        if inside.strip() not in _ECHOES:
            found[name] = inside
        index = close + 1
    return found


@lru_cache(maxsize=256)
def _tags(names: tuple[str, ...]) -> re.Pattern[str]:
    return re.compile(rf"<(/?)({'|'.join(map(re.escape, names))})>", re.IGNORECASE | re.ASCII)


def _listed(names: Sequence[str]) -> str:
    shown = [name[:40] for name in names[:_NAMED]]
    return ", ".join(shown) + (" and more" if len(names) > _NAMED else "")


def read_reply(
    briefing: Briefing, question: Question, fields: Sequence[AnswerField], form: str, reply: Reply, max_tokens: int
) -> Answer:
    """The legal answer in a reply. Raises `Unanswered` with a fault of the reply."""
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
    except IllegalAnswer:
        # The specification speaks of seats by index and of amounts in the game's units; the model knows neither.
        asked = "; ".join(field.in_json() for field in fields if field.name != REASONING)
        raise Unanswered(Fault.ILLEGAL, f"the rules do not allow this answer; it must be {asked}") from None
