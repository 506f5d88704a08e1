"""The traders of the double auction that decide for many games at once. Each makes the same quotes as the trader in
plain Python that refers to it."""

from abc import abstractmethod
from collections.abc import Collection
from dataclasses import dataclass
from typing import Any, Final, NamedTuple

from typing_extensions import override

from ostrom.core.arrays import Array
from ostrom.core.step import Moves
from ostrom.games.market.double_auction.play import QUOTE
from ostrom.games.market.double_auction.step import STEP, TraderRows
from ostrom.players.strategy import Memory, RowStrategy, parameter

ZIP_RATES: Final = (0.1, 0.5)
ZIP_MOMENTA: Final = (0.0, 0.1)
ZIP_MARGINS: Final = (0.05, 0.35)
"""The ranges from which a trader of Cliff draws its learning rate, momentum and first margin."""
ZIP_STEP: Final = 0.05
"""The largest relative change, and the largest absolute change as a part of the highest price, from a price to the
target that Cliff draws beyond it."""


class RowTrader(RowStrategy):
    """Base class of traders over rows."""

    step = STEP

    @abstractmethod
    def price(self, view: TraderRows, memory: Memory) -> Array:
        """Return the price that the trader wants to quote in each row."""

    @override
    def decide(self, phase: str, view: TraderRows, memory: Memory, fields: Collection[str]) -> tuple[Moves, Memory]:
        return {QUOTE: view.quoted(self.price(view, memory))}, memory


class TruthfulRows(RowTrader):
    """Quotes its private value."""

    @override
    def price(self, view: TraderRows, memory: Memory) -> Array:
        return view.value


class ZeroIntelligenceRows(RowTrader):
    """Quotes a random price at which it makes no loss."""

    @override
    def price(self, view: TraderRows, memory: Memory) -> Array:
        steps = view.xp.where(view.buys, view.value, view.highest - view.value)
        number = view.draw(0)
        distance = view.xp.floor(number * (steps + 1)) if view.rules.tick else number * steps
        return view.xp.where(view.buys, distance, view.highest - distance)


class UnconstrainedZeroIntelligenceRows(RowTrader):
    """Quotes a random price of the whole range."""

    @override
    def price(self, view: TraderRows, memory: Memory) -> Array:
        number = view.draw(0)
        return view.xp.floor(number * (view.highest + 1)) if view.rules.tick else number * view.highest


class LinearEquilibriumRows(RowTrader):
    """Quotes the linear equilibrium of one buyer and one seller."""

    @override
    def price(self, view: TraderRows, memory: Memory) -> Array:
        intercept = view.highest / view.xp.where(view.buys, 12.0, 4.0)
        return view.at_no_loss(2 * view.value / 3 + intercept)


class ZipMemory(NamedTuple):
    """The memory of a trader of Cliff. Each array has one entry for each row."""

    rate: Array
    momentum: Array
    quote: Array
    change: Array


class ZipRows(RowTrader):
    """Adapts its profit margin to the quotes that traded and to those that did not."""

    @override
    def opening(self, view: TraderRows) -> ZipMemory:
        margin = between(ZIP_MARGINS, view.draw(2))
        quote = view.value * (1 - view.sign * margin)
        rate, momentum = between(ZIP_RATES, view.draw(0)), between(ZIP_MOMENTA, view.draw(1))
        return ZipMemory(rate, momentum, quote, view.xp.zeros_like(quote))

    @override
    def price(self, view: TraderRows, memory: ZipMemory) -> Array:
        return memory.quote

    @override
    def remember(self, view: TraderRows, memory: ZipMemory) -> ZipMemory:
        xp, sign = view.xp, view.sign
        active = xp.isnan(view.price)
        drawn = xp.zeros(view.value.shape, dtype=xp.int32)
        for price in view.prices:
            raises = sign * (price - memory.quote) <= 0
            follows = ~xp.isnan(price) & ~raises & active
            memory = _moved(view, memory, price, raises)
            memory, drawn = _moved_beyond(view, memory, price, follows, drawn)
        bid, ask = view.rejected(bids=True), view.rejected(bids=False)
        own, other = xp.where(view.buys, bid, ask), xp.where(view.buys, ask, bid)
        beaten = active & (sign * (own - memory.quote) >= 0)
        memory, drawn = _moved_beyond(view, memory, own, beaten, drawn)
        silent = active & xp.isnan(view.prices[0])
        met = silent & (sign * (other - memory.quote) >= 0)
        return _moved_beyond(view, memory, other, met, drawn)[0]


