"""Harvest: the common pool that Elinor Ostrom wrote about, as a game for the laboratory that bears her name."""

from ostrom.core.game import Game, Seats
from ostrom_harvest.events import EVENTS
from ostrom_harvest.play import play
from ostrom_harvest.results import finals
from ostrom_harvest.rules import HarvestRules
from ostrom_harvest.view import HarvestView, PastRound

HARVEST = Game(
    name="harvest",
    title="Harvest",
    summary="a stock that regrows, harvests at once, a vote on a quota, and fines that grow with each offence",
    clock="round",
    unit="tonnes",
    seats=Seats(2, 100, usual=5),
    rules=HarvestRules,
    view=HarvestView,
    play=play,
    events=EVENTS,
    finals=finals,
    better="higher",
    symmetric=True,
    aim="payoff",
    api=2,
    players="ostrom_harvest.strategies:STRATEGIES",
    step="ostrom_harvest.step:STEP",
    briefing="ostrom_harvest.briefing:HarvestBriefing",
    scene="ostrom_harvest.scene:PRESENTATION",
    measures="ostrom_harvest.measures:MEASURES",
    charts="ostrom_harvest.charts:CHARTS",
    version="1",
)

__all__ = ["HARVEST", "HarvestRules", "HarvestView", "PastRound"]
