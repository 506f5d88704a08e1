"""A seat that has left counts no more: medians, means and majorities are over the seats still in."""

import pytest

from ostrom.testing import Scripted
from support import answers_of, ending_after, given_by, play, turns_of


def against_one_leaving(name, leaver, *stayers, turn, turns, **settings):
    """The champion at seat 0; seat 1 plays `leaver` and is voted out at the end of `turn` by all who stay."""
    votes = [None] * (turn - 1) + [1, None]
    voters = [Scripted(script, votes=votes) for script in stayers]
    match = play(ending_after(turns, **settings), name, leaver, *voters)
    present = [played.present[1] for played in turns_of(match)]
    assert present == [True] * turn + [False] * (turns - turn)
    return match


def test_tit_for_tat_takes_the_median_of_those_who_stayed_at_once():
    # Of 0, 0.4, 1 the median is 0.4; of 0.4, 1 it is 0.7.
    match = against_one_leaving("TitForTat", [0.0], [0.4], [1.0], turn=2, turns=5)
    assert given_by(match) == [1.0, 0.4, 0.7, 0.7, 0.7]


def test_tit_for_tat_follows_from_an_even_to_an_odd_number_of_others():
    # Of 0, 0, 0.4, 1 it is 0.2; without the leaver 0.4.
    match = against_one_leaving("TitForTat", [0.0], [0.0], [0.4], [1.0], turn=2, turns=5)
    assert given_by(match) == [1.0, 0.2, 0.4, 0.4, 0.4]


def test_tit_for_tat_follows_through_two_exclusions():
    voters = [Scripted([0.9, 0.8], votes=[3, 4, None]), Scripted([0.5, 0.6], votes=[3, 4, None])]
    match = play(ending_after(4), "TitForTat", *voters, [0.0], [0.1])
    assert turns_of(match)[-1].present == [True, True, True, False, False]
    # Turn 1 without seat 3: 0.9, 0.5, 0.1. Turn 2 without seat 4 as well: 0.8 and 0.6.
    assert given_by(match) == [1.0, 0.5, 0.7, 0.7]


def test_generous_tft_follows_those_who_stayed():
    match = against_one_leaving("GenerousTFT", [1.0], [0.0], [0.3], turn=1, turns=3)
    assert given_by(match) == [1.0, 0.2, 0.2]
    match = against_one_leaving("GenerousTFT", [0.0], [0.3], [0.5], turn=2, turns=4)
    assert given_by(match) == [1.0, 0.3, 0.4, 0.4]


def test_gradual_counts_no_defection_of_those_who_left():
    # With the leaver the median is 0; without it 0.5.
    match = against_one_leaving("Gradual", [0.0], [0.0], [1.0], turn=1, turns=5)
    assert given_by(match) == [1.0] * 5


def test_detective_compares_the_medians_of_those_who_were_in():
    # Turn 2: 0.2, 0.6, 1 with a median of 0.6. The leaver then leaves; turn 3: 0.6 and 1 with 0.8, no fall.
    match = against_one_leaving("Detective", [0.2], [0.6], [1.0], turn=2, turns=6)
    assert given_by(match) == [1.0, 0.0, 1.0, 1.0, 0.0, 0.0]


def test_majority_detector_counts_neither_head_nor_gift_of_a_seat_long_gone():
    match = against_one_leaving("MajorityDetector", [0.0], [1.0], [0.0], [1.0], turn=1, turns=4)
    # Turn 1: two of the three who stayed gave half or more.
    assert given_by(match)[1:] == [1.0] * 3


def test_majority_detector_counts_no_gift_of_a_seat_that_just_left():
    # Of four others two gave; of the three who stayed one did. Neither is more than half.
    match = against_one_leaving("MajorityDetector", [1.0], [1.0], [0.0], [0.0], turn=1, turns=3)
    assert given_by(match) == [1.0, 0.0, 0.0]


def test_majority_detector_when_the_one_giver_left():
    match = against_one_leaving("MajorityDetector", [1.0], [0.0], [1.0], turn=1, turns=3)
    # Of the two who stayed one gave: half, and not more.
    assert given_by(match) == [1.0, 0.0, 0.0]


def test_rancunier_does_not_take_the_nothing_of_an_empty_seat_for_a_betrayal():
    match = against_one_leaving("Rancunier", [0.5], [0.5], [1.0], turn=2, turns=6)
    assert given_by(match) == [1.0] * 6


def test_rancunier_keeps_the_grudge_against_one_who_left():
    match = against_one_leaving("Rancunier", [0.0], [1.0], [1.0], turn=2, turns=5)
    assert given_by(match) == [1.0, 0.0, 0.0, 0.0, 0.0]


def test_rancunier_remembers_a_betrayal_even_of_one_who_left_in_that_turn():
    # "Until any other ever gave < 0.3": it gave so while it was another at the table.
    match = against_one_leaving("Rancunier", [1.0, 0.0], [1.0], [1.0], turn=2, turns=5)
    assert given_by(match) == [1.0, 1.0, 0.0, 0.0, 0.0]


def test_opportuniste_reckons_with_the_seats_still_in():
    # At S = 1.8 and α = 0.6 a unit given brings back 0.99 at a table of four, and 1.08 at a table of three.
    match = against_one_leaving("Opportuniste", [0.6], [0.6], [0.6], turn=2, turns=4, alpha=0.6)
    assert given_by(match) == [1.0, 0.0, 1.0, 1.0]


def test_pragmatique_lobbies_by_the_mean_of_those_still_in():
    match = against_one_leaving("Pragmatique", [0.0], [0.6], [0.6], turn=1, turns=4)
    one, two, three, _ = turns_of(match)
    assert one.contributions[0] == pytest.approx(0.5)
    # Of those still in the mean of turn 1 is (0.5 + 0.6 + 0.6)/3, and 0.5 is under it.
    assert answers_of(match, 0, "lobby")[1] == pytest.approx(0.03 * one.capitals[0])
    # From then on the empty seat is in nobody's mean.
    assert two.contributions[0] < two.cooperation == pytest.approx((two.contributions[0] + 1.2) / 3)
    assert answers_of(match, 0, "lobby")[2] == pytest.approx(0.03 * two.capitals[0])
    assert three.contributions[1] == 0.0


def test_justicier_judges_those_still_in():
    match = play(ending_after(4), "Justicier", "Justicier", [0.0], [0.2], [1.0])
    assert answers_of(match, 1, "vote") == [None, 2, 3, None]
