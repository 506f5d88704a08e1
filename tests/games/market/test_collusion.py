"""The detector of parallel quotes: statistics by hand, p-values, and planted cartels among competitive games."""

from itertools import permutations

import numpy as np
import pytest
from scipy.stats import binomtest

from ostrom.core import GameChance
from ostrom.games.market.commands.competition import (
    COMPETITIVE,
    POPULATIONS,
    competitive_games,
    given_rules,
    play_quotes,
    traders,
)
from ostrom.games.market.double_auction import DoubleAuctionRules
from ostrom.games.market.double_auction.parallel import Parallel, judge, parallel, pool
from ostrom.games.market.double_auction.players import STRATEGIES
from ostrom.games.market.double_auction.rules import market_roles
from ostrom.games.market.values import draw_values

VALUES = [90.0, 60.0, 20.0, 40.0]
"""The competitive prices are 40 to 60."""


def quotes(*rounds: list[float]) -> np.ndarray:
    return np.array(rounds, dtype=np.float64)


def test_level_is_the_root_of_the_excess_over_one_plus_the_distance() -> None:
    # Asks 69 and 70: the lower one exceeds 60 by 9, and their distance is 1.
    assert parallel(quotes([50, 40, 69, 70], [50, 40, 69, 70]), VALUES, 100) == Parallel(1.5, 0.0, (2, 3))
    # Asks at 60 do not exceed the competitive prices.
    assert parallel(quotes([50, 40, 60, 60]), VALUES, 100).level == 0


def test_quotes_count_only_beyond_both_private_values() -> None:
    costs = [90.0, 60.0, 20.0, 69.0]  # The upper competitive price is 69.
    assert parallel(quotes([70, 65, 69, 69]), costs, 100).level == 0
    assert parallel(quotes([70, 65, 73, 73]), costs, 100).level == 2


def test_buyers_mirror_sellers() -> None:
    rng = np.random.default_rng(3)
    offered = rng.uniform(0, 100, (12, 6))
    values = rng.uniform(10, 90, 6)
    mirrored = parallel(100 - np.roll(offered, 3, axis=1), list(100 - np.roll(values, 3)), 100)
    first = parallel(offered, list(values), 100)
    assert mirrored.level == pytest.approx(first.level)
    assert mirrored.timing == pytest.approx(first.timing)


def test_statistics_do_not_depend_on_the_unit_of_prices() -> None:
    offered = np.random.default_rng(4).uniform(0, 100, (10, 4))
    first, scaled = parallel(offered, VALUES, 100), parallel(10 * offered, [10 * value for value in VALUES], 1000)
    assert scaled.level == pytest.approx(first.level)
    assert scaled.timing == pytest.approx(first.timing)


def test_timing_is_the_level_minus_its_mean_over_all_permutations_of_the_rounds() -> None:
    asks = [(65.0, 66.0), (80.0, 80.0), (62.0, 95.0), (70.0, 61.0)]
    bids = [50.0, 40.0]

    def level(order: tuple[int, ...]) -> float:
        rounds = [[*bids, asks[turn][0], asks[other][1]] for turn, other in enumerate(order)]
        return parallel(quotes(*rounds), VALUES, 100).level

    every = [level(order) for order in permutations(range(4))]
    found = parallel(quotes(*([*bids, *pair] for pair in asks)), VALUES, 100)
    assert found.timing == pytest.approx(2 * (every[0] - np.mean(every)))


def test_seats_that_pass_or_wait_at_the_end_of_the_range_are_not_parallel() -> None:
    assert parallel(quotes([0, 0, 100, 100], [0, 0, np.nan, 100]), VALUES, 100) == Parallel(0.0, 0.0, (0, 1))


def test_p_values_are_ranks_among_the_games_of_each_population() -> None:
    reference = {
        "one": [Parallel(level, 0.0, (0, 1)) for level in (0, 1, 2, 3)],
        "two": [Parallel(level, 5.0, (0, 1)) for level in (0, 0, 0, 2)],
    }
    found = judge(Parallel(2.0, 1.0, (2, 3)), reference)
    # Two of four games of the first population have at least this level, one of four of the second. The timing is
    # exceeded by all games of the second population.
    assert found.level == pytest.approx(3 / 5)
    assert found.timing == pytest.approx(1.0)
    # In the first population the game has the smallest p-value of all by its timing, and in the second, one game has
    # the same p-value by its level, and no game a smaller one.
    assert found.p == pytest.approx(2 / 5)
    assert judge(Parallel(9.0, 9.0, (2, 3)), reference).p == pytest.approx(1 / 5)


