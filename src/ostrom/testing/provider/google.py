"""Convert requests of Google's Gemini API to requests of OpenAI's API, which the provider answers, and convert the
replies back."""

import json
from collections.abc import Mapping, Sequence
from typing import Any, Final

_FINISH_REASONS: Final = {"stop": "STOP", "length": "MAX_TOKENS", "tool_calls": "STOP", "content_filter": "SAFETY"}


def as_request(parsed: Mapping[str, Any], model: str) -> dict[str, Any]:
    """Convert a Gemini request for content to an OpenAI request for a completion."""
    messages = [{"role": "system", "content": text} for text in _texts([parsed.get("systemInstruction") or {}])]
    for content in parsed["contents"]:
        role = "assistant" if content.get("role") == "model" else "user"
        messages += [{"role": role, "content": text} for text in _texts([content])]
    settings = parsed.get("generationConfig") or {}
    request: dict[str, Any] = {"model": model, "messages": messages, "max_tokens": settings.get("maxOutputTokens")}
    schema = settings.get("responseJsonSchema") or settings.get("responseSchema")
    if schema:
        request["response_format"] = {"type": "json_schema", "json_schema": {"schema": schema}}
    return request


def as_content(completion: Mapping[str, Any]) -> dict[str, Any]:
    """Convert an OpenAI completion to a Gemini response."""
    choice, usage = completion["choices"][0], completion["usage"]
    text = choice["message"].get("content") or choice["message"].get("refusal")
    candidate = {"finishReason": _FINISH_REASONS[choice["finish_reason"]], "index": 0}
    if text:
        candidate["content"] = {"role": "model", "parts": [{"text": text}]}
    counts = {"promptTokenCount": usage["prompt_tokens"], "candidatesTokenCount": usage["completion_tokens"]}
    return {
        "candidates": [candidate],
        "usageMetadata": {**counts, "totalTokenCount": usage["total_tokens"]},
        "modelVersion": completion["model"],
        "responseId": completion["id"],
    }


def error_of(status: int, document: Mapping[str, Any]) -> dict[str, Any]:
    """Return the error of one call of a batch, with a code of Google's remote procedure calls."""
    codes = {400: 3, 401: 16, 403: 7, 404: 5, 429: 8, 503: 14}
    return {"code": codes.get(status, 13), "message": json.dumps(document)}


def _texts(contents: Sequence[Mapping[str, Any]]) -> list[str]:
    joined = ["".join(part.get("text", "") for part in content.get("parts") or ()) for content in contents]
    return [text for text in joined if text]
