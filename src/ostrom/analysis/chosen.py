"""Which games of a journal are studied, and which of them may be pooled: for commands, for the library and for whoever
else asks for tables."""

from collections import Counter
from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import contextmanager
from typing import Any, Final, Literal, NamedTuple, TypeAlias

from ostrom.analysis.left_out import By
from ostrom.analysis.pooling import Pool, Pooling, Together, pools_of
from ostrom.analysis.provenance import Provenance, provenance_of
from ostrom.analysis.stored import result_tables, study_tables
from ostrom.analysis.study import AnyStudy, NothingLeft, Scored, Study, SubjectStudy, most_first, study_called
from ostrom.analysis.tables import GameTables
from ostrom.core import InputError
from ostrom.core.command import typed_command
from ostrom.core.plugins import GAMES, find_game
from ostrom.core.text import number_of, one_line
from ostrom.journal.arrange import ARCHIVED
from ostrom.journal.sql import Journal

Part: TypeAlias = Literal["games", "seats"]
"""What leaves with a defaulted answer."""
Note: TypeAlias = Callable[[str], None]
"""Takes a line that the user should see."""
_LONGEST: Final = 400
"""Characters of what a provider said that are repeated where games are missed."""


class Chosen(NamedTuple):
    """What is to be studied."""

    experiment: str | None = None
    game: str | None = None
    without_defaulted: Part | None = None
    rules: str | None = None
    pool: Collection[Together] | None = None

    @property
    def pooling(self) -> Pooling:
        return Pooling(self.rules, frozenset(self.pool or ()), single=self.experiment is not None)


class Board(NamedTuple):
    """Games that are pooled, as tables."""

    rules: str
    """A digest that names their rules; empty where games by several rules are taken together."""
    tables: GameTables


def chosen_boards(journal: Journal, chosen: Chosen, note: Note) -> list[Board]:
    """What the seats of the games ended with that are meant, a board for each set of rules, the one with the most games
    first. No event is decoded for it."""
    with _causes_told(journal, chosen.experiment):
        study, pools, void, where = _pools(journal, chosen, note)
        if any(result.finals is None for pool in pools for result in pool.results):
            made = [(pool, study_tables(journal, study, pool.results)) for pool in pools]
        else:
            made = [(pool, result_tables(study, pool.results)) for pool in pools]
        boards: list[Board] = []
        for pool, tables in made:
            try:
                boards.append(Board(pool.rules, _chosen(study, pool, tables, void, where, chosen)))
            except NothingLeft:
                if not boards:
                    raise
        return boards


def chosen_tables(journal: Journal, chosen: Chosen, note: Note) -> tuple[GameTables, Provenance]:
    """The tidy tables of the games that are meant and may be pooled, at least one game, and where they come from. They
    know what was left out of them."""
    with _causes_told(journal, chosen.experiment):
        study, pools, void, where = _pools(journal, chosen, note)
        results = pools[0].results
        tables = study_tables(journal, study, results)
        made = provenance_of(journal, study.title, [study.game], results, typed_command())
        return _chosen(study, pools[0], tables, void, where, chosen), made


def where_looked(journal: Journal, experiment: str | None) -> str:
    """In words, which games were looked at."""
    return f"the journal {journal.label}" if experiment is None else f"the experiment {experiment}"


