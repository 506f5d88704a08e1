"""Notes over the API: reading, and writing with the checks of every change."""

import pytest

from kept import commons, opened
from serving import client


@pytest.fixture
def journal(store):
    with opened(store) as journal:
        journal.add_game(journal.new_experiment("one", kind="commons"), commons(turns=2), key="c")
        yield journal


def test_notes_are_written_and_read_at_once(journal):
    with client(journal) as lab:
        assert lab.get("/api/games/c/notes").json() == {"notes": [], "writable": True}
        made = lab.post("/api/games/c/notes", json={"moment": 1, "text": "look"})
        assert made.status_code == 201
        (note,) = made.json()["notes"]
        assert (note["moment"], note["text"]) == (1, "look")
        where = f"/api/games/c/notes/{note['serial']}"
        assert lab.put(where, json={"text": "look here"}).json()["notes"][0]["text"] == "look here"
        assert lab.get("/api/games/c/notes").json()["notes"][0]["text"] == "look here"
        assert lab.get("/api/games/c/record").json()["notes"][0]["text"] == "look here"
        assert lab.request("DELETE", where, headers={"Content-Type": "application/json"}).json()["notes"] == []


def test_what_cannot_be_noted_is_refused_in_one_line(journal):
    with client(journal) as lab:
        for asked, status in (
            (lab.post("/api/games/c/notes", json={"moment": 999}), 400),
            (lab.post("/api/games/nowhere/notes", json={"moment": 0}), 404),
            (lab.put("/api/games/c/notes/7", json={"text": ""}), 404),
            (lab.post("/api/games/c/notes", json={"moment": 0, "text": "x" * 4001}), 422),
        ):
            assert asked.status_code == status
            assert "\n" not in asked.json()["detail"]


def test_notes_are_guarded_like_all_that_changes_something(journal):
    with client(journal, token="a-token-that-is-long-enough-to-be-one") as lab:
        assert lab.get("/api/games/c/notes").status_code == 401
        assert lab.post("/api/games/c/notes", json={"moment": 0}).status_code == 401
    with client(journal) as lab:
        foreign = {"Origin": "http://elsewhere.example"}
        assert lab.post("/api/games/c/notes", json={"moment": 0}, headers=foreign).status_code == 403
        assert lab.post("/api/games/c/notes", content="moment=0").status_code == 415
        assert lab.delete("/api/games/c/notes/1").status_code == 415
    assert journal.notes.all() == []
