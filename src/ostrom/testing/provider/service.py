"""What the provider does with a request: completions, the list of models, and its account; and how it runs, in an event
loop of its own or in a thread beside whoever uses it."""

import asyncio
import json
import time
from collections.abc import AsyncIterator, Mapping
from contextlib import ExitStack, asynccontextmanager
from typing import TYPE_CHECKING, Any, Self
from urllib.parse import parse_qs

from ostrom.core import InputError
from ostrom.testing.provider.answers import texts
from ostrom.testing.provider.catalogue import CATALOGUE, ENDLESS
from ostrom.testing.provider.delivery import Scenario, charge_of, deliver
from ostrom.testing.provider.faults import STATUSES, Account, FaultPlan, Settings, Visit, unit
from ostrom.testing.provider.http import Connection, Request
from ostrom.testing.provider.replies import Written, digest_of, tokens, write_reply

if TYPE_CHECKING:
    from anyio.from_thread import BlockingPortal

FINGERPRINT = "fp_ostrom_test"
_PADDING = 10_000_000
_ERRORS = {
    400: ("invalid_request_error", "The request is not acceptable."),
    401: ("invalid_request_error", "Incorrect API key provided: {key}."),
    404: ("invalid_request_error", "The model {model} does not exist or you do not have access to it."),
    429: ("requests", "Rate limit reached."),
    500: ("server_error", "The server had an error while processing your request."),
    503: ("server_error", "The engine is currently overloaded."),
}


