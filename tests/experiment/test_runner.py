"""Many games at once: stopping, cancelling, giving up, and staying small."""

import asyncio
import random
import tracemalloc
from collections import Counter

import pytest
from in_memory import MemoryLedger, Model, Runs, Same, fixture, honest, run

from ostrom.core import Fault
from ostrom.experiment.limits import Limits
from ostrom.experiment.runner import Conduct, StopSignal, run_fixtures
from ostrom.experiment.watch import Tally
from ostrom.players.base import Unanswered


def test_a_stop_keeps_what_is_in_flight_and_begins_nothing_new():
    model = Model(delay=10.0)
    runs = Runs([fixture(model, key=f"g{n}") for n in range(20)], Limits(calls=2, games=4))

    async def play():
        stop = StopSignal()
        asyncio.get_running_loop().call_later(15, stop.request)
        outcome = await runs.play(stop=stop)
        return outcome, asyncio.get_running_loop().time()

    outcome, ended = run(play())
    assert (outcome.stopped, outcome.finished, outcome.unfinished) == ("interrupted", 0, 4)
    assert ended == 20.0
    assert len(model.sent) == 4
    assert sum(len(ledger.new) for ledger in runs.ledgers.values()) == 4
    assert runs.run().finished == 20
    assert len(model.sent) == len(set(model.sent)) == 60


def test_a_stop_ends_waits_for_backoff_and_pauses():
    model = Model(delay=0.0, act=lambda question, reference: Unanswered(Fault.SERVER_ERROR, "500"))

    async def play():
        stop = StopSignal()
        asyncio.get_running_loop().call_later(7, stop.request)
        outcome = await Runs([fixture(model, key=f"g{n}") for n in range(10)]).play(stop=stop)
        return outcome.stopped, asyncio.get_running_loop().time()

    assert run(play()) == ("interrupted", 7.0)


def test_a_stop_before_the_start_plays_nothing():
    stop, model = StopSignal(), Model()
    stop.request()
    stop.request()
    assert Runs([fixture(model)]).run(stop=stop).stopped == "interrupted"
    assert not model.sent


def test_a_stop_reaches_games_in_which_nobody_is_called():
    stop, same = StopSignal(), Same()
    runs = Runs([fixture(same, turns=1000)], flush=1.0)

    async def play():
        asyncio.get_running_loop().call_later(10, stop.request)
        return await runs.play(stop=stop)

    assert run(play()).unfinished == 1
    assert 3 < len(runs.ledgers["game-1"].new) < 12


def test_a_stop_that_keeps_no_game_from_its_end_has_stopped_nothing():
    stop = StopSignal()

    async def play():
        asyncio.get_running_loop().call_later(2.5, stop.request)
        return await Runs([fixture(Model(), turns=3)]).play(stop=stop)

    outcome = run(play())
    assert (outcome.finished, outcome.stopped) == (1, None)


def test_cancelling_ends_at_once_and_what_was_kept_is_kept():
    model = Model(delay=10.0)
    runs = Runs([fixture(model, key=f"g{n}") for n in range(20)], Limits(calls=4))

    async def play():
        task = asyncio.create_task(runs.play())
        await asyncio.sleep(15)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        return asyncio.get_running_loop().time()

    assert run(play()) == 15.0
    assert model.in_flight == 0
    assert sum(len(ledger.new) for ledger in runs.ledgers.values()) == 4
    assert runs.run().finished == 20


def test_fixtures_are_taken_as_they_are_needed():
    taken, model = [], Model()
    runs = Runs([])

    def endless():
        number = 0
        while True:
            taken.append(number)
            yield fixture(model, key=f"g{number}", turns=1)
            number += 1

    async def play():
        stop = StopSignal()
        asyncio.get_running_loop().call_later(10, stop.request)
        return await run_fixtures(endless(), runs.open, Conduct(Limits(calls=5, games=8), stop=stop))

    outcome = run(play())
    assert outcome.finished in range(45, 56)
    assert len(taken) <= outcome.finished + 8


def test_games_under_way_are_twice_the_calls_unless_told_otherwise():
    highest = {}
    for games in (None, 3):
        tallies, model = [], Model()
        runs = Runs([fixture(model, key=f"g{n}") for n in range(30)], Limits(calls=4, games=games))

        def act(question, reference, runs=runs, tallies=tallies):
            tallies.append(runs.tally.under_way)
            return honest(question, reference)

        model.act = act
        assert runs.run().finished == 30
        highest[games] = max(tallies)
    assert highest == {None: 8, 3: 3}


def test_a_model_in_an_outage_keeps_no_place_from_the_games_of_others():
    """Even where the games that need it come first and take every place."""
    back = 400.0

    def act(question, reference):
        out = asyncio.get_running_loop().time() < back
        return Unanswered(Fault.SERVER_ERROR, "500") if out else honest(question, reference)

    ends = {}

    class Watched(Tally):
        def game_ended(self, key, ending):
            super().game_ended(key, ending)
            ends[key] = asyncio.get_running_loop().time()

    dead, fine = Model("dead", act=act), Model("fine", provider="other")
    games = [fixture(dead, fine, key=f"d{n}") for n in range(10)]
    games += [fixture(dead if n % 2 else fine, fine, key=f"{'d' if n % 2 else 'f'}{n}") for n in range(10, 60)]
    outcome = Runs(games, Limits(calls=4, games=8)).run(watch=Watched())
    assert outcome.finished == 60
    assert max(time for key, time in ends.items() if key[0] == "f") < 60
    assert min(time for key, time in ends.items() if key[0] == "d") > back


