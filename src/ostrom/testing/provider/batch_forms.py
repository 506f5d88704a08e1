"""The forms of batches at OpenAI, Anthropic, Google and Mistral. A form determines how a batch is requested, described
and listed, and how a line of its results is written. The module `batches` has the parts that all forms share."""

import json
import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final, Protocol

from typing_extensions import override

from ostrom.testing.provider import google
from ostrom.testing.provider.anthropic import as_message, as_request

_ERROR_TYPES: Final = {
    **{400: "invalid_request_error", 401: "authentication_error", 404: "not_found_error"},
    **{429: "rate_limit_error", 503: "overloaded_error"},
}


@dataclass(slots=True)
class StoredBatch:
    """A batch, from its creation until it has ended."""

    id: str
    created: float
    requests: dict[str, dict[str, Any]]
    """The requests for completions in OpenAI's form, by the ids of the calls."""
    form: "BatchForm"
    asked: Mapping[str, Any]
    """The request that created the batch."""
    cancelled_at: float | None = None
    state: str = "in_progress"
    results: list[tuple[dict[str, Any], bool]] = field(default_factory=list)
    """The lines of the results. Each line has a mark that says whether it is an answer."""
    answered: int = 0
    """The number of answers, including those that are missing from the results."""

    def lines(self, *, good: bool | None = None) -> bytes:
        """Return a file of all lines of the results, of the answers only, or of the other lines only."""
        chosen = [line for line, answered in self.results if good is None or answered == good]
        return b"".join(json.dumps(line).encode() + b"\n" for line in chosen)


class BatchForm(Protocol):
    """The form of batches at one provider."""

    root: str
    """The path of the provider's list of batches."""
    prefix: str
    """The beginning of every batch's id."""

    def requests(self, asked: Mapping[str, Any], files: Mapping[str, bytes]) -> dict[str, dict[str, Any]]:
        """Return the requests for completions in OpenAI's form, by the ids of the calls."""

    def result(self, id_: str, status: int, document: Mapping[str, Any]) -> dict[str, Any]:
        """Return the line of the results for a call that was made."""

    def withdrawn(self, id_: str, state: str) -> dict[str, Any] | None:
        """Return the line of the results for a call that was not made because the batch expired or was cancelled.
        Return None if the provider does not list such calls."""

    def document(self, batch: StoredBatch) -> dict[str, Any]:
        """Return the description of a batch."""

    def listing(self, documents: list[dict[str, Any]]) -> dict[str, Any]:
        """Return the list of batches."""


class OpenAIForm(BatchForm):
    """Files and batches of OpenAI."""

    root, prefix = "/v1/batches", "batch_"

    @override
    def requests(self, asked: Mapping[str, Any], files: Mapping[str, bytes]) -> dict[str, dict[str, Any]]:
        lines = [json.loads(line) for line in files[asked["input_file_id"]].splitlines()]
        return {line["custom_id"]: line["body"] for line in lines}

    @override
    def result(self, id_: str, status: int, document: Mapping[str, Any]) -> dict[str, Any]:
        return {"custom_id": id_, "response": {"status_code": status, "body": document}, "error": None}

    @override
    def withdrawn(self, id_: str, state: str) -> dict[str, Any] | None:
        code = "batch_expired" if state == "expired" else "batch_cancelled"
        return {"custom_id": id_, "response": None, "error": {"code": code, "message": "It was not done."}}

    @override
    def document(self, batch: StoredBatch) -> dict[str, Any]:
        good, bad = batch.answered, sum(not answered for _, answered in batch.results)
        errors = {"object": "list", "data": [{"code": "invalid_file", "message": "the file is not acceptable"}]}
        cancelling = batch.cancelled_at is not None and batch.state == "in_progress"
        return {"id": batch.id, "object": "batch", "endpoint": batch.asked.get("endpoint", ""),
                "completion_window": "24h", "created_at": int(batch.created), "input_file_id": "",
                "metadata": batch.asked.get("metadata"), "status": "cancelling" if cancelling else batch.state,
                "output_file_id": f"{batch.id}output" if good else None,
                "error_file_id": f"{batch.id}errors" if bad else None,
                "errors": errors if batch.state == "failed" else None,
                "request_counts": {"total": len(batch.requests), "completed": good, "failed": bad}}  # fmt: skip

    @override
    def listing(self, documents: list[dict[str, Any]]) -> dict[str, Any]:
        return {"object": "list", "data": documents, "has_more": False, "first_id": None, "last_id": None}


