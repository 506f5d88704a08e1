"""A small recurrent network on JAX that corrects the moves of a policy at one seat. The network learns by policy
gradients (proximal policy optimisation; Schulman et al. 2017), or by an evolution strategy whose candidates are all
played at once. Weights are arguments of the compiled program, so one program serves the whole search, on CPU or GPU.
The network has the same form as in `players.policy_rows.NetworkRows`, so it can play as a strategy."""

from collections.abc import Callable
from functools import cached_property
from typing import Final, NamedTuple

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax

from ostrom.core.arrays import Array
from ostrom.players.strategy import RowStrategy
from ostrom.sim.array_game import ArrayGame, Playing
from ostrom.sim.batch import Floats
from ostrom.sim.problem import TRAINING, Problem

HORIZON: Final = 32
"""The number of steps that each game plays between two updates."""
_EPOCHS: Final = 4
_DISCOUNT, _TRACE, _CLIP = 0.99, 0.95, 0.2
_RATE, _CRITIC, _ENTROPY, _MAX_GRADIENT = 3e-3, 0.25, 1e-3, 0.5
_FIRST_SPREAD: Final = 0.2
"""Initial standard deviation of actions, as a fraction of the allowed range."""
_CRITIC_UNITS: Final = 16
_MOMENTS: Final = (0.9, 0.999)


class Params(NamedTuple):
    """The learned parameters."""

    actor: Array
    """(units + outputs, inputs + units + 1) The weights of the network, as a policy stores them."""
    spread: Array
    """(outputs,) The log standard deviation of actions."""
    critic: tuple[Array, Array]
    """A network with one hidden layer that estimates the return."""


class Adam(NamedTuple):
    """The state of the optimiser (Kingma and Ba 2015)."""

    count: Array
    mean: Params
    square: Params


class Steps(NamedTuple):
    """Observations and actions, (horizon, games)."""

    seen: Array
    asked: Array
    action: Array
    before: Array
    """The log density of the action at the time when it was sampled."""
    guessed: Array
    reward: Array
    done: Array


class RunningGames(NamedTuple):
    """Running games, and the state of the network in each."""

    playing: Playing
    state: Array


