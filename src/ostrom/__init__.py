"""Ostrom: a laboratory for economic behaviour.

Models, algorithms, simulated subjects and people sit at one table and play economic games. ::

    import ostrom

    match = ostrom.play(["TitForTat", "Parasite", "Justicier:2"], seed=42)
    result = ostrom.tournament(ostrom.choose(), games=20, group_size=4, seed=42)
"""

import importlib
from typing import TYPE_CHECKING, Any

from ostrom.aliases import install as _let_old_paths_import

if TYPE_CHECKING:
    from ostrom.core.errors import InputError, OstromError
    from ostrom.core.plugins import GAMES
    from ostrom.experiment import play, record_of, replay
    from ostrom.games.battery.subjects import Subject, subject
    from ostrom.games.commons import CommonsRules
    from ostrom.games.commons.players import CHAMPIONS, Champion, Context, register_champion
    from ostrom.games.contribute_punish import ContributePunishRules
    from ostrom.journal.record import read_record, write_record
    from ostrom.players.roster import choose, load_players_file
    from ostrom.players.strategy import Strategy, strategy
    from ostrom.sim.best_response import exploitability, respond
    from ostrom.sim.sweep import sweep
    from ostrom.sim.tournament import tournament

    __version__: str

_let_old_paths_import()

# Looked up when first used, so that the command line answers before NumPy has been read.
_WHERE = {
    "CHAMPIONS": "ostrom.games.commons.players",
    "GAMES": "ostrom.core.plugins",
    "ContributePunishRules": "ostrom.games.contribute_punish",
    "InputError": "ostrom.core.errors",
    "OstromError": "ostrom.core.errors",
    "Champion": "ostrom.games.commons.players",
    "CommonsRules": "ostrom.games.commons",
    "Context": "ostrom.games.commons.players",
    "Strategy": "ostrom.players.strategy",
    "Subject": "ostrom.games.battery.subjects",
    "choose": "ostrom.players.roster",
    "exploitability": "ostrom.sim.best_response",
    "load_players_file": "ostrom.players.roster",
    "play": "ostrom.experiment",
    "read_record": "ostrom.journal.record",
    "record_of": "ostrom.experiment",
    "register_champion": "ostrom.games.commons.players",
    "replay": "ostrom.experiment",
    "respond": "ostrom.sim.best_response",
    "strategy": "ostrom.players.strategy",
    "subject": "ostrom.games.battery.subjects",
    "sweep": "ostrom.sim.sweep",
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
    "Strategy",
    "Subject",
    "__version__",
    "choose",
    "exploitability",
    "load_players_file",
    "play",
    "read_record",
    "record_of",
    "register_champion",
    "replay",
    "respond",
    "strategy",
    "subject",
    "sweep",
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
