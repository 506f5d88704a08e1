"""One game over arrays under JAX, one phase a step: the very array form that the batch engine plays, in double
precision whatever else a program does, with strategies over rows as opponents and seats whose moves come from
outside."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax
from pydantic import BaseModel

from ostrom.core import InputError
from ostrom.core.arrays import Array
from ostrom.core.chance import check_seed, key_of
from ostrom.core.game import Game, make_rules
from ostrom.core.plugins import find_game
from ostrom.core.step import ArrayForm, Draws, Moves, OneSeat, with_numbers
from ostrom.players.policy_rows import corrected, turn_of
from ostrom.players.strategy import Memory, RowStrategy
from ostrom.sim.batch import Mover, Party, Reward, check_reward


class Playing(NamedTuple):
    """A game under way, as arrays. Within a step it is one game; mapped, it is as many as there are keys."""

    game: Array
    """The number of the game, which names its draws of chance."""
    turn: Array
    phase: Array
    """The place of the phase that is asked now."""
    state: Any
    """The array form's own."""
    memories: Any
    """What the opponents remember."""


@dataclass(frozen=True)
class _Opponent(RowStrategy):
    """An opponent, who has nothing to remember in the first turn. That is not known when a step is compiled."""

    inner: RowStrategy

    def makes(self, field: str) -> bool:
        """What the opponent fills in."""
        return self.inner.makes(field)

    def opening(self, view: Any) -> Memory:
        """The opponent's own."""
        return self.inner.opening(view)

    def remember(self, view: Any, memory: Memory) -> Memory:
        """Take in the last turn where there was one."""
        turn = view.turn if hasattr(view, "turn") else view.round
        later = self.inner.remember(view, memory)
        return jax.tree.map(lambda new, old: jnp.where(turn > 1, new, old), later, memory)

    def decide(self, phase: str, view: Any, memory: Memory, fields: Collection[str]) -> tuple[Moves, Memory]:
        """As the opponent does."""
        return self.inner.decide(phase, view, memory, fields)


@dataclass(frozen=True)
class _Learner(RowStrategy):
    """A seat whose moves come from outside: quantities in parts of what is allowed, all else as it is."""

    step: ArrayForm  # type: ignore[misc]  # of the game that it is made for
    action: Mapping[str, Array]

    def makes(self, field: str) -> bool:
        """What it is given."""
        return field in self.action

    def decide(self, phase: str, view: Any, memory: Memory, fields: Collection[str]) -> tuple[Moves, Memory]:
        """Do as told."""
        made = {}
        for name, value in self.action.items():
            if name not in fields:
                continue
            bounds = self.step.bounds(view, name)
            if bounds is None:
                made[name] = jnp.round(value)[None]
                continue
            low, high = bounds
            amount = jnp.clip(low + jnp.clip(value, 0.0, 1.0) * (high - low), low, high)
            whole = jnp.issubdtype(low.dtype, jnp.integer)
            made[name] = (jnp.round(amount) if whole else amount).astype(low.dtype)
        return made, memory


@dataclass(frozen=True)
class _Corrected(RowStrategy):
    """A seat that does as a strategy does, corrected from outside in parts of what is allowed."""

    step: ArrayForm  # type: ignore[misc]  # of the game that it is made for
    base: RowStrategy
    action: Mapping[str, Array]

    def makes(self, field: str) -> bool:
        """What is corrected, and what its base fills in."""
        return field in self.action or self.base.makes(field)

    def remember(self, view: Any, memory: Memory) -> Memory:
        """What the base remembers."""
        return self.base.remember(view, memory)

    def decide(self, phase: str, view: Any, memory: Memory, fields: Collection[str]) -> tuple[Moves, Memory]:
        """Correct the base."""
        made, kept = self.base.decide(phase, view, memory, fields)
        return corrected(
            self.step, view, made, {name: self.action[name] for name in self.action if name in fields}
        ), kept


