"""The tournament: who meets whom, and a schedule played in chunks, on one core, on all, or on an accelerator, with the
same result everywhere. Any range of games can be seated without going through those before it, so chunks and workers
need not know of each other."""

import math
import os
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, Literal, TypeAlias

import numpy as np
from pydantic import BaseModel

from ostrom.core import InputError
from ostrom.core.chance import GAMES as MOST_GAMES
from ostrom.core.chance import check_seed
from ostrom.core.game import Game
from ostrom.core.plugins import DEFAULT_GAME, GAMES, load_file
from ostrom.core.plugins import files as loaded_files
from ostrom.players.roster import choose
from ostrom.players.strategy import StrategyEntry
from ostrom.sim import jax_engine, numpy_engine
from ostrom.sim.batch import Batch, BatchResult, Whole
from ostrom.sim.cluster import Span, spans_on_cluster, spans_on_processes
from ostrom.sim.standings import SAYS, Estimand, Standing, Tally

Backend: TypeAlias = Literal["numpy", "jax"]
Progress: TypeAlias = Callable[[int], None]
"""Told how many more games are done."""

_SEATS_A_CHUNK = 131_072
"""Seats played at once: enough that the cost of a call is small against its work, few enough that arrays stay in
cache."""
_SEATS_A_SCALAR_CHUNK = 1024
"""The same where plain Python plays: every turn of every game is remembered for it."""
_WORTH_WORKERS = 50_000_000
"""Player-turns from which starting other processes pays."""
_SCALAR_COST = 500
"""How many player-turns over rows one of plain Python costs, roughly."""


