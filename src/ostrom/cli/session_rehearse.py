"""`ostrom session FILE --rehearse` lets simulated people or a language model take part in a session, through a server
of its own and the requests of the participants' pages, and prints what they met."""

import asyncio
import tempfile
from collections.abc import AsyncIterator, Iterator
from contextlib import AsyncExitStack, asynccontextmanager, contextmanager
from pathlib import Path

import typer

from ostrom.core import InputError
from ostrom.core.text import number_of
from ostrom.experiment.session.file import SessionFile
from ostrom.experiment.session.rehearsal.attendance import RehearsalLog
from ostrom.experiment.session.rehearsal.rehearse import Rehearsal, Visitor, person_of, rehearse, visitors_of
from ostrom.experiment.session.rehearsal.server import SessionLinks, session_server
from ostrom.findings.rehearsal import rehearsal_finding
from ostrom.players.models.bots import Bot, bot_files, bot_of_model, load_bot
from ostrom.players.models.connection import connect
from ostrom.terminal.render import show
from ostrom.terminal.sheets import err

_STATUS_INTERVAL_S = 0.5
_FAULTY = 1
"""The exit status if a participant met a fault."""


def rehearse_session(
    name: str, file: SessionFile, *, model: str | None, browsers: int, speed: float, store: str | None, json: bool
) -> None:
    """Rehearse a session, and print what its participants met. The exit status is 1 if anyone met a fault."""
    bot = None if model is None else _bot(model)
    if bot is not None:
        connect(bot)  # A model that cannot be asked is refused before a server starts.
    people = file.session.participants + file.session.spare
    if browsers > people:
        raise InputError(f"--browsers {browsers}: the session has only {number_of(people, 'participant')}")
    who = f"{people} simulated people" if bot is None else f"{number_of(people, 'participant')}, all {bot.name}"
    with _journal(store) as journal:
        arguments = [name, "--new", "--simulated", "--host", "127.0.0.1", "--port", "0", "--store", journal]
        with session_server(arguments, people if file.session.join == "links" else 0) as links:
            rehearsal = asyncio.run(_rehearse(file, links, people, bot, speed, browsers))
    show(rehearsal_finding(file, rehearsal, speed=speed, who=who), json=json)
    if rehearsal.log.faults:
        raise typer.Exit(_FAULTY)


def _bot(name: str) -> Bot:
    return load_bot(name) if name.endswith(".json") or name in bot_files() else bot_of_model(name)


@contextmanager
def _journal(store: str | None) -> Iterator[str]:
    """Yield the journal of the rehearsal: a temporary one if none is given."""
    if store is not None:
        yield store
        return
    with tempfile.TemporaryDirectory(prefix="ostrom-rehearsal-") as folder:
        yield f"sqlite:///{Path(folder) / 'journal.db'}"


async def _rehearse(
    file: SessionFile, links: SessionLinks, people: int, bot: Bot | None, speed: float, browsers: int
) -> Rehearsal:
    log = RehearsalLog()
    visitors = visitors_of(file, links, log, count=people, speed=speed, bot=bot)
    showing = asyncio.create_task(_show_progress(log, people))
    try:
        async with AsyncExitStack() as stack:
            if browsers:
                visitors[:browsers] = await stack.enter_async_context(
                    _in_browsers(file, links, log, browsers, bot, speed)
                )
            return await rehearse(file, links, visitors, log, speed=speed)
    finally:
        showing.cancel()


@asynccontextmanager
async def _in_browsers(
    file: SessionFile, links: SessionLinks, log: RehearsalLog, count: int, bot: Bot | None, speed: float
) -> AsyncIterator[list[Visitor]]:
    """Yield participants in browsers. Every second one has the size of a phone."""
    try:
        from ostrom.experiment.session.rehearsal import browsers
    except ModuleNotFoundError as error:
        raise InputError(f"--browsers needs {error.name}: pip install 'ostrom[browsers]'") from None
    async with browsers.chromium() as browser:
        persons = [person_of(file, number, bot) for number in range(count)]
        yield [
            browsers.BrowserParticipant(browser, links, person, log, speed=speed, phone=number % 2 == 0).attend
            for number, person in enumerate(persons)
        ]


async def _show_progress(log: RehearsalLog, people: int) -> None:
    """Show in one line how far the rehearsal is."""
    with err.status("") as status:
        while True:
            entries = f"{len(log.confirmations):,} entries"
            status.update(f"{len(log.outcomes)} of {number_of(people, 'participant')} done, {entries}")
            await asyncio.sleep(_STATUS_INTERVAL_S)
