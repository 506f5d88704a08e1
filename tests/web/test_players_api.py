"""A player's page, the names of players, and notes on games over the API."""

import pytest

from kept import commons, opened, punish
from ostrom.journal.sql import Journal
from ostrom.players.models.bots import Bot
from ostrom.web.api.players import PlayerName
from serving import client
from studied import strict


@pytest.fixture(scope="module")
def profile(lab):
    result = strict(lab.get("/api/studies").text)["studies"]
    study = next(one for one in result if one["kind"] == "punish")
    row = strict(lab.get("/api/ratings?kind=punish").text)["rows"][0]
    assert row["player"] in study["players"]
    return strict(lab.get(f"/api/players/{row['player']}?kind=punish").text)


def test_every_measure_of_players_stands_beside_the_field(lab, profile):
    board = strict(lab.get("/api/ratings?kind=punish").text)
    mean = next(one for one in profile["profile"] if one["name"] == "mean_final")
    finals = {row["player"]: row["mean_final"] for row in board["rows"]}
    assert mean["figure"]["value"] == pytest.approx(finals.pop(profile["player"]))
    assert {one["player"]: one["value"] for one in mean["others"]} == pytest.approx(finals)
    assert mean["place"] == 1 + sum(value > mean["figure"]["value"] for value in finals.values())
    assert mean["players"] == len(board["rows"])
    tables = {one["name"]: one for one in strict(lab.get("/api/tables?kind=punish").text)["tables"]}
    by_player = {name for name, one in tables.items() if {"player", "value"} <= {*one["columns"]}}
    shown = {one["name"] for one in profile["profile"]}
    assert {"mean_final", "median_final", "mean_rank"} <= shown <= by_player


def test_its_games_are_those_of_the_journal_the_best_first(lab, profile):
    games = [one for one in profile["games"] if one["final"] is not None]
    assert {profile["player"]} == {one["players"][one["seat"]] for one in games}
    finals = sorted(one["final"] for one in games)
    assert profile["best"][0]["final"] == finals[-1]
    if profile["worst"]:
        assert profile["worst"][0]["final"] == finals[0]
    assert not {one["game"] for one in profile["best"]} & {one["game"] for one in profile["worst"]}


def test_rivals_share_their_games(lab, profile):
    for rival in profile["rivals"]:
        back = strict(lab.get(f"/api/players/{rival['player']}?kind=punish").text)
        other = next(one for one in back["rivals"] if one["player"] == profile["player"])
        assert other["games"] == rival["games"] > 0
        assert other["ahead"]["value"] == pytest.approx(1 - rival["ahead"]["value"])
        assert (other["mean"], other["theirs"]) == pytest.approx((rival["theirs"], rival["mean"]))


def test_its_course_is_a_chart_that_says_where_it_comes_from(profile):
    course = profile["course"]
    assert profile["label"] in course["title"]
    assert "game" in course["source"]
    assert "Ostrom" in course["source"]


def test_a_strategy_says_what_it_does(profile):
    (described,) = profile["descriptions"]
    assert described["what"] == "strategy"
    assert described["text"]


def test_nobody_and_nothing_are_refused_in_one_line(lab):
    assert "no chosen game has a player called 'nobody'" in lab.get("/api/players/nobody?kind=punish").json()["detail"]
    assert lab.get("/api/players/nobody?kind=punish").status_code == 404
    assert lab.get("/api/players/nobody?kind=neverheard").status_code == 404


def test_a_model_is_described_as_its_experiments_set_it_up(address, lab):
    bot = Bot(name="Cooperator", model="openai:gpt-5-mini", personality="Be kind.", temperature=0.7)
    settings = {"game": "contribute_punish", "players": [{"bot": bot.model_dump(mode="json")}]}
    with Journal.open(address) as journal:
        journal.new_experiment("described", kind="punish", settings=settings)
    result = strict(lab.get("/api/players/Cooperator?kind=punish&messages=all").text)["descriptions"]
    (model,) = [one for one in result if one["what"] == "model"]
    assert model["settings"]["model"] == "openai:gpt-5-mini"
    assert model["settings"]["temperature"] == 0.7
    assert (model["personality"], model["experiments"]) == ("Be kind.", ["described"])
    assert "key_env" not in model["settings"]


def test_what_was_found_is_said_before_how(lab):
    result = strict(lab.get("/api/charts?kind=punish").text)
    assert set(result["findings"]) < set(result["short"])
    assert not any("Intervals are at 95%" in one for one in result["findings"])
    untold = ["cannot be told" in one for one in result["findings"]]
    assert untold == sorted(untold)


def test_settings_of_other_types_stop_no_page(tmp_path):
    odd = {"made": "x", "parts": 5, "tags": 5, "added": {}}
    with opened(f"sqlite:///{tmp_path}/odd.db") as journal:
        journal.add_game(journal.new_experiment("odd", kind="punish", settings=odd), punish(), key="p")
        with client(journal) as lab:
            for path in ("players/model%2F0?kind=punish", "ratings?kind=punish", "method?kind=punish", "experiments"):
                assert lab.get(f"/api/{path}").status_code == 200


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
    assert row["colour"] == seat["colour"]
    assert len({each["colour"] for each in record["seats"]}) == len(record["seats"])
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
