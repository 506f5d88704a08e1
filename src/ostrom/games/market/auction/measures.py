"""Auctions as tidy tables, and their measures in addition to those that all games have. A bid below the reserve price
counts as no bid."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Final

import numpy as np
import polars as pl

from ostrom.analysis.intervals import Ratio
from ostrom.analysis.measures import GAME, Measure, Resampling, enter, ratio_of
from ostrom.analysis.study import GameMeasures
from ostrom.analysis.tables import GameTables, Row, StoredRecords, common_tables, events_of, extended, frame, players_of
from ostrom.core import Registry
from ostrom.games.market.auction import AUCTION
from ostrom.games.market.auction.rules import AuctionRules
from ostrom.games.market.auction.sale import (
    equilibrium_bids,
    equilibrium_revenue,
    hindsight_gain,
    largest_value,
    settle,
)
from ostrom.journal.record import GameRecord

SALES: Final = {
    **{"game": pl.String, "round": pl.Int64, "sold": pl.Int64, "price": pl.Float64, "revenue": pl.Float64},
    **{"equilibrium": pl.Float64, "realised": pl.Float64, "possible": pl.Float64},
}
BIDS: Final = {
    **{"game": pl.String, "round": pl.Int64, "seat": pl.Int64, "player": pl.String, "value": pl.Float64},
    **{"bid": pl.Float64, "equilibrium": pl.Float64, "won": pl.Boolean, "payment": pl.Float64, "gain": pl.Float64},
    **{"regret": pl.Float64},
}
ABOUT: Final = {
    "sales": "A row for each round: its price and revenue, the revenue in equilibrium, and the values realised.",
    "bids": "A row for each seat's round: its value, bid, payment and gain, and how much more it could have gained.",
}


@dataclass(frozen=True, slots=True)
class AuctionTables(GameTables):
    """The tables of auctions."""

    ACTORS: ClassVar[Mapping[str, str | None]] = {"sales": None, "bids": "seat", **GameTables.ACTORS}

    sales: pl.DataFrame
    """One row for each round. `price` is missing if nothing was sold; `equilibrium` is the revenue that the equilibrium
    has with the same values."""
    bids: pl.DataFrame
    """One row for each seat and round. `bid` is missing without a bid; `equilibrium` is the equilibrium bid of uniform
    values, missing if the seat would not bid; `regret` is the gain of the best bid in hindsight minus the gain."""


def tables_of(records: StoredRecords) -> AuctionTables:
    """Return the tables of records."""
    sales: list[Row] = []
    bids: list[Row] = []

    def add(game: str, record: GameRecord) -> None:
        rules: AuctionRules = AUCTION.rules.model_validate(record.rules)
        players = players_of(game, record)
        values: list[float] = []
        for tag, event in events_of(record, AUCTION.events):
            if tag == "bidder_values_dealt":
                values = event["values"]
            elif tag == "auction_held":
                sales.append(_sale(game, rules, values, event))
                bids.extend(_bids(game, rules, players, values, event))

    common = common_tables(AUCTION, records, add)
    return extended(common, AuctionTables, sales=frame(sales, SALES), bids=frame(bids, BIDS))


def _sale(game: str, rules: AuctionRules, values: Sequence[float], event: Mapping[str, Any]) -> Row:
    winners: list[int] = event["winners"]
    column = np.asarray(values)[:, None]
    expected, possible = equilibrium_revenue(rules, column)[0], largest_value(rules, column)[0]
    realised = float(sum(values[seat] for seat in winners))
    revenue = float(sum(event["payments"]))
    place = (game, event["round"], len(winners), event["price"], revenue)
    return (*place, float(expected), realised, float(possible))


def _bids(
    game: str, rules: AuctionRules, players: Sequence[str], values: Sequence[float], event: Mapping[str, Any]
) -> list[Row]:
    column = np.asarray(values)[:, None]
    given = np.asarray([np.nan if bid is None else bid for bid in event["bids"]])[:, None]
    # How ties were broken does not matter for the bids to beat.
    sale = settle(rules, column, given, 0.0 * column)
    won = np.asarray([seat in event["winners"] for seat in range(len(values))])[:, None]
    best = hindsight_gain(rules, column, won, sale.accepted, sale.rejected)[:, 0]
    theory = equilibrium_bids(rules, column, len(values))[:, 0]
    return [
        (
            *(game, event["round"], seat, players[seat], values[seat], bid),
            None if np.isnan(theory[seat]) else float(theory[seat]),
            bool(won[seat, 0]),
            event["payments"][seat],
            event["gains"][seat],
            float(best[seat]) - event["gains"][seat],
        )
        for seat, bid in enumerate(event["bids"])
    ]


def _with_bid(tables: AuctionTables) -> pl.DataFrame:
    return tables.bids.filter(pl.col("bid").is_not_null())


def _indicator(condition: pl.Expr) -> pl.Expr:
    return condition.cast(pl.Int64)


@Resampling
def efficiency(tables: AuctionTables) -> Ratio:
    """Efficiency: the values of the winners, as a part of the largest possible sum of values of winners; over all
    rounds. It is 1 if units always go to the bidders with the highest values."""
    return ratio_of(tables, tables.context.sales, GAME, "realised", "possible", share=True)


@Resampling
def revenue(tables: AuctionTables) -> Ratio:
    """Revenue: the mean over rounds of the sum of all payments."""
    return ratio_of(tables, tables.context.sales, GAME, "revenue", limits=(0.0, float("inf")))


@Resampling
def revenue_ratio(tables: AuctionTables) -> Ratio:
    """Revenue relative to equilibrium: the sum of all payments divided by the equilibrium revenue. The equilibrium
    revenue is computed from the same values, for truthful bids and a price equal to the highest rejected bid. For
    independent values, every format has this revenue on average, by revenue equivalence (Myerson 1981). In an all-pay
    auction with a reserve price, this holds for uniform values; bidders whose value is too low to bid in
    equilibrium then count as absent."""
    return ratio_of(tables, tables.context.sales, GAME, "revenue", "equilibrium", limits=(0.0, float("inf")))


@Resampling
def revenue_by_round(tables: AuctionTables) -> Ratio:
    """Revenue by round: the mean over games of the sum of all payments of this round."""
    return ratio_of(tables, tables.context.sales, ("round",), "revenue", limits=(0.0, float("inf")))


@Resampling
def winners_gain(tables: AuctionTables) -> Ratio:
    """Winner's gain: the mean over the units that the player won of its value minus its payment. It is negative if
    winners pay more than the unit is worth to them."""
    return ratio_of(tables, tables.bids.filter(pl.col("won")), ("player",), "gain")


@Resampling
def rounds_won(tables: AuctionTables) -> Ratio:
    """Rounds won: the share of the player's rounds in which it got a unit."""
    return ratio_of(tables, tables.bids, ("player",), _indicator(pl.col("won")), share=True)


