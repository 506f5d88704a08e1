"""Figures of the rule book for call markets with uniform values, simulated; and the equilibrium of one buyer and one
seller with continuous prices."""

import pytest

from ostrom.core import GameChance
from ostrom.games.market.clearing import match_quotes
from ostrom.games.market.double_auction.rules import market_roles
from ostrom.games.market.equilibrium import equilibrium
from ostrom.games.market.values import by_side, draw_values

GAMES = 6000
ROLES = market_roles(8)


def linear(role: str, value: float, draw: float) -> float:
    """The equilibrium of Chatterjee and Samuelson."""
    return 2 * value / 3 + (100 / 12 if role == "buyer" else 25)


def random_quote(role: str, value: float, draw: float) -> float:
    """Zero intelligence with a budget constraint."""
    return draw * value if role == "buyer" else value + draw * (100 - value)


def truth(role: str, value: float, draw: float) -> float:
    return value


@pytest.mark.parametrize(("quote", "expected"), [(truth, 1.0), (linear, 0.927), (random_quote, 0.352)])
def test_the_efficiency_of_one_round(quote, expected) -> None:
    total = largest = trades = 0.0
    for game in range(GAMES):
        chance = GameChance(11, game)
        values = draw_values(chance, ROLES, "uniform", 100, 1, 3)
        quotes = [quote(ROLES[seat], value, chance.uniform("quote", 1, seat)) for seat, value in enumerate(values)]
        bids, asks = dict(enumerate(quotes[:4])), dict(enumerate(quotes[4:], start=4))
        result = equilibrium(*by_side(values, ROLES))
        largest += result.surplus
        trades += result.quantity
        total += sum(values[pair.buyer] - values[pair.seller] for pair in match_quotes(bids, asks, range(8)))
    assert total / largest == pytest.approx(expected, abs=0.008)
    assert largest / GAMES == pytest.approx(92.41, abs=1.5)
    assert trades / GAMES == pytest.approx(2.066, abs=0.05)


@pytest.mark.parametrize(("quote", "trades", "efficiency"), [(random_quote, 0.163, 0.245), (linear, 0.608, 0.857)])
def test_one_buyer_and_one_seller(quote, trades, efficiency) -> None:
    count = total = largest = 0.0
    for game in range(GAMES):
        chance = GameChance(5, game)
        value, cost = draw_values(chance, ("buyer", "seller"), "uniform", 100, 1, 3)
        bid = quote("buyer", value, chance.uniform("quote", 1, 0))
        ask = quote("seller", cost, chance.uniform("quote", 1, 1))
        largest += value - cost
        count += bid >= ask
        total += (value - cost) * (bid >= ask)
    assert largest / GAMES == pytest.approx(35.31, abs=0.9)
    assert count / GAMES == pytest.approx(trades, abs=0.015)
    assert total / largest == pytest.approx(efficiency, abs=0.015)


def test_the_linear_equilibrium_of_continuous_values_trades_in_9_of_32_games() -> None:
    # Chatterjee and Samuelson (1983): trade exactly if the surplus is at least 1/4; gains 9/64, half to each side.
    trades = gains = bought = 0.0
    for game in range(GAMES):
        value, cost = draw_values(GameChance(5, game), ("buyer", "seller"), "uniform", 1, 0, 0)
        bid, ask = 2 * value / 3 + 1 / 12, 2 * cost / 3 + 1 / 4
        assert (bid >= ask) == (value - cost >= 0.25)
        if bid >= ask:
            trades += 1
            gains += value - cost
            bought += value - (bid + ask) / 2
    assert trades / GAMES == pytest.approx(9 / 32, abs=0.015)
    assert gains / GAMES == pytest.approx(9 / 64, abs=0.008)
    assert bought / GAMES == pytest.approx(9 / 128, abs=0.006)
