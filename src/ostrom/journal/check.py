"""Finds rows of a journal that keep it from being read: figures that no call comes to, JSON that is none, words that
nobody knows, rows of games that are not there. What is to be done about each is said here, too; `repair` does it."""

import json
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, Final, NamedTuple, TypeAlias

from sqlalchemy import BigInteger, Connection, Float, Integer, LargeBinary, Table

from ostrom.core import Fault, Provenance
from ostrom.core.errors import OstromError
from ostrom.core.plugins import GAMES
from ostrom.journal import overview, read, results
from ostrom.journal.engine import Database
from ostrom.journal.record import LONGEST_NOTE, GameRecord, with_tellings
from ostrom.journal.rows import MOST_DOLLARS, MOST_TOKENS
from ostrom.journal.schema import FINISHED, PLAYING, VOID, games, metadata
from ostrom.journal.summaries import LABEL

REMOVE: Final = "the row is removed"
SET_ASIDE: Final = "the game becomes void"
REBUILD: Final = "the events are made again from the decisions by 'ostrom resume'"
RECOVER: Final = "the game goes to the experiment that its id names"
RENAME: Final = "the row gets another name"
REMEDIES: Final = (REMOVE, SET_ASIDE, REBUILD, RECOVER, RENAME)
_LONGEST: Final = 80
_PAGE: Final = 500

Sound: TypeAlias = Callable[[Any], bool]


class Rule(NamedTuple):
    """What a column holds, and what stands in place of something else."""

    what: str
    sound: Sound
    instead: Any = None
    """A value, or one of `REMEDIES`."""


@dataclass(frozen=True, slots=True)
class Problem:
    """One thing that is wrong."""

    table: str
    row: Any
    """Where the database keeps it."""
    where: str
    """In words: the game and the column."""
    what: str
    remedy: str
    column: str = ""
    instead: Any = None
    game: int | None = None
    """The serial number of the game whose row it is."""

    def __str__(self) -> str:
        return f"{self.where}: {self.what}; {self.remedy}"


def _whole(low: int = 0, high: int = 2**31 - 1) -> Sound:
    return lambda value: type(value) is int and low <= value <= high


def _figure(high: float) -> Sound:
    return lambda value: _any_figure(value) and 0 <= value <= high


def _any_figure(value: Any) -> bool:
    # Whole numbers of JSON can be longer than any float, which cannot even be asked whether they are finite.
    return type(value) in (int, float) and abs(value) <= sys.float_info.max


def _is_text(value: Any) -> bool:
    return isinstance(value, str) and read.is_text(value)


def _is_label(value: Any) -> bool:
    return isinstance(value, str) and LABEL.fullmatch(value) is not None


def _json(*kinds: type) -> Sound:
    def sound(value: Any) -> bool:
        try:
            return _is_text(value) and isinstance(read.decoded(value), kinds or object)
        except (ValueError, RecursionError):
            return False

    return sound


def _one_of(*words: str) -> Sound:
    return lambda value: value in words


def _numbers(value: Any) -> bool:
    found = _json(list)(value) and read.decoded(value)
    return isinstance(found, list) and all(one is None or _any_figure(one) for one in found)


def _seats(value: Any) -> bool:
    return _json(list)(value) and all(isinstance(one, dict) and "player" in one for one in read.decoded(value))


def _prompt(value: Any) -> bool:
    if not _json(list)(value):
        return False
    return all(
        isinstance(line, list) and len(line) == 2 and isinstance(line[0], str) and read.is_digest(line[1])
        for line in read.decoded(value)
    )


def _note(value: Any) -> bool:
    return _json(str)(value) and len(read.decoded(value)) <= LONGEST_NOTE


