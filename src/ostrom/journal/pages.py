"""Read the journal page by page, even while other processes write: lists of games, events by index, the public record
of a game, and finished games."""

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
from ostrom.journal.public import public_events, public_record, public_rules, without_seed
from ostrom.journal.record import GameRecord
from ostrom.journal.results import FinishedGame
from ostrom.journal.schema import FINISHED, PLAYING, VOID, calls, events, experiments, games

_GAMES_PER_READ: Final = 4
"""The number of games that one transaction reads. A reader can stop between two transactions."""
_NAME: Final[BindParameter[str]] = bindparam("name", type_=Text)
_STAGE: Final = select(
    experiments.c.name,
    experiments.c.kind,
    # A setting that matches the pattern by coincidence does no harm, since settings never change.
    experiments.c.settings.like(f'%"{ARCHIVED}":%').label(ARCHIVED),
    select(func.count()).select_from(games).where(games.c.state != PLAYING).scalar_subquery(),
).order_by(experiments.c.serial)


class GameSlice(NamedTuple):
    """A page of games."""

    games: list[GameRow]
    total: int
    """The number of games on all pages."""
    summaries: Sequence[ListedSummary | None] = ()
    """The summary of each game on the page; None for a game that is unfinished or has no summary."""


class Neighbours(NamedTuple):
    """The games before and after a game in a list."""

    number: int
    """The position of the game in the list, counted from 1."""
    total: int
    before: str | None
    after: str | None


class EventSlice(NamedTuple):
    """A page of a game's events."""

    events: list[dict[str, Any]]
    total: int
    """The number of all events so far, on all pages."""
    state: str
    """The state of the game when the events were read."""


@dataclass(frozen=True, slots=True)
class GameHeader:
    """A game with its progress and all facts that are known before it begins."""

    row: GameRow
    rules: dict[str, Any]
    labels: tuple[str, ...]
    """The labels of the seats, in order."""
    seed: int | None
    events: int
    """The number of events so far."""
    calls: int
    """The number of calls of models so far."""


class TurnCalls(NamedTuple):
    """The calls of models in a turn of a game."""

    calls: list[tuple[QuestionKey, Call]]
    """The calls, each with the key of its question, in the order of questions and attempts."""
    answers: dict[QuestionKey, Answer]
    """The decisions, by the key of their question."""
    playing: bool
    """True while the game is being played. Its calls and answers are then secret."""


