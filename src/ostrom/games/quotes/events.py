"""The events of a reading for quotes, in the order in which a portion brings them."""

from typing import ClassVar

from ostrom.table import Event, EventRegistry

EVENTS = EventRegistry()


@EVENTS.register
class LinePicked(Event):
    """The judge found a line striking."""

    tag: ClassVar[str] = "line_picked"

    turn: int
    """The portion, counted from 1."""
    line: int
    """The line's number in its game."""
    round: int
    label: str
    """The seat that spoke."""
    rating: int
    reason: str


@EVENTS.register
class PortionRead(Event):
    """The judge is through with a portion of lines."""

    tag: ClassVar[str] = "portion_read"

    turn: int
    first: int
    """The number of the portion's first line."""
    last: int
    picked: int
    """How many lines were picked. Whether the judge found none or gave no answer, the answer's provenance tells."""
