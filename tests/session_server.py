"""A server that runs a session, in a thread of the test."""

import asyncio
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ostrom.experiment.hosting import Host
from ostrom.experiment.session.creating import NewSession, create_session
from ostrom.experiment.session.file import SessionFile
from ostrom.experiment.session.running import LiveSession
from ostrom.journal.sql import Journal
from ostrom.web.app import create_app
from ostrom.web.server import Capacity, listening, serve, server_address
from ostrom.web.service import Service
from ostrom.web.session_desk import SessionDesk
from session_people import SessionHostPage, SimulatedPerson

CONTRIBUTIONS = {
    "session": {"name": "class", "title": "A class", "participants": 4, "seed": 7},
    "games": [{"name": "g1", "game": "contributions", "group": 4, "rules": {"rounds": 2}, "seconds": 60.0}],
    "payment": {"currency": "EUR", "participation": 3.0, "rate": 0.05, "rounding": 0.1},
}
"""A small session: four people, two rounds of one game."""


def session_file(**tables: Any) -> SessionFile:
    """The small session with some tables replaced. Fields of `session` are added to its own."""
    own = {**CONTRIBUTIONS, **tables}
    own["session"] = {**CONTRIBUTIONS["session"], **tables.get("session", {})}  # type: ignore[dict-item]
    return SessionFile.model_validate({name: table for name, table in own.items() if table is not None})


@dataclass
class SessionServer:
    """A session that is served."""

    address: str
    live: LiveSession
    new: NewSession
    loop: asyncio.AbstractEventLoop

    @property
    def code(self) -> str:
        return self.new.stored.code

    @property
    def host(self) -> SessionHostPage:
        return SessionHostPage(self.address, self.new.host_token)

    def person(self, **more: Any) -> SimulatedPerson:
        return SimulatedPerson(self.address, self.code, **more)

    def people(self, count: int, **more: Any) -> list[SimulatedPerson]:
        return [self.person(**more) for _ in range(count)]

    def call(self, coroutine: Any) -> Any:
        """What a coroutine gives in the server's event loop."""
        return asyncio.run_coroutine_threadsafe(coroutine, self.loop).result(120)


@contextmanager
def serving_session(
    journal: Journal,
    file: SessionFile | NewSession,
    *,
    pages: Path | None = None,
    laboratory: bool = False,
    allowed: Capacity | None = None,
    port: int = 0,
) -> Iterator[SessionServer]:
    """Serve a new session, or one that was created before."""
    new = create_session(journal, file) if isinstance(file, SessionFile) else file
    ready, ends = threading.Event(), list[BaseException]()
    servers: list[SessionServer] = []
    until: list[asyncio.Event] = []

    async def main(bound: Any) -> None:
        address = server_address(bound, "127.0.0.1").rstrip("/")
        desk, host = SessionDesk(journal, address), Host(journal)
        until.append(asyncio.Event())
        try:
            live = await desk.open(new.stored.id)
            servers.append(SessionServer(address, live, new, asyncio.get_running_loop()))
            app = create_app(Service(journal, host, laboratory, desk=desk), pages, allowed=allowed)
            await serve(app, bound, until[0], ready.set)
        except BaseException as error:
            ends.append(error)
            raise
        finally:
            await desk.close()
            await host.close()
            ready.set()

    with listening("127.0.0.1", port) as bound:
        thread = threading.Thread(target=lambda: asyncio.run(main(bound)))
        thread.start()
        ready.wait()
        if ends:
            thread.join()
            raise ends[0]
        try:
            yield servers[0]
        finally:
            servers[0].loop.call_soon_threadsafe(until[0].set)
            thread.join()
