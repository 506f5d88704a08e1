"""Bargaining as tidy tables, and its measures: whether and when the two sides agree, how they divide the surplus, how
far they concede, and whether they tell the truth about their values."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar, Final

import polars as pl

from ostrom.analysis.intervals import Ratio
from ostrom.analysis.measures import GAME, ROLES, Measure, Resampling, enter, ratio_of
from ostrom.analysis.study import GameMeasures
from ostrom.analysis.tables import StoredRecords, extended, frame
from ostrom.core import Registry
from ostrom.games.market.bargaining import BARGAINING
from ostrom.games.market.double_auction.measures import (
    conditional_surplus,
    efficiency,
    efficiency_by_round,
    logged_csa,
    offset_by_round,
    quotes_at_a_loss,
    regret,
    surplus_share,
    trade_frequency,
)
from ostrom.games.market.double_auction.tables import ABOUT, DoubleAuctionTables, market_tables
from ostrom.games.market.statements import stated_value

STATEMENTS: Final = {
    **{"game": pl.String, "round": pl.Int64, "seat": pl.Int64, "player": pl.String, "role": pl.String},
    **{"value": pl.Float64, "stated": pl.Float64, "false": pl.Boolean, "advantage": pl.Float64},
}


@dataclass(frozen=True, slots=True)
class BargainingTables(DoubleAuctionTables):
    """The tables of bargaining."""

    ACTORS: ClassVar[Mapping[str, str | None]] = {"statements": "seat", **DoubleAuctionTables.ACTORS}

    statements: pl.DataFrame
    """One row for each message in which a seat states its value. `advantage` is by how much the statement is wrong in
    the seat's favour: value − stated for a buyer, stated − cost for a seller."""


def tables_of(records: StoredRecords) -> BargainingTables:
    """Return the tables of records."""
    market = market_tables(BARGAINING, records)
    seats = market.traders.select("game", "seat", "role", "value")
    messages = market.messages.join(seats, on=["game", "seat"], how="left", maintain_order="left")
    rows = []
    for game, round_, seat, player, text, role, value in messages.select(
        "game", "round", "seat", "player", "text", "role", "value"
    ).iter_rows():
        stated = stated_value(text, role)
        if stated is not None:
            advantage = value - stated if role == "buyer" else stated - value
            rows.append((game, round_, seat, player, role, value, stated, stated != value, advantage))
    return extended(market, BargainingTables, statements=frame(rows, STATEMENTS))


def _first_agreements(tables: BargainingTables) -> pl.DataFrame:
    """Return for each game with a trade the number of the first round with one."""
    rounds = tables.context.market_rounds.filter(pl.col("trades") > 0)
    return rounds.group_by("game", maintain_order=True).agg(first=pl.col("round").min())


@Resampling
def agreement(tables: BargainingTables) -> Ratio:
    """Agreement: the share of rounds in which the two seats trade."""
    return ratio_of(tables, tables.context.market_rounds, GAME, "trades", share=True)


@Resampling
def agreement_by_round(tables: BargainingTables) -> Ratio:
    """Agreement by round: the share of games in which the two seats trade in this round."""
    return ratio_of(tables, tables.context.market_rounds, ("round",), "trades", share=True)


@Resampling
def rounds_to_agreement(tables: BargainingTables) -> Ratio:
    """Rounds to agreement: the number of the first round with a trade; the mean over games with at least one trade. Of
    the other games it is unknown."""
    return ratio_of(tables, _first_agreements(tables), GAME, "first", limits=(1.0, float("inf")))


@Resampling
def never_agreed(tables: BargainingTables) -> Ratio:
    """Never agreed: the share of games without a trade."""
    games = tables.context.games.select("game").join(
        _first_agreements(tables), on="game", how="left", maintain_order="left"
    )
    return ratio_of(tables, games, GAME, pl.col("first").is_null().cast(pl.Int64), share=True)


@Resampling
def division_by_role(tables: BargainingTables) -> Ratio:
    """Share of the surplus by role: the player's payoffs as a buyer or as a seller, as a part of the payoffs of both
    sides together in these games. A half is an equal division. It can lie outside 0 and 1 if a side makes a loss."""
    whole = tables.context.traders.group_by("game", maintain_order=True).agg(total=pl.col("payoff").sum())
    rows = tables.traders.join(whole, on="game", how="left", maintain_order="left")
    return ratio_of(tables, rows, ROLES, "payoff", "total")


@Resampling
def offset_by_role(tables: BargainingTables) -> Ratio:
    """Offset by role: the mean over the player's quotes as a buyer of value minus bid, or as a seller of ask minus
    cost."""
    return ratio_of(tables, tables.quotes.filter(pl.col("offset").is_not_null()), ROLES, "offset")


@Resampling
def value_statements(tables: BargainingTables) -> Ratio:
    """Statements of value: the share of the player's messages in which it states its own value or cost as an exact
    amount, such as "my cost is 40". Prices, limits, bounds and approximations are no statements of value."""
    keys = ["game", "round", "seat"]
    marked = tables.messages.join(
        tables.statements.select(*keys, states=pl.lit(1)).unique(keys), on=keys, how="left", maintain_order="left"
    )
    return ratio_of(tables, marked, ("player",), pl.col("states").fill_null(0), share=True)


@Resampling
def false_statements(tables: BargainingTables) -> Ratio:
    """False statements of value: the share of the player's statements of its own value or cost that are not true."""
    return ratio_of(tables, tables.statements, ("player",), pl.col("false").cast(pl.Int64), share=True)


@Resampling
def misstatement(tables: BargainingTables) -> Ratio:
    """Misstatement: the mean over the player's statements of its own value or cost of how far they are wrong in its
    favour: value minus statement for a buyer, statement minus cost for a seller. A true statement counts as 0."""
    return ratio_of(tables, tables.statements, ("player",), "advantage")


_OWN: Registry[Measure[BargainingTables]] = Registry("measure of bargaining")
enter(_OWN, agreement, "Agreement", "share", GAME)
enter(_OWN, agreement_by_round, "Agreement by round", "share", ("round",))
enter(_OWN, rounds_to_agreement, "Rounds to agreement", "rounds", GAME)
enter(_OWN, never_agreed, "Never agreed", "share", GAME)
enter(_OWN, efficiency, "Allocative efficiency", "share", GAME)
enter(_OWN, efficiency_by_round, "Efficiency by round", "share", ("round",))
enter(_OWN, trade_frequency, "Trade frequency", "share")
enter(_OWN, division_by_role, "Share of the surplus by role", "", ROLES)
enter(_OWN, surplus_share, "Surplus share", "")
enter(_OWN, regret, "Regret", "points a round")
enter(_OWN, conditional_surplus, "Conditional surplus", "")
enter(_OWN, logged_csa, "CSα of the log", "")
enter(_OWN, offset_by_role, "Offset by role", "points", ROLES)
enter(_OWN, offset_by_round, "Offset by round", "points", ("player", "round"))
enter(_OWN, quotes_at_a_loss, "Quotes at a loss", "share")
enter(_OWN, value_statements, "Statements of value", "share")
enter(_OWN, false_statements, "False statements of value", "share")
enter(_OWN, misstatement, "Misstatement", "points")

MEASURES = GameMeasures(
    _OWN,
    tables_of,
    {
        **ABOUT,
        "statements": "A row for each message that states its sender's value: the statement, and whether it is true.",
    },
)
"""The tables and measures of bargaining, in addition to those that all games have."""
