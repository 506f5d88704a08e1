"""The strategies of bargaining: those of the double auction that need no third trader, and three that bargain. They
send no messages. If the rules disclose prices only, they do not know the other side's quotes."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from typing_extensions import override

from ostrom.core import Registry
from ostrom.games.market.bargaining.player_rows import ConcessionTitForTatRows, FairSplitRows, StubbornRows
from ostrom.games.market.double_auction.play import DoubleAuctionView
from ostrom.games.market.double_auction.players import (
    GjerstadDickhaut,
    LinearEquilibrium,
    Sniper,
    TruthfulTrader,
    ZeroIntelligence,
    ZipTrader,
)
from ostrom.games.market.double_auction.trader import Trader, at_no_loss, away
from ostrom.players.strategy import Draw, StrategyEntry, enter, entry_of, parameter


def quotes_of_other(view: DoubleAuctionView) -> list[float]:
    """Return the other side's quotes so far, in order, without rounds in which it passed."""
    other = 1 - view.seat
    quotes = [past.quotes[other] for past in view.history if past.quotes]
    return [quote for quote in quotes if quote is not None]


class FairSplit(Trader):
    """Quotes the middle between its own value and an estimate of the other's, so that both gain the same.

    The estimate is the most generous quote of the other side so far: the lowest ask or the highest bid. Before the
    first, it is the mean of uniform values at which the two could trade. It never quotes at a loss."""

    rows = FairSplitRows()

    @override
    def price(self, view: DoubleAuctionView, draw: Draw) -> float:
        seen = quotes_of_other(view)
        estimate = (view.value + away(view)) / 2
        if seen:
            estimate = min(seen) if view.buys else max(seen)
        return at_no_loss(view, (view.value + estimate) / 2)


@dataclass
class Stubborn(Trader):
    """Quotes the same price in every round, whatever the other side does.

    The price lies between its private value, where `claim` is 0, and the best price that it could imagine, where
    `claim` is 1: 0 for a buyer, the highest price for a seller."""

    rows = StubbornRows()

    claim: float = parameter(0.5, 0, 1, "the part of the way from its value to the best price")

    @override
    def price(self, view: DoubleAuctionView, draw: Draw) -> float:
        return view.value + self.claim * (away(view) - view.value)


@dataclass
class ConcessionTitForTat(Trader):
    """Concedes as much as the other side conceded: tit-for-tat in concessions.

    It opens with a claim, as Stubborn. In round 2 it concedes `first`; from round 3, it moves its quote towards the
    other side by as much as the other side's last quote moved towards it, and away if the other side took something
    back. It never quotes at a loss. Source: the absolute tit-for-tat of Faratin, Sierra and Jennings (1998),
    "Negotiation decision functions for autonomous agents", Robotics and Autonomous Systems 24(3–4), 159–182, without
    its random term."""

    rows = ConcessionTitForTatRows()

    claim: float = parameter(0.5, 0, 1, "the part of the way from its value to the best price, in round 1")
    first: float = parameter(0.05, 0, 1, "its first concession, as a part of the highest price")

    @override
    def price(self, view: DoubleAuctionView, draw: Draw) -> float:
        opening = view.value + self.claim * (away(view) - view.value)
        if view.round == 1:
            return opening
        conceded = self.first * view.rules.max_price + _conceded(quotes_of_other(view), view.sign)
        return at_no_loss(view, opening + view.sign * conceded)


def _conceded(quotes: Sequence[float], sign: int) -> float:
    """Return how far the other side's quotes moved, from the first to the last, towards a buyer (sign 1) or a seller
    (sign −1)."""
    return sign * (quotes[0] - quotes[-1]) if quotes else 0.0


STRATEGIES: Final[Registry[StrategyEntry]] = Registry("player")
"""The strategies that come with the game."""
_CLASSES: Final[dict[str, type[Trader]]] = {
    "Truthful": TruthfulTrader,
    "Linear": LinearEquilibrium,
    "Fair": FairSplit,
    "Stubborn": Stubborn,
    "TitForTat": ConcessionTitForTat,
    "ZeroIntelligence": ZeroIntelligence,
    "ZIP": ZipTrader,
    "GD": GjerstadDickhaut,
    "Sniper": Sniper,
}
for _name, _class in _CLASSES.items():
    enter(STRATEGIES, entry_of(_class, _name))
