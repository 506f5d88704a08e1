"""Commands for a journal of many games: a table for people has a page of them, and a check reports its progress."""

import json

import pytest
from typer.testing import CliRunner

from kept import punish
from ostrom.cli.main import app
from ostrom.findings import lists
from ostrom.journal import check
from ostrom.journal.sql import Journal


@pytest.fixture(scope="module")
def store(tmp_path_factory):
    path = str(tmp_path_factory.mktemp("many") / "many.db")
    with Journal.open(path, create=True) as journal:
        study = journal.new_experiment("study", kind="punish")
        for number in range(7):
            journal.add_game(study, punish(number), key=str(number))
    return path


def listed(store, *options):
    done = CliRunner().invoke(app, ["list", "journal", "--store", store, *options])
    assert done.exit_code == 0, done.output
    return done.stdout


def test_a_table_of_games_has_one_page_and_json_has_all(store, monkeypatch):
    monkeypatch.setattr(lists, "MAX_LISTED_GAMES", 3)
    text = listed(store)
    assert "punish-1.3" in text
    assert "punish-1.4" not in text
    assert "4 more games; an offset of 3 lists the next 3." in text
    assert len(json.loads(listed(store, "--json"))["journal"]) == 7
    rest = json.loads(listed(store, "--json", "--offset", "5", "--limit", "1"))["journal"]
    assert [row["id"] for row in rest] == ["punish-1.6"]


def test_a_check_reports_its_progress(store, monkeypatch):
    monkeypatch.setattr(check, "_ROWS_STEP", 50)
    monkeypatch.setattr(check, "_PROGRESS_STEP", 2)
    steps = {"rows": [], "games": []}
    with Journal.open(store) as journal:
        problems = journal.check(lambda **step: steps[step["description"]].append((step["completed"], step["total"])))
    assert problems == ([], [])
    (rows,) = {total for _, total in steps["rows"]}
    assert steps["rows"] == [(completed, rows) for completed in range(0, rows, 50)]
    assert steps["games"] == [(0, 7), (2, 7), (4, 7), (6, 7)]
