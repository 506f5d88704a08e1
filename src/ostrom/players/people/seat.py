"""A person's seat: its open question, its decisions and its result. Any number of pages can wait until the seat
changes."""

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
"""The name of people in lists of players and in results."""


def endpoint_of(seat: Seat) -> str:
    """Return the name of a person's seat for limits on calls and for the journal. Each seat has its own name, so that
    one person does not wait for another."""
    return f"{HUMAN} {seat.label}"


def is_person(endpoint: str) -> bool:
    """Return whether calls with this endpoint name went to a person. Names of models are single words, and names of
    people's endpoints are not."""
    return endpoint.startswith(f"{HUMAN} ")


@dataclass(frozen=True, slots=True)
class FinalStanding:
    """The final result of a seat."""

    seat: int
    label: str
    player: str
    final: float
    rank: float


@dataclass(frozen=True, slots=True)
class FinalColumn:
    """A further quantity that is shown at the end of a game, with a value for each seat."""

    title: str
    quantity: Quantity
    values: tuple[float | None, ...]


@dataclass(frozen=True, slots=True)
class GameResult:
    """The result of a game."""

    unit: str
    standings: tuple[FinalStanding, ...]
    """The final results of all seats, the best first."""
    columns: tuple[FinalColumn, ...]
    story: tuple[str, ...]
    """Sentences about the last events."""


@dataclass(frozen=True, slots=True)
class SeatEnding:
    """The way in which the game ended for this host."""

    state: Literal["over", "void", "stopped"]
    reason: str | None = None
    result: GameResult | None = None


SeatStateName: TypeAlias = Literal["waiting", "asked", "over", "void", "stopped"]
STOPPED: Final = "the host has stopped; when the game is resumed, it continues at this link"
_MIN_SECONDS_AFTER_RESTART: Final = 30.0
"""The shortest time in seconds for an open question after a restart. It lets pages reconnect."""


class OutOfTurn(InputError):
    """Raised if an answer is not an answer to the open question."""


class UsedUp(InputError):
    """Raised for an answer by a link that accepts no more answers."""


class NotAccepted(InputError):
    """Raised if the rules do not allow an answer. The question stays open."""


SeatKey: TypeAlias = tuple[int, int, str, int]
"""The key of a question among all questions to one person: the number of the game (from 1), the turn, the phase and the
seat."""


@dataclass(frozen=True, slots=True)
class OpenQuestion:
    """The open question of a seat."""

    key: SeatKey
    text: str
    """The text of the question as in a model's prompt, without the rules and the form of the answer."""
    earlier: tuple[Line, ...]
    """The earlier messages as in a model's prompt: past turns, and the replies to them."""
    form: tuple[str, ...]
    """The description of the answer's form, with a line for each field."""
    schema: Mapping[str, Any]
    check: Callable[[str], None]
    """A function that checks an answer in the same way as the run. It raises `Unanswered` if the answer is not
    accepted."""
    words: Callable[[Mapping[str, Any]], str]
    """A function that returns an answer in words."""

    @property
    def id(self) -> str:
        return question_id(self.key)


_PRESENCE_S: Final = 10.0
"""The number of seconds after a page's request during which the person counts as present. A page that does not receive
changes as a stream sends requests more often."""


class Presence:
    """The presence of a person at a seat, according to the requests of pages. An object belongs to one event loop."""

    def __init__(self) -> None:
        self.opened = False
        """True once the link was opened."""
        self._following = 0
        self._asked: float | None = None

    @property
    def active(self) -> bool:
        if self._following:
            return True
        return self._asked is not None and asyncio.get_running_loop().time() - self._asked < _PRESENCE_S

    def asked(self) -> bool:
        """Record a request for the state of the seat. Return whether it is the first request."""
        first, self.opened = not self.opened, True
        self._asked = asyncio.get_running_loop().time()
        return first

    @contextmanager
    def following(self) -> Iterator[None]:
        """Count a page as following the seat until the context ends. When the last page is gone, the person counts as
        absent at once."""
        self._following += 1
        try:
            yield
        finally:
            self._following -= 1
            self._asked = None


