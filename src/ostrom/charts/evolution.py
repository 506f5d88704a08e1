"""Charts of evolution: the players' long-run shares, invasions, the strength of selection, and the dynamics and rest
points of shares. Each chart draws a plain table."""

import math
from collections.abc import Sequence
from typing import Final

import altair as alt
import polars as pl

from ostrom.charts.cells import dark_cells
from ostrom.charts.drawings import drawing
from ostrom.charts.families import Cast
from ostrom.charts.forms import bars
from ostrom.charts.lines import end_labels, player_lines
from ostrom.charts.palette import INK, SOFT
from ostrom.charts.render import PLAYER, WIDTH, estimate_tooltips, label_axis, layered, styled
from ostrom.charts.words import ends, share

SHARE: Final = share("share of time", decimals=1)
OF_POPULATION: Final = share("share of the population", decimals=1)
BANDS: Final = "Lines: 95% intervals, which carry the uncertainty of the payoffs."
EXACT: Final = "The payoffs are exact."
NO_BANDS: Final = "The payoffs are uncertain, and there are no intervals."
_NODE: Final = 0.085
_MAX_ARROWS: Final = 28
"""The largest number of arrows. With more arrows, the picture would be hard to read."""
_SIDE: Final = 430
"""The length of a side of a square picture, in pixels."""


@drawing
def long_run_bars(frame: pl.DataFrame, cast: Cast, *, what: str, certain: bool) -> alt.LayerChart:
    """Draw each player's share of the population in the long run. The table has `player`, `value`, `low` and `high`."""
    unit = SHARE if what == "time" else OF_POPULATION
    rows = frame.with_columns(n=pl.lit(0)) if "n" not in frame.columns else frame
    extremes = ends(frame, cast, unit)
    title = extremes.filled(
        f"{{first}} holds {{high}} of the {'time' if what == 'time' else 'population'} in the long run",
        "All players hold the same share in the long run",
    )
    bands = BANDS if frame["low"].count() else NO_BANDS
    return styled(bars(rows, cast, unit=unit), title=title, subtitle=EXACT if certain else bands)


@drawing
def invasion_graph(fixations: pl.DataFrame, shares: pl.DataFrame, cast: Cast, *, population: int) -> alt.LayerChart:
    """Draw an arrow from each player to the players that take over from it more often than by chance. An arrow is
    thicker for a larger part of the population's moves. The first table has `resident`, `mutant` and `value`. The
    second has `player` and `value`."""
    players = shares["player"].to_list()
    places = {
        name: (math.sin(2 * math.pi * k / len(players)), math.cos(2 * math.pi * k / len(players)))
        for k, name in enumerate(players)
    }
    shares_by_player = dict(shares["player", "value"].iter_rows())
    arrows = _arrows(fixations, shares_by_player, places, population)
    nodes = cast.with_styles(
        shares.select("player", "value").with_columns(
            pl.Series("x", [places[name][0] for name in players]), pl.Series("y", [places[name][1] for name in players])
        )
    )
    far = 1.16
    nodes = nodes.with_columns(
        pl.Series("lx", [places[name][0] * far for name in players]),
        pl.Series("ly", [places[name][1] * far for name in players]),
        pl.Series("said", [f"{cast.label(name)} · {OF_POPULATION.say(shares_by_player[name])}" for name in players]),
    )
    domain = alt.Scale(domain=[-1.75, 1.75], nice=False)
    x, y = alt.X("x:Q", scale=domain, axis=None), alt.Y("y:Q", scale=alt.Scale(domain=[-1.3, 1.3]), axis=None)
    layers = _arrow_marks(arrows, x, y) if len(arrows) else []
    base = alt.Chart(nodes)
    size = alt.Size("value:Q", scale=alt.Scale(domain=[0, 1], range=[90, 1700]), legend=None)
    tips = [PLAYER, alt.Tooltip("value:Q", title="share", format=".2%")]
    layers.append(
        base.mark_circle(opacity=1).encode(x=x, y=y, size=size, color=cast.colour(legend=False), tooltip=tips)
    )
    layers += [
        _names(nodes.filter(pl.col("lx").sign() * (pl.col("lx").abs() > 0.05) == side), side) for side in (-1, 0, 1)
    ]
    return styled(
        layered(*layers, width=WIDTH - 20, height=_SIDE),
        title=_invasion_title(fixations, shares_by_player, cast, population),
        subtitle=f"Arrows: a single mutant of the kind at the tip takes over more often than 1/{population}, which "
        "chance alone gives; thick where much of the population’s change goes that way. At most "
        f"{_MAX_ARROWS} are drawn; the map of fixation probabilities has all. Area: share of time.",
    )


