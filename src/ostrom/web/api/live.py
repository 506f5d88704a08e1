"""What comes to pass, as it does."""

import json
from collections.abc import AsyncIterator
from typing import Final

from fastapi import APIRouter, Request
from fastapi.concurrency import run_in_threadpool
from fastapi.responses import StreamingResponse

from ostrom.web.api.games import EventPage, First, Game, event_page
from ostrom.web.replies import service_of
from ostrom.web.service import Service
from ostrom.web.streams import EVENTS, Sent, streamed

router = APIRouter(tags=["live"])

_AT_ONCE: Final = 500
"""So many events are sent as one."""


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
