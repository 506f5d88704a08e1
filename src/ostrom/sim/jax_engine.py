"""The batch engine on JAX. One compiled function plays all games of a batch, on CPU or GPU, with the array form and
strategies of the NumPy engine. JAX is an optional dependency (`pip install 'ostrom[jax]'`), and is imported only when
it is used."""

import json
import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from functools import cache, lru_cache, partial
from typing import Any, NamedTuple

import numpy as np

from ostrom.core import InputError
from ostrom.core.arrays import Array
from ostrom.core.chance import key_of
from ostrom.core.files import user_cache
from ostrom.core.step import ArrayForm, Draws, Field, ManySeats, OneSeat, Pick, is_number, with_numbers
from ostrom.players.strategy import RowStrategy
from ostrom.sim.batch import Batch, BatchResult, Ints, Mover, Party

_MIN_SIZE = 256
"""From this size on, numbers of games and rows are padded to a power of two. So few different sizes are compiled."""
_MIN_KEPT_COMPILE_S = 0.1
_OUT_OF_RANGE = 2**31 - 1
GROUPS = 8
"""The number of groups into which games are divided by their length. Groups save time, since a compiled batch runs
until its longest game ends."""


def play_batch(batch: Batch, *, single: bool = False) -> BatchResult:
    """Play all games of the batch, in double precision or, with `single`, in single precision, which is faster on a
    GPU."""
    jax = load()
    if batch.step is None:
        raise InputError(f"{batch.game.command} has no array form, which the JAX backend needs; use numpy")
    slow = [entry.name for entry in batch.cast if entry.rows is None]
    if slow:
        raise InputError(
            f"{', '.join(slow)} plays in plain Python; the JAX backend plays row strategies only: use numpy"
        )
    results = BatchResult.empty(batch)
    with jax.enable_x64(True):
        lengths = _lengths(batch)
        for group in _groups(len(batch.games), lengths):
            part = batch.part(group)
            program, arguments = prepare(part, single, None if lengths is None else lengths[group])
            played = program(*arguments)
            turns, finals, turns_in, _ = jax.device_get(played)
            figures = {name: np.asarray(values) for name, values in played.figures.items()}
            results.add(group, turns, finals, turns_in, figures)
    return results


