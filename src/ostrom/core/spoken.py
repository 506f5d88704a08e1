"""What was said in a game, line by line: what a judge is given to read, and how a line that it names is found again.
Lines carry the seat's label and never a player's name."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Annotated, Any, NamedTuple, TypeAlias, get_args

from pydantic import AfterValidator, Field

from ostrom.core.events import EventRegistry, Frozen
from ostrom.core.questions import Seat

MESSAGE = "message_said"
"""The tag of the usual event in which a seat speaks, with its `round`, `seat` and `text`."""
MOST_LINES = 100_000
MOST_SIGNS = 4000
"""A line is told up to here; what was said whole stands in the record of its game."""


def text_events(known: EventRegistry) -> set[str]:
    """The tags of the events that hold a text: in these alone a seat can have spoken."""
    return {
        tag
        for tag, event in known.items()
        if any(str in (one.annotation, *get_args(one.annotation)) for one in event.model_fields.values())
    }


class SpokenLine(Frozen):
    """A line as a judge is told it."""

    number: int = Field(ge=1)
    """Counted from 1 over the whole game; silence has no number."""
    round: int = Field(ge=1)
    label: str = Field(pattern=r"^P[1-9][0-9]*$")
    """What the others called the seat that spoke."""
    text: str = Field(min_length=1, max_length=MOST_SIGNS)
    cut: bool = False
    """Whether more was said than stands here."""

    @property
    def seat(self) -> int:
        """The seat that spoke, counted from 0."""
        return int(self.label.removeprefix("P")) - 1


class Said(NamedTuple):
    """A line as it was said, whole."""

    number: int
    round: int
    seat: int
    text: str


def said_in(events: Iterable[Mapping[str, Any]]) -> Iterator[Said]:
    """Every line of a game from its recorded events, in the order in which they were said, without silence."""
    number = 0
    for event in events:
        if event.get("event") == MESSAGE and event["text"].strip():
            number += 1
            yield Said(number, event["round"], event["seat"], event["text"])


def lines_of(events: Iterable[Mapping[str, Any]]) -> tuple[SpokenLine, ...]:
    """The lines of a game as a judge is told them."""
    return tuple(
        SpokenLine(
            number=said.number,
            round=said.round,
            label=Seat(said.seat).label,
            text=said.text[:MOST_SIGNS],
            cut=len(said.text) > MOST_SIGNS,
        )
        for said in said_in(events)
    )


def portions(lines: Sequence[SpokenLine], most_lines: int, most_words: int) -> list[tuple[SpokenLine, ...]]:
    """The lines in portions that can be read at once: so many lines, and so many words unless one line alone has
    more."""
    made: list[tuple[SpokenLine, ...]] = []
    portion: list[SpokenLine] = []
    words = 0
    for line in lines:
        length = len(line.text.split())
        if portion and (len(portion) == most_lines or words + length > most_words):
            made.append(tuple(portion))
            portion, words = [], 0
        portion.append(line)
        words += length
    return [*made, tuple(portion)] if portion else made


def in_order(lines: tuple[SpokenLine, ...]) -> tuple[SpokenLine, ...]:
    """The lines, if their numbers tell them apart."""
    for place, line in enumerate(lines, start=1):
        if line.number != place:
            raise ValueError(f"line {place} has the number {line.number}; lines must be numbered from 1")
    return lines


SpokenLines: TypeAlias = Annotated[tuple[SpokenLine, ...], Field(max_length=MOST_LINES), AfterValidator(in_order)]
"""What a judge's rules hold."""
