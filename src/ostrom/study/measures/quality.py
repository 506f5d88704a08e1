"""How far the record is the players' own: answers that came only after a refusal, and answers that the game gave in a
player's place."""

import polars as pl

from ostrom.study.intervals import Ratio
from ostrom.study.measures.resampling import Resampling, ratio_of
from ostrom.study.played import Played


@Resampling
def flawed_answers(tables: Played) -> Ratio:
    """The share of the player's answers that were repaired or defaulted, among those of which it is known."""
    known = pl.col("answers") - pl.col("imported")
    return ratio_of(tables, tables.seats, ("player",), pl.col("repaired") + pl.col("defaulted"), known)


def answer_quality(tables: Played) -> pl.DataFrame:
    """Answer quality: the share of a player's answers that were repaired (legal only after at least one refusal) or
    defaulted (given by the game in the player's place), among those not imported. Beside it `repaired`, `defaulted` and
    `imported`, each as a share of all its answers, and `answers`, their number. An imported answer was read from
    somebody else's log, which does not tell whether it was repaired: a player with no others has a row, but no
    value."""
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
