"""What players are called, over the API: with every game, record and board, and changed by a call."""

import pytest

from kept import commons, opened, punish
from ostrom.charts.palette import colour_of
from ostrom.web.api.players import PlayerName
from serving import client


@pytest.fixture
def journal(tmp_path):
    with opened(f"sqlite:///{tmp_path / 'names.db'}") as journal:
        journal.add_game(journal.new_experiment("talks", kind="punish"), punish(), key="p")
        journal.add_game(journal.new_experiment("silence", kind="commons"), commons(), key="c")
        yield journal


def test_a_name_that_is_given_is_everywhere_at_once(journal):
    with client(journal) as lab:
        before = lab.get("/api/ratings?kind=punish").json()["rows"]
        assert [row["label"] for row in before] == [row["player"] for row in before]
        lab.get("/api/names")
        answer = lab.post("/api/names", json={"player": "model/1", "name": "The Second"})
        assert answer.status_code == 200
        assert answer.json()["name"] == "The Second"
        [row] = [row for row in lab.get("/api/ratings?kind=punish").json()["rows"] if row["player"] == "model/1"]
        game = lab.get("/api/games/p").json()
        record = lab.get("/api/games/p/record").json()
        names = {one["player"]: one for one in lab.get("/api/names").json()["players"]}
        table = lab.get("/api/tables/seats?kind=punish").json()
    assert row["label"] == "The Second"
    assert (game["players"][1], game["names"][1]) == ("model/1", "The Second")
    seat = record["seats"][1]
    assert (seat["player"], seat["name"], seat["colour"]) == ("model/1", "The Second", game["colours"][1])
    assert row["colour"] == seat["colour"] == colour_of("model/1", "The Second")
    assert PlayerName(**names["model/1"]).label == "The Second"
    assert table["columns"].index("name") == table["columns"].index("player") + 1


@pytest.mark.parametrize(
    ("asked", "status", "why"),
    [
        ({"player": "nobody", "name": "x"}, 404, "no player called"),
        ({"player": "model/1", "name": "model/2"}, 400, "another name"),
        ({"player": "model/1", "name": "a\nb"}, 400, "one line"),
        ({"player": "model/1"}, 422, "missing"),
    ],
)
def test_what_cannot_be_a_name_is_refused_in_one_line(journal, asked, status, why):
    with client(journal) as lab:
        answer = lab.post("/api/names", json=asked)
    assert answer.status_code == status
    assert why in answer.json()["detail"]
    assert journal.names.known().labels == {}


def test_a_lab_that_only_shows_its_journal_changes_no_name(journal, monkeypatch):
    monkeypatch.setattr("ostrom.web.service.Service.starts", False)
    with client(journal) as lab:
        assert lab.post("/api/names", json={"player": "model/1", "name": "x"}).status_code == 403
