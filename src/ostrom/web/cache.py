"""Caches of results that are computed from the journal. Replies are valid until the journal changes. Results from
finished games are always valid, since finished games never change. Concurrent requests share one computation. Freed
memory is returned to the system."""

import asyncio
import ctypes
import gc
import gzip
import hashlib
import sys
import threading
import time
from collections import OrderedDict
from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from concurrent.futures import Future
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import count
from typing import Any, Final, Generic, TypeVar

import polars as pl
from fastapi.concurrency import run_in_threadpool

from ostrom.analysis.selection import study_tables
from ostrom.analysis.study import AnyStudy, Scored, Study
from ostrom.analysis.tables import GameTables, joined
from ostrom.core import InputError
from ostrom.journal.overview import GameRow
from ostrom.journal.read import KeptGame
from ostrom.journal.results import BLOCK, FinishedGame
from ostrom.journal.schema import FINISHED
from ostrom.journal.sql import Journal
from ostrom.web.reply_store import ReplyStore
from ostrom.web.revision import ChangeCounter, EndedCounter, Revision

_MIN_COMPRESSED_BYTES: Final = 1024
_REPLY_OVERHEAD_BYTES: Final = 1024
"""The number of bytes that a reply needs in addition to its text, for its name and its objects."""
_MAX_REPLY_BYTES: Final = 128 * 2**20
_QUICK_S: Final = 0.01
"""A reply that takes less time than this is computed in the event loop, since passing it to a thread would take longer
under load."""
_LONG_S: Final = 0.1
"""If a computation takes longer than this, freed memory is returned to the system afterwards."""
_MAX_QUICK_ROUTES: Final = 1000
_MAX_RESULT_BYTES: Final = 96 * 2**20
_MAX_TABLE_BYTES: Final = 288 * 2**20
"""The maximum size of the cache of tables of selected games. These tables have a cache of their own. So a large table
does not displace ratings and measures, which are small and slow to compute."""
_DEFAULT_BYTES: Final = 64 * 2**10
_EVENT_BYTES: Final = 2**10

_Value = TypeVar("_Value")


def digest_of(names: Iterable[str]) -> str:
    """Return a hash of these names in this order."""
    return hashlib.blake2b("\n".join(names).encode(), digest_size=16).hexdigest()


class Cache(Generic[_Value]):
    """A cache of values by name, all of the same revision. When their total weight is too high, the least recently used
    are removed."""

    def __init__(
        self, revision: Callable[[], int], most: int, weigh: Callable[[_Value], int] = lambda value: 1
    ) -> None:
        self.revision, self._most, self._weigh = revision, most, weigh
        self._lock = threading.Lock()
        self._cached_revision: int | None = None
        self._values: OrderedDict[Hashable, _Value] = OrderedDict()
        self._weight = 0
        self._pending: dict[tuple[int, Hashable], Future[_Value]] = {}

    def holds(self, name: Hashable) -> bool:
        """Return whether there is a value of this name, from any revision."""
        return name in self._values

    def get(self, name: Hashable, now: int) -> _Value | None:
        """Return the value at this revision without computing it, or None if there is none."""
        with self._lock:
            return self._get(name, now)

    def _get(self, name: Hashable, now: int) -> _Value | None:
        if self._cached_revision != now:
            self._cached_revision, self._weight = now, 0
            self._values.clear()
        if name in self._values:
            self._values.move_to_end(name)
        return self._values.get(name)

    def get_or_make(self, name: Hashable, make: Callable[[], _Value]) -> _Value:
        """Return the value. If it is missing, compute it by `make`; concurrent callers wait for it."""
        now = self.revision()
        with self._lock:
            if (cached := self._get(name, now)) is not None:
                return cached
            pending = self._pending.get((now, name))
            if pending is None:
                future: Future[_Value] = Future()
                self._pending[now, name] = future
        if pending is not None:
            return pending.result()
        try:
            value = make()
        except BaseException as error:
            future.set_exception(error)
            raise
        else:
            future.set_result(value)
            self.put(now, name, value)
            return value
        finally:
            with self._lock:
                del self._pending[now, name]

    def put(self, revision: int, name: Hashable, value: _Value) -> None:
        """Store a value that was computed at this revision."""
        weight = self._weigh(value)
        with self._lock:
            # A value is not stored if the journal has changed since it was computed.
            if revision != self._cached_revision or weight > self._most or name in self._values:
                return
            self._values[name] = value
            self._weight += weight
            while self._weight > self._most:
                _, removed = self._values.popitem(last=False)
                self._weight -= self._weigh(removed)


@dataclass(frozen=True, slots=True)
class Body:
    """The body of a reply, plain and compressed."""

    plain: bytes
    packed: bytes | None
    """The body compressed with gzip; None if it is too small."""
    tag: str

    @classmethod
    def of(cls, plain: bytes) -> "Body":
        """Return the body of a reply, compressed if it is large enough."""
        packed = gzip.compress(plain, 5, mtime=0) if len(plain) >= _MIN_COMPRESSED_BYTES else None
        return cls(plain, packed, f'"{hashlib.blake2b(plain, digest_size=12).hexdigest()}"')

    @property
    def size(self) -> int:
        return len(self.plain) + len(self.packed or b"") + _REPLY_OVERHEAD_BYTES


