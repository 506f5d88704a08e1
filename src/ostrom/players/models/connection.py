"""A bot's connection to its model: a prompt goes out once, and a reply or the reason for none comes back. Repeating,
waiting and limits are the run's; what a reply means is the reader's."""

import json
import os
import warnings
from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import groupby
from typing import TYPE_CHECKING, Any
from urllib.parse import quote, urlsplit

from ostrom.core import Fault, InputError, Line, Usage
from ostrom.core.redaction import SHORTEST, Redactor
from ostrom.core.text import one_line
from ostrom.players.base import REFUSAL, Endpoint, Reply, Unanswered
from ostrom.players.models.bots import Bot, Form
from ostrom.players.models.charges import is_plausible, most_input_tokens, price_of, stated_usage
from ostrom.players.models.providers import build_model, has_retries_of_its_own, key_of, model_name, named, need_package

if TYPE_CHECKING:
    from httpx2 import AsyncClient
    from pydantic_ai.messages import ModelMessage, ModelResponse
    from pydantic_ai.models import Model, ModelRequestParameters

_LONGEST_WORD = 200
"""Characters of a name, an id or a reason that a provider states."""
_LONGEST_BODY = 4000
"""Characters that are kept of a reply that cannot be read."""
_LONGEST_SCANNED = 20 * _LONGEST_BODY
"""Characters of it that are looked through for keys."""
_MOST_SEARCHED = 4 * 2**20
"""Bytes of it in which a usage is looked for."""
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

    kinds: dict[str, Any] = {"assistant": TextPart, "system": SystemPromptPart}
    messages: list[ModelMessage] = []
    for replied, lines in groupby(prompt, key=lambda line: line.role == "assistant"):
        parts = [kinds.get(line.role, UserPromptPart)(_sendable(line.text)) for line in lines]
        messages.append(ModelResponse(parts=parts) if replied else ModelRequest(parts=parts))
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


def settings_in(sent: bytes | None, settings: Mapping[str, Any]) -> Mapping[str, Any]:
    """The settings as the provider got them. A client of another make keeps its body to itself; then, as handed on."""
    try:
        body = json.loads(sent or b"")
    except ValueError:
        return dict(settings)
    return {name: value for name, value in body.items() if name not in _WORDS}


def as_header(reference: str) -> str:
    """The reference as a header can carry it."""
    return reference if reference.isascii() and reference.isprintable() else quote(reference, safe="/:.-_ ")


REFERENCE_HEADER = "X-Client-Request-Id"
_SHAPES = 512
_EMPTY = {"type": "object", "properties": {"contribution": {"type": "integer"}}, "required": ["contribution"]}
_OUTSIDE = ("KEY", "KEY_ID", "TOKEN", "BASE_URL", "ENDPOINT")
"""How the names of variables end that providers' libraries read."""
_connections: dict[Bot, "ModelConnection"] = {}
_keys: set[str] = set()
"""Those of all connections that there were: who answers twice on a line that is used again tells one bot what another
one sent."""