def suspended_games(journal: Journal, experiments: Collection[str]) -> list[str]:
    """Why games of these experiments do not go on: of a model that was given up, what its last call failed with. Lines
    without a full stop."""
    return [
        f"{number_of(games, 'game')} of {row.id} {'is' if games == 1 else 'are'} suspended: "
        f"{one_line(reason, _LONGEST).rstrip('.')}"
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
    """The subjects that answered, or those of them that are named, scored; at least one: those of one experiment, or of
    all that are not archived. `only` has the ids of the games that count, where not all do."""
    with _causes_told(journal, experiment):
        counted = counted_games(journal, experiment, only)
        records = (one for one in journal.records(experiment) if counted is None or one.game in counted)
        return study.scored(records, where_looked(journal, experiment), subjects)


def counted_games(journal: Journal, experiment: str | None, only: Collection[str] | None) -> Collection[str] | None:
    """The ids of those games, or of all, that count: where no experiment is named, without archived ones. None where
    all do."""
    archived = {name for name, settings in journal.ended.settings().items() if settings.get(ARCHIVED) is True}
    if experiment is not None or not archived:
        return only
    kept = {row.id for row in journal.games() if row.experiment not in archived}
    return kept if only is None else kept.intersection(only)


def answered_games(journal: Journal, study: SubjectStudy, chosen: Chosen) -> set[str] | None:
    """The ids of the games by which subjects are scored that are meant: those of one task, or those in which nothing
    was defaulted; None where all are. A subject has the first seat, so that a game without it is none."""
    if chosen.rules is not None:
        raise InputError(f"every task of {study.spoken} has rules of its own, so none can be chosen; leave out rules")
    if chosen.game in (None, study.command) and chosen.without_defaulted is None:
        return None
    tasks = study.records if chosen.game in (None, study.command) else [find_game(str(chosen.game)).name]
    found = journal.ended.results([task for task in tasks if task in study.records], chosen.experiment)
    if chosen.without_defaulted is None:
        return {one.id for one in found}
    seats = slice(None) if chosen.without_defaulted == "games" else slice(1)
    return {one.id for one in found if not any(defaulted for _, defaulted, *_ in one.tallies[seats])}


@contextmanager
def _causes_told(journal: Journal, experiment: str | None) -> Iterator[None]:
    """Where nothing is left to study, the error says also which games do not go on, and why."""
    try:
        yield
    except NothingLeft as error:
        named = None if experiment is None else journal.experiment_id(experiment)
        causes = suspended_games(journal, [row.id for row in journal.experiments() if named in (None, row.id)])
        raise NothingLeft("; ".join((str(error), *causes))) from error


def begun_in(journal: Journal, study: AnyStudy, experiment: str | None) -> set[str]:
    """The experiments in which games of a study were begun: the one that is named, or all of a journal."""
    return {row.experiment for row in journal.games(experiment) if row.game in study.records}


def _pools(journal: Journal, chosen: Chosen, note: Note) -> tuple[Study[Any], list[Pool], list[str], str]:
    """The study that is meant, its games in pools, its void games, and in words where was looked."""
    experiment = chosen.experiment
    where = where_looked(journal, experiment)
    over = journal.ended.states(experiment)
    study = study_meant(journal, [game for _, game, state in over if state == "finished"], chosen.game, where, note)
    if not isinstance(study, Study):
        raise InputError(f"{study.spoken} scores subjects, and rates no players; 'ostrom scores' shows them")
    results = journal.ended.results(study.records, experiment)
    pools = pools_of(study.game, results, journal.ended.settings(), chosen.pooling)
    return study, pools, journal.ended.void(study.records, experiment), where


def _chosen(
    study: Study[Any], pool: Pool, tables: GameTables, void: Sequence[str], where: str, chosen: Chosen
) -> GameTables:
    part = chosen.without_defaulted
    without: By | None = None if part is None else "game" if part == "games" else "seat"
    found: GameTables = study.chosen(pool.applied(tables), void=void, where=where, without=without, apart=pool.apart)
    return found


def study_meant(journal: Journal, finished: Sequence[str], game: str | None, where: str, note: Note) -> AnyStudy:
    """The study that is named, or the one that there are finished games of; where there are several, the one with the
    most, and a line that says so."""
    if game is not None:
        return study_called(game, most_first(Counter(finished), journal))
    # Games without finals are tasks of a family, which comes after every other: what scores them is not read for that.
    played = Counter(name for name in finished if name not in GAMES or GAMES[name].finals is not None)
    there: list[AnyStudy] = [study for study in most_first(played, journal) if isinstance(study, Study)]
    there = there or most_first(Counter(finished), journal)
    if not there:
        raise NothingLeft(f"{where} holds no finished game; 'ostrom bench GAME' plays some")
    if len(there) > 1:
        titles = " and of ".join(study.spoken for study in there)
        others = " or ".join(study.command for study in there[1:])
        note(f"{where} holds games of {titles}; taken are those of {there[0].spoken}; name {others} for the others")
    return there[0]
