"""Matrices of pairs of players: a row for the player that acts, a column for the one that it acts with, towards or
against."""

from dataclasses import dataclass
from typing import Final

import altair as alt
import polars as pl

from ostrom.charts.families import Cast
from ostrom.charts.forms import SHADES, Picture, weighted_mean
from ostrom.charts.render import GAMES, PINNED, STEP, WIDTH, estimate_tooltips, label_axis, layered, pinning, styled
from ostrom.charts.words import Unit
from ostrom.core.text import number_of

BALANCED: Final = {0.0: "#8c4a00", 0.25: "#d9a55f", 0.5: "#efeee9", 0.75: "#7fb0c9", 1.0: "#0b4f74"}
"""From brown through grey to blue, dark at both ends, for values that are even in the middle."""
_EVEN: Final = 0.5
_MIN_CELL_WIDTH: Final = 22
"""The least width in pixels of cells that show their figures."""
_CELL: Final = STEP + 1
_GROUND: Final = "#fbfaf7"
_UNSURE_OPACITY: Final = 0.4
_UNPINNED_OPACITY: Final = 0.08
"""The opacity of a cell while others are pinned, and neither its row nor its column."""
_PINNED_OTHER: Final = "indexof(pinned, datum.other_player) >= 0"


@dataclass(frozen=True)
class PairMatrix(Picture):
    """Cells of a table by pair: `player`, `other_player`, `value`, `low`, `high` and `n`. Players are sorted by their
    means, the highest first, and columns have the numbers of rows. The gaps of `title` are those of bars, for the means
    over all others; for a `balanced` one `apart`, `pairs` and `chance`: the number of pairs whose interval excludes one
    half, of all pairs, and by chance."""

    unit: Unit
    title: str
    alike: str
    subtitle: str
    whom: str = "other"
    """The heading of the columns."""
    balanced: bool = False
    """True if cells are shares, of which the two directions of a pair sum to 1."""

    def _chart(self, rows: pl.DataFrame, cast: Cast) -> alt.LayerChart:
        # The order of names makes sums equal to the last bit every time.
        by_player = rows.sort("player", "other_player").group_by("player", maintain_order=True)
        means = by_player.agg(value=weighted_mean(), low=pl.col("low").min(), n=pl.col("n").sum())
        order = means.sort(["value", "player"], descending=[True, False])["player"].to_list()
        order += sorted(set(rows["other_player"]) - set(order))
        title = self._even(rows) if self.balanced else self.name_ends(means, cast, self.unit, self.title, self.alike)
        return styled(self._cells(rows, order, cast), title=title, subtitle=self.subtitle)

    def _even(self, rows: pl.DataFrame) -> str:
        """Return how many pairs are uneven; single pairs among many are not named."""
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
        part = pl.col("value") / top
        data = cast.with_styles(rows).with_columns(
            pl.col("player").replace_strict(labels, return_dtype=pl.String).alias("row"),
            pl.col("other_player").replace_strict(place, return_dtype=pl.Int64).alias("column"),
            pl.Series("whom", [cast.label(other) for other in rows["other_player"]], dtype=pl.String),
            pl.Series("words", text, dtype=pl.String),
            ((part - _EVEN).abs() > 0.35 if self.balanced else part > 0.6).alias("dark"),
            _sure(self.balanced).alias("sure"),
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
        # A light ground keeps pale cells and their dark figures the same on dark paper.
        ground = base.mark_rect(color=_GROUND, opacity=1)
        aside = {"test": f"length(pinned) > 0 && !({PINNED} || {_PINNED_OTHER})", "value": _UNPINNED_OPACITY}
        lit = alt.OpacityValue(_UNSURE_OPACITY, condition=[aside, {"test": "datum.sure", "value": 1}])
        cells = base.mark_rect().encode(color=colour, tooltip=tips, opacity=lit)
        crowded = {"test": f"width / {len(order)} < {_MIN_CELL_WIDTH}", "value": 0}
        words = [
            base.transform_filter(alt.datum.dark == dark)
            .mark_text(color="#ffffff" if dark else "#23272e", fontSize=10)
            .encode(text=alt.Text("words:N"), opacity=alt.OpacityValue(1, condition=[crowded, aside]))
            for dark in (True, False)
        ]
        size = {"width": min(width, WIDTH - 60), "height": alt.Step(_CELL)}
        return layered(ground, cells, *words, params=[pinning()], **size)


def _sure(balanced: bool) -> pl.Expr:
    """Return which cells stand out: those whose interval excludes the middle, or that have an interval."""
    rows = pl.col("low").is_not_null()
    aside = (pl.col("low") > _EVEN) | (pl.col("high") < _EVEN)
    return (rows & aside if balanced else rows).fill_null(False)