@dataclass(frozen=True)
class Schedule:
    """All entrants at one table, or every combination of `group_size` of them; each table plays `repetitions` games."""

    entrants: tuple[StrategyEntry, ...]
    repetitions: int
    group_size: int | None = None

    def __post_init__(self) -> None:
        if len(self.entrants) < 2:
            raise InputError("a tournament needs at least 2 players")
        if self.group_size is not None and not 2 <= self.group_size <= len(self.entrants):
            raise InputError(
                f"invalid group size {self.group_size}: with {len(self.entrants)} players it must be "
                f"from 2 to {len(self.entrants)}"
            )
        if self.repetitions < 1:
            raise InputError(f"the number of games must be at least 1, got {self.repetitions}")
        if self.games > MOST_GAMES:
            raise InputError(f"{self.games:,} games are too many for one seed; at most {MOST_GAMES:,} are possible")

    @property
    def seats(self) -> int:
        return self.group_size or len(self.entrants)

    @property
    def tables(self) -> int:
        return math.comb(len(self.entrants), self.seats)

    @property
    def games(self) -> int:
        """How many games there are in all; game k is the (k mod repetitions)-th of table k div repetitions."""
        return self.tables * self.repetitions

    @cached_property
    def cast(self) -> tuple[StrategyEntry, ...]:
        """Every strategy once, however many seats it may hold."""
        return tuple({entrant.name: entrant for entrant in self.entrants}.values())

    def seating(self, games: Whole) -> Whole:
        """(seats, games) For each seat of each of these games, the place of its strategy in `cast`."""
        place = {entry.name: index for index, entry in enumerate(self.cast)}
        members = np.asarray([place[entrant.name] for entrant in self.entrants])
        return np.asarray(members[combinations(len(self.entrants), self.seats, games // self.repetitions)])

    def table(self, game: int) -> list[StrategyEntry]:
        """Who sits at which seat in one game."""
        if not 0 <= game < self.games:
            raise InputError(f"there is no game {game}; the tournament has games 0 to {self.games - 1}")
        return [self.cast[member] for member in self.seating(np.asarray([game]))[:, 0]]


_PLENTY = 2**62


def combinations(things: int, size: int, ranks: Whole) -> Whole:
    """(size, ranks) The combinations of `size` out of `things` that stand at these ranks in lexicographic order."""
    left = ranks.copy()
    chosen = np.zeros((size, len(ranks)), dtype=np.int64)
    filled = np.zeros(len(ranks), dtype=np.int64)
    for thing in range(things):
        # How many combinations take this thing next, by how many places are filled already: no more than things came
        # before, no fewer than leave room for all that are to come. Ranks are below 2^32, so what is far above that may
        # be cut to what 64 bits hold.
        rest = things - thing - 1
        fewest, most = max(0, size - rest - 1), min(thing, size)
        left_over = (math.comb(rest, size - done - 1) if done < size else 0 for done in range(fewest, most + 1))
        ways = np.asarray([min(count, _PLENTY) for count in left_over], dtype=np.int64)
        taking = ways[filled - fewest]
        take = left < taking
        chosen[filled[take], np.flatnonzero(take)] = thing
        left -= np.where(take, 0, taking)
        filled += take
    return chosen


@dataclass(frozen=True)
class TournamentResult:
    """What a tournament found out."""

    game: Game
    schedule: Schedule
    rules: BaseModel
    seed: int
    backend: Backend
    games: int
    player_turns: int
    seconds: float
    standings: list[Standing]
    over: Estimand
    """What its figures are about."""
    slow: tuple[str, ...]
    """Strategies at the tables that play one game at a time in plain Python."""

    @property
    def remark(self) -> str:
        """What the game says of what cannot happen at these tables."""
        step = self.game.part("step")
        if step is None:
            return ""
        names = {field.name for phase in step.phases(self.rules) for field in step.fields(self.rules, phase)}
        able = {name: sum(one.rows is None or one.rows.makes(name) for one in self.schedule.entrants) for name in names}
        seats = self.schedule.seats
        said: str = step.remark(self.rules, seats, {name: min(count, seats) for name, count in able.items()})
        return said

    def as_record(self) -> dict[str, Any]:
        """The result as plain data."""
        return {
            "game": self.game.name,
            "games": self.games,
            "tables": self.schedule.tables,
            "group_size": self.schedule.seats,
            "seed": self.seed,
            "over": self.over,
            "estimand": SAYS[self.over],
            "backend": self.backend,
            "seconds": self.seconds,
            "player_turns": self.player_turns,
            "rules": self.rules.model_dump(mode="json"),
            "plain_python": list(self.slow),
            "standings": [standing.as_record() for standing in self.standings],
            "remark": self.remark,
        }


def tournament(
    entrants: Sequence[StrategyEntry | str],
    *,
    games: int,
    seed: int,
    game: str | Game = DEFAULT_GAME,
    rules: BaseModel | None = None,
    group_size: int | None = None,
    over: Estimand = "tables",
    backend: Backend = "numpy",
    chunk_size: int | None = None,
    workers: int | None = None,
    players_files: Sequence[Path] = (),
    cluster: str | None = None,
    progress: Progress = lambda done: None,
) -> TournamentResult:
    """Play a tournament between strategies of a game, given by entry or by name. Its figures are `over` the tables that
    were played, or over random opponents like those that were entered. `chunk_size`, `workers` and `cluster`
    (the address of a Dask scheduler) change how fast it goes and how much memory it takes, never what comes out;
    `players_files` tells worker processes where users' strategies are defined."""
    if isinstance(game, str):
        game = GAMES[game] if game in GAMES else GAMES.of_command(game)
    entries = [
        entry for each in entrants for entry in (choose([each], game=game.name) if isinstance(each, str) else [each])
    ]
    schedule = Schedule(tuple(entries), games, group_size)
    game.check_seats(schedule.seats)
    if game.finals is None:
        raise InputError(f"{game.command} has no final results, so it cannot be played as a tournament")
    rules = rules or game.rules()
    slow = tuple(entry.name for entry in schedule.cast if entry.rows is None or game.step is None)
    check_seed(seed)
    if over not in SAYS:
        raise InputError(f"figures are over {' or '.join(SAYS)}, not over {over!r}")
    if chunk_size is not None and chunk_size < 1:
        raise InputError(f"the chunk size must be at least 1, got {chunk_size}")
    size = chunk_size or max(1, (_SEATS_A_SCALAR_CHUNK if slow else _SEATS_A_CHUNK) // schedule.seats)
    plan = _Plan(game.name, schedule, rules, seed, backend)
    start = time.perf_counter()
    names = [entry.name for entry in schedule.cast]
    tables = schedule.seating(np.arange(schedule.tables) * games) if over == "opponents" else None
    higher = game.better == "higher"
    with Tally(names, unit=game.unit, higher=higher, repetitions=games, over=over, tables=tables) as tally:
        if cluster is not None and backend == "jax":
            raise InputError("--cluster plays on NumPy; leave out --backend jax")
        for batch, result in plan.play(size, _workers(workers, plan), players_files, cluster):
            tally.add(batch, result)
            progress(len(batch.games))
        standings = tally.standings()
    return TournamentResult(
        game=game,
        schedule=schedule,
        rules=rules,
        seed=seed,
        backend=backend,
        games=tally.games,
        player_turns=tally.player_turns,
        seconds=time.perf_counter() - start,
        standings=standings,
        over=over,
        slow=slow,
    )


@dataclass(frozen=True)
class _Plan:
    game: str
    schedule: Schedule
    rules: Any
    seed: int
    backend: Backend

    def batch(self, start: int, stop: int) -> Batch:
        """The games from `start` up to `stop`."""
        numbers = np.arange(start, stop)
        seating = self.schedule.seating(numbers)
        return Batch(GAMES[self.game], self.rules, self.schedule.cast, seating, numbers, self.seed)

    def files(self, players_files: Sequence[Path]) -> tuple[Path, ...]:
        """The files that another process must load before it meets what they define."""
        modules = {GAMES[self.game].play.__module__, *(entry.module for entry in self.schedule.cast)}
        used = [path for path in loaded_files() if load_file(path).__name__ in modules]
        return tuple(dict.fromkeys([*(path.resolve() for path in players_files), *used]))

    def play(
        self, size: int, workers: int, players_files: Sequence[Path], cluster: str | None = None
    ) -> Iterator[tuple[Batch, BatchResult]]:
        """All games, in order, `size` at a time."""
        starts = range(0, self.schedule.games, size)
        spans = ((start, min(start + size, self.schedule.games)) for start in starts)
        if cluster is not None:
            played = spans_on_cluster(cluster, self, _play_span, spans, self.files(players_files))
            yield from ((self.batch(*span), result) for span, result in played)
        elif workers > 1:
            played = spans_on_processes(workers, self, _play_span, spans, self.files(players_files))
            yield from ((self.batch(*span), result) for span, result in played)
        else:
            engine = jax_engine if self.backend == "jax" else numpy_engine
            for span in spans:
                batch = self.batch(*span)
                yield batch, engine.play_batch(batch)


def _play_span(plan: _Plan, span: Span) -> BatchResult:
    return numpy_engine.play_batch(plan.batch(*span))


def _workers(asked: int | None, plan: _Plan) -> int:
    """How many processes to play on: as asked, or as many as there are cores where the work is worth their start."""
    if asked is not None:
        if asked < 1:
            raise InputError(f"the number of workers must be at least 1, got {asked}")
        return 1 if plan.backend == "jax" else asked
    cast, game = plan.schedule.cast, GAMES[plan.game]
    if plan.backend == "jax" or "__main__" in {game.play.__module__, *(entry.module for entry in cast)}:
        return 1  # an accelerator is one; and what a notebook defines no other process can import
    plain = game.step is None or any(entry.rows is None for entry in cast)
    work = plan.schedule.games * plan.schedule.seats * _turns(plan.rules) * (_SCALAR_COST if plain else 1)
    return len(os.sched_getaffinity(0)) if work >= _WORTH_WORKERS else 1


def _turns(rules: Any) -> int:
    """About how many turns a game lasts, as far as its rules tell."""
    told = (getattr(rules, name, None) for name in ("turns", "rounds", "duration"))
    return next((turns for turns in told if turns), 1)
