"""Read from the journal: experiments and games by name, the values of columns, whole records of games, records for
studies, and the state of an unfinished game. Each function works within a transaction of the caller. An error names the
damaged row."""

import difflib
import json
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Annotated, Any, Final, NamedTuple, NoReturn, TypeAlias

from pydantic import Field, TypeAdapter, ValidationError
from pydantic_core import from_json as fast_from_json
from sqlalchemy import Column, Connection, Row, Select, Table, bindparam, func, or_, select

from ostrom.core import Answer, Call, Fault, Line, Provenance, QuestionKey, Usage
from ostrom.core.errors import InputError, OstromError, RecordError, UnknownName
from ostrom.core.files import MAX_DEPTH, check_depth
from ostrom.core.plugins import GAMES
from ostrom.core.questions import DISTRIBUTION
from ostrom.core.text import first_problem
from ostrom.journal.record import GameRecord, RecordedSeat
from ostrom.journal.schema import (
    DELETED,
    PLAIN_CALL_FIELDS,
    TOKEN_FIELDS,
    answers,
    calls,
    events,
    experiments,
    games,
    notes,
    texts,
)

Header: TypeAlias = Row[Any]
"""A row of `headers`: the columns of a game, without its answers and events."""

_TEXTS_PER_QUERY: Final = 500
"""The number of texts that one statement reads."""
_MAX_COMPARED_NAMES: Final = 100
"""The number of known names that are compared with an unknown name to find suggestions."""
_SEATS: Final = TypeAdapter(list[RecordedSeat])
_PROBABILITIES: Final = TypeAdapter(dict[str, Annotated[float, Field(ge=0, le=1)]])
_PROVENANCE: Final = {provenance.value: provenance for provenance in Provenance}


class KeptGame(NamedTuple):
    """A finished game of the journal."""

    game: str
    experiment: str
    record: GameRecord
    """The record of the game. A record that was read for a study has an `AnswerProvenance` in place of each answer, and
    no orders."""


class AnswerProvenance(NamedTuple):
    """The seat and provenance of an answer. The value of the answer can be derived from the events."""

    turn: int
    phase: str
    seat: int
    provenance: Provenance
    seconds: float | None = None
    """The total time of the calls for the answer, over all attempts; None if there were no calls."""
    distribution: Mapping[str, float] | None = None
    """The model's probability of each legal answer, by the answer's text; None if the answer was not drawn from such
    probabilities."""


def experiment_named(connection: Connection, name: str) -> tuple[int, str]:
    """Return the serial number and the id of an experiment. `name` is its id, or its name if no other experiment has
    the same name."""
    return _named(connection, experiments.c.name, name, "experiments are called", "experiment")


def game_named(connection: Connection, name: str) -> tuple[int, str]:
    """Return the serial number and the id of a game. `name` is its id, or its key if no other game has the same key."""
    return _named(connection, games.c.key, name, "games have the key", "game in the journal")


def _named(connection: Connection, name_column: Column[str], name: str, several: str, kind: str) -> tuple[int, str]:
    table = name_column.table
    query = select(table.c.serial, table.c.id, name_column).order_by(table.c.serial.desc())
    if table is experiments:
        query = query.where(experiments.c.kind != DELETED)
    sought = or_(table.c.id == name, name_column == name)
    rows = connection.execute(query.where(sought)).all() if is_text(name) else []
    matches = [row for row in rows if row.id == name] or rows
    if len(matches) == 1:
        return matches[0].serial, matches[0].id
    if matches:
        ids = ", ".join(row.id for row in reversed(matches[:5]))
        raise InputError(f"{len(matches)} {several} {name!r}; name one by its id: {ids}")
    recent = connection.execute(query.limit(_MAX_COMPARED_NAMES)).all()
    names = dict.fromkeys(text for row in recent for text in row[1:])
    nearest = difflib.get_close_matches(name, names, n=3, cutoff=0.6)
    shows_all = (
        "'ostrom list experiments' shows every experiment"
        if table is experiments
        else "'ostrom list journal' shows every game"
    )
    raise UnknownName(kind, name, nearest, catalogue=shows_all)


