"""Traders that learn from past rounds and decide for many games at once: belief learning, adaptive aggressiveness and
reinforcement. Each makes the same quotes as the trader in plain Python that refers to it."""

from collections.abc import Collection
from dataclasses import dataclass
from typing import Any, Final, NamedTuple

import numpy as np
from typing_extensions import override

from ostrom.core.arrays import Array, total
from ostrom.core.step import Moves
from ostrom.games.market.double_auction.play import QUOTE
from ostrom.games.market.double_auction.step import TraderRows
from ostrom.games.market.double_auction.trader import ROUNDING
from ostrom.games.market.double_auction.trader_rows import RowTrader, between
from ostrom.players.strategy import parameter

AA_RATES: Final = (0.2, 0.6)
"""The range from which an adaptive-aggressive trader draws its two learning rates."""
AA_STEP: Final = 0.05
"""The relative and the absolute change of aggressiveness beyond that of the last price."""
AA_SHAPES: Final = (-8.0, 2.0)
"""The range of the shape θ. The trader begins in the middle."""
AA_GAMMA: Final = 2.0
"""The curvature of the shape as a function of the volatility of prices."""
AA_MEMORY: Final = 30
"""The number of prices from which the equilibrium price is estimated."""
AA_WEIGHT: Final = 0.9
"""The weight of a price in this estimate, relative to that of the next one."""
AA_LINEAR: Final = 1e-3
"""The shape below which the exponential curve counts as a straight line."""
SHADING_LEVELS: Final = 10
"""The number of levels of shading: 0, a tenth, and so on up to nine tenths."""


class QuoteMemory(NamedTuple):
    """The quotes of past rounds, the newest first, with an entry for each row. All are multiplied by the sign of the
    row's side, so that a higher quote is always one that trades more easily. NaN is no quote."""

    accepted: Array
    """(rounds · pairs, rows) The quotes of the own side that traded."""
    rejected: Array
    """(rounds · pairs, rows) Those that did not."""
    free: Array
    """(rounds · pairs, rows) The quotes of the other side that did not trade."""


@dataclass(frozen=True)
class GjerstadDickhautRows(RowTrader):
    """Quotes the price with the largest product of its gain and its believed probability of trading."""

    memory: float = parameter(5, 1, 1000, "the number of past rounds in memory")

    @override
    def opening(self, view: TraderRows) -> QuoteMemory:
        xp, rounds = view.xp, int(self.memory)
        if xp is np:
            # A game has no more past rounds than this.
            rounds = min(rounds, int(np.max(view.rules.rounds)))
        shape = (rounds * len(view.prices), *view.value.shape)
        none = xp.full(shape, xp.nan, dtype=view.value.dtype)
        return QuoteMemory(none, none, none)

    @override
    def remember(self, view: TraderRows, memory: QuoteMemory) -> QuoteMemory:
        newest = [view.sign * quotes for quotes in view.past_quotes()]
        pairs = [(new, old) for new, old in zip(newest, memory, strict=True)]
        return QuoteMemory(*(view.xp.concat([new, old[: len(old) - len(new)]]) for new, old in pairs))

    @override
    def price(self, view: TraderRows, memory: QuoteMemory) -> Array:
        xp, sign = view.xp, view.sign
        limit = sign * view.value
        low, high = xp.where(view.buys, 0.0, -view.highest), xp.where(view.buys, view.highest, 0.0)
        best_quote, best = limit, xp.zeros_like(limit)
        before, first = low, xp.zeros_like(low)
        for after, second in [*self._beliefs(view, memory, low, high), (high, xp.ones_like(high))]:
            width = after - before
            slope = (second - first) / xp.where(width > 0, width, 1.0)
            steep = xp.where(slope > 0, slope, 1.0)
            # The product of the gain and a linear belief is largest halfway between the zeros of the two.
            middle = xp.minimum(xp.maximum((limit + before - first / steep) / 2, before), after)
            for quote, possible in ((before, width > 0), (after, width > 0), (middle, (width > 0) & (slope > 0))):
                product = (limit - quote) * (first + slope * (quote - before))
                better = possible & (quote <= limit) & (product > best + ROUNDING)
                best_quote, best = xp.where(better, quote, best_quote), xp.where(better, product, best)
            before, first = xp.where(width > 0, after, before), xp.where(width > 0, second, first)
        price: Array = sign * best_quote
        return price

    def _beliefs(self, view: TraderRows, memory: QuoteMemory, low: Array, high: Array) -> list[tuple[Array, Array]]:
        """Return quotes in order, each with the believed probability that it trades. Where there are fewer, the last
        ones are the lowest possible quote."""
        xp = view.xp
        quotes = xp.concat(list(memory))
        ordered = xp.sort(xp.where((quotes > low) & (quotes < high), quotes, xp.inf), axis=0)
        points = []
        for point in ordered:
            known = point < xp.inf
            favourable = _count(xp, memory.accepted <= point) + _count(xp, memory.free <= point)
            counted = favourable + _count(xp, memory.rejected >= point)
            belief = favourable / xp.where(counted > 0, counted, 1.0)
            points.append((xp.where(known, point, low), belief))
        return points


