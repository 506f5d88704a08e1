"""Measures of a game from outside, of whole games and by player and anything: drawn, compared, published, shown, and
used by stopping rules and plans."""

import json
from pathlib import Path
from typing import ClassVar

import polars as pl
import pytest
from typer.testing import CliRunner

from ostrom.analysis.comparison import compare
from ostrom.analysis.measures import ALL_GAMES
from ostrom.analysis.selection import Selection, select_tables
from ostrom.analysis.study import Study, study_of_game
from ostrom.analysis.tables import GameTables
from ostrom.charts.catalogue import GameCharts, catalogue_of, draw_picture
from ostrom.charts.families import Cast
from ostrom.charts.forms import Section
from ostrom.charts.plain import MAX_GROUPS, plain_picture
from ostrom.charts.render import svg
from ostrom.cli.main import app
from ostrom.core import InputError
from ostrom.core.plugins import GAMES, load_file
from ostrom.experiment.stages import Rule
from ostrom.journal.sql import Journal
from serving import client

PLUGIN = Path(__file__).parents[1] / "haggling.py"
OWN = ["efficiency", "agreement", "share_by_good", "efficiency_by_good", "share_by_seat_and_good"]


@pytest.fixture(scope="module", autouse=True)
def plugin():
    return load_file(PLUGIN)


@pytest.fixture(scope="module")
def store(plugin, tmp_path_factory: pytest.TempPathFactory) -> str:
    """A journal with two experiments, of patient and of impatient players."""
    url = f"sqlite:///{tmp_path_factory.mktemp('haggling') / 'journal.db'}"
    for name, impatience in (("patient", 0.0), ("impatient", 0.4)):
        command = f"bench haggling --per-pair 3 --seed 3 --name {name} --impatience {impatience} --store {url}"
        result = CliRunner().invoke(app, ["--plugin", str(PLUGIN), *command.split()])
        assert result.exit_code == 0, result.output
    return url


@pytest.fixture(scope="module")
def tables(store: str):
    with Journal.open(store) as journal:
        selections = [Selection(experiments=(name,), game="haggling") for name in ("patient", "impatient")]
        return [select_tables(journal, selection, lambda note: None)[0] for selection in selections]


def run(*words: str) -> str:
    result = CliRunner().invoke(app, ["--plugin", str(PLUGIN), *words])
    assert result.exit_code == 0, result.output
    return result.stdout


def test_a_measure_of_games_has_one_figure_with_an_interval_within_its_range(tables):
    study = study_of_game(GAMES["haggling"])
    assert isinstance(study, Study)
    (row,) = study.measures["efficiency"].function(tables[0]).iter_rows(named=True)
    games = tables[0].context.deals.group_by("game").agg(pl.col("part").sum())
    assert row["games"] == ALL_GAMES
    assert row["n"] == tables[0].games.height
    assert row["value"] == pytest.approx(games["part"].mean())
    assert 0 <= row["low"] <= row["value"] <= row["high"] <= 1


def test_experiments_are_compared_by_a_measure_of_games(tables):
    (row,) = compare(*tables, "efficiency").iter_rows(named=True)
    assert row["games"] == ALL_GAMES
    assert row["value"] == pytest.approx(row["b"] - row["a"])
    assert row["value"] < 0


@pytest.mark.slow
def test_a_report_draws_every_measure(store: str, tmp_path: Path):
    run("report", "haggling", "--experiment", "patient", "--store", store, "-o", str(tmp_path))
    assert [name for name in OWN if not (tmp_path / "charts" / f"{name}.svg").is_file()] == []
    text = (tmp_path / "charts" / "share_by_good.svg").read_text()
    assert all(good in text for good in ("apples", "pears", "quinces"))


@pytest.mark.slow
def test_a_comparison_is_written_with_measures_of_games(store: str, tmp_path: Path):
    run("report", "haggling", "--compare", "patient", "impatient", "--store", store, "-o", str(tmp_path))
    assert (tmp_path / "charts" / "efficiency.svg").is_file()
    assert (tmp_path / "charts" / "efficiency_by_good.svg").is_file()


@pytest.mark.slow
def test_pages_show_every_measure(store: str):
    with Journal.open(store) as journal, client(journal) as pages:
        catalogue = pages.get("/api/charts?kind=haggling").json()
        shown = [chart["name"] for section in catalogue["sections"] for chart in section["charts"]]
        assert set(OWN) <= set(shown)
        for name in shown:
            assert pages.get(f"/api/charts/{name}?kind=haggling").status_code == 200
            if name in OWN:
                assert pages.get(f"/api/tables/{name}?kind=haggling").status_code == 200