def _moved_beyond(
    view: TraderRows, memory: ZipMemory, price: Array, where: Array, drawn: Array
) -> tuple[ZipMemory, Array]:
    """Return the memory after a move, in these rows, to a target a little beyond a price; and the number of draws that
    each row has made."""
    xp, sign = view.xp, view.sign
    relative = 1 + sign * ZIP_STEP * view.draw(drawn, where)
    target = relative * price + sign * ZIP_STEP * view.highest * view.draw(drawn + 1, where)
    return _moved(view, memory, target, where), drawn + 2 * xp.astype(where, drawn.dtype)


def _moved(view: TraderRows, memory: ZipMemory, target: Array, where: Array) -> ZipMemory:
    """Return the memory after a move towards a target in these rows."""
    xp = view.xp
    delta = memory.rate * (target - memory.quote)
    change = memory.momentum * memory.change + (1 - memory.momentum) * delta
    limited = xp.minimum(xp.maximum(memory.quote + change, xp.zeros_like(change)), view.highest)
    quote = view.at_no_loss(limited)
    return memory._replace(quote=xp.where(where, quote, memory.quote), change=xp.where(where, change, memory.change))


def between(ends: tuple[float, float], number: Array) -> Array:
    """Return the amount of a range that a number from 0 to 1 draws."""
    return ends[0] + (ends[1] - ends[0]) * number


class PriceRange(NamedTuple):
    """The lowest and the highest price of all past trades, NaN before the first trade."""

    lowest: Array
    highest: Array


@dataclass(frozen=True)
class SniperRows(RowTrader):
    """Waits while others set the prices, then meets the best quote of the other side."""

    spread: float = parameter(0.1, 0, 1, "the largest gap between the best ask and bid, as a part of the ask")
    time: float = parameter(0.1, 0, 1, "the part of the rounds, at the end, in which it always quotes")

    @override
    def opening(self, view: TraderRows) -> PriceRange:
        none = view.xp.full_like(view.value, view.xp.nan)
        return PriceRange(none, none)

    @override
    def remember(self, view: TraderRows, memory: PriceRange) -> PriceRange:
        lowest, highest = memory
        for price in view.prices:
            lowest, highest = view.xp.fmin(lowest, price), view.xp.fmax(highest, price)
        return PriceRange(lowest, highest)

    @override
    def price(self, view: TraderRows, memory: PriceRange) -> Array:
        xp, rounds = view.xp, view.rules.rounds
        away = xp.where(view.buys, 0.0, view.highest)
        last = xp.zeros_like(view.buys) | (rounds - view.round < self.time * rounds)
        bid, ask = view.best(bids=True), view.best(bids=False)
        target = xp.where(view.buys, ask, bid)
        gains = view.sign * (view.value - target) >= 0
        bargain = xp.where(view.buys, target <= memory.lowest, target >= memory.highest)
        best_ask = xp.where(xp.isnan(ask), view.highest, ask)
        best_bid = xp.where(xp.isnan(bid), 0.0, bid)
        close = best_ask - best_bid <= self.spread * best_ask
        alone = xp.where(last, view.value, away)  # The other side quoted nothing.
        meets = xp.where(gains & (bargain | close | last), target, away)
        quote: Any = xp.where(xp.isnan(target), alone, meets)
        return xp.where(view.round > 1, quote, away)
