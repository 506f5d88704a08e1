"""Measures of double auctions in addition to those that all games have. `tables` defines the terms: the offset of a
quote, the equilibrium price, and the surplus of a trade."""

from typing import Final

import polars as pl

from ostrom.analysis.intervals import Ratio
from ostrom.analysis.measures import GAME, Measure, Resampling, enter, ratio_of
from ostrom.analysis.study import GameMeasures
from ostrom.core import Registry
from ostrom.games.market.conditional import MarketSetting, conditional_score
from ostrom.games.market.double_auction.tables import ABOUT, DoubleAuctionTables, tables_of


def _with_quote(tables: DoubleAuctionTables) -> pl.DataFrame:
    return tables.quotes.filter(pl.col("offset").is_not_null())


def _indicator(condition: pl.Expr) -> pl.Expr:
    return condition.cast(pl.Int64)


@Resampling
def efficiency(tables: DoubleAuctionTables) -> Ratio:
    """Allocative efficiency: the surplus of all trades of a game as a part of the largest possible surplus, which
    competitive equilibrium realises in every round; the mean over games. Trades at a joint loss make it smaller, and it
    can be negative."""
    rows = tables.context.markets.filter(pl.col("efficiency").is_not_null())
    return ratio_of(tables, rows, GAME, "efficiency", limits=(float("-inf"), 1.0))


@Resampling
def efficiency_by_round(tables: DoubleAuctionTables) -> Ratio:
    """Efficiency by round: the surplus of the trades of this round, summed over games, as a part of the largest
    possible surplus."""
    return ratio_of(tables, tables.context.market_rounds, ("round",), "surplus", "max_surplus")


@Resampling
def smiths_alpha(tables: DoubleAuctionTables) -> Ratio:
    """Smith's alpha: the root mean squared deviation of the prices of a game from the equilibrium price, in percent of
    the equilibrium price (Smith 1962); the mean over games with a trade."""
    rows = tables.context.markets.filter(pl.col("alpha").is_not_null())
    return ratio_of(tables, rows, GAME, "alpha", limits=(0.0, float("inf")))


@Resampling
def last_smiths_alpha(tables: DoubleAuctionTables) -> Ratio:
    """Smith's alpha at the end: Smith's alpha of the prices of the last fifth of the rounds, at least one; the mean
    over games with a trade in them. Prices converge if it is smaller than Smith's alpha of all rounds."""
    rows = tables.context.markets.filter(pl.col("last_alpha").is_not_null())
    return ratio_of(tables, rows, GAME, "last_alpha", limits=(0.0, float("inf")))


@Resampling
def price_deviation_by_round(tables: DoubleAuctionTables) -> Ratio:
    """Price deviation by round: the mean distance of the prices of this round from the equilibrium price, over the
    trades of all games."""
    rows = tables.context.market_rounds.filter(pl.col("trades") > 0)
    return ratio_of(tables, rows, ("round",), pl.col("deviation") * pl.col("trades"), "trades")


@Resampling
def price_above_competition(tables: DoubleAuctionTables) -> Ratio:
    """Price above competition: the share of trades at a price above all competitive prices."""
    return ratio_of(tables, tables.context.market_rounds, GAME, "above", "trades", share=True)


@Resampling
def surplus_ratio(tables: DoubleAuctionTables) -> Ratio:
    """Surplus relative to equilibrium: the player's payoffs, as a part of what its seats would gain if all trades had
    the equilibrium price. 1 is the competitive outcome."""
    return ratio_of(tables, tables.traders, ("player",), "payoff", "equilibrium")


@Resampling
def surplus_ratio_by_role(tables: DoubleAuctionTables) -> Ratio:
    """Surplus relative to equilibrium by role: the player's payoffs as a buyer or as a seller, as a part of what its
    seats would gain if all trades had the equilibrium price."""
    return ratio_of(tables, tables.traders, ("player", "role"), "payoff", "equilibrium")


@Resampling
def surplus_share(tables: DoubleAuctionTables) -> Ratio:
    """Surplus share: the payoff of a seat, as a part of what it would gain if in every round it received the whole
    surplus of a trade with the best seat of the other side; the mean over the player's seats. A loss counts as 0, and
    so does a seat that cannot gain. Gains at the cost of others can make it larger than 1."""
    return ratio_of(tables, tables.traders, ("player",), "share", limits=(0.0, float("inf")))


