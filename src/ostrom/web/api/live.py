"""What comes to pass, sent as it does in server-sent events. A stream ends with its source, when its reader is gone,
and at once when the server stops."""

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, Final

from fastapi import APIRouter, Request
from fastapi.concurrency import run_in_threadpool
from fastapi.responses import StreamingResponse

from ostrom.web.api.games import EventPage, First, Game, event_page
from ostrom.web.replies import service_of
from ostrom.web.service import Service

_AT_ONCE: Final = 500
"""So many events are sent as one."""
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


router = APIRouter(tags=["live"])


@router.get("/live", response_class=StreamingResponse, responses={200: {"content": EVENTS}})
async def live(request: Request) -> StreamingResponse:
    """Server-sent events: `changed` with the journal's revision, at once and whenever the journal has changed."""
    return streamed(request, _changes(service_of(request)))


@router.get("/games/{game}/live", response_class=StreamingResponse, responses={200: {"content": EVENTS}})
async def game(request: Request, game: Game, first: First = 0) -> StreamingResponse:
    """Server-sent events: `events` with what has happened in the game from the place `first` on and how it is told,
    then what happens, and `state` when the game begins to be watched and when it is over, which ends the stream."""
    service = service_of(request)
    # Before anything is sent, so that a game that is not there is refused like everywhere else.
    name = (await run_in_threadpool(service.journal.pages.game, game)).row.id
    return streamed(request, _happenings(service, name, first))


async def _changes(service: Service) -> AsyncIterator[Sent]:
    seen = -1
    async with service.feed.reading() as feed:
        while True:
            seen = await feed.after(seen)
            yield Sent("changed", json.dumps({"revision": seen}).encode())


async def _happenings(service: Service, game: str, first: int) -> AsyncIterator[Sent]:
    seen, state = -1, None
    async with service.feed.reading() as feed:
        while True:
            seen = await feed.after(seen)
            while True:
                page = await _page(service, game, first)
                if page.events:
                    told = {"first": first, "events": page.events, "told": page.told}
                    yield Sent("events", json.dumps(told, separators=(",", ":")).encode())
                    first += len(page.events)
                if first >= page.total:
                    break
            if page.state != state:
                state = page.state
                yield Sent("state", json.dumps({"state": state}).encode())
            if state != "playing":
                return


async def _page(service: Service, game: str, first: int) -> EventPage:
    """Readers who have seen the same share one look into the journal."""
    found: EventPage | None = service.event_pages.get((game, first), await service.revision.soon())
    if found is not None:
        return found

    def read() -> EventPage:
        return event_page(service, game, first, _AT_ONCE)

    return await run_in_threadpool(service.event_pages.get_or_make, (game, first), read)
