"""Ledgers of a process that may be killed at any moment, and claims that keep two from running one experiment."""

import asyncio
import signal
import sqlite3
import threading
from contextlib import closing, contextmanager
from pathlib import Path

import psycopg
import pytest
from journal_ledgers import answer, call, failed, question

from kept import opened, opening, punish, start_game, started
from ostrom.core import InputError, JournalError
from ostrom.journal import engine, writer

HELPERS = f"sys.path.insert(0, {str(Path(__file__).parent)!r})\nfrom journal_ledgers import *\nimport asyncio\n"

PLAYS = f"""
{HELPERS}
async def play(ledgers, key):
    ledger = await ledgers.open(opening(punish(key)), str(key))
    for place in range(len(ledger.decisions), 1000):
        if question(place).key not in ledger.calls:
            await ledger.keep_call(place, question(place), failed(place % 7))
        await ledger.keep_decision(place, question(place), answer(place), call(place % 7, 2))
        print(key, place, flush=True)

async def main():
    with opened(sys.argv[1]) as journal, journal.claim("one"):
        async with journal.ledgers("one") as ledgers:
            await asyncio.gather(*(play(ledgers, key) for key in range(8)))
asyncio.run(main())
"""

CLAIMS = """
import time
with opened(sys.argv[1]) as journal, journal.claim("one") as name, journal.claim_game("k") as game:
    print(name, game, flush=True)
    time.sleep(600)  # until it is killed
"""


@pytest.mark.slow
def test_what_was_told_to_be_stored_is_stored_and_nothing_is_half_there(store):
    with opened(store) as journal:
        journal.new_experiment("one", kind="test")
        told = {}
        for _ in range(3):
            process = started(PLAYS, store)
            lines = [process.stdout.readline() for _ in range(60)]
            process.kill()
            lines += process.communicate()[0].splitlines(keepends=True)
            assert process.returncode == -signal.SIGKILL
            for line in lines:
                if line.endswith("\n"):
                    key, place = line.split()
                    told.setdefault(key, []).append(int(place))
        for key, places in told.items():
            # After each kill it went on with the next question; what was stored and not told is left out here.
            assert places == sorted(set(places))
            kept = journal.record(key).answers
            assert [one.value for one in kept] == [f"value {place}" for place in range(len(kept))]
            assert len(kept) > places[-1]
            made = journal.calls(key)
            led = [key for key, one in made if one.fault is None]
            assert led == [(one.turn, one.phase, one.seat) for one in kept]
            # At most one call more: of the question that was not decided yet.
            assert len(made) - 2 * len(kept) in (0, 1)
            assert len(places) >= len(kept) - 3


@pytest.mark.slow
def test_a_second_process_does_not_run_the_experiment(store):
    with opened(store) as journal:
        journal.new_experiment("one", kind="test")
        start_game(journal, "test-1", opening(punish()), key="k")
        other = started(CLAIMS, store)
        assert other.stdout.readline() == "test-1 test-1.1\n"
        with pytest.raises(InputError, match=r"^test-1 is being run by another process"), journal.claim("one"):
            pass
        journal.new_experiment("two", kind="test")
        with journal.claim("two") as name:
            assert name == "test-2"
        other.kill()
        other.communicate()
        with journal.claim("one"), pytest.raises(InputError, match="another process"), journal.claim("one"):
            pass
        with journal.claim("one"), journal.claim_game("k"):
            pass


def test_a_game_of_a_shared_journal_is_played_by_one(new_database):
    url = new_database()
    with opened(url) as journal, opened(url) as other:
        journal.new_experiment("one", kind="test")
        for key in "kl":
            start_game(journal, "test-1", opening(punish()), key=key)
        with journal.claim_game("k"), other.claim_game("l"):
            with pytest.raises(InputError, match=r"^the game test-1\.1 is being run by another"), other.claim_game("k"):
                pass
            with (
                pytest.raises(InputError, match=r"^the game test-1\.2 is being run by another"),
                journal.claim_game("l"),
            ):
                pass
        with other.claim_game("k"), journal.claim_game("l"):
            pass


