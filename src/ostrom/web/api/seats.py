"""A person's seat: as who holds its link may see it, and how it is answered. The token of the seat says which one, and
goes in a header, never in an address."""

from collections.abc import AsyncIterator
from dataclasses import asdict
from typing import Annotated, Any, Final, Literal

from fastapi import APIRouter, Depends, Header, HTTPException, Request
from fastapi.concurrency import run_in_threadpool
from fastapi.responses import StreamingResponse

from ostrom.core import InputError
from ostrom.core.scene import Quantity
from ostrom.experiment.hosting import Hosted
from ostrom.players.models.briefing import framing_of
from ostrom.players.people.seat import GameResult, HumanSeat, NotAccepted, OpenQuestion, OutOfTurn, UsedUp
from ostrom.web.api.hosting import Finished, resumable
from ostrom.web.api.live import EVENTS, Sent, streamed
from ostrom.web.connections import client_of
from ostrom.web.replies import UNREADABLE, Shape, encoded, refusals, service_of
from ostrom.web.service import Service


class EarlierLine(Shape):
    """Something of the conversation so far, in a game that is told as one."""

    you: bool
    """Whether it is what this person answered, rather than what was asked."""
    text: str


class AskedNow(Shape):
    """The question that a person is asked now."""

    id: str
    """Its id: an answer must name the question that it answers."""
    turn: int
    phase: str
    text: str
    """What a model in this seat would be told now, without the rules and the form of the answer."""
    earlier: list[EarlierLine]
    """What a model would be sent before that: earlier turns and its own replies, oldest first. Empty in games whose
    questions tell everything themselves."""
    form: list[str]
    """What is asked for, a line for each field."""
    answer: dict[str, Any]
    """The JSON schema of the answer: an object of numbers, texts and choices."""
    limit: float
    """Seconds that an answer may take."""
    left: float
    """Seconds that are left of them."""
    refused: str | None
    """Why the last answer to it was not accepted."""


class SeatStanding(Shape):
    """How a seat ended."""

    seat: int
    label: str
    player: str
    """Who sat there: told only when the game is over."""
    final: float
    rank: float
    you: bool


class ResultColumn(Shape):
    """A quantity beside the final one, as the seats ended with it."""

    title: str
    quantity: Quantity
    values: list[float | None]
    """By seat."""


class SeatResult(Shape):
    """How the game ended."""

    unit: str
    """What `final` counts: 'tokens', 'capital', …"""
    standings: list[SeatStanding]
    """The best first."""
    columns: list[ResultColumn]
    """What else the game shows of its standings."""
    story: list[str]
    """What happened last, a sentence each."""


class Progress(Shape):
    """How far a person is who is asked alone, as in the battery."""

    answered: int
    most: int
    """Questions in all, at most."""


class SeatState(Shape):
    """A seat as the person who holds its link sees it."""

    state: Literal["waiting", "asked", "over", "void", "stopped"]
    """Waiting for others, asked, at the end of the game, in a game that came to nothing, or at a table whose host has
    stopped (and may go on later, at the same link)."""
    version: int
    """Grows with every change."""
    game: str
    """The command of the game."""
    clock: str
    """What its time is counted in: round, turn or question."""
    unit: str
    """What amounts are counted in, as they are told at this seat."""
    title: str
    label: str
    """What the others call this seat."""
    seats: int
    progress: Progress | None
    """Where the person is asked alone; then no game is named."""
    rules: str
    """The rules, as a model in this seat would be told them."""
    question: AskedNow | None
    decided: list[str]
    """What this person has decided so far, in words, the latest last."""
    missed: int
    """How many of these the game decided in this person's place, since no answer came in time."""
    result: SeatResult | None
    reason: str | None
    """Why a game is void or has stopped."""


class SeatAnswer(Shape):
    """A person's answer."""

    question: str
    values: dict[str, Any]


