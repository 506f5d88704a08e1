"""The batch APIs of the provider: OpenAI's files and batches, and Anthropic's message batches, with faults for each
step.

A batch ends `batch_delay` seconds after it was created. Its calls are answered and charged when it ends, in a random
order. If it expires, or the client or the provider cancels it, only a part of its calls is answered."""

import json
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from random import Random
from typing import Any, Final, TypeAlias

from ostrom.testing.provider.anthropic import as_message, as_request
from ostrom.testing.provider.delivery import ClientConnection, HttpRequest
from ostrom.testing.provider.faults import BATCH_FAULTS, ProviderSettings, unit

BATCH_PATHS: Final = ("/v1/files", "/v1/batches", "/v1/messages/batches")
Complete: TypeAlias = Callable[[dict[str, Any], str], tuple[int, dict[str, Any]]]
"""Answers and charges one request of a batch; returns the status and the body."""
_STEPS: Final = {
    "upload": ("upload_500", "upload_lost"),
    "create": ("create_429", "create_500", "create_lost"),
    "poll": ("poll_500", "poll_lost"),
    "end": ("failed", "expired", "cancelled", "missing", "duplicated"),
    "results": ("results_500", "results_cut"),
    "cancel": ("cancel_500", "uncancellable"),
}
_LOST: Final = ("upload_lost", "create_lost", "poll_lost")


@dataclass(slots=True)
class _Batch:
    """A batch from its creation to its end."""

    id: str
    created: float
    requests: list[dict[str, Any]]
    anthropic: bool
    metadata: Any = None
    endpoint: str = ""
    cancelled_at: float | None = None
    state: str = "in_progress"
    results: list[dict[str, Any]] = field(default_factory=list)
    """One entry for each line of the results."""