class AnthropicForm(OpenAIForm):
    """Message batches of Anthropic."""

    root, prefix = "/v1/messages/batches", "msgbatch_"

    @override
    def requests(self, asked: Mapping[str, Any], files: Mapping[str, bytes]) -> dict[str, dict[str, Any]]:
        return {request["custom_id"]: as_request(request["params"]) for request in asked["requests"]}

    @override
    def result(self, id_: str, status: int, document: Mapping[str, Any]) -> dict[str, Any]:
        if status == 200:
            return {"custom_id": id_, "result": {"type": "succeeded", "message": as_message(document)}}
        inner = {"type": _ERROR_TYPES.get(status, "api_error"), "message": str(document)}
        return {"custom_id": id_, "result": {"type": "errored", "error": {"type": "error", "error": inner}}}

    @override
    def withdrawn(self, id_: str, state: str) -> dict[str, Any] | None:
        return {"custom_id": id_, "result": {"type": "expired" if state == "expired" else "canceled"}}

    @override
    def document(self, batch: StoredBatch) -> dict[str, Any]:
        ended = batch.state != "in_progress"
        types = {line["custom_id"]: line["result"]["type"] for line, _ in batch.results}
        kinds = list(types.values())
        counts = {kind: kinds.count(kind) for kind in ("succeeded", "errored", "canceled", "expired")}
        # A line that is missing from the results is still counted.
        counts["succeeded"] += len(batch.requests) - len(types) if ended else 0
        moment = _moment(batch.created)
        status = "ended" if ended else "in_progress" if batch.cancelled_at is None else "canceling"
        return {"id": batch.id, "type": "message_batch", "processing_status": status, "created_at": moment,
                "request_counts": {"processing": 0 if ended else len(batch.requests), **counts},
                "expires_at": moment, "results_url": f"{self.root}/{batch.id}/results" if ended else None,
                "ended_at": None, "cancel_initiated_at": None, "archived_at": None}  # fmt: skip


class MistralForm(OpenAIForm):
    """Batch jobs of Mistral."""

    root, prefix = "/v1/batch/jobs", "job_"

    @override
    def requests(self, asked: Mapping[str, Any], files: Mapping[str, bytes]) -> dict[str, dict[str, Any]]:
        lines = [json.loads(line) for name in asked["input_files"] for line in files[name].splitlines()]
        return {line["custom_id"]: {**line["body"], "model": asked["model"]} for line in lines}

    @override
    def withdrawn(self, id_: str, state: str) -> dict[str, Any] | None:
        return None

    @override
    def document(self, batch: StoredBatch) -> dict[str, Any]:
        good, bad = batch.answered, sum(not answered for _, answered in batch.results)
        states = {"in_progress": "RUNNING", "completed": "SUCCESS", "expired": "TIMEOUT_EXCEEDED"}
        state = states.get(batch.state, batch.state.upper())
        if batch.state == "in_progress" and batch.cancelled_at is not None:
            state = "CANCELLATION_REQUESTED"
        errors = [{"message": "the file is not acceptable", "count": 1}] if batch.state == "failed" else []
        return {"id": batch.id, "object": "batch", "input_files": batch.asked["input_files"], "errors": errors,
                "endpoint": batch.asked["endpoint"], "model": batch.asked["model"], "status": state,
                "metadata": batch.asked.get("metadata"), "created_at": int(batch.created),
                "output_file": f"{batch.id}output" if good else None,
                "error_file": f"{batch.id}errors" if bad else None, "total_requests": len(batch.requests),
                "completed_requests": good + bad, "succeeded_requests": good, "failed_requests": bad}  # fmt: skip

    @override
    def listing(self, documents: list[dict[str, Any]]) -> dict[str, Any]:
        return {"object": "list", "data": documents, "total": len(documents)}


class GoogleForm(OpenAIForm):
    """The batch mode of Google's Gemini API, with files."""

    root, prefix = "/google/v1/batches", "batches/"

    @override
    def requests(self, asked: Mapping[str, Any], files: Mapping[str, bytes]) -> dict[str, dict[str, Any]]:
        content = files[asked["batch"]["inputConfig"]["fileName"].removeprefix("files/")]
        lines = [json.loads(line) for line in content.splitlines()]
        return {line["key"]: google.as_request(line["request"], asked["model"]) for line in lines}

    @override
    def result(self, id_: str, status: int, document: Mapping[str, Any]) -> dict[str, Any]:
        if status == 200:
            return {"key": id_, "response": google.as_content(document)}
        return {"key": id_, "error": google.error_of(status, document)}

    @override
    def withdrawn(self, id_: str, state: str) -> dict[str, Any] | None:
        return None

    @override
    def document(self, batch: StoredBatch) -> dict[str, Any]:
        states = {"in_progress": "RUNNING", "completed": "SUCCEEDED"}
        state = f"BATCH_STATE_{states.get(batch.state, batch.state.upper())}"
        # An expired batch has no results.
        output = {"responsesFile": f"files/{batch.id.partition('/')[2]}output"}
        has_output = batch.state in ("completed", "cancelled") and batch.results
        metadata = {"displayName": batch.asked["batch"]["displayName"], "state": state,
                    "model": f"models/{batch.asked['model']}", "createTime": _moment(batch.created),
                    **({"output": output} if has_output else {})}  # fmt: skip
        return {"name": batch.id, "metadata": metadata, "done": batch.state != "in_progress"}

    @override
    def listing(self, documents: list[dict[str, Any]]) -> dict[str, Any]:
        return {"operations": documents}


def _moment(seconds: float) -> str:
    return time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(seconds))


FORMS: Final[tuple[BatchForm, ...]] = (OpenAIForm(), AnthropicForm(), MistralForm(), GoogleForm())
