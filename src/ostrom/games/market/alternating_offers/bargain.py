"""The arithmetic of alternating offers: pure array functions over any number of games. Arrays of a table have the shape
(2, games), all others (games,)."""

from typing import Any, Final, NamedTuple

from ostrom.core.arrays import Array, namespace
from ostrom.games.market.alternating_offers.rules import AlternatingOffersRules

OUTSIDE: Final = "outside"
"""The purpose of the random draws of private outside options."""
BREAKDOWN: Final = "breakdown"
"""The purpose of the random draws that end bargaining after a rejection."""
REJECTS, ACCEPTS, QUITS = 0, 1, 2
"""The responses, as numbers."""
NO_OFFER: Final = -1.0
"""The entry of a seat that has not made an offer yet."""


class Bargain(NamedTuple):
    """The state of a batch of games."""

    outside: Array
    """(2, games) The outside option of each seat."""
    worth: Array
    """(2, games) The part of its worth that an amount has for each seat in this round."""
    proposer: Array
    """(games,) The seat that proposes in this round."""
    offers: Array
    """(2, games) The last offer of each seat: the amount for the other seat."""
    before: Array
    """(2, games) The offer of each seat before its last one."""
    open: Array
    """(games,) True as long as the seats bargain."""
    agreed: Array
    """(games,) True after an agreement."""
    parts: Array
    """(2, games) The amount of each seat at the end; 0 before it."""
    payoffs: Array
    """(2, games) The same amounts, discounted."""

    @property
    def offer(self) -> Array:
        """(games,) The last offer of this round's proposer."""
        return namespace(self.offers).where(self.proposer == 0, self.offers[0], self.offers[1])


def drawn_outside(draw: Any, largest: Any, tick: int) -> Any:
    """Return the private outside option for a random number in [0, 1)."""
    return draw * largest if tick == 0 else (draw * (largest + 1)) // 1.0


def opening(outside: Array) -> Bargain:
    """Return the state before the first round."""
    xp = namespace(outside)
    nothing, zeros = xp.zeros_like(outside), xp.zeros_like(outside[0])
    none = nothing + NO_OFFER
    going, over = zeros == 0.0, zeros > 0.0
    return Bargain(outside, nothing + 1.0, zeros, none, none, going, over, nothing, nothing)


def propose(state: Bargain, amounts: Array) -> Bargain:
    """Return the state after an offer. `amounts` (2, games) has the offer of each seat; only the proposer's counts."""
    xp = namespace(amounts)
    seat = xp.stack([state.proposer * 0.0, state.proposer * 0.0 + 1.0])
    moves = state.open & (seat == state.proposer)
    return state._replace(
        offers=xp.where(moves, amounts, state.offers), before=xp.where(moves, state.offers, state.before)
    )


def settle(state: Bargain, response: Array, last: Any, broken: Any, rules: AlternatingOffersRules) -> Bargain:
    """Return the state after the response (games,) to the offer. `last` is true in the last round, and `broken` where
    a rejection ends the bargain."""
    xp, offer = namespace(state.outside), state.offer
    agrees = state.open & (response == ACCEPTS)
    ends = state.open & ~agrees & ((response == QUITS) | broken | last)
    goes_on = state.open & ~agrees & ~ends
    first, rest = state.proposer == 0, rules.pie - offer
    division = xp.stack([xp.where(first, rest, offer), xp.where(first, offer, rest)])
    parts = xp.where(agrees, division, xp.where(ends, state.outside, state.parts))
    later = xp.stack([state.worth[seat] * delta for seat, delta in enumerate(rules.deltas)])
    return state._replace(
        worth=xp.where(goes_on, later, state.worth),
        proposer=xp.where(goes_on, 1.0 - state.proposer, state.proposer),
        open=goes_on,
        agreed=state.agreed | agrees,
        parts=parts,
        payoffs=parts * state.worth,
    )
