"""The past as it stood at one moment: a growing list, seen as the tuple that it was."""

import copy
import pickle

import pytest

from ostrom.core.table import Past


@pytest.fixture
def grown():
    """A past of three entries, and the list that has grown since."""
    entries = [1.0, 2.0, 3.0]
    past = Past(entries)
    entries += [4.0, 5.0]
    return past


THEN = (1.0, 2.0, 3.0)


def test_what_comes_later_is_not_in_it(grown):
    assert (len(grown), list(grown), bool(grown), bool(Past([]))) == (3, list(THEN), True, False)
    assert 4.0 not in grown
    assert list(reversed(grown)) == [3.0, 2.0, 1.0]


@pytest.mark.parametrize("index", [0, 2, -1, -3])
def test_an_entry_is_the_tuples(grown, index):
    assert grown[index] == THEN[index]


@pytest.mark.parametrize("index", [3, -4])
def test_there_is_no_entry_beyond(grown, index):
    with pytest.raises(IndexError):
        grown[index]


@pytest.mark.parametrize("part", [slice(-2, None), slice(None), slice(1, 99), slice(None, None, -1), slice(5, 9)])
def test_a_part_is_the_tuples(grown, part):
    assert grown[part] == THEN[part]
    assert isinstance(grown[part], tuple)


def test_it_equals_the_tuple_and_another_past_of_the_same_entries(grown):
    then = THEN
    assert grown == then
    assert then == grown
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
def test_a_copy_takes_nothing_along_from_later(grown, copied):
    again = copied(grown)
    assert again == THEN
    assert len(pickle.dumps(grown)) == len(pickle.dumps(Past(list(THEN))))
