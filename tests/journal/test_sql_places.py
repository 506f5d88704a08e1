"""Where a journal can lie, and one clear line, without a password, where it cannot."""

import socket
import sqlite3
import traceback

import pytest
from sqlalchemy import create_engine, text

from kept import opened, punish
from ostrom.core import InputError, RecordError
from ostrom.journal.engine import locate, store_url
from ostrom.journal.migrations import VERSION
from ostrom.journal.sql import Journal

SECRET = "h4nds-0ff"


def refusal(url, *, create=True, error=InputError):
    """Why this journal cannot be opened: one line, from which no password can be read, nor from what lies behind it."""
    with pytest.raises(error) as caught:
        Journal.open(url, create=create)
    said = str(caught.value)
    assert "\n" not in said
    assert SECRET not in "".join(traceback.format_exception(caught.value))
    return said


def altered(url, *statements):
    """Change a database behind the journal's back."""
    engine = create_engine(locate(url).url)
    with engine.begin() as connection:
        for statement in statements:
            connection.execute(text(statement))
    engine.dispose()


def test_the_option_goes_before_the_environment_and_that_before_the_folder(monkeypatch):
    monkeypatch.delenv("OSTROM_STORE", raising=False)
    assert store_url() == "sqlite:///ostrom.db"
    monkeypatch.setenv("OSTROM_STORE", "sqlite:///other.db")
    assert store_url() == "sqlite:///other.db"
    assert store_url("sqlite:///third.db") == "sqlite:///third.db"


@pytest.mark.parametrize("path", ["games.db", "study/games", "C%3A.sqlite"])
def test_a_path_is_the_file_of_a_journal(path):
    assert str(locate(path).file) == path


@pytest.mark.parametrize(
    ("url", "said"),
    [
        ("games", "write FILE.db, sqlite:///FILE"),
        ("", "write FILE.db, sqlite:///FILE"),
        ("sqlite:///", "cannot be in memory"),
        ("sqlite://", "cannot be in memory"),
        ("sqlite:///:memory:", "cannot be in memory"),
        ("sqlite://games.db", "three slashes"),
        ("sqlite:///games.db?mode=ro", "no options"),
        (f"mysql://lab:{SECRET}@localhost/games", "not in 'mysql'"),
        (f"lab:{SECRET}@localhost/games", "this is not the URL of a journal"),
        (f"postgresql://lab:{SECRET}@localhost:port/games", "this is not the URL of a journal"),
        (f"postgresql://lab:half@{SECRET}@localhost/games", "%40"),
    ],
)
def test_a_url_that_cannot_be_is_refused(url, said):
    assert said in refusal(url)


def test_an_unreachable_server_is_named_without_the_password():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))  # taken, and nobody listens
        place = f"127.0.0.1:{probe.getsockname()[1]}"
        said = refusal(f"postgresql://lab:{SECRET}@{place}/games?sslpassword={SECRET}")
    assert f"postgresql://lab@{place}/games cannot be read" in said
    assert "Connection refused" in said


def test_a_server_that_refuses_is_quoted_without_the_password(new_database):
    url = new_database().replace("lab@", f"nobody:{SECRET}@")
    assert 'role "nobody" does not exist' in refusal(url)
    # Here the server's own words hold what is the password.
    said = refusal(new_database().replace("lab@", "nobody:exist@"))
    assert "exist" not in said
    assert said.endswith("the reason contains a password")


def test_a_journal_shows_no_password(new_database):
    with Journal.open(new_database().replace("lab@", f"lab:{SECRET}@"), create=True) as journal:
        assert SECRET not in f"{journal!r}{journal.label}{vars(journal)}{vars(journal._database)}"


def test_a_journal_that_is_not_there_is_made_only_on_demand(store, tmp_path):
    assert "benchmarks, runs and imports create one" in refusal(store, create=False)
    assert list(tmp_path.iterdir()) == []
    with opened(store):
        pass
    with opened(store) as journal, Journal.open(store) as other:
        assert journal.experiments() == other.experiments() == []


def test_no_folder_no_journal(tmp_path):
    assert "its folder does not exist" in refusal(f"sqlite:///{tmp_path}/missing/journal.db")
    assert "is a folder" in refusal(f"sqlite:///{tmp_path}")


@pytest.mark.parametrize("content", [b"hello, this is a letter to somebody" * 100, b"\x00" * 5000, b"{}\n" * 40])
def test_a_file_of_another_kind_is_left_alone(tmp_path, content):
    file = tmp_path / "letter.db"
    file.write_bytes(content)
    assert "not a database" in refusal(f"sqlite:///{file}")
    assert file.read_bytes() == content


@pytest.mark.parametrize("table", ["bookmarks (url text)", "meta (name text)", "games (id integer)"])
def test_a_database_of_somebody_else_is_left_alone(tmp_path, table):
    file = tmp_path / "other.db"
    connection = sqlite3.connect(file)
    connection.execute(f"CREATE TABLE {table}")
    connection.close()
    before = file.read_bytes()
    assert "not an Ostrom journal" in refusal(f"sqlite:///{file}")
    assert file.read_bytes() == before


