"""The built-in players of Contribute & Punish. Importing this package registers all nine."""

from ostrom.games.contribute_punish.players.player import PunisherContestant
from ostrom.games.contribute_punish.players.strategies import (
    PUNISHERS,
    AltruisticPunisher,
    AntisocialPunisher,
    Choice,
    ConditionalCooperator,
    Cooperator,
    EndgameDefector,
    FreeRider,
    LeaderPunisher,
    Punisher,
    RandomGiver,
    Retaliator,
)
from ostrom.players.base import BuiltIn

for _player in (
    Cooperator(),
    FreeRider(),
    ConditionalCooperator(),
    AltruisticPunisher(),
    AntisocialPunisher(),
    Retaliator(),
    LeaderPunisher(),
    EndgameDefector(),
    RandomGiver(),
):
    PUNISHERS.add(_player.name, _player)

PLAYERS = BuiltIn(PUNISHERS, lambda name: PunisherContestant(PUNISHERS[name]))
"""Who the roster seats."""

__all__ = ["PLAYERS", "PUNISHERS", "Choice", "Punisher"]
