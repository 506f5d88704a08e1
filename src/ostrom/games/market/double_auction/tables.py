"""Double auctions as tidy tables. The offset of a quote is its distance from the private value on the safe side, which
is value − bid for buyers and ask − cost for sellers. The equilibrium price is the midpoint of the competitive prices,
and the surplus of a trade is the value of its buyer minus the cost of its seller."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Final

import polars as pl

from ostrom.analysis.tables import GameTables, Row, StoredRecords, common_tables, events_of, extended, frame, players_of
from ostrom.core.game import Game
from ostrom.games.market.double_auction import DOUBLE_AUCTION
from ostrom.games.market.double_auction.rules import market_roles
from ostrom.games.market.double_auction.sides import ABOUT_SIDES, SIDES, side_rows
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
