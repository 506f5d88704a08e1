"""People as players. They get the same prompts and checks as models. A room has the seats of people in one game. Each
seat has a secret token, an open question and a result. A person takes a seat by its link, so people can play only in a
game whose host has created a room."""

import hashlib
import hmac
import secrets
import time
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, NamedTuple

from ostrom.core import Chance, InputError, Seat
from ostrom.players.people.seat import HUMAN, HumanSeat, SeatEnding

if TYPE_CHECKING:
    from ostrom.players.people.player import HumanPlayer

_TOKEN_BYTES: Final = 24
MAX_ID_LENGTH: Final = 40
PEOPLE_HINT: Final = (
    "seat a person in a single game with: ostrom run GAME --include human; a person is asked the battery with: "
    "ostrom bench battery --subject human"
)
"""The hint that is shown for games in which people cannot play."""


def digest_of(token: str) -> str:
    """Return the hash of a token. The token itself is never stored."""
    return hashlib.sha256(token.encode(errors="replace")).hexdigest()


class SeatMemory(NamedTuple):
    """The state of a seat when an earlier host of the game stopped."""

    digest: str
    opened: bool
    question: str | None
    left: float | None


class Room:
    """The seats of people in one game. If a seat has a `memory` of an earlier host, its link stays valid."""

    def __init__(
        self, places: Iterable[int], seconds: float, wait: float = 0.0, memory: Mapping[int, SeatMemory] | None = None
    ) -> None:
        self.seconds = seconds
        """The time limit of an answer, in seconds."""
        self.labels: tuple[str, ...] | None = None
        """The labels of all seats of the game."""
        self.seats: Mapping[int, HumanSeat] = {index: HumanSeat(index, seconds, wait) for index in places}
        for index, seat in self.seats.items():
            state = (memory or {}).get(index)
            if state is None:
                self.renew(index)
            else:
                seat.digest = state.digest
                # The version is later than any version of an earlier host.
                seat.restore(int(time.time() * 1000), state.opened, state.question, state.left)

    def renew(self, index: int) -> None:
        """Give a seat a new link. The old link becomes invalid."""
        token = secrets.token_urlsafe(_TOKEN_BYTES)
        self.seats[index].hand_out(token, digest_of(token))

    def begin(self) -> None:
        """Start to wait for people."""
        for seat in self.seats.values():
            seat.begin()

    def seat(self, token: str) -> HumanSeat | None:
        """Return the seat with this token, or None if there is none. Every digest is compared, in constant time."""
        digest, match = digest_of(token), None
        for seat in self.seats.values():
            if hmac.compare_digest(seat.digest, digest):
                match = seat
        return match

    def confirm(self, endpoint: str) -> None:
        """Record that the journal has stored the answer of the seat with this endpoint."""
        for seat in self.seats.values():
            if seat.endpoint == endpoint:
                seat.confirm()

    def withdraw(self) -> None:
        """Withdraw every open question, since the host stops."""
        for seat in self.seats.values():
            seat.withdraw()

    def end(self, ending: SeatEnding) -> None:
        """Tell every seat how the game ended."""
        for seat in self.seats.values():
            seat.end(ending)


@dataclass(frozen=True)
class HumanContestant:
    """A person who takes a seat by opening its link."""

    game: str
    """The game's name in records."""
    room: Room | None = None
    """The room of the game. It is None until the game has a host."""
    person: str = ""
    """An id by which games of the same person are recognised. It is not a name."""

    @property
    def name(self) -> str:
        """The name in results. All people without an id have the same name, since people are anonymous."""
        return f"{HUMAN}:{self.person}" if self.person else HUMAN

    def sit(self, seat: Seat, chance: Chance) -> "HumanPlayer":
        """Return a player for a seat of a new game. Raises `InputError` if the game has no host."""
        # This module is imported here because it imports the templates of prompts.
        from ostrom.players.people.player import HumanPlayer

        if self.room is None:
            raise InputError(PEOPLE_HINT)
        return HumanPlayer(self.room.seats[seat.index], self.game, chance)


def person_named(name: str) -> str | None:
    """Return the id of a person from a player's name: ID for 'human=ID', and an empty text for 'human'. Return None if
    the player is not a person. Raises `InputError` for an invalid id."""
    kind, _, person = name.partition("=")
    if kind != HUMAN:
        return None
    if person and not (len(person) <= MAX_ID_LENGTH and person.isprintable() and person.split() == [person]):
        raise InputError(f"{name!r}: the id of a person is one word of at most {MAX_ID_LENGTH} characters")
    return person
