"""Batch APIs of providers, through the providers' own client libraries where they are installed, against the provider
for tests."""

import asyncio
import time
from collections.abc import Iterator
from importlib import import_module
from types import SimpleNamespace

import pytest

from ostrom.core import Line
from ostrom.players.models.batch_apis.anthropic import AnthropicBatches
from ostrom.players.models.batch_apis.google import GoogleBatches
from ostrom.players.models.batches import BatchLine, LineResult, SoughtBatch, Undecided, current_carrier
from ostrom.players.models.bots import Bot
from ostrom.players.models.connection import ModelConnection
from ostrom.players.models.transport import close_connections
from ostrom.testing.provider import Provider

PROMPT = (Line("system", "You play."), Line("user", "Write a number."))
LIBRARIES = {"openai": "openai", "anthropic": "anthropic", "google": "google.genai", "mistral": "mistralai"}
ROOTS = {"anthropic": ("ANTHROPIC_BASE_URL", ""), "google": ("GOOGLE_GEMINI_BASE_URL", "/google")}


@pytest.fixture(params=LIBRARIES)
def interface(request: pytest.FixtureRequest) -> str:
    pytest.importorskip(LIBRARIES[request.param])
    return str(request.param)


def connection(interface: str, provider: Provider, monkeypatch: pytest.MonkeyPatch) -> ModelConnection:
    """Return a connection to the provider in this interface."""
    if interface == "openai":
        return ModelConnection(Bot(name="a", model="a", base_url=provider.base_url))
    root = provider.base_url.removesuffix("/v1")
    monkeypatch.setenv(f"{interface.upper()}_API_KEY", "no-key")
    if interface in ROOTS:
        variable, path = ROOTS[interface]
        monkeypatch.setenv(variable, root + path)
    else:
        servers = import_module("mistralai.client.sdkconfiguration").SERVERS
        monkeypatch.setitem(servers, "global", root)
    return ModelConnection(Bot(name="a", model=f"{interface}:a"))


async def lines_of(model: ModelConnection, count: int) -> list[BatchLine]:
    """Return the requests of calls as they would be sent alone."""
    lines: list[BatchLine] = []

    async def carry(path: str, body: bytes) -> LineResult:
        lines.append(BatchLine(str(100 + len(lines)), path, body))
        return LineResult("", 503, b"{}")

    token = current_carrier.set(carry)
    for _ in range(count):
        with pytest.raises(Exception, match="503"):
            await model.send(PROMPT, None, "ref")
    current_carrier.reset(token)
    return lines


def asked(provider: Provider, interface: str, monkeypatch: pytest.MonkeyPatch, use):
    """Return the result of a function of the batch API and of three calls."""

    async def run():
        model = connection(interface, provider, monkeypatch)
        try:
            assert model.batches is not None
            return await use(model, model.batches, await lines_of(model, 3))
        finally:
            await close_connections()

    return asyncio.run(run())


def sought(mark: str, *ids: str) -> SoughtBatch:
    return SoughtBatch(mark, ids, 3, time.time() - 300, [])


def test_a_batch_is_created_found_and_read(interface: str, monkeypatch: pytest.MonkeyPatch) -> None:
    async def use(model, api, lines):
        single = await model.send(PROMPT, None, "ref")
        name = await api.create("ostrom-5", lines)
        progress = await api.look(name)
        results = await api.results(name)
        found = [await api.find(sought("ostrom-5", "101")), await api.find(sought("ostrom-6", "7"))]
        return single, name, progress, results, found

    with Provider() as provider:
        single, name, progress, results, found = asked(provider, interface, monkeypatch, use)
        assert provider.account()["batched"]["calls"] == 3
    assert progress.ended
    assert progress.complete
    assert sorted(result.id for result in results) == ["100", "101", "102"]
    assert all(result.status == 200 and single.text.encode() in result.body for result in results)
    assert found == [name, None]


def test_a_batch_whose_confirmation_was_lost_is_found(interface: str, monkeypatch: pytest.MonkeyPatch) -> None:
    async def use(model, api, lines):
        with pytest.raises(Exception) as lost:  # noqa: PT011  # Each library has its own error.
            await api.create("ostrom-5", lines)
        return model.batch_failure(lost.value), await api.find(sought("ostrom-5", *(line.id for line in lines)))

    with Provider(batch_faults={"create_lost": 1.0}) as provider:
        failure, name = asked(provider, interface, monkeypatch, use)
        assert provider.account()["batches"] == {"completed": 1}
    assert failure.fault.of_transport
    assert name is not None


def test_a_cancelled_batch_ends_and_answers_no_further_calls(interface: str, monkeypatch: pytest.MonkeyPatch) -> None:
    async def use(model, api, lines):
        name = await api.create("ostrom-5", lines)
        assert not (await api.look(name)).ended
        assert await api.cancel(name)
        assert (await api.look(name)).ended
        return await api.results(name)

    with Provider(batch_delay=3600) as provider:
        results = asked(provider, interface, monkeypatch, use)
        assert provider.account()["batched"]["calls"] == 0
    assert all(result.status == 0 for result in results)


