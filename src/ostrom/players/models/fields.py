"""The fields of an answer. A field knows how it is asked for, in tags and in JSON, and how its value is read back, in
the game's own units: what a framing scaled or renamed is undone here. What is read is exactly what was written, or a
reason why it will not do."""

import json
import re
from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

from typing_extensions import override

from ostrom.core import IllegalAnswer
from ostrom.players.models.framing import NOBODY, plain, truncated

ELLIPSIS = "…"
"""What stands between the tags of the form; nobody's answer."""
REASONING = "reasoning"
"""The one field that a reply may add or leave out: it is kept in the record and means nothing to the game."""
_NUMBER = re.compile(r"[+-]?[0-9]+(\.[0-9]+)?([eE][+-]?[0-9]+)?|[+-]?(nan|inf|infinity)", re.IGNORECASE)
_LONGEST_NUMBER = 40
_SHOWN = 60
UNKNOWN = object()
"""The value of what is no label; nobody can choose it."""


class MalformedReply(Exception):
    """A reply that is not in the form that was asked for; the text is the reason, fit to be told to the model."""


class AnswerField(ABC):
    """What every kind of field can do. Most have one property in JSON, of their own name."""

    __slots__ = ()
    name: str
    """Its name among the values that a briefing decodes, and the name of its tag."""

    @abstractmethod
    def describe(self) -> str:
        """What would be right, as the end of a sentence: 'a whole number from 0 to 20'."""

    def in_json(self) -> str:
        """What its properties must hold, as a line of the form of an answer in JSON."""
        return f"{self.name}: {self.describe()}"

    @abstractmethod
    def properties(self) -> Mapping[str, Mapping[str, Any]]:
        """Its properties in the JSON schema of the answer."""

    @abstractmethod
    def from_tag(self, text: str) -> Any:
        """The value that stands between its tags. Raises `MalformedReply` or `IllegalAnswer`."""

    @abstractmethod
    def from_json(self, found: Mapping[str, Any]) -> Any:
        """The value that its properties have in an answer. Raises `MalformedReply` or `IllegalAnswer`."""

    def text_in(self, found: Mapping[str, Any]) -> str:
        """The property, which must be a text."""
        raw = found[self.name]
        if not isinstance(raw, str):
            raise self.malformed(raw, "not a text")
        return raw

    def malformed(self, raw: object, what: str) -> MalformedReply:
        """The error for what is not of the form: 'not a number'."""
        return MalformedReply(f"{self.name}: {excerpt(raw)} is {what}; it must be {self.describe()}")

    def illegal(self, written: str, what: str = "not allowed") -> IllegalAnswer:
        """The error for what the rules do not allow."""
        return IllegalAnswer(f"{self.name}: {written} is {what}; it must be {self.describe()}")


def line(field: AnswerField) -> str:
    """The field's line in the form of an answer in tags."""
    return f"<{field.name}>{ELLIPSIS}</{field.name}> with {field.describe()}"


def schema_of(fields: Sequence[AnswerField]) -> dict[str, Any]:
    """The JSON schema of the answer: an object with every property and no other."""
    properties = {name: dict(one) for field in fields for name, one in field.properties().items()}
    return {"type": "object", "properties": properties, "required": list(properties), "additionalProperties": False}


def excerpt(raw: object) -> str:
    """What somebody wrote, short enough to be told back on one line."""
    text = raw if isinstance(raw, str) else json.dumps(raw, ensure_ascii=False, default=str)
    text = " ".join(text[: 4 * _SHOWN].split())
    text = text if len(text) <= _SHOWN else text[:_SHOWN] + ELLIPSIS
    return text if not isinstance(raw, str) else f'"{text}"'


def number_in(text: str) -> int | float | Decimal:
    """The number that a text is, and nothing but it. Raises `MalformedReply`."""
    text = text.strip()
    if len(text) > _LONGEST_NUMBER or not _NUMBER.fullmatch(text):
        raise MalformedReply(f"{excerpt(text)} is not a number written in digits alone")
    if text.lstrip("+-").isdecimal():
        return int(text)
    number = Decimal(text)
    return number if number.is_finite() else float(number)


