"""Damages a valid journal at one place, by a seed: a value of another type, JSON that is changed or cut, a row that is
gone, there twice or exchanged with another, a byte of the file."""

import json
import random
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

from importers.test_hostile_logs import VALUES, changed

_LOOSE: tuple[Any, ...] = (
    *(None, 0, 1, -1, 7, 2**31, 2**53 + 1, 2**63 - 1, -(2**63), 0.5, 1e308, float("inf"), "", "x", "1", "many"),
    *(
        b"",
        b"\xff\x00\xfe",
        "\ud7ff\x00",
        "[",
        "{}",
        "[]",
        "null",
        "NaN",
        '"x"',
        "[" * 3_000,
        "9" * 5_000,
        "x" * 100_000,
    ),
)
"""What may stand in any column of a file of SQLite."""


def _table(draw: random.Random, file: sqlite3.Connection) -> str:
    # The tables within the index of words are SQLite's own, and have rows of another kind.
    listed = file.execute("SELECT name FROM pragma_table_list WHERE type = 'table' AND name NOT LIKE 'sqlite_%'")
    names = [row[0] for row in listed]
    filled = [one for one in names if file.execute(f"SELECT 1 FROM {one} LIMIT 1").fetchone()]
    return draw.choice(sorted(filled))


def _row(draw: random.Random, file: sqlite3.Connection, table: str) -> int:
    rows = [row[0] for row in file.execute(f"SELECT rowid FROM {table}")]
    return int(draw.choice(rows))


def _columns(file: sqlite3.Connection, table: str) -> list[str]:
    return [row[1] for row in file.execute(f"PRAGMA table_info({table})")]


def _set(file: sqlite3.Connection, table: str, column: str, row: int, value: Any) -> str:
    if isinstance(value, str):
        value = value.encode("utf-8", "surrogatepass").decode("utf-8", "replace")
    file.execute(f"UPDATE {table} SET {column} = ? WHERE rowid = ?", (value, row))
    return f"{table}.{column} of row {row} = {ascii(value)[:60]}"


def other_value(draw: random.Random, file: sqlite3.Connection) -> str:
    """A value of another type, or far out of range."""
    table = _table(draw, file)
    return _set(file, table, draw.choice(_columns(file, table)), _row(draw, file, table), draw.choice(_LOOSE))


def other_json(draw: random.Random, file: sqlite3.Connection) -> str:
    """JSON that is changed at one place."""
    places = [
        (table, column)
        for table in ("games", "events", "answers", "calls", "experiments", "runs", "texts")
        for column in _columns(file, table)
        if file.execute(f"SELECT 1 FROM {table} WHERE {column} LIKE '{{%' OR {column} LIKE '[%' LIMIT 1").fetchone()
    ]
    table, column = draw.choice(places)
    rows = file.execute(f"SELECT rowid, {column} FROM {table} WHERE {column} LIKE '{{%' OR {column} LIKE '[%'")
    row, text = draw.choice(rows.fetchall())
    new = changed(json.loads(text), draw)
    written = json.dumps(new if draw.random() < 0.9 else draw.choice(VALUES))
    return _set(file, table, column, row, written if draw.random() < 0.9 else written[: draw.randrange(len(written))])


def cut(draw: random.Random, file: sqlite3.Connection) -> str:
    """A text or bytes that end in the middle."""
    table = _table(draw, file)
    column, row = draw.choice(_columns(file, table)), _row(draw, file, table)
    (value,) = file.execute(f"SELECT {column} FROM {table} WHERE rowid = ?", (row,)).fetchone()
    if not isinstance(value, str | bytes) or not value:
        return cut(draw, file)
    return _set(file, table, column, row, value[: draw.randrange(len(value))])


def gone(draw: random.Random, file: sqlite3.Connection) -> str:
    """A row is missing, or all of a table."""
    table = _table(draw, file)
    where = "" if draw.random() < 0.2 else f" WHERE rowid = {_row(draw, file, table)}"
    file.execute(f"DELETE FROM {table}{where}")
    return f"nothing in {table}{where}"


def exchanged(draw: random.Random, file: sqlite3.Connection) -> str:
    """Two rows have each other's value in one column; where it is a key, one has the other's."""
    table = _table(draw, file)
    column = draw.choice(_columns(file, table))
    one, two = _row(draw, file, table), _row(draw, file, table)
    values = [file.execute(f"SELECT {column} FROM {table} WHERE rowid = ?", (row,)).fetchone()[0] for row in (one, two)]
    try:
        file.execute(f"UPDATE {table} SET {column} = ? WHERE rowid = ?", (values[0], two))
        file.execute(f"UPDATE {table} SET {column} = ? WHERE rowid = ?", (values[1], one))
    except sqlite3.IntegrityError:
        return exchanged(draw, file)
    return f"{table}.{column} of rows {one} and {two} exchanged"


def twice(draw: random.Random, file: sqlite3.Connection) -> str:
    """A row of one game stands in another, too."""
    table = draw.choice(("events", "answers", "calls"))
    row = _row(draw, file, table)
    names = _columns(file, table)
    game = draw.choice([one[0] for one in file.execute("SELECT serial FROM games")])
    taken = ", ".join(str(game) if name == "game" else name for name in names)
    file.execute(f"INSERT OR REPLACE INTO {table} ({', '.join(names)}) SELECT {taken} FROM {table} WHERE rowid = {row}")
    return f"row {row} of {table} also in game {game}"


KINDS: tuple[Callable[[random.Random, sqlite3.Connection], str], ...] = (
    other_value,
    other_value,
    other_json,
    other_json,
    other_json,
    cut,
    gone,
    exchanged,
    exchanged,
    twice,
)


def in_rows(file: Path, seed: int) -> str:
    """Damage one row, or two; what was done."""
    draw = random.Random(seed)
    with closing(sqlite3.connect(file)) as raw, raw:
        raw.execute("PRAGMA ignore_check_constraints = ON")
        done = []
        while len(done) < draw.choice((1, 1, 1, 2)):
            try:
                done.append(draw.choice(KINDS)(draw, raw))
            except (sqlite3.IntegrityError, OverflowError, IndexError, ValueError):
                continue
    return "; ".join(done)


def in_file(file: Path, seed: int) -> str:
    """Flip some bytes of the file, or cut it."""
    draw = random.Random(seed)
    content = bytearray(file.read_bytes())
    if draw.random() < 0.2:
        size = draw.randrange(len(content))
        file.write_bytes(content[:size])
        return f"cut after {size} bytes"
    places = [draw.randrange(len(content)) for _ in range(draw.choice((1, 3, 30)))]
    for place in places:
        content[place] ^= 1 << draw.randrange(8)
    file.write_bytes(content)
    return f"bits of the bytes {places} flipped"
