"""Contribute & Punish: messages, a public fund, costly punishment; the game of PGG-Bench."""

from ostrom.games.contribute_punish.events import EVENTS
from ostrom.games.contribute_punish.play import play
from ostrom.games.contribute_punish.rules import ContributePunishRules
from ostrom.games.contribute_punish.transcript import series, tell
from ostrom.games.contribute_punish.view import PastRound, Punishment, PunishView
from ostrom.games.registry import GAMES, Game

CONTRIBUTE_PUNISH = Game(
    name="contribute_punish",
    command="punish",
    summary="messages, a public fund that grows and is shared out, and punishment that costs the punisher too",
    fewest_seats=3,
    most_seats=100,
    rules=ContributePunishRules,
    play=play,
    events=EVENTS,
    tell=tell,
    series=series,
)
GAMES.add(CONTRIBUTE_PUNISH.name, CONTRIBUTE_PUNISH)

__all__ = ["CONTRIBUTE_PUNISH", "ContributePunishRules", "PastRound", "PunishView", "Punishment"]
