"""Voluntary contributions: the repeated public good as studies with people play it, with a fresh endowment in every
round, and with optional messages, punishment and reward."""

from ostrom.core.game import Game, Seats
from ostrom.games.contributions.events import EVENTS, finals
from ostrom.games.contributions.play import (
    ContributionsView,
    OwnContributions,
    PastContributions,
    PointsGiven,
    SeatOutcome,
    play,
)
from ostrom.games.contributions.rules import MOST_SEATS, ContributionsRules

CONTRIBUTIONS = Game(
    name="contributions",
    title="Voluntary contributions",
    summary="a repeated public good with a fresh endowment in every round, with or without punishment and reward",
    seats=Seats(2, MOST_SEATS, usual=4),
    rules=ContributionsRules,
    play=play,
    events=EVENTS,
    view=ContributionsView,
    unit="tokens",
    finals=finals,
    aim="payoff",
    symmetric=True,
    players="ostrom.games.contributions.players:STRATEGIES",
    step="ostrom.games.contributions.step:STEP",
    briefing="ostrom.games.contributions.briefing:ContributionsBriefing",
    scene="ostrom.games.contributions.scene:PRESENTATION",
    standings="ostrom.games.contributions.events:figures",
    measures="ostrom.games.contributions.measures:MEASURES",
)

__all__ = [
    "CONTRIBUTIONS",
    "ContributionsRules",
    "ContributionsView",
    "OwnContributions",
    "PastContributions",
    "PointsGiven",
    "SeatOutcome",
]
