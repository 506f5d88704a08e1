"""The record and the card of a game that is over, for the people who played in it. They need the link of the
seat alone, so that a person without access to the lab gets them too."""

from dataclasses import replace
from typing import Any, Final

from fastapi import APIRouter, HTTPException, Request, Response
from fastapi.concurrency import run_in_threadpool

from ostrom.charts.card import card_png
from ostrom.charts.palette import with_names_and_colours
from ostrom.experiment.hosting import Hosted
from ostrom.journal.game_lists import EVERY_GAME
from ostrom.journal.record import GameRecord, record_text, with_tellings
from ostrom.players.people.seat import HumanSeat
from ostrom.web.api.seats import SeatOfToken
from ostrom.web.cards import game_card
from ostrom.web.replies import Refusal, service_of
from ostrom.web.service import Service

_PNG: Final[dict[int | str, dict[str, Any]]] = {200: {"content": {"image/png": {}}, "description": "The card."}}
_NOT_OVER: Final[dict[int | str, dict[str, Any]]] = {
    401: {"model": Refusal, "description": "No token."},
    403: {"model": Refusal, "description": "No seat has this token, or it is no longer valid."},
    409: {"model": Refusal, "description": "The game is not over, or its people stay anonymous."},
    429: {"model": Refusal, "description": "Too many wrong tokens."},
}

router = APIRouter(prefix="/seat", tags=["seats"], responses=_NOT_OVER)


def _game_of(service: Service, hosted: Hosted, seat: HumanSeat) -> str:
    """Return the id of a seat's game. Raise `HTTPException` if it is not over, or if it is one of a session or of the
    battery, whose records are not for their people."""
    if seat.ending is None or seat.ending.result is None:
        raise HTTPException(409, "the game is not over")
    if service.desk is not None or hosted.planned.alone:
        raise HTTPException(409, "there is no replay of this game for its people")
    page = service.journal.pages.games(
        replace(EVERY_GAME, experiment=hosted.experiment), order="begun", down=False, offset=0, limit=1
    )
    if not page.games:
        raise HTTPException(409, "the game is not stored yet")
    return page.games[0].id


@router.get("/record", response_model=GameRecord)
async def record(request: Request, held_seat: SeatOfToken) -> Response:
    """Return the record of the seat's game when it is over."""
    service = service_of(request)

    def make() -> bytes:
        game = _game_of(service, *held_seat)
        shown = with_names_and_colours(service.journal.pages.shown(game), service.player_names())
        return record_text(with_tellings(shown)).encode()

    return Response(await run_in_threadpool(make), media_type="application/json")


@router.get("/card", response_class=Response, responses=_PNG)
async def card(request: Request, held_seat: SeatOfToken) -> Response:
    """Return the card of the seat's game when it is over: its title, the results and their course."""
    service = service_of(request)
    content = await run_in_threadpool(lambda: card_png(game_card(service, _game_of(service, *held_seat))))
    return Response(content, media_type="image/png")
