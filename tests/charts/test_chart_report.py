"""The report is one page that fetches nothing, holds every chart and every definition, and is the same every time."""

import base64
import hashlib
import json
import re
import shutil
from html.parser import HTMLParser

import polars as pl
import pytest
from chart_tables import HOSTILE, small_tables

from measured import MEASURES, PICTURES, SECTIONS
from ostrom.analysis.leaderboard import RatedPlayer
from ostrom.analysis.rating_settings import RatingSettings
from ostrom.analysis.ratings import Placement, Rating
from ostrom.analysis.tables import without_defaulted
from ostrom.charts import render
from ostrom.charts.report import write_report
from ostrom.core import InputError
from ostrom.core.estimates import Estimate

NAMES = ("alpha", HOSTILE, "gamma")


def rated(name, mu, tier):
    """A player of the leaderboard."""
    ranks = (1, 1) if tier == 1 else (2, 3)
    place = Placement(name, tier, ranks, Estimate(0.0), None, False, behind_leader=tier > 1)
    return RatedPlayer(Rating(name, mu, 0.5, 30, 0.0), 24.0, place)


RATED = [rated(HOSTILE, 12.0, 1), rated("alpha", 11.0, 2), rated("gamma", 9.0, 2)]
SHOWN = set(PICTURES) - {"answer_times"}
"""These games have no calls, and so no answer times."""
VOID = {"meta", "img", "link", "br", "hr", "input"}


