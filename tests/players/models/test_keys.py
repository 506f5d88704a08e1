"""Which key may go where: addresses, what is remembered, and who may change it."""

import asyncio
import json
import os
import stat

import pytest
from wire_server import chat, http, serving

from ostrom.core import InputError, Line
from ostrom.players.base import Unanswered
from ostrom.players.models import connection, transport
from ostrom.players.models.bots import Bot
from ostrom.players.models.connection import connect
from ostrom.players.models.keys import (
    PROVIDERS,
    UnconfirmedKey,
    address_of,
    allow,
    check_key,
    confirmed,
    forget,
    holds_key,
    keys_file,
)

SECRET = "wJalrXUtnFEMI/K7MDENG+bPxRfiCYplanted0"


@pytest.fixture(autouse=True)
def own(monkeypatch, tmp_path):
    monkeypatch.setattr(connection, "_connections", {})
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    monkeypatch.delenv("OPENAI_BASE_URL", raising=False)


@pytest.mark.parametrize(
    ("address", "place", "here"),
    [
        ("https://api.example.com/v1", "api.example.com", False),
        ("https://API.Example.com:443/v1", "api.example.com", False),
        ("https://api.example.com:8443/v1", "api.example.com:8443", False),
        ("http://127.0.0.1:8080/v1", "127.0.0.1:8080", True),
        ("http://localhost/v1", "localhost", True),
        ("http://[::1]:8080", "[::1]:8080", True),
        ("http://127.9.9.9:1/", "127.9.9.9:1", True),
        ("http://127.0.0.1.example.com/v1", "127.0.0.1.example.com", False),
        ("http://2130706433/v1", "2130706433", False),
        ("http://0.0.0.0:80/v1", "0.0.0.0", False),
    ],
)
def test_the_place_of_an_address(address, place, here):
    found = address_of(address)
    assert (found.place, found.local) == (place, here)


@pytest.mark.parametrize(
    "address",
    [
        "http://127.0.0.1\\@example.com/v1",
        "http://127.0.0.1@example.com/v1",
        "http://a b/v1",
        "http://a\x00b/v1",
        "http://a\tb/v1",
        "https://exämple.com",
        "https://example.com:0",
        "https://example.com:65536",
        "https://example.com:999999999999",
        "https://[::g]/v1",
        "https://[127.0.0.1",
        "https://",
        "https://-a",
        "https://a..b",
        "ftp://a",
        "https://a/%2e%2e",
        "https://a/v1?key=x",
        "https://a/v1#x",
        "https:///v1",
        "//a",
        "",
        "https://" + "a" * 100_000,
    ],
)
def test_what_libraries_might_read_in_two_ways_is_no_address(address):
    assert address_of(address) is None
    with pytest.raises(ValueError, match=r"must be the address|must be a plain address") as error:
        Bot(name="b", model="m", base_url=address)
    assert "\n" not in str(error.value.errors()[0]["msg"])


@pytest.mark.parametrize(
    ("path", "key"),
    [
        ("/v1", False),
        ("/api/paas/v4", False),
        ("/compatible-mode/v1", False),
        ("/openai/deployments/gpt-4o-mini-2024-07-18", False),
        ("/v1beta/openai", False),
        ("/sk-abcdefghijkl/v1", True),
        ("/proxy/9f86d081884c7d659a2feaa0/v1", True),
        ("/k/plain-sesame-words/v1", True),
    ],
)
def test_a_path_with_a_key_is_refused(path, key, monkeypatch):
    monkeypatch.setenv("HOUSE_TOKEN", "plain-sesame-words")
    assert holds_key(path) == key
    if key:
        with pytest.raises(ValueError, match="what looks like a key"):
            Bot(name="b", model="m", base_url=f"https://example.com{path}")


def test_a_model_that_is_an_address_goes_nowhere():
    with pytest.raises(ValueError, match="must be provider:model"):
        Bot(name="b", model="huggingface:https://example.com/model")


def test_providers_keys_go_to_their_own_hosts_and_no_other():
    for variables, hosts in PROVIDERS.values():
        for variable in variables:
            for host in hosts:
                check_key("b", variable, f"https://{host}/v1")
            for other in ("https://example.com", "http://127.0.0.1:8080/v1", "https://api.openai.com.example.com"):
                with pytest.raises(UnconfirmedKey, match=f"ostrom keys allow {variable} "):
                    check_key("b", variable, other)
    with pytest.raises(UnconfirmedKey):
        check_key("b", "AWS_SECRET_ACCESS_KEY", "https://api.openai.com/v1")


