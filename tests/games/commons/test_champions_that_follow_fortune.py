"""Pavlov, who follows what paid, and Opportuniste, who follows the mood of the table."""

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


@given(scripts=tables)
def test_opportuniste_follows_the_mean_of_the_last_turn_itself_included(scripts):
    expected = [1.0]
    for turn in range(11):
        # Tenths, added as whole numbers: no rounding decides here.
        tenfold = round(10 * expected[-1]) + sum(round(10 * script[turn]) for script in scripts)
        seats = len(scripts) + 1
        expected.append(1.0 if tenfold >= 8 * seats else 0.0 if tenfold < 5 * seats else 0.5)
    assert moves_against("Opportuniste", *scripts, turns=12) == expected


@pytest.mark.parametrize(
    ("others", "expected"),
    [
        ([0.6], 1.0),  # the mean of 1 and 0.6 is 0.8
        ([0.59], 0.5),
        ([0.0], 0.5),  # the mean of 1 and 0 is 0.5
        ([0.0, 0.4], 0.0),
        ([0.0, 0.5], 0.5),
        ([1.0, 1.0], 1.0),
        ([0.7, 0.7], 1.0),  # (1 + 0.7 + 0.7)/3 = 0.8, and 0.7999… in plain floats
    ],
)
def test_opportuniste_at_its_thresholds(others, expected):
    assert moves_against("Opportuniste", *([gave] for gave in others), turns=2) == [1.0, expected]


def test_opportuniste_follows_a_table_down_and_up_again():
    script = [1.0, 0.4, 0.0, 0.0, 1.0, 1.0, 1.0]
    # Means: 1, 0.7, 0.25, 0, 0.5, 0.75, 0.75.
    assert moves_against("Opportuniste", script, turns=8) == [1.0, 1.0, 0.5, 0.0, 0.0, 0.5, 0.5, 0.5]


def test_opportuniste_stays_in_the_cold_with_its_own_kind():
    match = play(ending_after(5), "Opportuniste", "Opportuniste", [0.0], [0.0], [0.0])
    assert given_by(match, 0) == given_by(match, 1) == [1.0, 0.0, 0.0, 0.0, 0.0]


@pytest.mark.parametrize("name", ["Pavlov", "Opportuniste"])
def test_they_neither_lobby_nor_vote(name):
    match = play(ending_after(6), name, [0.0], [0.0], [1.0])
    assert answers_of(match, 0, "lobby") == [0.0] * 6
    assert answers_of(match, 0, "vote") == [None] * 6
