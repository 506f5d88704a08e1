"""Whole records, rebuilt from header, answers and events; each function within a transaction that it is handed."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from operator import attrgetter
from typing import Any, Final, TypeAlias

from pydantic import ValidationError
from sqlalchemy import Connection, Row, Select, Table, select

from ostrom.core import OstromError, RecordError
from ostrom.core.validation import first_problem
from ostrom.journal.damage import from_json, object_from_json, sound_objects
from ostrom.journal.overview import headers
from ostrom.journal.record import GameRecord
from ostrom.journal.schema import answers, events, games, meta
from ostrom.journal.writing import FINISHED, PLAYING

Series: TypeAlias = Callable[[str, Sequence[Mapping[str, Any]]], dict[str, list[Any]]]
"""A game's name and its events give their arrays over turns. The journal knows no game, so it is handed this."""


def revision(connection: Connection) -> int:
    """A number that grows with every write."""
    return int(connection.execute(_REVISION).scalar_one())


_REVISION: Final = select(meta.c.revision)


@dataclass(frozen=True, slots=True)
class Kept:
    """A game as it is kept, with its place in the journal."""

    serial: int
    id: str
    experiment: str
    record: GameRecord
    state: str


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
    }
    try:
        if series is not None:
            content["series"] = series(head.game, told)
        return GameRecord.model_validate(content)
    except ValidationError as error:
        raise RecordError(f"{game} of the journal cannot be read: {first_problem(error)}") from None
    except OstromError as error:
        raise RecordError(f"{game} of the journal cannot be read: {error}") from error


def _by_game(connection: Connection, table: Table, serials: list[int]) -> Iterator[tuple[int, Iterator[Row[Any]]]]:
    wanted = select(table).where(table.c.game.in_(serials)).order_by(table.c.game, table.c.number)
    return groupby(connection.execute(wanted), attrgetter("game"))
