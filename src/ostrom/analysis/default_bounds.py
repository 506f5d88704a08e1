"""Bounds of measures under defaulted answers: the lowest and the highest figure that a player could have, whatever the
values of the seats with defaulted answers.

A defaulted answer is the game's fallback, so the value of its seat is not the player's own. The figure as recorded
counts the fallback as the player's answer. The figure without these seats assumes that they are like the player's other
seats. Bounds assume neither (Manski, American Economic Review 80, 1990): in a ratio of sums, each of these seats has
any value in the measure's range. The denominators stay as recorded, even if other answers would have changed them.
Bounds say nothing about the game of the other seats, which would have seen other answers.
"""

import math
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, replace
from functools import partial
from itertools import groupby
from typing import Any, Final

import polars as pl

from ostrom.analysis.common_measures import flawed_answers
from ostrom.analysis.intervals import Difference, Ratio
from ostrom.analysis.measures import Measure
from ostrom.analysis.tables import GameTables, Schema, Tables, without_defaulted
from ostrom.core.finding import Column, Row, Table, decimals, number, share

NO_RANGE: Final = "its values have no finite range"
NO_SUM: Final = "it is not a ratio of sums over seats"
OUTSIDE: Final = "values of seats are outside its range"
ITS_SUBJECT: Final = "it counts the defaulted answers themselves"

TITLE: Final = "Bounds under defaulted answers"
NOTE: Final = (
    "Recorded: the figure with the answers that games gave in a player's place. Without: the figure without the seats "
    "that have such answers. Lowest and highest: the figure if each of these seats had the lowest or the highest value "
    "of the measure's range, with denominators as recorded (Manski's bounds). The bounds do not say how the other "
    "seats would have played if these answers had been different. Sampling error is not included."
)
_FIGURES: Final = ("recorded", "without", "low", "high")
SCHEMA: Final[Schema] = {
    **dict.fromkeys(("measure", "title", "unit", "player"), pl.String),
    **dict.fromkeys(_FIGURES, pl.Float64),
    **dict.fromkeys(("defaulted_seats", "seats"), pl.Int64),
}
_PARTS: Final = ("game", "player", "top", "bottom")
_ROUNDING: Final = 1e-9


@dataclass(frozen=True, slots=True)
class UnboundedMeasure:
    """A measure of players that has no bounds."""

    measure: str
    title: str
    reason: str


@dataclass(frozen=True)
class DefaultBounds:
    """The bounds of the players with defaulted answers."""

    frame: pl.DataFrame
    """A row for each measure and player. `recorded` is the figure of all seats, and `without` is that of the seats
    without defaulted answers (null if there are none). `low` and `high` are the bounds. `defaulted_seats` is the number
    of the player's `seats` that have a defaulted answer."""
    unbounded: tuple[UnboundedMeasure, ...]
    """The measures of players that have no bounds, with the reasons."""

    @property
    def unbounded_sentence(self) -> str:
        """The measures without bounds in a sentence, grouped by reason; empty if there are none."""
        ordered = sorted(self.unbounded, key=_reason_of)
        groups = [
            f"{', '.join(measure.title for measure in measures)} ({reason})"
            for reason, measures in groupby(ordered, key=_reason_of)
        ]
        return f"No bounds: {'; '.join(groups)}." if groups else ""

    def as_record(self) -> list[dict[str, str]]:
        """Return the measures without bounds as plain data."""
        return [asdict(measure) for measure in self.unbounded]


def _reason_of(measure: UnboundedMeasure) -> str:
    return measure.reason


def default_bounds(measures: Mapping[str, Measure[Any]], tables: GameTables) -> DefaultBounds | None:
    """Return the bounds of all measures with one figure for each player. Return None if no seat has a defaulted
    answer."""
    defaulted = (pl.col("defaulted") > 0).sum().cast(pl.Int64)
    counts = tables.seats.group_by("player").agg(defaulted_seats=defaulted, seats=pl.len().cast(pl.Int64))
    counts = counts.filter(pl.col("defaulted_seats") > 0)
    if counts.is_empty():
        return None
    others = _other_seats(tables)
    frames, unbounded = [pl.DataFrame(schema=SCHEMA)], []
    for measure in measures.values():
        if measure.by != ("player",):
            continue
        bounds = _measure_bounds(measure, tables, others)
        if isinstance(bounds, str):
            unbounded.append(UnboundedMeasure(measure.name, measure.title, bounds))
            continue
        names = {"measure": measure.name, "title": measure.title, "unit": measure.unit}
        labelled = bounds.with_columns(pl.lit(text).alias(name) for name, text in names.items())
        frames.append(labelled.join(counts, on="player", maintain_order="left").select(*SCHEMA))
    return DefaultBounds(pl.concat(frames), tuple(unbounded))


def _other_seats(tables: Tables) -> Tables | None:
    """Return the tables without the seats that have defaulted answers, or None if no seat is left. Unlike
    `without_defaulted`, this keeps games in which no seat is left, and the rows of whole games. The weights of an
    adaptive schedule and the range of ranks are then the same as with all seats."""
    rest = without_defaulted(tables, "seat")
    if rest.seats.is_empty():
        return None
    of_games: dict[str, Any] = {name: tables.parts[name] for name, actor in tables.ACTORS.items() if actor is None}
    return replace(rest, games=tables.games, whole=tables.context, **of_games)


