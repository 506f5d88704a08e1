"""The rating by payoff: relative to the others in the same role with the same draws, with tiers that hold."""

from dataclasses import replace

import numpy as np
import pytest
from payoff_worlds import study, world

from ostrom.analysis.leaderboard import rate_results
from ostrom.analysis.rating_settings import BY_AIM, RatingSettings
from ostrom.analysis.ratings import GameResults, results_of, tiers
from ostrom.analysis.ratings.methods.payoff import PAYOFF, rate_by_payoff
from ostrom.core.plugins import GAMES


def test_the_player_with_the_highest_payoff_leads_and_not_the_one_that_ends_ahead():
    # Hard bargainers end ahead of the others in every game that they agree in, and often agree in none.
    games = []
    for number in range(40):
        mild = 50.0 if number % 4 else 40.0
        games += [[("mild", 50.0), ("even", mild)], [("hard", 12.0 if number % 5 == 0 else 1.0), ("mild", 0.0)]]
        games += [[("even", mild), ("hard", mild + 1)] if number % 10 == 0 else [("even", 0.0), ("hard", 1.0)]]
    rated = rate_results(results_of(games), method=PAYOFF.name)
    assert rated[-1].rating.name == "hard"
    by_rank = rate_results(results_of(games), method="order-free")
    assert by_rank[0].rating.name == "hard"
    assert rated[0].method_rating is not None
    assert rated[0].place.tier == 1
    assert rated[-1].place.tier > 1


def test_players_are_compared_in_the_same_role_with_the_same_draws():
    generator = np.random.default_rng(3)
    rows, scores, draws = [], [], []
    for draw in range(12):
        value = generator.normal(0, 100)
        for table in ((0, 1), (1, 0)):
            rows.append(table)
            scores.append([value + 3 * table[0], 1000 - value + 3 * table[1] + generator.normal(0, 0.1)])
            draws.append(draw)
    roles = np.tile([0, 1], (len(rows), 1))
    rating = rate_by_payoff(GameResults(("a", "b"), np.array(rows), np.array(scores), roles, np.array(draws)))
    assert rating.units == 12
    assert rating.theta == pytest.approx([-1.5, 1.5], abs=0.1)
    assert float(np.sqrt(rating.covariance[0, 0])) < 0.1
    assert [place.tier for place in tiers(rating)] == [1, 2]


def test_roles_have_equal_weight():
    generator = np.random.default_rng(1)
    games, roles = [], []
    for number in range(60):
        # "a" is good in the first role and has most of its games there; "b" is as good in the second.
        first, second = ("a", "b") if number % 3 else ("b", "a")
        noise = generator.normal(0, 0.1, 2)
        games.append(
            [(first, (4.0 if first == "a" else 0.0) + noise[0]), (second, (4.0 if second == "b" else 0.0) + noise[1])]
        )
        roles.append([0, 1])
    rating = rate_by_payoff(results_of(games, roles))
    assert rating.theta == pytest.approx([0, 0], abs=0.1)
    results = results_of(games, roles)
    assert results.mean_scores() == pytest.approx([2, 2], abs=0.1)


def test_a_unit_is_left_out_exactly():
    results = world(np.random.default_rng(5), np.linspace(-1, 1, 4), 40, mirrored=False)
    results = replace(results, clusters=results.draws)  # tables of two players are no strata then
    rating = rate_by_payoff(results)
    shifts = []
    for unit in np.unique(results.draws):
        rest = results.draws != unit
        without = GameResults(
            results.names,
            results.players[rest],
            results.scores[rest],
            results.roles[rest],
            results.draws[rest],
            results.draws[rest],
        )
        shifts.append(rating.theta - rate_by_payoff(without).theta)
    assert np.asarray(shifts).T @ np.asarray(shifts) == pytest.approx(rating.covariance, rel=1e-5)


def test_the_method_follows_the_aim_of_the_game():
    settings = RatingSettings()
    assert settings.method == BY_AIM
    assert settings.for_game(GAMES["ultimatum"]).method == PAYOFF.name
    assert settings.for_game(GAMES["commons"]).method == "trueskill"
    chosen = RatingSettings(method="order-free")
    assert chosen.for_game(GAMES["ultimatum"]) is chosen


def test_equal_players_share_a_tier_in_a_few_worlds():
    several, covered, _ = study(40, np.zeros(5), 80, unequal=True)
    assert several <= 0.15
    assert covered >= 0.9


@pytest.mark.slow
@pytest.mark.parametrize(("players", "games", "seats"), [(4, 60, 2), (8, 120, 4)])
@pytest.mark.parametrize("unequal", [False, True])
@pytest.mark.parametrize("mirrored", [False, True])
def test_equal_players_share_a_tier(players, games, seats, unequal, mirrored):
    settings = {"seats": seats, "unequal": unequal, "mirrored": mirrored}
    several, covered, _ = study(1000, np.zeros(players), games, **settings)
    power = study(100, np.linspace(-1.5, 1.5, players), games, seed=2, **settings)[2]
    print(
        f"{players} players, {games} games of {seats}, {settings}: {several:.1%} with more than one tier among equals, "
        f"coverage {covered:.1%}, best and worst told apart in {power:.0%}"
    )
    assert several <= 0.06
    assert covered >= 0.93


@pytest.mark.slow
def test_mirrored_games_tell_planted_differences_apart_more_often():
    effects = np.linspace(-1.5, 1.5, 8)
    alone = study(200, effects, 200, mirrored=False)[2]
    mirrored = study(200, effects, 200, mirrored=True)[2]
    assert mirrored > alone + 0.15
    assert mirrored > 0.35
