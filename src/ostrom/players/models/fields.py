"""The fields of an answer. A field describes its valid values in prompts, as a tag or as JSON. It reads its value from
a reply and converts the value to the game's own units, reversing the scale and the labels of the framing. If a value
cannot be read exactly, the field raises an error."""

import json
import re
from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

from typing_extensions import TypeIs, override

from ostrom.core import IllegalAnswer
from ostrom.players.models.framing import NO_SEAT, plain, truncated

ELLIPSIS = "…"
"""The placeholder between tags in the description of the form. A placeholder is not an answer."""
REASONING = "reasoning"
"""The name of the only field that a reply may add or leave out. The field's text is recorded and has no effect in the
game."""
_NUMBER = re.compile(r"[+-]?[0-9]+(\.[0-9]+)?([eE][+-]?[0-9]+)?|[+-]?(nan|inf|infinity)", re.IGNORECASE)
_MAX_NUMBER_LENGTH = 40
_EXCERPT_LENGTH = 60
UNKNOWN = object()
"""The value returned for a text that is not one of the labels."""


class MalformedReply(Exception):
    """Raised if a reply does not have the requested form. The error's text is the reason, worded as an explanation to
    the model."""


class AnswerField(ABC):
    """A field of an answer. In JSON, most fields are one property with the field's name."""

    __slots__ = ()
    name: str
    """The name of the field's value and of its tag."""

    @abstractmethod
    def describe(self) -> str:
        """Return a description of valid values. The description can end a sentence, for example 'a whole number from 0
        to 20'."""

    def in_json(self) -> str:
        """Return the field's line in the description of the JSON answer."""
        return f"{self.name}: {self.describe()}"

    @property
    def always(self) -> bool:
        """True if every answer has the field, regardless of its other fields."""
        return True

    def asked(self, values: Mapping[str, Any]) -> bool:
        """Return whether the field is asked, given the values of the fields before it."""
        return True

    @abstractmethod
    def properties(self) -> Mapping[str, Mapping[str, Any]]:
        """Return the field's properties in the JSON schema of the answer."""

    @abstractmethod
    def from_tag(self, text: str) -> Any:
        """Return the value of the text between the field's tags. Raises `MalformedReply` or `IllegalAnswer`."""

    @abstractmethod
    def from_json(self, answer: Mapping[str, Any]) -> Any:
        """Return the field's value in a JSON answer. Raises `MalformedReply` or `IllegalAnswer`."""

    def text_in(self, answer: Mapping[str, Any]) -> str:
        """Return the field's property in a JSON answer. Raises `MalformedReply` if it is not a text."""
        raw = answer[self.name]
        if not isinstance(raw, str):
            raise self.malformed(raw, "not a text")
        return raw

    def number_in(self, text: str) -> int | float | Decimal:
        """Return a text as a number. Raise `MalformedReply` if the text is not just a number."""
        text = text.strip()
        if len(text) > _MAX_NUMBER_LENGTH or not _NUMBER.fullmatch(text):
            raise self.malformed(text, "not a number in plain digits")
        if text.lstrip("+-").isdecimal():
            return int(text)
        number = Decimal(text)
        return number if number.is_finite() else float(number)

    def malformed(self, raw: object, what: str) -> MalformedReply:
        """Return the error for a malformed value. `what` describes the value, such as 'not a number'."""
        return MalformedReply(f"{self.name}: {excerpt(raw)} is {what}; it must be {self.describe()}")

    def illegal(self, written: str, what: str = "not allowed") -> IllegalAnswer:
        """Return the error for a value that the rules do not allow."""
        return IllegalAnswer(f"{self.name}: {written} is {what}; it must be {self.describe()}")


def schema_of(fields: Sequence[AnswerField]) -> dict[str, Any]:
    """Return the JSON schema of the answer: an object that has all properties of the fields and no others."""
    properties = {name: dict(schema) for field in fields for name, schema in field.properties().items()}
    return {"type": "object", "properties": properties, "required": list(properties), "additionalProperties": False}


def values_in(answer: Mapping[str, Any], fields: Sequence[AnswerField]) -> dict[str, Any]:
    """Return the value of each field in a JSON answer. The value of a field that is not asked is None. Raises
    `MalformedReply` or `IllegalAnswer`."""
    values: dict[str, Any] = {}
    for field in fields:
        names = list(field.properties())
        if not field.asked(values):
            if any(answer.get(name) is not None for name in names):
                raise field.illegal(excerpt(answer[field.name]), "not asked for")
            values[field.name] = None
            continue
        if absent := [name for name in names if name not in answer]:
            raise MalformedReply(f"the JSON object lacks {', '.join(absent)}; it must be {field.describe()}")
        values[field.name] = field.from_json(answer)
    return values


