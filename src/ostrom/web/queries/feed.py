"""The live feed: one task asks the journal whether it has changed, for all readers together, and tells them. A reader
that is slow misses nothing that counts: it is told the latest revision, and reads what it lacks."""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress
from typing import Final

from ostrom.core import InputError

_INTERVAL: Final = 0.25
"""Seconds between two questions to the journal: at most so often is a reader told."""


class Feed:
    """The revision of a journal, as it changes. It asks only while somebody reads."""

    def __init__(self, revision: Callable[[], int], interval: float = _INTERVAL) -> None:
        self._revision, self._interval = revision, interval
        self._known = -1
        self._changed = asyncio.Event()
        self._readers = 0
        self._asking: asyncio.Task[None] | None = None

    @property
    def readers(self) -> int:
        """How many read now."""
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
