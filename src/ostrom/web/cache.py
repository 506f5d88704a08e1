"""What was computed from the journal stays for as long as it holds: answers until the journal changes, what is known of
games that are over for good. Everything is computed once, however many ask for it at the same time."""

import asyncio
import gzip
import hashlib
import threading
import time
from collections import OrderedDict
from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from concurrent.futures import Future
from dataclasses import dataclass, field, replace
from itertools import count
from typing import Any, Final, Generic, TypeVar

import polars as pl
from fastapi.concurrency import run_in_threadpool

from ostrom.analysis.stored import study_tables
from ostrom.analysis.study import AnyStudy, Scored, Study
from ostrom.analysis.tables import GameTables, joined
from ostrom.core import InputError
from ostrom.journal.overview import GameRow
from ostrom.journal.read import KeptGame
from ostrom.journal.results import BLOCK, FinishedGame
from ostrom.journal.schema import FINISHED
from ostrom.journal.sql import Journal
from ostrom.web.memory import give_back_soon
from ostrom.web.revision import Count, Revision, Stage

_WORTH_PACKING: Final = 1024
_OVERHEAD: Final = 1024
"""Bytes that an answer takes beside its text, however short that is: its name, and what holds it."""
_MOST_BYTES: Final = 128 * 2**20
"""Of all answers of one cache."""
_NO_TIME: Final = 0.01
"""Seconds for which all others may be kept waiting; to hand an answer to a thread and back takes longer than that where
many ask."""
_LONG: Final = 0.1
"""Seconds that leave behind so much that nobody needs any more that it is worth giving back."""
_MOST_QUICK: Final = 1000
_MOST_COMPUTED: Final = 96 * 2**20
_MOST_CHOSEN: Final = 288 * 2**20
"""Of tables of games that were chosen. They are kept apart: a large one must not take the place of ratings and
measures, which are small and took long."""
_ORDINARY: Final = 64 * 2**10
_AN_EVENT: Final = 2**10
"""Bytes that an event takes, about."""

_Value = TypeVar("_Value")


def digest_of(names: Iterable[str]) -> str:
    """A short name for these names in this order."""
    return hashlib.blake2b("\n".join(names).encode(), digest_size=16).hexdigest()


class Cache(Generic[_Value]):
    """Values by name, of one revision. The least recently wanted leave when they weigh too much together."""

    def __init__(
        self, revision: Callable[[], int], most: int, weigh: Callable[[_Value], int] = lambda value: 1
    ) -> None:
        self.revision, self._most, self._weigh = revision, most, weigh
        self._lock = threading.Lock()
        self._of: int | None = None
        self._values: OrderedDict[Hashable, _Value] = OrderedDict()
        self._weight = 0
        self._making: dict[tuple[int, Hashable], Future[_Value]] = {}

    def holds(self, name: Hashable) -> bool:
        """Whether there is a value of this name, of whatever revision."""
        return name in self._values

    def get(self, name: Hashable, now: int) -> _Value | None:
        """The value at this revision, if there is one; computes and asks nothing."""
        with self._lock:
            self._clear_old(now)
            if name not in self._values:
                return None
            self._values.move_to_end(name)
            return self._values[name]

    def get_or_make(self, name: Hashable, make: Callable[[], _Value]) -> _Value:
        """The value, or what `make` gives, which is then kept. Who asks while it is being made waits for it."""
        now = self.revision()
        with self._lock:
            self._clear_old(now)
            if name in self._values:
                self._values.move_to_end(name)
                return self._values[name]
            under_way = self._making.get((now, name))
            if under_way is None:
                mine: Future[_Value] = Future()
                self._making[now, name] = mine
        if under_way is not None:
            return under_way.result()
        try:
            value = make()
        except BaseException as error:
            mine.set_exception(error)
            raise
        else:
            mine.set_result(value)
            self.put(now, name, value)
            return value
        finally:
            with self._lock:
                del self._making[now, name]

    def _clear_old(self, now: int) -> None:
        if self._of != now:
            self._of, self._weight = now, 0
            self._values.clear()

    def put(self, revision: int, name: Hashable, value: _Value) -> None:
        """Keep a value that was made at this revision."""
        weight = self._weigh(value)
        with self._lock:
            # What took so long that the journal moved on is handed out once and not kept.
            if revision != self._of or weight > self._most or name in self._values:
                return
            self._values[name] = value
            self._weight += weight
            while self._weight > self._most:
                _, gone = self._values.popitem(last=False)
                self._weight -= self._weigh(gone)


