"""Lists of games have titles and drama scores; conclusions about players are sentences with a game that shows each."""

import pytest

from studied import PLAYERS

pytestmark = pytest.mark.slow


def test_finished_games_have_titles_and_drama_scores(lab):
    page = lab.get("/api/games", params={"experiment": "promises"}).json()["games"]
    assert page
    for game in page:
        assert "promises" in game["headline"]
        assert game["drama"] > 0
        assert "a broken promise" in game["reasons"]
        head = lab.get(f"/api/games/{game['id']}").json()
        assert head["headline"] == game["headline"]


def test_games_are_sorted_by_drama(lab):
    games = lab.get("/api/games", params={"sort": "drama", "outcome": "finished", "limit": 200}).json()["games"]
    scores = [game["drama"] for game in games]
    assert scores == sorted(scores, reverse=True)
    assert len(set(scores)) > 2
    assert all(game["headline"] for game in games)


def test_a_game_that_is_not_over_has_no_title(lab):
    (game,) = lab.get("/api/games", params={"experiment": "going"}).json()["games"]
    assert (game["headline"], game["drama"], game["reasons"]) == ("", None, [])


def test_conclusions_name_a_game_of_the_player(lab):
    reply = lab.get("/api/conclusions", params={"kind": "punish", "experiment": "talk"}).json()
    assert len({item["player"] for item in reply["leading"]}) == len(reply["leading"]) <= 3
    assert bool(reply["method"]) == bool(reply["players"])
    for item in (*reply["leading"], *reply["players"]):
        assert item["text"].startswith(item["label"])
        for game in item["games"]:
            assert item["player"] in lab.get(f"/api/games/{game}").json()["players"]


def test_studies_say_what_is_played(lab):
    studies = {study["kind"]: study for study in lab.get("/api/studies").json()["studies"]}
    assert studies["punish"]["layout"] == "table"
    assert studies["commons"]["layout"] == "dashboard"
    assert "punish" in studies["punish"]["summary"]
    assert len(studies["punish"]["players"]) >= PLAYERS
