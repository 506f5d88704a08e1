"""The desk: where answers are made that may take a while. Each is made once, however many wait for it, and those who
wait take up no thread; so many hands make answers at once, that whoever asks for something quick is not kept waiting.
The event loop never waits for a database server, which may not answer: people at their seats would wait with it. What
needs none and is known to take no time is made on the spot."""

import asyncio
import time
from collections.abc import Callable, Hashable
from typing import Final

from fastapi.concurrency import run_in_threadpool

from ostrom.web.revision import Count
from ostrom.web.shelf import Body, Shelf, body_of

_NO_TIME: Final = 0.01
"""Seconds for which all others may be kept waiting; to hand an answer to a thread and back takes longer than that where
many ask."""
_MOST: Final = 1000


class Desk:
    """Makes answers and puts them on a shelf."""

    def __init__(self, shelf: Shelf[Body], hands: int, count: Count) -> None:
        """The count is the one that the shelf goes by."""
        self._shelf, self._count = shelf, count
        self._free: Final = asyncio.Semaphore(hands)
        self._under_way: dict[str, asyncio.Task[Body]] = {}
        self._brisk: dict[Hashable, int] = {}
        """What took no time when it was last made, and at which revision."""

    async def ready(self, name: str) -> Body | None:
        """The answer of this name, if it lies on the shelf."""
        # Of what never was on the shelf nothing is asked: a seat's own questions come by here too.
        return self._shelf.found(name, await self._count.soon()) if self._shelf.holds(name) else None

    async def answer(self, name: str, make: Callable[[], bytes], like: Hashable = None) -> Body:
        """The answer of this name: from the shelf, or made now. Answers that are `like` one another need no database
        server, and take about as long."""
        now = await self._count.soon()
        body = self._shelf.found(name, now)
        if body is not None:
            return body
        task = self._under_way.get(name)
        if task is None:
            if like is not None and self._brisk.get(like) == now:
                with self._count.held():
                    return self._made(name, make, like)
            task = asyncio.create_task(self._by_hand(name, make, like), name=f"answer {name}")
            self._under_way[name] = task
            task.add_done_callback(lambda done: self._cleared(name, done))
        # Who goes away does not take the answer from the others who wait for it.
        return await asyncio.shield(task)

    async def _by_hand(self, name: str, make: Callable[[], bytes], like: Hashable) -> Body:
        async with self._free:
            return await run_in_threadpool(self._made, name, make, like)

    def _made(self, name: str, make: Callable[[], bytes], like: Hashable) -> Body:
        revision, began = self._shelf.revision(), time.thread_time()
        body = self._shelf.made(name, lambda: body_of(make()))
        if like is not None:
            self._brisk.pop(like, None)
            # The processor's time: among many threads the clock on the wall would call everything slow.
            if time.thread_time() - began < _NO_TIME:
                if len(self._brisk) >= _MOST:
                    self._brisk.clear()
                self._brisk[like] = revision
        return body

    def _cleared(self, name: str, done: asyncio.Task[Body]) -> None:
        del self._under_way[name]
        if not done.cancelled():
            done.exception()  # told to those who wait; with nobody left, nobody needs to know
