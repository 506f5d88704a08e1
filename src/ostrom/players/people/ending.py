"""How a game ended, as a person at one of its seats is told."""

from dataclasses import dataclass
from typing import Literal


@dataclass(frozen=True, slots=True)
class Standing:
    """How a seat ended."""

    seat: int
    label: str
    player: str
    final: float
    rank: float


@dataclass(frozen=True, slots=True)
class Result:
    """How a game ended."""

    unit: str
    standings: tuple[Standing, ...]
    """The best first."""
    story: tuple[str, ...]
    """What happened last, in words."""


@dataclass(frozen=True, slots=True)
class Ending:
    """What became of the game, as far as this host is concerned."""

    state: Literal["over", "void", "stopped"]
    reason: str | None = None
    result: Result | None = None
