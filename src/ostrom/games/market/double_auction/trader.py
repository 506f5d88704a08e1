"""The base class of the traders of a double auction."""

import math
from abc import abstractmethod
from typing import Final

from typing_extensions import override

from ostrom.core import Question
from ostrom.games.market.double_auction.play import QUOTE, DoubleAuctionView
from ostrom.players.strategy import Draw, Strategy

ROUNDING: Final = 1e-9
"""The error of floating-point arithmetic that does not move a quote to the next tick."""


class Trader(Strategy[DoubleAuctionView]):
    """Base class of traders. A trader names a price; the quote is this price on the tick and within the range. A trader
    sends no messages."""

    @abstractmethod
    def price(self, view: DoubleAuctionView, draw: Draw) -> float:
        """Return the price that the trader wants to quote."""

    @override
    def answer(self, question: Question[DoubleAuctionView], draw: Draw) -> object:
        if question.phase != QUOTE:
            return question.fallback
        view = question.view
        price = min(max(self.price(view, draw), 0.0), float(view.rules.max_price))
        if view.rules.tick == 0:
            return price
        # A bid is rounded down and an ask up, so that no rounding makes a quote at a loss.
        return math.floor(price + ROUNDING) if view.buys else math.ceil(price - ROUNDING)


def at_no_loss(view: DoubleAuctionView, price: float) -> float:
    """Return the price, or the private value if a trade at this price could be a loss."""
    return min(price, view.value) if view.buys else max(price, view.value)


def away(view: DoubleAuctionView) -> float:
    """Return the price that is least likely to trade: 0 for a buyer, the highest price for a seller."""
    return 0.0 if view.buys else float(view.rules.max_price)
