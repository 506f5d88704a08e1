"""Apprenant: the bandit, move by move against a reference implementation with exact sums."""

import math

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ostrom.core import GameChance
from support import ending_after, given_by, play, turns_of

LEVELS = [0.0, 0.2, 0.4, 0.6, 0.8, 1.0]
tenths = st.integers(0, 10).map(lambda n: n / 10)


def explored(drawn):
    """Return the level of a draw below 0.15, which explores; all levels have the same probability."""
    return LEVELS[math.floor(drawn * 40)] if drawn < 0.15 else None


def expected_moves(gains, chance, seat, turns):
    """The moves by the rules, given what every turn brought: gains[t] followed the t-th move."""
    moves = []
    last_mean = {}
    for turn in range(1, turns + 1):
        if turn <= 6:
            moves.append(LEVELS[6 - turn])
        else:
            level = explored(chance.uniform("champion", turn, seat))
            if level is None:
                # Ties to the higher level: sorting by (value, level) puts it last.
                level = max(LEVELS, key=lambda one: (last_mean[one], one))
            moves.append(level)
        if turn > len(gains):
            break
        window = range(max(0, turn - 10), turn)
        for level in LEVELS:
            seen = [gains[past] for past in window if moves[past] == level]
            if seen:
                last_mean[level] = round(math.fsum(seen) / len(seen), 9)
    return moves


def assert_by_the_rules(match, seat):
    gains = [turn.gains[seat] for turn in turns_of(match)]
    expected = expected_moves(gains, match.chance, seat, len(gains))
    assert given_by(match, seat) == expected
    return expected


def test_the_first_six_turns_try_every_level_from_one_down_to_nothing():
    for game in range(20):
        match = play(ending_after(6), "Apprenant", [1.0], game=game)
        assert given_by(match) == [1.0, 0.8, 0.6, 0.4, 0.2, 0.0]


@pytest.mark.slow
@settings(max_examples=25)
@given(
    scripts=st.lists(st.lists(tenths, min_size=1, max_size=12), min_size=1, max_size=4),
    alpha=st.sampled_from([0.0, 0.5, 1.0]),
    game=st.integers(0, 1000),
)
def test_it_follows_its_rule_against_any_table(scripts, alpha, game):
    match = play(ending_after(45, alpha=alpha), "Apprenant", *scripts, seed=6, game=game)
    assert_by_the_rules(match, 0)


def test_it_follows_its_rule_at_every_seat_and_among_its_own():
    match = play(ending_after(60), "Apprenant", "Apprenant", "RandomPlayer", "Apprenant", seed=12)
    for seat in (0, 1, 3):
        assert_by_the_rules(match, seat)


def test_it_follows_its_rule_where_others_lobby_and_money_rots():
    rules = ending_after(80, erosion_intensity=1.7)
    match = play(rules, "Parasite", "Apprenant", "Capitaliste", "AlwaysBetray", seed=2)
    assert_by_the_rules(match, 1)


def first_exploitation(seed, turns=12):
    """A game of that seed in which turns 7 to `turns` explore nothing, so that what is learnt shows."""
    for game in range(1000):
        chance = GameChance(seed, game)
        if all(chance.uniform("champion", turn, 0) >= 0.15 for turn in range(7, turns + 1)):
            return game
    raise AssertionError("no such game")


def test_what_paid_best_is_given():
    game = first_exploitation(1)
    # At α = 1 among keepers a gift is lost by half: keeping pays best. At α = 0 a gift pays 1.8-fold: giving does.
    keeping = play(ending_after(12, alpha=1.0, erosion=False), "Apprenant", [0.0], game=game)
    assert given_by(keeping)[6:] == [0.0] * 6
    giving = play(ending_after(12, alpha=0.0), "Apprenant", [0.5], game=game)
    assert given_by(giving)[6:] == [1.0] * 6


def test_ties_go_to_the_higher_level():
    game = first_exploitation(1)
    # At S = 1 and α = 0 every level brings the endowment back.
    settings = {"synergy": 1.0, "synergy_lowest": 1.0, "growth": 0.0, "shrinkage": 0.0, "alpha": 0.0}
    match = play(ending_after(12, lobbying=False, **settings), "Apprenant", [0.3], game=game)
    assert {round(turn.gains[0], 9) for turn in turns_of(match)} == {100.0}
    assert given_by(match)[6:] == [1.0] * 6


STEADY = {"growth": 0.0, "shrinkage": 0.0, "erosion": False, "lobbying": False, "alpha": 1.0}
"""Two seats under these earn 100 − 10·c + 90·o, with c their own and o the other's contribution."""


def test_a_level_outside_the_window_keeps_its_last_mean():
    game = first_exploitation(1, turns=20)
    # Level 1 earned 135 in turn 1 and left the window after turn 11. Level 0 earned 190 in turns 6 to 11 and 100 from
    # turn 12 on; its mean over ten turns passes 136 before turn 18 and is 127 before turn 19, below the kept 135. The
    # 90 that level 1 then earns are its mean of a single turn, and level 0 is back.
    other = [0.5, 0.0, 0.0, 0.0, 0.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 0.0]
    match = play(ending_after(20, **STEADY), "Apprenant", other, game=game)
    assert given_by(match)[6:] == [0.0] * 12 + [1.0, 0.0]
    assert_by_the_rules(match, 0)


def test_only_the_last_ten_turns_count():
    game = first_exploitation(1, turns=17)
    # Level 0 earned 190 in turn 6 and 100 ever after; level 0.2 earned 98 + 9 = 107 in turn 5. The mean of level 0 is
    # above 107 while turn 6 is in the window, (190 + 9·100)/10 = 109 before turn 16, and 100 before turn 17.
    other = [0.0, 0.0, 0.0, 0.0, 0.1, 1.0, 0.0]
    match = play(ending_after(17, **STEADY), "Apprenant", other, game=game)
    assert given_by(match)[6:] == [0.0] * 10 + [0.2]


@pytest.mark.parametrize(
    ("drawn", "level"),
    [(0.0, 0.0), (0.0249, 0.0), (0.025, 0.2), (0.0751, 0.6), (0.149, 1.0), (0.15, None), (0.9, None)],
)
def test_the_reference_explores_each_level_in_a_sixth_of_its_range(drawn, level):
    assert explored(drawn) == level


@pytest.mark.slow
def test_it_explores_in_about_fifteen_turns_of_a_hundred_and_every_level_alike():
    match = play(ending_after(3000, lobbying=False, voting=False), "Apprenant", [0.0], seed=21)
    drawn = [explored(GameChance(21).uniform("champion", turn, 0)) for turn in range(7, 3001)]
    tried = [level for level in drawn if level is not None]
    assert len(tried) / len(drawn) == pytest.approx(0.15, abs=0.02)
    for level in LEVELS:
        assert tried.count(level) / len(tried) == pytest.approx(1 / 6, abs=0.06)
    given = given_by(match)[6:]
    assert all(gave == level for gave, level in zip(given, drawn, strict=True) if level is not None)
