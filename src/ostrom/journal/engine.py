"""Where a journal lies, and connections to its database: the URL of an SQLite file or of a PostgreSQL database and what
of it may be shown, how both are set up, transactions for reading and for writing, and a driver's errors as one line."""

import importlib.util
import os
import shlex
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final
from urllib.parse import quote

from sqlalchemy import URL, Connection, Engine, create_engine, event, make_url
from sqlalchemy.exc import ArgumentError, DBAPIError, IntegrityError
from sqlalchemy.pool import ConnectionPoolEntry, NullPool, QueuePool

from ostrom.core import InputError, JournalError
from ostrom.journal.files import Files
from ostrom.journal.passwords import IN_THE_CLEAR, WHY_NOT, guarded

DEFAULT: Final = "sqlite:///ostrom.db"
VARIABLE: Final = "OSTROM_STORE"
_RIGHT: Final = "write FILE.db, sqlite:///FILE or postgresql://USER@HOST/DATABASE"
_ENDINGS: Final = (".db", ".sqlite", ".sqlite3")
_POSTGRESQL: Final = ("postgresql", "postgres", "postgresql+psycopg")
PATIENCE: Final = 30
"""Seconds that a writer waits for another one to finish its transaction."""
_CONNECT_WITHIN: Final = 10
"""Seconds after which a server that says nothing counts as unreachable."""
_KEPT: Final = 12
"""Connections to a server that are kept for the next one who needs one; none is made before it is needed."""


def store_url(given: str | None = None) -> str:
    """The journal that is meant: the one named, else the one of the environment, else the file of this folder."""
    return given or os.environ.get(VARIABLE) or DEFAULT


@dataclass(frozen=True)
class Location:
    """A journal's place."""

    url: URL = field(repr=False)
    label: str
    """What the place is called in messages: no password, and no options, which may hold one."""
    file: Path | None
    """The file of an SQLite journal."""

    @property
    def typed(self) -> str:
        """What can be typed to name it again; PASSWORD stands where one does, and options that may hold one are left
        out."""
        if self.file is not None:
            return self.label
        options = {name: value for name, value in self.url.query.items() if "pass" not in name}
        again = self.url.set(drivername="postgresql", query=options)
        return (again.set(password="PASSWORD") if again.password else again).render_as_string(hide_password=False)

    def unwritable(self) -> str | None:
        """Why nobody of this process can write an SQLite journal; None where one can, or where only trying tells."""
        if self.file is None:
            return None
        # SQLite follows links, and keeps its log in the folder of the file itself.
        real = os.path.realpath(self.file) if os.path.lexists(self.file) else os.path.abspath(self.file)
        if os.path.exists(real) and not os.access(real, os.W_OK):
            return "the file is read-only"
        folder = os.path.dirname(real)
        return "its folder is read-only" if os.path.isdir(folder) and not os.access(folder, os.W_OK) else None

    def fit_to_show(self, reason: str) -> str:
        """The first line of a driver's complaint, unless it tells a secret."""
        told = " ".join(reason.strip().splitlines()[:1]) or "no reason given"
        options = self.url.normalized_query.items()
        secrets = [value for name, values in options if "password" in name for value in values]
        secrets += [str(self.url.password)] if self.url.password else []
        return "the reason contains a password" if any(secret in told for secret in secrets) else told


