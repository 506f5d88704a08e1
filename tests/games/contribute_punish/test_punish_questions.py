"""Who is asked what, and what each may know."""

import pytest

from ostrom.core import GameChance, IllegalAnswer, InputError
from ostrom.core.specs import Aimed
from ostrom.experiment import play_match
from ostrom.games.contribute_punish import CONTRIBUTE_PUNISH, ContributePunishRules
from ostrom.games.contribute_punish.players import PUNISHERS

NAMES = ("Cooperator", "FreeRider", "AltruisticPunisher", "Retaliator", "AntisocialPunisher")


def play(seed=5, names=NAMES, **rules):
    contestants = [PUNISHERS[name] for name in names]
    return play_match(CONTRIBUTE_PUNISH, ContributePunishRules(**rules), contestants, GameChance(seed))


def asked(match, phase):
    return [decision.question for decision in match.decisions if decision.question.phase == phase]


def test_each_sees_what_was_said_before_it_in_this_round():
    questions = [question for question in asked(play(), "message") if question.turn == 2]
    assert [len(question.view.said) for question in questions] == [0, 1, 2, 3, 4]


def test_the_order_of_speaking_is_drawn_anew_every_round():
    orders = {}
    for question in asked(play(), "message"):
        orders.setdefault(question.turn, []).append(question.seat.index)
    assert all(sorted(order) == [0, 1, 2, 3, 4] for order in orders.values())
    assert len({tuple(order) for order in orders.values()}) > 5


def test_without_messages_nobody_is_asked_to_speak():
    assert asked(play(messages=False), "message") == []


def test_without_punishment_nobody_is_asked_to_punish():
    assert asked(play(punishment=False), "punishment") == []


def test_nobody_sees_a_contribution_before_all_are_in():
    match = play()
    assert all(question.view.contributions is None for question in asked(match, "contribution"))
    assert all(question.view.contributions is not None for question in asked(match, "punishment"))


def test_messages_of_the_last_five_rounds_are_shown_and_numbers_of_all():
    last = next(question for question in asked(play(), "contribution") if question.turn == 10).view
    assert [bool(past.messages) for past in last.history] == [False] * 4 + [True] * 5
    assert len(last.history) == 9


def test_anonymous_punishments_hide_who_did_it_but_not_what_was_lost():
    view = next(question for question in asked(play(anonymous=True), "contribution") if question.turn == 3).view
    punishments = [each for past in view.history for each in past.punishments]
    assert punishments
    assert all(each.punisher in (None, view.seat) for each in punishments)
    assert all(each.damage > 0 for each in punishments)


def test_a_seat_without_tokens_is_not_asked_to_punish():
    match = play(start=0)
    assert asked(match, "punishment") == []


def test_every_fallback_is_legal():
    for decision in play().decisions:
        decision.question.spec.validate(decision.question.fallback)


def test_two_seats_are_too_few():
    with pytest.raises(InputError, match="at least 3"):
        play(names=NAMES[:2])


@pytest.mark.parametrize(
    "raw",
    [
        {"target": 1, "spend": 0},
        {"target": None, "spend": 3},
        {"target": 0, "spend": 3},
        {"target": 9, "spend": 3},
        {"target": 1, "spend": 6},
        {"target": 1, "spend": 2.5},
        {"target": 1, "spend": float("nan")},
        {"target": 1},
        {"target": 1, "spend": 2, "why": "because"},
        "P2=5",
        None,
    ],
)
def test_an_illegal_punishment_is_refused_with_what_would_be_right(raw):
    with pytest.raises(IllegalAnswer, match="spend"):
        Aimed((1, 2), most=5).validate(raw)


@pytest.mark.parametrize("raw", [{"target": None, "spend": 0}, {"target": 2, "spend": 5}])
def test_a_legal_punishment_is_taken_as_it_is(raw):
    assert Aimed((1, 2), most=5).validate(raw) == raw


@pytest.mark.parametrize(
    "settings",
    [{"multiplier": 1.23456}, {"rounds": 0}, {"start": -1}, {"max_fraction": 1.5}, {"rounds": 1000, "multiplier": 9}],
)
def test_rules_that_cannot_be_are_refused(settings):
    with pytest.raises(ValueError, match="ContributePunishRules"):
        ContributePunishRules(**settings)
