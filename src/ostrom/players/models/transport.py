"""The HTTP client for all calls of an event loop, and the conversion of errors of calls to faults. This module also has
a minimal client for the chat endpoint of OpenAI-compatible servers."""

import asyncio
import ssl
from collections.abc import AsyncIterator, Iterator, Mapping
from contextvars import ContextVar
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlsplit
from weakref import WeakKeyDictionary

import httpx2
from openai import AsyncOpenAI, NotGiven, Omit
from openai.resources.chat.completions import AsyncCompletions
from openai.types.chat import ChatCompletion
from pydantic_ai import exceptions as known
from pydantic_core import from_json, to_json
from typing_extensions import override

from ostrom.core import Fault
from ostrom.core.redaction import Redactor
from ostrom.core.text import one_line
from ostrom.players.base import Unanswered
from ostrom.players.models.batches import Carrier, current_carrier
from ostrom.players.models.charges import states_usage
from ostrom.players.models.keys import trusted

MAX_REPLY_BYTES = 16 * 2**20
"""The largest size in bytes of a reply that is read."""
_MAX_NESTING = 100
"""The largest depth of nested lists and objects in a reply. If a reply has fewer brackets than this number, its depth
is not checked."""
_MAX_CALLS = 4096
_CALLS_PER_POOL = 16
"""The largest number of simultaneous calls in one pool of connections. A pool scans all its connections for every call,
so several small pools are much faster than a large one."""
_TIMEOUT_S = 3600.0


@dataclass(slots=True)
class WireExchange:
    """The bytes of one call as they were sent and received."""

    request: bytes | None = None
    body: bytes | None = None
    """The complete body of the reply, regardless of its status."""


current_exchange: ContextVar[WireExchange | None] = ContextVar("current_exchange", default=None)
"""The exchange that stores the bytes of the next call, if a caller has set one."""

_clients: "WeakKeyDictionary[asyncio.AbstractEventLoop, BoundedClient]" = WeakKeyDictionary()
_unclaimed: "list[BoundedClient]" = []


class ReplyTooLong(Exception):
    """Raised if a reply is longer than `MAX_REPLY_BYTES`."""


class ReplyTooDeep(Exception):
    """Raised if lists and objects in a reply are nested too deeply for a parser."""


class Redirected(Exception):
    """Raised if a server redirects a call. Redirections are not followed, since the other host would get the key."""

    def __init__(self, status: int, location: str) -> None:
        try:
            host = urlsplit(location).netloc.rpartition("@")[2]
        except ValueError:
            host = ""
        elsewhere = f" to {host}" if host else ""
        super().__init__(
            f"HTTP {status}: the server redirects calls{elsewhere}, and a key is sent only to its own address; if the "
            "model has moved, set base_url to its new address"
        )


class BoundedClient(httpx2.AsyncClient):
    """An HTTP client that reads no reply longer than `MAX_REPLY_BYTES`, compressed or not, and distributes its calls
    over pools of connections."""

    def __init__(self) -> None:
        self._options: dict[str, Any] = {"verify": trusted(), "timeout": httpx2.Timeout(_TIMEOUT_S)}
        super().__init__(**self._options, limits=_at_most(_MAX_CALLS))
        # As many connections as simultaneous calls are allowed. If a connection is needed, an idle one to another
        # server is closed.
        self._options["limits"] = _at_most(_CALLS_PER_POOL)
        self._lanes: list[_Lane] = []

    @override
    async def send(self, request: httpx2.Request, *, stream: bool = False, **options: Any) -> httpx2.Response:
        """Send a request and read the whole reply, unless `stream` is set. Raises `Redirected` for a redirection, even
        if a library wants to follow it. Also raises `ReplyTooLong` and `ReplyTooDeep`."""
        options["follow_redirects"] = False
        exchange = current_exchange.get() or WireExchange()
        exchange.request = await request.aread()  # The body of an uploaded file is a stream, so it is read here.
        if (carry := current_carrier.get()) is not None:
            return await _carried(request, carry, exchange)
        if stream:
            response = await super().send(request, stream=True, **options)
            response.stream = _SoleReply(response)
            return response
        lane = next((lane for lane in self._lanes if lane.calls < _CALLS_PER_POOL), None)
        if lane is None:
            lane = _Lane(httpx2.AsyncClient(**self._options))
            self._lanes.append(lane)
        lane.calls += 1
        try:
            response = await lane.client.send(request, stream=True, **options)
            response.stream = _SoleReply(response)
            try:
                if _surely_short(response.headers):
                    await response.aread()
                else:
                    response = await _read_bounded(request, response)
                exchange.body = response.content
                check_nesting(response.content)
                if 300 <= response.status_code < 400:
                    raise Redirected(response.status_code, response.headers.get("location", ""))
                return response
            finally:
                await response.aclose()
        finally:
            lane.calls -= 1

    @override
    async def aclose(self) -> None:
        lanes, self._lanes = self._lanes, []
        for lane in lanes:
            await lane.client.aclose()
        await super().aclose()


