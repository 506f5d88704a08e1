"""What moves a player's contributions: the others' last ones, punishment, and its own word. Regressions over the rounds
of its games, from the second on."""

import polars as pl

from ostrom.analysis.intervals import Ratio
from ostrom.analysis.measures import Resampling, beside
from ostrom.analysis.panel import slope_of
from ostrom.analysis.promises import promises
from ostrom.games.contribute_punish.tables import PunishTables

_PLACE = ("game", "round", "seat")
_BEFORE = ("gave_before", "others_before", "punished_before", "round", "last")
"""What was known when the round began, and which round it is."""
_PROMISES = ("promised", "others_promised")


def rounds_in_sequence(tables: PunishTables) -> pl.DataFrame:
    """The seat-rounds from the second on with what came before, where the seat held something in both and the others
    in the earlier: `gave`, `gave_before` and `others_before` are parts of balances (the others' Σ contribution /
    Σ start), `punished_before` whether the seat lost tokens in the round before, `last` whether it is the last
    round."""
    table = [pl.col(name).sum().over("game", "round") - pl.col(name) for name in ("contribution", "start")]
    whole = tables.context.rounds.with_columns(
        part=pl.col("contribution") / pl.col("start"), others=table[0] / table[1], held=table[1]
    )
    before = whole.filter((pl.col("start") > 0) & (pl.col("held") > 0)).select(
        "game",
        "seat",
        pl.col("round") + 1,
        gave_before="part",
        others_before="others",
        punished_before=(pl.col("damage") > 0).cast(pl.Float64),
    )
    return (
        tables.rounds.filter(pl.col("start") > 0)
        .join(before, on=["game", "seat", "round"], maintain_order="left")
        .join(tables.games.select("game", length="rounds"), on="game", maintain_order="left")
        .select(
            *_PLACE,
            "player",
            *_BEFORE[:3],
            gave=pl.col("contribution") / pl.col("start"),
            last=(pl.col("round") == pl.col("length")).cast(pl.Float64),
        )
    )


def rounds_with_promises(tables: PunishTables) -> pl.DataFrame:
    """The same in games with messages, with `promised`, whether the seat stated what it would contribute, and
    `others_promised`, the part of the other seats that did."""
    said = promises(tables.context.messages).select(*_PLACE, promised=pl.lit(1.0)).unique(maintain_order=True)
    counts = said.group_by("game", "round").agg(promises=pl.len().cast(pl.Float64))
    rows = (
        rounds_in_sequence(tables)
        .join(tables.games.filter("messages").select("game", "seats"), on="game", maintain_order="left")
        .join(said, on=_PLACE, how="left", maintain_order="left")
        .join(counts, on=["game", "round"], how="left", maintain_order="left")
        .with_columns(pl.col("promised", "promises").fill_null(0.0))
    )
    return rows.with_columns(others_promised=(pl.col("promises") - pl.col("promised")) / (pl.col("seats") - 1))


@Resampling
def conditional_cooperation(tables: PunishTables) -> Ratio:
    """Conditional cooperation: how many more points of its balance a player contributes for each additional point of
    theirs that the others contributed in the round before (their Σ contribution / Σ start): 1 follows them point by
    point, 0 ignores them. The slope of a linear regression over the player's seat-rounds from the second on, given its
    own contributed fraction in the round before, whether it was punished in it, the round's number and whether it is
    the last.

    The slope describes an association of contributions; it is the slope of a player's rule if the rule is linear in
    these. There is no fixed effect for the seat in a game: with ten rounds, in which the others react to the seat, it
    would bias the slope (Nickell 1981)."""
    return slope(tables, rounds_in_sequence(tables), "others_before")


@Resampling
def punishment_response(tables: PunishTables) -> Ratio:
    """Punishment response: how much more of its balance a player contributes in the round after it lost tokens to
    punishment than after other rounds; below 0 it gives less. A slope of the same regression as conditional
    cooperation: given what the seat and the others contributed in the round before, the round's number and whether it
    is the last."""
    return slope(tables, rounds_in_sequence(tables), "punished_before")


@Resampling
def promise_slope(tables: PunishTables) -> Ratio:
    """How much more of its balance a player contributes in rounds in which it promised."""
    return slope(tables, rounds_with_promises(tables), *_PROMISES)


def promise_effect(tables: PunishTables) -> pl.DataFrame:
    """Effect of a promise: how much more of its balance a player contributes in a round in which its message stated an
    amount than in one in which it did not, given the share of the other seats that stated one, the contributions of the
    seat and of the others in the round before, whether it was punished in it, the round's number and whether it is the
    last. The column `others` is from the same regression: how much more it contributes if all others state an amount
    than if none does. Only games with messages are included.

    Promises are found as in promise keeping. Promises are not assigned at random, so this is an adjusted difference,
    not the causal effect of a promise."""
    rows = rounds_with_promises(tables)
    found = slope(tables, rows, *_PROMISES).estimates()
    return beside(found, "others", slope(tables, rows, *reversed(_PROMISES)))


def slope(tables: PunishTables, rows: pl.DataFrame, regressor: str, *more: str) -> Ratio:
    """The slope of what a seat gave on one of these, given what was known when the round began and whatever `more`."""
    controls = [name for name in (*_BEFORE, *more) if name != regressor]
    return slope_of(tables, rows, "gave", regressor, controls)
