"""The sessions of people in a journal, as rows of a list."""

from typing import Any

from ostrom.journal.sql import Journal


def session_rows(journal: Journal) -> list[dict[str, Any]]:
    """Return the sessions of a journal, the oldest first. The tables of a session are the games of its experiment."""
    tables = {row.id: row.games for row in journal.experiments()}
    return [
        {
            "id": session.id,
            "name": session.name,
            "people": sum(entry.kind == "joined" for entry in journal.sessions.entries(session.id)),
            "tables": tables[session.experiment],
            "state": session.state,
            "created": session.created,
            "experiment": session.experiment,
        }
        for session in journal.sessions.all()
        if session.experiment in tables
    ]
