"""Repeated games: any two-player matrix game, played once or many times, with noise, messages and an unknown end."""

from ostrom.core.game import Game, Seats
from ostrom.games.repeated.events import EVENTS, finals
from ostrom.games.repeated.play import PairRound, RepeatedView, play
from ostrom.games.repeated.rules import RepeatedRules, Rules

REPEATED = Game(
    name="repeated",
    title="Repeated game",
    summary="two choose at once in a matrix game, once or many times, with noise, messages and an unknown end",
    seats=Seats(2, 2, usual=2),
    rules=Rules,
    play=play,
    events=EVENTS,
    view=RepeatedView,
    unit="points",
    finals=finals,
    aim="payoff",
    players="ostrom.games.repeated.players:STRATEGIES",
    step="ostrom.games.repeated.step:STEP",
    decisions="ostrom.games.repeated.automata:process_among",
    briefing="ostrom.games.repeated.briefing:RepeatedBriefing",
    scene="ostrom.games.repeated.scene:PRESENTATION",
    standings="ostrom.games.repeated.events:figures",
    measures="ostrom.games.repeated.measures:MEASURES",
    charts="ostrom.games.repeated.charts:CHARTS",
)

__all__ = ["REPEATED", "PairRound", "RepeatedRules", "RepeatedView", "Rules"]
