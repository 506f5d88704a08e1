"""The tables of a session as games that its host watches, and the results of the session. Each request needs the host's
token, and shows the host's own session only."""

from typing import Annotated

from fastapi import APIRouter, Depends, HTTPException, Request, Response
from fastapi.concurrency import run_in_threadpool
from fastapi.responses import StreamingResponse

from ostrom.core import UnknownName
from ostrom.experiment.session.state import SessionState
from ostrom.journal.record import GameRecord
from ostrom.web.api import games, live
from ostrom.web.api.games import First, Game, GameHead
from ostrom.web.api.live import EVENTS
from ostrom.web.api.session_host import HOST_REFUSALS, HostedSession
from ostrom.web.api.session_host_shapes import ClassResults
from ostrom.web.api.session_results import results_of_session
from ostrom.web.replies import address_of, encode, send_body, service_of

router = APIRouter(prefix="/host", tags=["sessions"], responses=HOST_REFUSALS)


async def check_game(request: Request, session: HostedSession, game: Game) -> str:
    """Return the id of a game of the host's session. Raise `HTTPException` if the session has no such game."""
    pages = service_of(request).journal.pages
    try:
        row = (await run_in_threadpool(pages.game, game)).row
    except UnknownName:
        row = None
    if row is None or row.experiment != session.stored.experiment:
        raise HTTPException(404, "this session has no such game")
    return row.id


SessionGameId = Annotated[str, Depends(check_game)]


@router.get("/games/{game}", response_model=GameHead)
async def session_game(request: Request, game: SessionGameId) -> Response:
    """Return one table of the session without its events."""
    return await games.game(request, game)


@router.get("/games/{game}/record", response_model=GameRecord)
async def session_game_record(request: Request, game: SessionGameId) -> Response:
    """Return the record of a table of the session. While it is being played, the record has the events so far and no
    answers."""
    return await games.record(request, game)


@router.get("/games/{game}/live", response_class=StreamingResponse, responses={200: {"content": EVENTS}})
async def session_game_live(request: Request, game: SessionGameId, first: First = 0) -> StreamingResponse:
    """Send the events of a table of the session as server-sent events, as for any other game."""
    return await live.game(request, game, first)


@router.get("/results", response_model=ClassResults)
async def session_results(request: Request, session: HostedSession) -> Response:
    """Return the results of the session beside published human values and models' games, without names."""
    service = service_of(request)

    def make() -> bytes:
        # The state is computed from the journal, because this thread must not read one that changes.
        state = SessionState(session.file).fold(service.journal.sessions.entries(session.id))
        return encode(results_of_session(service.journal, session.file, state, session.stored.experiment))

    name = f"{address_of(request.scope)} {session.id}"
    return send_body(request, await service.studies.answers.answer(name, make, slow=True))
