"""The selection of games that commands, the library and the pages study, and the tables of the selected games."""

from collections import Counter
from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import contextmanager
from typing import Any, Final, Literal, NamedTuple, Self, TypeAlias, get_args

from pydantic import Field

from ostrom.analysis.left_out import By
from ostrom.analysis.pooling import GamePool, Pooling, Together, pools_of
from ostrom.analysis.provenance import StudyProvenance, provenance_of
from ostrom.analysis.stored import result_tables, study_tables
from ostrom.analysis.study import AnyStudy, NothingLeft, Scored, Study, SubjectStudy, most_first, study_called
from ostrom.analysis.tables import GameTables
from ostrom.core import InputError
from ostrom.core.command import typed_command
from ostrom.core.errors import as_argument
from ostrom.core.plugins import GAMES, find_game
from ostrom.core.settings import Settings
from ostrom.core.text import number_of, one_line
from ostrom.journal.arrange import ARCHIVED
from ostrom.journal.sql import Journal

Part: TypeAlias = Literal["games", "seats"]
"""What is left out for a defaulted answer."""
Note: TypeAlias = Callable[[str], None]
"""Receives a line that the user should see."""
POOLED: Final[tuple[Together, ...]] = get_args(Together)
"""What may be pooled although it differs."""
MAX_EXPERIMENTS: Final = 200
MAX_CAUSE_LENGTH: Final = 400
"""Characters of a provider's error message that are repeated where games are missing."""


class Selection(Settings):
    """Which games of a journal are studied, and which of them are pooled."""

    experiments: tuple[str, ...] = Field(
        (), max_length=MAX_EXPERIMENTS, description="Only these experiments, by id or name; by default all."
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
        description="Only games with these rules, by the digest that a board shows; else those with the most games.",
    )
    pool: tuple[Together, ...] = Field(
        (),
        description="Pool games with different rules, players of one name with different descriptions, games that are "
        "copies of others, single games and benchmarks, or games with people and without.",
    )

    @classmethod
    def select(cls, experiment: str | None = None, **fields: Any) -> Self:
        """Return the selection with these fields, of one experiment or of all. A field that is None has its default.
        Raises `InputError` for an invalid field."""
        return cls().changed(experiments=() if experiment is None else (experiment,), **fields)

    def changed(self, **fields: Any) -> Self:
        """Return the selection with other values of some fields; None restores a default. Raises `InputError`."""
        values = {**dict(self), **fields}
        return self.of({name: value for name, value in values.items() if value is not None})

    @property
    def experiment(self) -> str | None:
        """The experiment, or None for all. Raises `InputError` if several are named."""
        if len(self.experiments) > 1:
            raise InputError("only one experiment can be selected here")
        return self.experiments[0] if self.experiments else None

    @property
    def pooling(self) -> Pooling:
        return Pooling(self.rules, frozenset(self.pool), single=bool(self.experiments))

    @property
    def excluded(self) -> By | None:
        """What leaves the tables for a defaulted answer."""
        return None if self.without_defaulted is None else "game" if self.without_defaulted == "games" else "seat"

    @property
    def whole(self) -> bool:
        """Whether all games of its experiments are selected."""
        return (self.game, self.without_defaulted, self.rules) == (None, None, None)


class RulesBoard(NamedTuple):
    """The tables of the games that are pooled, by one set of rules."""

    rules: str
    """A digest of their rules; empty where games by several rules are pooled."""
    tables: GameTables


Spell: TypeAlias = Callable[[str, str | None], str]
"""How a surface spells a field of a selection, and its value."""


def select_boards(journal: Journal, selection: Selection, note: Note, spell: Spell = as_argument) -> list[RulesBoard]:
    """Return the tables of games and seats, a board for each set of rules, the one with the most games first. No event
    is decoded. What is not pooled is reported with the fields that include it, as `spell` spells them. Raises
    `NothingLeft` if no game is selected."""
    with _suspended_named(journal, selection.experiment):
        study, pools, void, place = _pools(journal, selection, note)
        complete = all(result.finals is not None for pool in pools for result in pool.results)
        boards: list[RulesBoard] = []
        for pool in pools:
            tables = result_tables(study, pool.results) if complete else study_tables(journal, study, pool.results)
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
    """Return in words where games were looked for."""
    if not experiments:
        return f"the journal {journal.label}"
    return (
        f"the experiment {experiments[0]}" if len(experiments) == 1 else f"the choice of {len(experiments)} experiments"
    )