def _arrow_marks(arrows: pl.DataFrame, x: alt.X, y: alt.Y) -> list[alt.Chart]:
    """Return the arrows and their heads."""
    line = (
        alt.Chart(arrows)
        .mark_rule(color=SOFT, strokeCap="butt")
        .encode(
            x=x,
            y=y,
            x2="x2",
            y2="y2",
            strokeWidth=alt.StrokeWidth("width:Q", scale=None),
            opacity=alt.Opacity("weight:Q", scale=None),
        )
    )
    tips = [
        alt.Tooltip("resident:N"),
        alt.Tooltip("mutant:N"),
        alt.Tooltip("value:Q", title="takes over with probability", format=".3g"),
    ]
    head = (
        alt.Chart(arrows)
        .mark_point(shape="triangle", filled=True, color=SOFT, size=70)
        .encode(
            x=alt.X("x2:Q", axis=None),
            y=alt.Y("y2:Q", axis=None),
            angle=alt.Angle("angle:Q", scale=None),
            opacity=alt.Opacity("weight:Q", scale=None),
            tooltip=tips,
        )
    )
    return [line, head]


def _names(nodes: pl.DataFrame, side: int) -> alt.Chart:
    """Return the labels of the players on one side of the circle, or above and below it."""
    x, y = alt.X("lx:Q", axis=None), alt.Y("ly:Q", axis=None)
    base = alt.Chart(nodes)
    words = {-1: base.mark_text(align="right"), 0: base.mark_text(align="center"), 1: base.mark_text(align="left")}
    labels: alt.Chart = words[side].encode(x=x, y=y, text="said:N")
    return labels


def _arrows(
    fixations: pl.DataFrame, shares_by_player: dict[str, float], places: dict[str, tuple[float, float]], population: int
) -> pl.DataFrame:
    """Return the strongest arrow from each player. Then return further arrows, the strongest first, up to the limit."""
    rows = _favoured(fixations, population)
    resident_shares = pl.Series([shares_by_player[name] for name in rows["resident"]], dtype=pl.Float64)
    rows = rows.with_columns(flow=pl.col("value") * resident_shares)
    if not len(rows):
        return rows
    first = rows.sort("value", descending=True).group_by("resident", maintain_order=True).first()
    free = max(0, _MAX_ARROWS - len(first))
    rows = pl.concat([first, rows.sort("flow", descending=True).head(free)]).unique(
        subset=["resident", "mutant"], maintain_order=True
    )
    max_flow = max(float(rows["flow"].max()), 1e-300)  # type: ignore[arg-type]
    arrows = []
    for row in rows.iter_rows(named=True):
        (x1, y1), (x2, y2) = places[row["resident"]], places[row["mutant"]]
        length = math.hypot(x2 - x1, y2 - y1)
        dx, dy = (x2 - x1) / length, (y2 - y1) / length
        # Arrows are shifted sideways, so that two arrows between the same players do not overlap.
        offset = 0.018
        cut = _NODE + 0.05 * math.sqrt(shares_by_player[row["mutant"]])
        strength = math.sqrt(row["flow"] / max_flow)
        arrows.append(
            {
                **row,
                "x": x1 + dx * _NODE + dy * offset,
                "y": y1 + dy * _NODE - dx * offset,
                "x2": x2 - dx * (cut + 0.03) + dy * offset,
                "y2": y2 - dy * (cut + 0.03) - dx * offset,
                # The axes have different scales.
                "angle": math.degrees(math.atan2(dx * (WIDTH - 20) / 3.5, dy * _SIDE / 2.6)),
                "width": 0.8 + 3.2 * strength,
                "weight": 0.35 + 0.6 * strength,
            }
        )
    return pl.DataFrame(arrows)


