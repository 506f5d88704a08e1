"""The options by which a command says which games of a journal it studies, and which of them may be pooled."""

from collections.abc import Sequence
from typing import Annotated

import typer

from ostrom.analysis.provenance import StudyProvenance
from ostrom.analysis.selection import POOLED, Part, RulesBoard, Selection, select_boards, select_tables
from ostrom.analysis.tables import GameTables
from ostrom.experiment.registration import Conduct, conduct_of
from ostrom.journal.open import open_journal
from ostrom.terminal.settings import as_option
from ostrom.terminal.sheets import err


def _describe(field: str) -> str | None:
    return Selection.model_fields[field].description


WithoutDefaulted = Annotated[
    Part | None,
    typer.Option("--without-defaulted", metavar="games|seats", help=_describe("without_defaulted")),
]
OneGame = Annotated[str | None, typer.Argument(metavar="[GAME]", help=_describe("game"))]
Rules = Annotated[str | None, typer.Option("--rules", metavar="DIGEST", help=_describe("rules"))]
PoolOption = Annotated[
    list[str] | None,
    typer.Option("--pool", metavar="|".join(POOLED), help=f"{_describe('pool')} Repeatable."),
]


def chosen_by(
    experiment: str | None,
    game: str | None,
    without_defaulted: Part | None = None,
    rules: str | None = None,
    pool: Sequence[str] | None = None,
) -> Selection:
    """Return the selection that the options of a command describe."""
    return Selection.select(experiment, game=game, without_defaulted=without_defaulted, rules=rules, pool=pool)


def boards_of_store(store: str | None, chosen: Selection) -> list[RulesBoard]:
    """The boards of a journal, as `select_boards` makes them."""
    with open_journal(store) as journal:
        return select_boards(journal, chosen, err.print, as_option)


def tables_of_store(store: str | None, chosen: Selection) -> tuple[GameTables, StudyProvenance]:
    """The tidy tables of a journal, as `select_tables` makes them."""
    with open_journal(store) as journal:
        return select_tables(journal, chosen, err.print, as_option)


def planned_conduct(store: str | None, tables: GameTables, without: Part | None) -> Conduct:
    """How the experiment of these tables was planned, where they are of one."""
    with open_journal(store) as journal:
        return conduct_of(journal, tables, without or "none")
