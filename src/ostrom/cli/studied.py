"""Which games of the journal a command studies: the game that is meant, and what is left out."""

from collections import Counter
from collections.abc import Sequence
from enum import StrEnum
from typing import Literal

from ostrom.analysis.left_out import By
from ostrom.analysis.study import AnyStudy, NothingLeft, Study, SubjectStudy, most_first, study_called
from ostrom.analysis.tables import GameTables
from ostrom.core import InputError
from ostrom.experiment.options import open_journal
from ostrom.experiment.terminal import err
from ostrom.journal.sql import Journal


class Part(StrEnum):
    """What leaves with a defaulted answer."""

    games = "games"
    seats = "seats"


def tables_of_store(
    store: str | None,
    experiment: str | None,
    *,
    without_defaulted: Part | Literal[False] = False,
    game: str | None = None,
) -> GameTables:
    """The tidy tables of the games that are meant; at least one game. They know what was left out of them."""

    with open_journal(store) as journal:
        where = f"the journal {journal.label}" if experiment is None else f"the experiment {experiment}"
        rows = journal.games(experiment)
        study = study_meant(journal, [row.game for row in rows if row.state == "finished"], game, where)
        if not isinstance(study, Study):
            raise InputError(f"{study.spoken} scores subjects, and rates no players; 'ostrom scores' shows them")
        mine = [row for row in rows if row.game in study.records]
        finished = [row.id for row in mine if row.state == "finished"]
        tables: GameTables = study.tables(journal.ended.records(finished))
    void = [row.id for row in mine if row.state == "void"]
    without: By | None = "game" if without_defaulted == Part.games else "seat" if without_defaulted else None
    chosen: GameTables = study.chosen(tables, void=void, where=where, without=without)
    return chosen


def study_meant(journal: Journal, finished: Sequence[str], game: str | None, where: str) -> AnyStudy:
    """The study that is named, or the one that there are finished games of; where there are several, the one with the
    most, and a line that says so."""
    here = most_first(Counter(finished), journal)
    if game is not None:
        return next((study for study in here if study.command == game), None) or study_called(game)
    there = [study for study in here if not isinstance(study, SubjectStudy)] or here
    if not there:
        raise NothingLeft(f"{where} holds no finished game; 'ostrom bench GAME' plays some")
    if len(there) > 1:
        titles = " and of ".join(study.spoken for study in there)
        others = " or ".join(study.command for study in there[1:])
        err.print(
            f"{where} holds games of {titles}; taken are those of {there[0].spoken}; name {others} for the others",
            markup=False,
        )
    return there[0]
