"""Entries that no page sends: they are refused one by one, and the session goes on for everybody."""

import asyncio
import math
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from ostrom.core import InputError
from ostrom.experiment.session import entries as e
from ostrom.experiment.session.entry_writer import EntryWriter, SessionFailed
from ostrom.experiment.session.stepping import _number
from ostrom.journal.sessions import NewEntry, PersonalValue
from ostrom.journal.sql import Journal
from ostrom.players.people.seat import NotAccepted
from session_people import Wire
from session_server import serving_session, session_file

HUGE = 10**400
HOSTILE: list[Any] = [HUGE, -HUGE, 10**30, 1e308, True, None, "", "\u202e", "x" * 30_000, [[[[]]]], {"a": {"b": {}}}]


@pytest.fixture
def journal(tmp_path: Path) -> Iterator[Journal]:
    with Journal.open(f"sqlite:///{tmp_path}/journal.db", create=True) as journal:
        yield journal


@pytest.mark.parametrize("value", [HUGE, -HUGE, math.inf, math.nan, True, "1", None])
def test_what_is_no_number_of_a_page_is_refused(value: Any) -> None:
    with pytest.raises(NotAccepted):
        _number("estimate", value, None, None)


@pytest.mark.parametrize("broken", [RuntimeError("a bug"), MemoryError()])
def test_a_writer_that_breaks_leaves_nobody_waiting(journal: Journal, broken: Exception) -> None:
    async def main() -> None:
        failures: list[Exception] = []
        writer = EntryWriter(journal, "s-1", -1, failures.append)

        def breaks(batches: Any) -> None:
            raise broken

        writer._write = breaks  # type: ignore[method-assign]
        with pytest.raises(SessionFailed):
            await asyncio.wait_for(writer.add([NewEntry("served", {})]), 20)
        assert len(failures) == 1
        await asyncio.wait_for(writer.close(), 20)

    asyncio.run(main())


@pytest.mark.slow
def test_hostile_values_stop_nothing(journal: Journal) -> None:
    file = session_file(
        session={"participants": 4},
        quiz={"questions": [{"name": "sum", "text": "1 + 1?", "type": "number", "answer": 2, "feedback": "Count."}]},
        beliefs=[
            {"name": "others", "game": "g1", "text": "What?", "quantity": "contribution", "minimum": 0, "maximum": 20}
        ],
        questionnaire=[{"name": "age", "text": "Age?", "type": "number"}, {"name": "why", "text": "Why?"}],
    )
    with serving_session(journal, file) as server:
        people = server.people(4, quiz=lambda _: 2)
        for person in people:
            person.join()
        statuses = set()
        for _ in range(40):
            states = [person.state() for person in people]
            kind = states[0]["page"]["kind"]
            if kind == "outcome":
                break
            statuses |= hostile_entries(people[0].wire, states[0])
            if kind == "lobby" and all(state["page"]["kind"] == "lobby" for state in states):
                server.host.act("start")
            for person, state in zip(people, states, strict=True):
                person.act(state)
        assert statuses <= {409, 422}, statuses
        assert server.live.failure is None
        with pytest.raises(InputError):
            server.call(recorded(server.live, e.Extended(seconds=math.nan)))
        with pytest.raises(InputError):
            server.call(recorded(server.live, e.Served(), PersonalValue(1, "x" * 300, "y")))
        assert server.live.failure is None
        assert {person.state()["page"]["kind"] for person in people} == {"outcome"}


async def recorded(live: Any, entry: Any, *personal: PersonalValue) -> None:
    await live.record(entry, personal=personal)


def hostile_entries(wire: Wire, state: Any) -> set[int]:
    """The statuses of replies to entries that no page sends."""
    page, statuses = state["page"], set()
    if page["kind"] == "game" and page["seat"]["question"] is not None:
        question = page["seat"]["question"]
        for value in HOSTILE:
            values = dict.fromkeys(question["answer"]["properties"], value)
            body = {"question": question["id"], "values": values}
            statuses.add(wire.raw("/participate/answer", body)[0])
        return statuses
    fields = {"quiz": "sum", "belief": "value", "questionnaire": "age"}
    if page["kind"] in fields:
        for value in HOSTILE:
            body = {"page": page["kind"], "name": page.get("name"), "values": {fields[page["kind"]]: value}}
            if page["kind"] == "questionnaire" and value in (None, ""):
                continue  # An empty answer may be allowed.
            if page["kind"] == "quiz" and value in (10**30, 1e308):
                continue  # A wrong answer is an answer.
            statuses.add(wire.raw("/participate/step", body)[0])
    return statuses
