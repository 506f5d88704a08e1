"""The journal: experiments, games, answers and events in SQLite or PostgreSQL, to which things are only ever added. ::

    with Journal.open("sqlite:///ostrom.db", create=True) as journal:
        experiment = journal.new_experiment("first steps", kind="commons")
        journal.add_game(experiment, record, key="0")
        for game, experiment, record in journal.records():
            ...

A journal may be read by any number of processes while others write.
"""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from types import TracebackType
from typing import Any, Final, NamedTuple, Self

from sqlalchemy import select
from sqlalchemy.exc import IntegrityError

from ostrom.core import Call, QuestionKey
from ostrom.journal import ledger, migrations, overview, read, write
from ostrom.journal import overview as accounts
from ostrom.journal.engine import Database, locate
from ostrom.journal.ledger import Ledger, Ledgers
from ostrom.journal.names import experiment_named, game_named
from ostrom.journal.overview import ExperimentRow, GameRow, ModelCalls, RunRow, Spending
from ostrom.journal.pages import Ended, Pages
from ostrom.journal.read import Finals, Kept, Series
from ostrom.journal.record import GameRecord, Origin, RecordedAnswer
from ostrom.journal.schema import PLAYING, games
from ostrom.journal.write import AlreadyDecided
from ostrom.journal.writer import Writer

__all__ = [
    "AlreadyDecided",
    "ExperimentRow",
    "Finals",
    "GameRow",
    "Journal",
    "KeptGame",
    "Ledger",
    "Ledgers",
    "ModelCalls",
    "Origin",
    "RunRow",
    "Series",
    "Spending",
]

_PAGE: Final = 16
"""Games that are read at once; so many are in memory, however many there are."""


class KeptGame(NamedTuple):
    """A finished game of the journal."""

    game: str
    experiment: str
    record: GameRecord


