"""Plays the same tables under many sets of rules, and computes the outcomes of each game. Sets of rules that differ
only in numbers are played as one batch. Sweeps and searches for rules use this module:

    for chunk in play_points(game, points, cast, tables, games_each=200, seed=1):
        chunk.point, chunk.table, chunk.repetition    # (games,) identify the game
        chunk.result.finals, chunk.result.wins        # (seats, games)
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Any, Final, NamedTuple

import numpy as np
from pydantic import BaseModel

from ostrom.core import InputError
from ostrom.core.arrangements import Arrangement, block_of
from ostrom.core.arrays import total
from ostrom.core.game import Game
from ostrom.players.strategy import StrategyEntry
from ostrom.sim.batch import Batch, BatchResult, Floats, Ints, check_repetitions
from ostrom.sim.plan import Backend, Plan, constants_of


@dataclass(frozen=True)
class GivenTables:
    """A list of tables, each with its players. Each table plays `repetitions` consecutive games."""

    cast: tuple[StrategyEntry, ...]
    tables: tuple[tuple[int, ...], ...]
    """The players of each table: for each seat, the index of its strategy in `cast`."""
    repetitions: int
    arrangements: tuple[Arrangement, ...] = ()
    """The arrangements of a table's players over its seats. Each arrangement is used in an equal part of the table's
    games. By default, players keep their seats."""

    def __post_init__(self) -> None:
        check_repetitions(self.repetitions, self.games)
        if not self.tables or len({len(table) for table in self.tables}) > 1:
            raise InputError("there must be at least one table, and all tables must have the same number of seats")
        if any(not 0 <= place < len(self.cast) for table in self.tables for place in table):
            raise InputError(f"a table names strategies by index, from 0 to {len(self.cast) - 1}")

    @property
    def seats(self) -> int:
        return len(self.tables[0])

    @property
    def games(self) -> int:
        return len(self.tables) * self.repetitions

    @cached_property
    def _places(self) -> Ints:
        return np.asarray(self.tables, dtype=np.int64).T

    def seating(self, games: Ints) -> Ints:
        """Return the index of the strategy at each seat of these games, (seats, games)."""
        seated = np.asarray(self._places[:, games // self.repetitions])
        if len(self.arrangements) < 2:
            return seated
        return np.take_along_axis(seated, self.orders(games % self.repetitions), axis=0)

    def orders(self, repetition: Ints) -> Ints:
        """Return, for each seat, the position of its player in the table's list, (seats, games)."""
        block = block_of(repetition, self.repetitions, len(self.arrangements))
        return np.asarray(self.arrangements, dtype=np.int64)[block].T

    def draws(self, games: Ints) -> Ints:
        """Return, for each game, the number that determines its random draws."""
        return games


class Chunk(NamedTuple):
    """Some of the games of `play_points`."""

    point: Ints
    """(games,) Index of the game's rules among the points."""
    table: Ints
    """(games,) Index of the game's table."""
    repetition: Ints
    """(games,) Index of the game among the games of its table. The number that determines a game's draws is the same
    under all rules: table × games_each + repetition."""
    batch: Batch
    result: BatchResult
    """The results by seat. If players change seats, the results are by the players' positions in the table's list."""


def play_points(
    game: Game,
    points: Sequence[BaseModel],
    cast: Sequence[StrategyEntry],
    tables: Sequence[Sequence[int]],
    *,
    games_each: int,
    seed: int,
    arranged: Sequence[Arrangement] = (),
    backend: Backend | None = None,
    chunk_size: int | None = None,
    workers: int | None = None,
    players_files: Sequence[Path] = (),
    cluster: str | None = None,
) -> Iterator[Chunk]:
    """Yield the games of every table, `games_each` under every set of rules, chunk by chunk in bounded memory. `tables`
    has, for each seat, the index of its strategy in `cast`. The results of a point are the same, to the last bit, for
    any chunks, workers and other points. `arranged` has arrangements of players over seats. The games of a table are
    divided among them. The games of a point are yielded in order. Points whose rules differ in more than numbers may be
    reordered."""
    tables_played = GivenTables(tuple(cast), tuple(tuple(table) for table in tables), games_each, tuple(arranged))
    game.check_seats(tables_played.seats)
    if game.finals is None:
        raise InputError(f"{game.command} has no final results, so it cannot be played in batches")
    constants = [constants_of(game, rules) for rules in points]
    first: dict[str, int] = {}
    for place, constant in enumerate(constants):
        first.setdefault(constant, place)
    order = sorted(
        range(len(points)), key=lambda place: first[constants[place]]
    )  # The sort is stable, so that points with the same constants are adjacent.
    plan = Plan(game.name, tuple(points[place] for place in order), tables_played, seed, backend or "numpy")
    plan = plan if backend else plan.fastest()
    point_of = np.asarray(order, dtype=np.int64)
    for (start, stop), batch, result in plan.play(chunk_size, workers, players_files, cluster) if order else ():
        point, number = np.divmod(np.arange(start, stop), tables_played.games)
        table, repetition = np.divmod(number, games_each)
        if len(arranged) > 1:
            result = by_place(result, tables_played.orders(repetition))
        yield Chunk(point_of[point], table, repetition, batch, result)


