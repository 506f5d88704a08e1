"""A person's seat over the API: its state, answers, and its stream of changes."""

import http.client
import json
import threading
import time
import urllib.request
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
from starlette.testclient import TestClient

from ostrom.core import Provenance
from ostrom.journal.sql import Journal
from people import PUNISHERS, answer_to
from sampling import sampled
from serving import client, sent_events, server


class Lab:
    """A server with a journal, and people who use it."""

    def __init__(self, journal: Journal, http: TestClient) -> None:
        self.journal, self.http = journal, http

    def start(self, players: list[str], **more: Any) -> dict[str, Any]:
        body = {"game": "punish", "players": players, "seed": 7, "rules": {"rounds": 1}, **more}
        reply = self.http.post("/api/games", json=body)
        assert reply.status_code == 201, reply.text
        started: dict[str, Any] = reply.json()
        return started

    def seat(self, token: str) -> dict[str, Any]:
        reply = self.http.get("/api/seat", headers={"Ostrom-Seat": token})
        assert reply.status_code == 200, reply.text
        state: dict[str, Any] = reply.json()
        return state

    def answer(self, token: str, question: str, values: Any) -> tuple[int, dict[str, Any]]:
        body = {"question": question, "values": values}
        reply = self.http.post("/api/seat/answer", json=body, headers={"Ostrom-Seat": token})
        return reply.status_code, reply.json()

    def until(self, token: str, done: Callable[[dict[str, Any]], bool]) -> dict[str, Any]:
        while not done(state := self.seat(token)):
            time.sleep(0.01)
        return state

    def asked(self, token: str, phase: str) -> dict[str, Any]:
        """The question of this phase, after all before it were answered."""
        while True:
            state = self.until(token, lambda state: state["state"] != "waiting")
            question: dict[str, Any] = state["question"]
            if question["phase"] == phase:
                return question
            status, _ = self.answer(token, question["id"], answer_to(question["answer"]))
            assert status == 200

    def kept(self) -> Any:
        """The contents of the journal."""
        rows = self.journal.games()
        return (
            self.journal.revision(),
            [self.journal.record(row.id) for row in rows],
            [self.journal.calls(row.id) for row in rows],
        )

    def kept_at_rest(self) -> Any:
        """The same, as soon as what other players decided at the same moment is kept too."""
        before = None
        while (now := self.kept()) != before:
            before = now
            time.sleep(0.1)
        return before


@pytest.fixture
def lab(tmp_path: Path) -> Iterator[Lab]:
    with Journal.open(f"sqlite:///{tmp_path}/journal.db", create=True) as journal, client(journal) as http:
        yield Lab(journal, http)
        assert http.portal is not None
        http.portal.call(http.app.state.service.host.close)  # type: ignore[attr-defined]


def one_person(lab: Lab, **more: Any) -> str:
    (seat,) = lab.start(["human", *PUNISHERS], **more)["seats"]
    token: str = seat["token"]
    return token


def test_a_person_plays_a_whole_game_over_http(lab: Lab) -> None:
    token = one_person(lab, rules={"rounds": 3})
    while (state := lab.until(token, lambda state: state["state"] != "waiting"))["state"] == "asked":
        question = state["question"]
        assert 0 < question["left"] <= question["limit"] == 300
        status, after = lab.answer(token, question["id"], answer_to(question["answer"]))
        assert (status, after["decided"][: len(state["decided"])]) == (200, state["decided"])
        assert after["version"] > state["version"]
    assert state["state"] == "over"
    assert len(state["decided"]) == 9
    result = state["result"]
    assert [one["player"] for one in result["standings"] if one["you"]] == ["human"]
    assert {one["player"] for one in result["standings"]} == {"human", *PUNISHERS}
    (row,) = lab.journal.games()
    assert (row.state, row.players[0]) == ("finished", "human")
    assert {answer.provenance for answer in lab.journal.record(row.id).answers} == {Provenance.ANSWERED}


