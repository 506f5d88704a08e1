"""Tests of pairs of players: step-down by hand, tiers and ranks that follow from the pairs, and the error rate."""

import numpy as np
import polars as pl
import pytest
from scipy.stats import t as student

from coverage_parts import part
from ostrom.analysis.leaderboard import rate_results
from ostrom.analysis.ratings import GameResults, OrderFree, order_free, results_of, results_of_table, tiers
from ostrom.analysis.ratings.ranking import APART, LEAST_GAMES, compare_pairs
from ostrom.core import InputError
from ostrom.core.estimates import Estimate

WORLDS = 120


def rating(theta, errors, *, games=1000, held=None, group=None):
    """Independent strengths with these standard errors."""
    theta = np.asarray(theta, dtype=float)
    many = len(theta)
    return OrderFree(
        names=tuple("abcdefgh"[:many]),
        strengths=tuple(Estimate(float(value), float(value) - 1, float(value) + 1) for value in theta),
        tie_chance=0.1,
        theta=theta,
        covariance=np.diag(np.broadcast_to(np.asarray(errors, dtype=float) ** 2, (many,))),
        games=games,
        held=np.full(many, 50) if held is None else np.asarray(held),
        group=np.zeros(many, dtype=np.int64) if group is None else np.asarray(group),
    )


def test_two_players_differ_by_the_t_test():
    # One pair: the bound is Student's, for a difference of two errors of 1.
    for games in (12, 400):
        bound = student.ppf(0.975, games - 1) * np.sqrt(2)
        result = compare_pairs(rating([bound * 1.05, 0.0], 1.0, games=games), [0, 1])
        assert result.stronger.tolist() == [[False, True], [False, False]]
        assert result.reach == pytest.approx(bound / np.sqrt(2), rel=0.05)
        assert not compare_pairs(rating([bound * 0.95, 0.0], 1.0, games=games), [0, 1]).stronger.any()


def test_what_is_told_apart_first_makes_way_for_more():
    # Tukey's bound is 2.34 √2 errors for three means and 1.96 √2 for the two that are left; the others are far away.
    result = compare_pairs(rating([0.0, 3.0, 30.0], 1.0), [0, 1, 2])
    assert 2.3 < result.reach < 2.4
    assert result.stronger.tolist() == [[False, False, False], [True, False, False], [True, True, False]]


def test_ranks_follow_from_the_pairs_and_hold_together():
    result = tiers(rating([10.0, 9.9, 0.0, -10.0], 1.0))
    assert [(place.name, place.ranks) for place in result] == [
        ("a", (1, 2)),
        ("b", (1, 2)),
        ("c", (3, 3)),
        ("d", (4, 4)),
    ]
    assert [place.tier for place in result] == [1, 1, 2, 3]
    assert [place.differs for place in result] == [False, True, True, False]
    assert result[-1].lead is None


def test_a_tier_opens_where_a_player_differs_from_the_first_of_the_open_one():
    # Neighbours cannot be told apart, the ends can: c differs from a and opens a tier, which d joins.
    result = tiers(rating([6.0, 4.0, 2.0, 0.0], 1.0))
    assert [(place.name, place.tier) for place in result] == [("a", 1), ("b", 1), ("c", 2), ("d", 2)]
    assert [place.differs for place in result] == [False] * 4


def test_tiers_of_another_ranking_follow_its_order():
    result = tiers(rating([6.0, 4.0, 2.0, 0.0], 1.0), ["b", "a", "c", "d"])
    assert [(place.name, place.tier) for place in result] == [("b", 1), ("a", 1), ("c", 1), ("d", 2)]
    with pytest.raises(InputError, match="every rated player once"):
        tiers(rating([1.0, 0.0], 1.0), ["a"])


def test_who_shares_no_player_with_the_others_stands_apart_and_leads_nothing():
    games = [[("a", 1.0), ("b", 0.0)]] * 30 + [[("y", 5.0), ("z", 0.0)]] * 20 + [[("b", 1.0), ("c", 0.0)]] * 30
    result = {place.name: place for place in tiers(order_free(results_of(games)))}
    assert list(result) == ["a", "b", "c", "y", "z"]
    assert [result[name].tier for name in "abc"] == [1, 2, 3]
    for name in "yz":
        assert (result[name].tier, result[name].ranks, result[name].lead, result[name].apart) == (
            None,
            None,
            None,
            APART,
        )


def test_a_player_of_few_games_is_told_apart_from_nobody():
    result = tiers(rating([50.0, 10.0, 0.0], 1.0, held=[LEAST_GAMES - 1, 50, 50]))
    assert [place.name for place in result] == ["b", "c", "a"]
    assert [place.tier for place in result] == [1, 2, None]
    assert [place.ranks for place in result] == [(1, 2), (2, 3), (1, 3)]
    assert [place.differs for place in result] == [True, False, False]


