"""The arithmetic that rules and champions share: fixed-order sums, rounded numbers, sorting networks."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from ostrom.core.arrays import count, ordered, round_values, total

finite = st.floats(-1e6, 1e6, allow_nan=False)


@pytest.mark.parametrize("size", range(1, 34))
@settings(max_examples=15)
@given(data=st.data())
def test_every_number_of_rows_is_sorted(size, data):
    rows = data.draw(hnp.arrays(np.float64, (size, 3), elements=finite))
    assert np.array_equal(np.stack(ordered(rows)), np.sort(rows, axis=0))


@pytest.mark.parametrize("size", range(1, 13))
def test_every_pattern_of_zeros_and_ones_is_sorted(size):
    # Knuth's 0-1 principle: a network that sorts these sorts everything.
    patterns = (np.arange(2**size)[None, :] >> np.arange(size)[:, None] & 1).astype(np.float64)
    assert np.array_equal(np.stack(ordered(patterns)), np.sort(patterns, axis=0))


@pytest.mark.parametrize("size", range(1, 34))
def test_falling_rows_and_equal_rows_are_sorted(size):
    falling = np.arange(size, 0, -1.0)[:, None] // 2
    assert np.array_equal(np.stack(ordered(falling)), np.sort(falling, axis=0))


def test_sorting_leaves_its_rows_as_they_were():
    rows = np.asarray([[3.0], [1.0], [2.0]])
    ordered(rows)
    assert rows[:, 0].tolist() == [3.0, 1.0, 2.0]


@given(rows=hnp.arrays(np.float64, st.tuples(st.integers(1, 20), st.integers(1, 4)), elements=finite))
def test_a_total_adds_rows_in_their_order(rows):
    before = rows.copy()
    expected = []
    for column in rows.T.tolist():
        so_far = column[0]
        for value in column[1:]:
            so_far += value
        expected.append(so_far)
    assert total(rows).tolist() == expected
    assert np.array_equal(rows, before)


def test_a_total_shows_its_order_where_the_order_shows():
    rows = np.asarray([[1e16], [1.0], [-1e16], [1.0]])
    assert total(rows).tolist() == [1.0]
    assert total(rows[::-1]).tolist() == [0.0]


@given(
    rows=hnp.arrays(np.float64, st.tuples(st.integers(1, 20), st.integers(2, 9)), elements=finite),
    data=st.data(),
)
def test_the_total_of_a_column_does_not_depend_on_the_others(rows, data):
    column = data.draw(st.integers(0, rows.shape[1] - 1))
    assert total(rows)[column] == total(rows[:, [column]])[0]


def test_a_list_of_rows_is_totalled_too():
    assert total([np.asarray([1.0, 2.0]), np.asarray([3.0, 4.0])]).tolist() == [4.0, 6.0]


def test_flags_are_counted_by_column():
    flags = np.asarray([[True, False], [True, False], [False, False]])
    assert count(flags).tolist() == [2, 0]


@given(thousandths=st.integers(-(10**6), 10**6), error=st.floats(-4e-10, 4e-10))
def test_a_rounded_number_is_exactly_its_decimal(thousandths, error):
    decimal = thousandths / 1000
    assert round_values(np.asarray([decimal + error]))[0] == decimal


def test_dust_is_settled_and_a_real_difference_is_not():
    assert round_values(np.asarray([0.1 + 0.2]))[0] == 0.3
    assert round_values(np.asarray([0.79999999999999]))[0] == 0.8
    assert round_values(np.asarray([0.799999999]))[0] < 0.8
    assert round_values(np.asarray([0.7999999994]))[0] < 0.8


@given(value=st.floats(-1000.0, 1000.0))
def test_what_is_settled_stays_so(value):
    once = round_values(np.asarray([value]))
    assert abs(once[0] - value) <= 5.1e-10
    assert round_values(once)[0] == once[0]


def test_single_precision_is_settled_to_what_it_holds():
    inexact = np.asarray([0.8], dtype=np.float32) + np.float32(1e-6)
    assert round_values(inexact).dtype == np.float32
    assert math.isclose(round_values(inexact)[0], 0.8, abs_tol=1e-7)
    assert round_values(inexact)[0] == np.float32(0.8)
