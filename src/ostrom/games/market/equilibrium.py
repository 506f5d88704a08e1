"""The competitive equilibrium of a market in which each seat trades at most one unit, and measures of how close prices
and gains come to it."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

from ostrom.games.market.values import by_side, efficient_surplus


@dataclass(frozen=True)
class Equilibrium:
    """A competitive equilibrium: at each price from `low` to `high`, as many units are demanded as supplied."""

    quantity: int
    """The number of trades with a positive gain."""
    low: float
    high: float
    surplus: float
    """The gains of all seats together in one round, the largest that are possible."""

    @property
    def price(self) -> float:
        """The midpoint of the equilibrium prices, which measures of prices refer to."""
        return (self.low + self.high) / 2


def equilibrium(values: Sequence[float], costs: Sequence[float]) -> Equilibrium:
    """Return the competitive equilibrium of buyers' values and sellers' costs.

    With as many buyers as sellers, `low` and `high` are the two middle numbers of all values and costs in order: at a
    price between them, the number of buyers who want to buy equals the number of sellers who want to sell. With n
    sellers, they are in general the n-th and the (n + 1)-th highest of all (Wurman, Walsh and Wellman, 1998)."""
    demand, supply = sorted(values, reverse=True), sorted(costs)
    quantity = sum(value > cost for value, cost in zip(demand, supply, strict=False))
    every = sorted((*values, *costs))
    return Equilibrium(
        quantity=quantity,
        low=every[len(values) - 1],
        high=every[len(values)],
        surplus=efficient_surplus(values, costs),
    )


def equilibrium_gains(values: Sequence[float], roles: Sequence[str]) -> list[float]:
    """Return the gain of each seat in one round if all trades have the equilibrium price. With several equilibrium
    prices, it is their midpoint."""
    price = equilibrium(*by_side(values, roles)).price
    return [
        max(0.0, value - price if role == "buyer" else price - value) for value, role in zip(values, roles, strict=True)
    ]


def potential_gains(values: Sequence[float], roles: Sequence[str]) -> list[float]:
    """Return for each seat the surplus of a trade with the best seat of the other side: the lowest cost or the highest
    value. This is the upper bound that public benchmarks of this game divide a seat's gains by."""
    demand, supply = by_side(values, roles)
    return [
        max(0.0, value - min(supply)) if role == "buyer" else max(0.0, max(demand) - value)
        for value, role in zip(values, roles, strict=True)
    ]


def best_constant_quote(value: float, role: str, best_others: Sequence[float | None], max_price: float) -> float:
    """Return the largest payoff that a seat could have had by quoting one price in all rounds, against the best quote
    of the other side in each round: the lowest ask or the highest bid, or None if there was none. The price of a trade
    is the midpoint, and competition on the own side is ignored. Public benchmarks define regret in this way."""
    sign = 1 if role == "buyer" else -1
    quoted = [other for other in best_others if other is not None]
    # A quote between two quotes of the other side trades as often as the nearer one, at a worse price.
    prices = {0.0 if role == "buyer" else float(max_price), *quoted}
    return max(
        sum(sign * (value - (price + other) / 2) for other in quoted if sign * (price - other) >= 0) for price in prices
    )


def regrets_of(
    values: Sequence[float],
    roles: Sequence[str],
    payoffs: Sequence[float],
    quotes: Sequence[Sequence[float | None]],
    max_price: float,
) -> list[float]:
    """Return the regret of each seat: by how much the best constant quote in hindsight would have gained more, at least
    0. `quotes` are those of all seats, by round."""
    best: dict[str, list[float | None]] = {"buyer": [], "seller": []}
    for round_ in quotes:
        given = [(quote, role) for quote, role in zip(round_, roles, strict=True) if quote is not None]
        best["buyer"].append(min((quote for quote, role in given if role == "seller"), default=None))
        best["seller"].append(max((quote for quote, role in given if role == "buyer"), default=None))
    return [
        max(0.0, best_constant_quote(value, role, best[role], max_price) - payoff)
        for value, role, payoff in zip(values, roles, payoffs, strict=True)
    ]


def smith_alpha(prices: Sequence[float], price: float) -> float | None:
    """Return Smith's alpha: the root mean squared deviation of prices from the equilibrium price, in percent of the
    equilibrium price (Smith, 1962). Return None without a trade, or if the equilibrium price is 0."""
    if not prices or price == 0:
        return None
    return 100 * math.sqrt(sum((one - price) ** 2 for one in prices) / len(prices)) / price
