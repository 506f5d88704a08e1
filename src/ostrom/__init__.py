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
    from ostrom.library.benchmarks import bench, power
    from ostrom.library.games import PlayedGame
    from ostrom.library.lab import Experiment, Lab
    from ostrom.library.lab import open_lab as open  # noqa: A004 - a laboratory is opened
    from ostrom.library.running import RunIncomplete, RunWarning, play
    from ostrom.library.simulations import design, evolve, exploitability, respond, solve, sweep, tournament
    from ostrom.players.models.bots import Bot
    from ostrom.players.roster import choose, load_players_file
    from ostrom.players.strategy import Strategy, strategy

    __version__: str

# Modules are imported when one of their names is first used: the command line must start before NumPy is loaded.
_PUBLIC_NAMES = {
    "ostrom.core.errors": ("InputError", "OstromError"),
    "ostrom.core.estimates": ("Estimate",),
    "ostrom.core.game": ("Game",),
    "ostrom.core.plugins": ("GAMES",),
    "ostrom.experiment": ("record_of", "replay"),
    "ostrom.experiment.limits": ("Limits",),
    "ostrom.findings.keeping": ("keep",),
    "ostrom.games.battery.subjects": ("Subject", "subject"),
    "ostrom.games.commons": ("CommonsRules",),
    "ostrom.games.commons.players": ("CHAMPIONS", "Champion", "Context", "register_champion"),
    "ostrom.games.contribute_punish": ("ContributePunishRules",),
    "ostrom.journal.record": ("read_record", "write_record"),
    "ostrom.library.benchmarks": ("bench", "power"),
    "ostrom.library.games": ("PlayedGame",),
    "ostrom.library.lab": ("Experiment", "Lab", "open"),
    "ostrom.library.running": ("RunIncomplete", "RunWarning", "play"),
    "ostrom.library.simulations": ("design", "evolve", "exploitability", "respond", "solve", "sweep", "tournament"),
    "ostrom.players.models.bots": ("Bot",),
    "ostrom.players.roster": ("choose", "load_players_file"),
    "ostrom.players.strategy": ("Strategy", "strategy"),
}
_MODULES = {name: module for module, names in _PUBLIC_NAMES.items() for name in names}
_OTHER_NAMES = {"keep": "keep_finding", "open": "open_lab"}
"""Names within the module that differ from the public names."""

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
    "RunIncomplete",
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
    if name not in _MODULES:
        return _function_of_verb(name)
    try:
        return getattr(importlib.import_module(_MODULES[name]), _OTHER_NAMES.get(name, name))
    except ModuleNotFoundError as error:
        missing_extra = importlib.import_module("ostrom.core.entry_points").missing_extra
        raise missing_extra(error) or error from error


def _function_of_verb(name: str) -> Any:
    """Return the function of a verb that is not listed here. It is a verb of `findings`, or one that a package
    registers as a command. Raise AttributeError if there is none."""
    entry_points = importlib.import_module("ostrom.core.entry_points")
    verbs = {} if name.startswith("_") else entry_points.verbs_of("ostrom.findings")
    registered = {} if name.startswith("_") else entry_points.declared(entry_points.COMMANDS_GROUP)
    if name in verbs:
        module, _, function = verbs[name].partition(":")
        verb = getattr(importlib.import_module(module), function)
    elif name in registered:
        verb = entry_points.load(entry_points.COMMANDS_GROUP, name)
    else:
        verb = None
    if type(verb).__name__ != "Verb":
        raise AttributeError(f"module 'ostrom' has no attribute {name!r}")
    return importlib.import_module("ostrom.library.verbs").function_from(verb, "players")


def __dir__() -> list[str]:
    return list(__all__)
