"""What is read from the journal, each function within a transaction that it is handed: experiments and games in rows,
and whole records, rebuilt from header, answers and events."""

import json
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from operator import attrgetter
from typing import Any, NoReturn, TypeAlias

from pydantic import ValidationError
from sqlalchemy import Column, Connection, FromClause, Row, Select, Table, func, select

from ostrom.journal.record import GameRecord
from ostrom.journal.schema import answers, events, experiments, games, meta
from ostrom.journal.writing import FINISHED
from ostrom.table import OstromError, Provenance, RecordError

Series: TypeAlias = Callable[[str, Sequence[Mapping[str, Any]]], dict[str, list[Any]]]
"""A game's name and its events give their arrays over turns. The journal knows no game, so it is handed this."""


@dataclass(frozen=True, slots=True)
class ExperimentRow:
    """An experiment and how far it is."""

    id: str
    name: str
    kind: str
    created: str
    """The moment, in UTC."""
    settings: dict[str, Any]
    planned: int | None
    """How many games it is to have; not known of what is imported."""
    games: int
    """How many are finished."""
    playing: int
    """How many were begun and are not finished."""
    answers: int
    events: int
    provenance: dict[Provenance, int]
    """How many answers there are of each kind."""

    @property
    def state(self) -> str:
        """Whether anything is left to do; whether anybody is doing it, a journal cannot know."""
        if self.playing or (self.planned is not None and self.games < self.planned):
            return "unfinished"
        return "open" if self.planned is None else "finished"


@dataclass(frozen=True, slots=True)
class GameRow:
    """A game without what happened in it."""

    id: str
    experiment: str
    key: str
    """What the experiment calls it."""
    game: str
    players: tuple[str, ...]
    """By seat."""
    rounds: int | None
    """How many were played, of a game that is finished."""
    state: str
    source: str | None


def revision(connection: Connection) -> int:
    """A number that grows with every write."""
    return int(connection.execute(select(meta.c.revision)).scalar_one())


def experiment_rows(connection: Connection) -> list[ExperimentRow]:
    """All experiments, the oldest first."""
    states = _counts(connection, games, games.c.state)
    kinds = _counts(connection, answers.join(games), answers.c.provenance)
    happened = _counts(connection, events.join(games), games.c.game)
    return [
        ExperimentRow(
            id=row.id,
            name=row.name,
            kind=row.kind,
            created=row.created,
            settings=_object(row.settings, f"the experiment {row.id}", "settings"),
            planned=row.planned,
            games=states[row.serial].get(FINISHED, 0),
            playing=sum(count for state, count in states[row.serial].items() if state != FINISHED),
            answers=sum(kinds[row.serial].values()),
            events=sum(happened[row.serial].values()),
            provenance={kind: kinds[row.serial][kind] for kind in Provenance if kind in kinds[row.serial]},
        )
        for row in connection.execute(select(experiments).order_by(experiments.c.serial))
    ]


def game_rows(connection: Connection, experiment: int | None) -> list[GameRow]:
    """The games of one experiment or of all, in the order in which they were begun."""
    wanted = headers().order_by(games.c.serial)
    if experiment is not None:
        wanted = wanted.where(games.c.experiment == experiment)
    return [
        GameRow(
            id=row.id,
            experiment=row.label,
            key=row.key,
            game=row.game,
            players=_players(row),
            rounds=row.rounds,
            state=row.state,
            source=row.source,
        )
        for row in connection.execute(wanted)
    ]


@dataclass(frozen=True, slots=True)
class Kept:
    """A game as it is kept, with its place in the journal."""

    serial: int
    id: str
    experiment: str
    record: GameRecord


def finished(experiment: int | None, after: int, most: int) -> Select[Any]:
    """The headers of at most so many finished games that follow the game `after`."""
    wanted = headers().where(games.c.serial > after, games.c.state == FINISHED).order_by(games.c.serial).limit(most)
    return wanted if experiment is None else wanted.where(games.c.experiment == experiment)


