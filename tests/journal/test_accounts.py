"""What the journal says of calls, of spending, of runs, and of games that came to nothing."""

import asyncio

import pytest
from journal_ledgers import answer, call, failed, question

from kept import commons, opened, opening, punish
from ostrom.core import Fault, InputError, Provenance, Usage
from ostrom.core.questions import RESERVED_TOKENS
from ostrom.journal.spending import SentCalls


@pytest.fixture
def journal(store):
    with opened(store) as journal:
        journal.new_experiment("one", kind="test", planned=3)
        yield journal


def play(journal):
    """Three questions to one model, one to another; and an imported game beside them."""

    async def main():
        async with journal.ledgers("one") as ledgers:
            ledger = await ledgers.open(opening(punish()), "k")
            # Failed twice on its way, was told twice what was wrong, and answered.
            for attempt, fault in enumerate(
                (Fault.RATE_LIMITED, Fault.MALFORMED, Fault.DROPPED, Fault.ILLEGAL), start=1
            ):
                spent = {"usage": Usage(50, 5), "cost": 0.5, "reserved": 0.7} if fault.of_reply else {}
                await ledger.keep_call(0, question(0), failed(0, attempt, fault, latency=1.0, **spent))
            await ledger.keep_decision(
                0,
                question(0),
                answer(0, provenance=Provenance.REPAIRED),
                call(0, 5, cost=0.25, usage=Usage(100, 10), latency=2.0),
            )
            # Refused: the fallback.
            await ledger.keep_call(1, question(1), failed(1, 1, Fault.REFUSED, latency=0.0))
            await ledger.keep_decision(1, question(1), answer(1, provenance=Provenance.DEFAULTED))
            # Malformed to the end: the fallback, and the last reply is not asked again.
            await ledger.keep_call(2, question(2), failed(2, 1, Fault.EMPTY, latency=0.0))
            await ledger.keep_call(2, question(2), failed(2, 2, Fault.EMPTY, latency=0.0))
            await ledger.keep_decision(2, question(2), answer(2, provenance=Provenance.DEFAULTED))
            # Another model, whose game comes to nothing; what it would cost is not known.
            other = await ledgers.open(opening(punish(1)), "l")
            await other.keep_call(0, question(0), failed(0, 1, Fault.TIMEOUT, model="test:two"))
            await other.void("test:two gave no answer")
            await ledger.finish()

    asyncio.run(main())
    journal.add_game(journal.new_experiment("imported", kind="test"), commons(), key="i")


def test_the_calls_of_a_model_are_summed_up(journal):
    play(journal)
    row, imported = journal.experiments()
    one, two = row.models
    assert (one.model, one.calls, one.retries, one.reasked, one.defaulted, one.refused) == ("test:one", 8, 2, 3, 2, 1)
    assert one.faults == {
        Fault.RATE_LIMITED: 1,
        Fault.DROPPED: 1,
        Fault.EMPTY: 2,
        Fault.MALFORMED: 1,
        Fault.ILLEGAL: 1,
        Fault.REFUSED: 1,
    }
    assert (one.cost, one.input_tokens, one.output_tokens, one.latency) == (1.25, 200, 20, 6 / 8)
    assert one.reserved == pytest.approx(0.05)
    assert (two.model, two.calls, two.faults, two.retries, two.cost) == ("test:two", 1, {Fault.TIMEOUT: 1}, 0, 0.0)
    assert imported.models == ()


@pytest.mark.slow
def test_tokens_of_a_providers_cache_and_the_layout_of_a_prompt_are_stored_and_summed(journal):
    used = (Usage(1000, 10, 800, 150), Usage(1000, 20, 950))

    async def main():
        async with journal.ledgers("one") as ledgers:
            ledger = await ledgers.open(opening(punish()), "k")
            for place, usage in enumerate(used):
                made = call(place, usage=usage, layout=place + 1)
                await ledger.keep_decision(place, question(place), answer(place), made)
            await ledger.finish()

    asyncio.run(main())
    kept = [stored for _, stored in journal.calls(journal.games()[0].id)]
    assert [(stored.usage, stored.layout) for stored in kept] == [(used[0], 1), (used[1], 2)]
    (row,) = journal.experiments()
    (model,), spent = row.models, journal.spending("one")
    for sums in (model, spent):
        assert (sums.input_tokens, sums.cache_read_tokens, sums.cache_write_tokens) == (2000, 1750, 150)
    assert spent.tokens == 2030


def test_spending_counts_failed_calls_and_games_that_came_to_nothing(journal):
    assert journal.spending("one").calls == 0
    play(journal)
    spent = journal.spending("one")
    assert (spent.calls, spent.cost, spent.input_tokens, spent.output_tokens, spent.tokens) == (9, 1.25, 200, 20, 220)
    # Not what was reserved for calls whose cost came to be known.
    assert spent.reserved == pytest.approx(0.06)
    assert journal.spending("imported").tokens == 0


