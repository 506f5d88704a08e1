"""Routes: a person's seat. The token of the seat says which one, and goes in a header, never in an address."""

from collections.abc import AsyncIterator
from typing import Annotated, Any

from fastapi import APIRouter, Depends, Header, HTTPException, Request
from fastapi.responses import StreamingResponse

from ostrom.experiment.hosting import Hosted
from ostrom.players.people.seat import HumanSeat, NotAccepted, OutOfTurn, UsedUp
from ostrom.web.queries.seats import seat_state
from ostrom.web.replies import encoded, service_of
from ostrom.web.shapes.base import Problem
from ostrom.web.shapes.seats import SeatAnswer, SeatState
from ostrom.web.streams import EVENTS, Sent, streamed

_TOKEN: dict[int | str, dict[str, Any]] = {
    401: {"model": Problem, "description": "No token."},
    403: {"model": Problem, "description": "No seat has this token, or it is used up."},
}
_ANSWER: dict[int | str, dict[str, Any]] = {
    409: {"model": Problem, "description": "Nothing, or another question, is open; or it is answered already."},
    413: {"model": Problem, "description": "Too large."},
    415: {"model": Problem, "description": "Not said to be JSON."},
    422: {"model": Problem, "description": "The rules refuse the answer; the question stays open."},
}
router = APIRouter(prefix="/seat", tags=["seats"], responses=_TOKEN)


async def held_seat(
    request: Request, ostrom_seat: Annotated[str | None, Header(description="The token of the seat's link.")] = None
) -> tuple[Hosted, HumanSeat]:
    """The seat whose token the request carries."""
    if not ostrom_seat:
        raise HTTPException(401, "this is a person's seat; open the link that you were given")
    found = service_of(request).host.seat(ostrom_seat)
    if found is None:
        raise HTTPException(403, "no seat has this link; ask who hosts the game for a new one")
    found[1].visit()
    return found


HeldSeat = Annotated[tuple[Hosted, HumanSeat], Depends(held_seat)]


@router.get("")
async def seat(held: HeldSeat) -> SeatState:
    """The seat as it is now."""
    return _shown(*held)


@router.get("/live", response_class=StreamingResponse, responses={200: {"content": EVENTS}})
async def live_seat(request: Request, held: HeldSeat) -> StreamingResponse:
    """The seat at every change, as events `seat`; the stream ends with the game."""
    return streamed(request, _changes(*held))


@router.post("/answer", responses=_ANSWER)
async def answer(held: HeldSeat, answer: SeatAnswer) -> SeatState:
    """Answer the open question; the answer is in the journal when the reply comes."""
    try:
        await held[1].answer(answer.question, answer.values)
    except UsedUp as reason:
        raise HTTPException(403, str(reason)) from None
    except OutOfTurn as reason:
        raise HTTPException(409, str(reason)) from None
    except NotAccepted as reason:
        raise HTTPException(422, str(reason)) from None
    return _shown(*held)


async def _changes(hosted: Hosted, seat: HumanSeat) -> AsyncIterator[Sent]:
    seen = -1
    with seat.presence.following():
        while True:
            seen = await seat.changed(seen)
            yield Sent("seat", encoded(_shown(hosted, seat)))
            if seat.ending is not None:
                return


def _shown(hosted: Hosted, seat: HumanSeat) -> SeatState:
    seat.told = seat.told or seat.ending is not None
    return seat_state(hosted, seat)
