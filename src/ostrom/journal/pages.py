"""The journal read a page at a time, for those who show it while others write: games by what they are, events by their
place, and a game's record as anybody may see it at this moment."""

import json
from dataclasses import dataclass
from typing import Any, NamedTuple

from sqlalchemy import ColumnElement, Connection, Row, Select, func, select

from ostrom.journal import reading
from ostrom.journal.damage import from_json, object_from_json
from ostrom.journal.engine import Database
from ostrom.journal.names import experiment_named, game_named
from ostrom.journal.overview import ExperimentRow, GameRow, experiment_rows, game_row, headers
from ostrom.journal.reading import Series
from ostrom.journal.record import GameRecord
from ostrom.journal.schema import events, experiments, games


class GamePage(NamedTuple):
    """Some of the games."""

    games: list[GameRow]
    total: int
    """How many there are in all."""


class EventPage(NamedTuple):
    """Some of what happened in a game, in order."""

    events: list[dict[str, Any]]
    total: int
    """How many there are in all, so far."""
    state: str
    """The game's, at the same moment."""


class ShownGame(NamedTuple):
    """A game as it may be shown now."""

    state: str
    record: GameRecord


@dataclass(frozen=True, slots=True)
class GameHeader:
    """A game with all that is known before it begins, and how far it is."""

    row: GameRow
    rules: dict[str, Any]
    labels: tuple[str, ...]
    """By seat."""
    seed: int | None
    events: int
    """How many there are, so far."""


class Pages:
    """A journal, to be read a page at a time; each method sees one moment of it."""

    def __init__(self, database: Database, series: Series | None) -> None:
        self._database = database
        self._series = series
        self._counted: dict[str, ExperimentRow] = {}
        self._seated: dict[str, tuple[int, tuple[str, ...]]] = {}

    def games(
        self,
        *,
        experiment: str | None = None,
        player: str | None = None,
        state: str | None = None,
        game: str | None = None,
        offset: int = 0,
        limit: int = 50,
    ) -> GamePage:
        """Games of an experiment, with this player at a seat, in this state, of this name; the newest first."""
        with self._database.reading() as connection:
            serial = None if experiment is None else experiment_named(connection, experiment)[0]
            wanted = {games.c.experiment: serial, games.c.state: state, games.c.game: game}
            which = [column == value for column, value in wanted.items() if value is not None]
            if player is not None:
                which.append(_seats(connection, player))
            total = int(connection.execute(select(func.count()).select_from(games).where(*which)).scalar_one())
            page = headers().where(*which).order_by(games.c.serial.desc()).offset(offset).limit(limit)
            return GamePage([game_row(head) for head in connection.execute(page)], total)

    def game(self, name: str) -> GameHeader:
        """One game, by its id or its key."""
        with self._database.reading() as connection:
            head = connection.execute(_one(connection, name)).one()
            whose = f"the game {head.id}"
            return GameHeader(
                row=game_row(head),
                rules=object_from_json(head.rules, whose, "rules"),
                labels=tuple(str(seat["label"]) for seat in from_json(head.seats, whose, "seats")),
                seed=None if head.seed is None else int(head.seed),
                events=_happened(connection, head),
            )

    def events(self, game: str, first: int, limit: int) -> EventPage:
        """At most so many events of a game, by its id or its key, from the place `first` on, counted from 0."""
        with self._database.reading() as connection:
            head = connection.execute(_one(connection, game)).one()
            place = events.c.number
            wanted = select(events).where(events.c.game == head.serial, place >= first, place < first + limit)
            told = [reading.event(row, head.id) for row in connection.execute(wanted.order_by(place))]
            return EventPage(told, _happened(connection, head), head.state)

    def shown(self, game: str) -> ShownGame:
        """The record of a game as anybody may see it now. While a game is being played, its answers are secret until
        what comes of them has happened, so that it is shown by its events alone."""
        with self._database.reading() as connection:
            kept = reading.shown(connection, _one(connection, game), self._series)
            return ShownGame(kept.state, kept.record)

    def experiments(self) -> list[ExperimentRow]:
        """All experiments, the oldest first; those in which nothing happens are counted once."""
        with self._database.reading() as connection:
            rows = experiment_rows(connection, self._counted)
        self._counted = {row.id: row for row in rows}
        return rows

    def seated(self) -> dict[str, tuple[str, ...]]:
        """Who sat down in each experiment, by its id, in the order of the alphabet."""
        count = select(games.c.experiment, experiments.c.id, func.count()).join(experiments)
        with self._database.reading() as connection:
            for serial, name, number in connection.execute(count.group_by(games.c.experiment, experiments.c.id)):
                # Games are only ever added, and who sits at one never changes.
                if name not in self._seated or self._seated[name][0] != number:
                    self._seated[name] = (number, _seated(connection, serial, name))
        return {name: players for name, (_, players) in self._seated.items()}


def _seated(connection: Connection, experiment: int, name: str) -> tuple[str, ...]:
    wanted = select(games.c.seats).where(games.c.experiment == experiment).distinct()
    found = (from_json(seats, f"the experiment {name}", "seats") for seats in connection.execute(wanted).scalars())
    return tuple(sorted({str(seat["player"]) for seats in found for seat in seats}))


def _one(connection: Connection, name: str) -> Select[Any]:
    return headers().where(games.c.id == game_named(connection, name))


def _happened(connection: Connection, head: Row[Any]) -> int:
    # Events are numbered without a gap, so that the last one tells how many there are.
    last = connection.execute(select(func.max(events.c.number)).where(events.c.game == head.serial)).scalar()
    return 0 if last is None else int(last) + 1


def _seats(connection: Connection, player: str) -> ColumnElement[bool]:
    """Whether this player has a seat. A quotation mark within a name is written with a backslash, so that what is
    looked for stands nowhere but in the place of a player."""
    sought = f'"player":{json.dumps(player)}'
    # LIKE would take capitals and small letters for the same.
    place = func.strpos if connection.dialect.name == "postgresql" else func.instr
    found: ColumnElement[bool] = place(games.c.seats, sought) > 0
    return found
