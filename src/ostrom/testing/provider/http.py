"""HTTP/1.1 as far as a test provider needs it, kept lean so that the server is never what a benchmark measures.

Connections are kept alive, bodies have a Content-Length, a request that comes before the last one was answered waits
its turn. What is not spoken here (chunked bodies, other versions) is refused with a status, never misread."""

import asyncio
import re
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from http import HTTPStatus
from urllib.parse import SplitResult, urlsplit

MOST_HEAD = 64 * 1024
"""Bytes of a request's head."""
MOST_BODY = 64 * 1024 * 1024
"""Bytes of a request's body."""

_REQUEST_LINE = re.compile(r"([A-Za-z]+) (/[^ ]*) ([^ ]+)")
_LINES = {status.value: f"HTTP/1.1 {status.value} {status.phrase}\r\n".encode() for status in HTTPStatus}


@dataclass(frozen=True, slots=True)
class Request:
    """One request, whole."""

    method: str
    target: SplitResult
    headers: Mapping[str, str]
    """Names in lower case."""
    body: bytes


class Refused(Exception):
    """A request that cannot be read; the connection is of no further use."""

    def __init__(self, status: int, reason: str) -> None:
        super().__init__(reason)
        self.status = status


class Connection(asyncio.Protocol):
    """One client's connection. The service answers one request after another, and is cancelled when the client goes."""

    def __init__(
        self, serve: "Callable[[Request, Connection], Awaitable[None]]", connections: "set[Connection]"
    ) -> None:
        self._serve = serve
        self._connections = connections
        self._reader = asyncio.StreamReader(MOST_HEAD)
        self._keep = True
        self._task: asyncio.Task[None]
        self.transport: asyncio.Transport

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Begin."""
        assert isinstance(transport, asyncio.Transport)
        self.transport = transport
        self._connections.add(self)
        self._task = asyncio.get_running_loop().create_task(self._answer())

    def connection_lost(self, error: Exception | None) -> None:
        """Stop whoever is still at work on an answer."""
        self._connections.discard(self)
        self._task.cancel()

    def data_received(self, data: bytes) -> None:
        """Collect."""
        self._reader.feed_data(data)

    def respond(self, status: int, body: bytes, headers: bytes = b"") -> None:
        """Answer."""
        self.respond_in_part(body, len(body), status, headers)

    def respond_in_part(self, part: bytes, length: int, status: int = 200, headers: bytes = b"") -> None:
        """Promise a body of this length, and send a part of it."""
        connection = b"keep-alive" if self._keep else b"close"
        told = (_LINES[status], length, connection, headers)
        head = b"%bContent-Type: application/json\r\nContent-Length: %d\r\nConnection: %b\r\n%b\r\n" % told
        self.transport.write(head + part)

    async def _answer(self) -> None:
        try:
            while self._keep and not self.transport.is_closing():
                await self._serve(await self._request(), self)
        except Refused as refused:
            self._keep = False
            body = b'{"error":{"message":"%b","type":"invalid_request_error"}}' % str(refused).encode()
            self.respond(refused.status, body)
        finally:
            self.transport.close()

    async def _request(self) -> Request:
        try:
            head = await self._reader.readuntil(b"\r\n\r\n")
        except asyncio.LimitOverrunError:
            raise Refused(431, "the head of the request is too long") from None
        first, *lines = head[:-4].decode("latin-1").split("\r\n")
        parts = _REQUEST_LINE.fullmatch(first)
        if parts is None:
            raise Refused(400, "this is not an HTTP/1.1 request")
        if parts[3] not in ("HTTP/1.1", "HTTP/1.0"):
            raise Refused(505, "this server speaks HTTP/1.1 only")
        headers = _headers(lines)
        length = _body_length(headers)
        wishes = headers.get("connection", "").lower()
        self._keep = "keep-alive" in wishes if parts[3] == "HTTP/1.0" else "close" not in wishes
        if headers.get("expect", "").lower() == "100-continue":
            self.transport.write(b"HTTP/1.1 100 Continue\r\n\r\n")
        return Request(parts[1], urlsplit(parts[2]), headers, await self._reader.readexactly(length))


def _headers(lines: list[str]) -> dict[str, str]:
    headers: dict[str, str] = {}
    for line in lines:
        name, colon, value = line.partition(":")
        if not colon or not name or name != name.strip():
            raise Refused(400, "a header cannot be read")
        name, value = name.lower(), value.strip()
        if name == "content-length" and headers.get(name, value) != value:
            raise Refused(400, "there are two lengths for one body")
        headers[name] = value
    return headers


def _body_length(headers: Mapping[str, str]) -> int:
    if "transfer-encoding" in headers:
        raise Refused(411, "send the body with a Content-Length")
    length = headers.get("content-length", "0")
    if not (length.isascii() and length.isdigit()):
        raise Refused(400, "Content-Length is not a number")
    if int(length) > MOST_BODY:
        raise Refused(413, "the body is too large")
    return int(length)
