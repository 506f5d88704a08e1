"""A person's time does not count before the person has come, as long as the table waits; the clock is a test's own."""

import asyncio
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager

import pytest
from asynchronous import asynchronous

from ostrom.core import Fault
from ostrom.players.base import CallCancelled, Unanswered
from ostrom.players.people import Room
from ostrom.players.people.seat import HumanSeat, OpenQuestion

SECONDS, WAIT = 60.0, 600.0
Pass = Callable[[float], Awaitable[None]]


def question(turn: int = 1) -> OpenQuestion:
    return OpenQuestion((1, turn, "guess", 0), "Which?", (), (), {}, check=lambda _: None, words=str)


def a_seat(wait: float = WAIT) -> HumanSeat:
    room = Room([0], SECONDS, wait)
    room.begin()
    return room.seats[0]


async def asked(seat: HumanSeat, turn: int = 1) -> "asyncio.Task[str]":
    task = asyncio.create_task(seat.ask(question(turn)))
    while seat.question is None:
        await seat.changed(seat.version)
    return task


async def absent(task: "asyncio.Task[str]") -> str:
    """Why a question stayed without an answer."""
    with pytest.raises(Unanswered) as silence:
        await task
    assert silence.value.fault is Fault.ABSENT
    return silence.value.reason


@contextmanager
def clock() -> Iterator[Pass]:
    """Lets time pass for the event loop, and all that is due then happen."""
    loop, passed = asyncio.get_running_loop(), 0.0
    real = loop.time

    async def let_pass(seconds: float) -> None:
        nonlocal passed
        passed += seconds
        for _ in range(5):
            await asyncio.sleep(0)

    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(loop, "time", lambda: real() + passed)
        yield let_pass


@asynchronous
async def test_nobody_is_late_before_the_table_has_waited() -> None:
    with clock() as let_pass:
        seat = a_seat()
        task = await asked(seat)
        await let_pass(WAIT - SECONDS)
        assert seat.state == "asked"
        await let_pass(SECONDS)
        assert await absent(task) == "the link was not opened within 600 s"


@asynchronous
async def test_when_the_wait_is_over_who_has_not_come_is_absent_at_every_question() -> None:
    with clock() as let_pass:
        seat = a_seat()
        await let_pass(WAIT)
        for turn in (1, 2):
            task = await asked(seat, turn)
            await let_pass(SECONDS)
            assert await absent(task) == "no answer came within 60 s"


@asynchronous
async def test_a_question_shortly_before_the_wait_is_over_has_the_time_of_any_other() -> None:
    with clock() as let_pass:
        seat = a_seat()
        await let_pass(WAIT - 10)
        task = await asked(seat)
        await let_pass(SECONDS - 10)
        assert seat.state == "asked"
        await let_pass(10)
        assert await absent(task) == "no answer came within 60 s"


@pytest.mark.parametrize("wait", [WAIT, 0.0])
@asynchronous
async def test_when_somebody_comes_the_time_for_the_open_question_counts_anew_and_only_once(wait: float) -> None:
    with clock() as let_pass:
        seat = a_seat(wait)
        task = await asked(seat)
        await let_pass(SECONDS - 10)
        seen = seat.version
        seat.visit()
        assert seat.version > seen
        assert SECONDS - 10 < seat.left() <= SECONDS
        await let_pass(SECONDS - 10)
        seat.visit()
        assert 0 < seat.left() <= 10
        await let_pass(10)
        assert await absent(task) == "no answer came within 60 s"


@asynchronous
async def test_who_has_come_before_the_question_has_the_time_of_one_answer() -> None:
    with clock() as let_pass:
        seat = a_seat()
        seat.visit()
        task = await asked(seat)
        assert seat.left() <= SECONDS
        await let_pass(SECONDS)
        assert await absent(task) == "no answer came within 60 s"


@asynchronous
async def test_an_answer_after_a_late_arrival_counts() -> None:
    with clock() as let_pass:
        seat = a_seat()
        task = await asked(seat)
        await let_pass(WAIT - 1)
        seat.visit()
        await let_pass(SECONDS - 1)
        answering = asyncio.create_task(seat.answer("1-guess", {"number": 3}))
        await let_pass(SECONDS)
        assert await task == '{"number": 3}'
        seat.confirm()
        await answering


@asynchronous
async def test_a_question_to_nobody_is_withdrawn_at_once() -> None:
    seat = a_seat()
    task = await asked(seat)
    seat.withdraw()
    with pytest.raises(CallCancelled):
        await task
