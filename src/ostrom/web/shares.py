"""What part of the connections may be used for what, so that a person at a seat always finds one: readers of the
journal take at most half of them, and streams, which last, at most a quarter for readers and a quarter for seats. One
client has at most half of what readers have."""

import hashlib
from collections import Counter
from typing import Final, NamedTuple

from starlette.datastructures import Headers
from starlette.types import ASGIApp, Receive, Scope, Send

from ostrom.web.connections import Capacity, client_of
from ostrom.web.log import LOG
from ostrom.web.replies import problem

_PER_SEAT: Final = 8
"""Streams of one seat: windows in which its page is open."""
_AGAIN: Final = {"Retry-After": "2", "Connection": "close"}


class _Share(NamedTuple):
    """Something that is limited."""

    name: str
    most: int
    each: int
    """The most for one client, or one seat."""
    owner: str


class Shares:
    """Stands before an application, and hands on a request while there is room for its kind."""

    def __init__(self, app: ASGIApp, allowed: Capacity, seat: str) -> None:
        self._app, self._most, self._seat = app, allowed.connections, seat
        self._taken: Counter[str] = Counter()
        self._by_owner: Counter[tuple[str, str]] = Counter()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request, or hand it on."""
        shares = self._shares(scope) if scope["type"] == "http" else []
        full = next((share for share in shares if self._is_full(share)), None)
        if full is not None:
            LOG.say(f"share {full.name}", f"too many {full.name} at once: some are refused")
            refusal = problem(503, f"too many {full.name} at once; try again in a moment", _AGAIN)
            await refusal(scope, receive, send)
            return
        for share in shares:
            self._taken[share.name] += 1
            self._by_owner[share.name, share.owner] += 1
        try:
            await self._app(scope, receive, send)
        finally:
            for share in shares:
                self._taken[share.name] -= 1
                self._by_owner[share.name, share.owner] -= 1
                if not self._by_owner[share.name, share.owner]:
                    del self._by_owner[share.name, share.owner]

    def _shares(self, scope: Scope) -> list[_Share]:
        """What a request takes a part of. Nothing for a person's question and answer, nor for the pages: these are
        short, and are always answered."""
        path, client = scope["path"], client_of(scope.get("client"))
        streams = path.endswith("/live")
        if path == self._seat or path.startswith(f"{self._seat}/"):
            token = Headers(scope=scope).get("ostrom-seat", "")
            # Not the token itself: what is kept in memory may end in a dump.
            owner = hashlib.sha256(token.encode(errors="replace")).hexdigest()
            return [_Share("streams of seats", self._most // 4, _PER_SEAT, owner)] if streams else []
        if not path.startswith("/api/"):
            return []
        reading = _Share("requests", self._most // 2, self._most // 4, client)
        streaming = _Share("streams", self._most // 4, max(1, self._most // 8), client)
        return [streaming, reading] if streams else [reading]

    def _is_full(self, share: _Share) -> bool:
        return self._taken[share.name] >= share.most or self._by_owner[share.name, share.owner] >= share.each
