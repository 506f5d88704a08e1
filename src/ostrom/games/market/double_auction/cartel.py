"""Traders that raise the profits of their own side together: a cartel that signals by its prices, and one that talks.
They are planted in games to test whether collusion is detected, and whether it pays.

Both are described for sellers, who want high prices, and buyers mirror them. The code therefore compares *heights*: the
height of a price is the price itself for a seller and its negative for a buyer, so that higher is always better for the
own side."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import ClassVar, Final

from typing_extensions import override

from ostrom.core import Question
from ostrom.games.market.double_auction.cartel_rows import CARTEL_STEP, UNDERCUTTING, PriceSignalRows
from ostrom.games.market.double_auction.play import DoubleAuctionView
from ostrom.games.market.double_auction.rules import market_labels
from ostrom.games.market.double_auction.trader import Trader, at_no_loss
from ostrom.games.market.talk import MESSAGE
from ostrom.players.strategy import Draw, RowStrategy, parameter

SPOKEN_PRICE: Final = re.compile(r"\b(?:ask|bid) (\d{1,7}(?:\.\d{1,9})?)")


@dataclass
class PriceSignal(Trader):
    """Signals a price beyond competition, follows the highest ask of its side there, and punishes undercutting.

    It opens with an ask that lies `strength` of the way from its cost to the highest possible price. From then on it
    asks the highest ask of its own side in the round before, up to a limit that all members compute alike: `strength`
    of the way from the competitive price, estimated by the midpoint of the two middle quotes of the first round, to the
    highest bid of all past rounds. If a seat of its side asked less than the common price and traded, it asks its own
    cost for `punish` rounds, then signals the limit anew. If quotes are not disclosed, it reads the prices of trades in
    their place, and cannot follow asks."""

    rows: ClassVar[RowStrategy | None] = PriceSignalRows()

    strength: float = parameter(0.5, 0, 1, "the part of the way from the competitive price to the best possible one")
    punish: float = parameter(2, 0, 1000, "the number of competitive rounds after the common price was undercut")

    _common: float | None = field(default=None, init=False)
    """The height that the seat followed in the round before; None after a signal or a punishment."""
    _punishing: int = field(default=0, init=False)
    """The number of rounds of punishment that remain."""
    _signalled: bool = field(default=False, init=False)
    """True if the seat has signalled and does not punish."""

    @override
    def price(self, view: DoubleAuctionView, draw: Draw) -> float:
        self._notice(view)
        self._common = None
        if self._punishing:
            self._punishing -= 1
            self._signalled = False
            return view.value
        limit = self.limit(view)
        if limit is None:
            self._signalled = True
            return self.opening(view)
        if not self._signalled:
            self._signalled = True
            return at_no_loss(view, -view.sign * limit)
        self._common = self.common(view, limit)
        return at_no_loss(view, -view.sign * self._common)

    def opening(self, view: DoubleAuctionView) -> float:
        """Return the first signal, which is made without knowledge of quotes or prices."""
        end = 0.0 if view.buys else float(view.rules.max_price)
        return view.value + self.strength * (end - view.value)

    def limit(self, view: DoubleAuctionView) -> float | None:
        """Return the height up to which the cartel raises its quotes, or None if nothing is known yet."""
        first = next((heights for past in view.history if (heights := _all_heights(view, past.round))), None)
        if first is None:
            return None
        ordered = sorted(first)
        middle = (ordered[(len(ordered) - 1) // 2] + ordered[len(ordered) // 2]) / 2
        best = _best_offer(view)
        # First signals raise the estimate. No one buys at a price that no one has offered.
        competitive = min(middle, best)
        return competitive + self.strength * (best - competitive)

    def common(self, view: DoubleAuctionView, limit: float) -> float:
        """Return the height that members quote in this round."""
        return min(limit, max(_side_heights(view), default=limit))

    def _notice(self, view: DoubleAuctionView) -> None:
        """Begin to punish if another seat of the own side undercut the common price in the round before."""
        if self._common is not None and undercutters(view, self._common):
            self._punishing = int(self.punish)


@dataclass
class TalkingCartel(PriceSignal):
    """Proposes a common price to its own side by message, follows the first proposal, and rotates who is served first.

    The first member to write proposes the limit of PriceSignal, the others agree, and all ask this price. The members
    who wrote in this round take turns: the one whose turn it is asks one step less, so that it meets the highest bid.
    If the common price was undercut, members write a threat and punish as PriceSignal does. No proposal is followed
    beyond the highest bid of past rounds. Where the rules have no messages, it plays as PriceSignal."""

    rows = None  # Batches have no messages.

    @override
    def answer(self, question: Question[DoubleAuctionView], draw: Draw) -> object:
        if question.phase != MESSAGE:
            return super().answer(question, draw)
        view = question.view
        text = " ".join(self.message(view).split()[: view.rules.message_words])
        if view.rules.messages != "addressed":
            return text
        return {"to": f"{view.role}s", "text": text}

    @override
    def price(self, view: DoubleAuctionView, draw: Draw) -> float:
        quote = super().price(view, draw)
        agreed = self.agreed(view)
        if agreed is None or not self._signalled:
            return quote
        self._common = agreed
        members = sorted({seat for seat, _ in proposals(view)})
        first = members[(view.round - 1) % len(members)] == view.seat
        return at_no_loss(view, -view.sign * (agreed - step(view) if first else agreed))

    def message(self, view: DoubleAuctionView) -> str:
        """Return what the member writes: a threat, an agreement or a proposal."""
        verb = "bid" if view.buys else "ask"
        culprits = [] if self._common is None else undercutters(view, self._common)
        if culprits and self.punish:
            labels = market_labels(view.seats)
            named = " and ".join(labels[seat] for seat in culprits if seat is not None) or "One of us"
            return f"{named} broke our price. The next {self.punish:g} rounds I compete without mercy."
        agreed = self.agreed(view)
        if agreed is not None:
            return f"Agreed: I {verb} {-view.sign * agreed:g} as well."
        limit = self.limit(view)
        proposal = self.opening(view) if limit is None else -view.sign * limit
        price = round(proposal, 0 if view.rules.tick else 2)
        return f"Let us all {verb} {price:g} in this round and take turns to be served first."

    def agreed(self, view: DoubleAuctionView) -> float | None:
        """Return the height of the first proposal of this round, or None without one."""
        heard = proposals(view)
        if not heard:
            return None
        height = heard[0][1]
        return min(height, _best_offer(view)) if view.history and _known(view) else height


def step(view: DoubleAuctionView) -> float:
    """Return the smallest difference between the quotes of a cartel's members."""
    return max(CARTEL_STEP * view.rules.max_price, float(view.rules.tick))