@dataclass(frozen=True, slots=True)
class Body:
    """An answer as it goes over the wire."""

    plain: bytes
    packed: bytes | None
    """The same in gzip, where that is worth it."""
    tag: str
    """Names the content: a reader that has it need not be sent it again."""

    @classmethod
    def of(cls, plain: bytes) -> "Body":
        """An answer made ready to be sent any number of times."""
        packed = gzip.compress(plain, 5, mtime=0) if len(plain) >= _WORTH_PACKING else None
        return cls(plain, packed, f'"{hashlib.blake2b(plain, digest_size=12).hexdigest()}"')

    @property
    def size(self) -> int:
        """Bytes that it takes in the cache, about."""
        return len(self.plain) + len(self.packed or b"") + _OVERHEAD


class AnswerCache:
    """Answers to requests by name, computed in threads; who waits for one takes up no thread, and what is slow keeps
    nothing else waiting. The event loop never waits for a database server, which may not answer: people at their seats
    would wait with it. Of a journal in a file, what is known to take no time is computed on the spot."""

    def __init__(self, count: Count, threads: int, most: int = _MOST_BYTES) -> None:
        """The answers stay until the count changes; they take at most so many bytes."""
        self._count = count
        self._bodies: Cache[Body] = Cache(count.now, most, lambda body: body.size)
        self._free: Final = asyncio.Semaphore(threads)
        self._free_for_slow: Final = asyncio.Semaphore(1)
        self._under_way: dict[str, tuple[int, asyncio.Task[Body]]] = {}
        """What is being made, and at which revision it was begun at the earliest."""
        self._quick: dict[Hashable, int] = {}
        """What took no time when it was last made, and at which revision."""

    async def ready(self, name: str) -> Body | None:
        """The answer of this name, if it is there."""
        # Of what never was there nothing is asked: a seat's own questions come by here too.
        return self._bodies.get(name, await self._count.soon()) if self._bodies.holds(name) else None

    async def answer(self, name: str, make: Callable[[], bytes], like: Hashable = None, *, slow: bool = False) -> Body:
        """The answer of this name, made now where it is not there. Answers that are `like` one another take about as
        long; `slow` ones take many seconds, and are made one after the other."""
        now = await self._count.soon()
        if (body := self._bodies.get(name, now)) is not None:
            return body
        begun, task = self._under_way.get(name, (now, None))
        if task is not None and begun < now:
            # It may not know what this reader knows. One at a time, or a busy journal would have any number made.
            await asyncio.wait([task])
            if (body := self._bodies.get(name, await self._count.soon())) is not None:
                return body
            _, task = self._under_way.get(name, (now, None))
        if task is None:
            if self._count.local and like is not None and self._quick.get(like) == now:
                return self._make(name, make, like)
            free = self._free_for_slow if slow else self._free
            task = asyncio.create_task(self._make_in_thread(free, name, make, like), name=f"answer {name}")
            self._under_way[name] = now, task
            task.add_done_callback(lambda done: self._clear(name, done))
        # Who goes away does not take the answer from the others who wait for it.
        return await asyncio.shield(task)

    async def _make_in_thread(
        self, free: asyncio.Semaphore, name: str, make: Callable[[], bytes], like: Hashable
    ) -> Body:
        async with free:
            return await run_in_threadpool(self._make, name, make, like)

    def _make(self, name: str, make: Callable[[], bytes], like: Hashable) -> Body:
        revision, began = self._bodies.revision(), time.thread_time()
        body = self._bodies.get_or_make(name, lambda: Body.of(make()))
        # The processor's time: among many threads the clock on the wall would call everything slow.
        took = time.thread_time() - began
        if took > _LONG:
            give_back_soon()
        if like is not None:
            self._quick.pop(like, None)
            if took < _NO_TIME:
                if len(self._quick) >= _MOST_QUICK:
                    self._quick.clear()
                self._quick[like] = revision
        return body

    def _clear(self, name: str, done: asyncio.Task[Body]) -> None:
        del self._under_way[name]
        if not done.cancelled():
            done.exception()  # told to those who wait; with nobody left, nobody needs to know


