"""The matching rule, prices, values and equilibria of markets, by examples from the rules and by properties."""

from itertools import permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ostrom.core import GameChance, InputError
from ostrom.games.market.clearing import Pair, exact_price, is_half, match_quotes, price_on_tick
from ostrom.games.market.double_auction.rules import market_roles
from ostrom.games.market.equilibrium import equilibrium, equilibrium_gains, potential_gains, smith_alpha
from ostrom.games.market.values import by_side, draw_values, efficient_surplus, parse_values, unit_value

BIDS = {0: 86.0, 1: 64.0, 2: 25.0, 3: 10.0}
ASKS = {4: 19.0, 5: 61.0, 6: 81.0, 7: 90.0}
ORDER = list(range(8))

prices = st.integers(0, 100)
sides = st.integers(1, 4).flatmap(
    lambda n: st.tuples(st.lists(prices, min_size=n, max_size=n), st.lists(prices, min_size=n, max_size=n))
)


def cleared(bids: list[int], asks: list[int], order: list[int] | None = None) -> list[Pair]:
    """The pairs of bids and asks in the order of seats, the buyers first."""
    buyers = {seat: float(bid) for seat, bid in enumerate(bids)}
    sellers = {len(bids) + seat: float(ask) for seat, ask in enumerate(asks)}
    return match_quotes(buyers, sellers, order or list(range(len(bids) + len(asks))))


def brute_force_surplus(values: list[int], costs: list[int]) -> int:
    """The largest sum of gains over all ways to pair buyers with sellers."""
    orders = permutations(costs)
    return max(sum(max(0, value - cost) for value, cost in zip(values, order, strict=True)) for order in orders)


def test_the_worked_example_of_the_rules() -> None:
    pairs = match_quotes(BIDS, ASKS, ORDER)
    assert pairs == [Pair(0, 4, 86, 19), Pair(1, 5, 64, 61)]
    assert [exact_price(pair.bid, pair.ask, 0.5) for pair in pairs] == [52.5, 62.5]
    assert [price_on_tick(52.5, 1, up) for up in (True, False)] == [53, 52]
    assert [price_on_tick(62.5, 1, up) for up in (True, False)] == [63, 62]


def test_equal_quotes_are_ranked_by_the_order() -> None:
    bids, asks = {0: 50.0, 1: 50.0}, {2: 40.0, 3: 60.0}
    assert match_quotes(bids, asks, [0, 1, 2, 3]) == [Pair(0, 2, 50, 40)]
    assert match_quotes(bids, asks, [1, 0, 2, 3]) == [Pair(1, 2, 50, 40)]
    assert match_quotes({0: 5.0}, {1: 5.0}, [0, 1]) == [Pair(0, 1, 5, 5)]
    assert match_quotes({0: 4.0}, {1: 5.0}, [0, 1]) == []


def test_a_seat_that_passes_is_not_matched() -> None:
    assert match_quotes({1: 64.0}, ASKS, ORDER) == [Pair(1, 4, 64, 19)]
    assert match_quotes({}, ASKS, ORDER) == []


def test_only_a_half_is_rounded_by_chance() -> None:
    assert [price_on_tick(52.3, 1, up) for up in (True, False)] == [52, 52]
    assert [price_on_tick(52.7, 1, up) for up in (True, False)] == [53, 53]
    assert price_on_tick(52.34, 0, True) == 52.34
    # 0.3 · 45 + 0.7 · 20 = 27.5, which floating-point numbers miss.
    assert is_half(exact_price(45, 20, 0.3))
    assert exact_price(60, 40, 1) == 60
    assert exact_price(60, 40, 0) == 40


@given(sides)
def test_pairs_are_as_many_as_possible_and_each_price_lies_between_its_quotes(
    quotes: tuple[list[int], list[int]],
) -> None:
    bids, asks = quotes
    pairs = cleared(bids, asks)
    assert all(pair.bid >= pair.ask for pair in pairs)
    assert len({seat for pair in pairs for seat in (pair.buyer, pair.seller)}) == 2 * len(pairs)
    for up in (True, False):
        assert all(pair.ask <= price_on_tick((pair.bid + pair.ask) / 2, 1, up) <= pair.bid for pair in pairs)
    # The declared surplus is the largest of all matchings.
    declared = sum(pair.bid - pair.ask for pair in pairs)
    assert declared == brute_force_surplus(bids, asks)


@given(sides, st.randoms())
def test_the_order_of_seats_matters_only_for_equal_quotes(quotes, random) -> None:
    bids, asks = quotes
    order = list(range(len(bids) * 2))
    random.shuffle(order)
    first, second = cleared(bids, asks), cleared(bids, asks, order)
    assert [(pair.bid, pair.ask) for pair in first] == [(pair.bid, pair.ask) for pair in second]
    if len(set(bids)) == len(bids) and len(set(asks)) == len(asks):
        assert first == second


@given(sides)
def test_the_equilibrium_realises_the_largest_surplus(sides: tuple[list[int], list[int]]) -> None:
    values, costs = sides
    result = equilibrium(values, costs)
    best = brute_force_surplus(values, costs)
    assert result.surplus == best == efficient_surplus(values, costs)
    # At every equilibrium price, the traders who gain can all trade, and those who want to trade are enough.
    for price in (result.low, result.price, result.high):
        assert sum(value > price for value in values) <= sum(cost <= price for cost in costs)
        assert sum(cost < price for cost in costs) <= sum(value >= price for value in values)
    roles = ("buyer",) * len(values) + ("seller",) * len(costs)
    assert sum(equilibrium_gains([*values, *costs], roles)) == pytest.approx(best)