def test_who_comes_back_to_the_page_finds_the_same_question(lab: Lab) -> None:
    token = one_person(lab)
    first = lab.asked(token, "contribution")
    again = lab.seat(token)
    assert {**again["question"], "left": 0} == {**first, "left": 0}


def test_a_missing_a_wrong_and_a_foreign_token_open_nothing(lab: Lab) -> None:
    token = one_person(lab)
    question = lab.asked(token, "contribution")
    before = lab.kept_at_rest()
    body = {"question": question["id"], "values": {"contribution": 3}}
    for headers, status in (({}, 401), ({"Ostrom-Seat": ""}, 401), ({"Ostrom-Seat": token[:-1]}, 403)):
        for reply in (
            lab.http.get("/api/seat", headers=headers),
            lab.http.get("/api/seat/live", headers=headers),
            lab.http.post("/api/seat/answer", json=body, headers=headers),
        ):
            assert reply.status_code == status
            assert set(reply.json()) == {"detail"}
    # In the address it counts for nothing.
    assert lab.http.get(f"/api/seat?token={token}&ostrom-seat={token}").status_code == 401
    assert lab.kept() == before
    assert lab.seat(token)["question"]["id"] == question["id"]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("values", "reason"),
    sampled(
        [
            ({"contribution": 21}, "21 is not allowed"),
            ({"contribution": -1}, "-1 is not allowed"),
            ({"contribution": 2.5}, "not whole"),
            ({"contribution": "3"}, "not a number"),
            ({"contribution": True}, "not a number"),
            ({"contribution": None}, "not a number"),
            ({"contribution": [3]}, "not a number"),
            ({"contribution": 10**400}, "not allowed"),
            ({"contribution": 3, "message": "and this"}, "was not asked for"),
            ({"contribution": 3, "seat": 1}, "was not asked for"),
            ({"message": "hello"}, "contribution"),
            ({"x": {"contribution": 3}}, "contribution"),
            ({}, "contribution"),
        ]
    ),
)
def test_an_answer_that_the_rules_refuse_costs_nothing_and_changes_nothing(
    lab: Lab, values: dict[str, Any], reason: str
) -> None:
    token = one_person(lab)
    question = lab.asked(token, "contribution")
    before = lab.kept_at_rest()
    status, told = lab.answer(token, question["id"], values)
    assert status == 422, told
    assert reason in told["detail"]
    assert lab.kept() == before
    state = lab.seat(token)
    assert (state["state"], state["question"]["id"]) == ("asked", question["id"])
    assert state["question"]["refused"] == told["detail"]
    status, _ = lab.answer(token, question["id"], {"contribution": 3})
    assert status == 200


@pytest.mark.parametrize(
    "body",
    sampled(
        [
            b"",
            b"{",
            b"[]",
            b"null",
            b'{"question": "1-contribution"}',
            b'{"values": {"contribution": 3}}',
            b'{"question": 1, "values": {}}',
            b'{"question": "1-contribution", "values": [3]}',
            b'{"question": "1-contribution", "values": {"contribution": 3}, "seat": 2}',
            b'{"question": "1-contribution", "values": {"contribution": NaN}}',
            b'{"question": "1-contribution", "values": ' + b'{"a":' * 5000 + b"1" + b"}" * 5000 + b"}",
        ]
    ),
)
def test_a_body_that_is_no_answer_is_refused_in_one_line(lab: Lab, body: bytes) -> None:
    token = one_person(lab)
    lab.asked(token, "contribution")
    before = lab.kept_at_rest()
    headers = {"Ostrom-Seat": token, "Content-Type": "application/json"}
    reply = lab.http.post("/api/seat/answer", content=body, headers=headers)
    assert reply.status_code in (400, 422), reply.text
    assert isinstance(reply.json()["detail"], str)
    assert "\n" not in reply.json()["detail"]
    assert lab.kept() == before


