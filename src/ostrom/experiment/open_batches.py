"""The batches that a run sends to providers. Each batch is sent and polled until it has ended; then its results are
passed to the waiting questions.

A batch and its calls are stored in the journal before the batch is sent, and its name at the provider is stored before
it is polled. When a run ends, its batches continue at the provider; the next run collects their results."""

import asyncio
from collections.abc import Awaitable, Callable, Coroutine, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from typing import Any, Final, Protocol, TypeVar

from ostrom.core import Fault, GameChance, InputError, Seat
from ostrom.core.errors import field as mark
from ostrom.core.outlets import complain
from ostrom.core.text import number_of
from ostrom.experiment.dispatch import Dispatch
from ostrom.experiment.limits import Limits, Pacing
from ostrom.experiment.watch import ModelUnavailable
from ostrom.journal.rows import CLOSED, Batch, Row, random_serial
from ostrom.journal.spending import SentCall
from ostrom.players.base import Contestant, Unanswered
from ostrom.players.models.batches import BatchApi, BatchLine, LineResult, SoughtBatch, Undecided

_MIN_POLL_S: Final = 0.2
_MAX_POLL_S: Final = 60.0
_POLLS_PER_AGE: Final = 10
"""The wait until the next poll of a batch is the age of the batch divided by this number."""
_READS: Final = 3
"""The number of times that results are read if some are missing. It is also the number of unreadable replies after
which a batch API counts as failed."""
_CLOCK_SLACK_S: Final = 300.0
"""The largest expected difference between the clocks of this machine and a provider."""
_UNSURE_S: Final = 5.0
"""The number of seconds after sending a batch for which it may still be missing in the provider's list."""


Result = TypeVar("Result")


class BatchPlayer(Protocol):
    """A remote player whose provider has a batch API."""

    @property
    def batches(self) -> BatchApi | None: ...

    def batch_failure(self, error: Exception) -> Unanswered:
        """Return the fault of a failed request to the batch API."""


class BatchStore(Protocol):
    """Stores the state of batches. The ledgers of an experiment implement it."""

    async def keep_batch(self, batch: Batch, sent: Sequence[Row] = ()) -> None:
        """Store the state of a batch, and the calls of a new batch."""

    async def open_batches(self) -> Mapping[int, Batch]:
        """Return the batches that are not closed, by serial number."""


class Withdrawn(Exception):
    """Raised if the provider did not make a call of a batch, and does not charge it."""


class Scheduler(Protocol):
    """Collects the open questions of a run."""

    def enter(self, count: int = 1) -> None:
        """Increase the number of activities that may lead to further questions."""

    def leave(self) -> None:
        """Decrease the number of activities by one that ended or that waits for a wave."""

    def add(self, call: "WaveCall") -> None:
        """Add a call to the open wave. If an earlier run sent it in a batch, add it to that batch instead."""

    @property
    def active(self) -> int:
        """The number of activities that may lead to further questions."""

    def start(self, work: Coroutine[Any, Any, None]) -> None:
        """Start a task that ends when `Waves.close` is called."""


@dataclass(slots=True, eq=False)
class WaveCall:
    """A call that is sent in a batch."""

    waves: Scheduler
    player: BatchPlayer
    api: BatchApi
    model: str
    row: Callable[[tuple[float, int], int], Row]
    """Returns the call's row in the journal. Its arguments are the maximum dollars and tokens of the call, and the
    serial number of its batch."""
    earlier: SentCall | None = None
    """The same call in a batch that an earlier run sent."""
    sent: int | None = None
    """The journal's serial number for the call."""
    failure: Exception | None = None
    """The reason why there is no result: `Withdrawn` if the provider did not make the call."""
    most: tuple[float, int] = (0.0, 0)
    """The largest amounts of dollars and tokens that the call may use."""
    line: BatchLine | None = None
    batch: "_OpenBatch | None" = None
    _result: "asyncio.Future[LineResult] | None" = None

    async def carry(self, path: str, body: bytes) -> LineResult:
        """Return the result that a batch has for a request. If there is none, set `failure` and return an error status,
        because client libraries would hide an exception."""
        self._result = asyncio.get_running_loop().create_future()
        self.line = BatchLine("", path, body)
        self.waves.add(self)
        self.waves.leave()
        return await self._result

    def resolve(self, outcome: LineResult | Exception) -> None:
        """Pass the result, or the reason why there is none, to the waiting question."""
        if self._result is None or self._result.done():
            return
        self.waves.enter()
        if isinstance(outcome, LineResult) and outcome.status == 0:
            outcome = Withdrawn(outcome.body.decode("utf-8", "replace"))
        if isinstance(outcome, Exception):
            self.failure, outcome = outcome, LineResult("", 503, b"{}")
        self._result.set_result(outcome)


