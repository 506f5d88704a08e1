"""Upgrade journals of older schemas. An upgrade is a chain of numbered steps, which run in one transaction when a
journal is opened. If the process is killed, the journal is either unchanged or fully upgraded.

The SQL of a step never changes, even if the tables in `schema` change. To change the schema, add a step at the end;
this raises `VERSION`. Also add a journal of the previous schema to the tests.
"""

import filecmp
import json
import os
import shutil
import sqlite3
import tempfile
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from typing import Final, NamedTuple

from sqlalchemy import Connection, insert, inspect, select, text, update

from ostrom.core import InputError, RecordError
from ostrom.journal.definitions import check_definitions
from ostrom.journal.engine import Database
from ostrom.journal.files import make_for_owner
from ostrom.journal.schema import meta, metadata

_LOCK: Final = 0x057403
"""The number of the PostgreSQL lock that is held while a journal is created. It is arbitrary."""


class Upgrade(NamedTuple):
    """The upgrade of a journal from an older schema."""

    before: int
    after: int
    copy: Path | None
    """The copy of the file before the upgrade; None for a database server."""

    def __str__(self) -> str:
        backup = (
            "in one transaction, without a backup" if self.copy is None else f"a copy of the old one is {self.copy}"
        )
        return f"upgraded from schema {self.before} to {self.after} ({backup})"


def check(database: Database, *, create: bool) -> Upgrade | None:
    """Check that the database is a journal of this version. Create a journal if there is none and `create` is set, and
    upgrade a journal of an older schema. Raise InputError or RecordError if the journal cannot be used."""
    label, file = database.location.label, database.location.file
    if file is not None:
        _check_file(file, label, create)
        if create and (reason := database.location.unwritable()):
            raise InputError(f"the journal {label} cannot be written: {reason}")
        if create:
            make_for_owner(file)
    with database.reading() as connection:
        version = schema_of(connection, label)
        if version is not None and OLDEST <= version <= VERSION:
            check_definitions(connection, label, is_current=version == VERSION)
    if version is None and not create:
        raise InputError(f"{label} has no journal yet; benchmarks, runs and imports create one")
    if version == VERSION:
        return None
    if version is None and file is not None:
        database.keep_log_ahead()
    if version is not None and version > VERSION:
        raise RecordError(
            f"the journal {label} has schema {version} of a newer Ostrom; this version reads {VERSION}: update Ostrom"
        )
    if version is not None and version < OLDEST:
        raise RecordError(
            f"the journal {label} has schema {version}, which is not supported; this version reads {VERSION}"
        )
    if version is not None and database.only_read:
        reason = database.location.unwritable() or "it is opened for reading only"
        raise InputError(
            f"the journal {label} has schema {version} of an older Ostrom and cannot be upgraded to schema {VERSION}, "
            f"as {reason}; copy it to a writable folder: opening the copy upgrades it"
        )
    return _renew(database)


def _renew(database: Database) -> Upgrade | None:
    """Create the journal or upgrade it."""
    label, file = database.location.label, database.location.file
    with database.writing() as connection:
        if connection.dialect.name == "postgresql":
            connection.exec_driver_sql(f"SELECT pg_advisory_xact_lock({_LOCK})")
        # The version is read again, since another process may have upgraded the journal in the meantime.
        version = schema_of(connection, label)
        if version is None:
            metadata.create_all(connection, checkfirst=False)
            connection.execute(insert(meta), {"schema_version": VERSION, "revision": 0})
        if version is None or version >= VERSION:
            return None
        copy = None if file is None else keep_copy(file, f"schema-{version}")
        migrate(connection, version)
        check_definitions(connection, label, is_current=True)
    return Upgrade(version, VERSION, copy)


def migrate(connection: Connection, version: int) -> None:
    """Upgrade a journal from schema `version`, step by step. The caller must have opened a transaction."""
    for step in STEPS[version - OLDEST :]:
        step(connection)
    connection.execute(update(meta).values(schema_version=VERSION, revision=meta.c.revision + 1))