def _measure_bounds(measure: Measure[Any], tables: GameTables, others: GameTables | None) -> pl.DataFrame | str:
    """Return the bounds of a measure by player, or the reason why it has none."""
    if measure.ratio is None:
        return NO_SUM
    if measure.ratio == flawed_answers.ratio:
        return ITS_SUBJECT
    ratio = measure.ratio(tables)
    if isinstance(ratio, Difference) or ratio.by != ("player",):
        return NO_SUM
    if not all(map(math.isfinite, ratio.bounds)):
        return NO_RANGE
    rest = None if others is None else measure.ratio(others)
    every = _parts_of(ratio)
    kept = _parts_of(rest) if isinstance(rest, Ratio) else every.clear()
    # In a figure such as a mean over rounds or roles, the terms of a seat depend on the player's other seats. They then
    # differ if some seats are left out. If they do not differ in these games, the bounds of a ratio of sums apply.
    if not _is_contained(kept, every):
        return NO_SUM
    sums = _sums_of(every, kept)
    return ratio_bounds(sums, ratio.bounds) if _in_range(sums, ratio.bounds) else OUTSIDE


def _parts_of(ratio: Ratio) -> pl.DataFrame:
    """Return the numerators and denominators of a ratio of players."""
    parts = ratio.rows.drop_nulls(["top", "bottom"])
    return parts.select("game", "player", pl.col("top", "bottom").cast(pl.Float64))


def _is_contained(kept: pl.DataFrame, every: pl.DataFrame) -> bool:
    """Return whether all rows of `kept` are rows of `every`."""
    rows, available = (table.group_by(_PARTS).len() for table in (kept, every))
    matched = rows.join(available, on=_PARTS, how="left", suffix="_available")
    return matched.filter(pl.col("len") > pl.col("len_available").fill_null(0)).is_empty()


def _sums_of(every: pl.DataFrame, kept: pl.DataFrame) -> pl.DataFrame:
    """Return the sums of the numerators and denominators of each player: `top` and `bottom` over all seats,
    `other_top` and `other_bottom` over the seats without defaulted answers."""
    sums = every.group_by("player", maintain_order=True).agg(pl.col("top", "bottom").sum())
    others = kept.group_by("player", maintain_order=True).agg(
        other_top=pl.col("top").sum(), other_bottom=pl.col("bottom").sum()
    )
    joined = sums.filter(pl.col("bottom") > 0).join(others, on="player", how="left", maintain_order="left")
    return joined.with_columns(pl.col("other_top", "other_bottom").fill_null(0.0)).sort("player")


def _in_range(sums: pl.DataFrame, limits: tuple[float, float]) -> bool:
    """Return whether the recorded values of the seats with defaulted answers are within the measure's range."""
    top, bottom = pl.col("top") - pl.col("other_top"), pl.col("bottom") - pl.col("other_bottom")
    tolerance = _ROUNDING * (pl.col("top").abs() + pl.col("bottom"))
    inside = top.is_between(limits[0] * bottom - tolerance, limits[1] * bottom + tolerance)
    return bool(sums.select(inside.all()).item())


def ratio_bounds(sums: pl.DataFrame, limits: tuple[float, float]) -> pl.DataFrame:
    """Return the figure of each player as `recorded`, `without` the seats that have defaulted answers, and the bounds
    `low` and `high`. `sums` has a row for each player: `top` and `bottom` over all seats, `other_top` and
    `other_bottom` over the seats without defaulted answers. A bound is (other_top + limit × (bottom − other_bottom)) /
    bottom (Manski 1990)."""
    unknown = (pl.col("bottom") - pl.col("other_bottom")).clip(lower_bound=0.0)
    low, high = ((pl.col("other_top") + limit * unknown) / pl.col("bottom") for limit in limits)
    figures = sums.select(
        "player",
        recorded=pl.col("top") / pl.col("bottom"),
        without=pl.when(pl.col("other_bottom") > 0).then(pl.col("other_top") / pl.col("other_bottom")),
        low=low,
        high=high,
    )
    # Rounding may place a figure that equals a bound slightly outside.
    known = ("recorded", "without")
    return figures.with_columns(low=pl.min_horizontal("low", *known), high=pl.max_horizontal("high", *known))


def bounds_table(bounds: DefaultBounds, name_of: Callable[[str], str]) -> Table:
    """Return the table of bounds. `name_of` returns the display name of a player."""
    headings = {"recorded": "recorded", "without": "without", "low": "lowest", "high": "highest"}
    rows = [{**row, "label": name_of(row["player"])} for row in bounds.frame.iter_rows(named=True)]
    return Table(
        name="default_bounds",
        columns=[
            Column("measure"),
            Column("title", "measure", wraps=True),
            Column("unit"),
            Column("player", "player", cell=_label),
            Column("label", in_frame=False),
            *(number(name, heading, cell=partial(_figure, name)) for name, heading in headings.items()),
            number("defaulted_seats", "defaulted seats", spare=1, cell=_seats),
            number("seats"),
        ],
        rows=rows,
        title=TITLE,
        caption=f"{NOTE} {bounds.unbounded_sentence}".rstrip(),
    )


def _label(row: Row) -> str:
    return str(row["label"])


def _figure(name: str, row: Row) -> str:
    figure = share(1) if row["unit"] == "share" else decimals(2)
    return figure(row[name])


def _seats(row: Row) -> str:
    return f"{row['defaulted_seats']:,} of {row['seats']:,}"
