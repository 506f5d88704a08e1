"""A seat that has left no longer counts: medians, means and majorities are over the seats still in."""

import pytest

from ostrom.testing import Scripted
from support import answers_of, ending_after, given_by, play, turns_of


def against_one_leaving(name, leaver, *stayers, turn, turns, **settings):
    """Play the champion at seat 0; the stayers vote seat 1, which plays `leaver`, out at the end of `turn`."""
    votes = [None] * (turn - 1) + [1, None]
    voters = [Scripted(script, votes=votes) for script in stayers]
    match = play(ending_after(turns, **settings), name, leaver, *voters)
    present = [played.present[1] for played in turns_of(match)]
    assert present == [True] * turn + [False] * (turns - turn)
    return match


@pytest.mark.parametrize(
    ("name", "leaver", "stayers", "turn", "expected"),
    [
        # The median of 0, 0.4, 1 is 0.4, and of 0.4, 1 it is 0.7.
        ("TitForTat", [0.0], [[0.4], [1.0]], 2, [1, 0.4, 0.7, 0.7, 0.7]),
        # The median of 0, 0, 0.4, 1 is 0.2, and without the leaver 0.4.
        ("TitForTat", [0.0], [[0.0], [0.4], [1.0]], 2, [1, 0.2, 0.4, 0.4, 0.4]),
        ("GenerousTFT", [1.0], [[0.0], [0.3]], 1, [1, 0.2, 0.2]),
        ("GenerousTFT", [0.0], [[0.3], [0.5]], 2, [1, 0.3, 0.4, 0.4]),
        # The median is 0 with the leaver, and 0.5 without it.
        ("Gradual", [0.0], [[0.0], [1.0]], 1, [1, 1, 1, 1, 1]),
        # The median of turn 2 is 0.6; without the leaver that of turn 3 is 0.8, no fall.
        ("Detective", [0.2], [[0.6], [1.0]], 2, [1, 0, 1, 1, 0, 0]),
        # Two of the three stayers gave at least half.
        ("MajorityDetector", [0.0], [[1.0], [0.0], [1.0]], 1, [1, 1, 1, 1]),
        # Two of four others gave, and one of the three stayers: neither is more than half.
        ("MajorityDetector", [1.0], [[1.0], [0.0], [0.0]], 1, [1, 0, 0]),
        # One of the two stayers gave: half, and not more.
        ("MajorityDetector", [1.0], [[0.0], [1.0]], 1, [1, 0, 0]),
        # The 0 of an empty seat is no betrayal; a betrayal in the turn of leaving, or before it, is.
        ("Rancunier", [0.5], [[0.5], [1.0]], 2, [1, 1, 1, 1, 1, 1]),
        ("Rancunier", [0.0], [[1.0], [1.0]], 2, [1, 0, 0, 0, 0]),
        ("Rancunier", [1.0, 0.0], [[1.0], [1.0]], 2, [1, 1, 0, 0, 0]),
    ],
)
def test_moves_after_an_exclusion(name, leaver, stayers, turn, expected):
    match = against_one_leaving(name, leaver, *stayers, turn=turn, turns=len(expected))
    assert given_by(match) == expected


def test_tit_for_tat_follows_through_two_exclusions():
    voters = [Scripted([0.9, 0.8], votes=[3, 4, None]), Scripted([0.5, 0.6], votes=[3, 4, None])]
    match = play(ending_after(4), "TitForTat", *voters, [0.0], [0.1])
    assert turns_of(match)[-1].present == [True, True, True, False, False]
    # Turn 1 without seat 3: 0.9, 0.5, 0.1. Turn 2 without seat 4 as well: 0.8 and 0.6.
    assert given_by(match) == [1.0, 0.5, 0.7, 0.7]


def test_opportuniste_counts_the_seats_still_in():
    # At S = 1.8 and α = 0.6 a unit given brings back 0.99 at a table of four, and 1.08 at a table of three.
    match = against_one_leaving("Opportuniste", [0.6], [0.6], [0.6], turn=2, turns=4, alpha=0.6)
    assert given_by(match) == [1.0, 0.0, 1.0, 1.0]


def test_pragmatique_lobbies_by_the_mean_of_the_seats_still_in():
    match = against_one_leaving("Pragmatique", [0.0], [0.6], [0.6], turn=1, turns=4)
    one, two, three, _ = turns_of(match)
    assert one.contributions[0] == pytest.approx(0.5)
    # The mean of turn 1 over the seats still in is (0.5 + 0.6 + 0.6)/3, above 0.5.
    assert answers_of(match, 0, "lobby")[1] == pytest.approx(0.03 * one.capitals[0])
    assert two.contributions[0] < two.cooperation == pytest.approx((two.contributions[0] + 1.2) / 3)
    assert answers_of(match, 0, "lobby")[2] == pytest.approx(0.03 * two.capitals[0])
    assert three.contributions[1] == 0.0


def test_justicier_votes_against_seats_still_in():
    match = play(ending_after(4), "Justicier", "Justicier", [0.0], [0.2], [1.0])
    assert answers_of(match, 1, "vote") == [None, 2, 3, None]
