"""Batch APIs of providers, each used through the provider's own client library. A batch has many calls in one request,
for half the price and with an answer within a day. `experiment/waves.py` decides what is sent, and when;
`experiment/open_batches.py` sends and follows it."""

import json
from collections.abc import Awaitable, Callable, Iterable, Iterator, Mapping, Sequence
from contextvars import ContextVar
from typing import Any, Final, NamedTuple, Protocol, TypeAlias

from typing_extensions import override

from ostrom.core.text import one_line

_MAX_STATED: Final = 200
"""The largest number of characters that are used of a reason that a provider gives."""


class BatchLine(NamedTuple):
    """One call of a batch."""

    id: str
    path: str
    """The path to which a request for this call alone would be sent."""
    body: bytes
    """The body of a request for this call alone."""


class LineResult(NamedTuple):
    """The result of one call of a batch."""

    id: str
    status: int
    """The HTTP status of this call's reply; 0 if the provider did not make the call, and does not charge for it."""
    body: bytes
    """The body of this call's reply or, if the status is 0, the reason."""


class BatchProgress(NamedTuple):
    """The state of a batch at its provider."""

    state: str
    """The state in the provider's own word."""
    ended: bool
    complete: bool = True
    """True if results that are missing from an ended batch may have been charged. False if they were not computed."""
    failure: str | None = None
    """The reason why the provider made none of the batch's calls."""
    answered: int = 0
    """The number of calls that the provider answered, as far as it says so."""


Carrier: TypeAlias = Callable[[str, bytes], Awaitable[LineResult]]
current_carrier: ContextVar[Carrier | None] = ContextVar("current_carrier", default=None)
"""A function from the path and the body of a request to its result, which a batch obtains. If it is set, the HTTP
client calls it and sends nothing."""


class Undecided(Exception):
    """The error that the provider cannot say yet whether it has a batch."""


class BatchApi(Protocol):
    """The batch API of one provider for the models of one key. Errors are those of the client library."""

    most_calls: int
    most_bytes: int
    """The largest size of one batch, in bytes; `most_calls` limits the number of its calls."""
    price: float
    """The price of a call in a batch, as a share of the price of a single call."""
    group: object
    """Calls with equal groups may share a batch."""

    async def create(self, mark: str, lines: Sequence[BatchLine]) -> str:
        """Send a batch, without retries; return the name that the provider gives it."""

    async def find(self, mark: str, ids: Sequence[str], since: float, known: Sequence[str]) -> str | None:
        """Return the name of a batch that was created at the time `since` or later, and that has this mark or these
        calls; None if the provider has none. `known` are the names of other batches. Raises `Undecided`."""

    async def look(self, name: str) -> BatchProgress:
        """Return the state of a batch."""

    async def results(self, name: str) -> list[LineResult]:
        """Return the results of an ended batch. They are in any order; some may be missing, and some may occur
        twice."""

    async def cancel(self, name: str) -> bool:
        """Ask the provider to end a batch early; return False if it cannot."""


Clients: TypeAlias = Callable[[], Any]
"""A function that returns the provider's client for the running event loop."""
BATCH_APIS: dict[str, Callable[[Clients, object, float], BatchApi]] = {}
"""The batch APIs by the `system` of a pydantic-ai model. Add an API of your own as a function of the client, the group
and the price."""


class OpenAIBatches(BatchApi):
    """The batch API of OpenAI, and of servers with the same protocol: a file of requests is sent, and files of results
    are received."""

    most_calls, most_bytes = 50_000, 180_000_000

    def __init__(self, client: Clients, group: object, price: float) -> None:
        self._client, self.group, self.price = client, group, price

    @override
    async def create(self, mark: str, lines: Sequence[BatchLine]) -> str:
        client = self._client()
        base = client.base_url.path.rstrip("/")
        requests = [
            {"custom_id": line.id, "method": "POST", "url": _endpoint(line, base), "body": json.loads(line.body)}
            for line in lines
        ]
        content = "\n".join(json.dumps(request) for request in requests).encode()
        file = await client.files.create(file=(f"{mark}.jsonl", content), purpose="batch")
        batch = await client.batches.create(
            input_file_id=file.id,
            endpoint=_endpoint(lines[0], base),
            completion_window="24h",
            metadata={"ostrom": mark},
        )
        return str(batch.id)

    @override
    async def find(self, mark: str, ids: Sequence[str], since: float, known: Sequence[str]) -> str | None:
        async for batch in self._client().batches.list(limit=100):
            if (batch.metadata or {}).get("ostrom") == mark:
                return str(batch.id)
            if batch.created_at < since:
                break
        return None

    @override
    async def look(self, name: str) -> BatchProgress:
        batch = await self._client().batches.retrieve(name)
        counts, state = batch.request_counts, str(batch.status)
        done = f"{state}, {counts.completed + counts.failed:,} of {counts.total:,} done" if counts else state
        if state == "failed":
            errors = [str(error.message) for error in (batch.errors.data or ())] if batch.errors else []
            return BatchProgress(done, True, False, one_line("; ".join(errors) or "no reason given", _MAX_STATED))
        answered, ended = counts.completed if counts else 0, state in ("completed", "expired", "cancelled")
        return BatchProgress(done, ended, state == "completed", answered=answered)

    @override
    async def results(self, name: str) -> list[LineResult]:
        client = self._client()
        batch = await client.batches.retrieve(name)
        results: list[LineResult] = []
        for file in (batch.output_file_id, batch.error_file_id):
            if file:
                content = await client.files.content(file)
                results += [_openai_result(entry) for entry in _entries(content.content)]
        return results

    @override
    async def cancel(self, name: str) -> bool:
        await self._client().batches.cancel(name)
        return True


