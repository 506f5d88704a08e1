"""A file that is deleted or replaced while a journal is open takes nothing more: what it took would be lost."""

import asyncio
import os
import shutil
import stat

import pytest
from journal_ledgers import answer, question

from kept import append, finish, opened, opening, punish, start_game
from ostrom.core import InputError, JournalError
from ostrom.journal.sql import Journal


@pytest.fixture
def file(tmp_path):
    return tmp_path / "journal.db"


@pytest.fixture
def journal(file):
    with opened(f"sqlite:///{file}") as journal:
        journal.new_experiment("one", kind="test")
        yield journal


def replace(file):
    shutil.copy(file, file.with_name("copy.db"))
    file.with_name("copy.db").replace(file)


GONE = {
    "deleted": (lambda file: file.unlink(), r"journal\.db was deleted or moved while it was open"),
    "moved": (lambda file: file.rename(file.with_name("away.db")), r"was deleted or moved while it was open"),
    "replaced": (replace, r"was replaced by another file while it was open, and nothing more can be stored in it"),
}


@pytest.mark.parametrize("how", GONE)
def test_nothing_is_written_or_read_that_would_be_lost(journal, file, how):
    do, said = GONE[how]
    game = start_game(journal, "test-1", opening(punish()), key="a")
    do(file)
    for use in (
        lambda: journal.new_experiment("two", kind="test"),
        lambda: journal.add_game("test-1", punish(), key="k"),
        lambda: append(journal, game, [], punish().events),
        lambda: finish(journal, game),
        journal.revision,
        journal.games,
        lambda: journal.pages.game("a"),
    ):
        with pytest.raises(InputError, match=said):
            use()


@pytest.mark.parametrize("how", GONE)
def test_what_a_ledger_is_handed_is_not_confirmed(journal, file, how):
    do, said = GONE[how]

    async def play():
        async with journal.ledgers("test-1") as ledgers:
            ledger = await ledgers.open(opening(punish()), key="a")
            do(file)
            with pytest.raises(InputError, match=said):
                await ledger.keep_decision(0, question(), answer())

    with pytest.raises(InputError, match=said):
        asyncio.run(play())


def test_a_file_that_goes_while_it_is_written_confirms_nothing(journal, file):
    with pytest.raises(InputError, match="was deleted"), journal._database.writing():
        file.unlink()


def test_a_file_that_is_brought_back_is_the_same_journal(journal, file):
    away = file.rename(file.with_name("away.db"))
    with pytest.raises(InputError, match="restore it"):
        journal.revision()
    away.rename(file)
    assert journal.new_experiment("two", kind="test") == "test-2"
    with Journal.open(f"sqlite:///{file}") as again:
        assert [row.name for row in again.experiments()] == ["one", "two"]


@pytest.mark.parametrize("ending", ["-wal", "-shm"])
def test_a_log_that_is_deleted_is_noticed_and_what_it_held_is_kept(journal, file, ending):
    """As by `rm ostrom.db-wal` in a run: SQLite writes on, to a file that is nowhere."""

    async def play():
        async with journal.ledgers("test-1") as ledgers:
            ledger = await ledgers.open(opening(punish()), key="a")
            await ledger.keep_decision(0, question(), answer())
            file.with_name(f"journal.db{ending}").unlink()
            for _ in range(2):
                with pytest.raises(JournalError, match=r"journal\.db-wal, -shm\) was deleted .* held is kept"):
                    await ledger.keep_decision(1, question(1), answer(1))

    with pytest.raises(JournalError, match="nothing more can be stored until Ostrom is restarted"):
        asyncio.run(play())
    journal.close()
    with Journal.open(f"sqlite:///{file}") as again:
        assert [one.value for one in again.record("a").answers] == ["value 0"]


def test_a_log_that_is_made_anew_is_not_overwritten(journal, file):
    start_game(journal, "test-1", opening(punish()), key="a")
    file.with_name("journal.db-wal").replace(file.with_name("old"))
    file.with_name("journal.db-wal").write_bytes(b"")
    with pytest.raises(JournalError, match="what it held alone is lost"):
        journal.games()


def test_a_log_that_goes_with_the_last_connection_is_missed_by_nobody(journal, file):
    """Connections come and go; the log of the next one is another file."""
    journal.games()
    journal._database.engine.dispose()
    assert not file.with_name("journal.db-wal").exists()
    assert journal.new_experiment("two", kind="test") == "test-2"
    with Journal.open(f"sqlite:///{file}") as other:
        assert len(other.experiments()) == 2
    assert journal.new_experiment("three", kind="test") == "test-3"


def test_a_journal_is_for_its_owner_alone(journal, file, tmp_path):
    before = os.umask(0)
    try:
        with opened(f"sqlite:///{tmp_path / 'other.db'}") as other:
            other.new_experiment("one", kind="test")
            with other.claim("one"):
                found = {path.name: stat.S_IMODE(path.stat().st_mode) for path in tmp_path.glob("other.db*")}
    finally:
        os.umask(before)
    assert found == dict.fromkeys(("other.db", "other.db-wal", "other.db-shm", "other.db-run-1"), 0o600)
