"""The measures that every game with finals has. They are about finals, ranks, inequality, seats, answers, and pairs of
players."""

import math
from dataclasses import replace
from typing import Any

import polars as pl

from ostrom.analysis.intervals import Ratio, medians
from ostrom.analysis.measures import (
    ORDERED,
    PAIR,
    ROLES,
    STUDENTISED,
    TAILED,
    Measure,
    Resampling,
    measure_of,
    of_schedule,
    ratio_of,
    tailed,
    with_others,
)
from ostrom.analysis.role_measures import (
    final_by_role,
    mean_final_over_roles,
    mean_rank_over_roles,
    over_roles,
    rank_limits,
)
from ostrom.analysis.tables import GameTables
from ostrom.core.game import Game


@tailed
def mean_final(tables: GameTables) -> Ratio:
    """Mean final: Σ final / number of seats, over all seats that the player held."""
    return of_schedule(tables, ratio_of(tables, tables.seats, ("player",), "final"))


def log_final(tables: GameTables, *, roles: bool = False) -> Ratio:
    """Return each player's mean of log₂(1 + final), or of −log₂(1 − final) for a final below 0. With `roles`, it is the
    mean over the player's roles, with equal weight. Rare high finals have less influence on this mean than on the mean
    final. `unlogged` converts the mean back to a final."""
    final = pl.col("final")
    rows = tables.seats.with_columns(log=final.sign() * (1 + final.abs()).log(2))
    return over_roles(tables, rows, "log") if roles else ratio_of(tables, rows, ("player",), "log")


def unlogged(name: str) -> pl.Expr:
    """Return an expression that converts a column of means of `log_final` back to finals."""
    return pl.col(name).sign() * (pl.lit(2.0).pow(pl.col(name).abs()) - 1)


def median_final(tables: GameTables) -> pl.DataFrame:
    """Median final: the median of final over all seats that the player held."""
    rows = tables.seats.drop_nulls("final").select("game", "player", value="final")
    return medians(rows, ("player",), tables.games["game"].to_list())


def final_strip(tables: GameTables) -> pl.DataFrame:
    """The final of every seat, with one row for each seat."""
    return tables.seats.select("game", "seat", "player", value="final")


@Resampling
def mean_rank(tables: GameTables) -> Ratio:
    """Mean rank: the mean over the player's seats of the seat's rank by final, where 1 is best. Tied seats each have
    the mean of the ranks that they occupy."""
    return ratio_of(tables, tables.seats, ("player",), "rank", limits=rank_limits(tables))


def gini_by_game(seats: pl.DataFrame) -> pl.DataFrame:
    """Return the Gini coefficient of the finals of each game, as a table with the columns game and value. The value is
    null if a final is below 0."""
    place = pl.col("final").rank("ordinal").over("game").cast(pl.Int64)
    count = pl.len().over("game").cast(pl.Int64)
    return (
        seats.drop_nulls("final")
        .with_columns(part=(2 * place - count - 1) * pl.col("final"))
        .group_by("game", maintain_order=True)
        .agg(
            value=pl.when(pl.col("final").min() < 0)
            .then(None)
            .when(pl.col("final").sum() > 0)
            # A rounding error may make the coefficient of equal amounts slightly negative if the amounts are not whole
            # numbers.
            .then((pl.col("part").sum() / (pl.len() * pl.col("final").sum())).clip(lower_bound=0.0))
            .otherwise(0.0)
        )
    )


@Resampling
def inequality(tables: GameTables) -> Ratio:
    """Inequality: the mean over the player's games of the Gini coefficient of finals. A game counts once for every seat
    that the player held. The coefficient is Σᵢ Σⱼ |xᵢ − xⱼ| / (2 n Σ x) over the n seats of a game: 0 if all finals are
    equal or all are 0, and at most (n − 1) / n. Games in which a seat ended below 0 are excluded."""
    rows = tables.seats.join(gini_by_game(tables.context.seats), on="game", how="left", maintain_order="left")
    return ratio_of(tables, rows, ("player",), "value", share=True)


def seat_effects(tables: GameTables) -> pl.DataFrame:
    """Seat effects: Σ final / number of games for each seat (0 is P1), over all players. The column `difference` is the
    mean over games of the seat's final minus its game's mean final, so that effects common to all seats of a game
    cancel out. If its interval excludes 0, the seat has an effect."""
    means = tables.context.seats.group_by("game", maintain_order=True).agg(mean=pl.col("final").mean())
    rows = tables.seats.join(means, on="game", maintain_order="left")
    whole, centred = (
        replace(ratio_of(tables, rows, ("seat",), top), tailed=True).estimates()
        for top in ("final", pl.col("final") - pl.col("mean"))
    )
    differences = centred.select("seat", difference="value", difference_low="low", difference_high="high")
    return whole.join(differences, on="seat", maintain_order="left")


