"""A tournament at one table that stays on the accelerator: games are played, sorted and summed up there, and only the
figures of the standings come back. What comes out is what `standings` gives for the same games on JAX, to rounding."""

from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import Any

import numpy as np

from ostrom.core.arrays import Array, rounded
from ostrom.core.estimates import Estimate, bounded, median_ranks, t_interval
from ostrom.sim.batch import Batch
from ostrom.sim.jax_engine import GROUPS, game_lengths, load, prepare
from ostrom.sim.standings import Standing, in_order_of_wins

_MOST = 1 << 17
"""Games that are played at once: enough for an accelerator, few enough for its memory."""


def on_device(few: Batch, games: int, *, unit: str, higher: bool, single: bool = False) -> tuple[list[Standing], int]:
    """The standings of the games with the numbers from 0 on, in which everybody has one seat, the same in every game;
    and how many decisions were made. `few` are the first of them, which show who sits where."""
    jax = load()
    assert few.one_table
    names, ranks = [few.cast[member].name for member in few.seating[:, 0]], median_ranks(games)
    with jax.enable_x64(True):
        import jax.numpy as jnp

        numbers = jnp.arange(games, dtype=jnp.uint64)
        lengths = game_lengths(few, numbers)
        if lengths is not None:
            order = jnp.argsort(lengths)
            numbers, lengths = numbers[order], lengths[order]
        played = []
        for start, stop in _spans(games):
            program, arguments = _group(few, numbers, lengths, start, stop, single)
            played.append(program(*arguments))
        wanted = jnp.asarray([] if ranks is None else ranks, dtype=jnp.int64)
        figures = jax.device_get(_summary(games, higher)(played, wanted))
    turns = int(figures.pop("player turns"))
    return _standings(names, figures, games, ranks is not None, unit, higher), turns


def _spans(games: int) -> list[tuple[int, int]]:
    size = min(_MOST, max(256, 1 << (-(-games // GROUPS) - 1).bit_length()))
    return [(start, start + size) for start in range(0, games, size)]


def _group(
    few: Batch, numbers: Array, lengths: Any, start: int, stop: int, single: bool
) -> tuple[Any, tuple[Any, ...]]:
    """The compiled game and its arguments for some games; a last group is filled up with its last game."""
    import jax.numpy as jnp

    def cut(values: Array) -> Array:
        part = values[start:stop]
        return jnp.pad(part, (0, stop - start - len(part)), mode="edge")

    some = None if lengths is None else np.zeros(len(few.games), dtype=np.int64)
    program, ((_, key), told, rows, _) = prepare(few, single, some)
    told = {name: jnp.broadcast_to(values[0], (stop - start,)) for name, values in told.items()}
    ends = None if lengths is None else cut(lengths).astype(jnp.int32)
    return program, ((cut(numbers), key), told, rows, ends)


@lru_cache(maxsize=16)
def _summary(games: int, higher: bool) -> Callable[..., dict[str, Array]]:
    """What standings say, of each seat: mean and variance of wins, finals and figures, and the finals at some ranks."""
    import jax
    import jax.numpy as jnp

    def summary(played: Sequence[Any], ranks: Array) -> dict[str, Array]:
        def whole(parts: Sequence[Array]) -> Array:
            return jnp.concatenate(parts, axis=-1)[..., :games]

        finals = whole([each.finals for each in played]).astype(jnp.float64)
        value = rounded(finals if higher else -finals)
        best = value == jnp.max(value, axis=0)
        told = {"won": best / jnp.sum(best, axis=0), "final": finals}
        for name in played[0].figures:
            told[name] = whole([each.figures[name] for each in played]).astype(jnp.float64)
        ranked = jnp.sort(finals, axis=1)
        turns_in = whole([jnp.broadcast_to(each.turns_in, each.finals.shape) for each in played])
        found = {
            name: jnp.stack([jnp.mean(rows, axis=1), jnp.var(rows, axis=1, ddof=1)]) for name, rows in told.items()
        }
        middle = (ranked[:, (games - 1) // 2] + ranked[:, games // 2]) / 2
        return {
            **found,
            "median": middle,
            "ranks": ranked[:, ranks],
            "player turns": jnp.sum(turns_in, dtype=jnp.int64),
        }

    return jax.jit(summary)


def _standings(
    names: Sequence[str], found: dict[str, Any], games: int, bounds: bool, unit: str, higher: bool
) -> list[Standing]:
    def estimate(name: str, seat: int) -> Estimate:
        mean, variance = (float(value) for value in found[name][:, seat])
        if games < 2:
            return Estimate(mean, reason="one game at a table shows no chance: no interval")
        error = 0.0 if variance <= 1e-18 * (1 + mean**2) else (variance / games) ** 0.5
        if name == "won":
            return bounded(mean, error, games - 1, games)
        return t_interval(mean, error, games - 1)

    def middle(seat: int) -> Estimate:
        value = float(found["median"][seat])
        if not bounds:
            return Estimate(value, reason="fewer than 6 games: no 95 % interval for the median")
        low, high = (float(each) for each in found["ranks"][seat])
        return Estimate(value, low, high)

    figures = [name for name in found if name not in ("won", "final", "median", "ranks")]
    rows = [
        Standing(
            rank=0,
            name=name,
            games=games,
            seats=games,
            win_rate=estimate("won", seat),
            mean_final=estimate("final", seat),
            median_final=middle(seat),
            figures={figure: estimate(figure, seat) for figure in figures},
            unit=unit.replace(" ", "_") or "final",
        )
        for seat, name in enumerate(names)
    ]
    return in_order_of_wins(rows, higher=higher)
