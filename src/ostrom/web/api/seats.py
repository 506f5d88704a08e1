"""The seat of a person. With the link of the seat, its state can be read and answers can be sent. The token of the seat
is sent in a header, never in an address."""

from collections.abc import AsyncIterator
from dataclasses import asdict
from typing import Annotated, Any, Final, Literal

from fastapi import APIRouter, Depends, Header, HTTPException, Request
from fastapi.concurrency import run_in_threadpool
from fastapi.responses import StreamingResponse

from ostrom.core import InputError
from ostrom.core.game import Game
from ostrom.core.scene import Quantity
from ostrom.experiment.hosting import Hosted
from ostrom.players.models.briefing import framing_of
from ostrom.players.people.seat import GameResult, HumanSeat, NotAccepted, OpenQuestion, OutOfTurn, UsedUp
from ostrom.web.api.hosting import ExperimentFinished, find_resumable
from ostrom.web.api.live import EVENTS, StreamEvent, stream
from ostrom.web.replies import UNREADABLE, Shape, encode, refusals, service_of
from ostrom.web.server import client_of
from ostrom.web.service import Service


class EarlierLine(Shape):
    """A line of the earlier conversation, in a game that is played as a conversation."""

    you: bool
    """True if the line is this person's answer instead of a question."""
    text: str


class SeatQuestion(Shape):
    """A person's open question."""

    id: str
    """The id of the question. The answer must repeat it."""
    turn: int
    phase: str
    text: str
    """The text of the question. It is the prompt that a model would get at this seat, without the rules and the form of
    the answer."""
    earlier: list[EarlierLine]
    """The earlier conversation that a model would have at this seat, the oldest line first. It is empty in games in
    which every question is complete without earlier ones."""
    form: list[str]
    """The requested fields of the answer, one per line."""
    answer: dict[str, Any]
    """The JSON schema of the answer: an object of numbers, texts and choices."""
    limit: float
    """The time limit in seconds."""
    left: float
    """The number of seconds that remain."""
    refused: str | None
    """The reason why the last answer was rejected."""


class SeatStanding(Shape):
    """The final result of a seat."""

    seat: int
    label: str
    player: str
    """The player at this seat. It is shown only when the game is over."""
    final: float
    rank: float
    you: bool


class ResultColumn(Shape):
    """A further quantity of the standings, with its final values."""

    title: str
    quantity: Quantity
    values: list[float | None]
    """The value of each seat."""


class SeatResult(Shape):
    """The result of the game."""

    unit: str
    """The unit of the final results, such as 'tokens' or 'capital'."""
    standings: list[SeatStanding]
    """The standings, the best seat first."""
    columns: list[ResultColumn]
    """Further quantities of the standings."""
    story: list[str]
    """The last events, each described in one sentence."""


class Progress(Shape):
    """The progress of a person who plays alone, as in the battery."""

    answered: int
    most: int
    """The maximum number of questions."""


class SeatState(Shape):
    """The state of a seat, as its person may see it."""

    state: Literal["waiting", "asked", "over", "void", "stopped"]
    """The state of the seat: it waits for others, has an open question, the game is over or void, or the host has
    stopped. The host may resume the game; the link then stays the same."""
    version: int
    """A number that increases with every change."""
    game: str
    """The command of the game."""
    clock: str
    """The game's unit of time: round, turn or question."""
    unit: str
    """The unit of amounts in this seat's prompts."""
    title: str
    label: str
    """The label by which the other players see this seat."""
    seats: int
    progress: Progress | None
    """The progress of a person who plays alone. No game is named in this case."""
    rules: str
    """The rules of the game, as a model at this seat would read them."""
    question: SeatQuestion | None
    decided: list[str]
    """This person's decisions so far, in words. The latest decision is last."""
    missed: int
    """The number of this person's questions for which the fallback was used because no answer came in time."""
    result: SeatResult | None
    reason: str | None
    """The reason why a game is void or has stopped."""


class SeatAnswer(Shape):
    """A person's answer."""

    question: str
    values: dict[str, Any]


def seat_state(hosted: Hosted, seat: HumanSeat) -> SeatState:
    """Return the seat as its person may see it. Until the game is over, it has no data about other seats."""
    part, most = hosted.planned.parts[0], hosted.questions
    if most is None:
        return state_at_table(part.game, part.seats, seat)
    progress = Progress(answered=hosted.before + seat.answered, most=most)
    alone = {"game": hosted.planned.kind, "title": "Questions", "progress": progress}
    return state_at_table(part.game, part.seats, seat).model_copy(update=alone)


def state_at_table(game: Game, seats: int, seat: HumanSeat) -> SeatState:
    """Return the seat of a game between several players as its person may see it."""
    ending = seat.ending
    return SeatState(
        **{name: getattr(seat, name) for name in ("state", "version", "label", "rules", "decided", "missed")},
        game=game.command,
        clock=game.clock,
        unit=framing_of(game.name).unit,
        title=game.title,
        seats=seats,
        progress=None,
        question=None if seat.question is None else _question(seat, seat.question),
        result=None if ending is None or ending.result is None else seat_result(seat.index, ending.result),
        reason=None if ending is None else ending.reason,
    )