def _at_most(connections: int) -> httpx2.Limits:
    return httpx2.Limits(max_connections=connections, max_keepalive_connections=connections, keepalive_expiry=60.0)


@dataclass(slots=True)
class _Lane:
    client: httpx2.AsyncClient
    calls: int = 0


class _SoleReply(httpx2.AsyncByteStream):
    """The body of a reply. If more bytes arrive than belong to the reply, the connection is closed. Otherwise, the next
    call would read these bytes as its own reply."""

    def __init__(self, response: httpx2.Response) -> None:
        assert isinstance(response.stream, httpx2.AsyncByteStream)
        self._stream = response.stream
        self._connection = response.extensions.get("network_stream")

    async def __aiter__(self) -> AsyncIterator[bytes]:
        async for piece in self._stream:
            yield piece

    @override
    async def aclose(self) -> None:
        try:
            if self._connection is not None and (_read_beyond(self._stream) or _buffered(self._connection)):
                await self._connection.aclose()
        finally:  # The connection is returned to the pool even if the call is cancelled.
            await self._stream.aclose()


def _read_beyond(stream: Any) -> bool:
    """Return whether bytes beyond the reply were read. The library stores them in a private attribute. Return True if
    this attribute is missing."""
    for name in ("_stream", "_httpcore_stream", "_stream", "_connection", "_h11_state"):
        stream = getattr(stream, name, None)
    return stream is None or bool(stream.trailing_data[0])


def _buffered(connection: Any) -> bool:
    """Return whether encrypted bytes are buffered. The pool detects bytes in a socket, but not these."""
    tls: ssl.SSLObject | None = connection.get_extra_info("ssl_object")
    if tls is None:
        return False
    try:
        tls.read(1)
    except ssl.SSLWantReadError:
        return False
    except (ssl.SSLError, OSError):
        pass
    return True


async def _carried(request: httpx2.Request, carry: Carrier, exchange: WireExchange) -> httpx2.Response:
    """Return the reply to a request that was sent as part of a batch."""
    result = await carry(request.url.raw_path.decode("ascii"), request.content)
    exchange.body = result.body
    check_nesting(result.body)
    headers = {"content-type": "application/json"}
    return httpx2.Response(result.status, headers=headers, content=result.body, request=request)


def _surely_short(headers: Mapping[str, str]) -> bool:
    length = headers.get("content-length", "")
    return length.isdecimal() and int(length) <= MAX_REPLY_BYTES and "content-encoding" not in headers


async def _read_bounded(request: httpx2.Request, response: httpx2.Response) -> httpx2.Response:
    size, pieces = 0, []
    async for piece in response.aiter_bytes():
        size += len(piece)
        if size > MAX_REPLY_BYTES:
            raise ReplyTooLong
        pieces.append(piece)
    headers = [
        (name, value)
        for name, value in response.headers.multi_items()
        if name.lower() not in ("content-encoding", "content-length", "transfer-encoding")
    ]
    whole = httpx2.Response(response.status_code, headers=headers, content=b"".join(pieces), request=request)
    whole.history = response.history
    return whole


def check_nesting(body: bytes) -> None:
    """Raise `ReplyTooDeep` if a JSON body is nested too deeply. For such a body, libraries would raise a
    RecursionError."""
    if body.count(b"[") + body.count(b"{") <= _MAX_NESTING:
        return
    try:
        from_json(body)
    except ValueError as error:
        # Any other error is raised later by the library that parses the body.
        if "recursion" in str(error):
            raise ReplyTooDeep from None


def http_client() -> BoundedClient:
    """Return the HTTP client of the running event loop. If no loop is running, return a client that belongs to the
    first loop that calls this function."""
    try:
        loop = asyncio.get_running_loop()
    except RuntimeError:
        if not _unclaimed:
            _unclaimed.append(BoundedClient())
        return _unclaimed[0]
    client = _clients.get(loop)
    if client is None or client.is_closed:
        client = _clients[loop] = _unclaimed.pop() if _unclaimed else BoundedClient()
    return client


