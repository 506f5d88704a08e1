"""Lines over rounds or turns. There is one line for each player with its name at its end, or a single line with its
interval."""

import math
from collections.abc import Sequence
from itertools import count
from typing import Any

import altair as alt
import polars as pl

from ostrom.analysis.measures import EQUILIBRIUM
from ostrom.charts.families import Cast
from ostrom.charts.render import (
    GAMES,
    LINES_HEIGHT,
    OF_KEY,
    PINNED,
    PLAYER,
    WIDTH,
    choosing,
    estimate_tooltips,
    layered,
    styled,
)
from ostrom.charts.words import Unit, figures

LABEL_GAP = 15.0
"""The distance from one end label to the next, in pixels. It is the height of a line of text."""

END_MARKS = "end_"
"""The prefix of the names of layers that label the ends of lines."""

MAX_DOTTED_ROUNDS = 25
"""The largest number of rounds for which lines have dots. With more rounds, dots would hide the line."""


def player_lines(
    frame: pl.DataFrame, cast: Cast, *, unit: Unit, falling: bool = False, zero: bool = False, clock: str = "round"
) -> alt.LayerChart:
    """Draw lines of a table with `player`, `round`, `value`, `low` and `high`. `falling` reverses the axis, for ranks.
    The lines that rank first and last at the end are thick and have intervals. In a browser, the line under the pointer
    and pinned lines are also thick and have intervals. `clock` is the column of time."""
    frame = frame.rename({clock: "round"}) if clock != "round" else frame
    level = _level(frame)
    low, high = _reach(pl.concat([frame["value"].cast(pl.Float64), level]), zero=zero or unit.share)
    end = end_labels(frame, cast, unit=unit, low=low, high=high, falling=falling)
    outer = [end["player"][0], end["player"][-1]]
    # Bands are clipped here. Vega would number its own clips, so that equal pictures would differ.
    rows = cast.with_styles(frame.sort(["player", "round"])).with_columns(
        pl.col("player").is_in(outer).alias("outer"),
        pl.col("low").clip(low, high).alias("band_low"),
        pl.col("high").clip(low, high).alias("band_high"),
    )
    hover = alt.selection_point(name="hover", fields=["player"], on="pointerover", clear="pointerout")
    x = _clock_axis("round:Q", clock, _span(frame), ticks=10)
    y = _value_axis(unit, low, high, ticks=7, reverse=falling)
    base = alt.Chart(rows).encode(x=x, y=y, color=cast.line_colour(), detail=alt.Detail("player:N"))
    band = base.mark_area().encode(
        y=alt.Y("band_low:Q"),
        y2=alt.Y2("band_high:Q"),
        opacity=alt.OpacityValue(0.0, condition={"test": _lit("datum.outer"), "value": 0.13}),
        tooltip=PLAYER,
    )
    faded = alt.OpacityValue(0.12, condition={"test": _lit(), "value": 0.95})
    line = base.mark_line(strokeCap="round").encode(
        strokeDash=cast.dash(),
        strokeWidth=alt.condition(alt.datum.outer, alt.value(3.0), alt.value(1.6)),
        opacity=faded,
        tooltip=PLAYER,
    )
    few = frame["round"].n_unique() <= MAX_DOTTED_ROUNDS
    tooltip = [PLAYER, alt.Tooltip("round:Q", title=clock), *estimate_tooltips(unit.name, unit.precise)]
    # With many rounds, the shape of a line is shown only before the line's name, because shapes would hide the line.
    dot = base.mark_point(filled=True, size=34).encode(shape=cast.shape()) if few else base.mark_circle(size=9)
    point = dot.encode(opacity=faded, tooltip=tooltip).add_params(hover)
    layers = [band, line, point, *_level_marks(level), *_end_marks(end, cast)]
    return layered(*layers, params=choosing(), width=WIDTH - 230, height=LINES_HEIGHT)


def _lit(resting: str = "true") -> dict[str, Any]:
    """Return the test for a highlighted mark. It is true if the mark's player is under the pointer or pinned. If there
    is no such player, the test is `resting`."""
    at_rest = {"and": [resting, {"param": "hover"}, "length(pinned) === 0"]}
    return {"and": [OF_KEY, {"or": [{"param": "hover", "empty": False}, PINNED, at_rest]}]}


def _level(frame: pl.DataFrame) -> pl.Series:
    """Return the measure's value in equilibrium as a series of one number. The series is empty if the table has no such
    value."""
    if EQUILIBRIUM not in frame.columns:
        return pl.Series([], dtype=pl.Float64)
    return frame[EQUILIBRIUM].drop_nulls().unique().head(1)


