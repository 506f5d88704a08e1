"""Answer requests to the provider: completions, the list of models, and its account. The provider runs in an event
loop, or in a thread in the test's process."""

import asyncio
import json
import time
from collections.abc import AsyncIterator, Mapping
from contextlib import ExitStack, asynccontextmanager
from typing import TYPE_CHECKING, Any, Self
from urllib.parse import parse_qs

from ostrom.core import InputError
from ostrom.core.prefixes import prompt_text
from ostrom.testing.provider.answers import texts
from ostrom.testing.provider.batches import BatchService, is_for_batches
from ostrom.testing.provider.caching import PromptCache
from ostrom.testing.provider.catalogue import CATALOGUE, ENDLESS
from ostrom.testing.provider.delivery import ClientConnection, HttpRequest, Scenario, charge_of, deliver
from ostrom.testing.provider.dialects import in_openai_form
from ostrom.testing.provider.faults import STATUSES, FaultPlan, ProviderAccount, ProviderSettings, Visit, unit
from ostrom.testing.provider.replies import WrittenReply, digest_of, tokens, write_reply

if TYPE_CHECKING:
    from anyio.from_thread import BlockingPortal

FINGERPRINT = "fp_ostrom_test"
_TRICKLE_LENGTH = 10_000_000
_ERRORS = {
    400: ("invalid_request_error", "The request is not acceptable."),
    401: ("invalid_request_error", "Incorrect API key provided: {key}."),
    404: ("invalid_request_error", "The model {model} does not exist or you do not have access to it."),
    429: ("requests", "Rate limit reached."),
    500: ("server_error", "The server had an error while processing your request."),
    503: ("server_error", "The engine is currently overloaded."),
}