def test_a_void_game_is_listed_and_counted_but_in_no_measure(journal):
    play(journal)
    row = journal.experiments()[0]
    assert (row.games, row.void, row.playing, row.state) == (1, 1, 0, "unfinished")
    assert [(row.key, row.state, row.reason) for row in journal.games("one")] == [
        ("k", "finished", None),
        ("l", "void", "test:two gave no answer"),
    ]
    assert [kept.game for kept in journal.records("one")] == ["test-1.1"]
    assert journal.games("one", "playing") == []
    journal.add_game("test-1", commons(), key="m")
    assert journal.experiments()[0].state == "finished"


def test_every_run_of_an_experiment_is_noted(journal):
    assert journal.runs("one") == []
    assert journal.new_run("one", {"budget": 5.0, "calls": 32}) == 1
    assert journal.new_run("test-1", {"budget": 10.0}) == 2
    first, second = journal.runs("one")
    assert (first.number, first.settings, second.settings) == (1, {"budget": 5.0, "calls": 32}, {"budget": 10.0})
    assert first.at <= second.at
    assert journal.experiments()[0].runs == 2
    with pytest.raises(InputError):
        journal.new_run("nobody's")


def test_a_call_that_was_sent_counts_until_it_is_back(store):
    at = "2026-05-01T10:00:00.123+00:00"

    async def killed(journal):
        """Three calls go out; one comes back with an answer, one with a failure, and then the process is gone."""
        async with journal.ledgers("one") as ledgers:
            ledger = await ledgers.open(opening(punish()), "k")
            sent = [
                await ledger.keep_sent(place, question(place), 1, at, "test:one", 0.25, 1000 + place)
                for place in range(3)
            ]
            assert journal.spending("one").out == SentCalls(3, 0.75, 3003, 3)
            await ledger.keep_decision(0, question(0), answer(0), call(0, cost=0.1, usage=Usage(10, 5)), sent[0])
            await ledger.keep_call(1, question(1), failed(1, reserved=0.25), sent[1])

    with opened(store) as journal:
        journal.new_experiment("one", kind="test", planned=3)
        asyncio.run(killed(journal))
    with opened(store) as journal:
        spent = journal.spending("one")
        assert spent.out == SentCalls(1, 0.25, 1002, 1)
        assert (spent.dollars, spent.tokens) == (pytest.approx(0.6), 15 + 1002)
        assert journal.spending("one", ["other"]).dollars == 0
        [row] = journal.experiments()
        assert row.out == spent.out


def test_a_call_that_was_not_sent_after_all_counts_for_nothing(journal):
    async def main():
        async with journal.ledgers("one") as ledgers:
            ledger = await ledgers.open(opening(punish()), "k")
            await ledger.take_back(await ledger.keep_sent(0, question(0), 1, "now", "test:one", 0.25, 1000))

    asyncio.run(main())
    assert journal.spending("one").out == SentCalls()


def test_what_players_used_up_adds_up_to_what_the_experiment_did(journal):
    """By the name at the seat, whatever the model is called; calls that never came back are counted."""

    async def send():
        async with journal.ledgers("one") as ledgers:
            ledger = await ledgers.open(opening(punish(2)), "m")
            await ledger.keep_sent(1, question(1), 1, "2026-05-01T10:00:00.123+00:00", "test:one", 0.125, 500)
            lost = failed(2, 1, latency=3.0, extra={RESERVED_TOKENS: 700})
            await ledger.keep_call(2, question(2), lost, await ledger.keep_sent(2, question(2), 1, "t", "m", 1.0, 900))

    play(journal)
    asyncio.run(send())
    players = journal.spending_by_player("one")
    names = [seat.player for seat in punish().seats]
    assert set(players) == set(names[:3])
    whole = journal.spending("one")
    assert sum(one.calls for one in players.values()) == whole.calls
    assert sum(one.sent for one in players.values()) == whole.out.calls == 1
    assert sum(one.tokens for one in players.values()) == whole.tokens
    assert sum(one.dollars for one in players.values()) == pytest.approx(whole.dollars)
    third = journal.spending_by_player("one", ["m"])[names[2]]
    assert (third.calls, third.tokens, third.dollars, third.seconds) == (1, 700, 0.01, 3.0)
    assert journal.spending_by_player("one", ["nowhere"]) == {}


def test_a_suspended_game_says_why_until_it_goes_on(journal):
    async def main():
        async with journal.ledgers("one") as ledgers:
            ledger = await ledgers.open(opening(punish()), "k")
            await ledger.keep_decision(0, question(0), answer(0), call(0))
            await ledger.suspend("it has made its calls", "game_limit")
        (row,) = journal.games("one")
        assert (row.state, row.reason, row.code) == ("playing", "it has made its calls", "game_limit")
        assert journal.experiments()[0].suspended == {"it has made its calls": 1}
        assert not any(journal.check())
        async with journal.ledgers("one") as ledgers:
            ledger = await ledgers.open(opening(punish()), "k")
            assert len(ledger.decisions) == 1
            assert journal.experiments()[0].suspended == {}
            await ledger.suspend("again", "game_limit")
            await ledger.finish()
        assert journal.games("one")[0].reason is None

    asyncio.run(main())
