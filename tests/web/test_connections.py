"""Limits and timeouts of connections, with a real server and raw sockets."""

import socket
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import httpx2
import pytest

from at_seats import answer_next, call
from crowds import Crowd, crowd
from ostrom.journal.sql import Journal
from ostrom.web import server
from ostrom.web.guesses import Guesses, is_weak
from ostrom.web.log import TerseLog
from ostrom.web.server import Capacity, capacity, client_of
from people import PUNISHERS
from serving import Running, running

FEW = Capacity(64, 64)


@pytest.fixture
def few(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Running]:
    """A server with room for few connections, that waits a moment for what is missing of a request."""
    monkeypatch.setattr(server, "HEAD_TIMEOUT_S", 0.3)
    monkeypatch.setattr(server, "BODY_TIMEOUT_S", 0.4)
    with Journal.open(f"sqlite:///{tmp_path}/j.db", create=True) as journal, running(journal, allowed=FEW) as one:
        yield one


def seat_of(address: str) -> str:
    """The token of the one person in a new game."""
    status, told = call(address, "/games", body={"game": "punish", "players": ["human", *PUNISHERS]})
    assert status == 201
    return str(told["seats"][0]["token"])


def ended(one: socket.socket) -> bytes:
    """All bytes until the server closes the connection."""
    one.settimeout(600)
    said = b""
    try:
        while part := one.recv(65536):
            said += part
    except ConnectionResetError:
        pass
    return said


@pytest.mark.parametrize(
    "said",
    [
        b"",
        b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nX: ",
        b"POST /api/games HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\nContent-Length: 99\r\n\r\n{",
        b"GET /api/lab HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\nGET /api/lab HTTP/1.1\r\nX: ",
    ],
    ids=["nothing", "half a head", "half a body", "half a second request"],
)
def test_a_request_that_does_not_come_to_its_end_is_not_waited_for(few: Running, said: bytes) -> None:
    with crowd(few.address) as around:
        (one,) = around.open(1, said)
        with suppress(OSError):
            while True:  # drop by drop: a byte more gives no more time
                one.send(b"x")
                time.sleep(0.02)


def test_who_comes_finds_room_although_all_places_are_taken(few: Running) -> None:
    token = seat_of(few.address)
    with crowd(few.address) as around:
        around.open(100)
        answer_next(few.address, token)
        around.open(100, b"GET /api/seat HTTP/1.1\r\nX: ")
        answer_next(few.address, token)
        assert few.app.state.connections.count <= FEW.connections


def test_streams_of_readers_and_of_one_seat_leave_room_for_others(few: Running) -> None:
    token = seat_of(few.address)
    following = f"GET /api/seat/live HTTP/1.1\r\nHost: 127.0.0.1\r\nOstrom-Seat: {token}\r\n\r\n".encode()
    with crowd(few.address) as around:
        readers = around.open(20, b"GET /api/live HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n")
        statuses = [one.recv(12) for one in readers]
        assert statuses.count(b"HTTP/1.1 200") == FEW.connections // 8
        assert statuses.count(b"HTTP/1.1 503") == 20 - FEW.connections // 8
        windows = [one.recv(12) for one in around.open(20, following)]
        assert windows.count(b"HTTP/1.1 200") == 8
        assert call(few.address, "/lab")[0] == 200
        answer_next(few.address, token)
    wait_until_none_follows(few)
    with crowd(few.address) as again:
        assert again.open(1, following)[0].recv(12) == b"HTTP/1.1 200"


def wait_until_none_follows(one: Running) -> None:
    while one.app.state.connections.count:
        time.sleep(0.02)


def test_one_client_leaves_room_for_another(tmp_path: Path) -> None:
    allowed = Capacity(40, 10)
    with Journal.open(f"sqlite:///{tmp_path}/j.db", create=True) as journal, running(journal, allowed=allowed) as one:
        around: Crowd
        with crowd(one.address) as around:
            around.open(60)
            assert call(one.address, "/lab")[0] == 200
            assert one.app.state.connections.count <= allowed.per_client