class Learner:
    """One seat of a table at which a network corrects some fields of a base strategy."""

    def __init__(self, problem: Problem, base: RowStrategy, fields: tuple[str, ...], hidden: int) -> None:
        others = [seat for seat in range(problem.seats) if seat != problem.seat]
        rows = {seat: entry.rows for seat, entry in zip(others, problem.others, strict=True)}
        self._seat, self._hidden = problem.seat, hidden
        self._fields, self._inputs = fields, problem.inputs
        self._sign = 1.0 if problem.game.better == "higher" else -1.0
        self._game = ArrayGame(
            problem.game,
            opponents={seat: strategy for seat, strategy in rows.items() if strategy is not None},
            seats=problem.seats,
            rules=problem.rules,
            reward="gain",
            seed=problem.seed,
            fields=fields,
            bases={problem.seat: base},
        )

    @property
    def shape(self) -> tuple[int, int]:
        """The shape of the network's weights."""
        return self._hidden + len(self._fields), self._inputs + self._hidden + 1

    def _corrections(self, weights: Array, seen: Array, state: Array) -> tuple[Array, Array]:
        """Return the corrections of the network, (…, outputs), and its next state, (…, units)."""
        first, last = weights[: self._hidden], weights[self._hidden :]
        known = jnp.concatenate([seen, state], axis=-1)
        after = jnp.tanh(known @ first[:, :-1].T + first[:, -1])
        known = jnp.concatenate([seen, after], axis=-1)
        return known @ last[:, :-1].T + last[:, -1], after

    def _features(self, playing: Playing) -> Array:
        return self._game.features(playing, self._seat)[: self._inputs]

    def _action_of(self, action: Array) -> dict[int, dict[str, Array]]:
        return {self._seat: {name: action[place] for place, name in enumerate(self._fields)}}

    @cached_property
    def _finals(self) -> Callable[[Array, Array], Array]:
        """The compiled function that returns the finals of networks in the same games, (candidates, games)."""

        def final(weights: Array, number: Array) -> Array:
            def step(carry: tuple[Playing, Array, Array]) -> tuple[Playing, Array, Array]:
                playing, state, _ = carry
                action, after = self._corrections(weights, self._features(playing), state)
                state = jnp.where(self._game.asked(playing, self._seat), after, state)
                playing, _, done = self._game.advance(playing, self._action_of(action))
                return playing, state, done

            first = self._game.begin(number), jnp.zeros(self._hidden, jnp.float32), jnp.asarray(False)
            playing, _, _ = lax.while_loop(lambda carry: ~carry[2], step, first)
            return self._sign * self._game.finals(playing)[self._seat]

        over_games = jax.vmap(final, (None, 0))
        return jax.jit(jax.vmap(over_games, (0, None)))

    def finals(self, weights: Floats, start: int, games: int) -> Floats:
        """Return the finals (candidates, games) of networks with these weights (candidates, numbers), in games whose
        numbers begin with `start`. Finals are negated if lower finals are better."""
        with jax.enable_x64(True):
            shaped = jnp.asarray(weights.reshape(len(weights), *self.shape), dtype=jnp.float32)
            numbers = jnp.arange(start, start + games, dtype=jnp.uint32)
            return np.asarray(self._finals(shaped, numbers))

    def _value(self, params: Params, seen: Array) -> Array:
        first, last = params.critic
        hidden = jnp.tanh(seen @ first[:, :-1].T + first[:, -1])
        return jnp.concatenate([seen, hidden], axis=-1) @ last[:-1] + last[-1]

    def _numbers(self, key: Array, games: int) -> Array:
        """Draw the numbers of games for training."""
        drawn = jax.random.bits(key, (games,), dtype=jnp.uint32)
        return (drawn >> 1) + jnp.uint32(TRAINING)

    def _collect(self, params: Params, table: RunningGames, key: Array) -> tuple[RunningGames, Steps]:
        games = table.state.shape[0]

        def step(table: RunningGames, key: Array) -> tuple[RunningGames, Steps]:
            noise_key, game_key = jax.random.split(key)
            playing, state = table
            observation = jax.vmap(self._features)(playing)
            asked = jax.vmap(lambda state: self._game.asked(state, self._seat))(playing)
            mean, after = self._corrections(params.actor, observation, state)
            action = mean + jnp.exp(params.spread) * jax.random.normal(noise_key, mean.shape, dtype=jnp.float32)
            later, rewards, done = jax.vmap(lambda state, did: self._game.advance(state, self._action_of(did)))(
                playing, action
            )
            fresh = jax.vmap(self._game.begin)(self._numbers(game_key, games))
            playing = jax.tree.map(lambda new, old: _where(done, new, old), fresh, later)
            steps = Steps(
                observation,
                asked,
                action,
                _density(params, mean, action),
                self._value(params, observation),
                rewards[:, self._seat],
                done,
            )
            return RunningGames(playing, _next_state(asked, done, after, state)), steps

        table, steps = lax.scan(step, table, jax.random.split(key, HORIZON))
        return table, steps

    def _loss(self, params: Params, state: Array, steps: Steps, gains: Array) -> Array:
        def again(state: Array, step: Steps) -> tuple[Array, Array]:
            mean, after = self._corrections(params.actor, step.seen, state)
            return _next_state(step.asked, step.done, after, state), mean

        mean = lax.scan(again, state, steps)[1]
        ratio = jnp.exp(_density(params, mean, steps.action) - steps.before)
        scaled = (gains - gains.mean()) / (gains.std() + 1e-8)
        better = jnp.minimum(ratio * scaled, jnp.clip(ratio, 1 - _CLIP, 1 + _CLIP) * scaled)
        actor = -(better * steps.asked).sum() / jnp.maximum(steps.asked.sum(), 1)
        critic = ((self._value(params, steps.seen) - lax.stop_gradient(steps.guessed + gains)) ** 2).mean()
        return actor + _CRITIC * critic - _ENTROPY * params.spread.sum()

    @cached_property
    def _begin(self) -> Callable[[Array, Array], tuple[Params, Adam, RunningGames, Array]]:
        """The compiled function that returns the initial network and the scale of rewards. The initial network corrects
        nothing."""

        def begin(key: Array, numbers: Array) -> tuple[Params, Adam, RunningGames, Array]:
            critic_key, actor_key, key = jax.random.split(key, 3)
            rows, width = self.shape
            first = jax.random.normal(critic_key, (_CRITIC_UNITS, self._inputs + 1), dtype=jnp.float32)
            actor = jax.random.normal(actor_key, (rows, width), dtype=jnp.float32) / jnp.sqrt(float(width))
            params = Params(
                actor.astype(jnp.float32).at[self._hidden :].set(0.0),
                jnp.full(len(self._fields), np.log(_FIRST_SPREAD), jnp.float32),
                (
                    (first / jnp.sqrt(self._inputs + 1.0)).astype(jnp.float32),
                    jnp.zeros(self._inputs + _CRITIC_UNITS + 1, jnp.float32),
                ),
            )
            no_state = jnp.zeros((numbers.shape[0], self._hidden), jnp.float32)
            table = RunningGames(jax.vmap(self._game.begin)(numbers), no_state)
            table, steps = self._collect(params, table, key)
            returns = _gains(steps, jnp.zeros(numbers.shape[0], jnp.float32))
            scale = (returns.std() + 1e-6).astype(jnp.float32)
            inner, outer = params.critic
            params = params._replace(critic=(inner, outer.at[-1].set((returns.mean() / scale).astype(jnp.float32))))
            zero = jax.tree.map(jnp.zeros_like, params)
            return params, Adam(jnp.int32(0), zero, zero), table, scale

        return jax.jit(begin)

    @cached_property
    def _update(self) -> Callable[..., tuple[Params, Adam, RunningGames]]:
        """The compiled function that plays `HORIZON` further steps and updates the parameters."""

        def update(
            params: Params, memory: Adam, table: RunningGames, scale: Array, key: Array
        ) -> tuple[Params, Adam, RunningGames]:
            state = table.state
            table, steps = self._collect(params, table, key)
            steps = steps._replace(reward=steps.reward / scale)
            last = self._value(params, jax.vmap(self._features)(table.playing))
            gains = _gains(steps, last)

            def epoch(carry: tuple[Params, Adam], _: None) -> tuple[tuple[Params, Adam], None]:
                params, memory = carry
                slope = jax.grad(self._loss)(params, state, steps, gains)
                return _adam(params, slope, memory), None

            (params, memory), _ = lax.scan(epoch, (params, memory), None, _EPOCHS)
            return params, memory, table

        return jax.jit(update)

    def learn(
        self, updates: int, games: int, seed: int, progress: Callable[[int], None] = lambda steps: None, keep: int = 4
    ) -> list[Floats]:
        """Return the weights of the network after all updates, followed by some earlier weights, the latest first. Each
        update uses `HORIZON` steps of all games that are played in parallel."""
        with jax.enable_x64(True):
            key = jax.random.key(seed)
            begin_key, number_key, key = jax.random.split(key, 3)
            params, memory, table, scale = self._begin(begin_key, self._numbers(number_key, games))
            snapshots = []
            for done in range(1, updates + 1):
                params, memory, table = self._update(params, memory, table, scale, jax.random.fold_in(key, done))
                progress(HORIZON * games)
                if done * keep // updates > (done - 1) * keep // updates:
                    snapshots.append(params.actor)
            return [np.asarray(weights, dtype=np.float64).reshape(-1) for weights in reversed(snapshots)]


