"""Lists of answers of one kind."""

from collections import UserList

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ostrom.core import Amount, Choice, Fields, IllegalAnswer, Several, Text

PICKS = Several(Fields({"line": Choice((1, 2, 3)), "rating": Amount(0, 10, whole=True)}), 0, 2, distinct="line")


def pick(line, rating=5):
    return {"line": line, "rating": rating}


@pytest.mark.parametrize("raw", [[], [pick(1)], (pick(3), pick(1, 10)), UserList([pick(2)])])
def test_a_list_of_legal_entries_is_legal_and_keeps_its_order(raw):
    assert PICKS.validate(raw) == list(raw)
    assert type(PICKS.validate(raw)) is list


def test_every_entry_comes_back_in_its_own_type():
    (found,) = PICKS.validate([pick(1, 7.0)])
    assert type(found["rating"]) is int


@pytest.mark.parametrize("raw", [None, "12", b"12", {"line": 1}, 3, {1, 2}, iter([])])
def test_what_is_no_list_is_illegal(raw):
    with pytest.raises(IllegalAnswer, match=r"is not a list; it must be a list of at most 2, each with line: one of"):
        PICKS.validate(raw)


def test_too_many_and_too_few_are_illegal():
    with pytest.raises(IllegalAnswer, match="3 entries are not allowed; it must be a list of at most 2"):
        PICKS.validate([pick(1), pick(2), pick(3)])
    with pytest.raises(IllegalAnswer, match="1 entry is not allowed; it must be a list of exactly 2, each with a text"):
        Several(Text(5), 2, 2).validate(["one"])
    with pytest.raises(IllegalAnswer, match="a list of 1 to 4"):
        Several(Text(5), 1, 4).validate([])


def test_the_reason_says_which_entry_is_wrong_and_why():
    with pytest.raises(IllegalAnswer, match=r"entry 2: rating: 11 is not allowed; it must be a whole number from 0"):
        PICKS.validate([pick(1), pick(2, 11)])


def test_no_two_entries_may_be_about_the_same():
    with pytest.raises(IllegalAnswer, match="entry 2: line 3 is there twice"):
        PICKS.validate([pick(3), pick(3, 9)])
    assert Several(Choice((1, 2)), 0, 3).validate([1, 1, 1]) == [1, 1, 1]


def test_a_huge_thing_is_not_told_back_whole():
    with pytest.raises(IllegalAnswer) as told:
        PICKS.validate("x" * 100_000)
    assert len(str(told.value)) < 300


@given(st.lists(st.integers(-2, 12)), st.integers(0, 4), st.integers(0, 4))
def test_a_list_is_legal_where_its_length_and_all_its_entries_are(raw, fewest, more):
    spec = Several(Amount(0, 10, whole=True), fewest, fewest + more)
    legal = fewest <= len(raw) <= fewest + more and all(0 <= one <= 10 for one in raw)
    if legal:
        assert spec.validate(raw) == raw
    else:
        with pytest.raises(IllegalAnswer):
            spec.validate(raw)
