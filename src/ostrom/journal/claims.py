"""Claims: one process at a time runs an experiment, or plays a game of one that several share. A claim ends when its
process does, however that is.

In a file it is a lock on a file beside it. In PostgreSQL it is a lock of a session, and **whoever holds claims writes
through that session alone**: a session that is cut has lost its locks, and can write nothing more, so that nobody is
let in while somebody else still writes. Who was cut claims anew, and goes on only where nobody was in meanwhile."""

import os
import threading
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from typing import Any, Final

from sqlalchemy import Connection, func, select
from sqlalchemy.exc import DBAPIError

from ostrom.core import InputError, JournalError
from ostrom.journal.engine import Database
from ostrom.journal.files import OWNER_ONLY
from ostrom.journal.rows import Rows
from ostrom.journal.schema import answers, calls, events, runs

EXPERIMENT: Final = 0x057404
"""The kind of PostgreSQL's locks for experiments; any number that nobody else uses."""
GAME: Final = 0x057405
"""Likewise for games."""


class AlreadyClaimed(InputError):
    """Somebody else runs the experiment, or plays the game, right now."""


@dataclass
class _Held:
    """A claim of this process."""

    name: str
    mark: int
    """What only its holder changes: the number of an experiment's last run, or of a game's rows."""


class Claims:
    """What this process has claimed in a journal, and the way in which it writes."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._lock = threading.Lock()
        self._held: dict[tuple[int, int], _Held] = {}
        self._unsure: Counter[Any] = Counter()
        """Rows by game that may or may not be stored: the session was cut over them."""
        self._connection: Connection | None = None

    @contextmanager
    def claim(self, kind: int, serial: int, name: str) -> Iterator[None]:
        """Hold an experiment or a game; refused where somebody else holds it."""
        file = self._database.location.file
        if file is None:
            with self._in_postgresql(kind, serial, name):
                yield
        elif kind == EXPERIMENT:
            with _beside(f"{os.path.realpath(file)}-run-{serial}", name, self._database.location.label):
                yield
        else:
            # An experiment in a file is run by one process, which has claimed all of it.
            yield

    @contextmanager
    def storing(self) -> Iterator[Connection]:
        """As `Database.storing`, through the session that holds the claims where there are any."""
        if not self._held:
            with self._database.storing() as connection:
                yield connection
        else:
            with self._lock, self._session() as connection:
                yield connection

    @contextmanager
    def writing(self) -> Iterator[Connection]:
        """As `Database.writing`, likewise."""
        if not self._held:
            with self._database.writing() as connection:
                yield connection
        else:
            with self._lock, self._database.complaining("written"), self._session() as connection:
                connection.exec_driver_sql("BEGIN")
                try:
                    yield connection
                    connection.exec_driver_sql("COMMIT")
                except BaseException:
                    if not connection.invalidated:
                        connection.exec_driver_sql("ROLLBACK")
                    raise

    def note_run(self, experiment: int, number: int) -> None:
        """The holder of an experiment has entered a run of it."""
        if (EXPERIMENT, experiment) in self._held:
            self._held[EXPERIMENT, experiment].mark = number

    @contextmanager
    def counting(self, rows: Rows) -> Iterator[None]:
        """Within this, the holder of games stores rows of theirs."""
        self._unsure = Counter(row[0] for some in (rows.answers, rows.calls, rows.events) for row in some)
        try:
            yield
        except DBAPIError as error:
            if not error.connection_invalidated:
                self._unsure.clear()
            raise
        for game in [serial for kind, serial in self._held if kind == GAME]:
            self._held[GAME, game].mark += self._unsure[game]
        self._unsure.clear()

    def close(self) -> None:
        """Let go of everything."""
        with self._lock:
            self._held.clear()
            self._disconnect()

    @contextmanager
    def _in_postgresql(self, kind: int, serial: int, name: str) -> Iterator[None]:
        with self._lock, self._database.complaining("written"), self._session() as connection:
            # The server grants a session its own lock again, so that we look ourselves first.
            if (kind, serial) in self._held or not _granted(connection, kind, serial):
                raise _taken(name)
            self._held[kind, serial] = _Held(name, _mark(connection, kind, serial))
        try:
            yield
        finally:
            with self._lock:
                if (kind, serial) in self._held:
                    del self._held[kind, serial]
                    self._release(kind, serial)

    @contextmanager
    def _session(self) -> Iterator[Connection]:
        """The session that holds all claims; one that was cut is made anew, and what it held is claimed again."""
        try:
            if self._connection is None:
                self._connection = self._connected()
            yield self._connection
        finally:
            # A connection that was lost would be made anew at its next use, without its locks.
            if self._connection is not None and (self._connection.invalidated or not self._held):
                self._disconnect()
            if self._connection is not None:
                self._connection.rollback()  # nothing: every statement is stored by itself; but it counts as begun

    def _connected(self) -> Connection:
        # No transaction is open while a claim is held: the locks belong to the session.
        connection = self._database.engine.connect().execution_options(isolation_level="AUTOCOMMIT")
        try:
            connection.detach()
            for (kind, serial), held in self._held.items():
                if not _granted(connection, kind, serial):
                    raise JournalError(f"the connection to the journal was cut, and {_taken(held.name)}")
                found = _mark(connection, kind, serial)
                if found not in (held.mark, held.mark + (self._unsure[serial] if kind == GAME else 0)):
                    raise JournalError(
                        f"the connection to the journal was cut, and meanwhile another process ran {held.name}"
                    )
                held.mark = found
        except BaseException:
            connection.close()
            raise
        return connection

    def _release(self, kind: int, serial: int) -> None:
        if self._connection is not None:
            with suppress(DBAPIError):  # a lost session has lost its locks
                self._connection.execute(select(func.pg_advisory_unlock(kind, serial)))
            if self._connection.invalidated or not self._held:
                self._disconnect()

    def _disconnect(self) -> None:
        if self._connection is not None:
            with suppress(DBAPIError):
                self._connection.close()
            self._connection = None


def _granted(connection: Connection, kind: int, serial: int) -> bool:
    return bool(connection.execute(select(func.pg_try_advisory_lock(kind, serial))).scalar())


def _mark(connection: Connection, kind: int, serial: int) -> int:
    """What tells whether somebody else held it meanwhile."""
    if kind == EXPERIMENT:
        return connection.execute(select(func.max(runs.c.number)).where(runs.c.experiment == serial)).scalar() or 0
    counts = [
        select(func.count()).where(table.c.game == serial).scalar_subquery() for table in (answers, calls, events)
    ]
    return int(connection.execute(select(counts[0] + counts[1] + counts[2])).scalar_one())


@contextmanager
def _beside(path: str, name: str, label: str) -> Iterator[None]:
    """Hold a file's lock, which the system takes back from a process that dies."""
    try:
        handle = _file_lock(path)
    except OSError as error:
        raise InputError(f"the journal {label} cannot be written: {path}: {error.strerror}") from None
    if handle is None:
        raise _taken(name)
    try:
        yield
    finally:
        with suppress(OSError):  # it does no harm there
            os.unlink(path)
        os.close(handle)


def _file_lock(path: str) -> int | None:
    import fcntl  # not on every system, and needed by nobody who only reads

    while True:
        handle = os.open(path, os.O_RDWR | os.O_CREAT, OWNER_ONLY)
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
            # Whoever held it before may have removed the file after we opened it: then this is nobody's lock.
            if os.path.exists(path) and os.path.samestat(os.fstat(handle), os.stat(path)):
                return handle
        except BlockingIOError:
            os.close(handle)
            return None
        except BaseException:
            os.close(handle)
            raise
        os.close(handle)


def _taken(name: str) -> AlreadyClaimed:
    return AlreadyClaimed(f"{name} is being run by another process; wait for it, or stop it")
