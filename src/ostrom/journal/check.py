"""Find rows that make a journal unreadable, such as out-of-range numbers, invalid JSON, unknown enum values, and rows
whose game is missing. Each problem is reported with its remedy, which `repair` applies."""

import json
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, Final, NamedTuple, TypeAlias

from sqlalchemy import BigInteger, Connection, Float, Integer, LargeBinary, Table

from ostrom.core import Fault, Provenance
from ostrom.core.errors import OstromError
from ostrom.core.game import figures_of
from ostrom.core.plugins import GAMES
from ostrom.journal import overview, read, results
from ostrom.journal.engine import Database
from ostrom.journal.record import LONGEST_NOTE, GameRecord, rules_of, with_tellings
from ostrom.journal.rows import MOST_DOLLARS, MOST_TOKENS
from ostrom.journal.schema import (
    DAMAGED_ENTRY,
    ENDED,
    FINISHED,
    PLAIN_CALL_FIELDS,
    PLAYING,
    SESSION_STATES,
    TOKEN_FIELDS,
    TOKEN_PURPOSES,
    VOID,
    games,
    metadata,
)
from ostrom.journal.summaries import LABEL

REMOVE: Final = "the row is removed"
SET_ASIDE: Final = "the game becomes void"
REBUILD: Final = "the events are computed again from the decisions when the game is resumed"
RECOVER: Final = "the game is assigned to the experiment in its id"
RENAME: Final = "the row gets another name"
REMEDIES: Final = (REMOVE, SET_ASIDE, REBUILD, RECOVER, RENAME)
_MAX_SHOWN_CHARACTERS: Final = 80
_BATCH_SIZE: Final = 500
_PROGRESS_STEP: Final = 50
_ROWS_STEP: Final = 5_000

Sound: TypeAlias = Callable[[Any], bool]


class ColumnRule(NamedTuple):
    """The valid values of a column, and the value that replaces an invalid one."""

    what: str
    sound: Sound
    instead: Any = None
    """The replacement for an invalid value: a value, or one of `REMEDIES`."""


@dataclass(frozen=True, slots=True)
class RowProblem:
    """One problem of a journal."""

    table: str
    row: Any
    """The id by which the database itself identifies the row."""
    where: str
    """The game and the column, in words for users."""
    what: str
    remedy: str
    column: str = ""
    instead: Any = None
    game: int | None = None
    """The serial number of the game to which the row belongs."""

    def __str__(self) -> str:
        return f"{self.where}: {self.what}; {self.remedy}"


def _integer(low: int = 0, high: int = 2**31 - 1) -> Sound:
    return lambda value: type(value) is int and low <= value <= high


def _figure(high: float) -> Sound:
    return lambda value: _is_number(value) and 0 <= value <= high


def _is_number(value: Any) -> bool:
    # Integers in JSON can be larger than every float, and math.isfinite raises an error for such integers.
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
    values = _json(list)(value) and read.decoded(value)
    return isinstance(values, list) and all(number is None or _is_number(number) for number in values)


def _seats(value: Any) -> bool:
    return _json(list)(value) and all(isinstance(seat, dict) and "player" in seat for seat in read.decoded(value))


def _prompt(value: Any) -> bool:
    if not _json(list)(value):
        return False
    return all(
        isinstance(line, list) and len(line) == 2 and isinstance(line[0], str) and read.is_digest(line[1])
        for line in read.decoded(value)
    )


def _note(value: Any) -> bool:
    return _json(str)(value) and len(read.decoded(value)) <= LONGEST_NOTE


