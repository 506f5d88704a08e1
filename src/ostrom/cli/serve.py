"""`ostrom serve`: the lab in the browser, over a journal; and the pages for people who sit down at a game of `ostrom
run`, served in its process with one link a seat, until the game is over."""

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
from ostrom.core.outlets import complain, legible
from ostrom.experiment.hosting import Host, Hosted
from ostrom.experiment.limits import Limits
from ostrom.experiment.plan import Experiment
from ostrom.experiment.runner import Outcome
from ostrom.journal.engine import locate, store_url
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
from ostrom.web.runs import ExperimentRuns
from ostrom.web.server import capacity, listening, server_address
from ostrom.web.server import serve as serve_app
from ostrom.web.service import Service

_RANDOM: Final = 24
"""Bytes of a token that is drawn."""
INTERRUPTED: Final = 130
"""The exit status of what was stopped at once."""
VARIABLE: Final = "OSTROM_TOKEN"
"""The environment variable that holds the token: what stands in a command can be read in the list of processes."""


def serve(
    host: Annotated[str, typer.Option(help="The address to listen on; one that others can reach needs --token.")] = (
        "127.0.0.1"
    ),
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
    wanted = token_wanted(token)
    alone = check_open(host, wanted) and check_proxy(proxy, wanted) is None
    if steer and wanted is None:
        # Every account of this machine reaches the loopback: who may spend money must show that it is meant.
        wanted = token = secrets.token_urlsafe(_RANDOM)
    folder = pages_folder()
    limit_arenas()
    with listening(host, port) as bound, _journal(store) as journal:
        journal.patience.told = complain
        if steer and journal.only_read:
            raise InputError(f"the journal {journal.label} cannot be written, so there is nothing to steer in it")
        hosting = Host(journal, place_of(bound, host), partial(resume_command, store=store))
        runs = ExperimentRuns(store_url(store), plugins.files()) if steer else None
        address = server_address(bound, host)
        service = Service(
            journal,
            hosting,
            token=wanted,
            address=None if alone else address,
            runs=runs,
            computing=StudyProcess(plugins.files()),
        )
        app = create_app(service, folder, LOOPBACK if alone else None, proxy=proxy)
        played = asyncio.run(_until_stopped(app, bound, hosting, opened_at(address, token, wanted), runs))
        say_how_to_go_on(journal, played, store)


def token_wanted(option: str | None) -> str | None:
    """What a reader must know: the option, else what the environment says; refused where it can be guessed or cannot be
    typed."""
    token = option if option is not None else os.environ.get(VARIABLE) or None
    said = VARIABLE if option is None else "--token"
    if token is not None and (not token.isascii() or not token.isprintable() or " " in token):
        raise InputError(f"{said} must be of printable ASCII characters and have no spaces")
    if token is not None and is_weak(token):
        example = secrets.token_urlsafe(12)
        raise InputError(f"{said} is too easy to guess: use ten or more characters at random, such as {example}")
    return token


def check_open(host: str, token: str | None) -> bool:
    """Whether only this machine reaches the server; one that others reach is refused without a token."""
    if host not in LOOPBACK and token is None:
        raise InputError(
            f"--host {host} is open to other machines: set the token that they must give, with --token or {VARIABLE}"
        )
    return host in LOOPBACK


def check_proxy(proxy: str | None, token: str | None) -> str | None:
    """The address of a proxy; refused where it is none, and without a token, since others reach the server through
    it."""
    if proxy is None:
        return None
    try:
        ipaddress.ip_address(proxy)
    except ValueError:
        raise InputError(f"--proxy {proxy!r} is not an IP address; use 127.0.0.1 for one on this machine") from None
    if token is None:
        raise InputError(f"--proxy opens the server to other machines: set their token, with --token or {VARIABLE}")
    return proxy


def opened_at(address: str, option: str | None, wanted: str | None) -> str:
    """Where the lab is open. A token that the environment holds is not told: who set it did so to keep it off the
    screen."""
    if option is not None:
        address += f"#/?token={quote(option, safe='')}"
    elif wanted is not None:
        return f"The lab is open at {address} and asks for the token in {VARIABLE} (Ctrl-C stops)"
    return f"The lab is open at {address} (Ctrl-C stops)"


def _journal(store: str | None) -> Journal:
    """The journal, made where there is none; one that cannot be written is shown and not played in."""
    return open_journal(store, create=locate(store_url(store)).unwritable() is None)


async def _until_stopped(
    app: FastAPI, bound: socket.socket, hosting: Host, word: str, runs: ExperimentRuns | None = None
) -> list[str]:
    """Serve until stopped. Return the ids of the experiments that were running then."""
    asked, until, loop = asyncio.Event(), asyncio.Event(), asyncio.get_running_loop()

    def interrupted() -> None:
        if asked.is_set():
            os._exit(INTERRUPTED)  # asked twice: whatever is waited for, it is not waited for any longer
        asked.set()

    async def stop() -> list[str]:
        await asked.wait()
        played = [*hosting.running(), *(runs.running() if runs is not None else ())]
        # Games before the server: who sits at one is told before the page is alone.
        await asyncio.gather(hosting.close(), *([runs.close()] if runs is not None else []))
        until.set()
        return played

    for heard in (signal.SIGINT, signal.SIGTERM):
        loop.add_signal_handler(heard, interrupted)
    stopping = asyncio.create_task(stop())
    try:
        await serve_app(app, bound, until, ready=lambda: print(word, flush=True), warm=True)
    finally:
        asked.set()
        played = await stopping
    return played


def say_how_to_go_on(journal: Journal, played: Sequence[str], store: str | None) -> None:
    """Which experiments were being played and are unfinished, and what to type to go on with them."""
    unfinished = {row.id for row in journal.experiments() if row.state == "unfinished"} if played else set()
    for name in played:
        if name in unfinished:
            complain(f"{name} stopped; resume with: {resume_command(name, store)}")


_HOST: Final = "127.0.0.1"
_PORT: Final = 8000
_GRACE: Final = 10.0
"""Seconds that the pages have to see how the game ended."""
_SHORT_GRACE: Final = 1.0
"""The same where the host stops: pages that are open hear of it at once, and those that are not are not waited for."""
_LOOK: Final = 0.05
_MOVED: Final = "The links that people have now begin with {} (--new-links makes new ones)"
_KEEP: Final = "The links that people have work on, and open pages reconnect by themselves (--new-links makes new ones)"


class Place(NamedTuple):
    """Address of the seats' pages."""

    bound: socket.socket
    host: str = _HOST
    quiet: bool = False
    """Whether standard output is not for the links."""
    new_links: bool = False
    """Whether people get new links although they have some."""
    before: str | None = None
    """Where the links lead that they have, as host and port."""


@contextmanager
def pages(
    host: str | None, port: int | None, *, quiet: bool, before: str | None = None, new_links: bool = False
) -> Iterator[SeatPeople]:
    """A place where people can sit down, held open: the way to play there. It is where the links lead that people have
    from `before`, if they have some; at the port that is named; else at the usual one, or at any if that is taken."""
    pages_folder()  # refused here where there are no pages
    if before is not None:
        there, _, last = before.rpartition(":")
        host, port = host or there, int(last) if port is None else port
    with ExitStack() as held:
        try:
            bound = held.enter_context(listening(host or _HOST, _PORT if port is None else port))
        except InputError as error:
            if before is not None:
                raise InputError(f"{error}; the links that people have lead to {before}") from None
            if port is not None:
                raise
            bound = held.enter_context(listening(host or _HOST, 0))
        yield partial(with_people, Place(bound, host or _HOST, quiet, new_links, before))


def place_of(bound: socket.socket, host: str) -> str:
    """Where a socket listens, as it is asked for: host and port."""
    return f"{host}:{bound.getsockname()[1]}"


def with_people(place: Place, planned: Experiment, journal: Journal, store: str | None, experiment: str | None) -> str:
    """Play a game that people sit at, or go on with it; its id. Where it stays unfinished, the command ends here with
    what to type next."""
    ready(planned)
    journal.patience.told = complain
    host = Host(journal, place_of(place.bound, place.host), partial(resume_command, store=store))
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
    """Serve the pages, play the game, and end both; Ctrl-C once stops in order, twice at once. The game's id is `known`
    as soon as it has one, however this ends."""
    until = asyncio.Event()
    # Before anybody is answered: a page that has waited for its host would be told that there is no such seat.
    hosted = await host.start(planned, *known, new_links=place.new_links)
    known[:] = [hosted.experiment]
    serving = asyncio.create_task(serve_app(app, place.bound, until))
    try:
        stop_on_signal(hosted.stop, "stopping; all answers so far are kept")
        say_links(hosted, place)
        arriving = asyncio.create_task(_say_who_comes(hosted))
        try:
            with watched(hosted.tally, planned.games):
                outcome = await hosted.wait()
        finally:
            arriving.cancel()
        await _until_told(hosted)
        return outcome
    finally:
        until.set()
        await serving


def say_links(hosted: Hosted, place: Place) -> None:
    """Print a link for each person, with who can open it and how long an answer may take."""
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


async def _say_who_comes(hosted: Hosted) -> None:
    """Say, where several people are expected, whose link was opened; each is said once."""
    seats = list(hosted.room.seats.values())
    waited = seats if len(seats) > 1 else []
    while waited:
        for seat in [seat for seat in waited if seat.presence.opened]:
            waited = [other for other in waited if other is not seat]
            come = len(seats) - len(waited)
            err.print(f"{seat.label} has joined, {come} of {len(seats)}")
        await asyncio.sleep(_LOOK)


async def _until_told(hosted: Hosted) -> None:
    """Wait until every page that was opened has seen how the game ended; not for long."""
    loop = asyncio.get_running_loop()
    last = loop.time() + (_SHORT_GRACE if hosted.stop.requested else _GRACE)
    while loop.time() < last and any(
        seat.presence.opened and not seat.result_seen for seat in hosted.room.seats.values()
    ):
        await asyncio.sleep(_LOOK)
