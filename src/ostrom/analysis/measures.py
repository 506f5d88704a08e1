"""The class of measures, the ratios that are resampled over games, and rows of pairs of players. The module
`common_measures` has the measures of every game with finals."""

import inspect
import math
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import update_wrapper
from typing import Any, Final, Generic, TypeVar

import polars as pl

from ostrom.analysis.design import weights_of
from ostrom.analysis.intervals import LEAST, LEAST_IN_ALL, Difference, Ratio
from ostrom.analysis.tables import GameTables, Tables
from ostrom.core import Registry
from ostrom.core.promises import promise_in
from ostrom.core.text import plain_doc

SomeTables = TypeVar("SomeTables", bound=GameTables, contravariant=True)


STUDENTISED: Final = f"Interval: studentised bootstrap over games, for players with at least {LEAST} games."
TAILED: Final = f"{STUDENTISED[:-1]}, if there are {LEAST_IN_ALL} games in all, since a few rich games weigh heavily."
ORDERED: Final = f"Interval: between order statistics, by the binomial distribution, from {LEAST} games on."
"""The methods of intervals, as sentences that follow a definition. docs/inference.md has the details."""


PAIR: Final = ("player", "other_player")
"""The columns that identify a row of a measure of pairs: the player, and the other player."""
GAME: Final = ("games",)
"""The column that identifies the only row of a measure of whole games, such as efficiency or agreement."""
ALL_GAMES: Final = "all games"
"""The entry of the column `GAME` in the only row of such a measure."""
ROLES: Final = ("player", "role")
"""The columns that identify a row of a measure by role."""
MAX_PAIRED_PLAYERS: Final = 30
"""The largest number of players from which pairs are formed. The players with the most games are used. A larger table
would be unreadable, and its intervals would need a gigabyte of memory."""

EQUILIBRIUM: Final = "equilibrium"
"""The name of the column with the measure's value in equilibrium."""


class Resampling(Generic[SomeTables]):
    """A measure given by a ratio. Calling the object returns the estimates. `ratio` returns the numerators and
    denominators, from which a comparison of experiments draws its own resamples."""

    __name__: str

    def __init__(self, ratio: Callable[[SomeTables], Ratio | Difference], *, tailed: bool = False) -> None:
        self._ratio = ratio
        self._tailed = tailed
        self._equilibrium: Callable[[SomeTables], float | None] = lambda tables: None
        update_wrapper(self, ratio)

    @property
    def interval(self) -> str:
        return TAILED if self._tailed else STUDENTISED

    def ratio(self, tables: SomeTables) -> Ratio | Difference:
        """Return the ratio whose estimates the measure gives."""
        return replace(self._ratio(tables), tailed=self._tailed)

    def __call__(self, tables: SomeTables) -> pl.DataFrame:
        """Return the estimates by group. If the value in equilibrium is known for these games, a column has this
        value."""
        level, estimates = self._equilibrium(tables), self.ratio(tables).estimates()
        return estimates if level is None else estimates.with_columns(pl.lit(float(level)).alias(EQUILIBRIUM))

    def with_equilibrium(self, level: Callable[[SomeTables], float | None]) -> "Resampling[SomeTables]":
        """Return the same measure with a column for its value in equilibrium, which `level` computes."""
        copy = Resampling(self._ratio, tailed=self._tailed)
        copy._equilibrium = level
        return copy


def tailed(ratio: Callable[[SomeTables], Ratio | Difference]) -> Resampling[SomeTables]:
    """Return a measure that is marked as heavy-tailed: its value depends on a few games with high values. The intervals
    of such a measure need more games, counted over all players."""
    return Resampling(ratio, tailed=True)


