"""Matrices of pairs of players, with a row for the player that acts and a column for the other player. Strips show
every value of a table as a dot in its player's row, and mark the median of the row. The axis of a strip may be
logarithmic away from 0."""

from dataclasses import dataclass
from typing import Final

import altair as alt
import numpy as np
import polars as pl

from ostrom.charts.cells import GROUND, IS_DARK, cell_figures, dark_cells
from ostrom.charts.families import Cast
from ostrom.charts.forms import SHADES, Picture, weighted_mean
from ostrom.charts.render import (
    GAMES,
    PINNED,
    PLAYER,
    STEP,
    WIDTH,
    HeldRows,
    estimate_tooltips,
    label_axis,
    layered,
    pinning,
    styled,
)
from ostrom.charts.words import Unit
from ostrom.core.text import number_of

BALANCED: Final = {0.0: "#8c4a00", 0.25: "#d9a55f", 0.5: "#efeee9", 0.75: "#7fb0c9", 1.0: "#0b4f74"}
"""Colours from brown through grey to blue, dark at both ends. They are for values whose middle means that two sides are
equal."""
_EVEN: Final = 0.5
_MIN_CELL_WIDTH: Final = 22
"""The smallest width, in pixels, of cells that show their figures."""
_CELL: Final = STEP + 1
_UNSURE_OPACITY: Final = 0.4
_UNPINNED_OPACITY: Final = 0.08
"""The opacity of a cell if some players are pinned, but neither the player of its row nor that of its column."""
_PINNED_OTHER: Final = "indexof(pinned, datum.other_player) >= 0"


@dataclass(frozen=True)
class PairMatrix(Picture):
    """Cells of a table by pair: `player`, `other_player`, `value`, `low`, `high` and `n`. Players are sorted by their
    means, the highest first. Columns are headed by the numbers of the rows. `title` has the same gaps as the title of
    bars. They are filled from each player's mean over all others. If the matrix is `balanced`, the gaps are others:
    `apart`, the number of pairs whose interval excludes one half; `pairs`, the number of all pairs; and `chance`, the
    value of `apart` expected by chance."""

    unit: Unit
    title: str
    alike: str
    subtitle: str
    whom: str = "other"
    """The heading of the columns."""
    balanced: bool = False
    """True if cells are shares, and the shares of the two directions of a pair sum to 1."""

    def _chart(self, rows: pl.DataFrame, cast: Cast) -> alt.LayerChart:
        # Rows are sorted by name, so that sums are equal to the last bit each time.
        by_player = rows.sort("player", "other_player").group_by("player", maintain_order=True)
        means = by_player.agg(value=weighted_mean(), low=pl.col("low").min(), n=pl.col("n").sum())
        order = means.sort(["value", "player"], descending=[True, False])["player"].to_list()
        order += sorted(set(rows["other_player"]) - set(order))
        title = self._even(rows) if self.balanced else self.name_ends(means, cast, self.unit, self.title, self.alike)
        return styled(self._cells(rows, order, cast), title=title, subtitle=self.subtitle)

    def _even(self, rows: pl.DataFrame) -> str:
        """Return a title with the number of uneven pairs. The title names no pair, since a few of many pairs are uneven
        by chance."""
        figures = rows.filter((pl.col("player") < pl.col("other_player")) & pl.col("low").is_not_null())
        if not len(figures):
            return f"{self.heading}: no two players have met often enough for an interval"
        apart, chance = int(figures.select(_sure(True).sum()).item()), 0.05 * len(figures)
        return self.title.format(apart=apart, pairs=number_of(len(figures), "pair"), chance=f"{chance:.0f}")

    def _cells(self, rows: pl.DataFrame, order: list[str], cast: Cast) -> alt.LayerChart:
        place = {player: number for number, player in enumerate(order, start=1)}
        labels = {player: f"{cast.label(player)} · {number}" for player, number in place.items()}
        width = 2 * _CELL * len(order)
        text = [f"{100 * value:.0f}" if self.unit.share else self.unit.say(value) for value in rows["value"]]
        top = 1.0 if self.balanced else max(float(rows["value"].max() or 0.0), 1e-9)  # type: ignore[arg-type]
        shades = {step * top: shade for step, shade in (BALANCED if self.balanced else SHADES).items()}
        sure = rows.select(_sure(self.balanced)).to_series()
        weights = [1.0 if one else _UNSURE_OPACITY for one in sure]
        data = cast.with_styles(rows).with_columns(
            pl.col("player").replace_strict(labels, return_dtype=pl.String).alias("row"),
            pl.col("other_player").replace_strict(place, return_dtype=pl.Int64).alias("column"),
            pl.Series("whom", [cast.label(other) for other in rows["other_player"]], dtype=pl.String),
            pl.Series("words", text, dtype=pl.String),
            pl.Series(IS_DARK, dark_cells(rows["value"], shades, weights), dtype=pl.Boolean),
            sure.alias("sure"),
        )
        numbers = list(range(1, len(order) + 1))
        base = alt.Chart(data).encode(
            x=alt.X(
                "column:O",
                title=f"{self.whom}, by the number of its row",
                scale=alt.Scale(domain=numbers, paddingInner=0.06),
                axis=alt.Axis(labelAngle=0, orient="top", grid=False),
            ),
            y=label_axis([labels[player] for player in order], "row", paddingInner=0.06),
        )
        colour = alt.Color(
            "value:Q",
            scale=alt.Scale(domain=list(shades), range=list(shades.values()), clamp=True),
            legend=alt.Legend(format="%" if self.unit.share else ".3g", values=list(shades)),
        )
        tips = [alt.Tooltip("label:N", title="player"), alt.Tooltip("whom:N", title=self.whom)]
        tips += [*estimate_tooltips(self.unit.name, self.unit.precise), GAMES]
        # On a light ground, pale cells and their dark figures look the same on dark paper.
        ground = base.mark_rect(color=GROUND, opacity=1)
        aside = {"test": f"length(pinned) > 0 && !({PINNED} || {_PINNED_OTHER})", "value": _UNPINNED_OPACITY}
        lit = alt.OpacityValue(_UNSURE_OPACITY, condition=[aside, {"test": "datum.sure", "value": 1}])
        cells = base.mark_rect().encode(color=colour, tooltip=tips, opacity=lit)
        crowded = {"test": f"width / {len(order)} < {_MIN_CELL_WIDTH}", "value": 0}
        words = cell_figures(base, "words", opacity=alt.OpacityValue(1, condition=[crowded, aside]))
        size = {"width": min(width, WIDTH - 60), "height": alt.Step(_CELL)}
        return layered(ground, cells, *words, params=[pinning()], **size)


