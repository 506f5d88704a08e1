"""The way out of the journal: experiments and games by what users call them, what columns hold, whole records rebuilt
from header, answers and events, records as studies read them, and what a game that was left needs to go on. Each
function works within a transaction that it is handed; a row that is damaged is named."""

import difflib
import json
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Final, NamedTuple, NoReturn, TypeAlias

from pydantic import TypeAdapter, ValidationError
from pydantic_core import from_json as fast_from_json
from sqlalchemy import Column, Connection, Row, Select, Table, bindparam, func, or_, select

from ostrom.core import Answer, Call, Fault, Line, Provenance, QuestionKey, Usage
from ostrom.core.errors import InputError, RecordError, UnknownName
from ostrom.core.files import MAX_DEPTH, check_depth
from ostrom.core.text import first_problem
from ostrom.journal.record import GameRecord, RecordedSeat
from ostrom.journal.schema import DELETED, answers, calls, events, experiments, games, notes, texts

Header: TypeAlias = Row[Any]
"""A row of `headers`."""

_AT_ONCE: Final = 500
"""Texts that are read with one statement."""
_MANY: Final = 100
"""So many names at most are compared with one that is not known."""
_SEATS: Final = TypeAdapter(list[RecordedSeat])
_PROVENANCE: Final = {one.value: one for one in Provenance}


class KeptGame(NamedTuple):
    """A game of the journal that is over."""

    game: str
    experiment: str
    record: GameRecord
    """Where it was read for a study, its answers are `Given`, and it has no orders."""


class Given(NamedTuple):
    """That an answer was given, and whose it is; what was answered is told by the events."""

    turn: int
    phase: str
    seat: int
    provenance: Provenance
    seconds: float | None = None
    """What its calls took, all attempts together; missing where it took none."""


# Names.


def experiment_named(connection: Connection, name: str) -> tuple[int, str]:
    """The serial number and the id of the experiment with this id, or else of the only one with this name."""
    shown = "'ostrom list experiments' shows every experiment"
    return _named(connection, experiments.c.name, name, "experiments are called", "experiment", shown)


def game_named(connection: Connection, name: str) -> tuple[int, str]:
    """The serial number and the id of the game with this id, or else of the only one with this key."""
    shown = "'ostrom list journal' shows every game in the journal"
    return _named(connection, games.c.key, name, "games have the key", "game in the journal", shown)


def _named(connection: Connection, called: Column[str], name: str, many: str, kind: str, shown: str) -> tuple[int, str]:
    table = called.table
    wanted = select(table.c.serial, table.c.id, called).order_by(table.c.serial.desc())
    if table is experiments:
        wanted = wanted.where(experiments.c.kind != DELETED)
    sought = or_(table.c.id == name, called == name)
    found = connection.execute(wanted.where(sought)).all() if is_text(name) else []
    chosen = [row for row in found if row.id == name] or found
    if len(chosen) == 1:
        return chosen[0].serial, chosen[0].id
    if chosen:
        ids = ", ".join(row.id for row in reversed(chosen[:5]))
        raise InputError(f"{len(chosen)} {many} {name!r}; name one by its id: {ids}")
    recent = connection.execute(wanted.limit(_MANY)).all()
    names = dict.fromkeys(text for row in recent for text in row[1:])
    raise UnknownName(kind, name, difflib.get_close_matches(name, names, n=3, cutoff=0.6), catalogue=shown)


def is_text(name: str) -> bool:
    """Whether a database can be asked for a name; what it cannot hold it has not."""
    return "\x00" not in name and name.encode(errors="ignore").decode() == name


# Columns.


