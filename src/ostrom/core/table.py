"""The table of a game, and the type of a game: a generator that yields questions and receives answers.

A game does no I/O: it reads no clock, opens no file and has no access to players. `Driver` advances the generator step
by step and does no I/O either; its caller supplies the answers."""

from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import islice
from typing import Any, TypeAlias, TypeVar, overload

from ostrom.core.chance import Chance
from ostrom.core.events import Event
from ostrom.core.questions import Answer, Question, Seat
from ostrom.core.specs import Fields, Spec, Value

Step: TypeAlias = list[Question]
"""Questions that are asked simultaneously: no seat sees another's answer before all seats have answered."""

Play: TypeAlias = Generator[Step, list[Answer], None]
"""A running game: it yields a step, receives its answers in the same order, and returns at the end."""


@dataclass(frozen=True, slots=True)
class Table:
    """The seats of a game, its random draws, and the events so far."""

    seats: tuple[Seat, ...]
    chance: Chance
    events: list[Event] = field(default_factory=list)

    def ask(self, seat: Seat, phase: str, turn: int, spec: Spec, view: Any, *, fallback: Value = None) -> Question:
        """Return a question to a seat, for the game to yield. The fallback may leave out fields that are not asked."""
        if isinstance(spec, Fields) and isinstance(fallback, Mapping):
            fallback = spec.completed(fallback)
        return Question(seat=seat, phase=phase, turn=turn, spec=spec, view=view, fallback=fallback)

    def record(self, event: Event) -> None:
        """Add an event."""
        self.events.append(event)


class Driver:
    """A running game, advanced one step at a time."""

    __slots__ = ("_play", "asked", "step")

    def __init__(self, play: Play) -> None:
        self._play = play
        self.asked = 0
        """The number of questions in all earlier steps, which have been answered."""
        self.step: Step | None = next(play, None)
        """The open questions; None after the end of the game."""

    def advance(self, answers: list[Answer]) -> None:
        """Pass the answers to the open questions, in the same order, and advance to the next step."""
        assert self.step is not None, "the game is over"
        self.asked += len(self.step)
        try:
            self.step = self._play.send(answers)
        except StopIteration:
            self.step = None

    def play_on(self, answer: Callable[[Question], Answer]) -> None:
        """Play to the end with players that answer immediately."""
        while self.step is not None:
            self.advance([answer(question) for question in self.step])

    def close(self) -> None:
        """Stop the game."""
        self._play.close()


Entry = TypeVar("Entry")


class Past(Sequence[Entry]):
    """An immutable view of the present content of a list. The view does not change when entries are added to the list.
    It can be read, compared and added like a tuple, and it copies no entries."""

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

    def __add__(self, other: "Past[Entry] | tuple[Entry, ...]") -> tuple[Entry, ...]:
        return tuple(self) + tuple(other)

    def __radd__(self, other: tuple[Entry, ...]) -> tuple[Entry, ...]:
        return other + tuple(self)

    def __repr__(self) -> str:
        return repr(tuple(self))

    def __reduce__(self) -> tuple[Any, ...]:
        # A copy must not share later additions to the list.
        return Past, (list(self),)
