"""Standings of a tournament, accumulated batch by batch in bounded memory. If an accelerator plays a single table, it
also computes the standings, so that only the standings are transferred."""

import math
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache, partial
from itertools import pairwise
from tempfile import SpooledTemporaryFile
from typing import Any, Final, Literal, Self, TypeAlias

import numpy as np

from ostrom.core.arrays import Array, round_values
from ostrom.core.estimates import (
    ONE_GAME,
    Estimate,
    bounded_interval,
    jackknife,
    mean_over_groups,
    median,
    median_ranks,
    stratified_mean,
    stratified_share,
    t_interval,
    within_range,
)
from ostrom.core.game import Aim
from ostrom.sim.batch import Batch, BatchResult, Floats, Ints, limits_of
from ostrom.sim.jax_engine import GROUPS, game_lengths, load, prepare

Estimand: TypeAlias = Literal["tables", "opponents"]
"""The population that figures describe: the tables that were played, or tables with random opponents that are like the
entrants of the tournament."""
SAYS: Final[Mapping[Estimand, str]] = {
    "tables": "Figures are those of the tables that were played. Intervals cover only the chance within games.",
    "opponents": (
        "Figures are those against random opponents like these. Intervals cover the choice of opponents: each of "
        "them is left out in turn."
    ),
}
"""A sentence that describes each estimand."""
LEAST_OPPONENTS: Final = 8
"""Minimum number of opponents for an interval over random opponents."""
_UNITS_PER_SQUARED_SKEWNESS: Final = 15
"""The number of games per unit of squared skewness above which t intervals of gamma distributions have at least 93.4 %
coverage."""
_SPOOL_BYTES = 2**20
"""The number of bytes of a column that are kept in memory. A larger column is moved to a temporary file."""


@dataclass(frozen=True)
class RoleStanding:
    """One player's result in one role."""

    seats: int
    win_rate: Estimate
    mean_final: Estimate


@dataclass(frozen=True)
class Standing:
    """One player's result over all its games. If the player has several seats at a table, its results at these seats
    are averaged. If seats have roles, means are taken over roles with equal weight."""

    rank: int
    """The player's rank. Players are ranked by mean final if the aim of the game is a high payoff. Otherwise they are
    ranked by win rate, and then by mean final."""
    name: str
    games: int
    """The number of games in which the player had a seat."""
    seats: int
    """The total number of the player's seats."""
    win_rate: Estimate
    """The mean share of the win per seat. The best final wins 1. Tied seats divide the 1 equally."""
    mean_final: Estimate
    median_final: Estimate
    figures: Mapping[str, Estimate]
    """The mean over seats of each of the game's own figures, such as contribution."""
    unit: str
    """The unit of finals."""
    roles: Mapping[str, RoleStanding] = field(default_factory=dict)
    """The player's result in each role, if seats have roles."""


