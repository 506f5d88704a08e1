"""Lists of sessions of people: those in a journal, and those that are ready to run."""

from typing import Any

from ostrom.core.finding import Column, Finding, Row, Table, number
from ostrom.experiment.session.ready import ready_sessions
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


def list_ready_sessions() -> Finding:
    """Return the sessions that are ready to run."""
    columns = [
        Column("name", "name"),
        Column("title"),
        Column("language", "language"),
        number("participants", "people"),
        Column("description", "description", cell=_description, wraps=True),
        Column("file"),
        Column("missing"),
    ]
    table = Table("sessions", columns, list(ready_sessions()), title="sessions")
    return Finding(verb="session", title="Sessions", facts={}, parts=[table])


def _description(row: Row) -> str:
    """Return the description, and what is missing if the session cannot be played here."""
    return f"{row['description']} Missing: {'; '.join(row['missing'])}" if row["missing"] else str(row["description"])