def keep_copy(file: Path, reason_name: str) -> Path:
    """Copy an SQLite journal to a file beside it, and return the path of the copy. Its name contains `reason_name`.
    Call this within a transaction that locks out writers and has not yet written anything."""
    file = Path(os.path.realpath(file))
    try:
        handle, partial = tempfile.mkstemp(dir=file.parent, prefix=f".{file.name}.")
        os.close(handle)
        try:
            # A separate connection is used, because SQLite does not copy through a connection that is about to write.
            with closing(sqlite3.connect(file)) as source, closing(sqlite3.connect(partial)) as target:
                source.backup(target)
            shutil.copymode(file, partial)
            _sync(partial)
            for copy in _names(file, reason_name):
                if not copy.exists():
                    os.rename(partial, copy)
                    _sync(str(file.parent))
                    return copy
                if filecmp.cmp(partial, copy, shallow=False):
                    return copy  # An upgrade that was killed left this copy.
        finally:
            Path(partial).unlink(missing_ok=True)
    except (OSError, sqlite3.Error) as error:
        reason = getattr(error, "strerror", None) or error
        raise InputError(f"the journal {file} was not changed, because copying it failed: {reason}") from None
    raise AssertionError("unreachable: names never end")


def _names(file: Path, reason_name: str) -> Iterator[Path]:
    """Yield names for a copy: journal.schema-8.db, then journal.schema-8-2.db."""
    number = 1
    while True:
        suffix = "" if number == 1 else f"-{number}"
        yield file.with_name(f"{file.stem}.{reason_name}{suffix}{file.suffix}")
        number += 1


