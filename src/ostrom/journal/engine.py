"""The location of a journal and the connections to its database. This module parses the URL of an SQLite file or a
PostgreSQL database, sets up both kinds of databases, opens transactions, and turns errors of drivers into messages of
one line. It refuses to send a password in clear text to a server on another machine."""

import importlib.util
import ipaddress
import os
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

DEFAULT: Final = "sqlite:///ostrom.db"
VARIABLE: Final = "OSTROM_STORE"
_USAGE: Final = "write FILE.db, sqlite:///FILE or postgresql://USER@HOST/DATABASE"
_SUFFIXES: Final = (".db", ".sqlite", ".sqlite3")
_POSTGRESQL: Final = ("postgresql", "postgres", "postgresql+psycopg")
PATIENCE: Final = 30
"""The number of seconds that a writer waits until another one has finished its transaction."""
_CONNECT_TIMEOUT_S: Final = 10
"""The number of seconds after which a server that does not answer counts as unreachable."""
_POOL_SIZE: Final = 12
"""The largest number of unused connections to a server that stay open for later use."""


def store_url(store: str | None = None) -> str:
    """Return the URL of the journal with this name. Without a name, return the URL that the environment sets. If it
    sets none, return the URL of the file in the current folder."""
    return store or os.environ.get(VARIABLE) or DEFAULT


@dataclass(frozen=True)
class Location:
    """The location of a journal."""

    url: URL = field(repr=False)
    label: str
    """The name of the journal in messages. It contains no password. It also contains no options, since an option may
    contain a password."""
    file: Path | None
    """The file of an SQLite journal; None for a server."""

    @property
    def printable(self) -> str:
        """The URL of a server, with the word PASSWORD in place of the password, and without options that may contain a
        password."""
        options = {name: value for name, value in self.url.query.items() if "pass" not in name}
        url = self.url.set(drivername="postgresql", query=options)
        return (url.set(password="PASSWORD") if url.password else url).render_as_string(hide_password=False)

    def unwritable(self) -> str | None:
        """Return why the file is not writable, or None if it is or cannot be determined."""
        if self.file is None:
            return None
        # SQLite follows links, so its log is in the folder of the actual file.
        real = os.path.realpath(self.file) if os.path.lexists(self.file) else os.path.abspath(self.file)
        if os.path.exists(real) and not os.access(real, os.W_OK):
            return "the file is read-only"
        folder = os.path.dirname(real)
        return "its folder is read-only" if os.path.isdir(folder) and not os.access(folder, os.W_OK) else None

    def fit_to_show(self, reason: str) -> str:
        """Return the first line of a driver's error. If the line contains a secret, return a text without the line."""
        line = " ".join(reason.strip().splitlines()[:1]) or "no reason given"
        options = self.url.normalized_query.items()
        secrets = [value for name, values in options if "password" in name for value in values]
        secrets += [str(self.url.password)] if self.url.password else []
        return "the reason contains a password" if any(secret in line for secret in secrets) else line


def locate(url: str) -> Location:
    """Return the location that a URL of a journal or a path of its file describes. Error messages never repeat a
    password."""
    # A mistyped URL may contain a password, so a URL with an @ or a password option is not repeated.
    shown_url = "this" if "@" in url or "pass" in url.partition("?")[2] else repr(url)
    if "://" not in url:
        # A text must look like a path to be used as one; otherwise a mistyped word would create a new file.
        if "@" in url or not (os.sep in url or url.endswith(_SUFFIXES)):
            raise InputError(f"{shown_url} is not the URL of a journal, nor a path that ends in .db; {_USAGE}")
        return _file_at(URL.create("sqlite", database=url))
    if url.partition("?")[0].count("@") > 1:
        raise InputError("the URL of the journal has more than one @; write an @ within a password as %40")
    try:
        parsed = make_url(url)
    except (ArgumentError, ValueError):
        raise InputError(f"{shown_url} is not the URL of a journal; {_USAGE}") from None
    if parsed.drivername in ("sqlite", "sqlite+pysqlite"):
        return _file_at(parsed)
    if parsed.drivername in _POSTGRESQL:
        return _server_at(parsed)
    raise InputError(f"a journal is kept in SQLite or in PostgreSQL, not in {parsed.drivername!r}; {_USAGE}")


