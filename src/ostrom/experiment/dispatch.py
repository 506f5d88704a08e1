"""The dispatch: where calls wait until they may be sent. A call goes when its model does not pause, its provider and
the run have a place free, and the budget holds the most that it can come to; among those that may go, the one that has
waited longest goes first. Nothing is taken before everything is there, so nobody waits for anybody who waits."""

import asyncio
from collections import Counter, deque
from collections.abc import Callable
from dataclasses import dataclass

from ostrom.core import InputError
from ostrom.experiment.limits import NOTHING, Breaker, Budget, Limits, Pacing, Spent, Streak, unpriced
from ostrom.experiment.watch import ModelUnavailable, RunStopped, Tally
from ostrom.players.base import Endpoint, Request


@dataclass(frozen=True, slots=True)
class Permit:
    """A call's right to be in flight; it is to be given back with what came of it."""

    endpoint: Endpoint
    breaker: Breaker
    ticket: object
    reservation: Spent


@dataclass(slots=True)
class _Waiting:
    number: int
    endpoint: Endpoint
    request: Request
    turn: asyncio.Future[Permit]


@dataclass(slots=True)
class _Line:
    """Those who wait for one model, in the order in which they came."""

    breaker: Breaker
    waiting: deque[_Waiting]

    def first(self) -> _Waiting | None:
        while self.waiting and self.waiting[0].turn.done():  # cancelled meanwhile
            self.waiting.popleft()
        return self.waiting[0] if self.waiting else None


