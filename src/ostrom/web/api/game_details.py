"""Details of one game: the calls of its models, with every attempt at each decision, and its readers' notes."""

from typing import Annotated, Any

from fastapi import APIRouter, Path, Query, Request, Response
from fastapi.concurrency import run_in_threadpool
from pydantic import Field

from ostrom.core.errors import OstromError
from ostrom.core.questions import Answer, Call, QuestionKey
from ostrom.experiment.match import chance_of, replay
from ostrom.journal.notes import Note
from ostrom.journal.record import LONGEST_NOTE
from ostrom.journal.schema import TOKEN_FIELDS
from ostrom.players.models.briefing import briefing_of, framing_of
from ostrom.players.models.fields import answer_words
from ostrom.web.api.games import Game
from ostrom.web.replies import UNREADABLE, Refusal, Shape, refusals, reply, service_of
from ostrom.web.service import Service


class CallLine(Shape):
    """One message of a conversation with a model."""

    role: str
    text: str


class CallItem(Shape):
    """One attempt at one question, successful or not."""

    attempt: int
    """The number of the attempt, counted from 1 within its question."""
    at: str
    model: str
    prompt: list[CallLine]
    reply: str | None
    """The complete text of the reply; null if there was none."""
    reasoning: str | None
    """The model's reasoning before its reply, if the provider sent it."""
    input_tokens: int | None
    output_tokens: int | None
    cache_read_tokens: int | None
    """The number of input tokens that the provider read from its cache."""
    cache_write_tokens: int | None
    """The number of input tokens that the provider wrote to its cache."""
    latency: float
    """The duration of the call in seconds."""
    cost: float | None
    """The cost in dollars; null if the price is unknown."""
    finish_reason: str | None
    fault: str | None
    """The kind of fault; null for the call that led to the decision."""
    error: str | None
    """The fault in words. For a rejected reply, this is the reason that the model's next prompt states."""


class DecisionCalls(Shape):
    """The calls for one decision."""

    phase: str
    seat: int
    value: Any
    """The decision; null if there was none."""
    words: str | None
    """The decision in the words of the game, with the labels of seats and options. Null if the game is not installed or
    still being played."""
    provenance: str | None
    """The provenance of the decision."""
    calls: list[CallItem]


class TurnCallListing(Shape):
    """The calls of one turn of a game, in the order of its questions."""

    turn: int
    decisions: list[DecisionCalls]
    playing: bool
    """True if the game is still being played. Its decisions are then secret."""


def turn_calls(service: Service, game: str, turn: int) -> TurnCallListing:
    """Return the calls of one turn of a game, by its id or its key."""
    page = service.journal.pages.calls(game, turn)
    calls_by_question: dict[QuestionKey, list[Call]] = {}
    for key, call in page.calls:
        calls_by_question.setdefault(key, []).append(call)
    words = {} if page.playing or not page.answers else _words_by_question(service, game, turn)
    decisions = [
        _decision(key, calls, page.answers.get(key), words.get(key)) for key, calls in calls_by_question.items()
    ]
    return TurnCallListing(turn=turn, decisions=decisions, playing=page.playing)


def _words_by_question(service: Service, game: str, turn: int) -> dict[QuestionKey, str]:
    """Return the decisions of a turn in words. The game is replayed to find the words. If the game is not installed or
    its rules have changed since, the result is empty."""
    record = service.journal.pages.shown(game)
    try:
        match, chance, briefing = replay(record), chance_of(record), briefing_of(record.game)
        return {
            decision.question.key: answer_words(
                briefing.form(decision.question, framing_of(record.game), chance), decision.answer.value
            )
            for decision in match.decisions
            if decision.question.turn == turn
        }
    except OstromError:
        return {}


def _decision(key: QuestionKey, calls: list[Call], answer: Answer | None, words: str | None) -> DecisionCalls:
    _, phase, seat = key
    return DecisionCalls(
        phase=phase,
        seat=seat,
        value=None if answer is None else answer.value,
        words=words,
        provenance=None if answer is None else answer.provenance.value,
        calls=[_item(call) for call in calls],
    )


def _item(call: Call) -> CallItem:
    copied: Any = {
        name: getattr(call, name)
        for name in ("attempt", "at", "model", "reply", "latency", "cost", "finish_reason", "error")
    }
    reasoning = call.extra.get("reasoning")
    return CallItem(
        **copied,
        prompt=[CallLine.model_validate(line) for line in call.prompt],
        reasoning=reasoning if isinstance(reasoning, str) else None,
        **{name: None if call.usage is None else getattr(call.usage, name) for name in TOKEN_FIELDS},
        fault=None if call.fault is None else call.fault.value,
    )


router = APIRouter(tags=["games"])


@router.get("/games/{game}/calls", response_model=TurnCallListing)
async def calls(
    request: Request,
    game: Game,
    turn: Annotated[
        int, Query(ge=0, le=10**9, description="The number of the round, turn or question in the game's events.")
    ],
) -> Response:
    """Return the calls of models in one turn of a finished game."""
    return await reply(request, turn_calls, game, turn)


Text = Annotated[str, Field(max_length=LONGEST_NOTE)]
NoteNumber = Annotated[int, Path(ge=0, le=2**31 - 1, description="The note, by its number.")]


class NoteItem(Shape):
    """A reader's note or bookmark at a moment of a game."""

    serial: int
    """The number of the note."""
    moment: int
    """The number of events before this moment."""
    at: str
    """The time when the note was last changed."""
    text: str
    """The text of the note; empty for a bookmark."""


class NoteList(Shape):
    """The notes of a game, in the order of their moments."""

    notes: list[NoteItem]
    writable: bool
    """True if this server allows notes to be written."""


class NewNote(Shape):
    """A new note."""

    moment: int = Field(ge=0, le=2**31 - 1)
    """The number of events before this moment."""
    text: Text = ""


class NoteText(Shape):
    """The new text of a note."""

    text: Text


_CHANGES = {404: {"model": Refusal}, **refusals({403: "The request comes from another site.", **UNREADABLE})}


@router.get("/games/{game}/notes")
async def notes(request: Request, game: Game) -> NoteList:
    """Return the notes of a game. They are read from the journal for each request, so that a new note is visible at
    once."""
    journal = service_of(request).journal
    return _note_list(await run_in_threadpool(journal.notes.of, game), writable=not journal.only_read)


@router.post("/games/{game}/notes", status_code=201, responses=_CHANGES)
async def add_note(request: Request, game: Game, note: NewNote) -> NoteList:
    """Add a note or a bookmark at a moment of a game."""
    journal = service_of(request).journal
    return _note_list(await run_in_threadpool(journal.notes.add, game, note.moment, note.text))


@router.put("/games/{game}/notes/{note}", responses=_CHANGES)
async def edit_note(request: Request, game: Game, note: NoteNumber, change: NoteText) -> NoteList:
    """Change the text of a note."""
    journal = service_of(request).journal
    return _note_list(await run_in_threadpool(journal.notes.edit, game, note, change.text))


@router.delete("/games/{game}/notes/{note}", responses=_CHANGES)
async def delete_note(request: Request, game: Game, note: NoteNumber) -> NoteList:
    """Delete a note."""
    journal = service_of(request).journal
    return _note_list(await run_in_threadpool(journal.notes.delete, game, note))


def _note_list(notes: list[Note], *, writable: bool = True) -> NoteList:
    return NoteList(notes=[NoteItem.model_validate(note) for note in notes], writable=writable)
