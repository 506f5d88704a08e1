"""Figures of the rule book for call markets of four buyers and four sellers with uniform values, simulated."""

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
