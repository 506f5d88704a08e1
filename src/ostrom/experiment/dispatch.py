"""Dispatch of calls. A call can be sent when three conditions hold: its model is not paused, its provider and the run
have a free slot, and its maximum cost is covered by the budget and by the accounts of its game and its player. Of the
calls that can be sent, the oldest is sent first. A call takes either all resources at once or none, so that no two
calls wait for each other."""

import asyncio
from collections import Counter, deque
from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass

from ostrom.core import Fault, InputError
from ostrom.experiment.accounts import NOTHING_USED, Account, DefaultedShare, Used
from ostrom.experiment.limits import NOTHING, Allowance, Breaker, Budget, Limits, Pacing, Spent, Streak, unpriced
from ostrom.experiment.watch import LimitReached, ModelUnavailable, RunStopped, Tally
from ostrom.players.base import Endpoint, Request


@dataclass(frozen=True, slots=True)
class Permit:
    """The permission to send one call. It must be given back together with the cost of the call."""

    endpoint: Endpoint
    breaker: Breaker
    ticket: object
    reservation: Spent
    accounts: tuple[Account, ...] = ()
    slot: bool = True
    """False for a call of a wave, which takes no slot."""


@dataclass(slots=True)
class _Waiting:
    number: int
    endpoint: Endpoint
    request: Request
    accounts: tuple[Account, ...]
    slot: bool
    turn: asyncio.Future[Permit]


@dataclass(slots=True)
class _Line:
    """The queue of calls to one model."""

    breaker: Breaker
    waiting: deque[_Waiting]

    def first(self) -> _Waiting | None:
        while self.waiting and self.waiting[0].turn.done():  # The call was cancelled while it waited.
            self.waiting.popleft()
        return self.waiting[0] if self.waiting else None


