"""Charts that are declared by a name, a heading and one of a few forms. A form draws a measure's table and computes the
title."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Final, TypeAlias

import altair as alt
import polars as pl

from ostrom.analysis.intervals import BORROWED
from ostrom.analysis.measures import EQUILIBRIUM
from ostrom.charts.cells import IS_DARK, cell_figures, dark_cells
from ostrom.charts.families import Cast
from ostrom.charts.lines import long_line, one_line, player_lines
from ostrom.charts.render import (
    GAMES,
    OF_KEY,
    PINNED,
    PLAYER,
    STEP,
    WIDTH,
    choosing,
    estimate_tooltips,
    label_axis,
    layered,
    styled,
)
from ostrom.charts.words import Unit, ends

Rows: TypeAlias = Callable[[pl.DataFrame], pl.DataFrame]
Words: TypeAlias = str | Callable[[pl.DataFrame], str]
"""A text, or a function that computes a text from the drawn rows."""

INTERVALS: Final = "Lines: 95% intervals."
BARS: Final = "Lines: 95% intervals, games as units."
BAND: Final = "Band: 95% interval."
LINES: Final = (
    "Each line ends at its name. Bands: 95% intervals of the first and the last; the tables have those of all players."
)

MAX_NAMED_PLAYERS: Final = 3
DASHED: Final = "Dashed: the equilibrium of players who want their own payoff alone."


@dataclass(frozen=True)
class Picture(ABC):
    """A chart of the report, in one of the forms below."""

    name: str
    heading: str
    """The subject of the picture. The finding is in the title, which is computed when the chart is drawn."""
    dots: bool = field(default=False, kw_only=True)
    """True if the picture has too many points to draw each as a separate element in a browser."""
    measure: str = field(default="", kw_only=True)
    """The measure that is drawn, if its name differs from that of the chart."""
    optional: bool = field(default=False, kw_only=True)
    """True if the picture is left out of a report whose games have no data for it."""
    rows: Rows = field(default=lambda frame: frame, kw_only=True)
    """A function that selects the rows of the table that are drawn."""

    @property
    def source(self) -> str:
        """The name of the table that is drawn."""
        return self.measure or self.name

    def draw(self, frame: pl.DataFrame, cast: Cast) -> alt.LayerChart:
        """Return the chart of the measure's table."""
        return self._chart(self.rows(frame), cast)

    def name_ends(self, rows: pl.DataFrame, cast: Cast, unit: Unit, words: str, alike: str, **gaps: object) -> str:
        """Return the title. Its gaps are filled with the two extremes among the players that have enough games for an
        interval."""
        sure = rows.filter(pl.col("low").is_not_null())
        extremes = ends(sure if len(sure) > 1 else rows, cast, unit)
        if len(sure) < 2 and len(rows) > 1 and not extremes.alone:
            return f"{self.heading}: no two players have games enough to be compared"
        return extremes.filled(words, alike, **gaps)

    @abstractmethod
    def _chart(self, rows: pl.DataFrame, cast: Cast) -> alt.LayerChart: ...


@dataclass(frozen=True)
class Drawing(Picture):
    """A chart that the function `drawn` draws."""

    drawn: Callable[[pl.DataFrame, Cast], alt.LayerChart]

    def _chart(self, rows: pl.DataFrame, cast: Cast) -> alt.LayerChart:
        return self.drawn(rows, cast)


@dataclass(frozen=True)
class Section:
    """Charts that belong together."""

    anchor: str
    title: str
    pictures: tuple[Picture, ...]

    def of(self, pictures: Iterable[Picture]) -> "Section":
        """Return a copy of the section with these pictures."""
        return Section(self.anchor, self.title, tuple(pictures))


def _words(words: Words, rows: pl.DataFrame) -> str:
    return words if isinstance(words, str) else words(rows)


def interval_marks(rows: pl.DataFrame, marks: str) -> str:
    """Return an explanation of the marks for intervals. It is empty if no row has an interval."""
    return marks if rows["low"].count() else "Too few games for intervals."


def borrowed(rows: pl.DataFrame, cast: Cast) -> str:
    """Return a sentence on players whose own games are all equal, so that their intervals come from the games of other
    players."""
    if "note" not in rows.columns or "player" not in rows.columns:
        return ""
    players = rows.filter(pl.col("note") == BORROWED)["player"].to_list()
    if not players:
        return ""
    names = ", ".join(cast.label(player) for player in players[:MAX_NAMED_PLAYERS])
    more = f" and {len(players) - MAX_NAMED_PLAYERS} more" if len(players) > MAX_NAMED_PLAYERS else ""
    return f"All games of {names}{more} agree: that interval is from the games of the other players."


def _with_equilibrium(words: str, rows: pl.DataFrame) -> str:
    """Return the subtitle. If the rows have a value in equilibrium, the subtitle also explains the dashed line."""
    return f"{words} {DASHED}" if EQUILIBRIUM in rows.columns else words