async def close_connections() -> None:
    """Close the connections of the running event loop. The next call opens new ones."""
    client = _clients.pop(asyncio.get_running_loop(), None)
    if client is not None:
        await client.aclose()


_RETRIABLE = frozenset({408, 409, 425})
_DENIED = frozenset({401, 402, 403, 404, 405})
_FILTERED = ("content_filter", "content_policy", "content_management", "moderation", "flagged")
_NOT_SENT = ("connect", "pool")
_NOT_DONE = frozenset({501, 503, 505, 529})
"""The statuses of a server that did no work, because it is overloaded or does not support the request. After any other
failure of a server or gateway, the work may have been done and charged."""
_MAX_WAIT_S = 86_400.0
"""The longest wait in seconds that a provider can ask for. Longer waits are reduced to this."""


def unanswered(error: Exception, *keys: str | None) -> Unanswered:
    """Convert an error of a call to a fault. The fault's reason does not contain the given keys."""
    fault, reason, retry_after, sent = _classify(error)
    if retry_after is not None:
        retry_after = min(retry_after, _MAX_WAIT_S) if retry_after >= 0 else None
    return Unanswered(fault, one_line(reason, redact=Redactor(keys)), retry_after=retry_after, sent=sent)


def _classify(error: Exception) -> tuple[Fault, str, float | None, bool]:
    if any(isinstance(cause, ReplyTooLong) for cause in _causes(error)):
        return Fault.MALFORMED, f"the reply was longer than {MAX_REPLY_BYTES // 2**20} MiB", None, True
    if any(isinstance(cause, ReplyTooDeep | RecursionError) for cause in _causes(error)):
        return Fault.MALFORMED, "the reply was nested too deeply", None, True
    if (redirected := next((cause for cause in _causes(error) if isinstance(cause, Redirected)), None)) is not None:
        return Fault.DENIED, str(redirected), None, True
    if isinstance(error, known.ModelHTTPError):
        fault = _of_status(error)
        reason = f"HTTP {error.status_code}: {_message(error.body) or 'no reason given'}"
        return fault, reason, _retry_after(error), error.status_code not in _NOT_DONE
    if isinstance(error, known.ModelQuotaExceededError):
        return Fault.DENIED, error.message, None, True
    if isinstance(error, known.ModelRateLimitError):
        return Fault.RATE_LIMITED, error.message, error.retry_after, True
    if isinstance(error, known.ModelConnectionError | httpx2.TransportError):
        fault = Fault.TIMEOUT if isinstance(error, known.ModelTimeoutError | httpx2.TimeoutException) else Fault.DROPPED
        if isinstance(error, known.ModelConnectionError):
            sent = error.phase not in _NOT_SENT
        else:
            sent = not isinstance(error, httpx2.ConnectError | httpx2.ConnectTimeout | httpx2.PoolTimeout)
        return fault, f"{'the connection broke' if sent else 'no connection'}: {_root(error)}", None, sent
    if isinstance(error, known.ContentFilterError):
        return Fault.REFUSED, f"a content filter blocked the reply: {error}", None, True
    if isinstance(error, known.UserError):
        return Fault.REJECTED, f"this model does not support the request: {error}", None, False
    if isinstance(error, known.ModelRequestRejectedError):
        denied = isinstance(error, known.ModelAuthenticationError | known.ModelNotFoundError)
        return Fault.DENIED if denied else Fault.REJECTED, error.message, None, True
    # Any other error is a reply that breaks the protocol: invalid JSON, no choices, a wrong type. The provider answered
    # and charges for it, so this is a fault of the reply and not of the provider.
    return Fault.MALFORMED, f"the reply cannot be read: {type(error).__name__}: {error}", None, True


def failed_request(error: Exception, *keys: str | None) -> Unanswered:
    """Convert an error of a request to a batch API to a fault. Such errors come from the provider's own library."""
    fault, reason, sent = Fault.MALFORMED, f"{type(error).__name__}: {error}", True
    for cause in _causes(error):
        # Google's library stores the status in `code`, which is a word in other libraries.
        status = getattr(cause, "status_code", getattr(cause, "code", None))
        if isinstance(status, int):
            retriable = status >= 500 or status in _RETRIABLE
            fault = Fault.DENIED if status in _DENIED else Fault.SERVER_ERROR if retriable else Fault.REJECTED
            fault = Fault.RATE_LIMITED if status == 429 else fault
            body = _data(getattr(cause, "body", getattr(cause, "details", None)))
            reason = f"HTTP {status}: {_message(body) or 'no reason given'}"
            sent = status >= 500
            break
        if isinstance(cause, httpx2.TransportError | Redirected):
            fault, reason, _, sent = _classify(cause)
    return Unanswered(fault, one_line(reason, redact=Redactor(keys)), sent=sent)


