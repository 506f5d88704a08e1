"""Questions and answers: what a game yields, and what it is handed back."""

from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from ostrom.table.calls import Fault
from ostrom.table.seats import Seat
from ostrom.table.specs import Spec, Value


class Provenance(StrEnum):
    """Where an answer comes from. Nothing is defaulted silently: a table can always be shown without those."""

    ANSWERED = "answered"
    """The player's own first answer."""
    REPAIRED = "repaired"
    """The player's own answer, after at least one reply that was refused."""
    DEFAULTED = "defaulted"
    """The game's declared fallback: the player gave no legal answer."""
    REPLAYED = "replayed"
    """Read from a record of ours."""
    IMPORTED = "imported"
    """Read from somebody else's log."""


@dataclass(frozen=True, slots=True)
class Question:
    """One question to one seat; all questions of one moment are asked at once."""

    seat: Seat
    phase: str
    """What is being asked, in the game's own words: 'move', 'contribution', 'punishment'."""
    turn: int
    """The turn or round, counted from 1. Seat, phase and turn together name a question within its game."""
    spec: Spec
    """What a legal answer looks like."""
    view: Any
    """What this seat may know, in the game's own type."""
    fallback: Value = None
    """The declared default for a seat that gives no legal answer; used only where an experiment allows it."""

    def recorded(self, value: object, provenance: Provenance) -> Value:
        """A recorded value in the type of the specification. A defaulted one may also be the declared fallback, which
        need not be an answer that anybody may give: where nothing may be put in a subject's mouth it is `None`."""
        if provenance is Provenance.DEFAULTED and value == self.fallback:
            return self.fallback
        return self.spec.validate(value)

    @property
    def key(self) -> tuple[int, str, int]:
        """Its name within the game: turn, phase and seat."""
        return self.turn, self.phase, self.seat.index


@dataclass(frozen=True, slots=True)
class Answer:
    """A legal answer and where it comes from."""

    value: Any
    provenance: Provenance = Provenance.ANSWERED
    cut: bool = False
    """Whether it is a text that was longer than the rules allow; the whole of it stands in the call's reply."""
    fault: Fault | None = None
    """Why a defaulted answer is one, where that is known."""
