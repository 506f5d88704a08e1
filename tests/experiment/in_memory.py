"""What tests of runs share: a loop whose clock jumps, a small game, a ledger that remembers, and remote players
that do what they are told to."""

import asyncio
import heapq
import inspect
import json
from collections.abc import Awaitable, Callable, Coroutine, Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar, TypeVar

from pydantic import BaseModel

from ostrom.core import (
    Amount,
    Answer,
    Call,
    Event,
    EventRegistry,
    Fault,
    GameChance,
    IllegalAnswer,
    Line,
    Question,
    Table,
    Usage,
)
from ostrom.core.game import Game, Seats
from ostrom.experiment.limits import NOTHING, Limits, Pacing
from ostrom.experiment.match import Fixture
from ostrom.experiment.runner import Conduct, run_fixtures
from ostrom.experiment.watch import Tally
from ostrom.players.base import Endpoint, Reply, Request, Unanswered

Result = TypeVar("Result")


class JumpingLoop(asyncio.SelectorEventLoop):
    """An event loop that waits for nothing: when all is idle, its clock jumps to the next timer. A loop in which
    nothing can ever happen again is a deadlock, and is told as one."""

    def __init__(self) -> None:
        super().__init__()
        self._now = 0.0

    def time(self) -> float:
        return self._now

    def _run_once(self) -> None:
        timers = self._scheduled
        while timers and timers[0]._cancelled:
            self._timer_cancelled_count -= 1
            heapq.heappop(timers)._scheduled = False
        if not self._ready and not self._stopping:
            if not timers:
                raise AssertionError("deadlock: nothing is ready and nothing is scheduled")
            self._now = max(self._now, timers[0]._when)
        super()._run_once()


def run(work: Coroutine[Any, Any, Result]) -> Result:
    with asyncio.Runner(loop_factory=JumpingLoop) as runner:
        return runner.run(work)


EVENTS = EventRegistry()


@EVENTS.register
class Counted(Event):
    tag: ClassVar[str] = "counted"
    turn: int
    values: list[int]


class CountingRules(BaseModel):
    turns: int = 3


def play_counting(rules: CountingRules, table: Table):
    """Every turn all seats name a number from 0 to 10; the view is everything named so far."""
    history: list[list[int]] = []
    for turn in range(1, rules.turns + 1):
        view = tuple(tuple(row) for row in history)
        answers = yield [
            table.ask(seat, "number", turn, Amount(0, 10, whole=True), view, fallback=0) for seat in table.seats
        ]
        history.append([answer.value for answer in answers])
        table.record(Counted(turn=turn, values=history[-1]))


COUNTING = Game(
    name="counting",
    title="Counting",
    view=object,
    summary="of tests",
    seats=Seats(1, 10),
    rules=CountingRules,
    play=play_counting,
    events=EVENTS,
)


