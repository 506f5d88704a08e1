"""Waves. A wave consists of the questions that are open in all games of a run. They are sent together, as batches to a
provider's batch API or to an engine in this process. A wave is sent when no game can continue without an answer. The
module `open_batches` polls batches."""

import asyncio
from collections.abc import Awaitable, Callable, Coroutine, Iterator, Sequence
from contextlib import contextmanager
from contextvars import copy_context
from dataclasses import dataclass, field
from typing import Any

from ostrom.experiment.dispatch import Dispatch
from ostrom.experiment.limits import Limits, Pacing
from ostrom.experiment.open_batches import BatchStore, OpenBatches, WaveCall
from ostrom.experiment.watch import RunStopped
from ostrom.players.models.batches import parts_of
from ostrom.players.models.engine import Engine, EngineReply, EngineRequest


class Waves:
    """Collects the open questions of a run. All methods must be called in its event loop."""

    def __init__(self, limits: Limits, pacing: Pacing, dispatch: Dispatch, store: BatchStore | None = None) -> None:
        self.batch = limits.batch and store is not None
        """True if questions are sent in batches to providers that have a batch API."""
        self.batches = OpenBatches(limits, pacing, dispatch, store, self)
        self.active = 0
        """The number of activities that may lead to further questions."""
        self._dispatch = dispatch
        self._open: dict[object, list[WaveCall]] = {}
        self._engines: dict[int, _EngineQueue] = {}
        self._check_due = False
        """True if `_send_if_idle` is about to run."""
        self._tasks: set[asyncio.Task[None]] = set()
        self._context = copy_context()
        self._loop = asyncio.get_running_loop()
        dispatch.on_stop.append(self._stop)
        dispatch.waiting = self.idle

    # A wave is sent when nothing is active: no game, and no question that is not part of the wave.

    def enter(self, count: int = 1) -> None:
        """Increase the number of activities that may lead to further questions."""
        self.active += count

    def leave(self) -> None:
        """Decrease the number of activities by one that ended or that waits for a wave."""
        self.active -= 1
        if (self._open or self._engines) and not self._check_due:
            self._check_due = True
            self._loop.call_soon(self._send_if_idle)

    async def gather(self, work: Sequence[Callable[[], Awaitable[Any]]]) -> list[Any]:
        """Return the results or exceptions of concurrent activities. They count as activities in place of the present
        one, which waits for them."""
        remaining = len(work)
        self.enter(remaining - 1)

        async def run(task: Callable[[], Awaitable[Any]]) -> Any:
            nonlocal remaining
            try:
                return await task()
            finally:
                remaining -= 1
                if remaining:  # The last activity to end makes the present one count again.
                    self.leave()

        return await asyncio.gather(*(run(task) for task in work), return_exceptions=True)

    @contextmanager
    def idle(self) -> Iterator[None]:
        """Count the present activity as waiting within this context."""
        self.leave()
        try:
            yield
        finally:
            self.enter()

    def _send_if_idle(self) -> None:
        self._check_due = False
        for queue in self._engines.values():
            queue.send_if_due(self.active)
        if self.active > 0 or not self._open:
            return
        waves, self._open = self._open, {}
        for calls in waves.values():
            self._send_wave(calls)

    def add(self, call: WaveCall) -> None:
        """Add a call to the open wave. If an earlier run sent it in a batch, add it to that batch instead."""
        if self._dispatch.stopped is not None:
            call.resolve(RunStopped(self._dispatch.stopped))
        elif call.earlier is not None:
            self.batches.rejoin(call, call.earlier)
        else:
            self._open.setdefault(call.api.group, []).append(call)

    def _send_wave(self, calls: Sequence[WaveCall]) -> None:
        for place, call in enumerate(calls):
            assert call.line is not None
            call.line = call.line._replace(id=str(place))
        by_id = {call.line.id: call for call in calls if call.line is not None}
        for part in parts_of([call.line for call in calls if call.line is not None], calls[0].api):
            self.start(self.batches.send([by_id[line.id] for line in part]))

    def start(self, work: Coroutine[Any, Any, None]) -> None:
        """Start a task that ends when `close` is called."""
        task = self._loop.create_task(work, context=self._context.copy())
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def close(self) -> None:
        """Stop polling batches. The next run collects their results."""
        for task in tuple(self._tasks):
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    def _stop(self, reason: str) -> None:
        waves, self._open = self._open, {}
        waiting = [call for calls in waves.values() for call in calls]
        for call in [*waiting, *self.batches.calls]:
            call.resolve(RunStopped(reason))
        for queue in self._engines.values():
            queue.stop(reason)

    # Engines.

    async def ask(self, engine: Engine, request: EngineRequest) -> EngineReply:
        """Return the reply of an engine. The engine computes the replies to all open questions together."""
        queue = self._engines.get(id(engine))
        if queue is None:
            queue = self._engines[id(engine)] = _EngineQueue(self, engine)
        return await queue.ask(request)


@dataclass(slots=True, eq=False)
class _EngineQueue:
    """The questions that wait for an engine. While the engine computes the replies to one half of the open questions,
    the games of the other half continue. Therefore a wave is sent when it has at least as many questions as there are
    activities."""

    waves: Waves
    engine: Engine
    waiting: "list[tuple[EngineRequest, asyncio.Future[EngineReply]]]" = field(default_factory=list)
    busy: bool = False

    async def ask(self, request: EngineRequest) -> EngineReply:
        """Return the reply to one request."""
        future: asyncio.Future[EngineReply] = asyncio.get_running_loop().create_future()
        self.waiting.append((request, future))
        self.waves.leave()
        return await future

    def send_if_due(self, active: int) -> None:
        """Send a wave if the engine is free and the wave is large enough."""
        if not self.busy and self.waiting and len(self.waiting) >= active:
            self.busy = True
            self.waves.start(self._answer())

    async def _answer(self) -> None:
        wave, self.waiting = self.waiting, []
        outcomes: Sequence[EngineReply | Exception]
        try:
            outcomes = await asyncio.to_thread(self.engine.answer, [request for request, _ in wave])
        except Exception as error:
            outcomes = [error] * len(wave)
        self.busy = False
        for (_, future), outcome in zip(wave, outcomes, strict=True):
            self._resolve(future, outcome)
        self.send_if_due(self.waves.active)

    def stop(self, reason: str) -> None:
        """Reject the questions that the engine has not begun to compute."""
        wave, self.waiting = self.waiting, []
        for _, future in wave:
            self._resolve(future, RunStopped(reason))

    def _resolve(self, future: "asyncio.Future[EngineReply]", outcome: EngineReply | Exception) -> None:
        if not future.done():
            self.waves.enter()
            if isinstance(outcome, Exception):
                future.set_exception(outcome)
            else:
                future.set_result(outcome)
