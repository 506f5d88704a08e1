"""A simulation over the API: results, charts, tables, and games played on request."""

import pytest

import ostrom
from ostrom.journal.sql import Journal
from serving import client


@pytest.fixture(scope="module")
def lab(tmp_path_factory):
    url = f"sqlite:///{tmp_path_factory.mktemp('store')}/lab.db"
    result = ostrom.sweep(
        ["alpha=0,1", "synergy=1.5,2"],
        players=["Pavlov", "Parasite"],
        rules=ostrom.CommonsRules(turns=3),
        games=2,
        seed=2**63,
    )
    assert ostrom.keep(result, url) == "simulation-1"
    with Journal.open(url, create=True) as journal:
        journal.new_experiment("games", kind="commons")
        with client(journal) as served:
            yield served


BASE = "/api/experiments/simulation-1"


def test_it_tells_what_was_found(lab):
    said = lab.get(f"{BASE}/simulation").json()
    assert (said["what"], said["game"], said["openings"], said["seed"]) == ("sweep", "commons", 4, str(2**63))
    assert {"heatmap-welfare", "indices-welfare"} <= {one["name"] for one in said["charts"]}
    chart = lab.get(f"{BASE}/charts/heatmap-welfare").json()
    assert chart["title"]
    assert all("%" not in one["text"] for one in chart["key"])
    table = lab.get(f"{BASE}/tables/points", params={"limit": 2}).json()
    assert (table["columns"][:3], len(table["rows"])) == (["point", "alpha", "synergy"], 2)


def test_a_point_opens_as_a_game(lab):
    (one,) = lab.get(f"{BASE}/openings", params={"search": "alpha 1, synergy 2"}).json()["openings"]
    record = lab.get(f"{BASE}/openings/{one['opening']}/record", params={"number": 1}).json()
    assert (record["rules"]["alpha"], record["rules"]["synergy"], record["number"]) == (1.0, 2.0, 1)
    assert record["told"]


@pytest.mark.parametrize(
    ("path", "status"),
    [
        (f"{BASE}/charts/none", 404),
        (f"{BASE}/tables/none", 404),
        (f"{BASE}/openings/4/record", 400),
        (f"{BASE}/openings/0/record?number=2", 400),
        ("/api/experiments/commons-2/simulation", 400),
        ("/api/experiments/nobody/simulation", 404),
    ],
)
def test_what_is_not_there_is_refused_in_a_line(lab, path, status):
    answer = lab.get(path)
    assert (answer.status_code, "\n" in answer.json()["detail"]) == (status, False)


def test_it_is_no_study(lab):
    assert lab.get("/api/studies").json() == {"studies": []}
