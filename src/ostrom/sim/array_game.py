"""A single game under JAX, played one phase per step. The game uses the array form of the batch engine, in double
precision regardless of the program's default. Strategies over rows play the opponents. The moves of the other seats are
given by the caller."""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from typing import Any, NamedTuple

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax
from pydantic import BaseModel
from typing_extensions import override

from ostrom.core import InputError
from ostrom.core.arrays import Array
from ostrom.core.chance import check_seed, key_of
from ostrom.core.game import Game, make_rules
from ostrom.core.plugins import find_game
from ostrom.core.step import ArrayForm, Draws, Moves, OneSeat, with_numbers
from ostrom.players.policy_rows import corrected, turn_of
from ostrom.players.strategy import Memory, RowStrategy
from ostrom.sim.batch import Mover, Party, Reward, array_form, check_reward


class Playing(NamedTuple):
    """The state of a game as arrays. Under `vmap`, each array has an entry for each game."""

    game: Array
    """The number of the game, which seeds its random draws."""
    turn: Array
    phase: Array
    """Index of the phase that is next."""
    state: Any
    """State of the array form."""
    memories: Any
    """Memories of the strategies, by seat."""


@dataclass(frozen=True)
class _Opponent(RowStrategy):
    """A strategy over rows at one seat. Its memory is unchanged at the end of the first turn. The turn is a traced
    value, so this condition is part of the compiled step."""

    inner: RowStrategy

    @override
    def makes(self, field: str) -> bool:
        return self.inner.makes(field)

    @override
    def opening(self, view: Any) -> Memory:
        return self.inner.opening(view)

    @override
    def remember(self, view: Any, memory: Memory) -> Memory:
        turn = view.turn if hasattr(view, "turn") else view.round
        later = self.inner.remember(view, memory)
        return jax.tree.map(lambda new, old: jnp.where(turn > 1, new, old), later, memory)

    @override
    def decide(self, phase: str, view: Any, memory: Memory, fields: Collection[str]) -> tuple[Moves, Memory]:
        return self.inner.decide(phase, view, memory, fields)


@dataclass(frozen=True)
class _Learner(RowStrategy):
    """A seat whose moves the caller gives. Quantities are given as fractions of their range, and other fields as
    values."""

    step: ArrayForm  # type: ignore[misc]
    action: Mapping[str, Array]

    @override
    def makes(self, field: str) -> bool:
        return field in self.action

    @override
    def decide(self, phase: str, view: Any, memory: Memory, fields: Collection[str]) -> tuple[Moves, Memory]:
        moves = {}
        for name, value in self.action.items():
            if name not in fields:
                continue
            bounds = self.step.bounds(view, name)
            if bounds is None:
                moves[name] = jnp.round(value)[None]
                continue
            low, high = bounds
            amount = jnp.clip(low + jnp.clip(value, 0.0, 1.0) * (high - low), low, high)
            whole = jnp.issubdtype(low.dtype, jnp.integer)
            moves[name] = (jnp.round(amount) if whole else amount).astype(low.dtype)
        return moves, memory


@dataclass(frozen=True)
class _Corrected(RowStrategy):
    """A seat that plays a base strategy with corrections by the caller. The corrections are fractions of the allowed
    range."""

    step: ArrayForm  # type: ignore[misc]
    base: RowStrategy
    action: Mapping[str, Array]

    @override
    def makes(self, field: str) -> bool:
        return field in self.action or self.base.makes(field)

    @override
    def remember(self, view: Any, memory: Memory) -> Memory:
        return self.base.remember(view, memory)

    @override
    def decide(self, phase: str, view: Any, memory: Memory, fields: Collection[str]) -> tuple[Moves, Memory]:
        moves, memory_after = self.base.decide(phase, view, memory, fields)
        return corrected(
            self.step, view, moves, {name: self.action[name] for name in self.action if name in fields}
        ), memory_after


