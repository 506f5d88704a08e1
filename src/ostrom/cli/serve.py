"""`ostrom serve` serves the pages of a journal. This module also serves the pages on which people play a game of
`ostrom run`. Those pages are served by the process of that command, with one link per seat, until the game is over."""

import asyncio
import ipaddress
import os
import secrets
import signal
import socket
import sys
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from functools import partial
from typing import Annotated, Final, NamedTuple
from urllib.parse import quote

import typer
from fastapi import FastAPI

from ostrom.core import InputError, JournalError, plugins
from ostrom.core.command import at_store
from ostrom.core.outlets import complain, legible
from ostrom.experiment.hosting import Host, Hosted
from ostrom.experiment.limits import Limits
from ostrom.experiment.plan import Experiment
from ostrom.experiment.runner import Outcome
from ostrom.journal.engine import locate, printable_url, store_url
from ostrom.journal.open import open_journal
from ostrom.journal.sql import Journal
from ostrom.terminal import options as opt
from ostrom.terminal.console import SeatPeople, conclude, ready, resume_command, stop_on_signal, stopped
from ostrom.terminal.progress import watched
from ostrom.terminal.sheets import err
from ostrom.web.app import create_app
from ostrom.web.cache import limit_arenas
from ostrom.web.computing import StudyProcess
from ostrom.web.guesses import is_weak
from ostrom.web.middleware import LOOPBACK
from ostrom.web.pages import pages_folder
from ostrom.web.runs import GAME_PROGRAM, ExperimentRuns
from ostrom.web.server import capacity, listening, server_address
from ostrom.web.server import serve as serve_app
from ostrom.web.service import Service
from ostrom.web.session_runs import SessionRuns

_TOKEN_BYTES: Final = 24
"""The size of a random token in bytes."""
INTERRUPTED: Final = 130
"""The exit status after a second Ctrl-C."""
VARIABLE: Final = "OSTROM_TOKEN"
"""The environment variable for the token. The token is not an argument, because the list of processes shows
arguments."""


def serve(
    host: Annotated[
        str, typer.Option(help="The address to listen on; an address that other machines can reach needs --token.")
    ] = "127.0.0.1",
    port: Annotated[int, typer.Option(min=0, max=65535, help="The port; 0 picks a free one.")] = 8000,
    store: opt.Store = None,
    token: Annotated[
        str | None,
        typer.Option(metavar="TOKEN", help=f"Password of the pages, hard to guess; defaults to {VARIABLE}."),
    ] = None,
    proxy: Annotated[
        str | None,
        typer.Option(metavar="ADDRESS", help="A reverse proxy whose X-Forwarded-For is believed; needs --token."),
    ] = None,
    steer: Annotated[
        bool,
        typer.Option(
            "--steer", help="Let the pages start benchmarks, steer them, and rename, archive or delete experiments."
        ),
    ] = False,
) -> None:
    """Serve the lab's pages: watch, replay, compare, and take a seat. Ctrl-C stops."""
    required_token = read_token(token)
    local = check_open(host, required_token) and check_proxy(proxy, required_token) is None
    if steer and required_token is None:
        # Every account of this machine can reach the loopback address, and steering games can spend money.
        required_token = token = secrets.token_urlsafe(_TOKEN_BYTES)
    folder = pages_folder()
    limit_arenas()
    with listening(host, port) as bound, _journal(store) as journal:
        journal.patience.report = complain
        if steer and journal.only_read:
            raise InputError(f"the journal {journal.label} is not writable, so --steer is not possible")
        hosting = Host(journal, host_and_port(bound, host), partial(resume_command, store=store))
        runs = ExperimentRuns(store_url(store), plugins.files()) if steer else None
        game_runs = ExperimentRuns(store_url(store), plugins.files(), GAME_PROGRAM)
        session_runs = SessionRuns(store_url(store), plugins.files(), host) if steer else None
        address = server_address(bound, host)
        service = Service(
            journal,
            hosting,
            token=required_token,
            address=None if local else address,
            runs=runs,
            game_runs=game_runs,
            computing=StudyProcess(plugins.files()),
            session_runs=session_runs,
        )
        app = create_app(service, folder, LOOPBACK if local else None, proxy=proxy)
        welcome = welcome_line(address, token, required_token)
        children = [game_runs] if runs is None else [runs, game_runs]
        interrupted = asyncio.run(_serve_until_stopped(app, bound, hosting, welcome, children, session_runs))
        print_resume_commands(journal, interrupted, store)
        for name in () if session_runs is None else session_runs.interrupted:
            complain(
                f"{name} is served no longer; continue with: ostrom session {name}{at_store(printable_url(store))}"
            )


