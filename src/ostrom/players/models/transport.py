"""The one HTTP client that every call of a process and event loop goes through, what can go wrong on the way, and the
chat endpoint of OpenAI-compatible servers asked with no more ado than it takes."""

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
from ostrom.players.models.charges import states_usage
from ostrom.players.models.keys import trusted

MOST_BYTES = 16 * 2**20
"""What a reply may come to before it is given up."""
_CALLS = 4096
_LANE = 16
"""Calls in flight that one pool of connections sees. A pool looks at each of its connections for every call, so many
small pools take far less time than a large one."""
_HOUR = 3600.0


@dataclass(slots=True)
class WireExchange:
    """What went over the wire for one call: the truth about what was sent and what came back."""

    request: bytes | None = None
    body: bytes | None = None
    """Of the reply, where a whole one came, whatever its status."""


current_exchange: ContextVar[WireExchange | None] = ContextVar("current_exchange", default=None)
"""Where a caller sets one, it is filled in."""

_clients: "WeakKeyDictionary[asyncio.AbstractEventLoop, BoundedClient]" = WeakKeyDictionary()
_unclaimed: "list[BoundedClient]" = []


class ReplyTooLong(Exception):
    """A reply longer than anybody needs."""


class Redirected(Exception):
    """A reply that names another place, which is not asked: it would get the key."""

    def __init__(self, status: int, location: str) -> None:
        try:
            host = urlsplit(location).netloc.rpartition("@")[2]
        except ValueError:
            host = ""
        elsewhere = f" to {host}" if host else ""
        super().__init__(
            f"HTTP {status}: the server sends calls on{elsewhere}, and a key goes nowhere but to its address; if the "
            "model has moved, write its new address as base_url"
        )


class BoundedClient(httpx2.AsyncClient):
    """An HTTP client that reads no reply longer than `MOST_BYTES`, however it is packed, and spreads its calls over as
    many pools of connections as it takes."""

    def __init__(self) -> None:
        self._options: dict[str, Any] = {"verify": trusted(), "timeout": httpx2.Timeout(_HOUR)}
        super().__init__(**self._options, limits=_at_most(_CALLS))
        # No more connections than calls: one to another server, kept for later, makes room for one that is needed.
        self._options["limits"] = _at_most(_LANE)
        self._lanes: list[_Lane] = []

    @override
    async def send(self, request: httpx2.Request, *, stream: bool = False, **options: Any) -> httpx2.Response:
        """Send a request and read the whole reply, unless it is asked for as a stream. A redirection is not followed,
        whatever a library asks for: the other place would get the key."""
        options["follow_redirects"] = False
        exchange = current_exchange.get() or WireExchange()
        exchange.request = request.content
        if stream:
            response = await super().send(request, stream=True, **options)
            response.stream = _SoleReply(response)
            return response
        lane = next((lane for lane in self._lanes if lane.calls < _LANE), None)
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
    """A reply's body. Where more came than the reply, the connection is closed with it: the next call on it would take
    the rest for its own answer."""

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
            if self._connection is not None and (_held_back(self._stream) or _unread(self._connection)):
                await self._connection.aclose()
        finally:  # who is cancelled meanwhile gives the place in the pool back, too
            await self._stream.aclose()


def _held_back(stream: Any) -> bool:
    """Whether bytes beyond the reply were read. The library keeps them to itself; where they are not found in their
    place, there may be some."""
    for name in ("_stream", "_httpcore_stream", "_stream", "_connection", "_h11_state"):
        stream = getattr(stream, name, None)
    return stream is None or bool(stream.trailing_data[0])


def _unread(connection: Any) -> bool:
    """Whether bytes came that are still to be decrypted. The pool sees those that wait in a socket, and not these."""
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


def _surely_short(headers: Mapping[str, str]) -> bool:
    length = headers.get("content-length", "")
    return length.isdecimal() and int(length) <= MOST_BYTES and "content-encoding" not in headers


async def _read_bounded(request: httpx2.Request, response: httpx2.Response) -> httpx2.Response:
    size, pieces = 0, []
    async for piece in response.aiter_bytes():
        size += len(piece)
        if size > MOST_BYTES:
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


def http_client() -> BoundedClient:
    """The client of the running event loop. One that was asked for before any loop ran goes to the first that does."""
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
    """Close what the running event loop's calls left open. The next call opens anew."""
    client = _clients.pop(asyncio.get_running_loop(), None)
    if client is not None:
        await client.aclose()