@given(sides)
def test_prices_outside_the_equilibrium_interval_do_not_clear_the_market(sides: tuple[list[int], list[int]]) -> None:
    values, costs = sides
    result = equilibrium(values, costs)
    for price in (result.low - 0.5, result.high + 0.5):
        enough = sum(value > price for value in values) <= sum(cost <= price for cost in costs)
        wanted = sum(cost < price for cost in costs) <= sum(value >= price for value in values)
        assert not (enough and wanted)


def test_measures_of_a_market_by_hand() -> None:
    values, costs = [86.0, 64.0, 25.0, 10.0], [19.0, 61.0, 81.0, 90.0]
    result = equilibrium(values, costs)
    assert (result.quantity, result.low, result.high, result.price, result.surplus) == (2, 61, 64, 62.5, 70)
    roles = market_roles(8)
    assert equilibrium_gains([*values, *costs], roles) == [23.5, 1.5, 0, 0, 43.5, 1.5, 0, 0]
    assert potential_gains([*values, *costs], roles) == [67, 45, 6, 0, 67, 25, 5, 0]
    assert smith_alpha([60, 65], 62.5) == pytest.approx(4)
    assert smith_alpha([], 62.5) is None
    assert smith_alpha([1.0], 0) is None


# Values.

TABLE = {
    "uniform": (51.1, 28.6, 48.6, 28.6),
    "correlated": (52.0, 28.1, 48.5, 28.4),
    "two-clusters": (49.3, 40.3, 46.7, 40.0),
    "heavy-tailed": (51.7, 21.5, 47.3, 22.2),
}
"""The mean and the standard deviation of buyers' values, then of sellers' costs, in the public logs of BAZAAR."""


def sample(family: str, games: int, tick: int = 1, seats: int = 8) -> list[list[float]]:
    """The values of some games with seed 7."""
    roles = market_roles(seats)
    return [draw_values(GameChance(7, game), roles, family, 100, tick, 3.0) for game in range(games)]  # type: ignore[arg-type]


def moments(values: list[float]) -> tuple[float, float]:
    mean = sum(values) / len(values)
    return mean, (sum((value - mean) ** 2 for value in values) / len(values)) ** 0.5


@pytest.mark.parametrize("family", TABLE)
@pytest.mark.parametrize("tick", [pytest.param(0, marks=pytest.mark.slow), 1])
def test_families_have_the_moments_of_the_logs(family: str, tick: int) -> None:
    # The means of the table have standard errors of 0.5 to 1.0 themselves.
    games = sample(family, 1500, tick)
    found = (
        *moments([value for game in games for value in game[:4]]),
        *moments([c for game in games for c in game[4:]]),
    )
    assert found == pytest.approx(TABLE[family], abs=2.0)


def test_values_are_whole_within_the_range_and_never_with_a_smaller_surplus() -> None:
    for family in TABLE:
        for game in sample(family, 200):
            assert all(value == int(value) for value in game)
            assert all(1 <= value <= 100 for value in game[:4])
            assert all(0 <= cost <= 99 for cost in game[4:])
            assert efficient_surplus(*by_side(game, market_roles(8))) >= 3


def test_clusters_have_nothing_between_them_and_heavy_tails_reach_both_ends() -> None:
    clusters = [value for game in sample("two-clusters", 300) for value in game]
    assert not [value for value in clusters if 21 < value < 80]
    tails = [value for game in sample("heavy-tailed", 300) for value in game]
    assert {0, 100} <= set(tails)


def correlation(family: str) -> float:
    """The correlation of one buyer's value with one seller's cost."""
    pairs = [
        (unit_value(family, "buyer", *draws(game, 0)), unit_value(family, "seller", *draws(game, 1)))
        for game in range(2000)
    ]  # type: ignore[arg-type]
    first, second = ([pair[place] for pair in pairs] for place in (0, 1))
    (mean, deviation), (other, spread) = moments(first), moments(second)
    covariance = sum((a - mean) * (b - other) for a, b in pairs) / len(pairs)
    return covariance / (deviation * spread)


def draws(game: int, seat: int) -> tuple[float, float]:
    chance = GameChance(3, game)
    return chance.uniform("value", 0, seat), chance.uniform("centre", 0)


@pytest.mark.slow
def test_only_the_family_with_a_common_centre_is_correlated() -> None:
    assert correlation("correlated") > 0.7
    assert all(abs(correlation(family)) < 0.07 for family in ("uniform", "two-clusters", "heavy-tailed"))


def test_given_values_are_parsed_or_refused_in_a_line() -> None:
    assert parse_values("86,64;19,61") == ([86, 64], [19, 61])
    for text, reason in {
        "86,64": "two sides",
        "86;1,2": "1 values and 2 costs",
        "x;1": "must be numbers",
        "inf;1": "must be finite",
    }.items():
        with pytest.raises(InputError, match=reason):
            parse_values(text)
