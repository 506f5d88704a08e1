"""What most measures share: a ratio of sums by group, whose interval comes from resampling games."""

from collections.abc import Callable
from functools import update_wrapper
from typing import Generic, TypeVar

import polars as pl

from ostrom.study.intervals import Difference, Ratio
from ostrom.study.played import Played

GameTables = TypeVar("GameTables", bound=Played, contravariant=True)
"""The tables of one kind of game."""


class Resampling(Generic[GameTables]):
    """A measure that says what is to be divided by what. Called, it gives the estimates; `ratio` gives the parts, from
    which a comparison draws its own resamples."""

    __name__: str

    def __init__(self, ratio: Callable[[GameTables], Ratio | Difference]) -> None:
        self.ratio = ratio
        update_wrapper(self, ratio)

    def __call__(self, tables: GameTables) -> pl.DataFrame:
        """The estimates by group."""
        return self.ratio(tables).estimates()


def ratio_of(
    tables: Played, rows: pl.DataFrame, by: tuple[str, ...], top: str | pl.Expr, bottom: str | pl.Expr | int = 1
) -> Ratio:
    """Σ top / Σ bottom of the rows by group; a mean over rows where nothing is said of the bottom."""
    below = pl.lit(bottom) if isinstance(bottom, int) else bottom
    return Ratio(rows.select("game", *by, top=top, bottom=below), by, tables.games["game"].to_list())
