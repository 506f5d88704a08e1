"""The one event of an audit."""

from typing import Any, ClassVar

from ostrom.table import Event, EventRegistry

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
