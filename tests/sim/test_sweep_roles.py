"""Sweeps of games with roles: the players of a point have every role in an equal part of its games."""

import numpy as np
import pytest

import double_auction
from ostrom.core.plugins import GAMES
from ostrom.players.roster import strategies_of
from ostrom.sim.points import outcomes_of, play_points
from ostrom.sim.sweep_plan import plan_of
from ostrom.sim.tournament import tournament


@pytest.fixture(scope="module", autouse=True)
def auction():
    return double_auction.register()


def test_the_players_of_a_point_change_roles(auction):
    plan = plan_of({"rounds": [4, 6]}, games=60, seed=2, players=double_auction.PLAYERS, game=auction)
    assert len(plan.arranged(4)) == 6
    outcomes = plan.play([0, 1])
    result = tournament(double_auction.PLAYERS, game=auction, games=60, seed=9, rules={"rounds": 6})
    for standing in result.standings:
        mean = outcomes[f"final:{standing.name}"][1].mean()
        error = outcomes[f"final:{standing.name}"][1].std() / 60**0.5
        own = standing.mean_final
        assert abs(mean - own.value) < 3 * error + (own.high - own.low) / 2


def test_results_are_those_of_the_players_whatever_their_seats(auction):
    cast = strategies_of(auction, double_auction.PLAYERS)
    rules = [auction.rules()]
    arranged = ((0, 1, 2, 3), (3, 2, 0, 1))
    (chunk,) = play_points(auction, rules, cast, [[0, 1, 2, 3]], games_each=8, seed=4, arranged=arranged)
    (other,) = play_points(auction, rules, cast, [[3, 2, 0, 1]], games_each=8, seed=4)
    np.testing.assert_array_equal(chunk.result.finals[[3, 2, 0, 1], 4:], other.result.finals[:, 4:])
    outcomes = outcomes_of(cast, chunk.result)
    np.testing.assert_array_equal(outcomes["final:Sniper"][4:], other.result.finals[0, 4:])


def test_symmetric_games_keep_their_seats():
    plan = plan_of({"turns": [5]}, games=4, seed=1, players=["AlwaysCoop", "Pavlov"], game=GAMES["commons"])
    assert plan.arranged(2) == ((0, 1),)