class Columns(NamedTuple):
    """Reads what the columns of one game or experiment hold."""

    whose: str

    @classmethod
    def of_game(cls, name: str) -> "Columns":
        """Those of a game, by its id."""
        return cls(f"the game {name}")

    def damage(self, what: str) -> RecordError:
        """The error for a column that holds what it cannot hold."""
        return RecordError(f"{self.whose} of the journal cannot be read: {what}")

    def json(self, text: str, where: str) -> Any:
        """What stands there as JSON."""
        try:
            return decoded(text)
        except (RecursionError, TypeError, ValueError) as error:
            raise self.damage(f"{where}: it is not JSON: {error}") from None

    def whole(self, value: Any, where: str) -> int | None:
        """The whole number that stands there, if any: SQLite keeps anything in any column."""
        if value is not None and type(value) is not int:
            raise self.damage(f"{where}: it is not a whole number")
        return value

    def mapping(self, text: str, where: str) -> dict[str, Any]:
        """The JSON object that stands there."""
        value = self.json(text, where)
        if not isinstance(value, dict):
            raise self.damage(f"{where}: it is not a JSON object")
        return value

    def text(self, stored: str | None, where: str) -> str | None:
        """The text that stands there as JSON, if any."""
        return None if stored is None else str(self.json(stored, where))

    def one_of(self, kinds: Any, value: str | None, where: str) -> Any:
        """The member of an enumeration that stands there, if any."""
        try:
            return None if value is None else kinds(value)
        except ValueError:
            raise self.damage(f"{where}: {value!r} is unknown") from None


def sound_objects(texts: Sequence[str]) -> list[dict[str, Any]] | None:
    """The JSON objects that many columns hold, in a third of the time that one after the other would take. None where
    that cannot be: something is damaged, or is half a character, which only the slower way reads."""
    try:
        values = fast_from_json(f"[{','.join(texts)}]", allow_inf_nan=False)
    except (TypeError, ValueError):
        return None
    sound = len(values) == len(texts) and all(type(value) is dict for value in values)
    return values if sound else None


def _no_number(name: str) -> NoReturn:
    raise ValueError(f"{name} is not a number")


# As strict as the writer, which keeps no NaN.
_decode: Final = json.JSONDecoder(parse_constant=_no_number).decode


def decoded(text: str) -> Any:
    """What a column holds as JSON. Nesting that no reader follows is refused: a table takes the cube of its depth to
    say that it is no number. (The quick parser above goes 200 levels deep at most.)"""
    value = _decode(text)
    if text.count("[") + text.count("{") > MAX_DEPTH:
        check_depth(value)
    return value


def events_in(rows: Sequence[Row[Any]], named: Callable[[Row[Any]], str]) -> list[dict[str, Any]]:
    """Events as a record has them; `named` gives the id of a row's game."""
    payloads = sound_objects([row.payload for row in rows])
    if payloads is None:
        payloads = [Columns.of_game(named(row)).mapping(row.payload, f"events.{row.number}.payload") for row in rows]
    return [{"event": row.tag, "version": row.version, **payload} for row, payload in zip(rows, payloads, strict=True)]


def _answers_in(rows: Sequence[Any], columns: Columns) -> list[dict[str, Any]]:
    """Answers as a record has them. Each value is read within an object, so that no two damaged ones make up a sound
    one."""
    sound = sound_objects([f'{{"value":{row.value}}}' for row in rows])
    if sound is None:
        sound = [{"value": columns.json(row.value, f"answers.{row.number}.value")} for row in rows]
    for (_, _, turn, phase, seat, _, provenance, cut, fault), answer in zip(rows, sound, strict=True):
        answer.update(turn=turn, phase=phase, seat=seat, provenance=provenance, cut=bool(cut), fault=fault)
    return sound


# Records.


def headers() -> Select[Any]:
    """The headers of games."""
    return select(games, experiments.c.id.label("label")).join(experiments)


def records_of(connection: Connection, heads: Sequence[Header], *, answered: bool = True) -> list[GameRecord]:
    """The whole records of the games with these headers, in four statements, however many games; without their answers
    where these are not to be shown."""
    names = {head.serial: head.id for head in heads}
    given = _by_game(connection, answers, names) if answered else {}
    happened = _by_game(connection, events, names)
    noted = _notes_by_game(connection, names)
    return [
        _record(head, given.get(head.serial, []), happened.get(head.serial, []), noted.get(head.serial, []))
        for head in heads
    ]


