"""Events: written as plain data, read back as they were, and refused when they are not what was written."""

import json
from typing import ClassVar

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from ostrom.core import Event, EventRegistry, InputError, RecordError

EVENTS = EventRegistry()


@EVENTS.register
class Rained(Event):
    tag: ClassVar[str] = "rained"
    turn: int
    drops: list[float]
    where: int | None = None


@EVENTS.register
class Dried(Event):
    tag: ClassVar[str] = "dried"
    version: ClassVar[int] = 2
    turn: int


def test_a_record_holds_tag_version_and_content():
    assert Rained(turn=3, drops=[0.5]).as_record() == {
        "event": "rained",
        "version": 1,
        "turn": 3,
        "drops": [0.5],
        "where": None,
    }
    assert Dried(turn=1).as_record() == {"event": "dried", "version": 2, "turn": 1}


@given(
    turn=st.integers(1, 10**6),
    drops=st.lists(st.floats(allow_nan=False, allow_infinity=False)),
    where=st.none() | st.integers(0, 9),
)
def test_an_event_survives_the_way_through_json(turn, drops, where):
    event = Rained(turn=turn, drops=drops, where=where)
    back = EVENTS.decode(json.loads(json.dumps(event.as_record())))
    assert back == event
    assert type(back) is Rained


def test_decoding_leaves_the_record_as_it_was():
    record = Dried(turn=1).as_record()
    EVENTS.decode(record)
    assert record == {"event": "dried", "version": 2, "turn": 1}


@pytest.mark.parametrize("version", [None, 0, 1, 3, "2"])
def test_another_version_is_refused_and_both_are_told(version):
    record = Dried(turn=1).as_record() | {"version": version}
    with pytest.raises(RecordError, match=f"'dried' has version {version}; this version of Ostrom reads 2"):
        EVENTS.decode(record)


@pytest.mark.parametrize("tag", ["snowed", "", None, 7, ["rained"], "Rained"])
def test_an_unknown_tag_is_refused(tag):
    with pytest.raises(RecordError, match="that this game does not know"):
        EVENTS.decode({"event": tag, "version": 1, "turn": 1})


def test_a_record_without_tag_or_version_is_refused():
    with pytest.raises(RecordError):
        EVENTS.decode({"turn": 1})
    with pytest.raises(RecordError, match="version None"):
        EVENTS.decode({"event": "rained", "turn": 1, "drops": []})


@pytest.mark.parametrize(
    ("change", "where"),
    [
        ({"wind": 3}, "unknown field 'wind'"),
        ({"turn": "soon"}, "turn must be a whole number"),
        ({"drops": [0.5, None]}, r"drops\.1 must be a number"),
        ({"drops": 3}, "drops must be a list"),
    ],
)
def test_content_that_does_not_fit_is_refused_and_the_place_is_named(change, where):
    record = Rained(turn=1, drops=[0.5, 1.0]).as_record() | change
    with pytest.raises(RecordError, match=f"the event 'rained' cannot be read: {where}"):
        EVENTS.decode(record)


def test_a_missing_field_is_refused_and_named():
    record = Rained(turn=1, drops=[]).as_record()
    del record["drops"]
    with pytest.raises(RecordError, match="the field 'drops' is missing"):
        EVENTS.decode(record)


def test_a_broken_record_is_told_in_one_line():
    with pytest.raises(RecordError) as caught:
        EVENTS.decode({"event": "rained", "version": 1})
    assert "\n" not in str(caught.value)
    assert isinstance(caught.value, InputError)


def test_a_second_event_of_one_tag_is_refused():
    class Drizzled(Event):
        tag: ClassVar[str] = "rained"

    with pytest.raises(InputError, match="two entries for the event 'rained'"):
        EVENTS.register(Drizzled)
    assert EVENTS["rained"] is Rained


def test_an_event_is_never_changed_afterwards():
    event = Rained(turn=1, drops=[])
    with pytest.raises(ValidationError):
        event.turn = 2
    with pytest.raises(ValidationError):
        Rained(turn=1, drops=[], wind=3)
