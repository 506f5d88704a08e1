"""How one question comes to its decision: every fault, and what is kept of it."""

import asyncio
from dataclasses import replace

import pytest
from in_memory import Model, Runs, fixture, honest, run

from ostrom.core import Amount, Answer, Fault, Provenance, Usage
from ostrom.experiment.limits import Limits, Pacing
from ostrom.players.base import Reply, Unanswered

KEY = (1, "number", 0)


def in_turn(*acts):
    """Do these, one a call, and be honest after that."""
    left = list(acts)

    def act(question, reference):
        if not left:
            return honest(question, reference)
        first = left.pop(0)
        return first(question, reference) if callable(first) else first

    return act


def play_one(*acts, limits=None, model=None, turns=1, **how):
    model = model or Model()
    model.act = in_turn(*acts)
    runs = Runs([fixture(model, turns=turns)], limits or Limits())
    outcome = runs.run(**how)
    return model, runs, runs.ledgers["game-1"], outcome


def test_a_legal_first_reply_is_an_answer():
    model, _, ledger, outcome = play_one()
    assert ledger.ended == "finished"
    assert ledger.new[KEY].provenance is Provenance.ANSWERED
    (call,) = ledger.new_calls[KEY]
    assert (call.attempt, call.fault, call.error, call.cost, call.usage) == (1, None, None, 0.004, Usage(40, 10))
    assert call.settings == {"requested": {"t": 0}, "effective": {"model": "model"}}
    assert (call.latency, call.finish_reason, call.reserved, call.reply) == (1.0, "stop", 0.0, "3")
    assert call.at.endswith("+00:00")
    assert len(call.at) == len("2026-01-01T00:00:00.000+00:00")
    assert model.sent == ["game-1/1/number/P1/1"]
    assert model.remembered == [(KEY, 1, 3)]
    assert (outcome.finished, outcome.stopped) == (1, None)


@pytest.mark.parametrize(
    ("reply", "fault"), [("", Fault.EMPTY), ("ten", Fault.MALFORMED), ("11", Fault.ILLEGAL), ("NaN", Fault.ILLEGAL)]
)
def test_a_bad_reply_is_asked_again_with_the_reason(reply, fault):
    model, runs, ledger, _ = play_one(reply)
    first, second = ledger.new_calls[KEY]
    assert (first.fault, first.reply, first.cost, first.reserved) == (fault, reply, 0.004, 0.0)
    assert first.error
    assert second.prompt[-1].text == f"wrong: {first.error}"
    assert second.fault is None
    assert ledger.new[KEY].provenance is Provenance.REPAIRED
    assert model.sent[-1] == "game-1/1/number/P1/2"
    tally = runs.tally.of("model")
    assert (tally.reasks, tally.retries, tally.repaired, dict(tally.faults)) == (1, 0, 1, {fault: 1})


def test_after_so_many_bad_replies_the_fallback_is_marked():
    model, runs, ledger, outcome = play_one("11", "12", "13", "4")
    assert [call.fault for call in ledger.new_calls[KEY]] == [Fault.ILLEGAL] * 3
    assert ledger.new[KEY] == Answer(0, Provenance.DEFAULTED, fault=Fault.ILLEGAL)
    assert model.remembered == [(KEY, 3, 0)]
    assert runs.tally.of("model").defaults == 1
    assert outcome.finished == 1


def test_or_the_game_is_void():
    _, _, ledger, outcome = play_one("11", "12", limits=Limits(attempts=2, policy="void"), turns=2)
    assert ledger.ended.startswith("void: P1 gave no answer in turn 1 (number): 2 replies had no legal answer")
    assert ledger.why == ("illegal", 0)
    assert not ledger.new
    assert len(ledger.new_calls[KEY]) == 2
    assert (outcome.void, outcome.finished, outcome.unfinished) == (1, 0, 0)


