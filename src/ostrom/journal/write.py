"""The way into the journal: experiments, runs, games that are opened, and rows of games. Everything that happens in a
game goes through `store`, whether a game comes whole or decision by decision; each function works within a transaction
that it is handed. Answers, calls and events are only ever added."""

import re
import unicodedata
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from typing import Any, Final, NamedTuple, TypeAlias

from sqlalchemy import Connection, Table, and_, func, insert, or_, select, update
from sqlalchemy import Row as Found

from ostrom.core import InputError
from ostrom.journal.record import MOST_NOTES, GameRecord, Origin, RecordedNote
from ostrom.journal.rows import ENDS, Known, Row, Rows, as_json, game_row, now, storable, whole_game
from ostrom.journal.schema import (
    PLAYING,
    answers,
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
_UNSEEN = ("Cc", "Zl", "Zp")
"""Unicode's categories of control characters and of what ends a line."""
_AT_ONCE: Final = 64
"""Rows of one statement in SQLite, which takes some 32,000 values."""

Run: TypeAlias = Callable[[str, Any], object]
"""Carries out a statement of the driver's with its values."""


class AlreadyDecided(InputError):
    """A question whose answer is in the journal already; nothing was stored."""


class OpenGame(NamedTuple):
    """A game as it stands in the journal."""

    serial: int
    id: str
    state: str
    begun: bool
    """Whether it was there before."""
    parted: str | None = None
    """In what it differs from the game that was to be opened."""
    suspended: bool = False
    """Whether it says why it did not go on."""


def check_name(connection: Connection, name: str) -> None:
    """Refuse what cannot be the name of an experiment."""
    if not name.strip():
        raise InputError("an experiment needs a name")
    if any(unicodedata.category(sign) in _UNSEEN for sign in name):
        raise InputError(f"{name!r} cannot be the name of an experiment: use one line without control characters")
    storable(name, "the name of an experiment")
    # An id goes before a name, so that nobody would find this one by its name.
    if connection.execute(select(experiments.c.id).where(experiments.c.id == name)).first() is not None:
        raise InputError(f"{name!r} cannot be the name of an experiment: it is the id of another experiment")


def add_experiment(
    connection: Connection, name: str, kind: str, settings: Mapping[str, Any], planned: int | None
) -> str:
    """Enter an experiment; its id is its kind and a number."""
    if not _KIND.fullmatch(kind):
        raise InputError(f"{kind!r} cannot be the kind of an experiment: use lower-case letters, digits, - and _ only")
    # First of all, as it is the lock that keeps two writers from taking one number.
    touch(connection)
    check_name(connection, name)
    serial = (connection.execute(select(func.max(experiments.c.serial))).scalar() or 0) + 1
    # Nor does an id take the name of one that is there: who types that name means the one who has it.
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
    """An experiment that a rule stopped is over with the games that it has; how many it might have had is in its
    settings."""
    touch(connection)
    connection.execute(update(experiments).where(experiments.c.id == experiment).values(planned=games))


def add_run(connection: Connection, experiment: int, settings: Mapping[str, Any]) -> int:
    """Enter that an experiment is begun or gone on with; which time it is, counted from 1."""
    touch(connection)
    last = connection.execute(select(func.max(runs.c.number)).where(runs.c.experiment == experiment)).scalar()
    number = (last or 0) + 1
    kept = as_json(dict(settings), "the settings of a run")
    connection.execute(insert(runs), {"experiment": experiment, "number": number, "at": now(), "settings": kept})
    return number


def open_games(connection: Connection, wanted: Sequence[Mapping[str, Any]]) -> list[OpenGame]:
    """Enter those games that are not there yet, and find them all: a few statements an experiment, however many. Games
    are given by their rows, but for ids and places."""
    found: dict[tuple[int, str], OpenGame] = {}
    for serial in sorted({one["experiment"] for one in wanted}):
        heads = {one["key"]: one for one in wanted if one["experiment"] == serial}
        # The experiment is locked until the games are in: two writers take two places.
        locked = select(experiments.c.id).where(experiments.c.serial == serial).with_for_update()
        label = connection.execute(locked).scalar_one()
        mine = (games.c.experiment == serial, games.c.key.in_(list(heads)))
        for row in connection.execute(select(games).where(*mine)):
            parted = _parted(heads.pop(row.key), row)
            found[serial, row.key] = OpenGame(row.serial, row.id, row.state, True, parted, row.reason is not None)
        if heads:
            last = connection.execute(select(func.max(games.c.place)).where(games.c.experiment == serial)).scalar() or 0
            new = [{**head, "place": last + i, "id": f"{label}.{last + i}"} for i, head in enumerate(heads.values(), 1)]
            connection.execute(insert(games), new)
            entered = select(games.c.serial, games.c.id, games.c.key, games.c.state).where(*mine)
            for row in connection.execute(entered):
                found.setdefault((serial, row.key), OpenGame(row.serial, row.id, row.state, False))
    return [found[one["experiment"], one["key"]] for one in wanted]


def _parted(head: Mapping[str, Any], row: Found[Any]) -> str | None:
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
    """Enter a whole game; False where the experiment has this key already."""
    serial = connection.execute(select(experiments.c.serial).where(experiments.c.id == experiment)).scalar()
    if serial is None:
        raise InputError(f"the journal has no experiment {experiment!r}")
    new: dict[str, str] = {}
    (game,) = open_games(connection, [game_row(serial, record, key, origin, Known(), new)])
    if game.begun:
        return False
    times = Counter((one.turn, one.phase, one.seat) for one in record.answers)
    for (turn, phase, seat), often in times.items():
        if often > 1:
            raise AlreadyDecided(f"seat {seat} of a game has already answered {phase!r} in turn {turn}")
    rows = whole_game(game.serial, record, finals)
    rows.texts = new
    store(connection.exec_driver_sql, connection.dialect.name, rows)
    add_notes(connection, game.serial, record.notes)
    return True


def add_notes(connection: Connection, game: int, some: Sequence[RecordedNote]) -> None:
    """Enter what readers left beside moments of a game, within a transaction that has raised the revision."""
    if not some:
        return
    there = connection.execute(select(func.count()).where(notes.c.game == game)).scalar_one()
    if there + len(some) > MOST_NOTES:
        raise InputError(f"a game has {MOST_NOTES:,} notes at most")
    last = connection.execute(select(func.max(notes.c.serial))).scalar() or 0
    rows = [
        {**one.model_dump(), "serial": last + place, "game": game, "text": as_json(one.text, "a note")}
        for place, one in enumerate(some, 1)
    ]
    connection.execute(insert(notes), rows)


def is_decided(connection: Connection, answer: Row) -> bool:
    """Whether the question of an answer, or its place, has one in the journal already."""
    game, number, turn, phase, seat = answer[:5]
    question = and_(answers.c.turn == turn, answers.c.phase == phase, answers.c.seat == seat)
    same = select(answers.c.game).where(answers.c.game == game, or_(question, answers.c.number == number))
    return connection.execute(same).first() is not None


def is_stored(connection: Connection, rows: Rows) -> bool:
    """Whether rows that were to be stored are, to the last bit: of a transaction that was cut nobody knows before. Rows
    without an answer, a call or an event may be stored twice."""
    given = {answers: rows.answers, calls: rows.calls, events: rows.events, sent_calls: rows.sent}
    for table, some in given.items():
        key = list(table.primary_key.columns)
        for row in some:
            wanted = dict(zip(table.c.keys(), row, strict=True))
            mine = and_(*(column == wanted[column.name] for column in key))
            found = connection.execute(select(table).where(mine)).first()
            if found is None or tuple(found) != tuple(row):
                return False
    return any(given.values())


def touch(connection: Connection) -> None:
    """Raise the revision; late in a transaction, as writers wait for each other at this row until they commit."""
    connection.execute(update(meta).values(revision=meta.c.revision + 1))


def store(run: Run, dialect: str, rows: Rows) -> None:
    """Add rows, and raise the revision, with as few statements as it takes: in SQLite one for some rows of a table, in
    PostgreSQL one in all, which is one round trip. Driver and thread share an interpreter with the event loop that
    waits, and change over at every statement."""
    given = {texts: list(rows.texts.items()), answers: rows.answers, calls: rows.calls, events: rows.events}
    given[sent_calls] = rows.sent
    if dialect == "postgresql":
        added = [_objects(table.c.keys(), some) for table, some in given.items()]
        run(_ALL_AT_ONCE, (*added, list(rows.back), _objects(ENDS, rows.ends)))
        return
    for table, some in given.items():
        for first in range(0, len(some), _AT_ONCE):
            part = some[first : first + _AT_ONCE]
            run(_insertion(table, len(part)), tuple(value for row in part for value in row))
    for first in range(0, len(rows.back), _AT_ONCE):
        gone = tuple(rows.back[first : first + _AT_ONCE])
        run(f"DELETE FROM sent_calls WHERE serial IN ({', '.join('?' * len(gone))})", gone)
    for row in rows.ends:
        run(_END, row)
    run(_TOUCH, ())


@cache
def _insertion(table: Table, count: int) -> str:
    values = ", ".join([f"({', '.join('?' * len(table.c))})"] * count)
    again = " ON CONFLICT DO NOTHING" if table is texts else ""
    return f"INSERT INTO {table.name} ({', '.join(table.c.keys())}) VALUES {values}{again}"


def _objects(columns: Sequence[str], rows: Sequence[Row]) -> str:
    """Rows as PostgreSQL takes them by the thousand: a list of JSON objects."""
    return as_json([dict(zip(columns, row, strict=True)) for row in rows], "a row") if rows else "[]"


def _read(table: Table, columns: Sequence[str]) -> str:
    """Rows of a list of JSON objects, in SQL."""
    typed = ", ".join(f"{name} {_TYPES[str(table.c[name].type)]}" for name in columns)
    return f"json_to_recordset(%s::json) AS given({typed})"


def _addition(table: Table) -> str:
    named = ", ".join(table.c.keys())
    return f"INSERT INTO {table.name} ({named}) SELECT {named} FROM {_read(table, table.c.keys())}"


_TYPES: Final = {"INTEGER": "integer", "BIGINT": "bigint", "FLOAT": "double precision", "TEXT": "text"}
_TOUCH: Final = "UPDATE meta SET revision = revision + 1"
_END: Final = (
    f"UPDATE games SET {', '.join(f'{name} = ?' for name in ENDS[:-1])} WHERE serial = ? AND state = '{PLAYING}'"
)
# The row of `meta` is taken first, as the last of these statements is the one that leads: whoever else writes waits
# there, and no two wait for each other over a text.
_ALL_AT_ONCE: Final = f"""
WITH new_texts AS (
    INSERT INTO texts (digest, text)
    SELECT digest, text FROM json_to_recordset(%s::json) AS given(digest text, text text) ORDER BY digest
    ON CONFLICT DO NOTHING
), new_answers AS ({_addition(answers)}
), new_calls AS ({_addition(calls)}
), new_events AS ({_addition(events)}
), new_sent AS ({_addition(sent_calls)}
), back AS (DELETE FROM sent_calls WHERE serial = ANY(%s::bigint[])
), ended AS (
    UPDATE games SET {", ".join(f"{name} = given.{name}" for name in ENDS[:-1])} FROM {_read(games, ENDS)}
    WHERE games.serial = given.serial AND games.state = '{PLAYING}'
) {_TOUCH}
"""
