"""The batch engine on JAX: a whole game is one compiled function over all games of the batch, for CPU or GPU. It
calls the same rules and the same champions as every other engine.

JAX is an extra (`pip install 'ostrom[jax]'`) and imported when used.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np

from ostrom.core import InputError
from ostrom.core.arrays import Array
from ostrom.core.chance import key_of, uniform_rows
from ostrom.games.commons.players import RowChampion
from ostrom.games.commons.players.rows import ManySeats, OneSeat, Pick, TableView
from ostrom.games.commons.rules import CommonsRules
from ostrom.games.commons.turn import State, opening, play_turn
from ostrom.sim.batch import Batch, BatchResult, Whole
from ostrom.sim.moves import Party, move

_SMALLEST = 256
"""Games and rows are filled up to a power of two from here on, so that few sizes are ever compiled."""
_NOWHERE = 2**31 - 1
_GROUPS = 8
"""A compiled batch runs until its longest game ends; games of like length are played together, in so many groups."""


def play_batch(batch: Batch, *, single: bool = False) -> BatchResult:
    """Play every game of the batch to its end, in double precision or, for speed on a GPU, in single."""
    jax = load()
    slow = [entry.name for entry in batch.cast if entry.rows is None]
    if slow:
        raise InputError(
            f"{', '.join(slow)} plays in plain Python; the JAX backend plays row champions only: use numpy"
        )
    games, seats = len(batch.games), len(batch.seating)
    turns = np.zeros(games, np.int64)
    capital, given = np.zeros((seats, games)), np.zeros((seats, games))
    turns_in = np.zeros((seats, games), np.int64)
    with jax.enable_x64(True):
        for group, filled in _groups(batch):
            program, arguments = prepare(
                replace(batch, seating=batch.seating[:, filled], games=batch.games[filled]), single
            )
            played = jax.device_get(program(*arguments))
            count = len(group)
            turns[group] = played.turns[:count]
            capital[:, group] = played.capital[:, :count]
            given[:, group] = played.given[:, :count]
            turns_in[:, group] = played.turns_in[:, :count]
    return BatchResult(turns=turns, capital=capital, contribution=given / turns_in, turns_in=turns_in)


def _groups(batch: Batch) -> Iterator[tuple[Whole, Whole]]:
    """Games of like length together: those of a group, and the same filled up with its last game to a common size."""
    games = len(batch.games)
    order = np.argsort(_lengths(batch), kind="stable") if batch.rules.turns is None else np.arange(games)
    size = _filled(games if batch.rules.turns is not None else -(-games // _GROUPS))
    for start in range(0, games, size):
        group = order[start : start + size]
        yield group, np.pad(group, (0, size - len(group)), mode="edge")


def _filled(count: int) -> int:
    return max(_SMALLEST, 1 << (count - 1).bit_length())


def load() -> Any:
    """JAX, or how to get it."""
    try:
        import jax
    except ImportError:
        raise InputError("the JAX backend is not installed; pip install 'ostrom[jax]' brings it") from None
    return jax


class Played(NamedTuple):
    """What the compiled game returns."""

    turns: Array
    capital: Array
    given: Array
    turns_in: Array


def prepare(batch: Batch, single: bool) -> tuple[Callable[..., Played], tuple[Any, ...]]:
    """The compiled game for this kind of batch, and its arguments."""
    import jax.numpy as jnp

    champions = [entry.rows for entry in batch.cast]
    places: tuple[int | None, ...] = (None,) * len(champions)
    rows: tuple[Any, ...]
    if batch.one_table:
        champions = [champions[member] for member in batch.seating[:, 0]]
        places = tuple(range(len(champions)))
        rows = (None,) * len(champions)
    else:
        held = [np.nonzero(np.equal(batch.seating, member)) for member in range(len(champions))]
        size = _filled(max(len(seat) for seat, _ in held))
        rows = tuple(_fill_rows(seat, game, size) for seat, game in held)
    kind = _Kind(
        rules=batch.rules,
        seats=len(batch.seating),
        champions=tuple(champion for champion in champions if champion is not None),
        places=places,
        votes=batch.may_exclude,
        lobby=batch.may_lobby,
        single=single,
    )
    key = tuple(jnp.asarray(word, dtype=jnp.uint64) for word in key_of(batch.seed))
    return compiled(kind), (jnp.asarray(batch.games, dtype=jnp.uint64), key, rows)


def _fill_rows(seat: Whole, game: Whole, size: int) -> tuple[Whole, Whole]:
    """The rows of a champion, filled up: a row that stands twice decides twice the same. Rows of a champion that
    holds no seat in these games are out of range, where nothing is read that matters and nothing is written."""
    if not len(seat):
        return np.full(size, _NOWHERE), np.full(size, _NOWHERE)
    return np.pad(seat, (0, size - len(seat)), mode="edge"), np.pad(game, (0, size - len(game)), mode="edge")


@dataclass(frozen=True)
class _Kind:
    """What a compiled game is compiled for."""

    rules: CommonsRules
    seats: int
    champions: tuple[RowChampion, ...]
    places: tuple[int | None, ...]
    """The seat of each champion where it is the same in every game."""
    votes: bool
    lobby: bool
    single: bool


class _Carry(NamedTuple):
    """What goes from turn to turn."""

    turn: Array
    running: Array
    state: State
    memories: Any
    played: Played


@lru_cache(maxsize=64)
def compiled(kind: _Kind) -> Callable[..., Played]:
    """Compile the game. The first turn stands alone, because champions have nothing to remember before it."""
    import jax
    import jax.numpy as jnp
    from jax import lax

    rules = kind.rules

    def game(games: Array, key: tuple[Array, Array], rows: tuple[Any, ...]) -> Played:
        parties = [
            Party(champion, _pick(place, row, games.shape[0]))
            for champion, place, row in zip(kind.champions, kind.places, rows, strict=True)
        ]
        dtype = jnp.float32 if kind.single else jnp.float64

        def take_turn(carry: _Carry) -> _Carry:
            turn, running, state, memories, played = carry
            table = TableView(rules, turn, state, games, key)
            moves, kept = move(table, parties, memories, scatter=_scatter, lobby=kind.lobby, votes=kind.votes)
            after = play_turn(state, moves, rules).state
            there = running if state.present is None else running & state.present
            played = Played(
                turns=jnp.where(running, turn, played.turns),
                capital=jnp.where(running, after.capital, played.capital),
                given=played.given + jnp.where(running, moves.contributions, 0.0),
                turns_in=played.turns_in + there,
            )
            if rules.turns is None:
                running = running & _survives(rules, key, games, turn)
            return _Carry(turn + 1, running, after, kept, played)

        like = jnp.zeros(games.shape[0], dtype=dtype)
        state = opening(like, kind.seats, rules, may_leave=kind.votes)
        nothing = jnp.zeros_like(state.capital)
        none_yet = Played(like.astype(jnp.int32), nothing, nothing, nothing.astype(jnp.int32))
        first = take_turn(_Carry(jnp.int32(1), like == 0.0, state, (), none_yet))

        def next_turn(carry: _Carry) -> _Carry:
            after = take_turn(carry)
            same_types: _Carry = jax.tree.map(lambda new, old: new.astype(old.dtype), after, carry)
            return same_types

        last: _Carry
        if rules.turns is not None:
            last = lax.fori_loop(1, rules.turns, lambda _, carry: next_turn(carry), first)
        else:
            last = lax.while_loop(lambda carry: jnp.any(carry.running), next_turn, first)
        return last.played

    return jax.jit(game)


def _survives(rules: CommonsRules, key: tuple[Array, Array], games: Array, turn: Array) -> Array:
    """Whether the shadow of the future spares a game after a turn that is only known when the program runs."""
    import jax.numpy as jnp

    ending_probability = -jnp.expm1(-rules.ending_rate * turn.astype(jnp.float64))
    return uniform_rows(key, games, "shadow", turn, 0) >= ending_probability


def _lengths(batch: Batch) -> Whole:
    """How long each game will last, to put like to like; what counts is found again when they are played."""
    import jax.numpy as jnp

    key = tuple(jnp.asarray(word, dtype=jnp.uint64) for word in key_of(batch.seed))
    return np.asarray(_compiled_lengths(batch.rules)(jnp.asarray(batch.games, dtype=jnp.uint64), key))


@lru_cache(maxsize=64)
def _compiled_lengths(rules: CommonsRules) -> Callable[..., Array]:
    import jax
    import jax.numpy as jnp
    from jax import lax

    def next_turn(key: Any, games: Array, carry: tuple[Array, Array, Array]) -> tuple[Array, Array, Array]:
        turn, running, lengths = carry
        return turn + 1, running & _survives(rules, key, games, turn), lengths + running

    def lengths(games: Array, key: tuple[Array, Array]) -> Array:
        start = jnp.int32(1), games >= 0, jnp.zeros(games.shape, jnp.int32)
        return lax.while_loop(lambda carry: jnp.any(carry[1]), lambda carry: next_turn(key, games, carry), start)[2]

    return jax.jit(lengths)


def _pick(place: int | None, rows: Any, games: int) -> Pick:
    if place is not None:
        return OneSeat(place)
    seat, game = rows
    return ManySeats(seat=seat, game=game, flat=seat * games + game)


def _scatter(table: Array, pick: Pick, values: Array) -> Array:
    where = (pick.seat, pick.game) if isinstance(pick, ManySeats) else pick.seat
    return table.at[where].set(values.astype(table.dtype), mode="drop")
