"""Games that are kept decision by decision through ledgers: what comes back, what is refused, and whom it concerns."""

import asyncio
import sqlite3

import pytest
from journal_ledgers import RULES, answer, call, failed, question
from sqlalchemy.exc import OperationalError

from kept import HOSTILE, opened, opening, punish
from ostrom.core import Fault, InputError, Line, Provenance, RecordError
from ostrom.core.plugins import GAMES
from ostrom.core.text import digest_of
from ostrom.journal.engine import Database
from ostrom.journal.rows import Known
from ostrom.journal.write import AlreadyDecided


@pytest.fixture
def journal(store):
    with opened(store) as journal:
        journal.new_experiment("one", kind="test")
        yield journal


def within(journal, play):
    """Run `play` with the ledgers of the experiment."""

    async def run():
        async with journal.ledgers("test-1") as ledgers:
            return await play(ledgers)

    return asyncio.run(run())


def begun(journal, key="k", **changed):
    """A ledger in a loop of its own: what it writes is written in that loop's time."""
    return within(journal, lambda ledgers: ledgers.open(opening(punish()), key))


def rows(journal, statement):
    with journal._database.reading() as connection:
        return [tuple(row) for row in connection.exec_driver_sql(statement)]


def test_a_game_comes_back_in_the_order_of_its_questions(journal):
    record = punish()

    async def play(ledgers):
        ledger = await ledgers.open(opening(record), "k")
        assert (ledger.id, ledger.decisions, ledger.calls, ledger.events) == ("test-1.1", {}, {}, 0)
        # As they come, not in the order of their places.
        await asyncio.gather(
            *(ledger.keep_decision(place, question(place), answer(place)) for place in reversed(range(12)))
        )
        await ledger.keep_decision(
            12, question(12), answer(12, provenance=Provenance.DEFAULTED, cut=True, fault=Fault.REFUSED)
        )
        assert await ledgers.open(opening(record), "other") is not None
        await ledger.finish()
        assert await ledgers.open(opening(record), "k") is None

    within(journal, play)
    kept = journal.record("k")
    assert [one.value for one in kept.answers] == [f"value {place}" for place in range(13)]
    assert [(one.turn, one.phase, one.seat) for one in kept.answers] == [question(place).key for place in range(13)]
    assert [(one.cut, one.fault) for one in kept.answers] == [(False, None)] * 12 + [(True, Fault.REFUSED)]
    assert [one.record for one in journal.records()] == [kept]
    assert [(row.key, row.state, row.rounds) for row in journal.games()] == [
        ("k", "finished", 2),
        ("other", "playing", None),
    ]
    assert [row.key for row in journal.games("test-1", "playing")] == ["other"]


def test_a_game_goes_on_with_its_decisions_calls_and_events(journal):
    record = punish()
    calls = [call(0), failed(1), failed(1, 2, Fault.MALFORMED, reply="half of it"), call(1, 3), failed(2)]
    told = events_of(record)
    default = answer(3, provenance=Provenance.DEFAULTED, fault=Fault.REFUSED)

    async def play(ledgers):
        ledger = await ledgers.open(opening(record), "k")
        await ledger.keep_decision(0, question(0), answer(0), calls[0])
        await ledger.keep_call(1, question(1), calls[1])
        await ledger.keep_call(1, question(1), calls[2])
        await ledger.keep_decision(1, question(1), answer(1, provenance=Provenance.REPAIRED), calls[3])
        await ledger.keep_events(0, told[:2])
        await ledger.keep_events(2, told[2:3])
        await ledger.keep_call(2, question(2), calls[4])
        await ledger.keep_decision(3, question(3), default)

    within(journal, play)
    again = begun(journal)
    assert dict(again.decisions) == {
        question(0).key: answer(0),
        question(1).key: answer(1, provenance=Provenance.REPAIRED),
        question(3).key: default,
    }
    assert dict(again.calls) == {question(0).key: calls[:1], question(1).key: calls[1:4], question(2).key: calls[4:]}
    assert again.events == 3
    assert journal.calls("k") == list(
        zip([question(place).key for place in (0, 1, 1, 1, 2)], calls, strict=True),
    )
    assert journal.record("k").events == record.events[:3]