_OBJECT: Final = ("a JSON object", _json(dict))
_LIST: Final = ("a JSON list", _json(list))
_JSON_TEXT: Final = ("a JSON text", _json(str))
_TOKENS: Final = Rule(f"a whole number up to {MOST_TOKENS:,}", _whole(0, MOST_TOKENS))
_DOLLARS: Final = Rule(f"a number from 0 to {MOST_DOLLARS:,.0f}", _figure(MOST_DOLLARS))
_MOST_TIME: Final = 64
_MOMENT: Final = "1970-01-01T00:00:00+00:00"
RULES: Final[Mapping[str, Mapping[str, Rule]]] = {
    "meta": {"revision": Rule("a whole number", _whole(0, 2**62), 0)},
    "experiments": {
        "id": Rule("text", _is_text, RENAME),
        "settings": Rule(*_OBJECT, "{}"),
        "created": Rule("text", _is_text, _MOMENT),
    },
    "runs": {"settings": Rule(*_OBJECT, "{}"), "at": Rule("text", _is_text, _MOMENT)},
    "games": {
        "id": Rule("text", _is_text, RENAME),
        "experiment": Rule("a whole number", _whole(), RECOVER),
        "place": Rule("a whole number", _whole(), RENAME),
        "key": Rule("text", _is_text, RENAME),
        "state": Rule("a state of games", _one_of(PLAYING, FINISHED, VOID), SET_ASIDE),
        "seed": Rule("a whole number", _json(int)),
        "number": Rule("a whole number", _whole(0, 2**63 - 1), 0),
        "rules": Rule(*_OBJECT, SET_ASIDE),
        "seats": Rule("a JSON list of players", _seats, SET_ASIDE),
        "orders": Rule(*_LIST, SET_ASIDE),
        "reason": Rule(*_JSON_TEXT),
        "finals": Rule("a JSON list of numbers", _numbers),
        "tallies": Rule(*_LIST, REBUILD),
        "decisions": Rule("text", _is_text, REBUILD),
    },
    "answers": {
        "value": Rule("JSON", _json(), SET_ASIDE),
        "provenance": Rule("a kind of answer", _one_of(*(one.value for one in Provenance)), SET_ASIDE),
        "cut": Rule("0 or 1", _whole(0, 1), 0),
        "fault": Rule("a fault", _one_of(*(one.value for one in Fault))),
    },
    "events": {name: Rule(*_OBJECT, REBUILD) for name in ("payload",)}
    | {"tag": Rule("text", _is_text, REBUILD), "version": Rule("a whole number", _whole(), REBUILD)},
    "calls": {
        "at": Rule("text", _is_text, _MOMENT),
        "model": Rule("text", _is_text, "unknown"),
        "fault": Rule("a fault", _one_of(*(one.value for one in Fault)), Fault.SERVER_ERROR.value),
        "input_tokens": _TOKENS,
        "output_tokens": _TOKENS,
        "latency": Rule("a number of seconds", _figure(1e9), 0.0),
        "cost": _DOLLARS,
        "reserved": _DOLLARS._replace(instead=0.0),
        "settings": Rule("text", _is_text, ""),
        "prompt": Rule("a prompt", _prompt, "[]"),
        "finish_reason": Rule(*_JSON_TEXT),
        "error": Rule(*_JSON_TEXT),
        "extra": Rule(*_OBJECT, "{}"),
        "reply": Rule(*_JSON_TEXT),
    },
    "sent_calls": {
        "at": Rule("text", _is_text, _MOMENT),
        "model": Rule("text", _is_text, "unknown"),
        "dollars": _DOLLARS._replace(instead=0.0),
        "tokens": _TOKENS._replace(instead=0),
    },
    "texts": {"text": Rule(*_JSON_TEXT, json.dumps("(lost)"))},
    "tidy_tables": {"content": Rule("bytes", lambda value: isinstance(value, bytes), REMOVE)},
    "summaries": {name: Rule(*_LIST, REMOVE) for name in ("winners", "highlights", "course")}
    | {name: Rule("a number", _any_figure, None) for name in ("best", "course_mean")}
    | {name: Rule("a whole number", _whole(), REMOVE) for name in ("form", "winner_count")},
    "messages": {
        "serial": Rule("a whole number", _whole(0, 2**63 - 1), REMOVE),
        "player": Rule("text", _is_text, REMOVE),
        "label": Rule("a label", _is_label, REMOVE),
        "details": Rule(*_OBJECT),
    },
    "message_texts": {
        "serial": Rule("a whole number", _whole(0, 2**63 - 1), REMOVE),
        "text": Rule("text", _is_text, REMOVE),
        "player": Rule("text", _is_text, REMOVE),
        "label": Rule("a label", _is_label, REMOVE),
    },
    "attachments": {"content": Rule("bytes", lambda value: isinstance(value, bytes), REMOVE)},
    "notes": {
        "moment": Rule("a whole number", _whole(), REMOVE),
        "at": Rule("a moment", lambda value: _is_text(value) and len(value) <= _MOST_TIME, _MOMENT),
        "text": Rule("a JSON text of a note", _note, REMOVE),
    },
}
"""What columns hold beyond their types."""


