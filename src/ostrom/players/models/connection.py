"""A bot's connection to its model. It sends a prompt, without retries, and returns the reply or raises an error. The
run handles retries, waiting and limits. The module `reading` interprets replies."""

import json
import os
import warnings
from collections.abc import Mapping, Sequence
from dataclasses import fields, replace
from functools import cached_property
from itertools import groupby
from typing import TYPE_CHECKING, Any
from urllib.parse import quote, urlsplit

from ostrom.core import Fault, InputError, Line, Usage
from ostrom.core.redaction import MIN_SECRET_CHARACTERS, Redactor
from ostrom.core.text import one_line
from ostrom.players.base import REFUSAL, Endpoint, Reply, Unanswered
from ostrom.players.models.batch_apis import BATCH_APIS, HALF_PRICED
from ostrom.players.models.batches import BatchApi, current_carrier
from ostrom.players.models.bots import Bot, Form
from ostrom.players.models.charges import is_plausible, most_dollars, most_input_tokens, price_of, stated_usage
from ostrom.players.models.distribution import LOGPROBS
from ostrom.players.models.framing import SHARED_FIRST
from ostrom.players.models.prompting import SEPARATOR
from ostrom.players.models.providers import (
    bot_label,
    build_model,
    has_retries_of_its_own,
    key_of,
    model_name,
    need_package,
)

if TYPE_CHECKING:
    from httpx2 import AsyncClient
    from pydantic_ai.messages import ModelMessage, ModelResponse
    from pydantic_ai.models import Model, ModelRequestParameters

_MAX_STATED = 200
"""The largest number of characters that are used of a name, an id or a reason from a provider."""
_MAX_BODY = 4000
"""The largest number of characters of an unreadable reply that are stored."""
_MAX_SCANNED = 20 * _MAX_BODY
"""The largest number of characters of an unreadable reply that are searched for keys."""
_MAX_SEARCHED_BYTES = 4 * 2**20
"""The largest number of bytes of an unreadable reply that are searched for a usage."""
MARKING_SYSTEMS = ("anthropic", "bedrock", "openrouter")
"""The `system` values of models that cache only the marked parts of a request. Other systems cache the beginnings of
prompts automatically."""
ANSWER = "answer"
"""The name of the JSON schema with which a model answers, or of the tool by which it answers."""
_NOT_SETTINGS = frozenset(
    {"messages", "input", "instructions", "system", "contents", "system_instruction", "tools", "tool_config"}
    | {"response_format", "text", "grammar", "model", "stream", "output_format"}
)
"""The parts of a request that are the prompt or the form of the answer. All other parts are recorded as settings."""


def messages_of(prompt: Sequence[Line], *, marked: bool = False) -> "list[ModelMessage]":
    """Return lines as messages of the client library. Consecutive lines of a user become one message. If `marked`, the
    last message has marks that show which beginnings of the prompt can be cached. There is one mark after each block of
    the public past, before the seat's own part."""
    from pydantic_ai.messages import CachePoint, ModelRequest, ModelResponse, SystemPromptPart, TextPart, UserPromptPart

    kinds: dict[str, Any] = {"assistant": TextPart, "system": SystemPromptPart, "user": UserPromptPart}
    runs = [
        (role, [_sendable(line.text) for line in lines]) for role, lines in groupby(prompt, key=lambda line: line.role)
    ]
    messages: list[ModelMessage] = []
    parts: list[Any] = []
    for place, (role, texts) in enumerate(runs):
        content: Any = SEPARATOR.join(texts)
        if marked and role == "user" and place == len(runs) - 1 and len(texts) > 1:
            blocks = [*(text + SEPARATOR for text in texts[:-1]), texts[-1]]
            content = [*blocks[:-2], *([CachePoint()] if len(blocks) > 2 else []), blocks[-2], CachePoint(), blocks[-1]]
        part = kinds.get(role, UserPromptPart)(content)
        if role == "assistant":
            messages += [*([ModelRequest(parts=parts)] if parts else []), ModelResponse(parts=[part])]
            parts = []
        else:
            parts.append(part)
    return [*messages, ModelRequest(parts=parts)] if parts else messages


def _sendable(text: str) -> str:
    """Return the text without lone surrogates. A malicious reply can contain them, but a request cannot."""
    return text if text.isascii() else text.encode("utf-8", "replace").decode("utf-8")