def _level_marks(level: pl.Series) -> list[alt.Chart]:
    """Return a dashed horizontal line with its name."""
    if not len(level):
        return []
    base = alt.Chart(pl.DataFrame({"level": level, "words": ["equilibrium"]}))
    y = alt.Y("level:Q")
    line = base.mark_rule(strokeDash=[6, 4], strokeWidth=1.3, opacity=0.85).encode(y=y)
    words = base.mark_text(align="left", baseline="bottom", dx=4, dy=-3, fontStyle="italic").encode(
        x=alt.value(0), y=y, text=alt.Text("words:N")
    )
    return [line, words]


def _end_marks(end: pl.DataFrame, cast: Cast) -> tuple[alt.Chart, alt.Chart, alt.Chart]:
    """Return three layers: the names at the ends of the lines, the shape of the line before each name, and the leader
    lines to the names. A narrow page recognises these layers by their names and omits them."""
    ends = alt.Chart(end)
    faded = alt.OpacityValue(0.25, condition={"test": _lit(), "value": 1.0})
    leader = ends.mark_rule(xOffset=5, x2Offset=20, strokeWidth=1).encode(
        x=alt.X("round:Q"),
        x2=alt.X2("until"),
        y=alt.Y("end:Q"),
        y2=alt.Y2("place"),
        color=cast.line_colour(),
        opacity=alt.OpacityValue(0.15, condition={"test": _lit(), "value": 0.7}),
    )
    sign = ends.mark_point(filled=True, size=38, xOffset=26).encode(
        x=alt.X("until:Q"),
        y=alt.Y("place:Q"),
        color=cast.line_colour(),
        shape=cast.shape(),
        opacity=faded,
        tooltip=PLAYER,
    )
    words = ends.mark_text(align="left", baseline="middle", dx=34).encode(
        x=alt.X("until:Q"), y=alt.Y("place:Q"), text=alt.Text("words:N"), opacity=faded, tooltip=PLAYER
    )
    named: list[alt.Chart] = [
        layer.properties(name=f"{END_MARKS}{part}")
        for layer, part in ((leader, "leaders"), (sign, "signs"), (words, "names"))
    ]
    return named[0], named[1], named[2]


def end_labels(
    frame: pl.DataFrame, cast: Cast, *, unit: Unit, low: float, high: float, falling: bool = False
) -> pl.DataFrame:
    """Return the position of each line's name, the best line first. The column `end` is the end of the line, and
    `place` is the position of its label, both in units of the axis. Labels are at least LABEL_GAP pixels apart."""
    last = frame.sort("round").group_by("player", maintain_order=True).last()
    pixel = (high - low) / LINES_HEIGHT
    ends = last["value"].to_list()
    # Values fall from top to bottom. They rise if the axis is reversed.
    sign = 1 if falling else -1
    wanted = [sign * value / pixel for value in ends]
    bounds = sorted((sign * low / pixel, sign * high / pixel))
    places = [sign * place * pixel for place in spread(wanted, gap=LABEL_GAP, low=bounds[0], high=bounds[1])]
    words = [f"{cast.label(player)} · {unit.say(value)}" for player, value in zip(last["player"], ends, strict=True)]
    labels = last.select(
        "player",
        "round",
        # The name of a line that ends early is in the same column as the other names.
        until=pl.lit(frame["round"].max()),
        end=pl.col("value").cast(pl.Float64),
        place=pl.Series(places, dtype=pl.Float64),
        words=pl.Series(words, dtype=pl.String),
    )
    return cast.with_styles(labels).sort(["place", "player"], descending=[not falling, False])


def one_line(frame: pl.DataFrame, *, unit: Unit, tint: str, zero: bool = False, clock: str = "round") -> alt.LayerChart:
    """Draw one line with its interval, and write the values at its points. The table has the columns `value`, `low`
    and `high`, and a column of time, whose name is `clock`."""
    level = _level(frame)
    low, high = _reach(pl.concat([_all_values(frame), level]), zero=zero or unit.share)
    high += (high - low) * 0.06  # This leaves room for the figure above the highest point.
    rows = frame.rename({clock: "round"}).sort("round")
    data = rows.with_columns(
        pl.Series("words", [unit.say(value) for value in rows["value"]], dtype=pl.String),
        # If a line falls towards a point, the figure is to the right of this point, so that they do not overlap.
        (pl.col("value").shift(1).fill_null(pl.col("value")) > pl.col("value")).alias("falls"),
        pl.col("high").fill_null(pl.col("value")).alias("edge"),
    )
    axis, scale = alt.Axis(labelAngle=0, grid=False), alt.Scale(type="point", padding=0.4)
    base = alt.Chart(data).encode(x=alt.X("round:O", title=clock, axis=axis, scale=scale))
    tooltips = alt.Tooltip("round:O") if clock == "round" else alt.Tooltip("round:O", title=clock)
    layers = _with_band(base, _value_axis(unit, low, high), unit, tint, dot=48, tooltip=[tooltips])
    figures = [
        base.transform_filter(alt.datum.falls == falls)
        .mark_text(baseline="bottom", align="left" if falls else "center", dx=-4 if falls else 0, dy=-8)
        .encode(y=alt.Y("edge:Q"), text=alt.Text("words:N"))
        for falls in (True, False)
    ]
    return layered(*layers, *_level_marks(level), *figures, width=WIDTH, height=300)


