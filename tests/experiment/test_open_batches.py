"""Batches of earlier runs that the provider never received, and batches past their deadline."""

import asyncio
from datetime import UTC, datetime

from in_memory import PACING

from ostrom.core import Fault
from ostrom.experiment.dispatch import Dispatch
from ostrom.experiment.limits import Limits
from ostrom.experiment.open_batches import OpenBatches, WaveCall, Withdrawn
from ostrom.experiment.watch import Tally
from ostrom.journal.rows import Batch
from ostrom.journal.spending import SentCall
from ostrom.players.base import Unanswered
from ostrom.players.models.batches import BatchProgress, LineResult

LONG_AGO = "2026-01-01T00:00:00.000+00:00"


class Provider:
    """A batch API whose batch ends once it was cancelled, or after some polls."""

    most_calls = most_bytes = 1000
    price, group = 1.0, None

    def __init__(self, known=None, refusals=(), polls=5):
        self.known, self.refusals, self.polls = known, list(refusals), polls
        self.cancels = 0

    async def find(self, sought):
        return self.known

    async def look(self, name):
        self.polls -= 1
        return BatchProgress("running", self.polls < 0, complete=False)

    async def results(self, name):
        return []

    async def cancel(self, name):
        self.cancels += 1
        if self.refusals:
            raise self.refusals.pop()
        self.polls = 0
        return True


class Player:
    """A player whose batch API fails with the fault that the error names."""

    def batch_failure(self, error):
        return Unanswered(Fault(str(error)), "out of order")


class Store:
    async def keep_batch(self, batch, sent=()):
        pass


class Scheduler:
    active = 0

    def __init__(self):
        self.tasks = []

    def enter(self, count=1):
        pass

    def leave(self):
        pass

    def add(self, call):
        pass

    def start(self, work):
        self.tasks.append(asyncio.ensure_future(work))


def rejoin(provider, serials, *, name=None, **limits):
    """Let calls of a batch of an earlier run rejoin it one after the other; return the reasons why they have no
    result."""

    async def run():
        limit = Limits(batch=True, **limits)
        scheduler = Scheduler()
        batches = OpenBatches(limit, PACING, Dispatch(limit, PACING, Tally()), Store(), scheduler)
        at = datetime.now(UTC).isoformat() if limits else LONG_AGO
        batches.earlier = {7: Batch(7, "model", at, len(serials), name=name)}
        failures = []
        for serial in serials:
            call = WaveCall(scheduler, Player(), provider, "model", lambda most, batch: None)
            scheduler.add = lambda call: batches.rejoin(call, call.earlier)
            call.earlier = SentCall(LONG_AGO, 1.0, 100, 0, serial, batch=7)
            async with asyncio.timeout(600):
                assert (await call.carry("/v1", b"{}")) == LineResult("", 503, b"{}")
            failures.append(call.failure)
        return failures

    return asyncio.run(run())


def test_every_call_of_a_batch_that_was_never_sent_is_made_again():
    # The second call comes when the batch has been looked for.
    failures = rejoin(Provider(), [1, 2])
    assert [str(failure) for failure in failures] == ["the batch was never sent"] * 2
    assert all(isinstance(failure, Withdrawn) for failure in failures)


def test_cancelling_is_tried_again_after_a_failure_that_may_pass(capsys):
    provider = Provider(refusals=[RuntimeError(Fault.SERVER_ERROR), RuntimeError(Fault.RATE_LIMITED)])
    (failure,) = rejoin(provider, [1], name="batch_1", deadline=1e-6)
    assert provider.cancels == 3
    assert isinstance(failure, Withdrawn)
    assert capsys.readouterr().err.count("cannot be cancelled: out of order; waiting for it") == 1


def test_a_batch_that_cannot_be_cancelled_is_waited_for(capsys):
    provider = Provider(refusals=[RuntimeError(Fault.REJECTED)], polls=3)
    (failure,) = rejoin(provider, [1], name="batch_1", deadline=1e-6)
    assert provider.cancels == 1
    assert isinstance(failure, Withdrawn)
    assert "past its deadline and cannot be cancelled" in capsys.readouterr().err