def _sure(balanced: bool) -> pl.Expr:
    """Return an expression for the cells that stand out. If `balanced`, these are the cells whose interval excludes one
    half. Otherwise these are the cells that have an interval."""
    rows = pl.col("low").is_not_null()
    aside = (pl.col("low") > _EVEN) | (pl.col("high") < _EVEN)
    return (rows & aside if balanced else rows).fill_null(False)


_ROW: Final = 25


def strip(
    frame: pl.DataFrame,
    cast: Cast,
    *,
    unit: Unit,
    symlog: bool = False,
    linear: float = 2.0,
    most: float | None = None,
    dot: float = 9.0,
    opacity: float = 0.35,
) -> alt.LayerChart:
    """Draw the rows of a table with `player` and `value` as dots. Players are sorted by their median, which a stroke
    marks, and then by their mean. With `symlog`, the axis is linear up to about `linear` and logarithmic beyond. `most`
    sets the end of the axis. The axis includes 0. It includes negative numbers only if a value is negative."""
    middles = (
        frame.group_by("player")
        .agg(pl.col("value").median().cast(pl.Float64), pl.col("value").mean().alias("mean"), pl.len().alias("n"))
        .sort(["value", "mean", "player"], descending=[True, True, False])
    )
    rows = cast.with_styles(middles)
    place = {player: index for index, player in enumerate(rows["player"])}
    low = min(0.0, float(frame["value"].min()))  # type: ignore[arg-type]
    high = max(0.0, float(frame["value"].max())) if most is None else most  # type: ignore[arg-type]
    if symlog:
        # If the axis ends at 0, no values are beyond 0.
        domain = [low * 1.12 - 1 if low < 0 else 0, high * 1.12 + 1 if high > 0 or low == 0 else 0]
        scale = alt.Scale(type="symlog", constant=linear, domain=domain, nice=False)
        ticks = [-tick for tick in reversed(_decades(-low, linear)[1:])] if low < 0 else []
        ticks += _decades(high, linear) if domain[1] > 0 else [0.0]
        axis = alt.Axis(values=ticks, format="d" if max(-low, high) < 10_000 else ",d")
    else:
        scale, axis = alt.Scale(domain=[low, high], nice=False), alt.Axis(format=unit.axis, tickCount=10)
    y = label_axis(rows["label"].to_list())
    x = alt.X("value:Q", title=unit.name, scale=scale, axis=axis)
    faces = HeldRows(
        values=[{"p": p, "label": label, "key": key} for p, (label, key) in enumerate(rows["label", "key"].iter_rows())]
    )
    dots = (
        alt.Chart(_compact(frame, place))
        .transform_flatten(["p", "value", "j"])
        .transform_lookup(lookup="p", from_=alt.LookupData(data=faces, key="p", fields=["label", "key"]))
        .mark_circle(size=dot, opacity=opacity, aria=False)
        .encode(
            x=x,
            y=y,
            yOffset=alt.YOffset("j:Q", scale=alt.Scale(domain=[-110, 110], nice=False)),
            color=cast.colour(),
            tooltip=[PLAYER, alt.Tooltip("value:Q", title=unit.name, format=unit.precise)],
        )
    )
    return layered(dots, *_medians(rows, x, y, unit), width=WIDTH - 60, height=alt.Step(_ROW))


