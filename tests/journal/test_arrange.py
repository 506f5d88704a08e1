"""Experiments in order: renamed, tagged, archived, deleted; and what lists and leaderboards show then."""

import json

import pytest
from sqlalchemy import func, select
from typer.testing import CliRunner

from kept import commons, opened
from ostrom.cli.main import app
from ostrom.core import InputError
from ostrom.core.errors import OstromError
from ostrom.journal.schema import metadata


@pytest.fixture
def store(tmp_path):
    """A journal with two experiments, of one and of two games."""
    url = f"sqlite:///{tmp_path / 'ostrom.db'}"
    with opened(url) as journal:
        first = journal.new_experiment("first", kind="commons")
        journal.add_game(first, commons(0, turns=2), key="a")
        second = journal.new_experiment("second", kind="commons")
        for number in (1, 2):
            journal.add_game(second, commons(number, turns=2), key=str(number))
    return url


def command(store, *words, status=0):
    done = CliRunner().invoke(app, [*words, "--store", store])
    assert done.exit_code == status, done.output
    return done.stdout


def listed(store, *words):
    return [row["id"] for row in json.loads(command(store, "status", "--json", *words))["status"]]


def test_an_experiment_is_renamed_and_keeps_its_id(store):
    assert "commons-1 is called pilot now" in command(store, "experiment", "rename", "first", "pilot")
    with opened(store) as journal:
        assert journal.experiment_id("pilot") == "commons-1"
        with pytest.raises(OstromError):
            journal.experiment_id("first")
        with pytest.raises(InputError, match="the id of another"):
            journal.rename("pilot", "commons-2")


def test_tags_choose_what_is_shown(store):
    assert "paper, final" in command(store, "experiment", "tag", "commons-2", "paper", "final")
    assert listed(store, "--tag", "paper") == ["commons-2"]
    command(store, "experiment", "tag", "commons-2", "--remove", "paper")
    assert listed(store, "--tag", "paper") == []
    with opened(store) as journal, pytest.raises(InputError, match="is not a valid tag"):
        journal.tag("commons-1", ["two\nlines"])


def test_what_is_archived_is_shown_only_where_asked_for(store):
    command(store, "experiment", "archive", "commons-2")
    assert listed(store) == ["commons-1"]
    assert listed(store, "--archived") == ["commons-1", "commons-2"]
    rated = json.loads(command(store, "ratings", "commons", "--json"))
    assert "2 games of archived experiments" in json.dumps(rated, ensure_ascii=False)
    assert command(store, "show", "commons-2.1")
    command(store, "experiment", "restore", "commons-2")
    assert listed(store) == ["commons-1", "commons-2"]


def test_what_is_deleted_leaves_nothing_behind_but_its_id(store):
    done = CliRunner().invoke(app, ["experiment", "delete", "commons-2", "--store", store])
    assert "add --yes" in str(done.exception)
    assert "deleted, with 2 games" in command(store, "experiment", "delete", "commons-2", "--yes")
    assert listed(store) == ["commons-1"]
    with opened(store) as journal:
        assert [game.id for game in journal.games()] == ["commons-1.1"]
        with pytest.raises(OstromError):
            journal.experiment_id("commons-2")
        with journal._database.reading() as connection:
            for table in metadata.sorted_tables:
                if "game" in table.c and table.name not in ("games", "tidy_tables"):
                    assert connection.execute(select(func.max(table.c.game)).select_from(table)).scalar() in (1, None)
        assert journal.check()[1] == []
        assert journal.new_experiment("third", kind="commons") == "commons-3"