def parameters(form: Form, schema: Mapping[str, Any] | None) -> "ModelRequestParameters":
    """Return the request parameters for the form of an answer."""
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
    """Return the text of a reply and its reasoning. If the reply has tool calls, the arguments of the last one replace
    the text."""
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
    """Return the settings that were sent to the provider. If the client does not expose the request's body, return
    `settings`."""
    try:
        body = json.loads(sent or b"")
    except ValueError:
        return dict(settings)
    return {name: value for name, value in body.items() if name not in _NOT_SETTINGS}


def as_header(reference: str) -> str:
    """Return the reference in a form that is valid in an HTTP header."""
    return reference if reference.isascii() and reference.isprintable() else quote(reference, safe="/:.-_ ")


REFERENCE_HEADER = "X-Client-Request-Id"
_TOP_LOGPROBS = 20
"""The largest number of tokens for which the protocol lets servers list probabilities."""
_MAX_SHAPES = 512
_EMPTY = {"type": "object", "properties": {"contribution": {"type": "integer"}}, "required": ["contribution"]}
_VARIABLE_ENDINGS = ("KEY", "KEY_ID", "TOKEN", "BASE_URL", "ENDPOINT")
"""The endings of the names of environment variables that providers' libraries read."""
_connections: dict[Bot, "ModelConnection"] = {}
_keys: set[str] = set()
"""The keys of all connections of this process. All of them are removed from every reply. Otherwise, an unexpected
second response on a reused connection could disclose one bot's key to another bot."""


