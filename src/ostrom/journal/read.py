"""The way out of the journal: what columns hold, whole records rebuilt from header, answers and events, records as
studies read them, and what a game that was left needs to go on. Each function works within a transaction that it is
handed; a row that is damaged is named."""

import json
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from operator import attrgetter
from typing import Any, Final, NamedTuple, NoReturn, TypeAlias

from pydantic import TypeAdapter, ValidationError
from pydantic_core import from_json as fast_from_json
from sqlalchemy import Connection, Row, Select, Table, func, select

from ostrom.core import Answer, Call, Fault, Line, OstromError, Provenance, QuestionKey, RecordError, Usage
from ostrom.core.text import first_problem
from ostrom.journal.record import GameRecord, Origin, RecordedSeat
from ostrom.journal.schema import FINISHED, PLAYING, answers, calls, events, experiments, games, meta, texts

Series: TypeAlias = Callable[[str, Sequence[Mapping[str, Any]]], dict[str, list[Any]]]
"""A game's name and its events give their arrays over turns. The journal knows no game, so it is handed this."""

Finals: TypeAlias = Callable[[Sequence[Mapping[str, Any]]], Sequence[float | None]]
"""The events of a finished game give what each seat ended with. The journal is handed this, too."""

_AT_ONCE: Final = 500
"""Texts that are read with one statement."""
_SEATS: Final = TypeAdapter(list[RecordedSeat])
_PROVENANCE: Final = {one.value: one for one in Provenance}


@dataclass(frozen=True, slots=True)
class Kept:
    """A game as it is kept, with its place in the journal."""

    serial: int
    id: str
    experiment: str
    record: GameRecord
    state: str


class Given(NamedTuple):
    """That an answer was given, and whose it is; what was answered is told by the events."""

    turn: int
    phase: str
    seat: int
    provenance: Provenance
    seconds: float | None = None
    """What its calls took, all attempts together; missing where it took none."""


class Studied(NamedTuple):
    """A game that is over, as studies read it."""

    game: str
    experiment: str
    record: GameRecord
    """Its answers are `Given`; it has neither seed, orders nor series."""


def object_from_json(text: str, whose: str, where: str) -> dict[str, Any]:
    """The JSON object that a column holds."""
    value = from_json(text, whose, where)
    if not isinstance(value, dict):
        raise RecordError(f"{whose} of the journal cannot be read: {where}: it is no JSON object")
    return value


def sound_objects(texts: Sequence[str]) -> list[dict[str, Any]] | None:
    """The JSON objects that many columns hold, in a third of the time that one after the other would take. None where
    that cannot be: something is damaged, or is half a character, which only the slower way reads."""
    try:
        values = fast_from_json(f"[{','.join(texts)}]", allow_inf_nan=False)
    except (TypeError, ValueError):
        return None
    sound = len(values) == len(texts) and all(type(value) is dict for value in values)
    return values if sound else None


def from_json(text: str, whose: str, where: str) -> Any:
    """What a column holds; what is damaged is named."""
    try:
        return _decoded(text)
    except (RecursionError, TypeError, ValueError) as error:
        raise RecordError(f"{whose} of the journal cannot be read: {where}: it is no JSON: {error}") from None


def _no_number(name: str) -> NoReturn:
    raise ValueError(f"{name} is no number")


# As strict as the writer, which keeps no NaN.
_decoded = json.JSONDecoder(parse_constant=_no_number).decode


def headers() -> Select[Any]:
    """The headers of games."""
    return select(games, experiments.c.id.label("label")).join(experiments)


def short_headers() -> Select[Any]:
    """The same with no more than a `GameRow` tells: rules and orders may be long."""
    columns = (games.c[name] for name in _SHORT)
    return select(*columns, experiments.c.id.label("label")).select_from(games.join(experiments))


_SHORT: Final = (
    *("id", "key", "game", "seats", "rounds", "state", "source", "reason"),
    *("reason_code", "reason_seat", "package", "game_version", "finals"),
)


def without_finals(connection: Connection, game: str, most: int) -> list[str]:
    """The ids of at most so many finished games of this name of which it is not said what the seats ended with."""
    lacking = (games.c.game == game, games.c.state == FINISHED, games.c.finals.is_(None))
    return list(connection.execute(select(games.c.id).where(*lacking).order_by(games.c.serial).limit(most)).scalars())


