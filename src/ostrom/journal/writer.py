"""The journal's writer: one thread that stores whatever has gathered since it last looked, in one transaction, and then
tells everybody who waits for it. The more there is to do, the less a decision costs."""

import asyncio
import threading
from collections import defaultdict
from collections.abc import Sequence
from contextlib import suppress
from queue import Empty, SimpleQueue
from typing import Any, Final, NamedTuple

from sqlalchemy.exc import DBAPIError, IntegrityError, OperationalError

from ostrom.core import InputError, JournalError
from ostrom.journal.claims import Claims
from ostrom.journal.engine import Database
from ostrom.journal.rows import Known, Rows
from ostrom.journal.waiting import Patience
from ostrom.journal.write import AlreadyDecided, OpenGame, is_decided, is_stored, open_games, store

_ENTRIES: Final = 1000
"""So many entries at most make one transaction."""
_BATCH: Final = 8_000_000
"""A transaction that has so many characters takes no more entries."""
_FULL: Final = 32_000_000
"""With so many characters waiting, nothing more is taken in."""


class Opening(NamedTuple):
    """A game that somebody wants to open, by its row and the texts that it needs, and the future that gets it as it is
    in the journal."""

    row: dict[str, Any]
    texts: dict[str, str]
    done: "asyncio.Future[Any]"
    size: int = 5000


class Entry(NamedTuple):
    """What is stored together or not at all, and the future of the one who waits for it."""

    what: str
    """What it is in words, for an error."""
    done: "asyncio.Future[Any]"
    rows: Rows
    size: int
    """About how many characters it has."""


