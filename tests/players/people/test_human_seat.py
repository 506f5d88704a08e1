"""A person's seat: one open question, one legal answer, no missed change, nothing of another seat; and presence."""

import asyncio
from dataclasses import replace
from typing import Any

import pytest
from asynchronous import asynchronous

from ostrom.core import Fault
from ostrom.players.base import CallCancelled, Unanswered
from ostrom.players.people import Room, SeatMemory
from ostrom.players.people.seat import (
    HumanSeat,
    NotAccepted,
    OpenQuestion,
    OutOfTurn,
    Presence,
    SeatEnding,
    UsedUp,
)


def only_three(text: str) -> None:
    if text != '{"number": 3}':
        raise Unanswered(Fault.ILLEGAL, "it must be 3")


QUESTION = OpenQuestion(
    key=(1, 1, "guess", 0),
    text="Which number?",
    earlier=(),
    form=("number: 3",),
    schema={"type": "object", "properties": {"number": {"type": "integer"}}, "required": ["number"]},
    check=only_three,
    words=lambda values: f"guess {values['number']}",
)


def a_seat(seconds: float = 60.0) -> HumanSeat:
    return Room([0], seconds).seats[0]


async def asked(seat: HumanSeat, question: OpenQuestion = QUESTION) -> "asyncio.Task[str]":
    task = asyncio.create_task(seat.ask(question))
    while seat.question is None or seat.question.key != question.key:
        await seat.changed(seat.version)
    return task


async def accepted(seat: HumanSeat, question: str = "1-guess", number: int = 3) -> None:
    """Answer, and have it kept as a run would."""
    answering = asyncio.create_task(seat.answer(question, {"number": number}))
    await asyncio.sleep(0)
    seat.confirm()
    await answering


@asynchronous
async def test_a_legal_answer_resolves_the_question() -> None:
    seat = a_seat()
    task = await asked(seat)
    assert seat.state == "asked"
    await accepted(seat)
    assert await task == '{"number": 3}'
    assert (seat.state, seat.decided) == ("waiting", ["guess 3"])


@asynchronous
async def test_an_illegal_answer_tells_the_reason_and_leaves_the_question_open() -> None:
    seat = a_seat()
    task = await asked(seat)
    with pytest.raises(NotAccepted, match="it must be 3"):
        await seat.answer("1-guess", {"number": 4})
    assert (seat.state, seat.refused, seat.decided) == ("asked", "it must be 3", [])
    await accepted(seat)
    assert await task == '{"number": 3}'


@asynchronous
async def test_what_is_no_json_is_not_accepted() -> None:
    seat = a_seat()
    task = await asked(seat)
    deep: list[Any] = []
    for _ in range(100_000):
        deep = [deep]
    for wrong in (float("nan"), float("inf"), deep):
        with pytest.raises(NotAccepted, match="must be a JSON object"):
            await seat.answer("1-guess", {"number": wrong})
    await accepted(seat)
    await task


@asynchronous
async def test_a_second_answer_and_an_answer_out_of_turn_are_refused() -> None:
    seat = a_seat()
    with pytest.raises(OutOfTurn, match="there is no question for you"):
        await seat.answer("1-guess", {"number": 3})
    task = await asked(seat)
    with pytest.raises(OutOfTurn, match="another question is open now: 1-guess"):
        await seat.answer("2-guess", {"number": 3})
    first = asyncio.create_task(seat.answer("1-guess", {"number": 3}))
    await asyncio.sleep(0)
    with pytest.raises(OutOfTurn, match="already been answered"):
        await seat.answer("1-guess", {"number": 3})
    seat.confirm()
    await first
    await task
    with pytest.raises(OutOfTurn, match="already been answered"):
        await seat.answer("1-guess", {"number": 3})


@asynchronous
async def test_a_missing_answer_is_a_fault_of_absence() -> None:
    seat = a_seat(0.01)
    with pytest.raises(Unanswered, match=r"no answer came within 0.01 s") as silence:
        await seat.ask(QUESTION)
    assert silence.value.fault is Fault.ABSENT
    assert not silence.value.fault.of_transport
    assert (seat.state, seat.question, seat.missed) == ("waiting", None, 1)
    with pytest.raises(OutOfTurn):
        await seat.answer("1-guess", {"number": 3})
    seat.remember(QUESTION.key, "nothing", missed=True)
    assert seat.missed == 1  # the same one


@asynchronous
async def test_an_answer_is_confirmed_only_when_it_is_kept() -> None:
    seat = a_seat()
    task = await asked(seat)
    answering = asyncio.create_task(seat.answer("1-guess", {"number": 3}))
    await task
    for _ in range(5):
        await asyncio.sleep(0)
    assert not answering.done()
    assert seat.state == "asked"  # not shown as given before
    seat.confirm()
    assert seat.state == "waiting"
    await answering


@asynchronous
async def test_an_answer_that_could_not_be_kept_is_not_confirmed() -> None:
    seat = a_seat()
    task = await asked(seat)
    answering = asyncio.create_task(seat.answer("1-guess", {"number": 3}))
    await task
    seat.end(SeatEnding("stopped", "the disk is full"))
    with pytest.raises(UsedUp):
        await answering


@asynchronous
async def test_a_page_that_goes_away_while_its_answer_is_kept_takes_nothing_with_it() -> None:
    seat = a_seat()
    task = await asked(seat)
    answering = asyncio.create_task(seat.answer("1-guess", {"number": 3}))
    await asyncio.sleep(0)
    answering.cancel()
    assert await task == '{"number": 3}'
    seat.confirm()
    assert seat.decided == ["guess 3"]


