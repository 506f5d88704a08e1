"""The batch API of OpenAI, and of servers with the same protocol."""

import json
from collections.abc import Sequence

from typing_extensions import override

from ostrom.core.text import one_line
from ostrom.players.models.batch_apis.jsonl import MAX_REASON_CHARACTERS, entries_of, result_of
from ostrom.players.models.batches import BatchApi, BatchLine, BatchProgress, Clients, LineResult, SoughtBatch


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
    async def find(self, sought: SoughtBatch) -> str | None:
        async for batch in self._client().batches.list(limit=100):
            if (batch.metadata or {}).get("ostrom") == sought.mark:
                return str(batch.id)
            if batch.created_at < sought.since:
                break
        return None

    @override
    async def look(self, name: str) -> BatchProgress:
        batch = await self._client().batches.retrieve(name)
        counts, state = batch.request_counts, str(batch.status)
        done = f"{state}, {counts.completed + counts.failed:,} of {counts.total:,} done" if counts else state
        if state == "failed":
            errors = [str(error.message) for error in (batch.errors.data or ())] if batch.errors else []
            return BatchProgress(
                done, True, False, one_line("; ".join(errors) or "no reason given", MAX_REASON_CHARACTERS)
            )
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
                results += [result_of(entry) for entry in entries_of(content.content)]
        return results

    @override
    async def cancel(self, name: str) -> bool:
        await self._client().batches.cancel(name)
        return True


def _endpoint(line: BatchLine, base: str) -> str:
    return f"/v1{line.path.partition('?')[0].removeprefix(base)}"
