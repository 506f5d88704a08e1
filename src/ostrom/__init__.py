"""Ostrom: a laboratory for economic behaviour.

Models, algorithms, simulated subjects and people sit at one table and play economic games. ::

    import ostrom

    match = ostrom.play(["TitForTat", "Parasite", "Justicier:2"], seed=42)
    result = ostrom.tournament(ostrom.choose(), games=20, group_size=4, seed=42)
"""

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from ostrom.core.errors import InputError, OstromError
    from ostrom.core.estimates import Estimate
    from ostrom.core.game import Game
    from ostrom.core.plugins import GAMES
    from ostrom.experiment import record_of, replay
    from ostrom.experiment.limits import Limits
    from ostrom.findings.keeping import keep_finding as keep
    from ostrom.games.battery.subjects import Subject, subject
    from ostrom.games.commons import CommonsRules
    from ostrom.games.commons.players import CHAMPIONS, Champion, Context, register_champion
    from ostrom.games.contribute_punish import ContributePunishRules
    from ostrom.journal.record import read_record, write_record
    from ostrom.library.benchmarks import bench
    from ostrom.library.games import PlayedGame
    from ostrom.library.lab import Experiment, Lab
    from ostrom.library.lab import open_lab as open  # noqa: A004 - a laboratory is opened
    from ostrom.library.planning import power
    from ostrom.library.playing import play
    from ostrom.library.running import RunWarning
    from ostrom.library.simulations import design, evolve, exploitability, respond, solve, sweep, tournament
    from ostrom.players.models.bots import Bot
    from ostrom.players.roster import choose, load_players_file
    from ostrom.players.strategy import Strategy, strategy

    __version__: str

# Looked up when first used, so that the command line answers before NumPy has been read.
_WHERE = {
    "CHAMPIONS": "ostrom.games.commons.players",
    "GAMES": "ostrom.core.plugins",
    "Bot": "ostrom.players.models.bots",
    "Champion": "ostrom.games.commons.players",
    "CommonsRules": "ostrom.games.commons",
    "Context": "ostrom.games.commons.players",
    "ContributePunishRules": "ostrom.games.contribute_punish",
    "Estimate": "ostrom.core.estimates",
    "Experiment": "ostrom.library.lab",
    "Game": "ostrom.core.game",
    "InputError": "ostrom.core.errors",
    "Lab": "ostrom.library.lab",
    "Limits": "ostrom.experiment.limits",
    "OstromError": "ostrom.core.errors",
    "PlayedGame": "ostrom.library.games",
    "RunWarning": "ostrom.library.running",
    "Strategy": "ostrom.players.strategy",
    "Subject": "ostrom.games.battery.subjects",
    "bench": "ostrom.library.benchmarks",
    "choose": "ostrom.players.roster",
    "design": "ostrom.library.simulations",
    "evolve": "ostrom.library.simulations",
    "exploitability": "ostrom.library.simulations",
    "keep": "ostrom.findings.keeping:keep_finding",
    "load_players_file": "ostrom.players.roster",
    "open": "ostrom.library.lab:open_lab",
    "play": "ostrom.library.playing",
    "power": "ostrom.library.planning",
    "read_record": "ostrom.journal.record",
    "record_of": "ostrom.experiment",
    "register_champion": "ostrom.games.commons.players",
    "replay": "ostrom.experiment",
    "respond": "ostrom.library.simulations",
    "solve": "ostrom.library.simulations",
    "strategy": "ostrom.players.strategy",
    "subject": "ostrom.games.battery.subjects",
    "sweep": "ostrom.library.simulations",
    "tournament": "ostrom.library.simulations",
    "write_record": "ostrom.journal.record",
}

__all__ = [
    "CHAMPIONS",
    "GAMES",
    "Bot",
    "Champion",
    "CommonsRules",
    "Context",
    "ContributePunishRules",
    "Estimate",
    "Experiment",
    "Game",
    "InputError",
    "Lab",
    "Limits",
    "OstromError",
    "PlayedGame",
    "RunWarning",
    "Strategy",
    "Subject",
    "__version__",
    "bench",
    "choose",
    "design",
    "evolve",
    "exploitability",
    "keep",
    "load_players_file",
    "open",
    "play",
    "power",
    "read_record",
    "record_of",
    "register_champion",
    "replay",
    "respond",
    "solve",
    "strategy",
    "subject",
    "sweep",
    "tournament",
    "write_record",
]


def __getattr__(name: str) -> Any:
    if name == "__version__":
        return importlib.import_module("ostrom.version").VERSION
    if name not in _WHERE:
        return _function_of_verb(name)
    module, _, within = _WHERE[name].partition(":")
    try:
        return getattr(importlib.import_module(module), within or name)
    except ModuleNotFoundError as error:
        missing_extra = importlib.import_module("ostrom.core.entry_points").missing_extra
        raise missing_extra(error) or error from error


def _function_of_verb(name: str) -> Any:
    """Return the function of a verb that has no entry of its own here. Raise AttributeError if there is none."""
    verbs = (
        {} if name.startswith("_") else importlib.import_module("ostrom.core.entry_points").verbs_of("ostrom.findings")
    )
    if name not in verbs:
        raise AttributeError(f"module 'ostrom' has no attribute {name!r}")
    module, _, function = verbs[name].partition(":")
    verb = getattr(importlib.import_module(module), function)
    return importlib.import_module("ostrom.library.verbs").function_from(verb, "players")


def __dir__() -> list[str]:
    return list(__all__)