def test_a_claim_leaves_no_file_behind(tmp_path):
    with opened(f"sqlite:///{tmp_path / 'journal.db'}") as journal:
        journal.new_experiment("one", kind="test")
        before = set(tmp_path.iterdir())
        with journal.claim("one"):
            assert len(set(tmp_path.iterdir()) - before) == 1
        assert set(tmp_path.iterdir()) == before


def test_two_journals_write_games_of_one_experiment_at_once(store):
    """As two workers of a cluster do, which share every text."""
    with opened(store) as journal, opened(store) as other:
        journal.new_experiment("one", kind="test")

        async def play(ledgers, key):
            ledger = await ledgers.open(opening(punish(key)), str(key))
            for place in range(30):
                await ledger.keep_decision(place, question(place), answer(place), call(place))
            await ledger.finish()

        async def main():
            async with journal.ledgers("one") as first, other.ledgers("one") as second:
                await asyncio.gather(
                    *(play(ledgers, key) for key in range(20) for ledgers in [(first, second)[key % 2]])
                )

        asyncio.run(main())
        assert sorted(row.id for row in journal.games()) == sorted(f"test-1.{place}" for place in range(1, 21))
        for kept in journal.records():
            assert [one for _, one in journal.calls(kept.game)] == [call(place) for place in range(30)]


def cut_sessions(url, where="true"):
    """Cut the sessions of everybody else, as an administrator or a network does."""
    with psycopg.connect(url, autocommit=True) as server:
        server.execute(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity "
            f"WHERE datname = current_database() AND pid <> pg_backend_pid() AND {where}".encode()
        )


def test_who_is_cut_off_writes_nothing_once_another_was_let_in(new_database):
    """The lock of a session goes with it: its holder is stopped before a second one begins."""
    url = new_database()
    with opened(url) as first, opened(url) as second:
        first.new_experiment("one", kind="test")

        async def play():
            with first.claim("one"):
                first.new_run("one")
                async with first.ledgers("one") as ledgers:
                    ledger = await ledgers.open(opening(punish()), "k")
                    await ledger.keep_decision(0, question(0), answer(0), call(0))
                    cut_sessions(url, "pid IN (SELECT pid FROM pg_locks WHERE locktype = 'advisory')")
                    with second.claim("one"):
                        for _ in range(2):
                            with pytest.raises(JournalError, match="was cut, and test-1 is being run by another"):
                                await ledger.keep_decision(1, question(1), answer(1), call(1))
                        second.new_run("one")
                    with pytest.raises(JournalError, match="cut, and meanwhile another process ran test-1"):
                        await ledger.keep_decision(1, question(1), answer(1), call(1))

        with pytest.raises(JournalError, match="another process"):
            asyncio.run(play())
        assert len(second.record("k").answers) == 1


def test_who_is_cut_off_goes_on_where_nobody_was_in_meanwhile(new_database):
    url = new_database()
    with opened(url) as journal:
        journal.new_experiment("one", kind="test")

        async def play():
            with journal.claim("one"):
                journal.new_run("one")
                async with journal.ledgers("one") as ledgers:
                    ledger = await ledgers.open(opening(punish()), "k")
                    with journal.claim_game("k"):
                        for place in range(6):
                            cut_sessions(url)
                            await ledger.keep_decision(place, question(place), answer(place), call(place))
                        with opened(url) as other, pytest.raises(InputError, match=r"^test-1 is being run by another"):
                            other.claim("one").__enter__()

        asyncio.run(play())
        assert [one.value for one in journal.record("k").answers] == [f"value {place}" for place in range(6)]