def is_text(name: str) -> bool:
    """Return whether a name is text that a database can search for. No database can store NUL or a lone surrogate (half
    of a character)."""
    return "\x00" not in name and name.encode(errors="ignore").decode() == name


class Columns(NamedTuple):
    """Reads and checks the columns of one game or experiment."""

    owner: str

    @classmethod
    def of_game(cls, name: str) -> "Columns":
        """Return a reader for a game, by its id."""
        return cls(f"the game {name}")

    def damage(self, problem: str) -> RecordError:
        """Return the error to raise for an invalid column."""
        return RecordError(f"{self.owner} of the journal cannot be read: {problem}")

    def json(self, text: str, column: str) -> Any:
        """Return the value of a column with JSON."""
        try:
            return decoded(text)
        except (RecursionError, TypeError, ValueError) as error:
            raise self.damage(f"{column}: it is not JSON: {error}") from None

    def whole(self, value: Any, column: str) -> int | None:
        """Return an integer or None. Raise RecordError for other values, which SQLite can store in any column."""
        if value is not None and type(value) is not int:
            raise self.damage(f"{column}: it is not a whole number")
        return value

    def mapping(self, text: str, column: str) -> dict[str, Any]:
        """Return the JSON object in a column."""
        value = self.json(text, column)
        if not isinstance(value, dict):
            raise self.damage(f"{column}: it is not a JSON object")
        return value

    def text(self, value: str | None, column: str) -> str | None:
        """Return the JSON text in a column, or None."""
        return None if value is None else str(self.json(value, column))

    def one_of(self, kinds: Any, value: str | None, column: str) -> Any:
        """Return the value of a column as a member of an enumeration, or None."""
        try:
            return None if value is None else kinds(value)
        except ValueError:
            raise self.damage(f"{column}: {value!r} is unknown") from None


def sound_objects(texts: Sequence[str]) -> list[dict[str, Any]] | None:
    """Return the JSON objects of many columns. Parsing them together is three times as fast as parsing each separately.
    Return None if one of them is damaged, or has a lone surrogate (half of a character), which only the slower parser
    can read."""
    try:
        values = fast_from_json(f"[{','.join(texts)}]", allow_inf_nan=False)
    except (TypeError, ValueError):
        return None
    sound = len(values) == len(texts) and all(type(value) is dict for value in values)
    return values if sound else None


def _no_number(name: str) -> NoReturn:
    raise ValueError(f"{name} is not a number")


# This parser is as strict as the writer, which stores no NaN.
_decode: Final = json.JSONDecoder(parse_constant=_no_number).decode


def decoded(text: str) -> Any:
    """Return the value of a JSON text. Raise ValueError if it is nested too deeply. The fast parser reads at most 200
    levels. Pydantic's parser would take very long to reject deep nesting, since its time grows with the cube of the
    depth."""
    value = _decode(text)
    if text.count("[") + text.count("{") > MAX_DEPTH:
        check_depth(value)
    return value


def events_in(rows: Sequence[Row[Any]], game_of: Callable[[Row[Any]], str]) -> list[dict[str, Any]]:
    """Return events in the form of a record; `game_of` returns the id of the game to which a row belongs."""
    payloads = sound_objects([row.payload for row in rows])
    if payloads is None:
        payloads = [Columns.of_game(game_of(row)).mapping(row.payload, f"events.{row.number}.payload") for row in rows]
    return [{"event": row.tag, "version": row.version, **payload} for row, payload in zip(rows, payloads, strict=True)]


def _answers_in(rows: Sequence[Any], columns: Columns) -> list[dict[str, Any]]:
    """Return answers in the form of a record. Each value is parsed as a separate object, so that two damaged values
    cannot together form a valid one."""
    sound = sound_objects([f'{{"value":{row.value}}}' for row in rows])
    if sound is None:
        sound = [{"value": columns.json(row.value, f"answers.{row.number}.value")} for row in rows]
    for (_, _, turn, phase, seat, _, provenance, cut, fault), answer in zip(rows, sound, strict=True):
        answer.update(turn=turn, phase=phase, seat=seat, provenance=provenance, cut=bool(cut), fault=fault)
    return sound


