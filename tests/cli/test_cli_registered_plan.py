"""`ostrom bench --file plan.toml --register`: what was planned stands in the report beside what was done."""

import json

import pytest
from commandline import answer, ostrom

FILE = """
repetitions = 120
seeds = [1]
include = ["Cooperator", "FreeRider", "Retaliator", "LeaderPunisher", "RandomGiver"]
until = "width(mean_final) < 30"
[[games]]
game = "punish"
seats = 4
[games.rules]
rounds = 2
"""
PLAN = """
[plan]
hypotheses = ["Free riders end richer than cooperators."]
measures = ["mean_final"]
[[plan.contrasts]]
measure = "mean_final"
players = ["FreeRider", "Cooperator"]
"""


@pytest.fixture
def file(tmp_path):
    path = tmp_path / "plan.toml"
    path.write_text(FILE + PLAN)
    return path


@pytest.mark.usefixtures("without_pictures")
@pytest.mark.slow
def test_the_report_marks_what_was_registered_and_what_was_changed(file, tmp_path):
    store = f"sqlite:///{tmp_path / 'plan.db'}"
    kept = json.loads(answer("bench", "--file", file, "--register", "--store", store, "--json"))["bench"]
    assert kept["stopping"]["holds"]
    assert kept["stopping"]["games"] < 120
    digest = kept["registration"]["digest"]
    folder = tmp_path / "report"
    asked = ("report", "--experiment", "plan", "-o", folder, "--store", store, "--json")
    told = json.loads(answer(*asked))["report"]
    assert told["registered"]["digest"] == digest
    assert told["registered"]["changes"] == []
    (contrast,) = told["registered"]["contrasts"]
    assert contrast["low"] < contrast["value"] < contrast["high"]
    page = (folder / "report.html").read_text()
    assert "Mean final tokens · registered" in page
    assert "Mean rank · exploration" in page
    assert digest[:16] in page
    changed = json.loads(answer(*asked, "--without-defaulted", "seats"))["report"]
    assert "seats with defaulted answers are left out" in changed["registered"]["changes"][0]


@pytest.mark.parametrize(
    ("text", "options", "told"),
    [
        (FILE + PLAN, (), "register it with --register"),
        (FILE, ("--register",), "has no plan to register"),
        (FILE + PLAN.replace('"FreeRider", "Cooperator"', '"FreeRider", "Nobody"'), ("--register",), "Nobody"),
        (FILE + PLAN.replace('["mean_final"]', '["mean_finale"]'), ("--register",), "mean_finale"),
        (FILE + PLAN.replace("hypotheses", "hopes"), ("--register",), "plan.hypotheses"),
    ],
)
def test_a_plan_that_could_not_be_analysed_is_refused(file, text, options, told):
    file.write_text(text)
    result = ostrom("bench", "--file", file, *options, folder=file.parent)
    assert (result.returncode, result.stdout) == (2, "")
    assert told in result.stderr
    assert not (file.parent / "ostrom.db").exists()
