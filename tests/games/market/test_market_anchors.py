"""Figures of the rule book for call markets with uniform values, simulated; and the equilibrium of one buyer and one
seller with continuous prices."""

import numpy as np
import pytest

import ostrom
from marketplace import register
from ostrom.core import GameChance
from ostrom.core.chance import key_of
from ostrom.core.step import Draws
from ostrom.games.market.clearing import match_quotes
from ostrom.games.market.clearing_rows import clear_rows
from ostrom.games.market.double_auction import DoubleAuctionRules
from ostrom.games.market.double_auction.players import STRATEGIES
from ostrom.games.market.double_auction.rules import market_roles
from ostrom.games.market.equilibrium import equilibrium
from ostrom.games.market.values import by_side, draw_value_rows, draw_values, efficient_surplus_rows
from ostrom.sim.batch import Batch
from ostrom.sim.numpy_engine import play_batch

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


@pytest.mark.slow
@pytest.mark.parametrize(
    ("quote", "expected"),
    [
        pytest.param(truth, 1.0, marks=pytest.mark.slow),
        (linear, 0.927),
        pytest.param(random_quote, 0.352, marks=pytest.mark.slow),
    ],
)
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


@pytest.mark.slow
@pytest.mark.parametrize(
    ("quote", "trades", "efficiency"),
    [pytest.param(random_quote, 0.163, 0.245, marks=pytest.mark.slow), (linear, 0.608, 0.857)],
)
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


MANY, CHUNKS = 16_384, 48


def one_round(role_quote, seats: int, chunk: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """The efficient surplus, the surplus and the number of trades of many games of one round."""
    half = seats // 2
    draws = Draws(np.arange(chunk * MANY, (chunk + 1) * MANY, dtype=np.uint64), key_of(23))
    values = draw_value_rows(draws, market_roles(seats), "uniform", 100, 1, 3.0)
    luck = [draws.uniform("quote", 1, seat) for seat in range(seats)]
    quotes = np.stack([role_quote(role, values[seat], luck[seat]) for seat, role in enumerate(market_roles(seats))])
    cleared = clear_rows(
        quotes,
        0.5,
        0,
        draws,
        *(lambda chosen, seat, name=name: chosen.uniform(name, 1, seat) for name in ("ties", "half")),
    )
    traded = ~np.isnan(cleared.prices)
    gains = np.where(traded, values, 0.0)
    surplus = gains[:half].sum(axis=0) - gains[half:].sum(axis=0)
    return efficient_surplus_rows(values), surplus, traded[:half].sum(axis=0)


def whole_random(role: str, value: np.ndarray, draw: np.ndarray) -> np.ndarray:
    """Zero intelligence: each whole number without a loss is equally likely."""
    steps = np.floor(draw * ((value if role == "buyer" else 100 - value) + 1))
    return steps if role == "buyer" else 100 - steps


def nearest_linear(role: str, value: np.ndarray, draw: np.ndarray) -> np.ndarray:
    """The linear quotes, each rounded to the nearest whole number."""
    return np.round(2 * value / 3 + (100 / 12 if role == "buyer" else 25))


def ratio(tops: list[float], bottoms: list[float]) -> tuple[float, float]:
    """A ratio of sums over chunks of games, and its standard error."""
    top, bottom = np.asarray(tops), np.asarray(bottoms)
    estimate = top.sum() / bottom.sum()
    return estimate, (top - estimate * bottom).std(ddof=1) / bottom.mean() / len(top) ** 0.5


@pytest.mark.slow
@pytest.mark.parametrize(
    ("seats", "quote", "efficiency", "trades", "near"),
    [
        # The rule book was simulated with fewer games, so some of its figures are higher by .003 or .004.
        (8, truth, 1.0, 2.066, 0.004),
        (8, whole_random, 0.352, None, 0.002),
        (8, nearest_linear, 0.927, None, 0.002),
        (2, whole_random, 0.245, 0.163, 0.004),
        (2, nearest_linear, 0.857, 0.608, 0.002),
    ],
)
def test_figures_of_the_rule_book_in_many_games(seats, quote, efficiency, trades, near) -> None:
    chunks = [one_round(quote, seats, chunk) for chunk in range(CHUNKS)]
    largest, surplus, count = ([float(part.mean()) for part in parts] for parts in zip(*chunks, strict=True))
    estimate, error = ratio(surplus, largest)
    assert error < 0.0007
    assert estimate == pytest.approx(efficiency, abs=near)
    assert np.mean(largest) == pytest.approx(92.41 if seats == 8 else 35.31, rel=0.002)
    if trades is not None:
        estimate, error = ratio(count, [1.0] * CHUNKS)
        assert error < 0.001
        assert estimate == pytest.approx(trades, abs=near + 2 * error)


def play_many(name: str, seats: int, rules: DoubleAuctionRules, chunk: int):
    seating = np.zeros((seats, MANY), dtype=np.int64)
    games = np.arange(chunk * MANY, (chunk + 1) * MANY)
    return play_batch(Batch(register(), rules, [STRATEGIES[name]], seating, games, 23))


@pytest.mark.slow
def test_linear_players_with_continuous_prices_realise_27_of_32_parts_of_the_gains() -> None:
    # Chatterjee and Samuelson (1983): trade with probability 9/32; gains 9/64 of 1/6, half of them to each side.
    rules = DoubleAuctionRules(rounds=1, tick=0, min_surplus=0)
    played = [play_many("Linear", 2, rules, chunk) for chunk in range(CHUNKS)]
    ones = [1.0] * CHUNKS
    trades, error = ratio([result.figures["trades"][0].mean() for result in played], ones)
    assert error < 0.0007
    assert trades == pytest.approx(9 / 32, abs=4 * error)
    for seat in (0, 1):
        gains, error = ratio([result.finals[seat].mean() / 100 for result in played], ones)
        assert error < 0.0007
        assert gains == pytest.approx(9 / 128, abs=4 * error)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "efficiency"),
    # Quotes of players are on the tick: a bid is rounded down and an ask up, which costs some trades.
    [("Truthful", 1.0), ("ZeroIntelligence", 0.352), ("Linear", 0.920)],
)
def test_efficiency_of_players_whose_quotes_are_whole(name, efficiency) -> None:
    rules = DoubleAuctionRules(rounds=1)
    played = [play_many(name, 8, rules, chunk) for chunk in range(CHUNKS)]
    largest = [one_round(truth, 8, chunk)[0].mean() for chunk in range(CHUNKS)]
    estimate, error = ratio([result.finals.sum(axis=0).mean() for result in played], largest)
    assert error < 0.0007
    assert estimate == pytest.approx(efficiency, abs=0.002)


@pytest.mark.slow
def test_no_deviation_from_the_linear_equilibrium_is_profitable_and_truthful_quotes_are_not_a_best_response() -> None:
    rules = {"rounds": 1, "tick": 0, "min_surplus": 0}
    finding = ostrom.respond(game="double-auction", against=["Linear"], rules=rules, seed=1)
    gains = {row["player"]: (row["gain_low"], row["gain_high"]) for row in finding.to_frame().iter_rows(named=True)}
    assert gains["Linear"][0] <= 0
    assert gains["Linear"][1] < 0.3
    assert gains["Truthful"][0] > 0
