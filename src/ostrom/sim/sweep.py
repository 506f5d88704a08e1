"""A sweep: the same games at many points of rules, seats and tables. Game k has the same draws at every point, so
points are compared by pairs of games, and any point opens as a game of its own."""

import shlex
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from difflib import get_close_matches
from functools import cached_property
from itertools import groupby
from pathlib import Path
from typing import Any, Final, NamedTuple, Protocol, TypeAlias

import numpy as np
import polars as pl
from pydantic import BaseModel

from ostrom.core import InputError, UnknownName
from ostrom.core.chance import GAMES as MOST_GAMES
from ostrom.core.chance import check_seed
from ostrom.core.estimates import Estimate, means_of_rows
from ostrom.core.game import Game
from ostrom.core.plugins import DEFAULT_GAME, GAMES
from ostrom.players.roster import choose
from ostrom.players.strategy import StrategyEntry
from ostrom.sim.batch import Floats
from ostrom.sim.cluster import Span, spans_on_cluster, spans_on_processes
from ostrom.sim.design import Kind, points_of
from ostrom.sim.factors import Factor, Values, factors_of, rules_with, seated, spelled
from ostrom.sim.outcomes import is_share, outcomes_of, titles
from ostrom.sim.plan import Backend, Plan, constants_of
from ostrom.sim.points import GivenTables, play_points

Outcomes: TypeAlias = Mapping[str, Floats]
"""(points, games) by name; not a number where a point has none, as of a player that does not sit there."""
_ABSENT: Final = "no game at this point has it"


class Point(NamedTuple):
    """One point of a sweep."""

    number: int
    values: tuple[Any, ...]
    """Of every factor."""
    rules: Any
    table: tuple[StrategyEntry, ...]


