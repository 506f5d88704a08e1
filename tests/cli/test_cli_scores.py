"""`ostrom scores` and the battery's `ostrom report`: documents for programs, sheets for people, refusals."""

import json
import sys
from pathlib import Path

import pytest
from typer.testing import CliRunner

from kept import suspend_game
from ostrom.cli.main import app
from ostrom.core import InputError
from ostrom.games.battery.commands.scoring import folded
from ostrom.journal.sql import Journal
from ostrom.terminal.sheets import out

sys.path.append(str(Path(__file__).parents[1] / "charts"))
from battery_played import SUBJECTS, battery_records

ESTIMATE = {"value", "low", "high", "reason"}
NAMED = (
    *("rationality", "rationality_published", "delta", "err_ev", "err_eu", "penalty", "social", "altruism", "fairness"),
    *("fairness_positive", "trust", "reciprocity", "stag", "contribution", "pass", "claim", "guess", "label", "beta"),
    *("k", "m", "ccei", "loss_aversion", "ambiguity", "invalid", "refused", "minimum_acceptable"),
)


def call(*arguments):
    done = CliRunner().invoke(app, [str(argument) for argument in arguments])
    if done.exception is not None:
        raise done.exception
    return done.stdout


@pytest.fixture(scope="module")
def store(tmp_path_factory):
    url = f"sqlite:///{tmp_path_factory.mktemp('store')}/lab.db"
    with Journal.open(url, create=True) as journal:
        experiment = journal.new_experiment("all", kind="battery")
        for number, record in enumerate(battery_records()):
            journal.add_game(experiment, record, key=str(number))
        short = journal.new_experiment("short", kind="battery")
        for number, record in enumerate(battery_records(("fehr-schmidt",), ("dictator",))):
            journal.add_game(short, record, key=str(number))
        journal.new_experiment("empty", kind="battery")
    return url


@pytest.fixture(scope="module")
def rows(store):
    return json.loads(call("scores", "--store", store, "--json"))["scores"]


def test_every_score_of_every_subject_is_an_estimate_or_a_reason(rows):
    subjects = [row for row in rows if not row["human"]]
    assert {row["subject"] for row in subjects} == set(SUBJECTS)
    for row in subjects:
        for name in NAMED:
            assert set(row[name]) == ESTIMATE
            assert row[name]["value"] is not None or row[name]["reason"]


def test_the_most_rational_come_first_and_people_last(rows):
    values = [row["rationality"]["value"] for row in rows[:-2]]
    assert values == sorted(values, reverse=True)
    assert rows[-2]["subject"] == "refuser"
    assert (rows[-1]["subject"], rows[-1]["human"]) == ("people", True)


def test_the_human_row_has_sources(rows):
    people = rows[-1]
    assert people["delta"]["value"] == 0.75
    assert "Matousek" in people["delta"]["source"]
    assert (people["contribution"]["low"], people["contribution"]["high"]) == (40, 60)
    assert people["fairness"]["value"] is None
    assert people["fairness"]["reason"]


def test_a_refuser_has_no_score_and_the_reason_is_named(rows):
    refuser = next(row for row in rows if row["subject"] == "refuser")
    for name in ("rationality", "delta", "err_eu", "social", "stag", "guess", "label", "ccei"):
        assert refuser[name]["value"] is None
        assert "refused 100 %" in refuser[name]["reason"]
    assert refuser["refused"]["value"] == 1


def test_one_subject_can_be_picked(store):
    found = json.loads(call("scores", "--store", store, "--subject", "fehr-schmidt", "--json"))["scores"]
    assert [row["subject"] for row in found] == ["fehr-schmidt", "people"]
    assert found[0]["dictator"]["value"] == 50


def test_the_sheets_fit_eighty_columns_and_show_intervals_people_and_reasons(store, monkeypatch):
    monkeypatch.setattr(out, "_width", 80)
    monkeypatch.setenv("COLUMNS", str(80))  # what goes to a pipe is whole unless this says otherwise
    shown = call("scores", "--store", store)
    lines = shown.splitlines()
    assert [line for line in lines if len(line.rstrip()) > 80] == []
    for title in ("Rationality", "Social preferences", "Cooperation and depth"):
        assert any(line.startswith(title) for line in lines)
    assert sum(line.startswith("people ") for line in lines) == 3
    words = " ".join(shown.split())
    assert "refuser has no figure for score, published, δ, Err_EU or Err_EV: 100 % of the answers are invalid" in words
    assert "40–60" in shown
    assert "exponential δ .9 μ .03" in shown
    assert "…" not in shown


@pytest.mark.parametrize("width", [30, 40, 50, 60, 70])
def test_a_narrow_terminal_drops_columns_and_cuts_nothing(store, monkeypatch, width):
    monkeypatch.setattr(out, "_width", width)
    monkeypatch.setenv("COLUMNS", str(width))  # what goes to a pipe is whole unless this says otherwise
    shown = call("scores", "--store", store)
    assert "…" not in shown
    assert [line for line in shown.splitlines() if len(line.rstrip()) > width] == []
    if width <= 60:
        # What is not shown is neither explained nor cited.
        assert "reciprocity)" not in shown
        assert "Above 0:" not in shown