def test_a_game_that_another_worker_played_on_is_left_to_it(new_database):
    url = new_database()
    with opened(url) as journal, opened(url) as other:
        journal.new_experiment("one", kind="test")

        async def play():
            async with journal.ledgers("one") as ledgers, other.ledgers("one") as theirs:
                ledger = await ledgers.open(opening(punish()), "k")
                with journal.claim_game("k"):
                    await ledger.keep_decision(0, question(0), answer(0), call(0))
                    cut_sessions(url)
                    again = await theirs.open(opening(punish()), "k")
                    with other.claim_game("k"):
                        await again.keep_call(1, question(1), failed(1))
                        await again.keep_decision(1, question(1), answer(1), call(1, 2))
                    with pytest.raises(JournalError, match=r"meanwhile another process ran the game test-1\.1"):
                        await ledger.keep_decision(1, question(1), answer(1), call(1))

        asyncio.run(play())


def test_what_was_stored_unheard_is_not_stored_twice(new_database, monkeypatch):
    """The session is cut after the server has stored a batch, and before it could say so."""
    url = new_database()
    with opened(url) as journal:
        journal.new_experiment("one", kind="test")
        stored = writer.store

        def store_unheard(*given):
            stored(*given)
            monkeypatch.setattr(writer, "store", stored)
            cut_sessions(url)
            given[0]("SELECT 1", ())

        async def play():
            with journal.claim("one"):
                async with journal.ledgers("one") as ledgers:
                    ledger = await ledgers.open(opening(punish()), "k")
                    with journal.claim_game("k"):
                        sent = await ledger.keep_sent(0, question(0), 1, "2026-05-01T10:00:00", "m", 1.0, 10)
                        monkeypatch.setattr(writer, "store", store_unheard)
                        await ledger.keep_decision(0, question(0), answer(0), call(0), sent)
                        await ledger.keep_decision(1, question(1), answer(1), call(1))
                        monkeypatch.setattr(writer, "store", store_unheard)
                        await ledger.finish()

        asyncio.run(play())
        assert [one.value for one in journal.record("k").answers] == ["value 0", "value 1"]
        assert [row.state for row in journal.games()] == ["finished"]
        assert journal.spending("one").out.calls == 0


def test_a_lock_is_waited_out_and_not_for_ever(store, monkeypatch):
    """Somebody else holds the tables for longer than one attempt waits, then for longer than all of them."""
    monkeypatch.setattr(engine, "PATIENCE", 0.1)
    monkeypatch.setattr(engine, "_SET_UP", engine._SET_UP.replace("30s", "100ms"))
    with opened(store) as journal:
        journal.new_experiment("one", kind="test")
        said = []
        journal.patience.report = said.append
        held, free = threading.Event(), threading.Event()

        def hold():
            with held_tables(store):
                held.set()
                free.wait()

        async def play():
            async with journal.ledgers("one") as ledgers:
                ledger = await ledgers.open(opening(punish()), "k")
                for place in range(2):
                    free.clear()
                    held.clear()
                    holder = threading.Thread(target=hold)
                    holder.start()
                    try:
                        await asyncio.to_thread(held.wait)
                        writing = asyncio.create_task(ledger.keep_decision(place, question(place), answer(place)))
                        while len(said) <= place:
                            await asyncio.sleep(0.01)
                        if place == 0:
                            free.set()
                            await writing
                            journal.patience.limit = 0.3
                        else:
                            with pytest.raises(JournalError, match=r"cannot be written: .*lock"):
                                await writing
                    finally:
                        free.set()
                        holder.join()

        asyncio.run(play())
        assert len(said) == 2
        assert "waiting for it for up to 5 minutes" in said[0]
        assert [one.value for one in journal.record("k").answers] == ["value 0"]


@contextmanager
def held_tables(store):
    """Hold what writers need, in a transaction of somebody else's."""
    if store.startswith("sqlite"):
        with closing(sqlite3.connect(store.removeprefix("sqlite:///"), isolation_level=None)) as file:
            file.execute("BEGIN IMMEDIATE")
            yield
            file.execute("ROLLBACK")
    else:
        with psycopg.connect(store) as server:
            server.execute("LOCK TABLE answers IN ACCESS EXCLUSIVE MODE")
            yield
            server.rollback()
