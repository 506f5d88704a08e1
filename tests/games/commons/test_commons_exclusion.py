"""The vote: who leaves, by how many votes, and what leaving means."""

from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ostrom.core.game import figures_of
from ostrom.findings.tournament import describe
from ostrom.games.commons import COMMONS, CommonsRules
from ostrom.games.commons.events import SeatExcluded, VoteHeld
from ostrom.games.commons.rules import NO_SEAT, excluded_by
from ostrom.sim.tournament import tournament
from ostrom.testing import Scripted
from support import ending_after, given_by, play, turns_of


def leaving(votes, present=None, needed=2):
    inside = [True] * len(votes) if present is None else present
    out = excluded_by(np.asarray(votes)[:, None], np.asarray(inside)[:, None], needed)
    return np.flatnonzero(out[:, 0]).tolist()


def exclusions(match):
    """Return the turn, the seat and the votes of every exclusion."""
    return [(event.turn, event.seat, event.votes) for event in match.events if isinstance(event, SeatExcluded)]


def voter(*votes, gives=1.0):
    return Scripted([gives], votes=[*votes, None])


@pytest.mark.parametrize(
    ("votes", "out"),
    [
        ([NO_SEAT, NO_SEAT, NO_SEAT], []),
        ([1, NO_SEAT, NO_SEAT], []),  # one vote is all votes cast, and not enough
        ([1, NO_SEAT, 1], [1]),
        ([1, 0, 1], [1]),
        ([1, 0, NO_SEAT], []),
        ([1, 0, 0, 1], []),  # half is not more than half
        ([1, 2, 1, 2], []),
        ([3, 3, NO_SEAT, NO_SEAT], [3]),
        ([3, 3, 0, NO_SEAT], [3]),
        ([3, 3, 0, 0], []),
        ([4, 4, 0, 1, 2], []),  # the most votes, and not more than half
        ([4, 4, 4, 1, 2], [4]),
    ],
)
def test_it_takes_more_than_half_of_the_votes_cast_and_at_least_two(votes, out):
    assert leaving(votes) == out


@pytest.mark.parametrize(
    ("needed", "votes", "out"),
    [
        (1, [1, NO_SEAT, NO_SEAT], [1]),  # one vote is all votes cast
        (1, [1, 0, NO_SEAT], []),  # half is not more than half
        (3, [3, 3, NO_SEAT, NO_SEAT], []),
        (3, [3, 3, 3, NO_SEAT], [3]),
    ],
)
def test_how_many_votes_it_takes_is_a_rule(needed, votes, out):
    assert leaving(votes, needed=needed) == out


def test_one_voter_excludes_where_one_vote_is_enough():
    assert exclusions(play(ending_after(3, votes_needed=1), "Justicier", [0.0], [1.0])) == [(2, 1, 1)]


@pytest.mark.parametrize(
    ("table", "settings", "said"),
    [
        (["Justicier", [0.0], [1.0]], {}, "no seat could be excluded: that needs 2 votes, and 1 seat voted"),
        (["Justicier", "Justicier", [0.0]], {"votes_needed": 3}, "that needs 3 votes, and 2 seats voted"),
        ([[1.0], [1.0], [1.0]], {}, "that needs 2 votes, and no seat voted"),
        (["Justicier", "Justicier", [0.0]], {}, None),
        (["Justicier", [0.0], [1.0]], {"votes_needed": 1}, None),
        (["Justicier", [0.0], [1.0]], {"voting": False}, None),
        (["Justicier", [0.0]], {}, None),  # two seats hold no vote
    ],
)
def test_the_final_table_says_where_nobody_could_be_excluded(table, settings, said):
    match = play(ending_after(4, **settings), *table)
    remark = figures_of(COMMONS, match.rules, match.events).remark
    assert said in remark if said else "excluded" not in remark


def test_a_tournament_says_where_nobody_can_be_excluded():
    four = ["Justicier", "Parasite", "Pavlov", "TitForTat"]
    alone = tournament(four, games=1, seed=1, group_size=3)
    assert alone.remark == "no seat can be excluded: that needs 2 votes, and no table has more than 1 voter"
    assert describe(alone).facts["remark"] == alone.remark
    assert not tournament([*four, "Justicier"], games=1, seed=1, group_size=3).remark
    assert not tournament(four, games=1, seed=1, group_size=3, rules=CommonsRules(votes_needed=1)).remark


