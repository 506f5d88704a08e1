"""What a game leaves its players with: final tokens, balances and ranks round by round, and what the others got."""

import polars as pl

from ostrom.study.intervals import Ratio, medians
from ostrom.study.measures.resampling import Resampling, ratio_of
from ostrom.study.tables import Tables


@Resampling
def mean_final(tables: Tables) -> Ratio:
    """Mean final tokens: Σ final / number of seats, over all seats that the player held."""
    return ratio_of(tables, tables.seats, ("player",), "final")


def median_final(tables: Tables) -> pl.DataFrame:
    """Median final tokens: the median of final over all seats that the player held."""
    return medians(tables.seats.select("game", "player", value="final"), ("player",), tables.games["game"].to_list())


def final_strip(tables: Tables) -> pl.DataFrame:
    """Final tokens of every seat, one row each: the value is the balance at the game's end."""
    return tables.seats.select("game", "seat", "player", value="final")


def balance_by_round(tables: Tables) -> pl.DataFrame:
    """Balance by round: the median over a player's seats of the balance at the round's end; round 0 is the balance that
    the game starts with. Games that are over by a round have no part in it."""
    rows = _balances(tables).select("game", "player", "round", value="end")
    return medians(rows, ("player", "round"), tables.games["game"].to_list())


@Resampling
def rank_by_round(tables: Tables) -> Ratio:
    """Rank by round: the mean over a player's seats of the seat's rank by balance at the round's end, 1 being best;
    tied seats share the mean of the ranks that they hold together, so in round 0 all have (seats + 1) / 2."""
    ranked = _balances(tables.context).with_columns(
        rank=pl.col("end").rank("average", descending=True).over("game", "round")
    )
    own = ranked.join(tables.seats, on=["game", "seat"], how="semi", maintain_order="left")
    return ratio_of(tables, own, ("player", "round"), "rank")


@Resampling
def partners_final(tables: Tables) -> Ratio:
    """Partners' final tokens: the mean of final over the other seats of the games that a player sat in, Σ (the game's
    Σ final − own final) / Σ (seats − 1) over the player's seats. Another seat held by the same player is a partner."""
    totals = tables.context.seats.group_by("game", maintain_order=True).agg(
        total=pl.col("final").sum(), others=pl.len().cast(pl.Int64) - 1
    )
    own = tables.seats.join(totals, on="game", maintain_order="left")
    return ratio_of(tables, own, ("player",), pl.col("total") - pl.col("final"), "others")


def seat_effects(tables: Tables) -> pl.DataFrame:
    """Seat effects: Σ final / number of games for each seat (0 is P1), whoever held it. Beside it `difference`, the
    mean over games of the seat's final less its game's mean final, in which what all seats of a game share cancels
    out: an interval away from 0 is an effect of the seat."""
    means = tables.context.seats.group_by("game", maintain_order=True).agg(mean=pl.col("final").mean())
    rows = tables.seats.join(means, on="game", maintain_order="left")
    apart = ratio_of(tables, rows, ("seat",), pl.col("final") - pl.col("mean")).estimates()
    return (
        ratio_of(tables, rows, ("seat",), "final")
        .estimates()
        .join(
            apart.select("seat", difference="value", difference_low="low", difference_high="high"),
            on="seat",
            maintain_order="left",
        )
    )


def _balances(tables: Tables) -> pl.DataFrame:
    """Every seat's balance at every round's end, with round 0."""
    columns = ["game", "round", "seat", "player", "end"]
    opening = tables.seats.join(tables.games.select("game", end="start"), on="game", maintain_order="left")
    return pl.concat([opening.with_columns(round=pl.lit(0, pl.Int64)).select(columns), tables.rounds.select(columns)])
