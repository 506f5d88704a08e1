"""The table a game is played at, and the shape of a game: a generator that yields questions and receives answers.

A game does no I/O. It reads no clock, opens no file and knows no player; a driver feeds it.
"""

from collections.abc import Generator
from dataclasses import dataclass, field
from typing import Any, TypeAlias

from ostrom.table.answers import Answer, Question
from ostrom.table.chance import Chance
from ostrom.table.events import Event
from ostrom.table.seats import Seat
from ostrom.table.specs import Spec, Value

Moment: TypeAlias = list[Question]
"""Questions that are asked at once: nobody sees another's answer before all are in."""

Play: TypeAlias = Generator[Moment, list[Answer], None]
"""A game under way: yields a moment, is sent its answers in the same order, and returns when it is over."""


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