def printable_url(store: str | None) -> str:
    """Return the URL of a journal without its password. For the default journal, the result is empty."""
    if not store or "://" not in store:
        return store or ""
    place = locate(store)
    return store if place.file is not None else place.printable


def without_password(url: str) -> str:
    """Return the URL of a journal without its password. It is for another machine that has the password in its own
    environment."""
    place = locate(url)
    if place.file is not None:
        return url
    password_options = [name for name in place.url.query if "password" in name]
    bare = URL.create(**{**place.url.set(drivername="postgresql")._asdict(), "password": None})
    return bare.difference_update_query(password_options).render_as_string(hide_password=False)


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
    label = URL.create("postgresql", url.username, host=url.host, port=url.port, database=url.database)
    return Location(url.set(drivername="postgresql+psycopg"), label.render_as_string(), None)


class Database:
    """A database with transactions for reading and writing. With `only_read`, an SQLite file is opened in a way that
    writes neither to the file nor to files beside it."""

    def __init__(self, location: Location, *, only_read: bool = False) -> None:
        self.location = location
        self.only_read = only_read
        self._files = None if location.file is None else Files(location.file, location.label)
        if location.file is None:
            self.engine = _postgresql(location)
        else:
            assert self._files is not None
            self.engine = _sqlite(location, only_read, self._files)
        # All statements of a transaction read one snapshot, so that a game's answers and events match. In SQLite, this
        # is true of every transaction.
        snapshot = {} if location.file is not None else {"isolation_level": "REPEATABLE READ"}
        self._readers = self.engine.execution_options(**snapshot)
        # A single statement always reads one snapshot. A transaction would add two round trips.
        autocommit = {} if location.file is not None else {"isolation_level": "AUTOCOMMIT"}
        self._glances = self.engine.execution_options(**autocommit)
        self._writers = self.engine.execution_options(writes=True)
        self._storers = self._writers.execution_options(**autocommit)

    @contextmanager
    def reading(self) -> Iterator[Connection]:
        """Open a transaction for reading. It sees a single state of the journal, even while other processes write."""
        self.check_file()
        with self.complaining("read"), self._readers.begin() as connection:
            yield connection
            self._note_files()

    @contextmanager
    def glancing(self) -> Iterator[Connection]:
        """Open a transaction like `reading`, for exactly one statement. It needs less preparation."""
        self.check_file()
        with self.complaining("read"), self._glances.begin() as connection:
            yield connection
            self._note_files()

    @contextmanager
    def writing(self) -> Iterator[Connection]:
        """Open a transaction for writing. Either all of its changes are stored, or none."""
        with self.complaining("written"), self._confirming(self._writers) as connection:
            yield connection

    @contextmanager
    def storing(self) -> Iterator[Connection]:
        """Open a transaction for the function `store`. In PostgreSQL, `store` executes one statement, which is itself a
        transaction. Errors of the driver are raised unchanged, because the writer distinguishes them."""
        with self._confirming(self._storers) as connection:
            yield connection

    @contextmanager
    def _confirming(self, engine: Engine) -> Iterator[Connection]:
        """Open a transaction that is committed only if the journal's files still exist."""
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
        """Raise JournalError if a file of the journal was deleted or replaced since it was opened."""
        if self._files is not None:
            self._files.check()
            self._files.check_log(self._rescue)

    def _rescue(self) -> bool:
        """Copy the content of the write-ahead log into the file. Return whether all of the content was copied."""
        pool = self.engine.pool
        if not isinstance(pool, QueuePool) or not pool.checkedin():
            return False  # A new connection would begin a new log, so it is not used.
        connection = self.engine.raw_connection()
        try:
            busy, logged, checkpointed = connection.cursor().execute("PRAGMA wal_checkpoint(FULL)").fetchone()
            return not busy and logged == checkpointed
        except sqlite3.Error:
            return False
        finally:
            connection.close()

    def keep_log_ahead(self) -> None:
        """Put an SQLite file into WAL mode, in which readers and a writer do not block each other."""
        with self.complaining("written"):
            connection = self.engine.raw_connection()
            try:
                connection.cursor().execute("PRAGMA journal_mode = WAL")
            finally:
                connection.close()

    def close(self) -> None:
        """Close all connections. A connection that another thread is using is closed as soon as that thread returns
        it."""
        event.listen(self.engine, "checkin", _close_returned)
        self.engine.dispose()

    @contextmanager
    def complaining(self, done: str) -> Iterator[None]:
        """Raise errors of the driver as a JournalError in one line; `done` says which action failed."""
        try:
            yield
        except IntegrityError:
            raise
        except DBAPIError as error:
            # The driver's own error is not kept as a cause, since it may contain secrets of the connection.
            raise self.complaint(error.orig, done) from None
        except sqlite3.Error as error:  # Errors of connections that are used without SQLAlchemy are caught here.
            raise self.complaint(error, done) from None
        except UnicodeDecodeError:  # SQLite quotes a damaged definition in its message.
            raise JournalError(f"the journal {self.location.label} cannot be {done}: its file is damaged") from None

    def complaint(self, error: BaseException | None, done: str) -> JournalError:
        """Return a driver's error as a message of one line."""
        in_the_clear = IN_THE_CLEAR in str(error)
        reason = CLEARTEXT_REFUSED if in_the_clear else self.location.fit_to_show(str(error))
        complaint = JournalError(f"the journal {self.location.label} cannot be {done}: {reason}")
        complaint.passing = not in_the_clear and _passes(error)
        return complaint


