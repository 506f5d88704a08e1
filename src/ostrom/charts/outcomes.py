"""How games unfold and what they leave: balances and ranks over the rounds, partners, welfare and inequality."""

import altair as alt
import polars as pl

from ostrom.charts.families import Cast
from ostrom.charts.ranked import LINES, gini_bars, ranked_bars, ranked_lines
from ostrom.charts.words import RANK, TOKENS, Unit, share

BALANCE = Unit("median balance, tokens", decimals=0)


def balance_by_round(frame: pl.DataFrame, cast: Cast) -> alt.LayerChart:
    """The median balance at the end of every round."""
    fallen = _fallen(frame)
    note = f"{fallen} of {frame['player'].n_unique()} hold less at the end than they once did. " if fallen else ""
    return ranked_lines(
        frame,
        cast,
        unit=BALANCE,
        title="{first} ends with the highest median balance, {high}; {last} with the lowest, {low}",
        alike="All hold {high} tokens at the end",
        subtitle=note + LINES,
    )


def rank_by_round(frame: pl.DataFrame, cast: Cast) -> alt.LayerChart:
    """The mean rank at the end of every round."""
    # The best rank is the lowest number.
    return ranked_lines(
        frame,
        cast,
        unit=RANK,
        title="{last} ends with the best mean rank, {low}; {first} with the worst, {high}",
        alike="All rank alike at the end, at {low}",
        falling=True,
    )


def partners_final(frame: pl.DataFrame, cast: Cast) -> alt.LayerChart:
    """What the other seats of a player's games end with."""
    return ranked_bars(
        frame,
        cast,
        unit=TOKENS,
        title="{first}'s partners end with {high} tokens on average, {last}'s with {low}",
        alike="Partners end with {high} tokens, whoever they meet",
        subtitle="Mean final tokens of the other seats in a player's games. Lines: 95% intervals.",
    )


def welfare(frame: pl.DataFrame, cast: Cast) -> alt.LayerChart:
    """What games reached of what full cooperation would have given."""
    return ranked_bars(
        frame,
        cast,
        unit=share("of full cooperation's tokens"),
        title="Games with {first} reach {high} of what full cooperation gives, with {last} {low}",
        alike="Games reach {high} of what full cooperation would give",
        subtitle="Final tokens of a player's games against those of full contribution. Lines: 95% intervals.",
    )


def inequality(frame: pl.DataFrame, cast: Cast) -> alt.LayerChart:
    """How unequally games end."""
    return gini_bars(
        frame,
        cast,
        subtitle="Mean Gini coefficient of final tokens: 0 where all hold the same. Lines: 95% intervals.",
    )


def _fallen(frame: pl.DataFrame) -> int:
    """How many players hold less at the end than they once did."""
    peaks = frame.sort("round").group_by("player").agg(pl.col("value").max().alias("peak"), pl.col("value").last())
    return len(peaks.filter(pl.col("value") < pl.col("peak")))
