"""The strategies of auctions. Each decides over rows, so that one definition plays single games and batches. Bids are
rounded down to the tick, and bids below the reserve price are no bids."""

from abc import abstractmethod
from collections.abc import Collection
from dataclasses import dataclass
from typing import Final

from typing_extensions import override

from ostrom.core import Registry
from ostrom.core.arrays import Array
from ostrom.core.step import Moves
from ostrom.games.market.auction.rules import ALL_PAY
from ostrom.games.market.auction.sale import equilibrium_bids
from ostrom.games.market.auction.step import STEP, BidderRows
from ostrom.players.strategy import Memory, RowStrategy, StrategyEntry, enter, entry_of, parameter


class Bidder(RowStrategy):
    """Base class of bidders. A bidder sends no messages."""

    step = STEP

    @override
    def decide(self, phase: str, view: BidderRows, memory: Memory, fields: Collection[str]) -> tuple[Moves, Memory]:
        bids = view.xp.clip(self.bid(view, memory), 0.0, 0.0 * view.value + view.rules.max_price)
        return {phase: view.xp.astype(bids, view.value.dtype)}, memory

    @abstractmethod
    def bid(self, view: BidderRows, memory: Memory) -> Array:
        """Return the bid of each row, NaN for no bid."""


class TruthfulBidder(Bidder):
    """Bids its private value, which is a dominant strategy if the price is the highest rejected bid.

    Source: Vickrey (1961), "Counterspeculation, auctions, and competitive sealed tenders", Journal of Finance 16(1),
    8–37."""

    @override
    def bid(self, view: BidderRows, memory: Memory) -> Array:
        return view.value


class EquilibriumBidder(Bidder):
    """Bids the risk-neutral equilibrium of the format for independent uniform values, such as (n − 1)/n of its value in
    the first-price auction.

    Without a reserve price and with values between 0 and 1, it bids (n − 1)/n · vⁿ in the all-pay auction, and
    (n − K)/(n − K + 1) · v if K units are sold at the lowest accepted bid. Where the price is the highest rejected bid,
    it bids its value. For other distributions of values and for whole numbers it makes the same bids, which are then no
    equilibrium, or one up to rounding. Sources: Vickrey (1961); with a reserve price Riley and Samuelson (1981),
    "Optimal auctions", American Economic Review 71(3), 381–392."""

    @override
    def bid(self, view: BidderRows, memory: Memory) -> Array:
        return equilibrium_bids(view.rules, view.value, view.seats)


@dataclass(frozen=True)
class Shade(Bidder):
    """Bids a fixed share of its private value."""

    share: float = parameter(0.8, 0, 2, "the bid as a part of the value")

    @override
    def bid(self, view: BidderRows, memory: Memory) -> Array:
        return self.share * view.value


@dataclass(frozen=True)
class Overbidder(Bidder):
    """Bids more than its value by a fixed part, as many people do in second-price auctions.

    Source: Kagel, Harstad and Levin (1987), "Information impact and allocation rules in auctions with affiliated
    private values: a laboratory study", Econometrica 55(6), 1275–1304."""

    markup: float = parameter(0.1, 0, 1, "the part of the value by which the bid is above it")

    @override
    def bid(self, view: BidderRows, memory: Memory) -> Array:
        return (1.0 + self.markup) * view.value


class ZeroIntelligenceBidder(Bidder):
    """Bids a random amount between 0 and its value: zero intelligence with a budget constraint.

    Source: Gode and Sunder (1993), "Allocative efficiency of markets with zero-intelligence traders", Journal of
    Political Economy 101(1), 119–137."""

    @override
    def bid(self, view: BidderRows, memory: Memory) -> Array:
        # On a tick of 1, each whole number up to the value is equally likely.
        return view.draw() * (view.value + view.rules.tick)


class UnconstrainedZeroIntelligenceBidder(Bidder):
    """Bids a random amount of the whole range, also above its value: zero intelligence without a budget constraint.

    Source: Gode and Sunder (1993), as for ZeroIntelligence."""

    @override
    def bid(self, view: BidderRows, memory: Memory) -> Array:
        return view.draw() * (view.rules.max_price + view.rules.tick)


