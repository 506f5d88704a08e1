"""Between our lines and the client library's messages, and back."""

import json
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

from ostrom.core import Line
from ostrom.players.models.bots import Form

if TYPE_CHECKING:
    from pydantic_ai.messages import ModelMessage, ModelResponse
    from pydantic_ai.models import ModelRequestParameters

ANSWER = "answer"
"""What the schema, or the tool, of an answer is called."""
_WORDS = frozenset(
    {"messages", "input", "instructions", "system", "contents", "system_instruction", "tools", "tool_config"}
    | {"response_format", "text", "grammar", "model", "stream", "output_format"}
)
"""Parts of a request that are the prompt or the form of the answer, or go without saying; the rest are settings."""


def messages_of(prompt: Sequence[Line]) -> "list[ModelMessage]":
    """Our lines as the client library's messages."""
    from pydantic_ai.messages import ModelRequest, ModelResponse, SystemPromptPart, TextPart, UserPromptPart

    messages: list[ModelMessage] = []
    asked: list[Any] = []
    for line in prompt:
        if line.role == "assistant":
            if asked:
                messages.append(ModelRequest(parts=asked))
                asked = []
            messages.append(ModelResponse(parts=[TextPart(_sendable(line.text))]))
        else:
            part = SystemPromptPart if line.role == "system" else UserPromptPart
            asked.append(part(_sendable(line.text)))
    if asked:
        messages.append(ModelRequest(parts=asked))
    return messages


def _sendable(text: str) -> str:
    """The text with half characters, which a hostile reply can hold and no request can carry, replaced."""
    return text if text.isascii() else text.encode("utf-8", "replace").decode("utf-8")


def parameters(form: Form, schema: Mapping[str, Any] | None) -> "ModelRequestParameters":
    """How an answer is asked for in a form."""
    from pydantic_ai.models import ModelRequestParameters
    from pydantic_ai.output import OutputObjectDefinition
    from pydantic_ai.tools import ToolDefinition

    if schema is None or form in ("prompted", "tags"):
        return ModelRequestParameters()
    if form == "native":
        return ModelRequestParameters(
            output_mode="native", output_object=OutputObjectDefinition(json_schema=dict(schema), name=ANSWER)
        )
    tool = ToolDefinition(
        name=ANSWER, description="Give your answer.", parameters_json_schema=dict(schema), kind="output"
    )
    return ModelRequestParameters(output_mode="tool", output_tools=[tool], allow_text_output=False)


def text_of(response: "ModelResponse") -> tuple[str, str]:
    """The reply's text and the reasoning before it. A tool call's arguments, the last one's, come before any text."""
    text, reasoning, call = [], [], None
    for part in response.parts:
        match part.part_kind:
            case "text":
                text.append(part.content)
            case "thinking":
                reasoning.append(part.content)
            case "tool-call":
                call = part.args if isinstance(part.args, str) else part.args_as_json_str()
    return ("".join(text) if call is None else call), "\n".join(reasoning)


def settings_in(bodies: list[bytes], settings: Mapping[str, Any]) -> Mapping[str, Any]:
    """The settings as the provider got them. A client of another make keeps its body to itself; then, as handed on."""
    try:
        body = json.loads(bodies[-1])
    except (IndexError, ValueError):
        return dict(settings)
    return {name: value for name, value in body.items() if name not in _WORDS}


def as_header(reference: str) -> str:
    """The reference as a header can carry it."""
    return reference if reference.isascii() and reference.isprintable() else quote(reference, safe="/:.-_ ")