def equals(players, games, seats, ties, chance):
    seated = np.array([chance.choice(players, seats, replace=False) for _ in range(games)])
    scores = chance.standard_normal((games, seats))
    return GameResults(tuple(f"p{i:02}" for i in range(players)), seated, np.round(scores * 2) if ties else scores)


@pytest.mark.slow
@pytest.mark.parametrize(("players", "games", "seats", "ties"), [(9, 40, 5, False), (16, 100, 4, True)])
def test_equals_are_told_apart_in_at_most_one_world_of_twenty(players, games, seats, ties):
    chance = np.random.default_rng(11)
    wrong = sum(
        any(place.tier != 1 for place in tiers(order_free(equals(players, games, seats, ties, chance))))
        for _ in range(WORLDS)
    )
    # At 5 %, 13 or more of 120 come up once in a hundred times; benchmarks/coverage.py has a thousand worlds.
    assert wrong <= 12


def test_players_far_apart_fall_into_tiers_of_their_own_and_equals_share_one():
    chance = np.random.default_rng(7)
    theta = np.asarray([3.0, 3.0, 0.0, 0.0, -3.0])
    seated = np.array([chance.choice(5, 4, replace=False) for _ in range(400)])
    result = tiers(order_free(GameResults(tuple("abcde"), seated, theta[seated] + chance.gumbel(size=seated.shape))))
    assert [place.tier for place in result] == [1, 1, 2, 2, 3]
    assert {place.name for place in result[:2]} == {"a", "b"}


def test_a_table_of_anybodys_results_is_rated():
    table = pl.DataFrame({"game": [1, 1, 2, 2], "player": ["ann", "bob", "ann", "cy"], "score": ["3", "1", "2", "2"]})
    result = results_of_table(table)
    assert (result.names, result.games, result.scores.tolist()) == (("ann", "bob", "cy"), 2, [[3, 1], [2, 2]])
    assert results_of_table(table, lower_is_better=True).scores.tolist() == [[-3, -1], [-2, -2]]
    rated = rate_results(result, passes=10)
    assert {one.rating.name: one.mean_final for one in rated} == {"ann": 2.5, "bob": 1.0, "cy": 2.0}


@pytest.mark.parametrize(
    ("column", "values", "what"),
    [("score", ["3", "x"], "row 2 has no number as its score"), ("player", ["a", None], "row 2 has no player")],
)
def test_a_table_that_says_too_little_is_refused(column, values, what):
    good = {"game": ["1", "1"], "player": ["a", "b"], "score": ["1", "2"]}
    with pytest.raises(InputError, match=what):
        results_of_table(pl.DataFrame({**good, column: values}))
    with pytest.raises(InputError, match=f"no column {column}"):
        results_of_table(pl.DataFrame(good).drop(column))
    with pytest.raises(InputError, match="game '2' has one row"):
        results_of_table(pl.DataFrame({**good, "game": ["1", "2"]}).head(2).with_columns(game=pl.Series(["2", "3"])))


def test_who_has_few_games_stands_behind_the_others_without_tier_and_interval():
    chance = np.random.default_rng(3)
    games = [[(name, float(chance.normal())) for name in ("ann", "ben", "cid")] for _ in range(LEAST_GAMES)]
    games += [[("new", 9.0), ("ann", 0.0)]]  # who won all of the one that it played
    result = tiers(order_free(results_of(games)))
    assert [place.name for place in result][-1] == "new"
    assert [place.provisional for place in result] == [False, False, False, True]
    assert (result[-1].tier, result[-1].strength.low, result[-1].ranks) == (None, None, (1, 4))
    assert all(place.tier is not None and place.strength.low is not None for place in result[:-1])
    assert rate_results(results_of(games), passes=5)[0].rating.name != "new"


def test_intervals_hold_from_ten_games_on_and_below_there_is_none():
    studies = part("ranking")
    (few,) = studies.of_few_games(6, 3)
    assert few.note == "always refused"
    (enough,) = studies.of_few_games(10, WORLDS)
    assert enough.high >= 0.95
    (pairs,) = studies.of_pairs(40, 15)
    assert pairs.rate >= 0.93


def test_tables_that_would_take_hours_are_refused():
    many = pl.DataFrame(
        {"game": ["a"] * 100_000, "player": [f"p{n}" for n in range(100_000)], "score": [1.0] * 100_000}
    )
    with pytest.raises(InputError, match="the table has 100,000 players; ratings are computed for at most 1,000"):
        results_of_table(many)
    long = pl.DataFrame({"game": ["a", "a"] * 500_000, "player": ["p", "q"] * 500_000, "score": [1.0, 2.0] * 500_000})
    with pytest.raises(InputError, match="the table has 1,000,000 rows; ratings are computed for at most 500,000"):
        results_of_table(long)
