"""Games started and resumed from a page; invalid requests get one line and store nothing."""

import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient

from ostrom.core.plugins import GAMES
from ostrom.experiment.hosting import Host
from ostrom.experiment.store import enter
from ostrom.games.battery.commands.plan import BatterySettings, plan_battery
from ostrom.journal.sql import Journal
from ostrom.web.app import create_app
from ostrom.web.service import Service
from people import PUNISHERS, answer_to, game_with
from sampling import sampled
from serving import ADDRESS, client


@pytest.fixture
def journal(tmp_path: Path) -> Iterator[Journal]:
    with Journal.open(f"sqlite:///{tmp_path}/journal.db", create=True) as journal:
        yield journal


@pytest.fixture
def http(journal: Journal) -> Iterator[TestClient]:
    with client(journal) as http:
        yield http
        closed(http)


def closed(http: TestClient) -> None:
    assert http.portal is not None
    http.portal.call(http.app.state.service.host.close)  # type: ignore[attr-defined]


def asked_for(**more: Any) -> dict[str, Any]:
    return {"game": "punish", "players": ["human", *PUNISHERS], "rules": {"rounds": 1}, **more}


def test_a_started_game_has_a_link_a_person_and_is_seen_by_who_hosts(http: TestClient, journal: Journal) -> None:
    body = asked_for(players=["Cooperator", "human", "FreeRider", "human"], seed=3)
    reply = http.post("/api/games", json=body)
    assert reply.status_code == 201
    started = reply.json()
    assert [(seat["seat"], seat["label"]) for seat in started["seats"]] == [(1, "P2"), (3, "P4")]
    (row,) = journal.experiments()
    assert (row.id, row.name, row.kind, row.settings["seed"]) == (started["experiment"], started["name"], "punish", 3)
    shown = http.get(f"/api/experiments/{row.id}").json()
    assert shown["running"]
    assert [seat["token"] for seat in shown["seats"]] == [seat["token"] for seat in started["seats"]]


def test_who_hosts_sees_what_each_person_does(
    http: TestClient, journal: Journal, monkeypatch: pytest.MonkeyPatch
) -> None:
    players = ["human", "human", "FreeRider"]
    started = http.post("/api/games", json=asked_for(players=players, rules={"rounds": 1, "messages": False})).json()
    path = f"/api/experiments/{started['experiment']}/seats"

    def doing() -> list[str]:
        return [seat["state"] for seat in http.get(path).json()["seats"]]

    def held(seat: int) -> dict[str, str]:
        return {"Ostrom-Seat": started["seats"][seat]["token"]}

    assert doing() == ["unopened", "unopened"]
    assert http.get("/api/seat", headers=held(0)).json()["state"] == "asked"
    assert doing() == ["thinking", "unopened"]
    body = {"question": "1-contribution", "values": {"contribution": 3}}
    assert http.post("/api/seat/answer", json=body, headers=held(0)).status_code == 200
    assert doing() == ["answered", "unopened"]
    monkeypatch.setattr("ostrom.players.people.seat._PRESENCE_S", 0.0)
    assert doing() == ["away", "unopened"]
    assert http.get("/api/experiments/nowhere/seats").json() == {"seats": []}


def test_an_experiment_that_another_process_plays_is_not_gone_on_with(http: TestClient, journal: Journal) -> None:
    experiment = enter(game_with(["human", *PUNISHERS]), journal)
    with Journal.open(f"sqlite:///{journal.label}") as elsewhere, elsewhere.claim(experiment):
        reply = http.post(f"/api/experiments/{experiment}/resume", json={})
    assert reply.status_code == 409
    assert reply.json()["detail"] == f"{experiment} is being run by another process; wait for it, or stop it"
    assert journal.games(experiment) == []


@pytest.mark.parametrize("address", [None, "http://192.168.1.5:8000/"])
def test_the_lab_tells_where_others_find_it(journal: Journal, address: str | None) -> None:
    app = create_app(Service(journal, Host(journal), address=address), None)
    with TestClient(app, base_url=ADDRESS) as http:
        assert http.get("/api/lab").json()["address"] == address


def test_a_game_of_algorithms_is_started_and_played(http: TestClient, journal: Journal) -> None:
    reply = http.post("/api/games", json=asked_for(players=list(PUNISHERS)))
    assert (reply.status_code, reply.json()["seats"]) == (201, [])
    while journal.games()[0].state == "playing":
        time.sleep(0.01)
    assert journal.games()[0].state == "finished"


def test_a_page_starts_no_game_of_more_than_a_hundred_seats(http: TestClient, journal: Journal) -> None:
    crowd = {"game": "commons", "players": ["human", *["Pavlov"] * 100], "rules": {"turns": 1_000_000}}
    reply = http.post("/api/games", json=crowd)
    assert reply.status_code == 400
    assert "at most 100 seats" in reply.json()["detail"]
    assert journal.experiments() == []


