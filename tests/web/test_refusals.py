"""Refused requests: endless bodies, path traversal, other sites, other host names, no token. Each gets a line, and
nothing changes."""

import http.client
import json
import socket

import pytest

from kept import opened, punish
from ostrom.web.middleware import HEADERS, MAX_BODY_BYTES, POLICY
from serving import client, server

TEN_MEGABYTES = 10 * 2**20
POST = "/api/games"
JSON = {"Content-Type": "application/json"}


@pytest.fixture
def journal(tmp_path):
    with opened(f"sqlite:///{tmp_path / 'journal.db'}") as journal:
        journal.add_game(journal.new_experiment("one", kind="punish"), punish(), key="k")
        yield journal


@pytest.fixture
def pages(tmp_path):
    """A folder of pages with a secret beside it."""
    folder = tmp_path / "pages"
    (folder / "assets").mkdir(parents=True)
    (folder / "index.html").write_text("<!doctype html><title>Ostrom</title>")
    (folder / "assets" / "index-abc123.js").write_text("export {}")
    (folder / "assets" / "index-abc123.css").write_text("body {}")
    (folder / "icon.svg").write_text("<svg/>")
    (tmp_path / "secret.txt").write_text("secret")
    return folder


def refused(answer, status, says):
    assert answer.status_code == status, answer.text
    assert set(answer.json()) == {"detail"}
    assert says in answer.json()["detail"]
    assert "\n" not in answer.json()["detail"]
    for name, value in HEADERS.items():
        assert answer.headers[name] == value


@pytest.mark.slow
def test_every_answer_forbids_the_browser_what_no_page_needs(journal, pages):
    with client(journal, pages=pages) as lab:
        for path in ("/", "/api/lab", "/api/nothing", "/nothing", "/docs", "/docs/reference.css", "/api/openapi.json"):
            for name, value in HEADERS.items():
                assert lab.get(path).headers[name] == value
    assert "unsafe" not in POLICY
    assert "default-src 'none'" in POLICY


def test_a_body_of_ten_megabytes_is_refused_before_it_is_read(journal):
    before = journal.revision()
    with client(journal) as lab:
        refused(lab.post(POST, content=b"x" * TEN_MEGABYTES, headers=JSON), 413, "the body is too large; 64 kB")
        refused(lab.post("/api/seat/answer", content=b"x" * TEN_MEGABYTES, headers=JSON), 413, "too large")
    assert journal.revision() == before


