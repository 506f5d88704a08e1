"""The journal: experiments, games, answers and events in SQLite or PostgreSQL, to which things are only ever added. ::

    with Journal.open("sqlite:///ostrom.db", create=True) as journal:
        experiment = journal.new_experiment("first steps", kind="commons")
        journal.add_game(experiment, record, key="0")
        for game, experiment, record in journal.records():
            ...

A journal may be read by any number of processes while others write.
"""

from collections.abc import Iterator, Mapping, Sequence
from types import TracebackType
from typing import Any, Final, NamedTuple, Self

from ostrom.journal import reading, schema, writing
from ostrom.journal.engine import Database
from ostrom.journal.location import locate
from ostrom.journal.names import experiment_named, game_named
from ostrom.journal.reading import ExperimentRow, GameRow, Kept, Series
from ostrom.journal.record import GameRecord, RecordedAnswer
from ostrom.journal.schema import games
from ostrom.journal.writing import AlreadyDecided

__all__ = ["AlreadyDecided", "ExperimentRow", "GameRow", "Journal", "KeptGame", "Series"]

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
            schema.check(database, create=create)
        except BaseException:
            database.close()
            raise
        return cls(database, series)

    def close(self) -> None:
        """Let go of the database."""
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
    def label(self) -> str:
        """What to call the journal in messages; never with a password."""
        return self._database.location.label

    # Writing: each method is one transaction.

    def new_experiment(
        self, name: str, *, kind: str, settings: Mapping[str, Any] | None = None, planned: int | None = None
    ) -> str:
        """Enter an experiment, and get its id. `planned` is the number of its games, where that is known.

        A name is one line of text, and no other experiment's id.
        """
        with self._database.writing() as connection:
            return writing.add_experiment(connection, name, kind, settings or {}, planned)

    def add_game(self, experiment: str, record: GameRecord, *, key: str) -> bool:
        """Keep a whole game. Where the experiment has a game of this key, nothing changes and the answer is False."""
        with self._database.writing() as connection:
            game = writing.start(connection, experiment, record, key)
            if game is None:
                return False
            writing.finish(connection, game)
            writing.touch(connection)
            return True

    def start_game(self, experiment: str, record: GameRecord, *, key: str) -> str | None:
        """Keep a game that is being played, with what its record holds so far, and get its id; None where the
        experiment has a game of this key."""
        with self._database.writing() as connection:
            game = writing.start(connection, experiment, record, key)
            if game is not None:
                writing.touch(connection)
            return game

    def append(
        self, game: str, answers: Sequence[RecordedAnswer] = (), events: Sequence[Mapping[str, Any]] = ()
    ) -> None:
        """Add what was decided and what happened. An answer to a question that is decided raises `AlreadyDecided`, and
        nothing is added."""
        with self._database.writing() as connection:
            writing.append(connection, game, answers, events)
            writing.touch(connection)

    def finish(self, game: str) -> None:
        """Say that a game is over; from now on it is among the `records`, and nothing can be added."""
        with self._database.writing() as connection:
            writing.finish(connection, game)
            writing.touch(connection)

    # Reading.

    def revision(self) -> int:
        """A number that grows with every write: what was computed at the same revision still holds."""
        with self._database.reading() as connection:
            return reading.revision(connection)

    def experiments(self) -> list[ExperimentRow]:
        """All experiments, the oldest first."""
        with self._database.reading() as connection:
            return reading.experiment_rows(connection)

    def games(self, experiment: str | None = None) -> list[GameRow]:
        """The games of an experiment, or all, in the order in which they were begun; unfinished ones are among them."""
        with self._database.reading() as connection:
            serial = None if experiment is None else experiment_named(connection, experiment)[0]
            return reading.game_rows(connection, serial)

    def record(self, game: str) -> GameRecord:
        """The record of a game, by its id or its key; of a game that is being played, what is there so far."""
        with self._database.reading() as connection:
            wanted = reading.headers().where(games.c.id == game_named(connection, game))
            return reading.kept(connection, wanted, self._series)[0].record

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
            return reading.kept(connection, reading.finished(experiment, after, _PAGE), self._series)

    def experiment_id(self, name: str) -> str:
        """The id of the experiment that is meant by an id or by the name of one experiment alone."""
        with self._database.reading() as connection:
            return experiment_named(connection, name)[1]

    def game_id(self, name: str) -> str:
        """The id of the game that is meant by an id or by the key of one game alone."""
        with self._database.reading() as connection:
            return game_named(connection, name)