def test_a_wider_terminal_shows_more(store, monkeypatch):
    monkeypatch.setattr(out, "_width", 160)
    monkeypatch.setenv("COLUMNS", str(160))  # what goes to a pipe is whole unless this says otherwise
    shown = call("scores", "--store", store)
    for heading in ("penalty", "discounting", "β", "CCEI", "λ", "depth"):
        assert heading in shown


def test_long_names_are_broken_where_their_parts_join():
    assert folded("exponential:delta=0.9,noise=0.03") == "exponential:delta=0.9,\nnoise=0.03"
    assert folded("x" * 50) == "\n".join(["x" * 22, "x" * 22, "x" * 6])
    assert folded("") == "–"
    assert folded("conditional-cooperator") == "conditional-cooperator"


def test_a_journal_without_answers_and_an_unknown_subject_are_told_in_one_line(store, tmp_path):
    with pytest.raises(InputError, match="holds no answers to the battery; 'ostrom bench battery' asks for some"):
        call("scores", "--store", store, "--experiment", "empty")
    with pytest.raises(InputError, match="has no answers by 'nobody'; it has answers by exponential") as refused:
        call("scores", "--store", store, "--subject", "nobody")
    assert "\n" not in str(refused.value)
    with pytest.raises(InputError):
        call("report", "-o", tmp_path / "new", "--store", store, "--experiment", "empty", "battery")
    assert list(tmp_path.iterdir()) == []


def test_the_report_of_a_journal_with_nothing_but_the_battery_is_that_of_the_battery(store, tmp_path):
    found = json.loads(call("report", "-o", tmp_path, "--store", store, "--experiment", "short", "--json"))["report"]
    assert found["charts"] == 3 + 1
    assert "The economic battery" in Path(found["page"]).read_text(encoding="utf-8")


def test_the_battery_is_neither_compared_nor_stripped_of_defaults(store, tmp_path):
    for extra in (("--compare", "a", "b"), ("--without-defaulted", "games")):
        with pytest.raises(InputError, match="imputes no answer"):
            call("report", "-o", tmp_path, "--store", store, "battery", *extra)


def test_why_a_model_was_given_up_is_told_by_report_scores_and_page(tmp_path):
    """What its last call failed with, in one line and without what looks like a key, where its tasks do not go on."""
    url, page = f"sqlite:///{tmp_path}/lab.db", tmp_path / "report" / "report.html"
    said = "ash is unavailable: no call has succeeded for 600 s; the last one: HTTP 500: <b>out\nof order</b>"
    (answered, waiting) = battery_records(("fehr-schmidt", "random"), ("dictator",))
    with Journal.open(url, create=True) as journal:
        experiment = journal.new_experiment("all", kind="battery", planned=2)
        suspend_game(journal, experiment, waiting, f"{said} sk-{'a1B2' * 8}.")
    for command in (("scores",), ("report", "-o", page.parent)):
        with pytest.raises(InputError, match=r"1 game of battery-1 is suspended: ash is .* HTTP 500: <b>out of order"):
            call(*command, "--store", url)
    with Journal.open(url) as journal:
        journal.add_game(experiment, answered, key="1")
    (first, *_) = json.loads(call("report", "-o", page.parent, "--store", url, "--json"))["report"]["summary"]
    assert first.startswith("Missing: 1 game of battery-1 is suspended: ash is unavailable: no call")
    assert "HTTP 500: <b>out of order</b>" in first
    assert "sk-a1B2" not in first
    assert not first.endswith("..")
    assert "HTTP 500: &lt;b&gt;out of order&lt;/b&gt;" in page.read_text("utf-8")
    with pytest.raises(InputError, match="has no answers by 'random'; it has answers by fehr-schmidt; 1 game of"):
        call("scores", "--store", url, "--subject", "random")


def test_archived_experiments_are_left_out_unless_they_are_named(tmp_path):
    url = f"sqlite:///{tmp_path}/lab.db"
    with Journal.open(url, create=True) as journal:
        for name, subject in (("kept", "fehr-schmidt"), ("aside", "selfish")):
            experiment = journal.new_experiment(name, kind="battery")
            for number, record in enumerate(battery_records((subject,), ("dictator",))):
                journal.add_game(experiment, record, key=str(number))
        journal.archive("aside")
    told = [
        json.loads(call("scores", "--store", url, *more, "--json"))["scores"]
        for more in ((), ("--experiment", "aside"))
    ]
    assert [[one["subject"] for one in each] for each in told] == [["fehr-schmidt", "people"], ["selfish", "people"]]
    with Journal.open(url) as journal:
        journal.archive("kept")
    with pytest.raises(InputError, match="holds no"):
        call("scores", "--store", url)
