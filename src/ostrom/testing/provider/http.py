"""HTTP/1.1 as far as a test provider needs it, with little overhead, so that benchmarks do not measure the server.

Connections are kept alive, bodies need a Content-Length, and a pipelined request waits for the reply to the previous
one. Unsupported requests (chunked bodies, other versions) get an error status."""

import asyncio
import re
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from http import HTTPStatus
from urllib.parse import SplitResult, urlsplit

from typing_extensions import override

MAX_HEAD_BYTES = 64 * 1024
MAX_BODY_BYTES = 64 * 1024 * 1024

_REQUEST_LINE = re.compile(r"([A-Za-z]+) (/[^ ]*) ([^ ]+)")
_LINES = {status.value: f"HTTP/1.1 {status.value} {status.phrase}\r\n".encode() for status in HTTPStatus}


@dataclass(frozen=True, slots=True)
class HttpRequest:
    """A complete request."""

    method: str
    target: SplitResult
    headers: Mapping[str, str]
    """Names in lower case."""
    body: bytes


class BadRequest(Exception):
    """A request cannot be read; the connection must be closed."""

    def __init__(self, status: int, reason: str) -> None:
        super().__init__(reason)
        self.status = status


class ClientConnection(asyncio.Protocol):
    """One client's connection. The service answers one request after another, and is cancelled when the client
    closes."""

    def __init__(
        self, serve: "Callable[[HttpRequest, ClientConnection], Awaitable[None]]", connections: "set[ClientConnection]"
    ) -> None:
        self._serve = serve
        self._connections = connections
        self._reader = asyncio.StreamReader(MAX_HEAD_BYTES)
        self._keep = True
        self._task: asyncio.Task[None]
        self.transport: asyncio.Transport

    @override
    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        self.transport = transport
        self._connections.add(self)
        self._task = asyncio.get_running_loop().create_task(self._answer())

    @override
    def connection_lost(self, error: Exception | None) -> None:
        self._connections.discard(self)
        self._task.cancel()

    @override
    def data_received(self, data: bytes) -> None:
        self._reader.feed_data(data)

    def respond(self, status: int, body: bytes, headers: bytes = b"") -> None:
        """Send a complete reply."""
        self.respond_in_part(body, len(body), status, headers)

    def respond_in_part(self, part: bytes, length: int, status: int = 200, headers: bytes = b"") -> None:
        """Announce a body of this length, and send a part of it."""
        connection = b"keep-alive" if self._keep else b"close"
        fields = (_LINES[status], length, connection, headers)
        head = b"%bContent-Type: application/json\r\nContent-Length: %d\r\nConnection: %b\r\n%b\r\n" % fields
        self.transport.write(head + part)

    async def _answer(self) -> None:
        try:
            while self._keep and not self.transport.is_closing():
                await self._serve(await self._request(), self)
        except BadRequest as error:
            self._keep = False
            body = b'{"error":{"message":"%b","type":"invalid_request_error"}}' % str(error).encode()
            self.respond(error.status, body)
        finally:
            self.transport.close()

    async def _request(self) -> HttpRequest:
        try:
            head = await self._reader.readuntil(b"\r\n\r\n")
        except asyncio.LimitOverrunError:
            raise BadRequest(431, "the head of the request is too long") from None
        first, *lines = head[:-4].decode("latin-1").split("\r\n")
        parts = _REQUEST_LINE.fullmatch(first)
        if parts is None:
            raise BadRequest(400, "this is not an HTTP/1.1 request")
        if parts[3] not in ("HTTP/1.1", "HTTP/1.0"):
            raise BadRequest(505, "this server speaks HTTP/1.1 only")
        headers = _headers(lines)
        length = _body_length(headers)
        connection = headers.get("connection", "").lower()
        self._keep = "keep-alive" in connection if parts[3] == "HTTP/1.0" else "close" not in connection
        if headers.get("expect", "").lower() == "100-continue":
            self.transport.write(b"HTTP/1.1 100 Continue\r\n\r\n")
        return HttpRequest(parts[1], urlsplit(parts[2]), headers, await self._reader.readexactly(length))


def _headers(lines: list[str]) -> dict[str, str]:
    headers: dict[str, str] = {}
    for line in lines:
        name, colon, value = line.partition(":")
        if not colon or not name or name != name.strip():
            raise BadRequest(400, "a header cannot be read")
        name, value = name.lower(), value.strip()
        if name == "content-length" and headers.get(name, value) != value:
            raise BadRequest(400, "there are two lengths for one body")
        headers[name] = value
    return headers


def _body_length(headers: Mapping[str, str]) -> int:
    if "transfer-encoding" in headers:
        raise BadRequest(411, "send the body with a Content-Length")
    length = headers.get("content-length", "0")
    if not (length.isascii() and length.isdigit()):
        raise BadRequest(400, "Content-Length is not a number")
    if int(length) > MAX_BODY_BYTES:
        raise BadRequest(413, "the body is too large")
    return int(length)