class Dispatch:
    """Lets calls go. To be used within one event loop, whose clock is the only one here."""

    def __init__(self, limits: Limits, pacing: Pacing, watch: Tally, spent: Spent = NOTHING) -> None:
        self.budget = Budget(limits.budget, limits.token_budget, spent)
        self.stopped: str | None = None
        """Why no call goes any more."""
        self.out_of_budget = False
        """Whether that is because the budget holds no further call."""
        self.unavailable: dict[str, str] = {}
        """Models that get no more calls, and why."""
        self.heard_from: set[str] = set()
        """Models that replied in this run, whatever they said."""
        self.out: set[str] = set()
        """Models that pause because they kept failing."""
        self.on_outage: Callable[[str], None] = lambda model: None
        """Told when a model begins to pause."""
        self._limits = limits
        self._in_flight: Counter[str] = Counter()
        """Calls in flight, by provider."""
        self._pacing = pacing
        self._watch = watch
        self._lines: dict[str, _Line] = {}
        self._numbers = 0
        self._paused: set[str] = set()
        self._pauses: set[asyncio.Future[None]] = set()
        self._timer: asyncio.TimerHandle | None = None
        self._loop = asyncio.get_running_loop()

    async def admit(self, endpoint: Endpoint, request: Request) -> Permit:
        """Wait until a call may be sent."""
        if self.stopped is not None:
            raise RunStopped(self.stopped)
        if not self.budget.allows(endpoint):
            raise InputError(unpriced(endpoint))
        line = self._line(endpoint.model)
        if line.breaker.unavailable is not None:
            raise ModelUnavailable(endpoint.model, line.breaker.unavailable)
        self._numbers += 1
        waiting = _Waiting(self._numbers, endpoint, request, self._loop.create_future())
        line.waiting.append(waiting)
        self._let_go()
        try:
            return await waiting.turn
        except asyncio.CancelledError:
            if waiting.turn.done() and not waiting.turn.cancelled() and waiting.turn.exception() is None:
                self.give_back(waiting.turn.result(), NOTHING)
            raise

    def report_answer(self, permit: Permit, spent: Spent) -> None:
        """The model replied, whatever it said."""
        self.heard_from.add(permit.endpoint.model)
        now = self._loop.time()
        permit.breaker.report_answer(now)
        self.out.discard(permit.endpoint.model)
        if permit.endpoint.model in self._paused and permit.breaker.ready(now):
            self._paused.discard(permit.endpoint.model)
            self._watch.went_on(permit.endpoint.model)
        self.give_back(permit, spent)

    def report_failure(self, permit: Permit, spent: Spent, retry_after: float | None) -> Streak:
        """The call failed on its way; returns the failures that it belongs to."""
        now = self._loop.time()
        breaker = permit.breaker
        streak = breaker.report_failure(permit.ticket, now, retry_after)
        if breaker.unavailable is None and breaker.until > now:
            self._paused.add(permit.endpoint.model)
            self._watch.paused(permit.endpoint.model)
        self.give_back(permit, spent)
        if streak.outage and permit.endpoint.model not in self.out and breaker.unavailable is None:
            self.out.add(permit.endpoint.model)
            self.on_outage(permit.endpoint.model)
        return streak

    def give_back(self, permit: Permit, spent: Spent) -> None:
        """Give a pass back; what came of the call says nothing about the model."""
        permit.breaker.release(permit.ticket)
        self._in_flight[permit.endpoint.provider] -= 1
        self.budget.settle(permit.reservation, spent)
        self._let_go()

    def give_up(self, model: str, reason: str) -> None:
        """Let no more calls go to a model; who waits for it is told."""
        line = self._line(model)
        if line.breaker.unavailable is not None:
            return
        line.breaker.unavailable = self.unavailable[model] = reason
        self.out.discard(model)
        self._watch.unavailable(model, reason)
        _turn_away(line, lambda: ModelUnavailable(model, reason))

    def stop(self, reason: str) -> None:
        """Let no more calls go at all; who waits is told. Calls in flight are not touched."""
        if self.stopped is not None:
            return
        self.stopped = reason
        for line in self._lines.values():
            _turn_away(line, lambda: RunStopped(reason))
        for pause in tuple(self._pauses):
            if not pause.done():
                pause.set_exception(RunStopped(reason))
        self._set_timer(None)

    async def pause(self, seconds: float) -> None:
        """Wait, with nothing taken, unless the run is stopped meanwhile."""
        if self.stopped is not None:
            raise RunStopped(self.stopped)
        pause: asyncio.Future[None] = self._loop.create_future()
        timer = self._loop.call_later(seconds, _wake, pause)
        self._pauses.add(pause)
        try:
            await pause
        finally:
            timer.cancel()
            self._pauses.discard(pause)

    def _line(self, model: str) -> _Line:
        if model not in self._lines:
            self._lines[model] = _Line(Breaker(self._pacing, self._limits.patience), deque())
        return self._lines[model]

    def _let_go(self) -> None:
        """Send all who may go, the longest waiting first."""
        if self.stopped is not None:
            return
        now = self._loop.time()
        # What one call does to one model's line is seen before the next is chosen; runs have few models.
        while (first := self._next(now)) is not None:
            if not self.budget.fits(first.request):
                if not self._in_flight.total():
                    self.out_of_budget = True
                    self.stop("the budget is spent")
                # Otherwise a call in flight may turn out cheaper than it might have been. Nobody overtakes meanwhile:
                # small calls would keep a large one waiting for ever.
                return
            line = self._lines[first.endpoint.model]
            line.waiting.popleft()
            self._in_flight[first.endpoint.provider] += 1
            reservation = self.budget.reserve(first.request)
            first.turn.set_result(Permit(first.endpoint, line.breaker, line.breaker.admit(), reservation))
        self._look_again(now)

    def _next(self, now: float) -> _Waiting | None:
        chosen: _Waiting | None = None
        if self._in_flight.total() >= self._limits.calls:
            return None
        for line in self._lines.values():
            first = line.first()
            if (
                first is not None
                and (chosen is None or first.number < chosen.number)
                and self._in_flight[first.endpoint.provider] < self._limits.per_provider
                and line.breaker.ready(now)
            ):
                chosen = first
        return chosen

    def _look_again(self, now: float) -> None:
        """Give up models whose patience is over, and wake when the next pause ends."""
        soonest: float | None = None
        for model, line in self._lines.items():
            breaker = line.breaker
            if breaker.ready(now) or line.first() is None:
                continue
            expires = breaker.expires()
            if expires is not None and now >= expires:
                self.give_up(model, f"no call has succeeded for {breaker.failing_for(now):.3g} s")
                continue
            changes = breaker.changes(now)
            if changes is not None and (soonest is None or changes < soonest):
                soonest = changes
        self._set_timer(soonest)

    def _set_timer(self, when: float | None) -> None:
        if self._timer is not None:
            if when == self._timer.when():
                return
            self._timer.cancel()
        self._timer = None if when is None else self._loop.call_at(when, self._wake_up)

    def _wake_up(self) -> None:
        self._timer = None
        self._let_go()


def _turn_away(line: _Line, why: Callable[[], Exception]) -> None:
    while line.waiting:
        waiting = line.waiting.popleft()
        if not waiting.turn.done():
            waiting.turn.set_exception(why())


def _wake(pause: "asyncio.Future[None]") -> None:
    if not pause.done():
        pause.set_result(None)
