"""The messages of a game, line by line, as judges read them. Lines have the label of the seat and never the name of a
player."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Annotated, Any, NamedTuple, TypeAlias, get_args

from pydantic import AfterValidator, Field

from ostrom.core.events import EventRegistry, Frozen
from ostrom.core.questions import Seat

MESSAGE = "message_said"
"""The tag of the usual event of a message, with its `round`, `seat` and `text`."""
MAX_LINES = 100_000
MAX_LINE_CHARACTERS = 4000
"""A judge reads at most this many characters of a line; the record has the complete line."""


def text_events(registry: EventRegistry) -> set[str]:
    """Return the tags of the events with text fields, the only ones that can contain a message."""
    return {
        tag
        for tag, event in registry.items()
        if any(str in (field.annotation, *get_args(field.annotation)) for field in event.model_fields.values())
    }


class SpokenLine(Frozen):
    """A line as a judge reads it."""

    number: int = Field(ge=1)
    """Counted from 1 over the game, without silent turns."""
    round: int = Field(ge=1)
    label: str = Field(pattern=r"^P[1-9][0-9]*$")
    """The label of the seat."""
    text: str = Field(min_length=1, max_length=MAX_LINE_CHARACTERS)
    cut: bool = False
    """True if the message was longer."""

    @property
    def seat(self) -> int:
        """The seat that spoke, counted from 0."""
        return int(self.label.removeprefix("P")) - 1


class WholeLine(NamedTuple):
    """A line at full length."""

    number: int
    round: int
    seat: int
    text: str


def whole_lines(events: Iterable[Mapping[str, Any]]) -> Iterator[WholeLine]:
    """Yield the lines of a game from its recorded events, in order."""
    number = 0
    for event in events:
        if event.get("event") == MESSAGE and event["text"].strip():
            number += 1
            yield WholeLine(number, event["round"], event["seat"], event["text"])


def lines_of(events: Iterable[Mapping[str, Any]]) -> tuple[SpokenLine, ...]:
    """Return the lines of a game as a judge reads them."""
    return tuple(
        SpokenLine(
            number=line.number,
            round=line.round,
            label=Seat(line.seat).label,
            text=line.text[:MAX_LINE_CHARACTERS],
            cut=len(line.text) > MAX_LINE_CHARACTERS,
        )
        for line in whole_lines(events)
    )


def portions(lines: Sequence[SpokenLine], max_lines: int, max_words: int) -> list[tuple[SpokenLine, ...]]:
    """Divide the lines into portions of at most this many lines and words; a single line may have more words."""
    complete: list[tuple[SpokenLine, ...]] = []
    portion: list[SpokenLine] = []
    words = 0
    for line in lines:
        length = len(line.text.split())
        if portion and (len(portion) == max_lines or words + length > max_words):
            complete.append(tuple(portion))
            portion, words = [], 0
        portion.append(line)
        words += length
    return [*complete, tuple(portion)] if portion else complete


def in_order(lines: tuple[SpokenLine, ...]) -> tuple[SpokenLine, ...]:
    """Return the lines. Raise ValueError if they are not numbered from 1."""
    for expected, line in enumerate(lines, start=1):
        if line.number != expected:
            raise ValueError(f"line {expected} has the number {line.number}; lines must be numbered from 1")
    return lines


SpokenLines: TypeAlias = Annotated[tuple[SpokenLine, ...], Field(max_length=MAX_LINES), AfterValidator(in_order)]
"""The lines in a judge's rules."""
