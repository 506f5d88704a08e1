"""A plan: a numbered list of games. The games are played in chunks on one core, all cores, a cluster or an accelerator.
The result is the same in all cases. For any range of the list, seats can be assigned independently of the other games.
A tournament is a list under one set of rules. The module `points` has lists under many sets of rules. Dask is imported
only if a cluster is named."""

import json
import os
import pickle
import signal
import sys
import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import cache, partial
from importlib.util import find_spec
from itertools import islice
from multiprocessing import get_context
from multiprocessing.resource_tracker import ensure_running
from pathlib import Path
from typing import Any, Literal, Protocol, TypeAlias, get_args

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
from ostrom.players.roster import load_installed
from ostrom.players.strategy import StrategyEntry
from ostrom.sim import jax_engine, numpy_engine
from ostrom.sim.batch import Batch, BatchResult, Ints, kernel_of, plain_players

Span: TypeAlias = tuple[int, int]
"""A range of game numbers: the first number, and the number after the last."""
_SAFE_PATH = "PYTHONSAFEPATH"
_CHUNKS_PER_THREAD = 2
"""The number of chunks that each thread of the cluster has at a time. This number keeps threads busy and memory
bounded."""


def in_order(spans: Iterable[Span], submit: Callable[[Span], Any], limit: int) -> Iterator[tuple[Span, Any]]:
    """Yield every span, in order, with the future of its games. At most `limit` futures are pending at a time, which
    bounds memory."""
    in_flight: deque[tuple[Span, Any]] = deque()
    for span in spans:
        in_flight.append((span, submit(span)))
        if len(in_flight) >= limit:
            yield in_flight.popleft()
    yield from in_flight


def spans_on_processes(
    workers: int, plan: Any, play: Callable[[Any, Span], Any], spans: Iterable[Span], files: Sequence[Path]
) -> Iterator[tuple[Span, Any]]:
    """Yield `play(plan, span)` for every span, in order. The spans are played by processes that have loaded these
    files."""
    with _safe_path():  # Creating the pool's locks starts a process that tracks them.
        executor = ProcessPoolExecutor(workers, get_context("spawn"), load_plugins, (files,))
    with executor as pool:
        _start(pool, workers)

        def submit(span: Span) -> Any:
            with _safe_path():  # This may start a further process.
                return pool.submit(play, plan, span)

        for span, future in in_order(spans, submit, 2 * workers):
            yield span, future.result()


@contextmanager
def _safe_path() -> Iterator[None]:
    """Prevent Python processes that are started in this context from importing modules from the current folder. That
    folder may contain files with the names of modules of the standard library."""
    before = os.environ.get(_SAFE_PATH)
    os.environ[_SAFE_PATH] = "1"
    try:
        yield
    finally:
        if before is None:
            del os.environ[_SAFE_PATH]
        else:
            os.environ[_SAFE_PATH] = before


def _start(pool: ProcessPoolExecutor, workers: int) -> None:
    """Start the processes with SIGINT blocked, because a terminal sends Ctrl-C to the whole group, and the main process
    stops the workers. A pending SIGINT is delivered after they have started."""
    with _safe_path():
        ensure_running()  # Otherwise the resource tracker would unblock the signal during the first start.
        previous = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
        try:
            for worker in [pool.submit(time.sleep, 0.05) for _ in range(workers)]:
                worker.result()
        finally:
            signal.pthread_sigmask(signal.SIG_SETMASK, previous)


def spans_on_cluster(
    address: str, plan: Any, play: Callable[[Any, Span], Any], spans: Iterable[Span], files: Sequence[Path]
) -> Iterator[tuple[Span, Any]]:
    """Yield `play(plan, span)` for every span, in order, from the workers of a cluster. If a worker dies, another
    worker plays its chunks again, with the same result."""
    with connected(address) as client:
        from distributed import KilledWorker

        # The plan is sent as bytes, because a worker must load users' files before it unpickles their definitions.
        content = pickle.dumps((plan, play))
        limit = _CHUNKS_PER_THREAD * max(1, sum(client.nthreads().values()))
        submit = partial(client.submit, _play, content, tuple(files), pure=False)
        for span, future in in_order(spans, submit, limit):
            try:
                yield span, future.result()
            except KilledWorker as error:
                lost = f"the cluster lost games {span[0]} to {span[1]}: several workers died while they played them"
                raise InputError(lost) from error


