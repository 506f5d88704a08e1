"""A journal that an older Ostrom made is brought to the present schema when it is opened, once, whoever opens it."""

import asyncio
import json
import os
import shutil
import tempfile
import threading
from pathlib import Path

import journal_schema_1
import pytest
from journal_ledgers import answer, question
from sqlalchemy import create_engine, inspect, text

from kept import commons, opened, opening, punish
from ostrom.core import InputError
from ostrom.journal.engine import locate
from ostrom.journal.schema import VERSION, metadata
from ostrom.journal.sql import Journal


def first_made(url):
    """A journal of schema 1 with a finished and an unfinished game, as the first Ostrom wrote them."""
    engine = create_engine(locate(url).url)
    tables = journal_schema_1.SQLITE if engine.dialect.name == "sqlite" else journal_schema_1.POSTGRESQL
    with engine.begin() as connection:
        if engine.dialect.name == "sqlite":
            connection.connection.driver_connection.execute("PRAGMA journal_mode = WAL")
        for statement in tables:
            connection.exec_driver_sql(statement)
        add(connection, "meta", schema_version=1, revision=9)
        add(
            connection,
            "experiments",
            **{"serial": 1, "id": "test-1", "name": "one", "kind": "test", "created": "2026", "settings": "{}"},
        )
        for serial, record in enumerate((punish(), commons()), start=1):
            state = "finished" if serial == 1 else "playing"
            head = json.loads(record.model_dump_json(include={"rules", "seats", "orders"}))
            add(
                connection,
                "games",
                **{"serial": serial, "id": f"test-1.{serial}", "experiment": 1, "place": serial, "key": f"k{serial}"},
                **{"state": state, "started": "2026", "ostrom": record.ostrom, "game": record.game},
                **{"seed": None if record.seed is None else str(record.seed), "number": record.number},
                **{"source": record.source, **{name: json.dumps(value) for name, value in head.items()}},
            )
            for number, one in enumerate(record.answers):
                key = {"turn": one.turn, "phase": one.phase, "seat": one.seat}
                kept = {"value": json.dumps(one.value), "provenance": one.provenance.value}
                add(connection, "answers", game=serial, number=number, **key, **kept)
            for number, event in enumerate(record.events):
                content = {name: value for name, value in event.items() if name not in ("event", "version")}
                kept = {"tag": event["event"], "version": event["version"], "payload": json.dumps(content)}
                add(connection, "events", game=serial, number=number, **kept)
        if engine.dialect.name == "postgresql":
            connection.exec_driver_sql("SELECT setval('games_serial_seq', 2)")
    engine.dispose()


def add(connection, table, **values):
    names = ", ".join(f'"{name}"' for name in values)
    connection.execute(
        text(f"INSERT INTO {table} ({names}) VALUES ({', '.join(f':{name}' for name in values)})"), values
    )


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
        )
        for table in metadata.tables
    }
    engine.dispose()
    return found


@pytest.fixture
def old(store):
    first_made(store)
    return store


def test_everything_is_there_afterwards_and_can_go_on(old):
    with opened(old) as journal:
        assert [kept.record for kept in journal.records()] == [punish()]
        assert journal.record("k2") == commons()
        assert [row.key for row in journal.unfinished("one")] == ["k2"]
        assert journal.revision() > 9
        assert journal.calls("k1") == []
        journal.new_run("one")
        journal.finish("test-1.2")
        assert journal.start_game("test-1", opening(punish()), key="k3") == "test-1.3"
        [row] = journal.experiments()
        assert (row.games, row.playing, row.void, row.models) == (2, 1, 0, ())


def test_it_then_has_the_shape_of_a_new_one(old, tmp_path, request):
    in_file = old.startswith("sqlite")
    new = f"sqlite:///{tmp_path / 'new.db'}" if in_file else request.getfixturevalue("new_database")()
    with opened(old), opened(new):
        pass
    assert shape(old) == shape(new)


def test_a_reading_command_brings_it_up_too(old):
    with Journal.open(old) as journal:
        assert len(journal.experiments()) == 1
    engine = create_engine(locate(old).url)
    with engine.connect() as connection:
        assert connection.exec_driver_sql("SELECT schema_version FROM meta").scalar() == VERSION
    engine.dispose()


def test_several_may_open_it_at_once(old):
    failed = []

    def look():
        try:
            with Journal.open(old) as journal:
                assert len(journal.games()) == 2
        except Exception as error:
            failed.append(error)

    threads = [threading.Thread(target=look) for _ in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert failed == []


def test_a_game_begun_by_the_first_goes_on_in_a_ledger(old):
    async def play(journal):
        async with journal.ledgers("one") as ledgers:
            ledger = await ledgers.open(punish_head(), "k3")
            await ledger.decided(0, question(0), answer(0))
            assert await ledgers.open(punish_head(), "k1") is None

    def punish_head():
        return opening(punish())

    with opened(old) as journal:
        asyncio.run(play(journal))
        assert len(journal.record("k3").answers) == 1


def test_a_file_that_cannot_be_written_is_refused_in_one_line_and_stays_as_it_is():
    folder = Path(tempfile.mkdtemp(prefix="ostrom-old-"))
    try:
        file = folder / "journal.db"
        first_made(f"sqlite:///{file}")
        before = file.read_bytes()
        file.chmod(0o444)
        folder.chmod(0o555)
        with ordinary(), pytest.raises(InputError) as told:
            Journal.open(f"sqlite:///{file}")
        assert "has schema 1 of an older Ostrom and cannot be brought to schema 2, as the file is read-only" in str(
            told.value
        )
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


def test_a_name_that_somebody_else_took_is_named_and_nothing_is_changed(new_database):
    url = new_database()
    first_made(url)
    engine = create_engine(locate(url).url)
    with engine.begin() as connection:
        connection.exec_driver_sql("CREATE TABLE runs (miles integer)")
    with pytest.raises(InputError, match='cannot be written: relation "runs" already exists') as told:
        Journal.open(url)
    assert "\n" not in str(told.value)
    with engine.connect() as connection:
        assert connection.exec_driver_sql("SELECT schema_version FROM meta").scalar() == 1
        assert "cut" not in {one["name"] for one in inspect(connection).get_columns("answers")}
    engine.dispose()
