"""The algorithmic champions of the Commons. Importing this package registers the sixteen built-in ones."""

from ostrom.players.champions.apprenant import Apprenant
from ostrom.players.champions.base import (
    CHAMPIONS,
    Champion,
    ChampionEntry,
    Context,
    RowChampion,
    register_champion,
)
from ostrom.players.champions.constant import AlwaysBetray, AlwaysCoop, RandomPlayer
from ostrom.players.champions.justicier import Justicier
from ostrom.players.champions.lobbyists import Capitaliste, Parasite, Pragmatique
from ostrom.players.champions.opportunists import Opportuniste, Pavlov
from ostrom.players.champions.reciprocators import (
    Detective,
    GenerousTFT,
    Gradual,
    MajorityDetector,
    Rancunier,
    TitForTat,
)

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

__all__ = ["CHAMPIONS", "Champion", "ChampionEntry", "Context", "RowChampion", "register_champion"]
