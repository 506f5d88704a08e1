"""The message batches of Anthropic."""

import json
from collections.abc import Mapping, Sequence
from typing import Any, Final

from typing_extensions import override

from ostrom.players.models.batches import (
    BatchApi,
    BatchLine,
    BatchProgress,
    Clients,
    LineResult,
    SoughtBatch,
    Undecided,
)

_READS: Final = 3
"""The number of times that results are read to find out which calls a batch contains."""
_ANTHROPIC_STATUSES: Final = {
    **{"invalid_request_error": 400, "authentication_error": 401, "permission_error": 403, "not_found_error": 404},
    **{"request_too_large": 413, "rate_limit_error": 429, "api_error": 500, "overloaded_error": 529},
}


class AnthropicBatches(BatchApi):
    """The message batches of Anthropic."""

    most_calls, most_bytes = 100_000, 200_000_000

    def __init__(self, client: Clients, group: object, price: float) -> None:
        self._client, self.group, self.price = client, group, price
        self._calls: dict[str, frozenset[str]] = {}
        """The ids of the calls of ended batches that were read completely, by the names of the batches."""

    @override
    async def create(self, mark: str, lines: Sequence[BatchLine]) -> str:
        requests = [{"custom_id": line.id, "params": json.loads(line.body)} for line in lines]
        batch = await self._client().messages.batches.create(requests=requests)
        return str(batch.id)

    @override
    async def find(self, sought: SoughtBatch) -> str | None:
        # A batch cannot store a mark. Only its results say which calls it contains.
        undecided, unreadable = False, None
        async for batch in self._client().messages.batches.list(limit=100):
            if batch.created_at.timestamp() < sought.since:
                break
            counts = batch.request_counts
            total = counts.processing + counts.succeeded + counts.errored + counts.canceled + counts.expired
            if batch.id in sought.known or total != sought.calls:
                continue
            if batch.processing_status != "ended":
                undecided = True
                continue
            ids = await self._ids(batch.id, total)
            if not ids.isdisjoint(sought.ids):
                return str(batch.id)
            if len(ids) < total:
                unreadable = str(batch.id)
        if undecided:
            raise Undecided
        # If the results of a batch cannot be read, this batch counts as the one that is sought, so that its calls count
        # as charged.
        return unreadable

    async def _ids(self, name: str, total: int) -> frozenset[str]:
        """Return the ids of the calls in the results of a batch. They are read again if some are missing. If all are
        there, they are stored, so that a search that is repeated after a failed request need not start again."""
        known = self._calls.get(name)
        if known is not None:
            return known
        ids: frozenset[str] = frozenset()
        for _ in range(_READS):
            ids |= {result.id for result in await self.results(name)}
            if len(ids) >= total:
                self._calls[name] = ids
                break
        return ids

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