class Service:
    """Serves every connection of one provider, on one event loop."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._plan = FaultPlan(settings)
        self.account = Account(settings.log, settings.keep)

    async def serve(self, request: Request, connection: Connection) -> None:
        """Answer one request, now or after the delay."""
        path = request.target.path
        allowed = "POST" if path == "/v1/chat/completions" else "GET"
        if path not in ("/v1/chat/completions", "/v1/models", "/_account", "/_prompts"):
            _respond(connection, 404, _error(f"there is nothing at {path}", "not_found"))
        elif request.method != allowed:
            _respond(connection, 405, _error(f"Use {allowed}.", "invalid_request_error"), f"Allow: {allowed}\r\n")
        elif path == "/v1/chat/completions":
            await self._complete(request, connection)
        elif path == "/v1/models":
            # Where any name will do there is no list of them.
            models = self._settings.models
            listed = [{"id": name, "object": "model", "created": 0, "owned_by": "ostrom"} for name in models]
            _respond(connection, 200, {"object": "list", "data": listed})
        elif path == "/_account":
            _respond(connection, 200, self.account.summary())
        else:
            ids = parse_qs(request.target.query).get("id")
            found = self.account.kept(ids[0] if ids else None)
            missing = _error("nothing is kept under this id; --keep keeps prompts", "not_found")
            _respond(connection, 404 if found is None else 200, missing if found is None else found)

    async def _complete(self, request: Request, connection: Connection) -> None:
        reference = request.headers.get("x-client-request-id")
        try:
            asked = _readable(request.body)
            model, digest = asked["model"], digest_of(asked["messages"])
            scenario = CATALOGUE.get(model) if self._settings.catalogue else None
            known = model in self._settings.models or not self._settings.models or scenario is not None
            fault = self._plan.fault(self.account.next_number, model, reference) if known else "404"
            how = (self._settings.seed, self._settings.answers)
            written = None if fault in STATUSES else write_reply(asked, digest, fault, *how)
        except (ValueError, KeyError, TypeError, AttributeError, IndexError, RecursionError) as reason:
            self.account.refused()
            _respond(connection, 400, _error(f"the request cannot be read: {reason!r}", "invalid_request_error"))
            return
        visit = self.account.came(reference, model, digest, fault if written is None else written.fault)
        self.account.keep(visit, asked["messages"])
        if written is None:
            self._fail(visit, request, connection)
            return
        visit.charged = sum(_used(written, asked))
        try:
            if scenario is not None:
                await self._play(scenario, visit, _completion(visit, written, asked), asked, request, connection)
                return
            await self._send(visit, written, asked, connection)
        except asyncio.CancelledError:
            self.account.left(visit, gone=True)
            raise

    async def _play(
        self,
        scenario: Scenario,
        visit: Visit,
        document: dict[str, Any],
        asked: Mapping[str, Any],
        request: Request,
        connection: Connection,
    ) -> None:
        """Do what a scenario says; it is on the bill before anything is sent."""
        charged = charge_of(scenario, document, asked)
        if scenario.charges != "nothing":
            self.account.charge(visit, charged.input_tokens, charged.output_tokens)
        if self._settings.delay:
            await asyncio.sleep(self._settings.delay)
        if scenario.name not in ENDLESS:
            self.account.left(visit)
        key = request.headers.get("authorization", "").removeprefix("Bearer ")
        await deliver(scenario, document, key, connection, self._settings.trickle)

    def _fail(self, visit: Visit, request: Request, connection: Connection) -> None:
        fault = visit.fault or ""
        status = STATUSES[fault]
        kind, text = _ERRORS[status]
        key = request.headers.get("authorization", "").removeprefix("Bearer ")
        headers = f"Retry-After: {self._settings.retry_after:g}\r\n" if fault == "429" else ""
        self.account.left(visit)
        _respond(connection, status, _error(text.format(key=key, model=visit.model), kind), headers)

    async def _send(self, visit: Visit, written: Written, asked: Mapping[str, Any], connection: Connection) -> None:
        settings = self._settings
        document = _completion(visit, written, asked)
        self.account.charge(visit, document["usage"]["prompt_tokens"], document["usage"]["completion_tokens"])
        if written.fault == "hang":
            await asyncio.Event().wait()
        delay = settings.delay
        if settings.jitter:
            delay *= 1 + settings.jitter * (2 * unit("jitter", settings.seed, visit.number) - 1)
        if delay > 0:
            await asyncio.sleep(delay)
        if written.fault == "trickle":
            connection.respond_in_part(b" ", _PADDING)
            while True:
                await asyncio.sleep(settings.trickle)
                connection.transport.write(b" ")
        self.account.left(visit)
        if written.fault == "drop":
            body = json.dumps(document, ensure_ascii=False).encode()
            connection.respond_in_part(body[: len(body) // 2], len(body))
            connection.transport.close()
        else:
            _respond(connection, 200, document, f"x-request-id: req_{visit.number}\r\n")


def _readable(body: bytes) -> dict[str, Any]:
    asked = json.loads(body)
    if not isinstance(asked, dict):
        raise ValueError("it must be an object")
    if not isinstance(asked.get("model"), str) or not asked["model"]:
        raise ValueError("model must be a name")
    messages = asked.get("messages")
    if not isinstance(messages, list) or not messages or not all(isinstance(message, dict) for message in messages):
        raise ValueError("messages must be a list of at least one message")
    if asked.get("stream"):
        raise ValueError("this server does not stream replies")
    return asked


def _completion(visit: Visit, written: Written, asked: Mapping[str, Any]) -> dict[str, Any]:
    read, wrote = _used(written, asked)
    return {
        "id": f"chatcmpl-{visit.digest}-{visit.number}",
        "object": "chat.completion",
        "created": int(time.time()),
        "model": visit.model,
        "choices": [{"index": 0, "message": written.message, "finish_reason": written.finish_reason, "logprobs": None}],
        "usage": {"prompt_tokens": read, "completion_tokens": wrote, "total_tokens": read + wrote},
        "system_fingerprint": FINGERPRINT,
    }


def _used(written: Written, asked: Mapping[str, Any]) -> tuple[int, int]:
    """Tokens that were read and written."""
    return tokens(sum(len(text) for _, text in texts(asked["messages"]))), tokens(written.characters)


def _error(message: str, kind: str) -> dict[str, Any]:
    return {"error": {"message": message, "type": kind, "param": None, "code": None}}


def _respond(connection: Connection, status: int, document: object, headers: str = "") -> None:
    connection.respond(status, json.dumps(document, ensure_ascii=False).encode(), headers.encode())


LOOPBACK = "127.0.0.1"
_BACKLOG = 4096
"""Connections that may wait to be taken: a client may open a thousand at once."""


@asynccontextmanager
async def serving(settings: Settings, port: int = 0) -> AsyncIterator[tuple[Service, str]]:
    """A provider that listens on the loopback interface, and its base URL."""
    service = Service(settings)
    connections: set[Connection] = set()
    loop = asyncio.get_running_loop()
    try:
        server = await loop.create_server(
            lambda: Connection(service.serve, connections), LOOPBACK, port, backlog=_BACKLOG
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
    """A provider in a thread of this process, for the length of a `with` block. Takes what `Settings` has."""

    def __init__(self, port: int = 0, **settings: Any) -> None:
        self._settings = Settings(**settings)
        self._port = port
        self._open = ExitStack()
        self._portal: BlockingPortal | None = None
        self._service: Service
        self.base_url: str
        """Where it listens, ready to be handed to a client."""

    def __enter__(self) -> Self:
        from anyio.from_thread import start_blocking_portal  # comes with the client libraries of models

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
        """What it was asked and what it sent; after the block, the last state."""
        summary = self._service.account.summary
        return summary() if self._portal is None else self._portal.call(summary)

    def prompts(self, reference: str) -> list[dict[str, Any]]:
        """The requests under this id, with their messages; needs `keep`."""
        found = self._service.account.kept(reference)
        return found["requests"] if isinstance(found, dict) else []
