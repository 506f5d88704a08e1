"""The book of a continuous double auction: the standing quotes of a round, and the trades that new quotes make."""

from collections.abc import Sequence
from typing import NamedTuple


class OpenBook(NamedTuple):
    """The book as the seat that is asked sees it."""

    call: int
    """How many times the seats of this round have been asked, this one included."""
    bid: float | None
    """The standing bid, None if there is none."""
    ask: float | None


class BookStep(NamedTuple):
    """A quote in a continuous round, as far as all seats know it."""

    seat: int | None
    """The seat that quoted, None if only prices are disclosed."""
    quote: float | None
    bid: float | None
    """The standing bid after the quote."""
    ask: float | None
    partner: int | None = None
    """The seat with which it traded."""
    price: float | None = None


class Book:
    """The standing quotes of a round. A quote stands if it is better than all others of its side."""

    def __init__(self, roles: Sequence[str], keeps: bool) -> None:
        self._roles, self._keeps = roles, keeps
        self._standing: dict[int, float] = {}

    @property
    def bid(self) -> float | None:
        """The highest standing bid."""
        best = self._best("buyer")
        return None if best is None else self._standing[best]

    @property
    def ask(self) -> float | None:
        """The lowest standing ask."""
        best = self._best("seller")
        return None if best is None else self._standing[best]

    def _best(self, role: str) -> int | None:
        sign = 1 if role == "buyer" else -1
        seats = [seat for seat in self._standing if self._roles[seat] == role]
        return max(seats, key=lambda seat: sign * self._standing[seat], default=None)

    def place(self, seat: int, quote: float) -> tuple[int, float] | None:
        """Add a quote to the book. If it meets the standing quote of the other side, return the seat of that quote and
        its price, at which both trade. A quote that is no better than the standing one of its side has no effect."""
        role = self._roles[seat]
        sign, opposite = (1, "seller") if role == "buyer" else (-1, "buyer")
        partner = self._best(opposite)
        if partner is not None and sign * (quote - self._standing[partner]) >= 0:
            price = self._standing.pop(partner)
            self._standing.pop(seat, None)
            if not self._keeps:
                self._standing.clear()
            return partner, price
        best = self._best(role)
        if best is None or sign * (quote - self._standing[best]) > 0:
            self._standing[seat] = quote
        return None
