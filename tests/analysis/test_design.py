"""The design of the games of a board: what it does to weights and bounds, and what a figure is about."""

from itertools import combinations
from types import SimpleNamespace

import numpy as np
import polars as pl
import pytest

from ostrom.analysis.design import Design, anytime, design_of, estimand, weights_of
from ostrom.analysis.intervals import stretch
from ostrom.analysis.leaderboard import rate_results
from ostrom.analysis.measures import ratio_of
from ostrom.analysis.pooling import _linked_rosters
from ostrom.analysis.ratings import order_free, results_of
from ostrom.analysis.ratings.model_fit import check_model, strengths_of
from ostrom.analysis.tables import GameTables

PAIRS = list(combinations("abcd", 2))


def plan(games, **settings):
    return {"x-1": {"game": "commons", "games": games, "schedule": 3, **settings}}


def test_a_whole_experiment_has_the_usual_bounds():
    assert design_of("commons", {"x-1": 100}, plan(100)) == Design()
    assert design_of("commons", {"x-1": 100}, {"x-1": {}}) == Design()


def test_after_a_stopping_rule_bounds_hold_at_every_look():
    design = design_of("commons", {"x-1": 40}, plan(150, until="tiers >= 2"))
    assert design.stretch > stretch((40,))
    assert design.confidence > 0.95
    assert "tiers >= 2" in design.said


def test_an_experiment_that_was_ended_by_hand_has_bounds_for_any_number_of_games():
    design = design_of("commons", {"x-1": 40}, plan(150))
    assert design.stretch == design.factor == anytime()
    assert "40 of 150 planned games" in design.said
    assert design_of("commons", {"x-1": 150}, plan(150, added=[{}])).stretch == anytime()


def test_a_confidence_sequence_holds_at_all_numbers_of_games_together():
    steps = np.random.default_rng(1).standard_normal((4000, 200))
    walk = np.abs(np.cumsum(steps, axis=1) / np.sqrt(np.arange(1, 201)))
    once, ever = walk > 1.96, walk > 1.96 * anytime()
    assert once[:, 50:].any(axis=1).mean() > 0.15
    assert ever[:, 50:].any(axis=1).mean() < 0.05


def test_a_line_says_who_met_whom():
    assert estimand(PAIRS * 3) == "About: 4 players in 18 games with 2 seats; opponents balanced."
    line = estimand(PAIRS * 3, Design(rules="noise 0.1"), "Repeated game")
    assert line == "About: 4 players in 18 games of Repeated game with 2 seats; opponents balanced; rules: noise 0.1."
    assert estimand([("a", "b"), ("c", "d")] * 9).endswith(
        "opponents as scheduled, not balanced, 4 of 6 pairs never met."
    )
    assert "means are weighted to balanced" in estimand(PAIRS, Design(adaptive=True))


def tables(games, design):
    rows = [
        (f"g{number}", seat, player, final)
        for number, game in enumerate(games)
        for seat, (player, final) in enumerate(game)
    ]
    seats = pl.DataFrame(rows, ["game", "seat", "player", "final"], orient="row")
    return GameTables(seats.select("game").unique(maintain_order=True), seats, design=design)


def test_means_of_an_adaptive_schedule_are_those_against_each_opponent_alike():
    games = [[("a", 9.0), ("b", 1.0)]] * 30 + [[("a", 1.0), ("c", 2.0)]] * 10 + [[("b", 4.0), ("c", 5.0)]] * 10
    for design, mean in ((Design(), 7.0), (Design(adaptive=True), 5.0)):
        own = tables(games, design)
        assert ratio_of(own, own.seats, ("player",), "final").estimates()["value"][0] == pytest.approx(mean)
    assert weights_of(own.seats).height == 100


def test_differences_between_opponents_are_no_chance_where_an_adaptive_schedule_is_weighted():
    chance, level = np.random.default_rng(4), {"a": 0.0, "b": 100.0, "c": 200.0}
    pairs = [("a", "b")] * 30 + [("a", "c")] * 10 + [("b", "c")] * 10
    games = [[(one, level[other] + chance.normal()) for one, other in (pair, pair[::-1])] for pair in pairs]
    own = tables(games, Design(adaptive=True))
    frame = ratio_of(own, own.seats, ("player",), "final").estimates()
    assert (frame["high"] - frame["low"]).max() < 2
    assert frame["value"].to_list() == pytest.approx([150, 100, 50], abs=1)


def test_intervals_are_longer_where_the_end_was_chosen():
    chance = np.random.default_rng(2)
    games = [[("a", float(chance.normal())), ("b", float(chance.normal()))] for _ in range(40)]
    usual, longer = (
        ratio_of(own, own.seats, ("player",), "final").estimates()
        for own in (tables(games, Design(stretch=by)) for by in (1, 1.5))
    )
    width = [(frame["high"] - frame["low"])[0] for frame in (usual, longer)]
    assert width[1] == pytest.approx(1.5 * width[0])


