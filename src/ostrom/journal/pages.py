"""The journal read a page at a time, for those who show or study it while others write: games by what they are, events
by their place, a game's record as anybody may see it at this moment, and the games that are over."""

import zlib
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, NamedTuple

from sqlalchemy import BindParameter, Connection, Row, Select, Text, and_, bindparam, case, func, or_, select

from ostrom.core.questions import Answer, Call, QuestionKey
from ostrom.journal import read, results
from ostrom.journal.arrange import ARCHIVED, IN_ARCHIVE
from ostrom.journal.engine import Database
from ostrom.journal.game_lists import (
    EVERY_GAME,
    GameFilters,
    GameOrder,
    ListedSummary,
    ResolvedFilters,
    ids_in,
    match_word,
    page_of,
    summary_in,
    words_in,
)
from ostrom.journal.names import Names
from ostrom.journal.overview import ExperimentRow, GameRow, experiment_rows, game_row, short_headers
from ostrom.journal.record import GameRecord
from ostrom.journal.schema import FINISHED, PLAYING, VOID, calls, events, experiments, games

_STUDIED: Final = 4
"""Games that are read at once; so many are in memory, and between them a reader can be told to stop."""
_NAME: Final[BindParameter[str]] = bindparam("name", type_=Text)
_STAGE: Final = select(
    experiments.c.name,
    experiments.c.kind,
    # A setting that only looks like the archive's does no harm: it never changes.
    experiments.c.settings.like(f'%"{ARCHIVED}":%').label(ARCHIVED),
    select(func.count()).select_from(games).where(games.c.state != PLAYING).scalar_subquery(),
).order_by(experiments.c.serial)


class GameSlice(NamedTuple):
    """Some of the games."""

    games: list[GameRow]
    total: int
    """How many there are in all."""
    summaries: Sequence[ListedSummary | None] = ()
    """What was found in each of them; nothing in one that is not over, or at which nobody has looked yet."""


class Neighbours(NamedTuple):
    """The games before and after one in a list."""

    number: int
    """Its place, counted from 1."""
    total: int
    before: str | None
    after: str | None


class EventSlice(NamedTuple):
    """Some of what happened in a game, in order."""

    events: list[dict[str, Any]]
    total: int
    """How many there are in all, so far."""
    state: str
    """The game's, at the same moment."""


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
    calls: int
    """How many calls of models it took, so far."""


class TurnCalls(NamedTuple):
    """What models were asked in a turn of a game."""

    calls: list[tuple[QuestionKey, Call]]
    """In the order of the questions and then of the attempts."""
    answers: dict[QuestionKey, Answer]
    """What was decided."""
    playing: bool
    """Whether the game is not over, so that nothing is told."""


