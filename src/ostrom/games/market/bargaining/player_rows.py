"""The bargainers that decide for many games at once. Each makes the same quotes as the player in plain Python that
refers to it."""

from dataclasses import dataclass
from typing import NamedTuple

from typing_extensions import override

from ostrom.core.arrays import Array
from ostrom.games.market.double_auction.step import TraderRows
from ostrom.games.market.double_auction.trader_rows import RowTrader
from ostrom.players.strategy import parameter


def _quote_of_other(view: TraderRows) -> Array:
    """Return the last quote of the other seat; NaN if it passed, or if the rules disclose prices only."""
    _, other = view.sides()
    return other[0]


def _claim(view: TraderRows, claim: float) -> Array:
    """Return the price that is this part of the way from the private value to the best price."""
    best = view.xp.where(view.buys, 0.0, view.highest)
    return view.value + claim * (best - view.value)


class FairSplitRows(RowTrader):
    """Quotes the middle between its own value and an estimate of the other's, so that both gain the same. Its memory is
    the most generous quote of the other side, NaN before the first."""

    @override
    def opening(self, view: TraderRows) -> Array:
        return view.xp.full_like(view.value, view.xp.nan)

    @override
    def remember(self, view: TraderRows, memory: Array) -> Array:
        xp, quote = view.xp, _quote_of_other(view)
        return xp.where(view.buys, xp.fmin(memory, quote), xp.fmax(memory, quote))

    @override
    def price(self, view: TraderRows, memory: Array) -> Array:
        xp, best = view.xp, view.xp.where(view.buys, 0.0, view.highest)
        estimate = xp.where(xp.isnan(memory), (view.value + best) / 2, memory)
        return view.at_no_loss((view.value + estimate) / 2)


@dataclass(frozen=True)
class StubbornRows(RowTrader):
    """Quotes the same price in every round, whatever the other side does."""

    claim: float = parameter(0.5, 0, 1, "the part of the way from its value to the best price")

    @override
    def price(self, view: TraderRows, memory: object) -> Array:
        return _claim(view, self.claim)


class OtherQuotes(NamedTuple):
    """The first and the last quote of the other side, NaN before the first."""

    first: Array
    last: Array


@dataclass(frozen=True)
class ConcessionTitForTatRows(RowTrader):
    """Concedes as much as the other side conceded: tit-for-tat in concessions."""

    claim: float = parameter(0.5, 0, 1, "the part of the way from its value to the best price, in round 1")
    first: float = parameter(0.05, 0, 1, "its first concession, as a part of the highest price")

    @override
    def opening(self, view: TraderRows) -> OtherQuotes:
        none = view.xp.full_like(view.value, view.xp.nan)
        return OtherQuotes(none, none)

    @override
    def remember(self, view: TraderRows, memory: OtherQuotes) -> OtherQuotes:
        xp, quote = view.xp, _quote_of_other(view)
        first = xp.where(xp.isnan(memory.first), quote, memory.first)
        return OtherQuotes(first, xp.where(xp.isnan(quote), memory.last, quote))

    @override
    def price(self, view: TraderRows, memory: OtherQuotes) -> Array:
        xp, opening = view.xp, _claim(view, self.claim)
        moved = xp.where(xp.isnan(memory.first), 0.0, view.sign * (memory.first - memory.last))
        conceded = self.first * view.highest + moved
        return xp.where(view.round > 1, view.at_no_loss(opening + view.sign * conceded), opening)