_FAULT: Final = _one_of(*(fault.value for fault in Fault))
_OBJECT: Final = ("a JSON object", _json(dict))
_LIST: Final = ("a JSON list", _json(list))
_JSON_TEXT: Final = ("a JSON text", _json(str))
_TOKENS: Final = ColumnRule(f"a whole number up to {MOST_TOKENS:,}", _integer(0, MOST_TOKENS))
_DOLLARS: Final = ColumnRule(f"a number from 0 to {MOST_DOLLARS:,.0f}", _figure(MOST_DOLLARS))
_MAX_TIME_CHARACTERS: Final = 64
_MOMENT: Final = "1970-01-01T00:00:00+00:00"
RULES: Final[Mapping[str, Mapping[str, ColumnRule]]] = {
    "meta": {"revision": ColumnRule("a whole number", _integer(0, 2**62), 0)},
    "experiments": {
        "id": ColumnRule("text", _is_text, RENAME),
        "settings": ColumnRule(*_OBJECT, "{}"),
        "created": ColumnRule("text", _is_text, _MOMENT),
    },
    "runs": {"settings": ColumnRule(*_OBJECT, "{}"), "at": ColumnRule("text", _is_text, _MOMENT)},
    "games": {
        "id": ColumnRule("text", _is_text, RENAME),
        "experiment": ColumnRule("a whole number", _integer(), RECOVER),
        "place": ColumnRule("a whole number", _integer(), RENAME),
        "key": ColumnRule("text", _is_text, RENAME),
        "state": ColumnRule("a state of games", _one_of(PLAYING, FINISHED, VOID), SET_ASIDE),
        "seed": ColumnRule("a whole number", _json(int)),
        "number": ColumnRule("a whole number", _integer(0, 2**63 - 1), 0),
        "rules": ColumnRule(*_OBJECT, SET_ASIDE),
        "seats": ColumnRule("a JSON list of players", _seats, SET_ASIDE),
        "orders": ColumnRule(*_LIST, SET_ASIDE),
        "reason": ColumnRule(*_JSON_TEXT),
        "finals": ColumnRule("a JSON list of numbers", _numbers),
        "tallies": ColumnRule(*_LIST, REBUILD),
        "decisions": ColumnRule("text", _is_text, REBUILD),
    },
    "answers": {
        "value": ColumnRule("JSON", _json(), SET_ASIDE),
        "provenance": ColumnRule("a kind of answer", _one_of(*(kind.value for kind in Provenance)), SET_ASIDE),
        "cut": ColumnRule("0 or 1", _integer(0, 1), 0),
        "fault": ColumnRule("a fault", _FAULT),
    },
    "events": {
        "payload": ColumnRule(*_OBJECT, REBUILD),
        "tag": ColumnRule("text", _is_text, REBUILD),
        "version": ColumnRule("a whole number", _integer(), REBUILD),
    },
    "calls": {
        "at": ColumnRule("text", _is_text, _MOMENT),
        "model": ColumnRule("text", _is_text, "unknown"),
        "fault": ColumnRule("a fault", _FAULT, Fault.SERVER_ERROR.value),
        **dict.fromkeys(TOKEN_FIELDS, _TOKENS),
        "latency": ColumnRule("a number of seconds", _figure(1e9), 0.0),
        "cost": _DOLLARS,
        "reserved": _DOLLARS._replace(instead=0.0),
        "settings": ColumnRule("text", _is_text, ""),
        "prompt": ColumnRule("a prompt", _prompt, "[]"),
        "extra": ColumnRule(*_OBJECT, "{}"),
        **{name: ColumnRule(*_JSON_TEXT) for name, kind in PLAIN_CALL_FIELDS.items() if kind is str},
    },
    "sent_calls": {
        "at": ColumnRule("text", _is_text, _MOMENT),
        "model": ColumnRule("text", _is_text, "unknown"),
        "dollars": _DOLLARS._replace(instead=0.0),
        "tokens": _TOKENS._replace(instead=0),
    },
    "batches": {"state": ColumnRule(*_JSON_TEXT, json.dumps("unknown"))},
    "texts": {"text": ColumnRule(*_JSON_TEXT, json.dumps("(lost)"))},
    "tidy_tables": {"content": ColumnRule("bytes", lambda value: isinstance(value, bytes), REMOVE)},
    "summaries": {name: ColumnRule(*_LIST, REMOVE) for name in ("winners", "highlights", "course")}
    | {name: ColumnRule("a number", _is_number, None) for name in ("best", "course_mean")}
    | {name: ColumnRule("a whole number", _integer(), REMOVE) for name in ("form", "winner_count")},
    "messages": {
        "serial": ColumnRule("a whole number", _integer(0, 2**63 - 1), REMOVE),
        "player": ColumnRule("text", _is_text, REMOVE),
        "label": ColumnRule("a label", _is_label, REMOVE),
        "details": ColumnRule(*_OBJECT),
    },
    "message_texts": {
        "serial": ColumnRule("a whole number", _integer(0, 2**63 - 1), REMOVE),
        "text": ColumnRule("text", _is_text, REMOVE),
        "player": ColumnRule("text", _is_text, REMOVE),
        "label": ColumnRule("a label", _is_label, REMOVE),
    },
    "sessions": {
        "id": ColumnRule("text", _is_text, RENAME),
        "code": ColumnRule("text", _is_text, RENAME),
        "created": ColumnRule("text", _is_text, _MOMENT),
        "state": ColumnRule("a state of sessions", _one_of(*SESSION_STATES), ENDED),
        "settings": ColumnRule(*_OBJECT, "{}"),
    },
    # A damaged entry keeps its number, since the numbers of a session have no gaps.
    "session_entries": {
        "at": ColumnRule("text", _is_text, _MOMENT),
        "kind": ColumnRule("text", _is_text, DAMAGED_ENTRY),
        "data": ColumnRule(*_OBJECT, json.dumps({DAMAGED_ENTRY: True})),
    },
    "session_personal": {
        "value": ColumnRule("JSON", _json(), REMOVE),
        "at": ColumnRule("text", _is_text, _MOMENT),
    },
    # A token without a participant may be the host's, so damage never turns a token into such a one.
    "session_tokens": {
        "participant": ColumnRule("a whole number", _integer(), REMOVE),
        "purpose": ColumnRule("a purpose", _one_of(*TOKEN_PURPOSES), REMOVE),
    },
    "attachments": {"content": ColumnRule("bytes", lambda value: isinstance(value, bytes), REMOVE)},
    "notes": {
        "moment": ColumnRule("a whole number", _integer(), REMOVE),
        "at": ColumnRule("a moment", lambda value: _is_text(value) and len(value) <= _MAX_TIME_CHARACTERS, _MOMENT),
        "text": ColumnRule("a JSON text of a note", _note, REMOVE),
    },
}
"""The valid values of columns for which the type of the column is not enough to decide."""


