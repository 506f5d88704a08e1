"""The plan of a sweep: the points of the sweep and the batches in which they are played."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from difflib import get_close_matches
from functools import cached_property
from itertools import groupby
from typing import Any, NamedTuple

import numpy as np
from pydantic import BaseModel

from ostrom.core import InputError, UnknownName
from ostrom.core.arrangements import Arrangement, arrangements
from ostrom.core.chance import GAMES as MOST_GAMES
from ostrom.core.chance import check_seed
from ostrom.core.errors import field
from ostrom.core.game import Game, make_rules
from ostrom.core.plugins import DEFAULT_GAME, GAMES, find_game
from ostrom.players.roster import Seated, choose, strategies_of
from ostrom.players.strategy import StrategyEntry
from ostrom.sim.batch import Batch, BatchResult, Floats, plain_players
from ostrom.sim.factors import (
    Factor,
    Kind,
    Values,
    factors_of,
    points_of,
    rules_with,
    seated,
)
from ostrom.sim.numpy_engine import play_batch
from ostrom.sim.plan import Backend, Plan, constants_of
from ostrom.sim.points import GivenTables, outcomes_of, play_points

_COMPARED_GAMES = 4
"""The number of games in which the behaviour of players is compared."""


def default_table(game: Game, players: Sequence[StrategyEntry]) -> list[StrategyEntry]:
    """Return all players if the game has seats for all. Otherwise return as many players as the game usually has seats.
    These are the first players that behave differently from each other. To compare behaviour, each player plays a few
    games against copies of itself. If too few players differ, other players fill the remaining seats."""
    if game.seats.largest(len(players)) == len(players):
        return list(players)
    seats = game.seats.usual or game.seats.largest(len(players))
    chosen: dict[str, StrategyEntry] = {}
    results: list[BatchResult] = []
    for entry in players:
        if len(chosen) == seats:
            break
        result = _among_copies(game, entry, seats)
        if not any(_same_results(result, earlier) for earlier in results):
            chosen[entry.name] = entry
            results.append(result)
    others = [entry for entry in players if entry.name not in chosen]
    return [*chosen.values(), *others][:seats]


def _among_copies(game: Game, entry: StrategyEntry, seats: int) -> BatchResult:
    seating = np.zeros((seats, _COMPARED_GAMES), dtype=np.int64)
    return play_batch(Batch(game, make_rules(game, None), [entry], seating, np.arange(_COMPARED_GAMES), 0))


def _same_results(first: BatchResult, second: BatchResult) -> bool:
    pairs = [(first.finals, second.finals), (first.turns_in, second.turns_in)]
    pairs += [(values, second.figures[name]) for name, values in first.figures.items()]
    return all(np.array_equal(mine, other_values, equal_nan=True) for mine, other_values in pairs)


class Point(NamedTuple):
    """One point of a sweep."""

    number: int
    values: tuple[Any, ...]
    """The value of every factor at this point."""
    rules: Any
    table: tuple[StrategyEntry, ...]


@dataclass(frozen=True)
class SweepPlan:
    """The plan of a sweep as plain data, for other processes."""

    game: str
    rules: BaseModel
    """The rules that are not varied."""
    table: tuple[StrategyEntry, ...]
    factors: tuple[Factor, ...]
    design: Kind
    values: tuple[tuple[Any, ...], ...]
    """The value of every factor at every point."""
    games: int
    """The number of games per point."""
    seed: int
    backend: Backend = "numpy"
    measures: tuple[str, ...] = ()
    """The names of the measures to store. If empty, all measures are stored."""

    def point(self, number: int) -> Point:
        """Return the point of this number."""
        if not 0 <= number < len(self.values):
            raise InputError(f"there is no point {number}; the sweep has points 0 to {len(self.values) - 1}")
        values, game = self.values[number], GAMES[self.game]
        settings = {
            factor.name: value for factor, value in zip(self.factors, values, strict=True) if factor.part == "rule"
        }
        rules = rules_with(self.rules, settings) if settings else self.rules
        return Point(number, values, rules, seated(game, self.table, self.factors, values))

    @cached_property
    def points(self) -> tuple[Point, ...]:
        """All points. Raise InputError if the rules or the table of a point are invalid."""
        points = tuple(self.point(number) for number in range(len(self.values)))
        for seats in {len(point.table) for point in points}:
            GAMES[self.game].check_seats(seats)
        return points

    @cached_property
    def cast(self) -> tuple[StrategyEntry, ...]:
        """The distinct strategies at any table."""
        return tuple({entry.name: entry for point in self.points for entry in point.table}.values())

    @property
    def slow(self) -> tuple[str, ...]:
        """Strategies that play one game at a time in plain Python."""
        return plain_players(GAMES[self.game], self.cast, [point.rules for point in self.points])

    @cached_property
    def available(self) -> tuple[str, ...]:
        """The measures of the sweep. Measures of the whole table are first. To determine the measures, one game of the
        first point is played."""
        first = self.point(0)
        probe = replace(self, values=self.values[:1], games=1, measures=())
        names = list(probe.play([0]))
        of_table, player = [name for name in names if ":" not in name], first.table[0].name
        kinds = [name.removesuffix(f":{player}") for name in names if name.endswith(f":{player}")]
        return (*of_table, *(f"{kind}:{entry.name}" for entry in self.cast for kind in kinds))

    def chunks(self, missing: Sequence[int], size: int | None, at_least: int) -> Iterator[tuple[int, ...]]:
        """Yield the numbers of points that are played together, group by group. The points of a group share a table,
        and their rules differ only in numbers. If possible, there are at least `at_least` groups, so that all workers
        are used."""
        groups: dict[tuple[Any, ...], list[int]] = {}
        for number in missing:
            point = self.points[number]
            key = (tuple(entry.name for entry in point.table), constants_of(GAMES[self.game], point.rules))
            groups.setdefault(key, []).append(number)
        for (names, _), numbers in groups.items():
            room = _SEATS_PER_CHUNK // (self.games * len(names)) if size is None else size // self.games
            max_points = max(1, min(room, -(-len(missing) // at_least)))
            yield from (tuple(numbers[start : start + max_points]) for start in range(0, len(numbers), max_points))

    def play(self, numbers: Sequence[int], size: int | None = None) -> dict[str, Floats]:
        """Return the outcomes of points with the same table, by name. Each array is (points, games)."""
        points = [self.point(number) for number in numbers]
        table = points[0].table
        cast = tuple({entry.name: entry for entry in table}.values())
        places = [[entry.name for entry in cast].index(entry.name) for entry in table]
        outcomes: dict[str, Floats] = {}
        for chunk in play_points(
            GAMES[self.game],
            [point.rules for point in points],
            cast,
            [places],
            games_each=self.games,
            seed=self.seed,
            arranged=self.arranged(len(table)),
            backend=self.backend,
            chunk_size=size,
            workers=1,
        ):
            for name, values in outcomes_of(table, chunk.result).items():
                if self.measures and name not in self.measures:
                    continue
                array = outcomes.setdefault(name, np.full((len(points), self.games), np.nan))
                array[chunk.point, chunk.repetition] = values
        return outcomes

    def arranged(self, seats: int) -> tuple[Arrangement, ...]:
        """Return the arrangements of players over seats. The games of a point are divided among the arrangements, so
        that players exchange roles. In a game without roles, players exchange seats that differ."""
        return arrangements(GAMES[self.game].seat_groups(seats), self.games)

    def on_engine(self, numbers: Sequence[int]) -> Plan:
        """Return a plan of the engine with these points. The plan chooses the backend, processes and files. Tables may
        differ between points, but the plan uses the table of the first point."""
        place = {entry.name: index for index, entry in enumerate(self.cast)}
        first = tuple(place[entry.name] for entry in self.points[0].table)
        rules = tuple(self.points[number].rules for number in numbers)
        return Plan(self.game, rules, GivenTables(self.cast, (first,), self.games), self.seed, self.backend)

    def __getstate__(self) -> dict[str, Any]:
        """Return the state for pickling. The state does not include the points, which another process computes
        again."""
        return {name: value for name, value in vars(self).items() if name not in ("points", "cast", "available")}

    def players_of(self, point: Point) -> list[tuple[str, int]]:
        """Return the players of a point, each with its number of adjacent seats. Return an empty list if the table
        consists of all players."""
        names = [entry.name for entry in point.table]
        if names == [entry.name for entry in choose(game=self.game)]:
            return []
        return [(name, len(list(seats))) for name, seats in groupby(names)]


_MAX_VALUES = 100_000_000
"""The largest number of values that a sweep may store (800 MB)."""
_SEATS_PER_CHUNK = 262_144
"""The number of seats, over all points, that are played and stored at a time."""


def plan_of(
    vary: Mapping[str, Values] | Sequence[str],
    *,
    games: int,
    seed: int,
    players: Sequence[Seated] = (),
    game: str | Game = DEFAULT_GAME,
    rules: Mapping[str, Any] | BaseModel | None = None,
    design: Kind = "factorial",
    points: int | None = None,
    backend: Backend | None = None,
    measures: Sequence[str] = (),
) -> SweepPlan:
    """Return the plan of a sweep after checking every point. Raise InputError if the sweep is too large."""
    game = find_game(game)
    if game.finals is None:
        raise InputError(f"{game.command} has no final results, so it cannot be swept")
    check_seed(seed)
    if not 1 <= games <= MOST_GAMES:
        raise InputError(f"the number of games must be from 1 to {MOST_GAMES:,}, got {games}")
    entries = strategies_of(game, players or default_table(game, choose(game=game.name)))
    fixed_rules = make_rules(game, rules)
    factors = factors_of(game, vary)
    values = points_of(factors, design, points, seed)
    plan = SweepPlan(game.name, fixed_rules, tuple(entries), factors, design, tuple(values), games, seed)
    assert plan.points  # The points are checked when they are computed.
    every = range(len(values))
    plan = replace(plan, backend=plan.on_engine(every).fastest().backend if backend is None else backend)
    kept_measures = tuple(dict.fromkeys(measures))
    for measure in kept_measures:
        if measure not in plan.available:
            near = get_close_matches(measure, plan.available, n=1)
            raise UnknownName("measure", measure, near, catalogue=f"there are {', '.join(plan.available[:6])}, …")
    plan = replace(plan, measures=kept_measures)
    count = len(kept_measures or plan.available)
    numbers = len(values) * games * count
    if numbers > _MAX_VALUES:
        raise InputError(
            f"{len(values):,} points of {games:,} games are too many to keep with {count} "
            f"measures; choose some with {field('measure')}, or play fewer games"
        )
    return plan
