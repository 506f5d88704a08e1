"""Writes the entries of a running session to the journal. Entries that arrive while others are written are written
together in one transaction, so that many people can answer at once."""

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

from ostrom.core import JournalError, OstromError
from ostrom.journal.rows import as_json
from ostrom.journal.sessions import NewEntry, PersonalValue, check_personal
from ostrom.journal.sql import Journal

_MAX_PENDING: Final = 20_000


class SessionFailed(JournalError):
    """Raised if the entries of a session cannot be stored. The session then stops, and nothing is confirmed."""


@dataclass
class _Batch:
    entries: list[NewEntry]
    personal: list[PersonalValue]
    stored: "asyncio.Future[None]"


class EntryWriter:
    """Writes entries in the order in which they are added. It belongs to one event loop."""

    def __init__(self, journal: Journal, session: str, last: int, failed: Callable[[OstromError], None]) -> None:
        """`last` is the number of the last stored entry. `failed` is called once if entries cannot be stored."""
        self._journal, self._session, self._last, self._failed = journal, session, last, failed
        self._pending: list[_Batch] = []
        self._wakeup = asyncio.Event()
        self._error: OstromError | None = None
        self._task = asyncio.create_task(self._run(), name=f"entries of {session}")

    def add(self, entries: Sequence[NewEntry], personal: Sequence[PersonalValue] = ()) -> "asyncio.Future[None]":
        """Add entries; the future is done when they are stored. It raises SessionFailed if they cannot be stored. Raise
        InputError for values that cannot be stored at all; nothing is added then."""
        if self._error is not None or len(self._pending) > _MAX_PENDING:
            raise SessionFailed(f"the session cannot be stored: {self._error or 'too many entries wait'}")
        # Values that no journal can store are refused here. In a transaction they would stop the session for all.
        for entry in entries:
            as_json(dict(entry.data), f"the entry {entry.kind}")
        for value in personal:
            check_personal(value)
        stored: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        # An error is reported by `failed`; entries that are not awaited need not report it again.
        stored.add_done_callback(lambda future: future.exception())
        self._pending.append(_Batch(list(entries), list(personal), stored))
        self._wakeup.set()
        return stored

    async def close(self) -> None:
        """Write all entries that were added, and end."""
        while self._pending and self._error is None:
            await asyncio.wait([self._pending[-1].stored])
        self._task.cancel()
        await asyncio.wait([self._task])

    async def _run(self) -> None:
        while True:
            await self._wakeup.wait()
            self._wakeup.clear()
            batches, self._pending = self._pending, []
            try:
                await asyncio.shield(asyncio.to_thread(self._write, batches))
            except Exception as error:
                # Whatever the reason is, people must not wait for a confirmation that never comes.
                reason = error if isinstance(error, OstromError) else JournalError(f"{type(error).__name__}: {error}")
                self._fail(reason, batches)
                return
            for batch in batches:
                batch.stored.set_result(None)

    def _write(self, batches: Sequence[_Batch]) -> None:
        entries = [entry for batch in batches for entry in batch.entries]
        personal = [value for batch in batches for value in batch.personal]
        sessions = self._journal.sessions
        numbers = self._journal.patience.through(
            lambda: sessions.append(self._session, entries, after=self._last, personal=personal)
        )
        self._last = numbers[-1] if numbers else self._last

    def _fail(self, error: OstromError, batches: Sequence[_Batch]) -> None:
        self._error = error
        for batch in (*batches, *self._pending):
            if not batch.stored.done():
                batch.stored.set_exception(SessionFailed(f"the session cannot be stored: {error}"))
        self._pending.clear()
        self._failed(error)
