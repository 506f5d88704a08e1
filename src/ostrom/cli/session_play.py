"""`ostrom session FILE` serves a session: its address, its join code, and one page for the host. Ctrl-C stops the
server; `ostrom session NAME` continues the session with the same links."""

import asyncio
import os
import resource
import signal
import socket
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from typing import Final

from fastapi import FastAPI

from ostrom.cli.serve import INTERRUPTED, check_proxy, host_and_port
from ostrom.core import InputError, UnknownName
from ostrom.core.command import at_store
from ostrom.core.outlets import complain, legible
from ostrom.core.text import number_of
from ostrom.experiment.hosting import Host
from ostrom.experiment.session.creating import check_players, create_session
from ostrom.experiment.session.file import SessionFile
from ostrom.experiment.session.running import LiveSession
from ostrom.journal.engine import printable_url
from ostrom.journal.sessions import StoredSession
from ostrom.journal.sql import Journal
from ostrom.terminal.sheets import err
from ostrom.web.app import create_app
from ostrom.web.host_state import session_counts
from ostrom.web.middleware import LOOPBACK
from ostrom.web.pages import pages_folder
from ostrom.web.qr import qr_lines
from ostrom.web.server import capacity, listening, server_address
from ostrom.web.server import serve as serve_app
from ostrom.web.service import Service
from ostrom.web.session_desk import SessionDesk

_HOST: Final = "127.0.0.1"
_PORT: Final = 8000
_FILES: Final = 8192
"""The number of open files that a session's server asks for; each open page needs one."""
_LINE_INTERVAL_S: Final = 1.0


def stored_session(journal: Journal, name: str) -> StoredSession | None:
    """Return the session with this id, or the unfinished one with this name. Return None if there is none."""
    try:
        stored = journal.sessions.find(name)
    except UnknownName:
        return None
    return stored if stored.id == name or stored.state != "ended" else None


def serve_session(
    journal: Journal,
    session: SessionFile | StoredSession,
    *,
    host: str | None = None,
    port: int | None = None,
    proxy: str | None = None,
    address: str | None = None,
    store: str | None = None,
) -> None:
    """Serve a new session, or continue a stored one, until Ctrl-C."""
    pages = pages_folder()
    if address is not None and not address.startswith(("http://", "https://")):
        raise InputError(f"--address {address!r} must begin with https:// or http://")
    check_proxy(proxy, "")
    place = session.place if isinstance(session, StoredSession) else None
    known_host, _, known_port = (place or "").rpartition(":")
    host = host or known_host or _HOST
    if isinstance(session, SessionFile):
        check_players(session)
    _allow_files()
    with _listening(host, port if port is not None or not known_port else int(known_port)) as bound:
        journal.patience.report = complain
        desk = SessionDesk(journal, address or server_address(bound, host), host_and_port(bound, host))
        stored, lines = _described(journal, session, desk)
        service = Service(journal, Host(journal), laboratory=False, desk=desk)
        hosts = LOOPBACK if host in LOOPBACK and address is None else None
        app = create_app(service, pages, hosts, capacity(), proxy)
        asyncio.run(_serve(app, bound, desk, stored, lines))
        command = f"ostrom session {stored.id}{at_store(printable_url(store))}"
        complain(f"everything about {legible(stored.name)} is stored; continue with: {command}")


def _described(
    journal: Journal, session: SessionFile | StoredSession, desk: SessionDesk
) -> tuple[StoredSession, list[str]]:
    """Return the session, which is created if it is new, and the lines about its secret links."""
    base = desk.address.rstrip("/")
    if isinstance(session, StoredSession):
        return session, ["The links of the host and of participants still work, and open pages reconnect."]
    new = create_session(journal, session)
    lines = [f"The host's page, for you alone (this is shown once): {base}/host#{new.host_token}"]
    if new.links:
        lines += ["Links, each for one person:"]
        lines += [f"  {base}/join/{new.stored.code}#{link}" for link in new.links]
    return new.stored, lines


@contextmanager
def _listening(host: str, port: int | None) -> Iterator[socket.socket]:
    """Listen at a port; without one, at the usual port, or at a free one if that is taken."""
    with ExitStack() as held:
        try:
            bound = held.enter_context(listening(host, _PORT if port is None else port))
        except InputError:
            if port is not None:
                raise
            bound = held.enter_context(listening(host, 0))
        yield bound


def _allow_files() -> None:
    """Raise the soft limit of open files, as far as it is allowed."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = _FILES if hard == resource.RLIM_INFINITY else min(_FILES, hard)
    if soft != resource.RLIM_INFINITY and soft < wanted:
        with suppress(ValueError, OSError):  # Some systems allow less than they report.
            resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))


async def _serve(
    app: FastAPI, bound: socket.socket, desk: SessionDesk, stored: StoredSession, lines: list[str]
) -> None:
    """Serve the session until it is interrupted. The second interrupt ends the process at once."""
    interrupted, until = asyncio.Event(), asyncio.Event()
    loop = asyncio.get_running_loop()

    def interrupt() -> None:
        if interrupted.is_set():
            os._exit(INTERRUPTED)
        interrupted.set()

    async def stop() -> None:
        await interrupted.wait()
        # Tables stop before the server does, so that open pages can say so.
        await desk.close()
        until.set()

    for number in (signal.SIGINT, signal.SIGTERM):
        loop.add_signal_handler(number, interrupt)
    live = await desk.open(stored.id)
    stopping = asyncio.create_task(stop())
    telling = asyncio.create_task(_tell(live))
    try:
        await serve_app(app, bound, until, ready=lambda: _print_links(desk, live, lines))
    finally:
        telling.cancel()
        interrupted.set()
        await stopping


def _print_links(desk: SessionDesk, live: LiveSession, lines: list[str]) -> None:
    """Print where people join, and where the host looks on."""
    address = desk.join_address(live)
    print(f"{legible(live.file.session.title)} ({live.id})")
    if live.file.session.join != "links":
        print(f"People join at {address}  with the code {live.stored.code}")
        if sys.stdout.isatty():
            print("\n".join(qr_lines(address)))
    for line in lines:
        print(line)
    print("Ctrl-C stops; nothing is lost.", flush=True)


async def _tell(live: LiveSession) -> None:
    """Show how many people are where, in one line that is renewed."""
    with err.status("") as status:
        while True:
            counts = session_counts(live)
            tables = number_of(len(live.tables), "table")
            line = f"{counts.joined} joined, {counts.in_lobby} in the lobby, {counts.playing} playing at {tables}, "
            status.update(f"{line}{counts.done} done, {counts.released} released")
            await asyncio.sleep(_LINE_INTERVAL_S)