def locate(url: str) -> Location:
    """Read the URL of a journal, or the path of its file. One that cannot be is refused without its password."""
    # A password is most easily shown by showing a URL that was mistyped: what has an @, or an option for one, is
    # not repeated.
    named = "this" if "@" in url or "pass" in url.partition("?")[2] else repr(url)
    if "://" not in url:
        # A path is taken only where it looks like one: a mistyped word would leave a new file behind.
        if "@" in url or not (os.sep in url or url.endswith(_ENDINGS)):
            raise InputError(f"{named} is not the URL of a journal, nor a path that ends in .db; {_RIGHT}")
        return _file_at(URL.create("sqlite", database=url))
    if url.partition("?")[0].count("@") > 1:
        raise InputError("the URL of the journal has more than one @; write an @ within a password as %40")
    try:
        parsed = make_url(url)
    except (ArgumentError, ValueError):
        raise InputError(f"{named} is not the URL of a journal; {_RIGHT}") from None
    if parsed.drivername in ("sqlite", "sqlite+pysqlite"):
        return _file_at(parsed)
    if parsed.drivername in _POSTGRESQL:
        return _server_at(parsed)
    raise InputError(f"a journal is kept in SQLite or in PostgreSQL, not in {parsed.drivername!r}; {_RIGHT}")


def at_store(store: str | None) -> str:
    """How to name this journal again in a shell; a password in its URL is not repeated, whoever gave it knows it."""
    if not store:
        return ""
    # A file is named as it was typed: it has no password, and its bare path may not look like one of a journal.
    place = locate(store) if "://" in store else None
    return f" --store {shlex.quote(store if place is None or place.file is not None else place.typed)}"


def without_password(url: str) -> str:
    """The URL of a journal as it may be sent to another machine, which has the password from its own environment."""
    place = locate(url)
    if place.file is not None:
        return url
    told = [name for name in place.url.query if "password" in name]
    bare = URL.create(**{**place.url.set(drivername="postgresql")._asdict(), "password": None})
    return bare.difference_update_query(told).render_as_string(hide_password=False)


def _file_at(url: URL) -> Location:
    if url.host is not None:
        raise InputError(f"the URL of a file needs three slashes, as in {DEFAULT}")
    if url.database in (None, "", ":memory:"):
        raise InputError(f"a journal cannot be in memory; name a file, as in {DEFAULT}")
    if url.query:
        raise InputError(f"the URL of a file takes no options after a question mark; write {DEFAULT}")
    assert url.database is not None
    return Location(url, url.database, Path(url.database))


def _server_at(url: URL) -> Location:
    if importlib.util.find_spec("psycopg") is None:
        raise InputError("a journal in PostgreSQL needs psycopg: pip install 'ostrom[postgres]'")
    shown = URL.create("postgresql", url.username, host=url.host, port=url.port, database=url.database)
    return Location(url.set(drivername="postgresql+psycopg"), shown.render_as_string(), None)