def ratio_of(
    tables: GameTables,
    rows: pl.DataFrame,
    by: tuple[str, ...],
    top: str | pl.Expr,
    bottom: str | pl.Expr | int = 1,
    *,
    share: bool = False,
    limits: tuple[float, float] = (-math.inf, math.inf),
) -> Ratio:
    """Return Σ top / Σ bottom of the rows by group. With the default bottom, the ratio is the mean over rows. With `by`
    = `GAME`, all rows are one group. A `share` lies between 0 and 1, and any other ratio lies between `limits`."""
    below = pl.lit(bottom) if isinstance(bottom, int) else bottom
    if by == GAME:
        rows = rows.with_columns(pl.lit(ALL_GAMES).alias(GAME[0]))
    parts = rows.select("game", *by, top=top, bottom=below)
    design, units, strata = tables.design, units_of(tables), None
    if design.adaptive and by == ("player",) and parts["player"].dtype == pl.String:
        weighted = parts.join(weights_of(tables.context.seats), on=["game", "player"], maintain_order="left")
        parts = weighted.select("game", *by, pl.col("top", "bottom") * pl.col("weight"))
        # The weights fix the share of each opponent, so differences between opponents do not count as chance.
        strata = _table_numbers(tables) if units is None else None
    games = tables.games["game"].to_list()
    crossed = _crossed_units(tables, units)
    return Ratio(
        parts, by, games, share, limits=limits, units=units, crossed=crossed, strata=strata, stretch=design.stretch
    )


def _table_numbers(tables: GameTables) -> list[int]:
    """Return the number of each game's table. A table is the set of the game's players."""
    seated = tables.context.seats.sort("game", "player").group_by("game").agg(table=pl.col("player").str.join("\x1f"))
    games = tables.games.select("game").join(seated, on="game", how="left", maintain_order="left")
    return games.select(pl.col("table").rank("dense").cast(pl.Int64) - 1).to_series().to_list()


CLUSTER: Final = "cluster"
"""The name of an optional column of the table of games. Games with equal entries in it depend on each other."""


def units_of(tables: GameTables) -> list[int] | None:
    """Return the number of each game's independent unit, or None if each game is a unit. Games with the same draws
    (seats, seed and number) depend on each other. Games with the same entry in the column `cluster` depend on each
    other too."""
    if (column := tables.design.cluster or CLUSTER) in tables.games.columns:
        return _numbered(tables.games, pl.col(column).cast(pl.String))
    return _drawn_units(tables.games)


def _crossed_units(tables: GameTables, units: list[int] | None) -> list[int] | None:
    """Return the number of each game's draws, if games are clustered by a column and some draws occur in several
    clusters. Otherwise return None."""
    if units is None or (tables.design.cluster or CLUSTER) not in tables.games.columns:
        return None
    draws = _drawn_units(tables.games)
    return draws if draws is not None and len(set(zip(units, draws, strict=True))) > len(set(draws)) else None


def _drawn_units(games: pl.DataFrame) -> list[int] | None:
    if not {"seats", "seed", "number"} <= set(games.columns):
        return None
    drawn = pl.col("seed").is_not_null() & pl.col("number").is_not_null()
    return _numbered(games, pl.when(drawn).then(pl.format("{} {} {}", "seats", "seed", "number")))


def _numbered(games: pl.DataFrame, key: pl.Expr) -> list[int] | None:
    numbers: dict[str, int] = {}
    named = games.select(pl.coalesce(key, pl.format("game {}", "game"))).to_series()
    units = [numbers.setdefault(name, len(numbers)) for name in named]
    # If all games have one number, they were not numbered.
    return units if 1 < len(numbers) < len(units) else None


def of_schedule(tables: GameTables, ratio: Ratio) -> Ratio:
    """Return a figure of players. The figure is stratified by table (the players of a game) if the schedule is a full
    round robin. In a full round robin, every table plays equally often, to within one game, and at least twice. The
    schedule then fixes the opponents of a player, so they add no uncertainty."""
    players, seats = tables.context.seats["player"].n_unique(), tables.games["seats"]
    strata = _table_numbers(tables)
    counts = Counter(strata).values()
    complete = seats.n_unique() == 1 and len(counts) >= math.comb(players, int(seats[0])) > 1
    if not complete or min(counts) < 2 or max(counts) > min(counts) + 1:
        return ratio
    return replace(ratio, strata=strata)


def with_ratio(estimates: pl.DataFrame, name: str, ratio: Ratio) -> pl.DataFrame:
    """Return estimates by player, with added columns for the estimates of another ratio. The names of these columns
    begin with `name`."""
    renamed = {name: "value", f"{name}_low": "low", f"{name}_high": "high"}
    others = ratio.estimates().select("player", **renamed)
    return estimates.join(others, on="player", how="left", maintain_order="left")


