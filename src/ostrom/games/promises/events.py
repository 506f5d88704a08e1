"""The events of a reading for promises, in the order in which a portion brings them."""

from typing import ClassVar

from ostrom.table import Event, EventRegistry

EVENTS = EventRegistry()


@EVENTS.register
class LineJudged(Event):
    """The judge said whether a line is a promise."""

    tag: ClassVar[str] = "line_judged"

    turn: int
    """The question, counted from 1; a round with many lines has several."""
    line: int
    """The line's number in its game."""
    round: int
    label: str
    """The seat that spoke."""
    promise: bool
    """Whether the speaker announced what it would contribute in this round."""
    tokens: int | None
    """How much it announced; nothing where there is no promise, and where it is all that the speaker holds."""


@EVENTS.register
class LinesUnjudged(Event):
    """The judge said nothing about these lines: they count neither as promises nor as anything else."""

    tag: ClassVar[str] = "lines_unjudged"

    turn: int
    round: int
    first: int
    """The number of the first of them."""
    last: int
