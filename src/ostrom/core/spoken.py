"""The messages of a game in the form that judges read. A line names its speaker by the label of the seat (P1), never by
the player's name."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Annotated, Any, NamedTuple, TypeAlias, get_args

from pydantic import AfterValidator, Field

from ostrom.core.events import EventRegistry, Frozen
from ostrom.core.questions import Seat

MESSAGE = "message_said"
"""The tag of the event that records a message in most games, with the fields `round`, `seat` and `text`."""
MAX_LINES = 100_000
MAX_LINE_CHARACTERS = 4000
"""The largest number of characters of a line that a judge reads. The record has the complete message."""


def text_events(registry: EventRegistry) -> set[str]:
    """Return the tags of events that have text fields. Only these events can contain a message."""
    return {
        tag
        for tag, event in registry.items()
        if any(str in (field.annotation, *get_args(field.annotation)) for field in event.model_fields.values())
    }


class SpokenLine(Frozen):
    """A line as a judge reads it."""

    number: int = Field(ge=1)
    """The number of the line within the game, from 1. A turn without a message has no line and no number."""
    round: int = Field(ge=1)
    label: str = Field(pattern=r"^P[1-9][0-9]*$")
    """The label of the seat."""
    text: str = Field(min_length=1, max_length=MAX_LINE_CHARACTERS)
    cut: bool = False
    """True if the message was longer than the line."""

    @property
    def seat(self) -> int:
        """The seat that spoke, counted from 0."""
        return int(self.label.removeprefix("P")) - 1


class WholeLine(NamedTuple):
    """A message at full length."""

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
    """Divide the lines into portions of at most this many lines and words. A portion that consists of a single line may
    have more words."""
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
    """Return the lines unchanged. Raise ValueError if they are not numbered from 1."""
    for expected, line in enumerate(lines, start=1):
        if line.number != expected:
            raise ValueError(f"line {expected} has the number {line.number}; lines must be numbered from 1")
    return lines


SpokenLines: TypeAlias = Annotated[tuple[SpokenLine, ...], Field(max_length=MAX_LINES), AfterValidator(in_order)]
"""The lines of a game, as a field of a judge's rules."""


def removed_at_once(rounds: int, least: int) -> int:
    """Return the number of rounds, from the first, whose messages a prompt leaves out. At least the last `least` rounds
    are shown. Rounds are left out `least` at a time, so that most prompts begin with the same text as the prompt of the
    round before."""
    return max(0, rounds // least - 1) * least if least else rounds