def _close_returned(_connection: Any, entry: ConnectionPoolEntry) -> None:
    entry.close()


def _passes(error: BaseException | None) -> bool:
    """Return whether a driver's error may be temporary, so that the same request may succeed later."""
    if (name := getattr(error, "sqlite_errorname", None)) is not None:
        return str(name).startswith(("SQLITE_BUSY", "SQLITE_LOCKED", "SQLITE_PROTOCOL"))
    if not any(kind.__name__ in ("OperationalError", "InterfaceError") for kind in type(error).__mro__):
        return False
    state = getattr(error, "sqlstate", "")
    return state is None or state.startswith(("08", "40", "57P")) or state in _PASSING


_PASSING: Final = ("53300", "55P03")
"""PostgreSQL's codes for two temporary failures: no free connection, and a lock that timed out. The prefixes in
`_passes` are for failed connections, conflicting transactions, and a server that stops or starts."""


def _sqlite(location: Location, only_read: bool, files: Files) -> Engine:
    if only_read and location.file is not None:
        file = location.file
        # Open a new connection for each transaction, since another process may write to the file at any time.
        engine = create_engine(location.url, hide_parameters=True, poolclass=NullPool, creator=lambda: _read_only(file))
    else:
        engine = create_engine(location.url, hide_parameters=True)

    @event.listens_for(engine, "connect")
    def set_up(connection: Any, _record: Any) -> None:
        # The driver would begin transactions only before the first INSERT, so they are begun explicitly.
        connection.isolation_level = None
        cursor = connection.cursor()
        cursor.execute(f"PRAGMA busy_timeout = {int(PATIENCE * 1000)}")
        cursor.execute("PRAGMA foreign_keys = ON")
        # The log is written to the disk at every commit, so confirmed data is on the disk. Many entries share one
        # commit, so they share its wait for the disk. On macOS, this does not flush the disk's own cache.
        cursor.execute("PRAGMA synchronous = FULL")
        cursor.execute("PRAGMA fullfsync = ON")
        cursor.close()
        files.open += 1

    @event.listens_for(engine, "close")
    def closed(_connection: Any, _record: Any) -> None:
        files.closed()

    @event.listens_for(engine, "begin")
    def begin(connection: Connection) -> None:
        # A transaction that first reads and later writes would fail if another transaction wrote in between. So a
        # transaction that writes takes the lock when it begins.
        writes = connection.get_execution_options().get("writes", False)
        connection.exec_driver_sql("BEGIN IMMEDIATE" if writes else "BEGIN")

    return engine


