"""Check the definitions (tables, indexes, triggers and views) in an SQLite file before anything else is read. A file
may come from other people. SQLite runs a trigger when a row is written, and a view when it is read: so a trigger could
reset spending, and a view could run forever. A definition is accepted only if this version creates it, or if the
upgrade of an older journal leaves it."""

import re
import sqlite3
from collections.abc import Callable, Iterator
from functools import cache
from typing import Any, Final, NamedTuple

from sqlalchemy import Connection, create_engine
from sqlalchemy.pool import StaticPool

from ostrom.core import RecordError
from ostrom.journal.schema import metadata

_OWN_PREFIX: Final = "sqlite_"
"""The prefix in the names of SQLite's own tables and indexes. No statement can create definitions with this prefix."""
_WORD: Final = re.compile(r"[^\W_][\w]*|_\w+")
_STRING: Final = re.compile(r"'(?:[^']|'')*'")
_WORD_INDEX: Final = "message_words"
_WORD_INDEX_TABLES: Final = tuple(f"{_WORD_INDEX}_{part}" for part in ("data", "idx", "content", "docsize", "config"))
"""The tables in which the full-text index stores its data."""
_OLD_COLUMNS: Final = frozenset({"promise", "promised", "contributed", "kept"})
"""Columns of schema 8 that later schemas do not have."""
_ADDED_COLUMNS: Final = frozenset(
    {"cache_read_tokens", "cache_write_tokens", "layout", "batch", "reused", "saved", "title", "drama", "reasons"}
)
"""Columns that schema 9, 10, 11 or 12 does not have."""
_REUSE_COLUMNS: Final = frozenset({"reused", "saved"})
"""Columns that schema 10 does not have."""
_OLD_WORDS: Final = _OLD_COLUMNS | {"float"}
_OLD_DEFINITIONS: Final = (
    """CREATE VIRTUAL TABLE message_words USING fts5(text, player, promise, content='message_texts',
    content_rowid='serial', tokenize='porter unicode61 remove_diacritics 2')""",
    """CREATE TRIGGER message_texts_added AFTER INSERT ON message_texts BEGIN
    INSERT INTO message_words(rowid, text, player, promise) VALUES (new.serial, new.text, new.player, new.promise);
    END""",
    """CREATE TRIGGER message_texts_gone AFTER DELETE ON message_texts BEGIN
    INSERT INTO message_words(message_words, rowid, text, player, promise)
    VALUES ('delete', old.serial, old.text, old.player, old.promise); END""",
    """CREATE INDEX calls_accounts ON calls (game, model, fault, place, attempt, input_tokens, output_tokens, latency,
    cost, reserved)""",
    """CREATE INDEX calls_accounts ON calls (game, model, fault, place, attempt, input_tokens, output_tokens,
    cache_read_tokens, cache_write_tokens, latency, cost, reserved)""",
)
"""Definitions that only older schemas have: the full-text index of schema 8, and the index of schemas 9 and 10."""


class Definition(NamedTuple):
    """An entry in SQLite's list of definitions."""

    kind: str
    """Table, index, trigger or view."""
    name: str
    table: str
    sql: str


class ForeignSchema(RecordError):
    """Raised for a file with definitions that Ostrom did not create. The data of the file can be copied to a new
    journal."""


def check_definitions(connection: Connection, label: str, *, is_current: bool) -> None:
    """Raise ForeignSchema if an SQLite journal has a definition that Ostrom does not create. If the journal has the
    current schema, also raise it for a missing definition."""
    if connection.dialect.name != "sqlite":
        return
    remedy = "ostrom journal repair copies its data to a new journal"
    for definition in foreign_definitions(connection):
        raise ForeignSchema(f"the journal {label} has {describe(definition)}, which Ostrom did not create; {remedy}")
    for definition in missing_definitions(connection) if is_current else ():
        raise ForeignSchema(f"the journal {label} lacks {describe(definition)}; {remedy}")


def describe(definition: Definition) -> str:
    """Return the kind and name of a definition in ASCII, on one line."""
    name = ascii(definition.name)[1:-1]
    shown = name if len(name) <= 60 else f"{name[:59]}…"
    kind = definition.kind if definition.kind in ("table", "index", "trigger", "view") else "definition"
    return f"{'an' if kind == 'index' else 'a'} {kind} {shown}"


def foreign_definitions(connection: Connection) -> Iterator[Definition]:
    """Yield the definitions of a file that no version of Ostrom creates."""
    own = _own_definitions()
    rows = connection.exec_driver_sql("SELECT type, name, tbl_name, sql FROM sqlite_master ORDER BY rowid").all()
    for row in rows:
        definition = Definition(*("" if value is None else str(value) for value in row))
        if not _is_own(connection, definition, own):
            yield definition


