"""What is written into the journal, each function within a transaction that it is handed: an experiment, a game that
starts, what happens in it, its end. Answers and events are only ever added."""

import json
import re
import unicodedata
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from typing import Any, Final

from sqlalchemy import Connection, Table, func, insert, select, update
from sqlalchemy.exc import IntegrityError

from ostrom.core import InputError, RecordError
from ostrom.journal.record import GameRecord, RecordedAnswer
from ostrom.journal.schema import answers, events, experiments, games, meta, runs

PLAYING: Final = "playing"
FINISHED: Final = "finished"
VOID: Final = "void"
"""A game that came to nothing; its `reason` says why."""


def _plain(value: Any) -> Any:
    if isinstance(value, Mapping):
        return dict(value)
    raise TypeError(f"a {type(value).__name__} is no JSON")


_to_json = json.JSONEncoder(allow_nan=False, separators=(",", ":"), default=_plain).encode
_KIND = re.compile(r"[a-z][a-z0-9_-]{0,39}")
_UNSEEN = ("Cc", "Zl", "Zp")
"""Unicode's categories of control characters and of what ends a line."""


class AlreadyDecided(InputError):
    """A question whose answer is in the journal already; nothing was stored."""


def add_experiment(
    connection: Connection, name: str, kind: str, settings: Mapping[str, Any], planned: int | None
) -> str:
    """Enter an experiment; its id is its kind and a number."""
    if not _KIND.fullmatch(kind):
        raise InputError(f"{kind!r} cannot be the kind of an experiment: small letters, digits, - and _ only")
    if not name.strip():
        raise InputError("an experiment needs a name")
    if any(unicodedata.category(sign) in _UNSEEN for sign in name):
        raise InputError(f"{name!r} cannot be the name of an experiment: one line without control characters only")
    storable(name, "the name of an experiment")
    # First of all, as it is the lock that keeps two writers from taking one number.
    touch(connection)
    # An id goes before a name, so that nobody would find this one by its name.
    if connection.execute(select(experiments.c.id).where(experiments.c.id == name)).first() is not None:
        raise InputError(f"{name!r} cannot be the name of an experiment: it is the id of another one")
    serial = (connection.execute(select(func.max(experiments.c.serial))).scalar() or 0) + 1
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


def add_run(connection: Connection, experiment: int, settings: Mapping[str, Any]) -> int:
    """Enter that an experiment is begun or gone on with; which time it is, counted from 1."""
    touch(connection)
    last = connection.execute(select(func.max(runs.c.number)).where(runs.c.experiment == experiment)).scalar()
    number = (last or 0) + 1
    kept = as_json(dict(settings), "the settings of a run")
    connection.execute(insert(runs), {"experiment": experiment, "number": number, "at": now(), "settings": kept})
    return number


def start(connection: Connection, experiment: str, record: GameRecord, key: str) -> str | None:
    """Enter a game with what has happened in it so far; nothing where the experiment has this key already."""
    # The experiment is locked until the game is in: two writers take two places.
    wanted = select(experiments.c.serial).where(experiments.c.id == experiment).with_for_update()
    serial = connection.execute(wanted).scalar()
    if serial is None:
        raise InputError(f"the journal has no experiment {experiment!r}")
    mine = games.c.experiment == serial
    if connection.execute(select(games.c.id).where(mine, games.c.key == key)).first() is not None:
        return None
    place = (connection.execute(select(func.max(games.c.place)).where(mine)).scalar() or 0) + 1
    entry = header(experiment, serial, place, record, key)
    connection.execute(insert(games), entry)
    append(connection, entry["id"], record.answers, record.events)
    return str(entry["id"])


def header(experiment: str, serial: int, place: int, record: GameRecord, key: str) -> dict[str, Any]:
    """The row of a game that is begun."""
    head = record.model_dump(mode="json", include={"seats", "orders"})
    return {
        "id": f"{experiment}.{place}",
        "experiment": serial,
        "place": place,
        "key": storable(key, "the key of a game"),
        "state": PLAYING,
        "started": now(),
        "ostrom": storable(record.ostrom, "the version of a game's record"),
        "game": storable(record.game, "the name of a game"),
        "seed": None if record.seed is None else str(record.seed),
        "number": record.number,
        "source": None if record.source is None else storable(record.source, "the source of a game"),
        "rules": as_json(record.rules, "the rules of a game"),
        "seats": as_json(head["seats"], "the seats of a game"),
        "orders": as_json(head["orders"], "the orders of a game"),
    }


