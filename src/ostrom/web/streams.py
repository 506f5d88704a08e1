"""Server-sent events: how a route sends what comes to pass, as it does. A stream ends with its source, when its reader
is gone, and at once when the server stops."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, Final

from fastapi import Request
from fastapi.responses import StreamingResponse

_QUIET: Final = 15.0
"""Seconds after which something is sent although nothing has happened, so that nobody on the way takes the connection
for dead."""
EVENTS: Final = {
    "text/event-stream": {
        "schema": {
            "type": "object",
            "properties": {"event": {"type": "string"}, "data": {"type": "string"}},
            "description": "One event of the stream; its data is JSON.",
        }
    }
}
"""What the OpenAPI document says of a stream."""


@dataclass(frozen=True, slots=True)
class Sent:
    """One event of a stream."""

    name: str
    data: bytes
    """JSON on one line."""

    def frame(self) -> bytes:
        """The event as it goes over the wire."""
        return b"event: %s\ndata: %s\n\n" % (self.name.encode(), self.data)


def streamed(request: Request, source: AsyncIterator[Sent]) -> StreamingResponse:
    """The answer that sends what the source gives. The source is closed when the stream ends, however that is."""
    ending: asyncio.Event = request.app.state.ending
    headers = {"Cache-Control": "no-store", "X-Accel-Buffering": "no"}
    return StreamingResponse(_frames(source, ending), media_type="text/event-stream", headers=headers)


async def _frames(source: AsyncIterator[Sent], ending: asyncio.Event) -> AsyncIterator[bytes]:
    stopped: asyncio.Future[Any] = asyncio.ensure_future(ending.wait())
    following: asyncio.Future[Any] | None = None
    try:
        yield b": open\n\n"
        while not stopped.done():
            following = following or asyncio.ensure_future(_next(source))
            await asyncio.wait({following, stopped}, timeout=_QUIET, return_when=asyncio.FIRST_COMPLETED)
            if not following.done():
                if not stopped.done():
                    yield b": still here\n\n"
                continue
            sent, following = following.result(), None
            if sent is None:
                return
            yield sent.frame()
    finally:
        stopped.cancel()
        if following is not None:
            following.cancel()
            with suppress(asyncio.CancelledError):
                await following
        if hasattr(source, "aclose"):
            await source.aclose()


async def _next(source: AsyncIterator[Sent]) -> Sent | None:
    return await anext(source, None)
