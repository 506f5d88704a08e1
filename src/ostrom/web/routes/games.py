"""Routes: games, their records and their events."""

from typing import Annotated

from fastapi import APIRouter, Path, Query, Request, Response

from ostrom.journal.record import GameRecord
from ostrom.web.queries import games as queries
from ostrom.web.queries.courses import game_course
from ostrom.web.replies import service_of, shelved, shelved_text
from ostrom.web.routes.experiments import Limit, Offset
from ostrom.web.shapes.games import EventPage, GameCourse, GameHead, GamePage, GameState

router = APIRouter(tags=["games"])

Game = Annotated[str, Path(max_length=200, description="By its id or its key.")]
First = Annotated[int, Query(ge=0, le=10**9, description="The place of the first event, counted from 0.")]


@router.get("/games", response_model=GamePage)
async def games(
    request: Request,
    experiment: Annotated[str | None, Query(max_length=200, description="By its id or its name.")] = None,
    player: Annotated[str | None, Query(max_length=200, description="Who sits at one of its seats.")] = None,
    state: GameState | None = None,
    game: Annotated[str | None, Query(max_length=200, description="As on the command line, or as in records.")] = None,
    offset: Offset = 0,
    limit: Limit = 50,
) -> Response:
    """Games, the newest first."""
    journal = service_of(request).journal
    return await shelved(
        request,
        lambda: queries.game_page(
            journal, experiment=experiment, player=player, state=state, game=game, offset=offset, limit=limit
        ),
    )


@router.get("/games/{game}", response_model=GameHead)
async def game(request: Request, game: Game) -> Response:
    """One game, without what happened in it."""
    journal = service_of(request).journal
    return await shelved(request, lambda: queries.game_head(journal, game))


@router.get("/games/{game}/course", response_model=GameCourse)
async def course(request: Request, game: Game) -> Response:
    """How a game went, in a line: cooperation over its rounds or turns, and what everybody ended with."""
    journal = service_of(request).journal
    return await shelved(request, lambda: game_course(journal, game))


@router.get("/games/{game}/record", response_model=GameRecord)
async def record(request: Request, game: Game) -> Response:
    """A game's record, as `ostrom export` writes it. While the game is being played: its events so far, and no
    answers."""
    journal = service_of(request).journal
    return await shelved_text(request, lambda: queries.record_file(journal, game))


@router.get("/games/{game}/events", response_model=EventPage)
async def events(
    request: Request,
    game: Game,
    first: First = 0,
    limit: Annotated[int, Query(ge=1, le=1000, description="How many to give at most.")] = 200,
) -> Response:
    """What happened in a game, in order."""
    service = service_of(request)
    return await shelved(request, lambda: queries.event_page(service.journal, service.narrators, game, first, limit))