def rule_of(table: Table, column: str) -> ColumnRule:
    """Return the rule of a column: its entry in `RULES`, or else the rule for its type. If a column of the key is
    damaged, the rule removes the row."""
    if column in RULES.get(table.name, {}):
        return RULES[table.name][column]
    definition = table.c[column]
    names = (
        definition.primary_key
        or bool(definition.foreign_keys)
        or column in ("place", "turn", "phase", "seat", "key", "id")
    )
    instead = None if definition.nullable else REMOVE if names else "damaged"
    match definition.type:
        case BigInteger():
            return ColumnRule("a whole number", _integer(0, 2**63 - 1), instead)
        case Integer():
            return ColumnRule("a whole number", _integer(), REMOVE if instead == "damaged" else instead)
        case Float():
            return ColumnRule("a number", _figure(1e300), 0.0)
        case LargeBinary():
            return ColumnRule("bytes", lambda value: isinstance(value, bytes), instead)
    return ColumnRule("text", _is_text, instead)


def problems(database: Database, progress: Callable[..., None] = lambda **_: None) -> Iterator[RowProblem]:
    """Yield all problems of a journal's rows. Single columns are checked first. If all of them are valid, whole games
    and the overview are checked too. `progress` is called with the number of rows, and then of games, that are
    `completed`, their `total`, and what they are (`description`)."""
    with database.reading() as connection:
        damaged = False
        with _leniently(connection):
            for problem in _in_rows(connection, progress):
                damaged = True
                yield problem
        if not damaged:
            yield from _in_games(connection, progress)


