"""The strategies of the double auction: the traders of the literature, each adapted to sealed quotes of which a seat
has one in every round. Strategies that learn read the quotes of past rounds; if the rules disclose prices only, they
have their own quotes and the prices."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Final, NamedTuple

from typing_extensions import override

from ostrom.core import Question, Registry
from ostrom.games.market.double_auction.cartel import PriceSignal, TalkingCartel
from ostrom.games.market.double_auction.learner_rows import GjerstadDickhautRows
from ostrom.games.market.double_auction.learners import AdaptiveAggressive, RothErev
from ostrom.games.market.double_auction.play import DoubleAuctionView, PastMarketRound
from ostrom.games.market.double_auction.trader import ROUNDING, Trader, at_no_loss, away
from ostrom.games.market.double_auction.trader_rows import (
    ZIP_MARGINS,
    ZIP_MOMENTA,
    ZIP_RATES,
    ZIP_STEP,
    LinearEquilibriumRows,
    SniperRows,
    TruthfulRows,
    UnconstrainedZeroIntelligenceRows,
    ZeroIntelligenceRows,
    ZipRows,
)
from ostrom.games.market.talk import MESSAGE
from ostrom.players.strategy import Draw, StrategyEntry, enter, entry_of, parameter


class PastQuotes(NamedTuple):
    """The quotes of one side in a past round: those that traded, and those that did not."""

    accepted: tuple[float, ...]
    rejected: tuple[float, ...]


def past_quotes(view: DoubleAuctionView, past: PastMarketRound) -> tuple[PastQuotes, PastQuotes]:
    """Return the bids and the asks of a past round. If only prices are disclosed, the accepted quotes are the prices,
    and the only rejected quote is the seat's own."""
    if not past.quotes:
        own = view.own[past.round - 1]
        rejected = (own.quote,) if own.price is None and own.quote is not None else ()
        bids, asks = (rejected, ()) if view.buys else ((), rejected)
        return PastQuotes(past.prices, bids), PastQuotes(past.prices, asks)
    traded = {seat for trade in past.trades for seat in (trade.buyer, trade.seller)}
    half = view.seats // 2
    if view.rules.anonymity:
        # The quotes of each side are in order of price, so the first ones of each traded.
        traded = {first + rank for first in (0, half) for rank in range(len(past.prices))}
    return _of_side(past.quotes, range(half), traded), _of_side(past.quotes, range(half, view.seats), traded)


def _of_side(quotes: Sequence[float | None], side: range, traded: set[int]) -> PastQuotes:
    given = [(seat, quote) for seat in side if (quote := quotes[seat]) is not None]
    return PastQuotes(
        tuple(quote for seat, quote in given if seat in traded),
        tuple(quote for seat, quote in given if seat not in traded),
    )


class TruthfulTrader(Trader):
    """Quotes its private value."""

    rows = TruthfulRows()

    @override
    def price(self, view: DoubleAuctionView, draw: Draw) -> float:
        return view.value


class ZeroIntelligence(Trader):
    """Quotes a random price at which it makes no loss: zero intelligence with a budget constraint.

    Uniform between 0 and the value of a buyer, and between the cost of a seller and the highest price. Source: Gode and
    Sunder (1993), "Allocative efficiency of markets with zero-intelligence traders", Journal of Political Economy
    101(1), 119–137."""

    rows = ZeroIntelligenceRows()
    every_call = True

    @override
    def price(self, view: DoubleAuctionView, draw: Draw) -> float:
        steps = view.value if view.buys else view.rules.max_price - view.value
        number = draw()
        # On a tick of 1, each whole number of the range is equally likely.
        distance = int(number * (steps + 1)) if view.rules.tick else number * steps
        return distance if view.buys else view.rules.max_price - distance


class UnconstrainedZeroIntelligence(Trader):
    """Quotes a random price of the whole range, also at a loss: zero intelligence without a budget constraint.

    Source: Gode and Sunder (1993), as for ZeroIntelligence."""

    rows = UnconstrainedZeroIntelligenceRows()
    every_call = True

    @override
    def price(self, view: DoubleAuctionView, draw: Draw) -> float:
        highest = view.rules.max_price
        return int(draw() * (highest + 1)) if view.rules.tick else draw() * highest


class LinearEquilibrium(Trader):
    """Quotes the linear equilibrium of one buyer and one seller with uniform values: two thirds of its value, plus a
    twelfth of the highest price for a buyer and a quarter for a seller.

    Where this would be a loss, it quotes its value; in equilibrium such quotes never trade. The equilibrium is that of
    k = 1/2. Source: Chatterjee and Samuelson (1983), "Bargaining under incomplete information", Operations Research
    31(5), 835–851."""

    rows = LinearEquilibriumRows()

    @override
    def price(self, view: DoubleAuctionView, draw: Draw) -> float:
        intercept = view.rules.max_price / (12 if view.buys else 4)
        return at_no_loss(view, 2 * view.value / 3 + intercept)


