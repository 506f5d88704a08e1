"""Games as environments of PettingZoo, Gymnasium and JAX, and as tasks of Inspect.

The libraries are extras (`ostrom[rl]`, `ostrom[jax]`, `ostrom[inspect]`) and imported on first use. Any registered game
can be used as an environment.
"""

import importlib
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from ostrom.core.entry_points import GAMES_GROUP, declared, missing_extra

if TYPE_CHECKING:
    from ostrom.environments.arrays import Network, jax_env, jax_table, network_levels, new_network, save_network
    from ostrom.environments.seat import seat_env
    from ostrom.environments.zoo import aec_env, parallel_env

_PUBLIC_NAMES = {
    "arrays": ("Network", "jax_env", "jax_table", "network_levels", "new_network", "save_network"),
    "seat": ("seat_env",),
    "zoo": ("aec_env", "parallel_env"),
}
_MODULES = {name: module for module, names in _PUBLIC_NAMES.items() for name in names}

__all__ = [
    "Network",
    "aec_env",
    "jax_env",
    "jax_table",
    "network_levels",
    "new_network",
    "parallel_env",
    "save_network",
    "seat_env",
]


def __getattr__(name: str) -> Any:
    if name not in _MODULES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    try:
        return getattr(importlib.import_module(f"ostrom.environments.{_MODULES[name]}"), name)
    except ModuleNotFoundError as error:
        raise missing_extra(error) or error from error


def __dir__() -> list[str]:
    return sorted(__all__)


def _register() -> None:
    """Register every installed game with Gymnasium as ostrom/GAME-v0, without importing the game."""
    gymnasium = importlib.import_module("gymnasium")
    for command in declared(GAMES_GROUP):
        name = f"ostrom/{command}-v0"
        if name not in gymnasium.registry:
            gymnasium.register(id=name, entry_point="ostrom.environments.seat:SeatEnv", kwargs={"game": command})


with suppress(ModuleNotFoundError):  # The other interfaces do not need Gymnasium.
    _register()