def _record(head: Header, given: list[Row[Any]], happened: list[Row[Any]], noted: list[dict[str, Any]]) -> GameRecord:
    columns = Columns.of_game(head.id)
    content = _head_content(head, columns) | {
        "orders": columns.json(head.orders, "orders"),
        "seats": columns.json(head.seats, "seats"),
        "answers": _answers_in(given, columns),
        "events": events_in(happened, lambda _: str(head.id)),
        "notes": noted,
    }
    try:
        return GameRecord.model_validate(content)
    except ValidationError as error:
        raise columns.damage(first_problem(error)) from None


def _head_content(head: Header, columns: Columns) -> dict[str, Any]:
    """What a header says of a record and needs no game to be read."""
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
    """The rows of these games, whose serial number is the first column."""
    wanted = select(table).where(table.c.game.in_(serials)).order_by(table.c.game, table.c.number)
    found: dict[int, list[Row[Any]]] = defaultdict(list)
    for row in connection.execute(wanted).all():
        found[row[0]].append(row)
    return found


def _notes_by_game(connection: Connection, names: Mapping[int, str]) -> dict[int, list[dict[str, Any]]]:
    """What readers left beside the moments of these games, by serial number, as records have it."""
    wanted = select(notes).where(notes.c.game.in_(names)).order_by(notes.c.game, notes.c.moment, notes.c.serial)
    found: dict[int, list[dict[str, Any]]] = defaultdict(list)
    for row in connection.execute(wanted):
        text = Columns.of_game(names[row.game]).text(row.text, f"notes.{row.serial}.text")
        found[row.game].append({"moment": row.moment, "at": row.at, "text": text})
    return found


def study_records(connection: Connection, ids: Sequence[str]) -> list[KeptGame]:
    """The games with these ids, as studies read them. What was checked when it was written is not checked once more,
    and what no study asks for is not read: that takes a third of the time."""
    heads = connection.execute(headers().where(games.c.id.in_(ids)).order_by(games.c.serial)).all()
    names = {head.serial: head.id for head in heads}
    took = {tuple(place): float(latency) for *place, latency in connection.execute(_SECONDS, {"games": list(names)})}
    given: dict[int, list[Given]] = defaultdict(list)
    for game, turn, phase, seat, provenance in connection.execute(_GIVEN, {"games": list(names)}).all():
        seconds = took.get((game, turn, phase, seat)) if took else None
        given[game].append(Given(turn, phase, seat, _PROVENANCE[provenance], seconds))
    happened = _by_game(connection, events, names)
    return [
        KeptGame(head.id, head.label, _study_record(head, given[head.serial], happened.get(head.serial, [])))
        for head in heads
    ]


# Put together once, as that takes as long as carrying them out.
_GIVEN: Final = (
    select(*(answers.c[name] for name in ("game", "turn", "phase", "seat", "provenance")))
    .where(answers.c.game.in_(bindparam("games", expanding=True)))
    .order_by(answers.c.game, answers.c.number)
)
_SECONDS: Final = (
    select(calls.c.game, calls.c.turn, calls.c.phase, calls.c.seat, func.sum(calls.c.latency))
    .where(calls.c.game.in_(bindparam("games", expanding=True)))
    .group_by(calls.c.game, calls.c.turn, calls.c.phase, calls.c.seat)
)
"""What the calls for each answer took."""


def _study_record(head: Header, given: list[Given], happened: list[Row[Any]]) -> GameRecord:
    columns = Columns.of_game(head.id)
    try:
        seats = _SEATS.validate_python(columns.json(head.seats, "seats"))
    except ValidationError as error:
        raise columns.damage(f"seats: {first_problem(error)}") from None
    told = events_in(happened, lambda _: str(head.id))
    content = _head_content(head, columns) | {"seats": seats, "answers": given, "events": told}
    content |= {"orders": [], "told": []}  # said here, as finding defaults takes a third of the time
    return GameRecord.model_construct(**content)


# Games that were left.


def decisions_of(connection: Connection, game: int, name: str, turn: int | None = None) -> dict[QuestionKey, Answer]:
    """What is decided in a game, or in one turn of it, in the order of its questions."""
    columns = Columns.of_game(name)
    wanted = select(answers).where(answers.c.game == game).order_by(answers.c.number)
    if turn is not None:
        wanted = wanted.where(answers.c.turn == turn)
    return {
        (row.turn, row.phase, row.seat): Answer(
            columns.json(row.value, f"answers.{row.number}.value"),
            columns.one_of(Provenance, row.provenance, f"answers.{row.number}.provenance"),
            bool(row.cut),
            columns.one_of(Fault, row.fault, f"answers.{row.number}.fault"),
        )
        for row in connection.execute(wanted)
    }


