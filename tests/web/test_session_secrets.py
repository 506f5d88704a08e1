"""Nobody sees or acts for somebody else in a session: tokens, codes, the host's pages, and what is public."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from ostrom.journal.sql import Journal
from session_people import Refused, SimulatedPerson, Wire, all_play, joined
from session_server import SessionServer, serving_session, session_file

LABELS = [f"matriculation-{number}-9f3c" for number in range(4)]
SECRET_TEXT = "my name is in the free text"
PAGES_OF_HOSTS = ("", "/payments", "/payments.csv", "/results", "/live")


@pytest.fixture
def journal(tmp_path: Path) -> Iterator[Journal]:
    with Journal.open(f"sqlite:///{tmp_path}/journal.db", create=True) as journal:
        yield journal


@pytest.fixture
def server(journal: Journal) -> Iterator[SessionServer]:
    """A session with labels, beside the laboratory's own pages."""
    file = session_file(
        session={"join": "labels", "labels": LABELS},
        games=[{"name": "g1", "game": "contributions", "group": 4, "rules": {"rounds": 1}, "seconds": 60.0}],
        questionnaire=[{"name": "why", "text": "Why?"}],
    )
    with serving_session(journal, file, laboratory=True) as server:
        yield server


def status(server: SessionServer, path: str, body: Any = None, **headers: str) -> int:
    """The status of the reply to one request over a connection of its own."""
    wire = Wire(server.address, {name.replace("_", "-"): value for name, value in headers.items()}, keep=False)
    return wire.raw(path, body)[0]


def people_who_joined(server: SessionServer) -> list[SimulatedPerson]:
    people = [server.person(label=label, survey={"why": SECRET_TEXT}) for label in LABELS]
    for person in people:
        person.join()
    return people


def test_tokens_that_are_guessed_or_swapped_are_refused(server: SessionServer) -> None:
    one, other, *_ = people_who_joined(server)
    assert one.token is not None
    host = server.new.host_token
    assert status(server, "/participate") == 401
    assert status(server, "/host") == 401
    for guess in ("x", "person-01", one.token[:-1], one.token.swapcase(), host, f"{one.token}\u00e9"):
        assert status(server, "/participate", Ostrom_Participant=guess) in (400, 403, 429), guess
        assert status(server, "/participate/step", {"page": "text"}, Ostrom_Participant=guess) in (400, 403, 429), guess
    for page in PAGES_OF_HOSTS:
        assert status(server, f"/host{page}") == 401, page
        for guess in (one.token, server.code, host[:-1]):
            assert status(server, f"/host{page}", Ostrom_Host=guess) in (403, 429), page
    for action in ("start", "end", "pause", "replace", "renew_link"):
        body = {"action": action, "participant": other.name}
        assert status(server, "/host/act", body, Ostrom_Host=one.token) in (403, 429), action
        assert status(server, "/host/act", body, Ostrom_Participant=one.token) == 401, action
    assert server.host.state()["counts"]["joined"] == 4
    # Whoever has the right token is not locked out by the guesses of others from the same address.
    assert one.state()["participant"] == one.name


def test_a_label_brings_back_nobody_else_and_a_new_link_ends_the_old_one(server: SessionServer) -> None:
    one, other, *_ = people_who_joined(server)
    again = server.person(label=LABELS[0])
    with pytest.raises(Refused) as refused:
        again.join()
    assert refused.value.status == 409
    number = int(one.name[-2:])
    link = server.host.act("renew_link", participant=one.name)["link"]
    new = link.partition("#")[2]
    assert status(server, "/participate", Ostrom_Participant=str(one.token)) == 403
    assert status(server, "/participate", Ostrom_Participant=new) == 200
    assert number in server.live.state.participants
    assert other.state()["participant"] == other.name
    seen = json.dumps(other.state())
    assert LABELS[0] not in seen
    assert not any(token in seen for token in (new, str(one.token), str(other.token), server.new.host_token))


def test_join_codes_cannot_be_tried_one_after_another(server: SessionServer) -> None:
    wire = Wire(server.address, keep=False)
    statuses = [wire.raw(f"/participate/door/AAAA{number:02d}")[0] for number in range(40)]
    assert set(statuses) == {404, 429}
    assert statuses.count(404) <= 11
    assert status(server, f"/participate/door/{server.code}") == 429, "the right code is not tried either"
    assert status(server, "/participate/join", {"code": server.code, "label": LABELS[0]}) == 429
    assert server.host.state()["counts"]["joined"] == 0


@pytest.mark.slow
def test_labels_cannot_be_tried_one_after_another(server: SessionServer) -> None:
    wire = Wire(server.address, keep=False)
    bodies = [{"code": server.code, "label": f"matriculation-{number}"} for number in range(12)]
    statuses = [wire.raw("/participate/join", body)[0] for body in bodies]
    assert set(statuses) <= {403, 429}
    assert server.host.state()["counts"]["joined"] == 0


@pytest.mark.slow
def test_after_the_end_tokens_show_the_last_page_and_enter_nothing(server: SessionServer) -> None:
    people = people_who_joined(server)
    threads = all_play(people)
    server.host.until(lambda state: state["counts"]["in_lobby"] == 4)
    server.host.act("start")
    joined(threads)
    server.host.until(lambda state: state["session"]["state"] == "ended")
    one = people[0]
    count = len(server.live.journal.sessions.entries(server.live.id))
    question, values = one.confirmed[-1]
    for path, body in (
        ("/participate/answer", {"question": question, "values": values}),
        ("/participate/step", {"page": "text", "name": "instructions", "values": {}}),
        ("/participate/step", {"page": "questionnaire", "values": {"why": "again"}}),
        ("/participate/chat", {"text": "hello"}),
    ):
        assert status(server, path, body, Ostrom_Participant=str(one.token)) in (404, 405, 409, 422), path
    assert len(server.live.journal.sessions.entries(server.live.id)) == count
    own = Wire(server.address, {"Ostrom-Participant": str(one.token)}, keep=False)
    assert own.call("/participate")["page"]["kind"] == "outcome"
    assert_nothing_personal_is_public(server, people)


def assert_nothing_personal_is_public(server: SessionServer, people: list[SimulatedPerson]) -> None:
    """No page of the laboratory, which stands beside the session here, has labels, free texts or tokens."""
    wire = Wire(server.address, keep=False)
    experiment = server.live.experiment
    game = wire.call(f"/games?experiment={experiment}")["games"][0]["id"]
    paths = json.loads(wire.raw("/openapi.json")[1])["paths"]
    names = {"{experiment}": experiment, "{name}": experiment, "{game}": game, "{game_id}": game, "{id}": game}
    read = 0
    for path, methods in paths.items():
        own = path.removeprefix("/api")
        if "get" not in methods or own.startswith(("/host", "/participate")) or own.endswith("/live"):
            continue
        for name, value in names.items():
            own = own.replace(name, str(value))
        reply, text = wire.raw(own)
        read += reply == 200
        assert_nothing_personal(text, server, people)
    assert read >= 8
    for path in (f"/games/{game}/record", f"/games/{game}/calls", f"/experiments/{experiment}"):
        assert_nothing_personal(wire.raw(path)[1], server, people)


def assert_nothing_personal(text: str, server: SessionServer, people: list[SimulatedPerson]) -> None:
    secrets = [*LABELS, SECRET_TEXT, server.new.host_token, *(str(person.token) for person in people)]
    assert not [secret for secret in secrets if secret in text]
