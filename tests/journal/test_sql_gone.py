"""A file that is deleted or replaced while a journal is open takes nothing more: what it took would be lost."""

import asyncio
import shutil

import pytest
from journal_ledgers import answer, question

from kept import append, finish, opened, opening, punish, start_game
from ostrom.core import InputError
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