def _endpoint(line: BatchLine, base: str) -> str:
    return f"/v1{line.path.partition('?')[0].removeprefix(base)}"


def _entries(content: bytes) -> Iterator[Mapping[str, Any]]:
    """Yield the objects in lines of JSON that contain the id of a call. Other lines are skipped, and their calls count
    as missing."""
    for line in content.splitlines():
        try:
            entry = json.loads(line)
        except (ValueError, RecursionError):
            continue
        if isinstance(entry, dict) and isinstance(entry.get("custom_id"), str):
            yield entry


def _openai_result(entry: Mapping[str, Any]) -> LineResult:
    response, error = entry.get("response"), entry.get("error")
    if isinstance(response, dict) and isinstance(response.get("status_code"), int):
        return LineResult(entry["custom_id"], response["status_code"], json.dumps(response.get("body")).encode())
    code = str(error.get("code")) if isinstance(error, dict) else "no response"
    if code in ("batch_expired", "batch_cancelled"):
        return LineResult(entry["custom_id"], 0, code.encode())
    return LineResult(entry["custom_id"], 500, json.dumps({"error": error}).encode())


_ANTHROPIC_STATUSES: Final = {
    **{"invalid_request_error": 400, "authentication_error": 401, "permission_error": 403, "not_found_error": 404},
    **{"request_too_large": 413, "rate_limit_error": 429, "api_error": 500, "overloaded_error": 529},
}


class AnthropicBatches(BatchApi):
    """The message batches of Anthropic."""

    most_calls, most_bytes = 100_000, 200_000_000

    def __init__(self, client: Clients, group: object, price: float) -> None:
        self._client, self.group, self.price = client, group, price

    @override
    async def create(self, mark: str, lines: Sequence[BatchLine]) -> str:
        requests = [{"custom_id": line.id, "params": json.loads(line.body)} for line in lines]
        batch = await self._client().messages.batches.create(requests=requests)
        return str(batch.id)

    @override
    async def find(self, mark: str, ids: Sequence[str], since: float, known: Sequence[str]) -> str | None:
        # A batch has no mark; only its results say which calls it has.
        undecided = False
        async for batch in self._client().messages.batches.list(limit=100):
            if batch.created_at.timestamp() < since:
                break
            counts = batch.request_counts
            total = counts.processing + counts.succeeded + counts.errored + counts.canceled + counts.expired
            if batch.id in known or total != len(ids):
                continue
            if batch.processing_status != "ended":
                undecided = True
            elif not set(ids).isdisjoint(result.id for result in await self.results(batch.id)):
                return str(batch.id)
        if undecided:
            raise Undecided
        return None

    @override
    async def look(self, name: str) -> BatchProgress:
        batch = await self._client().messages.batches.retrieve(name)
        counts, state = batch.request_counts, str(batch.processing_status)
        return BatchProgress(f"{state}, {counts.processing:,} not done", state == "ended")

    @override
    async def results(self, name: str) -> list[LineResult]:
        entries = await self._client().messages.batches.results(name)
        return [_anthropic_result(entry.to_dict()) async for entry in entries]

    @override
    async def cancel(self, name: str) -> bool:
        await self._client().messages.batches.cancel(name)
        return True


def _anthropic_result(entry: Mapping[str, Any]) -> LineResult:
    result = entry["result"]
    if result["type"] == "succeeded":
        return LineResult(entry["custom_id"], 200, json.dumps(result["message"]).encode())
    if result["type"] in ("canceled", "expired"):
        return LineResult(entry["custom_id"], 0, str(result["type"]).encode())
    error = result.get("error") or {}
    kind = (error.get("error") or {}).get("type")
    return LineResult(entry["custom_id"], _ANTHROPIC_STATUSES.get(str(kind), 500), json.dumps(error).encode())


BATCH_APIS.update(openai=OpenAIBatches, server=OpenAIBatches, anthropic=AnthropicBatches)
HALF_PRICED: Final = frozenset({"openai", "anthropic"})
"""Providers that charge half the price of single calls for batches."""


def parts_of(lines: Iterable[BatchLine], api: BatchApi) -> Iterator[list[BatchLine]]:
    """Yield these calls in groups that are small enough for one batch. All calls of a group are sent to the same
    path."""
    by_path: dict[str, list[BatchLine]] = {}
    for line in lines:
        by_path.setdefault(line.path, []).append(line)
    for same in by_path.values():
        part: list[BatchLine] = []
        size = 0
        for line in same:
            if part and (len(part) >= api.most_calls or size + len(line.body) > api.most_bytes):
                yield part
                part, size = [], 0
            part.append(line)
            size += len(line.body) + 200
        if part:
            yield part
