"""Double auctions as tidy tables, and their measures in addition to those that all games have. The offset of a quote is
how far it lies on the safe side of the private value: value − bid, or ask − cost. The equilibrium price is the midpoint
of the competitive prices, and the surplus of a trade is the value of its buyer minus the cost of its seller."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Final

import polars as pl

from ostrom.analysis.intervals import Ratio
from ostrom.analysis.measures import GAME, Measure, Resampling, enter, ratio_of
from ostrom.analysis.study import GameMeasures
from ostrom.analysis.tables import GameTables, Row, StoredRecords, common_tables, events_of, extended, frame, players_of
from ostrom.core import Registry
from ostrom.core.game import Game
from ostrom.games.market.conditional import MarketSetting, conditional_score
from ostrom.games.market.double_auction import DOUBLE_AUCTION
from ostrom.games.market.double_auction.rules import market_roles
from ostrom.games.market.double_auction.sides import ABOUT_SIDES, SIDES, enter_side_measures, side_rows
from ostrom.games.market.equilibrium import (
    Equilibrium,
    equilibrium,
    equilibrium_gains,
    potential_gains,
    regrets_of,
    smith_alpha,
)
from ostrom.games.market.values import by_side
from ostrom.journal.record import GameRecord

MARKETS: Final = {
    **{"game": pl.String, "efficiency": pl.Float64, "alpha": pl.Float64, "last_alpha": pl.Float64},
    **{"low": pl.Float64, "high": pl.Float64, "equilibrium": pl.Float64, "distribution": pl.String},
}
MARKET_ROUNDS: Final = {
    **{"game": pl.String, "round": pl.Int64, "trades": pl.Int64, "surplus": pl.Float64, "max_surplus": pl.Float64},
    **{"price": pl.Float64, "deviation": pl.Float64, "above": pl.Int64},
}
TRADERS: Final = {
    **{"game": pl.String, "seat": pl.Int64, "player": pl.String, "role": pl.String, "value": pl.Float64},
    **{"payoff": pl.Float64, "equilibrium": pl.Float64, "potential": pl.Float64, "share": pl.Float64},
    **{"regret": pl.Float64, "csa": pl.Float64},
}
QUOTES: Final = {
    **{"game": pl.String, "round": pl.Int64, "seat": pl.Int64, "player": pl.String, "role": pl.String},
    **{"value": pl.Float64, "quote": pl.Float64, "offset": pl.Float64, "traded": pl.Boolean, "gain": pl.Float64},
}
ABOUT: Final = {
    "markets": "A row for each game: its efficiency, Smith's alpha of all rounds and of the last fifth, the "
    "competitive prices, and the distribution of its values.",
    "market_rounds": "A row for each round: its trades and their surplus, the largest possible surplus, and how far "
    "prices are from the equilibrium price.",
    "traders": "A row for each seat: its value or cost, its payoff, and what it would gain in equilibrium.",
    "quotes": "A row for each seat's round: its quote, the offset of the quote from its value, and its gain.",
    "sides": ABOUT_SIDES,
}


@dataclass(frozen=True, slots=True)
class DoubleAuctionTables(GameTables):
    """The tables of double auctions."""

    ACTORS: ClassVar[Mapping[str, str | None]] = {
        "markets": None,
        "market_rounds": None,
        "traders": "seat",
        "quotes": "seat",
        "sides": None,
        **GameTables.ACTORS,
    }

    markets: pl.DataFrame
    """One row for each game. `alpha` is missing without a trade; `last_alpha` is that of the last fifth of the
    rounds."""
    market_rounds: pl.DataFrame
    """One row for each round. `price` is the mean price, `deviation` the mean distance of prices from the equilibrium
    price, and `above` the number of trades above all competitive prices."""
    traders: pl.DataFrame
    """One row for each seat. `equilibrium` is its gain in all rounds at the equilibrium price, `potential` its gain in
    all rounds if it received the whole surplus of a trade with the best seat of the other side. `share` is the payoff
    as a part of `potential`; a negative payoff and a seat without potential count as 0. `regret` is how much more the
    best constant quote would have gained. `csa` is the CSα in the log of an imported game."""
    quotes: pl.DataFrame
    """One row for each seat and round. A seat that passed has no quote and no offset."""
    sides: pl.DataFrame
    """One row for each round and role. `undercut` counts rounds that have a successor, and `successions` rounds with a
    trade that follow one with a trade. `surcharge` is a sum over trades."""


def tables_of(records: StoredRecords) -> DoubleAuctionTables:
    """Return the tables of records."""
    return market_tables(DOUBLE_AUCTION, records)


def market_tables(game_: Game, records: StoredRecords) -> DoubleAuctionTables:
    """Return the tables of records of a game that is played by the rules of a double auction."""
    rows: dict[str, list[Row]] = {"markets": [], "market_rounds": [], "traders": [], "quotes": [], "sides": []}

    def add(game: str, record: GameRecord) -> None:
        events = list(events_of(record, game_.events))
        values: list[float] = events[0][1]["values"]
        rounds = [event for tag, event in events if tag == "market_cleared"]
        players = players_of(game, record)
        theory = equilibrium(*by_side(values, market_roles(len(values))))
        market_rounds = [_market_round(game, event, values, theory) for event in rounds]
        rows["market_rounds"] += market_rounds
        distribution = events[0][1]["distribution"]
        rows["markets"].append((*_market(game, rounds, market_rounds, theory), distribution))
        rows["sides"] += side_rows(game, rounds, values, theory, float(record.rules["max_price"]))
        logged = next((event for tag, event in events if tag == "market_logged"), {})
        scores = logged.get("csa", [None] * len(values))
        rows["traders"] += _traders(game, players, values, rounds, record.rules["max_price"], scores)
        rows["quotes"] += [row for event in rounds for row in _quotes(game, players, values, event)]

    common = common_tables(game_, records, add)
    return extended(
        common,
        DoubleAuctionTables,
        markets=frame(rows["markets"], MARKETS),
        market_rounds=frame(rows["market_rounds"], MARKET_ROUNDS),
        traders=frame(rows["traders"], TRADERS),
        quotes=frame(rows["quotes"], QUOTES),
        sides=frame(rows["sides"], SIDES),
    )


def _market_round(game: str, event: Mapping[str, Any], values: Sequence[float], theory: Equilibrium) -> Row:
    prices: list[float] = event["prices"]
    surplus = sum(values[trade["buyer"]] - values[trade["seller"]] for trade in event["trades"])
    mean = sum(prices) / len(prices) if prices else None
    deviation = sum(abs(price - theory.price) for price in prices) / len(prices) if prices else None
    above = sum(price > theory.high for price in prices)
    return (game, event["round"], len(prices), float(surplus), theory.surplus, mean, deviation, above)


def _market(game: str, rounds: Sequence[Mapping[str, Any]], rows: Sequence[Row], theory: Equilibrium) -> Row:
    surplus, largest = sum(row[3] for row in rows), sum(row[4] for row in rows)
    fifth = -max(1, len(rounds) // 5)
    alphas = [
        smith_alpha([price for event in part for price in event["prices"]], theory.price)
        for part in (rounds, rounds[fifth:])
    ]
    efficiency = surplus / largest if largest > 0 else None
    return (game, efficiency, *alphas, theory.low, theory.high, theory.price)


def _traders(
    game: str,
    players: Sequence[str],
    values: Sequence[float],
    rounds: Sequence[Mapping[str, Any]],
    max_price: float,
    scores: Sequence[float | None],
) -> list[Row]:
    roles = market_roles(len(values))
    payoffs: list[float] = rounds[-1]["payoffs"]
    gains, potentials = equilibrium_gains(values, roles), potential_gains(values, roles)
    regrets = regrets_of(values, roles, payoffs, [event["quotes"] for event in rounds], max_price)
    rows: list[Row] = []
    for seat, payoff in enumerate(payoffs):
        potential = potentials[seat] * len(rounds)
        share = max(0.0, payoff / potential) if potential > 0 else 0.0
        equilibrium_payoff = gains[seat] * len(rounds)
        place = (game, seat, players[seat], roles[seat], values[seat])
        rows.append((*place, payoff, equilibrium_payoff, potential, share, regrets[seat], scores[seat]))
    return rows


def _quotes(game: str, players: Sequence[str], values: Sequence[float], event: Mapping[str, Any]) -> list[Row]:
    roles = market_roles(len(values))
    traded = {seat for trade in event["trades"] for seat in (trade["buyer"], trade["seller"])}
    rows: list[Row] = []
    for seat, quote in enumerate(event["quotes"]):
        distance = None if quote is None else values[seat] - quote
        offset = distance if distance is None or roles[seat] == "buyer" else -distance
        place = (game, event["round"], seat, players[seat], roles[seat])
        rows.append((*place, values[seat], quote, offset, seat in traded, event["gains"][seat]))
    return rows


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
enter_side_measures(_OWN)

_LESSON: Final = ("efficiency", "price_deviation_by_round", "surplus_ratio", "trade_frequency")
MEASURES = GameMeasures(_OWN, tables_of, ABOUT, lesson=_LESSON)
"""The tables and measures of double auctions, in addition to those that all games have."""