@dataclass
class MemoryLedger:
    """Keeps everything, and refuses what no journal would take."""

    decisions: dict[Any, Answer] = field(default_factory=dict)
    calls: dict[Any, list[Call]] = field(default_factory=dict)
    kept_events: list[Event] = field(default_factory=list)
    events: int = 0
    new: dict[Any, Answer] = field(default_factory=dict)
    new_calls: dict[Any, list[Call]] = field(default_factory=dict)
    places: dict[Any, int] = field(default_factory=dict)
    out: dict[int | None, Any] = field(default_factory=dict)
    numbers: int = 0
    sent: tuple[Any, ...] = ()
    runs: tuple[str, ...] = ()
    suspended: tuple[str, str] | None = None
    ended: str | None = None
    flush: float = 0.0

    async def _flush(self) -> None:
        if self.flush:
            await asyncio.sleep(self.flush)

    async def keep_sent(self, place: int, question: Question, *sent: Any) -> int:
        await self._flush()
        self.numbers += 1
        self.out[self.numbers] = (question.key, *sent)
        return self.numbers

    async def take_back(self, sent: int) -> None:
        del self.out[sent]

    async def keep_call(self, place: int, question: Question, call: Call, sent: int | None = None) -> None:
        await self._flush()
        self.out.pop(sent, None)
        self._place(place, question)
        assert call.fault is not None
        self._add(question, call)

    async def keep_decision(
        self, place: int, question: Question, answer: Answer, call: Call | None = None, sent: int | None = None
    ) -> None:
        await self._flush()
        self.out.pop(sent, None)
        self._place(place, question)
        assert question.key not in self.decisions
        assert question.key not in self.new, "decided twice"
        if call is not None:
            assert call.fault is None
            self._add(question, call)
        self.new[question.key] = answer

    async def keep_events(self, first: int, events: Sequence[Event]) -> None:
        await self._flush()
        assert first == len(self.kept_events)
        self.kept_events += events

    async def finish(self, finals: Sequence[float | None] | None = None) -> None:
        assert self.ended is None
        self.ended, self.finals = "finished", finals

    async def suspend(self, reason: str, code: str) -> None:
        assert self.ended is None
        self.suspended = (reason, code)

    async def void(self, reason: str, code: str | None = None, seat: int | None = None) -> None:
        assert self.ended is None
        self.ended, self.why = f"void: {reason}", (code, seat)

    def _place(self, place: int, question: Question) -> None:
        assert self.places.setdefault(question.key, place) == place
        assert len(set(self.places.values())) == len(self.places)

    def _add(self, question: Question, call: Call) -> None:
        before = [*self.calls.get(question.key, ()), *self.new_calls.get(question.key, ())]
        assert call.attempt == len(before) + 1
        self.new_calls.setdefault(question.key, []).append(call)

    @property
    def all_calls(self) -> dict[Any, list[Call]]:
        keys = {**self.calls, **self.new_calls}
        return {key: [*self.calls.get(key, ()), *self.new_calls.get(key, ())] for key in keys}

    @property
    def all_decisions(self) -> dict[Any, Answer]:
        return {**self.decisions, **self.new}

    def reopened(self) -> "MemoryLedger":
        """The ledger as the next run finds it."""
        return MemoryLedger(
            dict(self.all_decisions),
            self.all_calls,
            list(self.kept_events),
            len(self.kept_events),
            places=dict(self.places),
        )


Act = Callable[[Question, str], "str | Reply | Unanswered | Awaitable[str | Reply | Unanswered]"]


def number_for(question: Question) -> int:
    """What an honest remote player answers: a function of the question and of all that it saw."""
    return (3 * question.turn + 5 * question.seat.index + sum(map(sum, question.view))) % 11


def honest(question: Question, reference: str) -> str:
    return json.dumps(number_for(question))


@dataclass
class Model:
    """A contestant whose seats do as told, and who keeps what it was asked."""

    name: str = "model"
    act: Act = honest
    delay: float = 1.0
    provider: str = "provider"
    priced: bool = True
    most_cost: float = 0.01
    most_input: int = 100
    most_output: int = 50
    cost: float | None = 0.004
    usage: Usage = field(default_factory=lambda: Usage(40, 10))
    sent: list[str] = field(default_factory=list)
    in_flight: int = 0
    peak: int = 0
    remembered: list[tuple[Any, int, Any]] = field(default_factory=list)

    def sit(self, seat: Any, chance: Any) -> "Seated":
        return Seated(self)

    def price(self, usage: Usage) -> float:
        return self.most_cost * usage.tokens / (self.most_input + self.most_output)


