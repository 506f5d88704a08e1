"""What a measure is: its definition and its resampling over games; and the measures of answer quality, which every game
has."""

import inspect
from collections.abc import Callable
from dataclasses import dataclass
from functools import update_wrapper
from typing import Generic, Literal, TypeVar

import polars as pl

from ostrom.analysis.intervals import Difference, Ratio
from ostrom.analysis.played import Played
from ostrom.core import Registry

Unit = Literal["tokens", "share", "rank", "Gini", "capital", "votes", "factor"]
"""A share is a part of one; multiply by 100 for per cent (for `endgame_drop`, percentage points)."""

GameTables = TypeVar("GameTables", bound=Played)
"""The tables of one kind of game."""


SomeTables = TypeVar("SomeTables", bound=Played, contravariant=True)
"""The tables of one kind of game."""


class Resampling(Generic[SomeTables]):
    """A measure that says what is to be divided by what. Called, it gives the estimates; `ratio` gives the parts, from
    which a comparison draws its own resamples."""

    __name__: str

    def __init__(self, ratio: Callable[[SomeTables], Ratio | Difference]) -> None:
        self.ratio = ratio
        update_wrapper(self, ratio)

    def __call__(self, tables: SomeTables) -> pl.DataFrame:
        """The estimates by group."""
        return self.ratio(tables).estimates()


def ratio_of(
    tables: Played, rows: pl.DataFrame, by: tuple[str, ...], top: str | pl.Expr, bottom: str | pl.Expr | int = 1
) -> Ratio:
    """Σ top / Σ bottom of the rows by group; a mean over rows where nothing is said of the bottom."""
    below = pl.lit(bottom) if isinstance(bottom, int) else bottom
    return Ratio(rows.select("game", *by, top=top, bottom=below), by, tables.games["game"].to_list())


@dataclass(frozen=True, slots=True)
class Measure(Generic[GameTables]):
    """A figure that can be taken from the tables of any games of a kind."""

    name: str
    title: str
    definition: str
    """What exactly is computed, for the report: the first paragraph of the function's docstring."""
    function: Callable[[GameTables], pl.DataFrame]
    unit: Unit
    by: tuple[str, ...] = ("player",)
    """The columns that name a row; none for a strip."""
    ratio: Callable[[GameTables], Ratio | Difference] | None = None
    """Its parts, where two experiments can be compared by it."""
    notes: str = ""
    """The other paragraphs of the docstring: what the measure does not see."""


def enter(
    measures: Registry[Measure[GameTables]],
    function: Callable[[GameTables], pl.DataFrame],
    title: str,
    unit: Unit,
    by: tuple[str, ...] = ("player",),
    *,
    parts: Resampling[GameTables] | None = None,
) -> None:
    """Register a measure; what it computes is said by the function's docstring."""
    resampling = function if isinstance(function, Resampling) else parts
    said = inspect.cleandoc(function.__doc__ or "").split("\n\n")
    definition, *notes = (" ".join(paragraph.split()) for paragraph in said)
    name = function.__name__
    ratio = resampling.ratio if resampling else None
    measures.add(name, Measure(name, title, definition, function, unit, by, ratio, " ".join(notes)))


@Resampling
def flawed_answers(tables: Played) -> Ratio:
    """The share of the player's answers that were repaired or defaulted, among those of which it is known."""
    known = pl.col("answers") - pl.col("imported")
    return ratio_of(tables, tables.seats, ("player",), pl.col("repaired") + pl.col("defaulted"), known)


def answer_quality(tables: Played) -> pl.DataFrame:
    """Answer quality: the share of a player's answers that were repaired (legal only after at least one refusal) or
    defaulted (given by the game in the player's place), among those not imported. Beside it `repaired`, `defaulted` and
    `imported`, each as a share of all its answers, and `answers`, their number. An imported answer was read from
    somebody else's log, which does not tell whether it was repaired: a player with no others has a row, but no
    value."""
    whole = pl.col("answers").sum()
    shares = (
        tables.seats.group_by("player")
        .agg(*(_part(name, whole) for name in ("repaired", "defaulted", "imported")), whole)
        .sort("player")
    )
    estimates = shares.select("player").join(flawed_answers(tables), on="player", how="left", maintain_order="left")
    return estimates.with_columns(pl.col("n").fill_null(0)).join(shares, on="player", maintain_order="left")


def _part(column: str, whole: pl.Expr) -> pl.Expr:
    return pl.when(whole > 0).then(pl.col(column).sum() / whole).alias(column)