@dataclass
class ZipTrader(Trader):
    """Adapts its profit margin to the quotes that traded and to those that did not: zero intelligence plus.

    The quote moves towards a target by the Widrow–Hoff rule with momentum. A price that would have left it a larger
    margin is the target itself; after a rejected quote, the target lies a little beyond it. In Cliff's continuous
    market both lie beyond, but sealed bids just below the last price and asks just above it would not meet. After each
    round the trader learns from each price, then from the best bid and the best ask that did not trade. Rate, momentum
    and first margin are drawn once, from Cliff's ranges. Source: Cliff (1997), "Minimal-intelligence agents for
    bargaining behaviors in market-based environments", HP Laboratories report HPL-97-91."""

    rows = ZipRows()

    _learnt: int = field(default=0, init=False)
    """The number of rounds that the trader has learnt from."""
    _quote: float = field(default=0.0, init=False)
    _change: float = field(default=0.0, init=False)
    _rate: float = field(default=0.0, init=False)
    _momentum: float = field(default=0.0, init=False)
    _started: bool = field(default=False, init=False)

    @override
    def price(self, view: DoubleAuctionView, draw: Draw) -> float:
        if not self._started:
            self._start(view, draw)
        for past in view.history[self._learnt :]:
            self._learn(view, past, draw)
        self._learnt = len(view.history)
        return self._quote

    def _start(self, view: DoubleAuctionView, draw: Draw) -> None:
        self._started = True
        self._rate = _between(ZIP_RATES, draw)
        self._momentum = _between(ZIP_MOMENTA, draw)
        self._quote = view.value * (1 - view.sign * _between(ZIP_MARGINS, draw))

    def _learn(self, view: DoubleAuctionView, past: PastMarketRound, draw: Draw) -> None:
        bids, asks = past_quotes(view, past)
        own, other = (bids, asks) if view.buys else (asks, bids)
        active = view.own[past.round - 1].price is None
        for price in past.prices:
            # A price that the trader could have had with a larger margin raises the margin.
            if view.sign * (price - self._quote) <= 0:
                self._move(view, price)
            elif active:
                self._move(view, self._beyond(view, price, draw))
        if active and own.rejected:
            best = max(own.rejected) if view.buys else min(own.rejected)
            if view.sign * (best - self._quote) >= 0:
                self._move(view, self._beyond(view, best, draw))
        if active and other.rejected:
            # The best quote of the other side was rejected too: it takes a better quote to meet it.
            best = min(other.rejected) if view.buys else max(other.rejected)
            if not past.prices and view.sign * (best - self._quote) >= 0:
                self._move(view, self._beyond(view, best, draw))

    def _beyond(self, view: DoubleAuctionView, price: float, draw: Draw) -> float:
        """Return a price that is a little better for the other side than this one."""
        relative = 1 + view.sign * ZIP_STEP * draw()
        return relative * price + view.sign * ZIP_STEP * view.rules.max_price * draw()

    def _move(self, view: DoubleAuctionView, target: float) -> None:
        delta = self._rate * (target - self._quote)
        self._change = self._momentum * self._change + (1 - self._momentum) * delta
        self._quote = at_no_loss(view, min(max(self._quote + self._change, 0.0), float(view.rules.max_price)))


def _between(ends: tuple[float, float], draw: Draw) -> float:
    return ends[0] + (ends[1] - ends[0]) * draw()


@dataclass
class GjerstadDickhaut(Trader):
    """Quotes the price with the largest product of its gain and its believed probability of trading.

    A bid is believed to trade with probability (accepted bids at most as high + free asks at most as high) / (these +
    rejected bids at least as high), counted over the rounds in memory; the belief of a seller mirrors it. An ask was
    free if it did not trade: in a continuous market every ask can be met, in a sealed one those that traded were taken.
    The belief is 0 at the price that is worst for the other side and 1 at the best one, and linear between these and
    the quotes in memory, where Gjerstad and Dickhaut use cubic functions. Source: Gjerstad and Dickhaut (1998), "Price
    formation in double auctions", Games and Economic Behavior 22(1), 1–29."""

    rows = GjerstadDickhautRows()

    memory: float = parameter(5, 1, 1000, "the number of past rounds in memory")

    @override
    def price(self, view: DoubleAuctionView, draw: Draw) -> float:
        # A seller's quotes are multiplied by −1, so that it believes about them as a buyer does.
        sign, highest = view.sign, float(view.rules.max_price)
        limit = sign * view.value
        points = self._beliefs(view, sign, (0.0, highest) if view.buys else (-highest, 0.0))
        best_quote, best = limit, 0.0
        for (low, first), (high, second) in pairwise(points):
            slope = (second - first) / (high - low)
            candidates = [low, high]
            if slope > 0:
                # The product of the gain and a linear belief is largest halfway between the zeros of the two.
                candidates.append(min(max((limit + low - first / slope) / 2, low), high))
            for quote in candidates:
                product = (limit - quote) * (first + slope * (quote - low))
                if quote <= limit and product > best + ROUNDING:
                    best_quote, best = quote, product
        return sign * best_quote

    def _beliefs(self, view: DoubleAuctionView, sign: int, ends: tuple[float, float]) -> list[tuple[float, float]]:
        """Return quotes in order, each with the believed probability that it trades."""
        rounds = [past_quotes(view, past) for past in view.history[-int(self.memory) :]]
        own = [bids if view.buys else asks for bids, asks in rounds]
        other = [asks if view.buys else bids for bids, asks in rounds]
        accepted = [sign * quote for quotes in own for quote in quotes.accepted]
        rejected = [sign * quote for quotes in own for quote in quotes.rejected]
        free = [sign * quote for quotes in other for quote in quotes.rejected]
        low, high = ends
        points = [(low, 0.0)]
        for quote in sorted({one for one in (*accepted, *rejected, *free) if low < one < high}):
            favourable = sum(one <= quote for one in (*accepted, *free))
            points.append((quote, favourable / (favourable + sum(one >= quote for one in rejected) or 1)))
        return [*points, (high, 1.0)]