def _count(xp: Any, where: Array) -> Array:
    return total(xp.astype(where, xp.float64))


class AggressiveMemory(NamedTuple):
    """The memory of an adaptive-aggressive trader."""

    rate: Array
    shape_rate: Array
    aggressiveness: Array
    shape: Array
    prices: Array
    """(prices, rows) The last prices, the newest first; NaN before the first one."""
    least: Array
    """The lowest and the highest volatility so far; infinite before the first price."""
    most: Array


class AdaptiveAggressiveRows(RowTrader):
    """Quotes around the equilibrium price that it estimates, more aggressively after prices that it missed."""

    @override
    def opening(self, view: TraderRows) -> AggressiveMemory:
        xp = view.xp
        zero = xp.zeros_like(view.value)
        rate, shape_rate = between(AA_RATES, view.draw(0)), between(AA_RATES, view.draw(1))
        prices = xp.full((AA_MEMORY, *view.value.shape), xp.nan, dtype=view.value.dtype)
        return AggressiveMemory(rate, shape_rate, zero, zero + sum(AA_SHAPES) / 2, prices, zero + xp.inf, zero - xp.inf)

    @override
    def price(self, view: TraderRows, memory: AggressiveMemory) -> Array:
        xp, level = view.xp, memory.aggressiveness
        anchor = _anchor(view, memory)
        end = xp.where(level > 0, view.value, _away(view))
        size, straight = xp.abs(level), xp.abs(memory.shape) < AA_LINEAR
        shape = xp.where(straight, 1.0, memory.shape)
        part = xp.where(straight, size, xp.expm1(size * shape) / xp.expm1(shape))
        return view.at_no_loss(anchor + (end - anchor) * part)

    @override
    def remember(self, view: TraderRows, memory: AggressiveMemory) -> AggressiveMemory:
        xp = view.xp
        for price in view.prices:
            memory = _learn_price(view, memory, price)
        best = view.best(bids=True), view.best(bids=False)
        rejected = xp.where(view.buys, *best) if view.rules.disclosure == "quotes" else view.quote
        active = xp.isnan(view.price) & ~xp.isnan(rejected)
        level = _level(view, memory, xp.where(active, rejected, 0.0))
        goal = xp.maximum(level, memory.aggressiveness)
        return _follow(view, memory, goal, beyond=active, where=active)


def _learn_price(view: TraderRows, memory: AggressiveMemory, price: Array) -> AggressiveMemory:
    xp, where = view.xp, ~view.xp.isnan(price)
    known = xp.where(where, price, 0.0)
    shifted = xp.concat([xp.reshape(price, (1, *price.shape)), memory.prices[:-1]])
    memory = memory._replace(prices=xp.where(where, shifted, memory.prices))
    met = view.sign * (view.quote - known) >= 0
    memory = _follow(view, memory, _level(view, memory, known), beyond=~met, where=where)
    estimate, present = _estimate(view, memory), ~xp.isnan(memory.prices)
    squares = xp.where(present, (memory.prices - estimate) ** 2, 0.0)
    count = _count(xp, present)
    spread = xp.sqrt(total(squares[::-1]) / xp.where(count > 0, count, 1.0))
    volatility = xp.where(estimate > 0, spread / xp.where(estimate > 0, estimate, 1.0), 0.0)
    least, most = xp.minimum(memory.least, volatility), xp.maximum(memory.most, volatility)
    range_ = most - least
    part = xp.where(range_ > 0, (volatility - least) / xp.where(range_ > 0, range_, 1.0), 0.0)
    low, high = AA_SHAPES
    goal = low + (high - low) * (1 - part * xp.exp(AA_GAMMA * (part - 1)))
    shape = memory.shape + memory.shape_rate * (goal - memory.shape)
    return memory._replace(
        shape=xp.where(where, shape, memory.shape),
        least=xp.where(where, least, memory.least),
        most=xp.where(where, most, memory.most),
    )


def _follow(
    view: TraderRows, memory: AggressiveMemory, level: Array, *, beyond: Array, where: Array
) -> AggressiveMemory:
    """Return the memory after the aggressiveness moved towards a level, or a little beyond it, in these rows."""
    xp, present = view.xp, memory.aggressiveness
    goal = level + xp.where(beyond, AA_STEP * xp.abs(level) + AA_STEP, 0.0)
    moved = present + memory.rate * (goal - present)
    limited = xp.minimum(xp.maximum(moved, xp.full_like(moved, -1.0)), xp.ones_like(moved))
    return memory._replace(aggressiveness=xp.where(where, limited, present))