def versions_of(connection: Connection, experiment: int) -> set[tuple[str, str]]:
    """The games of an experiment by name, and their versions as far as they are known."""
    known = (games.c.experiment == experiment, games.c.game_version.is_not(None))
    return {
        (row.game, row.game_version)
        for row in connection.execute(select(games.c.game, games.c.game_version).where(*known).distinct())
    }


def origin_of(connection: Connection, game: str) -> Origin:
    """Where the game with this id comes from, and its scene."""
    columns = (games.c.package, games.c.game_version, games.c.scene)
    row = connection.execute(select(*columns).where(games.c.id == game)).one()
    whose = f"the game {game}"
    scene = None
    if row.scene is not None:
        scene = object_from_json(texts_of(connection, [row.scene], whose)[row.scene], whose, "scene")
    return Origin(row.package, row.game_version, scene)


def keys_of(connection: Connection, experiment: int, states: Sequence[str]) -> set[str]:
    """The keys of an experiment's games in one of these states."""
    wanted = select(games.c.key).where(games.c.experiment == experiment, games.c.state.in_(states))
    return set(connection.execute(wanted).scalars())


def revision(connection: Connection) -> int:
    """A number that grows with every write."""
    return int(connection.execute(_REVISION).scalar_one())


_REVISION: Final = select(meta.c.revision)


def finished(experiment: int | None, after: int, most: int) -> Select[Any]:
    """The headers of at most so many finished games that follow the game `after`."""
    wanted = headers().where(games.c.serial > after, games.c.state == FINISHED).order_by(games.c.serial).limit(most)
    return wanted if experiment is None else wanted.where(games.c.experiment == experiment)


def kept(connection: Connection, wanted: Select[Any], series: Series | None) -> list[Kept]:
    """The games with these headers, whole: three statements, however many games."""
    return _whole(connection, connection.execute(wanted).all(), series)


def shown(connection: Connection, wanted: Select[Any], series: Series | None) -> Kept:
    """The game with this header, as it may be shown now: without answers while it is being played, and with its series
    when it is finished."""
    head = connection.execute(wanted).one()
    if head.state != PLAYING:
        return _whole(connection, [head], series if head.state == FINISHED else None)[0]
    happened = [row for _, rows in _by_game(connection, events, [head.serial]) for row in rows]
    return Kept(head.serial, head.id, head.label, _record(head, [], happened, None), head.state)


def events_in(rows: Sequence[Row[Any]], named: Callable[[Row[Any]], str]) -> list[dict[str, Any]]:
    """Events as a record has them; `named` gives the id of a row's game."""
    payloads = sound_objects([row.payload for row in rows])
    if payloads is None:
        payloads = [
            object_from_json(row.payload, f"the game {named(row)}", f"events.{row.number}.payload") for row in rows
        ]
    return [{"event": row.tag, "version": row.version, **payload} for row, payload in zip(rows, payloads, strict=True)]


def _whole(connection: Connection, heads: Sequence[Row[Any]], series: Series | None) -> list[Kept]:
    serials = [head.serial for head in heads]
    given = {game: list(rows) for game, rows in _by_game(connection, answers, serials)}
    happened = {game: list(rows) for game, rows in _by_game(connection, events, serials)}
    return [
        Kept(
            serial=head.serial,
            id=head.id,
            experiment=head.label,
            record=_record(head, given.get(head.serial, []), happened.get(head.serial, []), series),
            state=head.state,
        )
        for head in heads
    ]


