"""The table a game is played at, and the shape of a game: a generator that yields questions and receives answers.

A game does no I/O. It reads no clock, opens no file and knows no player. `Driver` takes its generator from step to step
and does no I/O either: whoever holds it finds the answers, at once or by waiting for them."""

from collections.abc import Callable, Generator, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import islice
from typing import Any, TypeAlias, TypeVar, overload

from ostrom.core.chance import Chance
from ostrom.core.events import Event
from ostrom.core.questions import Answer, Question, Seat
from ostrom.core.specs import Spec, Value

Step: TypeAlias = list[Question]
"""Questions that are asked at once: nobody sees another's answer before all are in."""

Play: TypeAlias = Generator[Step, list[Answer], None]
"""A game under way: yields a step, is sent its answers in the same order, and returns when it is over."""


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


class Driver:
    """A game under way, one step at a time."""

    __slots__ = ("_play", "asked", "step")

    def __init__(self, play: Play) -> None:
        self._play = play
        self.asked = 0
        """How many questions were answered before the open ones."""
        self.step: Step | None = next(play, None)
        """The open questions; None when the game is over."""

    def advance(self, answers: list[Answer]) -> None:
        """Answer the open questions, in their order."""
        assert self.step is not None, "the game is over"
        self.asked += len(self.step)
        try:
            self.step = self._play.send(answers)
        except StopIteration:
            self.step = None

    def play_on(self, answer: Callable[[Question], Answer]) -> None:
        """Play to the end with players that answer at once."""
        while self.step is not None:
            self.advance([answer(question) for question in self.step])

    def close(self) -> None:
        """Leave the game where it is."""
        self._play.close()


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
