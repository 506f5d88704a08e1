"""Open the journals that commands, the library and the pages use. If a file has tables, indexes, triggers or views that
Ostrom did not create, its data can be copied to a new journal."""

import os
import shutil
import sqlite3
import tempfile
from collections.abc import Iterable, Sequence
from contextlib import closing
from pathlib import Path
from typing import Any, Final, NamedTuple
from urllib.parse import quote

from sqlalchemy import Table, func, select

from ostrom.core import InputError
from ostrom.core.outlets import complain
from ostrom.journal.check import RowProblem
from ostrom.journal.definitions import Definition, describe, empty_journal, foreign_definitions, missing_definitions
from ostrom.journal.engine import Database, locate, store_url
from ostrom.journal.migrations import VERSION, keep_copy, schema_of
from ostrom.journal.repair import RepairReport
from ostrom.journal.schema import meta, metadata
from ostrom.journal.sql import Journal

_DERIVED: Final = ("tidy_tables", "summaries", "messages", "message_texts")
"""Tables whose content is derived from other tables, and computed again if it is missing."""


class ForeignDefinitions(NamedTuple):
    """The definitions and rows that were left out when the data of a journal was copied to a new file."""

    definitions: Sequence[Definition]
    copy: Path
    """The copy of the original file."""
    rejected_rows: int
    """The number of rows that a journal does not accept, such as a second decision on the same question."""

    def problems(self) -> list[RowProblem]:
        """Return the definitions and rejected rows in the form of other repairs."""
        copied = "it is left out of the new journal"
        problems = [
            RowProblem("sqlite_master", None, describe(definition), "it is not as Ostrom creates it", copied)
            for definition in self.definitions
        ]
        if self.rejected_rows:
            rows = f"{self.rejected_rows:,} rows"
            problems.append(RowProblem("sqlite_master", None, rows, "a journal does not accept them", copied))
        return problems


def copy_data(database: Database) -> ForeignDefinitions | None:
    """Replace a file that has foreign definitions by a new journal with its data. All foreign definitions, such as
    triggers and views, are left out. Data that can be computed from other data is left out too. Return what was left
    out, or None if the file has no foreign definitions."""
    file = database.location.file
    if file is None or not file.is_file():
        return None
    with database.reading() as connection:
        version = schema_of(connection, database.location.label)
        if version is None or version > VERSION:
            return None
        foreign = list(foreign_definitions(connection))
        foreign += missing_definitions(connection) if version == VERSION else ()
        revision = connection.execute(select(func.max(meta.c.revision))).scalar()
    if not foreign:
        return None
    with database.writing():  # Lock out writers.
        copy = keep_copy(file, "foreign")
    database.close()
    real = Path(os.path.realpath(file))
    handle, partial = tempfile.mkstemp(dir=real.parent, prefix=f".{real.name}.")
    os.close(handle)
    try:
        rejected_rows = _copy_rows(copy, Path(partial))
        _stamp(Path(partial), revision)
        shutil.copymode(real, partial)
        # The log of the old file must not be applied to the new file. The copy already contains the log's data.
        for ending in ("-wal", "-shm"):
            Path(f"{real}{ending}").unlink(missing_ok=True)
        os.replace(partial, real)
    except (OSError, sqlite3.Error) as error:
        raise InputError(
            f"the data of {database.location.label} cannot be copied to a new journal: {error}; the file {copy} is a "
            "copy of the old journal"
        ) from None
    finally:
        Path(partial).unlink(missing_ok=True)
    return ForeignDefinitions(foreign, copy, rejected_rows)


def _copy_rows(source: Path, target: Path) -> int:
    """Copy the rows of all tables into a new journal; return the number of rows that the new journal rejects."""
    rejected_rows = 0
    with (
        closing(sqlite3.connect(f"file:{quote(str(source))}?mode=ro&immutable=1", uri=True)) as old,
        closing(sqlite3.connect(target)) as new,
    ):
        old.execute("PRAGMA trusted_schema = OFF")
        old.text_factory = lambda raw: raw.decode("utf-8", "surrogateescape")
        empty_journal().backup(new)
        for table in metadata.sorted_tables:
            if table is not meta and table.name not in _DERIVED:
                rejected_rows += _copy_table(old, new, table)
        new.commit()
        new.execute("PRAGMA journal_mode = WAL")
    return rejected_rows


def _stamp(file: Path, revision: object) -> None:
    """Write the version of the schema into a new journal, and a revision that follows the old journal's."""
    next_revision = revision + 1 if isinstance(revision, int) and 0 <= revision < 2**62 else 1
    with closing(sqlite3.connect(file)) as connection:
        connection.execute("INSERT INTO meta (schema_version, revision) VALUES (?, ?)", (VERSION, next_revision))
        connection.commit()


def _copy_table(old: sqlite3.Connection, new: sqlite3.Connection, table: Table) -> int:
    """Copy the rows of one table; return the number of rows that the new table rejects."""
    query = "SELECT sql FROM sqlite_master WHERE type = 'table' AND name = ?"
    sql = next((row[0] for row in old.execute(query, (table.name,))), None)
    if not isinstance(sql, str) or not sql.upper().startswith("CREATE TABLE"):
        return 0  # The table is a view, a virtual table, or missing.
    hidden = {row[1]: row[6] for row in old.execute(f'PRAGMA table_xinfo("{table.name}")')}
    # The expression of a generated column is not evaluated.
    names = [column.name for column in table.columns if hidden.get(column.name) == 0]
    columns, places = ", ".join(f'"{name}"' for name in names), ", ".join("?" * len(names))
    rows: Iterable[Any] = old.execute(f'SELECT {columns} FROM "{table.name}" NOT INDEXED') if names else ()
    statement = f'INSERT INTO "{table.name}" ({columns}) VALUES ({places})'
    rejected_rows = 0
    for row in rows:
        try:
            new.execute(statement, row)
        except (sqlite3.IntegrityError, UnicodeEncodeError):
            rejected_rows += 1
    return rejected_rows


_opened: dict[str, None] = {}
"""The addresses of the journals that this process has opened."""


def open_journal(store: str | None, *, create: bool = False) -> Journal:
    """Open the journal at a URL or path, or the default journal. If the journal has an older schema, it is upgraded,
    which is reported."""
    url = store_url(store)
    journal = Journal.open(url, create=create)
    _opened[url] = None
    if journal.upgraded is not None:
        complain(f"the journal {journal.label} was {journal.upgraded}")
    return journal


def repair_journal(store: str | None) -> tuple[Journal, RepairReport]:
    """Copy and repair a journal. Return the closed journal and the report of the repair. If the file has definitions
    that Ostrom did not create, its data is first copied to a new journal."""
    location = locate(store_url(store))
    foreign: ForeignDefinitions | None = None
    if location.file is not None and location.file.is_file() and location.unwritable() is None:
        database = Database(location)
        try:
            foreign = copy_data(database)
        finally:
            database.close()
    with open_journal(store) as journal:
        repaired = journal.repair()
    if foreign is None:
        return journal, repaired
    problems = [*foreign.problems(), *repaired.problems]
    return journal, RepairReport(problems, foreign.copy, repaired.left)


def damage_of_journals() -> str | None:
    """Return the damage of the journals that this process has opened, or None if there is none. An unexpected error is
    likely to be caused by such damage."""
    for url in _opened:
        with Journal.open(url) as journal:
            if (damage := journal.damage()) is not None:
                return damage
    return None