class PageReader:
    """Reads a journal page by page. Each method sees a single state of the journal."""

    def __init__(self, database: Database, names: Names) -> None:
        self._database = database
        self._names = names
        self._counted: dict[str, ExperimentRow] = {}
        self._seated: dict[str, tuple[int, tuple[str, ...]]] = {}

    def games(
        self,
        filters: GameFilters = EVERY_GAME,
        *,
        order: GameOrder = "begun",
        down: bool = True,
        offset: int = 0,
        limit: int = 50,
    ) -> GameSlice:
        """Return a page of the games that the filters select; by default the newest first."""
        resolved = self._resolve(filters)
        with self._database.glancing() as connection:
            page = page_of(resolved, order, down, connection.dialect.name)
            rows = connection.execute(page, {"offset": offset, "limit": limit}).all()
        games_on_page = [row for row in rows if row.serial is not None]
        return GameSlice(
            [game_row(row) for row in games_on_page], int(rows[0].total), [summary_in(row) for row in games_on_page]
        )

    def neighbours(self, game: str, filters: GameFilters, order: GameOrder, down: bool) -> Neighbours | None:
        """Return the games before and after the game with this id in a list; None if the game is not in the list."""
        resolved = self._resolve(filters)
        with self._database.glancing() as connection:
            ids = list(connection.execute(ids_in(resolved, order, down, connection.dialect.name)).scalars())
        if game not in ids:
            return None
        place = ids.index(game)
        before, after = ids[place - 1] if place else None, ids[place + 1] if place + 1 < len(ids) else None
        return Neighbours(place + 1, len(ids), before, after)

    def kinds(self) -> list[str]:
        """Return the names in records of all games that were played, including unfinished and void ones."""
        with self._database.glancing() as connection:
            return list(connection.execute(select(games.c.game).distinct().order_by(games.c.game)).scalars())

    def _resolve(self, filters: GameFilters) -> ResolvedFilters:
        """Return the filters with names replaced by the ids of the journal."""
        serial = None
        if filters.experiment is not None:
            # The id that belongs to a name never changes.
            with self._database.reading() as connection:
                serial = read.experiment_named(connection, filters.experiment)[0]
        words = words_in(filters.text)
        if not words:
            return ResolvedFilters(filters, serial, ())
        with self._database.glancing() as connection:
            every = connection.execute(select(experiments.c.serial, experiments.c.name))
            names = [(row.serial, row.name) for row in every]
        player_names = self._names.known()
        players = {player: player_names.of(player) for player in player_names.players}
        return ResolvedFilters(filters, serial, tuple(match_word(word, players, names) for word in words))

    def game(self, name: str) -> GameHeader:
        """Return the game with this id or key."""
        rows = self._rows_of(name, GAME)
        if rows is None:
            return self.game(self._id(name))
        head, columns = rows[0], read.Columns.of_game(rows[0].id)
        rules = columns.mapping(head.rules, "rules")
        return GameHeader(
            row=game_row(head),
            rules=public_rules(head.game, rules) if head.secret else rules,
            labels=results.players_and_labels(head.id, head.seats)[1],
            seed=None if head.secret else results.seed_of(columns, head.seed),
            events=head.happened,
            calls=head.called,
        )

    def calls(self, game: str, turn: int) -> TurnCalls:
        """Return the calls of models in one turn of the game with this id or key. While the game is under way they are
        secret, so the result is empty."""
        with self._database.reading() as connection:
            serial, name = read.game_named(connection, game)
            if connection.scalar(select(games.c.state).where(games.c.serial == serial)) == PLAYING:
                return TurnCalls([], {}, playing=True)
            decided = read.decisions_of(connection, serial, name, turn)
            return TurnCalls(read.calls_of(connection, serial, name, turn), decided, playing=False)

    def events(self, game: str, first: int, limit: int) -> EventSlice:
        """Return at most `limit` events, from index `first`, of the game with this id or key."""
        rows = self._rows_of(game, GAME_EVENTS, first=first, end=first + limit)
        if rows is None:
            return self.events(self._id(game), first, limit)
        page = read.events_in([row for row in rows if row.number is not None], lambda row: str(row.id))
        if rows[0].state == PLAYING:
            page = public_events(rows[0].game, page)
        return EventSlice(page, rows[0].happened, rows[0].state)

    def shown(self, game: str) -> GameRecord:
        """Return the record of a game as the public may see it. While the game is under way, the record has only public
        events. It has no seed and no sealed rules until the game's experiment is over."""
        with self._database.reading() as connection:
            query = read.headers().add_columns(_SECRET_SEED)
            head = connection.execute(query.where(games.c.serial == read.game_named(connection, game)[0])).one()
            (record,) = read.records_of(connection, [head], answered=head.state != PLAYING)
        if head.state == PLAYING:
            return public_record(record)
        if head.secret:
            record = without_seed(record)
        if head.state == FINISHED:
            read.check_events(head, record)
        return record

    def experiments(self) -> list[ExperimentRow]:
        """Return all experiments, the oldest first. The counts of an experiment are computed again only if it has
        changed."""
        with self._database.reading() as connection:
            rows = experiment_rows(connection, self._counted)
        self._counted = {row.id: row for row in rows}
        return rows

    def seated(self) -> dict[str, tuple[str, ...]]:
        """Return the players of each experiment in alphabetical order, by the experiment's id."""
        count = select(games.c.experiment, experiments.c.id, func.count()).join(experiments)
        with self._database.reading() as connection:
            for serial, name, number in connection.execute(count.group_by(games.c.experiment, experiments.c.id)):
                # Games are only added, and the players of a game never change.
                if name not in self._seated or self._seated[name][0] != number:
                    self._seated[name] = (number, _seated(connection, serial, name))
        return {name: players for name, (_, players) in self._seated.items()}

    def begun(self, game: str) -> str:
        """Return the time when a game began, in ISO 8601."""
        with self._database.reading() as connection:
            chosen = games.c.serial == read.game_named(connection, game)[0]
            return str(connection.execute(select(games.c.started).where(chosen)).scalar_one())

    def _rows_of(self, name: str, query: Select[Any], **parameters: int) -> Sequence[Row[Any]] | None:
        """Return the rows of the game with this id or key. Return None if there is no such game, or more than one."""
        if not read.is_text(name):
            return None
        with self._database.glancing() as connection:
            rows = connection.execute(query, {"name": name, **parameters}).all()
        first_rows = [row for row in rows if row.id == rows[0].id]
        return first_rows if first_rows and (first_rows[0].id == name or len(first_rows) == len(rows)) else None

    def _id(self, game: str) -> str:
        """Return the id of the game with this id or key. Raise InputError if there is no such game, or more than
        one."""
        with self._database.reading() as connection:
            return read.game_named(connection, game)[1]


