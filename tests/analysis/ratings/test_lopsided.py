"""Tiers where results are lopsided, links are thin, games share their draws, or the results decided who met whom."""

import numpy as np
import pytest

from ostrom.analysis.design import raked
from ostrom.analysis.ratings import GameResults, order_free, results_of, tiers
from ostrom.analysis.ratings.ranking import compare_pairs

WORLDS = 60


def told_apart(results, some=None):
    """Whether any pair of these players is told apart."""
    rating = order_free(results)
    players = range(len(results.names)) if some is None else [results.names.index(name) for name in some]
    return bool(compare_pairs(rating, list(players)).stronger.any())


def wins(player, other, won, lost):
    return [[(player, 1.0), (other, 0.0)]] * won + [[(player, 0.0), (other, 1.0)]] * lost


def against_one(players, chance, games=30, share=0.9):
    """Equal players who each meet one common opponent."""
    won = chance.binomial(games, share, players)
    rows = [game for player, count in enumerate(won) for game in wins(f"p{player:02}", "z", count, games - count)]
    return results_of(rows)


def linked(links, chance, size=4, games=60):
    """Two groups of equal players, each with its own games, and this many games between them."""
    inside = [chance.permutation(size)[:2] + group * size for group in (0, 1) for _ in range(games)]
    between = np.stack([chance.integers(size, size=links), size + chance.integers(size, size=links)], axis=1)
    seated = np.concatenate([inside, between])
    return GameResults(tuple("abcdefgh"[: 2 * size]), seated, chance.standard_normal(seated.shape))


def test_twelve_wins_and_eleven_are_one_tier():
    places = tiers(order_free(results_of(wins("a", "c", 12, 0) + wins("b", "c", 11, 1))))
    assert {place.name: place.tier for place in places if place.name != "c"} == {"a": 1, "b": 1}


def test_thirty_wins_and_fifteen_are_not():
    places = tiers(order_free(results_of(wins("a", "c", 30, 0) + wins("b", "c", 15, 15))))
    assert places[0].name == "a"
    assert places[0].differs
    assert places[0].lead.low >= 0


def test_a_strength_that_no_game_changes_has_an_interval_all_the_same():
    strength = next(one for one in tiers(order_free(results_of(wins("a", "b", 30, 0)))) if one.name == "a").strength
    assert strength.high - strength.low > 2


@pytest.mark.parametrize("share", [0.9, pytest.param(0.97, marks=pytest.mark.slow)])
def test_equals_against_one_opponent_are_one_tier(share):
    chance = np.random.default_rng(1)
    some = [f"p{player:02}" for player in range(8)]
    wrong = sum(told_apart(against_one(8, chance, share=share), some) for _ in range(WORLDS))
    assert wrong / WORLDS <= 0.1


@pytest.mark.parametrize("links", [1, *(pytest.param(links, marks=pytest.mark.slow) for links in (3, 5))])
def test_groups_of_equals_with_a_thin_link_are_one_tier(links):
    chance = np.random.default_rng(2)
    assert sum(told_apart(linked(links, chance)) for _ in range(WORLDS)) / WORLDS <= 0.1


@pytest.mark.slow
def test_games_of_one_cluster_are_one_observation():
    chance = np.random.default_rng(3)
    wrong = np.zeros(2)
    for _ in range(WORLDS):
        seeds = np.repeat(np.arange(20), 9)
        seated = np.asarray([chance.permutation(4)[:2] for _ in seeds])
        luck = chance.standard_normal((20, 4))
        scores = luck[seeds[:, None], seated] + chance.standard_normal(seated.shape)
        for place, clusters in enumerate((None, seeds)):
            wrong[place] += told_apart(GameResults(tuple("abcd"), seated, scores, clusters=clusters))
    assert wrong[0] / WORLDS > 0.15
    assert wrong[1] / WORLDS <= 0.1


def test_the_possible_firsts_are_those_that_no_other_beats():
    games = wins("a", "b", 20, 18) + wins("a", "c", 35, 5) + wins("b", "c", 35, 5)
    assert {place.name for place in tiers(order_free(results_of(games))) if place.first} == {"a", "b"}


def test_pairs_count_equally_where_results_decided_who_met_whom():
    # Rock, paper, scissors: equals, but a meets the one that it beats ten times as often.
    games = wins("a", "b", 100, 20) + wins("b", "c", 10, 2) + wins("c", "a", 10, 2)
    as_played, weighted = (order_free(results_of(games, weighted=on)) for on in (False, True))
    assert as_played.theta[0] > as_played.theta[1] + 0.5
    assert np.ptp(weighted.theta) < 0.01


def test_weighted_means_are_those_of_a_balanced_schedule():
    games = [[("a", 9.0), ("b", 1.0)]] * 30 + [[("a", 1.0), ("c", 2.0)]] * 3 + [[("b", 4.0), ("c", 5.0)]] * 6
    assert results_of(games).mean_scores()[0] == pytest.approx((30 * 9 + 3) / 33)
    assert results_of(games, weighted=True).mean_scores() == pytest.approx([5.0, 2.5, 3.5])


def test_raking_gives_all_co_players_the_same_weight():
    chance = np.random.default_rng(4)
    others = [chance.choice(6, 3, replace=False, p=[0.4, 0.2, 0.1, 0.1, 0.1, 0.1]) for _ in range(80)]
    weight = raked(others)
    total = np.bincount(np.concatenate(others), weights=np.repeat(weight, 3))
    assert np.ptp(total) / total.mean() < 0.001
    assert weight.mean() == pytest.approx(1)