class HumanSeat:
    """One seat of one game, with the link of the person who holds it."""

    def __init__(self, index: int, seconds: float, wait: float = 0.0) -> None:
        self.index = index
        self.token: str | None = None
        """The token in the link. It is None if an earlier host created the link."""
        self.digest = ""
        """The hash of the token."""
        self.seconds = seconds
        """The time limit of an answer, in seconds."""
        self.wait = wait
        """The number of seconds within which the link must be opened. The time limit of an answer begins afterwards."""
        self.endpoint = endpoint_of(Seat(index))
        self.label = Seat(index).label
        self.rules = ""
        """The rules of the game as in a model's prompt."""
        self.question: OpenQuestion | None = None
        self.refused: str | None = None
        """The reason why the last answer was not accepted."""
        self.ending: SeatEnding | None = None
        self.version = 0
        """A number that increases with every change of the seat."""
        self.presence = Presence()
        self.answered = 0
        """The number of accepted answers."""
        self.result_seen = False
        """True once the person has seen the result."""
        self._games: list[str] = []
        self._decided: dict[SeatKey, str] = {}
        self._missed: set[SeatKey] = set()
        self._expected = 0.0
        """The time by which the link must be opened, by the clock of the event loop."""
        self._deadline = 0.0
        """The time by which the open question must be answered, by the clock of the event loop."""
        self._before: tuple[str | None, float | None] = (None, None)
        """The state when an earlier host stopped: the id of the question that was open, and the seconds that remained
        for it."""
        self._timer: asyncio.TimerHandle | None = None
        self._reply: asyncio.Future[str] | None = None
        self._stored: asyncio.Future[bool] | None = None
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
        """The decisions of this seat so far, in words, from the first to the latest."""
        return list(self._decided.values())

    @property
    def missed(self) -> int:
        """The number of questions for which the fallback was used because the person gave no answer."""
        return len(self._missed)

    def left(self) -> float:
        """Return the number of seconds that remain for the open question."""
        if self.question is None:
            return 0.0
        return max(0.0, self._deadline - asyncio.get_running_loop().time())

    def chapter(self, game: str) -> int:
        """Return the number of a game among the games of this person, counted from 1."""
        if game not in self._games:
            self._games.append(game)
        return self._games.index(game) + 1

    async def changed(self, seen: int) -> int:
        """Wait until the version is later than `seen`, and return it."""
        while self.version <= seen:
            # No `await` separates reading the version from reading the event, so no change is missed.
            await self._changed.wait()
        return self.version

    def hand_out(self, token: str, digest: str) -> None:
        """Set the token of the seat, which invalidates earlier ones."""
        first, self.token, self.digest = not self.digest, token, digest
        if not first:  # Notify the pages that follow the old link.
            self._change()

    def restore(self, version: int, opened: bool, question: str | None, left: float | None) -> None:
        """Restore the state of the seat when an earlier host stopped: whether the link was opened, and the time that
        remained for the open question."""
        self.version, self.presence.opened = version, opened
        self._before = (question, left)

    def begin(self) -> None:
        """Start to wait for the person."""
        self._expected = asyncio.get_running_loop().time() + self.wait

    def visit(self) -> None:
        """Record that the link was opened. The first visit restarts the time limit of the open question."""
        if self.presence.asked() and self.question is not None:
            self._start_timer()
            self._change()

    async def ask(self, question: OpenQuestion) -> str:
        """Ask the person a question, and return the legal answer as JSON. Raises `Unanswered` if no answer comes in
        time, and `CallCancelled` if the host stops."""
        async with self._turn:
            if self._stored is not None:  # A seat has one open question and one unconfirmed answer at a time.
                await asyncio.wait([self._stored])
            if self._withdrawn:
                raise CallCancelled(STOPPED)
            self._reply = asyncio.get_running_loop().create_future()
            self.question, self.refused = question, None
            self._start_timer()
            self._change()
            try:
                # This is outside the timeout, so that an answer that is accepted at the last moment counts.
                return await self._reply
            finally:
                self._stop_timer()
                self._reply = None
                # An answer is shown as accepted only after it is stored.
                if self._stored is None or self._stored.done():
                    self._close()

    async def answer(self, question: str, values: Mapping[str, Any]) -> None:
        """Accept an answer, and return when the journal has stored it. Raise `UsedUp`, `OutOfTurn` or `NotAccepted`,
        after which the question stays open."""
        if self.ending is not None or self._withdrawn:
            over = self.ending is not None and self.ending.state != "stopped"
            raise UsedUp("the game is over; this link shows how it ended" if over else STOPPED)
        opened, reply = self.question, self._reply
        if opened is None or reply is None or reply.done():
            if question in map(question_id, self._decided):
                raise OutOfTurn("this question has already been answered")
            raise OutOfTurn("there is no question for you now; please wait")
        if question != opened.id:
            raise OutOfTurn(f"another question is open now: {opened.id}")
        try:
            text = _to_json(values)
            opened.check(text)
        except Unanswered as refusal:
            self.refused = refusal.reason
            self._change()
            raise NotAccepted(refusal.reason) from None
        self._decided[opened.key] = opened.words(json.loads(text))
        self.answered += 1
        stored: asyncio.Future[bool] = asyncio.get_running_loop().create_future()
        self._stored = stored
        reply.set_result(text)
        # The future is awaited outside of the request. So a cancelled request does not cancel the future.
        await asyncio.wait([stored])
        if not stored.result():
            raise UsedUp(STOPPED)

    def confirm(self) -> None:
        """Record that the journal has stored the answer."""
        self._confirm(True)

    def remember(self, key: SeatKey, words: str, *, missed: bool = False) -> None:
        """Add a decision to the decisions of this seat, unless it was already added when the person answered. `missed`
        is set if the decision is a fallback."""
        if key not in self._decided:
            self._decided[key] = words
            if missed:
                self._missed.add(key)
            self._change()

    def withdraw(self) -> None:
        """Withdraw the open question, and ask no further questions. An answer that was already accepted stays valid."""
        self._withdrawn = True
        self._stop_waiting(CallCancelled(STOPPED))

    def end(self, ending: SeatEnding) -> None:
        """Set how the game ended. From then on, the link shows the end and accepts no answers."""
        self.withdraw()
        self.ending = ending
        self.question = self.refused = None
        self._confirm(False)
        self._change()

    def _start_timer(self) -> None:
        self._stop_timer()
        loop = asyncio.get_running_loop()
        self._deadline = loop.time() + self._seconds_now()
        late = f"no answer came within {self.seconds:g} s"
        if not self.presence.opened and self._expected > self._deadline:
            self._deadline = self._expected
            late = f"the link was not opened within {self.wait:g} s"
        self._timer = loop.call_at(self._deadline, self._miss, Unanswered(Fault.ABSENT, late))

    def _seconds_now(self) -> float:
        """Return the time limit of the open question in seconds. It is the full time or, after a restart, the time that
        remained when an earlier host stopped, but at least a minimum."""
        (question, left), self._before = self._before, (None, None)
        if left is None or self.question is None or question != self.question.id or not self.presence.opened:
            return self.seconds
        return min(self.seconds, max(left, _MIN_SECONDS_AFTER_RESTART))

    def _stop_timer(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _miss(self, reason: Unanswered) -> None:
        """End the open question without an answer. The fallback is recorded at once, so that pages show why the
        question has disappeared."""
        if self.question is not None:
            self._missed.add(self.question.key)
        self._stop_waiting(reason)

    def _stop_waiting(self, reason: Exception) -> None:
        """Stop waiting for an answer, unless an answer was accepted."""
        if self._reply is not None and not self._reply.done():
            self._reply.set_exception(reason)

    def _confirm(self, stored: bool) -> None:
        if self._stored is not None and not self._stored.done():
            self._stored.set_result(stored)
            self._close()

    def _close(self) -> None:
        if self.question is not None:
            self.question = self.refused = None
            self._change()

    def _change(self) -> None:
        self.version += 1
        self._changed.set()
        self._changed = asyncio.Event()


def question_id(key: SeatKey) -> str:
    """Return the id of a question, which is unique within its seat."""
    game, turn, phase, _ = key
    return f"{turn}-{phase}" if game == 1 else f"{game}-{turn}-{phase}"


def _to_json(values: Mapping[str, Any]) -> str:
    """Return an answer as JSON, with lone surrogates replaced. Raise `Unanswered` for data that is not JSON."""
    try:
        text = json.dumps(values, ensure_ascii=False, allow_nan=False)
    except (ValueError, RecursionError):
        raise Unanswered(Fault.MALFORMED, "the answer must be a JSON object of numbers and texts") from None
    return text.encode("utf-8", "replace").decode()
