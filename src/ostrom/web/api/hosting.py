"""Starting and resuming games from a page, and the links of the people who play in them."""

import asyncio
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
from ostrom.experiment.store import enter
from ostrom.journal.claims import AlreadyClaimed
from ostrom.journal.sql import Journal
from ostrom.players.people import person_named
from ostrom.players.people.seat import HumanSeat
from ostrom.players.roster import built_in_players, seat_players
from ostrom.web.api.steering import BudgetLimits, check_free, in_thread, options_for, plan_of
from ostrom.web.replies import UNREADABLE, Refusal, Shape, refusals, service_of
from ostrom.web.runs import ExperimentRuns
from ostrom.web.service import Service

_MODELS_HINT: Final = (
    "models can be started from the command line, or from pages of a server that was started with --steer"
)
MAX_SEATS: Final = 100
"""The largest number of seats of a game that is started from a page. Each step of a game with people is computed
without interruption, which delays the seats of other people."""
_START_CHECKS: Final = 200
_START_CHECK_INTERVAL_S: Final = 0.1
_MAX_NAME_LENGTH: Final = 200

SeatDoing = Literal["unopened", "here", "thinking", "answered", "away", "over", "void", "stopped"]


class ExperimentFinished(InputError):
    """Raised if an experiment is finished and cannot be resumed."""


class SeatLink(Shape):
    """The link to a person's seat. Only the host of the game sees it."""

    seat: int
    label: str
    token: str | None
    """The token in the link. It is missing if it was created before the server was restarted; the link still works."""
    state: SeatDoing
    """The state of the seat: the link was never opened; the person waits for the first question, has a question, has
    answered, or has no page open; or the game has ended in some way."""
    missed: int
    """The number of questions for which the game's fallback was used."""


class SeatLinkList(Shape):
    """The links of all people at a table."""

    seats: list[SeatLink]


class StartGame(Shape):
    """A game to start from a page."""

    game: str
    """The command of the game."""
    players: list[str]
    """The players, one for each seat, in order. 'human' stands for a person, who gets a link."""
    seed: int | None = None
    rules: dict[str, Any] = Field({})
    seconds: float = 300.0
    """The number of seconds that a person has for an answer."""
    wait: float = 600.0
    """The number of seconds that people have to open their links. The time for the first answer begins afterwards."""


class StartResult(Shape):
    """A game that was started or resumed."""

    experiment: str
    name: str
    seats: list[SeatLink]


def plan_game(start: StartGame) -> Experiment:
    """Return the plan of one game; raise `InputError` if the request is invalid."""
    game = GAMES.of_command(start.game)
    if game.instrument:
        raise InputError(f"{game.command} cannot be started here; 'ostrom list games' shows what can be played")
    built_in = built_in_players(game.name)
    for name in start.players:
        if person_named(name) is None and name.partition(":")[0] not in built_in:
            raise InputError(f"{name[:_MAX_NAME_LENGTH]!r} is not a built-in player of {game.command}; {_MODELS_HINT}")
        if name.partition(":")[2].isdecimal():
            raise InputError(f"{name[:_MAX_NAME_LENGTH]!r}: name the player once for each seat")
    game.check_seats(len(start.players))
    _check_size(len(start.players))
    players = [player for name in start.players for player in seat_players(game.name, [name])]
    rules = make_rules(game, start.rules)
    seed = secrets.randbits(32) if start.seed is None else check_seed(start.seed)
    part = Part(game, rules, players, len(players), 1, seed, fixed=True)
    people = any(person_named(name) is not None for name in start.players)
    return Experiment((part,), seconds=start.seconds if people else None, wait=start.wait if people else None)


def _check_size(seats: int) -> None:
    """Raise `InputError` if a game has more seats than a page may start."""
    if seats > MAX_SEATS:
        raise InputError(f"pages play games of at most {MAX_SEATS} seats, got {seats:,}; use the command line")


def find_resumable(journal: Journal, name: str) -> tuple[str, Experiment]:
    """Return the id and the plan of an experiment. Raise `InputError` if it has models, and `ExperimentFinished` if it
    is over."""
    id_ = journal.experiment_id(name)
    row = next(row for row in journal.experiments() if row.id == id_)
    plan = replace(experiment_of(row.name, row.settings), title=row.kind)
    if plan.models:
        raise InputError(f"models play in {id_}, and {_MODELS_HINT}: ostrom resume {id_}")
    if row.state == "finished":
        raise ExperimentFinished(f"{id_} is finished; there is nothing to resume")
    _check_size(max((part.seats for part in plan.parts), default=0))
    return id_, plan


def seat_links(seats: list[HumanSeat]) -> list[SeatLink]:
    """Return the links of people, which only the host of the game may see."""
    return [
        SeatLink(seat=seat.index, label=seat.label, token=seat.token, state=_seat_state(seat), missed=seat.missed)
        for seat in seats
    ]


