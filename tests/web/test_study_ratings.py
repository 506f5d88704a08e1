"""Leaderboards over the API: those of `ostrom ratings`, of the games that the filters choose."""

import pytest

from kept import append, finish, punish, start_game
from ostrom.journal.sql import Journal
from serving import client
from studied import PLAYERS, played, printed, strict


def rows(found):
    """The leaderboard as the command prints it."""
    named = [{**row, "name": row["player"]} for row in found["rows"]]
    page_only = ("place", "player", "label", "colour", "cells", *(["rating"] if found["method"] == "trueskill" else []))
    assert all(row["rating"] is None for row in named if "rating" in page_only)
    return [{key: row[key] for key in row if key not in page_only} for row in named]


@pytest.mark.parametrize(
    ("query", "options"),
    [
        ("", ["punish"]),
        ("?kind=commons", ["commons"]),
        ("?experiment=talk", ["--experiment", "talk"]),
        ("?experiment=silence", ["--experiment", "silence"]),
        ("?experiment=promises&defaulted=seats", ["--experiment", "promises", "--without-defaulted", "seats"]),
        ("?defaulted=games", ["punish", "--without-defaulted", "games"]),
    ],
)
def test_a_leaderboard_is_the_one_that_the_command_prints(lab, address, query, options):
    answer = lab.get(f"/api/ratings{query}")
    assert answer.status_code == 200
    result, expected = strict(answer.text), printed("ratings", *options, "--store", address, "--json")
    assert rows(result) == [
        {key: row[key] for key in row if key not in ("spread", "label")} for row in expected["ratings"]
    ]
    assert result["games"] == expected["games"]
    assert (result["passes"], result["draw_probability"]) == (expected["passes"], expected["draw_probability"])
    assert result["kind"] == expected["game"]
    assert [row["place"] for row in result["rows"]] == list(range(1, len(result["rows"]) + 1))


def test_several_experiments_are_rated_together(lab):
    both = lab.get("/api/ratings?experiment=talk&experiment=silence&pool=rules").json()
    assert (both["games"], both["rules"], both["others"]) == (12, None, [])
    assert lab.get("/api/ratings?experiment=talk&experiment=talk").json()["games"] == 6


def test_games_by_other_rules_have_a_board_of_their_own(lab):
    query = "/api/ratings?experiment=talk&experiment=silence"
    first = lab.get(query).json()
    (other,) = first["others"]
    assert first["games"] == other["games"] == 6
    assert f"messages off in place of on (rules {other['rules']})" in first["left_out"][0]
    second = lab.get(f"{query}&rules={other['rules']}").json()
    assert rows(second) == rows(lab.get("/api/ratings?experiment=silence").json())
    assert [one["rules"] for one in second["others"]] == [first["rules"]]
    assert lab.get(f"{query}&rules=none").status_code == 400


def test_messages_on_and_off_part_the_games(lab):
    on, off = (
        lab.get(f"/api/ratings?messages={which}&experiment=talk&experiment=silence").json() for which in ("on", "off")
    )
    assert rows(on) == rows(lab.get("/api/ratings?experiment=talk").json())
    assert rows(off) == rows(lab.get("/api/ratings?experiment=silence").json())


def test_nobodys_rating_changes_because_others_are_hidden(lab):
    everybody = lab.get("/api/ratings?experiment=talk").json()["rows"]
    second = everybody[1]
    result = lab.get("/api/ratings", params={"experiment": "talk", "player": [second["player"], "Nobody"]}).json()
    assert result["rows"] == [second]
    assert len(everybody) == PLAYERS


def test_what_was_left_out_is_told(lab):
    result = lab.get("/api/ratings?experiment=promises&defaulted=seats").json()
    assert result["left_out"][0].startswith("Left out for defaulted answers: 3 of 9 seats")


