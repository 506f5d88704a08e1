"""What stands before the routes: the guards, which say what a browser may do and which requests are not listened to,
and that a bug tells nothing of its inside; the built pages; and answers that are ready. Plain ASGI, so that streams
pass through as they are."""

import asyncio
import hashlib
import hmac
import mimetypes
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
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
from ostrom.web.connections import client_of
from ostrom.web.guesses import SLOWED, Guesses
from ostrom.web.log import LOG
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
    called by: a page elsewhere whose name is made to point here is not listened to. `damage` says what is wrong with
    the journal: where an answer fails for no other reason, that is the reason."""

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

        refusal = self._refusal(scope) or await self._without_token(scope)
        if refusal is not None:
            await refusal(scope, receive, guarded)
            return
        try:
            await self._app(scope, _bounded(receive), guarded)
        except Exception as error:
            status, why = 500, "internal error; the server's terminal shows what went wrong"
            if (damage := await run_in_threadpool(self._damage)) is not None:
                status, why = 422, damage
                LOG.say("damage", damage)
            else:
                LOG.say_bug(f"a bug, met at {scope['method']} {scope['path'][:200]}", error)
            if not started:
                await _refusal(status, why)(scope, receive, guarded)

    def _refusal(self, scope: Scope) -> Response | None:
        """Why a request is not listened to, whoever sent it."""
        headers = Headers(scope=scope)
        host = headers.get("host", "")
        if "transfer-encoding" in headers and ("content-length" in headers or scope["http_version"] == "1.0"):
            # Where a proxy goes by the other of the two, what is in this request for us is another one for it.
            return _refusal(400, "a request says its length in one way: by Content-Length or by Transfer-Encoding")
        if self._hosts is not None and _name(host) not in self._hosts:
            return _refusal(421, "this server answers only to 127.0.0.1 and localhost")
        if scope["method"] not in _READING:
            if _cross_site(headers, host):
                return _refusal(403, "a page of another site cannot change anything here")
            kind = headers.get("content-type", "").partition(";")[0].strip().lower()
            if kind != "application/json":
                return _refusal(415, "a request that changes something must have the type application/json")
        length = headers.get("content-length", "0")
        if not length.isdecimal() or int(length) > LARGEST:
            return _refusal(413, _TOO_LARGE)
        return None

    async def _without_token(self, scope: Scope) -> Response | None:
        """Why a request is not listened to that lacks the token. No token at all is no guess; after too many wrong ones
        none is looked at, but where the right one came from before: others at that address are only slowed."""
        if self._token is None or not _wants_token(scope["path"]):
            return None
        headers, client = Headers(scope=scope), client_of(scope.get("client"))
        wanted = _refusal(401, "this server requires its token, as in Authorization: Bearer TOKEN")
        if "authorization" not in headers:
            return wanted
        wait = self._guesses.must_wait(client)
        if wait is not None:
            LOG.say("guesses", "too many wrong tokens: tokens from there are not looked at for a while")
            return _refusal(429, "too many wrong tokens; try again in a moment", wait)
        if self._admits(headers):
            self._guesses.right(client)
            return None
        if self._guesses.wrong(client):
            await asyncio.sleep(SLOWED)
            return _refusal(429, "too many wrong tokens; try again in a moment", 1)
        return wanted

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


def _refusal(status: int, why: str, wait: int | None = None) -> Response:
    # What is still to come of a request that cannot be read, or is too large, is not read.
    headers = {401: {"WWW-Authenticate": "Bearer"}, 400: _CLOSE, 413: _CLOSE}.get(status)
    return problem(status, why, headers if wait is None else {"Retry-After": str(wait), **_CLOSE})


_CLOSE: Final = {"Connection": "close"}


class Page(NamedTuple):
    """A built file."""

    content: bytes
    kind: str
    headers: Mapping[str, str]
    packed: Mapping[str, bytes] = {}
    """The same in the encodings in which it was packed when it was built, the smallest first."""

    def sent(self, accepted: str, known: str) -> Response:
        """The file in the smallest form that a reader takes; to one who has it already, that it is the same."""
        takes = {one.partition(";")[0].strip() for one in accepted.split(",")}
        encoding = next((one for one in self.packed if one in takes), None)
        headers = dict(self.headers)
        if self.packed:
            headers["Vary"] = "Accept-Encoding"
        if encoding is not None:
            headers["ETag"] = f'{headers["ETag"][:-1]}-{encoding}"'
        if headers["ETag"] in known:
            return Response(status_code=304, headers=headers)
        if encoding is None:
            return Response(self.content, headers=headers, media_type=self.kind)
        headers["Content-Encoding"] = encoding
        return Response(self.packed[encoding], headers=headers, media_type=self.kind)


_PACKED: Final = {"br": ".br", "gzip": ".gz"}
"""How files end that were packed, by the encoding, the smallest first."""


def read_pages(folder: Path) -> dict[str, Page]:
    """The files of a folder, by their names. They are read once, and no request opens one: there may be no file left to
    be opened, and no path of a request ever reaches the file system."""
    files = {path.relative_to(folder).as_posix(): path for path in folder.rglob("*") if path.is_file()}
    pages = {}
    for name, path in files.items():
        if path.suffix not in _PACKED.values():
            packed = {
                how: files[name + ending].read_bytes() for how, ending in _PACKED.items() if name + ending in files
            }
            pages[name] = _page(name, path.read_bytes(), packed)
    return pages


def _page(name: str, content: bytes, packed: Mapping[str, bytes]) -> Page:
    ending = Path(name).suffix
    kind = _ENDINGS.get(ending) or mimetypes.guess_type(name)[0] or "application/octet-stream"
    headers = {"Cache-Control": _FOREVER if name.startswith("assets/") else "no-cache"}
    headers["ETag"] = f'"{hashlib.blake2b(content, digest_size=16).hexdigest()}"'
    if name == "viewer.html":
        # A file to keep: its script is inside it, which no page of this server may have.
        headers["Content-Disposition"] = 'attachment; filename="ostrom-viewer.html"'
    return Page(content, kind, headers, packed)


class Pages:
    """Hands out built files, and leaves to an application what is its own."""

    def __init__(self, app: ASGIApp, files: Mapping[str, Page]) -> None:
        self._app, self._files = app, files

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request, or hand it on."""
        path = scope.get("path", "")
        if scope["type"] != "http" or path.partition("/")[2].partition("/")[0] in _OF_THE_APPLICATION:
            await self._app(scope, receive, send)
            return
        await self._answer(path.removeprefix("/"), scope["method"], Headers(scope=scope))(scope, receive, send)

    def _answer(self, name: str, method: str, given: Headers) -> Response:
        if method not in ("GET", "HEAD"):
            return _refused(405, "pages can only be read", {"Allow": "GET, HEAD"})
        page = self._files.get(name or "index.html")
        if page is None:
            return _refused(404, "there is no such page; the first page is /")
        return page.sent(given.get("accept-encoding", ""), given.get("if-none-match", ""))


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