@dataclass(frozen=True, slots=True)
class NumberField(AnswerField):
    """A number between two bounds, both allowed, in the game's units; it is told and asked times `scale`."""

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
        """The bounds as they are told: what is not whole is rounded toward 0, as amounts are."""
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
        try:
            return self.validate(number_in(text))
        except MalformedReply as reason:
            raise MalformedReply(f"{self.name}: {reason}; it must be {self.describe()}") from None

    @override
    def from_json(self, found: Mapping[str, Any]) -> float | int:
        """The property's number; a text with digits is none."""
        raw = found[self.name]
        if isinstance(raw, bool) or not isinstance(raw, int | float):
            raise self.malformed(raw, "not a number")
        return self.validate(raw)

    def validate(self, told: int | float | Decimal) -> float | int:
        """The number in the game's units."""
        low, high = self.bounds()
        # What was told as a bound is allowed, even where floating point left it a hair beyond.
        if not min(low, self.low * self.scale) <= float(told) <= max(high, self.high * self.scale):  # never for NaN
            raise self.illegal(as_written(told))
        if not self.whole:
            # The quotient may be off by the last bit; the bounds were checked on what was said.
            return min(max(float(told) / self.scale, self.low), self.high)
        if told != int(told) or int(told) % self.scale:
            kind = "whole" if told != int(told) else f"a multiple of {self.scale}"
            raise self.illegal(as_written(told), f"not {kind}")
        return int(told) // self.scale


@dataclass(frozen=True, slots=True)
class ChoiceField(AnswerField):
    """One of a few labels, each of which stands for a value."""

    name: str
    options: tuple[tuple[str, Any], ...]
    """Label and value, in the order in which they are listed."""

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
    def from_json(self, found: Mapping[str, Any]) -> Any:
        return self.from_tag(self.text_in(found))


@dataclass(frozen=True, slots=True)
class TextField(AnswerField):
    """A text of at most so many words. A longer one is read whole: whether it is cut is not the form's to say."""

    name: str
    max_words: int

    @override
    def describe(self) -> str:
        return f"a text of at most {self.max_words} words"

    @override
    def properties(self) -> Mapping[str, Mapping[str, Any]]:
        """One text; its length in characters is bounded well above what so many words take."""
        return {self.name: {"type": "string", "description": self.describe(), "maxLength": 8 * self.max_words}}

    @override
    def from_tag(self, text: str) -> str:
        return text.strip()

    @override
    def from_json(self, found: Mapping[str, Any]) -> str:
        # A lone surrogate can be written in JSON, and in no file.
        return self.text_in(found).encode("utf-8", "replace").decode().strip()


def value_of(text: str, options: Sequence[tuple[str, Any]]) -> Any:
    """The value of the label that a text is, whatever its capitals."""
    wanted = text.strip().casefold()
    return next((value for label, value in options if label.casefold() == wanted), UNKNOWN)


def as_written(number: int | float | Decimal) -> str:
    """A number that somebody wrote, as it is told back."""
    return excerpt(plain(number)).strip('"') if isinstance(number, int | float) else str(number)


@dataclass(frozen=True, slots=True)
class AimedField(AnswerField):
    """An amount aimed at one of several seats, or at nobody: `P1=3` in a tag, target and spend in JSON. Its value is
    {"target": …, "spend": …}, with None and 0 for nobody."""

    name: str
    targets: tuple[tuple[str, Any], ...]
    """Label and value of those who can be named, in the order in which they are listed."""
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
        return f"{NOBODY}, or one of {self.labels} and {self.spend.describe()}, as in {example}"

    @override
    def in_json(self) -> str:
        return f"target: {NOBODY}, or one of {self.labels}; spend: 0 with {NOBODY}, else {self.spend.describe()}"

    @override
    def properties(self) -> Mapping[str, Mapping[str, Any]]:
        spend: dict[str, Any] = {"type": "integer", "minimum": 0, "maximum": self.high * self.scale}
        if self.scale > 1:
            spend["multipleOf"] = self.scale
        return {"target": {"type": "string", "enum": [NOBODY, *(label for label, _ in self.targets)]}, "spend": spend}

    @override
    def from_tag(self, text: str) -> Any:
        if text.strip().casefold() == NOBODY:
            return {"target": None, "spend": 0}
        label, equals, amount = text.partition("=")
        if not equals:
            raise self.malformed(text.strip(), "not of the form")
        try:
            return self._aimed(label, number_in(amount))
        except MalformedReply as reason:
            raise MalformedReply(f"{self.name}: {reason}; it must be {self.describe()}") from None

    @override
    def from_json(self, found: Mapping[str, Any]) -> Any:
        target, spend = found["target"], found["spend"]
        if not isinstance(target, str):
            raise MalformedReply(f"target: {excerpt(target)} is not a text; it must be {self.in_json()}")
        if isinstance(spend, bool) or not isinstance(spend, int | float):
            raise MalformedReply(f"spend: {excerpt(spend)} is not a number; it must be {self.in_json()}")
        if target.strip().casefold() == NOBODY:
            if spend == 0:
                return {"target": None, "spend": 0}
            wrong = f"{as_written(spend)} on {NOBODY}"
        elif spend == 0 and value_of(target, self.targets) is not UNKNOWN:
            wrong = f"0 on {target.strip()}"
        else:
            return self._aimed(target, spend)
        raise IllegalAnswer(f"spend: {wrong} is not allowed; it must be {self.in_json()}")

    def _aimed(self, label: str, amount: int | float | Decimal) -> Any:
        value = value_of(label, self.targets)
        if value is UNKNOWN:
            right = f"it must be {NOBODY} or one of {self.labels}"
            raise IllegalAnswer(f"target: {excerpt(label.strip())} is not allowed; {right}")
        return {"target": value, "spend": self.spend.validate(amount)}


