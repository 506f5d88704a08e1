"""How well a table did as a whole, and how equally."""

from fractions import Fraction
from functools import lru_cache

import polars as pl

from ostrom.analysis.intervals import Ratio
from ostrom.analysis.measures import Resampling, ratio_of
from ostrom.games.contribute_punish.tables import Tables


@lru_cache(maxsize=4096)
def full_cooperation(seats: int, rounds: int, start: int, multiplier: float) -> int:
    """The Σ of final balances where every seat gives all that it holds in every round and nobody punishes, counted as
    the rules count: whole tokens, and a carry-over that is multiplied too. What is carried out of the last round is
    nobody's."""
    growth = Fraction(str(multiplier))
    balance, carry = start, 0
    for _ in range(rounds):
        grown = int((carry + seats * balance) * growth)  # floors: nothing here is negative
        balance, carry = divmod(grown, seats)
    return seats * balance


def welfare_by_game(tables: Tables) -> pl.DataFrame:
    """Welfare of every game: game, total (Σ final), best (under full cooperation) and value = total / best."""
    totals = tables.context.seats.group_by("game", maintain_order=True).agg(total=pl.col("final").sum())
    settings = tables.games.select("seats", "rounds", "start", "multiplier").iter_rows()
    best = pl.Series("best", [full_cooperation(*setting) for setting in settings], dtype=pl.Int64)
    games = tables.games.select("game").with_columns(best).join(totals, on="game", maintain_order="left")
    return games.filter(pl.col("best") > 0).select("game", "total", "best", value=pl.col("total") / pl.col("best"))


@Resampling
def welfare(tables: Tables) -> Ratio:
    """Welfare: Σ final of the game / what full cooperation would have given it (every seat gives all that it holds in
    every round, nobody punishes, counted in whole tokens with the carry-over), as Σ / Σ over the games that the player
    sat in, each once for every seat that the player held."""
    rows = tables.seats.join(welfare_by_game(tables), on="game", maintain_order="left")
    return ratio_of(tables, rows, ("player",), "total", "best")


def inequality_by_game(tables: Tables) -> pl.DataFrame:
    """The Gini coefficient of every game's final balances: game and value."""
    return gini_by_game(tables.context.seats)


def gini_by_game(seats: pl.DataFrame) -> pl.DataFrame:
    """The Gini coefficient of what the seats of each game ended with: game and value."""
    place = pl.col("final").rank("ordinal").over("game").cast(pl.Int64)
    count = pl.len().over("game").cast(pl.Int64)
    return (
        seats.with_columns(part=(2 * place - count - 1) * pl.col("final"))
        .group_by("game", maintain_order=True)
        .agg(
            value=pl.when(pl.col("final").sum() > 0)
            # Equal amounts that are no whole numbers may leave a rounding error below 0.
            .then((pl.col("part").sum() / (pl.len() * pl.col("final").sum())).clip(lower_bound=0.0))
            .otherwise(0.0)
        )
    )


@Resampling
def inequality(tables: Tables) -> Ratio:
    """Inequality: the Gini coefficient of a game's final balances, Σᵢ Σⱼ |xᵢ − xⱼ| / (2 n Σ x) over its n seats, 0
    where all are equal or nobody has anything, at most (n − 1) / n; as the mean over the games that the player sat
    in, each once for every seat that the player held."""
    rows = tables.seats.join(inequality_by_game(tables), on="game", maintain_order="left")
    return ratio_of(tables, rows, ("player",), "value")
