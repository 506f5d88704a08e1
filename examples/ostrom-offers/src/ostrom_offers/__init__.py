"""Offers: two seats divide a pie by alternating offers (Ståhl 1972, Rubinstein 1982), each with a private patience."""

from ostrom.core.game import Game, Seats
from ostrom_offers.events import EVENTS
from ostrom_offers.play import finals, play
from ostrom_offers.rules import OffersRules
from ostrom_offers.view import OffersView

ROLES = ("first proposer", "second proposer")


def roles(seats: int) -> tuple[str, ...]:
    """The role of each seat."""
    return ROLES


OFFERS = Game(
    name="offers",
    title="Offers",
    summary="a pie, offers in turn, and a patience that the other does not know",
    clock="round",
    unit="points",
    seats=Seats(2, 2, usual=2),
    rules=OffersRules,
    view=OffersView,
    play=play,
    events=EVENTS,
    finals=finals,
    roles=roles,
    aim="payoff",
    api=2,
    players="ostrom_offers.strategies:STRATEGIES",
    step="ostrom_offers.step:STEP",
    scene="ostrom_offers.scene:PRESENTATION",
    measures="ostrom_offers.measures:MEASURES",
    version="1",
)

__all__ = ["OFFERS", "ROLES", "OffersRules", "OffersView"]
