"""The cartel that signals by its prices, for many games at once. It makes the same quotes as `PriceSignal`. As there,
heights are compared: the height of a price is the price itself for a seller and its negative for a buyer."""

from collections.abc import Collection
from dataclasses import dataclass
from typing import Any, Final, NamedTuple

from typing_extensions import override

from ostrom.core.arrays import Array
from ostrom.core.step import Moves
from ostrom.games.market.double_auction.play import QUOTE
from ostrom.games.market.double_auction.step import TraderRows, extreme
from ostrom.games.market.double_auction.trader_rows import RowTrader
from ostrom.players.strategy import parameter

UNDERCUTTING: Final = 0.02
"""The distance below the common price, as a part of the highest price, from which a seat undercuts it."""
CARTEL_STEP: Final = 0.01
"""The distance from the common price, as a part of the highest price, at which the member whose turn it is quotes. With
a tick of 1 it is at least 1."""


class CartelMemory(NamedTuple):
    """The memory of a member of a cartel. NaN is an unknown height."""

    common: Array
    """The height that the seat followed in the round before; NaN after a signal or a punishment."""
    punishing: Array
    """The number of rounds of punishment that remain."""
    signalled: Array
    """Whether the seat has signalled and does not punish."""
    middle: Array
    """The midpoint of the two middle heights of the first round with any."""
    best: Array
    """The greatest height that the other side has quoted."""
    side: Array
    """The greatest height of the own side in the round before, as far as it is disclosed."""


@dataclass(frozen=True)
class PriceSignalRows(RowTrader):
    """Signals a price beyond competition, follows the highest ask of its side there, and punishes undercutting."""

    strength: float = parameter(0.5, 0, 1, "the part of the way from the competitive price to the best possible one")
    punish: float = parameter(2, 0, 1000, "the number of competitive rounds after the common price was undercut")

    @override
    def opening(self, view: TraderRows) -> CartelMemory:
        zero = view.xp.zeros_like(view.value)
        none = zero + view.xp.nan
        return CartelMemory(none, zero, zero > 0, none, none, none)

    @override
    def remember(self, view: TraderRows, memory: CartelMemory) -> CartelMemory:
        xp = view.xp
        punishing = xp.where(self._is_undercut(view, memory), float(int(self.punish)), memory.punishing)
        own, other = _heights(view)
        every = [*own, *other] if view.rules.disclosure == "quotes" else [*other]
        middle = xp.where(xp.isnan(memory.middle), _middle(xp, every), memory.middle)
        best = xp.fmax(memory.best, extreme(xp, True, other))
        side = extreme(xp, True, own) if view.rules.disclosure == "quotes" else xp.full_like(best, xp.nan)
        return memory._replace(punishing=punishing, middle=middle, best=best, side=side)

    def _is_undercut(self, view: TraderRows, memory: CartelMemory) -> Array:
        """Return whether another seat of the own side traded below the common height in the round before. If only
        prices are disclosed, every trade below it counts."""
        xp, highest = view.xp, view.highest
        least = xp.maximum(CARTEL_STEP * highest + xp.zeros_like(view.value), view.rules.tick * 1.0)
        bound = memory.common - xp.maximum(UNDERCUTTING * highest + xp.zeros_like(view.value), least)
        if view.rules.disclosure != "quotes":
            lowest = extreme(xp, False, [-view.sign * price for price in view.prices])
            return lowest < bound
        lowest = extreme(xp, False, [-view.sign * quote for quote in view.traded_by_others()])
        return lowest < bound

    @override
    def decide(
        self, phase: str, view: TraderRows, memory: CartelMemory, fields: Collection[str]
    ) -> tuple[Moves, CartelMemory]:
        xp, none = view.xp, view.xp.full_like(view.value, view.xp.nan)
        punishes = memory.punishing > 0
        limit = self._limit(view, memory)
        knows = ~xp.isnan(limit)
        signals = ~punishes & knows & ~memory.signalled
        follows = ~punishes & knows & memory.signalled
        common = xp.where(follows, xp.minimum(limit, xp.where(xp.isnan(memory.side), limit, memory.side)), none)
        end = xp.where(view.buys, 0.0, view.highest)
        first = view.value + self.strength * (end - view.value)
        joint = view.at_no_loss(-view.sign * xp.where(follows, common, xp.where(signals, limit, 0.0)))
        price = xp.where(punishes, view.value, xp.where(knows, joint, first))
        changed = memory._replace(
            common=common,
            punishing=memory.punishing - xp.where(punishes, 1.0, 0.0),
            signalled=~punishes,
        )
        return {QUOTE: view.quoted(price)}, changed

    @override
    def price(self, view: TraderRows, memory: CartelMemory) -> Array:
        raise TypeError("the price of a cartel is a part of its decision")

    def _limit(self, view: TraderRows, memory: CartelMemory) -> Array:
        """Return the height up to which the cartel raises its quotes; NaN if nothing is known yet."""
        xp = view.xp
        best = xp.where(xp.isnan(memory.best), -view.sign * view.value, memory.best)
        competitive = xp.minimum(memory.middle, best)
        return competitive + self.strength * (best - competitive)


def _heights(view: TraderRows) -> tuple[list[Array], list[Array]]:
    """Return the heights of the quotes of the own side and of the other side in the round before. If only prices are
    disclosed, those of the other side are the prices, and none of the own side is known."""
    height = -view.sign
    if view.rules.disclosure != "quotes":
        return [], [height * price for price in view.prices]
    own, other = view.sides()
    return [height * quote for quote in own], [height * quote for quote in other]


def _middle(xp: Any, heights: list[Array]) -> Array:
    """Return the midpoint of the two middle heights of each row; NaN without any."""
    ordered = xp.sort(xp.where(xp.isnan(xp.stack(heights)), xp.inf, xp.stack(heights)), axis=0)
    count = xp.sum(xp.astype(ordered < xp.inf, xp.int32), axis=0)
    lower, upper = (count - 1) // 2, count // 2
    result = xp.full_like(heights[0], xp.nan)
    first, second = result, result
    for place, height in enumerate(ordered):
        first, second = xp.where(lower == place, height, first), xp.where(upper == place, height, second)
    return xp.where(count > 0, (first + second) / 2, result)
