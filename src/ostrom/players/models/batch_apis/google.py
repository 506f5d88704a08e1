"""The batch mode of Google's Gemini API: a file of requests is sent, and a file of results is received."""

import io
import json
from collections.abc import Mapping, Sequence
from typing import Any, Final

from typing_extensions import override

from ostrom.players.models.batch_apis.jsonl import entries_of
from ostrom.players.models.batches import BatchApi, BatchLine, BatchProgress, Clients, LineResult, SoughtBatch

_ENDED: Final = ("JOB_STATE_SUCCEEDED", "JOB_STATE_PARTIALLY_SUCCEEDED", "JOB_STATE_CANCELLED", "JOB_STATE_EXPIRED")
_STATUSES: Final = {3: 400, 5: 404, 7: 403, 8: 429, 9: 400, 14: 503, 16: 401}
"""HTTP statuses for the codes with which results report errors. All codes that are missing here are failures of the
server."""


class GoogleBatches(BatchApi):
    """The batch mode of the Gemini API. Requests are sent in a file. If they were sent in the batch itself, its results
    would not say to which call they belong."""

    most_calls, most_bytes = 50_000, 180_000_000

    def __init__(self, client: Clients, group: object, price: float) -> None:
        self._client, self.group, self.price = client, group, price

    @override
    async def create(self, mark: str, lines: Sequence[BatchLine]) -> str:
        client = self._client().aio
        content = "\n".join(json.dumps({"key": line.id, "request": json.loads(line.body)}) for line in lines).encode()
        file = await client.files.upload(
            file=io.BytesIO(content), config={"display_name": f"{mark}.jsonl", "mime_type": "application/jsonl"}
        )
        model = lines[0].path.rpartition("/")[2].partition(":")[0]
        batch = await client.batches.create(model=model, src=file.name, config={"display_name": mark})
        return str(batch.name)

    @override
    async def find(self, sought: SoughtBatch) -> str | None:
        async for batch in await self._client().aio.batches.list(config={"page_size": 100}):
            if batch.display_name == sought.mark:
                return str(batch.name)
            if batch.create_time is not None and batch.create_time.timestamp() < sought.since:
                break
        return None

    @override
    async def look(self, name: str) -> BatchProgress:
        batch = await self._client().aio.batches.get(name=name)
        state = "" if batch.state is None else str(batch.state.value)
        if state == "JOB_STATE_FAILED":
            return BatchProgress(state, True, False, str(batch.error.message) if batch.error else "no reason given")
        # If a batch ended early, the API does not say how many of its calls were answered and charged.
        return BatchProgress(state, state in _ENDED, True)

    @override
    async def results(self, name: str) -> list[LineResult]:
        client = self._client().aio
        batch = await client.batches.get(name=name)
        if batch.dest is None or not batch.dest.file_name:
            return []
        content = await client.files.download(file=batch.dest.file_name)
        return [_result(entry) for entry in entries_of(content, "key")]

    @override
    async def cancel(self, name: str) -> bool:
        await self._client().aio.batches.cancel(name=name)
        return True


def _result(entry: Mapping[str, Any]) -> LineResult:
    response = entry.get("response")
    if isinstance(response, dict):
        return LineResult(entry["key"], 200, json.dumps(response).encode())
    error = entry.get("error") or entry.get("status")
    code = error.get("code") if isinstance(error, dict) else None
    status = code if isinstance(code, int) and code >= 400 else _STATUSES.get(code or 0, 500)
    return LineResult(entry["key"], status, json.dumps({"error": error}).encode())
