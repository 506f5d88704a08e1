"""What a request asks for, read from the request alone, and a value that its schema allows, drawn."""

import json
import math
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from random import Random
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
    chosen = choice.get("function") if isinstance(choice, Mapping) else None
    named = next(iter(functions)) if chosen is None else chosen["name"]
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


Taste: TypeAlias = Literal["seed", "lowest", "highest"]
"""How amounts and options are chosen: drawn, or always the first or the last that is allowed."""

SENTENCE = "we all give a fair share again and see what each of us keeps if so"
WORDS = SENTENCE.split()
MOST_WORDS = 9
MOST_ITEMS = 4
_ROUNDING = 1e-9
FAR = 100
"""The bound of a number that the schema leaves open."""


class Draw:
    """Draws values for one schema and whatever it refers to."""

    def __init__(self, root: Schema, chance: Random, taste: Taste = "seed") -> None:
        self._root = root
        self._chance = chance
        self._taste = taste

    def value(self, schema: Schema | None = None) -> Any:
        """A legal value."""
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
        """The schema with references followed and alternatives chosen."""
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

    def _whole(self, schema: Schema, least: float = -math.inf) -> int:
        """A whole number, at least `least`, in the steps that the schema names."""
        low, high = bounds(schema)
        step = int(schema.get("multipleOf", 1))
        return step * self._integer(max(low, least) / step, high / step)

    def _integer(self, low: float, high: float) -> int:
        first, last = math.ceil(low), math.floor(high)
        if self._taste == "seed":
            return first + int(self._chance.random() * (last - first + 1))
        return first if self._taste == "lowest" else last

    def _in_steps(self, low: float, high: float, step: float) -> float:
        """A number so many steps above the least."""
        return round(low + step * self._integer(0, (high - low) / step + _ROUNDING), 10)

    def _number(self, low: float, high: float) -> float:
        if self._taste != "seed":
            return low if self._taste == "lowest" else high
        drawn = low + self._chance.random() * (high - low)
        rounded = round(drawn, 2)
        return rounded if low <= rounded <= high else drawn

    def _text(self, schema: Schema) -> str:
        told = _WORDS.search(str(schema.get("description", "")))
        most = min(MOST_WORDS, int(told[1])) if told else MOST_WORDS
        count = self._integer(min(2, most), most)
        text = " ".join(WORDS[int(self._chance.random() * len(WORDS))] for _ in range(count))
        least, most_characters = int(schema.get("minLength", 0)), int(schema.get("maxLength", len(text)))
        return text[:most_characters].strip().ljust(least, ".")

    def _array(self, schema: Schema) -> list[Any]:
        low = schema.get("minItems", 1)
        high = min(schema.get("maxItems", MOST_ITEMS), max(low, MOST_ITEMS))
        items = [self.value(schema.get("items", {})) for _ in range(self._integer(min(low or 1, high), high))]
        if schema.get("uniqueItems"):
            items = [item for place, item in enumerate(items) if item not in items[:place]]
        # Nobody lists the same thing twice: of two entries that begin alike the first one stays.
        return [item for place, item in enumerate(items) if _opening(item) not in map(_opening, items[:place])]

    def _object(self, schema: Schema) -> dict[str, Any]:
        properties: Mapping[str, Schema] = schema.get("properties", {})
        value = {name: self.value(part) for name, part in properties.items()}
        if "target" in value and "spend" in value:
            self._agree(value, self.resolved(properties["target"]), self.resolved(properties["spend"]))
        return value

    def _agree(self, value: dict[str, Any], target: Schema, spend: Schema) -> None:
        """Nobody is punished exactly where nothing is spent."""
        most = bounds(spend)[1]
        if value["target"] == "nobody" or most < 1:
            value["spend"] = 0
            if "nobody" in target.get("enum", ("nobody",)):
                value["target"] = "nobody"
        elif value["spend"] == 0:
            value["spend"] = self._whole(spend, least=1)

    def _pair(self, pair: Mapping[str, Any]) -> str:
        label = self._one_of(["nobody", *pair["labels"]])
        return label if label == "nobody" else f"{label}={self._whole(pair)}"


def _opening(item: Any) -> Any:
    """What tells entries of a list apart: the first property of an object; of anything else its place, which is its
    own."""
    return next(iter(item.values()), None) if isinstance(item, dict) else object()


def bounds(schema: Schema) -> tuple[float, float]:
    """The least and the greatest that is allowed; for exclusive bounds of whole numbers, the next within."""
    low, high = schema.get("minimum"), schema.get("maximum")
    step = 1 if schema.get("type") == "integer" else 1e-9
    if low is None and "exclusiveMinimum" in schema:
        low = schema["exclusiveMinimum"] + step
    if high is None and "exclusiveMaximum" in schema:
        high = schema["exclusiveMaximum"] - step
    if low is None:
        low = min(0, high) if high is not None else 0
    return low, low + FAR if high is None else high
