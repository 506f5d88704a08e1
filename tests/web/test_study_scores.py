"""The battery over the API: the scores of `ostrom scores` with paging, and a subject's card."""

import shutil

import pytest

from battery_played import battery_records
from ostrom.games.battery.charts.card import PANELS
from ostrom.games.battery.scores.table import SCORES
from ostrom.journal.sql import Journal
from serving import client
from studied import SUBJECTS, fill, printed, strict

ODD = "org/model:7b?x=1#y"


@pytest.fixture(scope="module")
def address(tmp_path_factory):
    url = f"sqlite:///{tmp_path_factory.mktemp('store')}/lab.db"
    with Journal.open(url, create=True) as journal:
        fill(journal)
        again = journal.new_experiment("again", kind="battery")
        for number, record in enumerate(battery_records(("refuser",), ("dictator",))):
            seats = [seat.model_copy(update={"player": ODD}) for seat in record.seats]
            journal.add_game(again, record.model_copy(update={"seats": seats}), key=str(number))
    return url


def figures(row):
    """A subject's scores, by name."""
    return {one["name"]: {key: one[key] for key in ("value", "low", "high", "reason")} for one in row["scores"]}


@pytest.mark.slow
def test_scores_are_those_that_the_command_prints(lab, address):
    printed_rows = {row["subject"]: row for row in printed("scores", "--store", address, "--json")["scores"]}
    result = strict(lab.get("/api/scores").text)
    # The best first, as the command has them; people are a row of their own.
    assert [row["subject"] for row in result["rows"]] == [name for name in printed_rows if name != "people"]
    assert {row["subject"] for row in result["rows"]} == {*SUBJECTS, ODD}
    assert (result["total"], result["offset"], result["reason"]) == (4, 0, None)
    for row in result["rows"]:
        expected = printed_rows[row["subject"]]
        assert figures(row) == {name: expected[name] for name in figures(row)}
        words = {one["name"]: (one["value"], one["reason"]) for one in row["words"]}
        assert words == {name: (expected[name]["value"], expected[name]["reason"]) for name in words}
        assert row["word"] == expected["label"]["value"]
    people = figures(result["people"])
    assert people["trust"]["value"] == printed_rows["people"]["trust"]["value"]
    assert people["trust"]["reason"] == printed_rows["people"]["trust"]["source"]


def test_every_score_is_described_and_given(lab):
    result = lab.get("/api/scores?limit=1").json()
    assert [column["name"] for column in result["columns"]] == [one.name for one in SCORES]
    row = result["rows"][0]
    given = {one["name"] for one in row["scores"]} | {one["name"] for one in row["words"]}
    assert given >= {column["name"] for column in result["columns"]}
    for one in row["scores"]:
        assert one["value"] is not None or one["reason"]


def test_scores_are_read_in_pages(lab):
    whole = lab.get("/api/scores").json()["rows"]
    second = lab.get("/api/scores?offset=1&limit=2").json()
    assert (second["rows"], second["total"], second["offset"]) == (whole[1:3], 4, 1)
    assert lab.get("/api/scores?offset=99").json()["rows"] == []


def test_scores_stand_in_the_order_of_any_of_them(lab):
    def sorted_by(query):
        rows = lab.get(f"/api/scores?sort=trust{query}").json()["rows"]
        return [figures(row)["trust"]["value"] for row in rows]

    falling = sorted_by("")
    known = [value for value in falling if value is not None]
    assert falling == [*sorted(known, reverse=True), *[None] * (len(falling) - len(known))]
    assert sorted_by("&order=lowest") == [*sorted(known), *[None] * (len(falling) - len(known))]
    assert lab.get("/api/scores?sort=nothing").status_code == 404


def test_people_are_among_the_subjects_where_they_are_asked_for(address, tmp_path):
    copy = tmp_path / "lab.db"
    shutil.copy(address.removeprefix("sqlite:///"), copy)
    with Journal.open(f"sqlite:///{copy}") as journal, client(journal) as lab:
        before = lab.get("/api/scores").json()
        (record,) = battery_records(("refuser",), ("dictator",))
        person = record.model_copy(update={"seats": [record.seats[0].model_copy(update={"player": "human:ann"})]})
        journal.add_game(journal.new_experiment("people", kind="battery"), person, key="1")
        result = lab.get("/api/scores").json()
        assert result["rows"] == before["rows"]
        assert result["left_out"] == ["Apart: answers by 1 person."]
        for query in ("pool=people", "experiment=people"):
            assert "human:ann" in {row["subject"] for row in lab.get(f"/api/scores?{query}").json()["rows"]}
        assert lab.get("/api/scores/human:ann").status_code == 200


def test_boards_are_not_offered_where_there_are_too_many_subjects_for_one(lab, monkeypatch):
    monkeypatch.setattr("ostrom.web.api.charts.MAX_SCORED_SUBJECTS", 3)
    result = lab.get("/api/charts?kind=battery&limit=4").json()
    assert [section["anchor"] for section in result["sections"]] == ["cards"]
    assert "4 subjects; for leaderboards choose at most 3 of them" in result["facts"]


def test_an_experiment_has_its_own_subjects(lab):
    assert [row["subject"] for row in lab.get("/api/scores?experiment=again").json()["rows"]] == [ODD]
    nobody = lab.get("/api/scores?experiment=empty").json()
    assert nobody["rows"] == []
    assert "ostrom bench battery" in nobody["reason"]


def test_a_subject_has_a_row_and_a_card(lab):
    result = strict(lab.get("/api/scores/fehr-schmidt").text)
    whole = lab.get("/api/scores").json()
    own = next(row for row in whole["rows"] if row["subject"] == "fehr-schmidt")
    assert (result["row"], result["people"]) == (own, whole["people"])
    assert result["config"]["background"] is None
    panels = [panel for row in result["chart"]["spec"]["vconcat"] for panel in row["hconcat"]]
    assert len(panels) == len(PANELS)
    assert result["chart"]["title"] == "fehr-schmidt"


def test_a_subject_may_be_called_anything(lab):
    result = lab.get("/api/scores/org%2Fmodel:7b%3Fx=1%23y")
    assert result.status_code == 200
    assert result.json()["row"]["subject"] == ODD


@pytest.mark.parametrize(
    ("path", "status"),
    [
        ("/nobody", 404),
        ("/", 404),
        ("/fehr-schmidt?experiment=again", 404),
        ("?experiment=nowhere", 404),
        ("?limit=51", 422),
        ("?offset=-1", 422),
    ],
)
def test_what_there_is_not_is_refused(lab, path, status):
    answer = lab.get(f"/api/scores{path}")
    assert answer.status_code == status
    assert answer.json()["detail"]
