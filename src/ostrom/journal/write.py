"""Write to the journal: experiments, runs, open games, and rows of games. The function `store` stores the rows of all
games, both of those that are stored as a whole and of those that are stored decision by decision. Answers, calls and
events are only added, never changed. Each function works within a transaction of the caller."""

import re
import unicodedata
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from typing import Any, Final, NamedTuple, TypeAlias

from sqlalchemy import Connection, Table, and_, func, insert, or_, select, update
from sqlalchemy import Row as DatabaseRow

from ostrom.core import InputError
from ostrom.journal.record import MOST_NOTES, GameRecord, Origin, RecordedNote
from ostrom.journal.rows import ENDS, Known, Row, Rows, as_json, game_row, now, storable, whole_game
from ostrom.journal.schema import (
    PLAYING,
    answers,
    batches,
    calls,
    events,
    experiments,
    games,
    meta,
    notes,
    runs,
    sent_calls,
    texts,
)

_KIND = re.compile(r"[a-z][a-z0-9_-]{0,39}")
_CONTROL_CATEGORIES = ("Cc", "Zl", "Zp")
"""Unicode categories of control characters and line separators."""
_ROWS_PER_STATEMENT: Final = 64
"""The number of rows that one statement adds in SQLite. A statement of SQLite accepts about 32,000 values."""

Run: TypeAlias = Callable[[str, Any], object]
"""A function that executes a statement, with its values, by the database driver."""


class AlreadyDecided(InputError):
    """Raised if a question already has a stored answer. Nothing is stored."""


class OpenGame(NamedTuple):
    """The state of a game in the journal."""

    serial: int
    id: str
    state: str
    begun: bool
    """True if the game was already in the journal."""
    difference: str | None = None
    """The first field in which the stored game differs from the game to open; None if they agree."""
    suspended: bool = False
    """True if the journal has a reason why the game was suspended."""


def check_name(connection: Connection, name: str) -> None:
    """Raise InputError for an invalid name of an experiment."""
    if not name.strip():
        raise InputError("an experiment needs a name")
    if any(unicodedata.category(character) in _CONTROL_CATEGORIES for character in name):
        raise InputError(f"{name!r} is not a valid name of an experiment: use one line without control characters")
    storable(name, "the name of an experiment")
    # Ids are looked up before names, so a search for a name that is also an id would never find the experiment.
    if connection.execute(select(experiments.c.id).where(experiments.c.id == name)).first() is not None:
        raise InputError(f"{name!r} is not a valid name of an experiment: it is the id of another experiment")


def add_experiment(
    connection: Connection, name: str, kind: str, settings: Mapping[str, Any], planned: int | None
) -> str:
    """Add an experiment and return its id, which consists of its kind and a number."""
    if not _KIND.fullmatch(kind):
        raise InputError(f"{kind!r} is not a valid kind of an experiment: use lower-case letters, digits, - and _ only")
    # This statement comes first, since its lock prevents two writers from using the same number.
    touch(connection)
    check_name(connection, name)
    serial = (connection.execute(select(func.max(experiments.c.serial))).scalar() or 0) + 1
    # The new id must not be the name of another experiment either.
    while connection.execute(select(experiments.c.id).where(experiments.c.name == f"{kind}-{serial}")).first():
        serial += 1
    entry = {
        "serial": serial,
        "id": f"{kind}-{serial}",
        "name": name,
        "kind": kind,
        "created": now(),
        "planned": planned,
        "settings": as_json(dict(settings), "the settings of an experiment"),
    }
    connection.execute(insert(experiments), entry)
    return str(entry["id"])


def end_plan(connection: Connection, experiment: str, games: int) -> None:
    """Set the planned number of games of an experiment that a rule stopped early; its settings keep the original
    plan."""
    touch(connection)
    connection.execute(update(experiments).where(experiments.c.id == experiment).values(planned=games))


def add_run(connection: Connection, experiment: int, settings: Mapping[str, Any]) -> int:
    """Enter a start or resumption of an experiment, and return its number, from 1."""
    touch(connection)
    last = connection.execute(select(func.max(runs.c.number)).where(runs.c.experiment == experiment)).scalar()
    number = (last or 0) + 1
    stored_settings = as_json(dict(settings), "the settings of a run")
    connection.execute(
        insert(runs), {"experiment": experiment, "number": number, "at": now(), "settings": stored_settings}
    )
    return number


