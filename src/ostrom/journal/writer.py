"""The writer of a journal. It is a thread that repeatedly stores all entries that have arrived, in one transaction, and
then resolves their futures. This module also determines how long the writer waits for an unreachable database."""

import asyncio
import math
import os
import threading
import time
from collections import defaultdict, deque
from collections.abc import Callable, Sequence
from contextlib import suppress
from queue import Empty, SimpleQueue
from typing import Any, Final, NamedTuple, TypeVar

from sqlalchemy.exc import DBAPIError, IntegrityError, OperationalError

from ostrom.core import InputError, JournalError
from ostrom.journal.claims import Claims
from ostrom.journal.engine import Database
from ostrom.journal.rows import Known, Rows
from ostrom.journal.write import AlreadyDecided, OpenGame, is_decided, is_stored, open_games, store

MAX_OUTAGE_S: Final = 300.0
"""The number of seconds for which a journal may be unreachable before writing fails."""
VARIABLE: Final = "OSTROM_STORE_WAIT"
"""The environment variable that overrides `MAX_OUTAGE_S`."""
_FIRST_WAIT_S: Final = 0.05
_MAX_WAIT_S: Final = 2.0
"""The longest wait between two attempts, in seconds. Each wait is twice as long as the previous one."""

Result = TypeVar("Result")


class Patience:
    """Retries operations that failed because the journal was unreachable. All threads share it: when an outage has
    lasted for `limit` seconds, every operation fails at its first attempt, until one succeeds."""

    def __init__(self) -> None:
        self.report: Callable[[str], None] = lambda _reason: None
        """A function that is called once for each outage, with its reason."""
        self.limit = _limit()
        self._lock = threading.Lock()
        self._since: float | None = None

    def through(self, work: Callable[[], Result]) -> Result:
        """Call `work` until it succeeds, or until it fails for a reason other than an outage. The changes that `work`
        makes may be made twice."""
        attempts = 0
        while True:
            try:
                result = work()
            except JournalError as error:
                attempts += 1
                if not self.again(error, attempts):
                    raise
            else:
                self.over()
                return result

    def again(self, error: JournalError, attempts: int) -> bool:
        """Wait after a failed attempt. Return whether to try again."""
        if not error.passing:
            return False
        with self._lock:
            first, now = self._since is None, time.monotonic()
            self._since = since = now if self._since is None else self._since
        remaining = since + self.limit - now
        if remaining <= 0:
            return False
        if first:
            self.report(f"{error}; waiting for it for up to {_minutes(self.limit)}")
        time.sleep(min(remaining, _MAX_WAIT_S, _FIRST_WAIT_S * 2 ** min(attempts, 10)))
        return True

    def over(self) -> None:
        """Record that the journal is reachable again."""
        if self._since is not None:
            with self._lock:
                self._since = None


def _limit() -> float:
    value = os.environ.get(VARIABLE)
    try:
        limit = MAX_OUTAGE_S if value is None else float(value)
    except ValueError:
        limit = math.nan
    if not 0 <= limit < math.inf:
        raise InputError(f"{VARIABLE} must be the number of seconds to wait for a journal, such as 300, not {value!r}")
    return limit


def _minutes(seconds: float) -> str:
    return f"{seconds / 60:g} minutes" if seconds >= 60 else f"{seconds:g} seconds"


_MAX_ENTRIES: Final = 1000
"""The largest number of entries in one transaction."""
_MAX_BATCH_CHARACTERS: Final = 8_000_000
"""The number of characters of a transaction's entries at which it accepts no further entries."""
_MAX_WAITING_CHARACTERS: Final = 32_000_000
"""The number of queued characters at which callers must wait."""


class _Opening(NamedTuple):
    """A request to open a game: its row, the texts that it needs, and a future for the state of the game."""

    row: dict[str, Any]
    texts: dict[str, str]
    done: "asyncio.Future[Any]"
    size: int = 5000


class _Entry(NamedTuple):
    """Rows of which either all are stored or none, with a future that is resolved when they are stored."""

    what: str
    """A description of the rows for error messages."""
    done: "asyncio.Future[Any]"
    rows: Rows
    size: int
    """The approximate number of characters of the rows."""