class ModelConnection:
    """A bot's connection to its model. There is one connection for each bot and process. All connections share one HTTP
    client per event loop."""

    def __init__(self, bot: Bot) -> None:
        need_package()
        from ostrom.players.models import transport  # this needs the extra "models"

        _silence_warnings()
        self._bot, self._transport = bot, transport
        client = transport.http_client()
        self._client_and_model: tuple[AsyncClient, Model] = (client, build_model(bot, client))
        model = self._client_and_model[1]
        self._key, self._environment = key_of(bot), _environment(bot)
        if self._key is not None and len(self._key) >= MIN_SECRET_CHARACTERS:
            _keys.add(self._key)
        self._redact = Redactor(_keys)
        for other in _connections.values():
            other._redact = self._redact
        self.form: Form = bot.form or _default_form(bot, model)
        """The form of answers: the form in the bot's file, or else the best form that the model's provider is known to
        enforce."""
        self._settings = _settings(bot, model)
        self.requested: Mapping[str, Any] = _requested(bot, self.form)
        """The settings of the model as plain data, for the record."""
        self._price = price_of(bot, model_name(bot), model.system, model.base_url)
        self.endpoint = Endpoint(*_place(bot), price=self._price)
        """The destination of the calls. The limits of a run apply to it."""
        self._shapes: dict[str, ModelRequestParameters] = {}
        self._sent: dict[bool, Mapping[str, Any]] = {}
        self._check_form(model)

    def bounds(self, prompt: Sequence[Line], schema: Mapping[str, Any] | None) -> tuple[int, int, float]:
        """Return upper bounds of a call's input tokens, output tokens and dollars."""
        most_input = most_input_tokens(prompt, None if schema is None else json.dumps(schema), self.form)
        most_output = self._bot.max_tokens
        return (
            most_input,
            most_output,
            0.0 if self._price is None else most_dollars(self._price, most_input, most_output),
        )

    async def send(
        self,
        prompt: Sequence[Line],
        schema: Mapping[str, Any] | None,
        reference: str,
        grammar: str | None = None,
        *,
        logprobs: bool = False,
    ) -> Reply:
        """Make one call, without retries, and return its reply. `schema` is the JSON schema of the answer, for the
        forms native and tool. `reference` is sent as the request's id. With `logprobs`, the reply's extras have the log
        probabilities of its tokens. Raises `Unanswered` if the call fails. A cancellation is not caught."""
        model = self._model()
        settings = {**self._settings, "extra_headers": {REFERENCE_HEADER: as_header(reference)}}
        if grammar is not None:
            settings["extra_body"] = {"grammar": grammar}
        if logprobs:
            settings |= {"openai_logprobs": True, "openai_top_logprobs": _TOP_LOGPROBS}
        exchange = self._transport.WireExchange()
        token = self._transport.current_exchange.set(exchange)
        try:
            messages = messages_of(prompt, marked=model.system in MARKING_SYSTEMS)
            response = await model.request(messages, settings, self._shape(schema))  # type: ignore[arg-type]
            if (schema is None) not in self._sent:
                self._sent[schema is None] = settings_in(exchange.request, self._settings)
            return _without_keys(self._reply(prompt, response, self._sent[schema is None]), self._redact)
        except Exception as error:
            failure = self._transport.unanswered(error, self._key, *_keys)
            failure.reply = self._unread(prompt, failure, exchange.body)
            raise failure from None
        finally:
            self._transport.current_exchange.reset(token)

    def _model(self) -> "Model":
        client = self._transport.http_client()
        # A new client means that the event loop is another one, or that the connections of the previous one were
        # closed.
        if self._client_and_model[0] is not client:
            self._client_and_model = (client, build_model(self._bot, client))
        return self._client_and_model[1]

    @cached_property
    def batches(self) -> BatchApi | None:
        """The batch API of the bot's provider, or None if no batch API is known."""
        system = self._client_and_model[1].system
        share = 0.5 if system in HALF_PRICED else 1.0
        if self._bot.price is not None and self._bot.price.batch is not None:
            share = self._bot.price.batch
        group = (self.endpoint.model, self._bot.key_env, share)
        api = BATCH_APIS.get(system)
        return None if api is None else api(lambda: self._model().provider.client, group, share)  # type: ignore[union-attr]

    def batch_failure(self, error: Exception) -> Unanswered:
        """Return the fault of a failed request to the batch API, without keys."""
        return self._transport.failed_request(error, self._key, *_keys)

    def _shape(self, schema: Mapping[str, Any] | None) -> "ModelRequestParameters":
        """Return the request parameters for a schema. They are prepared once for each schema."""
        name = "" if schema is None else json.dumps(schema)
        shape = self._shapes.get(name)
        if shape is None:
            if len(self._shapes) >= _MAX_SHAPES:
                self._shapes.clear()
            shape = self._shapes[name] = parameters(self.form, schema)
        return shape

    def _reply(self, prompt: Sequence[Line], response: "ModelResponse", sent: Mapping[str, Any]) -> Reply:
        details = response.provider_details or {}
        text, reasoning = text_of(response)
        usage = Usage(*(getattr(response.usage, field.name) for field in fields(Usage)))
        extra: dict[str, Any] = {"reasoning": reasoning} if reasoning else {}
        if details.get("logprobs"):
            extra[LOGPROBS] = details["logprobs"]
        if response.finish_reason == "content_filter":
            # This is still a reply. The call was paid for, so the whole text is stored.
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
        """Return the redactor for texts other than a model's answers. It removes short keys too."""
        return Redactor([self._key, *_keys])

    def _stated(self, text: object) -> str | None:
        """Return a text from the provider with keys removed, cut to the largest length."""
        return None if text is None else one_line(str(text), _MAX_STATED, redact=self._redact)

    def _counted(self, reply: Reply, prompt: Sequence[Line]) -> Reply:
        """Return the reply with its cost. If the provider reports no plausible usage, usage and cost are unknown, and
        are removed."""
        usage = reply.usage
        if is_plausible(usage, prompt, reply.text):
            cost = None if self._price is None else self._price(usage)
            if cost is not None and current_carrier.get() is not None and self.batches is not None:
                cost *= self.batches.price
            return replace(reply, cost=cost)
        why = "not given" if not usage.tokens else f"not plausible: {one_line(str(usage), _MAX_STATED)}"
        return replace(reply, usage=Usage(), extra={**reply.extra, "usage": why})

    def _unread(self, prompt: Sequence[Line], failure: Unanswered, body: bytes | None) -> Reply | None:
        """Return the part of an unreadable reply that is stored and counted, since the reply was paid for. For a failed
        request, the reply is returned only if it reports a usage."""
        if body is None:
            return None
        text = body[:_MAX_SEARCHED_BYTES].decode("utf-8", "replace")
        usage = stated_usage(text)
        if usage is None and failure.fault is not Fault.MALFORMED:
            return None
        extra = {"body": one_line(text[:_MAX_SCANNED], _MAX_BODY, redact=self._all_keys)}
        return self._counted(Reply("", usage or Usage(), None, None, {}, extra), prompt)

    def _check_form(self, model: "Model") -> None:
        from pydantic_ai.exceptions import UserError

        label = bot_label(self._bot)
        if self._bot.grammar and self._bot.base_url is None:
            raise InputError(f"{label}: grammar is for a llama.cpp server; set its base_url or leave it out")
        schema = _EMPTY if self.form in ("native", "tool") else None
        try:
            model.prepare_request(dict(self._settings), self._shape(schema))  # type: ignore[arg-type]
        except UserError as error:
            raise InputError(
                f"{label}: the form {self.form} does not work with this model: {one_line(str(error), 200)}; "
                "choose native, tool, prompted or tags"
            ) from None
        self._shapes.clear()


