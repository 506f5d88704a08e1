"""Sessions of people in the lab's pages: their list, and the ready ones. On a server with `--steer`, pages also check a
session file, start it, and serve a stored session again."""

import asyncio
from functools import cache
from typing import Any, Final

from fastapi import APIRouter, HTTPException, Request
from pydantic import Field

from ostrom.core import InputError, UnknownName
from ostrom.core.text import clean
from ostrom.experiment.session.creating import check_players
from ostrom.experiment.session.file import SessionFile, SessionMistakes, load_session_text
from ostrom.experiment.session.file_parts import NONE, PEOPLE
from ostrom.experiment.session.file_rules import game_of
from ostrom.experiment.session.ready import ready_files, ready_sessions
from ostrom.findings.session_lists import session_rows
from ostrom.journal.sessions import StoredSession
from ostrom.players.models.bots import bot_files
from ostrom.players.roster import built_in_players
from ostrom.web.replies import UNREADABLE, Refusal, Shape, refusals, service_of
from ostrom.web.session_runs import SessionRun, SessionRuns

MAX_FILE_CHARACTERS: Final = 200_000
_NO_STEERING: Final = "sessions are not started from these pages; start the server with: ostrom serve --steer"


class ReadySession(Shape):
    """A session that is ready to run."""

    name: str
    title: str
    language: str
    participants: int
    description: str
    missing: list[str]
    """The reasons why it cannot be played here, such as a game that is not installed."""


class SessionPlace(Shape):
    """The place at which a session is served."""

    session: str
    """The id of the session."""
    join: str | None
    """The address at which people join; missing if each person needs a single-use link."""
    code: str | None
    host: str | None
    """The link of the host's page. It is secret, and missing if the session was continued: the link is then known
    already."""
    links: list[str]
    """The single-use links."""
    messages: list[str]
    """The last messages of the process that serves the session."""


class ListedSession(Shape):
    """A session of the journal."""

    id: str
    name: str
    people: int
    tables: int
    state: str
    created: str
    experiment: str
    place: SessionPlace | None = None
    """The place, if this server serves the session."""


class SessionListing(Shape):
    """The sessions of the journal and those that are ready to run."""

    ready: list[ReadySession]
    sessions: list[ListedSession]
    """The sessions of the journal, the latest first."""
    starts: bool
    """True if sessions can be started here."""


class SessionText(Shape):
    """The text of a session file."""

    text: str = Field(max_length=MAX_FILE_CHARACTERS)


class StartSession(SessionText):
    """A session to start."""

    everywhere: bool = False
    """True if other machines may join."""


class SessionCheck(Shape):
    """The result of checking a session file."""

    mistakes: list[str]
    title: str | None = None
    participants: int | None = None
    games: list[str] = Field([])
    """The titles of the games."""
    treatments: list[str] = Field([])


def session_runs_of(request: Request) -> SessionRuns:
    """Return the sessions of a server with `--steer`. Raise `HTTPException` if the server was started without it."""
    runs = service_of(request).session_runs
    if runs is None:
        raise HTTPException(403, _NO_STEERING)
    return runs


def load_for_page(text: str) -> SessionFile:
    """Return the session of a text that came from a page. Raise SessionMistakes for mistakes, and for players that are
    models or read files, since a page has no budget for them."""
    file = load_session_text(text)
    mistakes = list(_other_players(file))
    if mistakes:
        raise SessionMistakes(mistakes)
    check_players(file)
    return file


def _other_players(file: SessionFile) -> Any:
    bots = bot_files()
    for game in file.games:
        known = built_in_players(game_of(game).name)
        names = {name for treatment in file.treatments for name in file.seats_of(game, treatment)}
        names |= {name for name in (game.fill, file.session.replace_absent) if name}
        for name in sorted(names - {PEOPLE, NONE}):
            if name.partition(":")[0] in bots or name.partition(":")[0] not in known:
                yield (
                    f"games.{game.name}: {clean(name, 80)} is not a strategy of the game; a session with models is run "
                    "with: ostrom session FILE"
                )