class Writer:
    """Stores entries as they arrive, from any number of event loops. Entries that are passed to the writer within one
    iteration of an event loop, such as all decisions of a wave, arrive together."""

    def __init__(self, database: Database, claims: Claims, patience: Patience) -> None:
        self._database = database
        self._claims = claims
        self._patience = patience
        self._queue: SimpleQueue[list[_Entry | _Opening] | None] = SimpleQueue()
        self._collected: dict[asyncio.AbstractEventLoop, list[_Entry | _Opening]] = {}
        """Entries of the present iteration of each event loop."""
        self._arrived: deque[_Entry | _Opening] = deque()
        """Entries that the thread has taken from the queue and not stored yet."""
        self._lock = threading.Lock()
        self._thread: threading.Thread | None = None
        self._waiting = 0
        self._outside: list[asyncio.Future[None]] = []
        self._closed = False
        self.known = Known()

    @property
    def full(self) -> bool:
        """True if the caller should await `room` before it adds the next entry."""
        return self._waiting > _MAX_WAITING_CHARACTERS

    async def room(self) -> None:
        """Wait until there is room for further entries."""
        while self.full:
            waiter = asyncio.get_running_loop().create_future()
            with self._lock:
                self._outside.append(waiter)
                if not self.full:  # The writer may have emptied the list in the meantime.
                    self._outside.remove(waiter)
                    return
            await waiter

    async def open(self, row: dict[str, Any], texts: dict[str, str]) -> OpenGame:
        """Add a game by its row and the texts that it needs, unless the journal already has it. When the game is
        stored, return its state."""
        game: OpenGame = await self._put(_Opening(row, texts, asyncio.get_running_loop().create_future()))
        return game

    async def store(self, what: str, rows: Rows) -> None:
        """Store rows, and return when they are stored. `what` describes them in error messages."""
        await self.hand_in(what, rows)

    def hand_in(self, what: str, rows: Rows) -> "asyncio.Future[Any]":
        """Return a future that is done when the rows are stored. If storing fails and the caller does not await the
        future, the next entry raises the error."""
        future = self._put(_Entry(what, asyncio.get_running_loop().create_future(), rows, rows.size))
        future.add_done_callback(_retrieve_error)
        return future

    def _put(self, entry: _Entry | _Opening) -> "asyncio.Future[Any]":
        """Queue an entry, and return a future that is done when it is stored."""
        with self._lock:
            if self._closed:
                raise InputError(f"the journal {self._database.location.label} is closed; nothing can be stored")
            if self._thread is None:
                # It is a daemon thread, so that a program can end without closing the journal.
                self._thread = threading.Thread(target=self._work, name="journal writer", daemon=True)
                self._thread.start()
            self._waiting += entry.size
            loop = entry.done.get_loop()
            if loop not in self._collected:
                self._collected[loop] = []
                loop.call_soon(self._pass_on, loop)
            self._collected[loop].append(entry)
        return entry.done

    def _pass_on(self, loop: asyncio.AbstractEventLoop) -> None:
        """Pass the collected entries of an event loop to the thread. If entries were not collected, the thread would
        wake up for every entry and compete with the event loop."""
        with self._lock:
            entries = self._collected.pop(loop, None)
            if entries:
                self._queue.put(entries)

    def close(self) -> None:
        """Store all entries that were passed to the writer, and stop the thread."""
        with self._lock:
            self._closed = True
            thread, self._thread = self._thread, None
            if thread is not None:
                for entries in self._collected.values():
                    self._queue.put(entries)
                self._collected.clear()
                self._queue.put(None)
        if thread is not None:
            thread.join()

    def _work(self) -> None:
        running = True
        while running:
            batch, running = self._next_batch()
            openings = [item for item in batch if isinstance(item, _Opening)]
            entries = [item for item in batch if isinstance(item, _Entry)]
            outcomes = [*self._open(openings), *self._keep(entries)]
            with self._lock:
                self._waiting -= sum(item.size for item in batch)
                outside, self._outside = self._outside, []
            _resolve_all([*outcomes, *((waiter, None) for waiter in outside)])

    def _next_batch(self) -> tuple[list[_Entry | _Opening], bool]:
        """Return the waiting entries that fit into one transaction, and whether the thread should continue."""
        batch: list[_Entry | _Opening] = []
        size = 0
        while True:
            while self._arrived:
                item = self._arrived.popleft()
                batch.append(item)
                size += item.size
                if size > _MAX_BATCH_CHARACTERS or len(batch) >= _MAX_ENTRIES:
                    return batch, True
            try:
                entries = self._queue.get(block=not batch)
            except Empty:
                return batch, True
            if entries is None:
                return batch, False
            self._arrived.extend(entries)

    def _open(self, openings: Sequence[_Opening]) -> list["_Outcome"]:
        if not openings:
            return []

        def enter() -> list[OpenGame]:
            with self._claims.writing() as connection:
                opened = open_games(connection, [opening.row for opening in openings])
                if not all(game.begun for game in opened):
                    texts = {digest: text for opening in openings for digest, text in opening.texts.items()}
                    store(connection.exec_driver_sql, connection.dialect.name, Rows(texts))
            return opened

        try:
            # A second attempt finds the games that the first attempt added; these games are still empty.
            games = self._patience.through(enter)
        except Exception as error:
            return [(opening.done, error) for opening in openings]
        return [(opening.done, game) for opening, game in zip(openings, games, strict=True)]

    def _keep(self, entries: Sequence[_Entry]) -> list["_Outcome"]:
        if not entries:
            return []
        attempts = 0
        while True:
            try:
                self._store(entries, again=attempts > 0)
            except OperationalError as error:
                # The connection has failed, so the entries are not at fault.
                reason: InputError = self._database.complaint(error.orig, "written")
            except InputError as error:
                reason = error
            except Exception as error:
                if len(entries) == 1:
                    return [(entries[0].done, self._reason(entries[0], error))]
                # An entry is invalid. Store each entry separately, so that only the invalid one fails.
                return [outcome for entry in entries for outcome in self._keep([entry])]
            else:
                self._patience.over()
                return [(entry.done, None) for entry in entries]
            attempts += 1
            if not isinstance(reason, JournalError) or not self._patience.again(reason, attempts):
                return [(entry.done, type(reason)(str(reason))) for entry in entries]

    def _store(self, entries: Sequence[_Entry], *, again: bool) -> None:
        """Store entries in one transaction. `again` is set if an earlier attempt may have been committed without
        confirmation."""
        with self._claims.storing() as connection:
            unstored = [entry.rows for entry in entries if not (again and is_stored(connection, entry.rows))]
            rows = Rows.joined(unstored)
            with self._claims.counting(rows):
                store(connection.exec_driver_sql, connection.dialect.name, rows)
        for digest in rows.texts:
            self.known.add(digest)

    def _reason(self, entry: _Entry, error: Exception) -> Exception:
        """Return a one-line error for an entry that cannot be stored."""
        if isinstance(error, IntegrityError):
            with self._database.reading() as connection:
                if any(is_decided(connection, answer) for answer in entry.rows.answers):
                    return AlreadyDecided(f"{entry.what}: already answered")
            return InputError(f"{entry.what}: already stored")
        if isinstance(error, DBAPIError | OverflowError):
            # The entry was stored separately, so the fault is in this entry.
            return InputError(str(self._database.complaint(getattr(error, "orig", error), "written")))
        return error


_Outcome = tuple["asyncio.Future[Any]", Any]
"""A future, and the result or exception with which it is resolved."""


def _retrieve_error(future: "asyncio.Future[Any]") -> None:
    """Retrieve a future's error, so that asyncio does not report it as never retrieved."""
    if not future.cancelled():
        future.exception()


def _resolve_all(outcomes: Sequence[_Outcome]) -> None:
    """Resolve futures in their own event loops. Each loop is woken only once, for all of its futures."""
    by_loop: dict[asyncio.AbstractEventLoop, list[_Outcome]] = defaultdict(list)
    for outcome in outcomes:
        by_loop[outcome[0].get_loop()].append(outcome)
    for loop, own in by_loop.items():
        with suppress(RuntimeError):  # The loop is closed, so no task awaits the future.
            loop.call_soon_threadsafe(_resolve, own)


def _resolve(outcomes: list[_Outcome]) -> None:
    for future, result in outcomes:
        if future.done():  # The waiting task was cancelled.
            continue
        if isinstance(result, Exception):
            future.set_exception(result)
        else:
            future.set_result(result)
