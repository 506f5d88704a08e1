"""JSON of many columns is read at once, and says the same as when it is read one after the other."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kept import opened, punish
from ostrom.core import RecordError
from ostrom.journal.read import sound_objects

VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=8,
)


@given(st.lists(st.dictionaries(st.text(), VALUES, max_size=4), max_size=5))
def test_what_is_sound_comes_back_to_the_last_bit(values):
    assert repr(sound_objects([json.dumps(value) for value in values])) == repr(values)


@pytest.mark.parametrize(
    "texts",
    [
        ["{}", "[]"],
        ['{"a": NaN}'],
        ["{}", '{"a": "\\ud800"}'],
        # Halves that would fit together, and two in the place of one.
        ['{"a": [1', "2]}"],
        ["{}, {}"],
        ["{}", ""],
        ["{}", None],
    ],
)
def test_what_is_damaged_or_half_a_character_is_left_to_the_slower_way(texts):
    assert sound_objects(texts) is None


def test_half_a_character_is_read_and_damage_is_named(tmp_path):
    import sqlite3

    with opened(f"sqlite:///{tmp_path / 'journal.db'}") as journal:
        record = punish(0, "half \ud800 a character")
        journal.add_game(journal.new_experiment("one", kind="test"), record, key="k")
        assert [one.record.events for one in journal.ended.records(["test-1.1"])] == [record.events]
        assert journal.pages.events("k", 0, 100).events == record.events
        with sqlite3.connect(tmp_path / "journal.db") as file:
            file.execute("UPDATE events SET payload = '{\"a\": [1' WHERE number = 2")
            file.execute("UPDATE events SET payload = '2]}' WHERE number = 3")
        file.close()
        for read in (lambda: list(journal.ended.records(["test-1.1"])), lambda: journal.pages.events("k", 0, 100)):
            with pytest.raises(RecordError, match=r"the game test-1\.1 of the journal cannot be read: events\.2\.payl"):
                read()
