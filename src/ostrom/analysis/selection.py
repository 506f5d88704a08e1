"""The selection of games that are studied by commands, the library and the pages, and the tables of the selected games.
The tables of games and of seats are computed from columns of the journal, without decoding events. All other tidy
tables are computed once for each block of games, and then stored in the journal. The module also defines the settings
by which verbs select games."""

import io
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import replace
from functools import cache
from hashlib import blake2b
from pathlib import Path
from typing import Annotated, Any, Final, Literal, NamedTuple, Self, TypeAlias, get_args

import numpy as np
import polars as pl
from pydantic import Field

from ostrom.analysis import tables as common
from ostrom.analysis.left_out import By
from ostrom.analysis.pooling import GamePool, Pooling, PoolOption, pools_of
from ostrom.analysis.provenance import StudyProvenance, provenance_of
from ostrom.analysis.session_people import score_with_people, session_people
from ostrom.analysis.study import AnyStudy, NothingLeft, Scored, Study, SubjectStudy, most_first, study_by_command
from ostrom.analysis.tables import GameTables, StoredRecords
from ostrom.core import InputError
from ostrom.core.arrays import round_values
from ostrom.core.command import typed_command
from ostrom.core.errors import as_argument
from ostrom.core.plugins import GAMES, find_game
from ostrom.core.settings import Display, Settings
from ostrom.core.text import number_of, one_line
from ostrom.journal.arrange import ARCHIVED
from ostrom.journal.record import remedy_for
from ostrom.journal.results import BLOCK, FinishedGame, blocks_of, digest_of_block
from ostrom.journal.sql import Journal
from ostrom.version import VERSION

Part: TypeAlias = Literal["games", "seats"]
Note: TypeAlias = Callable[[str], None]
"""A function that shows a line to the user."""
POOLED: Final[tuple[PoolOption, ...]] = get_args(PoolOption)
MAX_EXPERIMENTS: Final = 200
MAX_CAUSE_LENGTH: Final = 400
"""The largest number of characters of a provider's error message that are shown as the reason for missing games."""


class Selection(Settings):
    """A selection of games of a journal, and the differences that are ignored when the games are pooled."""

    experiments: tuple[str, ...] = Field(
        (),
        max_length=MAX_EXPERIMENTS,
        description="Only the games of these experiments, by id or name; by default, of all experiments.",
    )
    game: str | None = Field(
        None, max_length=100, description="The game; if omitted, the one with the most games in the journal."
    )
    without_defaulted: Part | None = Field(
        None, description="Leave out games, or single seats, with defaulted answers."
    )
    rules: str | None = Field(
        None,
        max_length=64,
        description="Only games whose rules have this digest, which leaderboards show; by default, the rules "
        "with the most games.",
    )
    pool: tuple[PoolOption, ...] = Field(
        (),
        description="Pool what is kept apart by default: games with different rules, players with the same name "
        "and different descriptions, games that are copies of others, single games and benchmarks, games with "
        "and without people, practice tables of sessions, seats of people who were replaced, or experiments that "
        "share few players.",
    )

    @classmethod
    def select(cls, experiment: str | None = None, **fields: Any) -> Self:
        """Return the selection with these fields, from one experiment or from all experiments. A field that is None
        gets its default value. Raises `InputError` for an invalid field."""
        return cls().changed(experiments=() if experiment is None else (experiment,), **fields)

    def changed(self, **fields: Any) -> Self:
        """Return the selection with these fields changed. A field that is None gets its default value. Raises
        `InputError` for an invalid field."""
        values = {**dict(self), **fields}
        return self.of({name: value for name, value in values.items() if value is not None})

    @property
    def experiment(self) -> str | None:
        """The selected experiment, or None for all experiments. Raises `InputError` if several are named."""
        if len(self.experiments) > 1:
            raise InputError("only one experiment can be selected here")
        return self.experiments[0] if self.experiments else None

    @property
    def pooling(self) -> Pooling:
        return Pooling(self.rules, frozenset(self.pool), single=bool(self.experiments))

    @property
    def excluded(self) -> By | None:
        """The unit, game or seat, that is excluded because of a defaulted answer. None if nothing is excluded."""
        units: dict[Part | None, By | None] = {None: None, "games": "game", "seats": "seat"}
        return units[self.without_defaulted]

    @property
    def whole(self) -> bool:
        """True if all games of its experiments are selected."""
        return (self.game, self.without_defaulted, self.rules) == (None, None, None)


class RulesBoard(NamedTuple):
    """The tables of pooled games with one set of rules."""

    rules: str
    """A digest of the rules; empty if games with several sets of rules are pooled."""
    tables: GameTables


Spell: TypeAlias = Callable[[str, str | None], str]
"""A function that writes a field of a selection and its value in the form of an option, an argument or a parameter."""