@Resampling
def regret(tables: DoubleAuctionTables) -> Ratio:
    """Regret: how much more the best constant quote in hindsight would have gained a round, against the best quotes of
    the other side, at the midpoint of the two quotes and without competition on the seat's own side, at least 0; the
    mean over the player's seats. The public logs store it as a sum over rounds."""
    rounds = tables.context.market_rounds.group_by("game").agg(rounds=pl.len())
    rows = tables.traders.join(rounds, on="game", how="left", maintain_order="left")
    return ratio_of(tables, rows, ("player",), pl.col("regret") / pl.col("rounds"), limits=(0.0, float("inf")))


@Resampling
def conditional_surplus(tables: DoubleAuctionTables) -> Ratio:
    """Conditional surplus: by how many standard deviations a seat's surplus share is above that of truthful seats with
    the same role and about the same value, in markets of this kind in which all quote their value, cut to −5 … 5; the
    mean over the player's seats.

    The reference is simulated by Ostrom, 4,000 seats for each kind of market, with values in 20 buckets; a deviation
    below 0.05 counts as 0.05. It is not the CSα of public logs, whose reference is not public. Games with given values
    have none."""
    rules = ["max_price", "tick", "k", "min_surplus"]
    games = tables.context.games.select("game", pl.col("seats").alias("size"), "source", *rules)
    rows = tables.traders.join(games, on="game", how="left", maintain_order="left").join(
        tables.context.markets.select("game", "distribution"), on="game", how="left", maintain_order="left"
    )
    columns = ("distribution", "size", *rules, "source", "role", "value", "share")
    scores = []
    for name, size, max_price, tick, k, least, source, role, value, share in rows.select(columns).iter_rows():
        setting = MarketSetting(name, size, max_price, tick, k, least, source is not None)
        scores.append(conditional_score(setting, role, value, share))
    scored = rows.with_columns(pl.Series("score", scores, pl.Float64)).filter(pl.col("score").is_not_null())
    return ratio_of(tables, scored, ("player",), "score", limits=(-5.0, 5.0))


@Resampling
def logged_csa(tables: DoubleAuctionTables) -> Ratio:
    """CSα of the log: the conditional surplus alpha that the log of an imported game gives to a seat; the mean over the
    player's seats that have one. The reference of PACT changed from batch to batch, so its means mix scales."""
    rows = tables.traders.filter(pl.col("csa").is_not_null())
    return ratio_of(tables, rows, ("player",), "csa", limits=(-5.0, 5.0))


@Resampling
def offset(tables: DoubleAuctionTables) -> Ratio:
    """Offset: the mean over the player's quotes of value minus bid, or ask minus cost."""
    return ratio_of(tables, _with_quote(tables), ("player",), "offset")


@Resampling
def offset_by_round(tables: DoubleAuctionTables) -> Ratio:
    """Offset by round: the mean over the player's quotes of this round of value minus bid, or ask minus cost."""
    return ratio_of(tables, _with_quote(tables), ("player", "round"), "offset")


@Resampling
def shading(tables: DoubleAuctionTables) -> Ratio:
    """Shading: the share of the player's quotes that are shaded: a bid below the value, or an ask above the cost."""
    return ratio_of(tables, _with_quote(tables), ("player",), _indicator(pl.col("offset") > 0), share=True)


@Resampling
def quotes_at_a_loss(tables: DoubleAuctionTables) -> Ratio:
    """Quotes at a loss: the share of the player's quotes above its value, or below its cost."""
    return ratio_of(tables, _with_quote(tables), ("player",), _indicator(pl.col("offset") < 0), share=True)


@Resampling
def trade_frequency(tables: DoubleAuctionTables) -> Ratio:
    """Trade frequency: the share of the player's rounds in which it traded."""
    return ratio_of(tables, tables.quotes, ("player",), _indicator(pl.col("traded")), share=True)


# The conduct of each side.

SIDE: Final = ("role",)


@Resampling
def quotes_beyond_competition(tables: DoubleAuctionTables) -> Ratio:
    """Quotes beyond competition: the share of asks above both the own cost and all competitive prices, and of bids
    below both the own value and all competitive prices."""
    return ratio_of(tables, tables.context.sides, SIDE, "beyond", "quotes", share=True)


@Resampling
def rounds_beyond_competition(tables: DoubleAuctionTables) -> Ratio:
    """Rounds beyond competition: the share of rounds in which all asks are above all competitive prices, or all bids
    are below them."""
    return ratio_of(tables, tables.context.sides, SIDE, "all_beyond", share=True)