def _seat_state(seat: HumanSeat) -> SeatDoing:
    """Return the state of a person's seat, in the words that a host may see."""
    if seat.ending is not None:
        return seat.ending.state
    if not seat.presence.opened:
        return "unopened"
    if not seat.presence.active:
        return "away"
    if seat.question is not None:
        return "thinking"
    return "answered" if seat.decided else "here"


def _start_result(hosted: Hosted) -> StartResult:
    seats = seat_links(list(hosted.room.seats.values()))
    return StartResult(experiment=hosted.experiment, name=hosted.name, seats=seats)


router = APIRouter(tags=["hosting"], responses=refusals({403: "The request comes from another site.", **UNREADABLE}))


@router.post("/games", status_code=201)
async def start_game(request: Request, start: StartGame) -> StartResult:
    """Start a game between built-in players and people; each person gets a link. A game without people is played in a
    process of its own."""
    service, plan = service_of(request), plan_game(start)
    if plan.people or service.game_runs is None:
        return _start_result(await service.host.start(plan))
    service.game_runs.check_room()
    plan.check()
    experiment = await run_in_threadpool(enter, plan, service.journal)
    await service.game_runs.start(experiment)
    await _first_game(service, service.game_runs, experiment)
    return StartResult(experiment=experiment, name=plan.called, seats=[])


async def _first_game(service: Service, runs: ExperimentRuns, experiment: str) -> None:
    """Wait until the first game of a run is in the journal, so that the page can show it. The wait is limited."""
    for _ in range(_START_CHECKS):
        games = await run_in_threadpool(service.journal.games, experiment)
        if games or experiment not in runs.running():
            return
        await asyncio.sleep(_START_CHECK_INTERVAL_S)


@router.post(
    "/experiments/{experiment}/resume",
    responses={404: {"model": Refusal}, **refusals({409: "It is already being played."})},
)
async def resume_experiment(request: Request, experiment: str, limits: BudgetLimits | None = None) -> StartResult:
    """Resume an experiment; people keep their links. If models play, the server must have been started with `--steer`,
    and the experiment keeps its budget or gets a higher one."""
    service = service_of(request)
    if service.runs is not None and not await run_in_threadpool(_has_people, service.journal, experiment):
        return await _resume_in_process(service, service.runs, experiment, limits or BudgetLimits())
    id_, plan = await run_in_threadpool(find_resumable, service.journal, experiment)
    if id_ in service.running():
        raise HTTPException(409, f"{id_} is already being played here")
    try:
        if plan.people or service.game_runs is None:
            return _start_result(await service.host.start(plan, id_))
        await run_in_threadpool(check_free, service.journal, id_)
        await service.game_runs.start(id_)
        return StartResult(experiment=id_, name=plan.called, seats=[])
    except AlreadyClaimed as reason:
        raise HTTPException(409, str(reason)) from None


def _has_people(journal: Journal, experiment: str) -> bool:
    """Return whether people play in an experiment. If they do, only a server can run it."""
    id_ = journal.experiment_id(experiment)
    plan = plan_of(next(row for row in journal.experiments() if row.id == id_))
    return plan is not None and bool(plan.people)


async def _resume_in_process(
    service: Service, runs: ExperimentRuns, experiment: str, limits: BudgetLimits
) -> StartResult:
    id_ = await service.experiment_id(experiment)
    if id_ in service.running():
        raise HTTPException(409, f"{id_} is already being played here")
    options = await in_thread(options_for, service, id_, limits)
    try:
        await run_in_threadpool(check_free, service.journal, id_)
    except AlreadyClaimed as reason:
        raise HTTPException(409, str(reason)) from None
    await runs.start(id_, options)
    return StartResult(experiment=id_, name=experiment, seats=[])


@router.get("/experiments/{experiment}/seats")
async def seats(request: Request, experiment: str) -> SeatLinkList:
    """Return the links for an experiment's people and the states of their seats; none if this server is not playing it.
    Opening and leaving a page is not recorded in the journal."""
    return SeatLinkList(seats=seat_links(service_of(request).host.seats(experiment)))


@router.post("/experiments/{experiment}/seats/{seat}/link", responses={404: {"model": Refusal}})
async def renew_link(request: Request, experiment: str, seat: int) -> SeatLink:
    """Create a new link for a seat of a game that this server plays. The old link becomes invalid."""
    host = service_of(request).host
    hosted = host.hosted(experiment)
    if hosted is None or hosted.over or seat not in hosted.room.seats:
        raise HTTPException(
            404, f"no person sits at seat {seat} of a game {experiment[:_MAX_NAME_LENGTH]!r} played here"
        )
    await host.renew(hosted, seat)
    return seat_links([hosted.room.seats[seat]])[0]
