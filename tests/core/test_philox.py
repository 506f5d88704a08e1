"""The generator against the vectors published with Random123, and integers against arrays."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ostrom.core.chance import key_of, philox, purpose_word, seat_word, unit

KNOWN = [
    ((0, 0, 0, 0), (0, 0), (0x6627E8D5, 0xE169C58D, 0xBC57AC4C, 0x9B00DBD8)),
    ((0xFFFFFFFF,) * 4, (0xFFFFFFFF,) * 2, (0x408F276D, 0x41C83B0E, 0xA20BC7C6, 0x6D5451FD)),
    (
        (0x243F6A88, 0x85A308D3, 0x13198A2E, 0x03707344),
        (0xA4093822, 0x299F31D0),
        (0xD16CFE09, 0x94FDCCEB, 0x5001E420, 0x24126EA1),
    ),
]

words = st.integers(0, 2**32 - 1)


@pytest.mark.parametrize(("counter", "key", "expected"), KNOWN)
def test_integers_give_the_published_words(counter, key, expected):
    assert philox(counter, key) == expected


def test_an_array_gives_the_published_words():
    counters = np.asarray([counter for counter, _, _ in KNOWN], dtype=np.uint64).T
    keys = np.asarray([key for _, key, _ in KNOWN], dtype=np.uint64).T
    words_by_position = philox(tuple(counters), tuple(keys))
    assert all(array.dtype == np.uint64 for array in words_by_position)
    assert np.stack(words_by_position, axis=1).tolist() == [list(expected) for _, _, expected in KNOWN]


@given(counter=st.tuples(words, words, words, words), key=st.tuples(words, words))
def test_integers_and_arrays_agree_on_32_bit_words(counter, key):
    arrays = philox(tuple(np.asarray([word], dtype=np.uint64) for word in counter), key)
    assert tuple(int(array[0]) for array in arrays) == philox(counter, key)
    assert all(0 <= word < 2**32 for word in philox(counter, key))


@given(high=words, low=words)
def test_a_unit_number_is_below_one_and_equal_for_integers_and_arrays(high, low):
    number = unit(high, low)
    assert 0.0 <= number < 1.0
    assert unit(np.asarray([high], dtype=np.uint64), np.asarray([low], dtype=np.uint64))[0] == number


def test_a_unit_number_spans_zero_to_the_last_step_below_one():
    assert unit(0, 0) == 0.0
    assert unit(0xFFFFFFFF, 0xFFFFFFFF) == 1.0 - 2.0**-53
    assert unit(0x80000000, 0) == 0.5


@given(seed=st.integers(0, 2**64 - 1))
def test_a_key_holds_the_whole_seed_in_two_words(seed):
    low, high = key_of(seed)
    assert 0 <= low < 2**32
    assert 0 <= high < 2**32
    assert low + (high << 32) == seed


def test_the_word_of_a_purpose_is_its_crc():
    # The check value of CRC-32 that its specification gives.
    assert purpose_word("123456789") == 0xCBF43926


@given(
    one=st.tuples(st.integers(0, 2**16 - 1), st.integers(0, 2**16 - 1)),
    other=st.tuples(st.integers(0, 2**16 - 1), st.integers(0, 2**16 - 1)),
)
def test_seat_and_draw_share_a_word_without_meeting(one, other):
    assert (seat_word(*one) == seat_word(*other)) == (one == other)
    assert 0 <= seat_word(*one) < 2**32