def _seated(connection: Connection, experiment: int, name: str) -> tuple[str, ...]:
    query = select(games.c.seats).where(games.c.experiment == experiment).distinct()
    seat_lists = (
        read.Columns(f"the experiment {name}").json(seats, "seats") for seats in connection.execute(query).scalars()
    )
    return tuple(sorted({str(seat["player"]) for seats in seat_lists for seat in seats}))


class EndedGames:
    """The finished and void games of a journal. They never change, so a study needs to read each of them only once."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def stage(self) -> tuple[int, int]:
        """Return a value that changes only when a game ends, or when an experiment is added, renamed, archived,
        restored or deleted. The value is the number of ended games and a checksum of the experiments."""
        with self._database.glancing() as connection:
            rows = connection.execute(_STAGE).all()
        arranged = repr([tuple(row)[:3] for row in rows]).encode(errors="backslashreplace")
        return (int(rows[0][3]) if rows else 0), zlib.crc32(arranged)

    def experiments(self) -> dict[str, str]:
        """Return the names of all experiments by their ids, the oldest first."""
        query = select(experiments.c.id, experiments.c.name).order_by(experiments.c.serial)
        with self._database.glancing() as connection:
            return {row.id: row.name for row in connection.execute(query)}

    def kinds(self) -> dict[str, int]:
        """Return the number of finished games for each game, by its name in records. The games are in the order in
        which they were first played."""
        query = select(games.c.game, func.count()).where(games.c.state == FINISHED).group_by(games.c.game)
        with self._database.glancing() as connection:
            rows = connection.execute(query.order_by(func.min(games.c.serial))).all()
        return {row[0]: int(row[1]) for row in rows}

    def games(self, names: Collection[str] | None = None) -> list[GameRow]:
        """Return finished and void games in the order of their start. `names` limits them to games with these names in
        records."""
        query = short_headers().where(games.c.state != PLAYING)
        if names is not None:
            query = query.where(games.c.game.in_(names))
        with self._database.glancing() as connection:
            return [game_row(head) for head in connection.execute(query.order_by(games.c.serial))]

    def results(self, names: Collection[str], experiment: str | None = None) -> list[results.FinishedGame]:
        """Return the results of finished games with these names in records, in the order of their start. The games are
        those of one experiment, or of all. No event is decoded."""
        with self._database.reading() as connection:
            serial = None if experiment is None else read.experiment_named(connection, experiment)[0]
            return results.results_of(connection, names, serial)

    def result_of(self, name: str, game: str) -> FinishedGame | None:
        """Return the result of a game by its name in records and its id; None if it is not finished."""
        with self._database.reading() as connection:
            return next(iter(results.results_of(connection, [name], game=game)), None)

    def states(self, experiment: str | None = None) -> list[tuple[str, str, str]]:
        """Return the ended games of one experiment, or of all. Each has its id, its name in records, and 'finished' or
        'void'."""
        query = select(games.c.id, games.c.game, games.c.state).where(games.c.state != PLAYING)
        with self._database.reading() as connection:
            if experiment is not None:
                query = query.where(games.c.experiment == read.experiment_named(connection, experiment)[0])
            return [(row.id, row.game, row.state) for row in connection.execute(query.order_by(games.c.serial))]

    def void(self, names: Collection[str], experiment: str | None = None) -> list[str]:
        """Return the ids of void games with these names in records. The games are those of one experiment, or of all
        experiments that are not archived."""
        query = select(games.c.id).where(games.c.state == VOID, games.c.game.in_(names))
        with self._database.reading() as connection:
            if experiment is None:
                query = query.where(games.c.experiment.not_in(IN_ARCHIVE))
            else:
                query = query.where(games.c.experiment == read.experiment_named(connection, experiment)[0])
            return list(connection.execute(query.order_by(games.c.serial)).scalars())

    def settings(self) -> dict[str, dict[str, Any]]:
        """Return the settings of every experiment by its id."""
        query = select(experiments.c.id, experiments.c.settings)
        with self._database.glancing() as connection:
            rows = connection.execute(query).all()
        return {row.id: read.Columns(f"the experiment {row.id}").mapping(row.settings, "settings") for row in rows}

    def experiment_heads(self) -> list[dict[str, Any]]:
        """Return id, name, kind and time of every experiment, the oldest first, without counts."""
        columns = [experiments.c[name] for name in ("id", "name", "kind", "created")]
        with self._database.glancing() as connection:
            return [dict(row._mapping) for row in connection.execute(select(*columns).order_by(experiments.c.serial))]

    def tables(self, game: str, block: int, digest: str) -> dict[str, bytes]:
        """Return the stored tidy tables of a block of games, by name, each as bytes."""
        with self._database.glancing() as connection:
            return results.stored_tables(connection, game, block, digest)

    def keep_tables(self, game: str, block: int, digest: str, tables: Mapping[str, bytes]) -> None:
        """Store the tidy tables of a block of games, unless the journal is read-only."""
        if not self._database.only_read:
            with self._database.writing() as connection:
                results.store_tables(connection, game, block, digest, tables)

    def records(self, ids: Sequence[str]) -> Iterator[read.KeptGame]:
        """Yield the games with these ids. Each transaction reads only a few of them."""
        for first in range(0, len(ids), _GAMES_PER_READ):
            with self._database.reading() as connection:
                page = read.study_records(connection, ids[first : first + _GAMES_PER_READ])
            yield from page


# Each page is read by one statement, so that it shows one state of the journal and takes only one round trip to a
# server. The statements are built only once, since building one takes as long as executing it.


def _named(query: Select[Any]) -> Select[Any]:
    """Restrict a query to the games with this id or key, and add their number of events. A game with this id comes
    before games with this key. At most two games are selected, which is enough to determine whether the name is
    unique."""
    # Events are numbered without gaps, so the last number is their count.
    last = select(func.max(events.c.number)).where(events.c.game == games.c.serial).scalar_subquery()
    by_key = case((games.c.id == _NAME, 0), else_=1).label("by_key")
    query = query.add_columns(func.coalesce(last + 1, 0).label("happened"), by_key)
    return query.where(or_(games.c.id == _NAME, games.c.key == _NAME)).order_by(by_key, games.c.serial).limit(2)


def _with_events() -> Select[Any]:
    head = _named(select(games.c.id, games.c.serial, games.c.game, games.c.state)).subquery()
    place = events.c.number
    chosen = and_(events.c.game == head.c.serial, place >= bindparam("first"), place < bindparam("end"))
    columns = (events.c[name] for name in ("number", "tag", "version", "payload"))
    heads = (head.c[name] for name in ("id", "game", "state", "happened"))
    return select(*heads, *columns).select_from(head.outerjoin(events, chosen)).order_by(head.c.by_key, place)


_TABLES: Final = games.alias("tables")
_OVER: Final = select(func.count()).where(_TABLES.c.experiment == games.c.experiment, _TABLES.c.state != PLAYING)
_BEGUN: Final = select(func.count()).where(_TABLES.c.experiment == games.c.experiment)
_SECRET_SEED: Final = (_OVER.scalar_subquery() < func.coalesce(experiments.c.planned, _BEGUN.scalar_subquery())).label(
    "secret"
)
"""True while some games of the experiment are not over. Its seed is then secret, since all of its games share it."""
_CALL_COUNT: Final = select(func.count()).where(calls.c.game == games.c.serial).scalar_subquery()
GAME: Final = _named(read.headers().add_columns(_CALL_COUNT.label("called"), _SECRET_SEED))
"""A statement that selects the games with `name` as their id or key, each with its number of calls."""
GAME_EVENTS: Final = _with_events()
"""A statement like `GAME` that also selects the events from `first` up to `end`. A game without such events has a
single row without an event."""