@dataclass(slots=True, eq=False)
class _OpenBatch:
    """A batch under way."""

    stored: Batch
    api: BatchApi
    player: BatchPlayer
    calls: dict[str, WaveCall] = field(default_factory=dict)
    """The calls by the ids of their lines."""
    results: Mapping[str, LineResult] | None = None
    """All results, by the ids of their lines, after they have been read."""
    unmade: str | None = None
    """The reason why the provider did not make the calls that have no result. It is None if these calls may have been
    charged."""
    failure: Exception | None = None
    """The error that ended the work on the batch."""
    unsettled: int = 0
    """Calls that the journal still counts as sent."""
    cancelled: bool = False
    """True if the provider was asked to end the batch early, or if it cannot do so."""
    overdue: bool = False
    """True if the batch is past its deadline."""

    @property
    def age(self) -> float:
        return datetime.now(UTC).timestamp() - datetime.fromisoformat(self.stored.at).timestamp()


class OpenBatches:
    """Sends and polls the batches of a run. All methods must be called in its event loop."""

    def __init__(
        self, limits: Limits, pacing: Pacing, dispatch: Dispatch, store: BatchStore | None, scheduler: Scheduler
    ) -> None:
        self.earlier: dict[int, Batch] = {}
        """Open batches of earlier runs, by serial number."""
        self._limits, self._pacing, self._dispatch, self._store = limits, pacing, dispatch, store
        self._scheduler = scheduler
        self._batches: dict[int, _OpenBatch] = {}

    async def restore(self) -> None:
        """Read the open batches of earlier runs. A batch is polled only when a question asks for it."""
        if self._store is not None:
            self.earlier = dict(await self._store.open_batches())

    @property
    def calls(self) -> list[WaveCall]:
        """The calls in all batches."""
        return [call for batch in self._batches.values() for call in batch.calls.values()]

    async def send(self, calls: Sequence[WaveCall]) -> None:
        """Store a batch with its calls, send it, store its name, and start to poll it."""
        first = calls[0]
        stored = Batch(random_serial(), first.model, _now(), len(calls))
        batch = _OpenBatch(stored, first.api, first.player, unsettled=len(calls))
        rows = [call.row(call.most, stored.serial) for call in calls]
        for call, row in zip(calls, rows, strict=True):
            call.sent, call.batch = int(row[0]), batch
            assert call.line is not None
            call.line = call.line._replace(id=str(call.sent))
            batch.calls[call.line.id] = call
        self._batches[stored.serial] = batch
        await self._guarded(batch, self._begin(batch, rows))

    async def _begin(self, batch: _OpenBatch, rows: Sequence[Row]) -> None:
        assert self._store is not None
        await self._store.keep_batch(batch.stored, rows)
        lines = [call.line for call in batch.calls.values() if call.line is not None]
        await self._create(batch, lines)
        await self._follow(batch)

    async def _guarded(self, batch: _OpenBatch, work: Awaitable[None]) -> None:
        """Await work on a batch. If the work fails, all calls of the batch fail with the same error."""
        try:
            await work
        except Exception as error:
            batch.failure = error
            for call in batch.calls.values():
                call.resolve(error)

    async def _create(self, batch: _OpenBatch, lines: Sequence[BatchLine]) -> None:
        """Send a batch until the provider confirms it. If a failed attempt may still have reached the provider, look
        for the batch there before sending it again."""
        unclear = False

        async def attempt() -> str:
            nonlocal unclear
            name = await self._find(batch, list(batch.calls)) if unclear else None
            unclear = True
            return name or await batch.api.create(_mark(batch.stored), lines)

        name = await self._persistently(batch, attempt)
        await self._note(batch, name=name, state="created")

    async def _find(self, batch: _OpenBatch, ids: Sequence[str]) -> str | None:
        since = datetime.fromisoformat(batch.stored.at).timestamp() - _CLOCK_SLACK_S
        known = [one.stored.name for one in self._batches.values() if one.stored.name is not None]
        known += [one.name for one in self.earlier.values() if one.name is not None]
        sought = SoughtBatch(_mark(batch.stored), ids, batch.stored.calls, since, known)
        while True:
            try:
                name = await batch.api.find(sought)
            except Undecided:
                await asyncio.sleep(_poll_after(batch.age))
                continue
            if name is not None or batch.age > _UNSURE_S:
                return name
            await asyncio.sleep(_MIN_POLL_S)

    async def _follow(self, batch: _OpenBatch) -> None:
        """Poll a batch until it has ended, and pass its results to the waiting questions."""
        name = batch.stored.name
        assert name is not None
        while not (progress := await self._persistently(batch, lambda: batch.api.look(name))).ended:
            await self._note(batch, state=progress.state)
            deadline = self._limits.deadline
            if deadline is not None and batch.age > 3600 * deadline and not batch.cancelled:
                await self._cancel(batch, name)
            await asyncio.sleep(_poll_after(batch.age))
        await self._note(batch, state=progress.state)
        if progress.failure is not None:
            results: dict[str, LineResult] = {}
            batch.unmade = f"the provider did not accept the batch: {progress.failure}"
        else:
            results = await self._persistently(batch, lambda: self._results(batch, name))
            unread = progress.answered - sum(result.status == 200 for result in results.values())
            if not progress.complete and unread <= 0:
                batch.unmade = f"the batch ended early: {progress.state}"
        batch.results = results
        self._hand_out_all(batch)
        if progress.failure is not None and batch.unmade is not None:
            self._dispatch.give_up(batch.stored.model, batch.unmade)

    async def _results(self, batch: _OpenBatch, name: str) -> dict[str, LineResult]:
        """Return the results by the ids of their lines. Read the results again if some are missing."""
        results: dict[str, LineResult] = {}
        for attempt in range(_READS):
            for result in await batch.api.results(name):
                results.setdefault(result.id, result)
            if batch.calls.keys() <= results.keys():
                break
            if attempt + 1 < _READS:
                await asyncio.sleep(_MIN_POLL_S)
        return results

    def _hand_out_all(self, batch: _OpenBatch) -> None:
        for id_, call in tuple(batch.calls.items()):
            self._hand_out(batch, id_, call)

    def _hand_out(self, batch: _OpenBatch, id_: str, call: WaveCall) -> None:
        assert batch.results is not None
        result = batch.results.get(id_)
        if result is None and batch.unmade is not None:
            result = LineResult(id_, 0, batch.unmade.encode())
        call.resolve(result or Unanswered(Fault.DROPPED, "the batch has no result of this call"))

    async def _cancel(self, batch: _OpenBatch, name: str) -> None:
        """Cancel a batch that is past its deadline. If this fails, report it once. If the failure may be temporary, the
        next poll tries again."""
        why = ""
        try:
            batch.cancelled = await batch.api.cancel(name)
            again = False
        except Exception as error:
            failure = batch.player.batch_failure(error)
            why, again = f": {failure.reason}", failure.fault.of_transport
        if not batch.cancelled and not batch.overdue:
            calls = number_of(batch.stored.calls, "call")
            complain(f"the batch {name} of {calls} is past its deadline and cannot be cancelled{why}; waiting for it")
        batch.overdue = True
        batch.cancelled |= not again

    def past_deadline(self, call: WaveCall) -> bool:
        """Return whether the batch of a call is past its deadline. Such a call is sent alone."""
        deadline = self._limits.deadline
        return deadline is not None and call.batch is not None and call.batch.age > 3600 * deadline

    async def settled(self, call: WaveCall) -> None:
        """Record that the journal no longer counts a call as sent. Close the batch if it has no calls left that count
        as sent."""
        batch = call.batch
        if batch is None:
            return
        batch.unsettled -= 1
        if batch.unsettled == 0:
            await self._note(batch, state=CLOSED)
            self._batches.pop(batch.stored.serial, None)

    async def _note(self, batch: _OpenBatch, *, state: str, name: str | None = None) -> None:
        """Store the state of a batch if it has changed."""
        assert self._store is not None
        if state != batch.stored.state or name is not None:
            batch.stored = replace(batch.stored, state=state, name=name or batch.stored.name, seen=_now())
            await self._store.keep_batch(batch.stored)

    async def _persistently(self, batch: _OpenBatch, request: Callable[[], Awaitable[Result]]) -> Result:
        """Return the result of a request to the batch API. Repeat the request after temporary failures, until the model
        counts as unavailable."""
        began, failures = asyncio.get_running_loop().time(), 0
        while True:
            try:
                return await request()
            except Exception as error:
                failure = batch.player.batch_failure(error)
            failures += 1
            passing = failure.fault.of_transport or failures < _READS
            if not passing or asyncio.get_running_loop().time() - began > self._limits.patience:
                reason = f"its batch API failed: {failure.reason}"
                self._dispatch.give_up(batch.stored.model, reason)
                raise ModelUnavailable(batch.stored.model, reason)
            await asyncio.sleep(self._pacing.wait(failures))

    # Batches of earlier runs.

    def rejoin(self, call: WaveCall, sent: SentCall) -> None:
        """Wait for the result of a call in the batch in which an earlier run sent it."""
        assert sent.batch is not None
        call.sent, id_ = sent.serial, str(sent.serial)
        batch = self._batches.get(sent.batch)
        if batch is None:
            stored = self.earlier.get(sent.batch)
            if stored is None:  # The journal is damaged, so the state of the batch is unknown.
                call.resolve(Unanswered(Fault.DROPPED, "the journal does not have the batch of this call"))
                return
            batch = self._batches[sent.batch] = _OpenBatch(stored, call.api, call.player)
            self._scheduler.start(self._guarded(batch, self._resume(batch)))
        call.batch = batch
        batch.calls[id_] = call
        batch.unsettled += 1
        if batch.failure is not None:
            call.resolve(batch.failure)
        elif batch.results is not None:
            self._hand_out(batch, id_, call)

    async def _resume(self, batch: _OpenBatch) -> None:
        """Poll a batch of an earlier run, whether or not the provider received it."""
        while self._scheduler.active > 0 and len(batch.calls) < batch.stored.calls:
            await asyncio.sleep(_MIN_POLL_S)  # Other games with calls in this batch may not have been opened yet.
        if batch.stored.name is None:
            name = await self._persistently(batch, lambda: self._find(batch, list(batch.calls)))
            if name is None:
                batch.results, batch.unmade = {}, "the batch was never sent"
                self._hand_out_all(batch)
                return
            await self._note(batch, state="created", name=name)
        await self._follow(batch)


def check_batches(contestants: Sequence[Contestant], limits: Limits) -> None:
    """Raise InputError for batches if no model's provider has a batch API, and for limits that do not apply to them."""
    if not limits.batch:
        if limits.deadline is not None:
            raise InputError(f"{mark('deadline')} is for {mark('batch')}")
        return
    if any(allowance.seconds is not None for allowance in limits.allowances):
        raise InputError(f"a limit of seconds does not apply to batches, which take hours; leave out {mark('batch')}")
    # The players are created only to learn which providers they use.
    players = [contestant.sit(Seat(0), GameChance(0)) for contestant in contestants]
    if players and not any(getattr(player, "batches", None) for player in players):
        names = ", ".join(sorted({contestant.name for contestant in contestants}))
        raise InputError(f"no batch API is known for {names}; leave out {mark('batch')}")


def _mark(batch: Batch) -> str:
    """Return the mark with which a batch is found at the provider."""
    return f"ostrom-{batch.serial}"


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="milliseconds")


def _poll_after(age: float) -> float:
    return min(_MAX_POLL_S, max(_MIN_POLL_S, age / _POLLS_PER_AGE))
