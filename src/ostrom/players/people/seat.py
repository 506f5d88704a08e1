"""A person's seat: what it is called, what it is asked now, what was decided, how it ended; whether somebody is there;
and a way to wait for the next change that misses none, for any number of watchers."""

import asyncio
import json
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, Final, Literal, TypeAlias

from ostrom.core import Fault, InputError, Line, QuestionKey, Seat
from ostrom.core.scene import Quantity
from ostrom.players.base import CallCancelled, Unanswered

HUMAN: Final = "human"
"""What people are called, in lists of players and in results."""
INSTEAD: Final = "people sit down at one game with: ostrom run GAME --include human"
"""What to say where they cannot."""


def endpoint_of(seat: Seat) -> str:
    """What limits and the journal call the person at a seat: a name for each, so that nobody waits for another."""
    return f"{HUMAN} {seat.label}"


def is_person(endpoint: str) -> bool:
    """Whether calls under this name went to a person; a model's name is one word."""
    return endpoint.startswith(f"{HUMAN} ")


@dataclass(frozen=True, slots=True)
class Standing:
    """How a seat ended."""

    seat: int
    label: str
    player: str
    final: float
    rank: float


@dataclass(frozen=True, slots=True)
class Column:
    """A quantity beside the final one, as the seats ended with it."""

    title: str
    quantity: Quantity
    values: tuple[float | None, ...]
    """By seat."""


@dataclass(frozen=True, slots=True)
class Result:
    """How a game ended."""

    unit: str
    standings: tuple[Standing, ...]
    """The best first."""
    columns: tuple[Column, ...]
    """What else the game shows of its standings."""
    story: tuple[str, ...]
    """What happened last, a sentence each."""


@dataclass(frozen=True, slots=True)
class Ending:
    """What became of the game, as far as this host is concerned."""

    state: Literal["over", "void", "stopped"]
    reason: str | None = None
    result: Result | None = None


_STAYS: Final = 10.0
"""Seconds for which who has asked counts as here; a page without a stream asks every few."""


class Presence:
    """Who holds the link of a seat, as far as a host can know. To be used within one event loop."""

    def __init__(self) -> None:
        self.opened = False
        """Whether somebody ever opened the link."""
        self._following = 0
        self._asked: float | None = None

    @property
    def here(self) -> bool:
        if self._following:
            return True
        return self._asked is not None and asyncio.get_running_loop().time() - self._asked < _STAYS

    def asked(self) -> bool:
        """Somebody asked how the seat stands; whether that is the first time."""
        first, self.opened = not self.opened, True
        self._asked = asyncio.get_running_loop().time()
        return first

    @contextmanager
    def following(self) -> Iterator[None]:
        """A page follows the seat, within this block. Who closes it is gone at once."""
        self._following += 1
        try:
            yield
        finally:
            self._following -= 1
            self._asked = None


SeatStateName: TypeAlias = Literal["waiting", "asked", "over", "void", "stopped"]
STOPPED: Final = "the host has stopped; the game can go on later, with another link"


class OutOfTurn(InputError):
    """An answer to a question that is not open."""


class UsedUp(InputError):
    """An answer by a link that answers nothing any more."""


class NotAccepted(InputError):
    """An answer that the rules refuse; the question stays open."""


@dataclass(frozen=True, slots=True)
class OpenQuestion:
    """A question that a person is asked now."""

    key: QuestionKey
    text: str
    """What a model would be told now, without the rules and the form of the answer."""
    earlier: tuple[Line, ...]
    """What a model would be sent before it: earlier turns, and its own replies to them."""
    form: tuple[str, ...]
    """What is asked for, a line for each field."""
    schema: Mapping[str, Any]
    check: Callable[[str], None]
    """Reads an answer as the run will; raises `Unanswered`."""
    words: Callable[[Mapping[str, Any]], str]
    """An answer in words."""

    @property
    def id(self) -> str:
        return question_id(self.key)


