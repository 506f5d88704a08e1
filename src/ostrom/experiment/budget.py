"""The budget: dollars and tokens that an experiment may use up. Every call reserves the most that it can come to before
it is sent, so that what is spent and what is reserved never pass the cap, however many calls are in flight."""

import math
from collections.abc import Iterable
from dataclasses import dataclass

from ostrom.core import GameChance, InputError, Seat
from ostrom.experiment.limits import Limits
from ostrom.players.base import Contestant, Endpoint, Request, is_remote

_UNIT = 10**12
"""Amounts are whole trillionths of a dollar, rounded up: thousands of additions and subtractions leave no error by
which a cap could be passed."""


@dataclass(frozen=True, slots=True)
class Spent:
    """What was used up."""

    dollars: float = 0.0
    tokens: int = 0


_NOTHING = Spent()


@dataclass(frozen=True, slots=True)
class Reservation:
    """What one call can at most come to."""

    dollars: float
    tokens: int


class Budget:
    """Counts what is spent and what is reserved."""

    def __init__(self, dollars: float | None, tokens: int | None, spent: Spent = _NOTHING) -> None:
        self._most_dollars = None if dollars is None else math.floor(dollars * _UNIT)
        self._most_tokens = tokens
        self._dollars, self._tokens = _units(spent.dollars), spent.tokens
        self._reserved_dollars = self._reserved_tokens = 0

    @property
    def spent(self) -> Spent:
        """What was used up so far, earlier runs included."""
        return Spent(self._dollars / _UNIT, self._tokens)

    @property
    def reserved(self) -> Spent:
        """What calls in flight can at most come to."""
        return Spent(self._reserved_dollars / _UNIT, self._reserved_tokens)

    def allows(self, endpoint: Endpoint) -> bool:
        """Whether calls to this endpoint can be counted."""
        return endpoint.priced or self._most_dollars is None

    def fits(self, request: Request) -> bool:
        """Whether a call can be made for certain within the budget."""
        if self._most_tokens is not None:
            tokens = request.most_input + request.most_output
            if self._tokens + self._reserved_tokens + tokens > self._most_tokens:
                return False
        if self._most_dollars is None:
            return True
        return self._dollars + self._reserved_dollars + _units(request.most_cost) <= self._most_dollars

    def reserve(self, request: Request) -> Reservation:
        """Set aside what a call can at most come to."""
        reservation = Reservation(request.most_cost, request.most_input + request.most_output)
        self._reserved_dollars += _units(reservation.dollars)
        self._reserved_tokens += reservation.tokens
        return reservation

    def settle(self, reservation: Reservation, spent: Spent) -> None:
        """Count what a call came to, in place of what was reserved for it."""
        self._reserved_dollars -= _units(reservation.dollars)
        self._reserved_tokens -= reservation.tokens
        self._dollars += _units(spent.dollars)
        self._tokens += spent.tokens


def check_prices(contestants: Iterable[Contestant], limits: Limits) -> None:
    """Refuse a budget in dollars for models of which nobody knows what they cost."""
    if limits.budget is None:
        return
    for contestant in contestants:
        # Only who sits says where its calls go; nobody plays with this seat.
        player = contestant.sit(Seat(0), GameChance(0))
        if is_remote(player) and not player.endpoint.priced:
            raise InputError(unpriced(player.endpoint))


def unpriced(endpoint: Endpoint) -> str:
    """What to tell a user whose budget cannot be kept."""
    return (
        f"no price is known for {endpoint.model}, so a budget in dollars cannot be kept; "
        "give its bot file a price, or use --token-budget"
    )


def _units(dollars: float) -> int:
    return math.ceil(dollars * _UNIT)