class ModelConnection:
    """A bot's line to its model. One per bot and process; all of them share one HTTP client per event loop."""

    def __init__(self, bot: Bot) -> None:
        need_package()
        from ostrom.players.models.transport import http_client  # needs what the extra brings

        _hush()
        self._bot = bot
        client = http_client()
        self._held: tuple[AsyncClient, Model] = (client, build_model(bot, client))
        model = self._held[1]
        self._key, self._settings_outside = key_of(bot), _settings_outside(bot)
        if self._key is not None and len(self._key) >= SHORTEST:
            _keys.add(self._key)
        self._redact = Redactor(_keys)
        for other in _connections.values():
            other._redact = self._redact
        self.form: Form = bot.form or _default_form(bot, model)
        """How answers are asked for: the bot's own choice, or the best that its model is known to keep."""
        self._settings = _settings(bot, model)
        self.requested: Mapping[str, Any] = _requested(bot, self.form)
        """What is asked of the model, as plain data, for the record."""
        self._price = price_of(bot, model_name(bot), model.system, model.base_url)
        self.endpoint = Endpoint(*_place(bot), price=self._price)
        """Where the calls go, for those who keep limits."""
        self._shapes: dict[str, ModelRequestParameters] = {}
        self._sent: dict[bool, Mapping[str, Any]] = {}
        self._check_form(model)

    def bounds(self, prompt: Sequence[Line], schema: Mapping[str, Any] | None) -> tuple[int, int, float]:
        """The most input tokens, output tokens and dollars that a call can come to."""
        most_input = most_input_tokens(prompt, None if schema is None else json.dumps(schema), self.form)
        most_output = self._bot.max_tokens
        return most_input, most_output, 0.0 if self._price is None else self._price(most_input, most_output)

    async def send(
        self, prompt: Sequence[Line], schema: Mapping[str, Any] | None, reference: str, grammar: str | None = None
    ) -> Reply:
        """Make one call, once. `schema` is that of the answer, for the forms native and tool; `reference` goes along as
        the request's id. Raises `Unanswered`; a cancellation passes through."""
        from ostrom.players.models.transport import WireExchange, current_exchange, http_client, unanswered

        client = http_client()
        if self._held[0] is not client:  # another event loop, or the last one's connections were closed
            self._held = (client, build_model(self._bot, client))
        model = self._held[1]
        settings = {**self._settings, "extra_headers": {REFERENCE_HEADER: as_header(reference)}}
        if grammar is not None:
            settings["extra_body"] = {"grammar": grammar}
        exchange = WireExchange()
        token = current_exchange.set(exchange)
        try:
            response = await model.request(messages_of(prompt), settings, self._shape(schema))  # type: ignore[arg-type]
            if (schema is None) not in self._sent:
                self._sent[schema is None] = settings_in(exchange.request, self._settings)
            return _without_keys(self._reply(prompt, response, self._sent[schema is None]), self._redact)
        except Exception as error:
            failure = unanswered(error, self._key, *_keys)
            failure.reply = self._unread(prompt, failure, exchange.body)
            raise failure from None
        finally:
            current_exchange.reset(token)

    def _shape(self, schema: Mapping[str, Any] | None) -> "ModelRequestParameters":
        """How the answer is asked for, prepared once for each schema."""
        name = "" if schema is None else json.dumps(schema)
        shape = self._shapes.get(name)
        if shape is None:
            if len(self._shapes) >= _SHAPES:
                self._shapes.clear()
            shape = self._shapes[name] = parameters(self.form, schema)
        return shape

    def _reply(self, prompt: Sequence[Line], response: "ModelResponse", sent: Mapping[str, Any]) -> Reply:
        details = response.provider_details or {}
        text, reasoning = text_of(response)
        usage = Usage(response.usage.input_tokens, response.usage.output_tokens)
        extra: dict[str, Any] = {"reasoning": reasoning} if reasoning else {}
        if response.finish_reason == "content_filter":
            # A reply all the same: it was paid for, and is kept whole.
            text = text or str(details.get("refusal") or "")
            extra[REFUSAL] = one_line(text or "a content filter blocked the reply", redact=self._all_keys)
        effective = {
            "model": self._stated(response.model_name),
            "provider": response.provider_name,
            "id": self._stated(response.provider_response_id),
            "settings": sent,
        }
        finish_reason = self._stated(details.get("finish_reason") or response.finish_reason)
        return self._counted(Reply(text, usage, None, finish_reason, effective, extra), prompt)

    @property
    def _all_keys(self) -> Redactor:
        """For what is no answer of a model: there its own key goes, however short."""
        return Redactor([self._key, *_keys])

    def _stated(self, text: object) -> str | None:
        """A word of the provider's, in bounds."""
        return None if text is None else one_line(str(text), _LONGEST_WORD, redact=self._redact)

    def _counted(self, reply: Reply, prompt: Sequence[Line]) -> Reply:
        """The reply with its cost; without either usage or cost where the provider does not say, or says what cannot
        be, which is not the same as nothing."""
        usage = reply.usage
        if is_plausible(usage, prompt, reply.text):
            cost = None if self._price is None else self._price(usage.input_tokens, usage.output_tokens)
            return replace(reply, cost=cost)
        why = "not given" if not usage.tokens else f"not plausible: {one_line(str(usage), _LONGEST_WORD)}"
        return replace(reply, usage=Usage(), extra={**reply.extra, "usage": why})

    def _unread(self, prompt: Sequence[Line], failure: Unanswered, body: bytes | None) -> Reply | None:
        """What of a reply that cannot be read is kept and counted: it was paid for all the same. Of an error, only
        where it states a usage."""
        if body is None:
            return None
        told = body[:_MOST_SEARCHED].decode("utf-8", "replace")
        usage = stated_usage(told)
        if usage is None and failure.fault is not Fault.MALFORMED:
            return None
        extra = {"body": one_line(told[:_LONGEST_SCANNED], _LONGEST_BODY, redact=self._all_keys)}
        return self._counted(Reply("", usage or Usage(), None, None, {}, extra), prompt)

    def _check_form(self, model: "Model") -> None:
        from pydantic_ai.exceptions import UserError

        if self._bot.grammar and self._bot.base_url is None:
            wrong = "grammar is for a llama.cpp server; give its base_url or leave it out"
            raise InputError(f"{named(self._bot)}: {wrong}")
        schema = _EMPTY if self.form in ("native", "tool") else None
        try:
            model.prepare_request(dict(self._settings), self._shape(schema))  # type: ignore[arg-type]
        except UserError as error:
            raise InputError(
                f"{named(self._bot)}: the form {self.form} does not work with this model: {one_line(str(error), 200)}; "
                "choose native, tool, prompted or tags"
            ) from None
        self._shapes.clear()