def _groups(games: int, lengths: Ints | None) -> Iterator[Ints]:
    """Yield groups of games of similar length. A group is padded to a common size by repeating its last game. This does
    not change the results."""
    alike = lengths is None or bool((lengths == lengths[0]).all())
    order = np.arange(games) if alike or lengths is None else np.argsort(lengths, kind="stable")
    size = _padded_size(games if alike else -(-games // GROUPS))
    for start in range(0, games, size):
        group = order[start : start + size]
        yield np.pad(group, (0, size - len(group)), mode="edge")


def _padded_size(count: int) -> int:
    return max(_MIN_SIZE, 1 << (count - 1).bit_length())


def load() -> Any:
    """Return JAX. Raise InputError if it is not installed."""
    try:
        import jax
    except ImportError:
        raise InputError("the JAX backend is not installed; install it with: pip install 'ostrom[jax]'") from None
    _keep_programs(jax)
    return jax


@cache
def _keep_programs(jax: Any) -> None:
    """Store compiled programs in the user's cache folder, unless JAX is configured with another folder. The same
    command then compiles nothing the next time. If the folder is not writable, nothing is stored."""
    if jax.config.jax_compilation_cache_dir is not None:
        return
    with suppress(OSError, RuntimeError):
        folder = user_cache() / "ostrom" / "jax"
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        jax.config.update("jax_compilation_cache_dir", os.fspath(folder))
        jax.config.update("jax_persistent_cache_min_compile_time_secs", _MIN_KEPT_COMPILE_S)


class Played(NamedTuple):
    """Results of a compiled game."""

    turns: Array
    finals: Array
    turns_in: Array
    figures: Mapping[str, Array]


def prepare(batch: Batch, single: bool, lengths: Ints | None = None) -> tuple[Callable[..., Played], tuple[Any, ...]]:
    """Return the compiled game for this kind of batch, and its arguments. If `lengths` has the lengths of the games,
    they are not computed again."""
    import jax.numpy as jnp

    assert batch.step is not None
    lengths = _lengths(batch) if lengths is None else lengths
    strategies = [entry.rows for entry in batch.cast]
    places: tuple[int | None, ...] = (None,) * len(strategies)
    rows: tuple[Any, ...]
    if batch.one_table:
        strategies = [strategies[member] for member in batch.seating[:, 0]]
        places = tuple(range(len(strategies)))
        rows = (None,) * len(strategies)
    else:
        rows_of = [np.nonzero(np.equal(batch.seating, member)) for member in range(len(strategies))]
        size = _padded_size(max(len(seat) for seat, _ in rows_of))
        rows = tuple(_pad_rows(seat, game, size) for seat, game in rows_of)
    kind = _Kind(
        step=batch.step,
        rules=_Rules.of(batch),
        seats=len(batch.seating),
        strategies=tuple(strategy for strategy in strategies if strategy is not None),
        places=places,
        needed=tuple((phase, tuple(fields)) for phase, fields in batch.needed(batch.step).items()),
        single=single,
    )
    ends = None if lengths is None else jnp.asarray(lengths, dtype=jnp.int32)
    return compiled(kind), (_draws(batch), _numbers(batch, single), rows, ends)


def _draws(batch: Batch) -> tuple[Array, Any]:
    import jax.numpy as jnp

    key = tuple(jnp.asarray(word, dtype=jnp.uint64) for word in key_of(batch.seed))
    return jnp.asarray(batch.games, dtype=jnp.uint64), key


def _arguments(batch: Batch) -> list[str]:
    """Return the rules that are arguments of the compiled game."""
    assert batch.step is not None
    values = {name: getattr(batch.rules, name) for name in batch.step.arguments}
    return [name for name, value in values.items() if is_number(value) or isinstance(value, np.ndarray)]


def _numbers(batch: Batch, single: bool) -> dict[str, Array]:
    """Return the values of the rules that are arguments, (games,). The values are arrays even if they are constant. So
    one program serves all values, and the results of a game do not depend on the values of other games in the batch."""
    import jax.numpy as jnp

    assert batch.step is not None
    numbers, single_precision = {}, single and batch.step.dtype == "float64"
    for name in _arguments(batch):
        value = getattr(batch.rules, name)
        whole = np.issubdtype(np.asarray(value).dtype, np.integer)
        dtype = jnp.int64 if whole else jnp.float32 if single_precision else jnp.float64
        numbers[name] = jnp.broadcast_to(jnp.asarray(value, dtype=dtype), batch.games.shape)
    return numbers


def _pad_rows(seat: Ints, game: Ints, size: int) -> tuple[Ints, Ints]:
    """Return the rows of a strategy, padded with duplicates. If a strategy has no seat, its rows have indices out of
    range. Reading such rows is harmless, and writes to them are ignored."""
    if not len(seat):
        return np.full(size, _OUT_OF_RANGE), np.full(size, _OUT_OF_RANGE)
    return np.pad(seat, (0, size - len(seat)), mode="edge"), np.pad(game, (0, size - len(game)), mode="edge")


@dataclass(frozen=True)
class _Rules:
    """Rules that count as equal if their constant parts are equal. This works even if the rules are not hashable."""

    written: str
    values: Any = field(compare=False)

    @classmethod
    def of(cls, batch: Batch) -> "_Rules":
        """Return the rules of a batch without those that are arguments."""
        constant = with_numbers(batch.rules, dict.fromkeys(_arguments(batch), 0))
        return cls(json.dumps({**vars(constant)}, default=repr, sort_keys=True), constant)


@dataclass(frozen=True)
class _Kind:
    step: ArrayForm
    rules: _Rules
    seats: int
    strategies: tuple[RowStrategy, ...]
    places: tuple[int | None, ...]
    """The seat of each strategy, if it is the same in every game."""
    needed: tuple[tuple[str, Sequence[Field]], ...]
    single: bool


class _Carry(NamedTuple):
    turn: Array
    running: Array
    state: Any
    memories: Any
    played: Played


def _next_turn(take_turn: Callable[[_Carry], _Carry], carry: _Carry) -> _Carry:
    """Take a turn, and return its result with the types of `carry`, since a loop of JAX needs the same types in every
    turn."""
    import jax

    same_types: _Carry = jax.tree.map(lambda new, old: new.astype(old.dtype), take_turn(carry), carry)
    return same_types


@lru_cache(maxsize=64)
def compiled(kind: _Kind) -> Callable[..., Played]:
    """Return the compiled game. The first turn is traced separately, since strategies have no memory before it."""
    import jax
    import jax.numpy as jnp
    from jax import lax

    step = kind.step
    # JAX sorts the names of a mapping, but the columns keep the order that the game declares.
    order: list[str] = []

    def game(
        chance: tuple[Array, Any], numbers: Mapping[str, Array], rows: tuple[Any, ...], lengths: Array | None
    ) -> Played:
        rules, draws = with_numbers(kind.rules.values, numbers), Draws(*chance)
        mover = Mover(step, rules, dict(kind.needed), _scatter)
        count = draws.games.shape[0]
        parties = [
            Party(strategy, _pick(place, row, count))
            for strategy, place, row in zip(kind.strategies, kind.places, rows, strict=True)
        ]
        single = kind.single and step.dtype == "float64"
        like = jnp.zeros((kind.seats, count), dtype=jnp.float32 if single else step.dtype)

        def figures_of(turn: Array, state: Any) -> dict[str, Array]:
            columns = step.figures(rules, turn, state)
            order[:] = columns
            return {name: jnp.broadcast_to(values, like.shape) for name, values in columns.items()}

        def take_turn(carry: _Carry) -> _Carry:
            turn, running, state, memories, played = carry
            for phase in mover.phases:
                moves, memories = mover.move(phase, turn, state, draws, like, parties, memories)
                state = step.step(rules, phase, turn, state, moves, draws)
            over = step.done(rules, turn, state) if lengths is None else lengths <= turn
            decided, length = step.turns_in(rules, turn, state), step.length(rules, turn, state)
            ended = Played(
                turns=turn if length is None else length,
                finals=step.finals(rules, state),
                turns_in=turn if decided is None else decided,
                figures=figures_of(turn, state),
            )
            results = jax.tree.map(lambda new, old: jnp.where(running & over, new, old), ended, played)
            return _Carry(turn + 1, running & ~over, state, memories, results)

        state = step.init(rules, kind.seats, like[0], mover.fields, draws)
        zeros = jnp.zeros(like.shape, dtype=jnp.int32)
        figures = {name: 0.0 * values for name, values in figures_of(jnp.int32(1), state).items()}
        no_results = Played(zeros[0], 0 * step.finals(rules, state), zeros, figures)
        first = take_turn(_Carry(jnp.int32(1), zeros[0] == 0, state, (), no_results))

        last: _Carry = lax.while_loop(lambda carry: jnp.any(carry.running), partial(_next_turn, take_turn), first)
        return last.played

    program = jax.jit(game)

    def play(*arguments: Any) -> Played:
        played: Played = program(*arguments)
        return played._replace(figures={name: played.figures[name] for name in order})

    return play


def _lengths(batch: Batch) -> Ints | None:
    """Return the length of each game, or None if the lengths are not known in advance."""
    lengths = game_lengths(batch, _draws(batch)[0])
    return None if lengths is None else np.asarray(lengths)


def game_lengths(batch: Batch, games: Array) -> Array | None:
    """Return the lengths of games, as an array on the device; `games` has their numbers. If they are as many as the
    games of the batch, each has its own settings. Otherwise all have the settings of the first game."""
    assert batch.step is not None
    first = batch.part(slice(0, 1))
    if batch.step.ends(first.rules, 1, first.draws) is None:
        return None
    numbers = _numbers(batch if len(batch.games) == len(games) else first, single=False)
    lengths: Array = _compiled_lengths(batch.step, _Rules.of(batch))(games, _draws(first)[1], numbers)
    return lengths


@lru_cache(maxsize=64)
def _compiled_lengths(step: ArrayForm, rules: _Rules) -> Callable[..., Array]:
    import jax
    import jax.numpy as jnp
    from jax import lax

    def lengths(games: Array, key: tuple[Array, Array], numbers: Mapping[str, Array]) -> Array:
        start = jnp.int32(1), games >= 0, jnp.zeros(games.shape, jnp.int32)
        draws, rules_now = Draws(games, key), with_numbers(rules.values, numbers)

        def next_turn(carry: tuple[Array, Array, Array]) -> tuple[Array, Array, Array]:
            turn, running, lengths = carry
            over: Array = step.ends(rules_now, turn, draws)
            return turn + 1, running & ~over, lengths + running

        return lax.while_loop(lambda carry: jnp.any(carry[1]), next_turn, start)[2]

    return jax.jit(lengths)


def _pick(place: int | None, rows: Any, games: int) -> Pick:
    if place is not None:
        return OneSeat(place)
    seat, game = rows
    return ManySeats.of(seat, game, games)


def _scatter(table: Array, pick: Pick, values: Array) -> Array:
    where = (pick.seat, pick.game) if isinstance(pick, ManySeats) else pick.seat
    return table.at[where].set(values.astype(table.dtype), mode="drop")