def test_a_body_of_ten_megabytes_is_refused(lab: Lab) -> None:
    token = one_person(lab)
    question = lab.asked(token, "message")
    before = lab.kept_at_rest()
    status, told = lab.answer(token, question["id"], {"message": "a" * 10_000_000})
    assert (status, set(told)) == (413, {"detail"})
    assert lab.kept() == before


def test_a_second_answer_an_old_question_and_an_answer_out_of_turn_are_refused(lab: Lab) -> None:
    started = lab.start(["human", "human", *PUNISHERS])
    first, second = (seat["token"] for seat in started["seats"])
    one, two = None, None
    while one is None or two is None:
        for token in (first, second):
            state = lab.seat(token)
            question = state["question"]
            if question is not None and question["phase"] == "contribution":
                one, two = (question, two) if token == first else (one, question)
            elif question is not None:
                lab.answer(token, question["id"], answer_to(question["answer"]))
    assert lab.answer(first, one["id"], {"contribution": 3})[0] == 200
    before = lab.kept_at_rest()
    for question in (one["id"], "1-punishment", "1-message", "", "x" * 1000):
        status, told = lab.answer(first, question, {"contribution": 4})
        assert status == 409, told
    status, told = lab.answer(second, "1-punishment", {"target": "nobody", "spend": 0})
    assert (status, told["detail"]) == (409, "another question is open now: 1-contribution")
    assert lab.kept() == before


def test_people_see_nothing_of_each_other_and_cannot_answer_for_each_other(lab: Lab) -> None:
    started = lab.start(["human", "human", *PUNISHERS])
    first, second = (seat["token"] for seat in started["seats"])
    assert first != second
    while True:
        for token in (first, second):
            state = lab.seat(token)
            question = state["question"]
            if question is not None and question["phase"] == "message":
                lab.answer(token, question["id"], {"message": ""})
        questions = [lab.seat(token)["question"] for token in (first, second)]
        if all(question is not None and question["phase"] == "contribution" for question in questions):
            break
    lab.answer(first, "1-contribution", {"contribution": 17})
    state = lab.seat(second)
    shown = json.dumps({**state, "question": {**state["question"], "left": 0}})
    assert "17" not in shown
    assert first not in shown
    assert second not in json.dumps(lab.seat(first))
    # The other one's question has the same name, and is another one.
    assert lab.answer(first, "1-contribution", {"contribution": 5})[0] == 409
    assert lab.seat(second)["state"] == "asked"
    assert not any(name in shown for name in ("human", *PUNISHERS))


def test_after_the_game_the_link_shows_the_result_and_answers_nothing(lab: Lab) -> None:
    token = one_person(lab)
    question = lab.asked(token, "punishment")
    lab.answer(token, question["id"], answer_to(question["answer"]))
    state = lab.until(token, lambda state: state["state"] == "over")
    before = lab.kept_at_rest()
    status, told = lab.answer(token, question["id"], answer_to(question["answer"]))
    assert (status, told["detail"]) == (403, "the game is over; this link shows how it ended")
    assert lab.seat(token) == state
    assert lab.kept() == before


def test_a_hostile_message_is_kept_and_told_as_a_model_would_be_told(lab: Lab) -> None:
    token = one_person(lab)
    question = lab.asked(token, "message")
    text = '<script>alert(1)</script> "quoted" \u202e \x00 \ud83d ü'
    body = json.dumps({"question": question["id"], "values": {"message": text}})
    headers = {"Ostrom-Seat": token, "Content-Type": "application/json"}
    reply = lab.http.post("/api/seat/answer", content=body, headers=headers)
    assert reply.status_code == 200
    # A half of a character can be in no file.
    assert "<script>alert(1)</script>" in reply.json()["decided"][0]
    assert "\ud83d" not in reply.text
    told = lab.asked(token, "contribution")["text"]
    assert "‹script›alert(1)‹/script›" in told
    (row,) = lab.journal.games()
    said = next(answer.value for answer in lab.journal.record(row.id).answers if answer.seat == 0)
    assert said.startswith("<script>alert(1)</script>")