_AGAIN = frozenset({408, 409, 425})
_DENIED = frozenset({401, 402, 403, 404, 405})
_FILTERED = ("content_filter", "content_policy", "content_management", "moderation", "flagged")
_NOT_SENT = ("connect", "pool")
_TURNED_AWAY = frozenset({501, 503, 505, 529})
"""By which a server says that it did nothing: it is overloaded, or cannot do such things. After any other failure of
its own, or of a gateway before it, the work may be done and charged for."""
_LONGEST_WAIT = 86_400.0
"""Seconds that a provider may ask to wait; more is the same."""


def unanswered(error: Exception, *keys: str | None) -> Unanswered:
    """The fault that an error of a call stands for, with a reason that holds none of these keys."""
    fault, reason, retry_after, sent = _judge(error)
    if retry_after is not None:
        retry_after = min(retry_after, _LONGEST_WAIT) if retry_after >= 0 else None
    return Unanswered(fault, one_line(reason, redact=Redactor(keys)), retry_after=retry_after, sent=sent)


def _judge(error: Exception) -> tuple[Fault, str, float | None, bool]:
    if any(isinstance(cause, ReplyTooLong) for cause in _causes(error)):
        return Fault.MALFORMED, f"the reply was longer than {MOST_BYTES // 2**20} MiB", None, True
    if (redirected := next((one for one in _causes(error) if isinstance(one, Redirected)), None)) is not None:
        return Fault.DENIED, str(redirected), None, True
    if isinstance(error, known.ModelHTTPError):
        fault = _of_status(error)
        reason = f"HTTP {error.status_code}: {_message(error.body) or 'no reason given'}"
        return fault, reason, _retry_after(error), error.status_code not in _TURNED_AWAY
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
    # What is left is a reply that breaks the protocol: no JSON, no choices, a wrong type somewhere inside. It came, so
    # the provider is there and charges for it; whether the next one can be read is the question's affair.
    return Fault.MALFORMED, f"the reply cannot be read: {type(error).__name__}: {error}", None, True


def _of_status(error: known.ModelHTTPError) -> Fault:
    status = error.status_code
    if isinstance(error, known.ModelQuotaExceededError | known.ModelNotFoundError):
        return Fault.DENIED
    if status == 429:
        return Fault.RATE_LIMITED
    if status >= 500 or status in _AGAIN:
        return Fault.SERVER_ERROR
    if _filtered(error):
        return Fault.REFUSED
    return Fault.DENIED if status in _DENIED else Fault.REJECTED


def _filtered(error: known.ModelHTTPError) -> bool:
    """Whether a filter before the model declined the prompt; providers say so in the error's code or type."""
    said = [error.provider_error_code, error.provider_error_type]
    if error.status_code == 403 and not isinstance(error, known.ModelAuthenticationError):
        return True  # flagged input, which is no question of credentials
    return any(isinstance(text, str) and any(word in text.lower() for word in _FILTERED) for text in said)


def _retry_after(error: known.ModelHTTPError) -> float | None:
    """Seconds that the provider asks to wait. The client library reads every form but seconds with a fraction."""
    if error.retry_after is not None:
        return error.retry_after
    try:
        seconds = float((error.headers or {}).get("retry-after", ""))
    except ValueError:
        return None
    return seconds if 0 <= seconds < float("inf") else None


def _message(body: Any) -> str:
    """What an error's body says, wherever it says it."""
    if isinstance(body, dict):
        inner = body.get("error", body)
        if isinstance(inner, dict):
            return str(inner.get("message") or inner.get("detail") or inner)
        return str(inner)
    return "" if body is None else str(body)


def _causes(error: BaseException | None) -> Iterator[BaseException]:
    seen: set[int] = set()
    while error is not None and id(error) not in seen:
        seen.add(id(error))
        yield error
        error = error.__cause__ or error.__context__


def _root(error: BaseException) -> str:
    """The first cause of a failure of the connection, which says more than its wrappings."""
    texts = [f"{type(cause).__name__}: {cause}" for cause in _causes(error) if str(cause)]
    return texts[-1] if texts else type(error).__name__


class PlainCompletions(AsyncCompletions):
    """Sends what it is given, as it is given."""

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
        **given: Any,
    ) -> ChatCompletion:
        """Ask for one whole reply. The time that it may take is not set here."""
        assert not stream, "a reply is asked for whole"
        body = {name: value for name, value in given.items() if not isinstance(value, NotGiven | Omit)}
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
            reply["usage"] = None  # what cannot be true is not known; the answer may be sound all the same
        return ChatCompletion.construct(**reply)


def send_plainly(client: AsyncOpenAI) -> None:
    """Let a client's chats go out this way."""
    client.chat.completions = PlainCompletions(client)  # type: ignore[misc]  # a cached property
