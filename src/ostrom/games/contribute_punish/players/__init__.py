"""The built-in players of Contribute & Punish. Importing this package registers all nine."""

from ostrom.core import Registry
from ostrom.games.contribute_punish.players.strategies import (
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
from ostrom.players.strategy import StrategyEntry, enter, entry_of

PUNISHERS: Registry[StrategyEntry] = Registry("player")

for _player in (
    Cooperator,
    FreeRider,
    ConditionalCooperator,
    AltruisticPunisher,
    AntisocialPunisher,
    Retaliator,
    LeaderPunisher,
    EndgameDefector,
    RandomGiver,
):
    enter(PUNISHERS, entry_of(_player))

__all__ = ["PUNISHERS", "Choice", "Punisher"]
