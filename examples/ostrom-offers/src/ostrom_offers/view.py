"""What a seat may know when it is asked: its own patience, and every offer."""

from dataclasses import dataclass

from ostrom.core.table import Past
from ostrom_offers.rules import OffersRules


@dataclass(frozen=True)
class OffersView:
    """The table as one seat sees it."""

    rules: OffersRules
    round: int
    """Counted from 1. Seat 0 proposes in odd rounds, seat 1 in even ones."""
    seat: int
    """The seat that is asked."""
    patience: float
    """The part of its value that a point keeps for this seat each round. The other seat does not know it."""
    offer: float | None
    """What the other seat offers to this one now; nothing where this seat proposes."""
    rejected: Past[float]
    """Every offer so far, each to the seat that rejected it."""