def _without_keys(reply: Reply, redact: Redactor) -> Reply:
    """Return a reply without keys. Any part of it could contain a key, since a server can repeat what it received."""
    redacted = {name: redact.data(getattr(reply, name)) for name in ("text", "finish_reason", "effective", "extra")}
    return replace(reply, **redacted)


def connect(bot: Bot) -> ModelConnection:
    """Return the bot's connection. It is reused while keys and servers in the environment stay the same. Before
    anything is sent, raise `InputError` if a requirement is missing."""
    connection = _connections.get(bot)
    if connection is None or connection._key != key_of(bot) or connection._environment != _environment(bot):
        connection = _connections[bot] = ModelConnection(bot)
    return connection


def _environment(bot: Bot) -> Mapping[str, str]:
    """Return the environment variables that a provider's library may read when a connection is opened. If one of them
    has changed, the connection is not reused, so that an old key is no longer used. If a bot has its own address, the
    only such variable is the one that the bot's file names."""
    if bot.base_url is not None:
        return {}
    return {name: value for name, value in os.environ.items() if name.endswith(_VARIABLE_ENDINGS)}


def _silence_warnings() -> None:
    """Silence warnings about unsupported settings, since the record shows which settings were sent."""
    from pydantic_ai.exceptions import UnsupportedSettingWarning

    warnings.filterwarnings("ignore", category=Warning, module=r"pydantic_ai\.")
    warnings.filterwarnings("ignore", category=UnsupportedSettingWarning)


def _default_form(bot: Bot, model: "Model") -> Form:
    if bot.answers == "logprobs":
        return "tags"
    if bot.base_url is None and bot.layout == SHARED_FIRST:
        # Providers treat a schema and a tool as parts of the prompt's beginning. Both change with every question, so
        # the beginning could not be cached.
        return "prompted"
    if bot.base_url is not None or model.profile.get("supports_json_schema_output", False):
        return "native"
    return "tool" if model.profile.get("supports_tools", True) else "prompted"


def _requested(bot: Bot, form: Form) -> dict[str, Any]:
    settings = {"model": bot.model, "base_url": bot.base_url, "form": form, "temperature": bot.temperature}
    settings |= {"max_tokens": bot.max_tokens, "reasoning": bot.reasoning, "grammar": bot.grammar or None}
    settings |= {"answers": bot.answers if bot.answers != "text" else None}
    return {name: value for name, value in settings.items() if value is not None}


def _place(bot: Bot) -> tuple[str, str]:
    if bot.base_url is None:
        # All interfaces of a provider share one limit on the rate of calls, so they have the same name here.
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
    if bot.layout == SHARED_FIRST and model.system in ("anthropic", "bedrock"):
        settings[f"{model.system}_cache_instructions"] = True
    return settings


def _reasoning(bot: Bot, model: "Model") -> dict[str, Any]:
    profile, system = model.profile, model.system
    if isinstance(bot.reasoning, int):
        if system == "anthropic":
            return {"anthropic_thinking": {"type": "enabled", "budget_tokens": bot.reasoning}}
        if system.startswith("google"):
            return {"google_thinking_config": {"thinking_budget": bot.reasoning}}
        raise InputError(
            f"{bot_label(bot)}: {system} does not accept a number of reasoning tokens; use off, minimal, low, medium "
            "or high"
        )
    if bot.base_url is not None:  # The server's model is unknown, so it gets the settings of the bot's file.
        return {"openai_reasoning_effort": "none" if bot.reasoning == "off" else bot.reasoning}
    if profile.get("supports_thinking", False) or profile.get("thinking_always_enabled", False):
        return {"thinking": False if bot.reasoning == "off" else bot.reasoning}
    if bot.reasoning == "off":
        return {}
    raise InputError(f"{bot_label(bot)}: this model has no reasoning setting; leave out reasoning")