def headers() -> Select[Any]:
    """Return a statement that selects the headers of games: their columns, without answers and events."""
    return select(games, experiments.c.id.label("label")).join(experiments)


def records_of(connection: Connection, heads: Sequence[Header], *, answered: bool = True) -> list[GameRecord]:
    """Return the whole records of these games, with five statements. If `answered` is false, the records have no
    answers; this is for games under way, whose answers are secret."""
    names = {head.serial: head.id for head in heads}
    answer_rows = _by_game(connection, answers, names) if answered else {}
    event_rows = _by_game(connection, events, names)
    note_rows = _notes_by_game(connection, names)
    records = [
        _record(head, answer_rows.get(head.serial, []), event_rows.get(head.serial, []), note_rows.get(head.serial, []))
        for head in heads
    ]
    distributions = _distributions(connection, names) if answered else {}
    return [
        _with_distributions(record, distributions.get(head.serial, {}))
        for head, record in zip(heads, records, strict=True)
    ]


def _record(
    head: Header, answer_rows: list[Row[Any]], event_rows: list[Row[Any]], note_rows: list[dict[str, Any]]
) -> GameRecord:
    columns = Columns.of_game(head.id)
    content = _head_content(head, columns) | {
        "orders": columns.json(head.orders, "orders"),
        "seats": columns.json(head.seats, "seats"),
        "answers": _answers_in(answer_rows, columns),
        "events": events_in(event_rows, lambda _: str(head.id)),
        "notes": note_rows,
    }
    try:
        return GameRecord.model_validate(content)
    except ValidationError as error:
        raise columns.damage(first_problem(error)) from None


def _with_distributions(record: GameRecord, distributions: Mapping[QuestionKey, Mapping[str, float]]) -> GameRecord:
    if not distributions:
        return record
    answers = [
        answer.model_copy(update={"distribution": distributions.get((answer.turn, answer.phase, answer.seat))})
        for answer in record.answers
    ]
    return record.model_copy(update={"answers": answers})


def _distributions(
    connection: Connection, names: Mapping[int, str]
) -> dict[int, dict[QuestionKey, Mapping[str, float]]]:
    """Return the distributions from which answers were drawn, by the serial number of the game and the question. The
    call that gave the answer is the one without a fault."""
    by_game: dict[int, dict[QuestionKey, Mapping[str, float]]] = defaultdict(dict)
    for row in connection.execute(_DRAWN, {"games": list(names)}):
        columns = Columns.of_game(names[row.game])
        distribution = columns.mapping(row.extra, f"calls.{row.place}.{row.attempt}.extra").get(DISTRIBUTION)
        if distribution is None:
            continue
        try:
            by_game[row.game][row.turn, row.phase, row.seat] = _PROBABILITIES.validate_python(distribution)
        except ValidationError as error:
            raise columns.damage(f"the {DISTRIBUTION} of a call: {first_problem(error)}") from None
    return by_game


def check_events(head: Header, record: GameRecord) -> None:
    """Raise RecordError if the game is installed but does not know one of the events."""
    try:
        for event in record.events if record.game in GAMES else ():
            GAMES[record.game].events.decode(event)
    except OstromError as error:
        raise Columns.of_game(head.id).damage(str(error)) from error


def _head_content(head: Header, columns: Columns) -> dict[str, Any]:
    """Return the fields of a record that are stored in a game's header."""
    return {
        "ostrom": head.ostrom,
        "game": head.game,
        "seed": None if head.seed is None else columns.json(head.seed, "seed"),
        "number": head.number,
        "source": head.source,
        "rules": columns.json(head.rules, "rules"),
        "package": head.package or "",
        "game_version": head.game_version or "",
        "finals": None if head.finals is None else columns.json(head.finals, "finals"),
    }


def _by_game(connection: Connection, table: Table, serials: Iterable[int]) -> dict[int, list[Row[Any]]]:
    """Return the rows of a table that belong to these games, by the game's serial number, which is the first column."""
    query = select(table).where(table.c.game.in_(serials)).order_by(table.c.game, table.c.number)
    by_game: dict[int, list[Row[Any]]] = defaultdict(list)
    for row in connection.execute(query).all():
        by_game[row[0]].append(row)
    return by_game


