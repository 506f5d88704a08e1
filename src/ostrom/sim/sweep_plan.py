"""What a sweep plays: its points, which of them are one batch, and how each is typed as a game of its own."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from difflib import get_close_matches
from functools import cached_property
from itertools import groupby
from typing import Any, NamedTuple

import numpy as np
from pydantic import BaseModel

from ostrom.core import InputError, UnknownName
from ostrom.core.chance import GAMES as MOST_GAMES
from ostrom.core.chance import check_seed
from ostrom.core.errors import field
from ostrom.core.game import Game, make_rules
from ostrom.core.plugins import DEFAULT_GAME, GAMES, find_game
from ostrom.players.roster import Seated, choose, strategies_of
from ostrom.players.strategy import StrategyEntry
from ostrom.sim.batch import Batch, BatchResult, Floats
from ostrom.sim.factors import Factor, Kind, Values, factors_of, points_of, rules_with, seated, set_apart, spelled
from ostrom.sim.numpy_engine import play_batch
from ostrom.sim.plan import Backend, Plan, constants_of
from ostrom.sim.points import GivenTables, outcomes_of, play_points

_GAMES = 4
"""Games in which players are told apart."""


def usual_table(game: Game, everybody: Sequence[StrategyEntry]) -> list[StrategyEntry]:
    """All of these, or, where the game has no room for all, its usual number: the first of them who do not play alike,
    as far as a few games at tables of copies tell. Only where fewer differ than there are seats, others fill them."""
    if len(everybody) <= game.seats.most:
        return list(everybody)
    seats = game.seats.usual or game.seats.most
    chosen: dict[str, StrategyEntry] = {}
    seen: list[BatchResult] = []
    for entry in everybody:
        if len(chosen) == seats:
            break
        played = _among_copies(game, entry, seats)
        if not any(_alike(played, other) for other in seen):
            chosen[entry.name] = entry
            seen.append(played)
    others = [entry for entry in everybody if entry.name not in chosen]
    return [*chosen.values(), *others][:seats]


def _among_copies(game: Game, entry: StrategyEntry, seats: int) -> BatchResult:
    seating = np.zeros((seats, _GAMES), dtype=np.int64)
    return play_batch(Batch(game, make_rules(game, None), [entry], seating, np.arange(_GAMES), 0))


def _alike(one: BatchResult, other: BatchResult) -> bool:
    pairs = [(one.finals, other.finals), (one.turns_in, other.turns_in)]
    pairs += [(values, other.figures[name]) for name, values in one.figures.items()]
    return all(np.array_equal(mine, theirs, equal_nan=True) for mine, theirs in pairs)


class Point(NamedTuple):
    """One point of a sweep."""

    number: int
    values: tuple[Any, ...]
    """Of every factor."""
    rules: Any
    table: tuple[StrategyEntry, ...]


@dataclass(frozen=True)
class SweepPlan:
    """What is played, as plain data that goes to other processes."""

    game: str
    rules: BaseModel
    """Those that are not varied."""
    table: tuple[StrategyEntry, ...]
    factors: tuple[Factor, ...]
    design: Kind
    values: tuple[tuple[Any, ...], ...]
    """Of every factor at every point."""
    games: int
    """At every point."""
    seed: int
    backend: Backend = "numpy"
    measures: tuple[str, ...] = ()
    """What is kept of every game; nothing stands for all there is."""

    def point(self, number: int) -> Point:
        """The point of this number."""
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
        """All points; a point whose rules or table cannot be is refused."""
        found = tuple(self.point(number) for number in range(len(self.values)))
        for seats in {len(point.table) for point in found}:
            GAMES[self.game].check_seats(seats)
        return found

    @cached_property
    def cast(self) -> tuple[StrategyEntry, ...]:
        """Everybody who sits at any table, once."""
        return tuple({entry.name: entry for point in self.points for entry in point.table}.values())

    @property
    def slow(self) -> tuple[str, ...]:
        """Players in plain Python, one game at a time."""
        without_step = GAMES[self.game].step is None
        return tuple(entry.name for entry in self.cast if without_step or entry.rows is None)

    @cached_property
    def available(self) -> tuple[str, ...]:
        """What can be measured, those of the whole table first: as one game of the first point tells."""
        first = self.point(0)
        tried = replace(self, values=self.values[:1], games=1, measures=())
        told = list(tried.play([0]))
        whole, here = [name for name in told if ":" not in name], first.table[0].name
        kinds = [name.removesuffix(f":{here}") for name in told if name.endswith(f":{here}")]
        return (*whole, *(f"{kind}:{entry.name}" for entry in self.cast for kind in kinds))

    def chunks(self, missing: Sequence[int], size: int | None, at_least: int) -> Iterator[tuple[int, ...]]:
        """The numbers of points that are played together: they have one table, and differ in numbers of their rules
        alone. If there are enough points, there are at least `at_least` chunks, so that no worker is idle."""
        alike: dict[tuple[Any, ...], list[int]] = {}
        for number in missing:
            point = self.points[number]
            key = (tuple(entry.name for entry in point.table), constants_of(GAMES[self.game], point.rules))
            alike.setdefault(key, []).append(number)
        for (names, _), numbers in alike.items():
            room = _SEATS_A_CHUNK // (self.games * len(names)) if size is None else size // self.games
            most = max(1, min(room, -(-len(missing) // at_least)))
            yield from (tuple(numbers[start : start + most]) for start in range(0, len(numbers), most))

    def play(self, numbers: Sequence[int], size: int | None = None) -> dict[str, Floats]:
        """(points, games) The outcomes of points that have one table."""
        points = [self.point(number) for number in numbers]
        table = points[0].table
        cast = tuple({entry.name: entry for entry in table}.values())
        places = [[entry.name for entry in cast].index(entry.name) for entry in table]
        found: dict[str, Floats] = {}
        for chunk in play_points(
            GAMES[self.game],
            [point.rules for point in points],
            cast,
            [places],
            games_each=self.games,
            seed=self.seed,
            backend=self.backend,
            chunk_size=size,
            workers=1,
        ):
            for name, values in outcomes_of(table, chunk.result).items():
                if self.measures and name not in self.measures:
                    continue
                array = found.setdefault(name, np.full((len(points), self.games), np.nan))
                array[chunk.point, chunk.repetition] = values
        return found

    def on_engine(self, numbers: Sequence[int]) -> Plan:
        """About these points as the engine plans them: it says what plays them fastest, on how many processes, and
        which files those must load. Tables may differ from point to point; here the first stands for all."""
        place = {entry.name: index for index, entry in enumerate(self.cast)}
        first = tuple(place[entry.name] for entry in self.points[0].table)
        rules = tuple(self.points[number].rules for number in numbers)
        return Plan(self.game, rules, GivenTables(self.cast, (first,), self.games), self.seed, self.backend)

    def __getstate__(self) -> dict[str, Any]:
        """Without the points, which another process makes as it needs them."""
        return {name: value for name, value in vars(self).items() if name not in ("points", "cast", "available")}

    def command(self, number: int) -> list[str]:
        """The words that play the first game of a point: the options of `ostrom run`."""
        point, words = self.point(number), [GAMES[self.game].command]
        for name, value in set_apart(point.rules).items():
            if value is not None:
                words += ["--rule", f"{name}={spelled(value)}"]
        names = [entry.name for entry in point.table]
        if names != [entry.name for entry in choose(game=self.game)]:
            for name, held in groupby(names):
                seats = len(list(held))
                words += ["--include", name if seats == 1 else f"{name}:{seats}"]
        return [*words, "--seed", str(self.seed)]


_MOST_NUMBERS = 100_000_000
"""Numbers that a sweep keeps of its games: 800 MB."""
_SEATS_A_CHUNK = 262_144
"""Seats of the points that are played, and kept, at once."""


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
    """What a sweep plays, every point of it checked."""
    game = find_game(game)
    if game.finals is None:
        raise InputError(f"{game.command} has no final results, so it cannot be swept")
    check_seed(seed)
    if not 1 <= games <= MOST_GAMES:
        raise InputError(f"the number of games must be from 1 to {MOST_GAMES:,}, got {games}")
    entries = strategies_of(game, players or usual_table(game, choose(game=game.name)))
    whole = make_rules(game, rules)
    factors = factors_of(game, vary)
    values = points_of(factors, design, points, seed)
    plan = SweepPlan(game.name, whole, tuple(entries), factors, design, tuple(values), games, seed)
    assert plan.points  # each is made, and so checked
    every = range(len(values))
    plan = replace(plan, backend=plan.on_engine(every).fastest().backend if backend is None else backend)
    chosen = tuple(dict.fromkeys(measures))
    for measure in chosen:
        if measure not in plan.available:
            near = get_close_matches(measure, plan.available, n=1)
            raise UnknownName("measure", measure, near, catalogue=f"there are {', '.join(plan.available[:6])}, …")
    plan = replace(plan, measures=chosen)
    numbers = len(values) * games * len(chosen or plan.available)
    if numbers > _MOST_NUMBERS:
        raise InputError(
            f"{len(values):,} points of {games:,} games are too much to keep with {len(chosen or plan.available)} "
            f"measures; choose some with {field('measure')}, or play fewer games"
        )
    return plan
