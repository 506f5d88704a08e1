"""Reads files of results: lines of JSON, one for each call of a batch."""

import json
from collections.abc import Iterator, Mapping
from typing import Any, Final

from ostrom.players.models.batches import LineResult

MAX_REASON_CHARACTERS: Final = 200
"""The maximum length of a provider's reason. Longer reasons are cut."""


def entries_of(content: bytes, key: str = "custom_id") -> Iterator[Mapping[str, Any]]:
    """Yield the objects in lines of JSON that have the id of a call under `key`. Other lines are skipped, and their
    calls count as missing."""
    for line in content.splitlines():
        try:
            entry = json.loads(line)
        except (ValueError, RecursionError):
            continue
        if isinstance(entry, dict) and isinstance(entry.get(key), str):
            yield entry


def result_of(entry: Mapping[str, Any]) -> LineResult:
    """Return the result in a line of OpenAI's form, which Mistral shares."""
    response, error = entry.get("response"), entry.get("error")
    if isinstance(response, dict) and isinstance(response.get("status_code"), int):
        return LineResult(entry["custom_id"], response["status_code"], json.dumps(response.get("body")).encode())
    code = str(error.get("code")) if isinstance(error, dict) else "no response"
    if code in ("batch_expired", "batch_cancelled"):
        return LineResult(entry["custom_id"], 0, code.encode())
    return LineResult(entry["custom_id"], 500, json.dumps({"error": error}).encode())
