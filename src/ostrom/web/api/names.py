"""What players are called: everybody's name and colour, and giving a player another name."""

from typing import Annotated

from fastapi import APIRouter, Request, Response
from fastapi.concurrency import run_in_threadpool
from pydantic import Field

from ostrom.charts.palette import colour_of
from ostrom.web.replies import UNREADABLE, Shape, refusals, reply, service_of, writing
from ostrom.web.service import Service


class PlayerName(Shape):
    """What a player is called."""

    player: str
    """Its id, by which data, filters and addresses name it."""
    name: str
    """What every page, chart and film calls it; its id where that would be another's name."""
    label: str | None
    """The name that somebody gave it in this journal."""
    suggestion: str | None
    """What it is known as, by its source or its id; missing where nobody knows."""
    colour: str


class PlayerNames(Shape):
    """What everybody who has played is called, in the order in which they first sat down."""

    players: list[PlayerName]


class GiveName(Shape):
    """A name for a player."""

    player: str
    name: Annotated[str | None, Field(max_length=200)]
    """None takes the name away that it was given."""


def all_names(service: Service) -> PlayerNames:
    """The names of all players of the journal."""
    return PlayerNames(players=[_named(service, player) for player in service.player_names().players])


def _named(service: Service, player: str) -> PlayerName:
    names = service.player_names()
    name = names.of(player)
    label, suggestion = names.labels.get(player), names.suggestion(player)
    return PlayerName(player=player, name=name, label=label, suggestion=suggestion, colour=colour_of(player, name))


router = APIRouter(tags=["names"])


@router.get("/names", response_model=PlayerNames)
async def names(request: Request) -> Response:
    """What everybody who has played is called."""
    return await reply(request, all_names)


@router.post("/names", responses=refusals({403: "This server does not change its journal.", **UNREADABLE}))
async def give_name(request: Request, asked: GiveName) -> PlayerName:
    """Give a player a name that every page, chart and film uses, or take it away again."""
    service = service_of(request)
    writing(service)

    def write() -> str:
        journal = service.journal.names
        player = journal.known().player(asked.player)
        journal.clear(player) if asked.name is None else journal.give(player, asked.name)
        return player

    try:
        player = await run_in_threadpool(write)
    finally:
        service.revision.forget()
    return await run_in_threadpool(_named, service, player)