class AnswerCache:
    """Replies by name, computed in threads. Waiting for a reply needs no thread, and slow replies do not delay others.
    The event loop never waits for a database server, because the seats of people would then wait too. If the journal is
    a file, replies that are known to be quick are computed in the event loop."""

    def __init__(
        self, count: ChangeCounter, threads: int, most: int = _MAX_REPLY_BYTES, store: ReplyStore | None = None
    ) -> None:
        """Replies are valid until the counter changes, and use at most `most` bytes. With `store`, they are also stored
        in the journal."""
        self._count = count
        self._store = store
        self._bodies: Cache[Body] = Cache(count.now, most, lambda body: body.size)
        self._slots: Final = asyncio.Semaphore(threads)
        self._slow_slots: Final = asyncio.Semaphore(1)
        self._pending: dict[str, tuple[int, asyncio.Task[Body]]] = {}
        """Replies that are being computed, with the revision at their start."""
        self._quick: dict[Hashable, int] = {}
        """Kinds of replies that took little time when they were last computed, with the revision of that time."""

    async def ready(self, name: str) -> Body | None:
        """Return the cached reply of this name, or None."""
        # Requests with unknown names do not need the revision. This includes a seat's own requests.
        return self._bodies.get(name, await self._count.soon()) if self._bodies.holds(name) else None

    async def answer(self, name: str, make: Callable[[], bytes], like: Hashable = None, *, slow: bool = False) -> Body:
        """Return the reply with this name. If it is not cached, compute it by `make`. Replies with an equal `like` need
        about the same time. Replies that are `slow` take many seconds and are computed one after the other."""
        now = await self._count.soon()
        if (body := self._bodies.get(name, now)) is not None:
            return body
        revision, task = self._pending.get(name, (now, None))
        if task is not None and revision < now:
            # The pending reply may be outdated. It is awaited first, so that a busy journal has only one computation of
            # this reply at a time.
            await asyncio.wait([task])
            if (body := self._bodies.get(name, await self._count.soon())) is not None:
                return body
            _, task = self._pending.get(name, (now, None))
        if task is None:
            if self._count.local and like is not None and self._quick.get(like) == now:
                return self._make(name, make, like)
            slots = self._slow_slots if slow else self._slots
            task = asyncio.create_task(self._make_in_thread(slots, name, make, like), name=f"answer {name}")
            self._pending[name] = now, task
            task.add_done_callback(lambda done: self._clear(name, done))
        # If a client disconnects, the computation continues for the other clients.
        return await asyncio.shield(task)

    async def _make_in_thread(
        self, slots: asyncio.Semaphore, name: str, make: Callable[[], bytes], like: Hashable
    ) -> Body:
        async with slots:
            return await run_in_threadpool(self._make, name, make, like)

    def _make(self, name: str, make: Callable[[], bytes], like: Hashable) -> Body:
        revision, began = self._bodies.revision(), time.thread_time()
        store = self._store
        kept = make if store is None else partial(store.get_or_make, name, make)
        body = self._bodies.get_or_make(name, lambda: Body.of(kept()))
        # CPU time is measured, since wall time is always long when threads compete.
        duration = time.thread_time() - began
        if duration > _LONG_S:
            release_memory_soon()
        if like is not None:
            self._quick.pop(like, None)
            if duration < _QUICK_S:
                if len(self._quick) >= _MAX_QUICK_ROUTES:
                    self._quick.clear()
                self._quick[like] = revision
        return body

    def _clear(self, name: str, done: asyncio.Task[Body]) -> None:
        del self._pending[name]
        if not done.cancelled():
            done.exception()  # Mark the error as retrieved, since waiting clients already have it.


@dataclass(frozen=True)
class CachedTables:
    """The tables of all finished and void games of one kind of game."""

    rows: tuple[GameRow, ...]
    """The rows of the games, including void games, in the order of their starts."""
    tables: GameTables
    """The tables of the finished games, in the same order."""
    results: tuple[FinishedGame, ...]
    digest: str


@dataclass
class _Kind:
    """The tables of one kind of game, with a lock."""

    lock: threading.Lock = field(default_factory=threading.Lock)
    stage: int = -1
    cached: CachedTables | None = None


