"""The base class of the traders of a double auction."""

import math
from abc import abstractmethod
from typing import ClassVar, Final

from typing_extensions import override

from ostrom.core import Question
from ostrom.games.market.double_auction.book import OpenBook
from ostrom.games.market.double_auction.play import QUOTE, DoubleAuctionView
from ostrom.players.strategy import Draw, Strategy

ROUNDING: Final = 1e-9
"""The error of floating-point arithmetic that does not move a quote to the next tick."""


class Trader(Strategy[DoubleAuctionView]):
    """Base class of traders. A trader names a price; the quote is this price on the tick and within the range. In a
    continuous market, a trader passes if the quote would have no effect. A trader sends no messages."""

    every_call: ClassVar[bool] = False
    """True if the trader names a new price at every call of a continuous market. Other traders name one in a round."""
    _named: tuple[int, float] = (0, 0.0)
    """The round of the last price, and the price."""

    @abstractmethod
    def price(self, view: DoubleAuctionView, draw: Draw) -> float:
        """Return the price that the trader wants to quote."""

    @override
    def answer(self, question: Question[DoubleAuctionView], draw: Draw) -> object:
        if question.phase != QUOTE:
            return question.fallback
        view = question.view
        if self.every_call or self._named[0] != view.round:
            self._named = view.round, self.price(view, draw)
        price = min(max(self._named[1], 0.0), float(view.rules.max_price))
        if view.rules.tick:
            # A bid is rounded down and an ask up, so that no rounding makes a quote at a loss.
            price = math.floor(price + ROUNDING) if view.buys else math.ceil(price - ROUNDING)
        return price if view.book is None or _has_effect(view, view.book, price) else None


def _has_effect(view: DoubleAuctionView, book: OpenBook, price: float) -> bool:
    """Return whether a quote meets the standing quote of the other side, or is better than that of its own side."""
    own, other = (book.bid, book.ask) if view.buys else (book.ask, book.bid)
    return own is None or view.sign * (price - own) > 0 or (other is not None and view.sign * (price - other) >= 0)


def at_no_loss(view: DoubleAuctionView, price: float) -> float:
    """Return the price, or the private value if a trade at this price could be a loss."""
    return min(price, view.value) if view.buys else max(price, view.value)


def away(view: DoubleAuctionView) -> float:
    """Return the price that is least likely to trade: 0 for a buyer, the highest price for a seller."""
    return 0.0 if view.buys else float(view.rules.max_price)
