"""The numbers that say whether what was computed still holds: the journal's revision, and the stage of what is over in
it. They are asked for as often as is worth it, and by the event loop only of a file: it waits for no database server,
as people at their seats would wait with it."""

import asyncio
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from typing import Final, Protocol

from fastapi.concurrency import run_in_threadpool

from ostrom.journal.pages import Ended
from ostrom.journal.sql import Journal

_FRESH: Final = 0.05
"""Seconds for which the journal's revision is taken as known: fifty readers ask it once, not fifty times."""
_AHEAD: Final = 0.025
"""Seconds before a number is too old in which it is asked for again while it still serves, so that hardly anybody has
to wait for it."""


class Count(Protocol):
    """A number that grows when what was computed no longer holds."""

    def now(self) -> int:
        """The number; whoever asks may have to wait for the journal."""

    def told(self) -> int | None:
        """The number, where it can be told without waiting for a database server."""

    async def soon(self) -> int:
        """The number, as the event loop gets to know it."""

    def held(self) -> AbstractContextManager[None]:
        """Within this, the thread asks no database server: the number that was told last counts."""


class Revision:
    """The revision of a journal."""

    def __init__(self, journal: Journal, clock: Callable[[], float] = time.monotonic) -> None:
        self._journal, self._clock = journal, clock
        self.local = journal.local
        """Whether the journal answers at once."""
        self._lock = threading.Lock()
        self._known, self._until = -1, float("-inf")
        self._forgotten = 0
        self._here = threading.local()
        self._asking = _Once(self._ask)

    def now(self) -> int:
        """The number that grows with every write."""
        return self._known if self._clock() < self._until or self.is_held else self._ask()

    def told(self) -> int | None:
        """The number, where it can be told without waiting for a database server."""
        if self.local:
            return self.now()
        return self._known if self._clock() < self._until else None

    async def soon(self) -> int:
        """The number; asked for in a thread, once for all who want to know it, and before it is too old."""
        told = self.told()
        if told is None:
            return await self._asking.asked()
        if not self.local and self._clock() > self._until - _AHEAD:
            self._asking.begin()
        return told

    @contextmanager
    def held(self) -> Iterator[None]:
        """Within this, the thread asks no database server: the number that was told last counts."""
        self._here.held = not self.local
        try:
            yield
        finally:
            self._here.held = False

    @property
    def is_held(self) -> bool:
        """Whether this thread asks no database server."""
        return getattr(self._here, "held", False)

    def forget(self) -> None:
        """Ask anew next time: this process has just written."""
        with self._lock:
            self._forgotten += 1
            self._until = float("-inf")

    def _ask(self) -> int:
        forgotten = self._forgotten
        found = self._journal.revision()
        with self._lock:
            # Of two that ask at once, the slower one may bring the older number.
            self._known = max(self._known, found)
            if forgotten == self._forgotten:
                self._until = self._clock() + _FRESH
            return self._known


class Stage:
    """The number that grows with every game that ends."""

    def __init__(self, ended: Ended, revision: Revision) -> None:
        self._ended, self._revision = ended, revision
        self._known: tuple[int, int] = (-2, 0)
        """At which revision it was asked for, and what it was."""
        self._asking = _Once(self.now)
        self.held = revision.held

    def now(self) -> int:
        """The number; asked for when the journal has changed."""
        revision = self._revision.now()
        if revision != self._known[0] and not self._revision.is_held:
            self._known = (revision, self._ended.stage())
        return self._known[1]

    def told(self) -> int | None:
        """The number, where it can be told without waiting for a database server."""
        if self._revision.local:
            return self.now()
        revision, stage = self._known
        return stage if self._revision.told() == revision else None

    async def soon(self) -> int:
        """The number; asked for in a thread, once for all who want to know it."""
        await self._revision.soon()
        told = self.told()
        return await self._asking.asked() if told is None else told


class _Once:
    """Something that is asked for in a thread, once for all who wait for it."""

    def __init__(self, ask: Callable[[], int]) -> None:
        self._ask = ask
        self._task: asyncio.Task[int] | None = None

    def begin(self) -> asyncio.Task[int]:
        """Ask, unless somebody does already."""
        if self._task is None:
            self._task = asyncio.create_task(run_in_threadpool(self._ask), name="revision")
            self._task.add_done_callback(self._heard)
        return self._task

    async def asked(self) -> int:
        """What comes of it."""
        # Who goes away does not take it from the others who wait for it.
        return await asyncio.shield(self.begin())

    def _heard(self, done: asyncio.Task[int]) -> None:
        self._task = None
        if not done.cancelled():
            done.exception()  # told to those who wait; with nobody left, nobody needs to know
