"""Games as environments of pure functions with the interfaces of gymnax and JaxMARL: `reset` and `step` can be
compiled, vectorised over many games (`vmap`) and rolled out (`scan`). When a game ends, the next one starts.

A JAX key determines the number of the game. Therefore `ostrom.play` can repeat every episode with the same moves. Small
networks that are trained here can be saved in the format of the policies of `ostrom respond`. They then play as
`policy:FILE.json`.
"""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple, TypeAlias

import jax
import jax.numpy as jnp
from pydantic import BaseModel

from ostrom.core import InputError
from ostrom.core.arrays import Array
from ostrom.core.game import Game
from ostrom.core.plugins import find_game
from ostrom.players.policy import FAMILY, ConstantRule, Corrected, write_policy
from ostrom.players.roster import choose
from ostrom.sim.array_game import ArrayGame, Playing
from ostrom.sim.batch import Reward

Params: TypeAlias = Mapping[str, Any] | None
"""Values of numeric rules. They replace the rules' values in a compiled game."""


def _game_number(key: Array) -> Array:
    return jax.random.bits(key, dtype=jnp.uint32)


def _where_done(done: Array, fresh: Any, old: Any) -> Any:
    with jax.enable_x64(True):
        return jax.tree.map(lambda new, previous: jnp.where(done, new, previous), fresh, old)


class SeatArrayEnv(ArrayGame):
    """One seat of a game, with the interface of gymnax: `reset(key) → observation, state` and `step(key, state, action)
    → observation, state, reward, done, info`. Strategies over rows play the other seats. An action has a number for
    each of `fields`. Amounts are scaled: 0 is the smallest allowed amount and 1 the largest. Other fields, such as a
    vote, have the values that the array form of the game uses. `params` replaces the values of numeric rules that are
    arguments of the compiled game."""

    def __init__(
        self,
        game: str | Game,
        *,
        opponents: Sequence[str],
        seat: int = 0,
        rules: BaseModel | Mapping[str, Any] | None = None,
        reward: Reward = "gain",
        seed: int = 0,
        fields: Sequence[str] | None = None,
    ) -> None:
        definition = find_game(game)
        entries = choose(list(opponents), game=definition.name)
        without_rows = [entry.name for entry in entries if entry.rows is None]
        if without_rows:
            raise InputError(f"{', '.join(without_rows)} plays in plain Python; opponents in JAX need a form over rows")
        places = [place for place in range(len(entries) + 1) if place != seat]
        if len(places) != len(entries):
            raise InputError(f"there is no seat {seat}; the table has seats 0 to {len(entries)}")
        opponent_rows = {
            place: entry.rows for place, entry in zip(places, entries, strict=True) if entry.rows is not None
        }
        super().__init__(
            definition,
            opponents=opponent_rows,
            seats=len(entries) + 1,
            rules=rules,
            reward=reward,
            seed=seed,
            fields=fields,
        )
        self.seat = seat

    def reset(self, key: Array, params: Params = None) -> tuple[Array, Playing]:
        """Start the game that the key chooses."""
        playing = self.begin(_game_number(key), params)
        return self.features(playing, self.seat, params), playing

    def step_env(
        self, key: Array, state: Playing, action: Array, params: Params = None
    ) -> tuple[Array, Playing, Array, Array, dict[str, Array]]:
        """Play one phase. A finished game stays at its end."""
        answers = {name: action[place] for place, name in enumerate(self.fields)}
        after, rewards, done = self.advance(state, {self.seat: answers}, params)
        info = {"finals": self.finals(after, params), "game": state.game, "turn": self.turn(state, after, params)}
        return self.features(after, self.seat, params), after, rewards[self.seat], done, info

    def step(
        self, key: Array, state: Playing, action: Array, params: Params = None
    ) -> tuple[Array, Playing, Array, Array, dict[str, Array]]:
        """Play one phase. When a game ends, start the next game and return its first observation."""
        observation, after, reward, done, info = self.step_env(key, state, action, params)
        first, fresh = self.reset(key, params)
        return _where_done(done, first, observation), _where_done(done, fresh, after), reward, done, info