@pytest.mark.parametrize(
    ("query", "reason"),
    [
        ("?experiment=empty", "The experiment empty has no finished games of Contribute & Punish"),
        ("?experiment=empty&experiment=commons", "The choice of 2 experiments has no finished games"),
        ("?kind=commons&messages=on", "None of the 5 chosen games was played with messages."),
        ("?experiment=silence&messages=on", "None of the 6 chosen games was played with messages."),
        ("?experiment=promises&defaulted=games", "Every game of the experiment promises has a defaulted answer"),
        ("?player=Nobody", "None of the players to be shown has a rating in these games."),
        ("?kind=commons&experiment=going", "The experiment going has no finished games of the Commons"),
    ],
)
def test_where_nothing_is_left_the_answer_is_empty_and_says_why(lab, query, reason):
    answer = lab.get(f"/api/ratings{query}")
    assert answer.status_code == 200
    assert answer.json()["rows"] == []
    assert any(line.startswith(reason) for line in answer.json()["left_out"])


def test_where_nothing_is_left_the_boards_by_other_rules_are_still_named(tmp_path):
    with Journal.open(f"sqlite:///{tmp_path}/lab.db", create=True) as journal:
        defaulted = journal.new_experiment("defaulted", kind="punish")
        for number in range(3):
            journal.add_game(defaulted, punish(number), key=f"p{number}")
        talk = journal.new_experiment("talk", kind="punish")
        for key, record in played(True)[:2]:
            journal.add_game(talk, record, key=key)
        with client(journal) as lab:
            result = lab.get("/api/ratings?defaulted=games").json()
            (other,) = result["others"]
            second = lab.get(f"/api/ratings?defaulted=games&rules={other['rules']}").json()
    assert (result["rows"], other["games"]) == ([], 2)
    assert second["rows"]


@pytest.mark.parametrize(
    ("query", "status"),
    [
        ("?experiment=nowhere", 404),
        ("?kind=chess", 404),
        ("?kind=battery", 400),
        ("?messages=loud", 422),
        ("?defaulted=never", 422),
        ("?player=" + "x" * 2000, 422),
    ],
)
def test_a_filter_that_means_nothing_is_refused_in_one_line(lab, query, status):
    answer = lab.get(f"/api/ratings{query}")
    assert answer.status_code == status
    assert len(answer.json()["detail"].splitlines()) == 1


def test_every_study_with_a_finished_game_is_listed_with_what_it_can_be_filtered_by(lab):
    result = {one["kind"]: one for one in lab.get("/api/studies").json()["studies"]}
    assert list(result) == ["punish", "commons", "battery"]
    assert result["punish"]["games"] == 15
    assert [(one["name"], one["games"]) for one in result["punish"]["experiments"]] == [
        ("talk", 6),
        ("silence", 6),
        ("promises", 3),
    ]
    assert result["punish"]["messages"] is True
    assert result["commons"]["players"] == ["Parasite", "Pavlov", "RandomPlayer", "TitForTat"]
    assert result["commons"]["messages"] is False
    assert result["battery"]["players"] == ["exponential:delta=0.9,noise=0.03", "fehr-schmidt", "refuser"]


def test_a_game_that_ends_changes_the_leaderboard_and_one_that_goes_on_does_not(tmp_path):
    with Journal.open(f"sqlite:///{tmp_path}/lab.db", create=True) as journal:
        experiment = journal.new_experiment("talk", kind="punish")
        for key, record in played(True)[:4]:
            journal.add_game(experiment, record, key=key)
        with client(journal) as lab:
            first = lab.get("/api/ratings")
            key, record = played(True)[4]
            game = start_game(journal, experiment, record.model_copy(update={"answers": [], "events": []}), key=key)
            lab.app.state.service.revision._until = float("-inf")
            assert lab.get("/api/ratings").headers["etag"] == first.headers["etag"]
            append(journal, game, record.answers, record.events)
            finish(journal, game)
            lab.app.state.service.revision._until = float("-inf")
            assert lab.get("/api/ratings").json()["games"] == 5
            assert lab.get("/api/ratings?experiment=talk").json()["rows"] != first.json()["rows"]
