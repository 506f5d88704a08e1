"""The field of a judge: a list of records, each with fields of its own."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from ostrom.core import IllegalAnswer
from ostrom.players.models.fields import Field, Malformed, schema_of, shown
from ostrom.players.models.json_text import DuplicateKey, parsed


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
            raise Malformed(f"{self.name}: {shown(text.strip())} is not JSON; it must be {self.describe()}") from None
        return self._records(raw)

    def from_json(self, found: Mapping[str, Any]) -> list[dict[str, Any]]:
        """The property's list."""
        return self._records(found[self.name])

    def _records(self, raw: object) -> list[dict[str, Any]]:
        if not isinstance(raw, list):
            raise Malformed(f"{self.name}: {shown(raw)} is not a list; it must be {self.describe()}")
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
