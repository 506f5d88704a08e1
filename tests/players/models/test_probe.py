"""What is looked at before any game, and what `ostrom doctor` can say."""

import asyncio
import json
import socket
import threading
from contextlib import contextmanager, suppress

import pytest
from wire_server import http, serving

from ostrom.core import InputError
from ostrom.players.models import probe
from ostrom.players.models.bots import Bot
from ostrom.players.models.keys import allow
from ostrom.players.models.probe import check, survey

SECRET = "recognisable-secret-0123456789"
LISTED = {"object": "list", "data": [{"id": "tiny", "owned_by": "somebody"}, {"id": "small"}]}


@contextmanager
def running(*answers):
    """A server in a thread of its own, as the probe waits for its answer."""
    started, over, box = threading.Event(), asyncio.Event(), []

    async def main():
        async with serving(*answers) as server:
            box.extend([asyncio.get_running_loop(), server])
            started.set()
            await over.wait()

    thread = threading.Thread(target=asyncio.run, args=(main(),))
    thread.start()
    started.wait()
    try:
        yield box[1]
    finally:
        box[0].call_soon_threadsafe(over.set)
        thread.join()


def bot(url, model="tiny", **fields):
    return Bot(name="b", model=model, base_url=url, **fields)


def test_a_server_that_has_the_model_passes():
    with running(http(200, LISTED)) as server:
        check([bot(server.url), bot(server.url, "openai-chat:small"), bot(server.url)])
        assert [asked.path for asked in server.asked] == ["/v1/models"], "each place is asked once"


def test_a_model_that_the_server_does_not_have_is_named():
    with (
        running(http(200, LISTED)) as server,
        pytest.raises(InputError, match="has no model 'huge'; it has small, tiny"),
    ):
        check([bot(server.url, "huge")])


@pytest.mark.parametrize(
    "answer",
    [
        http(404, {"error": "no"}),
        http(401, {"error": "no"}),
        http(500, b"oh"),
        http(200, b"hello"),
        http(200, [1]),
        http(200, b"[" * 200_000),
        http(200, b'{"data": ' + b"[" * 5_000 + b"]" * 5_000 + b"}"),
        http(200, {"data": []}),
        http(200, {"data": [{"id": "model.gguf", "owned_by": "llamacpp"}]}),
    ],
)
def test_any_answer_shows_that_a_server_is_there(answer):
    with running(answer) as server:
        check([bot(server.url, "whatever")])


def test_a_server_that_is_not_there_is_an_error_before_any_game():
    with socket.socket() as held:
        held.bind(("127.0.0.1", 0))
        url = f"http://127.0.0.1:{held.getsockname()[1]}/v1"
        with pytest.raises(InputError, match=r"no server answers at http://127\.0\.0\.1") as error:
            check([bot(url)])
        assert "\n" not in str(error.value)
    with running(None) as server, pytest.raises(InputError, match="no server answers"):
        check([bot(server.url)])


def test_the_survey_names_keys_and_shows_none(monkeypatch, tmp_path):
    monkeypatch.setenv("OSTROM_BOTS", str(tmp_path))
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    monkeypatch.setenv("OPENAI_API_KEY", SECRET)
    monkeypatch.setenv("HOUSE_PASS", SECRET)
    monkeypatch.delenv("GROQ_API_KEY", raising=False)
    (tmp_path / "broken.json").write_text("{")
    with running(http(200, LISTED)) as server, socket.socket() as held:
        held.bind(("127.0.0.1", 0))
        down = f"http://127.0.0.1:{held.getsockname()[1]}/v1"
        (tmp_path / "up.json").write_text(
            json.dumps({"model": "tiny", "base_url": server.url, "key_env": "HOUSE_PASS"})
        )
        (tmp_path / "down.json").write_text(json.dumps({"model": "tiny", "base_url": down}))
        allow("HOUSE_PASS", server.url)
        found = {finding.what: finding for finding in survey()}
        assert "was not asked" in found[f"server {down}"].detail
        found = {finding.what: finding for finding in survey(ask=True)}
        assert server.asked[0].headers["authorization"] == f"Bearer {SECRET}"
        assert found[f"server {server.url}"].state == "ok"
        assert found[f"server {server.url}"].detail == "for up; answers and has small, tiny"
    assert found["key for openai"].state == "ok"
    assert found["key for groq"].state == "absent"
    assert found["key for bot up"].detail == "HOUSE_PASS is set"
    assert found["bot broken"].state == "broken"
    assert found[f"server {down}"].state == "absent"
    assert SECRET not in repr(found)


@contextmanager
def dripping():
    """A server that sends the head of an answer byte by byte, without end."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        over = threading.Event()

        def drip():
            connection, _ = server.accept()
            with connection, suppress(OSError):
                connection.sendall(b"HTTP/1.1 200 OK\r\nX: ")
                while not over.wait(0.01):
                    connection.sendall(b"x")

        thread = threading.Thread(target=drip)
        thread.start()
        try:
            yield f"http://127.0.0.1:{server.getsockname()[1]}/v1"
        finally:
            over.set()
            thread.join()


def test_a_server_that_sends_a_byte_now_and_then_holds_up_nothing(monkeypatch):
    monkeypatch.setattr(probe, "_TOTAL_TIMEOUT_S", 0.3)
    with dripping() as url, pytest.raises(InputError, match=r"its answer takes longer than 0 s"):
        check([bot(url)])