class Database:
    """A database that can be read and written in transactions; with `only_read`, an SQLite file is opened such that
    nothing is written, not even beside it."""

    def __init__(self, location: Location, *, only_read: bool = False) -> None:
        self.location = location
        self.only_read = only_read
        self._files = None if location.file is None else Files(location.file, location.label)
        if location.file is None:
            self.engine = _postgresql(location)
        else:
            assert self._files is not None
            self.engine = _sqlite(location, only_read, self._files)
        # One snapshot for all statements of a transaction, so that a game's answers and events belong together; in
        # SQLite every transaction is one.
        snapshot = {} if location.file is not None else {"isolation_level": "REPEATABLE READ"}
        self._readers = self.engine.execution_options(**snapshot)
        # A statement sees one moment by itself: to begin and to end a transaction around it would be two more trips to
        # the server.
        alone = {} if location.file is not None else {"isolation_level": "AUTOCOMMIT"}
        self._glances = self.engine.execution_options(**alone)
        self._writers = self.engine.execution_options(writes=True)
        self._storers = self._writers.execution_options(**alone)

    @contextmanager
    def reading(self) -> Iterator[Connection]:
        """A transaction that sees one moment of the journal, whoever writes meanwhile."""
        self.check_file()
        with self.complaining("read"), self._readers.begin() as connection:
            yield connection
            self._note_files()

    @contextmanager
    def glancing(self) -> Iterator[Connection]:
        """The same for one statement that reads, and no more than one."""
        self.check_file()
        with self.complaining("read"), self._glances.begin() as connection:
            yield connection
            self._note_files()

    @contextmanager
    def writing(self) -> Iterator[Connection]:
        """A transaction that is stored as a whole or not at all."""
        with self.complaining("written"), self._confirming(self._writers) as connection:
            yield connection

    @contextmanager
    def storing(self) -> Iterator[Connection]:
        """The same for what `store` stores, which in PostgreSQL is one statement, and so its own transaction. Errors
        come as the driver's own: whose fault they are is for the writer to find out."""
        with self._confirming(self._storers) as connection:
            yield connection

    @contextmanager
    def _confirming(self, engine: Engine) -> Iterator[Connection]:
        """A transaction that is confirmed only where its files are still there when it is stored."""
        self.check_file()
        with engine.begin() as connection:
            yield connection
            self._note_files()
            if self._files is not None:
                self._files.check()
        self.check_file()

    def _note_files(self) -> None:
        if self._files is not None and not self.only_read:
            self._files.note_log()

    def check_file(self) -> None:
        """Refuse to go on where a file of the journal was deleted or replaced since it was opened."""
        if self._files is not None:
            self._files.check()
            self._files.check_log(self._rescue)

    def _rescue(self) -> bool:
        """Write what stands in the log alone into the file; whether it all is."""
        pool = self.engine.pool
        if not isinstance(pool, QueuePool) or not pool.checkedin():
            return False  # a new connection would begin a new log
        connection = self.engine.raw_connection()
        try:
            busy, logged, written = connection.cursor().execute("PRAGMA wal_checkpoint(FULL)").fetchone()
            return not busy and logged == written
        except sqlite3.Error:
            return False
        finally:
            connection.close()

    def keep_log_ahead(self) -> None:
        """Put an SQLite file into WAL mode, in which readers and a writer do not wait for each other."""
        with self.complaining("written"):
            connection = self.engine.raw_connection()
            try:
                connection.cursor().execute("PRAGMA journal_mode = WAL")
            finally:
                connection.close()

    def close(self) -> None:
        """Let go of all connections; those in use, by a thread that reads on, as soon as they are given back."""
        event.listen(self.engine, "checkin", _close_returned)
        self.engine.dispose()

    @contextmanager
    def complaining(self, done: str) -> Iterator[None]:
        """Within this, a driver's error is one line; `done` says what could not be done."""
        try:
            yield
        except IntegrityError:
            raise
        except DBAPIError as error:
            # Without the driver's own error behind it: it may know more about the connection than is to be shown.
            raise self.complaint(error.orig, done) from None
        except sqlite3.Error as error:  # of a connection that is used without SQLAlchemy
            raise self.complaint(error, done) from None
        except UnicodeDecodeError:  # of a message in which SQLite repeats a damaged definition
            raise JournalError(f"the journal {self.location.label} cannot be {done}: its file is damaged") from None

    def complaint(self, error: BaseException | None, done: str) -> JournalError:
        """A driver's error in one line."""
        in_the_clear = IN_THE_CLEAR in str(error)
        reason = WHY_NOT if in_the_clear else self.location.fit_to_show(str(error))
        complaint = JournalError(f"the journal {self.location.label} cannot be {done}: {reason}")
        complaint.passing = not in_the_clear and _passes(error)
        return complaint


def _close_returned(_connection: Any, entry: ConnectionPoolEntry) -> None:
    entry.close()


def _passes(error: BaseException | None) -> bool:
    """Whether a driver's error may be gone in a while, as nothing is wrong with what was asked."""
    if (name := getattr(error, "sqlite_errorname", None)) is not None:
        return str(name).startswith(("SQLITE_BUSY", "SQLITE_LOCKED", "SQLITE_PROTOCOL"))
    if not any(kind.__name__ in ("OperationalError", "InterfaceError") for kind in type(error).__mro__):
        return False
    state = getattr(error, "sqlstate", "")
    return state is None or state.startswith(("08", "40", "57P")) or state in _PASSING


