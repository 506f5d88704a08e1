"""A journal of an earlier schema is brought to the present one when it is opened: once, whoever opens it, with a copy
kept, and as a whole or not at all."""

import asyncio
import math
import os
import shutil
import signal
import sqlite3
import tempfile
import threading
from pathlib import Path

import pytest
from journal_ledgers import answer, question
from sqlalchemy import create_engine, inspect
from stored_journals import STORED, make, schema_of

from kept import opened, opening, punish, start_game, started
from ostrom.analysis.highlights import summarise
from ostrom.core import InputError, Provenance, RecordError
from ostrom.experiment.match import replay
from ostrom.journal.engine import locate
from ostrom.journal.messages import MessageQuery
from ostrom.journal.migrations import OLDEST, STEPS, VERSION
from ostrom.journal.schema import metadata
from ostrom.journal.sql import Journal
from ostrom.journal.summaries import forget
from sampling import sampled


def shape(url):
    """Tables, columns, their types, what may be missing, and what is unique."""
    engine = create_engine(locate(url).url)
    inspector = inspect(engine)
    found = {
        table: (
            {(one["name"], str(one["type"]), one["nullable"]) for one in inspector.get_columns(table)},
            inspector.get_pk_constraint(table)["constrained_columns"],
            {tuple(one["column_names"]) for one in inspector.get_unique_constraints(table)},
            {(one["name"], tuple(one["column_names"])) for one in inspector.get_indexes(table) if not one["unique"]},
            {tuple(one["constrained_columns"]) for one in inspector.get_foreign_keys(table)},
        )
        for table in metadata.tables
    }
    engine.dispose()
    return found


def schema_at(url):
    engine = create_engine(locate(url).url)
    with engine.connect() as connection:
        found = connection.exec_driver_sql("SELECT schema_version FROM meta").scalar()
    engine.dispose()
    return found


def copies(url):
    file = locate(url).file
    return [] if file is None else sorted(path.name for path in file.parent.glob("*.schema-*.db"))


@pytest.fixture(params=STORED)
def stored(request):
    return request.param


@pytest.fixture
def old(stored, store):
    make(stored, store)
    return store


@pytest.fixture
def old_file(stored, tmp_path):
    url = f"sqlite:///{tmp_path / 'journal.db'}"
    make(stored, url)
    return url


def test_there_is_a_step_from_every_schema_to_the_next():
    assert len(STEPS) == VERSION - OLDEST
    assert {schema_of(name) for name in STORED} == set(range(OLDEST, VERSION))


def test_everything_is_there_afterwards_and_can_go_on(old, stored):
    with opened(old) as journal:
        upgrade = journal.upgraded
        assert (upgrade.before, upgrade.after) == (schema_of(stored), VERSION)
        assert upgrade.copy == (Path(old.removeprefix("sqlite:///")).with_name(copies(old)[0]) if copies(old) else None)
        rows = journal.games()
        kept = list(journal.records())
        assert {one.game for one in kept} == {row.id for row in rows if row.state == "finished"}
        for one in kept:
            if one.record.seed is not None or one.record.orders:
                replay(one.record)
        first = journal.experiments()[0]
        journal.new_run(first.id)
        assert start_game(journal, first.id, opening(punish()), key="new") == f"{first.id}.{first.games + 1}"
    with opened(old) as journal:
        assert journal.upgraded is None
        assert len(journal.games()) == len(rows) + 1


def test_what_was_said_keeps_its_promises_as_labels_and_can_be_searched(store):
    make("schema_8", store)
    with opened(store) as journal:
        # Summaries are computed again, because titles were added to them; until then, messages are searched as before.
        assert journal.summaries.count_unsummarised() == 4
        before = _matches(journal)
        with journal._database.writing() as connection:
            forget(connection, [1, 2, 3, 4])
        assert summarise(journal, math.inf) == 0
        assert _matches(journal) == before
        assert before[()].counts == (12, {"kept": 8, "broken": 4})
        assert (before["kept",].total, before["broken",].total) == (8, 4)
        assert all(set(one.details) == {"promised", "contributed"} for one in before[()].matches)
        assert not any(journal.check())


def _matches(journal):
    """The matches of a word, by label."""
    choices = ((), ("kept",), ("broken",))
    queries = {labels: MessageQuery(("contribute",), labels=labels, counted=("kept", "broken")) for labels in choices}
    return {labels: journal.messages.find(query) for labels, query in queries.items()}


