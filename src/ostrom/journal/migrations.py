"""The check that a database holds a journal that this version reads: a new one is made where there is none, and one
of an older schema is brought to the present one, in one transaction, when it is opened."""

from typing import Final

from sqlalchemy import Connection, insert, inspect, select, update

from ostrom.core import InputError, RecordError
from ostrom.journal.engine import Database
from ostrom.journal.schema import VERSION, calls, meta, metadata, runs, texts

_LOCK: Final = 0x057403
"""The name of PostgreSQL's lock under which a journal is made; any number that nobody else uses."""
_OLDER: Final = 1
"""The oldest schema that can be brought to the present one."""


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
    if found is None or _OLDER <= found < VERSION:
        if found is None and file is not None:
            database.keep_log_ahead()
        if found is not None and database.only_read:
            raise InputError(
                f"the journal {label} has schema {found} of an older Ostrom and cannot be brought to schema {VERSION}, "
                f"as {database.location.unwritable()}; open it once where it can be written, or copy it"
            )
        found = _renewed(database)
    if found > VERSION:
        raise RecordError(
            f"the journal {label} has schema {found}, of a newer Ostrom; this version reads schema {VERSION}: update it"
        )
    if found < VERSION:
        raise RecordError(f"the journal {label} has schema {found}, of no Ostrom known; this version reads {VERSION}")


def _renewed(database: Database) -> int:
    """Make the journal, or bring it to the present schema; which schema it has then."""
    with database.writing() as connection:
        if connection.dialect.name == "postgresql":
            connection.exec_driver_sql(f"SELECT pg_advisory_xact_lock({_LOCK})")
        # Asked again: another process may have done it in the meantime.
        found = _version(connection, database.location.label)
        if found is None:
            metadata.create_all(connection, checkfirst=False)
            connection.execute(insert(meta), {"schema_version": VERSION, "revision": 0})
        elif found == 1:
            _from_first(connection)
        else:
            return found
    return VERSION


def _from_first(connection: Connection) -> None:
    """From schema 1 to 2. Nothing ever wrote calls under schema 1, so they are made anew."""
    calls.drop(connection)
    for table in (texts, calls, runs):
        table.create(connection)
    connection.exec_driver_sql("ALTER TABLE games ADD COLUMN reason TEXT")
    connection.exec_driver_sql("ALTER TABLE answers ADD COLUMN cut INTEGER DEFAULT '0' NOT NULL")
    connection.exec_driver_sql("ALTER TABLE answers ADD COLUMN fault TEXT")
    connection.execute(update(meta).values(schema_version=2, revision=meta.c.revision + 1))


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