def rule_of(table: Table, column: str) -> Rule:
    """What a column holds: as said above, or by its type. A row whose key is damaged cannot be kept."""
    if column in RULES.get(table.name, {}):
        return RULES[table.name][column]
    found = table.c[column]
    names = found.primary_key or bool(found.foreign_keys) or column in ("place", "turn", "phase", "seat", "key", "id")
    instead = None if found.nullable else REMOVE if names else "damaged"
    match found.type:
        case BigInteger():
            return Rule("a whole number", _whole(0, 2**63 - 1), instead)
        case Integer():
            return Rule("a whole number", _whole(), REMOVE if instead == "damaged" else instead)
        case Float():
            return Rule("a number", _figure(1e300), 0.0)
        case LargeBinary():
            return Rule("bytes", lambda value: isinstance(value, bytes), instead)
    return Rule("text", _is_text, instead)


def problems(database: Database) -> Iterator[Problem]:
    """Everything that is wrong with the rows of a journal. Single columns first; of a journal in which these are sound,
    also what keeps whole games, or the overview, from being read."""
    with database.reading() as connection:
        found = False
        with _leniently(connection):
            for problem in _in_rows(connection):
                found = True
                yield problem
        if not found:
            yield from _in_games(connection)


def _in_rows(connection: Connection) -> Iterator[Problem]:
    names = {row[0]: row[1] for row in connection.exec_driver_sql("SELECT serial, id FROM games")}
    for table in metadata.sorted_tables:
        for row in rows_of(connection, table):
            yield from _in_row(table, row, names)
    yield from _lost(connection)


def _in_row(table: Table, row: Mapping[str, Any], names: Mapping[int, str]) -> Iterator[Problem]:
    serial = row["serial"] if table is games else row.get("game")
    serial = serial if type(serial) is int else None
    for column in (one.name for one in table.columns):
        value = row[column]
        if value is None and table.c[column].nullable:
            continue
        rule = rule_of(table, column)
        if value is not None and rule.sound(value):
            continue
        key = ".".join(_shown(row[one.name]) for one in table.primary_key.columns if one.name != "game")
        whose = f"the game {names[serial]}, " if serial is not None and serial in names else ""
        where = f"{whose}{table.name}.{key}.{column}"
        remedy = rule.instead if rule.instead in REMEDIES else _becomes(rule.instead)
        what = f"{_shown(value)} is not {rule.what}"
        yield Problem(table.name, row["row"], where, what, remedy, column, rule.instead, serial)


def _becomes(instead: Any) -> str:
    return "it becomes unknown" if instead is None else f"it becomes {_shown(instead)}"


def _shown(value: Any) -> str:
    text = ascii(value) if not isinstance(value, str) else ascii(value)[1:-1]
    return text if len(text) <= _LONGEST else f"{text[: _LONGEST - 1]}…"


def _lost(connection: Connection) -> Iterator[Problem]:
    """References to rows that are not there."""
    row = "rowid" if connection.dialect.name == "sqlite" else "ctid::text"
    for table in metadata.sorted_tables:
        for key in table.foreign_keys:
            column, there = key.parent.name, key.column
            lost = f"SELECT {row} FROM {table.name} WHERE {column} NOT IN (SELECT {there.name} FROM {there.table.name})"
            for (place,) in connection.exec_driver_sql(lost).all():
                where, what = f"{table.name} {place}.{column}", f"there is no such row of {there.table.name}"
                remedy = RECOVER if table is games else REMOVE
                yield Problem(table.name, place, where, what, remedy, column, remedy)
    for user, column in (("calls", "settings"), ("games", "scene")):
        # What is null is in no empty list either.
        gone = f"{column} IS NOT NULL AND {column} NOT IN (SELECT digest FROM texts)"
        lost = f"SELECT DISTINCT {column} FROM {user} WHERE {gone}"
        for (digest,) in connection.exec_driver_sql(lost).all():
            yield _missing(digest, f"{user}.{column}", "{}")
    yield from _lost_lines(connection)


