"""Make the journals of earlier schemas in `stored` again, in either database."""

import re
import sqlite3
from pathlib import Path

from sqlalchemy import create_engine

from ostrom.journal.engine import locate

FOLDER = Path(__file__).parent / "stored"
STORED = sorted(path.stem for path in FOLDER.glob("*.sql"))
_TABLES = (
    *(
        "meta",
        "experiments",
        "runs",
        "games",
        "texts",
        "answers",
        "events",
        "calls",
        "batches",
        "sent_calls",
        "tidy_tables",
    ),
    *("seat_links", "attachments", "labels", "notes", "summaries", "messages", "message_texts"),
    *("sessions", "session_entries", "session_personal", "session_tokens"),
)


def schema_of(stored: str) -> int:
    """The schema that a stored journal has."""
    return int(re.match(r"schema_(\d+)", stored)[1])


def make(stored: str, url: str) -> None:
    """Make a stored journal again at a place where no journal is."""
    location = locate(url)
    if location.file is not None:
        with sqlite3.connect(location.file) as connection:
            connection.execute("PRAGMA journal_mode = WAL")
            connection.executescript((FOLDER / f"{stored}.sql").read_text())
        connection.close()
        return
    with sqlite3.connect(":memory:") as source:
        source.executescript((FOLDER / f"{stored}.sql").read_text())
        engine = create_engine(location.url)
        with engine.begin() as connection:
            for statement in _postgresql(schema_of(stored)):
                connection.exec_driver_sql(statement)
            there = {row[0] for row in source.execute("SELECT name FROM sqlite_master WHERE type = 'table'")}
            for table in (name for name in _TABLES if name in there):
                rows = source.execute(f"SELECT * FROM {table}")
                names = [one[0] for one in rows.description]
                values = ", ".join(["%s"] * len(names))
                for row in rows:
                    connection.exec_driver_sql(f"INSERT INTO {table} ({', '.join(names)}) VALUES ({values})", row)
            connection.exec_driver_sql("SELECT setval('games_serial_seq', (SELECT max(serial) FROM games))")
        engine.dispose()
    source.close()


def _postgresql(schema: int) -> list[str]:
    """The tables as code of that schema made them in PostgreSQL."""
    text = (FOLDER / f"schema_{schema}_postgresql.ddl").read_text()
    return [statement for statement in text.split(";") if statement.strip()]
