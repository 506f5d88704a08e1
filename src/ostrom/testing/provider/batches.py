"""The batch APIs of the provider, in the forms of OpenAI, Anthropic, Google and Mistral, with faults for each step.

A batch ends `batch_delay` seconds after it was created. When it ends, its calls are answered and charged in a random
order. If it expires, or if the client or the provider cancels it, only a part of its calls is answered."""

import json
import time
from collections.abc import Callable, Mapping
from random import Random
from typing import Any, Final, TypeAlias
from urllib.parse import parse_qs

from ostrom.testing.provider.batch_forms import FORMS, BatchForm, GoogleForm, StoredBatch
from ostrom.testing.provider.delivery import ClientConnection, HttpRequest
from ostrom.testing.provider.faults import BATCH_FAULTS, ProviderSettings, unit

_FILES: Final = ("/v1/files", "/google/v1/files", "/google/upload/v1/files")
_AS_FILE: Final = b"Content-Type: application/octet-stream\r\n"
_CREATE_AT_GOOGLE: Final = ":batchGenerateContent"
Complete: TypeAlias = Callable[[dict[str, Any], str], tuple[int, dict[str, Any]]]
"""A function that answers and charges one request of a batch. It returns the status and the body of the reply."""
_STEPS: Final = {
    "upload": ("upload_500", "upload_lost"),
    "create": ("create_429", "create_500", "create_lost"),
    "poll": ("poll_500", "poll_lost"),
    "end": ("failed", "expired", "cancelled", "missing", "duplicated"),
    "results": ("results_500", "results_cut"),
    "cancel": ("cancel_500", "uncancellable"),
}
_LOST: Final = ("upload_lost", "create_lost", "poll_lost")


def is_for_batches(path: str) -> bool:
    """Return whether a path belongs to a batch API."""
    return path.endswith(_CREATE_AT_GOOGLE) or path.startswith((*_FILES, *(form.root for form in FORMS)))


