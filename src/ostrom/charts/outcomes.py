"""How games unfold and what they leave: balances and ranks over the rounds, partners, welfare and inequality."""

import altair as alt
import polars as pl

from ostrom.charts.bars import bars
from ostrom.charts.families import Cast
from ostrom.charts.lines import player_lines
from ostrom.charts.theme import styled
from ostrom.charts.words import RANK, TOKENS, Ends, Unit, ends, share

BALANCE = Unit("median balance, tokens", decimals=0)
LINES = "Each line ends at its name. Bands: 95% intervals of the first and the last; the tables hold all."


def balance_by_round(frame: pl.DataFrame, cast: Cast) -> alt.LayerChart:
    """The median balance at the end of every round."""
    told = last_round(frame, cast, BALANCE)
    title = (
        f"All hold {told.high} tokens at the end"
        if told.alone
        else f"{told.first} ends with the highest median balance, {told.high}; {told.last} with the lowest, {told.low}"
    )
    fallen = _fallen(frame)
    note = f"{fallen} of {frame['player'].n_unique()} hold less at the end than they once did. " if fallen else ""
    return styled(player_lines(frame, cast, unit=BALANCE), title=title, subtitle=note + LINES)


def rank_by_round(frame: pl.DataFrame, cast: Cast) -> alt.LayerChart:
    """The mean rank at the end of every round."""
    told = last_round(frame, cast, RANK)
    # The best rank is the lowest number.
    title = (
        f"All rank alike at the end, at {told.low}"
        if told.alone
        else f"{told.last} ends with the best mean rank, {told.low}; {told.first} with the worst, {told.high}"
    )
    return styled(player_lines(frame, cast, unit=RANK, falling=True), title=title, subtitle=LINES)


def partners_final(frame: pl.DataFrame, cast: Cast) -> alt.LayerChart:
    """What the other seats of a player's games end with."""
    told = ends(frame, cast, TOKENS)
    title = (
        f"Partners end with {told.high} tokens, whoever they meet"
        if told.alone
        else f"{told.first}'s partners end with {told.high} tokens on average, {told.last}'s with {told.low}"
    )
    return styled(
        bars(frame, cast, unit=TOKENS),
        title=title,
        subtitle="Mean final tokens of the other seats in a player's games. Lines: 95% intervals.",
    )


def welfare(frame: pl.DataFrame, cast: Cast) -> alt.LayerChart:
    """What games reached of what full cooperation would have given."""
    told = ends(frame, cast, share(""))
    title = (
        f"Games reach {told.high} of what full cooperation would give"
        if told.alone
        else f"Games with {told.first} reach {told.high} of what full cooperation gives, with {told.last} {told.low}"
    )
    return styled(
        bars(frame, cast, unit=share("of full cooperation's tokens")),
        title=title,
        subtitle="Final tokens of a player's games against those of full contribution. Lines: 95% intervals.",
    )


def inequality(frame: pl.DataFrame, cast: Cast) -> alt.LayerChart:
    """How unequally games end."""
    unit = Unit("Gini coefficient", decimals=3)
    told = ends(frame, cast, unit)
    title = (
        f"Games end with a Gini coefficient of {told.high}"
        if told.alone
        else f"Games with {told.first} end most unequally (Gini {told.high}), with {told.last} least so ({told.low})"
    )
    return styled(
        bars(frame, cast, unit=unit),
        title=title,
        subtitle="Mean Gini coefficient of final tokens: 0 where all hold the same. Lines: 95% intervals.",
    )


def last_round(frame: pl.DataFrame, cast: Cast, unit: Unit) -> Ends:
    """The two ends of the ranking in the last round."""
    return ends(frame.filter(pl.col("round") == frame["round"].max()), cast, unit)


def _fallen(frame: pl.DataFrame) -> int:
    """How many players hold less at the end than they once did."""
    peaks = frame.sort("round").group_by("player").agg(pl.col("value").max().alias("peak"), pl.col("value").last())
    return len(peaks.filter(pl.col("value") < pl.col("peak")))
