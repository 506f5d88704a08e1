"""The tables of the journal, their version, and the check that a database holds them. Columns are described in
docs/journal.md.

JSON is kept as text in plain ASCII: numbers come back to the last bit, and whatever a model writes, half a character
included, can be stored in any database.
"""

from typing import Final

from sqlalchemy import (
    BigInteger,
    Column,
    Connection,
    Float,
    ForeignKey,
    Index,
    Integer,
    MetaData,
    Table,
    Text,
    UniqueConstraint,
    insert,
    inspect,
    select,
)

from ostrom.journal.engine import Database
from ostrom.table import InputError, RecordError

VERSION: Final = 1
"""Raised when a table changes."""

_LOCK: Final = 0x057403
"""The name of PostgreSQL's lock under which a journal is made; any number that nobody else uses."""

metadata = MetaData()

meta = Table(
    "meta",
    metadata,
    Column("schema_version", Integer, primary_key=True, autoincrement=False),
    Column("revision", BigInteger, nullable=False),
)

experiments = Table(
    "experiments",
    metadata,
    Column("serial", Integer, primary_key=True, autoincrement=False),
    Column("id", Text, nullable=False, unique=True),
    Column("name", Text, nullable=False),
    Column("kind", Text, nullable=False),
    Column("created", Text, nullable=False),
    Column("planned", Integer),
    Column("settings", Text, nullable=False),
)

games = Table(
    "games",
    metadata,
    Column("serial", Integer, primary_key=True),
    Column("id", Text, nullable=False, unique=True),
    Column("experiment", ForeignKey("experiments.serial"), nullable=False),
    Column("place", Integer, nullable=False),
    Column("key", Text, nullable=False),
    Column("state", Text, nullable=False),
    Column("started", Text, nullable=False),
    Column("finished", Text),
    Column("rounds", Integer),
    Column("ostrom", Text, nullable=False),
    Column("game", Text, nullable=False),
    Column("seed", Text),  # up to 2**64, which no integer of SQL holds
    Column("number", BigInteger, nullable=False),
    Column("source", Text),
    Column("rules", Text, nullable=False),
    Column("seats", Text, nullable=False),
    Column("orders", Text, nullable=False),
    UniqueConstraint("experiment", "key"),
    UniqueConstraint("experiment", "place"),
    Index("games_by_key", "key"),
)

answers = Table(
    "answers",
    metadata,
    Column("game", ForeignKey("games.serial"), primary_key=True),
    Column("number", Integer, primary_key=True, autoincrement=False),
    Column("turn", Integer, nullable=False),
    Column("phase", Text, nullable=False),
    Column("seat", Integer, nullable=False),
    Column("value", Text, nullable=False),
    Column("provenance", Text, nullable=False),
    # A question that is decided is never decided again, whatever a program does wrong.
    UniqueConstraint("game", "turn", "phase", "seat"),
)

events = Table(
    "events",
    metadata,
    Column("game", ForeignKey("games.serial"), primary_key=True),
    Column("number", Integer, primary_key=True, autoincrement=False),
    Column("tag", Text, nullable=False),
    Column("version", Integer, nullable=False),
    Column("payload", Text, nullable=False),
)

calls = Table(
    "calls",
    metadata,
    Column("game", ForeignKey("games.serial"), primary_key=True),
    Column("number", Integer, primary_key=True, autoincrement=False),
    Column("turn", Integer, nullable=False),
    Column("phase", Text, nullable=False),
    Column("seat", Integer, nullable=False),
    Column("attempt", Integer, nullable=False),
    Column("at", Text, nullable=False),
    Column("model", Text, nullable=False),
    Column("settings", Text, nullable=False),
    Column("prompt", Text, nullable=False),
    Column("reply", Text),
    Column("usage", Text),
    Column("latency", Float),
    Column("cost", Float),
    Column("finish_reason", Text),
    Column("error", Text),
    UniqueConstraint("game", "turn", "phase", "seat", "attempt"),
)


def check(database: Database, *, create: bool) -> None:
    """See that the database holds a journal that this version reads; make one where there is nothing and `create`."""
    label, file = database.location.label, database.location.file
    if file is not None:
        _check_file(label, exists=file.exists(), folder=file.is_dir(), home=file.parent.is_dir(), create=create)
        if create and (reason := database.location.unwritable()):
            raise InputError(f"the journal {label} cannot be written: {reason}")
    with database.reading() as connection:
        found = _version(connection, label)
    if found is None and not create:
        raise InputError(f"{label} holds no journal yet; 'ostrom bench' and 'ostrom import' make one")
    if found is None:
        if file is not None:
            database.keep_log_ahead()
        with database.writing() as connection:
            if connection.dialect.name == "postgresql":
                connection.exec_driver_sql(f"SELECT pg_advisory_xact_lock({_LOCK})")
            # Asked again: another process may have made it in the meantime.
            found = _version(connection, label)
            if found is None:
                metadata.create_all(connection, checkfirst=False)
                connection.execute(insert(meta), {"schema_version": VERSION, "revision": 0})
                found = VERSION
    if found > VERSION:
        raise RecordError(
            f"the journal {label} has schema {found}, of a newer Ostrom; this version reads schema {VERSION}: update it"
        )
    if found < VERSION:
        raise RecordError(f"the journal {label} has schema {found}, of no Ostrom known; this version reads {VERSION}")


def _check_file(label: str, *, exists: bool, folder: bool, home: bool, create: bool) -> None:
    if folder:
        raise InputError(f"{label} is a folder; a journal is a file")
    if not exists and not create:
        raise InputError(f"there is no journal {label} yet; 'ostrom bench' and 'ostrom import' make one")
    if not home:
        raise InputError(f"the journal {label} cannot be made: there is no such folder")


def _version(connection: Connection, label: str) -> int | None:
    """The version of the journal's tables, or nothing where no table is; what is no journal is refused."""
    inspector = inspect(connection)
    there = set(inspector.get_table_names())
    # A file of somebody else's is left alone; in a PostgreSQL database tables of others are nothing unusual.
    taken = there if connection.dialect.name == "sqlite" else there & set(metadata.tables)
    if not taken:
        return None
    if "meta" in there and {column["name"] for column in inspector.get_columns("meta")} >= set(meta.c.keys()):
        version = connection.execute(select(meta.c.schema_version)).scalar()
        if isinstance(version, int):
            return version
    raise InputError(f"{label} is not a journal of Ostrom's: it holds other tables; name another one")