def missing_definitions(connection: Connection) -> Iterator[Definition]:
    """Yield the definitions that every journal has and that this file lacks."""
    present = {tuple(row) for row in connection.exec_driver_sql("SELECT type, name FROM sqlite_master")}
    for key, definition in _own_definitions().items():
        if key not in present or (definition.kind == "table" and _lacks_columns(connection, definition.name)):
            yield definition


def _lacks_columns(connection: Connection, table: str) -> bool:
    rows = connection.exec_driver_sql(f'PRAGMA table_info("{table}")')
    own = {column[0] for column in _own_structures()[table].columns} if table in _own_structures() else set()
    return not own & _ADDED_COLUMNS <= {row[1] for row in rows}


def _is_own(connection: Connection, definition: Definition, own: dict[tuple[str, str], Definition]) -> bool:
    kind, name, table, sql = definition
    if name.startswith(_OWN_PREFIX):
        # An index that belongs to a constraint has no statement. Tables of statistics and sequences belong to SQLite.
        return (kind == "index" and not sql) or (kind == "table" and name in ("sqlite_sequence", "sqlite_stat1"))
    if name in _WORD_INDEX_TABLES and kind == "table":
        return True  # SQLite creates these tables with the index, and does not allow an index on other tables.
    expected = own.get((kind, name))
    if expected is None or expected.table != table:
        return False
    if _plain(sql) in {_plain(expected.sql), *(_plain(old) for old in _OLD_DEFINITIONS)}:
        return True
    if kind != "table" or name == _WORD_INDEX:
        return False
    # An upgraded table has the same columns in another order. If its definition has no new words, it also has no new
    # check, conflict clause, generated column or collation.
    if not _words(sql) <= _words(expected.sql) | _OLD_WORDS:
        return False
    structure = _structure(connection.exec_driver_sql, name)
    is_older = any(column[0] in _OLD_COLUMNS for column in structure.columns)
    own_structure = _own_structures()[name]
    without_added = frozenset(column for column in own_structure.columns if column[0] not in _ADDED_COLUMNS)
    without_reuse = frozenset(column for column in own_structure.columns if column[0] not in _REUSE_COLUMNS)
    older = (own_structure._replace(columns=columns) for columns in (without_added, without_reuse))
    return is_older or structure in (own_structure, *older)


def _plain(sql: str) -> str:
    return " ".join(sql.split())


def _words(sql: str) -> set[str]:
    strings = set(_STRING.findall(sql))
    return {word.lower() for word in _WORD.findall(_STRING.sub(" ", sql))} | strings


class _Structure(NamedTuple):
    """The parts of a table, in any order."""

    columns: frozenset[Any]
    """The name, type, not-null constraint, default, primary key and visibility of each column."""
    unique: frozenset[Any]
    """The columns of each uniqueness constraint."""
    references: frozenset[Any]


def _structure(execute: Callable[[str], Any], table: str) -> _Structure:
    columns = frozenset(tuple(row)[1:] for row in execute(f'PRAGMA table_xinfo("{table}")').fetchall())
    indexes = [row[1] for row in execute(f'PRAGMA index_list("{table}")').fetchall() if row[2]]
    unique = frozenset(
        tuple(row[2] for row in execute(f'PRAGMA index_info("{index}")').fetchall()) for index in indexes
    )
    keys = frozenset(tuple(row)[2:] for row in execute(f'PRAGMA foreign_key_list("{table}")').fetchall())
    return _Structure(columns, unique, keys)


@cache
def empty_journal() -> sqlite3.Connection:
    """Return a journal in memory, without data."""
    # Threads that open journals share this connection, and only read from it.
    engine = create_engine("sqlite://", poolclass=StaticPool, connect_args={"check_same_thread": False})
    with engine.begin() as connection:
        metadata.create_all(connection, checkfirst=False)
        driver = connection.connection.driver_connection
    assert isinstance(driver, sqlite3.Connection)
    return driver


@cache
def _own_definitions() -> dict[tuple[str, str], Definition]:
    rows = empty_journal().execute("SELECT type, name, tbl_name, sql FROM sqlite_master WHERE sql IS NOT NULL")
    return {(row[0], row[1]): Definition(*row) for row in rows}


@cache
def _own_structures() -> dict[str, _Structure]:
    return {table.name: _structure(empty_journal().execute, table.name) for table in metadata.sorted_tables}
