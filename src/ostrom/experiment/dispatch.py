"""The dispatch: where calls wait until they may be sent. A call goes when its model does not pause, its provider and
the run have a place free, and the budget, its game's account and its player's hold the most that it can come to; among
those that may go, the one that has waited longest goes first. Nothing is taken before everything is there, so no call
waits for anybody who waits."""

import asyncio
from collections import Counter, deque
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from shlex import quote

from ostrom.core import Fault, InputError
from ostrom.experiment.accounts import NOTHING_USED, Account, DefaultedShare, Used
from ostrom.experiment.limits import NOTHING, Allowance, Breaker, Budget, Limits, Pacing, Spent, Streak, unpriced
from ostrom.experiment.watch import LimitReached, ModelUnavailable, RunStopped, Tally
from ostrom.players.base import Endpoint, Request


@dataclass(frozen=True, slots=True)
class Permit:
    """A call's right to be in flight; it is to be given back with what came of it."""

    endpoint: Endpoint
    breaker: Breaker
    ticket: object
    reservation: Spent
    accounts: tuple[Account, ...] = ()


@dataclass(slots=True)
class _Waiting:
    number: int
    endpoint: Endpoint
    request: Request
    accounts: tuple[Account, ...]
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
        self.defaulted = DefaultedShare(limits.pause_at_defaults)
        """What became of the last questions to each player."""
        self.pausing: str | None = None
        """Why the run pauses, where too many answers are defaulted."""
        self.exhausted: dict[str, LimitReached] = {}
        """Players that have reached a limit, and which."""
        self._used, self._parts = used or {}, parts or {}
        self._players: dict[str, Account | None] = {}
        self._holding: set[Account] = set()
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

    def of_game(self, used: Used) -> Account | None:
        """The account of a game, where games have limits."""
        allowance = self._limits.of_game
        return Account("", allowance, "--game-{} MORE", used, played=True) if allowance else None

    def of_player(self, name: str) -> Account | None:
        """The account of a player, where it has limits; one for all its seats and games."""
        if name not in self._players:
            allowance, own = self._limits.of_player(name), name in self._limits.players
            option = f"--limit-player {quote(name)}:{{}}=MORE" if own else "--player-{} MORE"
            used, part = self._used.get(name, NOTHING_USED), self._parts.get(name)
            self._players[name] = Account(name, allowance, option, used, part=part) if allowance else None
        return self._players[name]

    async def admit(self, endpoint: Endpoint, request: Request, accounts: tuple[Account, ...] = ()) -> Permit:
        """Wait until a call may be sent, of which these accounts hold the most that it can come to."""
        if self.stopped is not None:
            raise RunStopped(self.stopped)
        if not self.budget.allows(endpoint) or (not endpoint.priced and any(one.needs_price for one in accounts)):
            raise InputError(unpriced(endpoint))
        for account in accounts:
            if account.reached is not None:
                raise LimitReached(*account.reached, account.whose)
        line = self._line(endpoint.model)
        if line.breaker.unavailable is not None:
            raise ModelUnavailable(endpoint.model, line.breaker.unavailable)
        self._numbers += 1
        waiting = _Waiting(self._numbers, endpoint, request, accounts, self._loop.create_future())
        line.waiting.append(waiting)
        self._let_go()
        try:
            return await waiting.turn
        except asyncio.CancelledError:
            if waiting.turn.done() and not waiting.turn.cancelled() and waiting.turn.exception() is None:
                self.give_back(waiting.turn.result(), NOTHING)
            raise

    def report_answer(self, permit: Permit, spent: Spent, seconds: float = 0.0) -> None:
        """Record that the model replied after this many seconds, with any content."""
        self.heard_from.add(permit.endpoint.model)
        now = self._loop.time()
        permit.breaker.report_answer(now)
        self.out.discard(permit.endpoint.model)
        if permit.endpoint.model in self._paused and permit.breaker.ready(now):
            self._paused.discard(permit.endpoint.model)
            self._watch.went_on(permit.endpoint.model)
        self.give_back(permit, spent, seconds)

    def report_failure(
        self, permit: Permit, spent: Spent, seconds: float, retry_after: float | None, reason: str
    ) -> Streak:
        """Record that the call failed after this many seconds. Return the failures that it belongs to."""
        now = self._loop.time()
        breaker = permit.breaker
        breaker.last_reason = reason
        streak = breaker.report_failure(permit.ticket, now, retry_after)
        if breaker.unavailable is None and breaker.until > now:
            self._paused.add(permit.endpoint.model)
            self._watch.paused(permit.endpoint.model)
        self.give_back(permit, spent, seconds)
        if streak.outage and permit.endpoint.model not in self.out and breaker.unavailable is None:
            self.out.add(permit.endpoint.model)
            self.on_outage(permit.endpoint.model)
        return streak

    def give_back(self, permit: Permit, spent: Spent, seconds: float | None = None) -> None:
        """Give a pass back; what came of the call says nothing about the model. It took this many seconds, or was not
        made."""
        permit.breaker.release(permit.ticket)
        self._in_flight[permit.endpoint.provider] -= 1
        self.budget.settle(permit.reservation, spent)
        for account in permit.accounts:
            account.settle(permit.reservation, spent, self._limits.timeout, seconds)
            self._take_up(account)
        self._let_go()

    def overcharge(self, permit: Permit, spent: Spent) -> str | None:
        """In words, that a call came to more than it can come to, where a limit rests on that; None where it did
        not."""
        kept: list[Budget | Account] = [self.budget, *permit.accounts]
        found = (one.overcharge(permit.reservation, spent) for one in kept)
        return next((beyond for beyond in found if beyond is not None), None)

    def note_decided(self, player: str, fault: Fault | None, *, answered: bool) -> None:
        """A question to a model is decided. The run pauses where too many are so without a legal answer."""
        why = self.defaulted.note(player, fault, answered)
        if why is not None and self.stopped is None:
            self.pausing = why
            self.stop(why)

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
        for account in tuple(self._holding):
            self._take_up(account)
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
            if self._sets_aside(first, now):
                continue
            if not self.budget.fits(first.request):
                if not self._in_flight.total():
                    self.out_of_budget = True
                    self.stop("the budget is spent")
                # Otherwise a call in flight may turn out cheaper than it might have been. No other call overtakes
                # meanwhile: small calls would keep a large one waiting for ever.
                return
            line = self._lines[first.endpoint.model]
            line.waiting.popleft()
            self._in_flight[first.endpoint.provider] += 1
            reservation = self.budget.reserve(first.request)
            for account in first.accounts:
                account.reserve(first.request, self._limits.timeout, now)
            ticket = line.breaker.admit()
            first.turn.set_result(Permit(first.endpoint, line.breaker, ticket, reservation, first.accounts))
        self._look_again(now)

    def _sets_aside(self, first: _Waiting, now: float) -> bool:
        """Whether the first of a line has to wait for calls of its own game or player, or is turned away: then it
        leaves the line, in which others may go. No other call overtakes it at the account for which it waits."""
        for account in first.accounts:
            lacking = account.lacks(first.request, self._limits.timeout, now)
            if account.reached is None and lacking is None and not account.held:
                continue
            self._lines[first.endpoint.model].waiting.popleft()
            if account.reached is None and lacking is not None and account.hopeless(lacking):
                account.exhaust(lacking)
            if account.reached is None:
                account.held.append(first)
                self._holding.add(account)
            else:
                first.turn.set_exception(LimitReached(*account.reached, account.whose))
                if account.whose:
                    self.exhausted[account.whose] = LimitReached(*account.reached, account.whose)
                self._take_up(account)
            return True
        return False

    def _take_up(self, account: Account) -> None:
        """Put those who wait at an account back into their lines, where they came."""
        held, account.held = account.held, []
        self._holding.discard(account)
        lines = {waiting.endpoint.model: self._lines[waiting.endpoint.model] for waiting in held}
        for waiting in held:
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
            line.waiting = deque(sorted(line.waiting, key=lambda one: one.number))

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
                failing = f"no call has succeeded for {breaker.failing_for(now):.3g} s"
                self.give_up(model, f"{failing}; the last one: {breaker.last_reason}")
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