@pytest.mark.parametrize("act", ["no", Unanswered(Fault.REFUSED, "a filter")])
def test_a_refusal_is_not_asked_again(act):
    model, _, ledger, _ = play_one(act)
    assert len(model.sent) == 1
    assert ledger.new[KEY].provenance is Provenance.DEFAULTED
    (call,) = ledger.new_calls[KEY]
    assert call.fault is Fault.REFUSED


def test_a_rejected_question_of_a_model_that_answers_others_is_not_asked_again():
    model, _, ledger, outcome = play_one("4", Unanswered(Fault.REJECTED, "too long"), turns=2)
    assert len(model.sent) == 2
    assert ledger.new[2, "number", 0] == Answer(0, Provenance.DEFAULTED, fault=Fault.REJECTED)
    assert outcome.finished == 1


def test_a_model_that_rejects_the_first_thing_it_is_asked_is_given_up_and_makes_no_move():
    model, _, ledger, outcome = play_one(Unanswered(Fault.REJECTED, "no such setting"))
    assert len(model.sent) == 1
    assert not ledger.new
    (call,) = ledger.new_calls[KEY]
    assert call.fault is Fault.DENIED
    assert "no such setting" in outcome.unavailable["model"]
    assert outcome.unfinished == 1


def test_a_fallback_need_not_be_an_answer_that_anybody_may_give():
    def play(rules, table):
        (answer,) = yield [table.ask(table.seats[0], "number", 1, Amount(0, 10), ())]
        assert answer.value is None
        yield [table.ask(table.seats[0], "number", 2, Amount(0, 10), (), fallback=0)]

    model = Model(act=lambda question, reference: "no")
    one = fixture(model)
    runs = Runs([replace(one, game=replace(one.game, play=play))])
    assert runs.run().finished == 1
    ledger = runs.ledgers["game-1"]
    assert ledger.new[KEY] == Answer(None, Provenance.DEFAULTED, fault=Fault.REFUSED)
    # And it comes back from a ledger as it was.
    del ledger.new[2, "number", 0]
    ledger.new_calls.clear()
    ledger.ended = None
    assert runs.run().finished == 1


@pytest.mark.parametrize(
    ("failure", "counted"),
    [
        (Unanswered(Fault.RATE_LIMITED, "429"), 0.0),
        (Unanswered(Fault.SERVER_ERROR, "500"), 0.01),
        (Unanswered(Fault.SERVER_ERROR, "503", sent=False), 0.0),
        (Unanswered(Fault.DROPPED, "refused", sent=False), 0.0),
        (Unanswered(Fault.DROPPED, "broke"), 0.01),
        (Unanswered(Fault.TIMEOUT, "slow"), 0.01),
    ],
)
def test_a_failure_on_the_way_is_retried_and_is_no_repair(failure, counted):
    _, runs, ledger, outcome = play_one(failure, failure)
    one, _, three = ledger.new_calls[KEY]
    assert (one.fault, one.reserved, one.cost, one.usage, one.reply) == (failure.fault, counted, None, None, None)
    assert one.prompt == three.prompt
    assert ledger.new[KEY].provenance is Provenance.ANSWERED
    tally = runs.tally.of("model")
    assert (tally.retries, tally.reasks) == (2, 0)
    assert outcome.spent.dollars == pytest.approx(0.004 + 2 * counted)
    assert outcome.spent.tokens == 50 + (300 if counted else 0)
    assert one.extra == ({"reserved_tokens": 150} if counted else {})


def test_waits_double_with_full_jitter_and_have_a_cap():
    pacing = Pacing(draw=lambda: 1.0)
    assert [pacing.wait(failures) for failures in range(1, 9)] == [0.5, 1, 2, 4, 8, 16, 30, 30]
    assert pacing.wait(10_000) == 30
    assert Pacing(draw=lambda: 0.0).wait(3) == 0


