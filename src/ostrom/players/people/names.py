"""What people are called: in lists of players, in results, and by who keeps limits."""

from typing import Final

from ostrom.core import Seat

HUMAN: Final = "human"
"""What people are called, in lists of players and in results."""
INSTEAD: Final = "people sit down at one game with: ostrom run GAME --include human"
"""What to say where they cannot."""


def endpoint_of(seat: Seat) -> str:
    """What the arena and the journal call the person at a seat: a name for each, so that nobody waits for another."""
    return f"{HUMAN} {seat.label}"


def is_person(endpoint: str) -> bool:
    """Whether calls under this name went to a person; a model's name is one word."""
    return endpoint.startswith(f"{HUMAN} ")