_PASSING: Final = ("53300", "55P03")
"""What PostgreSQL says where it has no connection left, and where a lock was waited for too long; the others are about
connections, about transactions that got into each other's way, and about a server that stops or starts."""


def _sqlite(location: Location, only_read: bool, files: Files) -> Engine:
    if only_read and location.file is not None:
        file = location.file
        # A connection for each transaction: whether somebody else writes the file is asked anew each time.
        engine = create_engine(location.url, hide_parameters=True, poolclass=NullPool, creator=lambda: _read_only(file))
    else:
        engine = create_engine(location.url, hide_parameters=True)

    @event.listens_for(engine, "connect")
    def set_up(connection: Any, _record: Any) -> None:
        # The driver would begin transactions only before the first INSERT; we begin them ourselves.
        connection.isolation_level = None
        cursor = connection.cursor()
        cursor.execute(f"PRAGMA busy_timeout = {int(PATIENCE * 1000)}")
        cursor.execute("PRAGMA foreign_keys = ON")
        # What is confirmed is on the disk: the log is synced at every commit. Many entries make one commit, so that the
        # disk is waited for once for all of them. On macOS a sync alone does not empty the disk's own cache.
        cursor.execute("PRAGMA synchronous = FULL")
        cursor.execute("PRAGMA fullfsync = ON")
        cursor.close()
        files.open += 1

    @event.listens_for(engine, "close")
    def closed(_connection: Any, _record: Any) -> None:
        files.closed()

    @event.listens_for(engine, "begin")
    def begin(connection: Connection) -> None:
        # A transaction that reads first and writes later fails if another one wrote in between; who means to write says
        # so at once, and waits for its turn.
        writes = connection.get_execution_options().get("writes", False)
        connection.exec_driver_sql("BEGIN IMMEDIATE" if writes else "BEGIN")

    return engine


def _read_only(file: Path) -> sqlite3.Connection:
    place = os.path.realpath(file)
    uri = f"file:{quote(place)}?mode=ro"
    try:
        return _tried(uri)
    except sqlite3.OperationalError:
        # In WAL mode even a reader needs files beside the database, unless it is told that the file stays as it is.
        # With a log there it would not see what stands in the log alone.
        if os.path.exists(f"{place}-wal"):
            raise
        return _tried(f"{uri}&immutable=1")


def _tried(uri: str) -> sqlite3.Connection:
    """A connection that has read something, as SQLite opens nothing before."""
    connection = sqlite3.connect(uri, uri=True, timeout=PATIENCE, check_same_thread=False)
    try:
        connection.execute("SELECT count(*) FROM sqlite_master").fetchone()
    except BaseException:
        connection.close()
        raise
    return connection


def _postgresql(location: Location) -> Engine:
    # What the URL itself says goes first. A server that is gone without a word is noticed within half a minute.
    alive = {"keepalives_idle": 15, "keepalives_interval": 5, "keepalives_count": 3, "tcp_user_timeout": 30_000}
    settings = {"connect_timeout": _CONNECT_WITHIN, "client_encoding": "utf8", **alive, **guarded(location.url)}
    wanted = {name: value for name, value in settings.items() if name not in location.url.query}
    # As many as a server's threads use at once are kept: to make a connection takes longer than most answers.
    engine = create_engine(location.url, hide_parameters=True, connect_args=wanted, pool_size=_KEPT, max_overflow=_KEPT)

    @event.listens_for(engine, "connect")
    def set_up(connection: Any, _record: Any) -> None:
        connection.autocommit = True
        connection.execute(_SET_UP)
        connection.autocommit = False

    return engine


_SET_UP: Final = f"""SELECT
    set_config('lock_timeout', '{PATIENCE}s', false) WHERE current_setting('lock_timeout') = '0'
    UNION ALL SELECT set_config('synchronous_commit', 'on', false) WHERE current_setting('synchronous_commit') = 'off'
"""
"""A lock that somebody else holds is not waited for without end; and what is confirmed is on the server's disk, also
where the server would confirm it before."""
