"""The Commons, a public goods game with dynamic synergy, lobbying, erosion, exclusion votes and no known end."""

from ostrom.core.game import Game, Seats
from ostrom.games.commons.events import EVENTS, finals
from ostrom.games.commons.play import OwnTurn, SeatView, play
from ostrom.games.commons.rules import CommonsRules

COMMONS = Game(
    name="commons",
    title="The Commons",
    summary="public goods with dynamic synergy, lobbying, erosion, exclusion votes and no known end",
    seats=Seats(2, 1000),
    rules=CommonsRules,
    play=play,
    events=EVENTS,
    scene="ostrom.games.commons.scene:PRESENTATION",
    view=SeatView,
    clock="turn",
    version="2",
    symmetric=True,
    aim="rank",
    unit="capital",
    finals=finals,
    players="ostrom.games.commons.players:CHAMPIONS",
    step="ostrom.games.commons.step:STEP",
    kernel="ostrom.games.commons.compiled:KERNEL",
    briefing="ostrom.games.commons.briefing:CommonsBriefing",
    standings="ostrom.games.commons.events:figures",
    measures="ostrom.games.commons.measures:MEASURES",
    charts="ostrom.games.commons.charts:CHARTS",
)

__all__ = ["COMMONS", "CommonsRules", "OwnTurn", "SeatView"]
