"""The algorithmic champions of the Commons. Importing this package registers the sixteen built-in ones."""

from ostrom.games.commons.players.base import (
    CHAMPIONS,
    Champion,
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

__all__ = [
    "CHAMPIONS",
    "Champion",
    "Context",
    "RowChampion",
    "register_champion",
]
