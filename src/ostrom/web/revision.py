"""Counters of changes, which invalidate caches: the journal's revision, and a counter for finished games. This module
also has the feed that notifies clients of changes. The event loop reads counters only if the journal is a file. It
never waits for a database server, because the seats of people would then wait too."""

import asyncio
import threading
import time
from abc import ABC, abstractmethod
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager, suppress
from typing import Final

from fastapi.concurrency import run_in_threadpool
from typing_extensions import override

from ostrom.core import InputError
from ostrom.journal.pages import EndedGames
from ostrom.journal.sql import Journal

_VALID_S: Final = 0.05
"""The number of seconds for which the revision is cached, so that concurrent requests share one query."""
_POLL_INTERVAL_S: Final = 0.25
_REFRESH_AHEAD_S: Final = 0.025
"""The number of seconds before its expiry at which a cached number is refreshed, so that requests rarely wait."""


class ChangeCounter(ABC):
    """A number that increases whenever cached results become invalid."""

    def __init__(self, local: bool) -> None:
        self.local = local
        """True if the journal is a file, which can be read without delay."""
        self._task: asyncio.Task[int] | None = None

    @abstractmethod
    def now(self) -> int:
        """Return the number. This may wait for the journal."""

    @abstractmethod
    def known(self) -> int | None:
        """Return the cached number, or None if the journal must be read."""

    def _read(self) -> int:
        return self.now()

    async def soon(self) -> int:
        """Return the number without blocking the event loop. Concurrent callers share one thread."""
        known = self.now() if self.local else self.known()
        # If one caller is cancelled, the read continues for the other callers.
        return await asyncio.shield(self._read_in_thread()) if known is None else known

    def _read_in_thread(self) -> asyncio.Task[int]:
        if self._task is None:
            self._task = asyncio.create_task(run_in_threadpool(self._read), name="revision")
            self._task.add_done_callback(self._clear)
        return self._task

    def _clear(self, done: asyncio.Task[int]) -> None:
        self._task = None
        if not done.cancelled():
            done.exception()  # Mark the error as retrieved, since waiting callers already have it.


class Revision(ChangeCounter):
    """The revision of a journal, which increases with every write."""

    def __init__(self, journal: Journal, clock: Callable[[], float] = time.monotonic) -> None:
        super().__init__(journal.local)
        self._journal, self._clock, self._lock = journal, clock, threading.Lock()
        self._known, self._until = -1, float("-inf")

    @override
    def now(self) -> int:
        return self._known if self._clock() < self._until else self._read()

    def forget(self) -> None:
        """Forget the cached number, because this process has just written to the journal."""
        self._until = float("-inf")

    @override
    def known(self) -> int | None:
        left = self._until - self._clock()
        if 0 < left < _REFRESH_AHEAD_S:
            self._read_in_thread()
        return self._known if left > 0 else None

    @override
    def _read(self) -> int:
        revision = self._journal.revision()
        with self._lock:
            # Concurrent reads may finish out of order.
            self._known, self._until = max(self._known, revision), self._clock() + _VALID_S
            return self._known


class EndedCounter(ChangeCounter):
    """A counter for finished games. The number is the revision at which finished games, the arrangement of experiments
    or the names of players last changed."""

    def __init__(self, ended: EndedGames, revision: Revision, names: Callable[[], Mapping[str, str]] = dict) -> None:
        super().__init__(revision.local)
        self._ended, self._revision = ended, revision
        self._names = names
        self._known: tuple[int, int] = (-2, 0)
        """The revision at which the counter was last read, and the number at that time."""
        self._last_state: tuple[int, int, dict[str, str]] | None = None

    @override
    def now(self) -> int:
        revision = self._revision.now()
        if revision != self._known[0]:
            state = (*self._ended.stage(), dict(self._names()))
            # The number is read after the revision, so that a later change is detected at the next call.
            self._known = (revision, self._known[1] if state == self._last_state else revision)
            self._last_state = state
        return self._known[1]

    def state(self) -> str:
        """Return a text that changes with the finished games, the experiments and the names. The text can therefore be
        compared with those that other processes stored."""
        self.now()
        return repr(self._last_state)

    @override
    def known(self) -> int | None:
        revision, stage = self._known
        return stage if self._revision.known() == revision else None

    @override
    async def soon(self) -> int:
        await self._revision.soon()
        return await super().soon()


class Feed:
    """Notifies readers of changes in a journal. A single task polls the journal for all clients, and only while there
    are clients. A slow client gets only the latest revision, and then requests the data that it lacks."""

    def __init__(self, revision: Callable[[], int], interval: float = _POLL_INTERVAL_S) -> None:
        self._revision, self._interval = revision, interval
        self._known = -1
        self._changed = asyncio.Event()
        self._readers = 0
        self._polling: asyncio.Task[None] | None = None

    @property
    def readers(self) -> int:
        return self._readers

    @asynccontextmanager
    async def reading(self) -> AsyncIterator["Feed"]:
        """Keep the feed up to date for the length of a `with` block."""
        self._readers += 1
        if self._polling is None:
            self._polling = asyncio.create_task(self._poll(), name="live feed")
        try:
            yield self
        finally:
            self._readers -= 1
            if self._readers == 0 and self._polling is not None:
                polling, self._polling = self._polling, None
                polling.cancel()
                with suppress(asyncio.CancelledError):
                    await polling

    async def after(self, seen: int) -> int:
        """Wait until the revision differs from `seen`, and return it."""
        while self._known in (seen, -1):
            await self._changed.wait()
        return self._known

    async def _poll(self) -> None:
        while True:
            with suppress(InputError):  # A journal that is temporarily unreadable counts as unchanged.
                now = await asyncio.to_thread(self._revision)
                if now != self._known:
                    self._known = now
                    # This event wakes the current waiters. Later waiters wait for the next event.
                    self._changed.set()
                    self._changed = asyncio.Event()
            await asyncio.sleep(self._interval)