def events_of(record):
    return [GAMES[record.game].events.decode(event) for event in record.events]


def test_the_past_of_a_conversation_is_stored_once(journal):
    async def play(ledgers):
        for key in ("k", "l"):
            ledger = await ledgers.open(opening(punish()), key)
            for place in range(20):
                await ledger.keep_decision(place, question(place), answer(place), call(place))

    within(journal, play)
    # The rules, twenty questions, nineteen replies that were gone on from, and one set of settings.
    assert rows(journal, "SELECT count(*) FROM texts") == [(41,)]
    assert [one for _, one in journal.calls("k")] == [call(place) for place in range(20)]
    assert [one for _, one in journal.calls("l")] == [call(place) for place in range(20)]


def test_texts_that_were_forgotten_are_stored_again_without_harm(journal):
    journal._writer.known = Known(limit=3)

    async def play(ledgers):
        ledger = await ledgers.open(opening(punish()), "k")
        for place in range(9):
            await ledger.keep_decision(place, question(place), answer(place), call(place))

    within(journal, play)
    assert len(journal._writer.known) <= 3
    assert [one for _, one in journal.calls("k")] == [call(place) for place in range(9)]


def test_any_text_comes_back_as_it_was(journal):
    texts = [HOSTILE, "x" * 1_000_000, "\ud83d" * 1000, "", "\x00", '{"closing": "}"}', "%s %(x)s :name ?"]

    async def play(ledgers):
        ledger = await ledgers.open(opening(punish()), "k")
        for place, text in enumerate(texts):
            # What belongs to a text is read as that text, whatever else looks like it.
            await ledger.keep_decision(place, question(place), answer(place), hostile(place, text))
        await ledger.void(HOSTILE)

    def hostile(place, text):
        return call(
            place,
            prompt=(Line("system", text), Line("user", text + "?")),
            reply=text,
            error=text,
            finish_reason=text,
            extra={"reasoning": text, text: [text]},
            settings={"requested": {text: text}, "effective": {}},
        )

    within(journal, play)
    assert [one for _, one in journal.calls("k")] == [hostile(place, text) for place, text in enumerate(texts)]
    [row] = journal.games()
    assert (row.state, row.reason) == ("void", HOSTILE)
    assert list(journal.records()) == []


def test_no_question_is_decided_twice_and_nobody_else_is_hurt(journal):
    async def play(ledgers):
        first, second = [await ledgers.open(opening(punish()), key) for key in ("k", "l")]
        await first.keep_decision(0, question(0), answer(0), call(0))
        outcomes = await asyncio.gather(
            *(second.keep_decision(place, question(place), answer(place), call(place)) for place in range(5)),
            first.keep_decision(0, question(0), answer(7), call(0, 2)),
            first.keep_decision(9, question(0), answer(7)),
            first.keep_call(0, question(0), call(0)),
            first.keep_events(0, events_of(punish())[:1]),
            *(first.keep_decision(place, question(place), answer(place), call(place)) for place in range(1, 5)),
            return_exceptions=True,
        )
        assert [type(one) for one in outcomes] == [type(None)] * 5 + [AlreadyDecided] * 2 + [InputError] + [
            type(None)
        ] * 5
        assert "seat 0 of the game test-1.1 on 'message' in turn 1: already answered" in str(outcomes[5])
        await first.keep_events(0, events_of(punish())[:1])
        with pytest.raises(InputError, match=r"event 0 of the game test-1\.1: already stored"):
            await first.keep_call(9, question(9), call(9))

    within(journal, play)
    for key in ("k", "l"):
        assert [one.value for one in journal.record(key).answers] == [f"value {place}" for place in range(5)]
        # Of the decision that was refused, the call was not kept either.
        kept = [one for _, one in journal.calls(key)]
        assert kept[:5] == [call(place) for place in range(5)]