class BatchService:
    """Serves the batch APIs of one provider."""

    def __init__(self, settings: ProviderSettings, complete: Complete) -> None:
        self._settings, self._complete = settings, complete
        self._files: dict[str, bytes] = {}
        self._batches: dict[str, _Batch] = {}
        self._draws = 0

    def serve(self, request: HttpRequest, connection: ClientConnection) -> None:
        """Answer one request."""
        path = request.target.path
        try:
            if path.startswith("/v1/files"):
                self._serve_file(request, connection)
            else:
                self._serve_batch(request, connection, anthropic=path.startswith("/v1/messages"))
        except (ValueError, KeyError, TypeError, IndexError) as reason:
            _refuse(connection, 400, f"the request cannot be read: {reason!r}")

    def summary(self) -> dict[str, int]:
        """Return the number of batches by their state."""
        states = [self._current(batch).state for batch in self._batches.values()]
        return {state: states.count(state) for state in dict.fromkeys(states)}

    def _fault(self, step: str) -> str | None:
        self._draws += 1
        draw = unit("batch", self._settings.seed, step, self._draws)
        for name in _STEPS[step]:
            draw -= self._settings.batch_faults.get(name, 0.0)
            if draw < 0:
                return name
        return None

    def _fail(self, fault: str | None, connection: ClientConnection) -> bool:
        """Fail a request if there is a fault; return whether it failed."""
        if fault in _LOST:
            connection.transport.abort()
        elif fault is not None:
            _refuse(connection, 429 if fault.endswith("429") else 409 if fault == "uncancellable" else 500, fault)
        return fault is not None

    # OpenAI's files.

    def _serve_file(self, request: HttpRequest, connection: ClientConnection) -> None:
        parts = request.target.path.split("/")[3:]
        if request.method == "POST" and not parts:
            fault = self._fault("upload")
            if fault != "upload_500":
                name = f"file-{len(self._files) + 1}"
                self._files[name] = _uploaded(request)
            if not self._fail(fault, connection):
                _answer(connection, {"id": name, "object": "file", "purpose": "batch", "filename": "batch.jsonl",
                                     "bytes": len(self._files[name]), "created_at": int(time.time())})  # fmt: skip
        elif len(parts) == 2 and parts[0] in self._files and parts[1] == "content":
            fault, content = self._fault("results"), self._files[parts[0]]
            if fault == "results_cut":
                connection.respond(200, content[: 2 * len(content) // 3])
            elif not self._fail(fault, connection):
                connection.respond(200, content)
        else:
            _refuse(connection, 404, "there is no such file")

    # Batches of both providers.

    def _serve_batch(self, request: HttpRequest, connection: ClientConnection, *, anthropic: bool) -> None:
        parts = request.target.path.split("/")[4 if anthropic else 3 :]
        if not parts and request.method == "POST":
            self._create(json.loads(request.body), connection, anthropic=anthropic)
        elif not parts:
            mine = [batch for batch in self._batches.values() if batch.anthropic == anthropic]
            data = [self._document(self._current(batch)) for batch in reversed(mine)]
            _answer(connection, {"object": "list", "data": data, "has_more": False, "first_id": None, "last_id": None})
        elif parts[0] not in self._batches or self._batches[parts[0]].anthropic != anthropic:
            _refuse(connection, 404, "there is no such batch")
        else:
            self._serve_one(self._current(self._batches[parts[0]]), parts[1:], connection)

    def _serve_one(self, batch: _Batch, rest: list[str], connection: ClientConnection) -> None:
        if rest == ["cancel"]:
            if not self._fail(self._fault("cancel"), connection):
                if batch.state == "in_progress" and batch.cancelled_at is None:
                    batch.cancelled_at = time.time()
                _answer(connection, self._document(self._current(batch)))
        elif rest == ["results"]:
            fault, content = self._fault("results"), _lines(batch.results)
            if fault == "results_cut":
                connection.respond(200, content[: content.rfind(b"\n", 0, 2 * len(content) // 3) + 1])
            elif not self._fail(fault, connection):
                connection.respond(200, content)
        elif not self._fail(self._fault("poll"), connection):
            _answer(connection, self._document(batch))

    def _create(self, parsed: Mapping[str, Any], connection: ClientConnection, *, anthropic: bool) -> None:
        fault = self._fault("create")
        if fault not in ("create_429", "create_500"):
            if anthropic:
                requests = list(parsed["requests"])
            else:
                requests = [json.loads(line) for line in self._files[parsed["input_file_id"]].splitlines()]
            batch = _Batch(f"{'msgbatch' if anthropic else 'batch'}_{len(self._batches) + 1}", time.time(), requests,
                           anthropic, parsed.get("metadata"), parsed.get("endpoint", ""))  # fmt: skip
            self._batches[batch.id] = batch
        if not self._fail(fault, connection):
            _answer(connection, self._document(batch))

    def _current(self, batch: _Batch) -> _Batch:
        """Return the batch, which ends if it is time."""
        due = batch.created + self._settings.batch_delay
        if batch.state != "in_progress" or (batch.cancelled_at is None and time.time() < due):
            return batch
        fault = self._fault("end")
        if batch.anthropic and fault in ("failed", "missing", "duplicated"):
            fault = None
        done = len(batch.requests)
        if batch.cancelled_at is not None:
            passed = (batch.cancelled_at - batch.created) / max(self._settings.batch_delay, 1e-9)
            done, batch.state = int(done * min(1.0, passed)), "cancelled"
        elif fault in ("expired", "cancelled"):
            done, batch.state = done // 2, fault
        else:
            batch.state = "failed" if fault == "failed" else "completed"
        if batch.state != "failed":
            order = Random(batch.id).sample(batch.requests, len(batch.requests))
            batch.results = [self._result(batch, request, place < done) for place, request in enumerate(order)]
        if fault == "missing":
            batch.results = [entry for place, entry in enumerate(batch.results) if place % 10 != 5]
        elif fault == "duplicated":
            batch.results += batch.results[: len(batch.results) // 2]
        if not batch.anthropic:
            good = [entry for entry in batch.results if entry["response"] and entry["response"]["status_code"] == 200]
            self._files[f"{batch.id}-output"] = _lines(good)
            self._files[f"{batch.id}-errors"] = _lines([entry for entry in batch.results if entry not in good])
        return batch

    def _result(self, batch: _Batch, request: Mapping[str, Any], done: bool) -> dict[str, Any]:
        id_ = request["custom_id"]
        if not done:
            ended = "expired" if batch.state == "expired" else "canceled"
            code = "batch_expired" if batch.state == "expired" else "batch_cancelled"
            if batch.anthropic:
                return {"custom_id": id_, "result": {"type": ended}}
            return {"custom_id": id_, "response": None, "error": {"code": code, "message": "It was not done."}}
        if batch.anthropic:
            status, document = self._complete(as_request(request["params"]), id_)
            result = {"type": "succeeded", "message": as_message(document)} if status == 200 else {
                "type": "errored", "error": {"type": "error", "error": {
                    "type": {400: "invalid_request_error", 401: "authentication_error", 404: "not_found_error",
                             429: "rate_limit_error", 503: "overloaded_error"}.get(status, "api_error"),
                    "message": str(document)}}}  # fmt: skip
            return {"custom_id": id_, "result": result}
        status, document = self._complete(request["body"], id_)
        return {"custom_id": id_, "response": {"status_code": status, "body": document}, "error": None}

    def _document(self, batch: _Batch) -> dict[str, Any]:
        total, ended = len(batch.requests), batch.state != "in_progress"
        if batch.anthropic:
            kinds = [entry["result"]["type"] for entry in batch.results]
            counts = {kind: kinds.count(kind) for kind in ("succeeded", "errored", "canceled", "expired")}
            moment = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(batch.created))
            status = "ended" if ended else "in_progress" if batch.cancelled_at is None else "canceling"
            return {"id": batch.id, "type": "message_batch", "processing_status": status, "created_at": moment,
                    "request_counts": {"processing": 0 if ended else total, **counts}, "expires_at": moment,
                    "results_url": f"/v1/messages/batches/{batch.id}/results" if ended else None, "ended_at": None,
                    "cancel_initiated_at": None, "archived_at": None}  # fmt: skip
        good = self._files.get(f"{batch.id}-output", b"").count(b"\n")
        failed = self._files.get(f"{batch.id}-errors", b"").count(b"\n")
        errors = {"object": "list", "data": [{"code": "invalid_file", "message": "the file is not acceptable"}]}
        return {"id": batch.id, "object": "batch", "endpoint": batch.endpoint, "completion_window": "24h",
                "created_at": int(batch.created), "metadata": batch.metadata, "input_file_id": "",
                "status": "cancelling" if batch.cancelled_at is not None and not ended else batch.state,
                "output_file_id": f"{batch.id}-output" if good else None,
                "error_file_id": f"{batch.id}-errors" if failed else None,
                "errors": errors if batch.state == "failed" else None,
                "request_counts": {"total": total, "completed": good, "failed": failed}}  # fmt: skip


def _uploaded(request: HttpRequest) -> bytes:
    """Return the file in a form with several parts."""
    boundary = request.headers["content-type"].partition("boundary=")[2].strip('"').encode()
    for part in request.body.split(b"--" + boundary):
        head, _, content = part.partition(b"\r\n\r\n")
        if b'name="file"' in head:
            return content.removesuffix(b"\r\n")
    raise ValueError("there is no file")


def _lines(entries: list[dict[str, Any]]) -> bytes:
    return b"".join(json.dumps(entry).encode() + b"\n" for entry in entries)


def _answer(connection: ClientConnection, document: Mapping[str, Any]) -> None:
    connection.respond(200, json.dumps(document).encode())


def _refuse(connection: ClientConnection, status: int, message: str) -> None:
    connection.respond(status, json.dumps({"error": {"message": message, "type": "invalid_request_error"}}).encode())


__all__ = ["BATCH_FAULTS", "BATCH_PATHS", "BatchService"]
