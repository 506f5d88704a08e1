"""The desk: where answers are made that take a while. Each is made once, however many wait for it, and those who wait
take up no thread; so many hands make answers at once, that whoever asks for something quick is not kept waiting."""

import asyncio
from collections.abc import Callable
from typing import Final

from fastapi.concurrency import run_in_threadpool

from ostrom.web.shelf import Body, Shelf, body_of


class Desk:
    """Makes answers and puts them on a shelf."""

    def __init__(self, shelf: Shelf[Body], hands: int) -> None:
        self._shelf = shelf
        self._free: Final = asyncio.Semaphore(hands)
        self._under_way: dict[str, asyncio.Task[Body]] = {}

    async def answer(self, name: str, make: Callable[[], bytes]) -> Body:
        """The answer of this name: from the shelf, or made now."""
        body = self._shelf.found(name)
        if body is not None:
            return body
        task = self._under_way.get(name)
        if task is None:
            task = asyncio.create_task(self._made(name, make), name=f"answer {name}")
            self._under_way[name] = task
            task.add_done_callback(lambda done: self._cleared(name, done))
        # Who goes away does not take the answer from the others who wait for it.
        return await asyncio.shield(task)

    async def _made(self, name: str, make: Callable[[], bytes]) -> Body:
        async with self._free:
            return await run_in_threadpool(self._shelf.made, name, lambda: body_of(make()))

    def _cleared(self, name: str, done: asyncio.Task[Body]) -> None:
        del self._under_way[name]
        if not done.cancelled():
            done.exception()  # told to those who wait; with nobody left, nobody needs to know
