"""The built pages: where they lie, and how they are handed out. A path names one of their files or nothing."""

import mimetypes
from pathlib import Path
from typing import Final

from starlette.responses import FileResponse, Response
from starlette.types import ASGIApp, Receive, Scope, Send

from ostrom.web.built import pages_folder as pages_folder

_ENDINGS: Final = {
    **{".html": "text/html", ".js": "text/javascript", ".css": "text/css", ".svg": "image/svg+xml"},
    **{".json": "application/json", ".woff2": "font/woff2", ".png": "image/png", ".ico": "image/x-icon"},
    **{".txt": "text/plain", ".map": "application/json", ".webmanifest": "application/manifest+json"},
}
_OF_THE_APPLICATION: Final = ("api", "docs")
_FOREVER: Final = "public, max-age=31536000, immutable"
"""A file under assets/ has its content in its name."""


class Pages:
    """Hands out the files of a folder, and leaves to an application what is its own."""

    def __init__(self, app: ASGIApp, folder: Path) -> None:
        self._app = app
        self._folder = folder.resolve()

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
            return _refused(405, "a page can only be read", {"Allow": "GET, HEAD"})
        file = self._file(name or "index.html")
        if file is None:
            return _refused(404, "there is no such page; the pages begin at /")
        kind = _ENDINGS.get(file.suffix) or mimetypes.guess_type(file.name)[0] or "application/octet-stream"
        caching = _FOREVER if name.startswith("assets/") else "no-cache"
        # The viewer is a file to keep: its script is inside it, which no page of this server may have.
        kept = "ostrom-viewer.html" if name == "viewer.html" else None
        return FileResponse(file, media_type=kind, headers={"Cache-Control": caching}, filename=kept)


def _refused(status: int, why: str, headers: dict[str, str] | None = None) -> Response:
    return Response(f"{why}\n", status, headers, "text/plain")
