"""Writes the reply to a request: a legal answer in the form that was asked for, or one spoiled in a given way.

A reply depends on the messages, the schema and the seed, and on nothing else."""

import json
import math
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from hashlib import blake2b
from random import Random
from typing import Any, TypeAlias

from ostrom.testing.provider.answers import PAIR, Asked, Draw, Schema, Taste, asked_of, bounds, texts

CHARACTERS_A_TOKEN = 4
LONG = 1_000_000
NOWHERE = "P99"
"""A label that no table has."""

_BEFORE = "I have thought about what the others may do. At first I was inclined towards this:"
_BETWEEN = "On reflection I decide otherwise:"
_AFTER = "That is my answer, and I am content with it."
_REFUSAL = "I am sorry, but I would rather not take part in this."
_INSTEAD = {"wrong_seat": "illegal", "illegal": "half_json", "nan": "half_json", "half_json": "empty"}
"""What is sent where a fault does not apply: no label, no amount, or nothing that could be halved."""
_WHATEVER_IS_ALLOWED = ("long", "hang", "drop", "trickle")
"""Faults that stay what they are where a reply would be longer than the request allows."""

AnswerOf = Callable[[Mapping[str, Any]], Any]
"""Gives the answer to a request: a mapping for its fields, or a whole text."""


@dataclass(frozen=True, slots=True)
class Written:
    """A reply, and the fault that it really has."""

    message: dict[str, Any]
    finish_reason: str
    fault: str | None
    characters: int


def digest_of(messages: list[Mapping[str, Any]]) -> str:
    """A name for these messages; others have another one."""
    plain = json.dumps(list(texts(messages)), ensure_ascii=False)
    return blake2b(plain.encode(), digest_size=8).hexdigest()


def tokens(characters: int) -> int:
    """About how many tokens so many characters are."""
    return math.ceil(characters / CHARACTERS_A_TOKEN)


def write_reply(
    request: Mapping[str, Any], digest: str, fault: str | None, seed: int = 0, answers: Taste | AnswerOf = "seed"
) -> Written:
    """The reply to this request. A fault that does not apply to it gives way to another."""
    asked = asked_of(request)
    chance = Random(int(digest, 16) ^ (seed * 0x9E3779B97F4A7C15))
    value = answers(request) if callable(answers) else Draw(asked.schema, chance, answers).value()
    while fault in _INSTEAD and not _applies(fault, asked, value):
        fault = _INSTEAD[fault]
    if fault in ("wrong_seat", "illegal", "nan"):
        value = _spoiled(fault, asked, value)
    text = _rendered(asked, value)
    finish, words = "stop", ""
    refusal = _REFUSAL if fault == "refusal" else None
    match fault:
        case "empty" | "refusal":
            text = ""
        case "half_json":
            text = _half(asked, text)
        case "length":
            text, finish = _half(asked, text), "length"
        case "long":
            text = _long(chance)
        case "filtered":
            text, finish = "", "content_filter"
        case "prose":
            other = Draw(asked.schema, chance).value()
            words = f"{_BEFORE}\n{'' if asked.form == 'tool' else _rendered(asked, other)}\n{_BETWEEN}"
            if asked.form != "tool":
                text = f"{words}\n{text}\n{_AFTER}"
    most = request.get("max_completion_tokens") or request.get("max_tokens")
    if most and fault not in _WHATEVER_IS_ALLOWED and tokens(len(text)) > most:
        text, finish, fault = text[: most * CHARACTERS_A_TOKEN], "length", "length"
    characters = len(text) + len(refusal or "") + (len(words) if asked.form == "tool" else 0)
    as_tool = asked.form == "tool" and bool(text) and fault != "long"
    message: dict[str, Any] = {"role": "assistant", "content": text}
    if as_tool:
        call = {"id": f"call_{digest}", "type": "function", "function": {"name": asked.tool, "arguments": text}}
        message |= {"content": words or None, "tool_calls": [call]}
    if fault in ("refusal", "filtered"):
        message["content"] = None
    message["refusal"] = refusal
    return Written(message, "tool_calls" if as_tool and finish == "stop" else finish, fault, characters)


def _rendered(asked: Asked, value: Any) -> str:
    if asked.form == "tags" and not isinstance(value, str):
        return "\n".join(f"<{name}>{_written(content)}</{name}>" for name, content in value.items())
    return _written(value)


def _half(asked: Asked, text: str) -> str:
    """Half of it, and no whole tag: what is left must not pass for an answer."""
    half = max(1, len(text) // 2)
    return text[: min(half, len(text.partition("</")[0]))] if asked.form == "tags" else text[:half]


def _written(content: Any) -> str:
    return content if isinstance(content, str) else json.dumps(content, ensure_ascii=False)


def _long(chance: Random) -> str:
    line = " ".join(chance.choice(("and", "so", "the", "pot", "grows", "while", "nobody", "looks")) for _ in range(100))
    return (line + "\n") * (LONG // len(line) + 1)


_Place: TypeAlias = tuple[Any, str | int, Schema]
"""Where one value stands within an answer: what holds it, under which key, and its schema."""


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


def _fitting(fault: str, asked: Asked, value: Any) -> _Place | None:
    for holder, key, schema in _places(asked.schema, value, Draw(asked.schema, Random(0))):
        held = holder[key]
        if fault == "wrong_seat":
            fits = isinstance(held, str) and "enum" in schema
        else:
            fits = isinstance(held, int | float) and not isinstance(held, bool) and "enum" not in schema
        if fits or PAIR in schema:
            return holder, key, schema
    return None


def _applies(fault: str, asked: Asked, value: Any) -> bool:
    if fault == "half_json":
        return asked.form != "free" and not isinstance(value, str)
    return _fitting(fault, asked, value) is not None


def _spoiled(fault: str, asked: Asked, value: Any) -> Any:
    place = _fitting(fault, asked, value)
    assert place is not None, "asked before"
    holder, key, schema = place
    if PAIR in schema:
        pair = schema[PAIR]
        holder[key] = {
            "wrong_seat": f"{NOWHERE}={pair['minimum']}",
            "illegal": f"{pair['labels'][0]}={bounds(pair)[1] + 1000:g}",
            "nan": f"{pair['labels'][0]}=NaN",
        }[fault]
    elif fault == "wrong_seat":
        holder[key] = NOWHERE
        if "spend" in holder:
            holder["spend"] = 1
    else:
        holder[key] = math.nan if fault == "nan" else math.ceil(bounds(schema)[1]) + 1000
    return value
