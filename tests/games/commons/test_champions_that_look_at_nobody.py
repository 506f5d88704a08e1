"""AlwaysCoop, AlwaysBetray and RandomPlayer: what the others do is nothing to them."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ostrom.core import GameChance
from ostrom.games.commons import CommonsRules
from support import answers_of, ending_after, given_by, moves_against, play

scripts = st.lists(st.lists(st.floats(0.0, 1.0), min_size=1, max_size=8), min_size=1, max_size=4)


@given(others=scripts)
def test_always_coop_gives_everything_always(others):
    assert moves_against("AlwaysCoop", *others, turns=8) == [1.0] * 8


@given(others=scripts)
def test_always_betray_gives_nothing_ever(others):
    assert moves_against("AlwaysBetray", *others, turns=8) == [0.0] * 8


@given(others=scripts, seed=st.integers(0, 2**64 - 1), game=st.integers(0, 2**32 - 1))
def test_random_player_gives_what_its_draws_say(others, seed, game):
    chance = GameChance(seed, game)
    match = play(ending_after(6), "RandomPlayer", *others, seed=seed, game=game)
    assert given_by(match) == [chance.uniform("champion", turn, 0) for turn in range(1, 7)]


def test_random_players_draw_by_their_seat():
    match = play(ending_after(5), "RandomPlayer", "RandomPlayer", "RandomPlayer", seed=8)
    for seat in range(3):
        assert given_by(match, seat) == [GameChance(8).uniform("champion", turn, seat) for turn in range(1, 6)]


def test_random_player_covers_the_whole_interval():
    match = play(ending_after(2000, lobbying=False, voting=False), "RandomPlayer", [0.0], seed=3)
    given = given_by(match)
    assert min(given) < 0.01
    assert max(given) > 0.99
    assert sum(given) / len(given) == pytest.approx(0.5, abs=0.02)
    assert sum(value < 0.25 for value in given) / len(given) == pytest.approx(0.25, abs=0.03)


@pytest.mark.parametrize("name", ["AlwaysCoop", "AlwaysBetray", "RandomPlayer"])
def test_they_neither_lobby_nor_vote(name):
    match = play(ending_after(6), name, [0.0], [0.0], [1.0])
    assert answers_of(match, 0, "lobby") == [0.0] * 6
    assert answers_of(match, 0, "vote") == [None] * 6


@pytest.mark.parametrize("name", ["AlwaysCoop", "AlwaysBetray", "RandomPlayer"])
def test_settings_do_not_change_what_they_give(name):
    plain = given_by(play(ending_after(5), name, [0.3], [0.9]))
    for rules in (
        ending_after(5, alpha=1.0),
        ending_after(5, erosion_intensity=2.0),
        ending_after(5, lobbying=False),
        ending_after(5, voting=False, erosion=False),
        CommonsRules(endowment=7.0, turns=5),
    ):
        assert given_by(play(rules, name, [0.3], [0.9])) == plain


def test_the_seat_does_not_change_what_the_constant_ones_give():
    match = play(ending_after(4), [0.5], "AlwaysCoop", [0.5], "AlwaysBetray")
    assert given_by(match, 1) == [1.0] * 4
    assert given_by(match, 3) == [0.0] * 4