def seat_state(hosted: Hosted, seat: HumanSeat) -> SeatState:
    """The seat as the person who holds its link may see it: nothing of any other seat before the game is over."""
    part = hosted.planned.parts[0]
    ending, most = seat.ending, hosted.questions
    progress = None if most is None else Progress(answered=hosted.before + seat.answered, most=most)
    return SeatState(
        **{name: getattr(seat, name) for name in ("state", "version", "label", "rules", "decided", "missed")},
        game=part.game.command if progress is None else hosted.planned.kind,
        clock=part.game.clock,
        unit=framing_of(part.game.name).unit,
        title=part.game.title if progress is None else "Questions",
        seats=part.seats,
        progress=progress,
        question=None if seat.question is None else _asked(seat, seat.question),
        result=None if ending is None or ending.result is None else _result(seat, ending.result),
        reason=None if ending is None else ending.reason,
    )


def _asked(seat: HumanSeat, question: OpenQuestion) -> AskedNow:
    _, turn, phase, _ = question.key
    return AskedNow(
        id=question.id,
        turn=turn,
        phase=phase,
        text=question.text,
        earlier=[EarlierLine(you=line.role == "assistant", text=line.text) for line in question.earlier],
        form=list(question.form),
        answer=dict(question.schema),
        limit=seat.seconds,
        left=seat.left(),
        refused=seat.refused,
    )


def _result(seat: HumanSeat, result: GameResult) -> SeatResult:
    standings = [SeatStanding(**asdict(one), you=one.seat == seat.index) for one in result.standings]
    return SeatResult(unit=result.unit, standings=standings, columns=list(result.columns), story=list(result.story))


_TOKEN: Final = refusals(
    {401: "No token.", 403: "No seat has this token, or it is no longer valid.", 429: "Too many wrong tokens."}
)
_NOT_YET: Final = "the host has not resumed the game yet; this page keeps trying"
_LATER: Final = {"Retry-After": "6", "Connection": "close"}
_ANSWER: Final = refusals(
    {
        409: "No question or another one is open, or this one has been answered.",
        422: "The rules reject the answer; the question stays open.",
        **UNREADABLE,
    }
)
router = APIRouter(prefix="/seat", tags=["seats"], responses=_TOKEN)


async def held_seat(
    request: Request, ostrom_seat: Annotated[str | None, Header(description="The token of the seat's link.")] = None
) -> tuple[Hosted, HumanSeat]:
    """The seat whose token the request carries."""
    if not ostrom_seat:
        raise HTTPException(401, "this is a person's seat; open the link you were given")
    service = service_of(request)
    found = service.host.seat(ostrom_seat) or await _reopened(service, ostrom_seat)
    if found is None:
        # The right one is let in whatever others try: it has 192 bits, so that no number of guesses finds it.
        if service.guesses.wrong(client_of(request.scope.get("client"))):
            raise HTTPException(429, "too many wrong links; try again in a moment", _LATER)
        raise HTTPException(403, "no seat has this link; ask the host of the game for a new one")
    found[1].visit()
    return found


async def _reopened(service: Service, token: str) -> tuple[Hosted, HumanSeat] | None:
    """The seat of a game whose host was restarted: who opens a link that was handed out before goes on with the
    game."""
    experiment = await service.links.experiment(token) if service.starts else None
    if experiment is None:
        return None
    async with service.links.reopening:
        if (found := service.host.seat(token)) is not None:
            return found
        if service.host.hosted(experiment) is not None:  # its seats have other links by now
            return None
        try:
            wanted, planned = await run_in_threadpool(resumable, service.journal, experiment)
            await service.host.start(planned, wanted)
        except Finished:
            raise HTTPException(403, "the game of this link is over") from None
        except InputError:
            # Played elsewhere, or with models that the host has to start: why, is for the host to know.
            raise HTTPException(503, _NOT_YET, {"Retry-After": "2"}) from None
    return service.host.seat(token)


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
    seen, link = -1, seat.digest
    with seat.presence.following():
        while True:
            seen = await seat.changed(seen)
            if seat.digest != link:  # the seat has another link by now: who came by this one sees no more
                return
            yield Sent("seat", encoded(_shown(hosted, seat)))
            if seat.ending is not None:
                return


def _shown(hosted: Hosted, seat: HumanSeat) -> SeatState:
    seat.result_seen = seat.result_seen or seat.ending is not None
    return seat_state(hosted, seat)
