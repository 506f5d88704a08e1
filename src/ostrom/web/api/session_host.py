"""The host's side of a session: everything that happens in it, and the host's actions. Each request needs the host's
token in a header."""

from typing import Annotated, Final

from fastapi import APIRouter, Depends, Header, HTTPException, Request, Response
from fastapi.responses import StreamingResponse

from ostrom.web.api.live import EVENTS
from ostrom.web.api.session_host_shapes import ClassResults, HostReply, HostRequest, HostState, Payments
from ostrom.web.replies import UNREADABLE, refusals

_CLOSED: Final = "no session is open here"
_TOKEN: Final = refusals(
    {401: "No token.", 403: "The token is not the host's.", 429: "Too many wrong tokens.", 503: "No session is open."}
)
_ACT: Final = refusals({409: "The action is not possible now.", **UNREADABLE})
router = APIRouter(prefix="/host", tags=["sessions"], responses=_TOKEN)


async def find_session(
    request: Request, ostrom_host: Annotated[str | None, Header(description="The token of the host.")] = None
) -> str:
    """Return the session to whose host the request's token belongs. Raise `HTTPException` if there is none."""
    raise HTTPException(503, _CLOSED)


Hosting = Annotated[str, Depends(find_session)]


@router.get("")
async def session(request: Request, hosting: Hosting) -> HostState:
    """Return the state of the session."""
    raise HTTPException(503, _CLOSED)


@router.get("/live", response_class=StreamingResponse, responses={200: {"content": EVENTS}})
async def live_session(request: Request, hosting: Hosting) -> StreamingResponse:
    """Send the state of the session after changes, as events `host`."""
    raise HTTPException(503, _CLOSED)


@router.post("/act", responses=_ACT)
async def act(request: Request, hosting: Hosting, action: HostRequest) -> HostReply:
    """Do something in the session. It is in the journal before the reply is sent."""
    raise HTTPException(503, _CLOSED)


@router.get("/payments")
async def payments(request: Request, hosting: Hosting) -> Payments:
    """Return the payments of all participants."""
    raise HTTPException(503, _CLOSED)


@router.get("/payments.csv", response_class=Response, responses={200: {"content": {"text/csv": {}}}})
async def payments_csv(request: Request, hosting: Hosting) -> Response:
    """Return the payments of all participants as a CSV file."""
    raise HTTPException(503, _CLOSED)


@router.get("/results")
async def results(request: Request, hosting: Hosting) -> ClassResults:
    """Return the results of the session beside published human values and models' games, without names."""
    raise HTTPException(503, _CLOSED)