def excerpt(raw: object) -> str:
    """Return a value as written in the reply, shortened to fit into a one-line error message."""
    text = raw if isinstance(raw, str) else json.dumps(raw, ensure_ascii=False, default=str)
    text = " ".join(text[: 4 * _EXCERPT_LENGTH].split())
    text = text if len(text) <= _EXCERPT_LENGTH else text[:_EXCERPT_LENGTH] + ELLIPSIS
    return text if not isinstance(raw, str) else f'"{text}"'


def is_number(raw: object) -> TypeIs[int | float]:
    """Return whether a value of JSON is a number."""
    return isinstance(raw, int | float) and not isinstance(raw, bool)


@dataclass(frozen=True, slots=True)
class NumberField(AnswerField):
    """A number between two inclusive bounds, in the game's units. In prompts and replies it is multiplied by
    `scale`."""

    name: str
    low: float
    high: float
    whole: bool = False
    scale: int = 1

    @override
    def describe(self) -> str:
        kind = "a whole number" if self.whole else "a number"
        low, high = self.bounds()
        step = f" that is a multiple of {self.scale}" if self.whole and self.scale > 1 else ""
        return f"{kind} from {plain(low)} to {plain(high)}{step}"

    def bounds(self) -> tuple[int | float, int | float]:
        """Return the bounds as prompts state them. Like all amounts, they are truncated toward 0."""
        if self.whole:
            return int(self.low) * self.scale, int(self.high) * self.scale
        return 0.0 - truncated(-self.low * self.scale), truncated(self.high * self.scale)

    @override
    def properties(self) -> Mapping[str, Mapping[str, Any]]:
        low, high = self.bounds()
        schema: dict[str, Any] = {"type": "integer" if self.whole else "number", "minimum": low, "maximum": high}
        if self.whole and self.scale > 1:
            schema["multipleOf"] = self.scale
        return {self.name: schema}

    @override
    def from_tag(self, text: str) -> float | int:
        return self.validate(self.number_in(text))

    @override
    def from_json(self, answer: Mapping[str, Any]) -> float | int:
        raw = answer[self.name]
        if not is_number(raw):
            raise self.malformed(raw, "not a number")
        return self.validate(raw)

    def validate(self, number: int | float | Decimal) -> float | int:
        """Return the number in the game's units. Raises `IllegalAnswer`."""
        low, high = self.bounds()
        # A stated bound is allowed even if a rounding error puts it slightly outside.
        # The comparison is false for NaN.
        if not min(low, self.low * self.scale) <= float(number) <= max(high, self.high * self.scale):
            raise self.illegal(as_written(number))
        if not self.whole:
            # The quotient may differ from the exact value in the last bit. This is harmless, since the bounds were
            # checked before the division.
            return min(max(float(number) / self.scale, self.low), self.high)
        if number != int(number) or int(number) % self.scale:
            kind = "whole" if number != int(number) else f"a multiple of {self.scale}"
            raise self.illegal(as_written(number), f"not {kind}")
        return int(number) // self.scale


@dataclass(frozen=True, slots=True)
class ChoiceField(AnswerField):
    """One of a few labels, each with a value."""

    name: str
    options: tuple[tuple[str, Any], ...]
    """Labels with their values, in the order in which prompts list them."""

    @override
    def describe(self) -> str:
        return f"one of {', '.join(label for label, _ in self.options)}"

    @override
    def properties(self) -> Mapping[str, Mapping[str, Any]]:
        return {self.name: {"type": "string", "enum": [label for label, _ in self.options]}}

    @override
    def from_tag(self, text: str) -> Any:
        value = value_of(text, self.options)
        if value is UNKNOWN:
            raise self.illegal(excerpt(text.strip()))
        return value

    @override
    def from_json(self, answer: Mapping[str, Any]) -> Any:
        return self.from_tag(self.text_in(answer))


