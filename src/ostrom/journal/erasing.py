"""Delete the personal data of a session: its personal values, its participants' tokens, and the texts that were written
in its games. The texts are replaced by a marker in answers and events, so the games can still be replayed.

SQLite normally leaves deleted text in free parts of the file. Here it is overwritten, and the file is written anew.
"""

import json
import sqlite3
from collections.abc import Collection, Iterable, Mapping, Sequence
from contextlib import suppress
from typing import Any, Final, NamedTuple

from sqlalchemy import Connection, delete, func, insert, select, update
from sqlalchemy.exc import DBAPIError

from ostrom.core import RecordError
from ostrom.journal import read
from ostrom.journal.engine import Database
from ostrom.journal.results import BLOCK
from ostrom.journal.rows import answers_in_sum, as_json
from ostrom.journal.schema import (
    FINISHED,
    answers,
    calls,
    events,
    games,
    message_texts,
    session_entries,
    session_personal,
    session_tokens,
    sessions,
    tidy_tables,
)
from ostrom.journal.schema import texts as texts_table
from ostrom.journal.session_rows import entry_row, last_number
from ostrom.journal.summaries import forget as forget_summaries
from ostrom.journal.write import touch

_BATCH: Final = 500
_NOTICE: Final = "notice"
_CHANGED_TABLES: Final = (
    *("session_personal", "session_tokens", "session_entries", "sessions"),
    *("answers", "events", "calls", "texts", "messages", "message_texts", "summaries", "tidy_tables"),
)


class RewrittenGame(NamedTuple):
    """A game whose texts are replaced."""

    id: str
    values: Mapping[tuple[int, str, int], Any]
    """The new values of changed answers, by turn, phase and seat."""
    events: Mapping[int, Mapping[str, Any]]
    """The new content of changed events, by number, as in a record."""


class ErasedData(NamedTuple):
    """The values that were deleted."""

    counts: dict[str, int]
    """The numbers of deleted values by kind."""
    incomplete: str | None
    """The reason why deleted text may still be in the file of the journal, or None."""


def erase_session(
    connection: Connection,
    serial: int,
    rewritten: Sequence[RewrittenGame],
    *,
    marker: str,
    kept_extra: Collection[str] = (),
) -> dict[str, int]:
    """Delete the personal data of a session, by its serial number, within a transaction. Return the numbers of deleted
    values by kind. `kept_extra` has the keys of calls' further data that are kept."""
    if connection.dialect.name == "sqlite":
        connection.exec_driver_sql("PRAGMA secure_delete = ON")
    touch(connection)
    experiment = connection.execute(select(sessions.c.experiment).where(sessions.c.serial == serial)).scalar_one()
    counts = _personal_counts(connection, serial)
    connection.execute(delete(session_personal).where(session_personal.c.session == serial))
    participants = (session_tokens.c.session == serial, session_tokens.c.purpose != "host")
    counts["tokens"] = connection.execute(delete(session_tokens).where(*participants)).rowcount
    counts["notices"] = _erase_notices(connection, serial, marker)
    counts["labels"] = _erase_labels(connection, serial)
    counts["texts"] = sum(_rewrite(connection, game) for game in rewritten)
    own = list(connection.execute(select(games.c.serial).where(games.c.experiment == experiment)).scalars())
    counts["calls"] = _erase_calls(connection, own, kept_extra)
    _erase_derived(connection, experiment, own)
    counts = {kind: count for kind, count in counts.items() if count}
    number = last_number(connection, serial) + 1
    connection.execute(insert(session_entries), entry_row(serial, number, "forgotten", {"what": counts}))
    return counts


def _personal_counts(connection: Connection, serial: int) -> dict[str, int]:
    """Return the numbers of personal values by the first part of their names."""
    counts: dict[str, int] = {}
    query = select(session_personal.c.name).where(session_personal.c.session == serial)
    for name in connection.execute(query).scalars():
        kind = str(name).partition(".")[0]
        counts[kind] = counts.get(kind, 0) + 1
    return counts


def _erase_notices(connection: Connection, serial: int, marker: str) -> int:
    """Replace the texts of the host's notices, which may name people."""
    own = (session_entries.c.session == serial, session_entries.c.kind == _NOTICE)
    text = as_json({"text": marker}, "a notice")
    changed = connection.execute(update(session_entries).where(*own, session_entries.c.data != text).values(data=text))
    return int(changed.rowcount)


def _erase_labels(connection: Connection, serial: int) -> int:
    """Remove the list of labels from the stored session file."""
    text = connection.execute(select(sessions.c.settings).where(sessions.c.serial == serial)).scalar_one()
    settings = json.loads(text)
    part = settings.get("file", {}).get("session", {}) if isinstance(settings.get("file"), dict) else {}
    labels = part.get("labels") or []
    if labels:
        part["labels"] = []
        stored = as_json(settings, "the settings of a session")
        connection.execute(update(sessions).where(sessions.c.serial == serial).values(settings=stored))
    return len(labels)


