"""A measure with its title, its definition and its unit: what a report lists and a chart draws, for any game.

A measure takes the tables and gives one row for each of its groups, named by the columns in `by`, with value, low and
high (the 95 % interval over games; missing where there is but one game), n (games) and, except for medians, error (the
standard error clustered by game); some add columns of their own. A player without anything to measure has no row. A
strip has one row a decision, with its value alone."""

import inspect
from collections.abc import Callable
from dataclasses import dataclass
from typing import Generic, Literal, TypeVar

import polars as pl

from ostrom.study.intervals import Difference, Ratio
from ostrom.study.measures.resampling import Resampling
from ostrom.study.played import Played
from ostrom.table import Registry

Unit = Literal["tokens", "share", "rank", "Gini", "capital", "votes", "factor"]
"""A share is a part of one; multiply by 100 for per cent (for `endgame_drop`, percentage points)."""

GameTables = TypeVar("GameTables", bound=Played)
"""The tables of one kind of game."""


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