@dataclass(frozen=True)
class Bars(Picture):
    """Bars for a table with `player`, `value`, `low`, `high` and `n`. The players are sorted by value. `title` and
    `alike` have gaps for the two extremes: `first` (players) and `high` (figure), `last` and `low`. `alike` is the
    title if the extremes are equal."""

    unit: Unit | Callable[[pl.DataFrame], Unit]
    title: Words
    alike: Words
    subtitle: Words
    marks: str = BARS
    """The meaning of the marks, which follows the subtitle."""
    ascending: bool = False
    notes: str = ""
    """The name of a column of words that are written after the figure."""
    reference: str = ""
    """The name of a column with another figure of the player, which is drawn as a tick."""

    def _chart(self, rows: pl.DataFrame, cast: Cast) -> alt.LayerChart:
        unit = self.unit if isinstance(self.unit, Unit) else self.unit(rows)
        return styled(
            bars(rows, cast, unit=unit, ascending=self.ascending, notes=self.notes, reference=self.reference),
            title=self.name_ends(rows, cast, unit, _words(self.title, rows), _words(self.alike, rows)),
            subtitle=f"{_words(self.subtitle, rows)} {interval_marks(rows, self.marks)} {borrowed(rows, cast)}".strip(),
        )


@dataclass(frozen=True)
class Lines(Picture):
    """A line over time for each player. Titles have the same placeholders as those of bars, with values from the
    ends of the lines. The placeholder `when` is the last round or turn that `clock` counts."""

    unit: Unit
    title: str
    alike: str
    subtitle: Words = LINES
    clock: str = "round"
    falling: bool = False
    zero: bool = False

    def _chart(self, rows: pl.DataFrame, cast: Cast) -> alt.LayerChart:
        last = rows[self.clock].max()
        at_last = rows.filter(pl.col(self.clock) == last)
        return styled(
            player_lines(rows, cast, unit=self.unit, falling=self.falling, zero=self.zero, clock=self.clock),
            title=self.name_ends(at_last, cast, self.unit, self.title, self.alike, when=last),
            subtitle=_with_equilibrium(_words(self.subtitle, rows), rows),
        )


@dataclass(frozen=True)
class SingleLine(Picture):
    """A single line over time with its interval. `title` is computed from the rows in the order of time."""

    unit: Unit
    title: Words
    subtitle: str
    tint: str
    clock: str = "round"
    zero: bool = False
    long: bool = False
    """True if turns are too narrow to label every value."""

    def _chart(self, rows: pl.DataFrame, cast: Cast) -> alt.LayerChart:
        rows = rows.sort(self.clock)
        layers = (
            long_line(rows, unit=self.unit, tint=self.tint)
            if self.long
            else one_line(rows, unit=self.unit, tint=self.tint, zero=self.zero, clock=self.clock)
        )
        # Without any interval, no band is drawn.
        subtitle = self.subtitle if rows["low"].count() else self.subtitle.replace(BAND, interval_marks(rows, BAND))
        return styled(layers, title=_words(self.title, rows), subtitle=_with_equilibrium(subtitle, rows))


@dataclass(frozen=True)
class Heatmap(Picture):
    """A cell for each player and turn. The titles have the same gaps as the titles of bars, but the gaps are filled
    from the means over these turns."""

    unit: Unit
    title: str
    alike: str
    subtitle: str

    def _chart(self, rows: pl.DataFrame, cast: Cast) -> alt.LayerChart:
        means = rows.group_by("player").agg(value=weighted_mean())
        return styled(
            heatmap(rows, cast, unit=self.unit),
            title=ends(means, cast, self.unit).filled(self.title, self.alike),
            subtitle=self.subtitle,
        )


def weighted_mean() -> pl.Expr:
    """Return the mean of values, each weighted by its number of games."""
    return (pl.col("value") * pl.col("n")).sum() / pl.col("n").sum()


