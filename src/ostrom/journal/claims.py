"""Claims: one process at a time runs an experiment or plays a game. A claim ends when its process does, however that
is."""

import os
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Any, Final

from sqlalchemy import Connection, func, select
from sqlalchemy.exc import DBAPIError

from ostrom.core import InputError
from ostrom.journal.engine import Database

EXPERIMENT: Final = 0x057404
"""The kind of PostgreSQL's locks for experiments; any number that nobody else uses."""
GAME: Final = 0x057405
"""Likewise for games."""


class Taken(InputError):
    """Somebody else runs the experiment, or plays the game, right now."""


class Claims:
    """What this process has claimed in a journal."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._lock = threading.Lock()
        self._held: set[tuple[int, int]] = set()
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

    def close(self) -> None:
        """Let go of everything."""
        with self._lock:
            self._held.clear()
            self._disconnect()

    @contextmanager
    def _in_postgresql(self, kind: int, serial: int, name: str) -> Iterator[None]:
        with self._lock, self._database.complaining("written"):
            # The server grants a session its own lock again, so that we look ourselves first.
            free = (kind, serial) not in self._held and self._ask(func.pg_try_advisory_lock(kind, serial))
            if not free:
                self._disconnect()
                raise _taken(name)
            self._held.add((kind, serial))
        try:
            yield
        finally:
            with self._lock:
                if (kind, serial) in self._held:
                    self._held.remove((kind, serial))
                    self._release(kind, serial)

    def _ask(self, question: Any) -> Any:
        if self._connection is None:
            # No transaction is open while a claim is held: the locks belong to the session.
            self._connection = self._database.engine.connect().execution_options(isolation_level="AUTOCOMMIT")
            self._connection.detach()
        return self._connection.execute(select(question)).scalar()

    def _release(self, kind: int, serial: int) -> None:
        with suppress(DBAPIError):  # a lost session has lost its locks
            self._ask(func.pg_advisory_unlock(kind, serial))
        self._disconnect()

    def _disconnect(self) -> None:
        """Close the session where nothing is held by it."""
        if not self._held and self._connection is not None:
            self._connection.close()
            self._connection = None


@contextmanager
def _beside(path: str, name: str, label: str) -> Iterator[None]:
    """Hold a file's lock, which the system takes back from a process that dies."""
    try:
        handle = _locked(path)
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


def _locked(path: str) -> int | None:
    import fcntl  # not on every system, and needed by nobody who only reads

    while True:
        handle = os.open(path, os.O_RDWR | os.O_CREAT, 0o666)
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


def _taken(name: str) -> Taken:
    return Taken(f"{name} is being run by another process; wait for it, or stop it")
