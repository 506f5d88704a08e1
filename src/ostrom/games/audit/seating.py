"""The same situation with everybody at another seat: the game is played again with its draws and its answers moved, so
that the rules themselves say what each seat then knows."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from ostrom.core import Chance, Seat

SEAT_FIELDS = ("target", "vote")
"""The fields of answers that name a seat."""


@dataclass(frozen=True, slots=True)
class MovedChance:
    """The draws of a game whose players have changed seats: everybody keeps the turn that was drawn for them."""

    chance: Chance
    seating: tuple[int, ...]
    """Where each seat has gone."""

    def uniform(self, purpose: str, turn: int, seat: int = 0, draw: int = 0) -> float:
        """The number that was drawn. It stays where it was: what games draw so is the table's, such as the end of the
        game, and no seat's."""
        return self.chance.uniform(purpose, turn, seat, draw)

    def order(self, seats: Iterable[Seat], purpose: str, turn: int) -> list[Seat]:
        """The order that was drawn, of those who sit here now."""
        there = set(seats)
        before = [Seat(index) for index, now in enumerate(self.seating) if Seat(now) in there]
        return [Seat(self.seating[seat.index]) for seat in self.chance.order(before, purpose, turn)]


def moved(value: Any, seating: Sequence[int]) -> Any:
    """An answer as it reads when everybody has changed seats: the seats that it names are those of now."""
    if not isinstance(value, Mapping):
        return value
    return {
        name: seating[part] if name in SEAT_FIELDS and isinstance(part, int) else part for name, part in value.items()
    }


def inverse(seating: Sequence[int]) -> tuple[int, ...]:
    """Who of the situation sits at each seat."""
    return tuple(sorted(range(len(seating)), key=lambda index: seating[index]))
