"""Decide a question to a remote player, with retries within the limits. Every call is stored in the journal through a
ledger."""

import asyncio
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import cast

from ostrom.core import Answer, Call, Fault, Provenance, Question
from ostrom.core.questions import RESERVED_TOKENS
from ostrom.experiment.accounts import Account
from ostrom.experiment.dispatch import Dispatch, Permit
from ostrom.experiment.limits import NOTHING, Limits, Pacing, Spent, Streak
from ostrom.experiment.open_batches import BatchPlayer, WaveCall, Withdrawn
from ostrom.experiment.reuse import ReusableReplies
from ostrom.experiment.watch import ModelUnavailable, RunStopped, Tally, Voided
from ostrom.experiment.waves import Waves
from ostrom.journal.ledger import Ledger
from ostrom.journal.rows import Row
from ostrom.players.base import CallCancelled, RemotePlayer, Reply, Request, Unanswered
from ostrom.players.models.batches import current_carrier
from ostrom.players.models.engine import current_wave

_UNCHARGED = (Fault.RATE_LIMITED, Fault.REJECTED, Fault.DENIED)
"""Faults of calls that providers do not charge."""
_FINAL = (Fault.REFUSED, Fault.REJECTED, Fault.ABSENT)
"""Faults after which another attempt cannot help."""


@dataclass(frozen=True, slots=True)
class RunContext:
    """The objects that all games of a run share."""

    limits: Limits
    pacing: Pacing
    dispatch: Dispatch
    watch: Tally
    waves: Waves
    reuse: ReusableReplies | None = None
    """The replies of another journal that are used instead of calls."""