@dataclass(frozen=True, slots=True)
class TextField(AnswerField):
    """A text with a maximum number of words. A longer text is returned whole, and the caller may cut it."""

    name: str
    max_words: int

    @override
    def describe(self) -> str:
        return f"a text of at most {self.max_words} words"

    @override
    def properties(self) -> Mapping[str, Mapping[str, Any]]:
        # This number of characters leaves ample space for the number of words.
        return {self.name: {"type": "string", "description": self.describe(), "maxLength": 8 * self.max_words}}

    @override
    def from_tag(self, text: str) -> str:
        return text.strip()

    @override
    def from_json(self, answer: Mapping[str, Any]) -> str:
        # JSON can contain a lone surrogate, but a file cannot.
        return self.text_in(answer).encode("utf-8", "replace").decode().strip()


def value_of(text: str, options: Sequence[tuple[str, Any]]) -> Any:
    """Return the value of a label, ignoring case. Return `UNKNOWN` if no option has this label."""
    label_text = text.strip().casefold()
    return next((value for label, value in options if label.casefold() == label_text), UNKNOWN)


def as_written(number: int | float | Decimal) -> str:
    """Return a number as it was written in the reply."""
    return excerpt(plain(number)).strip('"') if isinstance(number, int | float) else str(number)


@dataclass(frozen=True, slots=True)
class AimedField(AnswerField):
    """An amount that is directed at one seat, or at none. In a tag, it is written as `P1=3`. In JSON, it has a target
    and a spend. Its value is {"target": …, "spend": …}. Without a target, these are None and 0."""

    name: str
    targets: tuple[tuple[str, Any], ...]
    """Labels and values of the possible targets, in the order in which prompts list them."""
    low: int
    high: int
    scale: int = 1

    @property
    def spend(self) -> NumberField:
        return NumberField("spend", self.low, self.high, whole=True, scale=self.scale)

    @property
    def labels(self) -> str:
        return ", ".join(label for label, _ in self.targets)

    @override
    def describe(self) -> str:
        example = f"{self.targets[0][0]}={self.low * self.scale}"
        return f"{NO_SEAT}, or one of {self.labels} and {self.spend.describe()}, as in {example}"

    @override
    def in_json(self) -> str:
        return f"target: {NO_SEAT}, or one of {self.labels}; spend: 0 with {NO_SEAT}, else {self.spend.describe()}"

    @override
    def properties(self) -> Mapping[str, Mapping[str, Any]]:
        spend: dict[str, Any] = {"type": "integer", "minimum": 0, "maximum": self.high * self.scale}
        if self.scale > 1:
            spend["multipleOf"] = self.scale
        return {"target": {"type": "string", "enum": [NO_SEAT, *(label for label, _ in self.targets)]}, "spend": spend}

    @override
    def from_tag(self, text: str) -> Any:
        if text.strip().casefold() == NO_SEAT:
            return {"target": None, "spend": 0}
        label, equals, amount = text.partition("=")
        if not equals:
            raise self.malformed(text.strip(), "not of the form")
        return self._aimed(label, self.number_in(amount))

    @override
    def from_json(self, answer: Mapping[str, Any]) -> Any:
        target, spend = answer["target"], answer["spend"]
        if not isinstance(target, str):
            raise MalformedReply(f"target: {excerpt(target)} is not a text; it must be {self.in_json()}")
        if not is_number(spend):
            raise MalformedReply(f"spend: {excerpt(spend)} is not a number; it must be {self.in_json()}")
        if target.strip().casefold() == NO_SEAT:
            if spend == 0:
                return {"target": None, "spend": 0}
            wrong = f"{as_written(spend)} on {NO_SEAT}"
        elif spend == 0 and value_of(target, self.targets) is not UNKNOWN:
            wrong = f"0 on {target.strip()}"
        else:
            return self._aimed(target, spend)
        raise IllegalAnswer(f"spend: {wrong} is not allowed; it must be {self.in_json()}")

    def _aimed(self, label: str, amount: int | float | Decimal) -> Any:
        value = value_of(label, self.targets)
        if value is UNKNOWN:
            expected = f"it must be {NO_SEAT} or one of {self.labels}"
            raise IllegalAnswer(f"target: {excerpt(label.strip())} is not allowed; {expected}")
        return {"target": value, "spend": self.spend.validate(amount)}


# The next functions read JSON as models write it.

_MAX_INTEGER_DIGITS = 300  # The conversion of longer integers is slow.


class AmbiguousObject(dict[str, Any]):
    """A JSON object in which a key occurs twice."""

    key: str = ""


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    fields = dict(pairs)
    if len(fields) == len(pairs):
        return fields
    result = AmbiguousObject(fields)
    names = [name for name, _ in pairs]
    result.key = next(name for name in names if names.count(name) > 1) if len(names) < 1000 else names[0]
    return result


