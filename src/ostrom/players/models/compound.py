"""Fields of several parts: an amount aimed at one of several seats, and a list of records."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

from ostrom.core import IllegalAnswer
from ostrom.players.models.fields import (
    UNKNOWN,
    Field,
    Malformed,
    NumberField,
    as_written,
    excerpt,
    number_in,
    schema_of,
    value_of,
)
from ostrom.players.models.framing import NOBODY
from ostrom.players.models.reading import DuplicateKey, parsed


@dataclass(frozen=True, slots=True)
class AimedField:
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
        """The amount where somebody is named."""
        return NumberField("spend", self.low, self.high, whole=True, scale=self.scale)

    def describe(self) -> str:
        """What would be right in a tag."""
        labels = ", ".join(label for label, _ in self.targets)
        example = f"{self.targets[0][0]}={self.low * self.scale}"
        return f"{NOBODY}, or one of {labels} and {self.spend.describe()}, as in {example}"

    def in_json(self) -> str:
        """The two properties, which belong together."""
        labels = ", ".join(label for label, _ in self.targets)
        return f"target: {NOBODY}, or one of {labels}; spend: 0 with {NOBODY}, else {self.spend.describe()}"

    def properties(self) -> Mapping[str, Mapping[str, Any]]:
        """Target and spend."""
        spend: dict[str, Any] = {"type": "integer", "minimum": 0, "maximum": self.high * self.scale}
        if self.scale > 1:
            spend["multipleOf"] = self.scale
        return {"target": {"type": "string", "enum": [NOBODY, *(label for label, _ in self.targets)]}, "spend": spend}

    def from_tag(self, text: str) -> Any:
        """Nobody, or a label, an equals sign and a number."""
        if text.strip().casefold() == NOBODY:
            return {"target": None, "spend": 0}
        label, equals, amount = text.partition("=")
        if not equals:
            raise Malformed(f"{self.name}: {excerpt(text.strip())} is not of the form; it must be {self.describe()}")
        try:
            return self._aimed(label, number_in(amount))
        except Malformed as reason:
            raise Malformed(f"{self.name}: {reason}; it must be {self.describe()}") from None

    def from_json(self, found: Mapping[str, Any]) -> Any:
        """The two properties, which must belong together."""
        target, spend = found["target"], found["spend"]
        if not isinstance(target, str):
            raise Malformed(f"target: {excerpt(target)} is not a text; it must be {self.in_json()}")
        if isinstance(spend, bool) or not isinstance(spend, int | float):
            raise Malformed(f"spend: {excerpt(spend)} is not a number; it must be {self.in_json()}")
        if target.strip().casefold() == NOBODY:
            if spend != 0:
                raise IllegalAnswer(
                    f"spend: {as_written(spend)} on {NOBODY} is not allowed; it must be {self.in_json()}"
                )
            return {"target": None, "spend": 0}
        if spend == 0 and value_of(target, self.targets) is not UNKNOWN:
            raise IllegalAnswer(f"spend: 0 on {target.strip()} is not allowed; it must be {self.in_json()}")
        return self._aimed(target, spend)

    def _aimed(self, label: str, amount: int | float | Decimal) -> Any:
        value = value_of(label, self.targets)
        if value is UNKNOWN:
            labels = ", ".join(each for each, _ in self.targets)
            raise IllegalAnswer(
                f"target: {excerpt(label.strip())} is not allowed; it must be {NOBODY} or one of {labels}"
            )
        return {"target": value, "spend": self.spend.validate(amount)}


@dataclass(frozen=True, slots=True)
class RecordsField:
    """At most so many records. In tags it is a JSON list between the tags: a table has no plainer form that cannot be
    mistaken."""

    name: str
    fields: tuple[Field, ...]
    most: int

    def describe(self) -> str:
        """What would be right."""
        parts = "; ".join(field.in_json() for field in self.fields)
        return f"a JSON list of at most {self.most} objects, each with {parts}"

    def in_json(self) -> str:
        """The property and what it must hold."""
        return f"{self.name}: {self.describe()}"

    def properties(self) -> Mapping[str, Mapping[str, Any]]:
        """One list."""
        return {self.name: {"type": "array", "maxItems": self.most, "items": schema_of(self.fields)}}

    def from_tag(self, text: str) -> list[dict[str, Any]]:
        """The JSON list between the tags."""
        try:
            raw = parsed(text.strip())
        except DuplicateKey as error:
            raise Malformed(f"{self.name}: {error}") from None
        except (ValueError, RecursionError):
            raise Malformed(f"{self.name}: {excerpt(text.strip())} is not JSON; it must be {self.describe()}") from None
        return self._records(raw)

    def from_json(self, found: Mapping[str, Any]) -> list[dict[str, Any]]:
        """The property's list."""
        return self._records(found[self.name])

    def _records(self, raw: object) -> list[dict[str, Any]]:
        if not isinstance(raw, list):
            raise Malformed(f"{self.name}: {excerpt(raw)} is not a list; it must be {self.describe()}")
        if len(raw) > self.most:
            raise IllegalAnswer(f"{self.name}: {len(raw)} are too many; it must be {self.describe()}")
        return [self._record(number, one) for number, one in enumerate(raw, 1)]

    def _record(self, number: int, raw: object) -> dict[str, Any]:
        names = [name for field in self.fields for name in field.properties()]
        if not isinstance(raw, dict) or set(raw) != set(names):
            what = json.dumps(names, ensure_ascii=False)
            raise Malformed(f"{self.name}, number {number}: it must be an object with exactly the fields {what}")
        try:
            return {field.name: field.from_json(raw) for field in self.fields}
        except Malformed as reason:
            raise Malformed(f"{self.name}, number {number}: {reason}") from None
        except IllegalAnswer as reason:
            raise IllegalAnswer(f"{self.name}, number {number}: {reason}") from None