@pytest.mark.slow
def test_a_site_with_every_measure_is_published(store: str, tmp_path: Path):
    run("publish", "patient", "--store", store, "-o", str(tmp_path / "site"))
    assert (tmp_path / "site" / "index.html").is_file()


def test_a_rule_may_stop_an_experiment_by_a_measure_of_games(tmp_path: Path):
    store = f"sqlite:///{tmp_path / 'until.db'}"
    words = ["bench", "haggling", "--games", "80", "--seed", "3", "--until"]
    text = run(*words, "width(efficiency) < 0.9", "--store", store)
    assert "width(efficiency) < 0.9 holds after" in " ".join(text.split())
    with pytest.raises(InputError, match="figure of games"):
        Rule.read("width(efficiency, Fair) < 0.1").check(GAMES["haggling"], ["Fair"])
    with pytest.raises(InputError, match="for each player or for all games together"):
        Rule.read("width(share_by_good) < 0.1").check(GAMES["haggling"], ["Fair"])


@pytest.mark.slow
def test_games_are_planned_for_a_measure_of_games(store: str):
    settings = {"experiment": "patient", "measure": "efficiency", "width": "0.5", "repetitions": "100", "store": store}
    words = [word for name, value in settings.items() for word in (f"--{name}", value)]
    document = json.loads(run("power", "haggling", "--json", *words))
    (plan,) = (part for part in document.values() if isinstance(part, dict))
    assert plan["games"]["value"] > 0


def test_a_measure_without_a_chart_of_its_game_is_drawn_plainly(monkeypatch: pytest.MonkeyPatch):
    study = study_of_game(GAMES["haggling"])
    assert isinstance(study, Study)
    own = plain_picture(study.measures["agreement"], "round")
    catalogue = catalogue_of(study)
    partly = type(catalogue)(study, GameCharts(sections=(Section("deals", "Deals", (own,)),)))
    assert set(partly.pictures) == set(catalogue.pictures)
    for study in (study_of_game(game) for game in GAMES.values()):
        if isinstance(study, Study):
            assert set(study.measures) <= {picture.source for picture in catalogue_of(study).pictures.values()}


def test_a_measure_of_many_groups_draws_those_with_the_most_games(tables):
    study = study_of_game(GAMES["haggling"])
    assert isinstance(study, Study)
    picture = plain_picture(study.measures["share_by_good"], "round")
    rows = [("Fair", f"good {number:03}", 1.0 * number, None, None, number) for number in range(MAX_GROUPS + 5)]
    columns = {"player": pl.String, "good": pl.String, "value": float, "low": float, "high": float, "n": pl.Int64}
    drawn = svg(picture.draw(pl.DataFrame(rows, schema=columns, orient="row"), Cast.of(["Fair"])))
    assert "good 044" in drawn
    assert "good 004" not in drawn
    assert f"The {MAX_GROUPS} of {MAX_GROUPS + 5} groups" in drawn


def test_a_measure_without_intervals_is_drawn(tables):
    study = study_of_game(GAMES["haggling"])
    assert isinstance(study, Study)
    bare = pl.DataFrame({"player": ["Fair", "Meek"], "good": ["apples", "pears"], "value": [1.0, 2.0]})
    for name in ("share_by_good", "efficiency_by_good", "mean_final", "efficiency"):
        frame = bare.with_columns(games=pl.lit(ALL_GAMES))
        drawn = svg(draw_picture(plain_picture(study.measures[name], "round"), frame, Cast.of(["Fair", "Meek"])))
        assert "95% intervals" not in drawn


def test_tables_that_actors_does_not_name_are_refused_where_they_are_defined():
    with pytest.raises(InputError, match=r"Goods\.ACTORS does not name the table 'goods': map it to the column of the"):
        type("Goods", (GameTables,), {"__annotations__": {"goods": pl.DataFrame}})
    with pytest.raises(InputError, match="the table 'goods'"):
        type("Goods", (GameTables,), {"__annotations__": {"goods": "pl.DataFrame"}, "goods": None})
    with pytest.raises(InputError, match="the table 'answers'"):
        type("Goods", (GameTables,), {"__annotations__": {"ACTORS": ClassVar}, "ACTORS": {"messages": "seat"}})
