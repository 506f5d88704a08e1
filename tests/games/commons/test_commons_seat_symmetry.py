"""Whole games of champions without chance: who sits where does not matter.

The one exception is written in the rules: Justicier breaks its last tie by the seat number. Games in which a vote hung
on it are left out by `hung_on_the_seat_number`, which reads it off the record by the rules alone.
"""

import random

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from ostrom.games.commons.events import SeatExcluded
from support import DETERMINISTIC, end_of, ending_after, play, turns_of


def hung_on_the_seat_number(match):
    """Whether any Justicier ever had to choose between seats of equal mean and equal capital."""
    turns = turns_of(match)
    for now in range(1, len(turns)):
        present = turns[now].present
        if sum(present) <= 2:
            return False
        recent = turns[max(0, now - 3) : now]
        standing = {
            seat: (
                round(sum(turn.contributions[seat] for turn in recent) / len(recent), 6),
                round(turns[now - 1].capitals[seat], 6),
            )
            for seat in range(len(present))
            if present[seat]
        }
        for voter in (seat for seat, name in enumerate(match.names) if name == "Justicier" and present[seat]):
            others = sorted(value for seat, value in standing.items() if seat != voter)
            if others[0][0] < 0.3 and others[0] == others[1]:
                return True
    return False


def assert_same_fortunes(rules, names, order):
    one, other = play(rules, *names), play(rules, *(names[seat] for seat in order))
    expected = [end_of(one).capitals[seat] for seat in order]
    assert end_of(other).capitals == pytest.approx(expected, rel=1e-9, abs=1e-9)


@pytest.mark.slow
@settings(max_examples=80)
@given(names=st.lists(st.sampled_from(DETERMINISTIC), min_size=2, max_size=7), data=st.data())
def test_fortunes_follow_the_champions_without_a_vote(names, data):
    order = data.draw(st.permutations(range(len(names))))
    assert_same_fortunes(ending_after(25, voting=False), names, order)


@pytest.mark.slow
@settings(max_examples=40)
@given(
    others=st.lists(st.sampled_from(DETERMINISTIC), min_size=1, max_size=5, unique=True),
    data=st.data(),
)
def test_fortunes_follow_the_champions_with_a_vote(others, data):
    names = ["Justicier", "Justicier", *others]
    order = data.draw(st.permutations(range(len(names))))
    assume(not hung_on_the_seat_number(play(ending_after(25), *names)))
    assert_same_fortunes(ending_after(25), names, order)


@pytest.mark.slow
@pytest.mark.parametrize("intensity", [1.0, 1.7])
def test_fortunes_follow_the_champions_when_all_sit_together(intensity):
    rules = ending_after(60, voting=False, erosion_intensity=intensity)
    shuffled = random.Random(4)
    for _ in range(4):
        order = list(range(len(DETERMINISTIC)))
        shuffled.shuffle(order)
        assert_same_fortunes(rules, list(DETERMINISTIC), order)


def test_the_order_does_not_matter_in_games_with_an_exclusion_either():
    names = ["Justicier", "AlwaysBetray", "Justicier", "TitForTat", "Opportuniste"]
    match = play(ending_after(25), *names)
    assert not hung_on_the_seat_number(match)
    assert [event.seat for event in match.events if isinstance(event, SeatExcluded)] == [1]
    for order in ([4, 3, 2, 1, 0], [1, 2, 3, 4, 0], [3, 0, 4, 2, 1]):
        assert_same_fortunes(ending_after(25), names, order)


def test_twins_fare_alike():
    capitals = end_of(play(ending_after(30, voting=False), "Gradual", "Pavlov", "Gradual", "Capitaliste")).capitals
    assert capitals[0] == pytest.approx(capitals[2], rel=1e-9)


def test_the_seat_number_decides_between_seats_that_are_alike():
    match = play(ending_after(3), "Justicier", "AlwaysBetray", "Justicier", "AlwaysBetray")
    assert hung_on_the_seat_number(match)
    assert next(event.seat for event in match.events if isinstance(event, SeatExcluded)) == 1


def test_champions_on_their_own_conserve_the_symmetry_of_the_table():
    for name in DETERMINISTIC:
        end = end_of(play(ending_after(20), name, name, name))
        assert end.capitals == pytest.approx([end.capitals[0]] * 3, rel=1e-9), name
        assert end.winners == [0, 1, 2], name
