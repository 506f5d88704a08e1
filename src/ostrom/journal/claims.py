"""Claims: exclusive rights of a process. Only one process at a time can run an experiment. If several processes share
an experiment, only one at a time can play each of its games. A claim ends with its process.

In a file, a claim is a lock on a second file. In PostgreSQL, it is a lock of a database session, and **a process with
claims writes only through that session**. If its connection is lost, the session loses its locks and can no longer
write. Therefore two processes never write at once. The process then claims again in a new session. It continues only if
no other process held the claim in the meantime.
"""

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
"""The class number of PostgreSQL's advisory locks for experiments. It is arbitrary."""
GAME: Final = 0x057405
"""The class number of PostgreSQL's advisory locks for games. It is arbitrary."""


class AlreadyClaimed(InputError):
    """Raised if another process runs the experiment or plays the game."""


@dataclass
class _Claim:
    """A claim of this process."""

    name: str
    mark: int
    """A number that only the holder of the claim changes. For an experiment, it is the number of its last run; for a
    game, it is the number of its rows. If it has changed, another process held the claim."""


class Claims:
    """The claims of this process in a journal, and the transactions in which it writes."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._lock = threading.Lock()
        self._held: dict[tuple[int, int], _Claim] = {}
        self._unsure: Counter[Any] = Counter()
        """For each game, a number of rows that may or may not be stored, because the connection was lost during the
        transaction that wrote them."""
        self._connection: Connection | None = None

    @contextmanager
    def claim(self, kind: int, serial: int, name: str) -> Iterator[None]:
        """Claim an experiment or a game until the context ends. Raise AlreadyClaimed if another process holds it."""
        file = self._database.location.file
        if file is None:
            with self._in_postgresql(kind, serial, name):
                yield
        elif kind == EXPERIMENT:
            with _locked_file(f"{os.path.realpath(file)}-run-{serial}", name, self._database.location.label):
                yield
        else:
            # In a file, one process runs the whole experiment, so it has claimed all of its games.
            yield

    @contextmanager
    def storing(self) -> Iterator[Connection]:
        """Open a transaction like `Database.storing`, in the session that holds the claims if this process has any."""
        if not self._held:
            with self._database.storing() as connection:
                yield connection
        else:
            with self._lock, self._session() as connection:
                yield connection

    @contextmanager
    def writing(self) -> Iterator[Connection]:
        """Open a transaction like `Database.writing`, in the session that holds the claims if this process has any."""
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
        """Record that this process, which holds the claim on the experiment, has stored a new run of it."""
        if (EXPERIMENT, experiment) in self._held:
            self._held[EXPERIMENT, experiment].mark = number

    @contextmanager
    def counting(self, rows: Rows) -> Iterator[None]:
        """Add the rows that are stored within this context to the marks of the claims on their games."""
        self._unsure = Counter(row[0] for table_rows in (rows.answers, rows.calls, rows.events) for row in table_rows)
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
        """Release all claims."""
        with self._lock:
            self._held.clear()
            self._disconnect()

    @contextmanager
    def _in_postgresql(self, kind: int, serial: int, name: str) -> Iterator[None]:
        with self._lock, self._database.complaining("written"), self._session() as connection:
            # The server grants a lock to a session that already has it, so our own claims are checked first.
            if (kind, serial) in self._held or not _granted(connection, kind, serial):
                raise _already_claimed(name)
            self._held[kind, serial] = _Claim(name, _mark(connection, kind, serial))
        try:
            yield
        finally:
            with self._lock:
                if (kind, serial) in self._held:
                    del self._held[kind, serial]
                    self._release(kind, serial)

    @contextmanager
    def _session(self) -> Iterator[Connection]:
        """Yield the session that holds all claims. A session whose connection was lost is replaced, and its claims are
        renewed."""
        try:
            if self._connection is None:
                self._connection = self._connected()
            yield self._connection
        finally:
            # SQLAlchemy would replace a lost connection at its next use, and the new connection would have no locks.
            if self._connection is not None and (self._connection.invalidated or not self._held):
                self._disconnect()
            if self._connection is not None:
                # With autocommit, nothing can be rolled back, but SQLAlchemy assumes that a transaction has begun.
                self._connection.rollback()

    def _connected(self) -> Connection:
        # The locks belong to the session, so no transaction needs to stay open.
        connection = self._database.engine.connect().execution_options(isolation_level="AUTOCOMMIT")
        try:
            connection.detach()
            for (kind, serial), claim in self._held.items():
                if not _granted(connection, kind, serial):
                    raise JournalError(f"the connection to the journal was cut, and {_already_claimed(claim.name)}")
                mark = _mark(connection, kind, serial)
                if mark not in (claim.mark, claim.mark + (self._unsure[serial] if kind == GAME else 0)):
                    raise JournalError(
                        f"the connection to the journal was cut, and meanwhile another process ran {claim.name}"
                    )
                claim.mark = mark
        except BaseException:
            connection.close()
            raise
        return connection

    def _release(self, kind: int, serial: int) -> None:
        if self._connection is not None:
            with suppress(DBAPIError):  # A session whose connection was lost has lost its locks.
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
    """Return the mark of a claim. If it changes, another process held the claim."""
    if kind == EXPERIMENT:
        return connection.execute(select(func.max(runs.c.number)).where(runs.c.experiment == serial)).scalar() or 0
    counts = [
        select(func.count()).where(table.c.game == serial).scalar_subquery() for table in (answers, calls, events)
    ]
    return int(connection.execute(select(counts[0] + counts[1] + counts[2])).scalar_one())


@contextmanager
def _locked_file(path: str, name: str, label: str) -> Iterator[None]:
    """Lock a file until the context ends; the system releases the lock when the process ends."""
    try:
        handle = _file_lock(path)
    except OSError as error:
        raise InputError(f"the journal {label} cannot be written: {path}: {error.strerror}") from None
    if handle is None:
        raise _already_claimed(name)
    try:
        yield
    finally:
        with suppress(OSError):  # A leftover file does no harm.
            os.unlink(path)
        os.close(handle)


def _file_lock(path: str) -> int | None:
    import fcntl  # Windows does not have this module, and readers do not need it.

    while True:
        handle = os.open(path, os.O_RDWR | os.O_CREAT, OWNER_ONLY)
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
            # The previous holder may have removed the file after this process opened it. Then a lock on the file has no
            # effect.
            if os.path.exists(path) and os.path.samestat(os.fstat(handle), os.stat(path)):
                return handle
        except BlockingIOError:
            os.close(handle)
            return None
        except BaseException:
            os.close(handle)
            raise
        os.close(handle)


def _already_claimed(name: str) -> AlreadyClaimed:
    return AlreadyClaimed(f"{name} is being run by another process; wait for it, or stop it")