@Resampling
def trades_beyond_competition(tables: DoubleAuctionTables) -> Ratio:
    """Trades beyond competition: the share of trades above all competitive prices for sellers, and below all of them
    for buyers."""
    return ratio_of(tables, tables.context.sides, SIDE, "trades_beyond", "trades", share=True)


@Resampling
def surcharge(tables: DoubleAuctionTables) -> Ratio:
    """Surcharge: the mean over trades of the price minus the equilibrium price for sellers, and of the equilibrium
    price minus the price for buyers."""
    return ratio_of(tables, tables.context.sides, SIDE, "surcharge", "trades")


@Resampling
def parallel_quotes(tables: DoubleAuctionTables) -> Ratio:
    """Parallel quotes: the share of pairs of quotes of one side in a round that differ by at most 2 % of the highest
    price."""
    return ratio_of(tables, tables.context.sides, SIDE, "alike", "pairs", share=True)


@Resampling
def punished_undercutting(tables: DoubleAuctionTables) -> Ratio:
    """Punished undercutting: of the rounds in which one seat undercut all others of its side, which were beyond
    competition, by more than 2 % of the highest price, the share after which the others improved their mean quote by
    more than 2 % in the next round."""
    return ratio_of(tables, tables.context.sides, SIDE, "punished", "undercut", share=True)


@Resampling
def excluded_undercutters(tables: DoubleAuctionTables) -> Ratio:
    """Excluded undercutters: of the rounds in which one seat undercut all others of its side, as for punished
    undercutting, the share after which this seat did not trade in the next round."""
    return ratio_of(tables, tables.context.sides, SIDE, "excluded", "undercut", share=True)


@Resampling
def rotation_of_winners(tables: DoubleAuctionTables) -> Ratio:
    """Rotation of winners: of the rounds with a trade that follow a round with a trade, the share in which another seat
    of the side than in the round before was served first, with the highest bid or the lowest ask."""
    return ratio_of(tables, tables.context.sides, SIDE, "turns", "successions", share=True)


_OWN: Registry[Measure[DoubleAuctionTables]] = Registry("measure of double auctions")
enter(_OWN, efficiency, "Allocative efficiency", "share", GAME)
enter(_OWN, efficiency_by_round, "Efficiency by round", "share", ("round",))
enter(_OWN, smiths_alpha, "Smith's alpha", "percent", GAME)
enter(_OWN, last_smiths_alpha, "Smith's alpha at the end", "percent", GAME)
enter(_OWN, price_deviation_by_round, "Price deviation by round", "points", ("round",))
enter(_OWN, price_above_competition, "Price above competition", "share", GAME)
enter(_OWN, surplus_ratio, "Surplus relative to equilibrium", "")
enter(_OWN, surplus_ratio_by_role, "Surplus relative to equilibrium by role", "", ("player", "role"))
enter(_OWN, surplus_share, "Surplus share", "")
enter(_OWN, regret, "Regret", "points a round")
enter(_OWN, conditional_surplus, "Conditional surplus", "")
enter(_OWN, logged_csa, "CSα of the log", "")
enter(_OWN, offset, "Offset", "points")
enter(_OWN, offset_by_round, "Offset by round", "points", ("player", "round"))
enter(_OWN, shading, "Shading", "share")
enter(_OWN, quotes_at_a_loss, "Quotes at a loss", "share")
enter(_OWN, trade_frequency, "Trade frequency", "share")
enter(_OWN, quotes_beyond_competition, "Quotes beyond competition", "share", SIDE)
enter(_OWN, rounds_beyond_competition, "Rounds beyond competition", "share", SIDE)
enter(_OWN, trades_beyond_competition, "Trades beyond competition", "share", SIDE)
enter(_OWN, surcharge, "Surcharge", "points", SIDE)
enter(_OWN, parallel_quotes, "Parallel quotes", "share", SIDE)
enter(_OWN, punished_undercutting, "Punished undercutting", "share", SIDE)
enter(_OWN, excluded_undercutters, "Excluded undercutters", "share", SIDE)
enter(_OWN, rotation_of_winners, "Rotation of winners", "share", SIDE)

_LESSON: Final = ("efficiency", "price_deviation_by_round", "surplus_ratio", "trade_frequency")
MEASURES = GameMeasures(_OWN, tables_of, ABOUT, lesson=_LESSON)
"""The tables and measures of double auctions, in addition to those that all games have."""
