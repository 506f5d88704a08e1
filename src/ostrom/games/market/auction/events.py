"""The events of an auction. Lists are indexed by seat."""

from collections.abc import Sequence
from typing import Annotated

from ostrom.core import Event, EventRegistry
from ostrom.core.game import Figure, Figures
from ostrom.core.secrecy import PerSeat, PrivateTo
from ostrom.games.market.auction.rules import AuctionRules
from ostrom.games.market.auction.sale import mean_equilibrium_revenue
from ostrom.games.market.talk import MarketMessageSaid

EVENTS = EventRegistry()
EVENTS.register(MarketMessageSaid)


@EVENTS.register
class BidderValuesDealt(Event, tag="bidder_values_dealt"):
    """Each bidder learns its private value. It is for one round, or for all rounds if values are fixed."""

    round: int
    values: Annotated[list[float], PerSeat()]


@EVENTS.register
class AuctionHeld(Event, tag="auction_held"):
    """All bidders bid, and the units of the round are sold."""

    round: int
    readers: list[int | None]
    """The seats that learn the bids and the winners before the end of the game. None is the public."""
    bids: Annotated[list[float | None], PrivateTo("readers")]
    """The bids. A bidder that did not bid, or bid less than the reserve price, has None."""
    winners: Annotated[list[int], PrivateTo("readers")]
    """The seats that get a unit, the highest bid first."""
    price: float | None
    """The price that a winner pays, or None if nothing is sold."""
    payments: Annotated[list[float], PerSeat()]
    gains: Annotated[list[float], PerSeat()]
    """The gain of each bidder in this round."""
    payoffs: Annotated[list[float], PerSeat()]
    """The sum of each bidder's gains so far."""


@EVENTS.register
class AuctionClosed(Event, tag="auction_closed"):
    """The last round is over, and private values become public."""

    round: int
    values: list[float]
    """The values of the last round."""
    payoffs: list[float]


def finals(events: Sequence[Event]) -> list[float | None]:
    """Return the payoff of each seat."""
    end = events[-1]
    assert isinstance(end, AuctionClosed)
    return [*end.payoffs]


def figures(rules: AuctionRules, events: Sequence[Event]) -> Figures:
    """Return the share of rounds that each seat won and its payments, and compare the revenue with equilibrium."""
    end = events[-1]
    assert isinstance(end, AuctionClosed)
    sales = [event for event in events if isinstance(event, AuctionHeld)]
    seats = range(len(end.payoffs))
    won = [sum(seat in sale.winners for sale in sales) / rules.rounds for seat in seats]
    paid = [sum(sale.payments[seat] for sale in sales) for seat in seats]
    expected = ""
    if rules.values == "uniform" and not rules.fixed_values:
        equilibrium = mean_equilibrium_revenue(rules, len(end.payoffs))
        expected = f"; the equilibrium with continuous values has {equilibrium:,.5g} on average"
    return Figures(
        [
            Figure("rounds_won", "won", won, "{:.0%}".format),
            Figure("paid", "paid", paid, "{:,.6g}".format),
        ],
        f"Revenue of a round: {sum(paid) / rules.rounds:,.5g}{expected}.",
    )