class ArrayGame:
    """A game over arrays, played one phase per step. The moves of learners are arguments. If a learner has a base
    strategy, the learner's moves correct those of this strategy."""

    def __init__(
        self,
        game: str | Game,
        *,
        opponents: Mapping[int, RowStrategy],
        seats: int,
        rules: BaseModel | Mapping[str, Any] | None,
        reward: Reward,
        seed: int,
        fields: Sequence[str] | None,
        bases: Mapping[int, RowStrategy] | None = None,
    ) -> None:
        check_reward(reward)
        self.game = find_game(game)
        self.rules = make_rules(self.game, rules)
        self.game.check_seats(seats)
        step = array_form(self.game, self.rules)
        if step is None:
            raise InputError(f"{self.game.command} has no array form, which a JAX environment needs")
        self._step, self._seats, self._reward = step, seats, reward
        self._key = key_of(check_seed(seed))
        self._opponents = opponents
        self._strategies = {**opponents, **(bases or {})}
        """The strategies that have a memory: the opponents, and the base strategies of learners."""
        self.learners = [seat for seat in range(seats) if seat not in opponents]
        self._phases = list(step.phases(self.rules))
        self.fields = self._fields(fields)
        """The fields that a learner decides. The numbers of an action are in the order of these fields."""
        self.default_params: dict[str, float] = {}

    def _fields(self, names: Sequence[str] | None) -> tuple[str, ...]:
        phase_of = {field.name: phase for phase in self._phases for field in self._step.fields(self.rules, phase)}
        for name in names or ():
            if name not in phase_of:
                raise InputError(f"{self.game.command} has no field {name!r}; it has {', '.join(phase_of)}")
        if names is not None:
            return tuple(names)
        with jax.enable_x64(True):
            draws = self._draws(jnp.uint32(0))
            state = self._step.init(self.rules, self._seats, self._like[0], frozenset(phase_of), draws)
            views = {
                phase: self._step.view(
                    self._step.observe(self.rules, phase, 1, state, draws), OneSeat(self.learners[0])
                )
                for phase in self._phases
            }
            quantities = [name for name, phase in phase_of.items() if self._step.bounds(views[phase], name) is not None]
        if not quantities:
            raise InputError(f"{self.game.command} has no quantity to decide; name the fields")
        return tuple(quantities)

    @property
    def _like(self) -> Array:
        return jnp.zeros((self._seats, 1), dtype=self._step.dtype)

    def _draws(self, game: Array) -> Draws:
        words = tuple(jnp.asarray(word, dtype=jnp.uint64) for word in self._key)
        return Draws(game.astype(jnp.uint64)[None], (words[0], words[1]))

    def _rules_with(self, params: Mapping[str, Any] | None) -> Any:
        """Return the rules, with the given numbers replaced by traced arguments."""
        if not params:
            return self.rules
        wrong = [name for name in params if name not in self._step.arguments]
        if wrong:
            known = ", ".join(self._step.arguments)
            raise InputError(
                f"{', '.join(wrong)} is not a parameter of a compiled {self.game.command}; its parameters are {known}"
            )
        return with_numbers(self.rules, {name: jnp.asarray(value)[None] for name, value in params.items()})

    def _mover(self, rules: Any) -> Mover:
        """Return the object that collects the moves of all seats. If the game allows it, fields that no player sets are
        omitted."""

        def count_makers(field: str) -> Array:
            filled = field in self.fields or any(strategy.makes(field) for strategy in self._strategies.values())
            return np.asarray([self._seats if filled else 0])

        step = self._step
        needed = {
            phase: step.needed(
                self.rules, phase, {field.name: count_makers(field.name) for field in step.fields(self.rules, phase)}
            )
            for phase in self._phases
        }
        return Mover(step, rules, needed, _scatter)

    def _parties(self, actions: Mapping[int, Mapping[str, Array]]) -> list[Party]:
        strategies = {seat: _Opponent(strategy) for seat, strategy in self._strategies.items()}
        learners = {
            seat: _Corrected(self._step, strategies[seat], action)
            if seat in strategies
            else _Learner(self._step, action)
            for seat, action in actions.items()
        }
        return [Party((strategies | learners)[seat], OneSeat(seat)) for seat in range(self._seats)]

    @cached_property
    def _types(self) -> Any:
        """The types of the game's state and of the memories after the first turn. A loop in JAX needs these types at
        its start."""

        def turn() -> tuple[Any, Any]:
            playing = self._opening(jnp.uint32(0), self.rules)
            actions = {seat: {name: jnp.float32(0.0) for name in self.fields} for seat in self.learners}
            for place in range(len(self._phases)):
                state, memories = self._moved(place, playing, actions, self.rules)
                playing = playing._replace(state=state, memories=memories)
            return playing.state, playing.memories

        return jax.eval_shape(turn)

    def _opening(self, game: Array, rules: Any) -> Playing:
        step, mover, draws = self._step, self._mover(rules), self._draws(game)
        state = step.init(rules, self._seats, self._like[0], mover.fields, draws)
        observation = step.observe(rules, self._phases[0], jnp.int32(1), state, draws)
        memories = tuple(
            self._strategies[seat].opening(step.view(observation, OneSeat(seat))) if seat in self._strategies else ()
            for seat in range(self._seats)
        )
        return Playing(game, jnp.int32(1), jnp.int32(0), state, memories)

    def begin(self, game: Array, params: Mapping[str, Any] | None = None) -> Playing:
        """Return the game with this number in its state before the first turn."""
        with jax.enable_x64(True):
            playing = self._opening(jnp.asarray(game, dtype=jnp.uint32), self._rules_with(params))
            state, memories = self._as_types(playing.state, playing.memories)
            return playing._replace(state=state, memories=memories)

    def _as_types(self, state: Any, memories: Any) -> tuple[Any, Any]:
        try:
            cast: tuple[Any, Any] = jax.tree.map(
                lambda value, like: jnp.asarray(value).astype(like.dtype), (state, memories), self._types
            )
        except ValueError:
            raise InputError("a compiled environment needs strategies whose memory keeps its shape") from None
        return cast

    def _moved(
        self, place: int, playing: Playing, actions: Mapping[int, Mapping[str, Array]], rules: Any
    ) -> tuple[Any, Any]:
        """Return the game's state and the memories after a phase."""
        phase, draws, mover = self._phases[place], self._draws(playing.game), self._mover(rules)
        parties = self._parties(actions)
        moves, memories = mover.move(phase, playing.turn, playing.state, draws, self._like, parties, playing.memories)
        return self._step.step(rules, phase, playing.turn, playing.state, moves, draws), memories

    def advance(
        self, playing: Playing, actions: Mapping[int, Mapping[str, Array]], params: Mapping[str, Any] | None = None
    ) -> tuple[Playing, Array, Array]:
        """Return the game after a phase, the rewards of all seats, and whether the game is over."""
        with jax.enable_x64(True):
            rules = self._rules_with(params)

            def moved(place: int, playing: Playing) -> tuple[Any, Any]:
                return self._as_types(*self._moved(place, playing, actions, rules))

            state, memories = self._in_phase(moved, playing)
            last = playing.phase == len(self._phases) - 1
            over = self._step.ends(rules, playing.turn, self._draws(playing.game))
            if over is None:
                over = self._step.done(rules, playing.turn, state)
            done = last & over[0]
            rewards = self._rewards(rules, playing.state, state, done)
            phase_after = jnp.where(last, 0, playing.phase + 1).astype(jnp.int32)
            turn = (playing.turn + last).astype(jnp.int32)
            return Playing(playing.game, turn, phase_after, state, memories), rewards.astype(jnp.float32), done

    def _rewards(self, rules: Any, before: Any, after: Any, done: Array) -> Array:
        sign = 1.0 if self.game.better == "higher" else -1.0
        finals = sign * self._step.finals(rules, after)[:, 0]
        if self._reward == "gain":
            return finals - sign * self._step.finals(rules, before)[:, 0]
        if self._reward == "final":
            return jnp.where(done, finals, 0.0)
        rounded_finals = jnp.round(finals, 9)
        better, tied = (
            (rounded_finals[None] > rounded_finals[:, None]).sum(axis=1),
            (rounded_finals[None] == rounded_finals[:, None]).sum(axis=1),
        )
        place = (self._seats - 1 - better - (tied - 1) / 2) / max(self._seats - 1, 1)
        return jnp.where(done, place, 0.0)

    def features(self, playing: Playing, seat: int, params: Mapping[str, Any] | None = None) -> Array:
        """Return the features of the array form that a seat observes."""
        with jax.enable_x64(True):
            rules, draws = self._rules_with(params), self._draws(playing.game)

            def observed(place: int, playing: Playing) -> Array:
                observation = self._step.observe(rules, self._phases[place], playing.turn, playing.state, draws)
                features = self._step.features(self._step.view(observation, OneSeat(seat)))
                if not features:
                    raise InputError(f"the array form of {self.game.command} has no features to learn from")
                return jnp.stack([jnp.asarray(feature)[0].astype(jnp.float32) for feature in features])

            return self._in_phase(observed, playing)

    def asked(self, playing: Playing, seat: int) -> Array:
        """Return whether a seat is asked in the current phase. If the game asks all seats in every turn, the value is
        always true."""
        with jax.enable_x64(True):

            def moves(place: int, playing: Playing) -> Array:
                phase = self._phases[place]
                movers = self._step.movers(self.rules, phase, playing.state) if self._step.in_turns else None
                return jnp.asarray(True) if movers is None else movers[seat, 0]

            return self._in_phase(moves, playing)

    def _in_phase(self, function: Callable[[int, Playing], Any], playing: Playing) -> Any:
        """Apply the function with the index of the current phase, which is a traced value."""
        branches = [partial(function, place) for place in range(len(self._phases))]
        return branches[0](playing) if len(branches) == 1 else lax.switch(playing.phase, branches, playing)

    def turn(self, before: Playing, after: Playing, params: Mapping[str, Any] | None = None) -> Array:
        """Return the turn of the phase between two states. Turns are numbered as in the questions of a single game."""
        with jax.enable_x64(True):
            rules = self._rules_with(params)
            length = self._step.length(rules, before.turn, after.state)
            if length is None:
                return before.turn
            draws = self._draws(before.game)
            observations = [
                self._step.observe(rules, phase, before.turn, before.state, draws) for phase in self._phases
            ]
            turns = [turn_of(self._step.view(observation, OneSeat(self.learners[0]))) for observation in observations]
            # A seat without a decision is not asked, and its turn is not counted.
            return jnp.minimum(jnp.stack([jnp.asarray(observation) for observation in turns])[before.phase], length[0])

    def finals(self, playing: Playing, params: Mapping[str, Any] | None = None) -> Array:
        """Return the current final of each seat."""
        with jax.enable_x64(True):
            held: Array = self._step.finals(self._rules_with(params), playing.state)[:, 0]
            return held

    @cached_property
    def inputs(self) -> int:
        """The number of features of an observation."""
        shape = jax.eval_shape(lambda: self.features(self.begin(jnp.uint32(0)), self.learners[0])).shape
        return int(shape[0])


def _scatter(table: Array, pick: Any, values: Array) -> Array:
    return table.at[pick.seat].set(values.astype(table.dtype))