def test_a_pair_is_remembered_in_a_file_of_the_users_own():
    assert confirmed() == {}
    assert allow("MY_KEY", "https://Api.example.com/v1") == "api.example.com"
    allow("MY_KEY", "127.0.0.1:8080")
    check_key("b", "MY_KEY", "https://api.example.com/other")
    check_key("b", "MY_KEY", "http://127.0.0.1:8080/v1")
    for other in ("https://api.example.com:8443", "http://127.0.0.1:8081", "https://www.api.example.com"):
        with pytest.raises(UnconfirmedKey):
            check_key("b", "MY_KEY", other)
    with pytest.raises(UnconfirmedKey):
        check_key("b", "OTHER_KEY", "https://api.example.com")
    assert stat.S_IMODE(os.stat(keys_file()).st_mode) == 0o600
    assert forget("MY_KEY", "api.example.com") == ["api.example.com"]
    assert confirmed() == {"MY_KEY": ["127.0.0.1:8080"]}
    assert forget("MY_KEY") == ["127.0.0.1:8080"]
    assert confirmed() == {}


def test_a_file_that_others_can_write_is_not_trusted():
    allow("MY_KEY", "api.example.com")
    keys_file().chmod(0o666)
    with pytest.raises(InputError, match="can be written by others"):
        check_key("b", "MY_KEY", "https://api.example.com")


def test_a_broken_file_allows_nothing():
    allow("MY_KEY", "api.example.com")
    for text in ("{", "[1]", '{"MY_KEY": 1}', "[" * 100_000):
        keys_file().write_text(text)
        with pytest.raises(InputError, match="as 'ostrom keys allow' writes it"):
            check_key("b", "MY_KEY", "https://api.example.com")


def test_no_key_goes_to_another_machine_in_the_clear(monkeypatch):
    keys_file().parent.mkdir(parents=True)
    keys_file().write_text(json.dumps({"MY_KEY": ["example.com"]}))
    keys_file().chmod(0o600)
    with pytest.raises(InputError, match="over plain HTTP"):
        check_key("b", "MY_KEY", "http://example.com/v1")
    with pytest.raises(InputError, match="over plain HTTP"):
        allow("MY_KEY", "http://example.com")
    # Nor does a provider's own key, where the environment names an address.
    monkeypatch.setenv("OPENAI_API_KEY", SECRET)
    monkeypatch.setenv("OPENAI_BASE_URL", "http://example.com/v1")
    with pytest.raises(InputError, match="over plain HTTP"):
        connect(Bot(name="b", model="openai-chat:gpt-5-mini"))


def test_another_variable_for_a_known_provider_is_asked_about_too(monkeypatch):
    monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", SECRET)
    bot = Bot(name="b", model="openai:gpt-5-mini", key_env="AWS_SECRET_ACCESS_KEY")
    with pytest.raises(UnconfirmedKey, match=r"ostrom keys allow AWS_SECRET_ACCESS_KEY api\.openai\.com") as error:
        connect(bot)
    assert SECRET not in str(error.value)
    allow("AWS_SECRET_ACCESS_KEY", "api.openai.com")
    connect(bot)


def ask(answers, monkeypatch):
    """One call with a key to a server that gives these answers; what came back, and what it was asked."""
    monkeypatch.setenv("HOUSE_PASS", SECRET)

    async def main():
        async with serving(*answers) as server:
            allow("HOUSE_PASS", server.url)
            bot = Bot(name="b", model="tiny", base_url=server.url, key_env="HOUSE_PASS", form="tool")
            schema = {"type": "object", "properties": {"contribution": {"type": "integer"}}}
            try:
                return await connect(bot).send((Line("user", "How much?"),), schema, "r"), server.asked
            except Unanswered as error:
                return error, server.asked
            finally:
                await transport.close_connections()

    return asyncio.run(main())


def test_a_redirection_takes_no_key_elsewhere(monkeypatch):
    async def main():
        async with serving(chat()) as other:
            answer = http(307, b"", location=f"{other.url}/chat/completions")
            return await asyncio.to_thread(ask, [answer], monkeypatch), other.asked

    (outcome, asked), heard = asyncio.run(main())
    assert isinstance(outcome, Unanswered)
    assert asked[0].headers["authorization"] == f"Bearer {SECRET}"
    assert heard == []


def test_a_key_that_is_told_back_is_not_kept(monkeypatch):
    escaped = "".join(f"\\u{ord(each):04x}" for each in SECRET)
    call = {"id": SECRET, "type": "function"}
    call["function"] = {"name": "answer", "arguments": f'{{"contribution": 1, "why": "{escaped}"}}'}
    told = chat(f"your key is {SECRET}", finish="tool_calls", tool_calls=[call], reasoning_content=f"Bearer {SECRET}")
    body = json.loads(told.partition(b"\r\n\r\n")[2])
    body |= {"id": SECRET, "model": f"tiny {SECRET}", "system_fingerprint": SECRET}
    outcome, _ = ask([http(200, body, x_request_id=SECRET)], monkeypatch)
    assert json.loads(outcome.text) == {"contribution": 1, "why": "[key]"}
    assert outcome.extra["reasoning"] == "Bearer [key]"
    assert outcome.effective["model"] == "tiny [key]"
    assert SECRET not in repr(outcome)
    assert escaped not in repr(outcome)
    body["choices"][0] = {"index": 0, "message": {"role": "assistant", "content": SECRET}, "finish_reason": SECRET}
    outcome, _ = ask([http(200, body)], monkeypatch)
    assert SECRET not in f"{outcome!r} {outcome}"
