"""Experiments kept in order from a page, as `ostrom experiment` does: renamed, tagged, archived, restored, deleted.
Refused on a server that was not started with `--steer`."""

from collections.abc import Callable
from typing import Annotated, TypeVar

from fastapi import APIRouter, HTTPException, Request
from fastapi.concurrency import run_in_threadpool
from pydantic import Field

from ostrom.core import InputError
from ostrom.journal.claims import AlreadyClaimed
from ostrom.journal.sql import Journal
from ostrom.web.api.steering import runs_of
from ostrom.web.replies import UNREADABLE, Problem, Shape, refusals, service_of

Value = TypeVar("Value")
Word = Annotated[str, Field(max_length=200)]


class Rename(Shape):
    """A new name."""

    name: Word


class Retag(Shape):
    """Tags to add and to take off."""

    add: list[Word] = Field([], max_length=20)
    remove: list[Word] = Field([], max_length=20)


class Archive(Shape):
    """Whether an experiment is left out of lists and leaderboards."""

    archived: bool


class Delete(Shape):
    """An experiment that is to be deleted for good."""

    confirm: Word
    """Its id, typed once more."""


class Arranged(Shape):
    """An experiment that was put in order."""

    experiment: str
    tags: list[str]
    """Those that it has now, where they were changed."""


def deleted(journal: Journal, experiment: str) -> None:
    """Delete an experiment, unless it is being run."""
    with journal.claim(experiment):
        journal.delete(experiment)


router = APIRouter(
    tags=["steering"],
    responses={
        404: {"model": Problem},
        **refusals({403: "The server does not steer, or the request comes from another site.", **UNREADABLE}),
    },
)


async def _written(request: Request, write: Callable[[Journal], Value]) -> Value:
    """What writing into the journal gives; readers see it from then on."""
    service = service_of(request)
    try:
        return await run_in_threadpool(write, service.journal)
    finally:
        service.revision.forget()


async def _meant(request: Request, experiment: str) -> str:
    runs_of(request)
    return await service_of(request).experiment_id(experiment)


@router.post("/experiments/{experiment}/rename")
async def rename(request: Request, experiment: str, asked: Rename) -> Arranged:
    """Give an experiment another name; its id stays."""
    wanted = await _meant(request, experiment)
    await _written(request, lambda journal: journal.rename(wanted, asked.name))
    return Arranged(experiment=wanted, tags=[])


@router.post("/experiments/{experiment}/tags")
async def retag(request: Request, experiment: str, asked: Retag) -> Arranged:
    """Add tags to an experiment, and take others off."""
    wanted = await _meant(request, experiment)
    left = await _written(request, lambda journal: journal.tag(wanted, asked.add, asked.remove))
    return Arranged(experiment=wanted, tags=left)


@router.post("/experiments/{experiment}/archive")
async def archive(request: Request, experiment: str, asked: Archive) -> Arranged:
    """Leave an experiment out of lists and leaderboards, or take it in again; it is still found by its id or name."""
    wanted = await _meant(request, experiment)
    await _written(request, lambda journal: journal.archive(wanted, archived=asked.archived))
    return Arranged(experiment=wanted, tags=[])


@router.post("/experiments/{experiment}/delete", responses=refusals({409: "It is being run."}))
async def delete(request: Request, experiment: str, asked: Delete) -> Arranged:
    """Delete an experiment with all its games, for good. Its id must be typed once more."""
    wanted = await _meant(request, experiment)
    if asked.confirm != wanted:
        raise InputError(f"to delete {wanted} for good, type its id: {wanted}")
    if wanted in (*runs_of(request).running(), *service_of(request).host.running()):
        raise HTTPException(409, f"{wanted} is being played here; stop it first")
    try:
        await _written(request, lambda journal: deleted(journal, wanted))
    except AlreadyClaimed as reason:
        raise HTTPException(409, str(reason)) from None
    return Arranged(experiment=wanted, tags=[])