def test_a_body_that_does_not_say_how_long_it_is_is_cut_off(journal):
    def endless():
        for _ in range(TEN_MEGABYTES // 1024):
            yield b" " * 1024

    with client(journal) as lab:
        answer = lab.post(POST, content=endless(), headers=JSON)
    refused(answer, 413, "too large")


def test_a_body_that_is_announced_too_large_is_refused_though_nothing_of_it_comes(journal):
    with server(journal) as address:
        host, port = address.removeprefix("http://").split(":")
        with socket.create_connection((host, int(port)), timeout=600) as line:
            head = f"POST {POST} HTTP/1.1\r\nHost: {host}\r\nContent-Type: application/json\r\n"
            line.sendall(f"{head}Content-Length: {TEN_MEGABYTES}\r\n\r\n".encode())
            assert b"413" in line.recv(1000).split(b"\r\n")[0]


def test_the_largest_body_is_read(journal):
    with client(journal) as lab:
        told = json.dumps({"game": "chess", "players": ["x" * (MAX_BODY_BYTES - 100)]})
        answer = lab.post(POST, content=told, headers=JSON)
    assert answer.status_code != 413


CLIMBING = (
    "/../secret.txt",
    "/assets/../../secret.txt",
    "/%2e%2e/secret.txt",
    "/..%2fsecret.txt",
    "/assets/..%2f..%2fsecret.txt",
    "/..%5csecret.txt",
    "/..\\secret.txt",
    "//secret.txt",
    "/%2fetc/passwd",
    "//etc/passwd",
    "/assets",
    "/assets/",
    "/%00",
    "/index.html%00.js",
    "/.",
    "/api/../secret.txt",
    "/api/games/../../secret.txt",
    "/api/games/..%2f..%2fsecret.txt/record",
)


def test_a_path_that_climbs_finds_nothing(journal, pages):
    with server(journal, pages=pages) as address:
        # By hand: a client would tidy the path up.
        line = http.client.HTTPConnection(address.removeprefix("http://"), timeout=600)
        for path in CLIMBING:
            line.putrequest("GET", path, skip_accept_encoding=True)
            line.endheaders()
            answer = line.getresponse()
            told = answer.read()
            assert answer.status in (400, 404), path
            assert b"there is no" in told, path
            assert told.count(b"\n") <= 1, path
        line.close()


def test_pages_are_handed_out_with_their_types_and_hashed_ones_for_ever(journal, pages):
    with client(journal, pages=pages) as lab:
        index = lab.get("/")
        script, styles, icon = (
            lab.get(path) for path in ("/assets/index-abc123.js", "/assets/index-abc123.css", "/icon.svg")
        )
        head = lab.head("/")
        post = lab.post("/", json={})
        missing = lab.get("/nothing.js")
    assert (index.status_code, index.text) == (200, "<!doctype html><title>Ostrom</title>")
    assert index.headers["content-type"].startswith("text/html")
    assert index.headers["cache-control"] == "no-cache"
    assert script.headers["content-type"].startswith("text/javascript")
    assert styles.headers["content-type"].startswith("text/css")
    assert icon.headers["content-type"].startswith("image/svg+xml")
    assert "immutable" in script.headers["cache-control"]
    assert (head.status_code, head.content, post.status_code, missing.status_code) == (200, b"", 405, 404)


@pytest.mark.parametrize("name", ["evil.example", "evil.example:8000", "127.0.0.1.evil.example", "", "[", "0.0.0.0"])
def test_a_name_that_was_made_to_point_here_is_not_listened_to(journal, name):
    with client(journal) as lab:
        refused(lab.get("/api/lab", headers={"Host": name}), 421, "only to 127.0.0.1 and localhost")


@pytest.mark.parametrize("name", ["127.0.0.1", "localhost:8000", "LOCALHOST", "[::1]:8000"])
def test_the_names_of_this_machine_are(journal, name):
    with client(journal) as lab:
        assert lab.get("/api/lab", headers={"Host": name}).status_code == 200


def test_a_server_for_others_answers_to_any_name(journal):
    with client(journal, token="long enough", hosts=None) as lab:
        answer = lab.get("/api/lab", headers={"Host": "lab.example", "Authorization": "Bearer long enough"})
    assert answer.status_code == 200


@pytest.mark.parametrize(
    "headers",
    [
        {"Origin": "https://evil.example"},
        {"Origin": "null"},
        {"Origin": "http://127.0.0.1:9999"},
        {"Sec-Fetch-Site": "cross-site"},
        {"Sec-Fetch-Site": "same-site"},
        {"Origin": "http://["},
    ],
)
@pytest.mark.parametrize("path", [POST, "/api/experiments/one/resume", "/api/seat/answer"])
def test_a_page_of_another_site_changes_nothing(journal, headers, path):
    before = journal.revision()
    with client(journal) as lab:
        refused(lab.post(path, json={}, headers=headers), 403, "a page of another site")
    assert journal.revision() == before


def test_a_page_of_this_server_may(journal):
    with client(journal) as lab:
        own = {"Origin": "http://127.0.0.1", "Sec-Fetch-Site": "same-origin"}
        assert lab.post(POST, json={}, headers=own).status_code == 422


@pytest.mark.parametrize("kind", ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data", ""])
def test_what_a_form_of_any_page_could_send_is_not_taken(journal, kind):
    with client(journal) as lab:
        refused(lab.post(POST, content="{}", headers={"Content-Type": kind}), 415, "application/json")


@pytest.mark.slow
@pytest.mark.parametrize("path", ["/api/lab", "/api/games", "/api/games/k/record", "/api/live", "/api/openapi.json"])
@pytest.mark.parametrize(
    "given", [None, "Bearer wrong-token", "Bearer", "right-token", "Basic right-token", "Bearer right-token-and-more"]
)
def test_without_the_token_nothing_of_the_journal_is_shown(journal, path, given):
    with client(journal, token="right-token") as lab:
        headers = {} if given is None else {"Authorization": given}
        answer = lab.get(path, headers=headers)
        refused(answer, 401, "this server requires its token")
        assert answer.headers["www-authenticate"] == "Bearer"


def test_with_the_token_it_is(journal, pages):
    with client(journal, token="right-token", pages=pages) as lab:
        assert lab.get("/api/games", headers={"Authorization": "Bearer right-token"}).json()["total"] == 1
        # The pages hold nothing of the journal, and a seat has a token of its own.
        assert lab.get("/").status_code == 200
        assert lab.get("/api/seat").status_code == 401
        assert "open the link" in lab.get("/api/seat").json()["detail"]


@pytest.mark.parametrize(
    "path", ["/api/lab", "/api/games", "/api/experiments", "/api/live", "/docs", "/api/openapi.json"]
)
def test_where_people_only_take_their_seats_the_journal_is_not_shown(journal, path):
    with client(journal, laboratory=False) as lab:
        refused(lab.get(path), 404, "there is nothing at")


@pytest.mark.parametrize(
    "content", ["", "{", "[]", "null", '"game"', '{"game": 1}', '{"game": "\\ud800"}', "[" * 60_000]
)
def test_a_body_that_is_no_game_is_refused_in_one_line(journal, content):
    with client(journal) as lab:
        answer = lab.post(POST, content=content, headers=JSON)
    assert answer.status_code in (400, 422)
    assert set(answer.json()) == {"detail"}


def test_another_method_is_refused(journal):
    with client(journal) as lab:
        refused(lab.request("DELETE", "/api/games", json={}), 405, "Method Not Allowed")
        refused(lab.post("/api/lab", json={}), 405, "Method Not Allowed")


def test_a_bug_tells_nothing_of_its_inside(journal, monkeypatch, capsys):
    def broken(*_given, **_named):
        raise RuntimeError("the inside")

    monkeypatch.setattr("ostrom.web.api.games.game_page", broken)
    with client(journal) as lab:
        answer = lab.get("/api/games")
    refused(answer, 500, "internal error")
    assert "inside" not in answer.text
    told = capsys.readouterr().err
    assert "a bug at GET /api/games" in told
    assert "RuntimeError: the inside" in told


def test_a_damaged_game_is_named_and_is_no_bug(journal, tmp_path):
    import sqlite3

    with sqlite3.connect(tmp_path / "journal.db") as file:
        file.execute("UPDATE events SET payload = '{' WHERE number = 2")
    file.close()
    with client(journal) as lab:
        refused(
            lab.get("/api/games/k/record"), 422, "the game punish-1.1 of the journal cannot be read: events.2.payload"
        )


@pytest.mark.slow
def test_the_reference_of_the_api_names_every_way_to_ask(journal):
    with client(journal) as lab:
        page = lab.get("/docs")
        paths = lab.get("/api/openapi.json").json()["paths"]
    assert page.headers["content-type"].startswith("text/html")
    assert "<script" not in page.text
    assert "style=" not in page.text
    for path in paths:
        assert f"<code>{path}</code>" in page.text


def test_host_and_participants_have_addresses_of_their_own(journal, pages):
    (pages / "join").mkdir()
    (pages / "join" / "index.html").write_text("the page of participants")
    with client(journal, pages=pages) as lab:
        assert lab.get("/host").text == lab.get("/").text
        for path in ("/join", "/join/", "/join/ABC234", "/join/none.js"):
            assert lab.get(path).text == "the page of participants"
        for path in ("/join/../secret.txt", "/join/a/b", "/hosts", "/join/assets/none.js", "/other/ABC234"):
            assert lab.get(path).status_code == 404
