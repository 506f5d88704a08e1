"""How entries get into the database: all of them with as few statements as it takes, in one transaction.

Driver and thread share an interpreter with the event loop that waits, and change over at every statement; so each table
is written with one statement for many rows.
"""

from collections.abc import Sequence
from functools import cache
from typing import Any, Final, Protocol, cast

from ostrom.journal.engine import Database
from ostrom.journal.entries import ANSWERS, CALLS, ENDS, EVENTS, Entry, Row
from ostrom.journal.schema import answers, calls, events, games
from ostrom.journal.writing import PLAYING, as_json

_AT_ONCE: Final = 64
"""Rows of one statement in SQLite, which takes some 32,000 values."""
_TOUCH: Final = "UPDATE meta SET revision = revision + 1"


class Store(Protocol):
    """A connection of its own to the database."""

    def keep(self, entries: Sequence[Entry]) -> None:
        """Store these as a whole or not at all."""

    def close(self) -> None:
        """Let go of the connection."""


def store_of(database: Database) -> Store:
    """A connection for writing entries."""
    return PostgreSQLStore(database) if database.location.file is None else SQLiteStore(database)


class SQLiteStore:
    """Entries in SQLite: a statement a table."""

    def __init__(self, database: Database) -> None:
        self._identity = database.identity
        self._connection = database.engine.raw_connection()
        self._cursor = self._connection.cursor()

    def keep(self, entries: Sequence[Entry]) -> None:
        """Store these as a whole or not at all."""
        run = self._cursor.execute
        run("BEGIN IMMEDIATE")
        try:
            texts = {digest: text for entry in entries for digest, text in entry.texts.items()}
            self._insert("texts", ("digest", "text"), list(texts.items()))
            self._insert("answers", ANSWERS, [row for entry in entries for row in entry.answers])
            self._insert("calls", CALLS, [row for entry in entries for row in entry.calls])
            self._insert("events", EVENTS, [row for entry in entries for row in entry.events])
            for entry in entries:
                for row in entry.ends:
                    run(_ENDED, row)
            run(_TOUCH)
            self._identity.check()
            run("COMMIT")
        except BaseException:
            if self._connection.driver_connection.in_transaction:  # type: ignore[union-attr]
                run("ROLLBACK")
            raise

    def _insert(self, table: str, columns: tuple[str, ...], rows: Sequence[Row]) -> None:
        for first in range(0, len(rows), _AT_ONCE):
            some = rows[first : first + _AT_ONCE]
            self._cursor.execute(_insertion(table, columns, len(some)), [value for row in some for value in row])

    def close(self) -> None:
        """Let go of the connection."""
        self._cursor.close()
        self._connection.close()


class PostgreSQLStore:
    """Entries in PostgreSQL: one statement in all, which is its own transaction, and one round trip."""

    def __init__(self, database: Database) -> None:
        borrowed = database.engine.raw_connection()
        self._connection = cast(Any, borrowed.driver_connection)
        # Set up for this use alone, so never handed back to the others.
        borrowed.detach()
        self._connection.autocommit = True
        self._cursor = self._connection.cursor()

    def keep(self, entries: Sequence[Entry]) -> None:
        """Store these as a whole or not at all."""
        texts = {digest: text for entry in entries for digest, text in entry.texts.items()}
        self._cursor.execute(
            _ALL_AT_ONCE,
            (
                _records(("digest", "text"), list(texts.items())),
                _records(ANSWERS, [row for entry in entries for row in entry.answers]),
                _records(CALLS, [row for entry in entries for row in entry.calls]),
                _records(EVENTS, [row for entry in entries for row in entry.events]),
                _records(ENDS, [row for entry in entries for row in entry.ends]),
            ),
        )

    def close(self) -> None:
        """Let go of the connection."""
        self._connection.close()


@cache
def _insertion(table: str, columns: tuple[str, ...], count: int) -> str:
    values = ", ".join([f"({', '.join('?' * len(columns))})"] * count)
    again = " ON CONFLICT DO NOTHING" if table == "texts" else ""
    return f"INSERT INTO {table} ({', '.join(columns)}) VALUES {values}{again}"


_ENDED: Final = (
    f"UPDATE games SET {', '.join(f'{name} = ?' for name in ENDS[:-1])} WHERE serial = ? AND state = '{PLAYING}'"
)


def _records(columns: tuple[str, ...], rows: Sequence[Row]) -> str:
    """Rows as PostgreSQL takes them by the thousand: a list of JSON objects."""
    return as_json([dict(zip(columns, row, strict=True)) for row in rows], "a row") if rows else "[]"


def _read(table: Any, columns: tuple[str, ...]) -> str:
    """Rows of a list of JSON objects, in SQL."""
    typed = ", ".join(f"{name} {_TYPES[str(table.c[name].type)]}" for name in columns)
    return f"json_to_recordset(%s::json) AS given({typed})"


_TYPES: Final = {"INTEGER": "integer", "BIGINT": "bigint", "FLOAT": "double precision", "TEXT": "text"}


def _added(table: Any, columns: tuple[str, ...]) -> str:
    named = ", ".join(columns)
    return f"INSERT INTO {table.name} ({named}) SELECT {named} FROM {_read(table, columns)}"


# The row of `meta` is taken first, as the last of these statements is the one that leads: whoever else writes waits
# there, and no two wait for each other over a text.
_ALL_AT_ONCE: Final = f"""
WITH new_texts AS (
    INSERT INTO texts (digest, text)
    SELECT digest, text FROM json_to_recordset(%s::json) AS given(digest text, text text) ORDER BY digest
    ON CONFLICT DO NOTHING
), new_answers AS ({_added(answers, ANSWERS)}
), new_calls AS ({_added(calls, CALLS)}
), new_events AS ({_added(events, EVENTS)}
), ended AS (
    UPDATE games SET {", ".join(f"{name} = given.{name}" for name in ENDS[:-1])} FROM {_read(games, ENDS)}
    WHERE games.serial = given.serial AND games.state = '{PLAYING}'
) {_TOUCH}
"""
