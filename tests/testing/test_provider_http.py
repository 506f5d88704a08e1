"""The test provider implements HTTP/1.1 with many concurrent connections, and counts requests."""

import json
import socket
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from provider_client import chat, connect, get, post, wait_until_in_flight

from ostrom.core import InputError
from ostrom.testing.provider import Provider
from ostrom.testing.provider.__main__ import main
from provider_process import provider_process


def exchange(base_url: str, *parts: bytes) -> bytes:
    """Send the parts, one after another, and read until the other side closes."""
    where = urlsplit(base_url)
    with socket.create_connection((where.hostname, where.port), timeout=600) as wire:
        for part in parts:
            wire.sendall(part)
        heard = b""
        while more := wire.recv(65536):
            heard += more
        return heard


def raw(document: object, *headers: str) -> bytes:
    body = json.dumps(document).encode()
    head = ["POST /v1/chat/completions HTTP/1.1", "Host: here", f"Content-Length: {len(body)}", *headers]
    return "\r\n".join(head).encode() + b"\r\n\r\n" + body


def test_one_connection_serves_many_requests() -> None:
    with Provider() as provider:
        connection = connect(provider.base_url)
        connection.connect()
        port = connection.sock.getsockname()[1]
        for number in range(5):
            assert post(provider.base_url, chat(str(number)), connection=connection).status == 200
            assert connection.sock.getsockname()[1] == port
        connection.close()


def test_pipelined_requests_are_answered_in_order() -> None:
    with Provider(delay=0.01) as provider:
        last = raw(chat("c", model="third"), "Connection: close")
        heard = exchange(provider.base_url, raw(chat("a", model="first")) + raw(chat("b", model="second")) + last)
    places = [heard.index(model) for model in (b'"first"', b'"second"', b'"third"')]
    assert places == sorted(places)
    assert heard.count(b"HTTP/1.1 200 OK") == 3


def test_a_request_may_arrive_in_parts() -> None:
    whole = raw(chat("x"), "Connection: close")
    with Provider() as provider:
        heard = exchange(provider.base_url, whole[:10], whole[10:50], whole[50:])
    assert heard.startswith(b"HTTP/1.1 200 OK\r\n")


def test_a_client_that_expects_100_continue() -> None:
    head, end, body = raw(chat("x"), "Expect: 100-continue", "Connection: close").partition(b"\r\n\r\n")
    with Provider() as provider:
        address = urlsplit(provider.base_url)
        with socket.create_connection((address.hostname, address.port), timeout=600) as wire:
            wire.sendall(head + end)
            assert wire.recv(100) == b"HTTP/1.1 100 Continue\r\n\r\n"
            wire.sendall(body)
            assert wire.recv(100).startswith(b"HTTP/1.1 200 OK\r\n")


@pytest.mark.parametrize(
    ("sent", "status"),
    [
        (b"POST /v1/chat/completions HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n", b"411"),
        (b"POST /v1/chat/completions HTTP/1.1\r\nContent-Length: -1\r\n\r\n", b"400"),
        (b"POST /v1/chat/completions HTTP/1.1\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n{}", b"400"),
        (b"POST /v1/chat/completions HTTP/1.1\r\nContent-Length: 99999999999\r\n\r\n", b"413"),
        (b"hello\r\n\r\n", b"400"),
        (b"GET / HTTP/3\r\n\r\n", b"505"),
        (b"GET /v1/models HTTP/1.1\r\nno colon\r\n\r\n", b"400"),
        (b"GET /" + b"x" * 70_000, b"431"),
    ],
)
def test_an_unsupported_request_is_refused_and_the_connection_closed(sent: bytes, status: bytes) -> None:
    with Provider() as provider:
        heard = exchange(provider.base_url, sent)
        assert heard.startswith(b"HTTP/1.1 " + status)
        assert heard.count(b"Connection: close") == 1