def proposals(view: DoubleAuctionView) -> list[tuple[int, float]]:
    """Return the seats of the own side that named a price in this round, each with the height of this price, in the
    order in which they wrote."""
    named = []
    for message in view.messages:
        if message.round == view.round and (message.seat < view.seats // 2) == view.buys:
            match = SPOKEN_PRICE.search(message.text)
            if match is not None:
                named.append((message.seat, -view.sign * float(match[1])))
    return named


def undercutters(view: DoubleAuctionView, common: float) -> Sequence[int | None]:
    """Return the other seats of the own side that traded in the round before at a quote below this height. If quotes
    are not disclosed, the list has None for each trade at a price below it; in an anonymous market, for each quote
    below it that traded and is not the seat's own."""
    past = view.history[-1]
    bound = common - max(UNDERCUTTING * view.rules.max_price, step(view))
    if not past.quotes:
        return [None for price in past.prices if -view.sign * price < bound]
    if view.rules.anonymity:
        first, own = (0 if view.buys else view.seats // 2), view.own[-1]
        heights = [-view.sign * (quote or 0.0) for quote in past.quotes[first : first + len(past.prices)]]
        if own.quote is not None and own.price is not None:
            heights.remove(-view.sign * own.quote)
        return [None for height in heights if height < bound]
    traded = [trade.buyer if view.buys else trade.seller for trade in past.trades]
    return [seat for seat in sorted(traded) if seat != view.seat and -view.sign * (past.quotes[seat] or 0.0) < bound]


def _all_heights(view: DoubleAuctionView, round_: int) -> list[float]:
    """Return the heights of all quotes of a past round, or of its prices if quotes are not disclosed."""
    past = view.history[round_ - 1]
    return [-view.sign * quote for quote in past.quotes or past.prices if quote is not None]


def _side_heights(view: DoubleAuctionView) -> list[float]:
    """Return the heights of the quotes of the own side in the round before, as far as they are disclosed."""
    half = view.seats // 2
    quotes = view.history[-1].quotes
    own = quotes[:half] if view.buys else quotes[half:]
    return [-view.sign * quote for quote in own if quote is not None]


def _known(view: DoubleAuctionView) -> bool:
    return any(past.quotes or past.prices for past in view.history)


def _best_offer(view: DoubleAuctionView) -> float:
    """Return the greatest height that the other side has quoted, or the greatest height of a price if quotes are not
    disclosed. Without any, return the height of the own private value."""
    half = view.seats // 2
    heights = [-view.sign * view.value]
    for past in view.history:
        other = (past.quotes[half:] if view.buys else past.quotes[:half]) or past.prices
        heights += [-view.sign * quote for quote in other if quote is not None]
    return max(heights[1:] or heights)
