"""Bargaining: one buyer and one seller write to each other, then quote at once, round after round. It is the double
auction of two seats, with talk as a rule and a few parts of its own."""

from ostrom.core.game import Game, Seats
from ostrom.games.market.bargaining.play import EVENTS, BargainingAborted, BargainingRules, play
from ostrom.games.market.double_auction.events import dealt, finals
from ostrom.games.market.double_auction.play import DoubleAuctionView
from ostrom.games.market.double_auction.rules import market_roles

BARGAINING = Game(
    name="bargaining",
    title="Bargaining",
    summary="a buyer and a seller talk, then quote a price at once",
    seats=Seats(2, 2, usual=2),
    rules=BargainingRules,
    play=play,
    events=EVENTS,
    view=DoubleAuctionView,
    unit="points",
    finals=finals,
    dealt=dealt,
    roles=market_roles,
    aim="payoff",
    players="ostrom.games.market.bargaining.players:STRATEGIES",
    briefing="ostrom.games.market.bargaining.briefing:BargainingBriefing",
    scene="ostrom.games.market.bargaining.scene:PRESENTATION",
    standings="ostrom.games.market.double_auction.events:figures",
    measures="ostrom.games.market.bargaining.measures:MEASURES",
    step="ostrom.games.market.double_auction.step:STEP",
)

__all__ = ["BARGAINING", "BargainingAborted", "BargainingRules"]