class Dispatch:
    """Decides when each call may be sent. An instance belongs to one event loop, and uses that loop's clock."""

    def __init__(
        self,
        limits: Limits,
        pacing: Pacing,
        watch: Tally,
        spent: Spent = NOTHING,
        used: Mapping[str, Used] | None = None,
        parts: Mapping[str, Allowance] | None = None,
    ) -> None:
        self.budget = Budget(limits.budget, limits.token_budget, spent)
        self.stopped: str | None = None
        """The reason why no further call is admitted."""
        self.out_of_budget = False
        """True if the budget covers no further call."""
        self.unavailable: dict[str, str] = {}
        """The models that get no further calls, each with the reason."""
        self.responsive: set[str] = set()
        """Models that replied in this run."""
        self.failing: set[str] = set()
        """The models that are paused after repeated failures."""
        self.on_outage: Callable[[str], None] = lambda model: None
        """A function that is called when a model is paused."""
        self.on_stop: list[Callable[[str], None]] = []
        """Functions that are called with the reason when no further call is admitted."""
        self.waiting: Callable[[], AbstractContextManager[None]] = nullcontext
        """A context in which a call waits for its permit."""
        self.defaulted = DefaultedShare(limits.pause_at_defaults)
        self.pausing: str | None = None
        """The reason why the run pauses because too many answers are defaulted; None if it does not pause."""
        self.exhausted: dict[str, LimitReached] = {}
        """The players that have reached a limit."""
        self._used, self._parts = used or {}, parts or {}
        self._players: dict[str, Account | None] = {}
        self._with_queue: set[Account] = set()
        self._limits = limits
        self._in_flight: Counter[str] = Counter()
        """The number of calls in flight that take a slot, by provider."""
        self._in_waves = 0
        """Calls in flight that take no slot."""
        self._pacing = pacing
        self._watch = watch
        self._lines: dict[str, _Line] = {}
        self._numbers = 0
        self._paused: set[str] = set()
        self._pauses: set[asyncio.Future[None]] = set()
        self._timer: asyncio.TimerHandle | None = None
        self._loop = asyncio.get_running_loop()

    def game_account(self, used: Used) -> Account | None:
        """Return a new account for a game, or None if games have no limits."""
        allowance = self._limits.of_game
        return Account(allowance, used) if allowance else None

    def player_account(self, name: str) -> Account | None:
        """Return the account that a player has for all its seats and games, or None if the player has no limits."""
        if name not in self._players:
            allowance, own = self._limits.of_player(name), name in self._limits.players
            used, part = self._used.get(name, NOTHING_USED), self._parts.get(name)
            account = Account(allowance, used, player=name, own=own, part=part)
            self._players[name] = account if allowance else None
        return self._players[name]

    async def admit(
        self, endpoint: Endpoint, request: Request, accounts: tuple[Account, ...] = (), *, slot: bool = True
    ) -> Permit:
        """Wait until a call may be sent and these accounts cover its maximum cost. If `slot` is False, the call takes
        no slot; this is for calls of waves."""
        if self.stopped is not None:
            raise RunStopped(self.stopped)
        needs_price = any(account.needs_price for account in accounts)
        if not self.budget.allows(endpoint) or (needs_price and not endpoint.priced):
            raise InputError(unpriced(endpoint))
        for account in accounts:
            if account.exhausted is not None:
                raise LimitReached(*account.exhausted, account.player)
        line = self._line(endpoint.model)
        if line.breaker.unavailable is not None:
            raise ModelUnavailable(endpoint.model, line.breaker.unavailable)
        self._numbers += 1
        waiting = _Waiting(self._numbers, endpoint, request, accounts, slot, self._loop.create_future())
        line.waiting.append(waiting)
        self._admit_next()
        if waiting.turn.done():
            return waiting.turn.result()
        try:
            with self.waiting():
                return await waiting.turn
        except asyncio.CancelledError:
            if waiting.turn.done() and not waiting.turn.cancelled() and waiting.turn.exception() is None:
                self.give_back(waiting.turn.result(), NOTHING)
            raise

    def readmit(self, endpoint: Endpoint, reservation: Spent, accounts: tuple[Account, ...] = ()) -> Permit:
        """Return the permit of a call that an earlier run sent in a batch. The amount that the call reserved has
        counted as spent until now."""
        if self.stopped is not None:
            raise RunStopped(self.stopped)
        self.budget.reopen(reservation)
        for account in accounts:
            account.reopen(reservation)
        self._in_waves += 1
        breaker = self._line(endpoint.model).breaker
        return Permit(endpoint, breaker, breaker.admit(), reservation, accounts, slot=False)

    def report_answer(self, permit: Permit, spent: Spent, seconds: float = 0.0) -> None:
        """Record that the model replied after this many seconds. Any reply counts, whatever its content."""
        self.responsive.add(permit.endpoint.model)
        now = self._loop.time()
        permit.breaker.report_answer(now)
        self.failing.discard(permit.endpoint.model)
        if permit.endpoint.model in self._paused and permit.breaker.ready(now):
            self._paused.discard(permit.endpoint.model)
            self._watch.resumed(permit.endpoint.model)
        self.give_back(permit, spent, seconds)

    def report_failure(
        self, permit: Permit, spent: Spent, seconds: float, retry_after: float | None, reason: str
    ) -> Streak:
        """Record that the call failed after this many seconds; return the streak of failures that includes it."""
        now = self._loop.time()
        breaker = permit.breaker
        breaker.last_reason = reason
        streak = breaker.report_failure(permit.ticket, now, retry_after)
        if breaker.unavailable is None and breaker.until > now:
            self._paused.add(permit.endpoint.model)
            self._watch.paused(permit.endpoint.model)
        self.give_back(permit, spent, seconds)
        if streak.outage and permit.endpoint.model not in self.failing and breaker.unavailable is None:
            self.failing.add(permit.endpoint.model)
            self.on_outage(permit.endpoint.model)
        return streak

    def give_back(self, permit: Permit, spent: Spent, seconds: float | None = None) -> None:
        """Give back a permit without reporting a success or failure of the model. `seconds` is the duration of the
        call, or None if the call was not made."""
        permit.breaker.release(permit.ticket)
        if permit.slot:
            self._in_flight[permit.endpoint.provider] -= 1
        else:
            self._in_waves -= 1
        self.budget.settle(permit.reservation, spent)
        for account in permit.accounts:
            account.settle(permit.reservation, spent, self._limits.timeout, seconds)
            self._requeue(account)
        self._admit_next()

    def overcharge(self, permit: Permit, spent: Spent) -> str | None:
        """Return a description of a call that cost more than its maximum, if a limit depends on it."""
        limited: list[Budget | Account] = [self.budget, *permit.accounts]
        overcharges = (account.overcharge(permit.reservation, spent) for account in limited)
        return next((overcharge for overcharge in overcharges if overcharge is not None), None)

    def note_decided(self, player: str, fault: Fault | None, *, answered: bool) -> None:
        """Record that a question to a model is decided. Pause the run if too many answers are defaulted."""
        reason = self.defaulted.note(player, fault, answered)
        if reason is not None and self.stopped is None:
            self.pausing = reason
            self.stop(reason)

    def give_up(self, model: str, reason: str) -> None:
        """Admit no further calls to a model. Waiting calls raise `ModelUnavailable`."""
        line = self._line(model)
        if line.breaker.unavailable is not None:
            return
        line.breaker.unavailable = self.unavailable[model] = reason
        self.failing.discard(model)
        self._watch.unavailable(model, reason)
        _turn_away(line, lambda: ModelUnavailable(model, reason))

    def stop(self, reason: str) -> None:
        """Admit no further calls at all. Waiting calls raise `RunStopped`. Calls in flight continue."""
        if self.stopped is not None:
            return
        self.stopped = reason
        for line in self._lines.values():
            _turn_away(line, lambda: RunStopped(reason))
        for account in tuple(self._with_queue):
            self._requeue(account)
        for pause in tuple(self._pauses):
            if not pause.done():
                pause.set_exception(RunStopped(reason))
        self._set_timer(None)
        for listener in self.on_stop:
            listener(reason)

    async def pause(self, seconds: float) -> None:
        """Wait without holding a slot. A stop of the run ends the wait."""
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

    def _admit_next(self) -> None:
        """Admit all calls that may be sent, the oldest first."""
        if self.stopped is not None or not any(line.waiting for line in self._lines.values()):
            return
        now = self._loop.time()
        while (first := self._next(now)) is not None:
            if self._defer(first, now):
                continue
            if not self.budget.fits(first.request):
                if not self._in_flight.total() and not self._in_waves:
                    self.out_of_budget = True
                    self.stop("the budget is spent")
                # A call in flight may still cost less than its maximum. Until then no other call is sent before this
                # one, since small calls could delay a large one forever.
                return
            line = self._lines[first.endpoint.model]
            line.waiting.popleft()
            if first.slot:
                self._in_flight[first.endpoint.provider] += 1
            else:
                self._in_waves += 1
            reservation = self.budget.reserve(first.request)
            for account in first.accounts:
                account.reserve(first.request, self._limits.timeout, now)
            ticket = line.breaker.admit()
            permit = Permit(first.endpoint, line.breaker, ticket, reservation, first.accounts, first.slot)
            first.turn.set_result(permit)
        self._schedule_wake(now)

    def _defer(self, first: _Waiting, now: float) -> bool:
        """Move the first call of a line to the queue of an account that does not cover it. If no call in flight can
        free the missing amount, reject the call. Return whether the call left the line. If it did, other calls of the
        line may be sent, but none of them precedes it in the queue of the account."""
        for account in first.accounts:
            lacking = account.lacking(first.request, self._limits.timeout, now)
            if account.exhausted is None and lacking is None and not account.queue:
                continue
            self._lines[first.endpoint.model].waiting.popleft()
            if account.exhausted is None and lacking is not None and account.hopeless(lacking):
                account.exhaust(lacking)
            if account.exhausted is None:
                account.queue.append(first)
                self._with_queue.add(account)
            else:
                first.turn.set_exception(LimitReached(*account.exhausted, account.player))
                if account.player:
                    self.exhausted[account.player] = LimitReached(*account.exhausted, account.player)
                self._requeue(account)
            return True
        return False

    def _requeue(self, account: Account) -> None:
        """Move the calls in the queue of an account back to their lines, in their original order."""
        queue, account.queue = account.queue, []
        self._with_queue.discard(account)
        lines = {waiting.endpoint.model: self._lines[waiting.endpoint.model] for waiting in queue}
        for waiting in queue:
            line = lines[waiting.endpoint.model]
            if waiting.turn.done():
                continue
            if self.stopped is not None:
                waiting.turn.set_exception(RunStopped(self.stopped))
            elif line.breaker.unavailable is not None:
                waiting.turn.set_exception(ModelUnavailable(waiting.endpoint.model, line.breaker.unavailable))
            else:
                line.waiting.append(waiting)
        for line in lines.values():
            line.waiting = deque(sorted(line.waiting, key=lambda waiting: waiting.number))

    def _next(self, now: float) -> _Waiting | None:
        chosen: _Waiting | None = None
        full = self._in_flight.total() >= self._limits.calls
        for line in self._lines.values():
            first = line.first()
            if (
                first is not None
                and (chosen is None or first.number < chosen.number)
                and not (first.slot and (full or self._in_flight[first.endpoint.provider] >= self._limits.per_provider))
                and line.breaker.ready(now)
            ):
                chosen = first
        return chosen

    def _schedule_wake(self, now: float) -> None:
        """Give up the models that have failed for too long, and set a timer for the end of the next pause."""
        next_change: float | None = None
        for model, line in self._lines.items():
            breaker = line.breaker
            if breaker.ready(now) or line.first() is None:
                continue
            expires = breaker.expires()
            if expires is not None and now >= expires:
                failing = f"no call has succeeded for {breaker.failing_for(now):.3g} s"
                self.give_up(model, f"{failing}; the last one: {breaker.last_reason}")
                continue
            changes = breaker.changes(now)
            if changes is not None and (next_change is None or changes < next_change):
                next_change = changes
        self._set_timer(next_change)

    def _set_timer(self, when: float | None) -> None:
        if self._timer is not None:
            if when == self._timer.when():
                return
            self._timer.cancel()
        self._timer = None if when is None else self._loop.call_at(when, self._wake_up)

    def _wake_up(self) -> None:
        self._timer = None
        self._admit_next()


def _turn_away(line: _Line, why: Callable[[], Exception]) -> None:
    while line.waiting:
        waiting = line.waiting.popleft()
        if not waiting.turn.done():
            waiting.turn.set_exception(why())


def _wake(pause: "asyncio.Future[None]") -> None:
    if not pause.done():
        pause.set_result(None)
