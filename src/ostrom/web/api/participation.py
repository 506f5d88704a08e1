"""Taking part in a session. A participant joins with the session's code and gets a token, which is sent in a header,
never in an address."""

from typing import Annotated, Final

from fastapi import APIRouter, Depends, Header, HTTPException, Request
from fastapi.responses import StreamingResponse

from ostrom.web.api.live import EVENTS
from ostrom.web.api.participation_shapes import (
    Door,
    JoinReply,
    JoinRequest,
    ParticipantState,
    SessionAnswer,
    StepRequest,
    WordList,
)
from ostrom.web.replies import UNREADABLE, refusals

_CLOSED: Final = "no session is open here"
_TOKEN: Final = refusals(
    {
        401: "No token.",
        403: "No participant has this token.",
        429: "Too many wrong codes or tokens.",
        503: "No session is open.",
    }
)
_STEP: Final = refusals(
    {
        409: "Another page or question is open.",
        422: "The entry is rejected; the page stays open.",
        **UNREADABLE,
    }
)
router = APIRouter(prefix="/participate", tags=["sessions"], responses=_TOKEN)


async def find_participant(
    request: Request,
    ostrom_participant: Annotated[str | None, Header(description="The token of the participant.")] = None,
) -> int:
    """Return the participant to whom the request's token belongs. Raise `HTTPException` if there is none."""
    raise HTTPException(503, _CLOSED)


Participant = Annotated[int, Depends(find_participant)]


@router.get("/door/{code}", responses=refusals({404: "No session has this code."}))
async def door(request: Request, code: str) -> Door:
    """Return what everybody with the join code of a session may see of it."""
    raise HTTPException(503, _CLOSED)


@router.post("/join", responses=_STEP | refusals({404: "No session has this code."}))
async def join(request: Request, wanted: JoinRequest) -> JoinReply:
    """Join a session. The reply has the participant's token, which is shown only once."""
    raise HTTPException(503, _CLOSED)


@router.get("")
async def participant(request: Request, participant: Participant) -> ParticipantState:
    """Return the state of the participant."""
    raise HTTPException(503, _CLOSED)


@router.get("/words")
async def words(request: Request, participant: Participant) -> WordList:
    """Return the texts of participants' pages in the session's language."""
    raise HTTPException(503, _CLOSED)


@router.get("/live", response_class=StreamingResponse, responses={200: {"content": EVENTS}})
async def live_participant(request: Request, participant: Participant) -> StreamingResponse:
    """Send the state of the participant after every change, as events `participant`."""
    raise HTTPException(503, _CLOSED)


@router.post("/step", responses=_STEP)
async def step(request: Request, participant: Participant, entry: StepRequest) -> ParticipantState:
    """Enter something on the open page, or go on to the next. It is in the journal before the reply is sent."""
    raise HTTPException(503, _CLOSED)


@router.post("/answer", responses=_STEP)
async def answer_in_session(request: Request, participant: Participant, answer: SessionAnswer) -> ParticipantState:
    """Answer the open question of a game. The answer is in the journal before the reply is sent."""
    raise HTTPException(503, _CLOSED)