def _where(done: Array, new: Array, old: Array) -> Array:
    return jnp.where(done.reshape(done.shape + (1,) * (new.ndim - done.ndim)), new, old)


def _next_state(asked: Array, done: Array, after: Array, state: Array) -> Array:
    """Return the state of the network, (games, units). The state is reset in a new game, and stays unchanged if the
    seat was not asked."""
    state_after = _where(asked, after, state)
    return _where(done, jnp.zeros_like(state_after), state_after)


def _density(params: Params, mean: Array, action: Array) -> Array:
    """Return the log density of an action, up to a constant."""
    return jnp.sum(-0.5 * ((action - mean) / jnp.exp(params.spread)) ** 2 - params.spread, axis=-1)


def _gains(steps: Steps, last: Array) -> Array:
    """Return generalised advantage estimates, (horizon, games)."""

    def back(carry: tuple[Array, Array], step: tuple[Array, Array, Array]) -> tuple[tuple[Array, Array], Array]:
        gain, after = carry
        guessed, reward, done = step
        continues = jnp.where(done, 0.0, 1.0).astype(jnp.float32)
        surprise = reward + _DISCOUNT * after * continues - guessed
        gain = surprise + _DISCOUNT * _TRACE * continues * gain
        return (gain, guessed), gain

    return lax.scan(back, (jnp.zeros_like(last), last), (steps.guessed, steps.reward, steps.done), reverse=True)[1]


def _adam(params: Params, slope: Params, memory: Adam) -> tuple[Params, Adam]:
    norm = jnp.sqrt(sum(jnp.sum(leaf**2) for leaf in jax.tree.leaves(slope)))
    slope = jax.tree.map(lambda leaf: leaf * jnp.minimum(1.0, _MAX_GRADIENT / (norm + 1e-9)), slope)
    count, (slow, slower) = memory.count + 1, _MOMENTS
    mean = jax.tree.map(lambda old, new: slow * old + (1 - slow) * new, memory.mean, slope)
    square = jax.tree.map(lambda old, new: slower * old + (1 - slower) * new**2, memory.square, slope)
    times = count.astype(jnp.float32)
    rate = _RATE * jnp.sqrt(1 - slower**times) / (1 - slow**times)

    def moved(leaf: Array, first: Array, second: Array) -> Array:
        return (leaf - rate * first / (jnp.sqrt(second) + 1e-8)).astype(leaf.dtype)

    return jax.tree.map(moved, params, mean, square), Adam(count, mean, square)