class ProviderService:
    """Serves all connections of one provider, in one event loop."""

    def __init__(self, settings: ProviderSettings) -> None:
        self._settings = settings
        self._plan = FaultPlan(settings)
        self.account = ProviderAccount(settings.log, settings.keep)
        self._batches = BatchService(settings, self._complete_line)
        self.cache = None if settings.cache is None else PromptCache(settings.cache)

    def summary(self) -> dict[str, Any]:
        """Return the account, together with the number of batches by state and, if there is a cache, the account of the
        cache."""
        cached = {} if self.cache is None else {"cache": self.cache.summary()}
        return {**self.account.summary(), "batches": self._batches.summary(), **cached}

    async def serve(self, request: HttpRequest, connection: ClientConnection) -> None:
        """Answer one request, either at once or after the delay."""
        path = request.target.path
        if is_for_batches(path):
            self._batches.serve(request, connection)
            return
        try:
            request, connection = in_openai_form(request, connection)
        except (ValueError, KeyError, TypeError) as reason:
            self.account.count_bad_request()
            _respond(connection, 400, _error(f"the request cannot be read: {reason!r}", "invalid_request_error"))
            return
        path = request.target.path
        allowed = "POST" if path == "/v1/chat/completions" else "GET"
        if path not in ("/v1/chat/completions", "/v1/models", "/_account", "/_prompts"):
            _respond(connection, 404, _error(f"there is nothing at {path}", "not_found"))
        elif request.method != allowed:
            _respond(connection, 405, _error(f"Use {allowed}.", "invalid_request_error"), f"Allow: {allowed}\r\n")
        elif path == "/v1/chat/completions":
            await self._complete(request, connection)
        elif path == "/v1/models":
            # If any name is accepted, the list of models is empty.
            models = self._settings.models
            entries = [{"id": name, "object": "model", "created": 0, "owned_by": "ostrom"} for name in models]
            _respond(connection, 200, {"object": "list", "data": entries})
        elif path == "/_account":
            _respond(connection, 200, self.summary())
        else:
            ids = parse_qs(request.target.query).get("id")
            prompts = self.account.prompts(ids[0] if ids else None)
            missing = _error("no prompt has this id; --keep stores prompts", "not_found")
            _respond(connection, 404 if prompts is None else 200, missing if prompts is None else prompts)

    async def _complete(self, request: HttpRequest, connection: ClientConnection) -> None:
        reference = request.headers.get("x-client-request-id")
        try:
            parsed = _parse(request.body)
            model, digest = parsed["model"], digest_of(parsed["messages"])
            scenario = CATALOGUE.get(model) if self._settings.catalogue else None
            known = model in self._settings.models or not self._settings.models or scenario is not None
            fault = self._plan.fault(self.account.next_number, model, reference) if known else "404"
            settings = (self._settings.seed, self._settings.answers)
            reply = None if fault in STATUSES else write_reply(parsed, digest, fault, *settings)
        except (ValueError, KeyError, TypeError, AttributeError, IndexError, RecursionError) as reason:
            self.account.count_bad_request()
            _respond(connection, 400, _error(f"the request cannot be read: {reason!r}", "invalid_request_error"))
            return
        visit = self.account.open_visit(reference, model, digest, fault if reply is None else reply.fault)
        self.account.store_prompt(visit, parsed["messages"])
        if reply is None:
            self._fail(visit, request, connection)
            return
        visit.charged = sum(_token_counts(reply, parsed))
        try:
            if scenario is not None:
                await self._play(scenario, visit, _completion(visit, reply, parsed), parsed, request, connection)
                return
            await self._send(visit, reply, parsed, connection)
        except asyncio.CancelledError:
            self.account.close_visit(visit, gone=True)
            raise

    def _read_cache(self, model: str, request: Mapping[str, Any], usage: dict[str, Any], *, batch: bool = False) -> str:
        """Enter the tokens that are read from the cache into the usage and the account. Return the prompt that must be
        written to the cache."""
        prompt = prompt_text(texts(request["messages"]))
        if self.cache is not None:
            use = self.cache.read(model, prompt, time.time()).within(usage["prompt_tokens"])
            usage["prompt_tokens_details"] = {"cached_tokens": use.read_tokens}
            self.cache.account(model, prompt, use, batch=batch)
        return prompt

    def _complete_line(self, request: dict[str, Any], reference: str) -> tuple[int, dict[str, Any]]:
        """Answer and charge one request of a batch. Return the status and the body. In a batch, faults of connections
        are replaced by errors of the server."""
        parsed = _parse(json.dumps(request).encode())
        model, digest = parsed["model"], digest_of(parsed["messages"])
        known = model in self._settings.models or not self._settings.models
        fault = self._plan.fault(self.account.next_number, model, reference) if known else "404"
        fault = "500" if fault in ("hang", "drop", "trickle") else fault
        reply = None
        if fault not in STATUSES:
            reply = write_reply(parsed, digest, fault, self._settings.seed, self._settings.answers)
        visit = self.account.open_visit(reference, model, digest, fault if reply is None else reply.fault)
        self.account.store_prompt(visit, parsed["messages"])
        if reply is None:
            status = STATUSES[fault or ""]
            self.account.close_visit(visit)
            return status, _error(_ERRORS[status][1].format(key="", model=model), _ERRORS[status][0])
        document = _completion(visit, reply, parsed)
        usage = document["usage"]
        prompt = self._read_cache(model, parsed, usage, batch=True)
        if self.cache is not None:
            self.cache.write(model, prompt, time.time())
        self.account.charge(visit, usage["prompt_tokens"], usage["completion_tokens"], batched=True)
        self.account.close_visit(visit)
        return 200, document

    async def _play(
        self,
        scenario: Scenario,
        visit: Visit,
        document: dict[str, Any],
        parsed: Mapping[str, Any],
        request: HttpRequest,
        connection: ClientConnection,
    ) -> None:
        """Answer a request with a scenario. Its tokens are charged before anything is sent."""
        charge = charge_of(scenario, document, parsed)
        if scenario.charges != "nothing":
            self.account.charge(visit, charge.input_tokens, charge.output_tokens)
        if self._settings.delay:
            await asyncio.sleep(self._settings.delay)
        if scenario.name not in ENDLESS:
            self.account.close_visit(visit)
        key = request.headers.get("authorization", "").removeprefix("Bearer ")
        await deliver(scenario, document, key, connection, self._settings.trickle)

    def _fail(self, visit: Visit, request: HttpRequest, connection: ClientConnection) -> None:
        fault = visit.fault or ""
        status = STATUSES[fault]
        kind, text = _ERRORS[status]
        key = request.headers.get("authorization", "").removeprefix("Bearer ")
        headers = f"Retry-After: {self._settings.retry_after:g}\r\n" if fault == "429" else ""
        self.account.close_visit(visit)
        _respond(connection, status, _error(text.format(key=key, model=visit.model), kind), headers)

    async def _send(
        self, visit: Visit, reply: WrittenReply, parsed: Mapping[str, Any], connection: ClientConnection
    ) -> None:
        settings = self._settings
        document = _completion(visit, reply, parsed)
        prompt = self._read_cache(visit.model, parsed, document["usage"])
        self.account.charge(visit, document["usage"]["prompt_tokens"], document["usage"]["completion_tokens"])
        if reply.fault == "hang":
            await asyncio.Event().wait()
        delay = settings.delay
        if settings.jitter:
            delay *= 1 + settings.jitter * (2 * unit("jitter", settings.seed, visit.number) - 1)
        if delay > 0:
            await asyncio.sleep(delay)
        if reply.fault == "trickle":
            connection.respond_in_part(b" ", _TRICKLE_LENGTH)
            while True:
                await asyncio.sleep(settings.trickle)
                connection.transport.write(b" ")
        self.account.close_visit(visit)
        if self.cache is not None:
            self.cache.write(visit.model, prompt, time.time())
        if reply.fault == "drop":
            body = json.dumps(document, ensure_ascii=False).encode()
            connection.respond_in_part(body[: len(body) // 2], len(body))
            connection.transport.close()
        else:
            _respond(connection, 200, document, f"x-request-id: req_{visit.number}\r\n")


def _parse(body: bytes) -> dict[str, Any]:
    parsed = json.loads(body)
    if not isinstance(parsed, dict):
        raise ValueError("it must be an object")
    if not isinstance(parsed.get("model"), str) or not parsed["model"]:
        raise ValueError("model must be a name")
    messages = parsed.get("messages")
    if not isinstance(messages, list) or not messages or not all(isinstance(message, dict) for message in messages):
        raise ValueError("messages must be a list of at least one message")
    if parsed.get("stream"):
        raise ValueError("this server does not stream replies")
    return parsed


def _completion(visit: Visit, reply: WrittenReply, request: Mapping[str, Any]) -> dict[str, Any]:
    prompt_tokens, completion_tokens = _token_counts(reply, request)
    return {
        "id": f"chatcmpl-{visit.digest}-{visit.number}",
        "object": "chat.completion",
        "created": int(time.time()),
        "model": visit.model,
        "choices": [{"index": 0, "message": reply.message, "finish_reason": reply.finish_reason, "logprobs": None}],
        "usage": {
            "prompt_tokens": prompt_tokens,
            "completion_tokens": completion_tokens,
            "total_tokens": prompt_tokens + completion_tokens,
        },
        "system_fingerprint": FINGERPRINT,
    }


def _token_counts(reply: WrittenReply, request: Mapping[str, Any]) -> tuple[int, int]:
    return tokens(sum(len(text) for _, text in texts(request["messages"]))), tokens(reply.characters)


def _error(message: str, kind: str) -> dict[str, Any]:
    return {"error": {"message": message, "type": kind, "param": None, "code": None}}


def _respond(connection: ClientConnection, status: int, document: object, headers: str = "") -> None:
    connection.respond(status, json.dumps(document, ensure_ascii=False).encode(), headers.encode())


LOOPBACK = "127.0.0.1"
_BACKLOG = 4096
"""The number of connections that may wait to be accepted, since a client may open a thousand at once."""


@asynccontextmanager
async def serving(settings: ProviderSettings, port: int = 0) -> AsyncIterator[tuple[ProviderService, str]]:
    """Run a provider on the loopback interface; yield it and its base URL. Raise `InputError` if the port is taken."""
    service = ProviderService(settings)
    connections: set[ClientConnection] = set()
    loop = asyncio.get_running_loop()
    try:
        server = await loop.create_server(
            lambda: ClientConnection(service.serve, connections), LOOPBACK, port, backlog=_BACKLOG
        )
    except OSError as reason:
        raise InputError(f"cannot listen on port {port}: {reason.strerror}; --port 0 picks a free port") from None
    try:
        yield service, f"http://{LOOPBACK}:{server.sockets[0].getsockname()[1]}/v1"
    finally:
        server.close()
        service.account.close()
        for connection in list(connections):
            connection.transport.abort()


class Provider:
    """A provider that runs in a thread of this process within a `with` block. The arguments are those of
    `ProviderSettings`."""

    def __init__(self, port: int = 0, **settings: Any) -> None:
        self._settings = ProviderSettings(**settings)
        self._port = port
        self._open = ExitStack()
        self._portal: BlockingPortal | None = None
        self._service: ProviderService
        self.base_url: str
        """The base URL for a client."""

    def __enter__(self) -> Self:
        from anyio.from_thread import start_blocking_portal  # It comes with the client libraries of models.

        with ExitStack() as opened:
            self._portal = opened.enter_context(start_blocking_portal())
            listening = self._portal.wrap_async_context_manager(serving(self._settings, self._port))
            self._service, self.base_url = opened.enter_context(listening)
            self._open = opened.pop_all()
        return self

    def __exit__(self, *error: object) -> None:
        self._portal = None
        self._open.close()

    def account(self) -> dict[str, Any]:
        """Return the counts of requests and replies. After the `with` block, these are the last counts."""
        summary = self._service.summary
        return summary() if self._portal is None else self._portal.call(summary)

    def prompts(self, reference: str) -> list[dict[str, Any]]:
        """Return the requests with this id and their messages; needs `keep`."""
        prompts = self._service.account.prompts(reference)
        return prompts["requests"] if isinstance(prompts, dict) else []