def open_games(connection: Connection, rows: Sequence[Mapping[str, Any]]) -> list[OpenGame]:
    """Add the given games that the journal does not have yet. Return the state of all these games. Only a few
    statements are needed per experiment. Games are given as rows without ids and positions."""
    opened: dict[tuple[int, str], OpenGame] = {}
    for serial in sorted({row_to_open["experiment"] for row_to_open in rows}):
        heads = {row_to_open["key"]: row_to_open for row_to_open in rows if row_to_open["experiment"] == serial}
        # The experiment is locked until the games are stored, so that two writers cannot use the same position.
        locked = select(experiments.c.id).where(experiments.c.serial == serial).with_for_update()
        label = connection.execute(locked).scalar_one()
        conditions = (games.c.experiment == serial, games.c.key.in_(list(heads)))
        for row in connection.execute(select(games).where(*conditions)):
            difference = _difference(heads.pop(row.key), row)
            opened[serial, row.key] = OpenGame(row.serial, row.id, row.state, True, difference, row.reason is not None)
        if heads:
            last = connection.execute(select(func.max(games.c.place)).where(games.c.experiment == serial)).scalar() or 0
            new = [{**head, "place": last + i, "id": f"{label}.{last + i}"} for i, head in enumerate(heads.values(), 1)]
            connection.execute(insert(games), new)
            entered = select(games.c.serial, games.c.id, games.c.key, games.c.state).where(*conditions)
            for row in connection.execute(entered):
                opened.setdefault((serial, row.key), OpenGame(row.serial, row.id, row.state, False))
    return [opened[row_to_open["experiment"], row_to_open["key"]] for row_to_open in rows]


def _difference(head: Mapping[str, Any], row: DatabaseRow[Any]) -> str | None:
    same = ("game", "seed", "number", "rules", "seats", "orders")
    return next((name for name in same if head[name] != row._mapping[name]), None)


def add_game(
    connection: Connection,
    experiment: str,
    record: GameRecord,
    key: str,
    origin: Origin,
    finals: Sequence[float | None] | None,
) -> bool:
    """Add a whole game. Return False if the experiment already has a game with this key."""
    serial = connection.execute(select(experiments.c.serial).where(experiments.c.id == experiment)).scalar()
    if serial is None:
        raise InputError(f"the journal has no experiment {experiment!r}")
    new: dict[str, str] = {}
    (game,) = open_games(connection, [game_row(serial, record, key, origin, Known(), new)])
    if game.begun:
        return False
    times = Counter((answer.turn, answer.phase, answer.seat) for answer in record.answers)
    for (turn, phase, seat), count in times.items():
        if count > 1:
            raise AlreadyDecided(f"seat {seat} of a game has already answered {phase!r} in turn {turn}")
    rows = whole_game(game.serial, record, finals)
    rows.texts = new
    store(connection.exec_driver_sql, connection.dialect.name, rows)
    add_notes(connection, game.serial, record.notes)
    return True


def add_notes(connection: Connection, game: int, new: Sequence[RecordedNote]) -> None:
    """Store readers' notes of a game. The caller must have opened a transaction and raised the revision in it."""
    if not new:
        return
    present = connection.execute(select(func.count()).where(notes.c.game == game)).scalar_one()
    if present + len(new) > MOST_NOTES:
        raise InputError(f"a game has {MOST_NOTES:,} notes at most")
    last = connection.execute(select(func.max(notes.c.serial))).scalar() or 0
    rows = [
        {**note.model_dump(), "serial": last + place, "game": game, "text": as_json(note.text, "a note")}
        for place, note in enumerate(new, 1)
    ]
    connection.execute(insert(notes), rows)


def is_decided(connection: Connection, answer: Row) -> bool:
    """Return whether the question of an answer already has a decision, or whether another question has the same
    index."""
    game, number, turn, phase, seat = answer[:5]
    question = and_(answers.c.turn == turn, answers.c.phase == phase, answers.c.seat == seat)
    same = select(answers.c.game).where(answers.c.game == game, or_(question, answers.c.number == number))
    return connection.execute(same).first() is not None


def is_stored(connection: Connection, rows: Rows) -> bool:
    """Return whether exactly these rows are stored. Call it after a transaction that may or may not have been
    committed. Rows without an answer, a call or an event cannot be recognised, and may be stored twice."""
    rows_by_table = {answers: rows.answers, calls: rows.calls, events: rows.events, sent_calls: rows.sent}
    for table, table_rows in rows_by_table.items():
        key = list(table.primary_key.columns)
        for row in table_rows:
            expected = dict(zip(table.c.keys(), row, strict=True))
            condition = and_(*(column == expected[column.name] for column in key))
            stored = connection.execute(select(table).where(condition)).first()
            if stored is None or tuple(stored) != tuple(row):
                return False
    return any(rows_by_table.values())