def calls_of(connection: Connection, game: int, name: str, turn: int | None = None) -> list[tuple[QuestionKey, Call]]:
    """The calls of a game, or of one turn of it, in the order of its questions and then of the attempts."""
    columns = Columns.of_game(name)
    wanted = select(calls).where(calls.c.game == game).order_by(calls.c.place, calls.c.attempt)
    if turn is not None:
        wanted = wanted.where(calls.c.turn == turn)
    rows = connection.execute(wanted).all()
    prompts = [_prompt(row, columns) for row in rows]
    digests = [digest for prompt in prompts for _, digest in prompt] + [row.settings for row in rows]
    texts = texts_of(connection, digests, columns)
    lines: dict[tuple[str, str], Line] = {}
    return [
        (
            (row.turn, row.phase, row.seat),
            # The same line of many calls is one object.
            _call(row, tuple(lines.setdefault(one, Line(one[0], texts[one[1]])) for one in prompt), texts, columns),
        )
        for row, prompt in zip(rows, prompts, strict=True)
    ]


def _call(row: Row[Any], prompt: tuple[Line, ...], texts: dict[str, str], columns: Columns) -> Call:
    where = f"calls.{row.place}.{row.attempt}"
    copied: Any = {name: getattr(row, name) for name in ("attempt", "at", "model", "latency", "cost", "reserved")}
    return Call(
        **copied,
        settings=columns.mapping(texts[row.settings], f"{where}.settings"),
        prompt=prompt,
        reply=columns.text(row.reply, f"{where}.reply"),
        usage=None if row.input_tokens is None else Usage(row.input_tokens, row.output_tokens or 0),
        finish_reason=columns.text(row.finish_reason, f"{where}.finish_reason"),
        fault=columns.one_of(Fault, row.fault, f"{where}.fault"),
        error=columns.text(row.error, f"{where}.error"),
        extra=columns.mapping(row.extra, f"{where}.extra"),
    )


def _prompt(row: Row[Any], columns: Columns) -> list[tuple[str, str]]:
    where = f"calls.{row.place}.{row.attempt}.prompt"
    try:
        return [(str(role), str(digest)) for role, digest in columns.json(row.prompt, where)]
    except (TypeError, ValueError):
        raise columns.damage(f"{where}: it is not a prompt") from None


def texts_of(connection: Connection, digests: Iterable[str], columns: Columns) -> dict[str, str]:
    """The texts with these digests; one that is missing or damaged is named."""
    wanted = list(dict.fromkeys(digests))
    sound = [digest for digest in wanted if is_digest(digest)]
    stored: dict[str, str] = {}
    for first in range(0, len(sound), _AT_ONCE):
        some = select(texts).where(texts.c.digest.in_(sound[first : first + _AT_ONCE]))
        stored |= {row.digest: row.text for row in connection.execute(some)}
    return {digest: _text(stored.get(digest), digest, columns) for digest in wanted}


def is_digest(value: Any) -> bool:
    """Whether this may be the digest of a text. A damaged one may hold what no database can be asked for."""
    return isinstance(value, str) and value.isascii() and value.isalnum()


def known_digests(connection: Connection, digests: Iterable[str]) -> set[str]:
    """Those of these digests whose texts are there."""
    wanted, found = list(digests), set[str]()
    for first in range(0, len(wanted), _AT_ONCE):
        some = select(texts.c.digest).where(texts.c.digest.in_(wanted[first : first + _AT_ONCE]))
        found.update(connection.execute(some).scalars())
    return found


def _text(stored: str | None, digest: str, columns: Columns) -> str:
    if stored is None:
        raise columns.damage(f"the text {digest} is missing")
    try:
        text = json.loads(stored)
    except ValueError:
        text = None
    if not isinstance(text, str):
        raise columns.damage(f"the text {digest} is not a JSON string")
    return text
