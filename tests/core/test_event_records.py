"""Events are written as plain data and decoded to equal events; invalid records are refused."""

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


def test_a_record_has_tag_version_and_content():
    content = {"turn": 3, "drops": [0.5], "where": None}
    assert Rained(turn=3, drops=[0.5]).as_record() == {"event": "rained", "version": 1, **content}
    assert Dried(turn=1).as_record() == {"event": "dried", "version": 2, "turn": 1}


@given(
    turn=st.integers(1, 10**6),
    drops=st.lists(st.floats(allow_nan=False, allow_infinity=False)),
    where=st.none() | st.integers(0, 9),
)
def test_an_event_survives_json(turn, drops, where):
    event = Rained(turn=turn, drops=drops, where=where)
    back = EVENTS.decode(json.loads(json.dumps(event.as_record())))
    assert back == event
    assert type(back) is Rained


def test_decoding_leaves_the_record_as_it_was():
    record = Dried(turn=1).as_record()
    EVENTS.decode(record)
    assert record == {"event": "dried", "version": 2, "turn": 1}


DRIED = Dried(turn=1).as_record()
RAINED = Rained(turn=1, drops=[0.5, 1.0]).as_record()
OTHER_VERSION = "'dried' has version {}; this version of Ostrom reads 2"
CANNOT_BE_READ = "the event 'rained' cannot be read: "


@pytest.mark.parametrize(
    ("record", "reason"),
    [
        *((DRIED | {"version": version}, OTHER_VERSION.format(version)) for version in (None, 0, 1, 3, "2")),
        *(
            ({"event": tag, "version": 1, "turn": 1}, "that this game does not know")
            for tag in ("snowed", "", None, 7, ["rained"], "Rained")
        ),
        ({"turn": 1}, "that this game does not know"),
        ({"event": "rained", "turn": 1, "drops": []}, "version None"),
        (RAINED | {"wind": 3}, f"{CANNOT_BE_READ}unknown field 'wind'"),
        (RAINED | {"turn": "soon"}, f"{CANNOT_BE_READ}turn must be a whole number"),
        (RAINED | {"drops": [0.5, None]}, rf"{CANNOT_BE_READ}drops\.1 must be a number"),
        (RAINED | {"drops": 3}, f"{CANNOT_BE_READ}drops must be a list"),
        ({"event": "rained", "version": 1, "turn": 1}, "the field 'drops' is missing"),
        ({"event": "rained", "version": 1}, "the field 'turn' is missing"),
    ],
)
def test_an_invalid_record_is_refused_in_one_line(record, reason):
    with pytest.raises(RecordError, match=reason) as caught:
        EVENTS.decode(record)
    assert "\n" not in str(caught.value)
    assert isinstance(caught.value, InputError)


def test_a_second_event_with_the_same_tag_is_refused():
    class Drizzled(Event):
        tag: ClassVar[str] = "rained"

    with pytest.raises(InputError, match="two entries for the event 'rained'"):
        EVENTS.register(Drizzled)
    assert EVENTS["rained"] is Rained


def test_an_event_without_a_tag_is_refused_with_the_line_that_it_needs():
    class Untagged(Event):
        turn: int

    with pytest.raises(InputError, match=r'Untagged has no tag; write class Untagged\(Event, tag="…"\)'):
        EventRegistry().register(Untagged)


def test_an_event_is_immutable_and_has_no_other_fields():
    event = Rained(turn=1, drops=[])
    with pytest.raises(ValidationError):
        event.turn = 2
    with pytest.raises(ValidationError):
        Rained(turn=1, drops=[], wind=3)