@given(st.data())
def test_at_most_one_seat_leaves_and_only_by_a_true_majority(data):
    seats = data.draw(st.integers(3, 9))
    votes = [
        data.draw(st.sampled_from([NO_SEAT, *(other for other in range(seats) if other != seat)]))
        for seat in range(seats)
    ]
    cast = [vote for vote in votes if vote != NO_SEAT]
    expected = [seat for seat, times in Counter(cast).items() if times > len(cast) / 2 and times >= 2]
    assert leaving(votes) == expected
    assert len(expected) <= 1


def test_with_two_seats_left_there_is_no_vote():
    assert leaving([1, 0]) == []
    assert leaving([1, 0, NO_SEAT, NO_SEAT], [True, True, False, False]) == []
    # Two votes against one seat of two cannot be; of the array function it is asked all the same.
    assert leaving([1, NO_SEAT, 1, NO_SEAT], [True, True, False, False]) == []


def test_games_of_a_batch_are_voted_on_apart():
    votes = np.asarray([[1, NO_SEAT, 2], [NO_SEAT, NO_SEAT, 2], [1, 1, NO_SEAT]])
    out = excluded_by(votes, np.ones((3, 3), dtype=bool), 2)
    assert out.T.tolist() == [[False, True, False], [False, False, False], [False, False, True]]


def test_a_seat_leaves_from_the_next_turn_on():
    match = play(ending_after(4, lobbying=False), voter(None, 2), voter(None, 2), [0.5])
    turns = turns_of(match)
    assert [turn.present[2] for turn in turns] == [True, True, False, False]
    assert [turn.contributions[2] for turn in turns] == [0.5, 0.5, 0.0, 0.0]
    assert turns[1].gains[2] > 0.0
    assert given_by(match, 2) == [0.5, 0.5]


def test_a_seat_that_left_keeps_its_capital_and_gets_nothing():
    turns = turns_of(play(ending_after(5), voter(2), voter(2), [0.0]))
    assert len({turn.capitals[2] for turn in turns}) == 1
    assert all(turn.gains[2] == turn.shares[2] == 0.0 for turn in turns[1:])


def test_a_seat_that_left_counts_in_no_mean_and_takes_no_share():
    turns = turns_of(play(ending_after(2), voter(2), voter(2), [0.0]))
    assert turns[0].cooperation == pytest.approx(2 / 3)
    assert turns[1].cooperation == 1.0
    assert turns[1].next_synergy == 1.9
    assert turns[1].shares == pytest.approx([180.0, 180.0, 0.0])


def test_a_seat_that_leaves_may_have_voted_in_that_turn():
    match = play(ending_after(2), voter(2), voter(2), voter(0))
    held = [event for event in match.events if isinstance(event, VoteHeld)]
    assert [event.votes for event in held] == [[2, 2, 0]]
    assert exclusions(match) == [(1, 2, 2)]


def test_exclusions_go_on_until_two_are_left():
    first = Scripted([1.0], votes=[4, 3, 2, None])
    match = play(ending_after(6), first, first, [0.0], [0.0], [0.0])
    assert exclusions(match) == [(1, 4, 2), (2, 3, 2), (3, 2, 2)]
    assert turns_of(match)[-1].present == [True, True, False, False, False]


def test_a_seat_that_left_with_the_highest_capital_wins():
    # At α = 1 the keeper leaves with 220; the others hold 120, burn it all on lobbying, and earn 180.
    spender = Scripted([1.0], lobby=[0.0, 120.0], votes=[2, None])
    match = play(ending_after(2, alpha=1.0), spender, spender, [0.0])
    assert match.events[-1].capitals == pytest.approx([180.0, 180.0, 220.0])
    assert match.events[-1].winners == [2]


def test_without_voting_nobody_leaves():
    match = play(ending_after(3, voting=False), voter(2), voter(2), [0.0])
    assert not [event for event in match.events if isinstance(event, VoteHeld | SeatExcluded)]
    assert all(all(turn.present) for turn in turns_of(match))
