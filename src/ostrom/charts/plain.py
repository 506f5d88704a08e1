"""Plain charts: the default picture of any measure. The columns that identify the measure's rows determine its form. A
measure that no chart of its game draws gets a plain chart, so that a report shows every measure."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, Final

import altair as alt
import polars as pl
from typing_extensions import override

from ostrom.analysis.measures import GAME, PAIR, Measure
from ostrom.charts.cells import GROUND, IS_DARK, cell_figures, dark_cells
from ostrom.charts.families import Cast
from ostrom.charts.forms import (
    BAND,
    BARS,
    MAX_LABELLED_COLUMNS,
    SHADES,
    Bars,
    Drawing,
    Lines,
    Picture,
    SingleLine,
    interval_and_figure,
    interval_marks,
    weighted_mean,
)
from ostrom.charts.matrix import PairMatrix, strip
from ostrom.charts.palette import COLOURS
from ostrom.charts.render import GAMES, PLAYER, STEP, WIDTH, estimate_tooltips, label_axis, layered, styled
from ostrom.charts.words import Unit, alike, ends, quoted, share

MAX_GROUPS: Final = 40
"""The largest number of groups in a chart. The groups with the most games are drawn, but the table lists all groups."""
_CLOCKS: Final = frozenset({"round", "turn", "question"})
_GROUP: Final = "group"
_PALE: Final = 0.4
"""The opacity of a cell without an interval."""


def plain_picture(measure: Measure[Any], clock: str) -> Picture:
    """Return the default chart of a measure: bars, lines, dots or cells, depending on the measure's rows."""
    name, title, unit, heading = measure.name, measure.title, plain_unit(measure), quoted(measure.title)
    if not measure.by:
        return Drawing(name, title, partial(_plain_dots, title, unit), dots=True)
    if measure.by == ("player",):
        return Bars(name, title, unit, f"{heading}: {{first}} {{high}}, {{last}} {{low}}", f"{heading}: {{high}}", "")
    if measure.by == PAIR:
        extremes = f"{heading}: {{first}} {{high}} on average, {{last}} {{low}}"
        return PairMatrix(name, title, unit, extremes, f"{heading}: {{high}}", "Pale: too few games for an interval.")
    if "player" in measure.by:
        others = tuple(column for column in measure.by if column != "player")
        return PlayerGroups(name, title, unit, others, clock)
    return GroupPicture(name, title, unit, measure.by, clock)


def plain_unit(measure: Measure[Any]) -> Unit:
    """Return the default unit of a measure."""
    return share(measure.title) if measure.unit == "share" else Unit(measure.unit or measure.title, decimals=2)


def _plain_dots(title: str, unit: Unit, frame: pl.DataFrame, cast: Cast) -> alt.LayerChart:
    return styled(strip(frame, cast, unit=unit), title=title, subtitle="A stroke is the median.")


def group_labels(rows: pl.DataFrame, columns: Sequence[str]) -> pl.Series:
    """Return the words that name each row's group, such as 'apples', or 'P1 · apples' if there are several columns.
    Seats have their usual labels."""
    labels = []
    for values in rows.select(columns).iter_rows():
        words = [_group_word(column, value, len(columns)) for column, value in zip(columns, values, strict=True)]
        labels.append(" · ".join(words))
    return pl.Series(_GROUP, labels, dtype=pl.String)


def _group_word(column: str, value: object, columns: int) -> str:
    if column == "seat" and isinstance(value, int):
        return f"P{value + 1}"
    text = f"{value:g}" if isinstance(value, float) else str(value)
    return f"{column.replace('_', ' ')} {text}" if columns > 1 and not isinstance(value, str) else text


def _is_time(rows: pl.DataFrame, column: str, clock: str) -> bool:
    """Return whether the axis of a column has numbers. It has if the column is a clock, or has many numeric values."""
    if not rows[column].dtype.is_numeric():
        return False
    return column in _CLOCKS or column == clock or rows[column].n_unique() > MAX_LABELLED_COLUMNS


@dataclass(frozen=True)
class GroupPicture(Picture):
    """A measure without players. It is drawn as a single figure of all games, a line over time, or a bar for each
    group."""

    unit: Unit
    columns: tuple[str, ...]
    clock: str

    @override
    def _chart(self, rows: pl.DataFrame, cast: Cast) -> alt.LayerChart:
        if len(self.columns) == 1 and _is_time(rows, self.columns[0], self.clock):
            (column,) = self.columns
            line = SingleLine(self.name, self.heading, self.unit, self.heading, BAND, COLOURS["Gemini"], clock=column)
            return line.draw(rows, cast)
        labelled = rows.with_columns(group_labels(rows, self.columns))
        shown, note = most_frequent(labelled)
        title = f"{self.heading}: {self._extremes(shown)}"
        return styled(
            group_bars(shown, unit=self.unit), title=title, subtitle=f"{interval_marks(shown, BARS)} {note}".strip()
        )

    def _extremes(self, rows: pl.DataFrame) -> str:
        ranked = rows.sort(["value", _GROUP], descending=[True, False])
        first, last = ranked.row(0, named=True), ranked.row(-1, named=True)
        figure = self.unit.say(first["value"])
        if self.columns == GAME:
            return figure if first["low"] is None else f"{figure} ({self._interval(first)})"
        if alike(float(first["value"]), float(last["value"])):
            return figure
        return f"{first[_GROUP]} {figure}, {last[_GROUP]} {self.unit.say(last['value'])}"

    def _interval(self, row: dict[str, Any]) -> str:
        return f"{self.unit.say(row['low'])} to {self.unit.say(row['high'])}"


