"""Ostrom: a laboratory for economic behaviour.

Models, algorithms, simulated subjects and people sit at one table and play economic games. ::

    import ostrom

    match = ostrom.play(["TitForTat", "Parasite", "Justicier:2"], seed=42)
    result = ostrom.tournament(ostrom.choose(), games=20, group_size=4, seed=42)
"""

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from ostrom.games.commons import CommonsRules
    from ostrom.games.contribute_punish import ContributePunishRules
    from ostrom.games.registry import GAMES
    from ostrom.journal.record import read_record, write_record
    from ostrom.lab import play, record_of, replay
    from ostrom.players.champions import CHAMPIONS, Champion, Context, register_champion
    from ostrom.players.roster import choose, load_players_file
    from ostrom.sim.tournament import tournament
    from ostrom.table.errors import InputError, OstromError

    __version__: str

# Looked up when first used, so that the command line answers before NumPy has been read.
_WHERE = {
    "CHAMPIONS": "ostrom.players.champions",
    "GAMES": "ostrom.games",
    "ContributePunishRules": "ostrom.games.contribute_punish",
    "InputError": "ostrom.table.errors",
    "OstromError": "ostrom.table.errors",
    "Champion": "ostrom.players.champions",
    "CommonsRules": "ostrom.games.commons",
    "Context": "ostrom.players.champions",
    "choose": "ostrom.players.roster",
    "load_players_file": "ostrom.players.roster",
    "play": "ostrom.lab",
    "read_record": "ostrom.journal.record",
    "record_of": "ostrom.lab",
    "register_champion": "ostrom.players.champions",
    "replay": "ostrom.lab",
    "tournament": "ostrom.sim.tournament",
    "write_record": "ostrom.journal.record",
}

__all__ = [
    "CHAMPIONS",
    "GAMES",
    "Champion",
    "CommonsRules",
    "Context",
    "ContributePunishRules",
    "InputError",
    "OstromError",
    "__version__",
    "choose",
    "load_players_file",
    "play",
    "read_record",
    "record_of",
    "register_champion",
    "replay",
    "tournament",
    "write_record",
]


def __getattr__(name: str) -> Any:
    if name == "__version__":
        return importlib.import_module("ostrom.version").VERSION
    if name in _WHERE:
        return getattr(importlib.import_module(_WHERE[name]), name)
    raise AttributeError(f"module 'ostrom' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
