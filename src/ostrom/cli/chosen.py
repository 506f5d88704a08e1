"""The options by which a command says which games of a journal it studies, and which of them may be pooled."""

from collections.abc import Sequence
from enum import StrEnum
from typing import Annotated, Any

import typer

from ostrom.analysis.chosen import Board, Chosen, chosen_boards, chosen_tables
from ostrom.analysis.provenance import Provenance
from ostrom.analysis.tables import GameTables
from ostrom.experiment.journals import open_journal
from ostrom.experiment.registration import Conduct, conduct_of
from ostrom.terminal.sheets import err


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
    people = "people"


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
        metavar="rules|players|copies|exercises|people",
        help="Take together games by different rules, players of one name and different descriptions, games that are "
        "copies of others, single games and benchmarks, or games with people and without; repeatable.",
    ),
]


def chosen_by(
    experiment: str | None,
    game: str | None,
    without_defaulted: Part | None = None,
    rules: str | None = None,
    pool: Sequence[Pooled] | None = None,
) -> Chosen:
    """What the options of a command mean."""
    without: Any = None if without_defaulted is None else without_defaulted.value
    return Chosen(experiment, game, without, rules, [one.value for one in pool or ()])


def boards_of_store(store: str | None, chosen: Chosen) -> list[Board]:
    """The boards of a journal, as `chosen_boards` makes them."""
    with open_journal(store) as journal:
        return chosen_boards(journal, chosen, err.print)


def tables_of_store(store: str | None, chosen: Chosen) -> tuple[GameTables, Provenance]:
    """The tidy tables of a journal, as `chosen_tables` makes them."""
    with open_journal(store) as journal:
        return chosen_tables(journal, chosen, err.print)


def planned_conduct(store: str | None, tables: GameTables, without: Part | None) -> Conduct:
    """How the experiment of these tables was planned, where they are of one."""
    with open_journal(store) as journal:
        return conduct_of(journal, tables, "none" if without is None else without.value)


def stopping_note(store: str | None, tables: GameTables) -> str | None:
    """That a rule may have stopped the games of these tables."""
    with open_journal(store) as journal:
        return conduct_of(journal, tables, None).stopping
