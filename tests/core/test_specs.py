"""Specifications of answers: legal answers are returned in their own type, illegal ones are rejected with a reason."""

import math
from collections import UserList
from decimal import Decimal
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ostrom.core import Amount, Choice, Fields, IllegalAnswer, Several, Text

UNIT = Amount(0.0, 1.0)
WHOLE = Amount(0, 10, whole=True)
UNBOUNDED = Amount(-math.inf, math.inf)
THIRD = Amount(-100 / 3, 100 / 3)
VOTE = Choice((None, 0, 1, 3))
WORDS = Choice(("up", "down"))
MOVE = Fields({"contribution": UNIT, "lobby": Amount(-5.0, 5.0), "vote": VOTE})
NESTED = Fields({"first": Fields({"inner": Amount(0, 1)})})
LEGAL_MOVE = {"contribution": 1.0, "lobby": 0.0, "vote": None}
PICKS = Several(Fields({"line": Choice((1, 2, 3)), "rating": WHOLE}), 0, 2, distinct="line")


def pick(line, rating=5):
    return {"line": line, "rating": rating}


@pytest.mark.parametrize(
    ("spec", "raws", "value"),
    [
        (UNIT, [0, 0.0, -0.0], 0.0),
        (UNIT, [1, 1.0], 1.0),
        (UNIT, [0.5, np.float64(0.5), np.float32(0.5), np.float16(0.5), Decimal("0.5"), Fraction(1, 2)], 0.5),
        (THIRD, [100 / 3], 100 / 3),
        (THIRD, [-100 / 3], -100 / 3),
        (WHOLE, [7, 7.0, np.int64(7), np.uint8(7), np.float64(7.0), Decimal(7)], 7),
        (VOTE, [None], None),
        (VOTE, [0], 0),
        (VOTE, [1], 1),
        (VOTE, [kind(3) for kind in (int, np.int8, np.int32, np.int64, np.uint8, np.uint64)], 3),
        (WORDS, ["up"], "up"),
        (Text(3), ["  one two\tthree \n"], "one two\tthree"),
        (Text(0), [" "], ""),
    ],
)
def test_a_legal_answer_is_returned_in_the_type_of_the_specification(spec, raws, value):
    for raw in raws:
        assert spec.validate(raw) == value
        assert type(spec.validate(raw)) is type(value)


UNIT_RANGE = "it must be a number from 0 to 1"
WHOLE_RANGE = "it must be a whole number from 0 to 10"
NOT_NUMBERS = ["0.5", "x", "", b"1", None, [], [0.5], (0.5,), {}, {"contribution": 1}, 0.5j, object()]
BOOLEANS = [True, False, np.True_, np.False_]
NOT_FINITE = [math.nan, math.inf, -math.inf, np.float64("nan"), np.float32("inf")]


@pytest.mark.parametrize(
    ("spec", "raws", "reason"),
    [
        (UNIT, [-1e-12, math.nextafter(0.0, -1.0), math.nextafter(1.0, 2.0), 1.7, -5, 10**30, 10**400], UNIT_RANGE),
        (UNIT, NOT_FINITE, "is not allowed"),
        (WHOLE, NOT_FINITE, WHOLE_RANGE),
        (UNBOUNDED, [math.nan], "nan is not allowed"),
        (UNIT, [*BOOLEANS, np.asarray([0.5, 0.5])], "is not a number"),
        (UNIT, NOT_NUMBERS, f"is not a number; {UNIT_RANGE}"),
        (WHOLE, [6.5, 6.999999999999, np.float32(0.1), Fraction(1, 3)], f"is not whole; {WHOLE_RANGE}"),
        (WHOLE, [-1, 11, -1.0, 11.0], f"is not allowed; {WHOLE_RANGE}"),
        (VOTE, [2, -1, 4, "0", "", 0.5, [], "None"], "it must be one of nothing, 0, 1, 3"),
        (VOTE, BOOLEANS, "is not one of the options"),
        (VOTE, [kind(2) for kind in (np.int8, np.int32, np.int64, np.uint8, np.uint64)], "it must be one of"),
        (Choice((0, 1)), [None], "None is not one of the options"),
        (WORDS, ["Up", " up", "u", None, 0], "one of up, down"),
        (Text(3), ["one two three four"], "4 words are too many; it must be a text of at most 3 words"),
        (Text(3), [None, 3, b"bytes", ["one"]], "is not a text"),
        (MOVE, [{"contribution": 1.0}], "fields missing lobby, vote; it must be contribution: a number"),
        (MOVE, [LEGAL_MOVE | {"reasoning": "why not"}], "fields unknown reasoning"),
        (
            MOVE,
            [{"contribution": 1.0, "lobby": 0.0, "voice": None, 7: 7}],
            "fields missing vote and unknown voice, 7",
        ),
        (MOVE, [LEGAL_MOVE | {"contribution": 1.7}, LEGAL_MOVE | {"contribution": None}], "^contribution: "),
        (MOVE, [LEGAL_MOVE | {"lobby": -5.1}], "^lobby: "),
        (MOVE, [LEGAL_MOVE | {"vote": 2}], "^vote: "),
        (MOVE, [None, 0.5, "contribution", [("contribution", 1.0)]], "is not an answer in fields"),
        (NESTED, [{"first": {"inner": 2}}], "^first: inner: 2 is not allowed"),
        (NESTED, [{"first": {}}], "^first: fields missing inner"),
        (
            PICKS,
            [None, "12", b"12", {"line": 1}, 3, {1, 2}, iter([])],
            "is not a list; it must be a list of at most 2, each with line: one of",
        ),
        (PICKS, [[pick(1), pick(2), pick(3)]], "3 entries are not allowed; it must be a list of at most 2"),
        (
            Several(Text(5), 2, 2),
            [["one"]],
            "1 entry is not allowed; it must be a list of exactly 2, each with a text",
        ),
        (Several(Text(5), 1, 4), [[]], "a list of 1 to 4"),
        (PICKS, [[pick(1), pick(2, 11)]], "entry 2: rating: 11 is not allowed; it must be a whole number from 0"),
        (PICKS, [[pick(3), pick(3, 9)]], "entry 2: line 3 is there twice"),
    ],
)
def test_an_illegal_answer_is_rejected_with_a_reason(spec, raws, reason):
    for raw in raws:
        with pytest.raises(IllegalAnswer, match=reason):
            spec.validate(raw)