def _of_status(error: known.ModelHTTPError) -> Fault:
    status = error.status_code
    if isinstance(error, known.ModelQuotaExceededError | known.ModelNotFoundError):
        return Fault.DENIED
    if status == 429:
        return Fault.RATE_LIMITED
    if status >= 500 or status in _RETRIABLE:
        return Fault.SERVER_ERROR
    if _filtered(error):
        return Fault.REFUSED
    return Fault.DENIED if status in _DENIED else Fault.REJECTED


def _filtered(error: known.ModelHTTPError) -> bool:
    """Return whether a content filter declined the prompt. This is decided by the error's code or type."""
    texts = [error.provider_error_code, error.provider_error_type]
    if error.status_code == 403 and not isinstance(error, known.ModelAuthenticationError):
        return True  # The provider flagged the input, so credentials are not the problem.
    return any(isinstance(text, str) and any(word in text.lower() for word in _FILTERED) for text in texts)


def _retry_after(error: known.ModelHTTPError) -> float | None:
    """Return the number of seconds that the provider asks to wait. The client library reads all formats except
    fractional seconds, so this function reads these."""
    if error.retry_after is not None:
        return error.retry_after
    try:
        seconds = float((error.headers or {}).get("retry-after", ""))
    except ValueError:
        return None
    return seconds if 0 <= seconds < float("inf") else None


def _message(body: Any) -> str:
    """Return the message in the body of an error, which may be under any of the usual keys."""
    if isinstance(body, dict):
        inner = body.get("error", body)
        if isinstance(inner, dict):
            return str(inner.get("message") or inner.get("detail") or inner)
        return str(inner)
    return "" if body is None else str(body)


def _data(body: Any) -> Any:
    """Return the body of an error as data. In Mistral's library, the body is a text."""
    try:
        return from_json(body) if isinstance(body, str) else body
    except ValueError:
        return body


def _causes(error: BaseException | None) -> Iterator[BaseException]:
    visited: set[int] = set()
    while error is not None and id(error) not in visited:
        visited.add(id(error))
        yield error
        error = error.__cause__ or error.__context__


def _root(error: BaseException) -> str:
    """Return the original cause of a connection failure. It is more specific than the errors that wrap it."""
    texts = [f"{type(cause).__name__}: {cause}" for cause in _causes(error) if str(cause)]
    return texts[-1] if texts else type(error).__name__


class PlainCompletions(AsyncCompletions):
    """Sends requests unchanged, bypassing the client library's own processing."""

    def __init__(self, client: AsyncOpenAI) -> None:
        super().__init__(client)
        self._address = client._client.build_request("POST", f"{str(client.base_url).rstrip('/')}/chat/completions").url
        self._headers = {**client.auth_headers, "Content-Type": "application/json", "Accept": "application/json"}

    @override
    async def create(  # type: ignore[override]
        self,
        *,
        stream: bool = False,
        extra_headers: Any = None,
        extra_body: Any = None,
        timeout: Any = None,
        **options: Any,
    ) -> ChatCompletion:
        """Request one complete reply. The caller sets the time limit."""
        assert not stream, "streaming is not supported"
        body = {name: value for name, value in options.items() if not isinstance(value, NotGiven | Omit)}
        if extra_body:
            body.update(extra_body)
        http = self._client._client
        response = await http.post(self._address, content=to_json(body), headers={**self._headers, **extra_headers})
        if not response.is_success:
            raise self._client._make_status_error_from_response(response)
        reply = from_json(response.content)
        if not isinstance(reply, dict):
            raise ValueError(f"expected an object, got {type(reply).__name__}")
        if not states_usage(reply.get("usage")):
            reply["usage"] = None  # An implausible usage counts as unknown. The answer may still be valid.
        return ChatCompletion.construct(**reply)


def send_plainly(client: AsyncOpenAI) -> None:
    """Make a client send chats through `PlainCompletions`."""
    client.chat.completions = PlainCompletions(client)  # type: ignore[misc]  # a cached property