class StudyCache:
    """A cache of results that are computed from finished games. Finished games never change. Therefore each game is
    read only once, games in progress do not invalidate results, and results are cached as long as there is space."""

    def __init__(self, journal: Journal, revision: Revision) -> None:
        self._journal = journal
        self._ended = journal.ended
        self._stage = EndedCounter(journal.ended, revision, lambda: journal.names.known().differing)
        self._store = ReplyStore(journal.ended, self._stage.state)
        self.answers: Final = AnswerCache(self._stage, 12, store=self._store)
        """Replies that depend only on finished games. They are valid until another game is finished."""
        self._stopping = False
        self.progress = ""
        """The progress of reading games, in words; empty if no games are being read."""
        self._results: Cache[Any] = Cache(lambda: 0, _MAX_RESULT_BYTES, _bytes)
        self._tables: Cache[GameTables] = Cache(lambda: 0, _MAX_TABLE_BYTES, _bytes)
        self._kinds: dict[str, _Kind] = {}
        self._lock = threading.Lock()

    def end(self) -> None:
        """Start no further computations, because the server stops."""
        self._stopping = True

    def tables(self, study: Study[Any]) -> CachedTables:
        """Return all finished and void games of a kind, including those that ended since the last call."""
        stage = self._stage.now()
        with self._lock:
            kind = self._kinds.setdefault(study.command, _Kind())
        with kind.lock:
            if kind.cached is None or kind.stage < stage:
                kind.cached, kind.stage = self._with_new(study, kind.cached), stage
            return kind.cached

    def are_stored(self) -> bool:
        """Return whether the journal has stored replies that are valid for its current state."""
        return self._store.any()

    def stage(self) -> int:
        """Return the current number of changes in finished games."""
        return self._stage.now()

    def rows(self, study: AnyStudy) -> list[GameRow]:
        """Return all finished and void games of a study, without their events."""
        return self._ended.games(study.records)

    def records(self, games: Iterable[str]) -> Iterator[KeptGame]:
        """Yield the records of these games, each with the ids of the game and its experiment."""
        for record in self._ended.records(list(games)):
            self.check()
            yield record

    def get_or_make(self, name: Hashable, make: Callable[[], _Value]) -> _Value:
        """Return the cached result with this name, computed by `make` if needed. The result must depend only on the
        name."""
        self.check()
        value: _Value = self._results.get_or_make(name, make)
        return value

    def get_or_choose(self, name: Hashable, choose: Callable[[], GameTables]) -> GameTables:
        """Return the cached tables of selected games, computed by `choose` if needed."""
        self.check()
        return self._tables.get_or_make(name, choose)

    def check(self) -> None:
        """Raise `InputError` if the server is stopping."""
        if self._stopping:
            raise InputError("the server is stopping; try again when it is back")

    def _with_new(self, study: Study[Any], before: CachedTables | None) -> CachedTables:
        rows = tuple(self.rows(study))
        # A game may have ended after the rows were read. Its result is then left out.
        finished_ids = {row.id for row in rows if row.state == FINISHED}
        results = tuple(result for result in self._ended.results(study.records) if result.id in finished_ids)
        cached_ids = set() if before is None else set(before.tables.games["game"])
        new = [result for result in results if result.id not in cached_ids]
        removed_ids = cached_ids - finished_ids  # These games are in a deleted experiment.
        if before is not None and not new and not removed_ids:
            return replace(before, rows=rows)
        tables = self._read(study, new)
        finished = [result.id for result in results]
        if before is not None:
            # A game may end before a game that started earlier, so new games are not always the last ones.
            tables = joined(before.tables, tables, finished)
        return CachedTables(rows, tables, results, digest_of(finished))

    def _read(self, study: Study[Any], new: Sequence[FinishedGame]) -> GameTables:
        blocks = count()

        def check() -> None:
            self.check()
            self.progress = f"reading games: {min(len(new), next(blocks) * BLOCK):,} of {len(new):,}"

        try:
            return study_tables(self._journal, study, new, check)
        finally:
            self.progress = ""


def _bytes(value: object) -> int:
    if isinstance(value, pl.DataFrame):
        return int(value.estimated_size()) + _DEFAULT_BYTES
    if isinstance(value, GameTables):
        return sum(map(_bytes, value.parts.values()))
    return _EVENT_BYTES * value.items + _DEFAULT_BYTES if isinstance(value, Scored) else _DEFAULT_BYTES


_ARENA_MAX: Final = -8
"""The option of glibc's `mallopt` for the number of arenas (malloc.h). Each thread may get its own arena, and the
process keeps the freed memory of an arena."""
_MAX_ARENAS: Final = 2
_RELEASE_DELAY_S: Final = 5.0

_release_lock: Final = threading.Lock()
_release_timers: list[threading.Timer] = []


def limit_arenas() -> None:
    """Make all threads share a few heap arenas if the C library is glibc."""
    set_option = _libc_function("mallopt")
    if set_option is not None:
        set_option(_ARENA_MAX, _MAX_ARENAS)


def release_memory() -> None:
    """Return freed heap memory to the operating system, if the C library is glibc."""
    # The oldest generation is not collected, since that would block readers for too long.
    gc.collect(1)
    trim = _libc_function("malloc_trim")
    if trim is not None:
        trim(0)


def release_memory_soon() -> None:
    """Return freed memory to the system after a delay. One call covers all computations until then."""
    with _release_lock:
        if not _release_timers:
            _release_timers.append(threading.Timer(_RELEASE_DELAY_S, _release_memory_now))
            _release_timers[0].daemon = True
            _release_timers[0].start()


def _release_memory_now() -> None:
    with _release_lock:
        _release_timers.clear()
    release_memory()


def _libc_function(name: str) -> "ctypes._NamedFuncPointer | None":
    return getattr(ctypes.CDLL(None), name, None) if sys.platform == "linux" else None
