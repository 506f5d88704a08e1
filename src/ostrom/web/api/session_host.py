"""The host's side of a session: everything that happens in it, and the host's actions. Each request needs the host's
token in a header."""

import asyncio
import csv
import io
from collections.abc import AsyncIterator
from typing import Annotated, Final

from fastapi import APIRouter, Depends, Header, HTTPException, Request, Response
from fastapi.responses import StreamingResponse

from ostrom.core import InputError, JournalError
from ostrom.experiment.session import acting
from ostrom.experiment.session.running import LiveSession
from ostrom.experiment.session.versions import HOST
from ostrom.players.people.seat import OutOfTurn
from ostrom.web.api.live import EVENTS, StreamEvent, stream
from ostrom.web.api.participation import RETRY_LATER, desk_of, refuse_token
from ostrom.web.api.session_host_shapes import HostReply, HostRequest, HostState, Payments
from ostrom.web.host_state import host_state, payments
from ostrom.web.replies import UNREADABLE, encode, refusals

_STREAM_INTERVAL_S: Final = 0.5
"""The shortest time between two states of a stream, so that many changes at once are sent together."""
_REFRESH_S: Final = 5.0
"""The seconds after which a state is sent without a change, so that absences and clocks are up to date."""
_FORMULA: Final = ("=", "+", "-", "@", "\t", "\r")
"""The beginnings of texts that spreadsheets would compute."""
HOST_REFUSALS: Final = refusals(
    {
        401: "No token.",
        403: "The token is not the host's.",
        404: "The server runs no sessions.",
        429: "Too many wrong tokens.",
        503: "No session is open.",
    }
)
_ACT: Final = refusals({409: "The action is not possible now.", **UNREADABLE})
router = APIRouter(prefix="/host", tags=["sessions"], responses=HOST_REFUSALS)


async def find_session(
    request: Request, ostrom_host: Annotated[str | None, Header(description="The token of the host.")] = None
) -> LiveSession:
    """Return the session to whose host the request's token belongs. Raise `HTTPException` if there is none."""
    desk = desk_of(request)
    if not ostrom_host:
        raise HTTPException(401, "this is the host's page; open the link that was printed when the session began")
    live = desk.hosted(ostrom_host)
    if live is None:
        refuse_token(request, "this link is not the host's")
    return live


HostedSession = Annotated[LiveSession, Depends(find_session)]


def _state(request: Request, live: LiveSession) -> HostState:
    return host_state(live, desk_of(request).join_address(live.stored), live.versions.of(HOST))


@router.get("")
async def session(request: Request, live: HostedSession) -> HostState:
    """Return the state of the session."""
    return _state(request, live)


@router.get("/live", response_class=StreamingResponse, responses={200: {"content": EVENTS}})
async def live_session(request: Request, live: HostedSession) -> StreamingResponse:
    """Send the state of the session after changes, as events `host`."""
    return stream(request, _changes(request, live))


async def _changes(request: Request, live: LiveSession) -> AsyncIterator[StreamEvent]:
    seen = -1
    while True:
        try:
            seen = await asyncio.wait_for(live.versions.after(HOST, seen), _REFRESH_S)
        except TimeoutError:
            seen = live.versions.of(HOST)
        yield StreamEvent("host", encode(_state(request, live)))
        await asyncio.sleep(_STREAM_INTERVAL_S)


@router.post("/act", responses=_ACT)
async def act(request: Request, live: HostedSession, action: HostRequest) -> HostReply:
    """Do something in the session. It is in the journal before the reply is sent."""
    try:
        token = await asyncio.shield(asyncio.ensure_future(_act(live, action)))
    except JournalError as reason:
        detail = "this could not be stored, so it was not done; try again in a moment"
        raise HTTPException(503, detail, RETRY_LATER) from reason
    except (acting.NotNow, OutOfTurn, InputError) as reason:
        raise HTTPException(409, str(reason)) from None
    link = None if token is None else f"{desk_of(request).join_address(live.stored)}#{token}"
    return HostReply(state=_state(request, live), link=link)


async def _act(live: LiveSession, action: HostRequest) -> str | None:
    """Do what the host asks for. Return the new token of a participant, if there is one."""
    participant, table = action.participant, action.table
    match action.action:
        case "start":
            await acting.start(live)
        case "pause":
            await acting.pause(live, table)
        case "resume":
            await acting.resume(live, table)
        case "extend":
            await acting.extend(live, participant, table, action.seconds)
        case "replace":
            await acting.replace(live, participant, action.player)
        case "notice":
            await acting.notice(live, participant, action.text)
        case "release":
            await acting.release(live, participant)
        case "renew_link":
            return await acting.renew_link(live, participant)
        case "end":
            await acting.end(live)
        case "label_person":
            await acting.label_person(live, participant, action.text)
    return None


@router.get("/payments")
async def session_payments(request: Request, live: HostedSession) -> Payments:
    """Return the payments of all participants."""
    return payments(live)


@router.get("/payments.csv", response_class=Response, responses={200: {"content": {"text/csv": {}}}})
async def payments_csv(request: Request, live: HostedSession) -> Response:
    """Return the payments of all participants as a CSV file."""
    table = payments(live)
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\r\n")
    names = ("participant", "label", "code", "treatment", "outcome", "points", "total", "currency", "draw")
    writer.writerow([*names, "lines"])
    for row in table.rows:
        values = row.model_dump()
        writer.writerow([*(_cell(values[name]) for name in names), _cell("; ".join(row.lines))])
    headers = {"Content-Disposition": f'attachment; filename="payments-{live.id}.csv"', "Cache-Control": "no-store"}
    return Response(text.getvalue(), media_type="text/csv", headers=headers)


def _cell(value: object) -> object:
    """Return a value for a CSV file. A text that a spreadsheet would compute is preceded by an apostrophe."""
    return f"'{value}" if isinstance(value, str) and value.startswith(_FORMULA) else value