def suspended_games(journal: Journal, experiments: Collection[str]) -> list[str]:
    """Return why games of these experiments are suspended, such as the error of a model's last call, in lines without a
    full stop."""
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
    """Score the subjects of one experiment, or of all that are not archived; all subjects, or those that are named.
    `only` has the ids of the games that count, where not all do. Raises `NothingLeft` if there is no subject."""
    with _suspended_named(journal, experiment):
        counted = counted_games(journal, experiment, only)
        records = (one for one in journal.records(experiment) if counted is None or one.game in counted)
        place = describe_place(journal, () if experiment is None else (experiment,))
        return study.scored(records, place, subjects)


def counted_games(journal: Journal, experiment: str | None, only: Collection[str] | None) -> Collection[str] | None:
    """Return the ids of the games that count, of `only` or of all: without archived experiments, unless one is named.
    None means all."""
    archived = {name for name, settings in journal.ended.settings().items() if settings.get(ARCHIVED) is True}
    if experiment is not None or not archived:
        return only
    active = {row.id for row in journal.games() if row.experiment not in archived}
    return active if only is None else active.intersection(only)


def answered_games(journal: Journal, study: SubjectStudy, selection: Selection) -> set[str] | None:
    """Return the ids of the selected games by which subjects are scored: those of one task, or those without defaulted
    answers; None means all. A subject has the first seat, so a game without that seat does not count."""
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
    """Add to a `NothingLeft` the games that are suspended, and why."""
    try:
        yield
    except NothingLeft as error:
        named = None if experiment is None else journal.experiment_id(experiment)
        causes = suspended_games(journal, [row.id for row in journal.experiments() if named in (None, row.id)])
        raise NothingLeft("; ".join((str(error), *causes))) from error


def begun_in(journal: Journal, study: AnyStudy, experiment: str | None) -> set[str]:
    """Return the experiments in which games of a study were begun, among one experiment or all of a journal."""
    return {row.experiment for row in journal.games(experiment) if row.game in study.records}


class _Pools(NamedTuple):
    study: Study[Any]
    pools: list[GamePool]
    void: list[str]
    """The ids of void games."""
    place: str
    """In words, where games were looked for."""


def _pools(journal: Journal, selection: Selection, note: Note) -> _Pools:
    """Return the selected study with its games in pools. Raises `InputError` if it has no players to rate."""
    experiment = selection.experiment
    place = describe_place(journal, selection.experiments)
    over = journal.ended.states(experiment)
    finished = [game for _, game, state in over if state == "finished"]
    study = select_study(journal, finished, selection.game, place, note)
    if not isinstance(study, Study):
        raise InputError(f"{study.spoken} scores subjects, and rates no players; 'ostrom scores' shows them")
    results = journal.ended.results(study.records, experiment)
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
    apart = [one.spelled(spell) for one in pool.apart]
    selected: GameTables = study.chosen(
        pool.applied(tables), void=void, where=place, without=selection.excluded, apart=apart
    )
    return selected


def select_study(journal: Journal, finished: Sequence[str], game: str | None, place: str, note: Note) -> AnyStudy:
    """Return the study of this name, or the one with the most finished games; where there are several, a note says so.
    Raises `NothingLeft` if there is no finished game."""
    if game is not None:
        return study_called(game, most_first(Counter(finished), journal))
    # Games without finals are tasks of a family, which comes after every other; its scores are not loaded for that.
    played = Counter(name for name in finished if name not in GAMES or GAMES[name].finals is not None)
    there: list[AnyStudy] = [study for study in most_first(played, journal) if isinstance(study, Study)]
    there = there or most_first(Counter(finished), journal)
    if not there:
        raise NothingLeft(f"{place} has no finished games; 'ostrom bench GAME' plays some")
    if len(there) > 1:
        titles = " and of ".join(study.spoken for study in there)
        others = " or ".join(study.command for study in there[1:])
        note(f"{place} has games of {titles}; those of {there[0].spoken} are used; name {others} for the others")
    return there[0]
