"""Choices, texts, and several answers at once."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ostrom.core import Amount, Choice, Fields, IllegalAnswer, Text

VOTE = Choice((None, 0, 1, 3))
MOVE = Fields({"contribution": Amount(0.0, 1.0), "lobby": Amount(-5.0, 5.0), "vote": VOTE})


@pytest.mark.parametrize("option", [None, 0, 1, 3])
def test_every_option_is_legal(option):
    assert VOTE.validate(option) is option


@pytest.mark.parametrize("raw", [2, -1, 4, "0", "", 0.5, [], "None"])
def test_what_is_no_option_is_illegal_and_the_options_are_told(raw):
    with pytest.raises(IllegalAnswer, match="it must be one of nothing, 0, 1, 3"):
        VOTE.validate(raw)


@pytest.mark.parametrize("truth", [True, False, np.True_, np.False_])
def test_a_truth_value_never_stands_for_zero_or_one(truth):
    with pytest.raises(IllegalAnswer, match="is not one of the options"):
        VOTE.validate(truth)


def test_nothing_is_illegal_where_it_is_no_option():
    with pytest.raises(IllegalAnswer, match="None is not one of the options"):
        Choice((0, 1)).validate(None)


@pytest.mark.parametrize("kind", [np.int8, np.int32, np.int64, np.uint8, np.uint64])
def test_integers_of_numpy_stand_for_plain_ones(kind):
    chosen = VOTE.validate(kind(3))
    assert chosen == 3
    assert type(chosen) is int
    with pytest.raises(IllegalAnswer):
        VOTE.validate(kind(2))


def test_words_are_chosen_by_equality_and_not_by_case():
    spec = Choice(("up", "down"))
    assert spec.validate("up") == "up"
    for wrong in ("Up", " up", "u", None, 0):
        with pytest.raises(IllegalAnswer, match="one of up, down"):
            spec.validate(wrong)


@given(options=st.lists(st.integers(0, 20), unique=True, min_size=1), raw=st.integers(-5, 25))
def test_a_choice_holds_its_options_and_nothing_else(options, raw):
    spec = Choice(tuple(options))
    if raw in options:
        assert spec.validate(raw) == raw
    else:
        with pytest.raises(IllegalAnswer):
            spec.validate(raw)


def test_a_text_is_stripped_and_may_be_silence():
    assert Text(3).validate("  one two\tthree \n") == "one two\tthree"
    assert Text(0).validate(" ") == ""


def test_a_text_with_too_many_words_is_illegal_and_not_cut():
    with pytest.raises(IllegalAnswer, match="4 words are too many; it must be a text of at most 3 words"):
        Text(3).validate("one two three four")


@pytest.mark.parametrize("raw", [None, 3, b"bytes", ["one"]])
def test_what_is_no_text_is_illegal(raw):
    with pytest.raises(IllegalAnswer, match="is not a text"):
        Text(3).validate(raw)


def test_fields_return_each_answer_in_its_own_type():
    decided = MOVE.validate({"vote": np.int64(1), "contribution": 1, "lobby": np.float32(2.5)})
    assert decided == {"contribution": 1.0, "lobby": 2.5, "vote": 1}
    assert [type(value) for value in decided.values()] == [float, float, int]


def test_a_missing_field_is_named():
    with pytest.raises(IllegalAnswer, match="fields missing lobby, vote; it must be contribution: a number"):
        MOVE.validate({"contribution": 1.0})


def test_an_unknown_field_is_named():
    with pytest.raises(IllegalAnswer, match="fields unknown reasoning"):
        MOVE.validate({"contribution": 1.0, "lobby": 0.0, "vote": None, "reasoning": "why not"})


def test_missing_and_unknown_fields_are_told_together():
    with pytest.raises(IllegalAnswer, match="fields missing vote and unknown voice, 7"):
        MOVE.validate({"contribution": 1.0, "lobby": 0.0, "voice": None, 7: 7})


@pytest.mark.parametrize(
    ("field", "value"), [("contribution", 1.7), ("lobby", -5.1), ("vote", 2), ("contribution", None)]
)
def test_the_reason_names_the_field_that_is_wrong(field, value):
    legal = {"contribution": 1.0, "lobby": 0.0, "vote": None}
    with pytest.raises(IllegalAnswer, match=f"^{field}: "):
        MOVE.validate(legal | {field: value})


def test_the_reason_names_a_nested_field_by_its_whole_path():
    spec = Fields({"first": Fields({"inner": Amount(0, 1)})})
    assert spec.validate({"first": {"inner": 1}}) == {"first": {"inner": 1.0}}
    with pytest.raises(IllegalAnswer, match=r"^first: inner: 2 is not allowed"):
        spec.validate({"first": {"inner": 2}})
    with pytest.raises(IllegalAnswer, match=r"^first: fields missing inner"):
        spec.validate({"first": {}})


@pytest.mark.parametrize("raw", [None, 0.5, "contribution", [("contribution", 1.0)]])
def test_an_answer_without_fields_is_illegal(raw):
    with pytest.raises(IllegalAnswer, match="is not an answer in fields"):
        MOVE.validate(raw)


def test_a_description_of_fields_describes_each():
    assert MOVE.describe() == (
        "contribution: a number from 0 to 1; lobby: a number from -5 to 5; vote: one of nothing, 0, 1, 3"
    )
