"""Amounts: what is a number, and which numbers are allowed."""

import math
from decimal import Decimal
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ostrom.core import Amount, IllegalAnswer

UNIT = Amount(0.0, 1.0)
WHOLE = Amount(0, 10, whole=True)


@pytest.mark.parametrize("number", [0, 0.0, 1, 1.0, 0.5, -0.0])
def test_both_bounds_and_what_lies_between_are_allowed(number):
    assert UNIT.validate(number) == number
    assert type(UNIT.validate(number)) is float


@pytest.mark.parametrize("number", [-1e-12, math.nextafter(0.0, -1.0), math.nextafter(1.0, 2.0), 1.7, -5, 10**30])
def test_nothing_outside_the_bounds_is_clipped(number):
    with pytest.raises(IllegalAnswer, match="it must be a number from 0 to 1"):
        UNIT.validate(number)


@pytest.mark.parametrize("number", [math.nan, math.inf, -math.inf, np.float64("nan"), np.float32("inf")])
def test_nan_and_infinity_are_illegal(number):
    with pytest.raises(IllegalAnswer, match="is not allowed"):
        UNIT.validate(number)
    with pytest.raises(IllegalAnswer):
        WHOLE.validate(number)


def test_nan_is_illegal_even_without_bounds():
    with pytest.raises(IllegalAnswer, match="nan is not allowed"):
        Amount(-math.inf, math.inf).validate(math.nan)


@pytest.mark.parametrize("truth", [True, False, np.True_, np.False_])
def test_a_truth_value_is_no_number(truth):
    with pytest.raises(IllegalAnswer, match="is not a number"):
        UNIT.validate(truth)


@pytest.mark.parametrize(
    "raw", ["0.5", "x", "", b"1", None, [], [0.5], (0.5,), {}, {"contribution": 1}, 0.5j, object()]
)
def test_what_is_no_number_is_illegal_and_the_reason_says_what_would_be_right(raw):
    with pytest.raises(IllegalAnswer, match="is not a number; it must be a number from 0 to 1"):
        UNIT.validate(raw)


def test_an_array_is_no_number():
    with pytest.raises(IllegalAnswer, match="is not a number"):
        UNIT.validate(np.asarray([0.5, 0.5]))


@pytest.mark.parametrize("raw", [np.float64(0.5), np.float32(0.5), np.float16(0.5), Decimal("0.5"), Fraction(1, 2)])
def test_numbers_of_other_libraries_become_plain_floats(raw):
    assert UNIT.validate(raw) == 0.5
    assert type(UNIT.validate(raw)) is float


@pytest.mark.parametrize("raw", [7, 7.0, np.int64(7), np.uint8(7), np.float64(7.0), Decimal(7)])
def test_whole_amounts_become_plain_integers(raw):
    assert WHOLE.validate(raw) == 7
    assert type(WHOLE.validate(raw)) is int


@pytest.mark.parametrize("raw", [6.5, 6.999999999999, np.float32(0.1), Fraction(1, 3)])
def test_a_whole_amount_is_never_rounded(raw):
    with pytest.raises(IllegalAnswer, match="is not whole; it must be a whole number from 0 to 10"):
        WHOLE.validate(raw)


@pytest.mark.parametrize("raw", [-1, 11, -1.0, 11.0])
def test_a_whole_amount_has_bounds_too(raw):
    with pytest.raises(IllegalAnswer, match="is not allowed; it must be a whole number from 0 to 10"):
        WHOLE.validate(raw)


def test_a_number_too_large_for_a_float_is_illegal_and_no_crash():
    with pytest.raises(IllegalAnswer):
        UNIT.validate(10**400)


def test_a_bound_that_is_no_short_decimal_is_itself_allowed():
    capital = 100 / 3
    assert Amount(-capital, capital).validate(capital) == capital
    assert Amount(-capital, capital).validate(-capital) == -capital


@given(
    low=st.floats(-1e9, 1e9),
    width=st.floats(0, 1e9),
    number=st.floats(allow_nan=True, allow_infinity=True),
)
def test_an_amount_is_returned_unchanged_or_refused(low, width, number):
    spec = Amount(low, low + width)
    if low <= number <= low + width:
        assert spec.validate(number) == number
    else:
        with pytest.raises(IllegalAnswer):
            spec.validate(number)


def test_a_description_ends_a_sentence():
    assert UNIT.describe() == "a number from 0 to 1"
    assert WHOLE.describe() == "a whole number from 0 to 10"
    assert Amount(-2.5, 2.5).describe() == "a number from -2.5 to 2.5"
