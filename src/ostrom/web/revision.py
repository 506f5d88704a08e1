"""The numbers that say whether what was computed still holds: the journal's revision, and the stage of what is over in
it; and the feed that tells readers of a change. They are asked for as often as is worth it, and by the event loop only
of a file: it waits for no database server, as people at their seats would wait with it."""

import asyncio
import threading
import time
from abc import ABC, abstractmethod
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager, suppress
from typing import Final

from fastapi.concurrency import run_in_threadpool

from ostrom.core import InputError
from ostrom.journal.pages import EndedGames
from ostrom.journal.sql import Journal

_FRESH: Final = 0.05
"""Seconds for which the journal's revision is taken as known: fifty readers ask it once, not fifty times."""
_INTERVAL: Final = 0.25
"""Seconds between two questions to the journal: at most so often is a reader told."""
_AHEAD: Final = 0.025
"""Seconds before a number is too old in which it is asked for again while it still serves, so that hardly anybody has
to wait for it."""


class Count(ABC):
    """A number that grows when what was computed no longer holds."""

    def __init__(self, local: bool) -> None:
        self.local = local
        """Whether it is asked of a file, which answers at once."""
        self._task: asyncio.Task[int] | None = None

    @abstractmethod
    def now(self) -> int:
        """The number; whoever asks may have to wait for the journal."""

    @abstractmethod
    def known(self) -> int | None:
        """The number, where nothing has to be asked for it."""

    def _ask(self) -> int:
        return self.now()

    async def soon(self) -> int:
        """The number, as the event loop gets to know it: asked for in a thread, once for all who want to know it."""
        known = self.now() if self.local else self.known()
        # Who goes away does not take it from the others who wait for it.
        return await asyncio.shield(self._ask_in_thread()) if known is None else known

    def _ask_in_thread(self) -> asyncio.Task[int]:
        if self._task is None:
            self._task = asyncio.create_task(run_in_threadpool(self._ask), name="revision")
            self._task.add_done_callback(self._clear)
        return self._task

    def _clear(self, done: asyncio.Task[int]) -> None:
        self._task = None
        if not done.cancelled():
            done.exception()  # told to those who wait; with nobody left, nobody needs to know


class Revision(Count):
    """The revision of a journal, which grows with every write."""

    def __init__(self, journal: Journal, clock: Callable[[], float] = time.monotonic) -> None:
        super().__init__(journal.local)
        self._journal, self._clock, self._lock = journal, clock, threading.Lock()
        self._known, self._until = -1, float("-inf")

    def now(self) -> int:
        """The number; asked for where it is too old."""
        return self._known if self._clock() < self._until else self._ask()

    def forget(self) -> None:
        """Take nothing as known: this process has just written, and who asked for it looks at once."""
        self._until = float("-inf")

    def known(self) -> int | None:
        """The number, unless it is too old; asked for again before it is."""
        left = self._until - self._clock()
        if 0 < left < _AHEAD:
            self._ask_in_thread()
        return self._known if left > 0 else None

    def _ask(self) -> int:
        found = self._journal.revision()
        with self._lock:
            # Of two that ask at once, the slower one may bring the older number.
            self._known, self._until = max(self._known, found), self._clock() + _FRESH
            return self._known


class Stage(Count):
    """The number that grows with every game that ends, and when experiments are put in order or players are called
    otherwise: the revision at which any of it last changed."""

    def __init__(self, ended: EndedGames, revision: Revision, names: Callable[[], Mapping[str, str]] = dict) -> None:
        super().__init__(revision.local)
        self._ended, self._revision = ended, revision
        self._names = names
        self._known: tuple[int, int] = (-2, 0)
        """At which revision it was asked for, and what it was."""
        self._seen: tuple[int, int, dict[str, str]] | None = None

    def now(self) -> int:
        """The number; asked for when the journal has changed."""
        revision = self._revision.now()
        if revision != self._known[0]:
            seen = (*self._ended.stage(), dict(self._names()))
            # Asked for after the revision: where it has changed since, it is found changed once more.
            self._known = (revision, self._known[1] if seen == self._seen else revision)
            self._seen = seen
        return self._known[1]

    def known(self) -> int | None:
        """The number, where the journal is known not to have changed."""
        revision, stage = self._known
        return stage if self._revision.known() == revision else None

    async def soon(self) -> int:
        """The number, as the event loop gets to know it."""
        await self._revision.soon()
        return await super().soon()


class Feed:
    """Tells when a journal has changed: one task asks, for all readers together, and only while somebody reads. A slow
    reader misses nothing that counts: it is told the latest revision, and reads what it lacks."""

    def __init__(self, revision: Callable[[], int], interval: float = _INTERVAL) -> None:
        self._revision, self._interval = revision, interval
        self._known = -1
        self._changed = asyncio.Event()
        self._readers = 0
        self._asking: asyncio.Task[None] | None = None

    @property
    def readers(self) -> int:
        return self._readers

    @asynccontextmanager
    async def reading(self) -> AsyncIterator["Feed"]:
        """Within this, the feed is kept up to date."""
        self._readers += 1
        if self._asking is None:
            self._asking = asyncio.create_task(self._ask(), name="live feed")
        try:
            yield self
        finally:
            self._readers -= 1
            if self._readers == 0 and self._asking is not None:
                asking, self._asking = self._asking, None
                asking.cancel()
                with suppress(asyncio.CancelledError):
                    await asking

    async def after(self, seen: int) -> int:
        """The latest revision, as soon as it is another than the one that the reader has seen."""
        while self._known in (seen, -1):
            await self._changed.wait()
        return self._known

    async def _ask(self) -> None:
        while True:
            with suppress(InputError):  # a journal that cannot be read for a moment has not changed for that moment
                now = await asyncio.to_thread(self._revision)
                if now != self._known:
                    self._known = now
                    # Whoever waits is woken by this event; whoever comes later waits for the next one.
                    self._changed.set()
                    self._changed = asyncio.Event()
            await asyncio.sleep(self._interval)