def _without_keys(reply: Reply, redact: Redactor) -> Reply:
    """A reply as it may be kept: a server can tell back what it was sent, wherever it writes."""
    told = {name: redact.data(getattr(reply, name)) for name in ("text", "finish_reason", "effective", "extra")}
    return replace(reply, **told)


def connect(bot: Bot) -> ModelConnection:
    """The bot's connection, the same one as long as the environment says the same of keys and servers. Says in one line
    what is missing, before anything is sent."""
    connection = _connections.get(bot)
    if connection is None or connection._key != key_of(bot) or connection._settings_outside != _settings_outside(bot):
        connection = _connections[bot] = ModelConnection(bot)
    return connection


def _settings_outside(bot: Bot) -> Mapping[str, str]:
    """What a provider's library may read from the environment when a connection is made: a key that was changed or
    taken away since must not go on being used. A bot with an address of its own names all that counts."""
    if bot.base_url is not None:
        return {}
    return {name: value for name, value in os.environ.items() if name.endswith(_OUTSIDE)}


def _hush() -> None:
    """Settings that a model does not take are missing from the record of what was sent; a warning says nothing more."""
    from pydantic_ai.exceptions import UnsupportedSettingWarning

    warnings.filterwarnings("ignore", category=Warning, module=r"pydantic_ai\.")
    warnings.filterwarnings("ignore", category=UnsupportedSettingWarning)


def _default_form(bot: Bot, model: "Model") -> Form:
    if bot.base_url is not None or model.profile.get("supports_json_schema_output", False):
        return "native"
    return "tool" if model.profile.get("supports_tools", True) else "prompted"


def _requested(bot: Bot, form: Form) -> dict[str, Any]:
    asked = {"model": bot.model, "base_url": bot.base_url, "form": form, "temperature": bot.temperature}
    asked |= {"max_tokens": bot.max_tokens, "reasoning": bot.reasoning, "grammar": bot.grammar or None}
    return {name: value for name, value in asked.items() if value is not None}


def _place(bot: Bot) -> tuple[str, str]:
    if bot.base_url is None:
        # One provider's interfaces share its limit.
        return bot.model, bot.model.partition(":")[0].removesuffix("-chat").removesuffix("-responses")
    host = urlsplit(bot.base_url).netloc
    return f"{model_name(bot)}@{host}", host


def _settings(bot: Bot, model: "Model") -> dict[str, Any]:
    settings: dict[str, Any] = {"max_tokens": bot.max_tokens}
    if bot.temperature is not None:
        settings["temperature"] = bot.temperature
    if has_retries_of_its_own(model):
        settings["max_retries"] = 0
    if bot.reasoning is not None:
        settings |= _reasoning(bot, model)
    return settings


def _reasoning(bot: Bot, model: "Model") -> dict[str, Any]:
    profile, system = model.profile, model.system
    if isinstance(bot.reasoning, int):
        if system == "anthropic":
            return {"anthropic_thinking": {"type": "enabled", "budget_tokens": bot.reasoning}}
        if system.startswith("google"):
            return {"google_thinking_config": {"thinking_budget": bot.reasoning}}
        raise InputError(
            f"{named(bot)}: {system} takes no number of reasoning tokens; use off, minimal, low, medium or high"
        )
    if bot.base_url is not None:  # nothing is known about the server's model, so it is told what the bot's file says
        return {"openai_reasoning_effort": "none" if bot.reasoning == "off" else bot.reasoning}
    if profile.get("supports_thinking", False) or profile.get("thinking_always_enabled", False):
        return {"thinking": False if bot.reasoning == "off" else bot.reasoning}
    if bot.reasoning == "off":
        return {}
    raise InputError(f"{named(bot)}: this model takes no reasoning setting; leave out reasoning")
