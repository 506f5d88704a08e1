"""How the players of a tournament stand: kept up game by game in bounded memory, and put in order at the end."""

import math
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache, partial
from itertools import pairwise
from tempfile import SpooledTemporaryFile
from typing import Any, Final, Literal, Self, TypeAlias

import numpy as np

from ostrom.core.arrays import Array, rounded
from ostrom.core.estimates import (
    Estimate,
    bounded_interval,
    jackknife,
    median,
    median_ranks,
    stratified_mean,
    stratified_share,
    t_interval,
)
from ostrom.sim.batch import Batch, BatchResult, Floats, Ints
from ostrom.sim.jax_engine import GROUPS, game_lengths, load, prepare

Estimand: TypeAlias = Literal["tables", "opponents"]
"""What figures are about: the tables that were played, or tables with opponents like these."""
SAYS: Final[Mapping[Estimand, str]] = {
    "tables": "Figures are those of the tables played: intervals hold the chance within games, and nothing else is "
    "taken to be drawn.",
    "opponents": "Figures are those against random opponents like these: intervals hold the choice of opponents, each "
    "left out in turn.",
}
"""Each in words."""
LEAST_OPPONENTS: Final = 8
"""With fewer there is no interval over random opponents."""
_BY_SKEWNESS: Final = 15
"""With as many units by the square of the skewness, t intervals of gamma distributions hold in 93.4 % or more."""
_IN_MEMORY = 2**20
"""Bytes of a column that stay in memory before it moves to a temporary file."""


@dataclass(frozen=True)
class Standing:
    """One player's result over all its games. A player with several seats at a table is one row, seats averaged."""

    rank: int
    """Equal win rates share a rank."""
    name: str
    games: int
    """Games in which it held a seat."""
    seats: int
    """Seats it held in all; more than its games where it sat more than once at a table."""
    win_rate: Estimate
    """Of each of its seats, the mean part of the win: 1 for the best final, shared by seats that tie."""
    mean_final: Estimate
    median_final: Estimate
    figures: Mapping[str, Estimate]
    """What else the game tells of a seat, such as its contribution: the mean over seats."""
    unit: str
    """What finals are counted in."""


