"""Rating methods beside the usual ones, on results whose truth is known."""

import numpy as np
import polars as pl
import pytest

from ostrom.analysis.leaderboard import rate_results
from ostrom.analysis.ratings import choose_method, order_free, results_of, results_of_table, tiers
from ostrom.analysis.ratings.covariates import adjust_for_columns, with_covariates
from ostrom.analysis.ratings.methods.alpha_rank import alpha_rank_of
from ostrom.analysis.ratings.methods.davidson import davidson
from ostrom.analysis.ratings.methods.nash_averaging import equilibrium_of_greatest_entropy
from ostrom.analysis.ratings.methods.plackett_luce import plackett_luce
from ostrom.core import InputError


def beats(*pairs):
    return results_of([[(one, 1.0), (other, 0.0)] for one, other in pairs for _ in range(12)])


CYCLE = beats(("rock", "scissors"), ("scissors", "paper"), ("paper", "rock"))
ORDER = beats(("c", "b"), ("c", "a"), ("b", "a"))


def ratings_by(method, results):
    return {name: float(rating) for name, rating in choose_method(method).fit(results).estimates.items()}


def test_nash_averaging_gives_thirds_to_a_cycle_and_all_to_the_first_of_an_order():
    assert list(ratings_by("nash-averaging", CYCLE).values()) == pytest.approx([1 / 3] * 3)
    assert ratings_by("nash-averaging", ORDER) == pytest.approx({"a": 0, "b": 0, "c": 1})


def test_nash_averaging_does_not_reward_copies():
    # The example of Balduzzi et al.: rock, paper, scissors with a second scissors, which shares its weight.
    net = np.array([[0, 1, -1, -1], [-1, 0, 1, 1], [1, -1, 0, 0], [1, -1, 0, 0]], dtype=float)
    assert equilibrium_of_greatest_entropy(net) == pytest.approx([1 / 3, 1 / 3, 1 / 6, 1 / 6], abs=1e-6)
    assert equilibrium_of_greatest_entropy(np.zeros((4, 4))) == pytest.approx([0.25] * 4)


def test_nash_averaging_is_an_equilibrium_of_random_games():
    generator = np.random.default_rng(5)
    for size in (2, 5, 9, 20):
        net = np.triu(generator.normal(size=(size, size)), 1)
        net = net - net.T
        shares = equilibrium_of_greatest_entropy(net)
        assert shares.sum() == pytest.approx(1)
        assert (net @ shares).max() < 1e-5


def test_alpha_rank_spends_its_time_evenly_in_a_cycle_and_at_the_first_of_an_order():
    assert list(ratings_by("alpha-rank", CYCLE).values()) == pytest.approx([1 / 3] * 3)
    strong = ratings_by("alpha-rank:alpha=100", ORDER)
    assert strong == pytest.approx({"a": 0, "b": 0, "c": 1}, abs=1e-9)


def test_alpha_rank_of_two_follows_from_their_fixation_probabilities():
    # The ratio of both fixation probabilities is exp((m - 1) α d), where d is the difference of the payoffs.
    shares = alpha_rank_of(np.array([[0, 0.2], [-0.2, 0]]), alpha=0.5, population=10)
    assert shares[0] / shares[1] == pytest.approx(np.exp(9 * 0.5 * 0.1))


def test_shares_say_why_they_have_no_interval_and_need_all_pairs():
    for method in ("nash-averaging", "alpha-rank"):
        fit = choose_method(method).fit(CYCLE)
        assert all(estimate.low is None and "no interval" in estimate.reason for estimate in fit.estimates.values())
        with pytest.raises(InputError, match="a and c never met"):
            choose_method(method).fit(beats(("a", "b"), ("b", "c")))