@Resampling
def flawed_answers(tables: GameTables) -> Ratio:
    """The share of the player's answers that were repaired or defaulted. Imported answers are not counted, because
    their provenance is unknown."""
    not_imported = pl.col("answers") - pl.col("imported")
    return ratio_of(
        tables, tables.seats, ("player",), pl.col("repaired") + pl.col("defaulted"), not_imported, share=True
    )


def repaired_or_defaulted(tables: GameTables) -> pl.DataFrame:
    """Answer quality: the share of a player's answers that were repaired (legal only after at least one refusal) or
    defaulted (given by the game in the player's place), among those not imported. The columns `repaired`, `defaulted`
    and `imported` are shares of all answers of the player, and `answers` is the number of these answers. An imported
    answer was read from another program's log, which does not say whether it was repaired. A player with only imported
    answers therefore has a row, but no value."""
    whole = pl.col("answers").sum()
    shares = (
        tables.seats.group_by("player")
        .agg(*(_part(name, whole) for name in ("repaired", "defaulted", "imported")), whole)
        .sort("player")
    )
    estimates = shares.select("player").join(flawed_answers(tables), on="player", how="left", maintain_order="left")
    return estimates.with_columns(pl.col("n").fill_null(0)).join(shares, on="player", maintain_order="left")


def _part(column: str, whole: pl.Expr) -> pl.Expr:
    return pl.when(whole > 0).then(pl.col(column).sum() / whole).alias(column)


@Resampling
def answer_times(tables: GameTables) -> Ratio:
    """Answer times: the mean time of the player's answers, in seconds. The time of an answer is the sum over the calls
    of all attempts at it. Answers without a call, such as those of strategies and of imported games, are excluded."""
    return ratio_of(tables, tables.answers.drop_nulls("seconds"), ("player",), "seconds", limits=(0.0, math.inf))


def head_to_head(tables: GameTables) -> pl.DataFrame:
    """Head to head: the share of the meetings of two players' seats in a game in which the player's seat ended ahead of
    the other's; a tie counts half. In the other direction, the value is 1 minus this share. The column `n` counts the
    games in which the two players met.

    If there are more than 30 players, only the 30 with the most games are compared."""
    ended = tables.seats.drop_nulls("final").select("game", "seat", "player", "rank")
    rivals = ended.select("game", other_seat="seat", other_rank="rank")
    rows = with_others(tables, ended, left=True).join(rivals, on=["game", "other_seat"], maintain_order="left")
    # Each pair is used once, so that both directions agree. Rank 1 is the best, whether higher or lower finals are
    # better.
    rows = rows.filter(pl.col("player") < pl.col("other_player"))
    ahead = 0.5 + 0.5 * (pl.col("other_rank") - pl.col("rank")).sign()
    pairs = _of_pairs(tables, rows, ahead)
    reversed_pairs = pairs.with_columns(
        player="other_player",
        other_player="player",
        value=1 - pl.col("value"),
        low=1 - pl.col("high"),
        high=1 - pl.col("low"),
    )
    return pl.concat([pairs, reversed_pairs]).sort(PAIR)


def _of_pairs(tables: GameTables, rows: pl.DataFrame, top: pl.Expr) -> pl.DataFrame:
    """Return, for each pair, the share of its rows that `top` marks. The intervals use the games of all pairs
    together."""
    pairs = rows.select(PAIR).unique().sort(PAIR).with_row_index("pair")
    # The column of players has the pairs, so that the intervals of each pair also use the games of all other pairs.
    numbered = rows.join(pairs, on=PAIR, maintain_order="left").with_columns(player="pair")
    estimates = ratio_of(tables, numbered, ("player",), top, share=True).estimates()
    return pairs.join(estimates.rename({"player": "pair"}), on="pair", maintain_order="left").drop("pair")


def common_measures(game: Game) -> list[Measure[Any]]:
    """Return the measures of every game with finals, in this game's unit. A game with roles also has the measures by
    role."""
    unit, means = game.unit, f"Mean final {game.unit}".strip()
    finals, ranks = measure_of(mean_final, means, unit), measure_of(mean_rank, "Mean rank", "rank")
    by_role = []
    if game.roles is not None:
        finals = replace(measure_of(mean_final_over_roles, means, unit), name=finals.name)
        ranks = replace(measure_of(mean_rank_over_roles, "Mean rank", "rank"), name=ranks.name)
        by_role = [measure_of(final_by_role, f"{means} by role", unit, ROLES)]
    return [
        finals,
        *by_role,
        measure_of(median_final, f"Median final {unit}".strip(), unit, interval=ORDERED),
        measure_of(final_strip, f"Final {unit or 'figure'}, every seat", unit, ()),
        ranks,
        measure_of(inequality, "Inequality", "Gini"),
        measure_of(head_to_head, "Head to head", "share", PAIR, interval=STUDENTISED),
        measure_of(seat_effects, "Seat effects", unit, ("seat",), interval=TAILED),
        measure_of(repaired_or_defaulted, "Answers repaired or defaulted", "share", parts=flawed_answers),
        measure_of(answer_times, "Answer times", "seconds"),
    ]