def _rewrite(connection: Connection, rewritten: RewrittenGame) -> int:
    """Replace the texts of a game in its answers and events; return the number of changed answers."""
    serial, _ = read.game_named(connection, rewritten.id)
    for (turn, phase, seat), value in rewritten.values.items():
        own = (answers.c.game == serial, answers.c.turn == turn, answers.c.phase == phase, answers.c.seat == seat)
        connection.execute(update(answers).where(*own).values(value=as_json(value, "an answer")))
    for number, content in rewritten.events.items():
        payload = {name: part for name, part in content.items() if name not in ("event", "version")}
        own_event = (events.c.game == serial, events.c.number == number)
        connection.execute(update(events).where(*own_event).values(payload=as_json(payload, "an event")))
    state = connection.execute(select(games.c.state).where(games.c.serial == serial)).scalar_one()
    if state == FINISHED and rewritten.values:
        rows = connection.execute(select(answers).where(answers.c.game == serial).order_by(answers.c.number)).all()
        decisions = answers_in_sum([tuple(row) for row in rows])[1]
        connection.execute(update(games).where(games.c.serial == serial).values(decisions=decisions))
    return len(rewritten.values)


def _erase_calls(connection: Connection, serials: Sequence[int], kept_extra: Collection[str]) -> int:
    """Remove prompts, replies and errors of the games' calls, and the texts that no other call needs."""
    digests: set[str] = set()
    count = 0
    for game in serials:
        rows = connection.execute(select(calls).where(calls.c.game == game)).all()
        count += len(rows)
        for row in rows:
            digests |= {digest for _, digest in _lines(row.prompt)}
            extra = {name: value for name, value in read.decoded(row.extra).items() if name in kept_extra}
            own = (calls.c.game == game, calls.c.place == row.place, calls.c.attempt == row.attempt)
            empty = {"prompt": "[]", "reply": None, "error": None, "extra": as_json(extra, "a call")}
            connection.execute(update(calls).where(*own).values(empty))
    used = select(calls.c.prompt).where(calls.c.prompt != "[]").distinct()
    for prompt in connection.execute(used).scalars() if digests else ():
        digests -= {digest for _, digest in _lines(prompt)}
    ordered = sorted(digests)
    for first in range(0, len(ordered), _BATCH):
        connection.execute(delete(texts_table).where(texts_table.c.digest.in_(ordered[first : first + _BATCH])))
    return count


def _lines(prompt: str) -> Iterable[tuple[str, str]]:
    try:
        return [(str(role), str(digest)) for role, digest in read.decoded(prompt)]
    except (TypeError, ValueError):
        raise RecordError("a prompt in the journal is damaged; check the journal and repair it") from None


def _erase_derived(connection: Connection, experiment: int, serials: Sequence[int]) -> None:
    """Delete what was computed from the games: summaries, searchable messages and stored tables."""
    with_texts = connection.execute(select(func.count()).select_from(message_texts)).scalar_one()
    for first in range(0, len(serials), _BATCH):
        forget_summaries(connection, serials[first : first + _BATCH])
    if connection.dialect.name == "sqlite" and with_texts:
        # Deleting a text only marks its words in the index; a new index has no trace of them.
        connection.exec_driver_sql("INSERT INTO message_words(message_words) VALUES ('rebuild')")
    kinds = connection.execute(select(games.c.game).where(games.c.experiment == experiment).distinct()).scalars().all()
    blocks = sorted({(serial - 1) // BLOCK for serial in serials})
    for kind in kinds:
        own = (tidy_tables.c.game == kind, tidy_tables.c.block.in_(blocks))
        connection.execute(delete(tidy_tables).where(*own))


def clear_free_space(database: Database) -> str | None:
    """Write the file of the journal anew, without free parts, and empty its log. Return the reason if that was not
    possible, since another process uses the journal. On a server, remove dead rows of the tables."""
    if database.location.file is None:
        engine = database.engine.execution_options(isolation_level="AUTOCOMMIT")
        with suppress(DBAPIError), engine.connect() as connection:
            for table in _CHANGED_TABLES:
                connection.exec_driver_sql(f"VACUUM {table}")
            return None
        return "VACUUM was not possible; the server removes deleted rows later"
    raw = database.engine.raw_connection()
    try:
        cursor = raw.cursor()
        cursor.execute("VACUUM")
        busy, *_ = cursor.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
        return f"another process has {database.location.label} open; its log still has deleted text" if busy else None
    except sqlite3.Error as error:
        return f"{database.location.label} could not be written anew: {error}"
    finally:
        raw.close()