def _record(head: Row[Any], given: list[Row[Any]], happened: list[Row[Any]], series: Series | None) -> GameRecord:
    game = f"the game {head.id}"
    told = events_in(happened, lambda _: str(head.id))
    content = {
        "ostrom": head.ostrom,
        "game": head.game,
        "seed": None if head.seed is None else from_json(head.seed, game, "seed"),
        "number": head.number,
        "orders": from_json(head.orders, game, "orders"),
        "source": head.source,
        "rules": from_json(head.rules, game, "rules"),
        "seats": from_json(head.seats, game, "seats"),
        "answers": [
            {
                "turn": row.turn,
                "phase": row.phase,
                "seat": row.seat,
                "value": from_json(row.value, game, f"answers.{row.number}.value"),
                "provenance": row.provenance,
                "cut": bool(row.cut),
                "fault": row.fault,
            }
            for row in given
        ],
        "events": told,
        "series": {},
        **_extras(head, game),
    }
    try:
        if series is not None:
            content["series"] = series(head.game, told)
        return GameRecord.model_validate(content)
    except ValidationError as error:
        raise RecordError(f"{game} of the journal cannot be read: {first_problem(error)}") from None
    except OstromError as error:
        raise RecordError(f"{game} of the journal cannot be read: {error}") from error


def _extras(head: Row[Any], game: str) -> dict[str, Any]:
    """What stands in a record's version 2 and needs no game to be read."""
    return {
        "package": head.package or "",
        "game_version": head.game_version or "",
        "finals": None if head.finals is None else from_json(head.finals, game, "finals"),
    }


def _by_game(connection: Connection, table: Table, serials: list[int]) -> Iterator[tuple[int, Iterator[Row[Any]]]]:
    wanted = select(table).where(table.c.game.in_(serials)).order_by(table.c.game, table.c.number)
    return groupby(connection.execute(wanted), attrgetter("game"))


def studied(connection: Connection, ids: Sequence[str]) -> list[Studied]:
    """The games with these ids, as studies read them. What was checked when it was written is not checked once more,
    and what no study asks for is not read: that takes a third of the time."""
    heads = connection.execute(headers().where(games.c.id.in_(ids)).order_by(games.c.serial)).all()
    names = {head.serial: head.id for head in heads}
    given: dict[int, list[Given]] = defaultdict(list)
    columns = (answers.c[name] for name in ("game", "turn", "phase", "seat", "provenance"))
    chosen = select(*columns).where(answers.c.game.in_(names)).order_by(answers.c.game, answers.c.number)
    took = _seconds(connection, list(names))
    for game, turn, phase, seat, provenance in connection.execute(chosen).all():
        seconds = took.get((game, turn, phase, seat))
        given[game].append(Given(turn, phase, seat, _PROVENANCE[provenance], seconds))
    told: dict[int, list[dict[str, Any]]] = defaultdict(list)
    happened = select(events).where(events.c.game.in_(names)).order_by(events.c.game, events.c.number)
    rows = connection.execute(happened).all()
    for row, event in zip(rows, events_in(rows, lambda row: names[row.game]), strict=True):
        told[row.game].append(event)
    return [
        Studied(head.id, head.label, _studied_record(head, given[head.serial], told[head.serial])) for head in heads
    ]


def _seconds(connection: Connection, serials: Sequence[int]) -> dict[tuple[int, int, str, int], float]:
    """What the calls for each answer took: by game, turn, phase and seat."""
    place = (calls.c.game, calls.c.turn, calls.c.phase, calls.c.seat)
    wanted = select(*place, func.sum(calls.c.latency)).where(calls.c.game.in_(serials)).group_by(*place)
    return {(row[0], row[1], row[2], row[3]): float(row[4]) for row in connection.execute(wanted)}


def _studied_record(head: Row[Any], given: list[Given], told: list[dict[str, Any]]) -> GameRecord:
    game = f"the game {head.id}"
    try:
        seats = _SEATS.validate_python(from_json(head.seats, game, "seats"))
    except ValidationError as error:
        raise RecordError(f"{game} of the journal cannot be read: seats: {first_problem(error)}") from None
    content: dict[str, Any] = {
        "ostrom": head.ostrom,
        "game": head.game,
        "seed": None,
        "number": head.number,
        "source": head.source,
        "rules": from_json(head.rules, game, "rules"),
        "seats": seats,
        "answers": given,
        "events": told,
        "series": {},
        **_extras(head, game),
    }
    return GameRecord.model_construct(**content)


