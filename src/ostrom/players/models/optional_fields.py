"""Fields of an answer that may stay empty. There are fields with which a player may pass, and fields that are asked
only if an earlier field has a certain value."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from typing_extensions import override

from ostrom.players.models.fields import AnswerField, excerpt

PASS = "pass"
"""The text between tags that means passing. In JSON, passing is null."""
NOT_ASKED = "none"
"""The text between the tags of a field that is not asked. In JSON, the field's value is null. The tags may also be left
out."""


def _or_null(schema: Mapping[str, Any], when: str) -> dict[str, Any]:
    return {"anyOf": [dict(schema), {"type": "null"}], "description": when}


@dataclass(frozen=True, slots=True)
class OptionalField(AnswerField):
    """A field with which a player may pass. Its value is then None."""

    of: AnswerField

    @property
    def name(self) -> str:  # type: ignore[override]
        return self.of.name

    @override
    def describe(self) -> str:
        return f"{self.of.describe()}, or {PASS}"

    @override
    def in_json(self) -> str:
        return f"{self.of.in_json()}, or null to {PASS}"

    @override
    def properties(self) -> Mapping[str, Mapping[str, Any]]:
        return {name: _or_null(schema, f"null to {PASS}") for name, schema in self.of.properties().items()}

    @override
    def from_tag(self, text: str) -> Any:
        return None if text.strip().casefold() == PASS else self.of.from_tag(text)

    @override
    def from_json(self, answer: Mapping[str, Any]) -> Any:
        passes = all(answer[name] is None for name in self.of.properties())
        return None if passes else self.of.from_json(answer)


@dataclass(frozen=True, slots=True)
class ConditionalField(AnswerField):
    """A field that is asked only if an earlier field has one of a few values. Otherwise its value is None."""

    of: AnswerField
    field: str
    """The name of the earlier field."""
    options: tuple[tuple[str, Any], ...]
    """The labels and values of the earlier field with which this field is asked."""

    @property
    def name(self) -> str:  # type: ignore[override]
        return self.of.name

    @property
    @override
    def always(self) -> bool:
        return False

    @property
    def condition(self) -> str:
        return f"if {self.field} is {' or '.join(label for label, _ in self.options)}"

    @override
    def asked(self, values: Mapping[str, Any]) -> bool:
        return values.get(self.field) in [value for _, value in self.options]

    @override
    def describe(self) -> str:
        return f"{self.of.describe()}, {self.condition}; else {NOT_ASKED}"

    @override
    def in_json(self) -> str:
        return f"{self.of.in_json()}, {self.condition}; else null"

    @override
    def properties(self) -> Mapping[str, Mapping[str, Any]]:
        when = f"{self.condition}; else null"
        return {name: _or_null(schema, when) for name, schema in self.of.properties().items()}

    @override
    def from_tag(self, text: str) -> Any:
        return self.of.from_tag(text)

    @override
    def from_json(self, answer: Mapping[str, Any]) -> Any:
        return self.of.from_json(answer)


def tag_value(field: AnswerField, text: str | None, values: Mapping[str, Any]) -> Any:
    """Return the value between a field's tags, given the values of the fields before it. The tags may be missing. Raise
    `MalformedReply` or `IllegalAnswer`."""
    if field.asked(values):
        assert text is not None, "the caller reports missing tags"
        return field.from_tag(text)
    if text is not None and text.strip().casefold() not in ("", NOT_ASKED):
        raise field.illegal(excerpt(text.strip()), "not asked for")
    return None
