"""What tests of the server share: journals to serve, an application over one, and a real server in a thread."""

import asyncio
import json
import threading
from collections.abc import Coroutine, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from fastapi import FastAPI
from starlette.testclient import TestClient

from ostrom.experiment.hosting import Host
from ostrom.journal.sql import Journal
from ostrom.web.app import create_app
from ostrom.web.middleware import LOOPBACK
from ostrom.web.runs import ExperimentRuns
from ostrom.web.server import Capacity, listening, serve, server_address
from ostrom.web.service import Service
from ostrom.web.session_runs import SessionRuns

ADDRESS = "http://127.0.0.1"


@contextmanager
def client(
    journal: Journal,
    *,
    token: str | None = None,
    pages: Path | None = None,
    laboratory: bool = True,
    hosts: frozenset[str] | None = LOOPBACK,
    runs: ExperimentRuns | None = None,
    game_runs: ExperimentRuns | None = None,
) -> Iterator[TestClient]:
    """A client of an application over a journal, all in this process and one event loop."""
    service = Service(journal, Host(journal), laboratory, token, runs=runs, game_runs=game_runs)
    app = create_app(service, pages, hosts)
    with TestClient(app, base_url=ADDRESS) as found:
        yield found


@dataclass
class Running:
    """A real server in a thread of its own."""

    app: FastAPI
    host: Host
    loop: asyncio.AbstractEventLoop
    until: asyncio.Event
    address: str = ""

    def call(self, coroutine: Coroutine[Any, Any, Any]) -> Any:
        """What a coroutine gives in the server's event loop."""
        return asyncio.run_coroutine_threadsafe(coroutine, self.loop).result()


@contextmanager
def running(
    journal: Journal,
    *,
    pages: Path | None = None,
    token: str | None = None,
    allowed: Capacity | None = None,
    proxy: str | None = None,
    runs: ExperimentRuns | None = None,
    session_runs: SessionRuns | None = None,
) -> Iterator[Running]:
    """A real server over a journal, with so many connections allowed, and perhaps behind a proxy."""
    host, started = Host(journal), threading.Event()
    found: list[Running] = []

    async def main(bound: Any) -> None:
        service = Service(journal, host, token=token, runs=runs, session_runs=session_runs)
        app = create_app(service, pages, allowed=allowed, proxy=proxy)
        one = Running(app, host, asyncio.get_running_loop(), asyncio.Event())
        found.append(one)
        try:
            await serve(one.app, bound, one.until, started.set)
        finally:
            if runs is not None:
                await runs.close()
            if session_runs is not None:
                await session_runs.close()
            await host.close()
            started.set()

    with listening("127.0.0.1", 0) as bound:
        thread = threading.Thread(target=lambda: asyncio.run(main(bound)))
        thread.start()
        started.wait()
        found[0].address = server_address(bound, "127.0.0.1").rstrip("/")
        try:
            yield found[0]
        finally:
            found[0].loop.call_soon_threadsafe(found[0].until.set)
            thread.join()


@contextmanager
def server(journal: Journal, *, pages: Path | None = None) -> Iterator[str]:
    """The address of a real server over a journal."""
    with running(journal, pages=pages) as one:
        yield one.address


def sent_events(lines: Iterator[str], most: int = 1000) -> Iterator[tuple[str, Any]]:
    """The events of a stream of lines, each a name and its data; not the comments."""
    name = ""
    for line in lines:
        if line.startswith("event: "):
            name = line.removeprefix("event: ")
        elif line.startswith("data: "):
            yield name, json.loads(line.removeprefix("data: "))
            most -= 1
            if not most:
                return


def ids(found: Sequence[dict[str, Any]]) -> list[str]:
    """What is listed, by id."""
    return [one["id"] for one in found]