def read_token(option: str | None) -> str | None:
    """Return the token of the option or, without the option, of the environment. Raise InputError if it is weak or not
    printable."""
    token = option if option is not None else os.environ.get(VARIABLE) or None
    origin = VARIABLE if option is None else "--token"
    if token is not None and (not token.isascii() or not token.isprintable() or " " in token):
        raise InputError(f"invalid {origin}: use printable ASCII characters without spaces")
    if token is not None and is_weak(token):
        example = secrets.token_urlsafe(12)
        raise InputError(f"{origin} is too easy to guess: use ten or more characters at random, such as {example}")
    return token


def check_open(host: str, token: str | None) -> bool:
    """Return whether only this machine can reach the server. Raise InputError if other machines can reach it and there
    is no token."""
    if host not in LOOPBACK and token is None:
        raise InputError(f"--host {host} is open to other machines: set a token, with --token or {VARIABLE}")
    return host in LOOPBACK


def check_proxy(proxy: str | None, token: str | None) -> str | None:
    """Return the address of the proxy. Raise InputError if it is not an IP address, or if there is no token. A token is
    needed because other machines reach the server through the proxy."""
    if proxy is None:
        return None
    try:
        ipaddress.ip_address(proxy)
    except ValueError:
        raise InputError(f"--proxy {proxy!r} is not an IP address; use 127.0.0.1 for a proxy on this machine") from None
    if token is None:
        raise InputError(f"--proxy opens the server to other machines: set a token, with --token or {VARIABLE}")
    return proxy


def welcome_line(address: str, option: str | None, required_token: str | None) -> str:
    """Return the line with the address of the lab. A token from the environment is not printed."""
    if option is not None:
        address += f"#/?token={quote(option, safe='')}"
    elif required_token is not None:
        return f"The lab is open at {address} and asks for the token in {VARIABLE} (Ctrl-C stops)"
    return f"The lab is open at {address} (Ctrl-C stops)"


def _journal(store: str | None) -> Journal:
    """Open the journal, and create it if it is missing. A journal that is not writable is opened for reading."""
    return open_journal(store, create=locate(store_url(store)).unwritable() is None)


async def _serve_until_stopped(
    app: FastAPI,
    bound: socket.socket,
    hosting: Host,
    welcome: str,
    children: Sequence[ExperimentRuns] = (),
    sessions: SessionRuns | None = None,
) -> list[str]:
    """Serve until the server is stopped. Return the ids of the experiments that were running then."""
    stop_requested = asyncio.Event()
    until = asyncio.Event()
    loop = asyncio.get_running_loop()

    def interrupt() -> None:
        if stop_requested.is_set():
            os._exit(INTERRUPTED)  # The second signal ends the process without waiting.
        stop_requested.set()

    async def stop() -> list[str]:
        await stop_requested.wait()
        experiments = [*hosting.running(), *(name for runs in children for name in runs.running())]
        # Games end before the server does, so that the pages of people can show the end.
        ending = [hosting.close(), *(runs.close() for runs in children)]
        await asyncio.gather(*ending, *([] if sessions is None else [sessions.close()]))
        until.set()
        return experiments

    for number in (signal.SIGINT, signal.SIGTERM):
        loop.add_signal_handler(number, interrupt)
    stopping = asyncio.create_task(stop())
    try:
        await serve_app(app, bound, until, ready=lambda: print(welcome, flush=True), warm=True)
    finally:
        stop_requested.set()
        experiments = await stopping
    return experiments


def print_resume_commands(journal: Journal, experiments: Sequence[str], store: str | None) -> None:
    """Print the command that resumes each of these experiments that is unfinished."""
    unfinished = {row.id for row in journal.experiments() if row.state == "unfinished"} if experiments else set()
    for name in experiments:
        if name in unfinished:
            complain(f"{name} stopped; resume with: {resume_command(name, store)}")


_HOST: Final = "127.0.0.1"
_PORT: Final = 8000
_GRACE_S: Final = 10.0
"""The time in seconds that pages have to fetch the result of the game."""
_STOP_GRACE_S: Final = 1.0
"""The time in seconds that pages have to fetch the result if the host stops the game. It is shorter than the usual time
because open pages are notified at once."""
_POLL_S: Final = 0.05
_MOVED: Final = "The links that people have now begin with {} (--new-links makes new ones)"
_KEEP: Final = "The links that people have still work, and open pages reconnect (--new-links makes new ones)"


class Place(NamedTuple):
    """The address of the pages with seats."""

    bound: socket.socket
    host: str = _HOST
    quiet: bool = False
    """True if links are printed to standard error."""
    new_links: bool = False
    """True if people get new links that replace their present ones."""
    before: str | None = None
    """The host and port in the present links of people."""


@contextmanager
def pages(
    host: str | None, port: int | None, *, quiet: bool, before: str | None = None, new_links: bool = False
) -> Iterator[SeatPeople]:
    """Listen for people, and yield the function that plays an experiment with them. The server listens at the given
    host and port. The default host and port are those of the links that people already have (`before`). If neither the
    argument nor the links give a port, the server uses the default port, or a free port if the default port is
    taken."""
    pages_folder()  # This raises InputError if the pages are not installed.
    if before is not None:
        known_host, _, known_port = before.rpartition(":")
        host = host or known_host
        port = int(known_port) if port is None else port
    with ExitStack() as stack:
        try:
            bound = stack.enter_context(listening(host or _HOST, _PORT if port is None else port))
        except InputError as error:
            if before is not None:
                raise InputError(f"{error}; the links that people have lead to {before}") from None
            if port is not None:
                raise
            bound = stack.enter_context(listening(host or _HOST, 0))
        yield partial(with_people, Place(bound, host or _HOST, quiet, new_links, before))