def append(
    connection: Connection, game: str, given: Sequence[RecordedAnswer], happened: Sequence[Mapping[str, Any]]
) -> None:
    """Add answers and events to a game that is being played."""
    serial = _locked(connection, game)
    if given:
        first = _next(connection, answers, serial)
        try:
            # The savepoint leaves PostgreSQL's transaction usable for finding out which question it was.
            with connection.begin_nested():
                connection.execute(insert(answers), [_answer(serial, first + i, one) for i, one in enumerate(given)])
        except IntegrityError:
            raise AlreadyDecided(_decided(connection, serial, game, given)) from None
    if happened:
        first = _next(connection, events, serial)
        connection.execute(insert(events), [_event(serial, first + i, one) for i, one in enumerate(happened)])


def finish(connection: Connection, game: str) -> None:
    """Say that the game is over."""
    serial = _locked(connection, game)
    last = connection.execute(select(func.max(answers.c.turn)).where(answers.c.game == serial)).scalar()
    ended = {"state": FINISHED, "finished": now(), "rounds": last}
    connection.execute(update(games).where(games.c.serial == serial), ended)


def touch(connection: Connection) -> None:
    """Raise the revision; late in a transaction, as writers wait for each other at this row until they commit."""
    connection.execute(update(meta).values(revision=meta.c.revision + 1))


def now() -> str:
    """The present moment, as the journal writes it."""
    return datetime.now(UTC).isoformat(timespec="seconds")


def storable(text: str, what: str) -> str:
    """Text for a column of its own; what a database cannot hold is refused before it complains."""
    if "\x00" in text or not (text.isascii() or _encodes(text)):
        raise InputError(f"{what} cannot be kept: {text!r} holds a sign that is no text")
    return text


def _encodes(text: str) -> bool:
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


def as_json(value: Any, what: str) -> str:
    """JSON for a column."""
    try:
        return _to_json(value)
    except (TypeError, ValueError) as error:
        raise InputError(f"{what} cannot be kept: {error}") from None


def _locked(connection: Connection, game: str) -> int:
    """The serial number of the game, which nobody else can write before this transaction ends."""
    wanted = select(games.c.serial, games.c.state).where(games.c.id == game).with_for_update()
    found = connection.execute(wanted).first()
    if found is None:
        raise InputError(f"the journal has no game {game!r}")
    if found.state != PLAYING:
        raise InputError(f"the game {game} is {found.state}; nothing can be added to it")
    return int(found.serial)


def _next(connection: Connection, table: Table, serial: int) -> int:
    last = connection.execute(select(func.max(table.c.number)).where(table.c.game == serial)).scalar()
    return 0 if last is None else int(last) + 1


def _answer(serial: int, number: int, answer: RecordedAnswer) -> dict[str, Any]:
    return {
        "game": serial,
        "number": number,
        "turn": answer.turn,
        "phase": storable(answer.phase, "the phase of an answer"),
        "seat": answer.seat,
        "value": as_json(answer.value, "an answer"),
        "provenance": answer.provenance.value,
        "cut": int(answer.cut),
        "fault": None if answer.fault is None else answer.fault.value,
    }


def _event(serial: int, number: int, event: Mapping[str, Any]) -> dict[str, Any]:
    content = dict(event)
    tag, version = content.pop("event", None), content.pop("version", None)
    if not isinstance(tag, str) or type(version) is not int:
        raise RecordError(f"event {number + 1} of the game has no name or no version; it cannot be kept")
    storable(tag, "the name of an event")
    return {"game": serial, "number": number, "tag": tag, "version": version, "payload": as_json(content, tag)}


def _decided(connection: Connection, serial: int, game: str, given: Sequence[RecordedAnswer]) -> str:
    """Which of the questions was decided before, in words."""
    asked = select(answers.c.turn, answers.c.phase, answers.c.seat).where(answers.c.game == serial)
    known = {tuple(row) for row in connection.execute(asked)}
    for one in given:
        question = (one.turn, one.phase, one.seat)
        if question in known:
            return f"seat {one.seat} of the game {game} has decided on {one.phase!r} in turn {one.turn} already"
        known.add(question)
    return f"somebody else is writing the game {game}"
