"""Games as environments of PettingZoo, Gymnasium and JAX, and as tasks of Inspect.

Games are found through the registry only. The libraries of an interface are extras (`ostrom[rl]`, `ostrom[jax]`,
`ostrom[inspect]`) and imported on first use."""

import importlib
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from ostrom.core.entry_points import GAMES_GROUP, declared, missing_extra

if TYPE_CHECKING:
    from ostrom.environments.arrays import Network, jax_env, jax_table, network_levels, new_network, save_network
    from ostrom.environments.seat import seat_env
    from ostrom.environments.zoo import aec_env, parallel_env

_MODULES = {
    "aec_env": "ostrom.environments.zoo",
    "jax_env": "ostrom.environments.arrays",
    "jax_table": "ostrom.environments.arrays",
    "Network": "ostrom.environments.arrays",
    "network_levels": "ostrom.environments.arrays",
    "new_network": "ostrom.environments.arrays",
    "parallel_env": "ostrom.environments.zoo",
    "save_network": "ostrom.environments.arrays",
    "seat_env": "ostrom.environments.seat",
}

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
        return getattr(importlib.import_module(_MODULES[name]), name)
    except ModuleNotFoundError as error:
        if (missing := missing_extra(error)) is not None:
            raise missing from error
        raise


def __dir__() -> list[str]:
    return sorted(__all__)


def _register() -> None:
    """Register every installed game with Gymnasium as ostrom/GAME-v0, without importing the game."""
    gymnasium = importlib.import_module("gymnasium")
    for command in declared(GAMES_GROUP):
        name = f"ostrom/{command}-v0"
        if name not in gymnasium.registry:
            gymnasium.register(id=name, entry_point="ostrom.environments.seat:SeatEnv", kwargs={"game": command})


with suppress(ModuleNotFoundError):  # the other interfaces do not need Gymnasium
    _register()
