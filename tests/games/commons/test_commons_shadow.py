"""The shadow of the future: when a game ends, and who may know."""

import math

import numpy as np
import pytest
from pydantic import ValidationError

from ostrom.core import GameChance
from ostrom.core.chance import key_of
from ostrom.core.step import Draws
from ostrom.games.commons import CommonsRules
from ostrom.games.commons.step import STEP
from ostrom.sim import numpy_engine
from support import end_of, play, turns_of


def game_lengths(rules, *, seed, games):
    return numpy_engine.game_lengths(STEP, rules, Draws(games.astype(np.uint64), key_of(seed)))


@pytest.fixture(scope="module")
def lengths():
    return game_lengths(CommonsRules(), seed=2024, games=np.arange(100_000))


def test_four_games_in_five_have_ended_by_the_target_turn(lengths):
    assert abs((lengths <= 100).mean() - 0.80) < 0.01


@pytest.mark.parametrize("turn", [10, 30, 50, 75, 125, 150])
def test_the_share_that_has_ended_follows_the_formula_at_every_turn(lengths, turn):
    k = 2 * math.log(5) / (100 * 101)
    expected = 1 - math.exp(-k * turn * (turn + 1) / 2)
    assert abs((lengths <= turn).mean() - expected) < 0.01


@pytest.mark.parametrize("duration", [1, 5, 20])
def test_another_target_turn_is_met_too(duration):
    ended = game_lengths(CommonsRules(duration=duration), seed=7, games=np.arange(100_000))
    assert abs((ended <= duration).mean() - 0.80) < 0.01
    assert ended.min() == 1


@pytest.mark.parametrize("turn", [1, 2, 50, 100, 1000])
def test_the_probability_of_the_end_grows_with_the_turn(turn):
    rules = CommonsRules()
    k = 2 * math.log(5) / (100 * 101)
    assert rules.ending_probability(turn) == pytest.approx(1 - math.exp(-k * turn), rel=1e-12)
    assert 0.0 < rules.ending_probability(turn) < rules.ending_probability(turn + 1) <= 1.0


def test_having_ended_by_the_target_turn_is_80_percent_exactly():
    for duration in (1, 3, 100, 1000):
        rules = CommonsRules(duration=duration)
        going_on = math.prod(1 - rules.ending_probability(turn) for turn in range(1, duration + 1))
        assert going_on == pytest.approx(0.2, rel=1e-9)


@pytest.mark.parametrize("game", range(5))
def test_a_game_ends_when_chance_says(game):
    rules = CommonsRules(duration=20)
    chance = GameChance(11, game)
    match = play(rules, [1.0], [0.0], seed=11, game=game)
    last = len(turns_of(match))
    drawn = [chance.uniform("shadow", turn) < rules.ending_probability(turn) for turn in range(1, last + 1)]
    assert drawn == [False] * (last - 1) + [True]
    assert end_of(match).turn == last


def test_a_single_game_is_as_long_as_the_batch_says():
    rules = CommonsRules(duration=15)
    played = [len(turns_of(play(rules, [1.0], [1.0], seed=3, game=game))) for game in range(12)]
    assert played == game_lengths(rules, seed=3, games=np.arange(12)).tolist()


def test_the_length_does_not_depend_on_what_is_played():
    rules = CommonsRules(duration=15)
    generous = play(rules, [1.0], [1.0], [1.0], seed=5)
    stingy = play(rules, "AlwaysBetray", "Parasite", seed=5)
    assert end_of(generous).turn == end_of(stingy).turn


def test_players_know_the_target_and_not_the_last_turn():
    match = play(CommonsRules(duration=10), [1.0], [1.0], seed=5)
    last = end_of(match).turn
    for decision in match.decisions:
        record = decision.question.view.as_record()
        assert record["target_turn"] == 10
        assert record["turn"] <= last
        assert not {"last_turn", "length", "turns"} & set(record)


def test_a_known_last_turn_takes_the_place_of_the_shadow():
    rules = CommonsRules(turns=7, duration=1)
    assert game_lengths(rules, seed=1, games=np.arange(4)).tolist() == [7] * 4
    assert end_of(play(rules, [1.0], [1.0])).turn == 7


@pytest.mark.parametrize(
    "wrong",
    [
        {"duration": 0},
        {"turns": 0},
        {"endowment": 0},
        {"alpha": 1.1},
        {"alpha": math.nan},
        {"sensitivity": -1},
        {"erosion_intensity": -0.1},
        {"synergy": 1.1},
        {"synergy": 3.1},
        {"erosion_below": 0.9},
        {"typo": 1},
    ],
)
def test_settings_that_cannot_be_are_refused(wrong):
    with pytest.raises(ValidationError):
        CommonsRules(**wrong)


def test_the_defaults_are_those_of_the_rules():
    rules = CommonsRules()
    assert (rules.endowment, rules.duration, rules.alpha, rules.sensitivity) == (100.0, 100, 0.5, 0.001)
    assert (rules.synergy, rules.synergy_lowest, rules.synergy_highest) == (1.8, 1.2, 3.0)
    assert (rules.lobbying, rules.erosion, rules.voting) == (True, True, True)
