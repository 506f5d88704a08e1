"""What the game asks, of whom, and what a seat may know when it is asked."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ostrom.core import Amount, Answer, Choice, GameChance, IllegalAnswer, InputError, Table, seats
from ostrom.games.commons import COMMONS, CommonsRules
from ostrom.games.commons.play import move_of, move_spec
from ostrom.testing import Scripted
from support import answers_of, ending_after, play, turns_of, view_of


def fields_of(match, turn, seat=0):
    (question,) = [d.question for d in match.decisions if d.question.turn == turn and d.question.seat.index == seat]
    return question.spec.specs


@pytest.mark.parametrize(
    ("switches", "expected"),
    [
        ({}, ["contribution", "lobby", "vote"]),
        ({"lobbying": False}, ["contribution", "vote"]),
        ({"voting": False}, ["contribution", "lobby"]),
        ({"lobbying": False, "voting": False}, ["contribution"]),
    ],
)
def test_switches_decide_which_fields_are_asked(switches, expected):
    match = play(ending_after(2, **switches), [1.0], [1.0], [1.0])
    for turn in (1, 2):
        assert list(fields_of(match, turn)) == expected


def test_two_seats_are_never_asked_for_a_vote():
    match = play(ending_after(3), [1.0], [0.0])
    assert all("vote" not in d.question.spec.specs for d in match.decisions)


def test_the_vote_is_no_longer_asked_when_two_are_left():
    voter = Scripted([1.0], votes=[2, None])
    match = play(ending_after(3), voter, voter, [0.0])
    assert "vote" in fields_of(match, 1)
    assert "vote" not in fields_of(match, 2)
    assert answers_of(match, 0, "vote") == [2, None, None]


def test_all_seats_are_asked_at_once_and_one_question_a_turn():
    table = Table(seats(3), GameChance(1))
    flow = COMMONS.play(ending_after(2), table)
    moment = next(flow)
    while True:
        assert [question.seat for question in moment] == list(table.seats)
        assert len({(question.phase, question.turn) for question in moment}) == 1
        try:
            moment = flow.send([Answer(question.fallback) for question in moment])
        except StopIteration:
            break
    assert len(table.events) > 2


def test_excluded_seats_are_not_asked_any_more():
    voter = Scripted([1.0], votes=[3, None])
    match = play(ending_after(3), voter, voter, voter, [0.0])
    asked = {turn: [d.question.seat.index for d in match.decisions if d.question.turn == turn] for turn in (1, 2, 3)}
    assert asked == {1: [0, 1, 2, 3], 2: [0, 1, 2], 3: [0, 1, 2]}
    assert fields_of(match, 2)["vote"] == Choice((None, 1, 2))


def test_a_vote_names_another_seat_still_in_or_nobody():
    view = view_of(CommonsRules(), seat=1, capitals=(0.0,) * 5, present=(True, True, False, True, True))
    assert move_spec(view).specs["vote"] == Choice((None, 0, 3, 4))
    for wrong in (1, 2, 5, -1, True):
        with pytest.raises(IllegalAnswer, match=r"^vote: "):
            move_spec(view).validate({"contribution": 1.0, "lobby": 0.0, "vote": wrong})


def test_a_lobby_is_bounded_by_the_capital_from_before_the_turn():
    match = play(ending_after(2), [1.0], [0.0])
    assert fields_of(match, 1, 1)["lobby"] == Amount(0.0, 0.0)
    capital = turns_of(match)[0].capitals[1]
    assert fields_of(match, 2, 1)["lobby"] == Amount(-capital, capital)


def test_a_view_tells_what_is_public_and_the_seats_own_past():
    lobbyist = Scripted([0.5, 0.25], lobby=[0.0, 10.0])
    match = play(ending_after(3), lobbyist, [1.0, 0.0])
    first, *_, last = [d.question.view for d in match.decisions if d.question.seat.index == 0]
    assert (first.history, first.contributions, first.cooperation, first.own) == ((), None, None, ())
    one, two = turns_of(match)[:2]
    assert last.turn == 3
    assert last.history == ((0.5, 1.0), (0.25, 0.0))
    assert last.contributions == (0.25, 0.0)
    assert last.cooperation == two.cooperation == 0.125
    assert (last.alpha, last.synergy) == (two.alpha, two.next_synergy)
    assert last.capitals == tuple(two.capitals)
    assert last.capital == two.capitals[0]
    assert [(past.contribution, past.lobby, past.gain) for past in last.own] == [
        (0.5, 0.0, one.gains[0]),
        (0.25, 10.0, two.gains[0]),
    ]
    assert two.gains[0] == pytest.approx(two.capitals[0] - one.capitals[0] + 10.0)


def test_nobody_sees_what_is_answered_in_the_same_turn():
    views = [d.question.view for d in play(ending_after(3), [1.0], [0.0, 1.0]).decisions]
    assert [len(view.history) for view in views] == [0, 0, 1, 1, 2, 2]
    assert views[0].capitals == views[1].capitals


@given(
    lobbying=st.booleans(),
    voting=st.booleans(),
    present=st.lists(st.booleans(), min_size=1, max_size=6),
    capital=st.floats(0, 1e6),
)
def test_the_fallback_is_legal_for_its_own_question(lobbying, voting, present, capital):
    rules = CommonsRules(lobbying=lobbying, voting=voting)
    view = view_of(rules, capitals=(capital,) * (len(present) + 1), present=(True, *present))
    chosen = move_of(view, 0.0)
    assert move_spec(view).validate(chosen) == chosen
    assert chosen["contribution"] == 0.0
    assert not chosen.get("lobby")
    assert chosen.get("vote") is None


def test_every_question_carries_its_own_fallback():
    voter = Scripted([1.0], votes=[2, None])
    for decision in play(ending_after(3), voter, voter, [0.0]).decisions:
        question = decision.question
        assert question.spec.validate(question.fallback) == question.fallback


@pytest.mark.parametrize(("players", "told"), [(0, "0 players"), (1, "one player only")])
def test_a_table_needs_two_players(players, told):
    with pytest.raises(InputError, match=f"commons needs at least 2 players; the table has {told}"):
        play(ending_after(1), *([[1.0]] * players))
