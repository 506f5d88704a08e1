"""The built pages as files that a server hands out, and the middleware that serves them."""

import hashlib
import mimetypes
from collections.abc import Mapping
from pathlib import Path
from typing import Final, NamedTuple

from starlette.datastructures import Headers
from starlette.responses import Response
from starlette.types import ASGIApp, Receive, Scope, Send

from ostrom.web.middleware import POLICY

EMBEDDED: Final = "embed/index.html"
"""The page that other sites may show in a frame. It shows one replay or one chart, and has no buttons that change
anything."""
EMBEDDED_POLICY: Final = POLICY.replace("frame-ancestors 'none'", "frame-ancestors *")
_MEDIA_TYPES: Final = {
    **{".html": "text/html", ".js": "text/javascript", ".css": "text/css", ".svg": "image/svg+xml"},
    **{".json": "application/json", ".woff2": "font/woff2", ".png": "image/png", ".ico": "image/x-icon"},
    **{".txt": "text/plain", ".map": "application/json", ".webmanifest": "application/manifest+json"},
}
_APPLICATION_FOLDERS: Final = ("api", "docs", "share")
_CACHE_FOREVER: Final = "public, max-age=31536000, immutable"
"""The caching policy of files under assets/, whose names contain a hash of their content."""


class BuiltFile(NamedTuple):
    """A file of the built pages."""

    content: bytes
    kind: str
    headers: Mapping[str, str]
    packed: Mapping[str, bytes] = {}
    """The compressed contents of the file by encoding, the smallest first."""

    def response(self, accepted: str, known: str) -> Response:
        """Respond with the best accepted encoding, or 304 if the ETag matches."""
        encodings = {part.partition(";")[0].strip() for part in accepted.split(",")}
        encoding = next((encoding for encoding in self.packed if encoding in encodings), None)
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


_COMPRESSED_SUFFIXES: Final = {"br": ".br", "gzip": ".gz"}
"""The suffixes of precompressed files by encoding, the smallest first."""


def read_built_files(folder: Path) -> dict[str, BuiltFile]:
    """Return the files of a folder by name. The files are read only once. Therefore requests need no open files, and
    the path in a request is never used as the path of a file."""
    files = {path.relative_to(folder).as_posix(): path for path in folder.rglob("*") if path.is_file()}
    pages = {}
    for name, path in files.items():
        if path.suffix not in _COMPRESSED_SUFFIXES.values():
            packed = {
                encoding: files[name + ending].read_bytes()
                for encoding, ending in _COMPRESSED_SUFFIXES.items()
                if name + ending in files
            }
            pages[name] = _built_file(name, path.read_bytes(), packed)
    return pages


def _built_file(name: str, content: bytes, packed: Mapping[str, bytes]) -> BuiltFile:
    ending = Path(name).suffix
    kind = _MEDIA_TYPES.get(ending) or mimetypes.guess_type(name)[0] or "application/octet-stream"
    headers = {"Cache-Control": _CACHE_FOREVER if name.startswith("assets/") else "no-cache"}
    headers["ETag"] = f'"{hashlib.blake2b(content, digest_size=16).hexdigest()}"'
    if name == "viewer.html":
        # The viewer can only be downloaded, because the security policy of this server forbids its inline script.
        headers["Content-Disposition"] = 'attachment; filename="ostrom-viewer.html"'
    if name == EMBEDDED:
        headers["Content-Security-Policy"] = EMBEDDED_POLICY
        headers["X-Frame-Options"] = ""
    return BuiltFile(content, kind, headers, packed)


class BuiltFiles:
    """Serves built files, and passes other requests to an application."""

    def __init__(self, app: ASGIApp, files: Mapping[str, BuiltFile]) -> None:
        self._app, self._files = app, files

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request, or pass it to the application."""
        path = scope.get("path", "")
        if scope["type"] != "http" or path.partition("/")[2].partition("/")[0] in _APPLICATION_FOLDERS:
            await self._app(scope, receive, send)
            return
        await self._answer(path.removeprefix("/"), scope["method"], Headers(scope=scope))(scope, receive, send)

    def _answer(self, name: str, method: str, headers: Headers) -> Response:
        if method not in ("GET", "HEAD"):
            return _text_refusal(405, "pages can only be read", {"Allow": "GET, HEAD"})
        page = self._files.get(name or "index.html") or self._files.get(self._shared_name(name))
        if page is None:
            return _text_refusal(404, "there is no such page; the start page is /")
        return page.response(headers.get("accept-encoding", ""), headers.get("if-none-match", ""))

    def _shared_name(self, name: str) -> str:
        """Return the file for the address of a session, or an empty name. The host's page is one of the lab's pages at
        /host; the page of participants at /join/CODE is a smaller document of its own."""
        folder, _, code = name.partition("/")
        if name in ("embed", "embed/"):
            return EMBEDDED
        if name == "host":
            return "index.html"
        return "join/index.html" if folder == "join" and "/" not in code else ""


def _text_refusal(status: int, detail: str, headers: dict[str, str] | None = None) -> Response:
    return Response(f"{detail}\n", status, headers, "text/plain")
