"""Contribute & Punish, a public goods game with messages and costly punishment. It is the game of PGG-Bench."""

from ostrom.core.game import Game, Seats
from ostrom.games.contribute_punish.events import EVENTS, finals
from ostrom.games.contribute_punish.play import PastRound, Punishment, PunishView, play
from ostrom.games.contribute_punish.rules import ContributePunishRules

CONTRIBUTE_PUNISH = Game(
    name="contribute_punish",
    command="punish",
    title="Contribute & Punish",
    summary="messages, a public fund that grows and is shared out, and punishment that costs the punisher too",
    seats=Seats(3, 100, usual=5),
    rules=ContributePunishRules,
    play=play,
    events=EVENTS,
    scene="ostrom.games.contribute_punish.scene:PRESENTATION",
    view=PunishView,
    unit="tokens",
    finals=finals,
    aim="rank",
    symmetric=True,
    players="ostrom.games.contribute_punish.players:PUNISHERS",
    step="ostrom.games.contribute_punish.step:STEP",
    briefing="ostrom.games.contribute_punish.briefing:ContributePunishBriefing",
    standings="ostrom.games.contribute_punish.events:figures",
    measures="ostrom.games.contribute_punish.measures:MEASURES",
    titles="ostrom.games.contribute_punish.titles:claims",
    charts="ostrom.games.contribute_punish.charts:CHARTS",
)

__all__ = ["CONTRIBUTE_PUNISH", "ContributePunishRules", "PastRound", "PunishView", "Punishment"]
