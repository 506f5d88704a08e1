"""`ostrom session FILE` serves a session: its address, its join code, and one page for the host. Ctrl-C stops the
server; `ostrom session NAME` continues the session with the same links."""

import asyncio
import os
import resource
import signal
import socket
import sys
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from typing import Final

from fastapi import FastAPI

from ostrom.cli.serve import INTERRUPTED, check_proxy, host_and_port
from ostrom.core import InputError, OstromError, UnknownName
from ostrom.core.command import at_store
from ostrom.core.outlets import complain, legible
from ostrom.core.text import number_of
from ostrom.experiment.hosting import Host
from ostrom.experiment.session.creating import check_players, create_session
from ostrom.experiment.session.file import SessionFile
from ostrom.experiment.session.running import LiveSession
from ostrom.journal.claims import AlreadyClaimed
from ostrom.journal.engine import printable_url
from ostrom.journal.sessions import StoredSession
from ostrom.journal.sql import Journal
from ostrom.terminal.sheets import err
from ostrom.web.app import create_app, create_owner_app
from ostrom.web.host_state import session_counts
from ostrom.web.log import LOG
from ostrom.web.middleware import LOOPBACK
from ostrom.web.pages import pages_folder
from ostrom.web.qr import qr_lines
from ostrom.web.relay import relay_secret
from ostrom.web.server import EVERYWHERE, capacity, listening, own_address, server_address
from ostrom.web.server import serve as serve_app
from ostrom.web.service import Service
from ostrom.web.session_desk import SessionDesk

_HOST: Final = "127.0.0.1"
_PORT: Final = 8000
_FILES: Final = 8192
"""The number of open files that a session's server asks for; each open page needs one."""
_LINE_INTERVAL_S: Final = 1.0
_CLAIM_INTERVAL_S: Final = 1.0
"""The time after which a process that stands by tries to take over again."""


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
    rehearsal: bool = False,
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
    with ExitStack() as held:
        wanted = port if port is not None or not known_port else int(known_port)
        bound = held.enter_context(_listening(host, wanted))
        others = held.enter_context(listening(host, 0))
        journal.patience.report = complain
        place, relay = host_and_port(bound, host), host_and_port(others, own_address() if host in EVERYWHERE else host)
        desk = SessionDesk(journal, address or server_address(bound, host), place, relay)
        stored, lines = _described(journal, session, desk, rehearsal=rehearsal)
        service = Service(journal, Host(journal), laboratory=False, desk=desk)
        hosts = LOOPBACK if host in LOOPBACK and address is None else None
        app = create_app(service, pages, hosts, capacity(), proxy)
        secret = relay_secret(journal, stored.id)
        doors = [(app, bound), (create_owner_app(service, desk, secret), others)]
        asyncio.run(_serve(doors, desk, stored, secret, lines))
        command = f"ostrom session {stored.id}{at_store(printable_url(store))}"
        complain(f"everything about {legible(stored.name)} is stored; continue with: {command}")


def _described(
    journal: Journal, session: SessionFile | StoredSession, desk: SessionDesk, *, rehearsal: bool
) -> tuple[StoredSession, list[str]]:
    """Return the session, which is created if it is new, and the lines about its secret links."""
    base = desk.address.rstrip("/")
    if isinstance(session, StoredSession):
        return session, ["The links of the host and of participants still work, and open pages reconnect."]
    new = create_session(journal, session, rehearsal=rehearsal)
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
    doors: Sequence[tuple[FastAPI, socket.socket]],
    desk: SessionDesk,
    stored: StoredSession,
    secret: str,
    lines: list[str],
) -> None:
    """Serve the session until it is interrupted: to people, and to other processes. The second interrupt ends the
    process at once. If another process runs the session, stand by until it ends."""
    interrupted, until = asyncio.Event(), asyncio.Event()
    loop = asyncio.get_running_loop()

    def interrupt() -> None:
        if interrupted.is_set():
            os._exit(INTERRUPTED)
        interrupted.set()

    for number in (signal.SIGINT, signal.SIGTERM):
        loop.add_signal_handler(number, interrupt)
    try:
        live: LiveSession | None = await desk.open(stored.id)
    except AlreadyClaimed:
        live = None
        desk.stand_by(stored.id, secret)
    running = asyncio.create_task(_run(desk, stored, live))

    async def stop() -> None:
        await interrupted.wait()
        running.cancel()
        await asyncio.wait([running])
        # Tables stop before the server does, so that open pages can say so.
        await desk.close()
        until.set()

    stopping = asyncio.create_task(stop())
    (app, bound), (inner, others) = doors
    for_others = asyncio.create_task(serve_app(inner, others, until))
    try:
        await serve_app(app, bound, until, ready=lambda: _print_links(desk, stored, live, lines))
    finally:
        interrupted.set()
        await stopping
        await for_others


async def _run(desk: SessionDesk, stored: StoredSession, live: LiveSession | None) -> None:
    """Take over the session as soon as no other process runs it, and show where people are."""
    while live is None:
        await asyncio.sleep(_CLAIM_INTERVAL_S)
        try:
            live = await desk.open(stored.id)
        except AlreadyClaimed:
            continue
        except OstromError as error:
            LOG.say("take-over", f"{legible(stored.name)} could not be taken over: {error}")
        else:
            complain(f"the other process has ended; this one runs {legible(stored.name)} now")
    await _tell(live)


def _print_links(desk: SessionDesk, stored: StoredSession, live: LiveSession | None, lines: list[str]) -> None:
    """Print where people join, and where the host looks on."""
    address = desk.join_address(stored)
    settings = SessionFile.model_validate(stored.settings["file"]).session
    print(f"{legible(settings.title)} ({stored.id})")
    if live is None:
        print("Another process runs this session. This one relays requests to it, and takes over when it ends.")
    if settings.join != "links":
        print(f"People join at {address}  with the code {stored.code}")
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
