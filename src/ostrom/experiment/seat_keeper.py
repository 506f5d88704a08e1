"""Keeps what people's seats need to survive their host: the digests of their links, and how much time is left for the
questions that are open. A host that is killed has no chance to write, so that is written every few seconds; the time
while no host is running does not count."""

import asyncio
from contextlib import suppress
from typing import Final

from ostrom.core import InputError
from ostrom.journal.seats import KeptSeat
from ostrom.journal.sql import Journal
from ostrom.players.people.room import Room

_EVERY: Final = 2.0
"""Seconds between two looks at the clocks: a kill gives a person so much more time at the most."""


class SeatKeeper:
    """Keeps the seats of one room."""

    def __init__(self, journal: Journal, experiment: str, room: Room) -> None:
        self._journal, self._experiment, self._room = journal, experiment, room
        self._last: tuple[KeptSeat, ...] = ()
        self._noted: tuple[KeptSeat, ...] | None = None
        self._task: asyncio.Task[None] | None = None

    def start(self) -> None:
        """Keep the seats from now on, until `close`."""
        if self._room.seats:
            self._task = asyncio.create_task(self._run(), name=f"clocks of {self._experiment}")

    def note(self) -> None:
        """Look at the clocks for the last time: the host stops, and what is open will be withdrawn."""
        self._noted = self._noted or self._now()

    async def close(self) -> None:
        """Keep what was last noted, and end."""
        if self._task is None:
            return
        self._task.cancel()
        with suppress(asyncio.CancelledError):
            await self._task
        await self._keep(self._noted or self._now())

    def _now(self) -> tuple[KeptSeat, ...]:
        return tuple(
            KeptSeat(
                seat.index,
                seat.digest,
                seat.presence.opened,
                None if seat.question is None else seat.question.id,
                None if seat.question is None else round(seat.left(), 1),
            )
            for seat in self._room.seats.values()
        )

    async def _run(self) -> None:
        while True:
            await asyncio.sleep(_EVERY)
            await self._keep(self._now())

    async def _keep(self, seats: tuple[KeptSeat, ...]) -> None:
        changed = [one for one in seats if one not in self._last]
        self._last = seats
        if changed:
            with suppress(InputError):  # a journal that cannot be written stops the game by itself, and says so there
                await asyncio.to_thread(self._journal.seats.keep_clocks, self._experiment, changed)