class Tally:
    """Takes in batches, in the order of their games, and gives the standings. What it gives depends on the games alone,
    not on how they were cut into batches: every figure is computed over whole columns. Beyond a size a column lies in a
    temporary file, so memory stays flat."""

    def __init__(
        self,
        names: Sequence[str],
        *,
        unit: str = "",
        higher: bool = True,
        repetitions: int = 1,
        over: Estimand = "tables",
        tables: Ints | None = None,
    ) -> None:
        """Every table plays `repetitions` games, one after the other; `tables` says who sits at which, (seats, tables),
        which intervals over opponents take."""
        self._names = names
        self._repetitions = repetitions
        self._over = over
        self._tables = tables
        self._unit = unit.replace(" ", "_") or "final"
        self._sign = 1 if higher else -1
        self._columns: dict[tuple[int, str], SpooledTemporaryFile[bytes]] = defaultdict(
            partial(SpooledTemporaryFile, _IN_MEMORY)
        )
        """The numbers of each player by name, in the order in which they came."""
        self._figures: tuple[str, ...] = ()
        """What else the game tells of a seat, by name."""
        self._needed: dict[str, int] = {}
        self.games = 0
        self.player_turns = 0

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        for column in self._columns.values():
            column.close()

    def add(self, batch: Batch, result: BatchResult) -> None:
        """Take in a batch."""
        self._figures = tuple(result.figures)
        told = {"won": result.wins, "final": result.finals}
        told |= {f"figure {name}": values for name, values in result.figures.items()}
        # Player after player, and of each of them game after game, seat after seat.
        seated = np.ascontiguousarray(batch.seating.T, dtype=np.uint16).ravel()  # sorted by digits
        order = np.argsort(seated, kind="stable")
        bounds = np.searchsorted(seated[order], np.arange(len(self._names) + 1))
        columns = {name: np.ascontiguousarray(values.T).ravel()[order] for name, values in told.items()}
        game = order // len(batch.seating)
        for member, (start, stop) in enumerate(pairwise(bounds.tolist())):
            for name, column in columns.items():
                self._write(member, name, column[start:stop])
            own = game[start:stop]
            first = np.flatnonzero(np.concatenate(([True], own[1:] != own[:-1]))[: len(own)])
            self._write(member, "per game", np.diff(first, append=len(own)))
        self.games += len(batch.games)
        self.player_turns += result.player_turns

    def _write(self, member: int, column: str, values: Any) -> None:
        self._columns[member, column].write(np.ascontiguousarray(values, dtype=np.float64).tobytes())

    def _read(self, member: int, column: str) -> Floats:
        self._columns[member, column].seek(0)
        return np.frombuffer(self._columns[member, column].read(), dtype=np.float64)

    def standings(self) -> list[Standing]:
        """Everybody, the best win rate first; equal rates by mean final."""
        return in_order_of_wins([self._standing(member) for member in range(len(self._names))], higher=self._sign > 0)

    def _standing(self, member: int) -> Standing:
        per_game = self._read(member, "per game").astype(np.int64)
        finals = self._read(member, "final")
        mean = self._mean_of(
            member, per_game, stratified_mean, lambda mean, error, freedom, _: t_interval(mean, error, freedom)
        )
        share = self._mean_of(member, per_game, stratified_share, bounded_interval)
        middle = median(finals, len(per_game))
        if self._over == "opponents":
            middle = Estimate(middle.value, reason="a median over random opponents has no interval")
        return Standing(
            rank=0,
            name=self._names[member],
            games=len(per_game),
            seats=len(finals),
            win_rate=share("won"),
            mean_final=mean("final"),
            median_final=middle,
            figures={name: mean(f"figure {name}") for name in self._figures},
            unit=self._unit,
        )

    def _mean_of(
        self, member: int, per_game: Ints, strata: Callable[..., Estimate], units: Callable[..., Estimate]
    ) -> Callable[[str], Estimate]:
        """What makes the estimate of a column: over the tables that were played, or over random opponents."""
        if self._over == "tables":
            tables = len(per_game) // self._repetitions
            return lambda column: strata(self._read(member, column), per_game, tables)

        def estimate(column: str) -> Estimate:
            mean, without = self._without_each(member, column)
            if not len(without):
                return Estimate(mean, reason="one table only: nothing shows how others would do; play smaller groups")
            if len(without) < LEAST_OPPONENTS or not np.isfinite(without).all():
                return Estimate(mean, reason=f"an interval over opponents takes {LEAST_OPPONENTS} that can be left out")
            # A win is a figure from 0 to 1, whose interval allows for what was not seen.
            if column != "won" and (needed := self._opponents_needed(column)) > len(without):
                return Estimate(mean, reason=f"a few opponents decide the mean: an interval needs about {needed}")
            error, freedom = jackknife(mean, without)
            return units(mean, error, freedom, len(without))

        return estimate

    def _without_each(self, member: int, column: str) -> tuple[float, Floats]:
        """A player's mean over seats, and what it is without each opponent in turn; nothing at one table only."""
        assert self._tables is not None
        mine = self._tables[:, np.any(self._tables == member, axis=0)]
        values, per_game = self._read(member, column), self._read(member, "per game").astype(np.int64)
        starts = np.concatenate(([0], np.cumsum(per_game)[:-1]))
        sums = np.add.reduceat(values, starts).reshape(-1, self._repetitions).sum(axis=1)
        seats = per_game.reshape(-1, self._repetitions).sum(axis=1)
        mean = float(sums.sum() / seats.sum())
        if mine.shape[1] == 1:
            return mean, np.empty(0)
        others = [other for other in np.unique(mine) if other != member]
        away = np.asarray([~np.any(mine == other, axis=0) for other in others]).reshape(len(others), -1)
        with np.errstate(invalid="ignore"):  # not a number where an opponent sits at every table
            return mean, np.asarray((away @ sums) / (away @ seats))

    def _opponents_needed(self, column: str) -> int:
        """How many opponents it takes until the t interval of a mean may be trusted, by the square of the skewness
        (after Cochran 1977, section 2.15): that of all players' opponents together, since a player's own few often miss
        the rare one on which the mean hangs."""
        if column not in self._needed:
            found = [self._without_each(member, column) for member in range(len(self._names))]
            away = [(len(without) - 1) * (mean - without) for mean, without in found if len(without)]
            apart = np.concatenate([one - one.mean() for one in away]) if away else np.zeros(1)
            spread = float(np.mean(apart**2)) ** 1.5
            skewness = float(np.mean(apart**3)) / spread if spread > 0 else 0.0
            self._needed[column] = math.ceil(_BY_SKEWNESS * skewness**2)
        return self._needed[column]


def in_order_of_wins(rows: Sequence[Standing], *, higher: bool) -> list[Standing]:
    """Everybody with a rank, the best win rate first; equal rates share it, and stand by mean final."""
    sign = 1 if higher else -1
    rows = sorted(rows, key=lambda row: (-_rounded(row.win_rate), -sign * _rounded(row.mean_final), row.name))
    ranks: list[int] = []
    for place, row in enumerate(rows):
        tied = place > 0 and _rounded(row.win_rate) == _rounded(rows[place - 1].win_rate)
        ranks.append(ranks[-1] if tied else place + 1)
    return [replace(row, rank=rank) for row, rank in zip(rows, ranks, strict=True)]


def _rounded(estimate: Estimate) -> float:
    """The value without the rounding error of its sum, in which shares of ties stand in the order of the games."""
    assert estimate.value is not None  # every player holds a seat in some game
    return round(estimate.value, 9)


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
            return bounded_interval(mean, error, games - 1, games)
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
