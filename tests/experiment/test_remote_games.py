"""One game from wherever its ledger has it: nothing decided is asked again, and nothing kept is contradicted."""

import asyncio
import random
from dataclasses import replace

import pytest
from in_memory import Counted, MemoryLedger, Model, Runs, Same, fixture, honest, run

from ostrom.core import Answer, Call, Fault, GameChance, Provenance
from ostrom.core.plugins import GAMES
from ostrom.experiment.limits import Limits
from ostrom.experiment.match import play_match
from ostrom.experiment.runner import StopSignal
from ostrom.games.commons.players import CHAMPIONS
from ostrom.players.base import Unanswered


def undisturbed(make, flush=0.0):
    runs = Runs([make()], flush=flush)
    runs.run()
    return runs.ledgers["game-1"]


def test_a_game_is_kept_as_it_happens():
    model, same = Model(), Same(4)
    runs = Runs([fixture(model, same, turns=2)], flush=0.01)
    assert runs.run().finished == 1
    ledger = runs.ledgers["game-1"]
    assert ledger.kept_events == [Counted(turn=1, values=[3, 4]), Counted(turn=2, values=[2, 4])]
    assert ledger.places == {
        (1, "number", 0): 0,
        (1, "number", 1): 1,
        (2, "number", 0): 2,
        (2, "number", 1): 3,
    }
    assert runs.tally.decisions == 4
    assert runs.tally.of("model").decisions == 2


def test_seats_of_one_moment_are_asked_at_once():
    model = Model(delay=10.0)

    async def play():
        await Runs([fixture(model, model, model, turns=2)]).play()
        return asyncio.get_running_loop().time()

    assert run(play()) == 20.0
    assert model.peak == 3


def test_remembering_follows_the_order_of_the_questions():
    async def act(question, reference):
        await asyncio.sleep(10 - question.seat.index)
        return honest(question, reference)

    model = Model(act=act)
    Runs([fixture(model, model, model, turns=1)]).run()
    assert [key[2] for key, _, _ in model.remembered] == [0, 1, 2]


def test_only_the_missing_seats_of_a_moment_are_asked():
    whole = undisturbed(lambda: fixture(Model(), Model(), Same(2)))
    model, same = Model(), Same(2)
    decided = {key: whole.new[key] for key in [(1, "number", 0), (1, "number", 2), (1, "number", 1), (2, "number", 1)]}
    past = [Call(1, "", "model", {}, (), "99", fault=Fault.ILLEGAL, error="too much")]
    calls = {key: whole.new_calls[key] for key in decided if key in whole.new_calls}
    ledger = MemoryLedger(decided, {**calls, (2, "number", 0): past}, list(whole.kept_events[:1]), 1)
    runs = Runs([fixture(model, model, same)], ledgers={"game-1": ledger})
    assert runs.run().finished == 1
    assert model.sent == ["game-1/2/number/P1/2", "game-1/3/number/P1/1", "game-1/3/number/P2/1"]
    after = runs.ledgers["game-1"]
    assert after.kept_events == whole.kept_events
    assert {key: answer.value for key, answer in after.all_decisions.items()} == {
        key: answer.value for key, answer in whole.new.items()
    }
    assert after.new[2, "number", 0].provenance is Provenance.REPAIRED
    assert after.new_calls[2, "number", 0][0].prompt[-1].text == "wrong: too much"
    # All of the past is handed to the players again, decided or not.
    assert same.asked == [(turn, "number", 2) for turn in (1, 2, 3)]
    assert [(key[0], key[2], count) for key, count, _ in model.remembered] == [
        (1, 0, 1),
        (1, 1, 1),
        (2, 0, 2),
        (2, 1, 1),
        (3, 0, 1),
        (3, 1, 1),
    ]


def test_a_decided_answer_stands_whatever_a_player_would_say_now():
    ledger = MemoryLedger({(1, "number", 0): Answer(9, Provenance.REPAIRED)})
    runs = Runs([fixture(Same(1), turns=2)], ledgers={"game-1": ledger})
    runs.run()
    assert [event.values for event in runs.ledgers["game-1"].kept_events] == [[9], [1]]


@pytest.mark.parametrize("last", [Fault.REFUSED, Fault.REJECTED, Fault.ILLEGAL])
def test_a_question_whose_hope_ended_before_the_kill_is_not_asked_again(last):
    faults = [Fault.ILLEGAL, Fault.ILLEGAL, last] if last is Fault.ILLEGAL else [last]
    past = [Call(n, "", "model", {}, (), fault=fault, error="why") for n, fault in enumerate(faults, start=1)]
    model = Model()
    runs = Runs([fixture(model, turns=1)], ledgers={"game-1": MemoryLedger(calls={(1, "number", 0): past})})
    assert runs.run().finished == 1
    assert not model.sent
    assert runs.ledgers["game-1"].new[1, "number", 0].provenance is Provenance.DEFAULTED


