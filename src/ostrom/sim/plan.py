"""Many games as one numbered list, played in chunks on one core, on all, on a cluster or on an accelerator, with the
same result everywhere. Any range of the list can be seated without going through what comes before it, so chunks and
workers need not know of each other. A tournament is such a list under one set of rules; `points` has many."""

import json
import sys
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from itertools import islice
from pathlib import Path
from typing import Any, Literal, Protocol, TypeAlias

import numpy as np
from pydantic import BaseModel

from ostrom.core import InputError
from ostrom.core.chance import check_seed, key_of
from ostrom.core.entry_points import cores, missing_extra
from ostrom.core.errors import field
from ostrom.core.game import Game
from ostrom.core.plugins import GAMES, load_file
from ostrom.core.plugins import files as loaded_files
from ostrom.core.step import is_number, stacked
from ostrom.players.strategy import StrategyEntry
from ostrom.sim import jax_engine, numpy_engine
from ostrom.sim.batch import Batch, BatchResult, Ints, kernel_of
from ostrom.sim.cluster import Span, in_order, spans_on_cluster, spans_on_processes

Backend: TypeAlias = Literal["numpy", "compiled", "jax"]
"""What plays: arrays in the order of the rules; what a game has compiled for processors; or JAX."""

_SEATS_A_CHUNK = 131_072
"""Seats played at once: enough that the cost of a call is small against its work, few enough that arrays stay in
cache."""
_SEATS_A_COMPILED_CHUNK = 16_384
"""The same for what is compiled, which plays game by game: enough for each core to have some, whatever the size."""
_SEATS_A_JAX_CHUNK = 2_097_152
"""The same on JAX: an accelerator has room, and sending less at a time would keep it waiting."""
_SEATS_A_SCALAR_CHUNK = 1024
"""The same where plain Python plays: every turn of every game is remembered for it."""
_WORTH_WORKERS = 50_000_000
"""Player-turns from which starting other processes pays."""
_WORTH_COMPILED = 2_000_000
"""Player-turns from which loading what was compiled pays; compiling it takes a while, once for an installation."""
_SCALAR_COST = 500
"""How many player-turns over rows one of plain Python costs, roughly."""


class Tables(Protocol):
    """Who meets whom, game by game."""

    @property
    def seats(self) -> int:
        """How many sit at a table."""

    @property
    def games(self) -> int:
        """How many games there are."""

    @property
    def cast(self) -> tuple[StrategyEntry, ...]:
        """Every strategy once."""

    def seating(self, games: Ints) -> Ints:
        """(seats, games) For each seat of each of these games, the place of its strategy in `cast`."""


