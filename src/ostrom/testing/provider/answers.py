"""Determine the form of answer that a request asks for, and draw a value that the schema of this form allows."""

import json
import math
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from random import Random
from typing import Any, Literal, TypeAlias

from ostrom.players.models.framing import NO_SEAT

Schema: TypeAlias = Mapping[str, Any]
AnswerForm: TypeAlias = Literal["native", "tool", "prompted", "tags", "free"]

PAIR = "x-pair"
"""The schema keyword for a text such as `P1=4`. Its value has the allowed labels and the bounds of the number."""

STEP = "x-step"
"""The schema keyword for numbers in steps from their minimum, which JSON Schema cannot express."""

_TAG_LINE = re.compile(r"^\W*<(\w+)>\s*(?:…|\.\.\.)\s*</\1>\s+with\s+(.+?)\W*$")
_NUMBER = r"(-?\d+(?:,\d{3})*(?:\.\d+)?(?:e[+-]?\d+)?)"
_PAIR = re.compile(rf"^{NO_SEAT}, or one of (.+) and a whole number from {_NUMBER} to {_NUMBER}")
_AMOUNT = re.compile(rf"^a (whole )?number from {_NUMBER} to {_NUMBER}")
_MULTIPLE = re.compile(r"multiple of (\d+)")
_STEPS = re.compile(rf"\bsteps of {_NUMBER}")
_RECORDS = re.compile(r"^a JSON list of at most (\d+) objects, each with (.+)")
_WORDS = re.compile(r"at most (\d+) words")
_CONDITIONAL = re.compile(r"(.+), if \w+ is .+; else none")
_CONDITION = re.compile(r"if (\w+) is (.+); else (?:null|none)$")
_OR_PASS = ", or pass"


@dataclass(frozen=True, slots=True)
class RequestedAnswer:
    """The form of answer that a request asks for."""

    form: AnswerForm
    schema: Schema
    """The schema of an object, or of a text if the request asks for no particular form of answer."""
    tool: str | None = None


def requested_answer(request: Mapping[str, Any]) -> RequestedAnswer:
    """Return the form of answer that a request asks for: a tool or a JSON schema. If the request has neither, the form
    is a schema or tags in the user's text."""
    tools = request.get("tools")
    if tools and request.get("tool_choice") != "none":
        return _in_steps(_tool(tools, request.get("tool_choice")), request["messages"])
    response_format = request.get("response_format") or {}
    if response_format.get("type") == "json_schema":
        return _in_steps(RequestedAnswer("native", response_format["json_schema"]["schema"]), request["messages"])
    for role, text in reversed(list(texts(request["messages"]))):
        if role != "assistant":
            answer = _from_text(text)
            if answer is not None:
                return _in_steps(answer, request["messages"])
    return RequestedAnswer("free", {"type": "string"})


def texts(messages: Sequence[Mapping[str, Any]]) -> Iterator[tuple[str, str]]:
    """Yield the role and the text of every message. A message may have its text in several parts."""
    for message in messages:
        content = message.get("content") or ""
        if not isinstance(content, str):
            content = "".join(part.get("text", "") for part in content)
        yield str(message.get("role", "")), content


def _in_steps(answer: RequestedAnswer, messages: Sequence[Mapping[str, Any]]) -> RequestedAnswer:
    """Return the form of answer. If its only number has no step, the step is the one that the text of the request
    names."""
    properties: Mapping[str, Any] = answer.schema.get("properties", {})
    numbers = [name for name, part in properties.items() if part.get("type") == "number" and "multipleOf" not in part]
    steps = [step for role, text in texts(messages) if role != "assistant" for step in _STEPS.findall(text)]
    if len(numbers) != 1 or not steps:
        return answer
    stepped = {**properties, numbers[0]: {**properties[numbers[0]], STEP: _number(steps[-1])}}
    return replace(answer, schema={**answer.schema, "properties": stepped})


def _tool(tools: Sequence[Mapping[str, Any]], choice: object) -> RequestedAnswer:
    functions = {tool["function"]["name"]: tool["function"] for tool in tools}
    function = choice.get("function") if isinstance(choice, Mapping) else None
    name = next(iter(functions)) if function is None else function["name"]
    return RequestedAnswer("tool", functions[name].get("parameters", {"type": "object"}), name)


