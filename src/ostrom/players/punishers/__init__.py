"""The built-in players of Contribute & Punish. Importing this package registers all nine."""

from ostrom.players.punishers.base import PUNISHERS, Choice, Punisher
from ostrom.players.punishers.players import (
    AltruisticPunisher,
    AntisocialPunisher,
    ConditionalCooperator,
    Cooperator,
    EndgameDefector,
    FreeRider,
    LeaderPunisher,
    RandomGiver,
    Retaliator,
)

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

__all__ = ["PUNISHERS", "Choice", "Punisher"]
