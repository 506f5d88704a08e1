"""The Commons: what players give, what they spend on lobbying, and whom they vote out."""

import altair as alt
import polars as pl

from ostrom.charts.commons_outcomes import HALF
from ostrom.charts.families import COLOURS, Cast
from ostrom.charts.heatmap import heatmap
from ostrom.charts.long_lines import commonly_reached, long_line
from ostrom.charts.ranked import BARS, LINES, ranked_bars, ranked_lines
from ostrom.charts.theme import styled
from ostrom.charts.words import Unit, ends, share

GIVEN = share("of the endowment, contributed")
ROUGHLY = share("of the endowment, contributed", 0)
_IN = "Drawn while at least half of the players are in a game; the table holds all turns."


def contribution(frame: pl.DataFrame, cast: Cast) -> alt.LayerChart:
    """The part of its endowment that a player gives."""
    return ranked_bars(
        frame,
        cast,
        unit=GIVEN,
        title="{first} gives {high} of its endowment, {last} {low}",
        alike="All give {high} of the endowment",
        subtitle=f"Mean over turns in the game. {BARS}",
    )


def contribution_by_turn(frame: pl.DataFrame, cast: Cast) -> alt.LayerChart:
    """The part of its endowment that a player gives, turn by turn."""
    return ranked_lines(
        commonly_reached(frame),
        cast,
        unit=ROUGHLY,
        title="In turn {when}, {first} gives {high} of its endowment, {last} {low}",
        alike="All give {high} in turn {when}",
        subtitle=f"{LINES} {_IN}",
        clock="turn",
    )


def contribution_heatmap(frame: pl.DataFrame, cast: Cast) -> alt.LayerChart:
    """The same as a field: where cooperation holds and where it breaks."""
    shown = commonly_reached(frame)
    means = shown.group_by("player").agg(value=(pl.col("value") * pl.col("n")).sum() / pl.col("n").sum())
    told = ends(means, cast, ROUGHLY)
    return styled(
        heatmap(shown, cast, unit=ROUGHLY),
        title=told.filled(
            "Over these turns {first} gives {high}, {last} {low}", alike="All give {high} over these turns"
        ),
        subtitle=f"A field is a player's mean contribution in a turn; empty where it is in no game. {_IN}",
    )


def cooperation_by_turn(frame: pl.DataFrame, cast: Cast) -> alt.LayerChart:
    """The mean contribution of all, turn by turn."""
    unit = share("of the endowment, contributed by all")
    rows = commonly_reached(frame).sort("turn")
    first, last = rows.row(0, named=True), rows.row(-1, named=True)
    title = f"{unit.say(first['value'])} of all endowments is contributed in turn {first['turn']}"
    if len(rows) > 1:
        title += f", {unit.say(last['value'])} in turn {last['turn']}"
    return styled(
        long_line(rows, unit=unit, tint=COLOURS["Gemini"]),
        title=title,
        subtitle=f"Mean contribution of all seats still in. Band: 95% interval. {HALF}",
    )


def lobbying(frame: pl.DataFrame, cast: Cast) -> alt.LayerChart:
    """The part of its capital that a player spends to move α, and which way."""
    aims = frame["direction"].to_list() if "direction" in frame.columns else [None] * len(frame)
    return ranked_bars(
        frame.with_columns(pl.Series("note", [_aim(aim) for aim in aims], dtype=pl.String)),
        cast,
        unit=share("of capital, spent on lobbying in a turn", 2),
        title="{first} spends {high} of its capital on lobbying in a turn, {last} {low}",
        alike="All spend {high} of their capital on lobbying in a turn",
        subtitle=f"Toward equal shares, or toward shares in proportion to contributions. {BARS}",
        notes="note",
    )


def votes_received(frame: pl.DataFrame, cast: Cast) -> alt.LayerChart:
    """How many others vote against a player in a turn."""
    return ranked_bars(
        frame,
        cast,
        unit=Unit("votes received in a turn", decimals=2),
        title="{first} receives {high} votes in a turn, {last} {low}",
        alike="All receive {high} votes in a turn",
        subtitle=f"Over the turns in which there is a vote. {BARS}",
    )


def exclusion_rate(frame: pl.DataFrame, cast: Cast) -> alt.LayerChart:
    """How often a player is voted out."""
    none = float(frame["value"].max()) == 0  # type: ignore[arg-type]
    return ranked_bars(
        frame,
        cast,
        unit=share("of seats, voted out"),
        title="{first} is voted out in {high} of its games, {last} in {low}",
        alike="Nobody is voted out" if none else "All are voted out in {high} of their games",
        subtitle=f"Games with voting and at least three seats; it takes more than half of the votes cast. {BARS}",
    )


def _aim(direction: float | None) -> str:
    """Which way the lobbying goes, in words."""
    if direction is None:
        return ""
    if abs(direction) < 0.2:
        return "  ·  both ways"
    return "  ·  equal shares" if direction > 0 else "  ·  proportional"
