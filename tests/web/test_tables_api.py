"""Tables and texts of reports over the API equal the files of a report."""

import re

import polars as pl
import pytest

from ostrom.charts import render
from ostrom.findings.report import ReportSettings, report
from ostrom.terminal.render import TerminalReporter
from studied import strict

KINDS = ["punish", "commons", "battery"]


@pytest.fixture(scope="module")
def written(address, tmp_path_factory):
    """The folders of the reports, which have no pictures and a page without a script."""
    folder = tmp_path_factory.mktemp("reports")
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(render, "svg", lambda chart, source="": "")
        patched.setattr(render, "png", lambda picture: b"")
        patched.setattr(render, "javascript", lambda: "")
        for kind in KINDS:
            report.run(address, ReportSettings(output=folder / kind, game=kind), TerminalReporter())
    return folder


@pytest.mark.parametrize("kind", KINDS)
def test_the_words_of_a_catalogue_are_the_reports(lab, written, kind):
    result = lab.get(f"/api/charts?kind={kind}").json()
    words = (written / kind / "summary.txt").read_text(encoding="utf-8").splitlines()
    # A report is made by a command, and names its options that take more games together; a page has its own ways.
    assert [result["title"], result["facts"], *result["short"]] == [
        re.sub(r" --(rules|pool) .*", "", line) for line in words
    ]


def whole(lab, name, **query):
    """A table, read page by page."""
    rows, total = [], 1
    while len(rows) < total:
        answer = lab.get(f"/api/tables/{name}", params={"offset": len(rows), "limit": 1000, **query})
        assert answer.status_code == 200
        page = strict(answer.text)
        rows, total = rows + page["rows"], page["total"]
        if not page["rows"]:
            break
    return page["columns"], rows


@pytest.mark.parametrize("kind", KINDS)
def test_every_table_has_the_values_of_the_reports_file(lab, written, kind):
    listed = lab.get(f"/api/tables?kind={kind}").json()["tables"]
    files = {path.stem: path for path in (written / kind / "tables").glob("*.parquet")}
    assert {one["name"] for one in listed} == set(files)
    for one in listed:
        expected = pl.read_parquet(files[one["name"]])
        columns, rows = whole(lab, one["name"], kind=kind)
        assert columns == one["columns"] == expected.columns
        assert len(rows) == one["rows"] == expected.height
        finite = expected.with_columns(
            pl.when(pl.col(name).is_finite()).then(pl.col(name)).alias(name)
            for name, dtype in expected.schema.items()
            if dtype.is_float()
        )
        if kind == "battery":  # where the report puts the most rational first, as we do, ties may stand either way
            assert sorted(map(str, rows)) == sorted(str(list(row)) for row in finite.iter_rows())
        else:
            assert rows == [list(row) for row in finite.iter_rows()], one["name"]
        assert one["definition"]


def test_a_table_is_read_in_pages(lab):
    first, second = (lab.get(f"/api/tables/rounds?offset={offset}&limit=10").json() for offset in (0, 10))
    together = lab.get("/api/tables/rounds?limit=20").json()
    assert first["rows"] + second["rows"] == together["rows"]
    assert (second["offset"], second["total"]) == (10, together["total"])
    beyond = lab.get("/api/tables/rounds?offset=100000").json()
    assert (beyond["rows"], beyond["total"]) == ([], together["total"])


def test_tables_show_the_players_that_are_wanted(lab):
    columns, rows = whole(lab, "seats", experiment="talk")
    player = columns.index("player")
    one = rows[0][player]
    assert whole(lab, "seats", experiment="talk", player=one)[1] == [row for row in rows if row[player] == one]
    columns, rows = whole(lab, "punishments", player=one)
    assert {row[columns.index("punisher_player")] for row in rows} <= {one}


def test_defaulted_seats_leave_the_tables(lab):
    assert lab.get("/api/tables/seats?experiment=promises").json()["total"] == 9
    assert lab.get("/api/tables/seats?experiment=promises&defaulted=seats").json()["total"] == 6


def test_where_nothing_is_left_there_are_no_tables_and_a_reason(lab):
    for query in ("experiment=empty", "kind=battery&experiment=empty", "kind=battery&player=nobody"):
        result = lab.get(f"/api/tables?{query}").json()
        assert result["tables"] == []
        assert result["reason"]
        page = lab.get(f"/api/tables/seats?{query}").json()
        assert (page["rows"], page["total"], page["reason"]) == ([], 0, result["reason"])


@pytest.mark.parametrize(
    ("path", "status"),
    [("nothing", 404), ("seats?kind=battery", 404), ("seats?limit=1001", 422), ("seats?limit=0", 422),
     ("seats?offset=-1", 422), ("seats?experiment=nowhere", 404)],
)  # fmt: skip
def test_what_there_is_not_is_refused(lab, path, status):
    assert lab.get(f"/api/tables/{path}").status_code == status