def headers() -> Select[Any]:
    """The headers of games."""
    return select(games, experiments.c.id.label("label")).join(experiments)


def kept(connection: Connection, wanted: Select[Any], series: Series | None) -> list[Kept]:
    """The games with these headers, whole: three statements, however many games."""
    heads = connection.execute(wanted).all()
    serials = [head.serial for head in heads]
    given = {game: list(rows) for game, rows in _by_game(connection, answers, serials)}
    happened = {game: list(rows) for game, rows in _by_game(connection, events, serials)}
    return [
        Kept(
            serial=head.serial,
            id=head.id,
            experiment=head.label,
            record=_record(head, given.get(head.serial, []), happened.get(head.serial, []), series),
        )
        for head in heads
    ]


def _record(head: Row[Any], given: list[Row[Any]], happened: list[Row[Any]], series: Series | None) -> GameRecord:
    game = f"the game {head.id}"
    told = [
        {"event": row.tag, "version": row.version, **_object(row.payload, game, f"events.{row.number}.payload")}
        for row in happened
    ]
    content = {
        "ostrom": head.ostrom,
        "game": head.game,
        "seed": None if head.seed is None else _json(head.seed, game, "seed"),
        "number": head.number,
        "orders": _json(head.orders, game, "orders"),
        "source": head.source,
        "rules": _json(head.rules, game, "rules"),
        "seats": _json(head.seats, game, "seats"),
        "answers": [
            {
                "turn": row.turn,
                "phase": row.phase,
                "seat": row.seat,
                "value": _json(row.value, game, f"answers.{row.number}.value"),
                "provenance": row.provenance,
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
        first = error.errors()[0]
        where = ".".join(str(part) for part in first["loc"])
        raise RecordError(f"{game} of the journal cannot be read: {where}: {first['msg']}") from None
    except OstromError as error:
        raise RecordError(f"{game} of the journal cannot be read: {error}") from error


def _players(head: Row[Any]) -> tuple[str, ...]:
    game = f"the game {head.id}"
    seats = _json(head.seats, game, "seats")
    try:
        return tuple(str(seat["player"]) for seat in seats)
    except (LookupError, TypeError):
        raise RecordError(f"{game} of the journal cannot be read: seats: they name no players") from None


def _object(text: str, whose: str, where: str) -> dict[str, Any]:
    value = _json(text, whose, where)
    if not isinstance(value, dict):
        raise RecordError(f"{whose} of the journal cannot be read: {where}: it is no JSON object")
    return value


def _json(text: str, whose: str, where: str) -> Any:
    """What a column holds; what is damaged is named."""
    try:
        return _from_json(text)
    except (RecursionError, TypeError, ValueError) as error:
        raise RecordError(f"{whose} of the journal cannot be read: {where}: it is no JSON: {error}") from None


def _no_number(name: str) -> NoReturn:
    raise ValueError(f"{name} is no number")


# As strict as the writer, which keeps no NaN.
_from_json = json.JSONDecoder(parse_constant=_no_number).decode


def _by_game(connection: Connection, table: Table, serials: list[int]) -> Iterator[tuple[int, Iterator[Row[Any]]]]:
    wanted = select(table).where(table.c.game.in_(serials)).order_by(table.c.game, table.c.number)
    return groupby(connection.execute(wanted), attrgetter("game"))


def _counts(connection: Connection, source: FromClause, column: Column[str]) -> dict[int, dict[str, int]]:
    """How many rows there are, by experiment and by what stands in the column."""
    wanted = select(games.c.experiment, column, func.count()).select_from(source).group_by(games.c.experiment, column)
    counts: dict[int, dict[str, int]] = defaultdict(dict)
    for experiment, value, count in connection.execute(wanted):
        counts[experiment][value] = count
    return counts
