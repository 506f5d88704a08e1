"""Measures by the role of the seat: means over a player's roles with equal weight, and means in each role."""

import math
from typing import Final

import polars as pl

from ostrom.analysis.intervals import Ratio
from ostrom.analysis.measures import ROLES, Resampling, ratio_of, tailed
from ostrom.analysis.tables import GameTables
from ostrom.core.game import Game
from ostrom.core.plugins import GAMES

STUDIED_GAMES: Final[dict[str, Game]] = {}
"""The games whose study was requested, by name. A game that is being checked is not registered, so it is looked up
here."""


def with_roles(tables: GameTables, rows: pl.DataFrame) -> pl.DataFrame:
    """Add the role of the seat to rows with `game` and `seat`. The game must have roles."""
    sizes = tables.context.games.select("game", size="seats")
    game = GAMES[tables.kind] if tables.kind in GAMES else STUDIED_GAMES[tables.kind]
    names = [
        (size, seat, role)
        for size in sizes["size"].unique().sort().to_list()
        for seat, role in enumerate(game.role_names(size))
    ]
    roles = pl.DataFrame(names, {"size": pl.Int64, "seat": pl.Int64, "role": pl.String}, orient="row")
    sized = rows.join(sizes, on="game", maintain_order="left")
    return sized.join(roles, on=["size", "seat"], maintain_order="left").drop("size")


def over_roles(
    tables: GameTables,
    rows: pl.DataFrame,
    column: str,
    by: tuple[str, ...] = ("player",),
    limits: tuple[float, float] = (-math.inf, math.inf),
) -> Ratio:
    """Return the mean over roles, with equal weight, of the mean of a column over the seats in each role. The schedule
    and not chance decides how many seats a group has in a role. So a seat's deviation is measured from its group's mean
    in the role. Deviations are scaled because these means are estimated (n − 1 instead of n in every role)."""
    in_role = (
        with_roles(tables, rows.drop_nulls(column))
        .with_columns(
            own=pl.col(column).mean().over(*by, "role"),
            count=pl.len().over(*by, "role"),
            whole=pl.len().over(*by),
            roles=pl.col("role").n_unique().over(*by),
        )
        .with_columns(weight=pl.col("whole") / (pl.col("roles") * pl.col("count")))
    )
    mean = (pl.col("weight") * pl.col("own")).sum().over(*by) / pl.col("whole")
    scale = (pl.col("count") / (pl.col("count") - 1).clip(1) * (pl.col("whole") - 1) / pl.col("whole")).sqrt()
    top = pl.col("weight") * (mean + scale * (pl.col(column) - pl.col("own")))
    return ratio_of(tables, in_role.with_columns(top=top), by, "top", "weight", limits=limits)


@tailed
def mean_final_over_roles(tables: GameTables) -> Ratio:
    """Mean final: the mean over the player's roles, with equal weight, of Σ final / number of seats in the role."""
    return over_roles(tables, tables.seats, "final")


@tailed
def final_by_role(tables: GameTables) -> Ratio:
    """Mean final by role: Σ final / number of seats, over all seats that the player held in the role."""
    return ratio_of(tables, with_roles(tables, tables.seats), ROLES, "final")


@Resampling
def mean_rank_over_roles(tables: GameTables) -> Ratio:
    """Mean rank: the mean over the player's roles, with equal weight, of its mean rank by final in the role, where 1 is
    best. Tied seats each have the mean of the ranks that they occupy."""
    return over_roles(tables, tables.seats, "rank", limits=rank_limits(tables))


def rank_limits(tables: GameTables) -> tuple[float, float]:
    """Return the best and the worst rank that a seat of these games may have."""
    return 1.0, float(tables.games["seats"].max() or 1)  # type: ignore[arg-type]