def _estimate(view: TraderRows, memory: AggressiveMemory) -> Array:
    """Return the weighted mean of the last prices, or half of the highest price before the first one."""
    xp = view.xp
    weights = xp.reshape(xp.asarray([AA_WEIGHT**age for age in range(AA_MEMORY)]), (-1, 1))
    present = ~xp.isnan(memory.prices)
    weight = total(xp.where(present, weights, 0.0)[::-1])
    sums = total(xp.where(present, weights * memory.prices, 0.0)[::-1])
    return xp.where(weight > 0, sums / xp.where(weight > 0, weight, 1.0), view.highest / 2)


def _anchor(view: TraderRows, memory: AggressiveMemory) -> Array:
    """Return the quote of aggressiveness 0."""
    return view.at_no_loss(_estimate(view, memory))


def _away(view: TraderRows) -> Array:
    """Return the price that is least likely to trade."""
    return view.xp.where(view.buys, 0.0, view.highest)


def _level(view: TraderRows, memory: AggressiveMemory, price: Array) -> Array:
    """Return the aggressiveness at which the quote is this price, between −1 and 1."""
    xp, anchor = view.xp, _anchor(view, memory)
    aggressive = view.sign * (price - anchor) > 0
    end = xp.where(aggressive, view.value, _away(view))
    apart = end != anchor
    share = (price - anchor) / xp.where(apart, end - anchor, 1.0)
    limited = xp.minimum(xp.maximum(share, xp.zeros_like(share)), xp.ones_like(share))
    part = xp.where(apart, limited, xp.where(aggressive, 1.0, 0.0))
    straight = xp.abs(memory.shape) < AA_LINEAR
    shape = xp.where(straight, 1.0, memory.shape)
    curved = xp.where(straight, part, xp.log1p(part * xp.expm1(shape)) / shape)
    return xp.where(aggressive, curved, -curved)


class PropensityMemory(NamedTuple):
    """The memory of a trader that learns by reinforcement."""

    propensities: Array
    """(levels, rows)"""
    level: Array
    """The level of the last round."""


@dataclass(frozen=True)
class RothErevRows(RowTrader):
    """Shades its value by one of ten levels, more often by those that have earned more."""

    forgetting: float = parameter(0.1, 0, 1, "the part of all propensities that is lost in a round")
    experimentation: float = parameter(0.2, 0, 1, "the part of reinforcement that goes to other levels")
    strength: float = parameter(1.0, 0.001, 1000, "the sum of propensities at the start")

    @override
    def opening(self, view: TraderRows) -> PropensityMemory:
        zero = view.xp.zeros_like(view.value)
        shape = (SHADING_LEVELS, *zero.shape)
        start = view.xp.full(shape, self.strength / SHADING_LEVELS, dtype=zero.dtype)
        return PropensityMemory(start, zero)

    @override
    def remember(self, view: TraderRows, memory: PropensityMemory) -> PropensityMemory:
        xp, shared = view.xp, self.experimentation / (SHADING_LEVELS - 1)
        room = xp.abs(view.value - _away(view))
        gain = xp.where(xp.isnan(view.price), 0.0, view.sign * (view.value - view.price))
        payoff = xp.where(room > 0, gain / xp.where(room > 0, room, 1.0), 0.0)
        levels = xp.reshape(xp.arange(SHADING_LEVELS), (-1, 1))
        chosen = levels == memory.level
        reinforced = xp.where(chosen, payoff * (1 - self.experimentation), memory.propensities * shared)
        return memory._replace(propensities=(1 - self.forgetting) * memory.propensities + reinforced)

    @override
    def decide(
        self, phase: str, view: TraderRows, memory: PropensityMemory, fields: Collection[str]
    ) -> tuple[Moves, PropensityMemory]:
        memory = memory._replace(level=self._choice(view, memory))
        return {QUOTE: view.quoted(self.price(view, memory))}, memory

    def _choice(self, view: TraderRows, memory: PropensityMemory) -> Array:
        """Return the level that is drawn for this round."""
        xp, sums = view.xp, [memory.propensities[0]]
        for propensity in memory.propensities[1:]:
            sums.append(sums[-1] + propensity)
        chosen = view.draw(0) * sums[-1]
        level = xp.zeros_like(chosen)
        for below in sums[:-1]:
            level = level + xp.where(chosen >= below, 1.0, 0.0)
        return level

    @override
    def price(self, view: TraderRows, memory: PropensityMemory) -> Array:
        return view.value + (_away(view) - view.value) * memory.level / SHADING_LEVELS