@dataclass(frozen=True)
class PlayerGroups(Picture):
    """A measure by player and other columns. It is drawn as a line over time for each player, or as a cell for each
    player and group."""

    unit: Unit
    columns: tuple[str, ...]
    clock: str

    @override
    def _chart(self, rows: pl.DataFrame, cast: Cast) -> alt.LayerChart:
        heading = quoted(self.heading)
        if len(self.columns) == 1 and _is_time(rows, self.columns[0], self.clock):
            titles = f"{heading}: at the end {{first}} {{high}}, {{last}} {{low}}", f"{heading}: {{high}}"
            return Lines(self.name, self.heading, self.unit, *titles, clock=self.columns[0]).draw(rows, cast)
        labelled = rows.with_columns(group_labels(rows, self.columns))
        shown, note = most_frequent(labelled)
        means = shown.with_columns(pl.col("n").fill_null(1)).group_by("player", maintain_order=True)
        by_player = means.agg(value=weighted_mean())
        title = ends(by_player, cast, self.unit).filled(
            f"{heading}: {{first}} {{high}} on average, {{last}} {{low}}", f"{heading}: {{high}} on average"
        )
        subtitle = f"Mean over groups, weighted by games. Pale: too few games for an interval. {note}".strip()
        return styled(player_cells(shown, by_player, cast, unit=self.unit), title=title, subtitle=subtitle)


def most_frequent(rows: pl.DataFrame) -> tuple[pl.DataFrame, str]:
    """Return the rows of at most MAX_GROUPS groups, in the order of the table, and a note on groups that are left
    out."""
    games = rows.group_by(_GROUP, maintain_order=True).agg(games=pl.col("n").fill_null(1).sum())
    if len(games) <= MAX_GROUPS:
        return rows, ""
    kept = games.sort(["games", _GROUP], descending=[True, False]).head(MAX_GROUPS)
    note = f"The {MAX_GROUPS} of {len(games)} groups with the most games; the table has all."
    return rows.join(kept.select(_GROUP), on=_GROUP, how="semi", maintain_order="left"), note


def group_bars(rows: pl.DataFrame, *, unit: Unit) -> alt.LayerChart:
    """Draw a bar for each group, in the order of the table, with its interval and its figure."""
    figures = pl.Series("figure", [unit.say(value) for value in rows["value"]], dtype=pl.String)
    data = rows.with_columns(
        figures, pl.col("low").fill_null(pl.col("value")), pl.col("high").fill_null(pl.col("value"))
    ).with_columns(edge=pl.max_horizontal("value", "high", pl.lit(0.0)))
    base = alt.Chart(data).encode(y=label_axis(data[_GROUP].to_list(), _GROUP))
    x = alt.X("value:Q", title=unit.name, axis=alt.Axis(format=unit.axis, tickCount=6), scale=alt.Scale(nice=True))
    tooltip = [alt.Tooltip(f"{_GROUP}:N"), *estimate_tooltips(unit.name, unit.precise), GAMES]
    bar = base.mark_bar(height={"band": 0.68}, color=COLOURS["Gemini"]).encode(x=x, tooltip=tooltip)
    return layered(bar, *interval_and_figure(base), width=WIDTH - 210, height=alt.Step(STEP))


def player_cells(rows: pl.DataFrame, means: pl.DataFrame, cast: Cast, *, unit: Unit) -> alt.LayerChart:
    """Draw a row for each player, the highest mean first, and a column for each group in the order of the table. Higher
    values are darker."""
    groups = rows[_GROUP].unique(maintain_order=True).sort().to_list()
    order = means.sort(["value", "player"], descending=[True, False])["player"].to_list()
    low, high = float(rows["value"].min()), float(rows["value"].max())  # type: ignore[arg-type]
    reach = high - low or 1.0
    shades = {low + step * reach: shade for step, shade in SHADES.items()}
    weights = [1.0 if has_interval else _PALE for has_interval in rows["low"].is_not_null()]
    data = cast.with_styles(rows).with_columns(
        pl.Series("words", [unit.say(value) for value in rows["value"]], dtype=pl.String),
        pl.Series(IS_DARK, dark_cells(rows["value"], shades, weights), dtype=pl.Boolean),
        pl.Series("weight", weights, dtype=pl.Float64),
    )
    base = alt.Chart(data).encode(
        x=alt.X(
            f"{_GROUP}:N",
            title=None,
            sort=None,
            scale=alt.Scale(domain=groups, paddingInner=0.04),
            axis=alt.Axis(labelAngle=-35, orient="top", grid=False, labelLimit=160),
        ),
        y=label_axis([cast.label(player) for player in order], paddingInner=0.08),
    )
    colour = alt.Color(
        "value:Q",
        title=None,
        scale=alt.Scale(domain=list(shades), range=list(shades.values()), clamp=True),
        legend=alt.Legend(format=unit.axis, gradientLength=220, gradientThickness=11),
    )
    tooltip = [PLAYER, alt.Tooltip(f"{_GROUP}:N"), *estimate_tooltips(unit.name, unit.precise), GAMES]
    cells = base.mark_rect().encode(
        color=colour, tooltip=tooltip, opacity=alt.Opacity("weight:Q", scale=None, legend=None)
    )
    layers = [base.mark_rect(color=GROUND), cells]
    if len(groups) <= MAX_LABELLED_COLUMNS:
        layers += cell_figures(base, "words")
    return layered(*layers, width=min(90 * len(groups), WIDTH - 60), height=alt.Step(STEP + 3))
