"""HTTP/1.1 as far as a test provider needs it: one asyncio protocol, kept lean so that the server is never what a
benchmark measures.

Connections are kept alive, bodies have a Content-Length, a request that comes before the last one was answered waits
its turn. What is not spoken here (chunked bodies, other versions) is refused with a status, never misread."""

import asyncio
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from http import HTTPStatus
from urllib.parse import SplitResult, urlsplit

MOST_HEAD = 64 * 1024
"""Bytes of a request's head."""
MOST_BODY = 64 * 1024 * 1024
"""Bytes of a request's body."""

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
    """One client's connection. The service answers a request with exactly one of `respond`, `respond_half` and
    `start_response`, now or later, or never."""

    def __init__(self, serve: "Callable[[Request, Connection], None]", connections: "set[Connection]") -> None:
        self._serve = serve
        self._connections = connections
        self._buffer = bytearray()
        self._busy = False
        self._keep = True
        self._waved_on = False
        self.transport: asyncio.Transport
        self.gone: Callable[[], None] | None = None
        """Called when the client goes before it was answered."""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Begin."""
        assert isinstance(transport, asyncio.Transport)
        self.transport = transport
        self._connections.add(self)

    def connection_lost(self, error: Exception | None) -> None:
        """Tell whoever is still at work on an answer."""
        self._connections.discard(self)
        told, self.gone = self.gone, None
        if told is not None:
            told()

    def data_received(self, data: bytes) -> None:
        """Collect, and serve what is whole."""
        self._buffer += data
        if not self._busy:
            self._next()

    def respond(self, status: int, body: bytes, headers: bytes = b"") -> None:
        """Answer, and go on to the next request."""
        keep = self._keep
        self.transport.write(self._head(status, len(body), headers) + body)
        self.gone = None
        self._busy = False
        if not keep:
            self.transport.close()
        elif self._buffer:
            asyncio.get_running_loop().call_soon(self._next)

    def respond_half(self, body: bytes) -> None:
        """Promise the whole body, send half of it and close."""
        self.transport.write(self._head(200, len(body)) + body[: len(body) // 2])
        self.transport.close()

    def start_response(self, length: int) -> None:
        """Send the head of an answer whose body comes by `transport.write`."""
        self.transport.write(self._head(200, length))

    def _head(self, status: int, length: int, headers: bytes = b"") -> bytes:
        connection = b"keep-alive" if self._keep else b"close"
        told = (_LINES[status], length, connection, headers)
        return b"%bContent-Type: application/json\r\nContent-Length: %d\r\nConnection: %b\r\n%b\r\n" % told

    def _next(self) -> None:
        if self._busy or self.transport.is_closing():
            return
        try:
            request = self._take()
        except Refused as refused:
            self._keep, self._busy = False, True
            self._buffer.clear()
            body = b'{"error":{"message":"%b","type":"invalid_request_error"}}' % str(refused).encode()
            self.respond(refused.status, body)
            return
        if request is not None:
            self._busy, self._waved_on = True, False
            self._serve(request, self)

    def _take(self) -> Request | None:
        """The first request of the buffer, if all of it is there."""
        end = self._buffer.find(b"\r\n\r\n")
        if end > MOST_HEAD or (end < 0 and len(self._buffer) > MOST_HEAD):
            raise Refused(431, "the head of the request is too long")
        if end < 0:
            return None
        lines = self._buffer[:end].decode("latin-1").split("\r\n")
        method, target, version = _request_line(lines[0])
        headers = _headers(lines[1:])
        length = _body_length(headers)
        wishes = headers.get("connection", "").lower()
        self._keep = "keep-alive" in wishes if version == "HTTP/1.0" else "close" not in wishes
        whole = end + 4 + length
        if len(self._buffer) < whole:
            if headers.get("expect", "").lower() == "100-continue" and not self._waved_on:
                self._waved_on = True
                self.transport.write(b"HTTP/1.1 100 Continue\r\n\r\n")
            return None
        body = bytes(self._buffer[end + 4 : whole])
        del self._buffer[:whole]
        return Request(method, target, headers, body)


def _request_line(line: str) -> tuple[str, SplitResult, str]:
    parts = line.split(" ")
    if len(parts) != 3 or not parts[0].isalpha() or not parts[1].startswith("/"):
        raise Refused(400, "this is no request of HTTP/1.1")
    if parts[2] not in ("HTTP/1.1", "HTTP/1.0"):
        raise Refused(505, "HTTP/1.1 is spoken here")
    return parts[0], urlsplit(parts[1]), parts[2]


def _headers(lines: list[str]) -> dict[str, str]:
    headers: dict[str, str] = {}
    for line in lines:
        name, colon, value = line.partition(":")
        if not colon or not name or name != name.strip():
            raise Refused(400, "a header cannot be read")
        name, value = name.lower(), value.strip()
        if name == "content-length" and headers.get(name, value) != value:
            raise Refused(400, "two lengths for one body")
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