def _in_rows(connection: Connection, progress: Callable[..., None]) -> Iterator[RowProblem]:
    names = {row[0]: row[1] for row in connection.exec_driver_sql("SELECT serial, id FROM games")}
    counts = [connection.exec_driver_sql(f"SELECT COUNT(*) FROM {table.name}") for table in metadata.sorted_tables]
    total = sum(count.scalar_one() for count in counts)
    rows = ((table, row) for table in metadata.sorted_tables for row in rows_of(connection, table))
    for place, (table, row) in enumerate(rows):
        if place % _ROWS_STEP == 0:
            progress(description="rows", completed=place, total=total)
        yield from _in_row(table, row, names)
    yield from _missing_references(connection)


def _in_row(table: Table, row: Mapping[str, Any], names: Mapping[int, str]) -> Iterator[RowProblem]:
    serial = row["serial"] if table is games else row.get("game")
    serial = serial if type(serial) is int else None
    for column in table.c.keys():  # noqa: SIM118
        value = row[column]
        if value is None and table.c[column].nullable:
            continue
        rule = rule_of(table, column)
        if value is not None and rule.sound(value):
            continue
        key = ".".join(
            _brief(row[key_column.name]) for key_column in table.primary_key.columns if key_column.name != "game"
        )
        owner = f"the game {names[serial]}, " if serial is not None and serial in names else ""
        place = f"{owner}{table.name}.{key}.{column}"
        remedy = rule.instead if rule.instead in REMEDIES else _becomes(rule.instead)
        problem = f"{_brief(value)} is not {rule.what}"
        yield RowProblem(table.name, row["row"], place, problem, remedy, column, rule.instead, serial)


def _becomes(instead: Any) -> str:
    return "it becomes unknown" if instead is None else f"it becomes {_brief(instead)}"


def _brief(value: Any) -> str:
    text = ascii(value) if not isinstance(value, str) else ascii(value)[1:-1]
    return text if len(text) <= _MAX_SHOWN_CHARACTERS else f"{text[: _MAX_SHOWN_CHARACTERS - 1]}…"


def _missing_references(connection: Connection) -> Iterator[RowProblem]:
    """Yield the references to rows that do not exist."""
    row = "rowid" if connection.dialect.name == "sqlite" else "ctid::text"
    for table in metadata.sorted_tables:
        for key in table.foreign_keys:
            column, target = key.parent.name, key.column
            query = (
                f"SELECT {row} FROM {table.name} WHERE {column} NOT IN (SELECT {target.name} FROM {target.table.name})"
            )
            for (place,) in connection.exec_driver_sql(query).all():
                owner, problem = f"{table.name} {place}.{column}", f"there is no such row of {target.table.name}"
                remedy = RECOVER if table is games else REMOVE
                yield RowProblem(table.name, place, owner, problem, remedy, column, remedy)
    for user, column in (("calls", "settings"), ("games", "scene")):
        # NULL must be excluded explicitly: if there are no texts, SQL counts NULL as not in the empty list.
        condition = f"{column} IS NOT NULL AND {column} NOT IN (SELECT digest FROM texts)"
        query = f"SELECT DISTINCT {column} FROM {user} WHERE {condition}"
        for (digest,) in connection.exec_driver_sql(query).all():
            yield _missing_text(digest, f"{user}.{column}", "{}")
    yield from _missing_prompt_lines(connection)