def _read_only(file: Path) -> sqlite3.Connection:
    place = os.path.realpath(file)
    uri = f"file:{quote(place)}?mode=ro"
    try:
        return _open_connection(uri)
    except sqlite3.OperationalError:
        # In WAL mode, even a reader needs files beside the database, unless the file is declared immutable. A file that
        # is declared immutable is read without its log.
        if os.path.exists(f"{place}-wal"):
            raise
        return _open_connection(f"{uri}&immutable=1")


def _open_connection(uri: str) -> sqlite3.Connection:
    """Return a connection that has already read something, since SQLite opens a file only when it first reads from
    it."""
    connection = sqlite3.connect(uri, uri=True, timeout=PATIENCE, check_same_thread=False)
    try:
        connection.execute("SELECT count(*) FROM sqlite_master").fetchone()
    except BaseException:
        connection.close()
        raise
    return connection


def _postgresql(location: Location) -> Engine:
    # Options in the URL take precedence. With these defaults, a server that disappears is noticed within half a minute.
    keepalive = {"keepalives_idle": 15, "keepalives_interval": 5, "keepalives_count": 3, "tcp_user_timeout": 30_000}
    settings = {"connect_timeout": _CONNECT_TIMEOUT_S, "client_encoding": "utf8", **keepalive, **guarded(location.url)}
    options = {name: value for name, value in settings.items() if name not in location.url.query}
    # Keep as many connections open as the threads of a server use at once, since connecting takes longer than most
    # queries.
    engine = create_engine(
        location.url, hide_parameters=True, connect_args=options, pool_size=_POOL_SIZE, max_overflow=_POOL_SIZE
    )

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
"""The statement that sets up a connection. It limits the wait for a lock, and makes the server confirm a commit only
when the data is on disk."""


IN_THE_CLEAR: Final = "server requested a cleartext password"
"""The message of libpq if a server asks for the password in clear text."""
CLEARTEXT_REFUSED: Final = (
    "the server asks for the password in the clear, over a connection that others may read; encrypt the connection "
    "with ?sslmode=verify-full, or let the server ask by scram-sha-256"
)
_ENCRYPTED: Final = ("require", "verify-ca", "verify-full")
"""The values of sslmode with which the connection is encrypted before any data is sent."""
_MIN_LIBPQ: Final = 160_000
"""The first version of libpq that supports require_auth."""


def guarded(url: URL) -> dict[str, str]:
    """Return connection options that prevent the password from being sent to another machine over an unencrypted
    connection. Raise InputError if libpq is too old for them."""
    if _option(url, "sslmode") in _ENCRYPTED or _option(url, "require_auth", "PGREQUIREAUTH") or _is_this_machine(url):
        return {}
    from psycopg import pq  # Only journals in PostgreSQL need this extra.

    if pq.version() < _MIN_LIBPQ:
        raise InputError(
            "a journal on another machine needs an encrypted connection (?sslmode=verify-full) or libpq 16, which "
            "keeps its password from travelling in the clear"
        )
    return {"require_auth": "!password"}


def _option(url: URL, name: str, variable: str = "") -> str:
    """Return an option from the URL. If the URL does not have it, return it from the environment."""
    value = url.query.get(name) or os.environ.get(variable or f"PG{name.upper()}", "")
    return value if isinstance(value, str) else ",".join(value)


def _is_this_machine(url: URL) -> bool:
    """Return whether every server in the URL is this machine, reached over a socket or the loopback interface."""
    if _option(url, "service"):
        return False  # The connection is defined in a service file that only libpq reads.
    names = [url.host or _option(url, "host"), _option(url, "hostaddr")]
    return all(_is_local(name) for entry in names for name in entry.split(","))


def _is_local(name: str) -> bool:
    if name in ("", "localhost") or name.startswith(("/", "@")):
        return True
    try:
        return ipaddress.ip_address(name.strip("[]")).is_loopback
    except ValueError:
        return False