def test_amounts_keep_every_bit(store):
    make("schema_8", store)
    exact = 0.1 + 0.2
    engine = create_engine(locate(store).url)
    with engine.begin() as connection:
        connection.exec_driver_sql(f"UPDATE messages SET promised = {exact!r}, contributed = NULL, kept = NULL")
    engine.dispose()
    with opened(store) as journal:
        found = journal.messages.find(MessageQuery())
        assert {(one.label, tuple(one.details.items())) for one in found.matches} == {("", (("promised", exact),))}


@pytest.mark.slow
def test_it_then_has_the_shape_of_a_new_one(old, tmp_path, request):
    in_file = old.startswith("sqlite")
    new = f"sqlite:///{tmp_path / 'new.db'}" if in_file else request.getfixturevalue("new_database")()
    with opened(old), opened(new):
        pass
    assert shape(old) == shape(new)


def test_a_reading_command_brings_it_up_too_and_says_so(old, stored):
    with Journal.open(old) as journal:
        assert len(journal.experiments()) >= 3
        assert str(journal.upgraded).startswith(f"upgraded from schema {schema_of(stored)} to {VERSION} (")
    assert schema_at(old) == VERSION


def test_the_file_as_it_was_is_kept_beside_it(old_file, stored, tmp_path):
    with sqlite3.connect(tmp_path / "journal.db") as connection:
        before = list(connection.iterdump())
    connection.close()
    (tmp_path / "journal.db").chmod(0o640)
    with Journal.open(old_file):
        pass
    assert copies(old_file) == [f"journal.schema-{schema_of(stored)}.db"]
    copy = tmp_path / copies(old_file)[0]
    with sqlite3.connect(copy) as connection:
        assert list(connection.iterdump()) == before
    connection.close()
    assert copy.stat().st_mode & 0o777 == 0o640
    assert not [path for path in tmp_path.iterdir() if path.name.startswith(".")]


def test_a_copy_of_another_journal_is_never_written_over(tmp_path):
    url = f"sqlite:///{tmp_path / 'journal.db'}"
    make("schema_8", url)
    (tmp_path / "journal.schema-8.db").write_text("something else")
    with Journal.open(url) as journal:
        assert journal.upgraded.copy == tmp_path / "journal.schema-8-2.db"
    assert (tmp_path / "journal.schema-8.db").read_text() == "something else"


def test_without_room_for_a_copy_nothing_is_changed(tmp_path, monkeypatch):
    url = f"sqlite:///{tmp_path / 'journal.db'}"
    make("schema_8", url)

    def full(*_arguments):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("ostrom.journal.migrations.shutil.copymode", full)
    with pytest.raises(InputError, match="because copying it failed: No space left on device") as told:
        Journal.open(url)
    assert "\n" not in str(told.value)
    assert schema_at(url) == 8
    assert [path.name for path in tmp_path.iterdir() if path.suffix == ".db"] == ["journal.db"]


KILLED = """
import os, signal
from ostrom.journal import migrations
url, at = sys.argv[1], int(sys.argv[2])
steps = list(migrations.STEPS)
def killed(connection):
    if at < len(steps):
        steps[at](connection)
    os.kill(os.getpid(), signal.SIGKILL)
migrations.STEPS = (*steps[:at], killed, *steps[at + 1:])
Journal.open(url)
"""


@pytest.mark.slow
@pytest.mark.parametrize("at", sampled(range(len(STEPS) + 1), 2))
def test_a_kill_in_the_middle_leaves_it_as_it_was(store, at):
    """Within a step, or after the last one and before they are stored."""
    make("schema_8", store)
    for _ in range(2):
        process = started(KILLED, store, str(at))
        assert process.wait() == -signal.SIGKILL
        process.stdout.close()
        assert schema_at(store) == 8
    with opened(store) as journal:
        assert len(list(journal.records())) == 4
        assert journal.upgraded.before == 8
    assert copies(store) in ([], ["journal.schema-8.db"])  # the copy that was made before the kill is the same


