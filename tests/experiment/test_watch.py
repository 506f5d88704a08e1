"""The tally can be read at any time and adds up."""

import asyncio

from in_memory import Model, Runs, Same, fixture, run

from ostrom.core import Fault
from ostrom.experiment.limits import Limits
from ostrom.experiment.watch import StopSignal, Tally


def test_a_run_can_be_watched_while_it_goes():
    model = Model(delay=2.0)
    runs = Runs([fixture(model, Same(), key=f"g{n}", turns=2) for n in range(6)], Limits(calls=3, games=4))
    seen = []

    async def play():
        task = asyncio.create_task(runs.play())
        for _ in range(4):
            await asyncio.sleep(1.999)
            tally = runs.tally
            seen.append((tally.finished, tally.under_way, tally.in_flight, tally.calls, tally.decisions))
        await task

    run(play())
    assert seen[0] == (0, 4, 3, 0, 4)
    assert seen[1] == (0, 4, 3, 3, 10)
    tally = runs.tally
    assert (tally.finished, tally.under_way, tally.in_flight, tally.calls, tally.decisions) == (6, 0, 0, 12, 24)
    assert (tally.tokens, round(tally.dollars, 6)) == (12 * 50, 0.048)


def test_a_pause_ends_and_a_model_given_up_stays_so():
    tally = Tally()
    tally.paused("model")
    assert tally.of("model").state == "paused"
    tally.resumed("model")
    assert tally.of("model").state == "ok"
    tally.unavailable("model", "no credit")
    tally.paused("model")
    tally.resumed("model")
    assert (tally.of("model").state, tally.of("model").reason) == ("unavailable", "no credit")


def test_a_call_after_a_failure_is_a_retry_and_after_a_bad_reply_a_reask():
    tally = Tally()
    for last in (None, Fault.TIMEOUT, Fault.ILLEGAL, Fault.DENIED):
        tally.call_sent("model", last)
    assert (tally.of("model").retries, tally.of("model").reasks, tally.in_flight) == (2, 1, 4)


def test_a_signal_tells_all_who_listen_once():
    heard = []
    stop = StopSignal()
    first, second = (lambda: heard.append(1)), (lambda: heard.append(2))
    stop.listen(first)
    stop.listen(second)
    stop.forget(second)
    stop.request()
    stop.request()
    assert heard == [1]
    stop.listen(second)
    assert heard == [1, 2]
    assert stop.requested
