"""Traders of the double auction that learn from past rounds: adaptive-aggressive traders, and reinforcement learning
over levels of shading. Both are adapted to sealed quotes of which a seat has one in every round."""

import math
from dataclasses import dataclass, field
from itertools import accumulate

from typing_extensions import override

from ostrom.games.market.double_auction.learner_rows import (
    AA_GAMMA,
    AA_LINEAR,
    AA_MEMORY,
    AA_RATES,
    AA_SHAPES,
    AA_STEP,
    AA_WEIGHT,
    SHADING_LEVELS,
    AdaptiveAggressiveRows,
    RothErevRows,
)
from ostrom.games.market.double_auction.play import DoubleAuctionView
from ostrom.games.market.double_auction.trader import Trader, at_no_loss, away
from ostrom.players.strategy import Draw, parameter


@dataclass
class AdaptiveAggressive(Trader):
    """Quotes around the equilibrium price that it estimates, more aggressively after prices that it missed: adaptive
    aggressiveness.

    The estimate is a weighted mean of the last prices. With aggressiveness 0 the quote is the estimate, with 1 the
    private value and with −1 the worst price for the other side; a trader that cannot gain at the estimate has its
    value in place of it. After each price the aggressiveness moves towards that of the price, or a little above it if
    the quote would not have traded; after a round without a trade of its own, also above that of the best rejected
    quote of its side. The shape of the curve between these points follows the volatility of prices. Vytelingum's trader
    moves its standing quote a part of the way to this target, and goes a little below prices that it met; a sealed
    quote is the target itself, and sealed bids below the last price would not meet asks above it. Before the first
    price the estimate is half of the highest price, and the shape begins in the middle of its range:
    both are our own choice. Source: Vytelingum (2006), "The structure and behaviour of the continuous double auction",
    PhD thesis, University of Southampton; Vytelingum, Cliff and Jennings (2008), "Strategic bidding in continuous
    double auctions", Artificial Intelligence 172(14), 1700–1729."""

    rows = AdaptiveAggressiveRows()

    _learnt: int = field(default=0, init=False)
    """The number of rounds that the trader has learnt from."""
    _rates: tuple[float, float] = field(default=(0.0, 0.0), init=False)
    _aggressiveness: float = field(default=0.0, init=False)
    _shape: float = field(default=sum(AA_SHAPES) / 2, init=False)
    _prices: list[float] = field(default_factory=list, init=False)
    _volatilities: list[float] = field(default_factory=list, init=False)

    @override
    def price(self, view: DoubleAuctionView, draw: Draw) -> float:
        if self._rates == (0.0, 0.0):
            low, high = AA_RATES
            self._rates = (low + (high - low) * draw(), low + (high - low) * draw())
        for past in view.history[self._learnt :]:
            for price in past.prices:
                self._learn_price(view, price, view.own[past.round - 1].quote)
            self._learn_rejected(view, past.round, past.quotes)
        self._learnt = len(view.history)
        return at_no_loss(view, self._target(view, self._aggressiveness))

    def _learn_price(self, view: DoubleAuctionView, price: float, quote: float | None) -> None:
        self._prices.append(price)
        met = quote is not None and view.sign * (quote - price) >= 0
        self._follow(self._level(view, price), beyond=not met)
        estimate = self._estimate(view)
        recent = self._prices[-AA_MEMORY:]
        spread = math.sqrt(sum((one - estimate) ** 2 for one in recent) / len(recent))
        self._volatilities.append(spread / estimate if estimate > 0 else 0.0)
        least, most = min(self._volatilities), max(self._volatilities)
        part = (self._volatilities[-1] - least) / (most - least) if most > least else 0.0
        low, high = AA_SHAPES
        goal = low + (high - low) * (1 - part * math.exp(AA_GAMMA * (part - 1)))
        self._shape += self._rates[1] * (goal - self._shape)

    def _learn_rejected(self, view: DoubleAuctionView, round_: int, quotes: tuple[float | None, ...]) -> None:
        own = view.own[round_ - 1]
        if own.price is not None:
            return
        half = view.seats // 2
        side = quotes[:half] if view.buys else quotes[half:]
        rejected = [quote for quote in (*side, own.quote) if quote is not None]
        best = max(rejected, key=lambda quote: view.sign * quote, default=None)
        if best is not None:
            # The quote was rounded away from the target, so its own level may be below the present one.
            self._follow(max(self._level(view, best), self._aggressiveness), beyond=True)

    def _follow(self, level: float, *, beyond: bool) -> None:
        """Move the aggressiveness towards a level, or a little beyond it."""
        goal = level + (AA_STEP * abs(level) + AA_STEP if beyond else 0.0)
        moved = self._aggressiveness + self._rates[0] * (goal - self._aggressiveness)
        self._aggressiveness = min(max(moved, -1.0), 1.0)

    def _estimate(self, view: DoubleAuctionView) -> float:
        recent = self._prices[-AA_MEMORY:]
        if not recent:
            return view.rules.max_price / 2
        weights = [AA_WEIGHT ** (len(recent) - 1 - place) for place in range(len(recent))]
        return sum(weight * price for weight, price in zip(weights, recent, strict=True)) / sum(weights)

    def _anchor(self, view: DoubleAuctionView) -> float:
        """Return the quote of aggressiveness 0."""
        return at_no_loss(view, self._estimate(view))

    def _target(self, view: DoubleAuctionView, level: float) -> float:
        """Return the quote of a level of aggressiveness."""
        anchor, end = self._anchor(view), view.value if level > 0 else away(view)
        size = abs(level)
        if abs(self._shape) < AA_LINEAR:
            return anchor + (end - anchor) * size
        return anchor + (end - anchor) * math.expm1(size * self._shape) / math.expm1(self._shape)

    def _level(self, view: DoubleAuctionView, price: float) -> float:
        """Return the aggressiveness at which the quote is this price, between −1 and 1."""
        anchor = self._anchor(view)
        aggressive = view.sign * (price - anchor) > 0
        end = view.value if aggressive else away(view)
        part = min(max((price - anchor) / (end - anchor), 0.0), 1.0) if end != anchor else float(aggressive)
        if abs(self._shape) >= AA_LINEAR:
            part = math.log1p(part * math.expm1(self._shape)) / self._shape
        return part if aggressive else -part


