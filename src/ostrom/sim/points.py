"""The same tables under many sets of rules, which are one batch wherever they differ in numbers only. Sweeps, payoff
tables and searches stand on it:

    for chunk in play_points(game, points, cast, tables, games_each=200, seed=1):
        chunk.point, chunk.table, chunk.repetition    # (games,) which game it is
        chunk.result.finals, chunk.result.wins        # (seats, games) what came out, by seat

    means = means_of_points(game, points, cast, tables, games_each=200, seed=1)
    mean, error = means.of("final")                   # (points, tables, seats), with its standard error
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any, Final, NamedTuple

import numpy as np
from pydantic import BaseModel

from ostrom.core import InputError
from ostrom.core.arrays import total
from ostrom.core.chance import GAMES as MOST_GAMES
from ostrom.core.game import Game
from ostrom.players.strategy import StrategyEntry
from ostrom.sim.batch import Batch, BatchResult, Floats, Ints
from ostrom.sim.plan import Backend, Plan, constants_of


@dataclass(frozen=True)
class GivenTables:
    """Tables given as a list; each plays `repetitions` games, one after the other."""

    cast: tuple[StrategyEntry, ...]
    tables: tuple[tuple[int, ...], ...]
    """For each table the places of its strategies in `cast`, seat by seat."""
    repetitions: int

    def __post_init__(self) -> None:
        if self.repetitions < 1:
            raise InputError(f"the number of games must be at least 1, got {self.repetitions}")
        if not self.tables or len({len(table) for table in self.tables}) > 1:
            raise InputError("there must be a table at least, and all tables must have as many seats")
        if any(not 0 <= place < len(self.cast) for table in self.tables for place in table):
            raise InputError(f"a table names a strategy by its place from 0 to {len(self.cast) - 1}")
        if self.games > MOST_GAMES:
            raise InputError(f"{self.games:,} games are too many for one seed; at most {MOST_GAMES:,} are possible")

    @property
    def seats(self) -> int:
        """How many sit at a table."""
        return len(self.tables[0])

    @property
    def games(self) -> int:
        """How many games there are."""
        return len(self.tables) * self.repetitions

    @cached_property
    def _places(self) -> Ints:
        return np.asarray(self.tables, dtype=np.int64).T

    def seating(self, games: Ints) -> Ints:
        """(seats, games) Who sits where in these games."""
        return np.asarray(self._places[:, games // self.repetitions])


class Chunk(NamedTuple):
    """Some of the games of `play_points`."""

    point: Ints
    """(games,) The place of the game's rules among the points."""
    table: Ints
    """(games,) The place of its table among the tables."""
    repetition: Ints
    """(games,) Which of the table's games it is. Its number, which names its draws, is
    table × games_each + repetition, under all rules."""
    batch: Batch
    result: BatchResult


def play_points(
    game: Game,
    points: Sequence[BaseModel],
    cast: Sequence[StrategyEntry],
    tables: Sequence[Sequence[int]],
    *,
    games_each: int,
    seed: int,
    backend: Backend | None = None,
    chunk_size: int | None = None,
    workers: int | None = None,
    players_files: Sequence[Path] = (),
    cluster: str | None = None,
) -> Iterator[Chunk]:
    """Play every table `games_each` times under every set of rules, and give what came out chunk by chunk, in bounded
    memory. `tables` has for each table the places of its strategies in `cast`, seat by seat. What comes out for a point
    is to the last bit what comes out for it alone, whatever the chunks, the workers and the other points; within a
    point games come in their order, and points that differ in more than numbers may change their order."""
    given = GivenTables(tuple(cast), tuple(tuple(table) for table in tables), games_each)
    game.check_seats(given.seats)
    if game.finals is None:
        raise InputError(f"{game.command} has no final results, so it cannot be played in batches")
    constants = [constants_of(game, rules) for rules in points]
    first: dict[str, int] = {}
    for place, said in enumerate(constants):
        first.setdefault(said, place)
    order = sorted(range(len(points)), key=lambda place: first[constants[place]])  # stable: like ones together
    plan = Plan(game.name, tuple(points[place] for place in order), given, seed, backend or "numpy")
    plan = plan if backend else plan.fastest()
    places = np.asarray(order, dtype=np.int64)
    for (start, stop), batch, result in plan.play(chunk_size, workers, players_files, cluster) if order else ():
        point, number = np.divmod(np.arange(start, stop), given.games)
        table, repetition = np.divmod(number, games_each)
        yield Chunk(places[point], table, repetition, batch, result)


