"""The algorithmic champions of the Commons. Importing this package registers the sixteen built-in ones."""

from ostrom.games.commons.players.base import (
    CHAMPIONS,
    Champion,
    ChampionEntry,
    Context,
    RowChampion,
    register_champion,
)
from ostrom.games.commons.players.champions import (
    AlwaysBetray,
    AlwaysCoop,
    Apprenant,
    Capitaliste,
    Detective,
    GenerousTFT,
    Gradual,
    Justicier,
    MajorityDetector,
    Opportuniste,
    Parasite,
    Pavlov,
    Pragmatique,
    Rancunier,
    RandomPlayer,
    TitForTat,
)
from ostrom.games.commons.players.player import ChampionContestant
from ostrom.players.base import BuiltIn

for _champion in (
    AlwaysCoop,
    AlwaysBetray,
    TitForTat,
    GenerousTFT,
    Rancunier,
    Pavlov,
    RandomPlayer,
    Detective,
    Gradual,
    MajorityDetector,
    Capitaliste,
    Parasite,
    Pragmatique,
    Apprenant,
    Justicier,
    Opportuniste,
):
    register_champion(_champion)

PLAYERS = BuiltIn(CHAMPIONS, lambda name: ChampionContestant(CHAMPIONS[name]))
"""Who the roster seats."""

__all__ = [
    "CHAMPIONS",
    "PLAYERS",
    "Champion",
    "ChampionEntry",
    "Context",
    "RowChampion",
    "register_champion",
]
