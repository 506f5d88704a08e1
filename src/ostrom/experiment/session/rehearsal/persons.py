"""The participants of a rehearsal. Simulated people draw their answers from those that a form allows. Language models
read the texts that people read. Both know only what a page shows; they do not read the session's journal."""

import json
import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final, Protocol

from ostrom.core import Line
from ostrom.core.text import one_line
from ostrom.players.base import Unanswered
from ostrom.players.models.bots import Bot
from ostrom.players.models.connection import connect
from ostrom.players.models.framing import NO_SEAT
from ostrom.players.models.reading import objects_in

KNOWS: Final = 0.8
"""The probability that a simulated person answers a comprehension question correctly."""
MAX_PROMPT: Final = 30_000
"""The largest number of characters of a page that a model reads."""
_CHATTER: Final = ("I will give the most I can.", "Let us all do the same.", "What do you think?", "Okay.", "")
_PASSES: Final = 0.2
_ENDS: Final = ((0.2, 0.0), (0.35, 1.0), (0.5, 0.5))
"""Cumulative probabilities of the smallest, the largest and the middle of a range; other draws are uniform."""


@dataclass(frozen=True)
class PageForm:
    """A form to fill in: the text above it, and its fields as a JSON schema."""

    kind: str
    """The kind of the page: quiz, game, belief or questionnaire."""
    text: str
    schema: Mapping[str, Any]
    rejected: str | None = None
    """The reason why the last values were rejected."""


class NoValues(Exception):
    """Raised by a model that gives no usable values."""


class RehearsalPerson(Protocol):
    """A simulated person or a model that fills in the forms of one participant."""

    @property
    def thinks(self) -> bool:
        """True if time for reading and thinking is to be simulated."""

    async def values(self, form: PageForm) -> dict[str, Any]:
        """Return values for a form. Raise NoValues if there are none."""


@dataclass
class SimulatedPerson:
    """A simulated person, who draws every answer from the values that the form allows."""

    seed: str
    right: Mapping[str, Any] = field(default_factory=dict)
    """The right answers to comprehension questions by name. The person gives each with probability `knows`."""
    knows: float = KNOWS
    thinks: bool = True

    def __post_init__(self) -> None:
        self._draws = random.Random(self.seed)

    async def values(self, form: PageForm) -> dict[str, Any]:
        """Return drawn values."""
        if form.rejected is not None:
            return smallest_values(form.schema)
        values = self._drawn(form.schema)
        if form.kind == "quiz":
            known = {name: self.right[name] for name in values if name in self.right}
            values |= {name: value for name, value in known.items() if self._draws.random() < self.knows}
        return values

    def _drawn(self, schema: Mapping[str, Any]) -> dict[str, Any]:
        properties, required = schema["properties"], schema.get("required", [])
        passes = self._draws.random() < _PASSES
        values: dict[str, Any] = {}
        for name, shape in properties.items():
            condition = shape.get("askedIf")
            if condition is not None:
                if values.get(condition["field"]) not in condition["equals"]:
                    continue
            elif name not in required:
                continue
            values[name] = self._value(shape, passes)
        if values.get("target") == NO_SEAT:
            values["spend"] = 0
        elif isinstance(values.get("target"), str) and "spend" in values:
            values["spend"] = max(values["spend"] or 0, properties["spend"].get("multipleOf", 1))
        return values

    def _value(self, shape: Mapping[str, Any], passes: bool) -> Any:
        if "anyOf" in shape:
            return None if passes else self._value(shape["anyOf"][0], passes)
        if "enum" in shape:
            return self._draws.choice(shape["enum"])
        if shape["type"] in ("integer", "number"):
            return self._number(shape)
        return self._draws.choice(_CHATTER)[: shape.get("maxLength", 1000)]

    def _number(self, shape: Mapping[str, Any]) -> float | int:
        low, high = shape.get("minimum", 0), shape.get("maximum", 100)
        place, uniform = self._draws.random(), self._draws.random()
        part = next((end for most, end in _ENDS if place < most), uniform)
        value = low + part * (high - low)
        if shape["type"] == "number":
            return float(min(max(round(value, 2), low), high))
        step = shape.get("multipleOf", 1)
        return int(min(max(round(value / step) * step, low), high))


def smallest_values(schema: Mapping[str, Any]) -> dict[str, Any]:
    """Return the plainest values that a form allows: no seat, a short text, 0 or the smallest number."""
    values = {}
    for name in schema.get("required", []):
        shape = schema["properties"][name]
        shape = shape["anyOf"][0] if "anyOf" in shape else shape
        if "enum" in shape:
            values[name] = NO_SEAT if NO_SEAT in shape["enum"] else shape["enum"][0]
        elif shape["type"] == "string":
            values[name] = "okay"
        else:
            low, high = shape.get("minimum", 0), shape.get("maximum", 0)
            values[name] = 0 if low <= 0 <= high else low
    return values


_SYSTEM: Final = """You take part in an economic experiment as a participant. You see the same pages as people. Read the
page and fill in its form. Answer with one JSON object that has the fields of the form, and nothing else."""


class ModelPerson:
    """A language model that reads a participant's pages and fills in their forms."""

    thinks: Final = False

    def __init__(self, bot: Bot, participant: str) -> None:
        self._connection = connect(bot)
        self._participant = participant
        self._read: list[str] = []
        """The texts of the pages that the model has read, such as instructions."""
        self.calls = 0

    def read(self, text: str) -> None:
        """Add a page to what the model has read."""
        self._read.append(text)

    async def values(self, form: PageForm) -> dict[str, Any]:
        """Return the values of the model's reply. Raise NoValues if the call fails or the reply has no JSON object."""
        self.calls += 1
        lines = [Line("system", _SYSTEM), Line("user", self._prompt(form))]
        schema = form.schema if self._connection.form in ("native", "tool") else None
        try:
            reply = await self._connection.send(lines, schema, f"rehearsal {self._participant} {self.calls}")
        except Unanswered as failure:
            raise NoValues(failure.reason) from None
        objects: Sequence[dict[str, Any]] = list(objects_in(reply.text))
        if not objects:
            raise NoValues(f"no JSON object in the reply {one_line(reply.text, 80)!r}")
        return objects[-1]

    def _prompt(self, form: PageForm) -> str:
        parts = ["\n\n".join(self._read)[-MAX_PROMPT:], form.text[-MAX_PROMPT:]]
        if form.rejected is not None:
            parts.append(f"Your last answer was rejected: {form.rejected}")
        parts.append(f"The form, as a JSON schema:\n{json.dumps(form.schema, ensure_ascii=False)}")
        return "\n\n".join(part for part in parts if part)
