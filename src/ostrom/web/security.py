"""The guards before the routes: what every answer forbids a browser to do, which requests are not listened to, and that
a bug tells nothing of its inside. Plain ASGI, so that streams pass through as they are."""

import hmac
import json
import sys
import traceback
from collections.abc import Iterable
from typing import Final
from urllib.parse import urlsplit

from starlette.datastructures import Headers, MutableHeaders
from starlette.exceptions import HTTPException
from starlette.types import ASGIApp, Message, Receive, Scope, Send

LARGEST: Final = 64 * 1024
"""Bytes that the body of a request may have."""
POLICY: Final = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; "
    "font-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
"""What a page may load: files of this server, and nothing else."""
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
SEAT: Final = "/api/seat"
"""Under this a person's own token counts, which the route itself checks."""
_READING: Final = frozenset({"GET", "HEAD", "OPTIONS"})


class Guards:
    """Stand before an application. Where only this machine can reach the server, `hosts` are the names that it may be
    called by: a page elsewhere whose name is made to point here is not listened to."""

    def __init__(self, app: ASGIApp, *, token: str | None = None, hosts: Iterable[str] | None = LOOPBACK) -> None:
        self._app = app
        self._token = token
        self._hosts = None if hosts is None else frozenset(hosts)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request, or hand it on."""
        if scope["type"] != "http":
            if scope["type"] == "lifespan":
                await self._app(scope, receive, send)
            return  # there are no web sockets here
        started = False

        async def guarded(message: Message) -> None:
            nonlocal started
            if message["type"] == "http.response.start":
                started = True
                headers = MutableHeaders(scope=message)
                for name, value in HEADERS.items():
                    headers.setdefault(name, value)
            await send(message)

        refusal = self._refusal(scope)
        if refusal is not None:
            await _refuse(guarded, *refusal)
            return
        try:
            await self._app(scope, _bounded(receive), guarded)
        except Exception as error:
            print(f"ostrom: a bug, met at {scope['method']} {scope['path']}", file=sys.stderr)
            traceback.print_exception(error)
            if not started:
                await _refuse(guarded, 500, "something went wrong within the server; its terminal shows what")

    def _refusal(self, scope: Scope) -> tuple[int, str] | None:
        """Why a request is not listened to: a status and one line."""
        headers = Headers(scope=scope)
        host = headers.get("host", "")
        if self._hosts is not None and _name(host) not in self._hosts:
            return 421, "this server answers to 127.0.0.1 and localhost alone"
        if scope["method"] not in _READING:
            if _cross_site(headers, host):
                return 403, "a page of another site cannot change anything here"
            kind = headers.get("content-type", "").partition(";")[0].strip().lower()
            if kind != "application/json":
                return 415, "a request that changes something has the type application/json"
        length = headers.get("content-length", "0")
        if not length.isdecimal() or int(length) > LARGEST:
            return 413, _TOO_LARGE
        if self._token is not None and _wants_token(scope["path"]) and not self._admits(headers):
            return 401, "this server wants its token: Authorization: Bearer TOKEN, as it was printed at its start"
        return None

    def _admits(self, headers: Headers) -> bool:
        scheme, _, given = headers.get("authorization", "").partition(" ")
        return scheme.lower() == "bearer" and same(given.strip(), self._token or "")


def same(given: str, token: str) -> bool:
    """Whether a token is the right one, in a time that says nothing about how much of it is."""
    return hmac.compare_digest(given.encode(errors="replace"), token.encode())


_TOO_LARGE: Final = f"the body is too large; {LARGEST // 1024} kB are taken"


def _wants_token(path: str) -> bool:
    """All of the API but a person's seat; the pages hold nothing of the journal."""
    if path == SEAT or path.startswith(f"{SEAT}/"):
        return False
    return path == "/api" or path.startswith("/api/")


def _cross_site(headers: Headers, host: str) -> bool:
    """Whether a browser says that a page from elsewhere asks; programs say nothing of the kind."""
    origin, site = headers.get("origin"), headers.get("sec-fetch-site", "none")
    here = (None, f"http://{host}".lower(), f"https://{host}".lower())
    return (origin and origin.lower()) not in here or site not in ("same-origin", "none")


def _name(host: str) -> str:
    """The name in a Host header, without the port."""
    try:
        return urlsplit(f"//{host}").hostname or ""
    except ValueError:
        return ""


def _bounded(receive: Receive) -> Receive:
    taken = 0

    async def bounded() -> Message:
        nonlocal taken
        message = await receive()
        if message["type"] == "http.request":
            taken += len(message.get("body", b""))
            if taken > LARGEST:
                raise HTTPException(413, _TOO_LARGE, {"Connection": "close"})
        return message

    return bounded


async def _refuse(send: Send, status: int, why: str) -> None:
    body = json.dumps({"detail": why}).encode()
    headers = [(b"content-type", b"application/json"), (b"content-length", str(len(body)).encode())]
    if status == 401:
        headers.append((b"www-authenticate", b"Bearer"))
    if status == 413:
        # What is still to come of the body is not read.
        headers.append((b"connection", b"close"))
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": body})
