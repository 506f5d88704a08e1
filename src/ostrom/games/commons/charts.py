"""The charts and sentences of the Commons' report."""

from typing import Final

import altair as alt
import polars as pl

from ostrom.charts.catalogue import GameCharts, Measured, Picture, Section
from ostrom.charts.families import COLOURS, Cast
from ostrom.charts.heatmap import heatmap
from ostrom.charts.lines import commonly_reached, long_line
from ostrom.charts.ranked import BARS, LINES, ranked_bars, ranked_lines
from ostrom.charts.standings import Beside
from ostrom.charts.summary import Most, switched, with_interval
from ostrom.charts.theme import styled
from ostrom.charts.words import RANK, Unit, ends, share
from ostrom.games.commons.measures import CommonsTables

CAPITAL = Unit("capital", decimals=0)
SYNERGY = Unit("synergy", decimals=2)
HALF = "Drawn while at least half of the games go on; the table holds all turns."


def capital_by_turn(frame: pl.DataFrame, cast: Cast) -> alt.LayerChart:
    """The mean capital at the end of every turn."""
    return ranked_lines(
        commonly_reached(frame),
        cast,
        unit=CAPITAL,
        title="After turn {when}, {first} holds {high} on average, {last} {low}",
        alike="All hold {high} after turn {when}",
        subtitle=f"{LINES} {HALF}",
        clock="turn",
        zero=True,
    )


def synergy_by_turn(frame: pl.DataFrame, cast: Cast) -> alt.LayerChart:
    """The factor that grows the pot, turn by turn."""
    rows = commonly_reached(frame).sort("turn")
    first, last = rows.row(0, named=True), rows.row(-1, named=True)
    title = (
        f"The synergy is {SYNERGY.say(first['value'])} in turn {first['turn']}, "
        f"{SYNERGY.say(last['value'])} in turn {last['turn']}"
        if len(rows) > 1
        else f"The synergy is {SYNERGY.say(first['value'])}"
    )
    return styled(
        long_line(rows, unit=SYNERGY, tint=COLOURS["GPT"]),
        title=title,
        subtitle=f"The factor by which the pot grows, mean over games. Band: 95% interval. {HALF}",
    )


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


_SECTIONS: Final = (
    Section(
        "outcomes",
        "How games unfold",
        (
            Picture("capital_by_turn", "Capital by turn", capital_by_turn),
            Picture("synergy_by_turn", "Synergy by turn", synergy_by_turn),
        ),
    ),
    Section(
        "contributions",
        "What players give",
        (
            Picture("cooperation_by_turn", "Cooperation by turn", cooperation_by_turn),
            Picture("contribution", "Mean contribution", contribution),
            Picture("contribution_by_turn", "Contribution by turn", contribution_by_turn),
            Picture(
                "contribution_heatmap",
                "Contribution by player and turn",
                contribution_heatmap,
                measure="contribution_by_turn",
            ),
        ),
    ),
    Section(
        "power",
        "Lobbying and exclusion",
        (
            Picture("lobbying", "Lobbying", lobbying),
            Picture("votes_received", "Votes received", votes_received),
            Picture("exclusion_rate", "Exclusions", exclusion_rate),
        ),
    ),
)


_MOSTS: Final = (
    Most(
        "contribution",
        "gives the largest part of its endowment",
        "Nobody gives anything",
        "All give the same part of their endowment",
    ),
    Most(
        "lobbying",
        "spends the largest part of its capital on lobbying in a turn",
        "Nobody lobbies",
        "All spend the same part of their capital on lobbying",
    ),
    Most(
        "exclusion_rate",
        "is voted out most often",
        "Nobody is voted out",
        "All are voted out equally often",
    ),
)


def _facts(tables: CommonsTables) -> list[str]:
    """With what rules games were played."""
    return [switched(tables.games[name], name) for name in ("lobbying", "voting")]


def _course(measured: Measured) -> list[str]:
    """How far cooperation went."""
    total = commonly_reached(measured["cooperation_by_turn"]).sort("turn")
    if not len(total):
        return []
    first, last = total.row(0, named=True), total.row(-1, named=True)
    return [
        f"Of all endowments, {with_interval(first)} is contributed in turn {first['turn']} and "
        f"{with_interval(last)} in turn {last['turn']}, the last that at least half of the games reached."
    ]


CHARTS: Final = GameCharts(
    sections=_SECTIONS,
    beside=(
        Beside("mean_rank", "mean rank", RANK),
        Beside("contribution", "gives", share("", 0)),
        Beside("lobbying", "spends on lobbying", share("")),
        Beside("exclusion_rate", "voted out", share("", 0)),
    ),
    compared={
        "cooperation_by_turn": share("of the endowment, contributed"),
        "synergy_by_turn": SYNERGY,
        "contribution": share("of the endowment, contributed"),
        "lobbying": share("of capital, spent on lobbying", 2),
        "votes_cast": share("of votes used"),
        "exclusion_rate": share("of seats, voted out"),
    },
    facts=_facts,
    course=_course,
    mosts=_MOSTS,
)
"""What the Commons adds to the common charts."""