class PageReader:
    """A journal, to be read a page at a time; each method sees one moment of it."""

    def __init__(self, database: Database, names: Names) -> None:
        self._database = database
        self._names = names
        self._counted: dict[str, ExperimentRow] = {}
        self._seated: dict[str, tuple[int, tuple[str, ...]]] = {}

    def games(
        self,
        wanted: GameFilters = EVERY_GAME,
        *,
        order: GameOrder = "begun",
        down: bool = True,
        offset: int = 0,
        limit: int = 50,
    ) -> GameSlice:
        """Games that the filters choose, in this order; by default the newest first."""
        meant = self._meaning(wanted)
        with self._database.glancing() as connection:
            page = page_of(meant, order, down, connection.dialect.name)
            rows = connection.execute(page, {"offset": offset, "limit": limit}).all()
        there = [row for row in rows if row.serial is not None]
        return GameSlice([game_row(row) for row in there], int(rows[0].total), [summary_in(row) for row in there])

    def neighbours(self, game: str, wanted: GameFilters, order: GameOrder, down: bool) -> Neighbours | None:
        """The games before and after one, by its id, in a list; None where the list does not hold it."""
        meant = self._meaning(wanted)
        with self._database.glancing() as connection:
            ids = list(connection.execute(ids_in(meant, order, down, connection.dialect.name)).scalars())
        if game not in ids:
            return None
        place = ids.index(game)
        before, after = ids[place - 1] if place else None, ids[place + 1] if place + 1 < len(ids) else None
        return Neighbours(place + 1, len(ids), before, after)

    def kinds(self) -> list[str]:
        """What records call the games here, those that are being played and void ones among them."""
        with self._database.glancing() as connection:
            return list(connection.execute(select(games.c.game).distinct().order_by(games.c.game)).scalars())

    def _meaning(self, wanted: GameFilters) -> ResolvedFilters:
        """The filters in the journal's own words: an experiment by its serial number, players by their names."""
        serial = None
        if wanted.experiment is not None:
            # What a name means never changes.
            with self._database.reading() as connection:
                serial = read.experiment_named(connection, wanted.experiment)[0]
        words = words_in(wanted.text)
        if not words:
            return ResolvedFilters(wanted, serial, ())
        with self._database.glancing() as connection:
            every = connection.execute(select(experiments.c.serial, experiments.c.name))
            named = [(row.serial, row.name) for row in every]
        called = self._names.known()
        players = {player: called.of(player) for player in called.players}
        return ResolvedFilters(wanted, serial, tuple(match_word(word, players, named) for word in words))

    def game(self, name: str) -> GameHeader:
        """One game, by its id or its key."""
        found = self._meant(name, GAME)
        if found is None:
            return self.game(self._id(name))
        head, columns = found[0], read.Columns.of_game(found[0].id)
        return GameHeader(
            row=game_row(head),
            rules=columns.mapping(head.rules, "rules"),
            labels=results.players_and_labels(head.id, head.seats)[1],
            seed=results.seed_of(columns, head.seed),
            events=head.happened,
            calls=head.called,
        )

    def calls(self, game: str, turn: int) -> TurnCalls:
        """What models were asked in a turn of a game, by its id or its key. While a game is being played, what was
        decided is secret until what comes of it has happened, so that nothing is told."""
        with self._database.reading() as connection:
            serial, name = read.game_named(connection, game)
            if connection.scalar(select(games.c.state).where(games.c.serial == serial)) == PLAYING:
                return TurnCalls([], {}, playing=True)
            decided = read.decisions_of(connection, serial, name, turn)
            return TurnCalls(read.calls_of(connection, serial, name, turn), decided, playing=False)

    def events(self, game: str, first: int, limit: int) -> EventSlice:
        """At most so many events of a game, by its id or its key, from the place `first` on, counted from 0."""
        found = self._meant(game, GAME_EVENTS, first=first, end=first + limit)
        if found is None:
            return self.events(self._id(game), first, limit)
        happened = read.events_in([row for row in found if row.number is not None], lambda row: str(row.id))
        return EventSlice(happened, found[0].happened, found[0].state)

    def shown(self, game: str) -> GameRecord:
        """The record of a game as anybody may see it now. While a game is being played, its answers are secret until
        what comes of them has happened, so that it is shown by its events alone."""
        with self._database.reading() as connection:
            head = connection.execute(
                read.headers().where(games.c.serial == read.game_named(connection, game)[0])
            ).one()
            (record,) = read.records_of(connection, [head], answered=head.state != PLAYING)
            return record

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

    def begun(self, game: str) -> str:
        """When a game was begun, as ISO 8601 has it."""
        with self._database.reading() as connection:
            mine = games.c.serial == read.game_named(connection, game)[0]
            return str(connection.execute(select(games.c.started).where(mine)).scalar_one())

    def _meant(self, name: str, wanted: Select[Any], **given: int) -> Sequence[Row[Any]] | None:
        """The rows of the one game that is meant by a name; None where there is none, or more than one."""
        if not read.is_text(name):
            return None
        with self._database.glancing() as connection:
            rows = connection.execute(wanted, {"name": name, **given}).all()
        mine = [row for row in rows if row.id == rows[0].id]
        return mine if mine and (mine[0].id == name or len(mine) == len(rows)) else None

    def _id(self, game: str) -> str:
        """The id of the one game that is meant by a name; says why there is none."""
        with self._database.reading() as connection:
            return read.game_named(connection, game)[1]


def _seated(connection: Connection, experiment: int, name: str) -> tuple[str, ...]:
    wanted = select(games.c.seats).where(games.c.experiment == experiment).distinct()
    found = (
        read.Columns(f"the experiment {name}").json(seats, "seats") for seats in connection.execute(wanted).scalars()
    )
    return tuple(sorted({str(seat["player"]) for seats in found for seat in seats}))


