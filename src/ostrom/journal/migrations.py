"""Journals of every schema there has been, brought to the present one: a chain of numbered steps, all of them in one
transaction when a journal is opened. A journal that is killed meanwhile is as it was, or as it is to be.

A step is written in SQL that never changes, as the tables of `schema` do: what a step made has to be there when the
next one comes. To change the schema, raise `schema.VERSION` and add a step at the end; store a journal of the schema
before among the tests'.
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
from ostrom.journal.engine import Database
from ostrom.journal.files import make_for_owner
from ostrom.journal.schema import VERSION, meta, metadata

_LOCK: Final = 0x057403
"""The name of PostgreSQL's lock under which a journal is made; any number that nobody else uses."""


class Upgrade(NamedTuple):
    """What was done to a journal of an older schema."""

    before: int
    after: int
    copy: Path | None
    """The file as it was; a database server keeps no copy."""

    def __str__(self) -> str:
        kept = "in one transaction, without a backup" if self.copy is None else f"a copy of the old one is {self.copy}"
        return f"upgraded from schema {self.before} to {self.after} ({kept})"


def check(database: Database, *, create: bool) -> Upgrade | None:
    """See that the database holds a journal that this version reads: make one where there is nothing and `create`, and
    bring one of an older schema to the present one."""
    label, file = database.location.label, database.location.file
    if file is not None:
        _check_file(file, label, create)
        if create and (reason := database.location.unwritable()):
            raise InputError(f"the journal {label} cannot be written: {reason}")
        if create:
            make_for_owner(file)
    with database.reading() as connection:
        found = schema_of(connection, label)
    if found is None and not create:
        raise InputError(f"{label} holds no journal yet; 'ostrom bench', 'run' and 'import' create one")
    if found == VERSION:
        return None
    if found is None and file is not None:
        database.keep_log_ahead()
    if found is not None and found > VERSION:
        raise RecordError(
            f"the journal {label} has schema {found} of a newer Ostrom; this version reads {VERSION}: update Ostrom"
        )
    if found is not None and found < OLDEST:
        raise RecordError(
            f"the journal {label} has schema {found}, which is not supported; this version reads {VERSION}"
        )
    if found is not None and database.only_read:
        raise InputError(
            f"the journal {label} has schema {found} of an older Ostrom and cannot be brought to schema {VERSION}, "
            f"as {database.location.unwritable()}; copy it: 'ostrom status --store sqlite:///COPY' upgrades the copy"
        )
    return _renew(database)


def _renew(database: Database) -> Upgrade | None:
    """Make the journal, or bring it to the present schema."""
    label, file = database.location.label, database.location.file
    with database.writing() as connection:
        if connection.dialect.name == "postgresql":
            connection.exec_driver_sql(f"SELECT pg_advisory_xact_lock({_LOCK})")
        # Asked again: another process may have done it in the meantime.
        found = schema_of(connection, label)
        if found is None:
            metadata.create_all(connection, checkfirst=False)
            connection.execute(insert(meta), {"schema_version": VERSION, "revision": 0})
        if found is None or found >= VERSION:
            return None
        copy = None if file is None else keep_copy(file, f"schema-{found}")
        migrate(connection, found)
    return Upgrade(found, VERSION, copy)


def migrate(connection: Connection, found: int) -> None:
    """Bring a journal of schema `found` to the present one, step by step, within a transaction that is handed in."""
    for step in STEPS[found - OLDEST :]:
        step(connection)
    connection.execute(update(meta).values(schema_version=VERSION, revision=meta.c.revision + 1))


def keep_copy(file: Path, named: str) -> Path:
    """Copy an SQLite journal as it is, beside it, under a name that tells why. To be called while a transaction
    keeps everybody from writing it; that one must not have written anything either."""
    file = Path(os.path.realpath(file))
    try:
        handle, partial = tempfile.mkstemp(dir=file.parent, prefix=f".{file.name}.")
        os.close(handle)
        try:
            # A connection of its own: SQLite copies nothing through one that is about to write.
            with closing(sqlite3.connect(file)) as source, closing(sqlite3.connect(partial)) as target:
                source.backup(target)
            shutil.copymode(file, partial)
            _sync(partial)
            for copy in _names(file, named):
                if not copy.exists():
                    os.rename(partial, copy)
                    _sync(str(file.parent))
                    return copy
                if filecmp.cmp(partial, copy, shallow=False):
                    return copy  # of an upgrade that was killed after this
        finally:
            Path(partial).unlink(missing_ok=True)
    except (OSError, sqlite3.Error) as error:
        reason = getattr(error, "strerror", None) or error
        raise InputError(f"the journal {file} cannot be changed: it cannot be copied first: {reason}") from None
    raise AssertionError("unreachable: names never end")


def _names(file: Path, named: str) -> Iterator[Path]:
    """What a copy may be called: journal.schema-2.db, and so on where that is another one."""
    number = 1
    while True:
        again = "" if number == 1 else f"-{number}"
        yield file.with_name(f"{file.stem}.{named}{again}{file.suffix}")
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
    if not file.exists() and not create:
        raise InputError(f"there is no journal {label} yet; 'ostrom bench', 'run' and 'import' create one")
    if not file.parent.is_dir():
        raise InputError(f"the journal {label} cannot be created: its folder does not exist")


def schema_of(connection: Connection, label: str) -> int | None:
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
    raise InputError(f"{label} is not an Ostrom journal: it has other tables; name another file or database")


def _to_9(connection: Connection) -> None:
    """Give messages one label and JSON details, in place of columns for promises."""
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
    # In Python, since SQLite writes numbers into JSON with 15 digits only.
    amounts = "SELECT serial, promised, contributed FROM messages WHERE serial > :after"
    block = text(f"{amounts} AND (promised IS NOT NULL OR contributed IS NOT NULL) ORDER BY serial LIMIT 10000")
    filled = text("UPDATE messages SET details = :details WHERE serial = :serial")
    after = -1
    while rows := connection.execute(block, {"after": after}).all():
        details = [{"promised": promised, "contributed": contributed} for _, promised, contributed in rows]
        present = [{name: value for name, value in one.items() if value is not None} for one in details]
        changes = [{"serial": row.serial, "details": json.dumps(one)} for row, one in zip(rows, present, strict=True)]
        connection.execute(filled, changes)
        after = rows[-1].serial


OLDEST: Final = 8
"""The oldest schema that is read: the one before the first step."""
STEPS: Final[tuple[Callable[[Connection], None], ...]] = (_to_9,)
"""Each leads from one schema to the next, the first from `OLDEST`."""
