"""A model that keeps failing pauses, is tried now and then, and is given up in the end; the others go on."""

import asyncio

from in_memory import PACING, Model, Runs, fixture, honest, run

from ostrom.core import Fault, Provenance
from ostrom.experiment.limits import Breaker, Limits, Pacing
from ostrom.players.base import Unanswered


def opened(at=0.0, patience=600.0):
    breaker = Breaker(PACING, patience)
    for _ in range(5):
        breaker.report_failure(breaker.admit(), at)
    return breaker


def test_four_failures_are_none_and_the_fifth_opens():
    breaker = Breaker(PACING, 600)
    for _ in range(4):
        breaker.report_failure(breaker.admit(), 0.0)
    assert breaker.closed
    assert breaker.ready(0.0)
    streak = breaker.report_failure(breaker.admit(), 0.0)
    assert not breaker.closed
    assert (streak.length, streak.outage) == (5, True)
    assert not breaker.ready(4.9)
    assert breaker.ready(5.0)


def test_a_success_between_failures_starts_the_count_again():
    breaker = Breaker(PACING, 600)
    for _ in range(4):
        early = breaker.report_failure(breaker.admit(), 0.0)
    breaker.report_answer(0.0)
    late = breaker.report_failure(breaker.admit(), 0.0)
    assert breaker.closed
    assert (early.length, late.length, early.outage) == (4, 1, False)


def test_pauses_double_up_to_a_minute_with_one_probe_at_a_time():
    breaker, now, pauses = opened(), 5.0, []
    for _ in range(6):
        probe = breaker.admit()
        assert not breaker.ready(now + 1000), "one probe at a time"
        assert breaker.changes(now) is None
        breaker.report_failure(probe, now)
        pauses.append(breaker.until - now)
        now = breaker.until
    assert pauses == [10, 20, 40, 60, 60, 60]
    breaker.report_answer(now)
    assert breaker.closed
    for _ in range(5):
        breaker.report_failure(breaker.admit(), now)
    assert breaker.until == now + 5, "the next outage begins with a short pause"


def test_calls_sent_before_the_pause_neither_lengthen_it_nor_count_as_probes():
    breaker = Breaker(PACING, 600)
    tickets = [breaker.admit() for _ in range(16)]
    streaks = {id(breaker.report_failure(ticket, 1.0)) for ticket in tickets}
    assert breaker.until == 6.0
    assert len(streaks) == 1


def test_a_late_success_closes_it_and_the_old_probe_means_nothing_then():
    breaker = opened()
    probe = breaker.admit()
    breaker.report_answer(6.0)
    assert breaker.closed
    breaker.report_failure(probe, 7.0)
    assert breaker.closed


def test_a_cancelled_probe_lets_another_go():
    breaker = opened()
    probe = breaker.admit()
    breaker.release(probe)
    assert breaker.ready(5.0)


def test_patience_is_counted_from_the_first_failure_of_the_outage():
    breaker = Breaker(PACING, 8)
    for second in range(5):
        breaker.report_failure(breaker.admit(), float(second))
    assert breaker.expires() == 8.0
    assert breaker.changes(4.0) == 8.0, "before the pause ends at 9"
    probe = breaker.admit()
    assert breaker.expires() is None, "a probe may still succeed"
    breaker.report_answer(10.0)
    assert breaker.expires() is None
    breaker.release(probe)


def test_a_wait_that_was_asked_for_is_kept_even_after_a_success():
    breaker = Breaker(PACING, 600)
    breaker.report_failure(breaker.admit(), 0.0, retry_after=30.0)
    assert breaker.closed
    breaker.report_answer(1.0)
    assert not breaker.ready(29.0)
    assert breaker.ready(30.0)
    assert breaker.expires() == 601.0


def test_nonsense_in_retry_after_holds_nobody_for_ever():
    breaker = Breaker(PACING, 600)
    for nonsense in (float("nan"), -5.0, 0.0):
        breaker.report_failure(breaker.admit(), 0.0, retry_after=nonsense)
    assert breaker.ready(0.0)
    breaker.report_failure(breaker.admit(), 0.0, retry_after=float("inf"))
    assert breaker.changes(0.0) == breaker.expires() == 600.0


def test_an_impatient_run_still_lets_a_provider_ask_for_a_minute():
    breaker = Breaker(PACING, 0)
    breaker.report_failure(breaker.admit(), 0.0, retry_after=20.0)
    assert breaker.expires() == 60.0
    assert opened(patience=0).expires() == 0.0


class Outage:
    """Fails until a time, and writes down when it was asked."""

    def __init__(self, until):
        self.until = until
        self.times = []

    def __call__(self, question, reference):
        now = asyncio.get_running_loop().time()
        self.times.append(now)
        return Unanswered(Fault.SERVER_ERROR, "500") if now < self.until else honest(question, reference)


def test_an_outage_never_turns_into_defaulted_moves():
    outage = Outage(until=300.0)
    model = Model(act=outage, delay=1.0)
    runs = Runs([fixture(model, model, model, key=f"g{n}") for n in range(10)], Limits(retries=5, calls=8))
    outcome = runs.run()
    assert outcome.finished == 10
    provenances = {answer.provenance for ledger in runs.ledgers.values() for answer in ledger.new.values()}
    assert provenances == {Provenance.ANSWERED}
    during = [time for time in outage.times if time < 300]
    # Eight fail together and the fifth opens it; the four before made room for four more. Then a probe after each
    # pause, which takes a second.
    assert during[:12] == [1.0] * 8 + [2.0] * 4
    assert during[12:] == [7.0, 18.0, 39.0, 80.0, 141.0, 202.0, 263.0]


def test_failures_before_the_pause_are_given_back_to_their_question():
    outage = Outage(until=100.0)
    model = Model(act=outage, delay=0.0)
    runs = Runs([fixture(model, turns=1)], Limits(retries=4))
    runs.run()
    ledger = runs.ledgers["game-1"]
    assert ledger.new[1, "number", 0].provenance is Provenance.ANSWERED
    assert len(ledger.new_calls[1, "number", 0]) == len(outage.times) > 6


def test_a_model_that_never_works_is_given_up_and_its_games_can_be_resumed():
    dead, fine = Model("dead", delay=0.0), Model("fine", provider="other")
    dead.act = lambda question, reference: Unanswered(Fault.DROPPED, "refused", sent=False)
    games = [fixture(dead if n % 2 else fine, fine, key=f"g{n}") for n in range(20)]
    runs = Runs(games, Limits(patience=30, calls=4))
    outcome = runs.run()
    assert (outcome.finished, outcome.unfinished) == (10, 10)
    assert outcome.unavailable == {"dead": "no call has succeeded for 30 s; the last one: refused"}
    assert not any(
        answer.provenance is Provenance.DEFAULTED for led in runs.ledgers.values() for answer in led.new.values()
    )
    assert runs.tally.of("dead").state == "unavailable"
    dead.act = honest
    assert runs.run().finished == 10
    assert len(fine.sent) == len(set(fine.sent)) == 90, "nothing that was decided is asked again"


def test_the_tally_shows_a_pause_and_its_end():
    states = []
    outage = Outage(until=3.0)
    model = Model(act=outage, delay=0.0)
    runs = Runs([fixture(model, model, model, model, model, model, turns=1)])

    async def play():
        task = asyncio.create_task(runs.play(pacing=Pacing(draw=lambda: 0.5)))
        for _ in range(3):
            await asyncio.sleep(2.0)
            states.append(runs.tally.of("model").state)
        return await task

    assert run(play()).finished == 1
    assert states == ["paused", "paused", "ok"]