def test_failures_on_the_way_of_an_earlier_run_are_no_repair_and_use_up_no_retries():
    past = [Call(n, "", "model", {}, (), fault=Fault.TIMEOUT, error="slow") for n in range(1, 10)]
    model = Model()
    runs = Runs([fixture(model, turns=1)], ledgers={"game-1": MemoryLedger(calls={(1, "number", 0): past})})
    runs.run()
    assert model.sent == ["game-1/1/number/P1/10"]
    assert runs.ledgers["game-1"].new[1, "number", 0].provenance is Provenance.ANSWERED


@pytest.mark.parametrize(
    ("ledger", "why"),
    [
        (MemoryLedger({(1, "number", 0): Answer(11)}), "that the rules reject"),
        (MemoryLedger({(7, "number", 0): Answer(1)}), "1 answers that the rules never ask for"),
        (MemoryLedger(kept_events=[Counted(turn=1, values=[1])], events=1), "has 1 events, the rules give 0"),
        (
            MemoryLedger(
                {(turn, "number", 0): Answer(1) for turn in (1, 2, 3)},
                kept_events=[Counted(turn=1, values=[1])] * 5,
                events=5,
            ),
            "has 5 events, the rules give 3",
        ),
    ],
)
def test_a_record_that_disagrees_with_the_rules_ends_that_game_only(ledger, why):
    games = [fixture(Model(), key="bad"), fixture(Model(), key="good")]
    runs = Runs(games, ledgers={"bad": ledger})
    outcome = runs.run()
    assert (outcome.finished, outcome.unfinished) == (1, 1)
    assert why in outcome.faulted["bad"]
    assert runs.ledgers["bad"].ended is None


def test_a_player_that_breaks_the_rules_ends_its_own_game_only():
    model = Model()
    runs = Runs([fixture(Same(11), model, key="bad"), fixture(Same(10), model, key="good")])
    outcome = runs.run()
    assert outcome.faulted == {
        "bad": "same (seat P1) broke the rules in turn 1: 11 is not allowed; it must be a whole number from 0 to 10"
    }
    assert outcome.finished == 1
    assert not any(reference.startswith("bad") for reference in model.sent)
    assert runs.tally.faulted == 1


def test_a_void_game_lets_the_other_seats_of_its_moment_finish():
    bad, slow = Model("bad"), Model("slow", delay=30.0)
    bad.act = lambda question, reference: "no"
    runs = Runs([fixture(bad, slow)], Limits(policy="void"))
    assert runs.run().void == 1
    assert list(runs.ledgers["game-1"].new) == [(1, "number", 1)]
    assert runs.run().left_out == 1


def test_games_of_players_that_answer_at_once_are_the_same_as_from_the_plain_driver():
    commons = GAMES["commons"]
    names = [name for name, entry in CHAMPIONS.items() if entry.origin == "built-in"][:5]
    contestants = [CHAMPIONS[name] for name in names]
    one = replace(fixture(), game=commons, rules=commons.rules(), contestants=contestants, chance=GameChance(7, 3))
    runs = Runs([one])
    assert runs.run().finished == 1
    match = play_match(commons, one.rules, contestants, one.chance)
    ledger = runs.ledgers["game-1"]
    assert tuple(ledger.kept_events) == match.events
    assert [(key, answer.value) for key, answer in ledger.new.items()] == [
        (decision.question.key, decision.answer.value) for decision in match.decisions
    ]


@pytest.mark.parametrize("seed", range(30))
def test_a_run_killed_anywhere_and_resumed_equals_an_undisturbed_one(seed):
    """Cancelled or stopped at random moments, over and over, against a model with faults."""
    draw = random.Random(seed)

    def make(model):
        return [fixture(model, Same(2), model, key=f"g{n}", turns=4) for n in range(4)]

    def act(question, reference):
        if draw.random() < 0.3:
            return draw.choice([Unanswered(Fault.SERVER_ERROR, "500"), "99", Unanswered(Fault.TIMEOUT, "slow")])
        return honest(question, reference)

    plain = Runs(make(Model()))
    plain.run()
    model = Model(act=act)
    runs = Runs(make(model), Limits(calls=3, retries=50, attempts=20), flush=0.05)
    for _ in range(200):

        async def disturbed():
            stop = StopSignal()
            task = asyncio.create_task(runs.play(stop=stop))
            await asyncio.wait([task], timeout=draw.uniform(0.5, 3))
            if draw.random() < 0.5:
                stop.request()
            else:
                task.cancel()
            await asyncio.wait([task])
            if not task.cancelled():
                task.result()

        run(disturbed())
        if all(ledger.ended for ledger in runs.ledgers.values()) and len(runs.ledgers) == 4:
            break
    for key, ledger in runs.ledgers.items():
        assert ledger.ended == "finished"
        assert ledger.kept_events == plain.ledgers[key].kept_events
        assert {k: a.value for k, a in ledger.all_decisions.items()} == {
            k: a.value for k, a in plain.ledgers[key].new.items()
        }
        for k, calls in ledger.all_calls.items():
            repaired = any(call.fault is not None and call.fault.of_reply for call in calls)
            expected = Provenance.REPAIRED if repaired else Provenance.ANSWERED
            assert ledger.all_decisions[k].provenance is expected