def test_fewer_pairs_are_told_apart_where_the_end_was_chosen():
    games = [[("a", 1.0), ("b", 0.0)]] * 26 + [[("a", 0.0), ("b", 1.0)]] * 12
    results = results_of(games)
    assert [one.place.tier for one in rate_results(results, method="order-free", passes=2)] == [1, 2]
    rated = rate_results(results, method="order-free", passes=2, design=Design(factor=anytime()))
    assert [one.place.tier for one in rated] == [1, 1]


def pair(one, other, won, games=40):
    return [[(one, 1.0), (other, 0.0)]] * won + [[(one, 0.0), (other, 1.0)]] * (games - won)


def circle(names, ahead):
    """Games in which each player beats the next half of a circle in this share of games."""
    games = []
    for place, one in enumerate(names):
        for step in range(1, len(names) // 2 + 1):
            games += pair(one, names[(place + step) % len(names)], round(40 * ahead))
    return games


def test_mean_results_order_players_where_no_order_describes_who_beats_whom():
    results = results_of(circle("abcde", 0.9))
    fit = check_model(results, order_free(results))
    assert fit.fails
    assert fit.by_share
    assert fit.intransitive == 5
    assert "mean result against the other players" in fit.sentence
    rated = rate_results(results, method="order-free", passes=2)
    assert {one.place.tier for one in rated} == {1}
    assert all(one.place.first for one in rated)
    ahead = [game for name in "abcde" for game in pair("z", name, 36)]
    rated = rate_results(results_of(circle("abcde", 0.9) + ahead), method="order-free", passes=2)
    assert [one.rating.name for one in rated if one.place.tier == 1] == ["z"]
    assert {one.place.tier for one in rated} == {1, 2}


def test_numbers_of_meetings_do_not_change_the_order_by_mean_results():
    # Against each opponent alike, d has half of the wins, and b 57 %; but d meets a, whom it beats, ten times as often.
    games = circle("abc", 0.9) + pair("d", "a", 36) * 10 + pair("d", "b", 12) + pair("d", "c", 12)
    results = results_of(games)
    rating, model = strengths_of(results)
    assert model.by_share
    a, b, c, d = rating.theta
    assert a < d < min(b, c)
    assert order_free(results).theta[3] > max(order_free(results).theta[:3])


def test_no_tiers_where_no_order_describes_results_and_pairs_never_met():
    results = results_of(circle("abcde", 0.9) + pair("z", "a", 20))
    assert check_model(results, order_free(results)).without_order
    rated = rate_results(results, method="order-free", passes=2)
    assert {one.place.tier for one in rated} == {None}
    assert "head to head" in rated[0].place.apart


def test_strengths_explain_results_that_were_drawn_from_them():
    chance, theta = np.random.default_rng(3), np.linspace(1, -1, 6)
    chances = []
    for _ in range(40):
        games = []
        for one, other in combinations(range(6), 2):
            won = chance.binomial(30, 1 / (1 + np.exp(theta[other] - theta[one])))
            games += [[(f"p{one}", 1.0), (f"p{other}", 0.0)]] * won + [[(f"p{one}", 0.0), (f"p{other}", 1.0)]] * (
                30 - won
            )
        games = [games[number] for number in chance.permutation(len(games))]
        fit = check_model(results_of(games), order_free(results_of(games)))
        chances.append(fit.chance)
        assert not fit.fails
        assert fit.score > fit.score_of_equals
    assert 0.25 < np.mean(chances) < 0.75


@pytest.mark.parametrize(
    ("aim", "rest", "apart"),
    [
        ("payoff", "abcdx", 0),
        ("payoff", "axyzw", 10),
        ("payoff", "vwxyz", 0),
        ("payoff", "ab", 1),
        ("rank", "abcxy", 0),
        ("rank", "ab", 0),
        ("rank", "axyzw", 10),
        ("rank", "vwxyz", 0),
    ],
)
def test_thinly_linked_rosters_are_not_pooled(aim, rest, apart):
    results = [
        SimpleNamespace(experiment=name, players=tuple(pair))
        for name, roster in (("one", "abcde"), ("two", rest))
        for pair in combinations(roster, 2)
    ]
    game = SimpleNamespace(aim=aim)
    kept, notes = _linked_rosters(game, results)
    assert len(results) - len(kept) == apart == sum(note.games for note in notes)
    assert all("of two, sharing only" in note.sentence for note in notes)
    assert _linked_rosters(game, results, ["rosters"]) == (results, [])
