"""Places are kept, nobody overtakes, nobody waits for ever, and who waits holds nothing."""

import asyncio

import pytest
from in_memory import PACING, Model, Runs, fixture, honest, run

from ostrom.core import Fault
from ostrom.experiment.dispatch import Dispatch
from ostrom.experiment.limits import NOTHING, Limits
from ostrom.experiment.watch import ModelUnavailable, RunStopped, Tally
from ostrom.players.base import Endpoint, Request, Unanswered

REQUEST = Request((), {}, 10, 10, 0.01)


def endpoint(model="model", provider="provider"):
    return Endpoint(model, provider, lambda given, taken: 0.0)


def dispatch(**limits):
    return Dispatch(Limits(**limits), PACING, Tally())


def test_limits_per_provider_and_over_all_are_kept_and_used():
    models = [Model(name, provider=provider) for name, provider in (("a", "x"), ("b", "x"), ("c", "y"))]
    peaks = []

    def act(question, reference):
        peaks.append(tuple(model.in_flight for model in models))
        return honest(question, reference)

    for model in models:
        model.act = act
    runs = Runs([fixture(*models, key=f"g{n}") for n in range(40)], Limits(calls=7, per_provider=5))
    assert runs.run().finished == 40
    assert max(map(sum, peaks)) == 7
    assert max(a + b for a, b, _ in peaks) == 5


def test_the_longest_waiting_goes_first():
    order = []

    async def play():
        queue = dispatch(calls=1)

        async def one(name, model):
            permit = await queue.admit(endpoint(model), REQUEST)
            order.append(name)
            await asyncio.sleep(1)
            queue.report_answer(permit, NOTHING)

        async with asyncio.TaskGroup() as group:
            for name, model in ((1, "a"), (2, "b"), (3, "a"), (4, "c"), (5, "b"), (6, "a")):
                group.create_task(one(name, model))

    run(play())
    assert order == [1, 2, 3, 4, 5, 6]


def test_a_full_provider_keeps_nobody_else_waiting():
    order = []

    async def play():
        queue = dispatch(calls=4, per_provider=1)

        async def one(name, provider):
            permit = await queue.admit(endpoint(provider, provider), REQUEST)
            order.append((name, asyncio.get_running_loop().time()))
            await asyncio.sleep(1)
            queue.report_answer(permit, NOTHING)

        async with asyncio.TaskGroup() as group:
            for name, provider in ((1, "x"), (2, "x"), (3, "x"), (4, "y")):
                group.create_task(one(name, provider))

    run(play())
    assert order == [(1, 0.0), (4, 0.0), (2, 1.0), (3, 2.0)]


def test_who_waits_out_a_failure_holds_no_place():
    sick, well = Model("sick", delay=0.0), Model("well")
    sick.act = lambda question, reference: Unanswered(Fault.SERVER_ERROR, "500")
    times = []

    def act(question, reference):
        times.append(asyncio.get_running_loop().time())
        return honest(question, reference)

    well.act = act
    games = [fixture(sick, key=f"s{n}") for n in range(8)] + [fixture(well, key="well", turns=10)]
    outcome = Runs(games, Limits(calls=1, patience=100, games=9)).run()
    assert outcome.finished == 1
    assert times == [float(second) for second in range(1, 11)]


def test_a_cancelled_wait_gives_its_place_to_the_next():
    async def play():
        queue = dispatch(calls=1)
        first = await queue.admit(endpoint(), REQUEST)
        second = asyncio.create_task(queue.admit(endpoint(), REQUEST))
        third = asyncio.create_task(queue.admit(endpoint(), REQUEST))
        await asyncio.sleep(0)
        second.cancel()
        queue.report_answer(first, NOTHING)
        permit = await third
        # Cancelled after its turn came, before it could know.
        fourth = asyncio.create_task(queue.admit(endpoint(), REQUEST))
        fifth = asyncio.create_task(queue.admit(endpoint(), REQUEST))
        await asyncio.sleep(0)
        queue.report_answer(permit, NOTHING)
        fourth.cancel()
        queue.report_answer(await fifth, NOTHING)
        assert fourth.cancelled()
        assert queue.budget.reserved == NOTHING

    run(play())


def test_stopping_turns_away_all_who_wait_and_all_who_come():
    async def play():
        queue = dispatch(calls=1)
        permit = await queue.admit(endpoint(), REQUEST)
        waiting = [asyncio.create_task(queue.admit(endpoint(), REQUEST)), asyncio.create_task(queue.pause(1e6))]
        await asyncio.sleep(0)
        queue.stop("enough")
        queue.stop("again")
        for task in waiting:
            with pytest.raises(RunStopped, match="enough"):
                await task
        with pytest.raises(RunStopped):
            await queue.admit(endpoint(), REQUEST)
        with pytest.raises(RunStopped):
            await queue.pause(1)
        queue.report_answer(permit, NOTHING)

    run(play())


def test_a_model_given_up_turns_away_its_own_only():
    async def play():
        queue = dispatch(calls=1)
        permit = await queue.admit(endpoint(), REQUEST)
        mine = asyncio.create_task(queue.admit(endpoint(), REQUEST))
        other = asyncio.create_task(queue.admit(endpoint("other"), REQUEST))
        await asyncio.sleep(0)
        queue.give_up("model", "no credit")
        with pytest.raises(ModelUnavailable, match="model is unavailable: no credit"):
            await mine
        with pytest.raises(ModelUnavailable):
            await queue.admit(endpoint(), REQUEST)
        queue.report_answer(permit, NOTHING)
        queue.report_answer(await other, NOTHING)

    run(play())