def test_p_values_of_games_of_a_population_are_at_most_as_often_small_as_they_say() -> None:
    rng = np.random.default_rng(6)
    for shared in (0.0, 0.9):
        hits = 0
        for _ in range(400):
            common, *apart = rng.normal(size=(3, 40))
            games = [
                Parallel(shared * one + left, shared * one + right, (0, 1))
                for one, left, right in zip(common, *apart, strict=True)
            ]
            hits += judge(games[0], {"all": games[1:]}).p <= 0.05
        # The rate is 5 % but for the few ties of ranks, and the test fails by chance in less than one of 1,000 runs.
        assert hits <= 36


def test_truthful_games_have_no_parallel_excess() -> None:
    rules = DoubleAuctionRules(rounds=3)
    for number in range(20):
        roles = market_roles(8)
        values = draw_values(GameChance(2, number), roles, "uniform", 100, 1, 3.0)
        entries = traders("Truthful", 8, GameChance(2, number))
        assert parallel(play_quotes(given_rules(rules, values), entries, GameChance(2)), values, 100).level == 0


def test_mixed_populations_have_competitive_traders_only() -> None:
    names = {entry.name for number in range(5) for entry in traders("mixed", 6, GameChance(1, number))}
    assert names == set(COMPETITIVE)


@pytest.mark.slow
def test_planted_cartels_are_recovered_where_they_can_raise_prices() -> None:
    rules, values = DoubleAuctionRules(rounds=8), [95.0, 90.0, 40.0, 10.0, 20.0, 35.0]
    reference = competitive_games(rules, values, 39, seed=5)
    found = {}
    for strength in (0.0, 0.5, 1.0):
        cartel = [STRATEGIES["PriceSignal"].with_settings(f"strength={strength:g}")] * 3
        judgements = []
        for number in range(10):
            played = play_quotes(given_rules(rules, values), [STRATEGIES["ZIP"]] * 3 + cartel, GameChance(6, number))
            judgements.append(judge(parallel(played, values, 100), reference).p <= 0.05)
        found[strength] = sum(judgements)
    assert found[0.0] == 0
    assert found[0.5] >= 8
    assert found[1.0] >= 8


@pytest.mark.slow
def test_competitive_games_are_rarely_flagged() -> None:
    rules, flags = DoubleAuctionRules(rounds=5), []
    for number in range(12):
        values = draw_values(GameChance(8, number), market_roles(6), "uniform", 100, 1, 3.0)
        reference = competitive_games(rules, values, 39, seed=100 + number)
        for place, population in enumerate(POPULATIONS):
            chance = GameChance(9, number * len(POPULATIONS) + place)
            played = play_quotes(given_rules(rules, values), traders(population, 6, chance), chance)
            flags.append(judge(parallel(played, values, 100), reference).p <= 0.05)
    assert binomtest(sum(flags), len(flags), 0.06, alternative="greater").pvalue > 0.01


@pytest.mark.slow
def test_a_verdict_on_several_games_is_exact_under_the_null_and_finds_small_shifts() -> None:
    chance = np.random.default_rng(3)

    def game(shift: float) -> tuple[Parallel, dict[str, list[Parallel]]]:
        drawn = [Parallel(*numbers, (0, 1)) for numbers in chance.exponential(size=(20, 2))]
        observed = Parallel(drawn[0].level + shift, drawn[0].timing + shift, (0, 1))
        return observed, {"one": drawn[1:], "other": drawn[1:]}

    def flagged(shift: float, games: int) -> float:
        verdicts = []
        for _ in range(200):
            observed, references = zip(*(game(shift) for _ in range(games)), strict=True)
            verdicts.append(pool(observed, references).p <= 0.05)
        return float(np.mean(verdicts))

    # Four standard errors of a rate of 5 % over 200 verdicts are 6 %.
    assert flagged(0.0, 8) <= 0.11
    assert flagged(0.8, 8) > flagged(0.8, 1) + 0.3


def test_games_that_are_like_all_others_are_never_flagged_together() -> None:
    alike = [Parallel(0.0, 0.0, (0, 1))] * 19
    pooled = pool([alike[0]] * 5, [{"one": alike}] * 5)
    assert pooled.p == 1
    assert set(pooled.populations) == {"one", "changing"}
