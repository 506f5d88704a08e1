"""Cartel talk: a judge reads the messages of each side of a market, and says whether they fix prices, threaten
undercutters or divide trades."""

from ostrom.core.game import Game, Seats
from ostrom.games.market.reading.play import EVENTS, CartelTalkRules, SideView, play

CARTEL_TALK = Game(
    name="cartel_talk",
    title="Cartel talk",
    summary="a judge reads the messages of each side of a market and says whether they fix prices",
    seats=Seats(1, 1),
    rules=CartelTalkRules,
    play=play,
    events=EVENTS,
    scene="ostrom.games.market.reading.scene:PRESENTATION",
    instrument=True,
    clock="question",
    view=SideView,
    briefing="ostrom.games.market.reading.briefing:CartelTalkBriefing",
)

__all__ = ["CARTEL_TALK", "CartelTalkRules"]