def _notes_by_game(connection: Connection, names: Mapping[int, str]) -> dict[int, list[dict[str, Any]]]:
    """Return readers' notes by the serial number of their game, in the form of a record."""
    query = select(notes).where(notes.c.game.in_(names)).order_by(notes.c.game, notes.c.moment, notes.c.serial)
    by_game: dict[int, list[dict[str, Any]]] = defaultdict(list)
    for row in connection.execute(query):
        text = Columns.of_game(names[row.game]).text(row.text, f"notes.{row.serial}.text")
        by_game[row.game].append({"moment": row.moment, "at": row.at, "text": text})
    return by_game


def study_records(connection: Connection, ids: Sequence[str]) -> list[KeptGame]:
    """Return the games with these ids for studies. To save two thirds of the time, values that were validated when they
    were written are not validated again, and columns that no study needs are not read."""
    heads = connection.execute(headers().where(games.c.id.in_(ids)).order_by(games.c.serial)).all()
    names = {head.serial: head.id for head in heads}
    latencies = {
        tuple(place): float(latency) for *place, latency in connection.execute(_SECONDS, {"games": list(names)})
    }
    distributions = _distributions(connection, names) if latencies else {}
    provenances: dict[int, list[AnswerProvenance]] = defaultdict(list)
    for game, turn, phase, seat, provenance in connection.execute(_PROVENANCES, {"games": list(names)}).all():
        seconds = latencies.get((game, turn, phase, seat)) if latencies else None
        distribution = distributions[game].get((turn, phase, seat)) if game in distributions else None
        provenances[game].append(AnswerProvenance(turn, phase, seat, _PROVENANCE[provenance], seconds, distribution))
    event_rows = _by_game(connection, events, names)
    return [
        KeptGame(head.id, head.label, _study_record(head, provenances[head.serial], event_rows.get(head.serial, [])))
        for head in heads
    ]


# The statement is built once, since building it takes as long as executing it.
_PROVENANCES: Final = (
    select(*(answers.c[name] for name in ("game", "turn", "phase", "seat", "provenance")))
    .where(answers.c.game.in_(bindparam("games", expanding=True)))
    .order_by(answers.c.game, answers.c.number)
)
_SECONDS: Final = (
    select(calls.c.game, calls.c.turn, calls.c.phase, calls.c.seat, func.sum(calls.c.latency))
    .where(calls.c.game.in_(bindparam("games", expanding=True)))
    .group_by(calls.c.game, calls.c.turn, calls.c.phase, calls.c.seat)
)
"""A statement that selects the total latency of the calls for each answer."""
_DRAWN: Final = (
    select(*(calls.c[name] for name in ("game", "place", "attempt", "turn", "phase", "seat", "extra")))
    .where(calls.c.game.in_(bindparam("games", expanding=True)), calls.c.fault.is_(None))
    .where(calls.c.extra.like(f'%"{DISTRIBUTION}"%'))
    .order_by(calls.c.game, calls.c.place, calls.c.attempt)
)
"""A statement that selects the calls whose answers may have been drawn from probabilities of legal answers."""


def _study_record(head: Header, provenances: list[AnswerProvenance], event_rows: list[Row[Any]]) -> GameRecord:
    columns = Columns.of_game(head.id)
    try:
        seats = _SEATS.validate_python(columns.json(head.seats, "seats"))
    except ValidationError as error:
        raise columns.damage(f"seats: {first_problem(error)}") from None
    decoded_events = events_in(event_rows, lambda _: str(head.id))
    content = _head_content(head, columns) | {"seats": seats, "answers": provenances, "events": decoded_events}
    # The fields are set directly, because filling in pydantic's defaults would take a third of the time.
    content |= {"orders": [], "told": []}
    return GameRecord.model_construct(**content)


def decisions_of(connection: Connection, game: int, name: str, turn: int | None = None) -> dict[QuestionKey, Answer]:
    """Return the decisions of a game, or of one turn of it, in the order of its questions."""
    columns = Columns.of_game(name)
    query = select(answers).where(answers.c.game == game).order_by(answers.c.number)
    if turn is not None:
        query = query.where(answers.c.turn == turn)
    return {
        (row.turn, row.phase, row.seat): Answer(
            columns.json(row.value, f"answers.{row.number}.value"),
            columns.one_of(Provenance, row.provenance, f"answers.{row.number}.provenance"),
            bool(row.cut),
            columns.one_of(Fault, row.fault, f"answers.{row.number}.fault"),
        )
        for row in connection.execute(query)
    }