@pytest.mark.parametrize(
    ("spec", "description"),
    [
        (UNIT, "a number from 0 to 1"),
        (WHOLE, "a whole number from 0 to 10"),
        (Amount(-2.5, 2.5), "a number from -2.5 to 2.5"),
        (MOVE, "contribution: a number from 0 to 1; lobby: a number from -5 to 5; vote: one of nothing, 0, 1, 3"),
    ],
)
def test_a_description_ends_a_sentence(spec, description):
    assert spec.describe() == description


def test_fields_are_returned_in_their_own_types():
    values = MOVE.validate({"vote": np.int64(1), "contribution": 1, "lobby": np.float32(2.5)})
    assert values == {"contribution": 1.0, "lobby": 2.5, "vote": 1}
    assert [type(value) for value in values.values()] == [float, float, int]
    assert NESTED.validate({"first": {"inner": 1}}) == {"first": {"inner": 1.0}}


@pytest.mark.parametrize("raw", [[], [pick(1)], (pick(3), pick(1, 10)), UserList([pick(2)])])
def test_a_legal_list_keeps_its_order(raw):
    assert PICKS.validate(raw) == list(raw)
    assert type(PICKS.validate(raw)) is list


def test_entries_of_a_list_are_returned_in_their_own_types():
    (entry,) = PICKS.validate([pick(1, 7.0)])
    assert type(entry["rating"]) is int
    assert Several(Choice((1, 2)), 0, 3).validate([1, 1, 1]) == [1, 1, 1]


def test_a_reason_does_not_repeat_a_very_long_answer():
    with pytest.raises(IllegalAnswer) as caught:
        PICKS.validate("x" * 100_000)
    assert len(str(caught.value)) < 300


def check(spec, raw, legal):
    if legal:
        assert spec.validate(raw) == raw
    else:
        with pytest.raises(IllegalAnswer):
            spec.validate(raw)


@given(low=st.floats(-1e9, 1e9), width=st.floats(0, 1e9), number=st.floats(allow_nan=True, allow_infinity=True))
def test_amounts_within_the_bounds_are_legal(low, width, number):
    check(Amount(low, low + width), number, low <= number <= low + width)


@given(options=st.lists(st.integers(0, 20), unique=True, min_size=1), raw=st.integers(-5, 25))
def test_only_the_options_of_a_choice_are_legal(options, raw):
    check(Choice(tuple(options)), raw, raw in options)


@given(st.lists(st.integers(-2, 12)), st.integers(0, 4), st.integers(0, 4))
def test_a_list_is_legal_if_its_length_and_entries_are(raw, fewest, more):
    legal = fewest <= len(raw) <= fewest + more and all(0 <= entry <= 10 for entry in raw)
    check(Several(Amount(0, 10, whole=True), fewest, fewest + more), raw, legal)