def touch(connection: Connection) -> None:
    """Raise the revision. Call this late in a transaction, since from then on other writers must wait."""
    connection.execute(update(meta).values(revision=meta.c.revision + 1))


def store(run: Run, dialect: str, rows: Rows) -> None:
    """Add rows and raise the revision with few statements. SQLite needs one statement for every 64 rows of a table;
    PostgreSQL needs a single statement, in one round trip. The number of statements matters because this thread and the
    event loop share the Python interpreter, and each statement switches between them."""
    rows_by_table = {texts: list(rows.texts.items()), answers: rows.answers, calls: rows.calls, events: rows.events}
    rows_by_table[sent_calls] = rows.sent
    if dialect == "postgresql":
        added = [_objects(table.c.keys(), table_rows) for table, table_rows in rows_by_table.items()]
        added.append(_objects(batches.c.keys(), rows.batches))
        run(_ALL_AT_ONCE, (*added, list(rows.back), _objects(ENDS, rows.ends)))
        return
    rows_by_table[batches] = rows.batches
    for table, table_rows in rows_by_table.items():
        for first in range(0, len(table_rows), _ROWS_PER_STATEMENT):
            chunk = table_rows[first : first + _ROWS_PER_STATEMENT]
            run(_insertion(table, len(chunk)), tuple(value for row in chunk for value in row))
    for first in range(0, len(rows.back), _ROWS_PER_STATEMENT):
        serials = tuple(rows.back[first : first + _ROWS_PER_STATEMENT])
        run(f"DELETE FROM sent_calls WHERE serial IN ({', '.join('?' * len(serials))})", serials)
    for row in rows.ends:
        run(_END, row)
    run(_TOUCH, ())


@cache
def _insertion(table: Table, count: int) -> str:
    values = ", ".join([f"({', '.join('?' * len(table.c))})"] * count)
    conflict = " ON CONFLICT DO NOTHING" if table is texts else _REPLACEMENT if table is batches else ""
    return f"INSERT INTO {table.name} ({', '.join(table.c.keys())}) VALUES {values}{conflict}"


def _objects(columns: Sequence[str], rows: Sequence[Row]) -> str:
    """Return rows as a JSON list of objects, which is the format that PostgreSQL reads fastest."""
    return as_json([dict(zip(columns, row, strict=True)) for row in rows], "a row") if rows else "[]"


def _read(table: Table, columns: Sequence[str]) -> str:
    """Return a statement that reads rows from a list of JSON objects."""
    columns_with_types = ", ".join(f"{name} {_TYPES[str(table.c[name].type)]}" for name in columns)
    return f"json_to_recordset(%s::json) AS given({columns_with_types})"


def _addition(table: Table) -> str:
    columns = ", ".join(table.c.keys())
    return f"INSERT INTO {table.name} ({columns}) SELECT {columns} FROM {_read(table, table.c.keys())}"


_REPLACEMENT: Final = (
    " ON CONFLICT (serial) DO UPDATE SET state = excluded.state, name = excluded.name, seen = excluded.seen"
)
_TYPES: Final = {"INTEGER": "integer", "BIGINT": "bigint", "FLOAT": "double precision", "TEXT": "text"}
_TOUCH: Final = "UPDATE meta SET revision = revision + 1"
_END: Final = (
    f"UPDATE games SET {', '.join(f'{name} = ?' for name in ENDS[:-1])} WHERE serial = ? AND state = '{PLAYING}'"
)
# PostgreSQL locks the row of `meta` first, since the final statement is executed first. Other writers wait for this
# lock, so that two of them cannot deadlock over a text.
_ALL_AT_ONCE: Final = f"""
WITH new_texts AS (
    INSERT INTO texts (digest, text)
    SELECT digest, text FROM json_to_recordset(%s::json) AS given(digest text, text text) ORDER BY digest
    ON CONFLICT DO NOTHING
), new_answers AS ({_addition(answers)}
), new_calls AS ({_addition(calls)}
), new_events AS ({_addition(events)}
), new_sent AS ({_addition(sent_calls)}
), new_batches AS ({_addition(batches)} WHERE true{_REPLACEMENT}
), back AS (DELETE FROM sent_calls WHERE serial = ANY(%s::bigint[])
), ended AS (
    UPDATE games SET {", ".join(f"{name} = given.{name}" for name in ENDS[:-1])} FROM {_read(games, ENDS)}
    WHERE games.serial = given.serial AND games.state = '{PLAYING}'
) {_TOUCH}
"""
