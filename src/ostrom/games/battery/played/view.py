"""What a seat sees in a played game of the battery: the same as in a stated item, so that whoever answers items can
play."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any

from ostrom.core import Chance, Seat

ORDER = "options"
"""The purpose of the draw that decides which option is shown first."""
LABELS = "labels"
"""The purpose of the draw that decides which option is called A."""


@dataclass(frozen=True, slots=True)
class PlayedView:
    """One seat's question. It names no game, and knows of the others only what the rules let it know."""

    task: str
    """'dictator', 'ultimatum', …"""
    role: str
    """What the seat is: 'giver', 'proposer', 'responder', …"""
    seat: int
    facts: Any
    """The numbers of the question: of the same class as in the task's items."""
    options: tuple[str, ...] = ()
    """What can be chosen, in the order shown, by what it means; empty where a number is asked."""
    labels: tuple[str, ...] = ()
    """Under which label ('A', 'B') each of `options` is shown."""

    def label_of(self, option: str) -> str:
        """Under which label an option is shown."""
        return self.labels[self.options.index(option)]

    def as_record(self) -> Mapping[str, Any]:
        """The view as plain data, for those who read rather than compute."""
        return {
            "task": self.task,
            "role": self.role,
            "seat": self.seat,
            "facts": asdict(self.facts),
            "options": dict(zip(self.labels, self.options, strict=True)),
        }


def choosing(
    task: str, role: str, seat: Seat, facts: Any, options: tuple[str, str], chance: Chance, turn: int
) -> PlayedView:
    """The view of a seat that chooses between two options. Which is shown first and which is called A is drawn for
    every question, independently of each other, so that neither place nor letter stands for a meaning."""
    if chance.uniform(ORDER, turn, seat.index) < 0.5:
        options = (options[1], options[0])
    labels = ("A", "B") if chance.uniform(LABELS, turn, seat.index) < 0.5 else ("B", "A")
    return PlayedView(task, role, seat.index, facts, options, labels)
