"""The events of Offers, in the order in which a game brings them. Lists are indexed by seat; amounts are in points."""

from typing import Annotated

from ostrom.core import Event, EventRegistry
from ostrom.core.secrecy import PerSeat

EVENTS = EventRegistry()


@EVENTS.register
class PatienceDrawn(Event, tag="patience_drawn"):
    """Each seat learns its own patience."""

    patience: Annotated[list[float], PerSeat()]
    """Secret from the other seat and from the public until the game is over."""


@EVENTS.register
class Offered(Event, tag="offered"):
    """A seat offered a part of the pie to the other."""

    round: int
    seat: int
    """The seat that proposes."""
    offer: float
    """What the other seat would get."""


@EVENTS.register
class Rejected(Event, tag="rejected"):
    """A seat rejected the offer."""

    round: int
    seat: int


@EVENTS.register
class Accepted(Event, tag="accepted"):
    """A seat accepted the offer."""

    round: int
    seat: int
    parts: list[float]
    """What each seat gets of the pie, before it is discounted."""


@EVENTS.register
class GameEnded(Event, tag="game_ended"):
    """The seats agreed, or the last round is over."""

    round: int
    values: list[float]
    """What its part of the pie is worth to each seat, discounted by its patience once for every round but the first."""
