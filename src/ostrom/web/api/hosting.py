"""Games that are started from a page, and gone on with: from what was filled in to a plan, or to the reason why it
cannot be; and the links of the people who sit at them."""

import secrets
from dataclasses import replace
from typing import Any, Final, Literal

from fastapi import APIRouter, HTTPException, Request
from fastapi.concurrency import run_in_threadpool
from pydantic import Field

from ostrom.core import InputError
from ostrom.core.chance import check_seed
from ostrom.core.game import make_rules
from ostrom.core.plugins import GAMES
from ostrom.experiment.hosting import Hosted
from ostrom.experiment.plan import Experiment, Part, experiment_of
from ostrom.journal.claims import AlreadyClaimed
from ostrom.journal.sql import Journal
from ostrom.players.people.seat import HumanSeat, person_named
from ostrom.players.roster import built_in_players, seat_players
from ostrom.web.api.steering import Budget, free, in_thread, options_for, plan_of
from ostrom.web.replies import UNREADABLE, Problem, Shape, refusals, service_of
from ostrom.web.runs import Runs
from ostrom.web.service import Service

_MODELS: Final = "models can be started from the command line, or where the server was started with --steer"
_MOST_NAMES: Final = 200

SeatDoing = Literal["unopened", "here", "thinking", "answered", "away", "over", "void", "stopped"]


class Finished(InputError):
    """An experiment that is over."""


class SeatLink(Shape):
    """Where a person takes a seat; only the host of the game sees it."""

    seat: int
    label: str
    token: str | None
    """What is in the link; missing where it was handed out before the server was restarted: that link still works."""
    state: SeatDoing
    """Whether its link was never opened, its person waits for the first question, is asked, has answered and waits for
    others, or has no page open; and how the game ended."""
    missed: int
    """How many questions the game answered in this person's place."""


class SeatLinks(Shape):
    """The links of all people at a table."""

    seats: list[SeatLink]


class StartGame(Shape):
    """A game to be started from a page."""

    game: str
    """Its command."""
    players: list[str]
    """One entry a seat, in order; 'human' is a person who gets a link."""
    seed: int | None = None
    rules: dict[str, Any] = Field({})
    seconds: float = 300.0
    """How long a person may take for one answer."""
    wait: float = 600.0
    """How long the table waits for people to open their links before their time counts."""


class Started(Shape):
    """A game that was started or resumed."""

    experiment: str
    name: str
    seats: list[SeatLink]


def planned_game(asked: StartGame) -> Experiment:
    """One game as an experiment of one game."""
    game = GAMES.of_command(asked.game)
    if game.instrument:
        raise InputError(f"{game.command} cannot be started here; 'ostrom list games' shows what can be played")
    known = built_in_players(game.name)
    for name in asked.players:
        if person_named(name) is None and name.partition(":")[0] not in known:
            raise InputError(f"{name[:_MOST_NAMES]!r} is not a built-in player of {game.command}; {_MODELS}")
        if name.partition(":")[2].isdecimal():
            raise InputError(f"{name[:_MOST_NAMES]!r}: name the player once for each seat")
    game.check_seats(len(asked.players))
    seated = [one for name in asked.players for one in seat_players(game.name, [name])]
    rules = make_rules(game, asked.rules)
    seed = secrets.randbits(32) if asked.seed is None else check_seed(asked.seed)
    part = Part(game, rules, seated, len(seated), 1, seed, fixed=True)
    people = any(person_named(name) is not None for name in asked.players)
    return Experiment((part,), seconds=asked.seconds if people else None, wait=asked.wait if people else None)


def resumable(journal: Journal, name: str) -> tuple[str, Experiment]:
    """The id and the plan of an experiment that a page may go on with: one in which no models play."""
    wanted = journal.experiment_id(name)
    row = next(row for row in journal.experiments() if row.id == wanted)
    planned = replace(experiment_of(row.name, row.settings), title=row.kind)
    if planned.models:
        raise InputError(f"models play in {wanted}, and {_MODELS}: ostrom resume {wanted}")
    if row.state == "finished":
        raise Finished(f"{wanted} is finished; there is nothing to resume")
    return wanted, planned