class EndedGames:
    """The games of a journal that are over: how many there are, which, and their records. What is said of one never
    changes, so that who studies them need read none twice."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def stage(self) -> tuple[int, int]:
        """What changes with every game that ends and every experiment that is entered, renamed, archived, restored or
        deleted, and with nothing else: how many games are over, and a number that stands for the experiments."""
        with self._database.glancing() as connection:
            rows = connection.execute(_STAGE).all()
        arranged = repr([tuple(row)[:3] for row in rows]).encode(errors="backslashreplace")
        return (int(rows[0][3]) if rows else 0), zlib.crc32(arranged)

    def experiments(self) -> dict[str, str]:
        """The names of all experiments by their ids, the oldest first."""
        wanted = select(experiments.c.id, experiments.c.name).order_by(experiments.c.serial)
        with self._database.glancing() as connection:
            return {row.id: row.name for row in connection.execute(wanted)}

    def kinds(self) -> dict[str, int]:
        """How many games are finished, by what records call them, in the order in which the first was begun."""
        wanted = select(games.c.game, func.count()).where(games.c.state == FINISHED).group_by(games.c.game)
        with self._database.glancing() as connection:
            rows = connection.execute(wanted.order_by(func.min(games.c.serial))).all()
        return {row[0]: int(row[1]) for row in rows}

    def games(self, names: Collection[str] | None = None) -> list[GameRow]:
        """Finished and void games, all or those that records call so, in the order in which they were begun."""
        wanted = short_headers().where(games.c.state != PLAYING)
        if names is not None:
            wanted = wanted.where(games.c.game.in_(names))
        with self._database.glancing() as connection:
            return [game_row(head) for head in connection.execute(wanted.order_by(games.c.serial))]

    def results(self, names: Collection[str], experiment: str | None = None) -> list[results.FinishedGame]:
        """How the finished games that records call so ended, of one experiment or of all, in the order in which they
        were begun; no event is decoded for it."""
        with self._database.reading() as connection:
            serial = None if experiment is None else read.experiment_named(connection, experiment)[0]
            return results.results_of(connection, names, serial)

    def states(self, experiment: str | None = None) -> list[tuple[str, str, str]]:
        """The games that are over, of one experiment or of all: id, what records call it, 'finished' or 'void'."""
        wanted = select(games.c.id, games.c.game, games.c.state).where(games.c.state != PLAYING)
        with self._database.reading() as connection:
            if experiment is not None:
                wanted = wanted.where(games.c.experiment == read.experiment_named(connection, experiment)[0])
            return [(row.id, row.game, row.state) for row in connection.execute(wanted.order_by(games.c.serial))]

    def void(self, names: Collection[str], experiment: str | None = None) -> list[str]:
        """The ids of the void games that records call so, of one experiment, or of all that are not archived."""
        wanted = select(games.c.id).where(games.c.state == VOID, games.c.game.in_(names))
        with self._database.reading() as connection:
            if experiment is None:
                wanted = wanted.where(games.c.experiment.not_in(IN_ARCHIVE))
            else:
                wanted = wanted.where(games.c.experiment == read.experiment_named(connection, experiment)[0])
            return list(connection.execute(wanted.order_by(games.c.serial)).scalars())

    def settings(self) -> dict[str, dict[str, Any]]:
        """What decided every experiment, by its id."""
        wanted = select(experiments.c.id, experiments.c.settings)
        with self._database.glancing() as connection:
            rows = connection.execute(wanted).all()
        return {row.id: read.Columns(f"the experiment {row.id}").mapping(row.settings, "settings") for row in rows}

    def experiment_heads(self) -> list[dict[str, Any]]:
        """Id, name, kind and moment of every experiment, the oldest first; nothing of their games is counted."""
        columns = [experiments.c[name] for name in ("id", "name", "kind", "created")]
        with self._database.glancing() as connection:
            return [dict(row._mapping) for row in connection.execute(select(*columns).order_by(experiments.c.serial))]

    def tables(self, game: str, block: int, digest: str) -> dict[str, bytes]:
        """The tidy tables that are kept of a block of games, as bytes, by their names."""
        with self._database.glancing() as connection:
            return results.stored_tables(connection, game, block, digest)

    def keep_tables(self, game: str, block: int, digest: str, tables: Mapping[str, bytes]) -> None:
        """Keep the tidy tables of a block of games; in a journal that is only read, nothing is kept."""
        if not self._database.only_read:
            with self._database.writing() as connection:
                results.store_tables(connection, game, block, digest, tables)

    def records(self, ids: Sequence[str]) -> Iterator[read.KeptGame]:
        """These games, a few at a time, each time in a transaction of its own."""
        for first in range(0, len(ids), _STUDIED):
            with self._database.reading() as connection:
                page = read.study_records(connection, ids[first : first + _STUDIED])
            yield from page


# What is asked for a page is one statement each: a statement sees one moment by itself, and to a database server each
# is a trip. They are put together once, as that takes as long as carrying them out.


def _named(wanted: Select[Any]) -> Select[Any]:
    """The games that may be meant by a name, each with how much has happened in it: the one with this id before those
    with this key, and no more of them than tell whether it is one alone."""
    # Events are numbered without a gap, so that the last one tells how many there are.
    last = select(func.max(events.c.number)).where(events.c.game == games.c.serial).scalar_subquery()
    by_key = case((games.c.id == _NAME, 0), else_=1).label("by_key")
    wanted = wanted.add_columns(func.coalesce(last + 1, 0).label("happened"), by_key)
    return wanted.where(or_(games.c.id == _NAME, games.c.key == _NAME)).order_by(by_key, games.c.serial).limit(2)


def _with_events() -> Select[Any]:
    head = _named(select(games.c.id, games.c.serial, games.c.state)).subquery()
    place = events.c.number
    told = and_(events.c.game == head.c.serial, place >= bindparam("first"), place < bindparam("end"))
    columns = (events.c[name] for name in ("number", "tag", "version", "payload"))
    heads = (head.c[name] for name in ("id", "state", "happened"))
    return select(*heads, *columns).select_from(head.outerjoin(events, told)).order_by(head.c.by_key, place)


_MADE: Final = select(func.count()).where(calls.c.game == games.c.serial).scalar_subquery()
GAME: Final = _named(read.headers().add_columns(_MADE.label("called")))
"""The headers of the games that may be meant by a `name`, each with how many calls of models it took."""
GAME_EVENTS: Final = _with_events()
"""The same with the events from the place `first` up to the place `end`; where there are none, a row without one."""