class Reader(HTMLParser):
    """Reads a page, checks that elements close in order, and collects what a test asks for."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.elements: list[tuple[str, dict]] = []
        self.scripts: list[str] = []
        self.text: list[str] = []

    def handle_starttag(self, tag, attributes):
        self.elements.append((tag, dict(attributes)))
        if tag not in VOID:
            self.open.append(tag)
        if tag == "script":
            self.scripts.append("")

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        if self.open and self.open[-1] == "script":
            self.scripts[-1] += data
        else:
            self.text.append(data)

    def attributes(self, tag, name):
        return [found[name] for kind, found in self.elements if kind == tag and name in found]


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    made = tmp_path_factory.mktemp("report")
    write_report(small_tables(NAMES), RATED, made, title="A <title>", rating=RatingSettings(7))
    return made


@pytest.fixture(scope="module")
def page(folder):
    reader = Reader()
    reader.feed((folder / "report.html").read_text(encoding="utf-8"))
    assert reader.open == []
    return reader


@pytest.mark.slow
def test_the_page_fetches_nothing(page):
    tags = {tag for tag, _ in page.elements}
    assert not tags & {"link", "iframe", "object", "embed", "base"}
    assert page.attributes("script", "src") == []
    for tag, name in (("a", "href"), ("img", "src")):
        assert not [to for to in page.attributes(tag, name) if re.match(r"[a-z]+:|//", to)]
    css = "".join(page.text)
    assert "@import" not in css
    assert "url(" not in css


@pytest.mark.slow
def test_the_policy_allows_the_scripts_of_the_page_and_no_others(page):
    policy = page.attributes("meta", "content")[0]
    assert policy.startswith("default-src 'none'; script-src 'sha256-")
    assert "unsafe-eval" not in policy
    for script in page.scripts[1:]:
        assert f"'sha256-{base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()}'" in policy
    assert len(page.scripts) == 3


def test_every_chart_is_on_the_page_and_in_the_table_of_contents(page, folder):
    ids = [found["id"] for _, found in page.elements if "id" in found]
    links = page.attributes("a", "href")
    assert len(ids) == len(set(ids))
    for name in SHOWN:
        assert name in ids
        assert f"#{name}" in links
        assert (folder / "charts" / f"{name}.svg").read_text(encoding="utf-8").startswith("<svg")
        assert (folder / "charts" / f"{name}.png").read_bytes().startswith(b"\x89PNG")
    assert {f"#{section.anchor}" for section in SECTIONS} <= set(links)
    assert {link[1:] for link in links if link.startswith("#")} <= set(ids)
    assert all((folder / link).is_file() for link in links if not link.startswith("#"))
    assert all((folder / picture).is_file() for picture in page.attributes("img", "src"))


def test_the_charts_of_the_page_are_specifications_with_data_of_their_own(page):
    data = json.loads(page.scripts[0])
    assert len(data["charts"]) == len(SHOWN)
    assert data["config"]["text"]["color"] == "currentColor"
    assert '"url"' not in page.scripts[0]
    assert all("config" not in chart["spec"] and "title" not in chart["spec"] for chart in data["charts"])


def test_every_definition_is_on_the_page(page):
    text = "".join(page.text)
    for measure in MEASURES.values():
        assert measure.definition in text
    assert "Here: 7 passes, draw probability 0.1." in text


def test_a_hostile_name_stays_text(folder, page):
    html = (folder / "report.html").read_text(encoding="utf-8")
    assert "<script>alert" not in html
    assert "A &lt;title&gt;" in html
    assert not any(tag == "b" for tag, _ in page.elements)
    assert '</script><script>alert("x")' in "".join(page.text)


def test_the_text_names_leader_tiers_intervals_and_defaulted_answers(folder):
    said = (folder / "summary.txt").read_text(encoding="utf-8")
    assert "leads the ratings with μ 12.00 ± 0.50, before alpha (11.00 ± 0.50). By order-free strength, 2 of 3" in said
    assert "2 of 3 pairs of players are told apart." in said
    assert "Not told apart from" not in said
    assert "Of 135 answers, 3 (2.22%) were defaulted" in said
    assert "Intervals have 95% confidence" in said


def test_the_tables_come_back_from_both_formats(folder):
    for name in [*MEASURES, "trueskill", "games", "seats", "rounds", "punishments", "messages"]:
        parquet = pl.read_parquet(folder / "tables" / f"{name}.parquet")
        csv = pl.read_csv(folder / "tables" / f"{name}.csv")
        assert csv.shape == parquet.shape
    seats = pl.read_parquet(folder / "tables" / "seats.parquet")
    assert seats.drop("name").equals(small_tables(NAMES).seats)


@pytest.mark.slow
def test_the_same_games_give_the_same_bytes(folder, tmp_path):
    write_report(small_tables(NAMES), RATED, tmp_path, title="A <title>", rating=RatingSettings(7))
    for path in sorted(tmp_path.rglob("*.*")):
        assert path.read_bytes() == (folder / path.relative_to(tmp_path)).read_bytes(), path.name


def test_no_games_make_no_report(tmp_path):
    nothing = without_defaulted(small_tables())
    with pytest.raises(InputError, match="no finished games"):
        write_report(nothing, [], tmp_path)


@pytest.mark.slow
def test_a_report_that_fails_leaves_everything_as_it_was(folder, tmp_path, monkeypatch):
    shutil.copytree(folder, tmp_path, dirs_exist_ok=True)
    before = {path: path.read_bytes() for path in tmp_path.rglob("*.*")}
    whole, drawn = render.png, []

    def fails(picture):
        drawn.append(picture)
        if len(drawn) > 3:
            raise ValueError("no more pictures")
        return whole(picture)

    monkeypatch.setattr(render, "png", fails)
    with pytest.raises(ValueError, match="no more pictures"):
        write_report(small_tables(("new", HOSTILE, "gamma"), games=4), [], tmp_path)
    assert {path: path.read_bytes() for path in tmp_path.rglob("*.*")} == before


@pytest.mark.slow
@pytest.mark.usefixtures("unpainted")
def test_an_old_page_does_not_stay_beside_new_charts(tmp_path):
    (tmp_path / "report.html").write_text("old")
    (tmp_path / "summary.txt").mkdir()
    with pytest.raises(InputError, match="cannot be written"):
        write_report(small_tables(), [], tmp_path)
    assert (tmp_path / "charts" / "mean_final.svg").is_file()
    assert sorted(path.name for path in tmp_path.iterdir()) == ["charts", "summary.txt", "tables"]