def by_place(result: BatchResult, orders: Ints) -> BatchResult:
    """Return results by the players' positions in the table's list instead of by seat. `orders` has the position of the
    player at each seat, (seats, games)."""

    def moved(values: Any) -> Any:
        placed = np.empty_like(values)
        np.put_along_axis(placed, orders, values, axis=0)
        return placed

    figures = {name: moved(values) for name, values in result.figures.items()}
    return replace(result, finals=moved(result.finals), turns_in=moved(result.turns_in), figures=figures)


WELFARE: Final = "welfare"
INEQUALITY: Final = "inequality"
SURVIVAL: Final = "survival"
LENGTH: Final = "length"
_SHARES: Final = frozenset({INEQUALITY, SURVIVAL, "wins"})


def outcomes_of(table: Sequence[StrategyEntry], result: BatchResult) -> dict[str, Floats]:
    """Return the outcomes of each game at one table by name, each (games,). Outcomes of the table are `welfare`, the
    mean final; `inequality`, the Gini coefficient of finals; `survival`, the share of seats that decided in every turn,
    unless seats alternate; `length` in turns; and the mean over seats of each figure of the game. Outcomes of each
    player are `final:NAME`, `wins:NAME` and each figure of the game that is not a figure of whole games, averaged over
    the player's seats."""
    seats = len(table)
    stayed = result.turns_in >= result.turns
    outcomes = {
        WELFARE: _mean(result.finals),
        INEQUALITY: gini(result.finals),
        **({} if result.in_turns else {SURVIVAL: total(stayed.astype(np.float64)) / seats}),
        LENGTH: result.turns.astype(np.float64),
        **{name: _mean(values) for name, values in result.figures.items()},
    }
    seats_of: dict[str, list[int]] = {}
    for seat, entry in enumerate(table):
        seats_of.setdefault(entry.name, []).append(seat)
    of_seats = {name: values for name, values in result.figures.items() if name not in result.of_games}
    by_seat = {"final": result.finals, "wins": result.wins, **of_seats}
    for player, places in seats_of.items():
        outcomes |= {f"{name}:{player}": _mean(values[places]) for name, values in by_seat.items()}
    return outcomes


def is_share(game: Game, name: str) -> bool:
    """Return whether an outcome is between 0 and 1 in every game."""
    step = game.part("step")
    own = () if step is None else step.shares
    return name.partition(":")[0] in {*_SHARES, *own}


def titles(game: Game, names: Sequence[str]) -> dict[str, str]:
    """Return the titles of outcomes in charts and tables."""
    title_of = {
        WELFARE: f"mean final {game.unit}".strip(),
        INEQUALITY: "Gini coefficient of finals",
        SURVIVAL: "share of seats that remain to the end",
        LENGTH: f"{game.clock}s played",
    }
    return {name: title_of.get(name) or _title(game, name) for name in names}


def _title(game: Game, name: str) -> str:
    figure, colon, player = name.partition(":")
    figure = f"final {game.unit}".strip() if figure == "final" else figure.replace("_", " ")
    return f"{figure} of {player}" if colon else figure


def _mean(rows: Floats) -> Floats:
    return np.asarray(total(rows) / len(rows), dtype=np.float64)


def gini(finals: Floats) -> Floats:
    """Return the Gini coefficient of each game, (games,): Σᵢ Σⱼ |xᵢ − xⱼ| / (2 n Σ x). It is 0 if all finals are equal
    or zero, and NaN if a final is negative."""
    seats = len(finals)
    ranked = np.sort(finals, axis=0)
    sums = total(ranked)
    weighted = total(np.arange(1 - seats, seats, 2)[:, None] * ranked)
    with np.errstate(divide="ignore", invalid="ignore"):
        coefficients = np.where(sums > 0, np.maximum(weighted / (seats * sums), 0.0), 0.0)
    return np.where(ranked[0] < 0, np.nan, coefficients)