class TableArrayEnv(ArrayGame):
    """All seats of a game, with the interface of JaxMARL: `reset(key) → observations, state` and `step(key, state,
    actions) → observations, state, rewards, dones, infos`, each a mapping by agent. `dones["__all__"]` is true when the
    game is over. Actions have the same form as in `SeatArrayEnv`."""

    def __init__(
        self,
        game: str | Game,
        *,
        seats: int | None = None,
        rules: BaseModel | Mapping[str, Any] | None = None,
        reward: Reward = "gain",
        seed: int = 0,
        fields: Sequence[str] | None = None,
    ) -> None:
        definition = find_game(game)
        count = seats if seats is not None else definition.seats.usual or definition.seats.fewest
        super().__init__(definition, opponents={}, seats=count, rules=rules, reward=reward, seed=seed, fields=fields)
        self.agents = [f"seat_{seat}" for seat in range(count)]
        self.num_agents = count

    def reset(self, key: Array, params: Params = None) -> tuple[dict[str, Array], Playing]:
        """Start the game that the key chooses."""
        playing = self.begin(_game_number(key), params)
        return self._observations(playing, params), playing

    def _observations(self, playing: Playing, params: Params) -> dict[str, Array]:
        return {agent: self.features(playing, seat, params) for seat, agent in enumerate(self.agents)}

    def step_env(
        self, key: Array, state: Playing, actions: Mapping[str, Array], params: Params = None
    ) -> tuple[dict[str, Array], Playing, dict[str, Array], dict[str, Array], dict[str, Array]]:
        """Play one phase. A finished game stays at its end."""
        answers = {
            seat: {name: actions[agent][place] for place, name in enumerate(self.fields)}
            for seat, agent in enumerate(self.agents)
        }
        after, gains, done = self.advance(state, answers, params)
        rewards = {agent: gains[seat] for seat, agent in enumerate(self.agents)}
        dones = dict.fromkeys([*self.agents, "__all__"], done)
        info = {"finals": self.finals(after, params), "game": state.game, "turn": self.turn(state, after, params)}
        return self._observations(after, params), after, rewards, dones, info

    def step(
        self, key: Array, state: Playing, actions: Mapping[str, Array], params: Params = None
    ) -> tuple[dict[str, Array], Playing, dict[str, Array], dict[str, Array], dict[str, Array]]:
        """Play one phase. When a game ends, start the next game and return its first observations."""
        observations, after, rewards, dones, info = self.step_env(key, state, actions, params)
        first, fresh = self.reset(key, params)
        done = dones["__all__"]
        return _where_done(done, first, observations), _where_done(done, fresh, after), rewards, dones, info


jax_env = SeatArrayEnv
jax_table = TableArrayEnv


class Network(NamedTuple):
    """A network with one hidden layer: h = tanh(A·(x, 1)). The levels are B·(x, h, 1). They are clipped to the range
    from 0 to 1 when the network plays."""

    hidden: Array
    """The matrix A, of shape (hidden, inputs + 1)."""
    output: Array
    """The matrix B, of shape (outputs, inputs + hidden + 1)."""


def new_network(key: Array, env: SeatArrayEnv | TableArrayEnv, hidden: int = 16, level: float = 0.5) -> Network:
    """Return a network with small initial weights, so that every field starts near `level`."""
    first = jax.random.normal(key, (hidden, env.inputs + 1)) / jnp.sqrt(env.inputs + 1.0)
    output = jnp.zeros((len(env.fields), env.inputs + hidden + 1)).at[:, -1].set(level)
    return Network(first, output)


def network_levels(network: Network, observations: Array) -> Array:
    """Return the levels that a network chooses, one for each field. The last axis of the observations has the inputs,
    so that many observations can be given at once."""
    bias = jnp.ones_like(observations[..., :1])
    hidden = jnp.tanh(jnp.concatenate([observations, bias], axis=-1) @ network.hidden.T)
    return jnp.concatenate([observations, hidden, bias], axis=-1) @ network.output.T


def save_network(path: str | Path, network: Network, env: SeatArrayEnv | TableArrayEnv, **about: Any) -> str:
    """Write a network to a file and return its player name. `about` describes the training."""
    units, inputs = network.hidden.shape[0], network.hidden.shape[1] - 1
    # A policy's network may be recurrent. This network is not recurrent, so the weights of its previous state are 0.
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
