"""A journal file from others: definitions that Ostrom did not create are refused before anything is read, and a repair
copies the data."""

import json
import sqlite3
from pathlib import Path

import pytest
from stored_journals import STORED, make
from typer.testing import CliRunner

from kept import opened, punish
from ostrom.cli.main import app
from ostrom.core import InputError
from ostrom.journal.definitions import ForeignSchema
from ostrom.journal.open import repair_journal
from ostrom.journal.sql import Journal

ENDLESS = "WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n) SELECT"
ATTACKS = {
    "a trigger": ["CREATE TRIGGER spent AFTER INSERT ON calls BEGIN UPDATE calls SET cost = 0; END"],
    "a trigger of our name": [
        "DROP TRIGGER message_texts_added",
        "CREATE TRIGGER message_texts_added AFTER INSERT ON message_texts BEGIN UPDATE calls SET cost = 0; END",
    ],
    "a view in place of a table": [
        "ALTER TABLE games RENAME TO games_before",
        f"CREATE VIEW games AS {ENDLESS} x AS serial FROM n",
    ],
    "another view": [f"CREATE VIEW more AS {ENDLESS} x FROM n"],
    "a generated column": ["ALTER TABLE labels ADD COLUMN more TEXT AS (hex(zeroblob(1000000)))"],
    "a check": ["DROP TABLE labels", "CREATE TABLE labels (player TEXT PRIMARY KEY, name TEXT NOT NULL CHECK (1))"],
    "a conflict clause": [
        "DROP TABLE labels",
        "CREATE TABLE labels (player TEXT NOT NULL, name TEXT NOT NULL, PRIMARY KEY (player) ON CONFLICT REPLACE)",
    ],
    "an index": ["CREATE INDEX more ON games (hex(id))"],
    "another table": ["CREATE TABLE more (x)"],
    "a column less": ["ALTER TABLE labels DROP COLUMN name"],
    "an index less": ["DROP INDEX games_by_key"],
    "a constraint less": [
        "DROP TABLE answers",
        "CREATE TABLE answers (game INTEGER NOT NULL, number INTEGER NOT NULL, turn INTEGER NOT NULL, "
        "phase TEXT NOT NULL, seat INTEGER NOT NULL, value TEXT NOT NULL, provenance TEXT NOT NULL, "
        "cut INTEGER DEFAULT '0' NOT NULL, fault TEXT, PRIMARY KEY (game, number), "
        "FOREIGN KEY(game) REFERENCES games (serial))",
    ],
}


def change(file: Path, *statements: str) -> None:
    connection = sqlite3.connect(file)
    connection.execute("PRAGMA legacy_alter_table = ON")
    for statement in statements:
        connection.execute(statement)
    connection.commit()
    connection.close()


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "journal.db"
    with Journal.open(str(path), create=True) as journal:
        study = journal.new_experiment("study", kind="punish")
        for number in range(2):
            journal.add_game(study, punish(number), key=str(number))
        journal.names.give("model/1", "The Second")
    return path


@pytest.mark.parametrize("attack", ATTACKS)
def test_definitions_of_others_are_refused_before_anything_is_read(file: Path, attack: str) -> None:
    change(file, *ATTACKS[attack])
    for command in (["status"], ["list", "journal"], ["journal", "check"], ["resume"], ["report", "-o", "x"]):
        done = CliRunner().invoke(app, [*command, "--store", str(file)])
        assert isinstance(done.exception, ForeignSchema), (command, done.output, done.exception)
        assert "ostrom journal repair" in str(done.exception)
        assert "\n" not in str(done.exception)


@pytest.mark.parametrize("attack", ATTACKS)
def test_a_repair_copies_the_data(file: Path, attack: str) -> None:
    change(file, *ATTACKS[attack])
    done = CliRunner().invoke(app, ["journal", "repair", "--store", str(file), "--json"])
    report = json.loads(done.stdout)
    assert report["mended"]
    assert Path(report["copy"]).name == "journal.foreign.db"
    with Journal.open(str(file)) as journal:
        assert journal.check() == ([], [])
        if attack not in ("a view in place of a table", "a constraint less"):
            games = [row.id for row in journal.games("study")]
            assert [journal.record(game).events for game in games] == [punish(0).events, punish(1).events]
    assert repair_journal(str(file))[1].copy is None


def test_spending_counts_again_after_a_repair(file: Path) -> None:
    """The trigger that set every cost to zero is not copied."""
    change(file, *ATTACKS["a trigger"])
    repair_journal(str(file))
    names = [row[0] for row in sqlite3.connect(file).execute("SELECT name FROM sqlite_master WHERE type = 'trigger'")]
    assert sorted(names) == ["message_texts_added", "message_texts_gone"]


@pytest.mark.parametrize("stored", STORED)
def test_journals_of_older_schemas_are_upgraded_and_those_with_triggers_are_not(stored: str, tmp_path: Path) -> None:
    make(stored, f"sqlite:///{tmp_path / 'sound.db'}")
    with opened(f"sqlite:///{tmp_path / 'sound.db'}") as journal:
        games = [row.id for row in journal.experiments()]
    make(stored, f"sqlite:///{tmp_path / 'foreign.db'}")
    change(tmp_path / "foreign.db", "CREATE TRIGGER t AFTER UPDATE ON meta BEGIN DELETE FROM games; END")
    with pytest.raises(ForeignSchema, match="a trigger t"):
        Journal.open(str(tmp_path / "foreign.db"))
    repair_journal(str(tmp_path / "foreign.db"))
    with opened(f"sqlite:///{tmp_path / 'foreign.db'}") as journal:
        assert [row.id for row in journal.experiments()] == games


def test_a_file_of_views_alone_is_not_a_journal(tmp_path: Path) -> None:
    change(tmp_path / "views.db", f"CREATE VIEW meta AS {ENDLESS} x AS schema_version, x AS revision FROM n")
    for create in (False, True):
        with pytest.raises(InputError, match="not an Ostrom journal"):
            Journal.open(str(tmp_path / "views.db"), create=create)
