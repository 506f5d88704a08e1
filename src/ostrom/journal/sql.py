"""The journal stores experiments, games, answers and events in SQLite or PostgreSQL. Data is only added to it. ::

    with Journal.open("sqlite:///ostrom.db", create=True) as journal:
        experiment = journal.new_experiment("first steps", kind="commons")
        journal.add_game(experiment, record, key="0")
        for game, experiment, record in journal.records():
            ...

Any number of processes may read a journal while others write.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
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
from ostrom.journal.notes import Notes, SeatLinks
from ostrom.journal.overview import ExperimentRow, GameRow, RunRow
from ostrom.journal.pages import EndedGames, PageReader
from ostrom.journal.record import GameRecord, Origin
from ostrom.journal.repair import RepairReport, repair
from ostrom.journal.replies import StoredReplies
from ostrom.journal.schema import FINISHED, experiments, games, meta, runs
from ostrom.journal.sessions import Sessions
from ostrom.journal.spending import GameSpending, PlayerSpending, SentCalls, Spending, spending_by_player
from ostrom.journal.summaries import Summaries
from ostrom.journal.writer import Patience, Writer

_GAMES_PER_READ: Final = 16
"""The number of games that one transaction reads. It limits the memory that is used."""


class Journal:
    """An open journal."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._claims = Claims(database)
        self.patience: Final = Patience()
        """The policy for waiting while the journal is unreachable."""
        self._writer = Writer(database, self._claims, self.patience)
        self.upgraded: migrations.Upgrade | None = None
        """The upgrade that was done when the journal was opened; None if there was none."""
        self.ended: Final = EndedGames(database)
        """Ended games, for studies."""
        self.summaries: Final = Summaries(database)
        """Summaries of ended games."""
        self.messages: Final = Messages(database)
        """The searchable messages of ended games."""
        self.seats: Final = SeatLinks(database)
        """The links of people's seats."""
        self.sessions: Final = Sessions(database, self._claims)
        """The sessions of people."""
        self.attachments: Final = Attachments(database)
        """The attachments of experiments: data other than games."""
        self.notes: Final = Notes(database)
        """Readers' notes."""
        self.names: Final = Names(database)
        """Names of players."""
        self.replies: Final = StoredReplies(database)
        """The replies of models, which other experiments can reuse."""
        self.pages: Final = PageReader(database, self.names)
        """A reader of the journal page by page, even while others write."""

    @classmethod
    def open(cls, url: str, *, create: bool = False, only_read: bool = False, label: str | None = None) -> Self:
        """Open the journal at a URL. If there is no journal and `create` is set, create it. Messages name the journal
        by `label`, or by its location if there is no label.

        Without `create`, a file that is not writable, or whose folder is not writable, is opened for reading only. With
        `create`, such a file is refused. With `only_read`, nothing is written, and a journal of an older schema is
        refused.
        """
        location = locate(url)
        if label is not None:
            location = replace(location, label=label)
        database = Database(location, only_read=only_read or (not create and location.unwritable() is not None))
        try:
            upgraded = migrations.check(database, create=create)
        except BaseException:
            database.close()
            raise
        journal = cls(database)
        journal.upgraded = upgraded
        return journal

    def close(self) -> None:
        """Store all data that was passed to ledgers, and close the database."""
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
        """True for a file, which can be read at once. Reading from a database server may take time."""
        return self._database.location.file is not None

    @property
    def label(self) -> str:
        """The name of the journal in messages, which never contains a password."""
        return self._database.location.label

    @property
    def only_read(self) -> bool:
        return self._database.only_read

    def is_same(self, other: "Journal") -> bool:
        """Return whether both journals are open at the same file or address."""
        locations = self._database.location, other._database.location
        if locations[0].file is None or locations[1].file is None:
            return locations[0].label == locations[1].label
        return locations[0].file.samefile(locations[1].file)

    # Methods that write. Each of them is one transaction.

    def new_experiment(
        self,
        name: str,
        *,
        kind: str,
        settings: Mapping[str, Any] | None = None,
        planned: int | None = None,
        attachments: Mapping[str, bytes] | None = None,
    ) -> str:
        """Add an experiment with its attachments, and return its id. `planned` is the number of its games, if known.
        The name must be one line of text, and must not be the id of another experiment."""
        with self._claims.writing() as connection:
            entered = write.add_experiment(connection, name, kind, settings or {}, planned)
            add_attachments(connection, entered, attachments or {})
            return entered

    def end_plan(self, experiment: str, games: int) -> None:
        """Set the planned number of games of an experiment that ended early."""
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
        """Store a whole game with the final result of each seat, and return True. If the experiment already has a game
        with this key, return False and change nothing."""

        def add() -> bool:
            with self._claims.writing() as connection:
                return write.add_game(connection, experiment, record, key, origin or Origin(), finals)

        return self.patience.through(add)

    def new_run(self, experiment: str, settings: Mapping[str, Any] | None = None) -> int:
        """Enter a start or resumption of an experiment with its limits; return its number, from 1."""
        with self._claims.writing() as connection:
            serial = read.experiment_named(connection, experiment)[0]
            number = write.add_run(connection, serial, settings or {})
        self._claims.note_run(serial, number)
        return number

    def settle(self, experiment: str, dollars: float, tokens: int = 0) -> tuple[SentCalls, SentCalls]:
        """Set the total cost of the calls of an experiment that were sent and have no response; return the sums over
        these calls before and after. The caller must have claimed the experiment."""
        with self._claims.writing() as connection:
            serial = read.experiment_named(connection, experiment)[0]
            write.touch(connection)
            return spent.settle(connection, serial, dollars, tokens)

    def rename(self, experiment: str, name: str) -> None:
        """Give an experiment another name."""
        with self._claims.writing() as connection:
            arrange.rename(connection, read.experiment_named(connection, experiment)[0], name)

    def tag(self, experiment: str, add: Sequence[str] = (), remove: Sequence[str] = ()) -> list[str]:
        """Add and remove tags of an experiment; return its tags."""
        with self._claims.writing() as connection:
            return arrange.tag(connection, read.experiment_named(connection, experiment)[0], add, remove)

    def archive(self, experiment: str, *, archived: bool = True) -> None:
        """Archive an experiment, which hides it from lists and pools, or restore it."""
        with self._claims.writing() as connection:
            arrange.archive(connection, read.experiment_named(connection, experiment)[0], archived=archived)

    def widen_dates(self, experiment: str, days: Sequence[str]) -> None:
        """Extend the period of an import to these days, on which imported games were played."""
        with self._claims.writing() as connection:
            arrange.widen_dates(connection, read.experiment_named(connection, experiment)[0], days)

    def extend(self, experiment: str, changes: Mapping[str, Any], planned: int) -> None:
        """Add settings to an experiment, and games to its plan. The caller must have claimed the experiment."""
        with self._claims.writing() as connection:
            arrange.extend(connection, read.experiment_named(connection, experiment)[0], changes, planned)

    def delete(self, experiment: str) -> None:
        """Delete an experiment with all its games. The caller must have claimed the experiment."""
        with self._claims.writing() as connection:
            arrange.delete_experiment(connection, read.experiment_named(connection, experiment)[0])

    def copy_to(self, other: "Journal", experiments: Sequence[str]) -> int:
        """Copy the ended games of these experiments into an empty journal, without prompts and replies; return their
        number."""
        ids = [self.experiment_id(name) for name in experiments]
        return copy_experiments(self._database, other._database, ids, Redactor())

    def check(self, progress: Callable[..., None] = lambda **_: None) -> tuple[Sequence[str], list[RowProblem]]:
        """Return the problems of this journal's file and of its rows. `progress` is called with the number of rows, and
        then of games, that are `completed`, their `total`, and what they are (`description`)."""
        damaged = damage_of_file(self._database)
        return damaged, [] if damaged else list(problems(self._database, progress))

    def copies(self) -> list[Path]:
        """Return the copies of the file that upgrades and repairs have left beside it."""
        file = self._database.location.file
        if file is None:
            return []
        kinds = ("schema-*", "damaged*")
        return sorted(path for kind in kinds for path in file.parent.glob(f"{file.stem}.{kind}{file.suffix}"))

    def damage(self) -> str | None:
        """Return the first problem of this journal in one line, or None. The problem may explain an unexpected error
        while reading."""
        try:
            in_file, in_rows = self.check()
        except OstromError as error:
            return str(error)
        first = next(iter([*in_file, *map(str, in_rows)]), None)
        if first is None:
            return None
        return f"the journal {self.label} is damaged: {first}; check it to list all problems, and repair it"

    def repair(self) -> RepairReport:
        """Copy the journal, and fix the problems that `check` returns."""
        if self.only_read:
            raise InputError(f"the journal {self.label} cannot be written: {self._database.location.unwritable()}")
        return repair(self._database)

    # Methods for an experiment that is being run.

    def ledgers(self, experiment: str) -> Ledgers:
        """Return the ledgers of an experiment, which store its games as they are played. Close them, or use `async
        with`."""
        with self._database.reading() as connection:
            serial, name = read.experiment_named(connection, experiment)
        return Ledgers(self._database, self._writer, self.patience, serial, name)

    @contextmanager
    def claim(self, experiment: str) -> Iterator[str]:
        """Claim an experiment, so that no other process runs it, and yield its id. The claim ends with the context or
        the process."""
        with self._database.reading() as connection:
            serial, name = read.experiment_named(connection, experiment)
        with self._claims.claim(EXPERIMENT, serial, name):
            yield name

    @contextmanager
    def claim_game(self, game: str) -> Iterator[str]:
        """Claim a game and yield its id. Only journals in PostgreSQL need this, since several processes may share an
        experiment there. For a file, one process runs the whole experiment, so no lock is taken."""
        with self._database.reading() as connection:
            serial, name = read.game_named(connection, game)
        with self._claims.claim(GAME, serial, f"the game {name}"):
            yield name

    # Methods that read.

    def revision(self) -> int:
        """Return a number that grows with every write. Earlier results are valid as long as the number is the same."""
        with self._database.glancing() as connection:
            revisions = connection.execute(_REVISION).scalars().all()
        if len(revisions) != 1 or not isinstance(revisions[0], int):
            raise RecordError(f"the journal {self.label} has no valid revision; check and repair it")
        return int(revisions[0])

    def experiments(self) -> list[ExperimentRow]:
        """Return all experiments, the oldest first."""
        with self._database.reading() as connection:
            return overview.experiment_rows(connection, {})

    def games(self, experiment: str | None = None, state: str | None = None) -> list[GameRow]:
        """Return the games of an experiment, or of all, in the order of their start. With `state`, return only games in
        this state."""
        query = overview.short_headers().order_by(games.c.serial)
        if state is not None:
            query = query.where(games.c.state == state)
        with self._database.reading() as connection:
            if experiment is not None:
                query = query.where(games.c.experiment == read.experiment_named(connection, experiment)[0])
            return [overview.game_row(head) for head in connection.execute(query)]

    def versions(self, experiment: str) -> set[tuple[str, str]]:
        """Return every pair of game and version that an experiment has used."""
        query = select(games.c.game, games.c.game_version).where(games.c.game_version.is_not(None)).distinct()
        with self._database.reading() as connection:
            chosen = games.c.experiment == read.experiment_named(connection, experiment)[0]
            return {(row.game, row.game_version) for row in connection.execute(query.where(chosen))}

    def origin(self, game: str) -> Origin:
        """Return the package, version and scene of the game with this id or key."""
        columns = (games.c.id, games.c.package, games.c.game_version, games.c.scene)
        with self._database.reading() as connection:
            chosen = games.c.serial == read.game_named(connection, game)[0]
            row = connection.execute(select(*columns).where(chosen)).one()
            if row.scene is None:
                return Origin(row.package, row.game_version)
            reader = read.Columns.of_game(row.id)
            scene = reader.mapping(read.texts_of(connection, [row.scene], reader)[row.scene], "scene")
            return Origin(row.package, row.game_version, scene)

    def settings(self, experiment: str) -> dict[str, Any]:
        """Return the settings of an experiment."""
        with self._database.reading() as connection:
            serial, name = read.experiment_named(connection, experiment)
            text = connection.execute(select(experiments.c.settings).where(experiments.c.serial == serial)).scalar_one()
            return dict(read.Columns(f"the experiment {name}").mapping(text, "settings"))

    def runs(self, experiment: str) -> list[RunRow]:
        """Return the starts and resumptions of an experiment with their limits."""
        with self._database.reading() as connection:
            serial, name = read.experiment_named(connection, experiment)
            query = select(runs).where(runs.c.experiment == serial).order_by(runs.c.number)
            reader = read.Columns(f"the experiment {name}")
            return [
                RunRow(row.number, row.at, reader.mapping(row.settings, f"runs.{row.number}.settings"))
                for row in connection.execute(query)
            ]

    def spending(self, experiment: str, keys: Sequence[str] | None = None) -> Spending:
        """Return the spending of an experiment, or of its games with these keys, over all its runs, including failed
        calls."""
        with self._database.reading() as connection:
            return spent.spending(connection, read.experiment_named(connection, experiment)[0], keys)

    def spending_by_player(self, experiment: str, keys: Sequence[str] | None = None) -> dict[str, PlayerSpending]:
        """Return the spending of each player that has calls, by the player's name in results."""
        with self._database.reading() as connection:
            return spending_by_player(connection, read.experiment_named(connection, experiment)[0], keys)

    def spending_by_game(self, experiment: str | None = None) -> dict[str, GameSpending]:
        """Return the spending of each game that has calls, by the game's id."""
        with self._database.reading() as connection:
            serial = None if experiment is None else read.experiment_named(connection, experiment)[0]
            return spent.spending_by_game(connection, serial)

    def calls(self, game: str) -> list[tuple[QuestionKey, Call]]:
        """Return the calls of the game with this id or key, in the order of its questions and attempts."""
        with self._database.reading() as connection:
            return read.calls_of(connection, *read.game_named(connection, game))

    def record(self, game: str, *, public: bool = False) -> GameRecord:
        """Return the record of the game with this id or key. For an unfinished game, it is the record so far. If
        `public`, the record has only the parts that the public may see."""
        with self._database.reading() as connection:
            serial, name = read.game_named(connection, game)
            heads = connection.execute(read.headers().where(games.c.serial == serial)).all()
            if not heads:
                raise read.Columns.of_game(name).damage("experiment: there is none")
            if public:
                return self.pages.shown(name)
            (record,) = read.records_of(connection, heads)
        read.check_events(heads[0], record)
        return record

    def records(self, experiment: str | None = None) -> Iterator[read.KeptGame]:
        """Yield the finished games of an experiment, or of all.

        Each transaction reads only a few games, so that a slow consumer does not delay a writer. Games that finish
        while the others are read may be included.
        """
        query = read.headers().where(games.c.state == FINISHED).order_by(games.c.serial).limit(_GAMES_PER_READ)
        if experiment is not None:
            with self._database.reading() as connection:
                query = query.where(games.c.experiment == read.experiment_named(connection, experiment)[0])
        last, full = 0, True
        while full:
            with self._database.reading() as connection:
                heads = connection.execute(query.where(games.c.serial > last)).all()
                records = read.records_of(connection, heads)
            for head, record in zip(heads, records, strict=True):
                read.check_events(head, record)
                yield read.KeptGame(head.id, head.label, record)
                last = head.serial
            full = len(heads) == _GAMES_PER_READ

    def experiment_id(self, name: str) -> str:
        """Return the id of an experiment. `name` is its id, or its name if no other experiment has the same name."""
        with self._database.reading() as connection:
            return read.experiment_named(connection, name)[1]

    def game_id(self, name: str) -> str:
        """Return the id of a game. `name` is its id, or its key if no other game has the same key."""
        with self._database.reading() as connection:
            return read.game_named(connection, name)[1]


_REVISION: Final = select(meta.c.revision)