def calls_of(connection: Connection, game: int, name: str, turn: int | None = None) -> list[tuple[QuestionKey, Call]]:
    """Return the calls of a game, or of one turn of it, in the order of its questions and attempts."""
    columns = Columns.of_game(name)
    query = select(calls).where(calls.c.game == game).order_by(calls.c.place, calls.c.attempt)
    if turn is not None:
        query = query.where(calls.c.turn == turn)
    rows = connection.execute(query).all()
    prompts = [_prompt(row, columns) for row in rows]
    digests = [digest for prompt in prompts for _, digest in prompt] + [row.settings for row in rows]
    texts = texts_of(connection, digests, columns)
    lines: dict[tuple[str, str], Line] = {}
    return [
        (
            (row.turn, row.phase, row.seat),
            # Equal lines of prompts are one object, which the calls share.
            _call(row, tuple(lines.setdefault(line, Line(line[0], texts[line[1]])) for line in prompt), texts, columns),
        )
        for row, prompt in zip(rows, prompts, strict=True)
    ]


def _call(row: Row[Any], prompt: tuple[Line, ...], texts: dict[str, str], columns: Columns) -> Call:
    column = f"calls.{row.place}.{row.attempt}"
    fields: Any = {name: getattr(row, name) for name in ("attempt", "at", "model", "latency", "reserved")}
    for name, kind in PLAIN_CALL_FIELDS.items():
        value = getattr(row, name)
        fields[name] = columns.text(value, f"{column}.{name}") if kind is str else value
    return Call(
        **fields,
        settings=columns.mapping(texts[row.settings], f"{column}.settings"),
        prompt=prompt,
        usage=None if row.input_tokens is None else Usage(*(getattr(row, name) or 0 for name in TOKEN_FIELDS)),
        fault=columns.one_of(Fault, row.fault, f"{column}.fault"),
        extra=columns.mapping(row.extra, f"{column}.extra"),
    )


def _prompt(row: Row[Any], columns: Columns) -> list[tuple[str, str]]:
    column = f"calls.{row.place}.{row.attempt}.prompt"
    try:
        return [(str(role), str(digest)) for role, digest in columns.json(row.prompt, column)]
    except (TypeError, ValueError):
        raise columns.damage(f"{column}: it is not a prompt") from None


def texts_of(connection: Connection, digests: Iterable[str], columns: Columns) -> dict[str, str]:
    """Return the texts with these digests. Raise RecordError for a missing or damaged one."""
    unique = list(dict.fromkeys(digests))
    rows = _text_rows(connection, select(texts), [digest for digest in unique if is_digest(digest)])
    texts_by_digest = {row.digest: row.text for row in rows}
    return {digest: _text(texts_by_digest.get(digest), digest, columns) for digest in unique}


def is_digest(value: Any) -> bool:
    """Return whether a value has the form of a text's digest. A query with a damaged value might fail."""
    return isinstance(value, str) and value.isascii() and value.isalnum()


def known_digests(connection: Connection, digests: Iterable[str]) -> set[str]:
    """Return the subset of these digests whose texts are stored."""
    return {row.digest for row in _text_rows(connection, select(texts.c.digest), list(digests))}


def _text_rows(connection: Connection, query: Select[Any], digests: Sequence[str]) -> Iterator[Row[Any]]:
    for first in range(0, len(digests), _TEXTS_PER_QUERY):
        yield from connection.execute(query.where(texts.c.digest.in_(digests[first : first + _TEXTS_PER_QUERY])))


def _text(value: str | None, digest: str, columns: Columns) -> str:
    if value is None:
        raise columns.damage(f"the text {digest} is missing")
    try:
        text = json.loads(value)
    except ValueError:
        text = None
    if not isinstance(text, str):
        raise columns.damage(f"the text {digest} is not a JSON string")
    return text