def test_several_may_open_it_at_once(old):
    failed, upgrades = [], []

    def look():
        try:
            with Journal.open(old) as journal:
                assert len(journal.games()) >= 4
                upgrades.append(journal.upgraded)
        except Exception as error:
            failed.append(error)

    threads = [threading.Thread(target=look) for _ in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert failed == []
    assert sum(upgrade is not None for upgrade in upgrades) == 1


def test_a_game_of_an_older_schema_goes_on_in_a_ledger(old):
    async def play(journal, experiment):
        async with journal.ledgers(experiment) as ledgers:
            ledger = await ledgers.open(opening(punish()), "new")
            await ledger.keep_decision(0, question(0), answer(0))
            finished = next(row for row in journal.games(experiment) if row.state == "finished")
            assert await ledgers.open(opening(journal.record(finished.id)), finished.key) is None

    with opened(old) as journal:
        asyncio.run(play(journal, journal.experiments()[0].id))
        assert len(journal.record("new").answers) == 1


def test_what_the_answers_come_to_is_filled_in(old):
    with opened(old) as journal:
        finished = {row.id: row.game for row in journal.games() if row.state == "finished"}
        results = journal.ended.results(set(finished.values()))
        assert {one.id for one in results} == set(finished)
        for one in results:
            answers = journal.record(one.id).answers
            for seat, tally in enumerate(one.tallies):
                mine = [answer.provenance for answer in answers if answer.seat == seat]
                kinds = (Provenance.DEFAULTED, Provenance.REPAIRED, Provenance.IMPORTED)
                assert tally == (len(mine), *(mine.count(kind) for kind in kinds))
        decided = {}
        for one in results:
            record = journal.record(one.id)
            values = sorted(str((each.turn, each.phase, each.seat, each.value)) for each in record.answers)
            assert decided.setdefault(one.decisions, values) == values
        assert len(decided) == len({str(values) for values in decided.values()})


def test_a_file_that_cannot_be_written_is_refused_in_one_line_and_stays_as_it_is():
    folder = Path(tempfile.mkdtemp(prefix="ostrom-old-"))
    try:
        file = folder / "journal.db"
        make("schema_8", f"sqlite:///{file}")
        before = file.read_bytes()
        file.chmod(0o444)
        folder.chmod(0o555)
        with ordinary(), pytest.raises(InputError) as told:
            Journal.open(f"sqlite:///{file}")
        refused = (
            f"has schema 8 of an older Ostrom and cannot be upgraded to schema {VERSION}, as the file is read-only"
        )
        assert refused in str(told.value)
        assert "opening the copy upgrades it" in str(told.value)
        assert "\n" not in str(told.value)
        assert file.read_bytes() == before
    finally:
        folder.chmod(0o755)
        shutil.rmtree(folder)


class ordinary:  # noqa: N801
    """As a user whom permissions bind, as they do not bind root."""

    def __enter__(self):
        self.root = os.geteuid() == 0
        if self.root:
            os.setresuid(65534, 65534, 0)

    def __exit__(self, *_):
        if self.root:
            os.setresuid(0, 0, 0)


def test_a_newer_schema_is_refused_in_one_line_and_stays_as_it_is(store):
    with opened(store):
        pass
    engine = create_engine(locate(store).url)
    with engine.begin() as connection:
        connection.exec_driver_sql(f"UPDATE meta SET schema_version = {VERSION + 1}")
    engine.dispose()
    for create in (False, True):
        with pytest.raises(RecordError, match=f"has schema {VERSION + 1} of a newer Ostrom") as told:
            Journal.open(store, create=create)
        assert "\n" not in str(told.value)
    assert schema_at(store) == VERSION + 1
    assert copies(store) == []


def test_an_older_schema_than_the_first_step_reads_is_refused_in_one_line(store):
    make("schema_8", store)
    engine = create_engine(locate(store).url)
    with engine.begin() as connection:
        connection.exec_driver_sql(f"UPDATE meta SET schema_version = {OLDEST - 1}")
    engine.dispose()
    with pytest.raises(RecordError, match=f"has schema {OLDEST - 1}, which is not supported") as told:
        Journal.open(store)
    assert "\n" not in str(told.value)
    assert schema_at(store) == OLDEST - 1
    assert copies(store) == []


def test_a_column_that_is_there_already_is_named_and_nothing_is_changed(new_database):
    url = new_database()
    make("schema_8", url)
    engine = create_engine(locate(url).url)
    with engine.begin() as connection:
        connection.exec_driver_sql("ALTER TABLE messages ADD COLUMN details integer")
    with pytest.raises(InputError, match='cannot be written: column "details" of relation "messages" already') as told:
        Journal.open(url)
    assert "\n" not in str(told.value)
    with engine.connect() as connection:
        assert connection.exec_driver_sql("SELECT schema_version FROM meta").scalar() == 8
        assert "label" not in {one["name"] for one in inspect(connection).get_columns("messages")}
    engine.dispose()
