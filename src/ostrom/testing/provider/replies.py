"""Write the reply to a request: a legal answer in the requested form, or a reply with a fault.

A reply depends only on the messages, the schema and the seed."""

import json
import math
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from hashlib import blake2b
from random import Random
from typing import Any, TypeAlias

from ostrom.testing.provider.answers import PAIR, Draw, RequestedAnswer, Schema, Taste, bounds, requested_answer, texts

CHARACTERS_PER_TOKEN = 4
LONG_CHARACTERS = 1_000_000
UNKNOWN_LABEL = "P99"
"""A label that does not exist at any table."""

_BEFORE = "I have thought about what the others may do. At first I was inclined towards this:"
_BETWEEN = "On reflection I decide otherwise:"
_AFTER = "That is my answer, and I am content with it."
_REFUSAL = "I am sorry, but I would rather not take part in this."
_REPLACEMENTS = {"wrong_seat": "illegal", "illegal": "half_json", "nan": "half_json", "half_json": "empty"}
"""The faults that replace a fault that does not apply because the answer has no label, no amount, or nothing that can
be halved."""
_UNBOUNDED_FAULTS = ("long", "hang", "drop", "trickle")
"""Faults that ignore the maximum length of the reply in the request."""

AnswerFunction = Callable[[Mapping[str, Any]], Any]
"""A function that returns the answer to a request: a mapping of its fields, or a text."""


@dataclass(frozen=True, slots=True)
class WrittenReply:
    """A reply, and the fault that it actually has."""

    message: dict[str, Any]
    finish_reason: str
    fault: str | None
    characters: int


def digest_of(messages: list[Mapping[str, Any]]) -> str:
    """Return a hash of these messages."""
    plain = json.dumps(list(texts(messages)), ensure_ascii=False)
    return blake2b(plain.encode(), digest_size=8).hexdigest()


def tokens(characters: int) -> int:
    """Return the approximate number of tokens of a text of this length."""
    return math.ceil(characters / CHARACTERS_PER_TOKEN)


def write_reply(
    request: Mapping[str, Any], digest: str, fault: str | None, seed: int = 0, answers: Taste | AnswerFunction = "seed"
) -> WrittenReply:
    """Return the reply to a request. If a fault does not apply, another one replaces it."""
    answer = requested_answer(request)
    chance = Random(int(digest, 16) ^ (seed * 0x9E3779B97F4A7C15))
    value = answers(request) if callable(answers) else Draw(answer.schema, chance, answers).value()
    while fault in _REPLACEMENTS and not _applies(fault, answer, value):
        fault = _REPLACEMENTS[fault]
    if fault in ("wrong_seat", "illegal", "nan"):
        value = _spoil(fault, answer, value)
    text = _render(answer, value)
    finish, words = "stop", ""
    refusal = _REFUSAL if fault == "refusal" else None
    match fault:
        case "empty" | "refusal":
            text = ""
        case "half_json":
            text = _half(answer, text)
        case "length":
            text, finish = _half(answer, text), "length"
        case "long":
            text = _long(chance)
        case "filtered":
            text, finish = "", "content_filter"
        case "prose":
            other = Draw(answer.schema, chance).value()
            words = f"{_BEFORE}\n{'' if answer.form == 'tool' else _render(answer, other)}\n{_BETWEEN}"
            if answer.form != "tool":
                text = f"{words}\n{text}\n{_AFTER}"
    max_tokens = request.get("max_completion_tokens") or request.get("max_tokens")
    if max_tokens and fault not in _UNBOUNDED_FAULTS and tokens(len(text)) > max_tokens:
        text = text[: max_tokens * CHARACTERS_PER_TOKEN]
        finish = fault = "length"
    characters = len(text) + len(refusal or "") + (len(words) if answer.form == "tool" else 0)
    as_tool = answer.form == "tool" and bool(text) and fault != "long"
    message: dict[str, Any] = {"role": "assistant", "content": text}
    if as_tool:
        call = {"id": f"call_{digest}", "type": "function", "function": {"name": answer.tool, "arguments": text}}
        message |= {"content": words or None, "tool_calls": [call]}
    if fault in ("refusal", "filtered"):
        message["content"] = None
    message["refusal"] = refusal
    return WrittenReply(message, "tool_calls" if as_tool and finish == "stop" else finish, fault, characters)


def _render(answer: RequestedAnswer, value: Any) -> str:
    if answer.form == "tags" and not isinstance(value, str):
        return "\n".join(f"<{name}>{_text_of(content)}</{name}>" for name, content in value.items())
    return _text_of(value)


def _half(answer: RequestedAnswer, text: str) -> str:
    """Return half of a text. The half has no complete tag, so that it is not mistaken for an answer."""
    half = max(1, len(text) // 2)
    return text[: min(half, len(text.partition("</")[0]))] if answer.form == "tags" else text[:half]


def _text_of(content: Any) -> str:
    return content if isinstance(content, str) else json.dumps(content, ensure_ascii=False)


def _long(chance: Random) -> str:
    line = " ".join(chance.choice(("and", "so", "the", "pot", "grows", "while", "player", "looks")) for _ in range(100))
    return (line + "\n") * (LONG_CHARACTERS // len(line) + 1)


_Place: TypeAlias = tuple[Any, str | int, Schema]
"""The place of a value within an answer: the container of the value, its key, and its schema."""


def _places(schema: Schema, value: Any, draw: Draw) -> Iterator[_Place]:
    if isinstance(value, dict):
        properties = draw.resolved(schema).get("properties", {})
        inside = [(name, properties.get(name, {})) for name in value]
    elif isinstance(value, list):
        inside = [(place, draw.resolved(schema).get("items", {})) for place in range(len(value))]
    else:
        return
    for key, part in inside:
        if isinstance(value[key], dict | list):
            yield from _places(part, value[key], draw)
        else:
            yield value, key, draw.resolved(part)


def _find_place(fault: str, answer: RequestedAnswer, value: Any) -> _Place | None:
    for holder, key, schema in _places(answer.schema, value, Draw(answer.schema, Random(0))):
        content = holder[key]
        if fault == "wrong_seat":
            fits = isinstance(content, str) and "enum" in schema
        else:
            fits = isinstance(content, int | float) and not isinstance(content, bool) and "enum" not in schema
        if fits or PAIR in schema:
            return holder, key, schema
    return None


def _applies(fault: str, answer: RequestedAnswer, value: Any) -> bool:
    if fault == "half_json":
        return answer.form != "free" and not isinstance(value, str)
    return _find_place(fault, answer, value) is not None


def _spoil(fault: str, answer: RequestedAnswer, value: Any) -> Any:
    place = _find_place(fault, answer, value)
    assert place is not None, "the caller checks that the fault applies"
    holder, key, schema = place
    if PAIR in schema:
        pair = schema[PAIR]
        holder[key] = {
            "wrong_seat": f"{UNKNOWN_LABEL}={pair['minimum']}",
            "illegal": f"{pair['labels'][0]}={bounds(pair)[1] + 1000:g}",
            "nan": f"{pair['labels'][0]}=NaN",
        }[fault]
    elif fault == "wrong_seat":
        holder[key] = UNKNOWN_LABEL
        if "spend" in holder:
            holder["spend"] = 1
    else:
        holder[key] = math.nan if fault == "nan" else math.ceil(bounds(schema)[1]) + 1000
    return value