@dataclass(slots=True)
class RemoteQuestion:
    """One question to a remote player."""

    context: RunContext
    ledger: Ledger
    game: str
    """The key of the game."""
    place: int
    """The number of the question within the game."""
    name: str
    """The name of the player in results."""
    player: RemotePlayer
    question: Question
    calls: list[Call]
    """All calls so far, including those of earlier runs."""
    accounts: tuple[Account, ...] = ()
    """The accounts of the game and the player, if they have limits."""
    _sent: int | None = None
    """The journal's serial number for the call in flight."""
    _wave: WaveCall | None = None
    """The call in flight, if it is sent in a batch."""
    _withdrawals: int = 0
    """The number of times that a batch did not make the call."""

    async def decide(self) -> Answer:
        """Ask until there is a legal answer or a retry cannot help. Return the answer when the decision and all calls
        are stored. Raise `GameSuspended` if the run does not allow a further call, and `Voided` if there is no answer
        and the policy is to void the game."""
        limits, dispatch = self.context.limits, self.context.dispatch
        refused = sum(call.fault is not None and call.fault.of_reply for call in self.calls)
        failures: list[Streak] = []
        request: Request | None = None
        unanswered = self._ended_before(refused)
        while unanswered is None:
            if request is None:
                request = self.player.compose(self.question, self.calls)
            try:
                answer, call = await self._call(request)
            except _Failed as failed:
                self.calls.append(failed.call)
                await self.ledger.keep_call(self.place, self.question, failed.call, self._sent)
                await self._settled()
                fault, reason = failed.call.fault, failed.call.error or ""
                if fault is Fault.DENIED:
                    raise ModelUnavailable(self.player.endpoint.model, reason) from None
                if failed.streak is not None:
                    failures.append(failed.streak)
                    # Failures of an outage do not count towards the retries of this question.
                    counted = sum(not streak.outage for streak in failures)
                    if counted > limits.retries:
                        unanswered = f"{len(failures)} calls failed in transit; the last one: {reason}"
                    else:
                        await dispatch.pause(self.context.pacing.wait(max(counted, 1)))
                elif fault in _FINAL:
                    unanswered = f"{fault}: {reason}"
                else:
                    refused += 1
                    request = None
                    if refused >= limits.attempts:
                        unanswered = f"{refused} replies had no legal answer; the last one: {reason}"
            else:
                provenance = Provenance.REPAIRED if refused else Provenance.ANSWERED
                if call.reused is not None:
                    provenance = Provenance.REUSED
                answer = Answer(answer.value, provenance, cut=answer.cut)
                self.calls.append(call)
                await self.ledger.keep_decision(self.place, self.question, answer, call, self._sent)
                await self._settled()
                self._note(None, answered=True)
                return answer
        return await self._without_answer(unanswered)

    def _ended_before(self, refused: int) -> str | None:
        """Return the reason why no further call may be made for this question, given its calls in earlier runs. Return
        None if a call may be made."""
        for call in self.calls:
            if call.fault in _FINAL:
                return f"{call.fault}: {call.error}"
        if refused >= self.context.limits.attempts:
            return f"{refused} replies had no legal answer; the last one: {self.calls[-1].error}"
        return None

    async def _without_answer(self, reason: str) -> Answer:
        question, fault = self.question, self.calls[-1].fault
        if self.context.limits.policy == "void":
            self._note(fault, answered=False)
            description = f"{question.seat} gave no answer in turn {question.turn} ({question.phase}): {reason}"
            raise Voided(description, None if fault is None else fault.value, question.seat.index)
        answer = Answer(question.fallback, Provenance.DEFAULTED, fault=fault)
        await self.ledger.keep_decision(self.place, question, answer)
        self._note(fault, answered=False)
        return answer

    def _note(self, fault: Fault | None, *, answered: bool) -> None:
        # Defaulted answers of people do not pause the run.
        if not self.player.endpoint.keeps_time:
            self.context.dispatch.note_decided(self.name, fault, answered=answered)

    async def _call(self, request: Request) -> tuple[Answer, Call]:
        """Make one call, and return its answer and record. Raise `_Failed` with the record if the call led to no
        answer."""
        dispatch, watch = self.context.dispatch, self.context.watch
        endpoint = self.player.endpoint
        attempt = self.calls[-1].attempt + 1 if self.calls else 1
        at = datetime.now(UTC).isoformat(timespec="milliseconds")
        wave = self._wave = self._wave_call(attempt, at)
        # A call that an earlier run sent in a batch has already been charged.
        if (wave is None or wave.earlier is None) and (reused := await self._reused(request, attempt)) is not None:
            return reused
        permit = await self._admit(request, wave)
        watch.call_sent(endpoint.model, self.calls[-1].fault if self.calls else None)
        maximum = permit.reservation
        if wave is not None:
            wave.most = (maximum.dollars, maximum.tokens)
        try:
            await self._keep_sent(attempt, at, maximum)
        except BaseException:
            watch.call_withdrawn(endpoint.model)
            dispatch.give_back(permit, NOTHING)
            raise
        loop = asyncio.get_running_loop()
        began = loop.time()
        try:
            async with asyncio.timeout(
                self.context.limits.timeout if permit.slot and not endpoint.keeps_time else None
            ) as limit:
                reply = await self._send(request, attempt)
        except Withdrawn:
            dispatch.give_back(permit, NOTHING)
            return await self._call_again(request)
        except CallCancelled as reason:
            dispatch.give_back(permit, NOTHING)
            if self._sent is not None:
                await self.ledger.take_back(self._sent)
            raise RunStopped(str(reason)) from None
        except BaseException as error:
            failure = self._failure_of(error, limit.expired())
            if failure is None:
                # If the call was cancelled or a bug occurred, the cost is unknown, so the maximum cost counts.
                dispatch.give_back(permit, maximum, loop.time() - began)
                raise
            latency = loop.time() - began
            raise self._failed(failure, attempt, at, request, latency, permit) from None
        latency = loop.time() - began
        spent = self._spent(reply, permit)
        dispatch.report_answer(permit, spent, latency)
        try:
            answer = self.player.read(self.question, reply)
        except Unanswered as refusal:
            raise _Failed(self._record(attempt, at, request, latency, spent, reply, refusal), None) from None
        return answer, self._record(attempt, at, request, latency, spent, reply)

    def _failed(
        self, failure: Unanswered, attempt: int, at: str, request: Request, latency: float, permit: Permit
    ) -> "_Failed":
        """Report a call that brought no readable reply, and return an exception with the call's record."""
        if failure.fault is Fault.REJECTED and self.player.endpoint.model not in self.context.dispatch.responsive:
            # If the first request to a model is rejected, the cause is the model's address or settings, not this
            # question.
            failure = Unanswered(Fault.DENIED, f"{failure.reason} (it has answered nothing so far)")
        if failure.reply is not None:
            spent = self._spent(failure.reply, permit)
        else:
            spent = NOTHING if failure.fault in _UNCHARGED or not failure.sent else permit.reservation
        call = self._record(attempt, at, request, latency, spent, failure.reply, failure)
        return _Failed(call, self._report(failure, permit, spent, latency))

    async def _call_again(self, request: Request) -> tuple[Answer, Call]:
        """Withdraw a call that a batch did not make, and make it again."""
        self.context.watch.call_withdrawn(self.player.endpoint.model)
        if self._sent is not None:
            await self.ledger.take_back(self._sent)
        await self._settled()
        self._withdrawals += 1
        return await self._call(request)

    async def _reused(self, request: Request, attempt: int) -> tuple[Answer, Call] | None:
        """Return the answer in a reply from another journal, with its record. Return None if there is no such reply.
        Raise `_Failed` if the reply has no legal answer."""
        endpoint, reuse = self.player.endpoint, self.context.reuse
        if reuse is None:
            return None
        stored = await reuse.take(endpoint.model, request, self.game, self.question.key)
        if stored is None:
            return None
        self._sent = self._wave = None
        call = stored.call(attempt, request, endpoint.model, endpoint.price)
        self.context.watch.call_reused(call)
        try:
            if stored.content.fault is not None and not stored.content.text:
                raise Unanswered(stored.content.fault, "the reply that was taken over is empty or not readable")
            return self.player.read(self.question, stored.reply), call
        except Unanswered as refusal:
            raise _Failed(replace(call, fault=refusal.fault, error=refusal.reason), None) from None

    def _report(self, failure: Unanswered, permit: Permit, spent: Spent, latency: float) -> Streak | None:
        """Report a failed call to the dispatch. If it failed in transit, return the streak of failures to which it
        belongs."""
        dispatch = self.context.dispatch
        if failure.fault.of_transport and permit.slot:
            return dispatch.report_failure(permit, spent, latency, failure.retry_after, failure.reason)
        if failure.fault.of_transport:
            # The calls of a batch fail together, so together they must not count as an outage.
            dispatch.give_back(permit, spent, latency)
            return Streak()
        if failure.fault is Fault.DENIED:
            dispatch.give_up(self.player.endpoint.model, failure.reason)
            dispatch.give_back(permit, spent, latency)
        else:
            dispatch.report_answer(permit, spent, latency)
        return None

    def _wave_call(self, attempt: int, at: str) -> WaveCall | None:
        """Return the call as a part of a batch, or None if it is sent alone. A call is sent in a batch if the run uses
        batches or an earlier run sent it in a batch. It is sent alone if two batches did not make it, or if a batch did
        not make it in time."""
        api, waves = getattr(self.player, "batches", None), self.context.waves
        if api is None or not (waves.batch or waves.batches.earlier):
            return None
        earlier = self.ledger.in_batch(self.place, attempt) if not self._withdrawals else None
        late = self._wave is not None and waves.batches.past_deadline(self._wave)
        if earlier is None and (not waves.batch or self._withdrawals > 1 or late):
            return None
        model, ledger = self.player.endpoint.model, self.ledger

        def row(most: tuple[float, int], batch: int) -> Row:
            return ledger.batched_row(self.place, self.question, attempt, at, model, most, batch)

        return WaveCall(waves, cast(BatchPlayer, self.player), api, model, row, earlier)

    async def _admit(self, request: Request, wave: WaveCall | None) -> Permit:
        dispatch, endpoint = self.context.dispatch, self.player.endpoint
        if wave is None:
            return await dispatch.admit(endpoint, request, self.accounts, slot=not endpoint.in_process)
        if wave.earlier is not None:
            return dispatch.readmit(endpoint, Spent(wave.earlier.dollars, wave.earlier.tokens), self.accounts)
        cheaper = replace(request, most_cost=request.most_cost * wave.api.price)
        return await dispatch.admit(endpoint, cheaper, self.accounts, slot=False)

    async def _send(self, request: Request, attempt: int) -> Reply:
        """Send a call alone, in a batch, or in a wave for an engine, and return its reply. Raise `Withdrawn` if a batch
        did not make it."""
        wave, waves = self._wave, self.context.waves
        carrier = current_carrier.set(None if wave is None else wave.carry)
        asking = current_wave.set(waves.ask if self.player.endpoint.in_process else None)
        try:
            return await self.player.send(request, self._reference(attempt))
        except Unanswered:
            if wave is not None and wave.failure is not None:
                raise wave.failure from None
            raise
        finally:
            current_carrier.reset(carrier)
            current_wave.reset(asking)
            if wave is not None:
                self._sent = wave.sent

    async def _settled(self) -> None:
        if self._wave is not None:
            await self.context.waves.batches.settled(self._wave)

    async def _keep_sent(self, attempt: int, at: str, maximum: Spent) -> None:
        """Store a call with its maximum cost before it is sent, so that the cost counts even if the process dies. Calls
        without cost, such as people's answers, are not stored in advance."""
        self._sent = None
        if maximum != NOTHING and self._wave is None and not self.player.endpoint.in_process:
            model = self.player.endpoint.model
            call = (self.place, self.question, attempt, at, model, maximum.dollars, maximum.tokens)
            self._sent = await self.ledger.keep_sent(*call)

    def _spent(self, reply: Reply, permit: Permit) -> Spent:
        """Return the cost of a reply. If the cost exceeds the maximum and a limit depends on it, the model gets no
        further calls. Then only calls that are already in flight can exceed the limit."""
        # A reply without usage was not free, so its maximum cost counts.
        maximum = permit.reservation
        spent = Spent(maximum.dollars if reply.cost is None else reply.cost, reply.usage.tokens or maximum.tokens)
        dispatch = self.context.dispatch
        if (overcharge := dispatch.overcharge(permit, spent)) is not None:
            dispatch.give_up(self.player.endpoint.model, f"it charged {overcharge}, so no budget can be kept with it")
        return spent

    def _failure_of(self, error: BaseException, expired: bool) -> Unanswered | None:
        if isinstance(error, Unanswered):
            return error
        if isinstance(error, TimeoutError) and expired:
            return Unanswered(Fault.TIMEOUT, f"no complete reply came within {self.context.limits.timeout:g} s")
        return None

    def _reference(self, attempt: int) -> str:
        question = self.question
        return f"{self.game}/{question.turn}/{question.phase}/{question.seat.label}/{attempt}"

    def _record(
        self,
        attempt: int,
        at: str,
        request: Request,
        latency: float,
        counted: Spent,
        reply: Reply | None,
        failure: Unanswered | None = None,
    ) -> Call:
        """Return the record of a completed call, and count it."""
        known = reply is not None and reply.usage.tokens > 0
        extra, effective = ({}, {}) if reply is None else (reply.extra, reply.effective)
        call = Call(
            attempt=attempt,
            at=at,
            model=self.player.endpoint.model,
            settings={"requested": request.settings, "effective": effective},
            prompt=request.prompt,
            reply=None if reply is None else reply.text,
            usage=None if reply is None else reply.usage,
            latency=latency,
            cost=None if reply is None else reply.cost,
            reserved=counted.dollars if reply is None or reply.cost is None else 0.0,
            finish_reason=None if reply is None else reply.finish_reason,
            layout=request.layout,
            fault=None if failure is None else failure.fault,
            error=None if failure is None else failure.reason,
            extra={**extra, RESERVED_TOKENS: counted.tokens} if counted.tokens and not known else extra,
        )
        self.context.watch.call_ended(call.model, call, counted)
        return call


class _Failed(Exception):
    """Raised if a call led to no answer. If it failed in transit, the error has the streak of failures that includes
    it."""

    def __init__(self, call: Call, streak: Streak | None) -> None:
        super().__init__(call.error)
        self.call = call
        self.streak = streak
