"""A past is an immutable view of a growing list: the tuple of its entries at one moment."""

import copy
import pickle

import pytest

from ostrom.core.table import Past


@pytest.fixture
def grown():
    """A past of three entries, whose list has grown since."""
    entries = [1.0, 2.0, 3.0]
    past = Past(entries)
    entries += [4.0, 5.0]
    return past


THEN = (1.0, 2.0, 3.0)


def test_later_entries_are_not_in_it(grown):
    assert (len(grown), list(grown), bool(grown), bool(Past([]))) == (3, list(THEN), True, False)
    assert 4.0 not in grown
    assert list(reversed(grown)) == [3.0, 2.0, 1.0]


@pytest.mark.parametrize(
    "index",
    [0, 2, -1, -3, slice(-2, None), slice(None), slice(1, 99), slice(None, None, -1), slice(5, 9)],
)
def test_indices_and_slices_are_those_of_the_tuple(grown, index):
    assert grown[index] == THEN[index]
    assert type(grown[index]) is type(THEN[index])


@pytest.mark.parametrize("index", [3, -4])
def test_an_index_beyond_the_view_is_an_error(grown, index):
    with pytest.raises(IndexError):
        grown[index]


def test_it_equals_the_tuple_and_another_past_of_the_same_entries(grown):
    assert grown == THEN
    assert THEN == grown  # noqa: SIM300 - a tuple on the left
    assert grown == Past(list(THEN))
    assert {grown: "found"}[THEN] == "found"
    assert grown not in ((*THEN, 4.0), THEN[:2], list(THEN), None)


def test_it_adds_up_and_reads_like_the_tuple(grown):
    more = (9.0,)
    assert grown + more == (*THEN, 9.0)
    assert more + grown == (9.0, *THEN)
    assert grown + grown == THEN + THEN
    assert repr(grown) == repr(THEN)


@pytest.mark.parametrize("copied", [copy.deepcopy, lambda past: pickle.loads(pickle.dumps(past))])
def test_a_copy_has_no_later_entries(grown, copied):
    again = copied(grown)
    assert again == THEN
    assert len(pickle.dumps(grown)) == len(pickle.dumps(Past(list(THEN))))