def _all_values(frame: pl.DataFrame) -> pl.Series:
    return pl.concat([frame["low"], frame["high"], frame["value"]]).drop_nulls()


def _clock_axis(column: str, title: str, domain: Sequence[float], *, ticks: int) -> alt.X:
    axis = alt.Axis(grid=False, format="d", values=_whole_ticks(domain[0], domain[1], ticks))
    return alt.X(column, title=title, scale=alt.Scale(domain=list(domain), nice=False), axis=axis)


def _whole_ticks(first: float, last: float, most: int) -> list[int]:
    """Return whole numbers at equal distances, at most this many and one more. Vega's own ticks include halves, which
    the format rounds, so that numbers appear twice."""
    low, high = math.ceil(first), math.floor(last)
    steps = (factor * 10**power for power in count() for factor in (1, 2, 5))
    step = next(step for step in steps if high - low <= most * step)
    return list(range(-(-low // step) * step, high + 1, step))


def _value_axis(unit: Unit, low: float, high: float, *, ticks: int = 6, **scale: Any) -> alt.Y:
    within = alt.Scale(domain=[low, high], nice=False, zero=False, **scale)
    return alt.Y("value:Q", title=unit.name, axis=alt.Axis(format=unit.axis, tickCount=ticks), scale=within)


def _with_band(
    base: alt.Chart, y: alt.Y, unit: Unit, tint: str, *, dot: float, tooltip: Sequence[alt.Tooltip]
) -> list[alt.Chart]:
    """Return a single line with its interval and its dots, which have tooltips."""
    when, *more = tooltip
    band = base.mark_area(color=tint, opacity=0.2).encode(y=alt.Y("low:Q", title=unit.name), y2=alt.Y2("high:Q"))
    line = base.mark_line(color=tint, strokeWidth=2.6).encode(y=y)
    point = base.mark_circle(color=tint, size=dot, opacity=1).encode(
        y=y, tooltip=[when, *estimate_tooltips(unit.name, unit.precise), *more]
    )
    return [band, line, point]


def _span(frame: pl.DataFrame) -> list[float]:
    first, last = float(frame["round"].min()), float(frame["round"].max())  # type: ignore[arg-type]
    return [first, last] if first < last else [first - 0.5, last + 0.5]


def _reach(values: pl.Series, *, zero: bool = False, air: float = 0.06) -> tuple[float, float]:
    """Return the range of the axis, which has all values and a margin. The margin is the share `air` of the range of
    values. With `zero`, the range begins at 0 unless a value is negative."""
    low, high = float(values.min()), float(values.max())  # type: ignore[arg-type]
    beyond = (high - low) * air or max(abs(high), 1.0) * 0.1
    return (0.0 if zero and low >= 0 else low - beyond), high + beyond


def spread(wanted: Sequence[float], *, gap: float, low: float, high: float) -> list[float]:
    """Return positions as near as possible to the wanted positions, in the same order. They are at least `gap` apart
    and within `low` … `high`. If they do not fit, they keep the gap and exceed the bounds.

    This is a least-squares problem under order constraints. If place i is written as q_i + i·gap, then q must not
    decrease. The best non-decreasing q is the isotonic regression of the wanted places.
    """
    order = sorted(range(len(wanted)), key=lambda index: (wanted[index], index))
    flat = _not_falling([wanted[index] - place * gap for place, index in enumerate(order)])
    # The bounds are in the same coordinates: the first position is at least `low`, and the last is at most `high`.
    top = high - (len(wanted) - 1) * gap
    if top < low:
        low = top = (low + top) / 2
    places = [0.0] * len(wanted)
    for place, index in enumerate(order):
        places[index] = min(max(flat[place], low), top) + place * gap
    return places


def _not_falling(values: Sequence[float]) -> list[float]:
    """Return the isotonic regression of a few values: decreasing neighbours are replaced by their mean. SciPy has such
    a function, but in a module that needs more memory and time to load than all charts together."""
    pools: list[tuple[float, int]] = []
    for value in values:
        mean, count = value, 1
        while pools and pools[-1][0] > mean:
            before, many = pools.pop()
            mean, count = (before * many + mean * count) / (many + count), many + count
        pools.append((mean, count))
    return [mean for mean, count in pools for _ in range(count)]


def commonly_reached(frame: pl.DataFrame) -> pl.DataFrame:
    """Return the rows of a table with `turn` and `n` for the turns that at least half of the games reached. If the
    table has a row for each player, games are counted once per player. Later turns are left out, since they would
    describe only the few longest games."""
    reached = frame.group_by("turn").agg(pl.col("n").sum()).sort("turn")
    common = reached.filter(pl.col("n") * 2 >= reached["n"].max())
    return frame.join(common.select("turn"), on="turn", how="semi", maintain_order="left")


def long_line(frame: pl.DataFrame, *, unit: Unit, tint: str) -> alt.LayerChart:
    """Draw a single line of a table with `turn`, `value`, `low` and `high`. The first, last, lowest and highest figures
    are written beside it."""
    rows = frame.sort("turn")
    tooltips = _labelled_turns(rows)
    words = [unit.say(value) if turn in tooltips else "" for turn, value in rows.select("turn", "value").iter_rows()]
    value = pl.col("value")
    data = rows.with_columns(
        pl.Series("words", words, dtype=pl.String),
        trough=(value < value.shift(1)).fill_null(False) & (value < value.shift(-1)).fill_null(False),
    )
    low, high = _reach(_all_values(rows), zero=unit.share, air=0.12)
    # The axis extends slightly beyond the first and the last turn, so that no figure is cut.
    first, last = rows["turn"][0], rows["turn"][-1]
    side = max((last - first) * 0.03, 0.5)
    y = _value_axis(unit, low, high)
    base = alt.Chart(data).encode(x=_clock_axis("turn:Q", "turn", [first - side, last + side], ticks=12))
    layers = _with_band(base, y, unit, tint, dot=40, tooltip=[alt.Tooltip("turn:Q"), GAMES])
    # At a minimum the figure is below its point, and elsewhere above it, so that the figure does not overlap the line.
    figures = [
        base.transform_filter(alt.datum.trough == trough)
        .mark_text(baseline="top" if trough else "bottom", dy=9 if trough else -8)
        .encode(y=y, text=alt.Text("words:N"))
        for trough in (True, False)
    ]
    return layered(*layers, *figures, width=WIDTH, height=280)


def _labelled_turns(rows: pl.DataFrame) -> set[int]:
    """Return the turns whose figures are written. They are so far apart that the figures do not overlap."""
    turns, values = rows["turn"].to_list(), rows["value"].to_list()
    wanted = [turns[0], turns[-1], turns[values.index(max(values))], turns[values.index(min(values))]]
    tooltips: list[int] = []
    for turn in wanted:
        if all(abs(turn - other) * 14 >= turns[-1] - turns[0] for other in tooltips):
            tooltips.append(turn)
    return set(tooltips)


# The games of a single player.


MEAN_GAMES = 20
"""The number of games in the moving mean. If there are few games, it is a quarter of their number."""


def player_course(frame: pl.DataFrame, cast: Cast, player: str, *, unit: str) -> alt.LayerChart:
    """Draw every game of a player as a dot, and a moving mean of the games as a line. The table has `number`, `game`,
    `final` and `rank`."""
    rows = frame.drop_nulls("final").sort("number").with_row_index("place", offset=1)
    stretch = max(2, min(MEAN_GAMES, rows.height // 4))
    data = cast.with_styles(rows.with_columns(pl.lit(player).alias("player"))).with_columns(
        mean=pl.col("final").cast(pl.Float64).rolling_mean(stretch, min_samples=stretch)
    )
    face = cast.faces[player]
    named = figures(rows.rename({"final": "value"}), f"final {unit}".strip())
    axis = alt.Axis(grid=False, format="d", values=_whole_ticks(1, max(1, rows.height), 10))
    x = alt.X("place:Q", title="its games, in the order of the journal", axis=axis, scale=alt.Scale(nice=False))
    y = alt.Y("final:Q", title=named.name, axis=alt.Axis(format=named.axis, tickCount=6))
    base = alt.Chart(data).encode(x=x)
    tooltips = [
        alt.Tooltip("game:N"),
        alt.Tooltip("place:Q", title="its game"),
        alt.Tooltip("final:Q", title=named.name, format=named.precise),
        alt.Tooltip("rank:Q", title="rank", format=".3~g"),
    ]
    dots = base.mark_circle(color=face.colour, size=26, opacity=0.45).encode(y=y, tooltip=tooltips)
    line = base.mark_line(strokeWidth=2.2, color=face.colour).encode(y=alt.Y("mean:Q"))
    middle = named.say(float(rows["final"].median()))  # type: ignore[arg-type]
    return styled(
        layered(dots, line, width=WIDTH, height=260),
        title=f"Half of {face.label}'s {rows.height} games end with {middle} or more" + (f" {unit}" if unit else ""),
        subtitle=f"A dot is a game; the line is the mean of the {stretch} games up to it.",
    )