@pytest.mark.parametrize("proxy", [None, "127.0.0.1"])
def test_in_whose_name_a_proxy_asks_is_believed_of_the_one_that_was_named(tmp_path: Path, proxy: str | None) -> None:
    def status(address: str, client: str, token: str) -> int:
        headers = {"X-Forwarded-For": client, "Authorization": f"Bearer {token}"}
        return httpx2.get(f"{address}/api/lab", headers=headers).status_code

    allowed = Capacity(20, 4)
    with (
        Journal.open(f"sqlite:///{tmp_path}/j.db", create=True) as journal,
        running(journal, token="the-right-one", allowed=allowed, proxy=proxy) as one,
    ):
        guessed = [status(one.address, "192.0.2.1", "wrong") for _ in range(12)]
        assert guessed == [401] * 10 + [429] * 2
        assert status(one.address, "192.0.2.2", "the-right-one") == (429 if proxy is None else 200)
        with crowd(one.address) as around:
            around.open(10)
            while one.app.state.connections.count < (4 if proxy is None else 10):
                time.sleep(0.02)


def test_a_request_with_two_lengths_is_refused_and_nothing_behind_it_is_read(few: Running) -> None:
    smuggled = b"GET /api/lab HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n"
    said = (
        b"POST /api/games HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\n"
        b"Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n" + smuggled
    )
    with crowd(few.address) as around:
        (one,) = around.open(1, said)
        answer = ended(one)
    assert answer.startswith(b"HTTP/1.1 400")
    assert answer.count(b"HTTP/1.1") == 1


def test_the_limit_of_open_files_says_how_many_connections_there_may_be() -> None:
    assert capacity(files=1024) == Capacity(768, 384)
    assert capacity(64, files=1024).connections == 704
    assert capacity(files=160).connections == 32
    assert capacity(files=20).connections == 16
    assert capacity(files=1_000_000).connections == 4096


def test_a_client_is_an_address_or_a_network_of_sixty_four_bits() -> None:
    assert client_of(("192.0.2.7", 4000)) == client_of(("::ffff:192.0.2.7", 4001)) == "192.0.2.7"
    assert client_of(("2001:db8::1", 1)) == client_of(("2001:db8::ffff:1", 2)) != client_of(("2001:db8:0:1::1", 1))
    assert client_of(("fe80::1%eth0", 1)) == client_of(("fe80::2%eth0", 1))
    assert client_of(None) == ""


@pytest.mark.parametrize(
    "token",
    ["aaaaaaaa", "abababababab", "12345678901234", "qwertyuiop12", "passwordpassword", "password1234", "correct1", "x"],
)
def test_a_weak_token_is_one(token: str) -> None:
    assert is_weak(token)


@pytest.mark.parametrize("token", ["k01AqkM9_uqo", "rain-harbour-42-vinyl", "7f3a9c21b8", "Tr0ub4dor&3"])
def test_a_strong_token_is_none(token: str) -> None:
    assert not is_weak(token)


def test_guesses_are_looked_at_ever_more_seldom_and_who_is_in_stays_in() -> None:
    now = [0.0]
    guesses = Guesses(lambda: now[0])
    guesses.right("reader")
    assert not any(guesses.wrong("guesser") for _ in range(10))
    assert guesses.wrong("guesser")
    assert guesses.must_wait("guesser") == 6
    assert guesses.must_wait("newcomer") is None
    now[0] = 6.0
    assert guesses.must_wait("guesser") is None
    for number in range(400):
        guesses.wrong(f"guesser {number}")
    assert guesses.must_wait("newcomer") == 1
    assert guesses.must_wait("reader") is None


def test_a_line_is_said_three_times_a_minute_and_counted_beyond(capsys: pytest.CaptureFixture[str]) -> None:
    now = [0.0]
    log = TerseLog(lambda: now[0])
    for _ in range(1000):
        log.say("full", "too many")
    now[0] = 61.0
    log.say("full", "too many")
    said = capsys.readouterr().err.splitlines()
    assert said == ["ostrom: too many"] * 3 + ["ostrom: too many (997 more like this were not shown)"]
    for number in range(5000):
        log.say(f"kind {number}", "x" * 100)
    assert len(capsys.readouterr().err) < 30_000
