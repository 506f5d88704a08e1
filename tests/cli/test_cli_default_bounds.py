"""The report of a journal with defaulted answers has their bounds, in JSON, in a terminal and on the page."""

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

import ostrom
from ostrom.cli.main import app
from ostrom.testing.provider import Provider


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> str:
    url = f"sqlite:///{tmp_path_factory.mktemp('bounds')}/lab.db"
    settings = {"game": "punish", "rules": {"rounds": 1}, "seats": 3, "seed": 5, "store": url, "progress": False}
    with Provider(models=("alpha",), faults={"illegal": 0.6}, seed=3) as provider:
        model = ostrom.Bot(name="alpha", model="alpha", base_url=provider.base_url)
        players = [model, "Cooperator", "Retaliator"]
        ostrom.bench(players, games=8, name="failing", limits={"pause_at_defaults": 1}, **settings)
    ostrom.bench(["FreeRider", "Cooperator", "Retaliator"], games=2, name="legal", **settings)
    return url


def report(store: str, output: Path, *options: str) -> str:
    done = CliRunner().invoke(app, ["report", "punish", "--store", store, "-o", str(output), *options])
    assert done.exit_code == 0, done.output
    return done.stdout


@pytest.mark.slow
@pytest.mark.usefixtures("without_pictures")
def test_a_report_has_the_bounds_of_defaulted_answers(store: str, tmp_path: Path) -> None:
    told = json.loads(report(store, tmp_path, "--experiment", "failing", "--json"))["report"]
    rows = {row["measure"]: row for row in told["default_bounds"]}
    assert {row["player"] for row in rows.values()} == {"alpha"}
    given = rows["contribution_percent_pooled"]
    assert 0 <= given["low"] < given["high"] <= 1
    assert given["low"] <= given["recorded"] <= given["high"]
    assert 0 < given["defaulted_seats"] <= given["seats"] == 8
    assert "mean_final" in {measure["measure"] for measure in told["without_bounds"]}
    page = (tmp_path / "report.html").read_text()
    assert 'id="default_bounds"' in page
    assert "Manski" in page
    assert (tmp_path / "tables" / "default_bounds.csv").exists()
    frame = ostrom.Lab(store).experiments["failing"].default_bounds
    assert frame.to_dicts() == [{name: row[name] for name in frame.columns} for row in told["default_bounds"]]


@pytest.mark.slow
@pytest.mark.usefixtures("without_pictures")
def test_the_terminal_shows_the_table(store: str, tmp_path: Path) -> None:
    told = report(store, tmp_path, "--experiment", "failing")
    assert "Bounds under defaulted answers" in told
    assert "No bounds:" in told


@pytest.mark.usefixtures("without_pictures")
@pytest.mark.parametrize(
    "options",
    [
        pytest.param(("--experiment", "legal"), marks=pytest.mark.slow),
        ("--experiment", "failing", "--without-defaulted", "seats"),
    ],
)
def test_without_defaulted_answers_there_is_no_table(store: str, tmp_path: Path, options: tuple[str, ...]) -> None:
    told = json.loads(report(store, tmp_path, *options, "--json"))["report"]
    assert not {"default_bounds", "without_bounds"} & set(told)
    assert 'id="default_bounds"' not in (tmp_path / "report.html").read_text()
    assert not (tmp_path / "tables" / "default_bounds.csv").exists()


def test_results_without_defaulted_answers_have_an_empty_frame(store: str) -> None:
    frame = ostrom.Lab(store).experiments["legal"].default_bounds
    assert frame.is_empty()
    assert "low" in frame.columns