def bars(
    frame: pl.DataFrame, cast: Cast, *, unit: Unit, ascending: bool = False, notes: str = "", reference: str = ""
) -> alt.LayerChart:
    """Return bars of rows with values. Equal values are sorted by name, so that the picture does not depend on the
    order of the table."""
    ranked = frame.sort(["value", "player"], descending=[not ascending, False])
    figures = pl.Series("figure", [unit.say(value) for value in ranked["value"]], dtype=pl.String)
    rows = cast.with_styles(ranked).with_columns(
        pl.col("low").fill_null(pl.col("value")), pl.col("high").fill_null(pl.col("value")), figures
    )
    if notes:
        rows = rows.with_columns((pl.col("figure") + pl.col(notes)).alias("figure"))
    # Text is to the right of the bar and its interval, or to the right of the axis if the bar extends to the left.
    marked = ["value", "high", *([reference] if reference else [])]
    rows = rows.with_columns(pl.max_horizontal(*marked, pl.lit(0.0)).alias("edge"))
    base = alt.Chart(rows).encode(y=label_axis(rows["label"].to_list()))
    x = alt.X("value:Q", title=unit.name, axis=alt.Axis(format=unit.axis, tickCount=6), scale=alt.Scale(nice=True))
    tooltip = [PLAYER, *estimate_tooltips(unit.name, unit.precise), GAMES]
    if "reason" in rows.columns and rows["reason"].count():
        tooltip.append(alt.Tooltip("reason:N", title="no interval"))
    if "note" in rows.columns and rows["note"].count():
        tooltip.append(alt.Tooltip("note:N", title="interval"))
    lit_condition = {"and": [OF_KEY, {"or": ["length(pinned) === 0", PINNED]}]}
    lit = alt.OpacityValue(0.25, condition={"test": lit_condition, "value": 1.0})
    bar = base.mark_bar(height={"band": 0.68}).encode(x=x, color=cast.colour(), tooltip=tooltip, opacity=lit)
    layers = [bar, *interval_and_figure(base)]
    if reference:
        layers.append(base.mark_tick(thickness=2.4, size=STEP * 0.8, opacity=1).encode(x=alt.X(f"{reference}:Q")))
    return layered(*layers, params=choosing(), width=WIDTH - 210, height=alt.Step(STEP))


def interval_and_figure(base: alt.Chart) -> tuple[alt.Chart, alt.Chart, alt.Chart]:
    """Return the interval from `low` to `high` over a bar, and the text of `figure` after its `edge`."""
    # The line has a dark casing, since bars and line are both light on dark paper.
    casing = base.mark_rule(strokeWidth=3.4, opacity=0.4, color="#16191e")
    line = base.mark_rule(strokeWidth=1.4, opacity=0.9)
    layers = [layer.encode(x=alt.X("low:Q"), x2=alt.X2("high:Q")) for layer in (casing, line)]
    words = base.mark_text(align="left", baseline="middle", dx=6).encode(x=alt.X("edge:Q"), text=alt.Text("figure:N"))
    return layers[0], layers[1], words


SHADES: Final = {0.0: "#f4e3c8", 0.25: "#c9c77f", 0.5: "#6fae8e", 0.75: "#2f7f93", 1.0: "#1b3f6b"}
"""Colours from sand to deep blue. Each colour is darker than the previous one, so that their order is visible even
without the hue."""
MAX_COLUMNS: Final = 60
"""The largest number of columns of turns. In longer games, a column combines several turns."""
MAX_LABELLED_COLUMNS: Final = 12
"""The largest number of columns with which cells show their figures."""


def heatmap(frame: pl.DataFrame, cast: Cast, *, unit: Unit) -> alt.LayerChart:
    """Return a chart of a table with `player`, `turn`, `value` and `n`. It has a row for each player and a column for
    each turn. Higher values are darker. Players are sorted by their mean, the highest first. A cell is empty if the
    player took part in no game at that turn."""
    width = -(-max(frame["turn"]) // MAX_COLUMNS)
    fields = (
        frame.with_columns(start=(pl.col("turn") - 1) // width * width + 1)
        .group_by("player", "start")
        .agg(value=weighted_mean(), n=pl.col("n").max())
        .with_columns(end=pl.col("start") + width - 1)
        .sort("player", "start")
    )
    rows = fields.group_by("player").agg(mean=weighted_mean()).sort(["mean", "player"], descending=[True, False])
    turns = [
        str(start) if start == end else f"{start}–{end}" for start, end in fields.select("start", "end").iter_rows()
    ]
    data = cast.with_styles(fields).with_columns(
        pl.Series("words", [unit.say(value) for value in fields["value"]], dtype=pl.String),
        pl.Series("when", turns),
        pl.Series(IS_DARK, dark_cells(fields["value"], SHADES), dtype=pl.Boolean),
    )
    columns = sorted(fields["start"].unique().to_list())
    base = alt.Chart(data).encode(
        x=alt.X(
            "start:O",
            title="turn" if width == 1 else f"turn, {width} per cell",
            scale=alt.Scale(domain=columns, paddingInner=0.04),
            # At most about fifteen of the columns are numbered.
            axis=alt.Axis(labelAngle=0, values=columns[:: -(-len(columns) // 15)]),
        ),
        y=label_axis([cast.label(player) for player in rows["player"]], paddingInner=0.08),
    )
    steps = list(SHADES)
    shades = alt.Color(
        "value:Q",
        scale=alt.Scale(domain=steps, range=list(SHADES.values()), clamp=True),
        legend=alt.Legend(format=".0%", values=steps, gradientLength=220, gradientThickness=11),
    )
    value = alt.Tooltip("value:Q", title=unit.name, format=unit.precise)
    field = base.mark_rect().encode(color=shades, tooltip=[PLAYER, alt.Tooltip("when:N", title="turn"), value, GAMES])
    layers = [field, *cell_figures(base, "words")] if len(columns) <= MAX_LABELLED_COLUMNS else [field]
    return layered(*layers, width=WIDTH - 60, height=alt.Step(STEP + 3))