class StandingsTally:
    """Accumulates batches in the order of their games and computes the standings. The result depends only on the games
    and not on the batches, because figures are computed over whole columns. Large columns are in temporary files, which
    bounds memory."""

    def __init__(
        self,
        names: Sequence[str],
        *,
        unit: str = "",
        higher: bool = True,
        repetitions: int = 1,
        over: Estimand = "tables",
        tables: Ints | None = None,
        roles: Sequence[str] = (),
        aim: Aim = "rank",
    ) -> None:
        """Every table plays `repetitions` consecutive games. `tables` is the seating, (seats, tables). Intervals over
        opponents need it. `roles` has the role of each seat, if seats have roles."""
        self._names = names
        self._repetitions = repetitions
        self._over = over
        self._tables = tables
        self._unit = unit.replace(" ", "_") or "final"
        self._sign = 1 if higher else -1
        self._aim: Aim = aim
        self._roles = tuple(dict.fromkeys(roles))
        self._role_of_seat = np.asarray([self._roles.index(role) for role in roles], dtype=np.float64)
        self._columns: dict[tuple[int, str], SpooledTemporaryFile[bytes]] = defaultdict(
            partial(SpooledTemporaryFile, _SPOOL_BYTES)
        )
        """Values by player and column, in order of arrival."""
        self._figures: tuple[str, ...] = ()
        self._limits: Mapping[str, tuple[float, float]] = {}
        self._needed: dict[str, int] = {}
        self.games = 0
        self.player_turns = 0

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        for column in self._columns.values():
            column.close()

    def add(self, batch: Batch, result: BatchResult) -> None:
        """Add a batch."""
        if result.figures and not self._figures and batch.step is not None:
            self._limits = limits_of(batch.step, batch.rules, len(batch.seating))
        self._figures = tuple(result.figures)
        figures = {"won": result.wins, "final": result.finals}
        figures |= {f"figure {name}": values for name, values in result.figures.items()}
        if self._roles:
            figures["role"] = np.broadcast_to(self._role_of_seat[:, None], batch.seating.shape)
            figures["draw"] = np.broadcast_to(batch.games.astype(np.float64), batch.seating.shape)
        # Rows are sorted by player, then by game, then by seat.
        # The numbers have 16 bits, since NumPy then uses a radix sort.
        seated = np.ascontiguousarray(batch.seating.T, dtype=np.uint16).ravel()
        order = np.argsort(seated, kind="stable")
        bounds = np.searchsorted(seated[order], np.arange(len(self._names) + 1))
        columns = {name: np.ascontiguousarray(values.T).ravel()[order] for name, values in figures.items()}
        game = order // len(batch.seating)
        for member, (start, stop) in enumerate(pairwise(bounds.tolist())):
            for name, column in columns.items():
                self._write(member, name, column[start:stop])
            games = game[start:stop]
            first = np.flatnonzero(np.concatenate(([True], games[1:] != games[:-1]))[: len(games)])
            self._write(member, "per game", np.diff(first, append=len(games)))
        self.games += len(batch.games)
        self.player_turns += result.player_turns

    def _write(self, member: int, column: str, values: Any) -> None:
        self._columns[member, column].write(np.ascontiguousarray(values, dtype=np.float64).tobytes())

    def _read(self, member: int, column: str) -> Floats:
        self._columns[member, column].seek(0)
        return np.frombuffer(self._columns[member, column].read(), dtype=np.float64)

    def standings(self) -> list[Standing]:
        """Return the standings, the best first."""
        rows = [self._standing(member) for member in range(len(self._names))]
        return in_order(rows, higher=self._sign > 0, aim=self._aim)

    def _standing(self, member: int) -> Standing:
        per_game = self._read(member, "per game").astype(np.int64)
        finals = self._read(member, "final")
        mean = self._mean_of(member, per_game, stratified_mean, _t_interval)
        share = self._mean_of(member, per_game, stratified_share, bounded_interval)
        # Games with the same draws are not independent.
        units = len(np.unique(self._read(member, "draw"))) if self._roles else len(per_game)
        middle = median(finals, units)
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
            figures={name: self._within(name, mean(f"figure {name}")) for name in self._figures},
            unit=self._unit,
            roles={role: self._in_role(member, place) for place, role in enumerate(self._roles)},
        )

    def _within(self, figure: str, estimate: Estimate) -> Estimate:
        return within_range(estimate, *self._limits[figure]) if figure in self._limits else estimate

    def _in_role(self, member: int, role: int) -> RoleStanding:
        own = self._read(member, "role") == role
        if not own.any():
            none = Estimate(None, reason="it had no seat in this role")
            return RoleStanding(0, none, none)
        return RoleStanding(
            seats=int(own.sum()),
            win_rate=self._over_draws(member, "won", bounded_interval, own),
            mean_final=self._over_draws(member, "final", _t_interval, own),
        )

    def _over_draws(
        self, member: int, column: str, interval: Callable[..., Estimate], own: Any = slice(None)
    ) -> Estimate:
        """Return a player's mean over roles with equal weight. Games with the same draws form one unit. Units with the
        same players form a stratum."""
        draw = self._read(member, "draw")[own].astype(np.int64)
        role = self._read(member, "role")[own]
        mean, error, freedom = mean_over_groups(self._read(member, column)[own], role, draw, draw // self._repetitions)
        if error is None:
            return Estimate(mean, reason=ONE_GAME)
        return interval(mean, error, freedom, len(np.unique(draw)))

    def _mean_of(
        self, member: int, per_game: Ints, strata: Callable[..., Estimate], units: Callable[..., Estimate]
    ) -> Callable[[str], Estimate]:
        """Return the function that estimates the mean of a column, either over the tables played or over random
        opponents."""
        if self._over == "tables" and self._roles:
            return lambda column: self._over_draws(member, column, units)
        if self._over == "tables":
            tables = len(per_game) // self._repetitions
            return lambda column: strata(self._read(member, column), per_game, tables)

        def estimate(column: str) -> Estimate:
            mean, without = self._without_each(member, column)
            if not len(without):
                return Estimate(
                    mean, reason="there is only one table, which does not show how others would do; play smaller groups"
                )
            if len(without) < LEAST_OPPONENTS or not np.isfinite(without).all():
                return Estimate(mean, reason=f"an interval over opponents needs {LEAST_OPPONENTS} that can be left out")
            # Wins are bounded. Their interval accounts for outcomes that were not observed.
            if column != "won" and (needed := self._opponents_needed(column)) > len(without):
                return Estimate(mean, reason=f"a few opponents decide the mean: an interval needs about {needed}")
            error, freedom = jackknife(mean, without)
            return units(mean, error, freedom, len(without))

        return estimate

    def _without_each(self, member: int, column: str) -> tuple[float, Floats]:
        """Return a player's mean over seats, and its means with each opponent left out in turn. The latter array is
        empty if there is a single table."""
        assert self._tables is not None
        own_tables = self._tables[:, np.any(self._tables == member, axis=0)]
        values, per_game = self._read(member, column), self._read(member, "per game").astype(np.int64)
        if self._roles:
            role = self._read(member, "role").astype(np.int64)
            count = np.bincount(role, minlength=len(self._roles))
            values = values * (len(values) / np.count_nonzero(count) / count[role])
        starts = np.concatenate(([0], np.cumsum(per_game)[:-1]))
        sums = np.add.reduceat(values, starts).reshape(-1, self._repetitions).sum(axis=1)
        seats = per_game.reshape(-1, self._repetitions).sum(axis=1)
        mean = float(sums.sum() / seats.sum())
        if own_tables.shape[1] == 1:
            return mean, np.empty(0)
        others = [other for other in np.unique(own_tables) if other != member]
        absent = np.asarray([~np.any(own_tables == other, axis=0) for other in others]).reshape(len(others), -1)
        with np.errstate(invalid="ignore"):  # If an opponent is at every table, the value is NaN.
            return mean, np.asarray((absent @ sums) / (absent @ seats))

    def _opponents_needed(self, column: str) -> int:
        """Return the number of opponents above which a t interval is reliable. The number depends on the squared
        skewness (after Cochran 1977, section 2.15). The skewness is computed from the opponents of all players, because
        those of a single player often lack a rare influential opponent."""
        if column not in self._needed:
            means = [self._without_each(member, column) for member in range(len(self._names))]
            pseudo_values = [(len(without) - 1) * (mean - without) for mean, without in means if len(without)]
            centred = (
                np.concatenate([values - values.mean() for values in pseudo_values]) if pseudo_values else np.zeros(1)
            )
            spread = float(np.mean(centred**2)) ** 1.5
            skewness = float(np.mean(centred**3)) / spread if spread > 0 else 0.0
            self._needed[column] = math.ceil(_UNITS_PER_SQUARED_SKEWNESS * skewness**2)
        return self._needed[column]


def in_order(rows: Sequence[Standing], *, higher: bool, aim: Aim) -> list[Standing]:
    """Return the standings with ranks. Players are ranked by mean final if the aim is a high payoff. Otherwise they are
    ranked by win rate, and then by mean final. Players with equal win rates and equal mean finals share a rank."""

    def keys(row: Standing) -> tuple[float, float]:
        wins, final = -_rounded(row.win_rate), -_rounded(row.mean_final) if higher else _rounded(row.mean_final)
        return (wins, final) if aim == "rank" else (final, wins)

    rows = sorted(rows, key=lambda row: (*keys(row), row.name))
    ranks: list[int] = []
    for place, row in enumerate(rows):
        tied = place > 0 and keys(row) == keys(rows[place - 1])
        ranks.append(ranks[-1] if tied else place + 1)
    return [replace(row, rank=rank) for row, rank in zip(rows, ranks, strict=True)]


def _t_interval(mean: float, error: float, freedom: float, units: int) -> Estimate:
    return t_interval(mean, error, freedom)


def _rounded(estimate: Estimate) -> float:
    """Return the value without the rounding error of summation."""
    assert estimate.value is not None  # Every player has a seat in some game.
    return round(estimate.value, 9)


_MAX_DEVICE_GAMES = 1 << 17
"""The largest number of games per batch on the accelerator. This number is large enough to use the accelerator fully,
and small enough for its memory."""


def on_device(
    first: Batch, games: int, *, unit: str, higher: bool, aim: Aim = "rank", single: bool = False
) -> tuple[list[Standing], int]:
    """Return the standings of games 0 to `games` − 1, and the number of decisions. The games are played at one table
    with one seat per player. `first` is a batch of the first games, which defines the seating."""
    jax = load()
    assert first.one_table
    names, ranks = [first.cast[member].name for member in first.seating[:, 0]], median_ranks(games)
    with jax.enable_x64(True):
        import jax.numpy as jnp

        numbers = jnp.arange(games, dtype=jnp.uint64)
        lengths = game_lengths(first, numbers)
        if lengths is not None:
            order = jnp.argsort(lengths)
            numbers, lengths = numbers[order], lengths[order]
        parts = []
        for start, stop in _spans(games):
            program, arguments = _group(first, numbers, lengths, start, stop, single)
            parts.append(program(*arguments))
        rank_indices = jnp.asarray([] if ranks is None else ranks, dtype=jnp.int64)
        summary = jax.device_get(_summary(games, higher)(parts, rank_indices))
    turns = int(summary.pop("player turns"))
    # JAX sorts the names of a mapping, but the columns keep the order that the game declares.
    columns = [*(name for name in summary if name not in parts[0].figures), *parts[0].figures]
    figures = {name: summary[name] for name in columns}
    limits = {} if first.step is None else limits_of(first.step, first.rules, len(first.seating))
    rows = _standings(names, figures, games, ranks is not None, unit, limits)
    return in_order(rows, higher=higher, aim=aim), turns


def _spans(games: int) -> list[tuple[int, int]]:
    size = min(_MAX_DEVICE_GAMES, max(256, 1 << (-(-games // GROUPS) - 1).bit_length()))
    return [(start, start + size) for start in range(0, games, size)]


def _group(
    first: Batch, numbers: Array, lengths: Any, start: int, stop: int, single: bool
) -> tuple[Any, tuple[Any, ...]]:
    """Return the compiled game and its arguments for the games from `start` to `stop`. The last group is padded by
    repeating its last game."""
    import jax.numpy as jnp

    def cut(values: Array) -> Array:
        part = values[start:stop]
        return jnp.pad(part, (0, stop - start - len(part)), mode="edge")

    no_lengths = None if lengths is None else np.zeros(len(first.games), dtype=np.int64)
    program, ((_, key), numbers_of_rules, rows, _) = prepare(first, single, no_lengths)
    numbers_of_rules = {name: jnp.broadcast_to(values[0], (stop - start,)) for name, values in numbers_of_rules.items()}
    ends = None if lengths is None else cut(lengths).astype(jnp.int32)
    return program, ((cut(numbers), key), numbers_of_rules, rows, ends)


@lru_cache(maxsize=16)
def _summary(games: int, higher: bool) -> Callable[..., dict[str, Array]]:
    """Return the compiled function that summarises games by seat. The summary has the mean and variance of wins, finals
    and figures, and order statistics of finals."""
    import jax
    import jax.numpy as jnp

    def summary(played: Sequence[Any], ranks: Array) -> dict[str, Array]:
        def joined(parts: Sequence[Array]) -> Array:
            return jnp.concatenate(parts, axis=-1)[..., :games]

        finals = joined([part.finals for part in played]).astype(jnp.float64)
        value = round_values(finals if higher else -finals)
        best = value == jnp.max(value, axis=0)
        columns = {"won": best / jnp.sum(best, axis=0), "final": finals}
        for name in played[0].figures:
            columns[name] = joined([part.figures[name] for part in played]).astype(jnp.float64)
        ranked = jnp.sort(finals, axis=1)
        turns_in = joined([jnp.broadcast_to(part.turns_in, part.finals.shape) for part in played])
        moments = {
            name: jnp.stack([jnp.mean(rows, axis=1), jnp.var(rows, axis=1, ddof=1)]) for name, rows in columns.items()
        }
        medians = (ranked[:, (games - 1) // 2] + ranked[:, games // 2]) / 2
        return {
            **moments,
            "median": medians,
            "ranks": ranked[:, ranks],
            "player turns": jnp.sum(turns_in, dtype=jnp.int64),
        }

    return jax.jit(summary)


def _standings(
    names: Sequence[str],
    summary: dict[str, Any],
    games: int,
    bounds: bool,
    unit: str,
    limits: Mapping[str, tuple[float, float]],
) -> list[Standing]:
    def estimate(name: str, seat: int) -> Estimate:
        mean, variance = (float(value) for value in summary[name][:, seat])
        if games < 2:
            return Estimate(mean, reason=ONE_GAME)
        error = 0.0 if variance <= 1e-18 * (1 + mean**2) else (variance / games) ** 0.5
        if name == "won":
            return bounded_interval(mean, error, games - 1, games)
        interval = t_interval(mean, error, games - 1)
        return within_range(interval, *limits[name]) if name in limits else interval

    def median_of(seat: int) -> Estimate:
        value = float(summary["median"][seat])
        if not bounds:
            return Estimate(value, reason="fewer than 6 games: no 95 % interval for the median")
        low, high = (float(bound) for bound in summary["ranks"][seat])
        return Estimate(value, low, high)

    figures = [name for name in summary if name not in ("won", "final", "median", "ranks")]
    return [
        Standing(
            rank=0,
            name=name,
            games=games,
            seats=games,
            win_rate=estimate("won", seat),
            mean_final=estimate("final", seat),
            median_final=median_of(seat),
            figures={figure: estimate(figure, seat) for figure in figures},
            unit=unit.replace(" ", "_") or "final",
        )
        for seat, name in enumerate(names)
    ]