def select_boards(
    journal: Journal, selection: Selection, note: Note, spell: Spell = as_argument, *, cluster: str | None = None
) -> list[RulesBoard]:
    """Return a board for each set of rules, with the tables of its games and seats. The board with the most games comes
    first. No event is decoded. Games that are not pooled are reported, with the fields that include them, as `spell`
    writes them. `cluster` is a column of games: games with the same entry depend on each other. Raises `NothingLeft` if
    no game is selected."""
    with _suspended_named(journal, selection.experiment):
        study, pools, void, place = _pools(journal, selection, note)
        complete = cluster is None and all(result.finals is not None for pool in pools for result in pool.results)
        boards: list[RulesBoard] = []
        for pool in pools:
            tables = result_tables(study, pool.results) if complete else study_tables(journal, study, pool.results)
            pool = replace(pool, design=replace(pool.design, cluster=cluster or pool.design.cluster))
            try:
                boards.append(RulesBoard(pool.rules, _pool_tables(study, pool, tables, void, place, selection, spell)))
            except NothingLeft:
                if not boards:
                    raise
        return boards


def select_tables(
    journal: Journal, selection: Selection, note: Note, spell: Spell = as_argument
) -> tuple[GameTables, StudyProvenance]:
    """Return the tidy tables of the selected games that may be pooled, and their provenance. Raises `NothingLeft` if no
    game is selected."""
    with _suspended_named(journal, selection.experiment):
        study, pools, void, place = _pools(journal, selection, note)
        results = pools[0].results
        tables = study_tables(journal, study, results)
        provenance = provenance_of(journal, study.title, [study.game], results, typed_command())
        return _pool_tables(study, pools[0], tables, void, place, selection, spell), provenance


def describe_place(journal: Journal, experiments: Sequence[str]) -> str:
    """Return a description of the selected journal or experiments, for error messages."""
    if not experiments:
        return f"the journal {journal.label}"
    if len(experiments) == 1:
        return f"the experiment {experiments[0]}"
    return f"the choice of {len(experiments)} experiments"


def suspended_games(journal: Journal, experiments: Collection[str]) -> list[str]:
    """Return the reasons why games of these experiments are suspended, such as the error of a model's last call."""
    return [
        f"{number_of(games, 'game')} of {row.id} {'is' if games == 1 else 'are'} suspended: "
        f"{one_line(reason, MAX_CAUSE_LENGTH).rstrip('.')}"
        for row in journal.experiments()
        if row.id in experiments
        for reason, games in row.suspended.items()
    ]


def scored_subjects(
    journal: Journal,
    study: SubjectStudy,
    experiment: str | None,
    subjects: Sequence[str] = (),
    only: Collection[str] | None = None,
) -> list[Scored]:
    """Score the subjects of one experiment, or of all experiments that are not archived. If `subjects` are named, only
    these are scored. The people of a session are one row if the study can pool them. `only` has the ids of the games
    that count. If it is None, all games count. Raises `NothingLeft` if there is no subject."""
    with _suspended_named(journal, experiment):
        counted = counted_games(journal, experiment, only)
        records = (record for record in journal.records(experiment) if counted is None or record.game in counted)
        place = describe_place(journal, () if experiment is None else (experiment,))
        if study.pooled is None:
            return study.scored(records, place, subjects)
        results = journal.ended.results(study.records, experiment)
        people = session_people(results, journal.ended.settings(), counted)
        return score_with_people(study, records, people, place, subjects)


def counted_games(journal: Journal, experiment: str | None, only: Collection[str] | None) -> Collection[str] | None:
    """Return the ids of the games that count, among `only` or all games. Games of archived experiments do not count
    unless the experiment is named. The result None means all games."""
    archived = {name for name, settings in journal.ended.settings().items() if settings.get(ARCHIVED) is True}
    if experiment is not None or not archived:
        return only
    active = {row.id for row in journal.games() if row.experiment not in archived}
    return active if only is None else active.intersection(only)


def answered_games(journal: Journal, study: SubjectStudy, selection: Selection) -> set[str] | None:
    """Return the ids of the selected games by which subjects are scored. The selection may limit them to one task, or
    to games without defaulted answers. The result None means all games. If seats are excluded, only the first seat
    matters, since it is the seat of the subject."""
    if selection.rules is not None:
        raise InputError(f"rules cannot be selected in {study.spoken}: every task has its own; leave out rules")
    every_task = selection.game in (None, study.command)
    if every_task and selection.without_defaulted is None:
        return None
    tasks = study.records if every_task else [find_game(str(selection.game)).name]
    results = journal.ended.results([task for task in tasks if task in study.records], selection.experiment)
    if selection.without_defaulted is None:
        return {result.id for result in results}
    seats = slice(None) if selection.without_defaulted == "games" else slice(1)
    return {result.id for result in results if not any(defaulted for _, defaulted, *_ in result.tallies[seats])}