@asynchronous
async def test_when_the_host_stops_the_open_question_is_withdrawn_and_no_other_is_asked() -> None:
    seat = a_seat()
    task = await asked(seat)
    seat.withdraw()
    with pytest.raises(CallCancelled):
        await task
    with pytest.raises(CallCancelled):
        await seat.ask(QUESTION)
    with pytest.raises(UsedUp, match="the host has stopped"):
        await seat.answer("1-guess", {"number": 3})
    seat.end(SeatEnding("stopped", "the host has stopped"))
    assert seat.state == "stopped"


@asynchronous
async def test_an_answer_that_was_accepted_before_the_stop_counts() -> None:
    seat = a_seat()
    task = await asked(seat)
    answering = asyncio.create_task(seat.answer("1-guess", {"number": 3}))
    await asyncio.sleep(0)
    seat.withdraw()
    assert await task == '{"number": 3}'
    seat.confirm()
    await answering


@asynchronous
async def test_after_the_end_the_link_answers_nothing() -> None:
    seat = a_seat()
    seat.end(SeatEnding("over"))
    with pytest.raises(UsedUp, match="the game is over"):
        await seat.answer("1-guess", {"number": 3})


@asynchronous
async def test_every_watcher_sees_every_state_that_lasts() -> None:
    seat = a_seat()

    async def watch() -> list[str]:
        seen, states = -1, []
        while not states or states[-1] != "over":
            seen = await seat.changed(seen)
            states.append(seat.state)
        return states

    watchers = [asyncio.create_task(watch()) for _ in range(3)]
    await asyncio.sleep(0)
    task = await asked(seat)
    await asyncio.sleep(0)
    await accepted(seat)
    await task
    await asyncio.sleep(0)
    seat.end(SeatEnding("over"))
    for watcher in watchers:
        states = await watcher
        assert states[0] == "waiting"
        assert "asked" in states
        assert states[-1] == "over"


@asynchronous
async def test_a_change_between_two_looks_is_not_missed() -> None:
    seat = a_seat()
    seen = seat.version
    seat.end(SeatEnding("over"))
    assert await asyncio.wait_for(seat.changed(seen), 600) > seen


@asynchronous
async def test_two_questions_to_one_seat_are_asked_one_after_the_other() -> None:
    seat = a_seat()
    first = await asked(seat)
    second = asyncio.create_task(seat.ask(replace(QUESTION, key=(1, 2, "guess", 0))))
    await asyncio.sleep(0)
    await accepted(seat)
    await first
    while seat.question is None:
        await seat.changed(seat.version)
    await accepted(seat, "2-guess")
    assert await second == '{"number": 3}'
    assert seat.decided == ["guess 3", "guess 3"]


def test_tokens_are_long_differ_and_open_their_own_seat_alone() -> None:
    room = Room(range(5), 60.0)
    tokens = {str(seat.token) for seat in room.seats.values()}
    assert len(tokens) == 5
    assert all(len(token) >= 32 for token in tokens)
    for seat in room.seats.values():
        assert room.seat(str(seat.token)) is seat
    first = str(room.seats[0].token)
    for wrong in ("", "no", first[:-1], first + "x", room.seats[0].digest, "é", "\udcff"):
        assert room.seat(wrong) is None


@pytest.mark.parametrize(
    ("question", "seconds", "opened", "expected"),
    [
        (QUESTION.id, 42.0, True, 42),
        (QUESTION.id, 3.0, True, 30),  # enough for a page to reconnect
        (QUESTION.id, 500.0, True, 60),
        ("another", 42.0, True, 60),
        (None, None, True, 60),
        (QUESTION.id, 42.0, False, 60),
    ],
)
@asynchronous
async def test_a_restored_seat_has_the_time_that_was_left(
    question: str | None, seconds: float | None, opened: bool, expected: int
) -> None:
    room = Room([0], 60.0, memory={0: SeatMemory("digest", opened, question, seconds)})
    seat = room.seats[0]
    room.begin()
    asking = asyncio.create_task(seat.ask(QUESTION))
    await seat.changed(seat.version)
    assert round(seat.left()) == expected
    room.withdraw()
    await asyncio.gather(asking, return_exceptions=True)


@asynchronous
async def test_a_request_counts_as_presence_for_ten_seconds(monkeypatch: pytest.MonkeyPatch) -> None:
    now = 100.0
    monkeypatch.setattr(asyncio.get_running_loop(), "time", lambda: now)
    presence = Presence()
    assert (presence.opened, presence.active) == (False, False)
    assert presence.asked()
    assert (presence.opened, presence.active) == (True, True)
    now += 9
    assert presence.active
    now += 2
    assert (presence.opened, presence.active) == (True, False)
    assert not presence.asked()  # not for the first time
    assert presence.active


@asynchronous
async def test_a_page_that_follows_counts_as_present_until_it_is_closed(monkeypatch: pytest.MonkeyPatch) -> None:
    now = 100.0
    monkeypatch.setattr(asyncio.get_running_loop(), "time", lambda: now)
    presence = Presence()
    presence.asked()
    with presence.following():
        with presence.following():
            now += 3600
            assert presence.active
        assert presence.active
        presence.asked()
    assert not presence.active
