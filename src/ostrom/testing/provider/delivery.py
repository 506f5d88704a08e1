"""HTTP/1.1 connections of the provider, scenarios of the catalogue, and their delivery: complete, cut, in chunks, byte
by byte, or not at all.

The server has little overhead, so that benchmarks measure the client. Connections are kept alive, bodies need a
Content-Length, and a pipelined request waits until the previous reply was sent. Requests that are not supported
(chunked bodies, other versions) get an error status."""

import asyncio
import json
import re
from base64 import b64encode
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from html import escape
from http import HTTPStatus
from typing import Any, Literal, TypeAlias
from urllib.parse import SplitResult, quote, urlsplit

from typing_extensions import override

from ostrom.testing.provider.answers import texts

MAX_HEAD_BYTES = 64 * 1024
MAX_BODY_BYTES = 64 * 1024 * 1024

_REQUEST_LINE = re.compile(r"([A-Za-z]+) (/[^ ]*) ([^ ]+)")
_LINES = {status.value: f"HTTP/1.1 {status.value} {status.phrase}\r\n".encode() for status in HTTPStatus}


@dataclass(frozen=True, slots=True)
class HttpRequest:
    """A complete request of HTTP."""

    method: str
    target: SplitResult
    headers: Mapping[str, str]
    """The headers, with names in lower case."""
    body: bytes


class BadRequest(Exception):
    """Raised if a request cannot be read. The connection must then be closed."""

    def __init__(self, status: int, reason: str) -> None:
        super().__init__(reason)
        self.status = status


class ClientConnection(asyncio.Protocol):
    """The connection of one client. The service answers one request after another, and is cancelled when the client
    closes the connection."""

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
        """Announce a body of this length, and send only a part of it."""
        connection = b"keep-alive" if self._keep else b"close"
        if b"Content-Type:" not in headers:
            headers += b"Content-Type: application/json\r\n"
        head = b"%bContent-Length: %d\r\nConnection: %b\r\n%b\r\n" % (_LINES[status], length, connection, headers)
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


Document: TypeAlias = dict[str, Any]
Body: TypeAlias = Callable[[Document], bytes]
"""A function that returns the body of a reply. It receives the document that a correct server would send."""
Charge: TypeAlias = Literal["nothing", "usage", "most", "stated"]
"""The charge for a call: nothing; the tokens that were used; the maximum, which is one token for every byte of the
prompt and of the longest allowed reply; or the usage that the reply states."""
Way: TypeAlias = Literal[
    "whole",
    "cut",
    "head_cut",
    "close",
    "reset",
    "hang",
    "hang_after_head",
    "hang_in_body",
    "drip",
    "chunked",
    "chunked_cut",
    "chunked_wrong",
    "to_the_end",
    "short_length",
    "twice",
    "late",
]
"""The way in which the reply is sent."""


def plain(document: Document) -> bytes:
    """Return the body that a correct server would send."""
    return json.dumps(document, ensure_ascii=False).encode("utf-8", "surrogatepass")


@dataclass(frozen=True, slots=True)
class Scenario:
    """A behaviour of the provider that applies to every call of a model."""

    name: str
    what: str
    """A description of the behaviour."""
    charges: Charge = "usage"
    status: int = 200
    body: Body = plain
    headers: Sequence[tuple[str, str]] = (("Content-Type", "application/json"),)
    way: Way = "whole"
    line: str = ""
    """The status line of the reply, if it is not the usual one for the status."""


@dataclass(frozen=True, slots=True)
class TokenCharge:
    """The tokens charged for a call."""

    input_tokens: int = 0
    output_tokens: int = 0


def charge_of(scenario: Scenario, document: Document, request: Mapping[str, Any]) -> TokenCharge:
    """Return the provider's charge for a call."""
    usage = document["usage"]
    match scenario.charges:
        case "nothing":
            return TokenCharge()
        case "usage":
            return TokenCharge(usage["prompt_tokens"], usage["completion_tokens"])
        case "most":
            prompt = sum(len(text.encode("utf-8", "replace")) for _, text in texts(request["messages"]))
            reply = request.get("max_completion_tokens") or request.get("max_tokens") or usage["completion_tokens"]
            return TokenCharge(prompt, int(reply))
    stated = json.loads(scenario.body(document))["usage"]
    return TokenCharge(stated["prompt_tokens"], stated["completion_tokens"])


async def deliver(scenario: Scenario, document: Document, key: str, connection: ClientConnection, pause: float) -> None:
    """Send the reply in the scenario's way. In headers and bodies, `[KEY]` is replaced by the client's own key, and a
    mark such as `[KEY:base64]` by the key in this encoding."""
    write, close = connection.transport.write, connection.transport.close
    body = with_key(scenario.body(document), key)
    names = [*scenario.headers, *_framing(scenario, len(body))]
    lines = [scenario.line or f"HTTP/1.1 {scenario.status} As-It-Is", *(f"{name}: {value}" for name, value in names)]
    head = with_key("\r\n".join([*lines, "", ""]).encode("latin-1", "replace"), key)
    match scenario.way:
        case "close":
            close()
        case "reset":
            connection.transport.abort()
        case "hang":
            await asyncio.Event().wait()
        case "head_cut":
            write(head[: len(head) // 2])
            close()
        case "hang_after_head" | "hang_in_body":
            write(head if scenario.way == "hang_after_head" else head + body[: len(body) // 2])
            await asyncio.Event().wait()
        case "drip":
            write(head)
            for place in range(len(body) - 1):
                write(body[place : place + 1])
                await asyncio.sleep(pause)
            await asyncio.Event().wait()
        case "cut":
            write(head + body[: len(body) // 2])
            close()
        case "chunked" | "chunked_cut" | "chunked_wrong":
            write(head + _chunks(body, scenario.way))
            if scenario.way != "chunked":
                close()
        case "to_the_end" | "short_length":
            write(head + body)
            close()
        case "twice":
            write(head + body + head + body)
        case "late":
            await asyncio.sleep(pause)
            write(head + body)
        case _:
            write(head + body)


def with_key(content: bytes, key: str) -> bytes:
    """Return the content with the client's key in place of the marks."""
    if b"[KEY" not in content:
        return content
    forms = {
        "": key,
        ":base64": b64encode(f"user:{key}".encode()).decode(),
        ":hex": key.encode().hex(),
        ":json": json.dumps(key)[1:-1],
        ":escapes": "".join(f"\\u{ord(letter):04x}" for letter in key),
        ":quoted": quote(key, safe=""),
        ":html": escape(key),
    }
    for form, encoded in forms.items():
        content = content.replace(f"[KEY{form}]".encode(), encoded.encode())
    return content


def _framing(scenario: Scenario, length: int) -> list[tuple[str, str]]:
    if scenario.way.startswith("chunked"):
        return [("Transfer-Encoding", "chunked")]
    if scenario.way == "to_the_end":
        return [("Connection", "close")]
    if scenario.way == "short_length":
        return [("Content-Length", str(length // 2)), ("Connection", "close")]
    header_names = {name.lower() for name, _ in scenario.headers}
    return (
        [] if "content-length" in header_names or scenario.status in (204, 304) else [("Content-Length", str(length))]
    )


def _chunks(body: bytes, way: str) -> bytes:
    half = len(body) // 2
    first, second = (b"%x\r\n%b\r\n" % (len(part), part) for part in (body[:half], body[half:]))
    if way == "chunked_cut":
        return first
    return first + (b"zz\r\n" if way == "chunked_wrong" else second + b"0\r\n\r\n")
