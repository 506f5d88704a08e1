"""Majorities and halvings, by hand and for every threshold."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ostrom.games.battery.adaptive import Bracket, Vote, decimals, majority


@pytest.mark.parametrize(
    ("answers", "choice"),
    [
        (["sooner", "later", "sooner"], "sooner"),
        (["later", "later", "later"], "later"),
        (["later", None, "later"], "later"),
        ([None, None, None], None),
        ([None, "later", None], None),
        (["sooner", "later", None], None),
        (["later"], "later"),
        ([None], None),
        (["a", "a", "b", "b", None], None),
    ],
)
def test_the_majority_is_more_than_half_of_the_askings_and_a_missing_answer_counts_for_nobody(answers, choice):
    assert majority(answers).choice == choice


def test_a_missing_majority_says_how_many_answers_were_valid():
    assert majority(["sooner", "later", None]) == Vote(None, "no majority: 2 of 3 answers valid")
    assert majority([None, None, None]).reason == "no majority: 0 of 3 answers valid"


def test_an_interval_is_halved_towards_the_end_that_is_not_chosen():
    assert Bracket().halved(as_high=True) == Bracket(0.0, 0.5, 1)
    assert Bracket().halved(as_high=False).halved(as_high=True) == Bracket(0.5, 0.75, 2)


@given(st.floats(0, 1, exclude_min=True))
def test_ten_halvings_find_every_threshold_to_a_2048th(threshold):
    bracket = Bracket()
    for _ in range(10):
        bracket = bracket.halved(as_high=bracket.middle >= threshold)
    assert bracket.high - bracket.low == 2**-10
    assert bracket.low <= threshold <= bracket.high
    assert abs(bracket.middle - threshold) <= 2**-11


@pytest.mark.parametrize(
    ("amount", "halvings", "shown"), [(10, 10, 4), (1000, 10, 4), (1, 10, 4), (0.01, 10, 6), (10, 20, 6), (1, 1, 4)]
)
def test_amounts_are_shown_finely_enough_for_every_step(amount, halvings, shown):
    assert decimals(amount, halvings) == shown
    assert 0.5 * 10**-shown < amount / 2 ** (halvings + 1)
