"""Which players of a ranking can be told apart by the games they played.

Tiers are numbered from 1, down the ranking. The first player opens tier 1. Each next player is compared with the
*first* member of the tier that is open: if the 95 % interval of the first member's strength less the player's lies
above 0, the player opens the next tier; otherwise it joins. So nobody in a tier can be told apart from its first
member; two others of the same tier may differ, and the last of one tier may not differ from the first of the next. The
intervals are not widened for the number of comparisons made."""

from collections.abc import Sequence
from dataclasses import dataclass

from ostrom.analysis.ratings.order_free import OrderFree
from ostrom.core import InputError
from ostrom.core.estimates import Estimate


@dataclass(frozen=True, slots=True)
class Place:
    """One player's place in a ranking."""

    name: str
    tier: int
    strength: Estimate
    """Its order-free strength."""
    lead: Estimate | None
    """By how much it is stronger than the next in the ranking; the last has none."""
    differs: bool
    """Whether it is significantly stronger than the next."""


def tiers(rating: OrderFree, ranking: Sequence[str] | None = None) -> list[Place]:
    """The places of a ranking, the best first: by order-free strength, or of the names as they are given, such as in
    the order of another rating. Strengths and differences are order-free either way."""
    index = {name: i for i, name in enumerate(rating.names)}
    if ranking is None:
        ranking = sorted(rating.names, key=lambda name: (-rating.theta[index[name]], name))
    elif sorted(ranking) != sorted(rating.names):
        raise InputError("the ranking must name every rated player once")
    order = [index[name] for name in ranking]
    places: list[Place] = []
    first, tier = order[0], 1
    for place, player in enumerate(order):
        if significant(rating.difference(first, player)):
            first, tier = player, tier + 1
        lead = rating.difference(player, order[place + 1]) if place + 1 < len(order) else None
        differs = lead is not None and significant(lead)
        places.append(Place(rating.names[player], tier, rating.strengths[player], lead, differs))
    return places


def significant(difference: Estimate) -> bool:
    """Whether a difference is above 0 with its whole interval; one without an interval is not."""
    return difference.low is not None and difference.low > 0
