"""Versions of the states of a session's participants and of its host's state, on whose changes open pages wait."""

import asyncio
import time
from collections.abc import Iterable
from datetime import datetime
from typing import Final

HOST: Final = 0
"""The number under which the host's state is counted; participants are counted from 1."""
_MARGIN_MS: Final = 60_000
"""The margin to the versions of an earlier process if the clock is behind."""


class Versions:
    """A version for each participant and for the host. Versions only increase, also over restarts."""

    def __init__(self, after: str | None = None) -> None:
        """`after` is the time of the last stored entry. Pages ignore states with a lower version, so versions must not
        begin below it, even if the clock was set back or is that of another machine."""
        now = int(time.time() * 1000)
        last = 0 if after is None else int(datetime.fromisoformat(after).timestamp() * 1000)
        self._start = now if now > last else last + _MARGIN_MS
        self._versions: dict[int, int] = {}
        self._changed: dict[int, asyncio.Event] = {}

    def of(self, number: int) -> int:
        """Return the present version of a participant, or of the host."""
        return self._versions.get(number, self._start)

    def touch(self, numbers: Iterable[int]) -> None:
        """Increase the versions of participants, and that of the host."""
        for number in {HOST, *numbers}:
            self._versions[number] = self.of(number) + 1
            event = self._changed.pop(number, None)
            if event is not None:
                event.set()

    def touch_all(self) -> None:
        """Increase the versions that pages wait for."""
        self.touch([*self._versions, *self._changed])

    async def after(self, number: int, seen: int) -> int:
        """Wait until a version is later than `seen`, and return it."""
        while self.of(number) <= seen:
            await self._changed.setdefault(number, asyncio.Event()).wait()
        return self.of(number)