class Seated:
    def __init__(self, model: Model) -> None:
        self.model = model
        self.endpoint = Endpoint(model.name, model.provider, model.price if model.priced else None)

    def compose(self, question: Question, past: Sequence[Call]) -> Request:
        model = self.model
        reasons = [call.error for call in past if call.fault is not None and call.fault.of_reply]
        lines = [Line("user", f"turn {question.turn}"), *(Line("user", f"wrong: {reason}") for reason in reasons)]
        cost = model.most_cost if model.priced else 0.0
        return Request(tuple(lines), {"t": 0}, model.most_input, model.most_output, cost, question)

    async def send(self, request: Request, reference: str) -> Reply:
        model = self.model
        model.sent.append(reference)
        model.in_flight += 1
        model.peak = max(model.peak, model.in_flight)
        try:
            if model.delay:
                await asyncio.sleep(model.delay)
            done: Any = model.act(request.payload, reference)
            if inspect.isawaitable(done):
                done = await done
        finally:
            model.in_flight -= 1
        if isinstance(done, BaseException):
            raise done
        if isinstance(done, Reply):
            return done
        return Reply(done, model.usage, model.cost, "stop", {"model": model.name})

    def read(self, question: Question, reply: Reply) -> Answer:
        if not reply.text:
            raise Unanswered(Fault.EMPTY, "nothing was said")
        if reply.text == "no":
            raise Unanswered(Fault.REFUSED, "it declined")
        try:
            return Answer(question.spec.validate(json.loads(reply.text)))
        except IllegalAnswer as reason:
            raise Unanswered(Fault.ILLEGAL, str(reason)) from None
        except ValueError:
            raise Unanswered(Fault.MALFORMED, "no number in it") from None

    def remember(self, question: Question, past: Sequence[Call], answer: Answer) -> None:
        self.model.remembered.append((question.key, len(past), answer.value))


@dataclass
class Same:
    """A contestant that answers at once, always the same."""

    value: object = 1
    name: str = "same"
    asked: list[Any] = field(default_factory=list)

    def sit(self, seat: Any, chance: Any) -> "Same":
        return self

    def answer(self, question: Question) -> object:
        self.asked.append(question.key)
        return self.value


def fixture(*contestants: Any, key: str = "game-1", turns: int = 3) -> Fixture:
    return Fixture(key, COUNTING, CountingRules(turns=turns), contestants, GameChance(1))


PACING = Pacing(draw=lambda: 0.5)


@dataclass
class Runs:
    """Plays fixtures and keeps their ledgers from run to run."""

    fixtures: Sequence[Fixture]
    limits: Limits = field(default_factory=Limits)
    ledgers: dict[str, MemoryLedger] = field(default_factory=dict)
    tally: Tally = field(default_factory=Tally)
    flush: float = 0.0

    async def open(self, one: Fixture) -> MemoryLedger | None:
        before = self.ledgers.get(one.key)
        if before is not None and before.ended is not None:
            return None
        ledger = MemoryLedger() if before is None else before.reopened()
        ledger.flush = self.flush
        self.ledgers[one.key] = ledger
        return ledger

    async def play(self, **how: Any) -> Any:
        how.setdefault("pacing", PACING)
        self.tally = how.setdefault("watch", Tally())
        limits, spent, used = how.pop("limits", self.limits), how.pop("spent", NOTHING), how.pop("used", None)
        return await run_fixtures(iter(self.fixtures), self.open, Conduct(limits, **how), spent, used)

    def run(self, **how: Any) -> Any:
        return run(self.play(**how))


def random_model(draw: Any, worst: float) -> Act:
    """Costs anything up to its bound, fails in every way, and takes its time."""

    async def act(question: Question, reference: str) -> str | Reply | Unanswered:
        await asyncio.sleep(draw.random())
        kind = draw.random()
        if kind < 0.1:
            return Unanswered(draw.choice([Fault.RATE_LIMITED, Fault.SERVER_ERROR]), "failed")
        if kind < 0.15:
            return Unanswered(Fault.DROPPED, "broke", sent=draw.random() < 0.5)
        if kind < 0.2:
            await asyncio.sleep(1000)
        text = "no number" if kind < 0.3 else honest(question, reference)
        tokens = draw.randint(1, 150)
        return Reply(text, Usage(tokens, 0), draw.choice([None, draw.random() * worst, worst]), "stop", {})

    return act
