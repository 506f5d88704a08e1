"""Games as environments of pure functions, in the manner of gymnax and JaxMARL: `reset` and `step` can be compiled,
mapped over many games (`vmap`) and rolled out (`scan`), and a game that is over is followed by another.

A key chooses the number of the game, so every episode is a game that `ostrom.play` can play with the same moves."""

from collections.abc import Mapping, Sequence
from typing import Any

import jax
import jax.numpy as jnp
from pydantic import BaseModel

from ostrom.core import InputError
from ostrom.core.arrays import Array
from ostrom.core.game import Game
from ostrom.core.plugins import find_game
from ostrom.players.roster import choose
from ostrom.sim.array_game import ArrayGame, Playing
from ostrom.sim.rewards import Reward


def _number(key: Array) -> Array:
    return jax.random.bits(key, dtype=jnp.uint32)


def _chosen(done: Array, fresh: Any, old: Any) -> Any:
    with jax.enable_x64(True):
        return jax.tree.map(lambda new, was: jnp.where(done, new, was), fresh, old)


class SeatArrayEnv(ArrayGame):
    """One seat among strategies over rows, in the manner of gymnax: `reset(key) → observation, state` and
    `step(key, state, action) → observation, state, reward, done, info`. An action has a number for each of `fields`: a
    quantity from 0, the least that is allowed, to 1, the most; what is no quantity, such as a vote, as the array form
    has it. `params` gives other numbers to rules that a compiled game takes as arguments."""

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
        found = find_game(game)
        entries = choose(list(opponents), game=found.name)
        slow = [entry.name for entry in entries if entry.rows is None]
        if slow:
            raise InputError(f"{', '.join(slow)} plays in plain Python; opponents in JAX have a form over rows")
        places = [place for place in range(len(entries) + 1) if place != seat]
        if len(places) != len(entries):
            raise InputError(f"there is no seat {seat}; the table has seats 0 to {len(entries)}")
        held = {place: entry.rows for place, entry in zip(places, entries, strict=True) if entry.rows is not None}
        super().__init__(
            found, opponents=held, seats=len(entries) + 1, rules=rules, reward=reward, seed=seed, fields=fields
        )
        self.seat = seat

    @property
    def action_size(self) -> int:
        return len(self.fields)

    def reset(self, key: Array, params: Mapping[str, Any] | None = None) -> tuple[Array, Playing]:
        """Begin the game that the key chooses."""
        playing = self.begin(_number(key), params)
        return self.features(playing, self.seat, params), playing

    def step_env(
        self, key: Array, state: Playing, action: Array, params: Mapping[str, Any] | None = None
    ) -> tuple[Array, Playing, Array, Array, dict[str, Array]]:
        """Play on by one phase, and stay at the end where the game is over."""
        told = {name: action[place] for place, name in enumerate(self.fields)}
        after, rewards, done = self.advance(state, {self.seat: told}, params)
        info = {"finals": self.finals(after, params), "game": state.game, "turn": self.turn(state, after, params)}
        return self.features(after, self.seat, params), after, rewards[self.seat], done, info

    def step(
        self, key: Array, state: Playing, action: Array, params: Mapping[str, Any] | None = None
    ) -> tuple[Array, Playing, Array, Array, dict[str, Array]]:
        """Play on by one phase; a game that is over is followed by another, whose first observation is returned."""
        seen, after, reward, done, info = self.step_env(key, state, action, params)
        first, fresh = self.reset(key, params)
        return _chosen(done, first, seen), _chosen(done, fresh, after), reward, done, info


class TableArrayEnv(ArrayGame):
    """All seats of a game, in the manner of JaxMARL: `reset(key) → observations, state` and
    `step(key, state, actions) → observations, state, rewards, dones, infos`, each by agent; `dones["__all__"]` says
    whether the game is over. Actions are as for one seat."""

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
        found = find_game(game)
        count = seats if seats is not None else found.seats.usual or found.seats.fewest
        super().__init__(found, opponents={}, seats=count, rules=rules, reward=reward, seed=seed, fields=fields)
        self.agents = [f"seat_{seat}" for seat in range(count)]
        self.num_agents = count

    def reset(self, key: Array, params: Mapping[str, Any] | None = None) -> tuple[dict[str, Array], Playing]:
        """Begin the game that the key chooses."""
        playing = self.begin(_number(key), params)
        return self._seen(playing, params), playing

    def _seen(self, playing: Playing, params: Mapping[str, Any] | None) -> dict[str, Array]:
        return {agent: self.features(playing, seat, params) for seat, agent in enumerate(self.agents)}

    def step_env(
        self, key: Array, state: Playing, actions: Mapping[str, Array], params: Mapping[str, Any] | None = None
    ) -> tuple[dict[str, Array], Playing, dict[str, Array], dict[str, Array], dict[str, Array]]:
        """Play on by one phase, and stay at the end where the game is over."""
        told = {
            seat: {name: actions[agent][place] for place, name in enumerate(self.fields)}
            for seat, agent in enumerate(self.agents)
        }
        after, gained, done = self.advance(state, told, params)
        rewards = {agent: gained[seat] for seat, agent in enumerate(self.agents)}
        dones = dict.fromkeys([*self.agents, "__all__"], done)
        info = {"finals": self.finals(after, params), "game": state.game, "turn": self.turn(state, after, params)}
        return self._seen(after, params), after, rewards, dones, info

    def step(
        self, key: Array, state: Playing, actions: Mapping[str, Array], params: Mapping[str, Any] | None = None
    ) -> tuple[dict[str, Array], Playing, dict[str, Array], dict[str, Array], dict[str, Array]]:
        """Play on by one phase; a game that is over is followed by another, whose first observations are returned."""
        seen, after, rewards, dones, info = self.step_env(key, state, actions, params)
        first, fresh = self.reset(key, params)
        over = dones["__all__"]
        return _chosen(over, first, seen), _chosen(over, fresh, after), rewards, dones, info


def jax_env(game: str | Game, **settings: Any) -> SeatArrayEnv:
    """One seat of a game among strategies as pure functions; the settings are those of `SeatArrayEnv`."""
    return SeatArrayEnv(game, **settings)


def jax_table(game: str | Game, **settings: Any) -> TableArrayEnv:
    """All seats of a game as pure functions; the settings are those of `TableArrayEnv`."""
    return TableArrayEnv(game, **settings)