def _integer(text: str) -> int | float:
    return int(text) if len(text) <= _MAX_INTEGER_DIGITS else float(text)


JSON = json.JSONDecoder(object_pairs_hook=_object, parse_int=_integer, strict=False)


def refuse_duplicates(value: object) -> None:
    """Raise `MalformedReply` if the value is, or contains, an object in which a key occurs twice."""
    rest = [value]
    while rest:
        item = rest.pop()
        if isinstance(item, AmbiguousObject):
            raise MalformedReply(f'the key "{item.key[:60]}" is twice in one object')
        if isinstance(item, dict):
            rest.extend(item.values())
        elif isinstance(item, list):
            rest.extend(item)


@dataclass(frozen=True, slots=True)
class RecordsField(AnswerField):
    """A list of records with a maximum length. It is written as JSON, even between tags."""

    name: str
    fields: tuple[AnswerField, ...]
    most: int
    distinct: str | None = None
    """The name of the field whose values must differ between records."""

    @override
    def describe(self) -> str:
        parts = "; ".join(field.in_json() for field in self.fields)
        apart = f"; no {self.distinct} twice" if self.distinct else ""
        return f"a JSON list of at most {self.most} objects, each with {parts}{apart}"

    @override
    def properties(self) -> Mapping[str, Mapping[str, Any]]:
        return {self.name: {"type": "array", "maxItems": self.most, "items": schema_of(self.fields)}}

    @override
    def from_tag(self, text: str) -> list[dict[str, Any]]:
        try:
            raw = JSON.decode(text.strip())
            refuse_duplicates(raw)
        except MalformedReply as error:
            raise MalformedReply(f"{self.name}: {error}") from None
        except (ValueError, RecursionError):
            raise self.malformed(text.strip(), "not JSON") from None
        return self._records(raw)

    @override
    def from_json(self, answer: Mapping[str, Any]) -> list[dict[str, Any]]:
        return self._records(answer[self.name])

    def _records(self, raw: object) -> list[dict[str, Any]]:
        if not isinstance(raw, list):
            raise self.malformed(raw, "not a list")
        if len(raw) > self.most:
            raise IllegalAnswer(f"{self.name}: {len(raw)} are too many; it must be {self.describe()}")
        records = [self._record(number, entry) for number, entry in enumerate(raw, 1)]
        values = [record[self.distinct] for record in records] if self.distinct else []
        twice = next((value for value in values if values.count(value) > 1), None)
        if twice is not None:
            raise IllegalAnswer(f"{self.name}: {self.distinct} {twice} is there twice; it must be {self.describe()}")
        return records

    def _record(self, number: int, raw: object) -> dict[str, Any]:
        names = [name for field in self.fields for name in field.properties()]
        required = {name for field in self.fields if field.always for name in field.properties()}
        if not isinstance(raw, dict) or not required <= set(raw) <= set(names):
            what = json.dumps(names, ensure_ascii=False)
            raise MalformedReply(f"{self.name}, number {number}: it must be an object with exactly the fields {what}")
        try:
            return values_in(raw, self.fields)
        except (MalformedReply, IllegalAnswer) as reason:
            raise type(reason)(f"{self.name}, number {number}: {reason}") from None


def answer_words(fields: Sequence[AnswerField], value: Any) -> str:
    """Return a decision in the words that the player saw. Options and seats are shown by their labels."""
    parts = [field for field in fields if field.name != REASONING]
    if len(parts) == 1 and not (isinstance(value, Mapping) and parts[0].name in value):
        return _field_words(parts[0], value)
    if not isinstance(value, Mapping):
        return str(value)
    return ", ".join(
        f"{field.name.replace('_', ' ')} {_field_words(field, value[field.name])}"
        for field in parts
        if field.name in value
    )


def _field_words(field: AnswerField, value: Any) -> str:
    if isinstance(field, AimedField) and isinstance(value, Mapping):
        if value.get("target") is None:
            return f"{field.name} {NO_SEAT}"
        label = next((label for label, target in field.targets if target == value["target"]), str(value["target"]))
        return f"{field.name} {label}, spend {as_written(value.get('spend', 0) * field.scale)}"
    if isinstance(field, ChoiceField):
        return next((label for label, option in field.options if option == value), str(value))
    if isinstance(field, NumberField) and is_number(value):
        return as_written(value * field.scale)
    if isinstance(field, RecordsField) and isinstance(value, Sequence):
        return "; ".join(answer_words(field.fields, entry) for entry in value)
    return "nothing" if value is None else str(value)
