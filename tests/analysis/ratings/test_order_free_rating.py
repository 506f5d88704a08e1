"""The order-free rating: figures computed by hand, recovery of known strengths, and the coverage of intervals."""

import math

import numpy as np
import pytest

from ostrom.analysis.ratings import order_free, results_of
from ostrom.analysis.ratings.methods.order_free import PRIOR, comparisons, fit, moved_by_units
from ostrom.core import InputError

WORLDS = 150


def ranked_games(theta, games, seats, chance):
    """Games ranked as Plackett and Luce have it, log strengths with Gumbel noise: every pair then follows Bradley and
    Terry."""
    names = [f"p{i}" for i in range(len(theta))]
    tables = [chance.choice(len(theta), seats, replace=False) for _ in range(games)]
    return results_of([[(names[i], theta[i] + chance.gumbel()) for i in table] for table in tables])


def test_two_players_stand_at_the_log_odds_and_ties_at_their_share():
    # 60 wins, 20 losses, 40 draws: e^x : e^-x : ν = 60 : 20 : 40, so θa - θb = log 3 and ν = 40 / √1200.
    game = {"won": (1.0, 0.0), "lost": (0.0, 1.0), "drew": (1.0, 1.0)}
    played = ["won"] * 60 + ["lost"] * 20 + ["drew"] * 40
    result = order_free(results_of([[("a", game[how][0]), ("b", game[how][1])] for how in played]))
    nu = 40 / math.sqrt(1200)
    assert result.theta[0] - result.theta[1] == pytest.approx(math.log(3), abs=0.005)
    assert result.tie_chance == pytest.approx(nu / (2 + nu), abs=0.001)


def test_strengths_are_centred_and_the_slope_vanishes_there():
    results = ranked_games(np.linspace(-1, 1, 6), 40, 4, np.random.default_rng(1))
    result = comparisons(results)
    theta, log_nu = (part[0] for part in fit(result, np.ones((1, results.games))))
    assert theta.sum() == pytest.approx(0, abs=1e-9)

    def height(theta):
        x = (theta[:, None] - theta) / 2
        ahead = result.ahead.sum(axis=1).reshape(6, 6)
        log_win = x - np.log(np.exp(x) + np.exp(-x) + np.exp(log_nu))
        return (ahead * log_win).sum() - (theta**2).sum() / (2 * PRIOR**2)

    for player in range(6):
        nudge = np.eye(6)[player] * 1e-3
        assert height(theta) > max(height(theta + nudge), height(theta - nudge))


def test_the_order_of_games_and_of_seats_does_not_matter():
    chance = np.random.default_rng(2)
    games = [[("abcde"[i], float(chance.integers(0, 4))) for i in chance.permutation(5)[:3]] for _ in range(30)]
    one = order_free(results_of(games))
    two = order_free(results_of([game[::-1] for game in games[::-1]]))
    np.testing.assert_allclose(one.theta, two.theta, atol=1e-9)


def test_many_weightings_at_once_are_each_fitted_as_if_alone():
    results = ranked_games(np.linspace(-1, 1, 5), 30, 3, np.random.default_rng(3))
    weights = np.random.default_rng(4).integers(0, 3, (7, 30)).astype(float)
    result = comparisons(results)
    together = fit(result, weights)
    for row in range(7):
        np.testing.assert_allclose(together.theta[row], fit(result, weights[[row]]).theta[0], atol=1e-9)


def test_who_wins_everything_stays_finite():
    result = order_free(results_of([[("a", 2.0), ("b", 1.0), ("c", 0.0)]] * 50))
    assert result.theta[0] > result.theta[1] > result.theta[2]
    assert np.isfinite(result.covariance).all()


def test_copies_meet_the_others_and_not_themselves():
    alone = comparisons(results_of([[("a", 2.0), ("a", 1.0)]]))
    assert alone.ahead.sum() + alone.tied.sum() == 0
    twice = comparisons(results_of([[("a", 3.0), ("b", 2.0), ("a", 1.0)]]))
    assert twice.ahead.sum(axis=1).tolist() == [0, 1, 1, 0]


@pytest.mark.slow
def test_intervals_hold_known_strengths_as_often_as_they_say():
    theta = np.asarray([1.0, 0.5, 0.2, -0.1, -0.6, -1.0])
    chance = np.random.default_rng(5)
    held = []
    for _ in range(WORLDS):
        result = order_free(ranked_games(theta, 80, 4, chance))
        held.append([one.low <= truth <= one.high for one, truth in zip(result.strengths, theta, strict=True)])
    # 95 %, give or take what 900 intervals in this many worlds show.
    assert 0.93 <= np.mean(held) <= 0.975


def test_what_a_game_moves_is_what_leaving_it_out_would_change():
    results = ranked_games(np.linspace(-1, 1, 5), 60, 4, np.random.default_rng(9))
    result = comparisons(results)
    whole = fit(result, np.ones((1, 60)))
    without = fit(result, 1 - np.eye(60)).theta
    # One step of Newton's falls short of the whole way by the square of the step.
    np.testing.assert_allclose(moved_by_units(result, whole, np.arange(60)), whole.theta - without, atol=0.01)


def test_players_linked_by_a_chain_of_games_form_a_group():
    chain = [[("a", 1.0), ("b", 0.0)], [("b", 1.0), ("c", 0.0)], [("y", 1.0), ("z", 0.0)]]
    result = order_free(results_of(chain))
    assert dict(zip(result.names, result.group.tolist(), strict=True)) == {"a": 0, "b": 0, "c": 0, "y": 1, "z": 1}


def test_many_games_find_the_strengths():
    theta = np.linspace(-1.5, 1.5, 8)
    result = order_free(ranked_games(theta, 5000, 5, np.random.default_rng(6)))
    np.testing.assert_allclose(result.theta, theta, atol=0.1)


def test_one_game_gives_a_strength_and_says_why_it_has_no_interval():
    result = order_free(results_of([[("a", 2.0), ("b", 1.0)]]))
    assert [one.low for one in result.strengths] == [None, None]
    assert "no interval" in result.strengths[0].reason


def test_nothing_to_compare_is_refused():
    with pytest.raises(InputError, match="no two players met"):
        order_free(results_of([[("a", 1.0), ("a", 2.0)]]))