def _medians(rows: pl.DataFrame, x: alt.X, y: alt.Y, unit: Unit) -> list[alt.Chart]:
    """Return the strokes that mark the rows' medians."""
    # The stroke is white on near-black. So it is visible on light paper, on dark paper and among dots. It does not
    # depend on the ink of the page, which a canvas does not know.
    median = alt.Tooltip("value:Q", title="median", format=unit.precise)
    return [
        alt.Chart(rows)
        .mark_tick(thickness=thickness, size=_ROW * size, color=ink, opacity=1)
        .encode(x=x, y=y, tooltip=[PLAYER, median, alt.Tooltip("n:Q", title="dots")])
        for thickness, size, ink in ((4.4, 0.86, "#16191e"), (1.8, 0.74, "#ffffff"))
    ]


def _compact(frame: pl.DataFrame, place: dict[str, int]) -> HeldRows:
    """Return the player's index, the value and the offset (jitter) of every dot. The result is one row of three long
    lists, which Vega flattens."""
    ordered = frame.select(
        pl.col("player").replace_strict(place, return_dtype=pl.Int64).alias("p"),
        pl.col("value").cast(pl.Float64).round(4),
    ).sort(["p", "value"])
    # Whole numbers are written without ".0", which reduces the text by a third.
    values = [int(value) if value.is_integer() else value for value in ordered["value"]]
    return HeldRows(values=[{"p": ordered["p"].to_list(), "value": values, "j": jitter(len(ordered))}])


def jitter(dots: int) -> list[int]:
    """Return an offset from -100 to 100 for each dot. It is a hash of the dot's position in the sorted table (the
    finaliser of SplitMix64, Steele and others 2014), so that a table always gives the same picture."""
    with np.errstate(over="ignore"):
        mixed = np.arange(1, dots + 1, dtype=np.uint64) * np.uint64(0x9E3779B97F4A7C15)
        mixed = (mixed ^ (mixed >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
        mixed = (mixed ^ (mixed >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return [int(offset) - 100 for offset in (mixed ^ (mixed >> np.uint64(31))) % np.uint64(201)]


def _decades(peak: float, linear: float) -> list[float]:
    """Return ticks for an axis that is logarithmic away from 0. In the linear part, such ticks would be too dense."""
    ticks = [0.0]
    unit = 10.0 ** max(round(np.log10(linear / 2)), 0)
    while unit <= peak * 1.12 + 1:
        ticks += [step * unit for step in (1, 2, 5) if step * unit <= peak * 1.12 + 1]
        unit *= 10
    return ticks