def seat_links(seats: list[HumanSeat]) -> list[SeatLink]:
    """The links of people, for who hosts the game."""
    return [
        SeatLink(seat=seat.index, label=seat.label, token=seat.token, state=_doing(seat), missed=seat.missed)
        for seat in seats
    ]


def _doing(seat: HumanSeat) -> SeatDoing:
    """What the person at a seat does, as far as a host may know."""
    if seat.ending is not None:
        return seat.ending.state
    if not seat.presence.opened:
        return "unopened"
    if not seat.presence.here:
        return "away"
    if seat.question is not None:
        return "thinking"
    return "answered" if seat.decided else "here"


def _started(hosted: Hosted) -> Started:
    seats = seat_links(list(hosted.room.seats.values()))
    return Started(experiment=hosted.experiment, name=hosted.name, seats=seats)


router = APIRouter(tags=["hosting"], responses=refusals({403: "The request comes from another site.", **UNREADABLE}))


@router.post("/games", status_code=201)
async def start_game(request: Request, asked: StartGame) -> Started:
    """Start a game between built-in players and people; each person gets a link."""
    return _started(await service_of(request).host.start(planned_game(asked)))


@router.post(
    "/experiments/{experiment}/resume",
    responses={404: {"model": Problem}, **refusals({409: "It is already being played."})},
)
async def resume_experiment(request: Request, experiment: str, asked: Budget | None = None) -> Started:
    """Resume an experiment; people keep their links. One in which models play is resumed by a server that steers, with
    the budget that it had, or with a higher one."""
    service = service_of(request)
    if service.runs is not None and not await run_in_threadpool(_seats_people, service.journal, experiment):
        return await _run_on(service, service.runs, experiment, asked or Budget())
    wanted, planned = resumable(service.journal, experiment)
    if wanted in service.host.running():
        raise HTTPException(409, f"{wanted} is already being played here")
    try:
        return _started(await service.host.start(planned, wanted))
    except AlreadyClaimed as reason:
        raise HTTPException(409, str(reason)) from None


def _seats_people(journal: Journal, experiment: str) -> bool:
    """Whether people sit in an experiment: only a server can have them at its pages."""
    wanted = journal.experiment_id(experiment)
    planned = plan_of(next(row for row in journal.experiments() if row.id == wanted))
    return planned is not None and bool(planned.people)


async def _run_on(service: Service, runs: Runs, experiment: str, asked: Budget) -> Started:
    """Go on with an experiment in a process of its own."""
    wanted = await service.experiment_id(experiment)
    if wanted in (*runs.running(), *service.host.running()):
        raise HTTPException(409, f"{wanted} is already being played here")
    options = await in_thread(options_for, service, wanted, asked)
    try:
        await run_in_threadpool(free, service.journal, wanted)
    except AlreadyClaimed as reason:
        raise HTTPException(409, str(reason)) from None
    await runs.start(wanted, options)
    return Started(experiment=wanted, name=experiment, seats=[])


@router.get("/experiments/{experiment}/seats")
async def seats(request: Request, experiment: str) -> SeatLinks:
    """The links of an experiment's people and what they do now; none where this server is not playing it. Not a matter
    of the journal: who opens a page or leaves it is written nowhere."""
    return SeatLinks(seats=seat_links(service_of(request).host.seats(experiment)))


@router.post("/experiments/{experiment}/seats/{seat}/link", responses={404: {"model": Problem}})
async def renew_link(request: Request, experiment: str, seat: int) -> SeatLink:
    """Make a new link for a seat of a game that is played here; the one that it had opens nothing any more."""
    host = service_of(request).host
    hosted = host.hosted(experiment)
    if hosted is None or hosted.over or seat not in hosted.room.seats:
        raise HTTPException(404, f"no person sits at seat {seat} of a game {experiment[:_MOST_NAMES]!r} played here")
    await host.renew(hosted, seat)
    return seat_links([hosted.room.seats[seat]])[0]
