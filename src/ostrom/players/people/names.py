"""What people are called, in lists of players, in results and by who keeps limits; and how a game ended for them."""

from dataclasses import dataclass
from typing import Final, Literal

from ostrom.core import Seat
from ostrom.core.scene import Quantity

HUMAN: Final = "human"
"""What people are called, in lists of players and in results."""
INSTEAD: Final = "people sit down at one game with: ostrom run GAME --include human"
"""What to say where they cannot."""


def endpoint_of(seat: Seat) -> str:
    """What limits and the journal call the person at a seat: a name for each, so that nobody waits for another."""
    return f"{HUMAN} {seat.label}"


def is_person(endpoint: str) -> bool:
    """Whether calls under this name went to a person; a model's name is one word."""
    return endpoint.startswith(f"{HUMAN} ")


@dataclass(frozen=True, slots=True)
class Standing:
    """How a seat ended."""

    seat: int
    label: str
    player: str
    final: float
    rank: float


@dataclass(frozen=True, slots=True)
class Column:
    """A quantity beside the final one, as the seats ended with it."""

    title: str
    quantity: Quantity
    values: tuple[float | None, ...]
    """By seat."""


@dataclass(frozen=True, slots=True)
class Result:
    """How a game ended."""

    unit: str
    standings: tuple[Standing, ...]
    """The best first."""
    columns: tuple[Column, ...]
    """What else the game shows of its standings."""
    story: tuple[str, ...]
    """What happened last, a sentence each."""


@dataclass(frozen=True, slots=True)
class Ending:
    """What became of the game, as far as this host is concerned."""

    state: Literal["over", "void", "stopped"]
    reason: str | None = None
    result: Result | None = None
