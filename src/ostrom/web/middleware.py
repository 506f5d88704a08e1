"""ASGI middleware. Guards set security headers, reject requests and hide the details of bugs. Other parts share out the
connections, serve the built pages, and send cached replies."""

import asyncio
import hashlib
import hmac
from collections import Counter
from collections.abc import Callable, Iterable
from typing import Final, NamedTuple
from urllib.parse import urlsplit

from starlette.concurrency import run_in_threadpool
from starlette.datastructures import Headers, MutableHeaders
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from ostrom.core import InputError
from ostrom.web.cache import Body
from ostrom.web.guesses import WRONG_TOKEN_DELAY_S, Guesses
from ostrom.web.log import LOG
from ostrom.web.replies import address_of, problem, send_body
from ostrom.web.server import Capacity, client_of
from ostrom.web.service import Service

MAX_BODY_BYTES: Final = 64 * 1024
_TOO_LARGE: Final = f"the body is too large; {MAX_BODY_BYTES // 1024} kB are accepted"
POLICY: Final = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; "
    "font-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
"""The security policy of pages. They may load files only from this server."""
HEADERS: Final = {
    "Content-Security-Policy": POLICY,
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=()",
    "X-Frame-Options": "DENY",
}
LOOPBACK: Final = frozenset({"127.0.0.1", "localhost", "::1"})
PEOPLE: Final = {
    "/api/seat": "ostrom-seat",
    "/api/participate": "ostrom-participant",
    "/api/host": "ostrom-host",
}
"""The beginnings of the paths of people's seats and of sessions, with the header of the token that these routes
check."""
_SAFE_METHODS: Final = frozenset({"GET", "HEAD", "OPTIONS"})


class Guards:
    """Checks requests before they reach an application. `hosts` are the host names that a server for this machine alone
    accepts; this prevents DNS rebinding. `damage` returns a description of damage to the journal, which may explain an
    unexpected error."""

    def __init__(
        self,
        app: ASGIApp,
        *,
        token: str | None = None,
        hosts: Iterable[str] | None = LOOPBACK,
        damage: Callable[[], str | None] = lambda: None,
    ) -> None:
        self._app, self._token, self._damage = app, token, damage
        self._hosts = None if hosts is None else frozenset(hosts)
        self._guesses = Guesses()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request, or pass it to the application."""
        if scope["type"] != "http":
            if scope["type"] == "lifespan":
                await self._app(scope, receive, send)
            return  # Web sockets are not supported.
        started = False

        async def send_guarded(message: Message) -> None:
            nonlocal started
            if message["type"] == "http.response.start":
                started = True
                headers = MutableHeaders(scope=message)
                for name, value in HEADERS.items():
                    headers.setdefault(name, value)
                if not headers["X-Frame-Options"]:
                    del headers["X-Frame-Options"]  # The policy of this page allows frames.
            await send(message)

        refusal = self._refusal(scope) or await self._without_token(scope)
        if refusal is not None:
            await refusal(scope, receive, send_guarded)
            return
        try:
            await self._app(scope, _limit_body(receive), send_guarded)
        except Exception as error:
            status, detail = 500, "internal error; the server's terminal shows what went wrong"
            if (damage := await run_in_threadpool(self._damage)) is not None:
                status, detail = 422, damage
                LOG.say("damage", damage)
            else:
                LOG.say_bug(f"a bug at {scope['method']} {scope['path'][:200]}", error)
            if not started:
                await _refusal(status, detail)(scope, receive, send_guarded)

    def _refusal(self, scope: Scope) -> Response | None:
        """Return the reply that rejects a request whether or not it has a token, or None if the request is not
        rejected."""
        headers = Headers(scope=scope)
        host = headers.get("host", "")
        if "transfer-encoding" in headers and ("content-length" in headers or scope["http_version"] == "1.0"):
            # If a request has both headers, a proxy that uses the other one would split it differently (request
            # smuggling).
            return _refusal(400, "a request must have either Content-Length or Transfer-Encoding, not both")
        if self._hosts is not None and _host_name(host) not in self._hosts:
            return _refusal(421, "this server answers only to 127.0.0.1 and localhost")
        if scope["method"] not in _SAFE_METHODS:
            if _cross_site(headers, host):
                return _refusal(403, "a page of another site cannot change anything here")
            kind = headers.get("content-type", "").partition(";")[0].strip().lower()
            if kind != "application/json":
                return _refusal(415, "a request that changes something must have the type application/json")
        length = headers.get("content-length", "0")
        if not length.isdecimal() or int(length) > MAX_BODY_BYTES:
            return _refusal(413, _TOO_LARGE)
        return None

    async def _without_token(self, scope: Scope) -> Response | None:
        """Return the reply that rejects a request without the right token, or None if the request is not rejected. A
        missing token does not count as a guess. After too many wrong tokens, the client's next tokens are not compared.
        Clients that have already sent the right token are only delayed."""
        if self._token is None or not _needs_token(scope["path"]):
            return None
        headers, client = Headers(scope=scope), client_of(scope.get("client"))
        unauthorized = _refusal(401, "this server requires its token, as in Authorization: Bearer TOKEN")
        if "authorization" not in headers:
            return unauthorized
        wait = self._guesses.must_wait(client)
        if wait is not None:
            LOG.say("guesses", "too many wrong tokens: tokens from this client are rejected for a while")
            return _refusal(429, "too many wrong tokens; try again in a moment", wait)
        if self._admits(headers):
            self._guesses.right(client)
            return None
        if self._guesses.wrong(client):
            await asyncio.sleep(WRONG_TOKEN_DELAY_S)
            return _refusal(429, "too many wrong tokens; try again in a moment", 1)
        return unauthorized

    def _admits(self, headers: Headers) -> bool:
        scheme, _, token = headers.get("authorization", "").partition(" ")
        # Tokens are compared in constant time, so that the response time reveals nothing about the token.
        same = hmac.compare_digest(token.strip().encode(errors="replace"), (self._token or "").encode())
        return scheme.lower() == "bearer" and same


def _needs_token(path: str) -> bool:
    """Return whether a path needs the token. All paths of the API need it, except those of people's seats and of
    sessions. The pages contain no data."""
    return (path == "/api" or path.startswith("/api/")) and _people_header(path) is None


def _people_header(path: str) -> str | None:
    """Return the name of the header with the token of a person or a host, or None for other paths."""
    return next((header for start, header in PEOPLE.items() if path == start or path.startswith(f"{start}/")), None)


def _cross_site(headers: Headers, host: str) -> bool:
    """Return whether the browser marks a request as coming from another site. Programs other than browsers do not send
    such headers."""
    origin, site = headers.get("origin"), headers.get("sec-fetch-site", "none")
    own_origins = (None, f"http://{host}".lower(), f"https://{host}".lower())
    return (origin and origin.lower()) not in own_origins or site not in ("same-origin", "none")


def _host_name(host: str) -> str:
    try:
        return urlsplit(f"//{host}").hostname or ""
    except ValueError:
        return ""


def _limit_body(receive: Receive) -> Receive:
    received = 0

    async def receive_limited() -> Message:
        nonlocal received
        message = await receive()
        if message["type"] == "http.request":
            received += len(message.get("body", b""))
            if received > MAX_BODY_BYTES:
                raise HTTPException(413, _TOO_LARGE, {"Connection": "close"})
        return message

    return receive_limited


def _refusal(status: int, detail: str, wait: int | None = None) -> Response:
    # The rest of an invalid request, or of one that is too large, is not read.
    headers = {401: {"WWW-Authenticate": "Bearer"}, 400: _CLOSE, 413: _CLOSE}.get(status)
    return problem(status, detail, headers if wait is None else {"Retry-After": str(wait), **_CLOSE})


_CLOSE: Final = {"Connection": "close"}


class ReadyAnswers:
    """Sends cached replies, and passes other requests to an application. The replies to most requests are cached, and
    routing a request and parsing its parameters would take several times as long as sending the reply."""

    def __init__(self, app: ASGIApp, service: Service) -> None:
        self._app = app
        self._answers = (service.answers, service.studies.answers)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request, or pass it to the application."""
        body = None
        if scope["type"] == "http" and scope["method"] == "GET" and scope["path"].startswith("/api/"):
            body = await self._ready(scope)
        if body is None:
            await self._app(scope, receive, send)
        else:
            await send_body(Request(scope), body)(scope, receive, send)

    async def _ready(self, scope: Scope) -> Body | None:
        address = address_of(scope)
        try:
            for answers in self._answers:
                body = await answers.ready(address)
                if body is not None:
                    return body
        except InputError:
            pass  # The journal is unreadable. The route reports the error.
        return None


