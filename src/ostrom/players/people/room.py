"""The room: the seats of people in one game, each with its secret token, its question and its result. A seat holds
nothing of another one. To be used within one event loop."""

import hmac
import secrets
from collections.abc import Iterable, Mapping
from typing import Final

from ostrom.players.people.ending import Ending
from ostrom.players.people.seat import HumanSeat

_TOKEN_BYTES: Final = 24


class Room:
    """The seats of people in one game."""

    def __init__(self, places: Iterable[int], seconds: float, wait: float = 0.0) -> None:
        self.seconds = seconds
        """How long a person may take for one answer."""
        self.labels: tuple[str, ...] | None = None
        """What all seats of the game are called, people's or not."""
        self.seats: Mapping[int, HumanSeat] = {
            index: HumanSeat(index, secrets.token_urlsafe(_TOKEN_BYTES), seconds, wait) for index in places
        }
        """By index."""

    def begin(self) -> None:
        """From now on people are waited for."""
        for seat in self.seats.values():
            seat.begin()

    def seat(self, token: str) -> HumanSeat | None:
        """The seat with this token. Every token is compared, in a time that tells nothing."""
        given, found = token.encode(errors="replace"), None
        for seat in self.seats.values():
            if hmac.compare_digest(seat.token.encode(), given):
                found = seat
        return found

    def kept(self, endpoint: str) -> None:
        """The answer of the seat whose endpoint has this name is in the journal."""
        for seat in self.seats.values():
            if seat.endpoint == endpoint:
                seat.kept()

    def withdraw(self) -> None:
        """Take back every question that is open: the host stops."""
        for seat in self.seats.values():
            seat.withdraw()

    def end(self, how: Ending) -> None:
        """Tell every seat how the game ended."""
        for seat in self.seats.values():
            seat.end(how)
