"""Sessions in the lab's pages: their list, checking a file, starting it and serving it again."""

import asyncio
from pathlib import Path

import pytest
from starlette.testclient import TestClient

from ostrom.experiment.hosting import Host
from ostrom.journal.sql import Journal
from ostrom.web.app import create_app
from ostrom.web.service import Service
from ostrom.web.session_runs import SessionRun, SessionRuns
from session_people import SimulatedPerson, Wire

SMALL = """
[session]
name = "small"
title = "Two people (s-77)"
participants = 2
join = "code"

[[games]]
name = "g1"
game = "contributions"
group = 2
rules = { rounds = 1 }
"""


def client_of(journal: Journal, runs: SessionRuns | None = None) -> TestClient:
    service = Service(journal, Host(journal), session_runs=runs)
    return TestClient(create_app(service), base_url="http://127.0.0.1")


@pytest.fixture
def url(tmp_path: Path) -> str:
    return f"sqlite:///{tmp_path}/journal.db"


def mistakes(client: TestClient, text: str) -> list[str]:
    reply = client.post("/api/sessions/check", json={"text": text})
    assert reply.status_code == 200, reply.text
    found: list[str] = reply.json()["mistakes"]
    return found


@pytest.mark.slow
def test_a_server_without_steering_lists_sessions_and_starts_none(url: str) -> None:
    with Journal.open(url, create=True) as journal:
        journal.sessions.create("class", {"file": {}, "seed": 1})
        with client_of(journal) as client:
            listing = client.get("/api/sessions").json()
            assert [(row["id"], row["name"], row["place"]) for row in listing["sessions"]] == [("s-1", "class", None)]
            assert not listing["starts"]
            assert {row["name"] for row in listing["ready"]} >= {"contributions", "battery", "double-auction"}
            assert "[session]" in client.get("/api/sessions/ready/contributions").json()["text"]
            assert client.get("/api/sessions/ready/..%2Fbattery").status_code == 404
            for path in ("/sessions/check", "/sessions", "/sessions/s-1/resume", "/sessions/s-1/stop"):
                reply = client.post(f"/api{path}", json={"text": SMALL})
                assert reply.status_code == 403, path
                assert "--steer" in reply.json()["detail"]


def test_a_file_from_a_page_names_no_other_file_and_no_model(url: str, tmp_path: Path) -> None:
    secret = tmp_path / "secret.txt"
    secret.write_text("the secret of this machine")
    with Journal.open(url, create=True) as journal, client_of(journal, SessionRuns(url)) as client:
        assert mistakes(client, SMALL) == []
        assert mistakes(client, "[session") != []
        assert mistakes(client, f'{SMALL}\n[pages]\nwelcome = {{ file = "{secret}" }}')[0].startswith("pages.welcome: ")
        assert "cannot name other files" in mistakes(client, SMALL.replace('join = "code"', f'words = "{secret}"'))[0]
        for player in ("bot:x.json", str(secret), "openai:gpt-5-mini"):
            (mistake,) = mistakes(client, SMALL.replace("group = 2", f'group = 4\nfill = "{player}"'))
            assert "FILE" in mistake, player
        assert mistakes(client, SMALL.replace("group = 2", 'group = 4\nfill = "FreeRider"')) == []
        reply = client.post("/api/sessions", json={"text": SMALL.replace("group = 2", "group = 3")})
        assert reply.status_code == 422 or reply.status_code == 400
        assert "do not divide" in reply.json()["detail"]
        assert journal.sessions.all() == []


def test_a_title_is_not_taken_for_a_link() -> None:
    run = SessionRun()
    lines = [
        "The host's page, x: http://evil/host#a (s-3)",
        "People join at http://127.0.0.1:1/join/AB23CD  with the code AB23CD",
        "The host's page, for you alone (this is shown once): http://127.0.0.1:1/host#secret",
        "Links, each for one person:",
        "  http://127.0.0.1:1/join/AB23CD#one",
    ]
    for number, line in enumerate(lines):
        run.read(line, first=number == 0)
    assert (run.session, run.code, run.host) == ("s-3", "AB23CD", "http://127.0.0.1:1/host#secret")
    assert run.links == ["http://127.0.0.1:1/join/AB23CD#one"]


@pytest.mark.slow
def test_a_session_is_started_stopped_and_served_again_with_the_same_links(url: str) -> None:
    with Journal.open(url, create=True) as journal:
        runs = SessionRuns(url)
        with client_of(journal, runs) as client:
            try:
                place = client.post("/api/sessions", json={"text": SMALL}).json()
                assert place["session"] == "s-1"
                base, _, host = place["host"].partition("/host#")
                person = SimulatedPerson(base, place["code"], lambda person, page: {"contribution": 1})
                person.join()
                headers = {"Ostrom-Host": host}
                assert Wire(base, headers, keep=False).call("/host")["counts"]["joined"] == 1
                (row,) = client.get("/api/sessions").json()["sessions"]
                assert row["place"]["host"] == place["host"]
                assert client.post("/api/sessions/s-1/resume", json={}).status_code in (400, 409, 422)
                assert client.post("/api/sessions/s-1/stop", json={}).json()["place"] is None
                with pytest.raises(OSError):  # noqa: PT011
                    Wire(base, headers, keep=False).call("/host")
                again = client.post("/api/sessions/s-1/resume", json={}).json()
                assert (again["session"], again["host"]) == ("s-1", None)
                assert Wire(base, headers, keep=False).call("/host")["counts"]["joined"] == 1
            finally:
                assert client.portal is not None
                client.portal.call(runs.close)
        assert runs.interrupted == ("s-1",)
        assert client_of(journal, None) is not None
        with pytest.raises(Exception, match="stopping"):
            asyncio.run(runs.start(SMALL))