def _sync(path: str) -> None:
    handle = os.open(path, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def _check_file(file: Path, label: str, create: bool) -> None:
    if file.is_dir():
        raise InputError(f"{label} is a folder; a journal is a file")
    if file.exists() and not file.is_file():
        raise InputError(f"{label} is not a regular file, and a journal must be one")
    if not file.exists() and not create:
        raise InputError(f"there is no journal {label} yet; benchmarks, runs and imports create one")
    if not file.parent.is_dir():
        raise InputError(f"the journal {label} cannot be created: its folder does not exist")


def schema_of(connection: Connection, label: str) -> int | None:
    """Return the schema version of a database, or None if it has no tables. Raise InputError if it is not a journal."""
    inspector = inspect(connection)
    tables, views = set(inspector.get_table_names()), set(inspector.get_view_names())
    # An SQLite file with other tables belongs to another program. A PostgreSQL database often has tables of several
    # programs.
    own_tables = tables | views if connection.dialect.name == "sqlite" else tables & set(metadata.tables)
    if not own_tables:
        return None
    if "meta" in tables and {column["name"] for column in inspector.get_columns("meta")} >= set(meta.c.keys()):
        version = connection.execute(select(meta.c.schema_version)).scalar()
        if isinstance(version, int):
            return version
    raise InputError(f"{label} is not an Ostrom journal: it has other tables; name another file or database")


def _to_9(connection: Connection) -> None:
    """Replace the columns for promises of messages by a label and its details as JSON."""
    run = connection.exec_driver_sql
    in_file = connection.dialect.name == "sqlite"
    run("ALTER TABLE messages ADD COLUMN label TEXT DEFAULT '' NOT NULL")
    run("ALTER TABLE messages ADD COLUMN details TEXT")
    run("UPDATE messages SET label = CASE kept WHEN 1 THEN 'kept' ELSE 'broken' END WHERE kept IS NOT NULL")
    _fill_details(connection)
    for column in ("promised", "contributed", "kept"):
        run(f"ALTER TABLE messages DROP COLUMN {column}")
    if in_file:
        run("DROP TABLE message_words")
        run("DROP TRIGGER message_texts_added")
        run("DROP TRIGGER message_texts_gone")
    run("ALTER TABLE message_texts RENAME COLUMN promise TO label")
    if not in_file:
        return
    run("""CREATE VIRTUAL TABLE message_words USING fts5(text, player, label, content='message_texts',
        content_rowid='serial', tokenize='porter unicode61 remove_diacritics 2')""")
    run("INSERT INTO message_words(message_words, rank) VALUES ('rank', 'bm25(1.0, 0.0, 0.0)')")
    run("INSERT INTO message_words(message_words) VALUES ('rebuild')")
    run("""CREATE TRIGGER message_texts_added AFTER INSERT ON message_texts BEGIN
        INSERT INTO message_words(rowid, text, player, label) VALUES (new.serial, new.text, new.player, new.label);
        END""")
    run("""CREATE TRIGGER message_texts_gone AFTER DELETE ON message_texts BEGIN
        INSERT INTO message_words(message_words, rowid, text, player, label)
        VALUES ('delete', old.serial, old.text, old.player, old.label); END""")


def _fill_details(connection: Connection) -> None:
    # This is computed in Python, since SQLite writes only 15 digits of a number to JSON.
    amounts = "SELECT serial, promised, contributed FROM messages WHERE serial > :after"
    block = text(f"{amounts} AND (promised IS NOT NULL OR contributed IS NOT NULL) ORDER BY serial LIMIT 10000")
    filled = text("UPDATE messages SET details = :details WHERE serial = :serial")
    after = -1
    while rows := connection.execute(block, {"after": after}).all():
        changes = [{"serial": row.serial, "details": _details(row.promised, row.contributed)} for row in rows]
        connection.execute(filled, changes)
        after = rows[-1].serial


def _details(promised: float | None, contributed: float | None) -> str:
    amounts = {"promised": promised, "contributed": contributed}
    return json.dumps({name: amount for name, amount in amounts.items() if amount is not None})


def _to_10(connection: Connection) -> None:
    """Add columns for the tokens of a provider's cache and the layout of prompts, and a table for batches."""
    run = connection.exec_driver_sql
    for column in ("cache_read_tokens", "cache_write_tokens", "layout"):
        run(f"ALTER TABLE calls ADD COLUMN {column} BIGINT")
    if connection.dialect.name == "sqlite":
        run("DROP INDEX calls_accounts")
        run("""CREATE INDEX calls_accounts ON calls (game, model, fault, place, attempt, input_tokens, output_tokens,
            cache_read_tokens, cache_write_tokens, latency, cost, reserved)""")
    run("ALTER TABLE sent_calls ADD COLUMN batch BIGINT")
    run("""CREATE TABLE batches (serial BIGINT NOT NULL, experiment INTEGER NOT NULL, model TEXT NOT NULL,
        at TEXT NOT NULL, calls INTEGER NOT NULL, state TEXT NOT NULL, name TEXT, seen TEXT, PRIMARY KEY (serial),
        FOREIGN KEY(experiment) REFERENCES experiments (serial))""")
    run("CREATE INDEX batches_by_experiment ON batches (experiment)")


def _to_11(connection: Connection) -> None:
    """Add columns for replies that were reused from another journal."""
    run = connection.exec_driver_sql
    run("ALTER TABLE calls ADD COLUMN reused TEXT")
    run("ALTER TABLE calls ADD COLUMN saved FLOAT")
    if connection.dialect.name == "sqlite":
        run("DROP INDEX calls_accounts")
        run("""CREATE INDEX calls_accounts ON calls (game, model, fault, place, attempt, input_tokens, output_tokens,
            cache_read_tokens, cache_write_tokens, latency, cost, reserved, reused, saved)""")


def _to_12(connection: Connection) -> None:
    """Add tables for sessions of people."""
    run = connection.exec_driver_sql
    run("""CREATE TABLE sessions (serial INTEGER NOT NULL, id TEXT NOT NULL, name TEXT NOT NULL, code TEXT NOT NULL,
        experiment INTEGER NOT NULL, created TEXT NOT NULL, state TEXT NOT NULL, settings TEXT NOT NULL, place TEXT,
        PRIMARY KEY (serial), UNIQUE (id), UNIQUE (code), FOREIGN KEY(experiment) REFERENCES experiments (serial))""")
    run("CREATE INDEX sessions_by_experiment ON sessions (experiment)")
    run("""CREATE TABLE session_entries (session INTEGER NOT NULL, number INTEGER NOT NULL, at TEXT NOT NULL,
        participant INTEGER, kind TEXT NOT NULL, data TEXT NOT NULL, PRIMARY KEY (session, number),
        FOREIGN KEY(session) REFERENCES sessions (serial))""")
    run("""CREATE TABLE session_personal (session INTEGER NOT NULL, participant INTEGER NOT NULL, name TEXT NOT NULL,
        value TEXT NOT NULL, at TEXT NOT NULL, PRIMARY KEY (session, participant, name),
        FOREIGN KEY(session) REFERENCES sessions (serial))""")
    run("""CREATE TABLE session_tokens (digest TEXT NOT NULL, session INTEGER NOT NULL, participant INTEGER,
        purpose TEXT NOT NULL, PRIMARY KEY (digest), FOREIGN KEY(session) REFERENCES sessions (serial))""")
    run("CREATE INDEX session_tokens_by_session ON session_tokens (session)")


def _to_13(connection: Connection) -> None:
    """Add columns for the titles and drama scores of games to the summaries, which are computed again."""
    run = connection.exec_driver_sql
    for column in ("title TEXT", "drama FLOAT", "reasons TEXT"):
        run(f"ALTER TABLE summaries ADD COLUMN {column}")


OLDEST: Final = 8
"""The oldest schema that can be upgraded; the first step starts from it."""
STEPS: Final[tuple[Callable[[Connection], None], ...]] = (_to_9, _to_10, _to_11, _to_12, _to_13)
"""The steps in order. The first one upgrades from the schema `OLDEST`, and each upgrades to the next schema."""
VERSION: Final = OLDEST + len(STEPS)
"""The version of the tables in `schema`."""
