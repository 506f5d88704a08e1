"""A person's seat: what it is called, what it is asked now, what was decided, how it ended; and a way to wait for the
next change that misses none, for any number of watchers."""

import asyncio
import json
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, Final, Literal, TypeAlias

from ostrom.core import Fault, InputError, Line, Seat
from ostrom.core.scene import Quantity
from ostrom.players.base import CallCancelled, Unanswered

HUMAN: Final = "human"
"""What people are called, in lists of players and in results."""
INSTEAD: Final = (
    "seat a person in a single game with: ostrom run GAME --include human; a person is asked the battery with: "
    "ostrom bench battery --subject human"
)
"""What to say where they cannot."""


def person_named(name: str) -> str | None:
    """Whom a name of a player means: the id of 'human=ID', nothing but a person for 'human', and None for anybody
    else."""
    kind, _, person = name.partition("=")
    if kind != HUMAN:
        return None
    if person and not (len(person) <= LONGEST_ID and person.isprintable() and person.split() == [person]):
        raise InputError(f"{name!r}: the id of a person is one word of at most {LONGEST_ID} characters")
    return person


LONGEST_ID: Final = 40


def endpoint_of(seat: Seat) -> str:
    """What limits and the journal call the person at a seat: a name for each, so that nobody waits for another."""
    return f"{HUMAN} {seat.label}"


def is_person(endpoint: str) -> bool:
    """Whether calls under this name went to a person; a model's name is one word."""
    return endpoint.startswith(f"{HUMAN} ")


@dataclass(frozen=True, slots=True)
class FinalStanding:
    """How a seat ended."""

    seat: int
    label: str
    player: str
    final: float
    rank: float


@dataclass(frozen=True, slots=True)
class FinalColumn:
    """A quantity beside the final one, as the seats ended with it."""

    title: str
    quantity: Quantity
    values: tuple[float | None, ...]
    """By seat."""


@dataclass(frozen=True, slots=True)
class GameResult:
    """How a game ended."""

    unit: str
    standings: tuple[FinalStanding, ...]
    """The best first."""
    columns: tuple[FinalColumn, ...]
    """What else the game shows of its standings."""
    story: tuple[str, ...]
    """What happened last, a sentence each."""


@dataclass(frozen=True, slots=True)
class SeatEnding:
    """What became of the game, as far as this host is concerned."""

    state: Literal["over", "void", "stopped"]
    reason: str | None = None
    result: GameResult | None = None


SeatStateName: TypeAlias = Literal["waiting", "asked", "over", "void", "stopped"]
STOPPED: Final = "the host has stopped; when the game is resumed, it continues at this link"
_BACK: Final = 30.0
"""Seconds at the least that are left for a question when a host is back, so that pages find it in time."""


class OutOfTurn(InputError):
    """An answer to a question that is not open."""


class UsedUp(InputError):
    """An answer by a link that answers nothing any more."""


class NotAccepted(InputError):
    """An answer that the rules refuse; the question stays open."""


SeatKey: TypeAlias = tuple[int, int, str, int]
"""A question among all that one person is asked: the number of the game from 1, and its turn, phase and seat."""


@dataclass(frozen=True, slots=True)
class OpenQuestion:
    """A question that a person is asked now."""

    key: SeatKey
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


class HumanSeat:
    """One seat of one game, with the link by which a person holds it."""

    def __init__(self, index: int, seconds: float, wait: float = 0.0) -> None:
        self.index = index
        self.token: str | None = None
        """What is in the link; not known of one that an earlier host handed out."""
        self.digest = ""
        """What the token is known by."""
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
        self.ending: SeatEnding | None = None
        self.version = 0
        """Grows with every change."""
        self.presence = Presence()
        self.answered = 0
        """How many answers were accepted by this link."""
        self.told = False
        """Whether who holds it has seen how the game ended."""
        self._games: list[str] = []
        """The games that were sat down at, in order."""
        self._decided: dict[SeatKey, str] = {}
        self._missed: set[SeatKey] = set()
        self._expected = 0.0
        """Until when somebody who has not come is waited for, by the clock of the event loop."""
        self._deadline = 0.0
        """When it is too late for the open question, by the same clock."""
        self._before: tuple[str | None, float | None] = (None, None)
        """The question that was open when an earlier host ended, and the seconds that were left for it."""
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

    def chapter(self, game: str) -> int:
        """The number of a game among those that this person is asked in, counted from 1."""
        if game not in self._games:
            self._games.append(game)
        return self._games.index(game) + 1

    async def changed(self, seen: int) -> int:
        """Wait until there is a later version than the one that was seen."""
        while self.version <= seen:
            # Nothing is awaited between the look at the version and the look at the event, so no change is missed.
            await self._changed.wait()
        return self.version

    def hand_out(self, token: str, digest: str) -> None:
        """From now on the seat is held by this token and no other."""
        first, self.token, self.digest = not self.digest, token, digest
        if not first:  # who watches by the old link is told that there is something to look at
            self._change()

    def restore(self, version: int, opened: bool, question: str | None, left: float | None) -> None:
        """Go on from an earlier host: whether its link was opened, and how much time its open question had left."""
        self.version, self.presence.opened = version, opened
        self._before = (question, left)

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
            raise OutOfTurn(
                "this question has already been answered" if said else "there is no question for you now; please wait"
            )
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
        self.answered += 1
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

    def remember(self, key: SeatKey, words: str, *, missed: bool = False) -> None:
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

    def end(self, how: SeatEnding) -> None:
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
        self._deadline = loop.time() + self._seconds_now()
        late = f"no answer came within {self.seconds:g} s"
        if not self.presence.opened and self._expected > self._deadline:
            self._deadline = self._expected
            late = f"nobody opened the link within {self.wait:g} s"
        self._timer = loop.call_at(self._deadline, self._miss, Unanswered(Fault.ABSENT, late))

    def _seconds_now(self) -> float:
        """How long the open question may take: what an earlier host had left for it, and enough for a page to be back;
        of any other question the whole time."""
        (question, left), self._before = self._before, (None, None)
        if left is None or self.question is None or question != self.question.id or not self.presence.opened:
            return self.seconds
        return min(self.seconds, max(left, _BACK))

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


def question_id(key: SeatKey) -> str:
    """A question's name, for the seat that is asked."""
    game, turn, phase, _ = key
    return f"{turn}-{phase}" if game == 1 else f"{game}-{turn}-{phase}"


def _written(values: Mapping[str, Any]) -> str:
    """An answer as JSON. What can be written in no file is replaced, and what is no JSON refused."""
    try:
        text = json.dumps(values, ensure_ascii=False, allow_nan=False)
    except (ValueError, RecursionError):
        raise Unanswered(Fault.MALFORMED, "the answer is no JSON object of numbers and texts") from None
    return text.encode("utf-8", "replace").decode()
