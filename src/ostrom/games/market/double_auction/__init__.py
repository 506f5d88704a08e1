"""The double auction: in every round all buyers and sellers quote at once, and the market clears."""

from ostrom.core.game import Game, Seats
from ostrom.games.market.double_auction.events import EVENTS, dealt, finals
from ostrom.games.market.double_auction.play import DoubleAuctionView, PastMarketRound, play
from ostrom.games.market.double_auction.rules import DoubleAuctionRules, market_roles

DOUBLE_AUCTION = Game(
    name="double_auction",
    title="Double auction",
    summary="buyers and sellers with private values quote at once, and the market clears",
    seats=Seats(2, 20, usual=6, multiple=2),
    rules=DoubleAuctionRules,
    play=play,
    events=EVENTS,
    view=DoubleAuctionView,
    unit="points",
    finals=finals,
    dealt=dealt,
    roles=market_roles,
    aim="payoff",
    step="ostrom.games.market.double_auction.step:STEP",
    players="ostrom.games.market.double_auction.players:STRATEGIES",
    briefing="ostrom.games.market.double_auction.briefing:DoubleAuctionBriefing",
    scene="ostrom.games.market.double_auction.scene:PRESENTATION",
    standings="ostrom.games.market.double_auction.events:figures",
    measures="ostrom.games.market.double_auction.measures:MEASURES",
)

__all__ = ["DOUBLE_AUCTION", "DoubleAuctionRules", "DoubleAuctionView", "PastMarketRound"]