@dataclass
class Sniper(Trader):
    """Waits while others set the prices, then meets the best quote of the other side in the round before, if it is a
    bargain, if bids and asks came close to each other, or if little time is left.

    A bargain is a quote at least as good as the best price of all trades so far. While it waits it quotes a price that
    does not trade. It never quotes at a loss. In a continuous market it reads the standing quotes, and little time is
    left at the last call of a round. Source: the program of Todd Kaplan, the winner of the Santa Fe
    tournament, described in Rust, Miller and Palmer (1994), "Characterizing effective trading strategies", Journal of
    Economic Dynamics and Control 18(1), 61–96."""

    rows = SniperRows()
    every_call = True

    spread: float = parameter(0.1, 0, 1, "the largest gap between the best ask and bid, as a part of the ask")
    time: float = parameter(0.1, 0, 1, "the part of the rounds, at the end, in which it always quotes")

    @override
    def price(self, view: DoubleAuctionView, draw: Draw) -> float:
        last = view.rules.rounds - view.round < self.time * view.rules.rounds
        every_bid: Sequence[float]
        every_ask: Sequence[float]
        if view.book is not None:
            last = view.book.call == view.rules.times_asked
            every_bid, every_ask = ([one] if one is not None else [] for one in (view.book.bid, view.book.ask))
        elif not view.history:
            return away(view)
        else:
            bids, asks = past_quotes(view, view.history[-1])
            every_bid, every_ask = (*bids.accepted, *bids.rejected), (*asks.accepted, *asks.rejected)
        other = every_ask if view.buys else every_bid
        if not other:
            return view.value if last else away(view)
        best_ask = min(every_ask, default=float(view.rules.max_price))
        best_bid = max(every_bid, default=0.0)
        target = best_ask if view.buys else best_bid
        if view.sign * (view.value - target) < 0:
            return away(view)
        prices = [price for past in view.history for price in past.prices]
        bargain = bool(prices) and (target <= min(prices) if view.buys else target >= max(prices))
        close = best_ask - best_bid <= self.spread * best_ask
        return target if bargain or close or last else away(view)


REMARKS: Final = (
    "Good luck to everyone in this round.",
    "That was a surprising price last time.",
    "I hope we all trade today.",
    "My own quote will be a fair one.",
    "Prices seem to move less than before.",
    "I am still thinking about my quote.",
    "Nice to see that there were some trades.",
    "Another round, another chance.",
)
"""What a chatting trader writes. None of these remarks proposes a price, a threat or a division of trades."""


class Chatter(ZipTrader):
    """Trades as zero intelligence plus and writes harmless remarks, drawn anew for each message.

    It tests whether a reader of messages takes small talk among competitors for a cartel."""

    @override
    def answer(self, question: Question[DoubleAuctionView], draw: Draw) -> object:
        if question.phase != MESSAGE:
            return super().answer(question, draw)
        rules = question.view.rules
        text = " ".join(REMARKS[int(draw() * len(REMARKS))].split()[: rules.message_words])
        return {"to": f"{question.view.role}s", "text": text} if rules.messages == "addressed" else text


STRATEGIES: Final[Registry[StrategyEntry]] = Registry("player")
"""The strategies that come with the game."""
_CLASSES: Final[dict[str, type[Trader]]] = {
    "Truthful": TruthfulTrader,
    "ZeroIntelligence": ZeroIntelligence,
    "ZeroIntelligenceUnconstrained": UnconstrainedZeroIntelligence,
    "ZIP": ZipTrader,
    "GD": GjerstadDickhaut,
    "Sniper": Sniper,
    "Linear": LinearEquilibrium,
    "AdaptiveAggressive": AdaptiveAggressive,
    "RothErev": RothErev,
    "PriceSignal": PriceSignal,
    "TalkingCartel": TalkingCartel,
    "Chatter": Chatter,
}
for _name, _class in _CLASSES.items():
    enter(STRATEGIES, entry_of(_class, _name))
