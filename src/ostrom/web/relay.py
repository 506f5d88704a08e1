"""Several processes that serve one session behind one address. The owner has the claim on the session and runs it. Each
other process stands by: it relays requests of participants and hosts to the owner, and takes over if the owner ends."""

import asyncio
import hashlib
import hmac
from collections.abc import AsyncIterator, Mapping
from contextlib import suppress
from typing import Any, Final

from starlette.datastructures import Headers
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response, StreamingResponse
from starlette.types import ASGIApp, Receive, Scope, Send

from ostrom.journal.sql import Journal
from ostrom.web.replies import problem
from ostrom.web.server import client_of
from ostrom.web.session_desk import SessionDesk

SECRET: Final = "ostrom-relay"
"""The header with the secret that the processes share."""
CLIENT: Final = "ostrom-relay-client"
"""The header with the client's address, for which wrong codes are counted."""
CONNECT_TIMEOUT_S: Final = 3.0
HEAD_TIMEOUT_S: Final = 60.0
_CHUNK_BYTES: Final = 64 * 1024
_SESSIONS: Final = ("/api/participate", "/api/host")
_OF_ONE_CONNECTION: Final = frozenset(
    {"connection", "keep-alive", "transfer-encoding", "te", "trailer", "upgrade", "expect", "content-length"}
)
"""Headers that are about one connection, and are not relayed."""
_RETRY: Final = {"Retry-After": "2", "Connection": "close"}
_NO_OWNER: Final = "the process that runs this session does not answer; try again in a moment"
_REFUSED: Final = "only other processes of this session are answered here"


def relay_secret(journal: Journal, session: str) -> str:
    """Return the secret with which processes that serve a session know each other. It is computed from what only the
    journal has, the digest of the host's token."""
    tokens = journal.sessions.tokens(session)
    host = next((token.digest for token in tokens if token.purpose == "host"), "")
    return hmac.new(host.encode(), f"relay {session}".encode(), hashlib.sha256).hexdigest()


def is_of_session(path: str) -> bool:
    """Return whether a path is one of the routes of participants and hosts."""
    return any(path == start or path.startswith(f"{start}/") for start in _SESSIONS)


class OwnerDoor:
    """Admits the requests of other processes that serve the session, and no others."""

    def __init__(self, app: ASGIApp, *, desk: SessionDesk, secret: str) -> None:
        self._app, self._desk, self._secret = app, desk, secret.encode()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request with the secret to the application, as one of the client that the other process names."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        headers = Headers(scope=scope)
        given = headers.get(SECRET, "").encode(errors="replace")
        if not hmac.compare_digest(given, self._secret) or not is_of_session(scope["path"]):
            await problem(403, _REFUSED)(scope, receive, send)
            return
        if not self._desk.sessions:  # Relaying it once more could go in circles.
            await problem(503, _NO_OWNER, _RETRY)(scope, receive, send)
            return
        await self._app({**scope, "client": (headers.get(CLIENT, ""), 0)}, receive, send)


class Relay:
    """While this process stands by, relays the requests of a session to its owner."""

    def __init__(self, app: ASGIApp, *, desk: SessionDesk) -> None:
        self._app, self._desk = app, desk

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Relay a request, or pass it to the application."""
        if scope["type"] != "http" or not self._desk.stands_by or not is_of_session(scope["path"]):
            await self._app(scope, receive, send)
            return
        try:
            reply = await self._relayed(Request(scope, receive))
        except HTTPException as refusal:  # The body is too large.
            reply = problem(refusal.status_code, refusal.detail)
        except (OSError, TimeoutError, asyncio.IncompleteReadError, asyncio.LimitOverrunError, ValueError):
            self._desk.forget_owner()
            reply = problem(503, _NO_OWNER, _RETRY)
        await reply(scope, receive, send)

    async def _relayed(self, request: Request) -> Response:
        """Send a request to the owner, and return its reply. A reply without a length is a stream."""
        owner = await self._desk.owner()
        if owner is None:
            return problem(503, _NO_OWNER, _RETRY)
        body = await request.body()
        host, _, port = owner.place.rpartition(":")
        async with asyncio.timeout(CONNECT_TIMEOUT_S):
            reader, writer = await asyncio.open_connection(host.strip("[]"), int(port))
        try:
            writer.write(_head(request, owner.secret, len(body)) + body)
            await writer.drain()
            async with asyncio.timeout(HEAD_TIMEOUT_S):
                status, headers = _status_and_headers(await reader.readuntil(b"\r\n\r\n"))
            if request.method != "HEAD" and "content-length" not in headers and status not in (204, 304):
                ending: asyncio.Event = request.app.state.ending
                return StreamingResponse(_chunks(reader, writer, ending), status, _kept(headers))
            length = 0 if request.method == "HEAD" else int(headers.get("content-length", 0))
            async with asyncio.timeout(HEAD_TIMEOUT_S):
                content = await reader.readexactly(length)
        except BaseException:
            writer.close()
            raise
        writer.close()
        return Response(content, status, _kept(headers))


def _head(request: Request, secret: str, length: int) -> bytes:
    """Return the head of a relayed request. It is of HTTP 1.0, so that streams end with the connection."""
    scope = request.scope
    path = scope.get("raw_path") or scope["path"].encode()
    query = b"?" + scope["query_string"] if scope.get("query_string") else b""
    lines = [request.method.encode() + b" " + path + query + b" HTTP/1.0"]
    for name, value in scope["headers"]:
        if name.decode("latin-1") not in (*_OF_ONE_CONNECTION, SECRET, CLIENT):
            lines.append(name + b": " + value)
    client = client_of(scope.get("client"))
    lines += [f"{SECRET}: {secret}".encode(), f"{CLIENT}: {client}".encode(), b"Connection: close"]
    if length or request.method == "POST":
        lines.append(b"Content-Length: %d" % length)
    return b"\r\n".join([*lines, b"", b""])


def _status_and_headers(head: bytes) -> tuple[int, Mapping[str, str]]:
    first, *lines = head.decode("latin-1").rstrip("\r\n").split("\r\n")
    pairs = (line.partition(":") for line in lines)
    return int(first.split()[1]), {name.strip().lower(): value.strip() for name, _, value in pairs}


def _kept(headers: Mapping[str, str]) -> dict[str, str]:
    return {name: value for name, value in headers.items() if name not in _OF_ONE_CONNECTION}


async def _chunks(
    reader: asyncio.StreamReader, writer: asyncio.StreamWriter, ending: asyncio.Event
) -> AsyncIterator[bytes]:
    """Yield what the owner sends, until the stream or one of the processes ends. The page then opens a new stream."""
    stopped: asyncio.Future[Any] = asyncio.ensure_future(ending.wait())
    reading: asyncio.Future[bytes] | None = None
    try:
        while not stopped.done():
            reading = asyncio.ensure_future(reader.read(_CHUNK_BYTES))
            await asyncio.wait({reading, stopped}, return_when=asyncio.FIRST_COMPLETED)
            if not reading.done():
                return
            chunk = b""
            with suppress(OSError):
                chunk = reading.result()
            if not chunk:
                return
            yield chunk
    finally:
        stopped.cancel()
        if reading is not None:
            reading.cancel()
        writer.close()