def _from_text(text: str) -> RequestedAnswer | None:
    """Return the form of answer that the last lines of a text describe, or None. Only the last block of tag lines is
    used, because earlier ones may be part of a player's message."""
    fields: dict[str, Schema] = {}
    for line in reversed(text.splitlines()):
        if line.startswith('{"type":"object"') and not fields:
            return RequestedAnswer("prompted", json.loads(line))
        tag = _TAG_LINE.match(line.strip())
        if tag:
            fields[tag[1]] = _schema_of(tag[2])
        elif fields and line.strip():
            break
    if not fields:
        return None
    ordered = dict(reversed(fields.items()))
    return RequestedAnswer("tags", {"type": "object", "properties": ordered, "required": list(ordered)})


def _schema_of(words: str) -> Schema:
    if pair := _PAIR.match(words):
        spend = _schema_of(words[pair.end(1) :].removeprefix(" and "))
        return {"type": "string", PAIR: {**spend, "labels": pair[1].split(", ")}}
    if conditional := _CONDITIONAL.fullmatch(words):
        return {"anyOf": [_schema_of(conditional[1]), {"type": "string", "enum": ["none"]}], "description": words}
    if words.endswith(_OR_PASS):
        return {"anyOf": [_schema_of(words.removesuffix(_OR_PASS)), {"type": "string", "enum": ["pass"]}]}
    if amount := _AMOUNT.match(words):
        kind = "integer" if amount[1] else "number"
        bounds = {"type": kind, "minimum": _number(amount[2]), "maximum": _number(amount[3])}
        step = _MULTIPLE.search(words)
        return {**bounds, "multipleOf": int(step[1])} if step else bounds
    if records := _RECORDS.match(words):
        # A part without a name is a remark on the list, such as that no line may be repeated.
        fields = [part.partition(": ") for part in records[2].split("; ") if ": " in part]
        record = {"type": "object", "properties": {name: _schema_of(part) for name, _, part in fields}}
        return {"type": "array", "maxItems": int(records[1]), "items": record}
    if words.startswith("one of "):
        return {"type": "string", "enum": re.split(r", (?:or )?| or ", words.removeprefix("one of "))}
    if words == NO_SEAT:
        return {"type": "string", "enum": [NO_SEAT]}
    return {"type": "string", "description": words}


def _number(text: str) -> int | float:
    number = float(text.replace(",", ""))
    return int(number) if number.is_integer() else number


Taste: TypeAlias = Literal["seed", "lowest", "highest"]
"""The way in which amounts and options are chosen: at random, or always the lowest or the highest that is allowed."""

SENTENCE = "we all give a fair share again and see what each of us keeps if so"
WORDS = SENTENCE.split()
MAX_WORDS = 9
MAX_ITEMS = 4
_ROUNDING = 1e-9
DEFAULT_RANGE = 100
"""The range of a number that has no upper bound in the schema."""