@contextmanager
def _suspended_named(journal: Journal, experiment: str | None) -> Iterator[None]:
    """Add the suspended games and the reasons to the text of a `NothingLeft`."""
    try:
        yield
    except NothingLeft as error:
        named = None if experiment is None else journal.experiment_id(experiment)
        causes = suspended_games(journal, [row.id for row in journal.experiments() if named in (None, row.id)])
        raise NothingLeft("; ".join((str(error), *causes))) from error


def begun_in(journal: Journal, study: AnyStudy, experiment: str | None) -> set[str]:
    """Return the experiments in which games of a study were started, for one experiment or for the whole journal."""
    return {row.experiment for row in journal.games(experiment) if row.game in study.records}


class _Pools(NamedTuple):
    study: Study[Any]
    pools: list[GamePool]
    void: list[str]
    place: str
    """A description of the selected journal or experiment."""


def _pools(journal: Journal, selection: Selection, note: Note) -> _Pools:
    """Return the selected study, and its games in pools. Raises `InputError` if the study has no players to rate."""
    experiment = selection.experiment
    place = describe_place(journal, selection.experiments)
    over = journal.ended.states(experiment)
    finished = [game for _, game, state in over if state == "finished"]
    study = select_study(journal, finished, selection.game, place, note)
    if not isinstance(study, Study):
        raise InputError(f"{study.spoken} scores subjects and does not rate players; 'ostrom scores' shows the scores")
    results = journal.ended.results(study.records, experiment)
    if not study.installed:
        package = next((result.package for result in results if result.package), "")
        note(
            f"the game {study.game.name!r} is not installed, so its roles and measures are not known, and figures may "
            f"differ: {remedy_for(package)}"
        )
    pools = pools_of(study.game, results, journal.ended.settings(), selection.pooling)
    return _Pools(study, pools, journal.ended.void(study.records, experiment), place)


def _pool_tables(
    study: Study[Any],
    pool: GamePool,
    tables: GameTables,
    void: Sequence[str],
    place: str,
    selection: Selection,
    spell: Spell,
) -> GameTables:
    apart = [exclusion.spelled(spell) for exclusion in pool.apart]
    selected: GameTables = study.chosen(
        pool.applied(tables), void=void, where=place, without=selection.excluded, apart=apart
    )
    return selected


def select_study(journal: Journal, finished: Sequence[str], game: str | None, place: str, note: Note) -> AnyStudy:
    """Return the study of this name. By default, return the study with the most finished games. If there are several
    studies, a note reports the choice. Raises `NothingLeft` if there is no finished game."""
    if game is not None:
        return study_by_command(game, most_first(Counter(finished), journal))
    # Games without finals are tasks of a family, which is last in the list. This is known without loading the family's
    # scores.
    played = Counter(name for name in finished if name not in GAMES or GAMES[name].finals is not None)
    studies: list[AnyStudy] = [study for study in most_first(played, journal) if isinstance(study, Study)]
    studies = studies or most_first(Counter(finished), journal)
    if not studies:
        raise NothingLeft(f"{place} has no finished games; 'ostrom bench GAME' plays some")
    first, *others = studies
    if others:
        titles = " and of ".join(study.spoken for study in studies)
        commands = " or ".join(study.command for study in others)
        most = f"no game was named, so those of {first.spoken} are used, of which there are the most"
        note(f"{place} has games of {titles}; {most}; name {commands} for the others")
    return first


# The tables of games.


_MIN_STORED_GAMES: Final = BLOCK // 2
"""The smallest number of games of a block whose tables are stored. A block with fewer games will probably grow."""


def result_tables(study: Study[Any], results: Sequence[FinishedGame]) -> GameTables:
    """Return the tables of games and of seats, with players and finals, for ratings. No event is decoded. Rules,
    messages and answers are not included. Every result must have finals."""
    clock = f"{study.game.clock}s"
    games, seats = [], []
    for result in results:
        tallies = zip(*result.tallies, strict=True)
        answers, defaulted, repaired, _ = map(sum, tallies) if result.tallies else (0, 0, 0, 0)
        head = (result.id, result.experiment, result.game, len(result.players), result.rounds or 0)
        origin = (result.source, None if result.seed is None else int(result.seed), result.number)
        games.append((*head, *origin, defaulted, repaired, answers))
        outcomes = zip(result.players, result.finals or (), result.tallies, strict=True)
        for seat, (player, final, tally) in enumerate(outcomes):
            answers, defaulted, repaired, imported = tally
            seats.append((result.id, seat, player, final, defaulted, repaired, answers, imported))
    table = common.frame(seats, common.SEATS)
    # Finals are rounded in the same way as for winners. So a rounding error neither creates nor breaks a tie.
    finals = pl.Series("final", round_values(table["final"].to_numpy().astype(np.float64)), nan_to_null=True)
    return GameTables(
        common.frame(games, common.games_schema({clock: pl.Int64})),
        common.ranked(table.with_columns(finals), better=study.game.better),
        kind=study.game.name,
    )


