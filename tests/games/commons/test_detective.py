"""Detective: probes 1, 0, 1, 1, and draws its conclusion once."""

import statistics

import pytest
from hypothesis import given
from hypothesis import strategies as st

from support import answers_of, ending_after, moves_against, play

TURNS = 9
fractions = st.sampled_from([0.0, 0.25, 0.5, 0.75, 1.0])
tables = st.integers(1, 6).flatmap(
    lambda others: st.lists(st.lists(fractions, min_size=TURNS, max_size=TURNS), min_size=others, max_size=others)
)


def detective_by_the_rules(scripts):
    median = [statistics.median(script[turn] for script in scripts) for turn in range(TURNS)]
    if median[2] < median[1]:
        return [1.0, 0.0, 1.0, 1.0, *median[3 : TURNS - 1]]
    return [1.0, 0.0, 1.0, 1.0] + [0.0] * (TURNS - 4)


@given(scripts=tables)
def test_detective_follows_its_rule_against_any_table(scripts):
    assert moves_against("Detective", *scripts, turns=TURNS) == detective_by_the_rules(scripts)


def test_those_who_react_are_played_tit_for_tat_from_turn_five_on():
    script = [1.0, 1.0, 0.0, 0.7, 0.25, 1.0, 0.0, 0.5]
    assert moves_against("Detective", script, turns=9) == [1.0, 0.0, 1.0, 1.0, 0.7, 0.25, 1.0, 0.0, 0.5]


def test_those_who_do_not_react_are_exploited():
    assert moves_against("Detective", [1.0], turns=9) == [1.0, 0.0, 1.0, 1.0, 0.0, 0.0, 0.0, 0.0, 0.0]


def test_a_median_that_stays_is_no_reaction_even_at_nothing():
    assert moves_against("Detective", [0.0], turns=6) == [1.0, 0.0, 1.0, 1.0, 0.0, 0.0]
    assert moves_against("Detective", [0.4], turns=6) == [1.0, 0.0, 1.0, 1.0, 0.0, 0.0]


def test_a_median_that_rises_is_no_reaction():
    assert moves_against("Detective", [1.0, 0.2, 0.9, 0.9], turns=6) == [1.0, 0.0, 1.0, 1.0, 0.0, 0.0]


def test_only_turns_two_and_three_are_compared():
    # A fall from turn 1 to 2, or from 3 to 4, is none of its business.
    assert moves_against("Detective", [1.0, 0.5, 0.5, 0.0], turns=6) == [1.0, 0.0, 1.0, 1.0, 0.0, 0.0]
    assert moves_against("Detective", [0.0, 0.5, 0.4, 1.0, 0.8], turns=6) == [1.0, 0.0, 1.0, 1.0, 1.0, 0.8]


def test_the_conclusion_is_drawn_once_and_for_good():
    unmoved = [1.0, 1.0, 1.0, 1.0, 1.0, 0.0, 0.0, 0.0]
    assert moves_against("Detective", unmoved, turns=9)[4:] == [0.0] * 5
    moved = [1.0, 1.0, 0.9, 1.0]
    assert moves_against("Detective", moved, turns=9)[4:] == [1.0] * 5


def test_the_smallest_real_fall_is_a_reaction():
    assert moves_against("Detective", [1.0, 1.0, 0.999999, 0.3], turns=6) == [1.0, 0.0, 1.0, 1.0, 0.3, 0.3]


def test_the_median_of_an_even_number_of_others_lies_between_the_middle_two():
    # Turn 2: median of 0.2 and 0.8; turn 3: of 0.2 and 0.6. From turn 5 on: of 0.1 and 0.5.
    moves = moves_against("Detective", [1.0, 0.2, 0.2, 0.25], [1.0, 0.8, 0.6, 0.5], turns=6)
    assert moves == [1.0, 0.0, 1.0, 1.0, 0.375, 0.375]


def test_equal_medians_reached_by_other_sums_are_no_reaction():
    # Both medians are 0.4; in plain floats (0.1 + 0.7)/2 falls a hair short of (0.2 + 0.6)/2.
    assert (0.1 + 0.7) / 2 < (0.2 + 0.6) / 2
    moves = moves_against("Detective", [1.0, 0.2, 0.1, 0.5], [1.0, 0.6, 0.7, 0.5], turns=6)
    assert moves == [1.0, 0.0, 1.0, 1.0, 0.0, 0.0]


def test_tit_for_tat_reacts_and_is_then_mirrored():
    match = play(ending_after(8), "Detective", "TitForTat")
    # TitForTat answers the 0 of turn 2 with a 0 in turn 3, which Detective repeats in nobody's favour from turn 5 on.
    assert answers_of(match, 1, "contribution")[:4] == [1.0, 1.0, 0.0, 1.0]
    assert answers_of(match, 0, "contribution") == [1.0, 0.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0]


@pytest.mark.parametrize("turns", [1, 2, 3, 4])
def test_a_short_game_sees_the_probe_alone(turns):
    assert moves_against("Detective", [0.5], turns=turns) == [1.0, 0.0, 1.0, 1.0][:turns]


def test_two_games_are_two_investigations():
    match = play(ending_after(6), "Detective", "Detective", [1.0])
    for seat in (0, 1):
        # Each sees the other's 0 of turn 2 and the scripted 1: median 0.5, then 1 in turn 3; no fall.
        assert answers_of(match, seat, "contribution") == [1.0, 0.0, 1.0, 1.0, 0.0, 0.0]


def test_it_neither_lobbies_nor_votes():
    match = play(ending_after(6), "Detective", [0.0], [0.0], [1.0])
    assert answers_of(match, 0, "lobby") == [0.0] * 6
    assert answers_of(match, 0, "vote") == [None] * 6
