"""Rows of the entries of sessions."""

from collections.abc import Mapping
from typing import Any

from sqlalchemy import Connection, func, select

from ostrom.journal.rows import as_json, now
from ostrom.journal.schema import session_entries


def last_number(connection: Connection, serial: int) -> int:
    """Return the number of the last entry of a session, or -1 if there is none."""
    query = select(func.max(session_entries.c.number)).where(session_entries.c.session == serial)
    last = connection.execute(query).scalar()
    return -1 if last is None else int(last)


def entry_row(
    serial: int,
    number: int,
    kind: str,
    data: Mapping[str, Any],
    participant: int | None = None,
    at: str | None = None,
) -> dict[str, Any]:
    """Return an entry as a row of its table. Without a time, it has the present time."""
    return {
        "session": serial,
        "number": number,
        "at": at or now(),
        "participant": participant,
        "kind": kind,
        "data": as_json(dict(data), f"the entry {kind}"),
    }
