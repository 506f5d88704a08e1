"""The tournament: a schedule played in chunks, on one core, on all, or on an accelerator, with the same result
everywhere."""

import os
import signal
import time
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from dataclasses import dataclass
from multiprocessing import get_context
from pathlib import Path
from threading import current_thread, main_thread
from typing import Any, Literal, TypeAlias

import numpy as np

from ostrom.core import InputError
from ostrom.core.chance import check_seed
from ostrom.games.commons.players import ChampionEntry
from ostrom.games.commons.rules import CommonsRules
from ostrom.players.roster import choose, load_players_file
from ostrom.sim import jax_engine, numpy_engine
from ostrom.sim.batch import Batch, BatchResult
from ostrom.sim.schedule import Schedule
from ostrom.sim.standings import Standing, Tally

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
"""How many player-turns of a built-in champion one of plain Python costs, roughly."""


@dataclass(frozen=True)
class TournamentResult:
    """What a tournament found out."""

    schedule: Schedule
    rules: CommonsRules
    seed: int
    backend: Backend
    games: int
    player_turns: int
    seconds: float
    standings: list[Standing]
    slow: tuple[str, ...]
    """Users' champions at the tables, which play one game at a time in plain Python."""

    def as_record(self) -> dict[str, Any]:
        """The result as plain data."""
        return {
            "games": self.games,
            "tables": self.schedule.tables,
            "group_size": self.schedule.seats,
            "seed": self.seed,
            "backend": self.backend,
            "seconds": self.seconds,
            "player_turns": self.player_turns,
            "rules": self.rules.model_dump(mode="json"),
            "plain_python": list(self.slow),
            "standings": [standing.as_record() for standing in self.standings],
        }


def tournament(
    entrants: Sequence[ChampionEntry | str],
    *,
    games: int,
    seed: int,
    rules: CommonsRules | None = None,
    group_size: int | None = None,
    backend: Backend = "numpy",
    chunk_size: int | None = None,
    workers: int | None = None,
    players_files: Sequence[Path] = (),
    cluster: str | None = None,
    progress: Progress = lambda done: None,
) -> TournamentResult:
    """Play a tournament between champions, given by entry or by name. `chunk_size`, `workers` and `cluster` (the
    address of a Dask scheduler) change how fast it goes and how much memory it takes, never what comes out;
    `players_files` tells worker processes where users' champions are defined."""
    entries = [entry for each in entrants for entry in (choose([each]) if isinstance(each, str) else [each])]
    schedule = Schedule(tuple(entries), games, group_size)
    rules = rules or CommonsRules()
    slow = tuple(entry.name for entry in schedule.cast if entry.rows is None)
    check_seed(seed)
    if chunk_size is not None and chunk_size < 1:
        raise InputError(f"a chunk of {chunk_size} games cannot be played; it must be 1 or more")
    size = chunk_size or max(1, (_SEATS_A_SCALAR_CHUNK if slow else _SEATS_A_CHUNK) // schedule.seats)
    plan = _Plan(schedule, rules, seed, backend)
    start = time.perf_counter()
    with Tally([entry.name for entry in schedule.cast]) as tally:
        if cluster is not None and backend == "jax":
            raise InputError("--cluster plays on NumPy; leave --backend jax out")
        for batch, result in plan.play(size, _workers(workers, plan), players_files, cluster):
            tally.add(batch, result)
            progress(len(batch.games))
        standings = tally.standings()
    return TournamentResult(
        schedule=schedule,
        rules=rules,
        seed=seed,
        backend=backend,
        games=tally.games,
        player_turns=tally.player_turns,
        seconds=time.perf_counter() - start,
        standings=standings,
        slow=slow,
    )


@dataclass(frozen=True)
class _Plan:
    """What is to be played, and with what."""

    schedule: Schedule
    rules: CommonsRules
    seed: int
    backend: Backend

    def batch(self, start: int, stop: int) -> Batch:
        """The games from `start` up to `stop`."""
        numbers = np.arange(start, stop)
        return Batch(self.rules, self.schedule.cast, self.schedule.seating(numbers), numbers, self.seed)

    def play(
        self, size: int, workers: int, players_files: Sequence[Path], cluster: str | None = None
    ) -> Iterator[tuple[Batch, BatchResult]]:
        """All games, in order, `size` at a time."""
        starts = range(0, self.schedule.games, size)
        spans = ((start, min(start + size, self.schedule.games)) for start in starts)
        if cluster is not None:
            from ostrom.sim.cluster import spans_on_cluster

            for span, result in spans_on_cluster(cluster, self, _play_span, spans, players_files):
                yield self.batch(*span), result
            return
        if workers > 1:
            yield from self._play_on(workers, spans, players_files)
            return
        engine = jax_engine if self.backend == "jax" else numpy_engine
        for span in spans:
            batch = self.batch(*span)
            yield batch, engine.play_batch(batch)

    def _play_on(
        self, workers: int, spans: Iterator[tuple[int, int]], players_files: Sequence[Path]
    ) -> Iterator[tuple[Batch, BatchResult]]:
        """The same on several processes. Few chunks are under way at once, so that memory stays flat, and results are
        taken in the order of the games."""
        context = get_context("spawn")
        with ProcessPoolExecutor(workers, context, _load_players, (tuple(players_files),)) as pool:
            _start(pool, workers)
            under_way: deque[tuple[tuple[int, int], Future[BatchResult]]] = deque()
            for span in spans:
                under_way.append((span, pool.submit(_play_span, self, span)))
                if len(under_way) >= 2 * workers:
                    done, future = under_way.popleft()
                    yield self.batch(*done), future.result()
            for done, future in under_way:
                yield self.batch(*done), future.result()


def _start(pool: ProcessPoolExecutor, workers: int) -> None:
    """Start the processes deaf to Ctrl-C, which a terminal sends to all: the one that the user sees stops the
    others."""
    if current_thread() is not main_thread():
        return
    heeded = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        for started in [pool.submit(time.sleep, 0.05) for _ in range(workers)]:
            started.result()
    finally:
        signal.signal(signal.SIGINT, heeded)


def _play_span(plan: _Plan, span: tuple[int, int]) -> BatchResult:
    return numpy_engine.play_batch(plan.batch(*span))


def _load_players(files: Sequence[Path]) -> None:
    for file in files:
        load_players_file(file)


def _workers(asked: int | None, plan: _Plan) -> int:
    """How many processes to play on: as asked, or as many as there are cores where the work is worth their start."""
    if asked is not None:
        if asked < 1:
            raise InputError(f"{asked} workers cannot play; it must be 1 or more")
        return 1 if plan.backend == "jax" else asked
    scalar = [entry.scalar for entry in plan.schedule.cast if entry.scalar is not None]
    if plan.backend == "jax" or any(champion.__module__ == "__main__" for champion in scalar):
        return 1  # an accelerator is one; and what a notebook defines no other process can import
    turns = plan.rules.turns or plan.rules.duration
    work = plan.schedule.games * plan.schedule.seats * turns * (_SCALAR_COST if scalar else 1)
    return len(os.sched_getaffinity(0)) if work >= _WORTH_WORKERS else 1
