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
from dataclasses import replace
from typing import Any, Final, Self

from sqlalchemy import select

from ostrom.core import Call, InputError, OstromError, QuestionKey, RecordError
from ostrom.core.redaction import Redactor
from ostrom.journal import arrange, migrations, overview, read, write
from ostrom.journal import spending as spent
from ostrom.journal.arrange import Attachments, add_attachments, copy_experiments
from ostrom.journal.check import RowProblem, damage_of_file, problems
from ostrom.journal.claims import EXPERIMENT, GAME, Claims
from ostrom.journal.engine import Database, locate
from ostrom.journal.ledger import Ledgers
from ostrom.journal.messages import Messages
from ostrom.journal.names import Names
from ostrom.journal.notes import Notes
from ostrom.journal.overview import ExperimentRow, GameRow, RunRow
from ostrom.journal.pages import EndedGames, PageReader
from ostrom.journal.record import GameRecord, Origin
from ostrom.journal.repair import RepairReport, repair
from ostrom.journal.schema import FINISHED, experiments, games, meta, runs
from ostrom.journal.seats import SeatLinks
from ostrom.journal.spending import GameSpending, PlayerSpending, SentCalls, Spending, spending_by_player
from ostrom.journal.summaries import Summaries
from ostrom.journal.writer import Patience, Writer

_PAGE: Final = 16
"""Games that are read at once; so many are in memory, however many there are."""