class Writer:
    """Stores entries as they come. Any number of event loops may hand them in."""

    def __init__(self, database: Database, claims: Claims, patience: Patience) -> None:
        self._database = database
        self._claims = claims
        self._patience = patience
        self._queue: SimpleQueue[Entry | Opening | None] = SimpleQueue()
        self._lock = threading.Lock()
        self._thread: threading.Thread | None = None
        self._waiting = 0
        self._outside: list[asyncio.Future[None]] = []
        self._closed = False
        self.known = Known()

    @property
    def full(self) -> bool:
        """Whether so much waits that the next one should wait for `room` before it makes an entry."""
        return self._waiting > _FULL

    async def room(self) -> None:
        """Return when there is room for more."""
        while self.full:
            waiter = asyncio.get_running_loop().create_future()
            with self._lock:
                self._outside.append(waiter)
                if not self.full:  # in the meantime the writer may have looked here for the last time
                    self._outside.remove(waiter)
                    return
            await waiter

    async def open(self, row: dict[str, Any], texts: dict[str, str]) -> OpenGame:
        """Enter a game that is given by its row and the texts that it needs, or find it; returns when it is stored."""
        game: OpenGame = await self._put(Opening(row, texts, asyncio.get_running_loop().create_future()))
        return game

    async def store(self, what: str, rows: Rows) -> None:
        """Store rows; returns when they are. `what` they are, in words, is for an error."""
        await self.hand_in(what, rows)

    def hand_in(self, what: str, rows: Rows) -> "asyncio.Future[Any]":
        """The same without waiting: the future is done when they are stored. Who does not look at it hears of a failure
        when something is stored next."""
        stored = self._put(Entry(what, asyncio.get_running_loop().create_future(), rows, rows.size))
        stored.add_done_callback(_heard)
        return stored

    def _put(self, entry: Entry | Opening) -> "asyncio.Future[Any]":
        """Hand in an entry; the future is done when it is stored."""
        with self._lock:
            if self._closed:
                raise InputError(f"the journal {self._database.location.label} is closed; nothing can be stored")
            if self._thread is None:
                # A daemon: a program that ends without closing is not held up by a thread that waits for work.
                self._thread = threading.Thread(target=self._work, name="journal writer", daemon=True)
                self._thread.start()
            self._waiting += entry.size
            self._queue.put(entry)
        return entry.done

    def close(self) -> None:
        """Store everything that was handed in, and stop."""
        with self._lock:
            self._closed = True
            thread, self._thread = self._thread, None
            if thread is not None:
                self._queue.put(None)
        if thread is not None:
            thread.join()

    def _work(self) -> None:
        open_still = True
        while open_still:
            batch, open_still = self._gathered()
            openings = [one for one in batch if isinstance(one, Opening)]
            entries = [one for one in batch if isinstance(one, Entry)]
            outcomes = [*self._open(openings), *self._keep(entries)]
            with self._lock:
                self._waiting -= sum(one.size for one in batch)
                outside, self._outside = self._outside, []
            _tell([*outcomes, *((waiter, None) for waiter in outside)])

    def _gathered(self) -> tuple[list[Entry | Opening], bool]:
        """What waits, as far as it fits into one transaction; and whether more may come."""
        batch: list[Entry | Opening] = []
        size, one = 0, self._queue.get()
        while one is not None:
            batch.append(one)
            size += one.size
            if size > _BATCH or len(batch) >= _ENTRIES:
                return batch, True
            try:
                one = self._queue.get_nowait()
            except Empty:
                return batch, True
        return batch, False

    def _open(self, wanted: Sequence[Opening]) -> list["_Outcome"]:
        if not wanted:
            return []

        def enter() -> list[OpenGame]:
            with self._claims.writing() as connection:
                found = open_games(connection, [one.row for one in wanted])
                if not all(game.begun for game in found):
                    texts = {digest: text for one in wanted for digest, text in one.texts.items()}
                    store(connection.exec_driver_sql, connection.dialect.name, Rows(texts))
            return found

        try:
            # A second attempt finds what a first one entered; in it nothing has happened yet.
            games = self._patience.through(enter)
        except Exception as error:
            return [(one.done, error) for one in wanted]
        return [(one.done, game) for one, game in zip(wanted, games, strict=True)]

    def _keep(self, entries: Sequence[Entry]) -> list["_Outcome"]:
        if not entries:
            return []
        attempts = 0
        while True:
            try:
                self._store(entries, again=attempts > 0)
            except OperationalError as error:
                # No entry's fault, and as likely as not the connection's.
                reason: InputError = self._database.complaint(error.orig, "written")
            except InputError as error:
                reason = error
            except Exception as error:
                if len(entries) == 1:
                    return [(entries[0].done, self._reason(entries[0], error))]
                # One of them cannot be stored: each by itself, so that it alone fails.
                return [outcome for entry in entries for outcome in self._keep([entry])]
            else:
                self._patience.over()
                return [(entry.done, None) for entry in entries]
            attempts += 1
            if not isinstance(reason, JournalError) or not self._patience.again(reason, attempts):
                return [(entry.done, type(reason)(str(reason))) for entry in entries]

    def _store(self, entries: Sequence[Entry], *, again: bool) -> None:
        """Store entries in one transaction; `again` where that was tried before and may have succeeded unheard."""
        with self._claims.storing() as connection:
            left = [one.rows for one in entries if not (again and is_stored(connection, one.rows))]
            rows = Rows.joined(left)
            with self._claims.counting(rows):
                store(connection.exec_driver_sql, connection.dialect.name, rows)
        for digest in rows.texts:
            self.known.add(digest)

    def _reason(self, entry: Entry, error: Exception) -> Exception:
        """Why an entry cannot be stored, in one line."""
        if isinstance(error, IntegrityError):
            with self._database.reading() as connection:
                if any(is_decided(connection, answer) for answer in entry.rows.answers):
                    return AlreadyDecided(f"{entry.what}: already answered")
            return InputError(f"{entry.what}: already stored")
        if isinstance(error, DBAPIError | OverflowError):
            # The entry's own fault, as it came alone: the journal takes others.
            return InputError(str(self._database.complaint(getattr(error, "orig", error), "written")))
        return error


_Outcome = tuple["asyncio.Future[Any]", Any]
"""A future, and what it gets: an exception or a result."""


def _heard(stored: "asyncio.Future[Any]") -> None:
    """Look at a future's error, so that none is complained of for which nobody waits."""
    if not stored.cancelled():
        stored.exception()


def _tell(outcomes: Sequence[_Outcome]) -> None:
    """Resolve futures, each in its own event loop, which is woken once for all of them."""
    by_loop: dict[asyncio.AbstractEventLoop, list[_Outcome]] = defaultdict(list)
    for outcome in outcomes:
        by_loop[outcome[0].get_loop()].append(outcome)
    for loop, mine in by_loop.items():
        with suppress(RuntimeError):  # the loop is closed: nobody waits any longer
            loop.call_soon_threadsafe(_resolve, mine)


def _resolve(outcomes: list[_Outcome]) -> None:
    for future, result in outcomes:
        if future.done():  # whoever waited was cancelled
            continue
        if isinstance(result, Exception):
            future.set_exception(result)
        else:
            future.set_result(result)
