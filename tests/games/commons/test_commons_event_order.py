"""The record of a game: what is written, in which order, and that it can be read back."""

import json

import pytest

from ostrom.core.telling import transcript_lines
from ostrom.games.commons import COMMONS, CommonsRules
from ostrom.games.commons.events import EVENTS, CommonsEnded, Erosion, GoldenAge, SeatExcluded, TurnPlayed, VoteHeld
from ostrom.testing import Scripted
from support import BUILT_IN, end_of, ending_after, play, turns_of


def kinds(match):
    return [type(event) for event in match.events]


def test_a_turn_is_told_in_the_order_of_the_rules():
    voter = Scripted([1.0], votes=[None, 4, None])
    match = play(ending_after(3), voter, voter, voter, voter, [0.5, 0.0])
    assert kinds(match) == [
        TurnPlayed,
        GoldenAge,
        TurnPlayed,
        VoteHeld,
        SeatExcluded,
        TurnPlayed,
        CommonsEnded,
    ]
    assert [event.turn for event in match.events] == [1, 1, 2, 2, 2, 3, 3]


def test_a_spell_is_told_when_it_begins_and_not_while_it_lasts():
    script = [1.0, 1.0, 0.6, 1.0, 0.0, 0.0, 0.6, 0.0, 1.0]
    match = play(ending_after(9), script, script)
    told = [(event.turn, type(event)) for event in match.events if isinstance(event, GoldenAge | Erosion)]
    assert told == [(1, GoldenAge), (4, GoldenAge), (5, Erosion), (8, Erosion), (9, GoldenAge)]


def test_a_spell_tells_the_cooperation_and_the_synergy_to_come():
    match = play(ending_after(1), [1.0], [0.75])
    assert match.events[1] == GoldenAge(turn=1, cooperation=0.875, synergy=1.9)
    match = play(ending_after(1), [0.0], [0.25])
    assert match.events[1] == Erosion(turn=1, cooperation=0.125, synergy=1.75)


def test_a_vote_without_a_majority_is_told_and_excludes_nobody():
    match = play(ending_after(1), Scripted([0.6], votes=[1]), Scripted([0.6], votes=[0]), [0.6])
    assert kinds(match) == [TurnPlayed, VoteHeld, CommonsEnded]
    assert match.events[1] == VoteHeld(turn=1, votes=[1, 0, None])


def test_a_turn_without_a_vote_tells_of_none():
    assert kinds(play(ending_after(2), [0.6], [0.6], [0.6])) == [TurnPlayed, TurnPlayed, CommonsEnded]


def test_an_exclusion_tells_by_how_many_votes():
    voter = Scripted([1.0], votes=[3, None])
    match = play(ending_after(1), voter, voter, voter, Scripted([0.0], votes=[0]))
    (excluded,) = [event for event in match.events if isinstance(event, SeatExcluded)]
    assert excluded == SeatExcluded(turn=1, seat=3, votes=3)


def test_turns_are_numbered_from_one_without_a_gap_and_the_end_comes_once():
    match = play(CommonsRules(duration=20), [1.0], [0.5], seed=9)
    assert [turn.turn for turn in turns_of(match)] == list(range(1, len(turns_of(match)) + 1))
    assert kinds(match).count(CommonsEnded) == 1
    assert kinds(match)[-1] is CommonsEnded
    assert end_of(match).capitals == turns_of(match)[-1].capitals


def test_the_numbers_of_a_turn_belong_together():
    match = play(ending_after(12), "Capitaliste", "Parasite", "Justicier", "Justicier", [0.4, 0.1, 0.9])
    before = [0.0] * 5
    for turn in turns_of(match):
        assert turn.pot == pytest.approx(100 * sum(turn.contributions))
        assert sum(turn.shares) == pytest.approx(turn.pot * turn.synergy)
        for seat in range(5):
            earned = before[seat] - abs(turn.lobby[seat]) + turn.gains[seat]
            assert turn.capitals[seat] == pytest.approx(earned)
            kept = (1 - turn.contributions[seat]) * 100 * turn.erosion if turn.present[seat] else 0.0
            assert turn.gains[seat] == pytest.approx(kept + turn.shares[seat])
        before = turn.capitals


def test_the_same_seed_tells_the_same_story():
    rules = CommonsRules(duration=15)
    one, again, other = (play(rules, *BUILT_IN, seed=seed) for seed in (4, 4, 5))
    assert one.events == again.events
    assert one.events != other.events
    assert play(rules, *BUILT_IN, seed=4, game=1).events != one.events


def test_every_event_survives_the_way_through_json():
    voter = Scripted([1.0, 0.0], votes=[None, 3, None])
    match = play(ending_after(8), voter, voter, "Capitaliste", "RandomPlayer")
    assert set(kinds(match)) == {TurnPlayed, GoldenAge, Erosion, VoteHeld, SeatExcluded, CommonsEnded}
    for event in match.events:
        assert EVENTS.decode(json.loads(json.dumps(event.as_record()))) == event


def test_every_event_can_be_told():
    voter = Scripted([1.0, 0.0], votes=[None, 3, None])
    match = play(ending_after(8), voter, voter, "Capitaliste", "RandomPlayer")
    told = list(transcript_lines(COMMONS, match.rules, match.events, match.names))
    assert len(told) == len(match.events)
    assert all(line and "\n" not in line for lines in told for line in lines)