def test_a_batch_that_cannot_be_cancelled_says_so(interface: str, monkeypatch: pytest.MonkeyPatch) -> None:
    async def use(model, api, lines):
        name = await api.create("ostrom-5", lines)
        with pytest.raises(Exception) as refused:  # noqa: PT011  # Each library has its own error.
            await api.cancel(name)
        return model.batch_failure(refused.value)

    with Provider(batch_delay=3600, batch_faults={"uncancellable": 1.0}) as provider:
        failure = asked(provider, interface, monkeypatch, use)
    assert failure.reason == "HTTP 409: uncancellable"


def test_a_server_error_may_pass(interface: str, monkeypatch: pytest.MonkeyPatch) -> None:
    async def use(model, api, lines):
        with pytest.raises(Exception) as refused:  # noqa: PT011  # Each library has its own error.
            await api.create("ostrom-5", lines)
        return model.batch_failure(refused.value)

    with Provider(batch_faults={"create_500": 1.0}) as provider:
        failure = asked(provider, interface, monkeypatch, use)
        assert provider.account()["batches"] == {}
    assert failure.fault.of_transport


def test_results_that_are_missing_from_a_cancelled_batch_count_as_answered(
    interface: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def use(model, api, lines):
        name = await api.create("ostrom-5", lines)
        await asyncio.sleep(0.4)
        await api.cancel(name)
        return await api.look(name), await api.results(name)

    with Provider(batch_delay=0.6, batch_faults={"missing": 1.0}) as provider:
        progress, results = asked(provider, interface, monkeypatch, use)
        charged = provider.account()["batched"]["calls"]
    assert charged > sum(result.status == 200 for result in results)
    assert progress.complete or progress.answered == charged


class AnthropicClient:
    """The part of Anthropic's client that lists batches and reads their results."""

    def __init__(self, state: str, readable: list[str]) -> None:
        counts = SimpleNamespace(processing=0, succeeded=2, errored=0, canceled=0, expired=0)
        moment = SimpleNamespace(timestamp=time.time)
        self.batch = SimpleNamespace(id="b1", created_at=moment, request_counts=counts, processing_status=state)
        self.readable, self.reads = readable, 0
        self.messages = SimpleNamespace(batches=self)

    async def list(self, limit: int) -> Iterator[object]:
        yield self.batch

    async def results(self, name: str) -> object:
        self.reads += 1

        async def entries():
            for id_ in self.readable:
                entry = {"custom_id": id_, "result": {"type": "succeeded", "message": {}}}
                yield SimpleNamespace(to_dict=lambda entry=entry: entry)

        return entries()


def anthropic_finds(state: str, readable: list[str], calls: int = 2) -> str | None:
    api = AnthropicBatches(lambda: AnthropicClient(state, readable), None, 0.5)
    return asyncio.run(api.find(SoughtBatch("ostrom-1", ["1"], calls, time.time() - 300, [])))


def test_at_anthropic_a_batch_is_found_by_its_calls() -> None:
    assert anthropic_finds("ended", ["1", "2"]) == "b1"
    assert anthropic_finds("ended", ["3", "4"]) is None
    assert anthropic_finds("ended", ["1", "2"], calls=3) is None
    with pytest.raises(Undecided):
        anthropic_finds("in_progress", [])


def test_at_anthropic_a_batch_with_unreadable_results_may_be_the_one_that_is_sought() -> None:
    assert anthropic_finds("ended", ["4"]) == "b1"


def test_at_anthropic_a_repeated_search_reads_each_ended_batch_once() -> None:
    client = AnthropicClient("ended", ["3", "4"])
    api = AnthropicBatches(lambda: client, None, 0.5)
    sought = SoughtBatch("ostrom-1", ["1"], 2, time.time() - 300, [])
    assert [asyncio.run(api.find(sought)) for _ in range(3)] == [None] * 3
    assert client.reads == 1


def test_errors_in_results_of_google_have_the_status_of_a_single_call() -> None:
    content = b"""{"key": "1", "error": {"code": 8, "message": "busy"}}
{"key": "2", "error": {"code": 13}}
{"key": "3", "response": {"candidates": []}}
{"key": "4"""

    class Client:
        def __init__(self) -> None:
            self.aio = self.batches = self.files = self

        async def get(self, name: str) -> object:
            return SimpleNamespace(dest=SimpleNamespace(file_name="files/1"))

        async def download(self, file: str) -> bytes:
            return content

    results = asyncio.run(GoogleBatches(Client, None, 0.5).results("batches/1"))
    assert [(result.id, result.status) for result in results] == [("1", 429), ("2", 500), ("3", 200)]