def of_strengths(theta, games, seats, seed, *, ties=False):
    """Games whose order is drawn by the Plackett–Luce model."""
    generator = np.random.default_rng(seed)
    names = [f"p{place}" for place in range(len(theta))]
    rows = []
    for _ in range(games):
        seated = generator.choice(len(theta), size=seats, replace=False)
        scores = np.asarray(theta)[seated] + generator.gumbel(size=seats)
        if ties:
            scores = np.round(scores)
        rows.append([(names[player], score) for player, score in zip(seated, scores, strict=True)])
    return results_of(rows)


def test_plackett_luce_recovers_the_strengths_that_drew_the_orders():
    truth = np.array([1.0, 0.5, 0.0, -0.5, -1.0])
    rating = plackett_luce(of_strengths(truth, 1500, 4, 1))
    assert rating.theta == pytest.approx(truth, abs=0.15)
    places = [place.tier for place in tiers(rating)]
    assert places == [1, 2, 3, 4, 5]


def test_davidson_without_covariates_has_the_order_free_strengths():
    results = of_strengths([1.0, 0.4, 0.0, -0.6], 120, 3, 2, ties=True)
    assert davidson(results).theta == pytest.approx(order_free(results).theta, abs=1e-6)
    assert np.sqrt(np.diag(davidson(results).covariance)) == pytest.approx(
        np.sqrt(np.diag(order_free(results).covariance)), rel=0.05
    )


def test_a_comparison_of_two_without_ties_is_the_same_in_both_models():
    results = of_strengths([0.6, 0.0, -0.6], 200, 2, 3)
    assert plackett_luce(results).theta == pytest.approx(davidson(results).theta, abs=0.01)


@pytest.mark.parametrize("fit", [davidson, plackett_luce])
def test_an_advantage_of_a_role_is_not_credited_to_the_player_who_has_it_more_often(fit):
    generator = np.random.default_rng(4)
    games, roles, private = [], [], []
    for number in range(800):
        first = "often" if number % 4 else "seldom"
        second = "seldom" if number % 4 else "often"
        values = generator.normal(size=2)
        latent = np.array([1.5, 0.0]) + 0.5 * values + generator.gumbel(size=2)
        games.append([(first, latent[0]), (second, latent[1])])
        roles.append(["seller", "buyer"])
        private.append(values.tolist())
    results = results_of(games)
    plain = {name: float(value) for name, value in fit(results).estimates.items()}
    assert plain["often"] - plain["seldom"] > 0.5
    adjusted = fit(with_covariates(results, [("role", roles), ("private value", private)]))
    assert adjusted.theta == pytest.approx([0, 0], abs=0.15)
    effects = dict(adjusted.effects)
    assert effects["role=seller"].low <= 1.5 <= effects["role=seller"].high
    assert effects["private value"].low <= 0.5 <= effects["private value"].high


def test_covariates_come_from_columns_of_a_table():
    table = pl.DataFrame(
        {
            "game": [number for number in range(20) for _ in range(2)],
            "player": ["a", "b"] * 20,
            "score": [float(number % 3 > 0) if seat == 0 else 0.5 for number in range(20) for seat in range(2)],
            "words": [str(number * (1 + seat)) for number in range(20) for seat in range(2)],
        }
    )
    results = adjust_for_columns(results_of_table(table), table, ["words"])
    assert results.covariate_names == ("words",)
    rated = rate_results(results, passes=2, method="davidson")
    assert [name for name, _ in rated[0].effects] == ["words"]
    with pytest.raises(InputError, match="no column letters"):
        adjust_for_columns(results_of_table(table), table, ["letters"])
    with pytest.raises(InputError, match="order-free does not adjust for covariates; choose davidson or plackett-luce"):
        rate_results(results, passes=2, method="order-free")


def test_covariates_that_say_nothing_are_refused():
    results = results_of([[("a", 1.0), ("b", 0.0)]])
    with pytest.raises(InputError, match="all seats have the same role"):
        with_covariates(results, [("role", [["x", "x"]])])
    with pytest.raises(InputError, match="a seat has no value"):
        with_covariates(results, [("value", [[1.0, None]])])
    with pytest.raises(InputError, match="not a finite number"):
        with_covariates(results, [("value", [["inf", "1"]])])
