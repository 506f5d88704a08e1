"""Taking part in a session. A participant joins with the session's code and gets a token, which is sent in a header,
never in an address."""

import asyncio
from collections.abc import AsyncIterator, Callable, Coroutine
from typing import Annotated, Any, Final, NoReturn, TypeVar

from fastapi import APIRouter, Depends, Header, HTTPException, Request
from fastapi.responses import StreamingResponse

from ostrom.core import JournalError
from ostrom.experiment.session import joining, stepping
from ostrom.experiment.session.running import LiveSession
from ostrom.players.people.seat import NotAccepted, OutOfTurn, UsedUp
from ostrom.web.api.live import EVENTS, StreamEvent, stream
from ostrom.web.api.participation_shapes import (
    Door,
    JoinReply,
    JoinRequest,
    ParticipantState,
    SessionAnswer,
    StepRequest,
    WordList,
)
from ostrom.web.guesses import WRONG_TOKEN_DELAY_S
from ostrom.web.participant_page import participant_state
from ostrom.web.replies import UNREADABLE, encode, refusals, service_of
from ostrom.web.server import client_of
from ostrom.web.session_desk import SessionDesk

_TOO_MANY: Final = "too many wrong codes or links; try again in a moment"
CLOSED: Final = "no session is open here"
NO_SESSIONS: Final = "this server runs no sessions; `ostrom session FILE` runs one"
_UNSTORED: Final = "this could not be stored, so it does not count; try again in a moment"
RETRY_LATER: Final = {"Retry-After": "6", "Connection": "close"}
_STREAM_INTERVAL_S: Final = 0.1
"""The shortest time between two states of a stream, so that many changes at once are sent together."""
_TOKEN: Final = refusals(
    {
        401: "No token.",
        403: "No participant has this token.",
        404: "The server runs no sessions.",
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


def desk_of(request: Request) -> SessionDesk:
    """Return the sessions of this server. Raise `HTTPException` if it has none."""
    desk = service_of(request).desk
    if desk is None:
        raise HTTPException(404, NO_SESSIONS)
    if not desk.sessions:
        raise HTTPException(503, CLOSED)
    return desk


def refuse_token(request: Request, detail: str) -> NoReturn:
    """Refuse a wrong token. After too many wrong ones, further ones get the status 429. A valid token is always
    accepted: tokens have 192 bits, so guessing one is impossible and needs no limit."""
    if service_of(request).guesses.wrong(client_of(request.scope.get("client"))):
        raise HTTPException(429, _TOO_MANY, RETRY_LATER)
    raise HTTPException(403, detail)


async def _refuse_code(request: Request, desk: SessionDesk, status: int, detail: str) -> NoReturn:
    """Refuse a wrong code, label or single-use link. Further ones from the same client are refused unseen after too
    many; clients that have sent the right code are only delayed, since a class may share one address."""
    if desk.guesses.wrong(client_of(request.scope.get("client"))):
        await asyncio.sleep(WRONG_TOKEN_DELAY_S)
        raise HTTPException(429, _TOO_MANY, RETRY_LATER)
    raise HTTPException(status, detail)


async def find_participant(
    request: Request,
    ostrom_participant: Annotated[str | None, Header(description="The token of the participant.")] = None,
) -> tuple[LiveSession, int]:
    """Return the participant to whom the request's token belongs. Raise `HTTPException` if there is none."""
    desk = desk_of(request)
    if not ostrom_participant:
        raise HTTPException(401, "this is a participant's page; open the address of the session")
    participant = desk.participant(ostrom_participant)
    if participant is None:
        refuse_token(request, "no participant has this link; ask the host of the session for a new one")
    participant[0].clocks.visit(participant[1])
    return participant


SessionParticipant = Annotated[tuple[LiveSession, int], Depends(find_participant)]


async def _with_code(request: Request, code: str) -> LiveSession:
    """Return the session with a code. The number of wrong codes is limited, since a code has only 30 bits."""
    desk, client = desk_of(request), client_of(request.scope.get("client"))
    wait = desk.guesses.must_wait(client)
    if wait is not None:
        raise HTTPException(429, _TOO_MANY, {**RETRY_LATER, "Retry-After": f"{wait}"})
    live = desk.with_code(code)
    if live is None:
        await _refuse_code(request, desk, 404, "no session has this code; look at it again")
    desk.guesses.right(client)
    return live


@router.get("/door/{code}", responses=refusals({404: "No session has this code."}))
async def door(request: Request, code: str) -> Door:
    """Return what everybody with the join code of a session may see of it."""
    live = await _with_code(request, code)
    settings, panel = live.file.session, live.file.panel
    names = () if panel is None else dict.fromkeys((panel.participant, *panel.parameters))
    return Door(
        title=settings.title,
        language=settings.language,
        words=dict(live.file.words),
        join=settings.join,
        asks_label=settings.join == "labels",
        parameters=list(names),
        open=live.is_open,
    )


@router.post("/join", responses=_STEP | refusals({404: "No session has this code."}))
async def join(
    request: Request,
    wanted: JoinRequest,
    ostrom_participant: Annotated[str | None, Header(description="The token of a participant who has joined.")] = None,
) -> JoinReply:
    """Join a session. The reply has the participant's token, which is shown only once. A request with the token of a
    participant of this session gets the same participant again; so does one with the key of an earlier request, whose
    reply may have been lost."""
    live = await _with_code(request, wanted.code)
    if ostrom_participant:
        known = live.tokens.participant(ostrom_participant)
        if known is not None and known in live.state.participants:
            return JoinReply(token=ostrom_participant, participant=live.state.participants[known].name)
    try:
        token, number = await _whole(joining.join(live, wanted.label, wanted.link, wanted.parameters, wanted.key))
    except joining.UnknownSecret as reason:
        await _refuse_code(request, desk_of(request), 403, str(reason))
    except joining.JoinRefused as reason:
        raise HTTPException(409, str(reason)) from None
    except JournalError as reason:
        raise HTTPException(503, _UNSTORED, RETRY_LATER) from reason
    return JoinReply(token=token, participant=live.state.participants[number].name)


@router.get("")
async def participant(request: Request, held: SessionParticipant) -> ParticipantState:
    """Return the state of the participant."""
    return await participant_state(*held)


@router.get("/words")
async def words(request: Request, held: SessionParticipant) -> WordList:
    """Return the texts of participants' pages in the session's language."""
    file = held[0].file
    return WordList(language=file.session.language, words=dict(file.words))


@router.get("/live", response_class=StreamingResponse, responses={200: {"content": EVENTS}})
async def live_participant(
    request: Request,
    held: SessionParticipant,
    ostrom_participant: Annotated[str | None, Header(description="The token of the participant.")] = None,
) -> StreamingResponse:
    """Send the state of the participant after every change, as events `participant`. The stream ends if the
    participant gets a new link."""
    live, number = held

    def is_valid() -> bool:
        return live.tokens.participant(ostrom_participant or "") == number

    return stream(request, _changes(live, number, is_valid))


@router.post("/step", responses=_STEP)
async def step(request: Request, held: SessionParticipant, entry: StepRequest) -> ParticipantState:
    """Enter something on the open page, or go on to the next. It is in the journal before the reply is sent."""
    live, number = held
    trace = None if entry.trace is None else entry.trace.model_dump()
    work = stepping.step(live, number, entry.page, entry.values, name=entry.name, seconds=entry.shown, trace=trace)
    await _accepted(work)
    return await participant_state(live, number)


@router.post("/answer", responses=_STEP)
async def answer_in_session(request: Request, held: SessionParticipant, answer: SessionAnswer) -> ParticipantState:
    """Answer the open question of a game. The answer is in the journal before the reply is sent."""
    live, number = held
    trace = None if answer.trace is None else answer.trace.model_dump()
    await _accepted(stepping.answer(live, number, answer.question, answer.values, trace))
    return await participant_state(live, number)


_Result = TypeVar("_Result")


async def _whole(work: Coroutine[Any, Any, _Result]) -> _Result:
    """Do all of the work, even if the request is cancelled."""
    return await asyncio.shield(asyncio.ensure_future(work))


async def _accepted(work: Coroutine[Any, Any, None]) -> None:
    """Wait until an entry is stored, and turn refusals into replies."""
    try:
        await _whole(work)
    except (UsedUp, OutOfTurn) as reason:
        raise HTTPException(409, str(reason)) from None
    except NotAccepted as reason:
        raise HTTPException(422, str(reason)) from None
    except JournalError as reason:
        raise HTTPException(503, _UNSTORED, RETRY_LATER) from reason


async def _changes(live: LiveSession, number: int, is_valid: Callable[[], bool]) -> AsyncIterator[StreamEvent]:
    seen = -1
    with live.clocks.following(number):
        while is_valid():
            seen = await live.versions.after(number, seen)
            if not is_valid():
                return
            yield StreamEvent("participant", encode(await participant_state(live, number)))
            await asyncio.sleep(_STREAM_INTERVAL_S)