def run_spans(
    plan: Any,
    play: Callable[[Any, Span], Any],
    spans: Iterable[Span],
    *,
    processes: int,
    threads: bool = False,
    cluster: str | None = None,
    files: Callable[[], Sequence[Path]] = tuple,
) -> Iterator[tuple[Span, Any]]:
    """Yield `play(plan, span)` for every span, in order. The spans are played on a cluster, on threads (for code that
    releases the GIL), on processes that load these files, or in this process."""
    if cluster is not None:
        yield from spans_on_cluster(cluster, plan, play, spans, files())
    elif processes > 1 and threads:
        with ThreadPoolExecutor(processes) as pool:
            for span, future in in_order(spans, lambda span: pool.submit(play, plan, span), 2 * processes):
                yield span, future.result()
    elif processes > 1:
        yield from spans_on_processes(processes, plan, play, spans, files())
    else:
        yield from ((span, play(plan, span)) for span in spans)


def load_plugins(files: Sequence[Path]) -> None:
    """Load these files and the installed packages in a worker process."""
    for file in files:
        load_file(file)
    load_installed()


def _play(content: bytes, files: Sequence[Path], span: Span) -> Any:
    load_plugins(files)
    plan, play = pickle.loads(content)
    return play(plan, span)


_ENCRYPTED = ("tls://", "wss://")
_CONNECT_TIMEOUT_S = 10
"""Seconds to wait for the scheduler to answer and for a first worker."""


@cache
def _check_encryption(address: str) -> None:
    """Raise InputError for TLS without certificates. Warn once about an unencrypted connection."""
    import dask

    if not address.startswith(_ENCRYPTED):
        print(
            f"ostrom: warning: the connection to {address} is not encrypted, and anyone who reaches the scheduler can "
            "run code on its workers; use tls:// unless the network is private",
            file=sys.stderr,
        )
    elif not dask.config.get("distributed.comm.tls.ca-file", None):
        raise InputError(
            f"{address} needs certificates: set DASK_DISTRIBUTED__COMM__TLS__CA_FILE, "
            "DASK_DISTRIBUTED__COMM__TLS__CLIENT__CERT and DASK_DISTRIBUTED__COMM__TLS__CLIENT__KEY to their files"
        )


@contextmanager
def connected(address: str) -> Iterator[Any]:
    """Yield a client of the scheduler at this address. Raise InputError if it has no worker."""
    try:
        from distributed import Client
    except ImportError as error:
        raise InputError(f"{field('cluster')} needs Dask: pip install 'ostrom[cluster]'") from error
    _check_encryption(address)
    try:
        client = Client(address, timeout=_CONNECT_TIMEOUT_S, set_as_default=False)
    except (OSError, TimeoutError, ValueError) as error:
        raise InputError(f"no Dask scheduler answers at {address}; 'dask scheduler' starts one") from error
    with client:
        try:
            client.wait_for_workers(1, timeout=_CONNECT_TIMEOUT_S)
        except TimeoutError as error:
            raise InputError(f"the scheduler at {address} has no worker; 'dask worker {address}' starts one") from error
        yield client


Backend: TypeAlias = Literal["numpy", "compiled", "jax"]
"""Arrays in NumPy, a game's compiled kernel for CPUs, or JAX."""

