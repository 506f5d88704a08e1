"""Renaming, tagging, archiving, restoring and deleting experiments from a page, as `ostrom experiment` does. The server
must have been started with `--steer`."""

from collections.abc import Callable
from typing import Annotated, TypeVar

from fastapi import APIRouter, HTTPException, Request
from fastapi.concurrency import run_in_threadpool
from pydantic import Field

from ostrom.core import InputError
from ostrom.journal.claims import AlreadyClaimed
from ostrom.journal.sql import Journal
from ostrom.web.api.steering import runs_of
from ostrom.web.replies import UNREADABLE, Refusal, Shape, refusals, service_of

Value = TypeVar("Value")
Word = Annotated[str, Field(max_length=200)]


class Rename(Shape):
    """A new name for an experiment."""

    name: Word


class Retag(Shape):
    """Tags to add to an experiment, and tags to remove."""

    add: list[Word] = Field([], max_length=20)
    remove: list[Word] = Field([], max_length=20)


class Archive(Shape):
    """A request to archive an experiment, which hides it from lists and leaderboards, or to restore it."""

    archived: bool


class Delete(Shape):
    """A request to delete an experiment permanently."""

    confirm: Word
    """The id of the experiment. The user must type it again."""


class ArrangeResult(Shape):
    """The experiment after a change."""

    experiment: str
    tags: list[str]
    """The tags of the experiment, if they were changed."""


def delete_experiment(journal: Journal, experiment: str) -> None:
    """Delete an experiment; raise `Taken` if it is being run."""
    with journal.claim(experiment):
        journal.delete(experiment)


router = APIRouter(
    tags=["steering"],
    responses={
        404: {"model": Refusal},
        **refusals({403: "The server does not steer, or the request comes from another site.", **UNREADABLE}),
    },
)


async def _write(request: Request, write: Callable[[Journal], Value]) -> Value:
    """Write to the journal and return the result. Other requests see the change at once."""
    service = service_of(request)
    try:
        return await run_in_threadpool(write, service.journal)
    finally:
        service.revision.forget()


async def _experiment_id(request: Request, experiment: str) -> str:
    runs_of(request)
    return await service_of(request).experiment_id(experiment)


@router.post("/experiments/{experiment}/rename")
async def rename(request: Request, experiment: str, change: Rename) -> ArrangeResult:
    """Rename an experiment; its id stays the same."""
    id_ = await _experiment_id(request, experiment)
    await _write(request, lambda journal: journal.rename(id_, change.name))
    return ArrangeResult(experiment=id_, tags=[])


@router.post("/experiments/{experiment}/tags")
async def retag(request: Request, experiment: str, change: Retag) -> ArrangeResult:
    """Add and remove tags of an experiment."""
    id_ = await _experiment_id(request, experiment)
    tags = await _write(request, lambda journal: journal.tag(id_, change.add, change.remove))
    return ArrangeResult(experiment=id_, tags=tags)


@router.post("/experiments/{experiment}/archive")
async def archive(request: Request, experiment: str, change: Archive) -> ArrangeResult:
    """Hide an experiment from lists and leaderboards, or restore it; an archived experiment can still be opened by its
    id or name."""
    id_ = await _experiment_id(request, experiment)
    await _write(request, lambda journal: journal.archive(id_, archived=change.archived))
    return ArrangeResult(experiment=id_, tags=[])


@router.post("/experiments/{experiment}/delete", responses=refusals({409: "The experiment is being run."}))
async def delete(request: Request, experiment: str, change: Delete) -> ArrangeResult:
    """Delete an experiment with all its games permanently. The request must repeat the experiment's id."""
    id_ = await _experiment_id(request, experiment)
    if change.confirm != id_:
        raise InputError(f"to delete {id_} permanently, type its id: {id_}")
    if id_ in service_of(request).running():
        raise HTTPException(409, f"{id_} is being played here; stop it first")
    try:
        await _write(request, lambda journal: delete_experiment(journal, id_))
    except AlreadyClaimed as reason:
        raise HTTPException(409, str(reason)) from None
    return ArrangeResult(experiment=id_, tags=[])
