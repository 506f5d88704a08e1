"""Intervals against figures done by hand, and against the share of worlds in which they hold the truth."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from ostrom.core.estimates import clustered_mean, jackknife, median, proportion, stratified_mean, stratified_share

WORLDS = 2000


def ones(count):
    return np.ones(count, dtype=np.int64)


@pytest.mark.parametrize(
    ("share", "games", "low", "high"),
    [
        # Wilson's interval with z = 1.959964, done by hand.
        (0.5, 10, 0.236593, 0.763407),
        (0.1, 10, 0.017876, 0.404150),
        (0.0, 10, 0.0, 0.277533),
        (1.0, 10, 0.722467, 1.0),
        (0.0, 1, 0.0, 0.793450),
        (1.0, 1, 0.206550, 1.0),
    ],
)
def test_wilsons_interval_by_hand(share, games, low, high):
    found = proportion(share, games)
    assert found.value == share
    assert (found.low, found.high) == pytest.approx((low, high), abs=2e-6)


@pytest.mark.parametrize(
    ("wins", "games", "low", "high"),
    [(81, 263, 0.2553, 0.3662), (15, 148, 0.0624, 0.1605), (0, 20, 0.0, 0.1611), (1, 29, 0.0061, 0.1718)],
)
def test_wilsons_interval_as_published(wins, games, low, high):
    # Newcombe, "Two-sided confidence intervals for the single proportion", Statistics in Medicine 17 (1998), table I.
    found = proportion(wins / games, games)
    assert (found.low, found.high) == pytest.approx((low, high), abs=6e-5)


def test_wilsons_interval_ends_exactly_at_nothing_and_at_everything():
    assert [games for games in range(1, 200) if proportion(0.0, games).low != 0.0] == []
    assert [games for games in range(1, 200) if proportion(1.0, games).high != 1.0] == []


@given(wins=st.integers(0, 500), losses=st.integers(0, 500))
def test_wilsons_interval_stays_between_nothing_and_everything_and_has_a_width(wins, losses):
    games = wins + losses
    if games == 0:
        return
    found = proportion(wins / games, games)
    assert 0.0 <= found.low <= found.value <= found.high <= 1.0
    assert found.low < found.high


def test_one_value_a_game_gives_the_plain_t_interval():
    values = np.asarray([3.0, 5.0, 4.0, 8.0, 1.0, 6.0])
    found = clustered_mean(values, ones(6))
    half = stats.t.ppf(0.975, 5) * values.std(ddof=1) / math.sqrt(6)
    assert found.value == pytest.approx(4.5)
    assert (found.low, found.high) == pytest.approx((4.5 - half, 4.5 + half), rel=1e-12)


def test_seats_that_show_the_same_count_as_one_game():
    values = np.asarray([3.0, 5.0, 4.0, 8.0, 1.0, 6.0])
    once, thrice = clustered_mean(values, ones(6)), clustered_mean(np.repeat(values, 3), 3 * ones(6))
    assert (thrice.value, thrice.low, thrice.high) == pytest.approx((once.value, once.low, once.high), rel=1e-12)


def test_games_of_unequal_size_follow_the_ratio_estimator():
    values, per_game = np.asarray([1.0, 2.0, 9.0, 4.0, 4.0, 7.0]), np.asarray([2, 1, 3])
    mean = 27 / 6
    sums = [3 - 2 * mean, 9 - mean, 15 - 3 * mean]
    error = math.sqrt(3 / 2 * sum(s * s for s in sums)) / 6
    found = clustered_mean(values, per_game)
    half = stats.t.ppf(0.975, 2) * error
    assert (found.value, found.low, found.high) == pytest.approx((mean, mean - half, mean + half), rel=1e-12)


def test_clustered_intervals_hold_the_mean_in_95_worlds_of_100():
    drawn = np.random.default_rng(20)
    held = 0
    for _ in range(WORLDS):
        per_game = drawn.integers(1, 5, 40)
        shared = np.repeat(drawn.normal(10.0, 3.0, 40), per_game)
        found = clustered_mean(shared + drawn.normal(0.0, 1.0, len(shared)), per_game)
        held += found.low <= 10.0 <= found.high
    assert 0.92 <= held / WORLDS <= 0.98


def test_one_stratum_gives_the_plain_t_interval_and_several_only_their_inner_spread():
    values = np.asarray([3.0, 5.0, 4.0, 8.0, 1.0, 6.0])
    alone, plain = stratified_mean(values, ones(6), 1), clustered_mean(values, ones(6))
    assert (alone.low, alone.high) == pytest.approx((plain.low, plain.high), rel=1e-12)
    found = stratified_mean(np.asarray([1.0, 3.0, 101.0, 103.0]), ones(4), 2)
    # Within each stratum a variance of 2 over two games: the error of the mean is √(2/2 + 2/2) / 2, with 2 degrees.
    half = stats.t.ppf(0.975, 2) * math.sqrt(0.5)
    assert (found.low, found.high) == pytest.approx((52 - half, 52 + half))


def test_a_share_of_whole_wins_in_one_stratum_is_near_wilsons_interval():
    won = np.asarray([1.0] * 12 + [0.0] * 28)
    found, wilson = stratified_share(won, ones(40), 1), proportion(0.3, 40)
    assert (found.low, found.high) == pytest.approx((wilson.low, wilson.high), abs=0.01)


def test_wins_that_are_always_shared_are_no_coin_tosses():
    shared = stratified_share(np.full(40, 1 / 3), ones(40), 1)
    assert shared.value == pytest.approx(1 / 3)
    assert shared.low == pytest.approx(1 / 3 - (1 - 0.025 ** (1 / 40)))
    assert shared.high - shared.low < 0.7 * (proportion(1 / 3, 40).high - proportion(1 / 3, 40).low)


def test_stratified_intervals_hold_the_mean_in_95_worlds_of_100():
    drawn = np.random.default_rng(21)
    chances = np.asarray([0.02, 0.3, 0.5, 0.9, 1.0, 0.0])
    centres = np.asarray([0.0, 5.0, 20.0, 50.0, 60.0, 200.0])
    held, shares = 0, 0
    for _ in range(WORLDS):
        found = stratified_mean((centres[:, None] + drawn.normal(0, 3, (6, 8))).ravel(), ones(48), 6)
        held += found.low <= centres.mean() <= found.high
        share = stratified_share((drawn.random((6, 8)) < chances[:, None]).astype(float).ravel(), ones(48), 6)
        shares += share.low <= chances.mean() <= share.high
    assert 0.93 <= held / WORLDS <= 0.97
    assert 0.93 <= shares / WORLDS <= 0.99


def test_the_jackknife_of_a_mean_is_its_standard_error():
    values = np.asarray([3.0, 5.0, 4.0, 8.0, 1.0, 6.0])
    error, freedom = jackknife(float(values.mean()), (values.sum() - values) / 5)
    assert (error, freedom) == (pytest.approx(values.std(ddof=1) / math.sqrt(6)), 5)


@pytest.mark.parametrize(("games", "rank"), [(6, 1), (8, 1), (9, 2), (10, 2), (20, 6), (25, 8), (100, 40)])
def test_the_medians_interval_lies_between_the_tabled_order_statistics(games, rank):
    # Ranks as tabled for the sign test at 95 %: the greatest k with P(Bin(n, 1/2) < k) at most 2.5 %.
    values = np.random.default_rng(games).permutation(np.arange(1.0, games + 1))
    found = median(values, games)
    assert found.value == (games + 1) / 2
    assert (found.low, found.high) == (rank, games + 1 - rank)


@pytest.mark.parametrize("games", [7, 15, 60])
def test_the_medians_interval_holds_it_in_at_least_94_worlds_of_100(games):
    drawn = np.random.default_rng(games)
    held = 0
    for _ in range(WORLDS):
        found = median(drawn.exponential(1.0, games), games)
        held += found.low <= math.log(2) <= found.high
    assert held / WORLDS >= 0.94


def test_the_medians_interval_holds_it_where_seats_of_a_game_are_alike():
    drawn = np.random.default_rng(30)
    held = 0
    for _ in range(WORLDS):
        shared = np.repeat(drawn.normal(0.0, 3.0, 30), 3)
        found = median(shared + drawn.normal(0.0, 0.5, 90), 30)
        held += found.low <= 0.0 <= found.high
    assert held / WORLDS >= 0.94


def test_one_game_has_a_mean_and_the_reason_for_no_interval():
    found = clustered_mean(np.asarray([2.0, 4.0]), np.asarray([2]))
    assert (found.value, found.low, found.high) == (3.0, None, None)
    assert "fewer than 2 games" in found.reason
    assert set(found.as_record()) == {"value", "low", "high", "reason"}


@pytest.mark.parametrize("games", [1, 2, 5])
def test_a_median_of_few_games_has_the_reason_for_no_interval(games):
    found = median(np.arange(float(games)), games)
    assert (found.value, found.low, found.high) == ((games - 1) / 2, None, None)
    assert "fewer than 6 games" in found.reason