@dataclass
class RothErev(Trader):
    """Shades its value by one of ten levels, more often by those that have earned more: reinforcement learning.

    A level is a part of the way from the private value to the price that is worst for the other side. Each level has a
    propensity and is chosen with a probability in proportion to it. After a round every propensity loses the part
    `forgetting`; the chosen level gains the part 1 − `experimentation` of the payoff, and each other one the part
    `experimentation` of its own propensity, divided by their number. Payoffs are parts of the largest gain that the
    value allows. Source: Roth and Erev (1995), "Learning in extensive-form games", Games and Economic Behavior 8(1),
    164–212, in the modified form of Nicolaisen, Petrov and Tesfatsion (2001), "Market power and efficiency in a
    computational electricity market with discriminatory double-auction pricing", IEEE Transactions on Evolutionary
    Computation 5(5), 504–523, which lets a level without a payoff be reinforced too."""

    rows = RothErevRows()

    forgetting: float = parameter(0.1, 0, 1, "the part of all propensities that is lost in a round")
    experimentation: float = parameter(0.2, 0, 1, "the part of reinforcement that goes to other levels")
    strength: float = parameter(1.0, 0.001, 1000, "the sum of propensities at the start")

    _propensities: list[float] = field(default_factory=list, init=False)
    _level: int = field(default=0, init=False)
    """The level of the last round."""
    _learnt: int = field(default=0, init=False)

    @override
    def price(self, view: DoubleAuctionView, draw: Draw) -> float:
        if not self._propensities:
            self._propensities = [self.strength / SHADING_LEVELS] * SHADING_LEVELS
        room = abs(view.value - away(view))
        for past in view.own[self._learnt :]:
            gain = 0.0 if past.price is None else view.sign * (view.value - past.price)
            self._reinforce(gain / room if room else 0.0)
        self._learnt = len(view.own)
        sums = list(accumulate(self._propensities))
        chosen = draw() * sums[-1]
        self._level = next((level for level, total in enumerate(sums) if chosen < total), SHADING_LEVELS - 1)
        return view.value + (away(view) - view.value) * self._level / SHADING_LEVELS

    def _reinforce(self, payoff: float) -> None:
        shared = self.experimentation / (SHADING_LEVELS - 1)
        self._propensities = [
            (1 - self.forgetting) * propensity
            + (payoff * (1 - self.experimentation) if level == self._level else propensity * shared)
            for level, propensity in enumerate(self._propensities)
        ]