def _missing_prompt_lines(connection: Connection) -> Iterator[RowProblem]:
    checked: set[str] = set()
    prompts = connection.exec_driver_sql("SELECT DISTINCT prompt FROM calls")
    while chunk := prompts.fetchmany(_BATCH_SIZE):
        digests = {digest for (prompt,) in chunk if _prompt(prompt) for _, digest in read.decoded(prompt)} - checked
        for digest in sorted(digests - read.known_digests(connection, digests)):
            yield _missing_text(digest, "calls.prompt", "(lost)")
        checked |= digests


def _missing_text(digest: Any, owner: str, text: str) -> RowProblem:
    place, problem, remedy = f"{owner} {_brief(digest)}", "the text is missing", "it becomes empty"
    return RowProblem("texts", None, place, problem, remedy, str(digest), json.dumps(text))


def _in_games(connection: Connection, progress: Callable[..., None]) -> Iterator[RowProblem]:
    """Yield games that are unreadable although each of their columns is valid."""
    heads = connection.execute(read.headers().order_by(games.c.serial)).all()
    for place, head in enumerate(heads):
        if place % _PROGRESS_STEP == 0:
            progress(description="games", completed=place, total=len(heads))
        try:
            if head.state == FINISHED:
                results.check_result(head)
        except OstromError as error:
            yield RowProblem("games", None, f"the game {head.id}", str(error), REBUILD, "", REBUILD, head.serial)
            continue
        try:
            overview.game_row(head)
            [record] = read.records_of(connection, [head])
            read.calls_of(connection, head.serial, head.id)
        except (OstromError, ValueError, TypeError, OverflowError) as error:
            if head.state != VOID:
                problem = " ".join(str(error).split())
                yield RowProblem("games", None, f"the game {head.id}", problem, SET_ASIDE, "", SET_ASIDE, head.serial)
            continue
        misfit = None if head.state == VOID else _misfit(record, finished=head.state == FINISHED)
        if misfit is not None:
            # If there are no events, the fault must be in the decisions, the rules or the seats.
            table, remedy = ("events", REBUILD) if record.events else ("games", SET_ASIDE)
            yield RowProblem(table, None, f"the game {head.id}, its events", misfit, remedy, "", remedy, head.serial)


def _misfit(record: GameRecord, *, finished: bool) -> str | None:
    """Return the reason why the installed game rejects the events of a record, or None."""
    if record.game not in GAMES:
        return None
    try:
        narrated = with_tellings(record)
        if finished:
            game = GAMES[record.game]
            figures_of(game, rules_of(game, record.rules), [game.events.decode(event) for event in record.events])
    except OstromError as error:
        return " ".join(str(error).split())
    except Exception as error:  # The game's own code trusts its events, so it may raise any error.
        return f"they do not fit together ({type(error).__name__} in the game's own account of them)"
    if finished and narrated.finals is None and GAMES[record.game].finals is not None:
        return "they do not come to an end"
    return None


def rows_of(connection: Connection, table: Table) -> Iterator[dict[str, Any]]:
    """Yield the rows of a table without converting values. SQLite may store a value of a type that the column does not
    declare. The column `row` has the id by which the database itself identifies the row."""
    place = "rowid" if connection.dialect.name == "sqlite" else "ctid::text"
    names = [column.name for column in table.columns]
    result = connection.exec_driver_sql(f"SELECT {place}, {', '.join(names)} FROM {table.name}")
    while chunk := result.fetchmany(_BATCH_SIZE):
        for row in chunk:
            yield dict(zip(("row", *names), row, strict=True))


@contextmanager
def _leniently(connection: Connection) -> Iterator[None]:
    """Read text that is not UTF-8 as an invalid text within this context, instead of raising an error."""
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
    """Return the damage that SQLite reports for a file, if any."""
    if database.location.file is None:
        return ()
    with database.reading() as connection:
        report = [str(row[0]) for row in connection.exec_driver_sql("PRAGMA integrity_check(20)")]
    return [] if report == ["ok"] else report