SEATS_PER_CHUNK = 131_072
"""Seats per chunk. The number is large enough to make the cost per call small, and small enough for the arrays to stay
in the processor's cache."""
_SEATS_PER_COMPILED_CHUNK = 16_384
"""Seats per chunk for kernels, which play game by game. The number is small, so that every core has work."""
_SEATS_PER_JAX_CHUNK = 2_097_152
"""Seats per chunk on JAX. Smaller transfers would leave an accelerator idle."""
SEATS_PER_PLAIN_CHUNK = 1024
"""Seats per chunk in plain Python, which stores every turn of every game."""
_WORTH_WORKERS = 50_000_000
"""The number of player-turns above which starting other processes saves time."""
_WORTH_COMPILED = 2_000_000
"""The number of player-turns above which loading a kernel saves time. A kernel is compiled once per installation."""
_PLAIN_COST = 500
"""The approximate cost of a player-turn in plain Python, relative to a player-turn over arrays."""


class Seating(Protocol):
    """An assignment of strategies to seats for each game."""

    @property
    def seats(self) -> int:
        """The number of seats at a table."""

    @property
    def games(self) -> int: ...

    @property
    def cast(self) -> tuple[StrategyEntry, ...]:
        """The distinct strategies."""

    def seating(self, games: Ints) -> Ints:
        """Return the index in `cast` of the strategy at each seat of these games, (seats, games)."""

    def draws(self, games: Ints) -> Ints:
        """Return, for each game, the number that determines its random draws."""


