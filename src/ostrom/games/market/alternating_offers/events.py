"""The events of alternating offers. Lists are indexed by seat."""

from collections.abc import Sequence
from typing import Annotated, Literal, TypeAlias

from ostrom.core import Event, EventRegistry
from ostrom.core.game import Figure, Figures
from ostrom.core.secrecy import PerSeat
from ostrom.games.market.alternating_offers.rules import ROLES, AlternatingOffersRules

EVENTS = EventRegistry()

Ending: TypeAlias = Literal["agreement", "quit", "breakdown", "rounds"]
"""The reason for the end: an agreement, a seat that quit, a breakdown by chance, or the last round."""


@EVENTS.register
class OutsideOptionsDealt(Event, tag="options_dealt"):
    """Each seat learns its private outside option."""

    outside: Annotated[list[float], PerSeat()]


@EVENTS.register
class OfferMessageSaid(Event, tag="message_said"):
    """The proposer wrote a message before its offer. A proposer that says nothing has no such event."""

    round: int
    seat: int
    text: str


@EVENTS.register
class PartOffered(Event, tag="offered"):
    """A seat offered a part of the pie to the other."""

    round: int
    seat: int
    """The seat that proposes."""
    offer: float
    """The amount for the other seat."""


@EVENTS.register
class OfferAnswered(Event, tag="answered"):
    """A seat answered the offer of the round."""

    round: int
    seat: int
    response: Literal["accept", "reject", "quit"]


@EVENTS.register
class BargainEnded(Event, tag="bargain_ended"):
    """Bargaining is over, and private outside options become public."""

    round: int
    ending: Ending
    outside: list[float]
    parts: list[float]
    """The amount that each seat gets: its part of the pie, or without agreement its outside option."""
    payoffs: list[float]
    """The same amounts, discounted once for every round but the first."""


def finals(events: Sequence[Event]) -> list[float | None]:
    """Return the discounted amount of each seat."""
    end = events[-1]
    assert isinstance(end, BargainEnded)
    return [*end.payoffs]


def figures(rules: AlternatingOffersRules, events: Sequence[Event]) -> Figures:
    """Return the role of each seat and the amount that it gets before it is discounted."""
    end = events[-1]
    assert isinstance(end, BargainEnded)
    return Figures(
        [Figure("role", "role", ROLES), Figure("part", "part", end.parts, "{:,.6g}".format)],
        f"{_ENDINGS[end.ending]} in round {end.round}",
    )


_ENDINGS = {
    "agreement": "agreement",
    "quit": "no agreement: a seat quit",
    "breakdown": "no agreement: bargaining broke down",
    "rounds": "no agreement: the last round was over",
}
