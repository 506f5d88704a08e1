"""Changes as server-sent events. A stream ends when its source ends, when its client disconnects, or when the server
stops."""

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, Final

from fastapi import APIRouter, Request
from fastapi.concurrency import run_in_threadpool
from fastapi.responses import StreamingResponse

from ostrom.web.api.games import EventListing, First, Game, event_page
from ostrom.web.replies import service_of
from ostrom.web.service import Service

_MAX_EVENTS_PER_MESSAGE: Final = 500
_KEEP_ALIVE_S: Final = 15.0
"""Seconds without an event after which a comment is sent, so that proxies keep the connection open."""
EVENTS: Final = {
    "text/event-stream": {
        "schema": {
            "type": "object",
            "properties": {"event": {"type": "string"}, "data": {"type": "string"}},
            "description": "One event of the stream; its data is JSON.",
        }
    }
}
"""The description of a stream in the OpenAPI document."""


@dataclass(frozen=True, slots=True)
class StreamEvent:
    """One event of a stream."""

    name: str
    data: bytes
    """JSON on one line."""

    def frame(self) -> bytes:
        """Return the event in the format of server-sent events."""
        return b"event: %s\ndata: %s\n\n" % (self.name.encode(), self.data)


def stream(request: Request, source: AsyncIterator[StreamEvent]) -> StreamingResponse:
    """Return a response that sends the events of the source, and closes the source when the stream ends."""
    ending: asyncio.Event = request.app.state.ending
    headers = {"Cache-Control": "no-store", "X-Accel-Buffering": "no"}
    return StreamingResponse(_frames(source, ending), media_type="text/event-stream", headers=headers)


async def _frames(source: AsyncIterator[StreamEvent], ending: asyncio.Event) -> AsyncIterator[bytes]:
    stopped: asyncio.Future[Any] = asyncio.ensure_future(ending.wait())
    upcoming: asyncio.Future[Any] | None = None
    try:
        yield b": open\n\n"
        while not stopped.done():
            upcoming = upcoming or asyncio.ensure_future(_next(source))
            await asyncio.wait({upcoming, stopped}, timeout=_KEEP_ALIVE_S, return_when=asyncio.FIRST_COMPLETED)
            if not upcoming.done():
                if not stopped.done():
                    yield b": still here\n\n"
                continue
            event, upcoming = upcoming.result(), None
            if event is None:
                return
            yield event.frame()
    finally:
        stopped.cancel()
        if upcoming is not None:
            upcoming.cancel()
            with suppress(asyncio.CancelledError):
                await upcoming
        if hasattr(source, "aclose"):
            await source.aclose()


async def _next(source: AsyncIterator[StreamEvent]) -> StreamEvent | None:
    return await anext(source, None)


router = APIRouter(tags=["live"])


@router.get("/live", response_class=StreamingResponse, responses={200: {"content": EVENTS}})
async def live(request: Request) -> StreamingResponse:
    """Send the event `changed` with the journal's revision, at once and after every change, as server-sent events."""
    return stream(request, _changes(service_of(request)))


@router.get("/games/{game}/live", response_class=StreamingResponse, responses={200: {"content": EVENTS}})
async def game(request: Request, game: Game, first: First = 0) -> StreamingResponse:
    """Send server-sent events about one game. `events` has the game's events from the position `first` with their
    descriptions for readers. `state` has the game's state; it is sent at the start and when the game is over, which
    ends the stream."""
    service = service_of(request)
    # This is checked before the stream starts, so that a request for an unknown game gets the usual error.
    name = (await run_in_threadpool(service.journal.pages.game, game)).row.id
    return stream(request, _game_events(service, name, first))


async def _changes(service: Service) -> AsyncIterator[StreamEvent]:
    seen = -1
    async with service.feed.reading() as feed:
        while True:
            seen = await feed.after(seen)
            yield StreamEvent("changed", json.dumps({"revision": seen}).encode())


async def _game_events(service: Service, game: str, first: int) -> AsyncIterator[StreamEvent]:
    seen, state = -1, None
    async with service.feed.reading() as feed:
        while True:
            seen = await feed.after(seen)
            while True:
                page = await _page(service, game, first)
                if page.events:
                    message = {"first": first, "events": page.events, "told": page.told}
                    yield StreamEvent("events", json.dumps(message, separators=(",", ":")).encode())
                    first += len(page.events)
                if first >= page.total:
                    break
            if page.state != state:
                state = page.state
                yield StreamEvent("state", json.dumps({"state": state}).encode())
            if state != "playing":
                return


async def _page(service: Service, game: str, first: int) -> EventListing:
    """Return a page of events. Clients at the same position share one query of the journal."""
    cached: EventListing | None = service.event_pages.get((game, first), await service.revision.soon())
    if cached is not None:
        return cached

    def read() -> EventListing:
        return event_page(service, game, first, _MAX_EVENTS_PER_MESSAGE)

    return await run_in_threadpool(service.event_pages.get_or_make, (game, first), read)
