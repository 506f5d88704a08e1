"""Sealed auctions: in every round all bidders bid at once for one or several units, each for one of them."""

from ostrom.core.game import Game, Seats
from ostrom.games.market.auction.events import EVENTS, finals
from ostrom.games.market.auction.play import AuctionView, PastAuction, play
from ostrom.games.market.auction.rules import AuctionRules

AUCTION = Game(
    name="auction",
    title="Sealed auction",
    summary="bidders with private values bid at once: first-price, second-price, all-pay or uniform-price",
    seats=Seats(2, 20, usual=4),
    rules=AuctionRules,
    play=play,
    events=EVENTS,
    view=AuctionView,
    unit="points",
    finals=finals,
    aim="payoff",
    players="ostrom.games.market.auction.players:STRATEGIES",
    briefing="ostrom.games.market.auction.briefing:AuctionBriefing",
    scene="ostrom.games.market.auction.scene:PRESENTATION",
    standings="ostrom.games.market.auction.events:figures",
    measures="ostrom.games.market.auction.measures:MEASURES",
    step="ostrom.games.market.auction.step:STEP",
)

__all__ = ["AUCTION", "AuctionRules", "AuctionView", "PastAuction"]