def study_tables(
    journal: Journal, study: Study[Any], results: Sequence[FinishedGame], check: Callable[[], None] = lambda: None
) -> GameTables:
    """Return all tidy tables of these games. They are read from the journal, or computed and then stored there. `check`
    is called before each block of games, and may raise to stop."""
    blocks = []
    for number, members in blocks_of(results):
        check()
        blocks.append(_block(journal, study, number, members))
    return _concatenate(blocks) if blocks else study.tables(())


def _block(journal: Journal, study: Study[Any], block: int, results: Sequence[FinishedGame]) -> GameTables:
    game = results[0].game
    digest = digest_of_block(results, _version(study))
    empty: GameTables = study.tables(())
    if len(results) >= _MIN_STORED_GAMES and (stored := journal.ended.tables(game, block, digest)):
        with suppress(pl.exceptions.PolarsError, KeyError, OSError):
            parts = {name: pl.read_ipc(io.BytesIO(stored[name])) for name in empty.parts}
            if all(table.schema == empty.parts[name].schema for name, table in parts.items()):
                return _with_parts(empty, parts)
    tables: GameTables = study.tables(journal.ended.records([result.id for result in results]))
    if len(results) >= _MIN_STORED_GAMES:
        with suppress(InputError):  # Another process is writing. Next time, the tables are computed again.
            journal.ended.keep_tables(
                game, block, digest, {name: _bytes(table) for name, table in tables.parts.items()}
            )
    return tables


def tables_in_blocks(study: Study[Any], blocks: Sequence[StoredRecords]) -> GameTables:
    """Return all tidy tables of blocks of records. They are built as those of a journal: the tables of a block are
    converted to bytes and back, and the tables of all blocks are concatenated."""
    tables = []
    for records in blocks:
        block: GameTables = study.tables(records)
        parts = {name: pl.read_ipc(io.BytesIO(_bytes(table))) for name, table in block.parts.items()}
        tables.append(_with_parts(block, parts))
    return _concatenate(tables) if tables else study.tables(())


def _with_parts(tables: GameTables, parts: dict[str, Any]) -> GameTables:
    """Return tables of the same kind as `tables`, with these parts."""
    return type(tables)(**parts, kind=tables.kind)


def _concatenate(blocks: Sequence[GameTables]) -> GameTables:
    first = blocks[0]
    parts = {name: pl.concat([block.parts[name] for block in blocks], rechunk=True) for name in first.parts}
    return _with_parts(first, parts)


def _bytes(table: pl.DataFrame) -> bytes:
    stream = io.BytesIO()
    table.write_ipc(stream, compression="zstd")
    return stream.getvalue()


@cache
def _source_digest(*files: str) -> str:
    return blake2b(b"".join(Path(file).read_bytes() for file in files), digest_size=8).hexdigest()


def _version(study: Study[Any]) -> str:
    """Return the part of a table's digest that does not depend on the games. It has versions, and a hash of the
    code."""
    own = None if study.own is None else study.own.tables
    files = [common.__file__] if own is None else [common.__file__, own.__code__.co_filename]
    return f"{study.game.name} {study.game.version} {VERSION} {pl.__version__} {_source_digest(*files)}"


def _meaning(name: str) -> str | None:
    return Selection.model_fields[name].description


class JournalSettings(Settings):
    """The settings of a verb that studies games of a journal. They select the games, and say which games are pooled."""

    game: Annotated[str | None, Display(form="GAME", positional=True)] = Field(None, description=_meaning("game"))
    experiment: Annotated[str | None, Display(form="EXPERIMENT")] = Field(
        None, description="Only this experiment's games, by id or name."
    )
    without_defaulted: Part | None = Field(None, description=_meaning("without_defaulted"))
    rules: Annotated[str | None, Display(form="DIGEST")] = Field(None, description=_meaning("rules"))
    pool: tuple[PoolOption, ...] = Field((), description=f"{_meaning('pool')} Repeatable.")

    @property
    def selection(self) -> Selection:
        """The selection of games. Raises InputError if it is invalid."""
        return Selection.select(
            self.experiment,
            game=self.game,
            without_defaulted=self.without_defaulted,
            rules=self.rules,
            pool=self.pool,
        )