@pytest.mark.parametrize(
    ("wrong", "reason"),
    sampled(
        [
            ({"game": "chess"}, "there is no game called 'chess'"),
            ({"game": "quotes"}, "quotes cannot be started here"),
            ({"players": []}, "at least"),
            ({"players": ["human"]}, "at least"),
            ({"players": ["human"] * 5000}, "at most"),
            ({"players": ["openai:gpt-5-mini"] * 3}, "models can be started from the command line"),
            ({"players": ["Nobody"] * 3}, "not a built-in player of punish"),
            ({"players": ["bots/frugal.json", *PUNISHERS]}, "not a built-in player of punish"),
            ({"players": ["human:2", *PUNISHERS]}, "not a built-in player of punish"),
            ({"players": ["Cooperator:3"]}, "name the player once for each seat"),
            ({"rules": {"rounds": 0}}, "invalid rules"),
            ({"rules": {"no such": 1}}, "invalid rules"),
            ({"seed": -1}, "seed"),
            ({"seed": 2**70}, "seed"),
            ({"seconds": 0}, "seconds for an answer"),
            ({"seconds": 1e9}, "seconds for an answer"),
            ({"wait": -1}, "from 0 to 86,400"),
            ({"wait": 1e9}, "from 0 to 86,400"),
            ({"players": "human"}, "list"),
            ({"extra": 1}, "extra"),
        ],
        5,
    ),
)
def test_what_cannot_be_started_is_told_and_not_entered(
    http: TestClient, journal: Journal, wrong: dict[str, Any], reason: str
) -> None:
    reply = http.post("/api/games", json=asked_for(**wrong))
    assert reply.status_code in (400, 404, 422), reply.text
    assert reason in reply.json()["detail"]
    assert journal.experiments() == []


@pytest.mark.slow
def test_every_playable_game_can_be_started_with_its_built_in_players(http: TestClient) -> None:
    # A game of another test may be registered without players.
    kinds = [kind for kind in http.get("/api/lab").json()["games"] if kind["players"]]
    assert len(kinds) >= 12
    for kind in kinds:
        game = next(game for game in GAMES.values() if game.command == kind["command"])
        seats = min(max(2, game.seats.fewest), game.seats.most)
        players = [kind["players"][0]] * seats
        rules = {"turns": 2} if game.name == "commons" else {}
        reply = http.post("/api/games", json={"game": game.command, "players": players, "rules": rules})
        assert reply.status_code == 201, (game.command, reply.text)


@pytest.mark.slow
def test_a_stopped_game_is_gone_on_with_on_another_server(journal: Journal) -> None:
    with client(journal) as http:
        started = http.post("/api/games", json=asked_for()).json()
        (seat,) = started["seats"]
        while (asked := http.get("/api/seat", headers={"Ostrom-Seat": seat["token"]}).json()["question"]) is None:
            time.sleep(0.01)
        body = {"question": asked["id"], "values": answer_to(asked["answer"])}
        assert http.post("/api/seat/answer", json=body, headers={"Ostrom-Seat": seat["token"]}).status_code == 200
        assert http.post(f"/api/experiments/{started['experiment']}/resume", json={}).status_code == 409
        closed(http)
        stopped = http.get("/api/seat", headers={"Ostrom-Seat": seat["token"]}).json()
        assert (stopped["state"], stopped["question"]) == ("stopped", None)
        assert http.post("/api/seat/answer", json=body, headers={"Ostrom-Seat": seat["token"]}).status_code == 403
    with client(journal) as http:
        path = f"/api/experiments/{started['experiment']}/resume"
        reply = http.post(path, json={})
        assert reply.status_code == 200, reply.text
        (again,) = reply.json()["seats"]
        assert again["token"] is None
        headers = {"Ostrom-Seat": seat["token"]}
        while (state := http.get("/api/seat", headers=headers).json())["state"] in ("waiting", "asked"):
            if (asked := state["question"]) is not None:
                body = {"question": asked["id"], "values": answer_to(asked["answer"])}
                assert http.post("/api/seat/answer", json=body, headers=headers).status_code == 200
        assert state["state"] == "over"
        assert len(state["decided"]) == 3
        reply = http.post(path, json={})
        assert (reply.status_code, "finished" in reply.json()["detail"]) == (400, True)
        closed(http)


@pytest.mark.slow
def test_pages_that_return_at_once_after_a_crash_find_their_seats(
    journal: Journal, monkeypatch: pytest.MonkeyPatch
) -> None:
    with client(journal) as http:
        players = ["human", "human", "human", "FreeRider"]
        seats = http.post("/api/games", json=asked_for(players=players)).json()["seats"]
        closed(http)
    read = journal.seats.experiments

    def slowly() -> dict[str, str]:
        time.sleep(0.05)  # all requests arrive while the links are read
        return read()

    monkeypatch.setattr(journal.seats, "experiments", slowly)
    with client(journal) as http, ThreadPoolExecutor(30) as pages:
        headers = [{"Ostrom-Seat": seat["token"]} for seat in seats] * 10
        replies = list(pages.map(lambda header: http.get("/api/seat", headers=header), headers))
        assert {(reply.status_code, reply.json().get("detail")) for reply in replies} == {(200, None)}
        wrong = http.get("/api/seat", headers={"Ostrom-Seat": "never-handed-out"})
        assert wrong.status_code == 403
        closed(http)


def test_a_link_stored_after_the_last_read_is_no_guess(journal: Journal) -> None:
    with client(journal) as server, client(journal) as http:
        assert server.get("/api/seat", headers={"Ostrom-Seat": "never-handed-out"}).status_code == 403
        (seat,) = http.post("/api/games", json=asked_for()).json()["seats"]
        closed(http)
        assert server.get("/api/seat", headers={"Ostrom-Seat": seat["token"]}).status_code == 200
        closed(server)


def test_only_what_no_models_play_in_is_gone_on_with_from_a_page(http: TestClient, journal: Journal) -> None:
    assert http.post("/api/experiments/nowhere/resume", json={}).status_code in (400, 404)
    models = enter(
        plan_battery(BatterySettings(subject=("openai:gpt-5-mini",), protocol="quick", task=("dictator",), seed=0)),
        journal,
    )
    reply = http.post(f"/api/experiments/{models}/resume", json={})
    assert reply.status_code == 400
    assert "models can be started from the command line" in reply.json()["detail"]
    assert journal.games(models) == []