@dataclass(frozen=True)
class Plan:
    """Every game of the tables under every set of rules. Game k of the list is game k mod `tables.games` under the
    rules k div `tables.games`: a game has the same number, and so the same chance, under all of them."""

    game: str
    points: tuple[Any, ...]
    """The sets of rules, like ones together."""
    tables: Tables
    seed: int
    backend: Backend = "numpy"

    @property
    def games(self) -> int:
        """How many games there are in all."""
        return len(self.points) * self.tables.games

    @property
    def player_turns(self) -> int:
        """About how many decisions there are, as far as the rules tell."""
        return self.tables.games * self.tables.seats * sum(_turns(point) for point in self.points)

    def fastest(self) -> "Plan":
        """The same on what plays it fastest on processors."""
        worth = self.player_turns >= _WORTH_COMPILED and kernel_of(GAMES[self.game], self.tables.cast) is not None
        return replace(self, backend="compiled" if worth else "numpy")

    @property
    def slow(self) -> tuple[str, ...]:
        """Strategies at the tables that play one game at a time in plain Python."""
        without_step = GAMES[self.game].step is None
        return tuple(entry.name for entry in self.tables.cast if without_step or entry.rows is None)

    def batch(self, start: int, stop: int) -> Batch:
        """The games from `start` up to `stop`."""
        point, games = np.divmod(np.arange(start, stop), self.tables.games)
        first, last = int(point[0]), int(point[-1])
        rules = self.points[first]
        if last > first:
            rules = stacked(self.points[first : last + 1], point - first)
        return Batch(GAMES[self.game], rules, self.tables.cast, self.tables.seating(games), games, self.seed)

    def spans(self, size: int | None) -> Iterator[Span]:
        """Yield the whole list, `size` games at a time; games of one span differ in numbers of their rules only."""
        if size is not None and size < 1:
            raise InputError(f"the chunk size must be at least 1, got {size}")
        a_chunk = _SEATS_A_COMPILED_CHUNK if self.backend == "compiled" else _SEATS_A_CHUNK
        a_chunk = _SEATS_A_JAX_CHUNK if self.backend == "jax" else a_chunk
        a_chunk = _SEATS_A_SCALAR_CHUNK if self.slow else a_chunk
        size = size or max(1, a_chunk // self.tables.seats)
        constants = [constants_of(GAMES[self.game], point) for point in self.points]
        ends = [place + 1 for place, here in enumerate(constants) if constants[place + 1 : place + 2] != [here]]
        start = 0
        for end in (place * self.tables.games for place in ends):
            yield from ((first, min(first + size, end)) for first in range(start, end, size))
            start = end

    def files(self, players_files: Sequence[Path]) -> tuple[Path, ...]:
        """The files that another process must load before it meets what they define."""
        modules = {GAMES[self.game].play.__module__, *(entry.module for entry in self.tables.cast)}
        used = [path for path in loaded_files() if load_file(path).__name__ in modules]
        return tuple(dict.fromkeys([*(path.resolve() for path in players_files), *used]))

    def play(
        self,
        size: int | None = None,
        workers: int | None = None,
        players_files: Sequence[Path] = (),
        cluster: str | None = None,
    ) -> Iterator[tuple[Span, Batch, BatchResult]]:
        """All games, in order, `size` at a time."""
        check_seed(self.seed)
        if cluster is not None and self.backend == "jax":
            raise InputError(f"{field('cluster')} plays on NumPy; leave out {field('backend', 'jax')}")
        if self.backend == "compiled" and kernel_of(GAMES[self.game], self.tables.cast) is None:
            try:
                GAMES[self.game].part("kernel")
            except ModuleNotFoundError as error:
                raise missing_extra(error) or error from error
            raise InputError(f"{GAMES[self.game].command} has nothing compiled that plays these players; use numpy")
        spans = self.spans(size)
        # Never more than there is work.
        processes = sum(1 for _ in islice(self.spans(size), min(self.workers(workers), sys.maxsize)))
        if cluster is not None:
            played = spans_on_cluster(cluster, self, _play_span, spans, self.files(players_files))
            yield from ((span, self.batch(*span), result) for span, result in played)
        elif processes > 1 and self.backend == "compiled":
            # What is compiled lets other threads run, so that nothing has to be started or sent.
            with ThreadPoolExecutor(processes) as pool:
                both = in_order(spans, lambda span: pool.submit(_batch_and_result, self, span), 2 * processes)
                yield from ((span, *future.result()) for span, future in both)
        elif processes > 1:
            played = spans_on_processes(processes, self, _play_span, spans, self.files(players_files))
            yield from ((span, self.batch(*span), result) for span, result in played)
        else:
            for span in spans:
                yield span, *_batch_and_result(self, span)

    def workers(self, asked: int | None) -> int:
        """How many processes to play on: as asked, or as many as there are cores where the work is worth their
        start."""
        if asked is not None:
            if asked < 1:
                raise InputError(f"the number of workers must be at least 1, got {asked}")
            return 1 if self.backend == "jax" else asked
        if self.backend == "compiled":
            return cores()
        modules = {GAMES[self.game].play.__module__, *(entry.module for entry in self.tables.cast)}
        if self.backend == "jax" or "__main__" in modules:
            return 1  # an accelerator is one; and what a notebook defines no other process can import
        return cores() if self.player_turns * (_SCALAR_COST if self.slow else 1) >= _WORTH_WORKERS else 1


def constants_of(game: Game, rules: BaseModel) -> str:
    """What rules have in common with those that can be played in one batch with them: all but the numbers for which the
    array form takes an array."""
    step = game.part("step")
    free = set(type(rules).model_fields) if step is None else set(step.arguments)
    told = {name: None if name in free and is_number(value) else repr(value) for name, value in vars(rules).items()}
    return json.dumps(told, sort_keys=True)


def _batch_and_result(plan: Plan, span: Span) -> tuple[Batch, BatchResult]:
    batch = plan.batch(*span)
    return batch, _ENGINES[plan.backend](batch)


def _play_span(plan: Plan, span: Span) -> BatchResult:
    return _batch_and_result(plan, span)[1]


def _play_compiled(batch: Batch) -> BatchResult:
    kernel, results = batch.kernel, BatchResult.empty(batch)
    assert kernel is not None, "the plan has seen to that"
    made = kernel.play(
        batch.rules, [entry.rows for entry in batch.cast], batch.seating, batch.games, key_of(batch.seed)
    )
    results.figures.update(made.figures)
    return replace(results, turns=made.turns, finals=made.finals, turns_in=made.turns_in)


_ENGINES: dict[Backend, Callable[[Batch], BatchResult]] = {
    "numpy": numpy_engine.play_batch,
    "compiled": _play_compiled,
    "jax": jax_engine.play_batch,
}


def _turns(rules: Any) -> int:
    """About how many turns a game lasts, as far as its rules tell."""
    told = (getattr(rules, name, None) for name in ("turns", "rounds", "duration"))
    return next((turns for turns in told if turns), 1)
