"""Convert requests of Anthropic's API to requests of OpenAI's API, which the provider answers, and convert the replies
back."""

import json
from collections.abc import Mapping
from typing import Any, Final

_STOP_REASONS: Final = {
    **{"stop": "end_turn", "length": "max_tokens", "tool_calls": "tool_use", "content_filter": "refusal"},
}


def as_request(parsed: Mapping[str, Any]) -> dict[str, Any]:
    """Convert an Anthropic request for a message to an OpenAI request for a completion."""
    system = parsed.get("system") or []
    head = [{"role": "system", "content": system}] if system else []
    request: dict[str, Any] = {"model": parsed["model"], "max_tokens": parsed["max_tokens"]}
    request["messages"] = [*head, *parsed["messages"]]
    tools = [tool for tool in parsed.get("tools") or () if "input_schema" in tool]
    if tools:
        request["tools"] = [
            {"type": "function", "function": {"name": tool["name"], "parameters": tool["input_schema"]}}
            for tool in tools
        ]
    form = (parsed.get("output_config") or {}).get("format") or parsed.get("output_format")
    if form:
        request["response_format"] = {"type": "json_schema", "json_schema": {"schema": form["schema"]}}
    return request


def as_message(completion: Mapping[str, Any]) -> dict[str, Any]:
    """Convert an OpenAI completion to an Anthropic message."""
    choice, usage = completion["choices"][0], completion["usage"]
    message = choice["message"]
    text = message.get("content") or message.get("refusal")
    content: list[dict[str, Any]] = [{"type": "text", "text": text}] if text else []
    for call in message.get("tool_calls") or ():
        function = call["function"]
        content.append(
            {"type": "tool_use", "id": call["id"], "name": function["name"], "input": _json(function["arguments"])}
        )
    return {
        "id": completion["id"].replace("chatcmpl", "msg"),
        "type": "message",
        "role": "assistant",
        "model": completion["model"],
        "content": content,
        "stop_reason": "refusal" if message.get("refusal") else _STOP_REASONS[choice["finish_reason"]],
        "stop_sequence": None,
        "usage": {"input_tokens": usage["prompt_tokens"], "output_tokens": usage["completion_tokens"]},
    }


def _json(arguments: str) -> Any:
    """Return the arguments of a tool as an object, which is how Anthropic sends them. Invalid arguments become an empty
    object."""
    try:
        return json.loads(arguments)
    except ValueError:
        return {}
