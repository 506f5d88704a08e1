"""Sessions among the lists of a journal."""

import json
from pathlib import Path

from typer.testing import CliRunner

from kept import commons
from ostrom.cli.main import app
from ostrom.journal.sessions import NewEntry
from ostrom.journal.sql import Journal


def test_sessions_are_listed_with_their_people_and_tables(tmp_path: Path) -> None:
    store = f"sqlite:///{tmp_path / 'journal.db'}"
    with Journal.open(store, create=True) as journal:
        session = journal.sessions.create("class", {})
        joined = [NewEntry("joined", {"language": "en"}, participant=number) for number in (1, 2, 3)]
        journal.sessions.append(session.id, joined)
        journal.add_game(session.experiment, commons(), key="g1/table 1/1")
        journal.new_experiment("other", kind="punish")
    listed = CliRunner().invoke(app, ["list", "sessions", "--store", store, "--json"])
    assert listed.exit_code == 0, listed.output
    (row,) = json.loads(listed.output)["sessions"]
    assert (row["id"], row["name"], row["people"], row["tables"], row["state"]) == ("s-1", "class", 3, 1, "open")
    experiments = json.loads(CliRunner().invoke(app, ["list", "experiments", "--store", store, "--json"]).output)
    kinds = {one["id"]: one["kind"] for one in experiments["experiments"]}
    assert kinds[row["experiment"]] == "session"
    assert sorted(kinds.values()) == ["punish", "session"]


def test_a_journal_without_sessions_says_so(tmp_path: Path) -> None:
    store = f"sqlite:///{tmp_path / 'journal.db'}"
    with Journal.open(store, create=True):
        pass
    assert "no sessions" in CliRunner().invoke(app, ["list", "sessions", "--store", store]).output