class ArrayGame:
    """One game over arrays, one phase a step. Seats of learners move as they are told; a learner with a base corrects
    what that strategy does."""

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
        step: ArrayForm | None = self.game.part("step")
        if step is None:
            raise InputError(f"{self.game.command} has no array form, which a JAX environment needs")
        self._step, self._seats, self._reward = step, seats, reward
        self._key = key_of(check_seed(seed))
        self._opponents = opponents
        self._strategies = {**opponents, **(bases or {})}
        """Those that remember: opponents, and what learners correct."""
        self.learners = [seat for seat in range(seats) if seat not in opponents]
        self._phases = list(step.phases(self.rules))
        self.fields = self._fields(fields)
        """What a learner decides, in the order of an action's numbers."""
        self.default_params: dict[str, float] = {}

    def _fields(self, wanted: Sequence[str] | None) -> tuple[str, ...]:
        known = {each.name: phase for phase in self._phases for each in self._step.fields(self.rules, phase)}
        for name in wanted or ():
            if name not in known:
                raise InputError(f"{self.game.command} has no field {name!r}; it has {', '.join(known)}")
        if wanted is not None:
            return tuple(wanted)
        with jax.enable_x64(True):
            draws = self._draws(jnp.uint32(0))
            state = self._step.init(self.rules, self._seats, self._like[0], frozenset(known))
            views = {
                phase: self._step.view(
                    self._step.observe(self.rules, phase, 1, state, draws), OneSeat(self.learners[0])
                )
                for phase in self._phases
            }
            found = [name for name, phase in known.items() if self._step.bounds(views[phase], name) is not None]
        if not found:
            raise InputError(f"{self.game.command} has no quantity to decide; name the fields")
        return tuple(found)

    @property
    def _like(self) -> Array:
        return jnp.zeros((self._seats, 1), dtype=self._step.dtype)

    def _draws(self, game: Array) -> Draws:
        words = tuple(jnp.asarray(word, dtype=jnp.uint64) for word in self._key)
        return Draws(game.astype(jnp.uint64)[None], (words[0], words[1]))

    def _told(self, params: Mapping[str, Any] | None) -> Any:
        """The rules, with the numbers that a program varies."""
        if not params:
            return self.rules
        wrong = [name for name in params if name not in self._step.arguments]
        if wrong:
            known = ", ".join(self._step.arguments)
            raise InputError(f"{', '.join(wrong)} cannot be varied in a compiled {self.game.command}; it can: {known}")
        return with_numbers(self.rules, {name: jnp.asarray(value)[None] for name, value in params.items()})

    def _mover(self, rules: Any) -> Mover:
        """Leave out fields that no player at the table ever fills in, if the game allows it."""

        def makers(field: str) -> Array:
            made = field in self.fields or any(one.makes(field) for one in self._strategies.values())
            return np.asarray([self._seats if made else 0])

        step = self._step
        needed = {
            phase: step.needed(
                self.rules, phase, {each.name: makers(each.name) for each in step.fields(self.rules, phase)}
            )
            for phase in self._phases
        }
        return Mover(step, rules, needed, _scatter)

    def _parties(self, actions: Mapping[int, Mapping[str, Array]]) -> list[Party]:
        held = {seat: _Opponent(strategy) for seat, strategy in self._strategies.items()}
        told = {
            seat: _Corrected(self._step, held[seat], action) if seat in held else _Learner(self._step, action)
            for seat, action in actions.items()
        }
        return [Party((held | told)[seat], OneSeat(seat)) for seat in range(self._seats)]

    @cached_property
    def _types(self) -> Any:
        """Of what type the arrays of a game are after its first turn; so they are from the beginning."""

        def turn() -> tuple[Any, Any]:
            playing = self._opening(jnp.uint32(0), self.rules)
            nothing = {seat: {name: jnp.float32(0.0) for name in self.fields} for seat in self.learners}
            for place in range(len(self._phases)):
                state, memories = self._moved(place, playing, nothing, self.rules)
                playing = playing._replace(state=state, memories=memories)
            return playing.state, playing.memories

        return jax.eval_shape(turn)

    def _opening(self, game: Array, rules: Any) -> Playing:
        step, mover, draws = self._step, self._mover(rules), self._draws(game)
        state = step.init(rules, self._seats, self._like[0], mover.fields)
        seen = step.observe(rules, self._phases[0], jnp.int32(1), state, draws)
        memories = tuple(
            self._strategies[seat].opening(step.view(seen, OneSeat(seat))) if seat in self._strategies else ()
            for seat in range(self._seats)
        )
        return Playing(game, jnp.int32(1), jnp.int32(0), state, memories)

    def begin(self, game: Array, params: Mapping[str, Any] | None = None) -> Playing:
        """The game of a number, before its first turn."""
        with jax.enable_x64(True):
            playing = self._opening(jnp.asarray(game, dtype=jnp.uint32), self._told(params))
            state, memories = self._as_types(playing.state, playing.memories)
            return playing._replace(state=state, memories=memories)

    def _as_types(self, state: Any, memories: Any) -> tuple[Any, Any]:
        try:
            found: tuple[Any, Any] = jax.tree.map(
                lambda value, like: jnp.asarray(value).astype(like.dtype), (state, memories), self._types
            )
        except ValueError:
            raise InputError("a strategy whose memory changes its form cannot sit in a compiled environment") from None
        return found

    def _moved(
        self, place: int, playing: Playing, actions: Mapping[int, Mapping[str, Array]], rules: Any
    ) -> tuple[Any, Any]:
        """State and memories after a phase."""
        phase, draws, mover = self._phases[place], self._draws(playing.game), self._mover(rules)
        parties = self._parties(actions)
        moves, memories = mover.move(phase, playing.turn, playing.state, draws, self._like, parties, playing.memories)
        return self._step.step(rules, phase, playing.turn, playing.state, moves, draws), memories

    def advance(
        self, playing: Playing, actions: Mapping[int, Mapping[str, Array]], params: Mapping[str, Any] | None = None
    ) -> tuple[Playing, Array, Array]:
        """The game after a phase; what each seat is rewarded with; and whether the game is over."""
        with jax.enable_x64(True):
            rules = self._told(params)

            def phase(place: int) -> Any:
                def moved(playing: Playing) -> tuple[Any, Any]:
                    return self._as_types(*self._moved(place, playing, actions, rules))

                return moved

            branches = [phase(place) for place in range(len(self._phases))]
            single = len(branches) == 1
            state, memories = branches[0](playing) if single else lax.switch(playing.phase, branches, playing)
            last = playing.phase == len(branches) - 1
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
        held = sign * self._step.finals(rules, after)[:, 0]
        if self._reward == "gain":
            return held - sign * self._step.finals(rules, before)[:, 0]
        if self._reward == "final":
            return jnp.where(done, held, 0.0)
        near = jnp.round(held, 9)
        above, tied = (near[None] > near[:, None]).sum(axis=1), (near[None] == near[:, None]).sum(axis=1)
        place = (self._seats - 1 - above - (tied - 1) / 2) / max(self._seats - 1, 1)
        return jnp.where(done, place, 0.0)

    def features(self, playing: Playing, seat: int, params: Mapping[str, Any] | None = None) -> Array:
        """What a seat is told: the numbers that the array form has for strategies which know no game."""
        with jax.enable_x64(True):
            rules, draws = self._told(params), self._draws(playing.game)

            def look(phase: str) -> Any:
                def looked(playing: Playing) -> Array:
                    seen = self._step.observe(rules, phase, playing.turn, playing.state, draws)
                    told = self._step.features(self._step.view(seen, OneSeat(seat)))
                    if not told:
                        raise InputError(f"the array form of {self.game.command} has no features to learn from")
                    return jnp.stack([jnp.asarray(one)[0].astype(jnp.float32) for one in told])

                return looked

            branches = [look(phase) for phase in self._phases]
            found: Array = branches[0](playing) if len(branches) == 1 else lax.switch(playing.phase, branches, playing)
            return found

    def asked(self, playing: Playing, seat: int) -> Array:
        """Whether a seat is asked now; where seats do not move in turn, all are."""
        with jax.enable_x64(True):

            def look(phase: str) -> Any:
                def looked(playing: Playing) -> Array:
                    movers = self._step.movers(self.rules, phase, playing.state) if self._step.in_turns else None
                    return jnp.asarray(True) if movers is None else movers[seat, 0]

                return looked

            branches = [look(phase) for phase in self._phases]
            found: Array = branches[0](playing) if len(branches) == 1 else lax.switch(playing.phase, branches, playing)
            return found

    def turn(self, before: Playing, after: Playing, params: Mapping[str, Any] | None = None) -> Array:
        """The turn of the phase that leads from one to the other, as the questions of a single game count it."""
        with jax.enable_x64(True):
            rules = self._told(params)
            length = self._step.length(rules, before.turn, after.state)
            if length is None:
                return before.turn
            draws = self._draws(before.game)
            seen = [self._step.observe(rules, phase, before.turn, before.state, draws) for phase in self._phases]
            turns = [turn_of(self._step.view(one, OneSeat(self.learners[0]))) for one in seen]
            # Who has nothing to decide about is not asked, and its turn not counted.
            return jnp.minimum(jnp.stack([jnp.asarray(one) for one in turns])[before.phase], length[0])

    def finals(self, playing: Playing, params: Mapping[str, Any] | None = None) -> Array:
        """What each seat holds."""
        with jax.enable_x64(True):
            held: Array = self._step.finals(self._told(params), playing.state)[:, 0]
            return held

    @cached_property
    def inputs(self) -> int:
        """How many numbers an observation has."""
        shape = jax.eval_shape(lambda: self.features(self.begin(jnp.uint32(0)), self.learners[0])).shape
        return int(shape[0])


def _scatter(table: Array, pick: Any, values: Array) -> Array:
    return table.at[pick.seat].set(values.astype(table.dtype))