@dataclass(frozen=True, slots=True)
class Measure(Generic[Tables]):
    """A figure that can be computed from the tables of games of a kind."""

    name: str
    title: str
    definition: str
    """The exact definition, for the report: the first paragraph of the function's docstring."""
    function: Callable[[Tables], pl.DataFrame]
    unit: str
    """The unit. 'share' is a proportion: multiply it by 100 for per cent."""
    by: tuple[str, ...] = ("player",)
    """The columns that identify a row: players, pairs of players, rounds, or others, alone or together. `GAME` is for a
    single figure of whole games. The tuple is empty if each row is a single observation."""
    ratio: Callable[[Tables], Ratio | Difference] | None = None
    """The measure's ratio, if two experiments can be compared by this measure."""
    notes: str = ""
    """The measure's limits, from the further paragraphs of the function's docstring, and the method of its
    intervals."""
    interval: str = ""
    """The method of the measure's intervals and the number of games that they need; empty if the measure has no
    intervals."""


def measure_of(
    function: Callable[[Tables], pl.DataFrame],
    title: str,
    unit: str,
    by: tuple[str, ...] = ("player",),
    *,
    parts: Resampling[Tables] | None = None,
    interval: str = "",
) -> Measure[Tables]:
    """Return a function over tables as a measure. The function's docstring is the definition of the measure. `interval`
    describes the method of its intervals if the measure is not a ratio."""
    resampling = function if isinstance(function, Resampling) else parts
    paragraphs = inspect.cleandoc(function.__doc__ or "").split("\n\n")
    definition, *notes = map(plain_doc, paragraphs)
    ratio = resampling.ratio if resampling else None
    method = resampling.interval if resampling else interval
    notes_text = " ".join(note for note in (*notes, method) if note)
    return Measure(function.__name__, title, definition, function, unit, by, ratio, notes_text, method)


def enter(
    measures: Registry[Measure[Tables]],
    function: Callable[[Tables], pl.DataFrame],
    title: str,
    unit: str,
    by: tuple[str, ...] = ("player",),
    *,
    parts: Resampling[Tables] | None = None,
    interval: str = "",
) -> None:
    """Register a measure."""
    measure = measure_of(function, title, unit, by, parts=parts, interval=interval)
    measures.add(measure.name, measure)


def by_player(measure: Measure[Any], frame: pl.DataFrame) -> Iterator[tuple[Measure[Any], pl.DataFrame]]:
    """Yield a measure with its table if the measure has one figure for each player. A measure by role is yielded once
    for each role."""
    if measure.by == ("player",):
        yield measure, frame
    if measure.by == ROLES:
        for (role,), rows in frame.group_by("role", maintain_order=True):
            yield replace(measure, name=f"{measure.name}: {role}", title=f"{measure.title}, as {role}"), rows


# Pairs of players.


def with_others(tables: GameTables, rows: pl.DataFrame, *, left: bool = False) -> pl.DataFrame:
    """Join rows of seats (`game`, `seat`, `player`) with every other seat of the game that another player holds:
    `other_seat` and `other_player`. The other seats include excluded ones, unless `left` is true."""
    seats = (tables if left else tables.context).seats
    frequent = _frequent(tables)
    others = seats.filter(pl.col("player").is_in(frequent)).select("game", other_seat="seat", other_player="player")
    own = rows.filter(pl.col("player").is_in(frequent))
    return own.join(others, on="game", maintain_order="left_right").filter(pl.col("player") != pl.col("other_player"))


def _frequent(tables: GameTables) -> list[str]:
    """Return the players with the most games; ties are broken by name."""
    games = tables.seats.group_by("player").agg(games=pl.col("game").n_unique())
    return games.sort(["games", "player"], descending=[True, False])["player"].head(MAX_PAIRED_PLAYERS).to_list()


def promises(messages: pl.DataFrame) -> pl.DataFrame:
    """Return every promise in a table of messages, with the columns game, round, seat, player, text, `promised` and
    `everything`. `promised` is in tokens, and null for a promise of everything, for which `everything` is true."""
    promised = [promise_in(text) for text in messages["text"].to_list()]
    return (
        messages.select("game", "round", "seat", "player", "text")
        .with_columns(
            pl.Series("promised", [promise.amount if promise else None for promise in promised], dtype=pl.Int64),
            pl.Series(
                "everything", [promise is not None and promise.amount is None for promise in promised], dtype=pl.Boolean
            ),
        )
        .filter(pl.Series([promise is not None for promise in promised], dtype=pl.Boolean))
    )