def test_retries_wait_in_between():
    times = []

    def failing(question, reference):
        times.append(asyncio.get_running_loop().time())
        return Unanswered(Fault.SERVER_ERROR, "500")

    play_one(failing, failing, failing, limits=Limits(), model=Model(delay=0.0))
    assert times == [0.0, 0.25, 0.75]


def test_after_so_many_failures_of_its_own_a_question_is_unanswered():
    failure = Unanswered(Fault.SERVER_ERROR, "500")
    model, _, ledger, _ = play_one(failure, failure, failure, limits=Limits(retries=2))
    assert len(model.sent) == 3
    assert ledger.new[KEY].provenance is Provenance.DEFAULTED


def test_retry_after_is_a_minimum_wait_for_the_whole_model():
    times = []

    def act(question, reference):
        times.append((asyncio.get_running_loop().time(), question.seat.index))
        if len(times) == 1:
            return Unanswered(Fault.RATE_LIMITED, "429", retry_after=7.0)
        return honest(question, reference)

    model = Model(act=act, delay=0.0)
    Runs([fixture(model, model, turns=1)], Limits(calls=1)).run()
    assert times == [(0.0, 0), (7.0, 1), (7.0, 0)]


def test_a_call_that_hangs_is_cut_at_its_timeout_whatever_trickles_in():
    async def trickle(question, reference):
        for _ in range(1000):
            await asyncio.sleep(1)
        return "1"

    _, _, ledger, _ = play_one(trickle, limits=Limits(timeout=20), model=Model(delay=0.0))
    first, second = ledger.new_calls[KEY]
    assert (first.fault, first.latency, first.reserved) == (Fault.TIMEOUT, 20.0, 0.01)
    assert second.fault is None


def test_a_model_that_is_denied_is_given_up_and_others_go_on():
    denied, fine = Model("denied"), Model("fine")
    denied.act = lambda question, reference: Unanswered(Fault.DENIED, "no credit")
    games = [fixture(denied, fine, key="a"), fixture(fine, fine, key="b"), fixture(denied, key="c")]
    runs = Runs(games, Limits(games=1))
    outcome = runs.run()
    assert outcome.unavailable == {"denied": "no credit"}
    assert (outcome.finished, outcome.unfinished) == (1, 2)
    assert len(denied.sent) == 1
    assert runs.ledgers["a"].new_calls[KEY][0].fault is Fault.DENIED
    assert runs.ledgers["a"].new[1, "number", 1].value == 8
    assert "c" not in runs.ledgers
    assert runs.tally.of("denied").state == "unavailable"


def test_a_bug_in_a_correspondent_stops_the_run_cleanly_and_is_raised():
    broken, slow = Model("broken", delay=1.0), Model("slow", delay=5.0)

    def act(question, reference):
        raise ZeroDivisionError("a bug")

    broken.act = act
    runs = Runs([fixture(broken, key="a"), fixture(slow, key="b")])
    with pytest.raises(ZeroDivisionError, match="a bug"):
        runs.run()
    assert list(runs.ledgers["b"].new) == [KEY], "the call in flight is kept"
    assert len(slow.sent) == 1


def test_a_reply_without_cost_or_usage_counts_as_the_most_it_can_be():
    async def play():
        model = Model(cost=None, usage=Usage())
        runs = Runs([fixture(model, turns=1)])
        return await runs.play(), runs.ledgers["game-1"].new_calls[KEY][0]

    outcome, call = run(play())
    assert (outcome.spent.dollars, outcome.spent.tokens) == (pytest.approx(0.01), 150)
    assert (call.cost, call.reserved, call.extra) == (None, 0.01, {"reserved_tokens": 150})


def test_what_a_reply_carries_is_in_its_call():
    reply = Reply("7", Usage(1, 2), 0.5, "length", {"model": "x"}, {"reasoning": "because"})
    _, _, ledger, _ = play_one(reply)
    call = ledger.new_calls[KEY][0]
    assert (call.finish_reason, call.extra, call.cost) == ("length", {"reasoning": "because"}, 0.5)
