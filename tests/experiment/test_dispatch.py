"""Places are kept, nobody overtakes, nobody waits for ever, and who waits holds nothing."""

import asyncio

import pytest
from in_memory import PACING, Model, Runs, fixture, honest, run

from ostrom.core import Fault
from ostrom.experiment.dispatch import NOTHING, Dispatch
from ostrom.experiment.limits import Gates, Limits
from ostrom.experiment.stopping import GivenUp, Halted
from ostrom.experiment.watch import Tally
from ostrom.players.base import Letter, Unanswered, Wire

LETTER = Letter((), {}, 10, 10, 0.01)


def wire(model="model", provider="provider"):
    return Wire(model, provider, True)


def dispatch(**limits):
    return Dispatch(Limits(**limits), PACING, Tally())


def test_gates_count_both_ways():
    gates = Gates(3, 2)
    gates.enter("a")
    gates.enter("a")
    assert not gates.open("a")
    assert gates.open("b")
    gates.enter("b")
    assert gates.full
    gates.leave("a")
    assert gates.open("a")
    assert gates.in_flight == 2


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
        desk = dispatch(calls=1)

        async def one(name, model):
            leave = await desk.admit(wire(model), LETTER)
            order.append(name)
            await asyncio.sleep(1)
            desk.answered(leave, NOTHING)

        async with asyncio.TaskGroup() as group:
            for name, model in ((1, "a"), (2, "b"), (3, "a"), (4, "c"), (5, "b"), (6, "a")):
                group.create_task(one(name, model))

    run(play())
    assert order == [1, 2, 3, 4, 5, 6]


def test_a_full_provider_keeps_nobody_else_waiting():
    order = []

    async def play():
        desk = dispatch(calls=4, per_provider=1)

        async def one(name, provider):
            leave = await desk.admit(wire(provider, provider), LETTER)
            order.append((name, asyncio.get_running_loop().time()))
            await asyncio.sleep(1)
            desk.answered(leave, NOTHING)

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
        desk = dispatch(calls=1)
        first = await desk.admit(wire(), LETTER)
        second = asyncio.create_task(desk.admit(wire(), LETTER))
        third = asyncio.create_task(desk.admit(wire(), LETTER))
        await asyncio.sleep(0)
        second.cancel()
        desk.answered(first, NOTHING)
        leave = await third
        # Cancelled after its turn came, before it could know.
        fourth = asyncio.create_task(desk.admit(wire(), LETTER))
        fifth = asyncio.create_task(desk.admit(wire(), LETTER))
        await asyncio.sleep(0)
        desk.answered(leave, NOTHING)
        fourth.cancel()
        desk.answered(await fifth, NOTHING)
        assert fourth.cancelled()
        assert desk.budget.reserved == NOTHING

    run(play())


def test_halting_turns_away_all_who_wait_and_all_who_come():
    async def play():
        desk = dispatch(calls=1)
        leave = await desk.admit(wire(), LETTER)
        waiting = [asyncio.create_task(desk.admit(wire(), LETTER)), asyncio.create_task(desk.pause(1e6))]
        await asyncio.sleep(0)
        desk.halt("enough")
        desk.halt("again")
        for task in waiting:
            with pytest.raises(Halted, match="enough"):
                await task
        with pytest.raises(Halted):
            await desk.admit(wire(), LETTER)
        with pytest.raises(Halted):
            await desk.pause(1)
        desk.answered(leave, NOTHING)

    run(play())


def test_a_model_given_up_turns_away_its_own_only():
    async def play():
        desk = dispatch(calls=1)
        leave = await desk.admit(wire(), LETTER)
        mine = asyncio.create_task(desk.admit(wire(), LETTER))
        other = asyncio.create_task(desk.admit(wire("other"), LETTER))
        await asyncio.sleep(0)
        desk.give_up("model", "no credit")
        with pytest.raises(GivenUp, match="model: no credit"):
            await mine
        with pytest.raises(GivenUp):
            await desk.admit(wire(), LETTER)
        desk.answered(leave, NOTHING)
        desk.answered(await other, NOTHING)

    run(play())