@pytest.mark.parametrize(
    "document",
    [
        b"{",
        b"\xff",
        [],
        {"messages": [{"role": "user", "content": "x"}]},
        {"model": "m"},
        {"model": "m", "messages": []},
        {"model": "m", "messages": ["x"]},
        chat("x", stream=True),
        chat("x", response_format={"type": "json_schema"}),
        chat("x", schema={"type": "object", "properties": {"a": {"$ref": "#/$defs/A"}}}),
    ],
)
def test_bad_requests_are_refused_and_counted_separately(document: object) -> None:
    with Provider() as provider:
        heard = post(provider.base_url, document)
        assert heard.status == 400
        assert heard.body["error"]["message"].startswith("the request cannot be read")
        account = provider.account()
    assert (account["requests"], account["bad_requests"], account["in_flight"]) == (0, 1, 0)


def test_models_are_listed_and_others_are_not_there() -> None:
    with Provider(models=("a", "b")) as provider:
        listed = get(provider.base_url, "/v1/models").body["data"]
        assert [model["id"] for model in listed] == ["a", "b"]
        assert post(provider.base_url, chat("x", model="c")).status == 404
        assert get(provider.base_url, "/v1/nothing").status == 404
        assert get(provider.base_url, "/v1/chat/completions").status == 405


def test_concurrent_requests_are_answered_concurrently(tmp_path: Path) -> None:
    log = tmp_path / "log.jsonl"
    with Provider(delay=0.3, log=log) as provider, ThreadPoolExecutor(40) as pool:

        def ask(number: int) -> int:
            return post(provider.base_url, chat(str(number)), f"game/{number}").status

        assert list(pool.map(ask, range(40))) == [200] * 40
        account = provider.account()
    assert account["requests"] == account["answered"] == 40
    assert account["in_flight"] == 0
    assert account["peak"] > 1
    lines = [json.loads(line) for line in log.read_text().splitlines()]
    assert {line["id"] for line in lines} == {f"game/{number}" for number in range(40)}
    assert all(line["fault"] is None and not line["gone"] and line["duration"] >= 0.29 for line in lines)
    assert len({line["digest"] for line in lines}) == 40


def test_a_client_that_disconnects_early_is_counted_as_abandoned(tmp_path: Path) -> None:
    log = tmp_path / "log.jsonl"
    with Provider(delay=600, log=log) as provider:
        connections = [connect(provider.base_url) for _ in range(2)]
        for number, connection in enumerate(connections):
            connection.request("POST", "/v1/chat/completions", json.dumps(chat("x")))
            wait_until_in_flight(provider, number + 1)
        connections[0].close()
    account = provider.account()
    connections[1].close()
    assert (account["requests"], account["answered"], account["abandoned"]) == (2, 0, 2)
    assert [json.loads(line)["gone"] for line in log.read_text().splitlines()] == [True, True]


def test_prompts_are_kept_only_on_request() -> None:
    with Provider(keep=True) as provider:
        post(provider.base_url, chat("x"), "punish-3.17/2/contribution/P4/1")
        found = get(provider.base_url, "/_prompts?id=punish-3.17%2F2%2Fcontribution%2FP4%2F1").body
        assert found["requests"][0]["messages"] == [{"role": "user", "content": "x"}]
        assert provider.prompts("punish-3.17/2/contribution/P4/1") == found["requests"]
        assert get(provider.base_url, "/_prompts").body == {"ids": ["punish-3.17/2/contribution/P4/1"]}
    with Provider() as provider:
        post(provider.base_url, chat("x"), "game/1")
        assert get(provider.base_url, "/_prompts?id=game/1").status == 404


def test_as_a_process_of_its_own(tmp_path: Path) -> None:
    log = tmp_path / "log.jsonl"
    with provider_process("--fault", "500=1", "--keep", "--log", log) as provider:
        assert post(provider.base_url, chat("x"), "game/1").status == 500
        assert provider.account()["faults"] == {"500": 1}
        assert provider.prompts("game/1")[0]["fault"] == "500"
    assert provider.process.returncode == 0
    assert json.loads(log.read_text())["fault"] == "500"


def test_a_port_that_is_taken(capsys: pytest.CaptureFixture[str]) -> None:
    with Provider() as provider:
        port = urlsplit(provider.base_url).port
        assert port is not None
        with pytest.raises(InputError, match="cannot listen on port"), Provider(port=port):
            pass
        assert main(["--port", str(port)]) == 2
    assert capsys.readouterr().err.count("\n") == 1