class Kept(Protocol):
    """Where the outcomes of points are kept as they come in, for a sweep that is stopped to go on with."""

    def finished(self) -> Iterator[tuple[Sequence[int], Outcomes]]:
        """What was kept: the numbers of some points, and their outcomes."""

    def keep(self, points: Sequence[int], outcomes: Outcomes) -> None:
        """Keep the outcomes of these points."""


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
        alone. There are at least so many chunks where there are points enough, so that no worker stands still."""
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

    def __getstate__(self) -> dict[str, Any]:
        """Without the points, which another process makes as it needs them."""
        return {name: value for name, value in vars(self).items() if name not in ("points", "cast", "available")}

    def command(self, number: int) -> list[str]:
        """The words that play the first game of a point: the options of `ostrom run`."""
        point, words = self.point(number), [GAMES[self.game].command]
        plain = type(point.rules)()
        for name in type(point.rules).model_fields:
            value = getattr(point.rules, name)
            if value != getattr(plain, name):
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


@dataclass(frozen=True)
class SweepResult:
    """What a sweep found out."""

    plan: SweepPlan
    outcomes: dict[str, Floats]
    """(points, games) by name."""
    seconds: float = 0.0
    played: int = 0
    """Games that were played now, and not kept from before."""
    _estimates: dict[str, list[Estimate]] = field(default_factory=dict, compare=False, repr=False)

    @property
    def game(self) -> Game:
        return GAMES[self.plan.game]

    @property
    def factors(self) -> tuple[Factor, ...]:
        return self.plan.factors

    @property
    def measures(self) -> tuple[str, ...]:
        """What was measured, those of the whole table first."""
        return self.plan.measures or self.plan.available

    @property
    def titles(self) -> dict[str, str]:
        """What each measure is called."""
        return titles(self.game, self.measures)

    def values(self, measure: str) -> Floats:
        """(points, games) A measure in every game."""
        if measure in self.outcomes:
            return self.outcomes[measure]
        if measure in self.measures:  # of a player who sits nowhere
            return np.full((len(self.plan.values), self.plan.games), np.nan)
        raise InputError(f"the sweep has no measure {measure!r}; it has {', '.join(self.measures)}")

    def estimates(self, measure: str) -> list[Estimate]:
        """A measure at every point, with its interval over games."""
        if measure not in self._estimates:
            self._estimates[measure] = estimates_of(self.values(measure), share=is_share(measure))
        return self._estimates[measure]

    def to_frame(self, *measures: str) -> pl.DataFrame:
        """A row for each point and measure: point, every factor, measure, value, low, high, games and, where there is
        no interval, the reason."""
        points, factors = len(self.plan.values), self.factors
        columns: dict[str, Any] = {"point": list(range(points))}
        columns |= {one.name: [values[place] for values in self.plan.values] for place, one in enumerate(factors)}
        base = pl.DataFrame(columns)
        parts = []
        for measure in measures or self.measures:
            found = self.estimates(measure)
            games = np.sum(~np.isnan(self.values(measure)), axis=1)
            told = {name: [getattr(one, name) for one in found] for name in ("value", "low", "high")}
            schema = dict.fromkeys(("value", "low", "high"), pl.Float64)
            parts.append(
                base.with_columns(measure=pl.lit(measure)).hstack(
                    pl.DataFrame(told, schema=schema).with_columns(
                        games=pl.Series(games, dtype=pl.Int64),
                        reason=pl.Series([one.reason for one in found], dtype=pl.String),
                    )
                )
            )
        return pl.concat(parts)

    def command(self, point: int, number: int = 0) -> str:
        """The line that plays a game of a point by itself, with every turn."""
        words = self.plan.command(point)
        if number == 0:
            return shlex.join(["ostrom", "run", *words, "-v"])
        inner = shlex.join([*words, "--games", str(self.plan.games)])
        return shlex.join(["ostrom", "run", "--from-tournament", inner, "--number", str(number), "-v"])

    def __repr__(self) -> str:
        names = " × ".join(factor.name for factor in self.factors)
        return f"<sweep of {self.game.command} over {names}: {len(self.plan.values)} points of {self.plan.games} games>"


def estimates_of(values: Floats, *, share: bool = False) -> list[Estimate]:
    """The mean over games at each point (points, games), with its interval. Games without a value are left out."""
    whole = ~np.isnan(values).any(axis=1)
    found: list[Estimate | None] = [None] * len(values)
    for place, one in zip(np.flatnonzero(whole).tolist(), means_of_rows(values[whole], share=share), strict=True):
        found[place] = one
    for place in np.flatnonzero(~whole).tolist():
        there = values[place][~np.isnan(values[place])]
        found[place] = means_of_rows(there[None], share=share)[0] if len(there) else Estimate(None, reason=_ABSENT)
    return [one for one in found if one is not None]


def plan_of(
    vary: Mapping[str, Values] | Sequence[str],
    *,
    games: int,
    seed: int,
    players: Sequence[StrategyEntry | str] = (),
    game: str | Game = DEFAULT_GAME,
    rules: BaseModel | None = None,
    design: Kind = "factorial",
    points: int | None = None,
    backend: Backend = "numpy",
    measures: Sequence[str] = (),
) -> SweepPlan:
    """What a sweep plays, every point of it checked."""
    if isinstance(game, str):
        game = GAMES[game] if game in GAMES else GAMES.of_command(game)
    if game.finals is None:
        raise InputError(f"{game.command} has no final results, so it cannot be swept")
    check_seed(seed)
    if not 1 <= games <= MOST_GAMES:
        raise InputError(f"the number of games must be at least 1, got {games}")
    entries = [one for each in players for one in (choose([each], game=game.name) if isinstance(each, str) else [each])]
    entries = entries or choose(game=game.name)
    whole = rules or game.rules()
    factors = factors_of(game, vary)
    values = points_of(factors, design, points, seed)
    plan = SweepPlan(game.name, whole, tuple(entries), factors, design, tuple(values), games, seed, backend)
    assert plan.points  # each is made, and so checked
    chosen = tuple(dict.fromkeys(measures))
    for measure in chosen:
        if measure not in plan.available:
            near = get_close_matches(measure, plan.available, n=1)
            raise UnknownName("measure", measure, near, shown=f"there are {', '.join(plan.available[:6])}, …")
    plan = replace(plan, measures=chosen)
    numbers = len(values) * games * len(chosen or plan.available)
    if numbers > _MOST_NUMBERS:
        raise InputError(
            f"{len(values):,} points of {games:,} games are too much to keep with {len(chosen or plan.available)} "
            "measures; choose some with --measure, or play fewer games"
        )
    return plan


def sweep(
    vary: Mapping[str, Values] | Sequence[str],
    *,
    games: int = 200,
    seed: int = 0,
    players: Sequence[StrategyEntry | str] = (),
    game: str | Game = DEFAULT_GAME,
    rules: BaseModel | None = None,
    design: Kind = "factorial",
    points: int | None = None,
    backend: Backend = "numpy",
    measures: Sequence[str] = (),
    **how: Any,
) -> SweepResult:
    """Play games at many points. `vary` names what is varied and gives its values, `{"alpha": "0:1:0.05"}` or
    `{"alpha": [0, 0.5, 1]}`: rules, `seats`, the number of seats of a player by its name, `table`. Without `players`
    all strategies of the game sit at one table; without `measures` all are kept. `how` may have chunk_size, workers,
    cluster, players_files, kept and progress, which never change what comes out."""
    plan = plan_of(
        vary,
        games=games,
        seed=seed,
        players=players,
        game=game,
        rules=rules,
        design=design,
        points=points,
        backend=backend,
        measures=measures,
    )
    return play_sweep(plan, **how)


def play_sweep(
    plan: SweepPlan,
    *,
    chunk_size: int | None = None,
    workers: int | None = None,
    players_files: Sequence[Path] = (),
    cluster: str | None = None,
    kept: Kept | None = None,
    progress: Callable[[int], None] = lambda done: None,
) -> SweepResult:
    """Play what a sweep lacks, and put it beside what was kept."""
    if chunk_size is not None and chunk_size < 1:
        raise InputError(f"the chunk size must be at least 1, got {chunk_size}")
    if cluster is not None and plan.backend == "jax":
        raise InputError("--cluster plays on NumPy; leave out --backend jax")
    start, shape = time.perf_counter(), (len(plan.values), plan.games)
    outcomes: dict[str, Floats] = {}
    missing = dict.fromkeys(range(len(plan.values)))

    def add(points: Sequence[int], found: Outcomes) -> None:
        for name, values in found.items():
            outcomes.setdefault(name, np.full(shape, np.nan))[list(points)] = values
        for number in points:
            missing.pop(number, None)
        progress(len(points) * plan.games)

    for points, found in kept.finished() if kept is not None else ():
        add(points, found)
    played = len(missing) * plan.games
    # As an engine's plan, which says how many processes pay and which files they must load.
    everything = Plan(
        plan.game,
        tuple(plan.points[number].rules for number in missing),
        GivenTables(plan.cast, (tuple(range(len(plan.cast))),), plan.games),
        plan.seed,
        plan.backend,
    )
    processes = everything.workers(workers) if missing else 1
    chunks = list(plan.chunks(list(missing), chunk_size, 4 * processes))
    job, spans = _Job(plan, tuple(chunks), chunk_size), [(place, place + 1) for place in range(len(chunks))]
    results: Iterator[tuple[Span, dict[str, Floats]]]
    if cluster is not None:
        results = spans_on_cluster(cluster, job, _play, spans, everything.files(players_files))
    elif processes > 1:
        results = spans_on_processes(processes, job, _play, spans, everything.files(players_files))
    else:
        results = ((span, _play(job, span)) for span in spans)
    for (place, _), found in results:
        if kept is not None:
            kept.keep(chunks[place], found)
        add(chunks[place], found)
    return SweepResult(plan, outcomes, time.perf_counter() - start, played)


class _Job(NamedTuple):
    plan: SweepPlan
    chunks: tuple[tuple[int, ...], ...]
    size: int | None


def _play(job: _Job, span: Span) -> dict[str, Floats]:
    return job.plan.play(job.chunks[span[0]], job.size)