@dataclass
class PointMeans:
    """What came out on average, by point, table and seat."""

    games: int
    """Of each point and table."""
    _base: dict[str, Floats] = field(default_factory=dict)
    _sums: dict[str, Floats] = field(default_factory=dict)
    _squares: dict[str, Floats] = field(default_factory=dict)

    @property
    def names(self) -> tuple[str, ...]:
        """What can be asked for: 'final', 'won', and the game's own figures."""
        return tuple(self._sums)

    def add(self, chunk: Chunk, shape: tuple[int, int, int]) -> None:
        """Take in a chunk. One game is added after the other, so that sums do not depend on the chunks; they are sums
        of what a game has more than the first, so that a small spread around a large mean is not lost."""
        told = {"final": chunk.result.finals, "won": chunk.result.wins, **chunk.result.figures}
        first = chunk.repetition == 0
        order = np.argsort(chunk.repetition, kind="stable")
        turns = np.split(order, np.flatnonzero(np.diff(chunk.repetition[order])) + 1)
        if len(turns) ** 2 > len(order):
            turns = [np.arange(len(order))]
        for name, values in told.items():
            if name not in self._sums:
                self._base[name], self._sums[name], self._squares[name] = (np.zeros(shape) for _ in range(3))
            base, rows = self._base[name], values.T
            base[chunk.point[first], chunk.table[first]] = rows[first]
            apart = rows - base[chunk.point, chunk.table]
            for sums, more in ((self._sums[name], apart), (self._squares[name], apart * apart)):
                for turn in turns:
                    at = chunk.point[turn], chunk.table[turn]
                    if len(turns) > 1:
                        sums[at] += more[turn]  # one game of each table at a time: no place stands twice
                    else:
                        np.add.at(sums, at, more)

    def of(self, name: str) -> tuple[Floats, Floats]:
        """(points, tables, seats) The mean over games and its standard error; that is not a number of one game."""
        shift = self._sums[name] / self.games
        with np.errstate(invalid="ignore", divide="ignore"):
            variance = np.maximum(self._squares[name] - self.games * shift * shift, 0.0) / np.float64(self.games - 1)
        return self._base[name] + shift, np.sqrt(variance / self.games)


def means_of_points(
    game: Game,
    points: Sequence[BaseModel],
    cast: Sequence[StrategyEntry],
    tables: Sequence[Sequence[int]],
    *,
    games_each: int,
    **how: Any,
) -> PointMeans:
    """`play_points`, with the means over the games of each point, table and seat alone."""
    means = PointMeans(games_each)
    for chunk in play_points(game, points, cast, tables, games_each=games_each, **how):
        means.add(chunk, (len(points), len(tables), len(tables[0])))
    return means


WELFARE: Final = "welfare"
INEQUALITY: Final = "inequality"
SURVIVAL: Final = "survival"
LENGTH: Final = "length"
_PARTS_OF_ONE: Final = frozenset({INEQUALITY, SURVIVAL, "wins"})


def outcomes_of(table: Sequence[StrategyEntry], result: BatchResult) -> dict[str, Floats]:
    """(games,) by name: `welfare`, the mean final of the table; `inequality`, the Gini coefficient of its finals;
    `survival`, the share of seats that decided in every turn, where all are asked in each; `length`, how many turns
    there were; each figure of the game as the table's mean; and `final:NAME`, `wins:NAME` and each figure of each
    player, its seats averaged. All games are of one table."""
    seats = len(table)
    stayed = result.turns_in >= result.turns
    found = {
        WELFARE: _mean(result.finals),
        INEQUALITY: gini(result.finals),
        **({} if result.in_turns else {SURVIVAL: total(stayed.astype(np.float64)) / seats}),
        LENGTH: result.turns.astype(np.float64),
        **{name: _mean(values) for name, values in result.figures.items()},
    }
    held: dict[str, list[int]] = {}
    for seat, entry in enumerate(table):
        held.setdefault(entry.name, []).append(seat)
    by_seat = {"final": result.finals, "wins": result.wins, **result.figures}
    for player, places in held.items():
        found |= {f"{name}:{player}": _mean(values[places]) for name, values in by_seat.items()}
    return found


def is_share(name: str) -> bool:
    """Whether an outcome lies between 0 and 1 in every game."""
    return name.partition(":")[0] in _PARTS_OF_ONE


def titles(game: Game, names: Sequence[str]) -> dict[str, str]:
    """What charts and tables call each outcome."""
    told = {
        WELFARE: f"mean final {game.unit}".strip(),
        INEQUALITY: "Gini coefficient of finals",
        SURVIVAL: "share of seats in to the end",
        LENGTH: f"{game.clock}s played",
    }
    return {name: told.get(name) or _title(game, name) for name in names}


def _title(game: Game, name: str) -> str:
    figure, colon, player = name.partition(":")
    figure = f"final {game.unit}".strip() if figure == "final" else figure.replace("_", " ")
    return f"{figure} of {player}" if colon else figure


def _mean(rows: Floats) -> Floats:
    return np.asarray(total(rows) / len(rows), dtype=np.float64)


def gini(finals: Floats) -> Floats:
    """(games,) Σᵢ Σⱼ |xᵢ − xⱼ| / (2 n Σ x): 0 if all are equal or have nothing; not a number where a seat
    ended below 0."""
    seats = len(finals)
    ranked = np.sort(finals, axis=0)
    whole = total(ranked)
    weighed = total(np.arange(1 - seats, seats, 2)[:, None] * ranked)
    with np.errstate(divide="ignore", invalid="ignore"):
        found = np.where(whole > 0, np.maximum(weighed / (seats * whole), 0.0), 0.0)
    return np.where(ranked[0] < 0, np.nan, found)