_MAX_STREAMS_PER_SEAT: Final = 8
"""The largest number of windows in which the page of one seat may be open."""
_RETRY_SOON: Final = {"Retry-After": "2", "Connection": "close"}


class _Share(NamedTuple):
    name: str
    most: int
    per_owner: int
    """The largest number of requests of one client or one seat."""
    owner: str


class Shares:
    """Limits the number of requests of each kind, so that a person at a seat always gets a connection. Readers of the
    journal use at most half of the connections. Streams use at most a quarter for readers and a quarter for seats. One
    client gets at most half of the readers' share."""

    def __init__(self, app: ASGIApp, allowed: Capacity) -> None:
        self._app, self._most = app, allowed.connections
        self._in_use: Counter[str] = Counter()
        self._by_owner: Counter[tuple[str, str]] = Counter()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request, or pass it to the application."""
        shares = self._shares(scope) if scope["type"] == "http" else []
        full = next((share for share in shares if self._is_full(share)), None)
        if full is not None:
            LOG.say(f"share {full.name}", f"too many {full.name} at once: some are refused")
            refusal = problem(503, f"too many {full.name} at once; try again in a moment", _RETRY_SOON)
            await refusal(scope, receive, send)
            return
        for share in shares:
            self._in_use[share.name] += 1
            self._by_owner[share.name, share.owner] += 1
        try:
            await self._app(scope, receive, send)
        finally:
            for share in shares:
                self._in_use[share.name] -= 1
                self._by_owner[share.name, share.owner] -= 1
                if not self._by_owner[share.name, share.owner]:
                    del self._by_owner[share.name, share.owner]

    def _shares(self, scope: Scope) -> list[_Share]:
        """Return the shares that a request needs. Requests for pages, and for the question and answer of a seat, need
        no share. They are short and are always answered."""
        path, client = scope["path"], client_of(scope.get("client"))
        streams = path.endswith("/live")
        header = _people_header(path)
        if header is not None:
            token = Headers(scope=scope).get(header, "")
            # The token is hashed, because a memory dump would reveal the token itself.
            owner = hashlib.sha256(token.encode(errors="replace")).hexdigest()
            return [_Share("streams of seats", self._most // 4, _MAX_STREAMS_PER_SEAT, owner)] if streams else []
        if not path.startswith("/api/"):
            return []
        reading = _Share("requests", self._most // 2, self._most // 4, client)
        streaming = _Share("streams", self._most // 4, max(1, self._most // 8), client)
        return [streaming, reading] if streams else [reading]

    def _is_full(self, share: _Share) -> bool:
        return self._in_use[share.name] >= share.most or self._by_owner[share.name, share.owner] >= share.per_owner