def _favoured(fixations: pl.DataFrame, population: int) -> pl.DataFrame:
    """Return the pairs of players in which a mutant takes over more often than by chance."""
    return fixations.filter(pl.col("value") > (1 + 1e-9) / population)


def _invasion_title(fixations: pl.DataFrame, shares_by_player: dict[str, float], cast: Cast, population: int) -> str:
    favoured = _favoured(fixations, population)
    invaded = set(favoured["resident"])
    safe = [name for name in shares_by_player if name not in invaded]
    if not len(favoured):
        return "No player takes over from another more often than chance would"
    if len(safe) == 1:
        return f"Selection favours no player over {cast.label(safe[0])}; every other player can be invaded"
    if safe:
        names = ", ".join(cast.label(name) for name in safe[:4])
        more = f" and {len(safe) - 4} more" if len(safe) > 4 else ""
        return f"No player is favoured over {names}{more}"
    return "Every player can be invaded by another: none holds the population for good"


_FIXATION_SHADES: Final = {-2.0: "#8c3b00", -1.0: "#e39a5b", 0.0: "#f3f1ec", 1.0: "#7fb2d8", 2.0: "#0b4a7a"}
"""Colours of the logarithm of a probability relative to chance."""


@drawing
def fixation_map(frame: pl.DataFrame, cast: Cast, players: Sequence[str], *, population: int) -> alt.LayerChart:
    """Draw the probability that a single mutant takes over, relative to 1/Z, for each pair of players. The table has
    `resident`, `mutant`, `value`, `low` and `high`."""
    times = frame.with_columns(
        pl.Series("row", [cast.label(name) for name in frame["resident"]]),
        pl.Series("column", [cast.label(name) for name in frame["mutant"]]),
        shade=(pl.col("value").clip(1e-12, 1.0) * population).log(10).clip(-2, 2),
    )
    times = times.with_columns(
        pl.Series("said", [_short(value) for value in frame["value"]]),
        pl.Series("dark", dark_cells(times["shade"], _FIXATION_SHADES), dtype=pl.Boolean),
    )
    labels = [cast.label(name) for name in players]
    field = 34 if len(players) > 8 else 58
    x = alt.X(
        "column:N",
        title="mutant",
        sort=None,
        scale=alt.Scale(domain=labels),
        axis=alt.Axis(grid=False, orient="top", labelOverlap=False, labelAngle=-40 if len(players) > 6 else 0),
    )
    base = alt.Chart(times).encode(x=x, y=label_axis(labels, "row"))
    colour = alt.Color(
        "shade:Q",
        scale=alt.Scale(domain=list(_FIXATION_SHADES), range=list(_FIXATION_SHADES.values())),
        legend=None,
    )
    tips = [
        alt.Tooltip("row:N", title="resident"),
        alt.Tooltip("column:N", title="mutant"),
        *estimate_tooltips("takes over", ".4g"),
    ]
    layers = [base.mark_rect(stroke="#ffffff", strokeWidth=1.5).encode(color=colour, tooltip=tips)]
    for dark, ink in ((True, "#ffffff"), (False, INK)):
        part = times.filter(pl.col("dark") == dark)
        if len(part):
            layers.append(
                alt.Chart(part)
                .mark_text(color=ink, fontSize=9 if len(players) > 8 else 11)
                .encode(x=x, y=label_axis(labels, "row"), text="said:N")
            )
    above = len(_favoured(frame, population))
    return styled(
        layered(*layers, width=alt.Step(field), height=alt.Step(26 if len(players) > 8 else 34)),
        title=f"In {above} of {len(frame)} pairings a mutant takes over more often than chance would",
        subtitle=f"The probability that a single mutant (column) takes over a population of {population} residents "
        f"(row). Blue: above 1/{population}; brown: below.",
    )