class Journal:
    """A journal that is open."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._claims = Claims(database)
        self.patience: Final = Patience()
        """How long a journal that is out of reach is waited for, and who is told of it."""
        self._writer = Writer(database, self._claims, self.patience)
        self.upgraded: migrations.Upgrade | None = None
        """What opening it did to a journal of an older schema."""
        self.ended: Final = EndedGames(database)
        """The games that are over, for those who study them as they come."""
        self.summaries: Final = Summaries(database)
        """What was found in games that are over."""
        self.messages: Final = Messages(database)
        """What was said in games that are over, found by its words."""
        self.seats: Final = SeatLinks(database)
        """The links of people's seats."""
        self.attachments: Final = Attachments(database)
        """What belongs to experiments and is no game of them."""
        self.notes: Final = Notes(database)
        """What readers left beside moments of games."""
        self.names: Final = Names(database)
        """What players are called."""
        self.pages: Final = PageReader(database, self.names)
        """The journal a page at a time, as it may be shown while it is being written."""

    @classmethod
    def open(cls, url: str, *, create: bool = False, label: str | None = None) -> Self:
        """Open the journal at a URL, and make it where there is none and `create`. Messages call it by its `label`,
        else by its place.

        Without `create`, a file that cannot be written, or that lies in such a folder, is opened for reading only; with
        it, such a file is refused.
        """
        location = locate(url)
        if label is not None:
            location = replace(location, label=label)
        database = Database(location, only_read=not create and location.unwritable() is not None)
        try:
            upgraded = migrations.check(database, create=create)
        except BaseException:
            database.close()
            raise
        journal = cls(database)
        journal.upgraded = upgraded
        return journal

    def close(self) -> None:
        """Store what was handed to ledgers, and let go of the database."""
        self._writer.close()
        self._claims.close()
        self._database.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
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
    def typed(self) -> str:
        """What can be typed after `--store` to name it again."""
        return self._database.location.typed

    @property
    def only_read(self) -> bool:
        return self._database.only_read

    # Writing: each method is one transaction.

    def new_experiment(
        self,
        name: str,
        *,
        kind: str,
        settings: Mapping[str, Any] | None = None,
        planned: int | None = None,
        attachments: Mapping[str, bytes] | None = None,
    ) -> str:
        """Enter an experiment with its attachments, and get its id. `planned` is the number of its games, where that is
        known.

        A name is one line of text, and no other experiment's id.
        """
        with self._claims.writing() as connection:
            entered = write.add_experiment(connection, name, kind, settings or {}, planned)
            add_attachments(connection, entered, attachments or {})
            return entered

    def end_plan(self, experiment: str, games: int) -> None:
        """Say that an experiment is over with so many games, fewer than it might have had."""
        with self._claims.writing() as connection:
            write.end_plan(connection, experiment, games)

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

        def add() -> bool:
            with self._claims.writing() as connection:
                return write.add_game(connection, experiment, record, key, origin or Origin(), finals)

        return self.patience.through(add)

    def new_run(self, experiment: str, settings: Mapping[str, Any] | None = None) -> int:
        """Note that an experiment is begun or gone on with, and under which limits; which time it is, from 1."""
        with self._claims.writing() as connection:
            serial = read.experiment_named(connection, experiment)[0]
            number = write.add_run(connection, serial, settings or {})
        self._claims.note_run(serial, number)
        return number

    def settle(self, experiment: str, dollars: float, tokens: int = 0) -> tuple[SentCalls, SentCalls]:
        """Say what those calls of an experiment came to, all together, that were sent and never came back; what they
        counted for before, and after. To be called by whoever has claimed the experiment."""
        with self._claims.writing() as connection:
            serial = read.experiment_named(connection, experiment)[0]
            write.touch(connection)
            return spent.settle(connection, serial, dollars, tokens)

    def rename(self, experiment: str, name: str) -> None:
        """Give an experiment another name."""
        with self._claims.writing() as connection:
            arrange.rename(connection, read.experiment_named(connection, experiment)[0], name)

    def tag(self, experiment: str, add: Sequence[str] = (), remove: Sequence[str] = ()) -> list[str]:
        """Add tags to an experiment and take others off; the tags that it has then."""
        with self._claims.writing() as connection:
            return arrange.tag(connection, read.experiment_named(connection, experiment)[0], add, remove)

    def archive(self, experiment: str, *, archived: bool = True) -> None:
        """Leave an experiment out of lists and pools, or take it in again."""
        with self._claims.writing() as connection:
            arrange.archive(connection, read.experiment_named(connection, experiment)[0], archived=archived)

    def extend(self, experiment: str, changes: Mapping[str, Any], planned: int) -> None:
        """Add to the plan of an experiment. To be called by whoever has claimed it."""
        with self._claims.writing() as connection:
            arrange.extend(connection, read.experiment_named(connection, experiment)[0], changes, planned)

    def delete(self, experiment: str) -> None:
        """Delete an experiment with all its games. To be called by whoever has claimed it."""
        with self._claims.writing() as connection:
            arrange.delete_experiment(connection, read.experiment_named(connection, experiment)[0])

    def copy_to(self, other: "Journal", experiments: Sequence[str]) -> int:
        """Copy the games of these experiments that are over into an empty journal, without what was sent to models and
        came back; how many there are."""
        ids = [self.experiment_id(name) for name in experiments]
        return copy_experiments(self._database, other._database, ids, Redactor())

    def check(self) -> tuple[Sequence[str], list[RowProblem]]:
        """What keeps this journal from being read: damage of its file, and rows."""
        damaged = damage_of_file(self._database)
        return damaged, [] if damaged else list(problems(self._database))

    def damage(self) -> str | None:
        """What is wrong with this journal, in one line, if anything: where its reader fails for no other reason, this
        is the reason."""
        try:
            in_file, in_rows = self.check()
        except OstromError as error:
            return str(error)
        first = next(iter([*in_file, *map(str, in_rows)]), None)
        if first is None:
            return None
        return f"the journal {self.label} is damaged: {first}; 'ostrom journal check' lists all, 'repair' mends it"

    def repair(self) -> RepairReport:
        """Mend what `check` finds; a copy is kept first."""
        if self.only_read:
            raise InputError(f"the journal {self.label} cannot be written: {self._database.location.unwritable()}")
        return repair(self._database)

    # An experiment that is being run.

    def ledgers(self, experiment: str) -> Ledgers:
        """The ledgers of an experiment's games, for writing many of them as they are played; to be closed, or used in
        `async with`."""
        with self._database.reading() as connection:
            serial, name = read.experiment_named(connection, experiment)
        return Ledgers(self._database, self._writer, self.patience, serial, name)

    @contextmanager
    def claim(self, experiment: str) -> Iterator[str]:
        """Hold an experiment, so that no other process runs it; gives its id. The claim ends with the process, however
        that ends."""
        with self._database.reading() as connection:
            serial, name = read.experiment_named(connection, experiment)
        with self._claims.claim(EXPERIMENT, serial, name):
            yield name

    @contextmanager
    def claim_game(self, game: str) -> Iterator[str]:
        """Hold a game of a PostgreSQL journal, where several processes share an experiment; gives its id. In a file,
        whose experiments are run by one process, there is nothing to hold."""
        with self._database.reading() as connection:
            serial, name = read.game_named(connection, game)
        with self._claims.claim(GAME, serial, f"the game {name}"):
            yield name

    # Reading.

    def revision(self) -> int:
        """A number that grows with every write: what was computed at the same revision still holds."""
        with self._database.glancing() as connection:
            found = connection.execute(_REVISION).scalars().all()
        if len(found) != 1 or not isinstance(found[0], int):
            raise RecordError(
                f"the journal {self.label} does not say how often it was changed; run 'ostrom journal check'"
            )
        return int(found[0])

    def experiments(self) -> list[ExperimentRow]:
        """All experiments, the oldest first."""
        with self._database.reading() as connection:
            return overview.experiment_rows(connection, {})

    def games(self, experiment: str | None = None, state: str | None = None) -> list[GameRow]:
        """The games of an experiment, or all, in any state or in one, in the order in which they were begun."""
        wanted = overview.short_headers().order_by(games.c.serial)
        if state is not None:
            wanted = wanted.where(games.c.state == state)
        with self._database.reading() as connection:
            if experiment is not None:
                wanted = wanted.where(games.c.experiment == read.experiment_named(connection, experiment)[0])
            return [overview.game_row(head) for head in connection.execute(wanted)]

    def versions(self, experiment: str) -> set[tuple[str, str]]:
        """The games of an experiment by name, and under which versions of them it was played, as far as is known."""
        wanted = select(games.c.game, games.c.game_version).where(games.c.game_version.is_not(None)).distinct()
        with self._database.reading() as connection:
            mine = games.c.experiment == read.experiment_named(connection, experiment)[0]
            return {(row.game, row.game_version) for row in connection.execute(wanted.where(mine))}

    def origin(self, game: str) -> Origin:
        """Where a game, by its id or its key, comes from, and how a replay draws it."""
        columns = (games.c.id, games.c.package, games.c.game_version, games.c.scene)
        with self._database.reading() as connection:
            mine = games.c.serial == read.game_named(connection, game)[0]
            row = connection.execute(select(*columns).where(mine)).one()
            if row.scene is None:
                return Origin(row.package, row.game_version)
            found = read.Columns.of_game(row.id)
            scene = found.mapping(read.texts_of(connection, [row.scene], found)[row.scene], "scene")
            return Origin(row.package, row.game_version, scene)

    def settings(self, experiment: str) -> dict[str, Any]:
        """All that decides an experiment, as it was entered."""
        with self._database.reading() as connection:
            serial, name = read.experiment_named(connection, experiment)
            found = connection.execute(
                select(experiments.c.settings).where(experiments.c.serial == serial)
            ).scalar_one()
            return dict(read.Columns(f"the experiment {name}").mapping(found, "settings"))

    def runs(self, experiment: str) -> list[RunRow]:
        """How often an experiment was begun or gone on with, and under which limits."""
        with self._database.reading() as connection:
            serial, name = read.experiment_named(connection, experiment)
            wanted = select(runs).where(runs.c.experiment == serial).order_by(runs.c.number)
            found = read.Columns(f"the experiment {name}")
            return [
                RunRow(row.number, row.at, found.mapping(row.settings, f"runs.{row.number}.settings"))
                for row in connection.execute(wanted)
            ]

    def spending(self, experiment: str, keys: Sequence[str] | None = None) -> Spending:
        """What an experiment, or its games with these keys, has used up in all its runs, failed calls included."""
        with self._database.reading() as connection:
            return spent.spending(connection, read.experiment_named(connection, experiment)[0], keys)

    def spending_by_player(self, experiment: str, keys: Sequence[str] | None = None) -> dict[str, PlayerSpending]:
        """The same for each player, by the name under which results list it; without those who made no call."""
        with self._database.reading() as connection:
            return spending_by_player(connection, read.experiment_named(connection, experiment)[0], keys)

    def spending_by_game(self, experiment: str | None = None) -> dict[str, GameSpending]:
        """What the calls of each game used up, by the game's id; games without a call are not among them."""
        with self._database.reading() as connection:
            serial = None if experiment is None else read.experiment_named(connection, experiment)[0]
            return spent.spending_by_game(connection, serial)

    def calls(self, game: str) -> list[tuple[QuestionKey, Call]]:
        """The calls of a game, by its id or its key, in the order of its questions and then of the attempts."""
        with self._database.reading() as connection:
            return read.calls_of(connection, *read.game_named(connection, game))

    def record(self, game: str) -> GameRecord:
        """The record of a game, by its id or its key; of a game that is being played, what is there so far."""
        with self._database.reading() as connection:
            serial, name = read.game_named(connection, game)
            heads = connection.execute(read.headers().where(games.c.serial == serial)).all()
            if not heads:
                raise read.Columns.of_game(name).damage("experiment: there is none")
            return read.records_of(connection, heads)[0]

    def records(self, experiment: str | None = None) -> Iterator[read.KeptGame]:
        """The finished games of an experiment, or all, one after the other.

        They are read a few at a time, each time in a transaction of its own: however slowly they are consumed, no
        writer is held up, and games that are finished meanwhile may be among them.
        """
        wanted = read.headers().where(games.c.state == FINISHED).order_by(games.c.serial).limit(_PAGE)
        if experiment is not None:
            with self._database.reading() as connection:
                wanted = wanted.where(games.c.experiment == read.experiment_named(connection, experiment)[0])
        last, full = 0, True
        while full:
            with self._database.reading() as connection:
                heads = connection.execute(wanted.where(games.c.serial > last)).all()
                records = read.records_of(connection, heads)
            for head, record in zip(heads, records, strict=True):
                yield read.KeptGame(head.id, head.label, record)
                last = head.serial
            full = len(heads) == _PAGE

    def experiment_id(self, name: str) -> str:
        """The id of the experiment that is meant by an id or by the name of one experiment alone."""
        with self._database.reading() as connection:
            return read.experiment_named(connection, name)[1]

    def game_id(self, name: str) -> str:
        """The id of the game that is meant by an id or by the key of one game alone."""
        with self._database.reading() as connection:
            return read.game_named(connection, name)[1]


_REVISION: Final = select(meta.c.revision)