def check_text(text: str) -> SessionCheck:
    """Return the mistakes of a session file, or what it plays."""
    try:
        file = load_for_page(text)
    except SessionMistakes as error:
        return SessionCheck(mistakes=list(error.mistakes))
    except InputError as error:
        return SessionCheck(mistakes=[str(error)])
    return SessionCheck(
        mistakes=[],
        title=file.session.title,
        participants=file.session.participants,
        games=[file.title_of(game) for game in file.games],
        treatments=[treatment.name for treatment in file.treatments],
    )


@cache
def _ready() -> tuple[ReadySession, ...]:
    # Installed games do not change while the server runs.
    names = ReadySession.model_fields
    return tuple(
        ReadySession(**{name: value for name, value in row.items() if name in names}) for row in ready_sessions()
    )


def place_of(run: SessionRun) -> SessionPlace:
    """Return the place of a session that is being served."""
    return SessionPlace(
        session=run.session,
        join=run.join,
        code=run.code,
        host=run.host,
        links=run.links,
        messages=list(run.messages),
    )


router = APIRouter(
    tags=["steering"],
    responses=refusals({403: "The server does not steer, or the request comes from another site.", **UNREADABLE}),
)
_STORED: Final[dict[int | str, dict[str, Any]]] = {404: {"model": Refusal}}


@router.get("/sessions")
async def sessions(request: Request) -> SessionListing:
    """Return the sessions of the journal, and those that are ready to run."""
    service = service_of(request)
    runs = service.session_runs
    ready = await asyncio.to_thread(_ready)
    rows = await asyncio.to_thread(session_rows, service.journal)
    listed = []
    for row in reversed(rows):
        run = None if runs is None else runs.of(row["id"])
        listed.append(ListedSession(**row, place=None if run is None else place_of(run)))
    return SessionListing(ready=list(ready), sessions=listed, starts=runs is not None)


@router.get("/sessions/ready/{name}", responses=_STORED)
async def ready_text(request: Request, name: str) -> SessionText:
    """Return the file of a session that is ready to run."""
    files = ready_files()
    if name not in files:
        raise UnknownName("ready session", clean(name, 80), [], catalogue="/api/sessions lists them")
    return SessionText(text=await asyncio.to_thread(files[name].read_text, encoding="utf-8"))


@router.post("/sessions/check")
async def check(request: Request, file: SessionText) -> SessionCheck:
    """Check the text of a session file, and return all of its mistakes."""
    session_runs_of(request)
    return await asyncio.to_thread(check_text, file.text)


@router.post("/sessions", status_code=201)
async def start(request: Request, file: StartSession) -> SessionPlace:
    """Start a session of people. The reply has the secret link of the host's page."""
    runs = session_runs_of(request)
    await asyncio.to_thread(load_for_page, file.text)
    return place_of(await runs.start(file.text, everywhere=file.everywhere))


@router.post("/sessions/{session}/resume", responses=_STORED)
async def resume(request: Request, session: str) -> SessionPlace:
    """Serve a stored session again. The links that people and the host have still work."""
    runs = session_runs_of(request)
    stored = await _stored(request, session)
    if stored.state == "ended":
        raise HTTPException(409, f"{stored.id} has ended")
    return place_of(await runs.resume(stored.id))


@router.post("/sessions/{session}/stop", responses=_STORED)
async def stop(request: Request, session: str) -> ListedSession:
    """Stop serving a session. Nothing is lost: open pages wait, and the session can be served again."""
    runs = session_runs_of(request)
    stored = await _stored(request, session)
    await runs.stop(stored.id)
    rows = await asyncio.to_thread(session_rows, service_of(request).journal)
    return ListedSession(**next(row for row in rows if row["id"] == stored.id))


async def _stored(request: Request, session: str) -> StoredSession:
    return await asyncio.to_thread(service_of(request).journal.sessions.find, clean(session, 200))
