"""Bargaining by alternating offers: two seats divide a pie, and each rejection costs time."""

from ostrom.core.game import Game, Seats
from ostrom.games.market.alternating_offers.events import EVENTS, finals
from ostrom.games.market.alternating_offers.play import AlternatingOffersView, PastOffer, play
from ostrom.games.market.alternating_offers.rules import AlternatingOffersRules, bargain_roles

ALTERNATING_OFFERS = Game(
    name="alternating_offers",
    title="Alternating offers",
    summary="two divide a pie by offers in turn, and each rejection costs time or risks a breakdown",
    seats=Seats(2, 2, usual=2),
    rules=AlternatingOffersRules,
    play=play,
    events=EVENTS,
    view=AlternatingOffersView,
    unit="points",
    finals=finals,
    roles=bargain_roles,
    aim="payoff",
    players="ostrom.games.market.alternating_offers.players:STRATEGIES",
    step="ostrom.games.market.alternating_offers.step:STEP",
    decisions="ostrom.games.market.alternating_offers.plans:process_among",
    briefing="ostrom.games.market.alternating_offers.briefing:AlternatingOffersBriefing",
    scene="ostrom.games.market.alternating_offers.scene:PRESENTATION",
    standings="ostrom.games.market.alternating_offers.events:figures",
    measures="ostrom.games.market.alternating_offers.measures:MEASURES",
)

__all__ = ["ALTERNATING_OFFERS", "AlternatingOffersRules", "AlternatingOffersView", "PastOffer"]