def test_what_cannot_be_kept_is_refused_by_itself(journal):
    async def play(ledgers):
        ledger = await ledgers.open(opening(punish()), "k")
        outcomes = await asyncio.gather(
            ledger.keep_decision(0, question(0), answer(0), call(0)),
            ledger.keep_decision(1, question(1), answer(1), call(1, latency=float("nan"))),
            ledger.keep_decision(1, question(1), answer(1), call(1, settings={"x": float("inf")})),
            ledger.keep_decision(1, question(1), answer(1), call(1, model="a\x00b")),
            ledger.keep_decision(2**70, question(1), answer(1)),
            ledger.keep_decision(2, question(2), answer(2), call(2)),
            return_exceptions=True,
        )
        assert [type(one) for one in outcomes] == [type(None), *[InputError] * 4, type(None)]
        assert all("\n" not in str(one) for one in outcomes)

    within(journal, play)
    assert [one.value for one in journal.record("k").answers] == ["value 0", "value 2"]


def test_nothing_is_added_after_the_end(journal):
    async def play(ledgers):
        ledger = await ledgers.open(opening(punish()), "k")
        await ledger.void("nobody answered")
        for write in (ledger.finish, lambda: ledger.void("x"), lambda: ledger.keep_decision(0, question(0), answer(0))):
            with pytest.raises(InputError, match=r"test-1\.1 is void"):
                await write()
        return ledgers

    ledgers = within(journal, play)
    assert begun(journal) is None
    with pytest.raises(InputError, match="are closed"):
        asyncio.run(ledgers.open(opening(punish()), "l"))
    [row] = journal.experiments()
    assert (row.games, row.playing, row.void) == (0, 0, 1)


def test_a_game_that_was_begun_otherwise_does_not_go_on(journal):
    begun(journal)
    other = opening(punish()).model_copy(update={"seed": 7})
    with pytest.raises(InputError, match=r"test-1\.1 is not resumable: seed changed"):
        within(journal, lambda ledgers: ledgers.open(other, "k"))
    with pytest.raises(InputError, match="has already begun"):
        within(journal, lambda ledgers: ledgers.open(punish(), "l"))


def test_many_games_are_opened_with_few_transactions(journal):
    async def play(ledgers):
        before = journal.revision()
        found = await asyncio.gather(*(ledgers.open(opening(punish(key)), str(key)) for key in range(300)))
        return found, journal.revision() - before

    found, writes = within(journal, play)
    assert sorted(ledger.id for ledger in found) == sorted(f"test-1.{place}" for place in range(1, 301))
    assert writes < 100
    assert {row.key for row in journal.games("test-1", "playing")} == {str(key) for key in range(300)}


def test_ledgers_serve_one_event_loop_after_another_without_a_with(journal):
    async def play(place):
        ledgers = journal.ledgers("one")
        ledger = await ledgers.open(opening(punish()), "k")
        await ledger.keep_decision(place, question(place), answer(place))

    for place in range(3):
        asyncio.run(play(place))
    assert len(journal.record("k").answers) == 3


def test_closing_stores_what_nobody_waits_for_any_longer(store):
    with opened(store) as journal:
        journal.new_experiment("one", kind="test")

        async def play():
            ledger = await journal.ledgers("one").open(opening(punish()), "k")
            tasks = [asyncio.create_task(ledger.keep_decision(i, question(i), answer(i), call(i))) for i in range(50)]
            await asyncio.sleep(0)
            for task in tasks:
                task.cancel()

        asyncio.run(play())
    with opened(store) as journal:
        assert len(journal.record("k").answers) == 50


def test_a_full_queue_makes_the_next_one_wait(journal, monkeypatch):
    monkeypatch.setattr("ostrom.journal.writer._MAX_WAITING_CHARACTERS", 2000)
    seen = []

    async def play(ledgers):
        ledger = await ledgers.open(opening(punish()), "k")

        async def decide(place):
            await ledger.keep_decision(place, question(place), answer(place), call(place, reply="x" * 1000))
            seen.append(journal._writer._waiting)

        await asyncio.gather(*(decide(place) for place in range(40)))

    within(journal, play)
    assert len(journal.record("k").answers) == 40
    assert max(seen) < 40 * 1000
    assert journal._writer._waiting == 0