def _short(value: float) -> str:
    if value >= 0.0995:
        return f"{value:.2f}"
    return "0" if value < 5e-7 else f"{value:.3f}" if value >= 0.0005 else f"{value:.0e}".replace("e-0", "e-")


@drawing
def alpha_lines(frame: pl.DataFrame, cast: Cast, *, at: float) -> alt.LayerChart:
    """Draw the long-run shares by the strength of selection. The table has `strength`, `player` and `value`. A vertical
    line marks the strength `at`."""
    last = frame.rename({"strength": "round"})
    top = min(1.0, 1.15 * float(frame["value"].max()))  # type: ignore[arg-type]
    rows = cast.with_styles(frame.sort("player", "strength"))
    end = end_labels(last, cast, unit=SHARE, low=0.0, high=top)
    lowest, highest = float(frame["strength"].min()), float(frame["strength"].max())  # type: ignore[arg-type]
    x = alt.X(
        "strength:Q",
        title="strength of selection β",
        scale=alt.Scale(type="log", domain=[lowest, highest], nice=False),
        axis=alt.Axis(tickCount=6, format="~g", grid=False),
    )
    y = alt.Y(
        "value:Q", title="share of time", scale=alt.Scale(domain=[0, top]), axis=alt.Axis(format="~%", tickCount=6)
    )
    tips = [PLAYER, alt.Tooltip("strength:Q", format=".3g"), alt.Tooltip("value:Q", title="share", format=".2%")]
    line = (
        alt.Chart(rows)
        .mark_line(strokeWidth=2.2)
        .encode(x=x, y=y, color=cast.line_colour(), detail="player:N", strokeDash=cast.dash(), tooltip=tips)
    )
    names = (
        alt.Chart(end.rename({"round": "strength"}))
        .mark_text(align="left", dx=10)
        .encode(x=alt.X("until:Q"), y=alt.Y("place:Q"), text="words:N")
    )
    layers = [line, names]
    if lowest <= at <= highest:
        mark = alt.Chart(pl.DataFrame({"strength": [at]})).mark_rule(strokeDash=[4, 3], opacity=0.7)
        layers.insert(0, mark.encode(x=x))
    strongest = frame.filter(pl.col("strength") == highest).select("player", "value")
    extremes = ends(strongest, cast, SHARE)
    title = extremes.filled(
        "At the strongest selection {first} holds {high} of the time",
        "Selection tells the players apart at no strength",
    )
    return styled(
        layered(*layers, width=WIDTH - 230, height=_SIDE),
        title=title,
        subtitle="α-rank: the long run where mutations are rare, over strengths of selection. Broken stroke: the "
        "strength that was asked for.",
    )


@drawing
def trajectories(frame: pl.DataFrame, cast: Cast, *, clock: str, over_runs: bool = False) -> alt.LayerChart:
    """Draw shares over time. The table has the column that `clock` names, `player`, `value`, `low` and `high`."""
    last = frame.filter(pl.col(clock) == frame[clock].max())
    extremes = ends(last, cast, OF_POPULATION)
    title = extremes.filled("{first} ends with {high} of the population", "All end with the same share")
    what = "the middle 95% of the runs" if over_runs else "95% intervals"
    bands = f" Bands: {what} of the first and the last; the tables have all." if frame["low"].count() else ""
    return styled(
        player_lines(frame, cast, unit=OF_POPULATION, zero=True, clock=clock),
        title=title,
        subtitle=f"Each line ends at its name.{bands}",
    )