class Journal:
    """A journal that is open."""

    def __init__(self, database: Database, series: Series | None) -> None:
        self._database = database
        self._series = series
        self._writer = Writer(database)
        self._claims = ledger.Claims(database)
        self.upgraded: migrations.Upgrade | None = None
        """What opening it did to a journal of an older schema."""
        self.ended: Final = Ended(database)
        """The games that are over, for those who study them as they come."""
        self.pages: Final = Pages(database, series)
        """The journal a page at a time, as it may be shown while it is being written."""

    @classmethod
    def open(cls, url: str, *, create: bool = False, series: Series | None = None) -> Self:
        """Open the journal at a URL, and make it where there is none and `create`.

        Without `create`, a file that cannot be written, or that lies in such a folder, is opened for reading only; with
        it, such a file is refused.

        A record's `series` is not kept, as its events say the same. With `series` given, it is computed when a record
        is read; without, records come with an empty one.
        """
        location = locate(url)
        database = Database(location, only_read=not create and location.unwritable() is not None)
        try:
            upgraded = migrations.check(database, create=create)
        except BaseException:
            database.close()
            raise
        journal = cls(database, series)
        journal.upgraded = upgraded
        return journal

    def close(self) -> None:
        """Store what was handed to ledgers, and let go of the database."""
        self._writer.close()
        self._claims.close()
        self._database.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def __repr__(self) -> str:
        return f"<Journal {self.label}>"

    @property
    def local(self) -> bool:
        """Whether it is a file, of which a reader waits for nobody; a database server may let one wait."""
        return self._database.location.file is not None

    @property
    def label(self) -> str:
        """What to call the journal in messages; never with a password."""
        return self._database.location.label

    @property
    def only_read(self) -> bool:
        """Whether it was opened for reading only."""
        return self._database.only_read

    # Writing: each method is one transaction.

    def new_experiment(
        self, name: str, *, kind: str, settings: Mapping[str, Any] | None = None, planned: int | None = None
    ) -> str:
        """Enter an experiment, and get its id. `planned` is the number of its games, where that is known.

        A name is one line of text, and no other experiment's id.
        """
        with self._database.writing() as connection:
            return write.add_experiment(connection, name, kind, settings or {}, planned)

    def add_game(
        self,
        experiment: str,
        record: GameRecord,
        *,
        key: str,
        origin: Origin | None = None,
        finals: Sequence[float | None] | None = None,
    ) -> bool:
        """Keep a whole game, and what each seat ended with. Where the experiment has a game of this key, nothing
        changes and the answer is False."""
        with self._deciding(None, record.answers), self._database.writing() as connection:
            origin = origin or Origin()
            return write.add_game(connection, experiment, record, key, origin, over=True, finals=finals) is not None

    def start_game(self, experiment: str, record: GameRecord, *, key: str, origin: Origin | None = None) -> str | None:
        """Keep a game that is being played, with what its record holds so far, and get its id; None where the
        experiment has a game of this key."""
        with self._deciding(None, record.answers), self._database.writing() as connection:
            return write.add_game(connection, experiment, record, key, origin or Origin(), over=False)

    def append(
        self, game: str, answers: Sequence[RecordedAnswer] = (), events: Sequence[Mapping[str, Any]] = ()
    ) -> None:
        """Add what was decided and what happened. An answer to a question that is decided raises `AlreadyDecided`, and
        nothing is added."""
        with self._deciding(game, answers), self._database.writing() as connection:
            write.append(connection, game, answers, events)

    def finish(self, game: str, finals: Sequence[float | None] | None = None) -> None:
        """Say that a game is over, and what each seat ended with; from now on it is among the `records`, and nothing
        can be added."""
        with self._database.writing() as connection:
            write.finish(connection, game, finals)

    def fill_finals(self, game: str, finals: Finals) -> int:
        """Say of the finished games of this name, where the journal does not, what each seat ended with: games that an
        older Ostrom kept have no such entry. A few games at a time; how many there were."""
        filled = 0
        while page := self._without_finals(game):
            ends = {kept.game: finals(kept.record.events) for kept in self.ended.records(page)}
            with self._database.writing() as connection:
                write.fill_finals(connection, ends)
            filled += len(ends)
        return filled

    def _without_finals(self, game: str) -> list[str]:
        with self._database.glancing() as connection:
            return read.without_finals(connection, game, _PAGE)

    @contextmanager
    def _deciding(self, game: str | None, answers: Sequence[RecordedAnswer]) -> Iterator[None]:
        """Within this, an answer that the database refuses is named."""
        try:
            yield
        except IntegrityError:
            with self._database.reading() as connection:
                raise AlreadyDecided(write.decided_before(connection, game, answers)) from None

    def new_run(self, experiment: str, settings: Mapping[str, Any] | None = None) -> int:
        """Note that an experiment is begun or gone on with, and under which limits; which time it is, from 1."""
        with self._database.writing() as connection:
            serial = experiment_named(connection, experiment)[0]
            return write.add_run(connection, serial, settings or {})

    # An experiment that is being run.

    def ledgers(self, experiment: str) -> Ledgers:
        """The ledgers of an experiment's games, for writing many of them as they are played; to be closed, or used in
        `async with`."""
        with self._database.reading() as connection:
            serial, name = experiment_named(connection, experiment)
        return Ledgers(self._database, self._writer, serial, name)

    @contextmanager
    def claim(self, experiment: str) -> Iterator[str]:
        """Hold an experiment, so that no other process runs it; gives its id. The claim ends with the process, however
        that ends."""
        with self._database.reading() as connection:
            serial, name = experiment_named(connection, experiment)
        with self._claims.claim(ledger.EXPERIMENT, serial, name):
            yield name

    @contextmanager
    def claim_game(self, game: str) -> Iterator[str]:
        """Hold a game of a PostgreSQL journal, where several processes share an experiment; gives its id. In a file,
        whose experiments are run by one process, there is nothing to hold."""
        with self._database.reading() as connection:
            name = game_named(connection, game)
            serial = connection.execute(select(games.c.serial).where(games.c.id == name)).scalar_one()
        with self._claims.claim(ledger.GAME, serial, f"the game {name}"):
            yield name

    # Reading.

    def revision(self) -> int:
        """A number that grows with every write: what was computed at the same revision still holds."""
        with self._database.glancing() as connection:
            return read.revision(connection)

    def experiments(self) -> list[ExperimentRow]:
        """All experiments, the oldest first."""
        with self._database.reading() as connection:
            return overview.experiment_rows(connection)

    def games(self, experiment: str | None = None) -> list[GameRow]:
        """The games of an experiment, or all, in the order in which they were begun; unfinished ones are among them."""
        with self._database.reading() as connection:
            serial = None if experiment is None else experiment_named(connection, experiment)[0]
            return overview.game_rows(connection, serial)

    def unfinished(self, experiment: str) -> list[GameRow]:
        """The games of an experiment that were begun and are neither finished nor void."""
        with self._database.reading() as connection:
            return overview.game_rows(connection, experiment_named(connection, experiment)[0], PLAYING)

    def versions(self, experiment: str) -> set[tuple[str, str]]:
        """The games of an experiment by name, and under which versions of them it was played, as far as is known."""
        with self._database.reading() as connection:
            return read.versions_of(connection, experiment_named(connection, experiment)[0])

    def origin(self, game: str) -> Origin:
        """Where a game, by its id or its key, comes from, and how a replay draws it."""
        with self._database.reading() as connection:
            return read.origin_of(connection, game_named(connection, game))

    def runs(self, experiment: str) -> list[RunRow]:
        """How often an experiment was begun or gone on with, and under which limits."""
        with self._database.reading() as connection:
            return overview.run_rows(connection, *experiment_named(connection, experiment))

    def spending(self, experiment: str, keys: Sequence[str] | None = None) -> Spending:
        """What an experiment, or its games with these keys, has used up in all its runs, failed calls included."""
        with self._database.reading() as connection:
            return accounts.spending(connection, experiment_named(connection, experiment)[0], keys)

    def calls(self, game: str) -> list[tuple[QuestionKey, Call]]:
        """The calls of a game, by its id or its key, in the order of its questions and then of the attempts."""
        with self._database.reading() as connection:
            name = game_named(connection, game)
            serial = connection.execute(select(games.c.serial).where(games.c.id == name)).scalar_one()
            return read.calls_of(connection, serial, name)

    def record(self, game: str) -> GameRecord:
        """The record of a game, by its id or its key; of a game that is being played, what is there so far."""
        with self._database.reading() as connection:
            wanted = read.headers().where(games.c.id == game_named(connection, game))
            return read.kept(connection, wanted, self._series)[0].record

    def records(self, experiment: str | None = None) -> Iterator[KeptGame]:
        """The finished games of an experiment, or all, one after the other.

        They are read a few at a time, each time in a transaction of its own: however slowly they are consumed, no
        writer is held up, and games that are finished meanwhile may be among them.
        """
        with self._database.reading() as connection:
            serial = None if experiment is None else experiment_named(connection, experiment)[0]
        last, read = 0, _PAGE
        while read == _PAGE:
            read = 0
            for kept in self._page(serial, last):
                yield KeptGame(kept.id, kept.experiment, kept.record)
                last, read = kept.serial, read + 1

    def _page(self, experiment: int | None, after: int) -> list[Kept]:
        with self._database.reading() as connection:
            return read.kept(connection, read.finished(experiment, after, _PAGE), self._series)

    def experiment_id(self, name: str) -> str:
        """The id of the experiment that is meant by an id or by the name of one experiment alone."""
        with self._database.reading() as connection:
            return experiment_named(connection, name)[1]

    def game_id(self, name: str) -> str:
        """The id of the game that is meant by an id or by the key of one game alone."""
        with self._database.reading() as connection:
            return game_named(connection, name)
