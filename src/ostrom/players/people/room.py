"""The room: the seats of people in one game, each with its secret token, its question and its result. Until a host has
made a room for the game, no person can sit down: a person needs a link."""

import hashlib
import hmac
import secrets
import time
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, NamedTuple

from ostrom.core import Chance, InputError, Seat
from ostrom.players.people.seat import HUMAN, INSTEAD, HumanSeat, SeatEnding

if TYPE_CHECKING:
    from ostrom.players.people.player import HumanPlayer


_TOKEN_BYTES: Final = 24


def digest_of(token: str) -> str:
    """What a token is known by: it is written nowhere itself."""
    return hashlib.sha256(token.encode(errors="replace")).hexdigest()


class SeatMemory(NamedTuple):
    """What is known of a seat from an earlier host."""

    digest: str
    opened: bool
    question: str | None
    left: float | None


class Room:
    """The seats of people in one game; those of which there is a memory are opened by the links that people have."""

    def __init__(
        self,
        places: Iterable[int],
        seconds: float,
        wait: float = 0.0,
        memory: Mapping[int, SeatMemory] | None = None,
    ) -> None:
        self.seconds = seconds
        """How long a person may take for one answer."""
        self.labels: tuple[str, ...] | None = None
        """What all seats of the game are called, people's or not."""
        self.seats: Mapping[int, HumanSeat] = {index: HumanSeat(index, seconds, wait) for index in places}
        """By index."""
        for index, seat in self.seats.items():
            known = (memory or {}).get(index)
            if known is None:
                self.renew(index)
            else:
                seat.digest = known.digest
                # Later than any version that a page has seen of an earlier host.
                seat.restore(int(time.time() * 1000), known.opened, known.question, known.left)

    def renew(self, index: int) -> None:
        """Give a seat a new link; the one that it had opens nothing any more."""
        token = secrets.token_urlsafe(_TOKEN_BYTES)
        self.seats[index].hand_out(token, digest_of(token))

    def begin(self) -> None:
        """From now on people are waited for."""
        for seat in self.seats.values():
            seat.begin()

    def seat(self, token: str) -> HumanSeat | None:
        """The seat with this token. Every digest is compared, in a time that tells nothing."""
        given, found = digest_of(token), None
        for seat in self.seats.values():
            if hmac.compare_digest(seat.digest, given):
                found = seat
        return found

    def confirm(self, endpoint: str) -> None:
        """The answer of the seat whose endpoint has this name is in the journal."""
        for seat in self.seats.values():
            if seat.endpoint == endpoint:
                seat.confirm()

    def withdraw(self) -> None:
        """Take back every question that is open: the host stops."""
        for seat in self.seats.values():
            seat.withdraw()

    def end(self, how: SeatEnding) -> None:
        """Tell every seat how the game ended."""
        for seat in self.seats.values():
            seat.end(how)


@dataclass(frozen=True)
class HumanContestant:
    """Somebody who opens the link of a seat."""

    game: str
    """The game's name in records."""
    room: Room | None = None
    """Where the seats of the game are, once there is a host."""
    person: str = ""
    """Who it is, where several games of one person belong together: an id, not a name."""

    @property
    def name(self) -> str:
        """The same for everybody, unless there is an id: nobody is known by name."""
        return f"{HUMAN}:{self.person}" if self.person else HUMAN

    def sit(self, seat: Seat, chance: Chance) -> "HumanPlayer":
        """Take a seat in a new game."""
        # Only now: it brings the templates of what is told.
        from ostrom.players.people.player import HumanPlayer

        if self.room is None:
            raise InputError(INSTEAD)
        return HumanPlayer(self.room.seats[seat.index], self.game, chance)
