"""Which games of a journal a command studies, and which of them may be pooled."""

from collections import Counter
from collections.abc import Sequence
from enum import StrEnum
from typing import Annotated, Any, NamedTuple

import typer

from ostrom.analysis.left_out import By
from ostrom.analysis.pooling import Pool, Pooling, pools_of
from ostrom.analysis.provenance import Provenance, provenance_of
from ostrom.analysis.stored import result_tables, study_tables
from ostrom.analysis.study import AnyStudy, NothingLeft, Study, most_first, study_called
from ostrom.analysis.tables import GameTables
from ostrom.core import InputError
from ostrom.core.command import typed_command
from ostrom.experiment.options import open_journal
from ostrom.experiment.registration import Conduct, conduct_of
from ostrom.experiment.terminal import err
from ostrom.journal.sql import Journal


class Part(StrEnum):
    """What leaves with a defaulted answer."""

    games = "games"
    seats = "seats"


class Pooled(StrEnum):
    """What is taken together although it differs."""

    rules = "rules"
    players = "players"
    copies = "copies"
    exercises = "exercises"


WithoutDefaulted = Annotated[
    Part | None,
    typer.Option(
        "--without-defaulted", metavar="games|seats", help="Leave out games, or single seats, with defaulted answers."
    ),
]
OfGame = Annotated[
    str | None, typer.Option("--game", metavar="GAME", help="The same as GAME, as in the first version.", hidden=True)
]
OneGame = Annotated[
    str | None,
    typer.Argument(metavar="[GAME]", help="The game; if omitted, the one with the most games in the journal."),
]
Rules = Annotated[
    str | None, typer.Option("--rules", metavar="DIGEST", help="Only games by these rules; a board names its own.")
]
PoolOption = Annotated[
    list[Pooled] | None,
    typer.Option(
        "--pool",
        metavar="rules|players|copies|exercises",
        help="Take together games by different rules, players of one name and different descriptions, games that are "
        "copies of others, or single games and benchmarks; repeatable.",
    ),
]


class Chosen(NamedTuple):
    """What a command is to study."""

    experiment: str | None = None
    game: str | None = None
    without_defaulted: Part | None = None
    rules: str | None = None
    pool: Sequence[Pooled] | None = None

    @property
    def pooling(self) -> Pooling:
        together: Any = frozenset(one.value for one in self.pool or ())
        return Pooling(self.rules, together, single=self.experiment is not None)


class Board(NamedTuple):
    """Games that are pooled, as tables."""

    rules: str
    """A digest that names their rules; empty where games by several rules are taken together."""
    tables: GameTables


def boards_of_store(store: str | None, chosen: Chosen) -> list[Board]:
    """What the seats of the games ended with that are meant, a board for each set of rules, the one with the most games
    first. No event is decoded for it."""
    with open_journal(store) as journal:
        study, pools, void, where = _pools(journal, chosen)
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


def tables_of_store(store: str | None, chosen: Chosen) -> tuple[GameTables, Provenance]:
    """The tidy tables of the games that are meant and may be pooled, at least one game, and where they come from. They
    know what was left out of them."""
    with open_journal(store) as journal:
        study, pools, void, where = _pools(journal, chosen)
        results = pools[0].results
        tables = study_tables(journal, study, results)
        made = provenance_of(journal, study.title, [study.game], results, typed_command())
    return _chosen(study, pools[0], tables, void, where, chosen), made


def planned_conduct(store: str | None, tables: GameTables, without: Part | None) -> Conduct:
    """How the experiment of these tables was planned, where they are of one."""
    with open_journal(store) as journal:
        return conduct_of(journal, tables, "none" if without is None else without.value)


def stopping_note(store: str | None, tables: GameTables) -> str | None:
    """That a rule may have stopped the games of these tables."""
    with open_journal(store) as journal:
        return conduct_of(journal, tables, None).stopping


def _pools(journal: Journal, chosen: Chosen) -> tuple[Study[Any], list[Pool], list[str], str]:
    """The study that is meant, its games in pools, its void games, and in words where was looked."""
    experiment = chosen.experiment
    where = f"the journal {journal.label}" if experiment is None else f"the experiment {experiment}"
    over = journal.ended.states(experiment)
    study = study_meant(journal, [game for _, game, state in over if state == "finished"], chosen.game, where)
    if not isinstance(study, Study):
        raise InputError(f"{study.spoken} scores subjects, and rates no players; 'ostrom scores' shows them")
    results = journal.ended.results(study.records, experiment)
    pools = pools_of(study.game, results, journal.ended.settings(), chosen.pooling)
    return study, pools, [name for name, game, state in over if state == "void" and game in study.records], where


def _chosen(
    study: Study[Any], pool: Pool, tables: GameTables, void: Sequence[str], where: str, chosen: Chosen
) -> GameTables:
    part = chosen.without_defaulted
    without: By | None = None if part is None else "game" if part is Part.games else "seat"
    found: GameTables = study.chosen(pool.applied(tables), void=void, where=where, without=without, apart=pool.apart)
    return found


def study_meant(journal: Journal, finished: Sequence[str], game: str | None, where: str) -> AnyStudy:
    """The study that is named, or the one that there are finished games of; where there are several, the one with the
    most, and a line that says so."""
    here = most_first(Counter(finished), journal)
    if game is not None:
        return study_called(game, here)
    there = [study for study in here if isinstance(study, Study)] or here
    if not there:
        raise NothingLeft(f"{where} holds no finished game; 'ostrom bench GAME' plays some")
    if len(there) > 1:
        titles = " and of ".join(study.spoken for study in there)
        others = " or ".join(study.command for study in there[1:])
        err.print(
            f"{where} holds games of {titles}; taken are those of {there[0].spoken}; name {others} for the others",
        )
    return there[0]