def _lost_lines(connection: Connection) -> Iterator[Problem]:
    known: set[str] = set()
    seen = connection.exec_driver_sql("SELECT DISTINCT prompt FROM calls")
    while some := seen.fetchmany(_PAGE):
        digests = {digest for (prompt,) in some if _prompt(prompt) for _, digest in read.decoded(prompt)} - known
        for digest in sorted(digests - read.known_digests(connection, digests)):
            yield _missing(digest, "calls.prompt", "(lost)")
        known |= digests


def _missing(digest: Any, where: str, text: str) -> Problem:
    return Problem(
        "texts",
        None,
        f"{where} {_shown(digest)}",
        "the text is missing",
        "it becomes empty",
        str(digest),
        json.dumps(text),
    )


def _in_games(connection: Connection) -> Iterator[Problem]:
    """Games that cannot be read although each of their columns can."""
    for head in connection.execute(read.headers().order_by(games.c.serial)).all():
        try:
            if head.state == FINISHED:
                results.check_result(head)
        except OstromError as error:
            yield Problem("games", None, f"the game {head.id}", str(error), REBUILD, "", REBUILD, head.serial)
            continue
        try:
            overview.game_row(head)
            [record] = read.records_of(connection, [head])
            read.calls_of(connection, head.serial, head.id)
        except (OstromError, ValueError, TypeError, OverflowError) as error:
            if head.state != VOID:
                what = " ".join(str(error).split())
                yield Problem("games", None, f"the game {head.id}", what, SET_ASIDE, "", SET_ASIDE, head.serial)
            continue
        misfit = None if head.state == VOID else _misfit(record, finished=head.state == FINISHED)
        if misfit is not None:
            # Where there is no event left, the decisions, the rules or the seats are to blame.
            table, remedy = ("events", REBUILD) if record.events else ("games", SET_ASIDE)
            yield Problem(table, None, f"the game {head.id}, its events", misfit, remedy, "", remedy, head.serial)


def _misfit(record: GameRecord, *, finished: bool) -> str | None:
    """Why the game that is installed can make nothing of a record's events, each of which can be read."""
    if record.game not in GAMES:
        return None
    try:
        told = with_tellings(record)
    except OstromError as error:
        return " ".join(str(error).split())
    except Exception as error:  # of any kind: it is the game's own code, which trusts what it has recorded itself
        return f"they do not fit together ({type(error).__name__} in the game's own account of them)"
    if finished and told.finals is None and GAMES[record.game].finals is not None:
        return "they do not come to an end"
    return None


def rows_of(connection: Connection, table: Table) -> Iterator[dict[str, Any]]:
    """The rows of a table as they are, even where SQLite holds what the column's type does not allow; `row` says where
    each is kept."""
    place = "rowid" if connection.dialect.name == "sqlite" else "ctid::text"
    names = [column.name for column in table.columns]
    found = connection.exec_driver_sql(f"SELECT {place}, {', '.join(names)} FROM {table.name}")
    while some := found.fetchmany(_PAGE):
        for row in some:
            yield dict(zip(("row", *names), row, strict=True))


@contextmanager
def _leniently(connection: Connection) -> Iterator[None]:
    """Text that is not UTF-8 comes as something that is no text, rather than as an error."""
    if connection.dialect.name != "sqlite":
        yield
        return
    driver: Any = connection.connection.driver_connection
    driver.text_factory = lambda raw: raw.decode("utf-8", "surrogateescape")
    try:
        yield
    finally:
        driver.text_factory = str


def damage_of_file(database: Database) -> Sequence[str]:
    """What SQLite itself finds wrong with a file, if anything."""
    if database.location.file is None:
        return ()
    with database.reading() as connection:
        found = [str(row[0]) for row in connection.exec_driver_sql("PRAGMA integrity_check(20)")]
    return [] if found == ["ok"] else found