def test_errors_of_the_database_reach_those_who_wait(tmp_path, monkeypatch):
    monkeypatch.setattr("ostrom.journal.engine.PATIENCE", 0)
    file = tmp_path / "journal.db"
    with opened(f"sqlite:///{file}") as journal:
        journal.new_experiment("one", kind="test")
        other = sqlite3.connect(file, isolation_level=None)
        journal.patience.limit = 0

        async def play(ledgers):
            ledger = await ledgers.open(opening(punish()), "k")
            other.execute("BEGIN IMMEDIATE")
            try:
                with pytest.raises(InputError, match=r"cannot be written: database is locked$"):
                    await ledger.keep_decision(0, question(0), answer(0))
            finally:
                other.execute("ROLLBACK")
            await ledger.keep_decision(0, question(0), answer(0))

        within(journal, play)
        other.close()
        assert len(journal.record("k").answers) == 1


def test_a_lost_server_is_one_line_and_then_found_again(new_database):
    url = new_database()
    with opened(url) as journal:
        journal.new_experiment("one", kind="test")
        journal.patience.limit = 0

        async def play(ledgers):
            ledger = await ledgers.open(opening(punish()), "k")
            await ledger.keep_decision(0, question(0), answer(0))
            found = "FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()"
            with opened(url) as other:
                assert rows(other, f"SELECT pg_terminate_backend(pid) {found}")
            with pytest.raises(InputError, match="cannot be written: ") as told:
                await ledger.keep_decision(1, question(1), answer(1))
            assert "\n" not in str(told.value)
            await ledger.keep_decision(1, question(1), answer(1))

        within(journal, play)
        assert len(journal.record("k").answers) == 2


def test_a_server_that_cannot_be_reached_any_more_is_one_line(journal, monkeypatch):
    def unreachable(_database):
        raise OperationalError("connect", None, Exception("nobody is there\nand this is a second line"))

    async def play(ledgers):
        ledger = await ledgers.open(opening(punish()), "k")
        with monkeypatch.context() as patch:
            patch.setattr(Database, "storing", unreachable)
            both = [ledger.keep_decision(place, question(place), answer(place)) for place in range(2)]
            for outcome in await asyncio.gather(*both, return_exceptions=True):
                assert isinstance(outcome, InputError)
                assert str(outcome).endswith("cannot be written: nobody is there")
        await ledger.keep_decision(0, question(0), answer(0))

    within(journal, play)
    assert len(journal.record("k").answers) == 1


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ("DELETE FROM texts WHERE digest = '{rules}'", "the text {rules} is missing"),
        ("UPDATE texts SET text = '7' WHERE digest = '{rules}'", "the text {rules} is not a JSON string"),
        ("UPDATE calls SET prompt = '[1]'", "calls.0.1.prompt: it is not a prompt"),
        ("UPDATE calls SET reply = '{{'", "calls.0.1.reply: it is not JSON"),
        ("UPDATE calls SET fault = 'dreamt'", "calls.0.1.fault: 'dreamt' is unknown"),
        ("UPDATE calls SET extra = '[]'", "calls.0.1.extra: it is not a JSON object"),
    ],
)
def test_damaged_calls_are_named(journal, change, said):
    async def play(ledgers):
        ledger = await ledgers.open(opening(punish()), "k")
        await ledger.keep_decision(0, question(0), answer(0), call(0))

    within(journal, play)
    with journal._database.writing() as connection:
        connection.exec_driver_sql(change.format(rules=digest_of(RULES)))
    with pytest.raises(RecordError) as told:
        journal.calls("k")
    assert str(told.value).startswith(
        f"the game test-1.1 of the journal cannot be read: {said.format(rules=digest_of(RULES))}"
    )