def decisions_of(connection: Connection, game: int, name: str) -> dict[QuestionKey, Answer]:
    """What is decided in a game, in the order of its questions."""
    whose = f"the game {name}"
    wanted = select(answers).where(answers.c.game == game).order_by(answers.c.number)
    return {
        (row.turn, row.phase, row.seat): Answer(
            from_json(row.value, whose, f"answers.{row.number}.value"),
            _one_of(Provenance, row.provenance, whose, f"answers.{row.number}.provenance"),
            bool(row.cut),
            None if row.fault is None else _one_of(Fault, row.fault, whose, f"answers.{row.number}.fault"),
        )
        for row in connection.execute(wanted)
    }


def events_of(connection: Connection, game: int) -> int:
    """How many events are kept of a game."""
    return int(connection.execute(select(func.count()).where(events.c.game == game)).scalar_one())


def calls_of(connection: Connection, game: int, name: str) -> list[tuple[QuestionKey, Call]]:
    """The calls of a game, in the order of its questions and then of the attempts."""
    whose = f"the game {name}"
    wanted = select(calls).where(calls.c.game == game).order_by(calls.c.place, calls.c.attempt)
    rows = connection.execute(wanted).all()
    prompts = [_prompt(row, whose) for row in rows]
    digests = [digest for prompt in prompts for _, digest in prompt] + [row.settings for row in rows]
    texts = texts_of(connection, digests, whose)
    lines: dict[tuple[str, str], Line] = {}
    return [
        (
            (row.turn, row.phase, row.seat),
            # The same line of many calls is one object.
            _call(row, tuple(lines.setdefault(one, Line(one[0], texts[one[1]])) for one in prompt), texts, whose),
        )
        for row, prompt in zip(rows, prompts, strict=True)
    ]


def _call(row: Row[Any], prompt: tuple[Line, ...], texts: dict[str, str], whose: str) -> Call:
    where = _where(row)
    usage = None if row.input_tokens is None else Usage(row.input_tokens, row.output_tokens or 0)
    return Call(
        attempt=row.attempt,
        at=row.at,
        model=row.model,
        settings=object_from_json(texts[row.settings], whose, f"{where}.settings"),
        prompt=prompt,
        reply=_reply(row.reply, whose, f"{where}.reply"),
        usage=usage,
        latency=row.latency,
        cost=row.cost,
        reserved=row.reserved,
        finish_reason=_reply(row.finish_reason, whose, f"{where}.finish_reason"),
        fault=None if row.fault is None else _one_of(Fault, row.fault, whose, f"{where}.fault"),
        error=_reply(row.error, whose, f"{where}.error"),
        extra=object_from_json(row.extra, whose, f"{where}.extra"),
    )


def _where(row: Row[Any]) -> str:
    return f"calls.{row.place}.{row.attempt}"


def _prompt(row: Row[Any], whose: str) -> list[tuple[str, str]]:
    try:
        return [(str(role), str(digest)) for role, digest in from_json(row.prompt, whose, f"{_where(row)}.prompt")]
    except (TypeError, ValueError):
        raise RecordError(f"{whose} of the journal cannot be read: {_where(row)}.prompt: it is no prompt") from None


def _reply(stored: str | None, whose: str, where: str) -> str | None:
    return None if stored is None else str(from_json(stored, whose, where))


def _one_of(kinds: Any, value: str, whose: str, where: str) -> Any:
    try:
        return kinds(value)
    except ValueError:
        raise RecordError(f"{whose} of the journal cannot be read: {where}: {value!r} is unknown") from None


def texts_of(connection: Connection, digests: Iterable[str], whose: str) -> dict[str, str]:
    """The texts with these digests; one that is missing or damaged is named."""
    wanted = list(dict.fromkeys(digests))
    found: dict[str, str] = {}
    for first in range(0, len(wanted), _AT_ONCE):
        some = wanted[first : first + _AT_ONCE]
        for row in connection.execute(select(texts).where(texts.c.digest.in_(some))):
            found[row.digest] = _text(row.text, row.digest, whose)
    for digest in wanted:
        if digest not in found:
            raise RecordError(f"{whose} of the journal cannot be read: the text {digest} is missing")
    return found


def _text(stored: str, digest: str, whose: str) -> str:
    try:
        text = json.loads(stored)
    except ValueError:
        text = None
    if not isinstance(text, str):
        raise RecordError(f"{whose} of the journal cannot be read: the text {digest} is no JSON string")
    return text