def test_in_postgresql_a_journal_lies_beside_tables_of_others_but_takes_no_name_of_theirs(new_database):
    url = new_database()
    altered(url, "CREATE TABLE bookmarks (url text)")
    with opened(url) as journal:
        journal.new_experiment("one", kind="test")
    taken = new_database()
    altered(taken, "CREATE TABLE games (id integer)")
    assert "not an Ostrom journal" in refusal(taken)


@pytest.mark.parametrize(("version", "said"), [(VERSION + 1, "of a newer Ostrom"), (99, "schema 99"), (0, "schema 0")])
def test_a_schema_of_another_version_is_refused_and_nothing_is_changed(store, version, said):
    with opened(store) as journal:
        journal.add_game(journal.new_experiment("one", kind="test"), punish(), key="k")
    altered(store, f"UPDATE meta SET schema_version = {version}")
    assert said in refusal(store, error=RecordError)
    altered(store, f"UPDATE meta SET schema_version = {VERSION}")
    with opened(store) as journal:
        assert [kept.record for kept in journal.records()] == [punish()]


def test_a_damaged_game_is_named(store):
    with opened(store) as journal:
        journal.add_game(journal.new_experiment("one", kind="test"), punish(), key="k")
        altered(store, "UPDATE answers SET provenance = 'dreamt' WHERE number = 3")
        with pytest.raises(RecordError, match=r"the game test-1\.1 .* answers\.3\.provenance"):
            journal.record("k")


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ("events SET payload = '{broken' WHERE number = 3", r"events\.3\.payload: it is not JSON: Expecting"),
        ("events SET payload = '[1]' WHERE number = 3", r"events\.3\.payload: it is not a JSON object"),
        ("events SET payload = '{\"round\"\\: NaN}' WHERE number = 0", r"events\.0\.payload: .*NaN is not a number"),
        ("events SET payload = '{}' WHERE number = 3", "the event 'contributed' cannot be read: the field 'round'"),
        (
            "events SET tag = 'dreamt' WHERE number = 3",
            "the record has an event 'dreamt' that this game does not know",
        ),
        ("events SET version = 9 WHERE number = 3", "the event 'contributed' has version 9"),
        ("answers SET value = '' WHERE number = 4", r"answers\.4\.value: it is not JSON"),
        ("games SET seed = 'x'", "seed: it is not JSON"),
        ("games SET rules = '{'", "rules: it is not JSON"),
        ("games SET orders = '7'", "orders must be a list"),
    ],
)
def test_a_damaged_row_is_named_in_one_line(store, change, said):
    with opened(store) as journal:
        journal.add_game(journal.new_experiment("one", kind="test"), punish(), key="k")
        altered(store, f"UPDATE {change}")
        for read in (lambda: journal.record("k"), lambda: list(journal.records())):
            with pytest.raises(
                RecordError, match=rf"^the game test-1\.1 of the journal cannot be read: {said}"
            ) as told:
                read()
            assert "\n" not in str(told.value)


@pytest.mark.parametrize("seats", ["[", "[7]", "[{}]", "7"])
def test_damaged_seats_are_named_in_a_list_of_games(store, seats):
    with opened(store) as journal:
        journal.add_game(journal.new_experiment("one", kind="test"), punish(), key="k")
        altered(store, f"UPDATE games SET seats = '{seats}'")
        with pytest.raises(RecordError, match=r"^the game test-1\.1 of the journal cannot be read: seats: "):
            journal.games()


@pytest.mark.parametrize("settings", ["{broken", "7"])
def test_damaged_settings_are_named(store, settings):
    with opened(store) as journal:
        journal.new_experiment("one", kind="test")
        altered(store, f"UPDATE experiments SET settings = '{settings}'")
        with pytest.raises(RecordError, match=r"^the experiment test-1 of the journal cannot be read: settings: "):
            journal.experiments()


def test_a_file_cut_in_half_is_refused_in_one_line(tmp_path):
    file = tmp_path / "journal.db"
    with opened(f"sqlite:///{file}") as journal:
        experiment = journal.new_experiment("one", kind="test")
        for number in range(20):
            journal.add_game(experiment, punish(number), key=str(number))
    file.write_bytes(file.read_bytes()[: file.stat().st_size // 2])
    with pytest.raises(InputError, match=r"cannot be read: .*malformed"), opened(f"sqlite:///{file}") as journal:
        list(journal.records())


def test_sqlite_is_set_up_for_readers_beside_a_writer(tmp_path):
    with opened(f"sqlite:///{tmp_path / 'journal.db'}") as journal, journal._database.reading() as connection:
        found = [
            connection.exec_driver_sql(f"PRAGMA {name}").scalar()
            for name in ("journal_mode", "synchronous", "foreign_keys", "busy_timeout")
        ]
    # FULL: what is called confirmed is on the disk.
    assert found == ["wal", 2, 1, 30_000]


def test_a_connection_in_use_when_the_journal_is_closed_is_closed_as_well(store):
    with opened(store) as journal:
        with journal._database.reading() as connection:
            used = connection.connection.dbapi_connection
            journal.close()
        with pytest.raises(Exception, match="closed"):
            used.execute("SELECT 1")
