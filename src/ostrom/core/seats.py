"""Seats: the places at a table. Games and records speak of seats; who sits there is the experiment's affair."""

from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True, order=True)
class Seat:
    """A place at the table, counted from 0 so that it indexes every per-seat sequence."""

    index: int

    @property
    def label(self) -> str:
        """The name under which the others know this seat."""
        return f"P{self.index + 1}"

    def __str__(self) -> str:
        return self.label


def seats(count: int) -> tuple[Seat, ...]:
    """The first `count` seats."""
    return tuple(Seat(index) for index in range(count))


def told_apart(names: Sequence[str]) -> list[str]:
    """What to call each seat: its player's name, with the seat's label where several players share a name."""
    return [f"{name} {Seat(index)}" if names.count(name) > 1 else name for index, name in enumerate(names)]