class BatchService:
    """Serves the batch APIs of one provider."""

    def __init__(self, settings: ProviderSettings, complete: Complete) -> None:
        self._settings, self._complete = settings, complete
        self._files: dict[str, bytes] = {}
        self._batches: dict[str, StoredBatch] = {}
        self._draws = 0

    def serve(self, request: HttpRequest, connection: ClientConnection) -> None:
        """Answer one request."""
        path = request.target.path
        try:
            if path.startswith("/v1/files"):
                self._serve_file(request, connection)
            elif path.startswith(_FILES):
                self._serve_file_of_google(request, connection)
            elif path.endswith(_CREATE_AT_GOOGLE):
                model = path.rpartition("/")[2].removesuffix(_CREATE_AT_GOOGLE)
                google = next(form for form in FORMS if isinstance(form, GoogleForm))
                self._create({**json.loads(request.body), "model": model}, connection, google)
            else:
                form = next(form for form in FORMS if path.startswith(form.root))
                self._serve_batch(request, connection, form)
        except (ValueError, KeyError, TypeError, IndexError, StopIteration) as reason:
            _refuse(connection, 400, f"the request cannot be read: {reason!r}")

    def summary(self) -> dict[str, int]:
        """Return the number of batches, by their state."""
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
        """Fail the request if a fault applies to it. Return whether the request failed."""
        if fault in _LOST:
            connection.transport.abort()
        elif fault is not None:
            _refuse(connection, 429 if fault.endswith("429") else 409 if fault == "uncancellable" else 500, fault)
        return fault is not None

    # Files of OpenAI and Mistral, and of Google.

    def _serve_file(self, request: HttpRequest, connection: ClientConnection) -> None:
        parts = request.target.path.split("/")[3:]
        if request.method == "POST" and not parts:
            fault = self._fault("upload")
            name = "" if fault == "upload_500" else self._keep_file(_uploaded(request))
            if not self._fail(fault, connection):
                _answer(connection, {"id": name, "object": "file", "purpose": "batch", "filename": "batch.jsonl",
                                     "bytes": len(self._files[name]), "created_at": int(time.time()),
                                     "sample_type": "batch_request", "source": "upload"})  # fmt: skip
        elif len(parts) == 2 and parts[0] in self._files and parts[1] == "content":
            self._send_results(self._files[parts[0]], connection)
        else:
            _refuse(connection, 404, "there is no such file")

    def _serve_file_of_google(self, request: HttpRequest, connection: ClientConnection) -> None:
        path, query = request.target.path, parse_qs(request.target.query)
        if path.startswith("/google/upload") and "upload_id" not in query:
            # The client first asks for an address, and then sends the file to this address.
            host = request.headers["host"]
            headers = f"X-Goog-Upload-URL: http://{host}{path}?upload_id={len(self._files)}\r\n"
            connection.respond(200, b"{}", headers.encode())
        elif path.startswith("/google/upload"):
            fault = self._fault("upload")
            name = "" if fault == "upload_500" else self._keep_file(request.body)
            if fault is None:
                document = {"file": {"name": f"files/{name}", "mimeType": "application/jsonl"}}
                connection.respond(200, json.dumps(document).encode(), b"X-Goog-Upload-Status: final\r\n")
            elif fault in _LOST:
                connection.transport.abort()
            else:
                # Without this header, the client would send the same file again.
                connection.respond(500, b"{}", b"X-Goog-Upload-Status: cancelled\r\n")
        elif (name := path.rpartition("/")[2].removesuffix(":download")) in self._files:
            self._send_results(self._files[name], connection)
        else:
            _refuse(connection, 404, "there is no such file")

    def _keep_file(self, content: bytes) -> str:
        name = f"file{len(self._files) + 1}"
        self._files[name] = content
        return name

    def _send_results(self, content: bytes, connection: ClientConnection) -> None:
        fault = self._fault("results")
        if fault == "results_cut":
            connection.respond(200, content[: content.rfind(b"\n", 0, 2 * len(content) // 3) + 1], _AS_FILE)
        elif not self._fail(fault, connection):
            connection.respond(200, content, _AS_FILE)

    # Batches of all providers.

    def _serve_batch(self, request: HttpRequest, connection: ClientConnection, form: BatchForm) -> None:
        name, _, rest = request.target.path.removeprefix(form.root).lstrip("/").replace(":", "/").partition("/")
        if form.root.endswith(form.prefix.rstrip("/")) and name:
            name = form.prefix + name
        if not name and request.method == "POST":
            self._create(json.loads(request.body), connection, form)
        elif not name:
            # The first page has all batches.
            first = parse_qs(request.target.query).get("page", ["0"]) == ["0"]
            own = [batch for batch in self._batches.values() if batch.form is form and first]
            _answer(connection, form.listing([form.document(self._current(batch)) for batch in reversed(own)]))
        elif name not in self._batches or self._batches[name].form is not form:
            _refuse(connection, 404, "there is no such batch")
        else:
            self._serve_one(self._current(self._batches[name]), rest, connection)

    def _serve_one(self, batch: StoredBatch, rest: str, connection: ClientConnection) -> None:
        if rest == "cancel":
            if not self._fail(self._fault("cancel"), connection):
                if batch.state == "in_progress" and batch.cancelled_at is None:
                    batch.cancelled_at = time.time()
                _answer(connection, batch.form.document(self._current(batch)))
        elif rest == "results":
            self._send_results(batch.lines(), connection)
        elif not self._fail(self._fault("poll"), connection):
            _answer(connection, batch.form.document(batch))

    def _create(self, asked: Mapping[str, Any], connection: ClientConnection, form: BatchForm) -> None:
        fault = self._fault("create")
        if fault not in ("create_429", "create_500"):
            requests = form.requests(asked, self._files)
            batch = StoredBatch(f"{form.prefix}{len(self._batches) + 1}", time.time(), requests, form, asked)
            self._batches[batch.id] = batch
        if not self._fail(fault, connection):
            _answer(connection, form.document(batch))

    def _current(self, batch: StoredBatch) -> StoredBatch:
        """Return the batch. If its time has come, end it first."""
        due = batch.created + self._settings.batch_delay
        if batch.state != "in_progress" or (batch.cancelled_at is None and time.time() < due):
            return batch
        fault = self._fault("end")
        done = len(batch.requests)
        if batch.cancelled_at is not None:
            passed = (batch.cancelled_at - batch.created) / max(self._settings.batch_delay, 1e-9)
            done, batch.state = int(done * min(1.0, passed)), "cancelled"
        elif fault in ("expired", "cancelled"):
            done, batch.state = done // 2, fault
        elif fault == "failed" and batch.form.root != "/v1/messages/batches":  # Anthropic refuses such a batch at once.
            batch.state = "failed"
        else:
            batch.state = "completed"
        if batch.state != "failed":
            self._answer_calls(batch, done)
        batch.answered = sum(answered for _, answered in batch.results)
        if fault == "missing":
            batch.results = [entry for place, entry in enumerate(batch.results) if place % 10]
        elif fault == "duplicated":
            batch.results += batch.results[: (len(batch.results) + 1) // 2]
        name = batch.id.partition("/")[2] or batch.id
        self._files[f"{name}output"] = batch.lines(good=None if isinstance(batch.form, GoogleForm) else True)
        self._files[f"{name}errors"] = batch.lines(good=False)
        return batch

    def _answer_calls(self, batch: StoredBatch, done: int) -> None:
        """Answer and charge this number of calls, in a random order."""
        for place, id_ in enumerate(Random(batch.id).sample(list(batch.requests), len(batch.requests))):
            if place < done:
                status, document = self._complete(batch.requests[id_], id_)
                batch.results.append((batch.form.result(id_, status, document), status == 200))
            elif (line := batch.form.withdrawn(id_, batch.state)) is not None:
                batch.results.append((line, False))


def _uploaded(request: HttpRequest) -> bytes:
    """Return the file that a form with several parts contains."""
    boundary = request.headers["content-type"].partition("boundary=")[2].strip('"').encode()
    for part in request.body.split(b"--" + boundary):
        head, _, content = part.partition(b"\r\n\r\n")
        if b'name="file"' in head:
            return content.removesuffix(b"\r\n")
    raise ValueError("there is no file")


def _answer(connection: ClientConnection, document: Mapping[str, Any]) -> None:
    connection.respond(200, json.dumps(document).encode())


def _refuse(connection: ClientConnection, status: int, message: str) -> None:
    connection.respond(status, json.dumps({"error": {"message": message, "type": "invalid_request_error"}}).encode())


__all__ = ["BATCH_FAULTS", "BatchService", "is_for_batches"]
