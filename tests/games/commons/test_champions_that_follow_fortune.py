"""Pavlov, who follows what paid, and Opportuniste, who reckons what will."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ostrom.testing import Scripted
from support import answers_of, ending_after, given_by, moves_against, play, turns_of

tenths = st.integers(0, 10).map(lambda n: n / 10)
tables = st.integers(1, 5).flatmap(
    lambda others: st.lists(st.lists(tenths, min_size=12, max_size=12), min_size=others, max_size=others)
)


@given(scripts=tables)
def test_pavlov_stays_when_the_last_gain_was_at_least_the_endowment_and_shifts_otherwise(scripts):
    match = play(ending_after(12), "Pavlov", *scripts)
    expected = [1.0]
    for turn in turns_of(match)[:-1]:
        expected.append(expected[-1] if round(turn.gains[0], 9) >= 100.0 else 1.0 - expected[-1])
    assert given_by(match) == expected


def test_pavlov_by_hand_against_a_table_that_pays_and_then_does_not():
    # α = 0.5, S = 1.8, one other. Turn 1 (1, 1): gain 180, stays. Turn 2 (1, 0) at S 1.9: 142.5, stays.
    assert moves_against("Pavlov", [1.0, 0.0, 0.0, 0.0, 1.0], turns=5, alpha=0.5) == [1.0] * 5
    # α = 1 pays the giver among keepers half of 1.8: 90 < 100, and so it shifts to 0 and stays while 100 are kept.
    moves = moves_against("Pavlov", [0.0, 0.6], turns=4, alpha=1.0, erosion=False)
    assert moves == [1.0, 0.0, 0.0, 0.0]


def test_pavlov_shifts_back_when_keeping_does_not_pay_either():
    # Nobody gives: kept money rots below the initial synergy, so that 0 brings less than 100 and it shifts to 1;
    # alone at α = 1 a gift brings half of itself times S, which is less than 100, and it shifts again.
    moves = moves_against("Pavlov", [0.0], turns=6, alpha=1.0)
    assert moves == [1.0, 0.0, 0.0, 1.0, 0.0, 1.0]


def test_a_gain_of_exactly_the_endowment_is_a_win():
    # Nobody's gift grows at S = 1: everyone gets back what was given, whatever the rounding.
    settings = {"synergy": 1.0, "synergy_lowest": 1.0, "growth": 0.0, "shrinkage": 0.0, "alpha": 1.0}
    for seats in range(2, 9):
        match = play(ending_after(4, **settings), *(["Pavlov"] * seats))
        assert given_by(match) == [1.0] * 4


@pytest.mark.parametrize("endowment", [100.0, 1.0, 0.1, 100 / 3, 2**0.5, 12345.678])
def test_pavlov_opens_with_everything_whatever_the_endowment(endowment):
    assert moves_against("Pavlov", [1.0], turns=2, endowment=endowment) == [1.0, 1.0]


def test_the_cost_of_lobbying_is_no_part_of_the_gain():
    # The others' lobby moves α to 1, and the giver's gain falls below the endowment; no cost of its own is in it.
    other = Scripted([0.0], lobby=[0.0, 145.0])
    match = play(ending_after(3, sensitivity=1.0), "Pavlov", other)
    assert turns_of(match)[1].alpha == 1.0
    assert turns_of(match)[1].gains[0] == pytest.approx(90.0)
    assert given_by(match) == [1.0, 1.0, 0.0]


def test_two_pavlovs_stay_together():
    match = play(ending_after(6), "Pavlov", "Pavlov")
    assert given_by(match, 0) == given_by(match, 1) == [1.0] * 6


def pays(synergy, alpha, seats, rules):
    """Whether a unit given brings back at least what a unit kept is worth, written down again."""
    kept = min(synergy / rules.synergy, 1.0) ** rules.erosion_intensity if rules.erosion else 1.0
    return round(synergy * (alpha / seats + 1 - alpha), 9) >= round(kept, 9)


@given(scripts=tables, alpha=st.sampled_from([0.0, 0.3, 0.5, 0.7, 1.0]), erosion=st.booleans())
def test_opportuniste_gives_if_a_unit_given_brings_back_what_a_unit_kept_is_worth(scripts, alpha, erosion):
    rules = ending_after(12, alpha=alpha, erosion=erosion)
    match = play(rules, "Opportuniste", *scripts)
    after = [(turn.next_synergy, turn.alpha) for turn in turns_of(match)[:-1]]
    assert given_by(match) == [1.0, *(float(pays(*one, len(scripts) + 1, rules)) for one in after)]


@pytest.mark.parametrize(
    ("seats", "alpha", "expected"),
    [
        (2, 1.0, 0.0),  # 1.8/2 is less than 1
        (2, 0.8, 1.0),  # 1.8·0.6 = 1.08
        (4, 0.5, 1.0),  # 1.8·0.625 = 1.125
        (4, 0.6, 0.0),  # 1.8·0.55 = 0.99
        (16, 0.5, 0.0),  # 1.8·0.53125 = 0.95625
        (16, 0.0, 1.0),
    ],
)
def test_opportuniste_weighs_alpha_and_the_size_of_the_table(seats, alpha, expected):
    # Others at 0.6 keep the synergy at 1.8.
    moves = moves_against("Opportuniste", *[[0.6]] * (seats - 1), turns=2, alpha=alpha)
    assert moves == [1.0, expected]


def test_opportuniste_at_the_threshold_gives():
    # 1.8·(α/2 + 1 − α) = 1 at α = 8/9, whatever floating point makes of it.
    settings = {"growth": 0.0, "shrinkage": 0.0, "lobbying": False}
    assert moves_against("Opportuniste", [0.5], turns=3, alpha=8 / 9, **settings) == [1.0] * 3


def test_opportuniste_gives_again_when_kept_money_rots():
    # 4 seats at α = 0.6: 1.8·0.55 = 0.99 < 1 keeps. Below 1.8 a unit kept is worth S/1.8, and S·0.55 is less.
    moves = moves_against("Opportuniste", [0.6], [0.6, 0.0], [0.6, 0.0], turns=4, alpha=0.6)
    assert moves == [1.0, 0.0, 0.0, 0.0]
    severe = {"alpha": 0.6, "erosion_intensity": 2.0}
    # Intensity 2: at 1.75 a unit kept is worth 0.945 and a unit given 0.9625.
    assert moves_against("Opportuniste", [0.6], [0.6, 0.0], [0.6, 0.0], turns=4, **severe) == [1.0, 0.0, 1.0, 1.0]


def test_opportuniste_follows_the_redistribution_that_others_buy():
    # Alone with a lobbyist who moves α to 1 in turn 2: from turn 3 on a unit given brings back S/2, which is below 1.
    other = Scripted([0.6], lobby=[0.0, 100.0])
    match = play(ending_after(4, sensitivity=1.0, growth=0.0), "Opportuniste", other)
    assert [turn.alpha for turn in turns_of(match)] == [0.5, 1.0, 1.0, 1.0]
    assert given_by(match) == [1.0, 1.0, 0.0, 0.0]


@pytest.mark.parametrize("name", ["Pavlov", "Opportuniste"])
def test_they_neither_lobby_nor_vote(name):
    match = play(ending_after(6), name, [0.0], [0.0], [1.0])
    assert answers_of(match, 0, "lobby") == [0.0] * 6
    assert answers_of(match, 0, "vote") == [None] * 6
