"""What stands before the routes: the guards, which say what a browser may do and which requests are not listened to,
and that a bug tells nothing of its inside; the built pages; and answers that are ready. Plain ASGI, so that streams
pass through as they are."""

import hmac
import mimetypes
import traceback
from collections.abc import Iterable
from pathlib import Path
from typing import Final
from urllib.parse import urlsplit

from starlette.datastructures import Headers, MutableHeaders
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import FileResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from ostrom.core import InputError
from ostrom.core.outlets import complain
from ostrom.web.cache import Body
from ostrom.web.replies import address_of, problem, sent
from ostrom.web.service import Service

LARGEST: Final = 64 * 1024
"""Bytes that the body of a request may have."""
_TOO_LARGE: Final = f"the body is too large; {LARGEST // 1024} kB are accepted"
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
_ENDINGS: Final = {
    **{".html": "text/html", ".js": "text/javascript", ".css": "text/css", ".svg": "image/svg+xml"},
    **{".json": "application/json", ".woff2": "font/woff2", ".png": "image/png", ".ico": "image/x-icon"},
    **{".txt": "text/plain", ".map": "application/json", ".webmanifest": "application/manifest+json"},
}
_OF_THE_APPLICATION: Final = ("api", "docs")
_FOREVER: Final = "public, max-age=31536000, immutable"
"""A file under assets/ has its content in its name."""


class Guards:
    """Stand before an application. Where only this machine can reach the server, `hosts` are the names that it may be
    called by: a page elsewhere whose name is made to point here is not listened to."""

    def __init__(self, app: ASGIApp, *, token: str | None = None, hosts: Iterable[str] | None = LOOPBACK) -> None:
        self._app, self._token = app, token
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
            await _refusal(*refusal)(scope, receive, guarded)
            return
        try:
            await self._app(scope, _bounded(receive), guarded)
        except Exception as error:
            complain(f"a bug, met at {scope['method']} {scope['path']}")
            traceback.print_exception(error)
            if not started:
                why = "internal error; the server's terminal shows what went wrong"
                await _refusal(500, why)(scope, receive, guarded)

    def _refusal(self, scope: Scope) -> tuple[int, str] | None:
        """Why a request is not listened to: a status and one line."""
        headers = Headers(scope=scope)
        host = headers.get("host", "")
        if self._hosts is not None and _name(host) not in self._hosts:
            return 421, "this server answers only to 127.0.0.1 and localhost"
        if scope["method"] not in _READING:
            if _cross_site(headers, host):
                return 403, "a page of another site cannot change anything here"
            kind = headers.get("content-type", "").partition(";")[0].strip().lower()
            if kind != "application/json":
                return 415, "a request that changes something must have the type application/json"
        length = headers.get("content-length", "0")
        if not length.isdecimal() or int(length) > LARGEST:
            return 413, _TOO_LARGE
        if self._token is not None and _wants_token(scope["path"]) and not self._admits(headers):
            return 401, "this server requires its token, as in Authorization: Bearer TOKEN"
        return None

    def _admits(self, headers: Headers) -> bool:
        scheme, _, given = headers.get("authorization", "").partition(" ")
        # In a time that says nothing about how much of the token is right.
        same = hmac.compare_digest(given.strip().encode(errors="replace"), (self._token or "").encode())
        return scheme.lower() == "bearer" and same


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


def _refusal(status: int, why: str) -> Response:
    # What is still to come of a body that is too large is not read.
    headers = {401: {"WWW-Authenticate": "Bearer"}, 413: {"Connection": "close"}}
    return problem(status, why, headers.get(status))


class Pages:
    """Hands out the files of a folder, and leaves to an application what is its own."""

    def __init__(self, app: ASGIApp, folder: Path) -> None:
        self._app, self._folder = app, folder.resolve()

    def _file(self, name: str) -> Path | None:
        # Looked up by its whole name among those that are there: no path of a request ever reaches the file system.
        files = (path for path in self._folder.rglob("*") if path.is_file())
        return next((path for path in files if path.relative_to(self._folder).as_posix() == name), None)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request, or hand it on."""
        path = scope.get("path", "")
        if scope["type"] != "http" or path.partition("/")[2].partition("/")[0] in _OF_THE_APPLICATION:
            await self._app(scope, receive, send)
            return
        await self._answer(path.removeprefix("/"), scope["method"])(scope, receive, send)

    def _answer(self, name: str, method: str) -> Response:
        if method not in ("GET", "HEAD"):
            return _refused(405, "pages can only be read", {"Allow": "GET, HEAD"})
        file = self._file(name or "index.html")
        if file is None:
            return _refused(404, "there is no such page; the first page is /")
        kind = _ENDINGS.get(file.suffix) or mimetypes.guess_type(file.name)[0] or "application/octet-stream"
        caching = _FOREVER if name.startswith("assets/") else "no-cache"
        # The viewer is a file to keep: its script is inside it, which no page of this server may have.
        kept = "ostrom-viewer.html" if name == "viewer.html" else None
        return FileResponse(file, media_type=kind, headers={"Cache-Control": caching}, filename=kept)


def _refused(status: int, why: str, headers: dict[str, str] | None = None) -> Response:
    return Response(f"{why}\n", status, headers, "text/plain")


class ReadyAnswers:
    """Sends what was asked for before and still holds, and leaves everything else to an application. Most requests are
    of that kind, and to find their route and to read their parameters again would take several times as long."""

    def __init__(self, app: ASGIApp, service: Service) -> None:
        self._app = app
        self._answers = (service.answers, service.studies.answers)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request, or hand it on."""
        body = None
        if scope["type"] == "http" and scope["method"] == "GET" and scope["path"].startswith("/api/"):
            body = await self._ready(scope)
        if body is None:
            await self._app(scope, receive, send)
        else:
            await sent(Request(scope), body)(scope, receive, send)

    async def _ready(self, scope: Scope) -> Body | None:
        address = address_of(scope)
        try:
            for answers in self._answers:
                body = await answers.ready(address)
                if body is not None:
                    return body
        except InputError:
            pass  # a journal that cannot be read: the route finds that out again, and says so
        return None
