"""TitForTat, GenerousTFT and MajorityDetector: the last turn of the others, and no further back."""

import statistics

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ostrom.testing import Scripted
from support import answers_of, ending_after, moves_against, play

fractions = st.floats(0.0, 1.0) | st.sampled_from([0.0, 0.2, 0.3, 0.5, 1.0])
tables = st.integers(1, 7).flatmap(
    lambda others: st.lists(st.lists(fractions, min_size=6, max_size=6), min_size=others, max_size=others)
)


def last_turns(scripts, turns):
    """What the others gave in each turn but the last."""
    return [[script[turn] for script in scripts] for turn in range(turns - 1)]


@given(scripts=tables)
def test_tit_for_tat_opens_with_everything_and_then_gives_the_median_of_the_others(scripts):
    expected = [1.0] + [statistics.median(gave) for gave in last_turns(scripts, 6)]
    assert moves_against("TitForTat", *scripts, turns=6) == expected


@given(scripts=tables)
def test_generous_tft_is_the_same_and_never_under_a_fifth(scripts):
    expected = [1.0] + [max(0.2, statistics.median(gave)) for gave in last_turns(scripts, 6)]
    assert moves_against("GenerousTFT", *scripts, turns=6) == expected


@given(scripts=tables)
def test_majority_detector_goes_with_more_than_half_of_the_others(scripts):
    expected = [1.0] + [
        1.0 if sum(value >= 0.5 for value in gave) > len(gave) / 2 else 0.0 for gave in last_turns(scripts, 6)
    ]
    assert moves_against("MajorityDetector", *scripts, turns=6) == expected


def test_tit_for_tat_against_one_other_copies_it_a_turn_late():
    script = [0.0, 1.0, 0.25, 0.7, 0.0]
    assert moves_against("TitForTat", script, turns=6) == [1.0, 0.0, 1.0, 0.25, 0.7, 0.0]


def test_an_even_number_of_others_has_its_median_between_the_two_middle_ones():
    assert moves_against("TitForTat", [0.0], [0.5], turns=2) == [1.0, 0.25]
    assert moves_against("TitForTat", [0.0], [0.25], [0.75], [1.0], turns=2) == [1.0, 0.5]


def test_an_odd_number_of_others_has_a_middle_one():
    assert moves_against("TitForTat", [0.0], [0.4], [1.0], turns=2) == [1.0, 0.4]
    assert moves_against("TitForTat", [0.0], [0.0], [0.3], [1.0], [1.0], turns=2) == [1.0, 0.3]


def test_its_own_contribution_is_no_part_of_the_median():
    # With its own 1 the median of turn 1 would be 0.5, and that of turn 2 something else again.
    assert moves_against("TitForTat", [0.0, 0.0], [0.5, 0.2], [0.5, 0.0], turns=3) == [1.0, 0.5, 0.0]


def test_the_sat_seat_does_not_matter_for_the_median():
    for seat in range(4):
        table = [[0.1, 0.9], [0.4, 0.6], [0.6, 0.0]]
        table.insert(seat, "TitForTat")
        match = play(ending_after(3), *table)
        assert answers_of(match, seat, "contribution") == [1.0, 0.4, 0.6]


def test_two_of_a_kind_hold_each_other_at_full_cooperation():
    match = play(ending_after(5), "TitForTat", "GenerousTFT")
    assert answers_of(match, 0, "contribution") == answers_of(match, 1, "contribution") == [1.0] * 5


def test_generous_tft_is_lifted_to_its_least_and_no_higher():
    assert moves_against("GenerousTFT", [0.0, 0.19, 0.2, 0.21], turns=5) == [1.0, 0.2, 0.2, 0.2, 0.21]


@pytest.mark.parametrize(
    ("others", "expected"),
    [
        ([0.5], 1.0),
        ([0.49], 0.0),
        ([0.5, 0.0], 0.0),  # half of the others is not more than half
        ([0.5, 0.5], 1.0),
        ([1.0, 1.0, 0.0, 0.0], 0.0),
        ([0.5, 0.5, 0.5, 0.0], 1.0),
        ([1.0, 0.4, 0.4], 0.0),
        ([0.5, 0.5, 0.0], 1.0),
    ],
)
def test_majority_detector_counts_heads_and_not_amounts(others, expected):
    assert moves_against("MajorityDetector", *([gave] for gave in others), turns=2) == [1.0, expected]


def test_majority_detector_leaves_itself_out_of_the_majority():
    # Its own 1 would make two of three.
    assert moves_against("MajorityDetector", [1.0], [0.0], turns=3) == [1.0, 0.0, 0.0]


def test_half_the_endowment_given_by_pragmatique_is_a_half():
    # At α = 0.5 the rules have Pragmatique give (0.7 − 0.5)/0.4 = 0.5, which is ≥ 0.5.
    match = play(ending_after(3, lobbying=False), "MajorityDetector", "Pragmatique", "Pragmatique")
    assert answers_of(match, 0, "contribution") == [1.0, 1.0, 1.0]


@pytest.mark.parametrize("name", ["TitForTat", "GenerousTFT", "MajorityDetector"])
def test_they_neither_lobby_nor_vote(name):
    match = play(ending_after(5), name, Scripted([0.0], lobby=[0.0, 50.0]), [0.0], [1.0])
    assert answers_of(match, 0, "lobby") == [0.0] * 5
    assert answers_of(match, 0, "vote") == [None] * 5
