"""A person who can be seated. Until a host has made a room for the game, nobody can sit down: a person needs a link."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

from ostrom.core import Chance, InputError, Seat
from ostrom.players.base import Contestant
from ostrom.players.people.names import HUMAN, INSTEAD
from ostrom.players.people.room import Room

if TYPE_CHECKING:
    from ostrom.players.people.player import HumanPlayer


@dataclass(frozen=True)
class HumanContestant:
    """Somebody who opens the link of a seat."""

    game: str
    """The game's name in records."""
    room: Room | None = None
    """Where the seats of the game are, once there is a host."""

    @property
    def name(self) -> str:
        """The same for everybody: nobody is known by name."""
        return HUMAN

    def sit(self, seat: Seat, chance: Chance) -> "HumanPlayer":
        """Take a seat in a new game."""
        # Only now: it brings the templates of what is told.
        from ostrom.players.people.player import HumanPlayer

        if self.room is None:
            raise InputError(INSTEAD)
        return HumanPlayer(self.room.seats[seat.index], self.game, chance)


def is_human(contestant: Contestant) -> bool:
    """Whether a contestant is a person."""
    return isinstance(contestant, HumanContestant)