def test_the_games_of_a_model_given_up_are_counted_as_unfinished_wherever_they_were():
    dead = Model("dead", act=lambda question, reference: Unanswered(Fault.RATE_LIMITED, "429", retry_after=1e9))
    fine = Model("fine")
    runs = Runs([fixture(dead if n % 2 else fine, key=f"g{n}") for n in range(40)], Limits(calls=4))
    outcome = runs.run()
    assert (outcome.finished, outcome.unfinished) == (20, 20)
    assert outcome.unavailable == {"dead": "no call has succeeded for 600 s; the last one: 429"}
    assert runs.tally.under_way == 0


def test_games_without_a_ledger_are_left_out():
    model = Model()

    async def closed(one):
        return None if one.key == "g1" else MemoryLedger()

    outcome = run(run_fixtures([fixture(model, key=f"g{n}") for n in range(3)], closed, Conduct(Limits())))
    assert (outcome.finished, outcome.left_out, outcome.unfinished) == (2, 1, 0)


def test_an_error_in_the_journal_is_not_swallowed():
    class Full(MemoryLedger):
        async def keep_decision(self, place, question, answer, call=None, sent=None):
            raise OSError("the disk is full")

    model = Model()
    for contestants in ((model,), (model, Same()), (Same(), Same())):

        async def full(one):
            return Full()

        with pytest.raises(OSError, match="disk is full"):
            run(run_fixtures([fixture(*contestants)], full, Conduct(Limits())))


def test_a_bug_in_one_seat_does_not_wait_out_the_pause_of_another():
    broken, dead = Model("broken", delay=20.0), Model("dead", delay=0.0)

    def act(question, reference):
        raise RuntimeError("a bug")

    broken.act = act
    dead.act = lambda question, reference: Unanswered(Fault.SERVER_ERROR, "500")

    async def play():
        with pytest.raises(RuntimeError):
            await Runs([fixture(broken, dead)]).play()
        return asyncio.get_running_loop().time()

    assert run(play()) == 20.0


def test_counts_of_a_faulty_run_are_those_of_its_calls():
    kinds = [
        "",
        "x",
        "99",
        "no",
        Unanswered(Fault.RATE_LIMITED, "429", retry_after=0.1),
        Unanswered(Fault.SERVER_ERROR, "500"),
        Unanswered(Fault.DROPPED, "broke"),
        Unanswered(Fault.REJECTED, "400"),
    ]
    draw, injected = random.Random(5), Counter()
    names = [
        Fault.EMPTY,
        Fault.MALFORMED,
        Fault.ILLEGAL,
        Fault.REFUSED,
        Fault.RATE_LIMITED,
        Fault.SERVER_ERROR,
        Fault.DROPPED,
        Fault.REJECTED,
    ]

    def act(question, reference):
        if draw.random() < 0.3:
            which = draw.randrange(len(kinds))
            injected[names[which]] += 1
            return kinds[which]
        return honest(question, reference)

    model = Model(act=act)
    runs = Runs([fixture(model, model, model, key=f"g{n}") for n in range(40)])
    assert runs.run().finished == 40
    tally = runs.tally.of("model")
    assert tally.faults == injected
    assert tally.calls == len(model.sent)
    calls = [some for ledger in runs.ledgers.values() for some in ledger.new_calls.values()]
    assert sum(map(len, calls)) == len(model.sent)
    assert Counter(call.fault for some in calls for call in some if call.fault) == injected
    transport = sum(count for fault, count in injected.items() if fault.of_transport)
    replies = sum(count for fault, count in injected.items() if fault.of_reply)
    assert tally.retries == transport
    exhausted = sum(1 for some in calls if some[-1].fault is not None and some[-1].fault.of_reply)
    assert tally.reasks == replies - exhausted
    answers = [answer for ledger in runs.ledgers.values() for answer in ledger.new.values()]
    defaulted = [answer for answer in answers if answer.provenance == "defaulted"]
    assert tally.defaults == len(defaulted) == exhausted + injected[Fault.REFUSED] + injected[Fault.REJECTED]
    assert tally.repaired == sum(answer.provenance == "repaired" for answer in answers)
    assert tally.decisions == len(answers) == 360


@pytest.mark.slow
def test_a_thousand_games_in_flight_stay_small():
    model = Model(delay=5.0)
    limits = Limits(calls=1000, per_provider=1000, games=1000)

    class Forgetful(MemoryLedger):
        async def keep_decision(self, place, question, answer, call=None, sent=None):
            pass

    async def opened(one):
        return Forgetful()

    async def play():
        task = asyncio.create_task(
            run_fixtures((fixture(model, key=f"g{n}", turns=1) for n in range(1000)), opened, Conduct(limits))
        )
        await asyncio.sleep(2)
        assert model.in_flight == 1000
        peak = tracemalloc.get_traced_memory()[0]
        outcome = await task
        assert outcome.finished == 1000
        return peak

    tracemalloc.start()
    try:
        assert run(play()) < 20_000_000, "a waiting game takes less than 20 kB"
    finally:
        tracemalloc.stop()
