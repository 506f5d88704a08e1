"""Justicier: gives everything, and names the worst giver if there is one bad enough."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ostrom.games.commons.events import SeatExcluded
from ostrom.testing import Scripted
from support import answers_of, ending_after, given_by, play, turns_of

tenths = st.integers(0, 10).map(lambda n: n / 10)
stingy = st.sampled_from([0.0, 0.1, 0.2, 0.3, 0.4])


def vote_by_the_rules(match, seat, turn):
    """The vote of a seat in a turn, counted from 1, by everything that happened before."""
    turns = turns_of(match)
    recent = turns[max(0, turn - 4) : turn - 1]
    if not recent:
        return None
    candidates = [
        (round(sum(past.contributions[other] for past in recent) / len(recent), 9), recent[-1].capitals[other], other)
        for other, there in enumerate(turns[turn - 1].present)
        if there and other != seat
    ]
    mean, _, worst = min((mean, round(capital, 9), other) for mean, capital, other in candidates)
    return worst if mean < 0.3 else None


def votes_of(*others, turns, **settings):
    return answers_of(play(ending_after(turns, **settings), "Justicier", *others), 0, "vote")


def excluded_in(match):
    return [(event.turn, event.seat) for event in match.events if isinstance(event, SeatExcluded)]


@given(
    scripts=st.lists(st.lists(tenths | stingy, min_size=8, max_size=8), min_size=2, max_size=5),
    place=st.integers(0, 2),
)
def test_it_votes_by_its_rule_against_any_table(scripts, place):
    table = [*scripts[:place], "Justicier", *scripts[place:]]
    match = play(ending_after(8), *table)
    seat = table.index("Justicier")
    assert given_by(match, seat) == [1.0] * 8
    assert answers_of(match, seat, "vote") == [vote_by_the_rules(match, seat, turn) for turn in range(1, 9)]


POORER = Scripted([0.0], lobby=[0.0, 10.0])
"""A seat that gives nothing and has less capital than others that give nothing."""


@pytest.mark.parametrize(
    ("others", "votes"),
    [
        ([[0.0], [0.0]], [None]),
        ([[0.2], [0.1], [1.0]], [None, 2, 2]),
        # A mean of 0.3 is tolerated.
        ([[0.3], [1.0]], [None] * 5),
        ([[0.29], [1.0]], [None, 1, 1]),
        # The mean is over three turns, or fewer at first: 0; 0.5; 1/3; of 1, 0, 0; of 0, 0, 0.
        ([[0.0, 1.0, 0.0, 0.0, 0.0], [1.0]], [None, 1, None, None, None, 1]),
        # One 0 of two turns: 0.4/2; of three: 0.8/3; then it has left the window.
        ([[0.0, 0.4, 0.4, 0.4, 0.4], [1.0]], [None, 1, 1, 1, None, None]),
        # A tie goes to the lower capital, then to the lower seat; the mean comes first.
        ([[0.0], POORER, [1.0]], [None, 1, 2]),
        ([POORER, [0.0], [1.0]], [None, 1, 1]),
        ([[1.0], [0.0], [0.0], [0.0]], [None, 2, 2]),
        ([Scripted([0.2], lobby=[0.0, 100.0]), [0.1], [1.0]], [None, 2, 2]),
        # It never votes against itself.
        (["Justicier", [1.0]], [None] * 4),
    ],
)
def test_votes_by_hand(others, votes):
    assert votes_of(*others, turns=len(votes)) == votes


def test_a_mean_of_exactly_three_tenths_is_tolerated_whatever_the_rounding():
    # (0.1 + 0.2 + 0.6)/3 and its like are 0.3, and some of them a hair below in plain floats.
    for script in ([0.1, 0.2, 0.6], [0.6, 0.2, 0.1], [0.1, 0.7, 0.1], [0.2, 0.1, 0.6], [0.0, 0.1, 0.8]):
        assert votes_of([*script, 1.0], [1.0], turns=4)[3] is None, script


def test_a_tie_goes_to_the_lower_seat_from_any_seat():
    match = play(ending_after(2), [0.0], [0.0], "Justicier")
    assert answers_of(match, 2, "vote") == [None, 0]


def test_one_alone_cannot_exclude():
    match = play(ending_after(6), "Justicier", [0.0], [1.0])
    assert excluded_in(match) == []
    assert answers_of(match, 0, "vote") == [None, 1, 1, 1, 1, 1]


def test_two_exclude_one_a_turn_until_two_are_left():
    match = play(ending_after(6), "Justicier", [0.0], "Justicier", [0.2], [0.1])
    assert excluded_in(match) == [(2, 1), (3, 4), (4, 3)]
    assert answers_of(match, 0, "vote") == [None, 1, 4, 3, None, None]
    assert given_by(match, 2) == [1.0] * 6


def test_a_seat_that_left_is_not_named_again():
    match = play(ending_after(5), "Justicier", "Justicier", [0.0], [0.25], [1.0])
    assert answers_of(match, 0, "vote") == [None, 2, 3, None, None]


@pytest.mark.parametrize("switches", [{"voting": False}, {"voting": False, "lobbying": False}])
def test_without_a_vote_it_gives_everything_all_the_same(switches):
    match = play(ending_after(4, **switches), "Justicier", [0.0], [0.0])
    assert given_by(match) == [1.0] * 4
    assert answers_of(match, 0, "vote") == [None] * 4