class HumanSeat:
    """One seat of one game, with the link by which a person holds it."""

    def __init__(self, index: int, token: str, seconds: float, wait: float = 0.0) -> None:
        self.index = index
        self.token = token
        self.seconds = seconds
        """How long an answer may take."""
        self.wait = wait
        """How long, from the beginning, somebody may take to open the link before that time counts."""
        self.endpoint = endpoint_of(Seat(index))
        """What limits and the journal call it."""
        self.label = Seat(index).label
        """What the others call it."""
        self.rules = ""
        """The rules, as a model at this seat would be told them."""
        self.question: OpenQuestion | None = None
        self.refused: str | None = None
        """Why the last answer to the open question was not accepted."""
        self.ending: Ending | None = None
        self.version = 0
        """Grows with every change."""
        self.presence = Presence()
        self.told = False
        """Whether who holds it has seen how the game ended."""
        self._decided: dict[QuestionKey, str] = {}
        self._missed: set[QuestionKey] = set()
        self._expected = 0.0
        """Until when somebody who has not come is waited for, by the clock of the event loop."""
        self._deadline = 0.0
        """When it is too late for the open question, by the same clock."""
        self._timer: asyncio.TimerHandle | None = None
        self._reply: asyncio.Future[str] | None = None
        self._kept: asyncio.Future[bool] | None = None
        self._changed = asyncio.Event()
        self._turn = asyncio.Lock()
        self._withdrawn = False

    @property
    def state(self) -> SeatStateName:
        if self.ending is not None:
            return self.ending.state
        return "waiting" if self.question is None else "asked"

    @property
    def decided(self) -> list[str]:
        """What was decided here so far, in words, the latest last."""
        return list(self._decided.values())

    @property
    def missed(self) -> int:
        """How many questions the game answered in this person's place."""
        return len(self._missed)

    def left(self) -> float:
        """Seconds that are left for the open question."""
        if self.question is None:
            return 0.0
        return max(0.0, self._deadline - asyncio.get_running_loop().time())

    async def changed(self, seen: int) -> int:
        """Wait until there is a later version than the one that was seen."""
        while self.version <= seen:
            # Nothing is awaited between the look at the version and the look at the event, so no change is missed.
            await self._changed.wait()
        return self.version

    def begin(self) -> None:
        """From now on somebody is waited for."""
        self._expected = asyncio.get_running_loop().time() + self.wait

    def visit(self) -> None:
        """Somebody opened the link. The first time, the time limit of the open question starts anew."""
        if self.presence.asked() and self.question is not None:
            self._give_time()
            self._change()

    async def ask(self, question: OpenQuestion) -> str:
        """Put a question to the person, and wait for a legal answer, as JSON. Raises `Unanswered` where none comes in
        time, and `CallCancelled` where the host stops."""
        async with self._turn:
            if self._kept is not None:  # one question after another: a seat shows one, and confirms one
                await asyncio.wait([self._kept])
            if self._withdrawn:
                raise CallCancelled(STOPPED)
            self._reply = asyncio.get_running_loop().create_future()
            self.question, self.refused = question, None
            self._give_time()
            self._change()
            try:
                # Not a timeout around it: an answer that was accepted in the last moment counts.
                return await self._reply
            finally:
                self._take_time()
                self._reply = None
                if self._kept is None or self._kept.done():  # an answer is shown as given once it is kept
                    self._close()

    async def answer(self, question: str, values: Mapping[str, Any]) -> None:
        """Take an answer; it is in the journal when this returns. Raises `UsedUp`, `OutOfTurn` or `NotAccepted`, and
        has then changed nothing but what the person is told."""
        if self.ending is not None or self._withdrawn:
            over = self.ending is not None and self.ending.state != "stopped"
            raise UsedUp("the game is over; this link shows how it ended" if over else STOPPED)
        opened, reply = self.question, self._reply
        if opened is None or reply is None or reply.done():
            said = question in map(question_id, self._decided)
            raise OutOfTurn("this question is decided already" if said else "nothing is asked of you now; wait")
        if question != opened.id:
            raise OutOfTurn(f"another question is open now: {opened.id}")
        try:
            text = _written(values)
            opened.check(text)
        except Unanswered as refusal:
            self.refused = refusal.reason
            self._change()
            raise NotAccepted(refusal.reason) from None
        self._decided[opened.key] = opened.words(json.loads(text))
        kept: asyncio.Future[bool] = asyncio.get_running_loop().create_future()
        self._kept = kept
        reply.set_result(text)
        # Waited for from outside, so that a page that goes away takes nothing with it.
        await asyncio.wait([kept])
        if not kept.result():
            raise UsedUp(STOPPED)

    def confirm(self) -> None:
        """The answer is in the journal."""
        self._confirm(True)

    def remember(self, key: QuestionKey, words: str, *, missed: bool = False) -> None:
        """Note what was decided at this seat, unless the person's own answer noted it; `missed` where the game did."""
        if key not in self._decided:
            self._decided[key] = words
            if missed:
                self._missed.add(key)
            self._change()

    def withdraw(self) -> None:
        """Take the open question back, and ask no other. An answer that was accepted stays."""
        self._withdrawn = True
        self._give_up(CallCancelled(STOPPED))

    def end(self, how: Ending) -> None:
        """Say how the game ended; from now on the link shows that and answers nothing."""
        self.withdraw()
        self.ending = how
        self.question = self.refused = None
        self._confirm(False)
        self._change()

    def _give_time(self) -> None:
        """Start the time limit of the open question, or start it anew."""
        self._take_time()
        loop = asyncio.get_running_loop()
        self._deadline = loop.time() + self.seconds
        late = f"no answer came within {self.seconds:g} s"
        if not self.presence.opened and self._expected > self._deadline:
            self._deadline = self._expected
            late = f"nobody opened the link within {self.wait:g} s"
        self._timer = loop.call_at(self._deadline, self._miss, Unanswered(Fault.ABSENT, late))

    def _take_time(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _miss(self, why: Unanswered) -> None:
        """The time of the open question is over. Noted at once: who watches is told why it disappears."""
        if self.question is not None:
            self._missed.add(self.question.key)
        self._give_up(why)

    def _give_up(self, why: Exception) -> None:
        """End the wait for an answer, unless one was accepted."""
        if self._reply is not None and not self._reply.done():
            self._reply.set_exception(why)

    def _confirm(self, kept: bool) -> None:
        if self._kept is not None and not self._kept.done():
            self._kept.set_result(kept)
            self._close()

    def _close(self) -> None:
        """Nothing is asked now."""
        if self.question is not None:
            self.question = self.refused = None
            self._change()

    def _change(self) -> None:
        self.version += 1
        self._changed.set()
        self._changed = asyncio.Event()


def question_id(key: QuestionKey) -> str:
    """A question's name within the game, for the seat that is asked."""
    turn, phase, _ = key
    return f"{turn}-{phase}"


def _written(values: Mapping[str, Any]) -> str:
    """An answer as JSON. What can be written in no file is replaced, and what is no JSON refused."""
    try:
        text = json.dumps(values, ensure_ascii=False, allow_nan=False)
    except (ValueError, RecursionError):
        raise Unanswered(Fault.MALFORMED, "the answer is no JSON object of numbers and texts") from None
    return text.encode("utf-8", "replace").decode()