@dataclass(frozen=True)
class Plan:
    """Every game of the tables under every set of rules. Game k of the list is game k mod `tables.games` of the tables,
    under the rules with index k div `tables.games`. So a game of the tables has the same number, and the same random
    draws, under all rules."""

    game: str
    points: tuple[Any, ...]
    """The sets of rules. Sets with equal constants are adjacent."""
    tables: Seating
    seed: int
    backend: Backend = "numpy"

    def __post_init__(self) -> None:
        known = get_args(Backend)
        if self.backend not in known:
            raise InputError(f"{field('backend')} must be one of {', '.join(known)}, got {self.backend!r}")

    @property
    def games(self) -> int:
        return len(self.points) * self.tables.games

    @property
    def player_turns(self) -> int:
        """The approximate number of decisions, computed from the rules."""
        return self.tables.games * self.tables.seats * sum(_turns(point) for point in self.points)

    def fastest(self) -> "Plan":
        """Return the plan with the fastest backend on CPUs."""
        worth = self.player_turns >= _WORTH_COMPILED and kernel_of(GAMES[self.game], self.tables.cast) is not None
        return replace(self, backend="compiled" if worth else "numpy")

    @property
    def lacks_compiler(self) -> bool:
        """True if the extra `compiled` would play these games faster and is not installed."""
        large = self.backend == "numpy" and self.player_turns >= _WORTH_COMPILED
        return large and GAMES[self.game].kernel is not None and find_spec("numba") is None

    @property
    def slow(self) -> tuple[str, ...]:
        """Strategies that play one game at a time in plain Python."""
        return plain_players(GAMES[self.game], self.tables.cast, self.points)

    def batch(self, start: int, stop: int) -> Batch:
        """Return the games from `start` up to `stop`."""
        point, games = np.divmod(np.arange(start, stop), self.tables.games)
        first, last = int(point[0]), int(point[-1])
        rules = self.points[first]
        if last > first:
            rules = stacked(self.points[first : last + 1], point - first)
        seating, draws = self.tables.seating(games), self.tables.draws(games)
        return Batch(GAMES[self.game], rules, self.tables.cast, seating, draws, self.seed)

    def spans(self, size: int | None) -> Iterator[Span]:
        """Yield the list in spans of `size` games. Within a span, rules differ only in numbers."""
        if size is not None and size < 1:
            raise InputError(f"the chunk size must be at least 1, got {size}")
        chunk_seats = _SEATS_PER_COMPILED_CHUNK if self.backend == "compiled" else SEATS_PER_CHUNK
        chunk_seats = _SEATS_PER_JAX_CHUNK if self.backend == "jax" else chunk_seats
        chunk_seats = SEATS_PER_PLAIN_CHUNK if self.slow else chunk_seats
        size = size or max(1, chunk_seats // self.tables.seats)
        constants = [constants_of(GAMES[self.game], point) for point in self.points]
        ends = [place + 1 for place, constant in enumerate(constants) if constants[place + 1 : place + 2] != [constant]]
        start = 0
        for end in (place * self.tables.games for place in ends):
            yield from ((first, min(first + size, end)) for first in range(start, end, size))
            start = end

    def files(self, players_files: Sequence[Path]) -> tuple[Path, ...]:
        """Return the files that another process must load before it unpickles definitions from these files."""
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
        """Yield all games in order, `size` at a time. Raise InputError if the backend cannot play them."""
        check_seed(self.seed)
        if cluster is not None and self.backend == "jax":
            raise InputError(f"{field('cluster')} plays on NumPy; leave out {field('backend', 'jax')}")
        if self.backend == "compiled" and kernel_of(GAMES[self.game], self.tables.cast) is None:
            try:
                GAMES[self.game].part("kernel")
            except ModuleNotFoundError as error:
                raise missing_extra(error) or error from error
            raise InputError(f"{GAMES[self.game].command} has no compiled form for these players; use numpy")
        # Use at most one process per span.
        processes = sum(1 for _ in islice(self.spans(size), min(self.workers(workers), sys.maxsize)))
        threads = self.backend == "compiled"
        remote = cluster is not None or (processes > 1 and not threads)
        played = run_spans(
            self,
            _play_span if remote else _batch_and_result,
            self.spans(size),
            processes=processes,
            threads=threads,
            cluster=cluster,
            files=lambda: self.files(players_files),
        )
        for span, outcome in played:
            # Workers send only results, since a batch is cheaper to rebuild than to transfer.
            yield (span, self.batch(*span), outcome) if remote else (span, *outcome)

    def workers(self, requested: int | None) -> int:
        """Return the number of processes. It is the requested number. By default, it is the number of cores if there is
        enough work to make more processes worth starting."""
        if requested is not None:
            if requested < 1:
                raise InputError(f"the number of workers must be at least 1, got {requested}")
            return 1 if self.backend == "jax" else requested
        if self.backend == "compiled":
            return cores()
        modules = {GAMES[self.game].play.__module__, *(entry.module for entry in self.tables.cast)}
        if self.backend == "jax" or "__main__" in modules:
            return 1  # There is only one accelerator, and other processes cannot import definitions in a notebook.
        return cores() if self.player_turns * (_PLAIN_COST if self.slow else 1) >= _WORTH_WORKERS else 1


def constants_of(game: Game, rules: BaseModel) -> str:
    """Return the part of the rules that must be equal within a batch. This part excludes the numbers for which the
    array form accepts an array."""
    step = game.part("step")
    free = set(type(rules).model_fields) if step is None else set(step.arguments)
    constants = {
        name: None if name in free and is_number(value) else repr(value) for name, value in vars(rules).items()
    }
    return json.dumps(constants, sort_keys=True)


def _batch_and_result(plan: Plan, span: Span) -> tuple[Batch, BatchResult]:
    batch = plan.batch(*span)
    return batch, _ENGINES[plan.backend](batch)


def _play_span(plan: Plan, span: Span) -> BatchResult:
    return _batch_and_result(plan, span)[1]


def _play_compiled(batch: Batch) -> BatchResult:
    kernel, results = batch.kernel, BatchResult.empty(batch)
    assert kernel is not None, "Plan.play checks it"
    played = kernel.play(
        batch.rules, [entry.rows for entry in batch.cast], batch.seating, batch.games, key_of(batch.seed)
    )
    results.figures.update(played.figures)
    return replace(results, turns=played.turns, finals=played.finals, turns_in=played.turns_in)


_ENGINES: dict[Backend, Callable[[Batch], BatchResult]] = {
    "numpy": numpy_engine.play_batch,
    "compiled": _play_compiled,
    "jax": jax_engine.play_batch,
}


def _turns(rules: Any) -> int:
    """Return the approximate number of turns of a game, from its rules."""
    lengths = (getattr(rules, name, None) for name in ("turns", "rounds", "duration"))
    return next((turns for turns in lengths if turns), 1)
