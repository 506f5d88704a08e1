"""What seats give: in tokens, as a part of what they hold, round by round, and when the end is in sight.

Parts are parts of one. "Start" is the balance at the round's start."""

import polars as pl

from ostrom.study.intervals import Difference, Ratio
from ostrom.study.measures.resampling import Resampling, ratio_of
from ostrom.study.tables import Tables

ROUNDS_BEFORE_THE_LAST = 3


@Resampling
def aggregate_contribution_by_round(tables: Tables) -> Ratio:
    """Aggregate contribution by round: Σ contribution / Σ start over all seats of all games."""
    return ratio_of(tables, tables.rounds, ("round",), "contribution", "start")


@Resampling
def contribution_tokens(tables: Tables) -> Ratio:
    """Mean contribution in tokens: Σ contribution / number of seat-rounds of the player."""
    return ratio_of(tables, tables.rounds, ("player",), "contribution")


@Resampling
def contribution_percent(tables: Tables) -> Ratio:
    """Mean contribution as a part of the balance: the mean of contribution / start over the player's seat-rounds with
    start > 0. Every decision counts alike, however much was at stake."""
    return ratio_of(tables, _able(tables), ("player",), "part")


@Resampling
def contribution_percent_pooled(tables: Tables) -> Ratio:
    """Contribution as a part of all that was held: Σ contribution / Σ start over the player's seat-rounds. Every token
    counts alike, so rich rounds weigh most."""
    return ratio_of(tables, tables.rounds, ("player",), "contribution", "start")


@Resampling
def contribution_percent_by_round(tables: Tables) -> Ratio:
    """Contribution by round: for each player and round, the mean of contribution / start over its seats with
    start > 0."""
    return ratio_of(tables, _able(tables), ("player", "round"), "part")


def contribution_percent_strip(tables: Tables) -> pl.DataFrame:
    """Every contribution as a part of the balance, one row a decision: contribution / start where start > 0."""
    return _able(tables).select("game", "round", "seat", "player", value="part")


def contribution_tokens_strip(tables: Tables) -> pl.DataFrame:
    """Every contribution in tokens, one row a decision."""
    return tables.rounds.select("game", "round", "seat", "player", value="contribution")


@Resampling
def endgame_drop(tables: Tables) -> Difference:
    """Endgame drop: the mean of contribution / start over the player's seats in the three rounds before the last
    (rounds 7–9 of 10), less the same in the last round; both over seat-rounds with start > 0. Positive where a player
    gives less at the end. Games of fewer than four rounds have no part in it."""
    rows = (
        _able(tables)
        .join(tables.games.select("game", last="rounds"), on="game", maintain_order="left")
        .filter(pl.col("last") > ROUNDS_BEFORE_THE_LAST)
        .with_columns(left=pl.col("last") - pl.col("round"))
    )
    before = rows.filter(pl.col("left").is_between(1, ROUNDS_BEFORE_THE_LAST))
    last = rows.filter(pl.col("left") == 0)
    return Difference(ratio_of(tables, before, ("player",), "part"), ratio_of(tables, last, ("player",), "part"))


def _able(tables: Tables) -> pl.DataFrame:
    """The seat-rounds in which there was something to give."""
    return tables.rounds.filter(pl.col("start") > 0).with_columns(part=pl.col("contribution") / pl.col("start"))
