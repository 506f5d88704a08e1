"""The Commons: what players give, what they spend on lobbying, and whom they vote out."""

import altair as alt
import polars as pl

from ostrom.charts.bars import bars
from ostrom.charts.commons_outcomes import HALF
from ostrom.charts.contributions import BARS
from ostrom.charts.families import COLOURS, Cast
from ostrom.charts.heatmap import heatmap
from ostrom.charts.lines import player_lines
from ostrom.charts.long_lines import commonly_reached, last_turn, long_line
from ostrom.charts.outcomes import LINES
from ostrom.charts.theme import styled
from ostrom.charts.words import Unit, ends, share

GIVEN = share("of the endowment, contributed")
ROUGHLY = share("of the endowment, contributed", 0)
_IN = "Drawn while at least half of the players are in a game; the table holds all turns."


def contribution(frame: pl.DataFrame, cast: Cast) -> alt.LayerChart:
    """The part of its endowment that a player gives."""
    told = ends(frame, cast, GIVEN)
    title = (
        f"All give {told.high} of the endowment"
        if told.alone
        else f"{told.first} gives {told.high} of its endowment, {told.last} {told.low}"
    )
    return styled(bars(frame, cast, unit=GIVEN), title=title, subtitle=f"Mean over turns in the game. {BARS}")


def contribution_by_turn(frame: pl.DataFrame, cast: Cast) -> alt.LayerChart:
    """The part of its endowment that a player gives, turn by turn."""
    shown = commonly_reached(frame)
    turn = last_turn(shown)
    told = ends(shown.filter(pl.col("turn") == turn), cast, ROUGHLY)
    title = (
        f"All give {told.high} in turn {turn}"
        if told.alone
        else f"In turn {turn}, {told.first} gives {told.high} of its endowment, {told.last} {told.low}"
    )
    return styled(player_lines(shown, cast, unit=ROUGHLY, clock="turn"), title=title, subtitle=f"{LINES} {_IN}")


def contribution_heatmap(frame: pl.DataFrame, cast: Cast) -> alt.LayerChart:
    """The same as a field: where cooperation holds and where it breaks."""
    shown = commonly_reached(frame)
    means = shown.group_by("player").agg(value=(pl.col("value") * pl.col("n")).sum() / pl.col("n").sum())
    told = ends(means, cast, ROUGHLY)
    title = (
        f"All give {told.high} over these turns"
        if told.alone
        else f"Over these turns {told.first} gives {told.high}, {told.last} {told.low}"
    )
    return styled(
        heatmap(shown, cast, unit=ROUGHLY),
        title=title,
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
    unit = share("of capital, spent on lobbying in a turn", 2)
    told = ends(frame, cast, unit)
    title = (
        f"All spend {told.high} of their capital on lobbying in a turn"
        if told.alone
        else f"{told.first} spends {told.high} of its capital on lobbying in a turn, {told.last} {told.low}"
    )
    aims = frame["direction"].to_list() if "direction" in frame.columns else [None] * len(frame)
    noted = frame.with_columns(pl.Series("note", [_aim(aim) for aim in aims], dtype=pl.String))
    return styled(
        bars(noted, cast, unit=unit, notes="note"),
        title=title,
        subtitle=f"Toward equal shares, or toward shares in proportion to contributions. {BARS}",
    )


def votes_received(frame: pl.DataFrame, cast: Cast) -> alt.LayerChart:
    """How many others vote against a player in a turn."""
    unit = Unit("votes received in a turn", decimals=2)
    told = ends(frame, cast, unit)
    title = (
        f"All receive {told.high} votes in a turn"
        if told.alone
        else f"{told.first} receives {told.high} votes in a turn, {told.last} {told.low}"
    )
    return styled(
        bars(frame, cast, unit=unit), title=title, subtitle=f"Over the turns in which there is a vote. {BARS}"
    )


def exclusion_rate(frame: pl.DataFrame, cast: Cast) -> alt.LayerChart:
    """How often a player is voted out."""
    unit = share("of seats, voted out")
    told = ends(frame, cast, unit)
    none = float(frame["value"].max()) == 0  # type: ignore[arg-type]
    title = f"{told.first} is voted out in {told.high} of its games, {told.last} in {told.low}"
    if told.alone:
        title = "Nobody is voted out" if none else f"All are voted out in {told.high} of their games"
    return styled(
        bars(frame, cast, unit=unit),
        title=title,
        subtitle=f"Games with voting and at least three seats; it takes more than half of the votes cast. {BARS}",
    )


def _aim(direction: float | None) -> str:
    """Which way the lobbying goes, in words."""
    if direction is None:
        return ""
    if abs(direction) < 0.2:
        return "  ·  both ways"
    return "  ·  equal shares" if direction > 0 else "  ·  proportional"
