"""Routes: games that are started from a page, and gone on with."""

from typing import Any

from fastapi import APIRouter, HTTPException, Request

from ostrom.experiment.hosting import Hosted
from ostrom.journal.ledger import Taken
from ostrom.web.queries.hosting import planned_game, resumable
from ostrom.web.queries.seats import seat_links
from ostrom.web.replies import service_of
from ostrom.web.shapes.base import Problem
from ostrom.web.shapes.games import SeatLinks, Started, StartGame

_RESPONSES: dict[int | str, dict[str, Any]] = {
    403: {"model": Problem, "description": "Not from here."},
    413: {"model": Problem, "description": "Too large."},
    415: {"model": Problem, "description": "Not said to be JSON."},
}
router = APIRouter(tags=["hosting"], responses=_RESPONSES)


@router.post("/games", status_code=201)
async def start_game(request: Request, asked: StartGame) -> Started:
    """Start a game between built-in players and people; each person gets a link."""
    return _started(await service_of(request).host.start(planned_game(asked)))


@router.post(
    "/experiments/{experiment}/resume",
    responses={404: {"model": Problem}, 409: {"model": Problem, "description": "It is being played already."}},
)
async def resume_experiment(request: Request, experiment: str) -> Started:
    """Go on with an experiment in which no models play; people get new links."""
    service = service_of(request)
    wanted, planned = resumable(service.journal, experiment)
    if wanted in service.host.running():
        raise HTTPException(409, f"{wanted} is being played here already")
    try:
        return _started(await service.host.start(planned, wanted))
    except Taken as reason:
        raise HTTPException(409, str(reason)) from None


@router.get("/experiments/{experiment}/seats")
async def seats(request: Request, experiment: str) -> SeatLinks:
    """The links of an experiment's people and what they do now; none where this server is not playing it. Not a matter
    of the journal: who opens a page or leaves it is written nowhere."""
    return SeatLinks(seats=seat_links(service_of(request).host.seats(experiment)))


def _started(hosted: Hosted) -> Started:
    seats = seat_links(list(hosted.room.seats.values()))
    return Started(experiment=hosted.experiment, name=hosted.name, seats=seats)
