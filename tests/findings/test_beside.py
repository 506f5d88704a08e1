"""Games beside an imported study of people: whose games are used, and the differences of the designs in words."""

import json
from types import SimpleNamespace
from typing import Any

import polars as pl
import pytest
from typer.testing import CliRunner

from ostrom.cli.main import app
from ostrom.core import InputError
from ostrom.experiment.store import keep
from ostrom.findings.beside import design_sentences
from ostrom.games.contributions.play import CONTRIBUTION
from ostrom.importers import experiment_of
from ostrom.importers.studies.groups import replay_group
from ostrom.journal.open import open_journal

RUNNER = CliRunner()


def side(seats: int, *rules: dict[str, Any]) -> tuple[Any, Any]:
    """Tables and provenance with a game for each set of rules."""
    games = [game for game in range(len(rules)) for _ in range(seats)]
    entries = [{"digest": "0", "games": 1, "rules": {"version of the game": "1", **one}} for one in rules]
    return SimpleNamespace(all_seats=pl.DataFrame({"game": games})), SimpleNamespace(rules=entries)


def sentences(own: tuple[Any, Any], people: tuple[Any, Any]) -> str:
    return " ".join(design_sentences(("bots", "study"), (own[0], people[0]), (own[1], people[1])))


def test_rules_that_differ_are_named_with_their_values():
    own = side(4, {"multiplier": 1.6, "chat": False, "preset": None, "rounds": 10})
    people = side(8, *({"multiplier": 1.5 + at, "chat": at > 1, "preset": "x", "rounds": 10} for at in range(5)))
    text = sentences(own, people)
    assert text.startswith(
        "The designs differ: multiplier 1.6 in “bots”, 1.5 to 5.5 in “study”; chat off in “bots”, on (3 games) or off "
        "(2 games) in “study”; seats 4 in “bots”, 8 in “study”. Nothing was assigned at random"
    )
    assert "preset" not in text
    assert "rounds" not in text
    assert sentences(own, own).startswith("Both have the same rules and the same number of seats. ")


@pytest.mark.slow
def test_a_report_has_people_beside_the_players(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    store = f"sqlite:///{tmp_path / 'journal.db'}"
    words = "bench contributions --include FreeRider --include FullContributor --include ConditionalCooperator"
    options = ["--seats", "3", "--games", "6", "--rounds", "2", "--seed", "1", "--name", "bots", "--store", store]
    done = RUNNER.invoke(app, [*words.split(), *options])
    assert done.exit_code == 0, done.output
    arguments = ["report", "contributions", "--experiment", "bots", "--beside", "study", "-o", "report", "--json"]
    refused = RUNNER.invoke(app, [*arguments, "--store", store])
    assert isinstance(refused.exception, InputError)
    assert "the journal has no imported study of this name" in str(refused.exception)
    with open_journal(store) as journal:
        experiment = experiment_of(journal, "study", {"source": "made up"})
        for game in range(6):
            answers = {(turn, CONTRIBUTION, seat): 5 * seat + game for turn in (1, 2) for seat in range(3)}
            people = [f"person {3 * game + seat}" for seat in range(3)]
            match = replay_group({"rounds": 2, "multiplier": 2.0}, people, answers)
            keep(journal, experiment, match, str(game), source="made up")
    done = RUNNER.invoke(app, [*arguments, "--store", store])
    assert done.exit_code == 0, done.output
    report = json.loads(done.stdout)["report"]
    assert report["designs"][0].startswith("The designs differ: multiplier 1.6 in “bots”, 2 in “study”")
    assert {row["measure"] for row in report["differences"]} >= {"contribution", "group_contribution_by_round"}
