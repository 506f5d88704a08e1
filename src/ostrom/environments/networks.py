"""Small networks that learn in an environment of arrays and become players: what is trained here is a policy of the
kind that `ostrom respond` writes, so that its file sits at any table as `policy:FILE.json`."""

from pathlib import Path
from typing import Any, NamedTuple

import jax
import jax.numpy as jnp

from ostrom.core.arrays import Array
from ostrom.environments.arrays import SeatArrayEnv, TableArrayEnv
from ostrom.players.policy import FAMILY, ConstantRule, Corrected, write_policy


class Network(NamedTuple):
    """One hidden layer: h = tanh(A·(x, 1)), and levels B·(x, h, 1), of which what lies between 0 and 1 is played."""

    hidden: Array
    """(hidden, inputs + 1) A."""
    output: Array
    """(outputs, inputs + hidden + 1) B."""


def new_network(key: Array, env: SeatArrayEnv | TableArrayEnv, hidden: int = 16, level: float = 0.5) -> Network:
    """A network for an environment that begins with small weights, and so near one level of every field."""
    first = jax.random.normal(key, (hidden, env.inputs + 1)) / jnp.sqrt(env.inputs + 1.0)
    output = jnp.zeros((len(env.fields), env.inputs + hidden + 1)).at[:, -1].set(level)
    return Network(first, output)


def network_levels(network: Network, seen: Array) -> Array:
    """The levels that a network chooses: (inputs,) → (fields,), or for many observations at once."""
    one = jnp.ones_like(seen[..., :1])
    hidden = jnp.tanh(jnp.concatenate([seen, one], axis=-1) @ network.hidden.T)
    return jnp.concatenate([seen, hidden, one], axis=-1) @ network.output.T


def save_network(path: str | Path, network: Network, env: SeatArrayEnv | TableArrayEnv, **about: Any) -> str:
    """Keep a network in a file; the name under which it can then be seated. `about` says what it was trained for."""
    units, inputs = network.hidden.shape[0], network.hidden.shape[1] - 1
    # A policy's network may remember; this one does not, so the weights of its last state are 0.
    first = jnp.concatenate([network.hidden[:, :-1], jnp.zeros((units, units)), network.hidden[:, -1:]], axis=1)
    weights = jnp.concatenate([first, network.output]).reshape(-1)
    rule = Corrected(
        base=ConstantRule(levels=dict.fromkeys(env.fields, 0.0)),
        hidden=units,
        inputs=inputs,
        outputs=env.fields,
        weights=tuple(float(weight) for weight in jax.device_get(weights)),
    )
    write_policy(Path(path), rule, env.game, {"trained": about})
    return f"{FAMILY}:{path}"