@dataclass(frozen=True)
class LearningDirection(Bidder):
    """Bids a share of its value, and changes the share after a round in the direction that would have been better.

    After a win at a price that depends on its bid, it lowers the share if a lower bid would have won too. After a loss,
    it raises the share if it could have won at a price below its value; in the all-pay auction it otherwise lowers the
    share, since its payment was lost. After a win above its value it lowers the share. If bids are not disclosed, it
    compares with the price, and lowers the share after every win at its own bid. Sources: Selten and Buchta (1999),
    "Experimental sealed bid first price auctions with directly observed bid functions", in Budescu, Erev and Zwick
    (eds), Games and Human Behavior; Neugebauer and Selten (2006), "Individual behavior of first-price auctions: the
    importance of information feedback in computerized experimental markets", Games and Economic Behavior 54(1),
    183–204."""

    start: float = parameter(0.8, 0, 1, "the share in the first round")
    step_size: float = parameter(0.05, 0, 1, "the change of the share after a round")

    @override
    def opening(self, view: BidderRows) -> Memory:
        return (0.0 * view.value + self.start,)

    @override
    def remember(self, view: BidderRows, memory: Memory) -> Memory:
        (share,) = memory
        return (view.xp.clip(share + self.step_size * self._direction(view), 0.0, 1.0),)

    @override
    def bid(self, view: BidderRows, memory: Memory) -> Array:
        (share,) = memory
        return share * view.value

    def _direction(self, view: BidderRows) -> Array:
        """Return 1 where a higher share would have been better in the last round, −1 for a lower one, otherwise 0."""
        xp, rules, like = view.xp, view.table.rules, view.value
        up, down, same = 0.0 * like + 1.0, 0.0 * like - 1.0, 0.0 * like
        if not rules.pays_own_bid:
            after_win = xp.where(view.price > view.last_value, down, same)
        elif rules.disclosure == "bids":
            after_win = xp.where(view.last_bid > view.to_beat, down, same)
        else:
            after_win = down
        missed = view.to_beat < view.last_value
        after_loss = xp.where(missed, up, down if rules.format == ALL_PAY else same)
        return xp.where(view.won, after_win, after_loss)


class RingMember(Bidder):
    """Bids only when it is its turn, and then truthfully or the reserve price: a member of a bidding ring of all seats.

    As many seats as there are units have their turn in a round, one after another by their numbers. The seat whose turn
    it is bids the reserve price if it pays its own bid, and otherwise its value; if the reserve price is above its
    value, it does not bid. Among members only, units are therefore sold at the reserve price. Source: bid rotation as
    in McAfee and McMillan (1992), "Bidding rings", American Economic Review 82(3), 579–599."""

    @override
    def bid(self, view: BidderRows, memory: Memory) -> Array:
        xp, rules = view.xp, view.table.rules
        reserve = 0.0 * view.value + view.rules.reserve
        place = (view.seat - (view.round - 1) * rules.units) % view.seats
        wanted = (place < rules.units) & (view.value >= reserve)
        return xp.where(wanted, reserve if rules.pays_own_bid else view.value, xp.nan)


STRATEGIES: Final[Registry[StrategyEntry]] = Registry("player")
"""The strategies that come with the game."""
_CLASSES: Final[dict[str, type[Bidder]]] = {
    "Truthful": TruthfulBidder,
    "Equilibrium": EquilibriumBidder,
    "Shade": Shade,
    "Overbidder": Overbidder,
    "ZeroIntelligence": ZeroIntelligenceBidder,
    "ZeroIntelligenceUnconstrained": UnconstrainedZeroIntelligenceBidder,
    "LearningDirection": LearningDirection,
    "RingMember": RingMember,
}
for _name, _class in _CLASSES.items():
    enter(STRATEGIES, entry_of(_class, _name))