@dataclass(frozen=True)
class CachedTables:
    """All games of a kind that are over."""

    rows: tuple[GameRow, ...]
    """Void ones among them, in the order in which they were begun."""
    tables: GameTables
    """Of the finished ones, in the same order."""
    results: tuple[FinishedGame, ...]
    """How these ended."""
    digest: str
    """Names the finished games."""


@dataclass
class _Kind:
    """The tables of a kind of game, and who may write them."""

    lock: threading.Lock = field(default_factory=threading.Lock)
    stage: int = -1
    cached: CachedTables | None = None


class StudyCache:
    """What was computed from games that are over. Games that are being played do not disturb it; as a game that is over
    never changes, each is read once, and what was computed from certain games holds for as long as there is room."""

    def __init__(self, journal: Journal, revision: Revision) -> None:
        self._journal, self._ended, self._stage = (
            journal,
            journal.ended,
            Stage(journal.ended, revision, lambda: journal.names.known().differing),
        )
        self.answers: Final = AnswerCache(self._stage, 12)
        """Answers that games which are over alone decide; they stay until another game ends."""
        self._over = False
        self.progress = ""
        """What is being read now, and how far that is, in words; empty where nothing is."""
        self._computed: Cache[Any] = Cache(lambda: 0, _MOST_COMPUTED, _bytes)
        self._chosen: Cache[GameTables] = Cache(lambda: 0, _MOST_CHOSEN, _bytes)
        self._kinds: dict[str, _Kind] = {}
        self._lock = threading.Lock()

    def end(self) -> None:
        """Begin nothing more: the server stops."""
        self._over = True

    def tables(self, study: Study[Any]) -> CachedTables:
        """All games of a kind that are over now; those that have ended meanwhile are added."""
        stage = self._stage.now()
        with self._lock:
            kind = self._kinds.setdefault(study.command, _Kind())
        with kind.lock:
            if kind.cached is None or kind.stage < stage:
                kind.cached, kind.stage = self._with_new(study, kind.cached), stage
            return kind.cached

    def stage(self) -> int:
        """The number at which what games that are over decide was last asked for."""
        return self._stage.now()

    def rows(self, study: AnyStudy) -> list[GameRow]:
        """All games of a study that are over, void ones among them, without what happened in them."""
        return self._ended.games(study.records)

    def records(self, games: Iterable[str]) -> Iterator[KeptGame]:
        """The records of these games, each with its id and its experiment's."""
        for one in self._ended.records(list(games)):
            self.check()
            yield one

    def get_or_make(self, name: Hashable, make: Callable[[], _Value]) -> _Value:
        """What `make` gives, which depends on nothing but what the name says, or what it gave before."""
        self.check()
        found: _Value = self._computed.get_or_make(name, make)
        return found

    def get_or_choose(self, name: Hashable, choose: Callable[[], GameTables]) -> GameTables:
        """The same of tables of games that are chosen."""
        self.check()
        return self._chosen.get_or_make(name, choose)

    def check(self) -> None:
        """Refuse to go on where the server stops."""
        if self._over:
            raise InputError("the server is stopping; try again when it is back")

    def _with_new(self, study: Study[Any], before: CachedTables | None) -> CachedTables:
        rows = tuple(self.rows(study))
        # A game may have ended since the rows were read.
        over = {row.id for row in rows if row.state == FINISHED}
        results = tuple(one for one in self._ended.results(study.records) if one.id in over)
        known = set() if before is None else set(before.tables.games["game"])
        new = [one for one in results if one.id not in known]
        gone = known - over  # with an experiment that was deleted
        if before is not None and not new and not gone:
            return replace(before, rows=rows)
        tables = self._read(study, new)
        finished = [one.id for one in results]
        if before is not None:
            # A game may end before one that was begun earlier.
            tables = joined(before.tables, tables, finished)
        return CachedTables(rows, tables, results, digest_of(finished))

    def _read(self, study: Study[Any], new: Sequence[FinishedGame]) -> GameTables:
        """The tables of these games; meanwhile it is said how far that is."""
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
        return int(value.estimated_size()) + _ORDINARY
    if isinstance(value, GameTables):
        return sum(map(_bytes, value.parts.values()))
    return _AN_EVENT * value.items + _ORDINARY if isinstance(value, Scored) else _ORDINARY