def _question(seat: HumanSeat, question: OpenQuestion) -> SeatQuestion:
    _, turn, phase, _ = question.key
    return SeatQuestion(
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


def seat_result(seat: int, result: GameResult) -> SeatResult:
    """Return the result of a game as the person at a seat sees it."""
    standings = [SeatStanding(**asdict(standing), you=standing.seat == seat) for standing in result.standings]
    return SeatResult(unit=result.unit, standings=standings, columns=list(result.columns), story=list(result.story))


_TOKEN: Final = refusals(
    {401: "No token.", 403: "No seat has this token, or it is no longer valid.", 429: "Too many wrong tokens."}
)
_NOT_YET: Final = "the host has not resumed the game yet; this page keeps trying"
_RETRY_LATER: Final = {"Retry-After": "6", "Connection": "close"}
_ANSWER: Final = refusals(
    {
        409: "No question is open, another question is open, or this one has already been answered.",
        422: "The rules reject the answer; the question stays open.",
        **UNREADABLE,
    }
)
router = APIRouter(prefix="/seat", tags=["seats"], responses=_TOKEN)


async def find_seat(
    request: Request, ostrom_seat: Annotated[str | None, Header(description="The token of the seat's link.")] = None
) -> tuple[Hosted, HumanSeat]:
    """Return the seat that belongs to the request's token. Raise `HTTPException` if there is no such seat."""
    if not ostrom_seat:
        raise HTTPException(401, "this is a person's seat; open the link you were given")
    service = service_of(request)
    seat = service.host.seat(ostrom_seat) or await _reopen(service, ostrom_seat)
    if seat is None:
        # A valid token is always accepted. Tokens have 192 bits, so guessing one is impossible and needs no limit here.
        if service.guesses.wrong(client_of(request.scope.get("client"))):
            raise HTTPException(429, "too many wrong links; try again in a moment", _RETRY_LATER)
        raise HTTPException(403, "no seat has this link; ask the host of the game for a new one")
    seat[1].visit()
    return seat


async def _reopen(service: Service, token: str) -> tuple[Hosted, HumanSeat] | None:
    """Return the seat of a game whose host was restarted, and resume the game. Return None if the token is unknown."""
    experiment = await service.links.experiment(token) if service.starts else None
    if experiment is None:
        return None
    async with service.links.reopening:
        if (seat := service.host.seat(token)) is not None:
            return seat
        if service.host.hosted(experiment) is not None:  # The seats have new links.
            return None
        try:
            id_, plan = await run_in_threadpool(find_resumable, service.journal, experiment)
            await service.host.start(plan, id_)
        except ExperimentFinished:
            raise HTTPException(403, "the game of this link is over") from None
        except InputError:
            # Another process plays the game, or the game needs models that only the host may start. Only the host may
            # see this reason.
            raise HTTPException(503, _NOT_YET, {"Retry-After": "2"}) from None
    return service.host.seat(token)


SeatOfToken = Annotated[tuple[Hosted, HumanSeat], Depends(find_seat)]


@router.get("")
async def seat(held_seat: SeatOfToken) -> SeatState:
    """Return the current state of the seat."""
    return _current_state(*held_seat)


@router.get("/live", response_class=StreamingResponse, responses={200: {"content": EVENTS}})
async def live_seat(request: Request, held_seat: SeatOfToken) -> StreamingResponse:
    """Send the state of the seat after every change, as events `seat`. The stream ends with the game."""
    return stream(request, _changes(*held_seat))


@router.post("/answer", responses=_ANSWER)
async def answer(held_seat: SeatOfToken, answer: SeatAnswer) -> SeatState:
    """Answer the open question. The answer is in the journal before the reply to this request is sent."""
    try:
        await held_seat[1].answer(answer.question, answer.values)
    except UsedUp as reason:
        raise HTTPException(403, str(reason)) from None
    except OutOfTurn as reason:
        raise HTTPException(409, str(reason)) from None
    except NotAccepted as reason:
        raise HTTPException(422, str(reason)) from None
    return _current_state(*held_seat)


async def _changes(hosted: Hosted, seat: HumanSeat) -> AsyncIterator[StreamEvent]:
    seen, link = -1, seat.digest
    with seat.presence.following():
        while True:
            seen = await seat.changed(seen)
            if seat.digest != link:  # The seat has a new link, so the stream of the old link ends.
                return
            yield StreamEvent("seat", encode(_current_state(hosted, seat)))
            if seat.ending is not None:
                return


def _current_state(hosted: Hosted, seat: HumanSeat) -> SeatState:
    seat.result_seen = seat.result_seen or seat.ending is not None
    return seat_state(hosted, seat)
