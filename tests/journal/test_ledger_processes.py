"""Ledgers of a process that may be killed at any moment, and claims that keep two from running one experiment."""

import asyncio
import signal
from pathlib import Path

import pytest
from journal_ledgers import answer, call, question

from kept import opened, opening, punish, start_game, started
from ostrom.core import InputError

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
    time.sleep(60)  # until it is killed
"""


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