class Draw:
    """Draws values for one schema and its references."""

    def __init__(self, root: Schema, chance: Random, taste: Taste = "seed") -> None:
        self._root = root
        self._chance = chance
        self._taste = taste

    def value(self, schema: Schema | None = None) -> Any:
        """Return a legal value."""
        schema = self.resolved(self._root if schema is None else schema)
        if "const" in schema:
            return schema["const"]
        if "enum" in schema:
            return self._one_of(schema["enum"])
        if PAIR in schema:
            return self._pair(schema[PAIR])
        kind = schema.get("type", "object" if "properties" in schema else "string")
        if isinstance(kind, list):
            kind = self._one_of(kind)
        match kind:
            case "object":
                return self._object(schema)
            case "array":
                return self._array(schema)
            case "integer":
                return self._whole(schema)
            case "number" if STEP in schema:
                return self._in_steps(*bounds(schema), schema[STEP])
            case "number":
                return self._number(*bounds(schema))
            case "boolean":
                return self._one_of([False, True])
            case "null":
                return None
        return self._text(schema)

    def resolved(self, schema: Schema) -> Schema:
        """Return the schema with references resolved and alternatives chosen."""
        while True:
            if "$ref" in schema:
                target: Any = self._root
                for step in schema["$ref"].removeprefix("#/").split("/"):
                    target = target[step.replace("~1", "/").replace("~0", "~")]
                schema = target
            elif choices := schema.get("anyOf") or schema.get("oneOf"):
                schema = self._one_of(choices)
            elif parts := schema.get("allOf"):
                rest = {key: value for key, value in schema.items() if key != "allOf"}
                for part in parts:
                    rest = {**self.resolved(part), **rest}
                schema = rest
            else:
                return schema

    def _one_of(self, options: list[Any]) -> Any:
        if self._taste == "seed":
            return options[int(self._chance.random() * len(options))]
        return options[0 if self._taste == "lowest" else -1]

    def _whole(self, schema: Schema, minimum: float = -math.inf) -> int:
        """Return a multiple of the schema's step that is at least `minimum`."""
        low, high = bounds(schema)
        step = int(schema.get("multipleOf", 1))
        return step * self._integer(max(low, minimum) / step, high / step)

    def _integer(self, low: float, high: float) -> int:
        first, last = math.ceil(low), math.floor(high)
        if self._taste == "seed":
            return first + int(self._chance.random() * (last - first + 1))
        return first if self._taste == "lowest" else last

    def _in_steps(self, low: float, high: float, step: float) -> float:
        """Return a number that is a random number of steps above the minimum."""
        return round(low + step * self._integer(0, (high - low) / step + _ROUNDING), 10)

    def _number(self, low: float, high: float) -> float:
        if self._taste != "seed":
            return low if self._taste == "lowest" else high
        value = low + self._chance.random() * (high - low)
        rounded = round(value, 2)
        return rounded if low <= rounded <= high else value

    def _text(self, schema: Schema) -> str:
        limit = _WORDS.search(str(schema.get("description", "")))
        max_words = min(MAX_WORDS, int(limit[1])) if limit else MAX_WORDS
        count = self._integer(min(2, max_words), max_words)
        text = " ".join(WORDS[int(self._chance.random() * len(WORDS))] for _ in range(count))
        text = text[: int(schema.get("maxLength", len(text)))].strip()
        return text.ljust(int(schema.get("minLength", 0)), ".")

    def _array(self, schema: Schema) -> list[Any]:
        low = schema.get("minItems", 1)
        high = min(schema.get("maxItems", MAX_ITEMS), max(low, MAX_ITEMS))
        items = [self.value(schema.get("items", {})) for _ in range(self._integer(min(low or 1, high), high))]
        if schema.get("uniqueItems"):
            items = [item for place, item in enumerate(items) if item not in items[:place]]
        # If two entries have the same first field, only the first is used.
        return [item for place, item in enumerate(items) if _identity(item) not in map(_identity, items[:place])]

    def _object(self, schema: Schema) -> dict[str, Any]:
        properties: Mapping[str, Schema] = schema.get("properties", {})
        value: dict[str, Any] = {}
        for name, part in properties.items():
            asked = _is_asked(part, value)
            # The first alternative is the answer itself. The second is the value of a field that is not asked.
            value[name] = self.value(part if asked is None else part["anyOf"][0 if asked else 1])
        if "target" in value and "spend" in value:
            self._agree(value, self.resolved(properties["target"]), self.resolved(properties["spend"]))
        return value

    def _agree(self, value: dict[str, Any], target: Schema, spend: Schema) -> None:
        """Make target and spend consistent. Without a target nothing is spent; with a target at least 1 is spent."""
        if value["target"] == NO_SEAT or bounds(spend)[1] < 1:
            value["spend"] = 0
            if NO_SEAT in target.get("enum", (NO_SEAT,)):
                value["target"] = NO_SEAT
        elif value["spend"] == 0:
            value["spend"] = self._whole(spend, minimum=1)

    def _pair(self, pair: Mapping[str, Any]) -> str:
        label = self._one_of([NO_SEAT, *pair["labels"]])
        return label if label == NO_SEAT else f"{label}={self._whole(pair)}"


def _is_asked(schema: Schema, values: Mapping[str, Any]) -> bool | None:
    """Return whether a field is asked, given the values of earlier fields. Return None if the field does not depend on
    another field."""
    match = _CONDITION.search(schema.get("description", "")) if "anyOf" in schema else None
    return None if match is None else str(values.get(match[1])) in match[2].split(" or ")


def _identity(item: Any) -> Any:
    """Return the first property of an object. For other entries, return a unique value."""
    return next(iter(item.values()), None) if isinstance(item, dict) else object()


def bounds(schema: Schema) -> tuple[float, float]:
    """Return the smallest and the largest value that is allowed. If a bound is exclusive, the result is the next number
    inside the bound."""
    low, high = schema.get("minimum"), schema.get("maximum")
    step = 1 if schema.get("type") == "integer" else 1e-9
    if low is None and "exclusiveMinimum" in schema:
        low = schema["exclusiveMinimum"] + step
    if high is None and "exclusiveMaximum" in schema:
        high = schema["exclusiveMaximum"] - step
    if low is None:
        low = min(0, high) if high is not None else 0
    return low, low + DEFAULT_RANGE if high is None else high