def test_only_seats_are_served_where_there_is_no_laboratory(tmp_path: Path) -> None:
    with (
        Journal.open(f"sqlite:///{tmp_path}/journal.db", create=True) as journal,
        client(journal, laboratory=False) as http,
    ):
        for path in (
            "/api/games",
            "/api/experiments",
            "/api/experiments/punish-1/seats",
            "/api/lab",
            "/api/live",
            "/docs",
        ):
            assert http.get(path).status_code == 404
        assert http.post("/api/games", json={"game": "punish", "players": []}).status_code in (404, 405)
        assert http.get("/api/seat").status_code == 401


def test_nothing_is_decided_for_a_person_who_has_not_opened_the_link_yet(lab: Lab) -> None:
    token = one_person(lab, seconds=0.02)
    time.sleep(0.1)  # longer than an answer may take
    (row,) = lab.journal.games()
    assert lab.journal.calls(row.id) == []
    question = lab.seat(token)["question"]
    assert question is None or question["left"] <= question["limit"] == 0.02
    state = lab.until(token, lambda state: state["state"] == "over")
    assert "no answer came in time" in state["decided"][0]


def call(address: str, path: str, body: Any = None, token: str = "") -> Any:
    data = None if body is None else json.dumps(body).encode()
    headers = {"Ostrom-Seat": token, "Content-Type": "application/json"}
    with urllib.request.urlopen(urllib.request.Request(f"{address}{path}", data, headers)) as reply:
        return json.load(reply)


def changes(address: str, token: str) -> Iterator[dict[str, Any]]:
    """The states that the stream of a seat tells, to its end."""
    connection = http.client.HTTPConnection(urlsplit(address).netloc, timeout=600)
    connection.request("GET", "/api/seat/live", headers={"Ostrom-Seat": token})
    reply = connection.getresponse()
    assert (reply.status, reply.headers.get_content_type()) == (200, "text/event-stream")
    for name, data in sent_events(line.decode().rstrip("\n") for line in reply):
        assert name == "seat"
        yield data
    connection.close()


def test_a_person_plays_by_the_stream_while_another_window_watches(tmp_path: Path) -> None:
    with Journal.open(f"sqlite:///{tmp_path}/journal.db", create=True) as journal, server(journal) as address:
        body = {"game": "punish", "players": ["human", *PUNISHERS], "rules": {"rounds": 2}}
        (seat,) = call(address, "/api/games", body)["seats"]
        watched: list[dict[str, Any]] = []
        watching = threading.Thread(target=lambda: watched.extend(changes(address, seat["token"])))
        watching.start()
        asked = []
        for state in changes(address, seat["token"]):
            question = state["question"]
            if question is not None and question["id"] not in asked:
                asked.append(question["id"])
                values = {"question": question["id"], "values": answer_to(question["answer"])}
                call(address, "/api/seat/answer", values, seat["token"])
        watching.join()
        assert len(asked) == 6
        assert state["state"] == watched[-1]["state"] == "over"
        versions = [one["version"] for one in watched]
        assert versions == sorted(set(versions))


def test_when_the_server_ends_a_waiting_page_is_told_and_the_game_stays(tmp_path: Path) -> None:
    with Journal.open(f"sqlite:///{tmp_path}/journal.db", create=True) as journal:
        told: list[dict[str, Any]] = []
        with server(journal) as address:
            body = {"game": "punish", "players": ["human", *PUNISHERS], "rules": {"rounds": 2}}
            (seat,) = call(address, "/api/games", body)["seats"]
            opened = threading.Event()

            def watch() -> None:
                for state in changes(address, seat["token"]):
                    told.append(state)
                    if state["state"] == "asked":
                        opened.set()

            watching = threading.Thread(target=watch)
            watching.start()
            assert opened.wait(600)
        watching.join()
        assert told[-1]["state"] in ("asked", "stopped")
        (row,) = journal.games()
        assert row.state == "playing"
        assert journal.calls(row.id) == []
