"""What a request asks for: the form of the answer and its schema, read from the request alone."""

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal, TypeAlias

Schema: TypeAlias = Mapping[str, Any]
AnswerForm: TypeAlias = Literal["native", "tool", "prompted", "tags", "free"]

PAIR = "x-pair"
"""Marks a text such as `P1=4`: its labels, and the bounds of the number."""

STEP = "x-step"
"""The steps, from the least, in which a number may be given where they are no whole numbers: a schema cannot say so."""

_TAG_LINE = re.compile(r"^\W*<(\w+)>\s*(?:…|\.\.\.)\s*</\1>\s+with\s+(.+?)\W*$")
_NUMBER = r"(-?\d+(?:,\d{3})*(?:\.\d+)?(?:e[+-]?\d+)?)"
_PAIR = re.compile(rf"^nobody, or one of (.+) and a whole number from {_NUMBER} to {_NUMBER}")
_AMOUNT = re.compile(rf"^a (whole )?number from {_NUMBER} to {_NUMBER}")
_MULTIPLE = re.compile(r"multiple of (\d+)")
_STEPS = re.compile(rf"\bsteps of {_NUMBER}")
_RECORDS = re.compile(r"^a JSON list of at most (\d+) objects, each with (.+)")
_WORDS = re.compile(r"at most (\d+) words")


@dataclass(frozen=True, slots=True)
class Asked:
    """The answer that a request wants."""

    form: AnswerForm
    schema: Schema
    """Of an object; of one text where the request names no form."""
    tool: str | None = None


def asked_of(request: Mapping[str, Any]) -> Asked:
    """What this request wants, by the first of: a tool, a JSON schema, a schema or tags in the user's words."""
    tools = request.get("tools")
    if tools and request.get("tool_choice") != "none":
        return _in_steps(_tool(tools, request.get("tool_choice")), request["messages"])
    response_format = request.get("response_format") or {}
    if response_format.get("type") == "json_schema":
        return _in_steps(Asked("native", response_format["json_schema"]["schema"]), request["messages"])
    for role, text in reversed(list(texts(request["messages"]))):
        if role != "assistant":
            found = _told(text)
            if found is not None:
                return _in_steps(found, request["messages"])
    return Asked("free", {"type": "string"})


def texts(messages: Sequence[Mapping[str, Any]]) -> Iterator[tuple[str, str]]:
    """Role and text of every message; a text may come in parts."""
    for message in messages:
        content = message.get("content") or ""
        if not isinstance(content, str):
            content = "".join(part.get("text", "") for part in content)
        yield str(message.get("role", "")), content


def words_allowed(schema: Schema, most: int) -> int:
    """How many words a text may have: what its description says, but no more than `most`."""
    told = _WORDS.search(str(schema.get("description", "")))
    return min(most, int(told[1])) if told else most


def _in_steps(asked: Asked, messages: Sequence[Mapping[str, Any]]) -> Asked:
    """With the steps that the words of the request name, where its one number has none of its own."""
    properties: Mapping[str, Any] = asked.schema.get("properties", {})
    numbers = [name for name, one in properties.items() if one.get("type") == "number" and "multipleOf" not in one]
    told = [step for role, text in texts(messages) if role != "assistant" for step in _STEPS.findall(text)]
    if len(numbers) != 1 or not told:
        return asked
    stepped = {**properties, numbers[0]: {**properties[numbers[0]], STEP: _number(told[-1])}}
    return replace(asked, schema={**asked.schema, "properties": stepped})


def _tool(tools: Sequence[Mapping[str, Any]], choice: object) -> Asked:
    functions = {tool["function"]["name"]: tool["function"] for tool in tools}
    named = (
        choice["function"]["name"] if isinstance(choice, Mapping) and "function" in choice else next(iter(functions))
    )
    return Asked("tool", functions[named].get("parameters", {"type": "object"}), named)


def _told(text: str) -> Asked | None:
    """The form that the last lines of a text describe. Only the last block of tag lines counts: what stands further up
    may be somebody's message."""
    fields: dict[str, Schema] = {}
    for line in reversed(text.splitlines()):
        if line.startswith('{"type":"object"') and not fields:
            return Asked("prompted", json.loads(line))
        tag = _TAG_LINE.match(line.strip())
        if tag:
            fields[tag[1]] = _described(tag[2])
        elif fields and line.strip():
            break
    if not fields:
        return None
    ordered = dict(reversed(fields.items()))
    return Asked("tags", {"type": "object", "properties": ordered, "required": list(ordered)})


def _described(words: str) -> Schema:
    """The schema of what one tag may hold."""
    if pair := _PAIR.match(words):
        spend = _described(words[pair.end(1) :].removeprefix(" and "))
        return {"type": "string", PAIR: {**spend, "labels": pair[1].split(", ")}}
    if amount := _AMOUNT.match(words):
        kind = "integer" if amount[1] else "number"
        bounds = {"type": kind, "minimum": _number(amount[2]), "maximum": _number(amount[3])}
        step = _MULTIPLE.search(words)
        return {**bounds, "multipleOf": int(step[1])} if step else bounds
    if records := _RECORDS.match(words):
        # What has no name is a remark on the whole, such as that no line may be there twice.
        fields = [part.partition(": ") for part in records[2].split("; ") if ": " in part]
        one = {"type": "object", "properties": {name: _described(each) for name, _, each in fields}}
        return {"type": "array", "maxItems": int(records[1]), "items": one}
    if words.startswith("one of "):
        return {"type": "string", "enum": re.split(r", (?:or )?| or ", words.removeprefix("one of "))}
    if words == "nobody":
        return {"type": "string", "enum": ["nobody"]}
    return {"type": "string", "description": words}


def _number(text: str) -> int | float:
    number = float(text.replace(",", ""))
    return int(number) if number.is_integer() else number
