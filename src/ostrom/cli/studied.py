"""Which games of the journal a command studies: the game that is meant, and what is left out."""

from enum import StrEnum
from typing import TYPE_CHECKING, Any, Literal

from ostrom.experiment.options import open_journal

if TYPE_CHECKING:
    from ostrom.analysis.kinds import AnyTables, Kind
    from ostrom.analysis.left_out import By
    from ostrom.journal.sql import GameRow


class Part(StrEnum):
    """What leaves with a defaulted answer."""

    games = "games"
    seats = "seats"


def check_installed() -> None:
    """Say what is missing before anything is read."""
    import importlib.util

    from ostrom.core import InputError

    for module in ("polars", "altair", "vl_convert"):
        if importlib.util.find_spec(module) is None:
            raise InputError(f"ratings and reports need {module}: pip install 'ostrom[study]'")


def tables_of_store(
    store: str | None,
    experiment: str | None,
    *,
    without_defaulted: Part | Literal[False] = False,
    game: str | None = None,
) -> "AnyTables":
    """The tidy tables of the games that are meant; at least one game. They know what was left out of them."""
    check_installed()
    from ostrom.analysis.chosen import chosen

    with open_journal(store) as journal:
        where = f"the journal {journal.label}" if experiment is None else f"the experiment {experiment}"
        rows = journal.games(experiment)
        kind = _meant(rows, game, where)
        tables: AnyTables = kind.tables_of(journal.records(experiment))
    void = [row.id for row in rows if row.game == kind.record and row.state == "void"]
    without: By | None = "game" if without_defaulted == Part.games else "seat" if without_defaulted else None
    return chosen(kind, tables, void=void, where=where, without=without)


def _meant(rows: "list[GameRow]", game: str | None, where: str) -> "Kind[Any]":
    """The game that is named, or the one that there are games of; where there are several, the first, and a line that
    says so."""
    from ostrom.analysis.kinds import KINDS, PUNISH
    from ostrom.core import InputError
    from ostrom.experiment.terminal import err

    if game is not None:
        if game not in KINDS:
            raise InputError(f"there is no study of {game!r}; --game is one of {', '.join(KINDS)}")
        return KINDS[game]
    there = [
        kind for kind in KINDS.values() if any(row.game == kind.record and row.state == "finished" for row in rows)
    ]
    if len(there) > 1:
        titles, others = " and of ".join(kind.title for kind in there), there[1].command
        err.print(
            f"{where} holds games of {titles}; taken are those of {there[0].title}, --game {others} takes the others",
            markup=False,
        )
    return there[0] if there else PUNISH
