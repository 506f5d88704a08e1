"""The batch jobs of Mistral: a file of requests is sent, and files of results are received."""

import json
from collections.abc import Sequence
from typing import Final

from typing_extensions import override

from ostrom.core.text import one_line
from ostrom.players.models.batch_apis.jsonl import MAX_REASON_CHARACTERS, entries_of, result_of
from ostrom.players.models.batches import BatchApi, BatchLine, BatchProgress, Clients, LineResult, SoughtBatch

_PAGE: Final = 100
_ENDED: Final = ("SUCCESS", "FAILED", "TIMEOUT_EXCEEDED", "CANCELLED")


class MistralBatches(BatchApi):
    """The batch jobs of Mistral. All calls of a job are for one model."""

    most_calls, most_bytes = 100_000, 180_000_000

    def __init__(self, client: Clients, group: object, price: float) -> None:
        self._client, self.group, self.price = client, group, price

    @override
    async def create(self, mark: str, lines: Sequence[BatchLine]) -> str:
        client = self._client()
        bodies = [json.loads(line.body) for line in lines]
        model = bodies[0]["model"]
        requests = [
            {"custom_id": line.id, "body": {name: value for name, value in body.items() if name != "model"}}
            for line, body in zip(lines, bodies, strict=True)
        ]
        content = "\n".join(json.dumps(request) for request in requests).encode()
        file = await client.files.upload_async(file={"file_name": f"{mark}.jsonl", "content": content}, purpose="batch")
        endpoint = lines[0].path.partition("?")[0]
        job = await client.batch.jobs.create_async(
            input_files=[file.id], model=model, endpoint=endpoint, metadata={"ostrom": mark}
        )
        return str(job.id)

    @override
    async def find(self, sought: SoughtBatch) -> str | None:
        page = 0
        while jobs := (await self._client().batch.jobs.list_async(page=page, page_size=_PAGE)).data or []:
            for job in jobs:  # The latest jobs come first.
                if job.metadata and job.metadata.get("ostrom") == sought.mark:
                    return str(job.id)
                if job.created_at < sought.since:
                    return None
            page += 1
        return None

    @override
    async def look(self, name: str) -> BatchProgress:
        job = await self._client().batch.jobs.get_async(job_id=name)
        state = str(job.status)
        done = f"{state}, {job.completed_requests:,} of {job.total_requests:,} done"
        if state == "FAILED" and not job.succeeded_requests:
            reasons = one_line("; ".join(error.message for error in job.errors), MAX_REASON_CHARACTERS)
            return BatchProgress(done, True, False, reasons or "no reason given")
        return BatchProgress(done, state in _ENDED, state == "SUCCESS", answered=job.succeeded_requests)

    @override
    async def results(self, name: str) -> list[LineResult]:
        client = self._client()
        job = await client.batch.jobs.get_async(job_id=name)
        results: list[LineResult] = []
        for file in (job.output_file, job.error_file):
            if file:
                response = await client.files.download_async(file_id=file)
                results += [result_of(entry) for entry in entries_of(await response.aread())]
        return results

    @override
    async def cancel(self, name: str) -> bool:
        await self._client().batch.jobs.cancel_async(job_id=name)
        return True