# JSON as models write it.

_LONGEST_INTEGER = 300
"""Digits; converting more takes long."""


class DuplicateKey(Exception):
    """An object says the same key twice."""


class Duplicated(dict[str, Any]):
    """An object that says a key twice; which one was meant cannot be known."""

    key: str = ""


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) == len(pairs):
        return found
    doubled = Duplicated(found)
    names = [name for name, _ in pairs]
    doubled.key = next(name for name in names if names.count(name) > 1) if len(names) < 1000 else names[0]
    return doubled


def _integer(text: str) -> int | float:
    return int(text) if len(text) <= _LONGEST_INTEGER else float(text)


JSON = json.JSONDecoder(object_pairs_hook=_object, parse_int=_integer, strict=False)


def parsed(text: str) -> Any:
    """The JSON that a whole text is. Raises `ValueError`, `RecursionError` or `DuplicateKey`."""
    value = JSON.decode(text)
    refuse_duplicates(value)
    return value


def refuse_duplicates(value: object) -> None:
    """Raise `DuplicateKey` where an object anywhere in the value says a key twice."""
    rest = [value]
    while rest:
        one = rest.pop()
        if isinstance(one, Duplicated):
            raise DuplicateKey(f'the key "{one.key[:60]}" stands twice in one object')
        if isinstance(one, dict):
            rest.extend(one.values())
        elif isinstance(one, list):
            rest.extend(one)


@dataclass(frozen=True, slots=True)
class RecordsField(AnswerField):
    """At most so many records. In tags it is a JSON list between the tags: a table has no plainer form that cannot be
    mistaken."""

    name: str
    fields: tuple[AnswerField, ...]
    most: int
    distinct: str | None = None
    """The field in which no two records may be alike."""

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
            raw = parsed(text.strip())
        except DuplicateKey as error:
            raise MalformedReply(f"{self.name}: {error}") from None
        except (ValueError, RecursionError):
            raise self.malformed(text.strip(), "not JSON") from None
        return self._records(raw)

    @override
    def from_json(self, found: Mapping[str, Any]) -> list[dict[str, Any]]:
        return self._records(found[self.name])

    def _records(self, raw: object) -> list[dict[str, Any]]:
        if not isinstance(raw, list):
            raise self.malformed(raw, "not a list")
        if len(raw) > self.most:
            raise IllegalAnswer(f"{self.name}: {len(raw)} are too many; it must be {self.describe()}")
        records = [self._record(number, one) for number, one in enumerate(raw, 1)]
        values = [record[self.distinct] for record in records] if self.distinct else []
        for value in values:
            if values.count(value) > 1:
                raise IllegalAnswer(
                    f"{self.name}: {self.distinct} {value} is there twice; it must be {self.describe()}"
                )
        return records

    def _record(self, number: int, raw: object) -> dict[str, Any]:
        names = [name for field in self.fields for name in field.properties()]
        if not isinstance(raw, dict) or set(raw) != set(names):
            what = json.dumps(names, ensure_ascii=False)
            raise MalformedReply(f"{self.name}, number {number}: it must be an object with exactly the fields {what}")
        try:
            return {field.name: field.from_json(raw) for field in self.fields}
        except (MalformedReply, IllegalAnswer) as reason:
            raise type(reason)(f"{self.name}, number {number}: {reason}") from None
