"""The one HTTP client that every call of a process and event loop goes through: a pool large enough for every call that
may be in flight, and a bound on how much a reply may be. How long a call may take is the arena's affair."""

import asyncio
import ssl
from collections.abc import Mapping
from contextvars import ContextVar
from dataclasses import dataclass
from functools import cache
from typing import Any
from weakref import WeakKeyDictionary

import httpx2

MOST_BYTES = 16 * 2**20
"""What a reply may come to before it is given up."""
_CALLS = 4096
_LANE = 16
"""Calls in flight that one pool of connections sees. A pool looks at each of its connections for every call, so many
small pools take far less time than a large one."""
_HOUR = 3600.0

sent_body: ContextVar[list[bytes] | None] = ContextVar("sent_body", default=None)
"""Where a caller sets a list, the body of its next request is put into it: the truth about what was sent."""

_clients: "WeakKeyDictionary[asyncio.AbstractEventLoop, BoundedClient]" = WeakKeyDictionary()
_unclaimed: "list[BoundedClient]" = []


class ReplyTooLong(Exception):
    """A reply longer than anybody needs."""


class BoundedClient(httpx2.AsyncClient):
    """An HTTP client that reads no reply longer than `MOST_BYTES`, however it is packed, and spreads its calls over as
    many pools of connections as it takes."""

    def __init__(self) -> None:
        self._options: dict[str, Any] = {
            "verify": _trusted(),
            "timeout": httpx2.Timeout(_HOUR),
            "limits": httpx2.Limits(max_connections=_CALLS, max_keepalive_connections=_CALLS, keepalive_expiry=60.0),
        }
        super().__init__(**self._options)
        self._lanes: list[_Lane] = []

    async def send(self, request: httpx2.Request, *, stream: bool = False, **options: Any) -> httpx2.Response:
        """Send a request and read the whole reply, unless it is asked for as a stream."""
        asked = sent_body.get()
        if asked is not None:
            asked.append(request.content)
        if stream:
            return await super().send(request, stream=True, **options)
        lane = next((lane for lane in self._lanes if lane.calls < _LANE), None)
        if lane is None:
            lane = _Lane(httpx2.AsyncClient(**self._options))
            self._lanes.append(lane)
        lane.calls += 1
        try:
            response = await lane.client.send(request, stream=True, **options)
            try:
                if _surely_short(response.headers):
                    await response.aread()
                    return response
                return await _read_bounded(request, response)
            finally:
                await response.aclose()
        finally:
            lane.calls -= 1

    async def aclose(self) -> None:
        """Close every connection."""
        lanes, self._lanes = self._lanes, []
        for lane in lanes:
            await lane.client.aclose()
        await super().aclose()


@dataclass(slots=True)
class _Lane:
    client: httpx2.AsyncClient
    calls: int = 0


@cache
def _trusted() -> ssl.SSLContext:
    return httpx2.create_ssl_context()


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
