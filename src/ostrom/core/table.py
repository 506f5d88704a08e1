"""The table a game is played at, and the shape of a game: a generator that yields questions and receives answers.

A game does no I/O. It reads no clock, opens no file and knows no player; a driver feeds it."""

from collections.abc import Callable, Generator, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import islice
from typing import Any, TypeAlias, TypeVar, overload

from ostrom.core.chance import Chance
from ostrom.core.events import Event
from ostrom.core.questions import Answer, Question
from ostrom.core.seats import Seat
from ostrom.core.specs import Spec, Value

Moment: TypeAlias = list[Question]
"""Questions that are asked at once: nobody sees another's answer before all are in."""

Play: TypeAlias = Generator[Moment, list[Answer], None]
"""A game under way: yields a moment, is sent its answers in the same order, and returns when it is over."""


def drive(flow: Play, answer: Callable[[Moment], list[Answer]]) -> None:
    """Play a game to its end, with what `answer` makes of each moment's questions."""
    try:
        moment = next(flow)
        while True:
            moment = flow.send(answer(moment))
    except StopIteration:
        pass


@dataclass(frozen=True, slots=True)
class Table:
    """Seats, chance, and the events recorded so far."""

    seats: tuple[Seat, ...]
    chance: Chance
    events: list[Event] = field(default_factory=list)

    def ask(self, seat: Seat, phase: str, turn: int, spec: Spec, view: Any, *, fallback: Value = None) -> Question:
        """Put a question to a seat; the game yields it."""
        return Question(seat=seat, phase=phase, turn=turn, spec=spec, view=view, fallback=fallback)

    def record(self, event: Event) -> None:
        """Add what has happened; an event is never taken back."""
        self.events.append(event)


Entry = TypeVar("Entry")


class Past(Sequence[Entry]):
    """What a list holds now, whatever is added to it later. It reads, compares and adds up like the tuple of these
    entries, and takes the room of two words."""

    __slots__ = ("_entries", "_length")

    def __init__(self, entries: list[Entry]) -> None:
        self._entries = entries
        self._length = len(entries)

    def __len__(self) -> int:
        return self._length

    @overload
    def __getitem__(self, index: int) -> Entry: ...
    @overload
    def __getitem__(self, index: slice) -> tuple[Entry, ...]: ...
    def __getitem__(self, index: int | slice) -> Entry | tuple[Entry, ...]:
        places = range(self._length)[index]
        if isinstance(places, int):
            return self._entries[places]
        return tuple(map(self._entries.__getitem__, places))

    def __iter__(self) -> Iterator[Entry]:
        return islice(self._entries, self._length)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Past | tuple):
            return NotImplemented
        return len(self) == len(other) and tuple(self) == tuple(other)

    def __hash__(self) -> int:
        return hash(tuple(self))

    def __add__(self, more: "Past[Entry] | tuple[Entry, ...]") -> tuple[Entry, ...]:
        return tuple(self) + tuple(more)

    def __radd__(self, before: tuple[Entry, ...]) -> tuple[Entry, ...]:
        return before + tuple(self)

    def __repr__(self) -> str:
        return repr(tuple(self))

    def __reduce__(self) -> tuple[Any, ...]:
        # Of the list only what was there then: a copy knows no more than the view that it is a copy of.
        return Past, (list(self),)
