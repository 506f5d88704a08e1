"""A journal that cannot be written can be read all the same; who means to write is told in one line."""

import os
import shutil
import sqlite3
import tempfile
from contextlib import contextmanager
from pathlib import Path

import pytest
from sqlalchemy import URL
from typer.testing import CliRunner

from kept import commons, opened, punish
from ostrom.cli.main import app
from ostrom.core import InputError
from ostrom.journal.engine import Database, locate
from ostrom.journal.sql import Journal

NOBODY = 65534


@contextmanager
def ordinary():
    """As a user whom permissions bind, as they do not bind root."""
    if os.geteuid() != 0:
        yield
        return
    # The real user as well as the effective one: it is the former whose rights are asked for.
    os.setresuid(NOBODY, NOBODY, 0)
    try:
        yield
    finally:
        os.setresuid(0, 0, 0)


@pytest.fixture
def file():
    """A journal with a game, closed, in a folder that others can enter; its name holds what a URI must spell out."""
    folder = Path(tempfile.mkdtemp(prefix="ostrom-read-only-"))
    folder.chmod(0o755)
    file = folder / "my games? 50%#.db"
    with opened(url_of(file)) as journal:
        journal.add_game(journal.new_experiment("one", kind="test"), punish(), key="k")
    yield file
    folder.chmod(0o755)
    shutil.rmtree(folder)


def url_of(file):
    return URL.create("sqlite", database=str(file)).render_as_string()


def lock(file, mode=0o444, folder=0o555):
    for path in file.parent.iterdir():
        path.chmod(mode)
    file.parent.chmod(folder)


@pytest.mark.parametrize(("mode", "folder"), [(0o444, 0o555), (0o666, 0o555), (0o444, 0o777)])
def test_a_journal_that_cannot_be_written_is_read(file, mode, folder):
    lock(file, mode, folder)
    before = file.read_bytes()
    with ordinary(), Journal.open(url_of(file)) as journal:
        assert [kept.record for kept in journal.records()] == [punish()]
        assert journal.record("k") == punish()
        with pytest.raises(InputError, match=r"^the journal .* cannot be written: attempt to write a readonly") as told:
            journal.new_experiment("two", kind="test")
    assert "\n" not in str(told.value)
    assert file.read_bytes() == before


@pytest.mark.parametrize(
    ("mode", "folder", "said"),
    [(0o444, 0o555, "the file"), (0o666, 0o555, "its folder"), (0o444, 0o777, "the file")],
)
def test_who_means_to_write_is_told_at_once(file, mode, folder, said):
    lock(file, mode, folder)
    with ordinary(), pytest.raises(InputError, match=f"cannot be written: {said} is read-only$"):
        opened(url_of(file))


def test_no_journal_is_made_in_a_folder_that_cannot_be_written(file):
    lock(file)
    with ordinary(), pytest.raises(InputError, match=r"new\.db cannot be written: its folder is read-only$"):
        opened(url_of(file.parent / "new.db"))


def test_a_link_counts_as_the_file_that_it_leads_to(file):
    lock(file)
    link = Path(tempfile.mkdtemp(prefix="ostrom-link-"))
    try:
        link.chmod(0o777)
        (link / "games.db").symlink_to(file)
        with ordinary(), Journal.open(url_of(link / "games.db")) as journal:
            assert journal.record("k") == punish()
    finally:
        shutil.rmtree(link)


def test_what_stands_in_the_log_alone_is_read_too(file):
    with opened(url_of(file)) as writer:
        writer.add_game("test-1", commons(), key="l")
        assert Path(f"{file}-wal").stat().st_size
        lock(file)
        with ordinary(), Journal.open(url_of(file)) as journal:
            assert journal.record("l") == commons()
        file.parent.chmod(0o755)


def test_a_reader_sees_what_is_written_after_it_began(file):
    with Journal.open(url_of(file)) as plain:
        before = plain.revision()
    database = Database(locate(url_of(file)), only_read=True)
    reader = Journal(database)
    assert reader.revision() == before
    with opened(url_of(file)) as writer:
        writer.add_game("test-1", commons(), key="l")
        assert reader.record("l") == commons()
    assert reader.revision() == before + 1
    reader.close()


def test_a_log_that_cannot_be_read_is_not_passed_over(file):
    with opened(url_of(file)) as writer:
        writer.add_game("test-1", commons(), key="l")
        lock(file)
        Path(f"{file}-wal").chmod(0)
        with ordinary(), pytest.raises(InputError, match=r"^the journal .* cannot be read: ") as told:
            Journal.open(url_of(file))
        assert "\n" not in str(told.value)
        file.parent.chmod(0o755)
        Path(f"{file}-wal").chmod(0o644)


def test_another_database_and_a_letter_are_refused_as_ever(file):
    other, letter = file.parent / "other.db", file.parent / "letter.db"
    connection = sqlite3.connect(other)
    connection.execute("CREATE TABLE bookmarks (url text)")
    connection.close()
    letter.write_bytes(b"hello, this is a letter to somebody" * 100)
    lock(file)
    with ordinary():
        for path, said in ((other, "not an Ostrom journal"), (letter, "not a database")):
            with pytest.raises(InputError, match=said):
                Journal.open(url_of(path))


@pytest.mark.parametrize(
    "command", [("status",), ("ratings", "--passes", "2"), ("show", "test-1.1"), ("list", "journal")]
)
def test_the_commands_that_read_do_so(file, command):
    def said():
        result = CliRunner().invoke(app, [*command, "--store", url_of(file)])
        assert result.exception is None, result.exception
        return result.stdout

    # Also loads what the command needs, which another user need not be able to read.
    before = said()
    lock(file)
    with ordinary():
        assert said() == before
