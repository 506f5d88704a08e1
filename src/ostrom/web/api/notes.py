"""Notes: bookmarks of moments of a game, and what readers wrote beside them."""

from typing import Annotated

from fastapi import APIRouter, Path, Request
from fastapi.concurrency import run_in_threadpool
from pydantic import Field

from ostrom.journal.notes import Note
from ostrom.journal.record import LONGEST_NOTE
from ostrom.web.api.games import Game
from ostrom.web.replies import UNREADABLE, Problem, Shape, refusals, service_of

Text = Annotated[str, Field(max_length=LONGEST_NOTE)]
NoteNumber = Annotated[int, Path(ge=0, le=2**31 - 1, description="The note, by its number.")]


class NoteItem(Shape):
    """What a reader left at a moment of a game."""

    serial: int
    """Its number."""
    moment: int
    """How many events have been seen there."""
    at: str
    """When it was written last."""
    text: str
    """Empty for a bookmark alone."""


class NoteList(Shape):
    """The notes of a game, in the order of its moments."""

    notes: list[NoteItem]
    writable: bool
    """Whether notes can be written here."""


class NewNote(Shape):
    """A note to be left."""

    moment: int = Field(ge=0, le=2**31 - 1)
    """How many events have been seen there."""
    text: Text = ""


class NoteText(Shape):
    """What a note is to say from now on."""

    text: Text


router = APIRouter(tags=["games"])
_CHANGES = {404: {"model": Problem}, **refusals({403: "The request comes from another site.", **UNREADABLE})}


@router.get("/games/{game}/notes")
async def notes(request: Request, game: Game) -> NoteList:
    """The notes of a game. Read anew each time: who has just written one sees it."""
    journal = service_of(request).journal
    return _listed(await run_in_threadpool(journal.notes.of, game), writable=not journal.only_read)


@router.post("/games/{game}/notes", status_code=201, responses=_CHANGES)
async def add_note(request: Request, game: Game, note: NewNote) -> NoteList:
    """Leave a note at a moment of a game, or bookmark it."""
    journal = service_of(request).journal
    return _listed(await run_in_threadpool(journal.notes.add, game, note.moment, note.text))


@router.put("/games/{game}/notes/{note}", responses=_CHANGES)
async def edit_note(request: Request, game: Game, note: NoteNumber, said: NoteText) -> NoteList:
    """Write a note anew."""
    journal = service_of(request).journal
    return _listed(await run_in_threadpool(journal.notes.edit, game, note, said.text))


@router.delete("/games/{game}/notes/{note}", responses=_CHANGES)
async def delete_note(request: Request, game: Game, note: NoteNumber) -> NoteList:
    """Take a note away."""
    journal = service_of(request).journal
    return _listed(await run_in_threadpool(journal.notes.delete, game, note))


def _listed(found: list[Note], *, writable: bool = True) -> NoteList:
    items = [NoteItem(serial=one.serial, moment=one.moment, at=one.at, text=one.text) for one in found]
    return NoteList(notes=items, writable=writable)