def host_and_port(bound: socket.socket, host: str) -> str:
    """Return the host as the user typed it, with the port of the socket."""
    return f"{host}:{bound.getsockname()[1]}"


def with_people(place: Place, planned: Experiment, journal: Journal, store: str | None, experiment: str | None) -> str:
    """Play or resume a game with people, and return its id. If the game stays unfinished, exit with the command that
    resumes it."""
    ready(planned)
    journal.patience.report = complain
    host = Host(journal, host_and_port(place.bound, place.host), partial(resume_command, store=store))
    known = [experiment] if experiment is not None else []
    hosts = LOOPBACK if place.host in LOOPBACK else None
    allowed = capacity((planned.limits or Limits()).calls if planned.models else 0)
    app = create_app(Service(journal, host, laboratory=False), pages_folder(), hosts, allowed)
    try:
        outcome = asyncio.run(_play(app, place, host, planned, known))
    except (KeyboardInterrupt, asyncio.CancelledError):
        if not known:
            raise KeyboardInterrupt from None
        stopped(journal, known[0], store, "stopped at once")
    except JournalError as error:
        if not known:
            raise
        stopped(journal, known[0], store, str(error))
    conclude(outcome, journal, known[0], store, planned.limits)
    return known[0]


async def _play(app: FastAPI, place: Place, host: Host, planned: Experiment, known: list[str]) -> Outcome:
    """Serve the pages until the game is over, and return the outcome. The first Ctrl-C stops the game in order, and the
    second stops it at once. The id of the experiment is added to `known` as soon as there is one, even if an error is
    raised later."""
    until = asyncio.Event()
    # The game starts before the server. Otherwise, a page that waits for its host would get a 404 for its seat.
    hosted = await host.start(planned, *known, new_links=place.new_links)
    known[:] = [hosted.experiment]
    serving = asyncio.create_task(serve_app(app, place.bound, until))
    try:
        stop_on_signal(hosted.stop, "stopping; all answers so far are kept")
        print_links(hosted, place)
        arriving = asyncio.create_task(_print_arrivals(hosted))
        try:
            with watched(hosted.tally, planned.games):
                outcome = await hosted.wait()
        finally:
            arriving.cancel()
        await _wait_for_pages(hosted)
        return outcome
    finally:
        until.set()
        await serving


def print_links(hosted: Hosted, place: Place) -> None:
    """Print the link of each person, the machines that can open it, and the time limit of answers."""
    stream = sys.stderr if place.quiet else sys.stdout
    address = server_address(place.bound, place.host)
    seats = list(hosted.room.seats.values())
    if not any(seat.token for seat in seats):
        moved = place.before is not None and place.before.rpartition(":")[2] != str(place.bound.getsockname()[1])
        word = _MOVED.format(address) if moved else _KEEP
        print(f"{hosted.name} ({hosted.experiment}). {word}, {hosted.room.seconds:g} s for an answer.", file=stream)
        stream.flush()
        return
    who = "One person opens this link" if len(seats) == 1 else f"{len(seats)} people open a link each"
    if place.host in LOOPBACK:
        who += " on this machine (--host 0.0.0.0 lets others in)"
    print(f"{legible(hosted.name)} ({hosted.experiment}). {who}, {hosted.room.seconds:g} s for an answer:", file=stream)
    for seat in seats:
        link = f"{address}#/seat/{seat.token}" if seat.token else "the link handed out before"
        print(f"  {seat.label}  {link}", file=stream, flush=True)


async def _print_arrivals(hosted: Hosted) -> None:
    """If there are several people, print each seat once, when the link of the seat is opened."""
    seats = list(hosted.room.seats.values())
    absent = seats if len(seats) > 1 else []
    while absent:
        for seat in [seat for seat in absent if seat.presence.opened]:
            absent = [other for other in absent if other is not seat]
            arrivals = len(seats) - len(absent)
            err.print(f"{seat.label} has joined, {arrivals} of {len(seats)}")
        await asyncio.sleep(_POLL_S)


async def _wait_for_pages(hosted: Hosted) -> None:
    """Wait until every open page has fetched the result of the game, within a time limit."""
    loop = asyncio.get_running_loop()
    last = loop.time() + (_STOP_GRACE_S if hosted.stop.requested else _GRACE_S)
    while loop.time() < last and any(
        seat.presence.opened and not seat.result_seen for seat in hosted.room.seats.values()
    ):
        await asyncio.sleep(_POLL_S)
