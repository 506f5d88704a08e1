"""The events of an audit, and what the seat that is audited sees."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from ostrom.core import Event, EventRegistry, Question
from ostrom.core.effects import Telling, sentence
from ostrom.core.scene import Scene
from ostrom.core.telling import simple
from ostrom.games.audit.rules import Framing

EVENTS = EventRegistry()


@EVENTS.register
class Decided(Event):
    """The question was answered."""

    tag: ClassVar[str] = "decided"

    game: str
    turn: int
    phase: str
    label: str
    """What the seat that was asked was called."""
    aspects: dict[str, float]
    """Every part of the decision from 0 to 1, the leading one first."""
    raw: Any
    """The answer in the game's own terms; the seats that it names are those of the audit."""
    levels: dict[str, str]
    """How the question was put: the level of each factor."""


@dataclass(frozen=True)
class AuditView:
    """A question within its framing."""

    game: str
    """The game that the question comes from, by its name in records."""
    question: Question
    """The question as that game asks it."""
    framing: Framing

    @property
    def label(self) -> str:
        """What the seat that is asked is called."""
        labels = self.framing.labels
        return str(self.question.seat) if labels is None else labels[self.question.seat.index]

    def as_record(self) -> Mapping[str, Any]:
        """The view as plain data, for those who read rather than compute."""
        inner = self.question.view
        return {
            "game": self.game,
            "turn": self.question.turn,
            "phase": self.question.phase,
            "seat": self.question.seat.index,
            "view": inner.as_record() if hasattr(inner, "as_record") else None,
            "framing": self.framing.model_dump(mode="json"),
        }


def tell(event: Event) -> Telling:
    """The question as it was put, and its answer."""
    if not isinstance(event, Decided):
        raise TypeError(f"not an event of an audit: {event!r}")
    asked = sentence(f"{event.game}, turn {event.turn}: ", 0, f" is asked for its {event.phase} as {event.label}")
    levels = [sentence(f"  {factor}: {level}") for factor, level in event.levels.items()]
    parts = [f"{name} {value:.0%} of the way" for name, value in event.aspects.items()]
    said = "  gives no valid answer"
    if event.raw is not None:
        said = f"  answers {_said(event.raw)}" + (f": {', '.join(parts)}" if parts else "")
    return Telling(text=(asked, *levels, sentence(said)))


PRESENTATION = simple(Scene(layout="question", title="Audit", opens="end"), tell)


def _said(raw: Any) -> str:
    if isinstance(raw, dict):
        return ", ".join(f"{name} {'nobody' if part is None else part}" for name, part in raw.items())
    return str(raw)


def series(events: Sequence[Event]) -> dict[str, list[Any]]:
    """Every part of the decision, as an array with one entry."""
    made: dict[str, list[Any]] = {}
    for event in events:
        if isinstance(event, Decided):
            for name, value in event.aspects.items():
                made.setdefault(name, []).append(value)
    return made