@Resampling
def bid_to_value(tables: AuctionTables) -> Ratio:
    """Bid as a part of the value: the sum of the player's bids divided by the sum of its values in the rounds in which
    it bid. In the equilibrium of the first-price auction with n bidders it is (n − 1)/n."""
    return ratio_of(tables, _with_bid(tables), ("player",), "bid", "value", limits=(0.0, float("inf")))


@Resampling
def bid_to_value_by_round(tables: AuctionTables) -> Ratio:
    """Bid as a part of the value, by round: the sum of the player's bids of this round divided by the sum of its
    values in it."""
    return ratio_of(tables, _with_bid(tables), ("player", "round"), "bid", "value", limits=(0.0, float("inf")))


@Resampling
def distance_to_equilibrium(tables: AuctionTables) -> Ratio:
    """Distance to equilibrium: the mean over the player's bids of the bid minus the equilibrium bid for independent
    uniform values. It is positive for bids that are too high."""
    rows = _with_bid(tables).filter(pl.col("equilibrium").is_not_null())
    return ratio_of(tables, rows, ("player",), pl.col("bid") - pl.col("equilibrium"))


@Resampling
def overbidding(tables: AuctionTables) -> Ratio:
    """Overbidding: the share of the player's bids above its value."""
    return ratio_of(tables, _with_bid(tables), ("player",), _indicator(pl.col("bid") > pl.col("value")), share=True)


@Resampling
def no_bids(tables: AuctionTables) -> Ratio:
    """No bid: the share of the player's rounds without a bid of at least the reserve price."""
    return ratio_of(tables, tables.bids, ("player",), _indicator(pl.col("bid").is_null()), share=True)


@Resampling
def regret(tables: AuctionTables) -> Ratio:
    """Regret: the mean over the player's rounds of what the best bid would have gained, given the bids of all others,
    minus what the player gained. At a tie with another bid, the best bid is assumed to win."""
    return ratio_of(tables, tables.bids, ("player",), "regret", limits=(0.0, float("inf")))


_OWN: Registry[Measure[AuctionTables]] = Registry("measure of auctions")
enter(_OWN, efficiency, "Efficiency", "share", GAME)
enter(_OWN, revenue, "Revenue", "points", GAME)
enter(_OWN, revenue_ratio, "Revenue relative to equilibrium", "", GAME)
enter(_OWN, revenue_by_round, "Revenue by round", "points", ("round",))
enter(_OWN, winners_gain, "Winner's gain", "points")
enter(_OWN, rounds_won, "Rounds won", "share")
enter(_OWN, bid_to_value, "Bid as a part of the value", "")
enter(_OWN, bid_to_value_by_round, "Bid as a part of the value, by round", "", ("player", "round"))
enter(_OWN, distance_to_equilibrium, "Distance to equilibrium", "points")
enter(_OWN, overbidding, "Overbidding", "share")
enter(_OWN, no_bids, "No bid", "share")
enter(_OWN, regret, "Regret", "points")

MEASURES = GameMeasures(_OWN, tables_of, ABOUT)
"""The tables and measures of auctions, in addition to those that all games have."""
