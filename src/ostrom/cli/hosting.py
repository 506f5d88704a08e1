"""A game that people sit down at, from the command line: the seats' pages are served in this process, with one link a
seat, until the game is over."""

import asyncio
import signal
import socket
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from functools import partial
from typing import Final, NamedTuple

from fastapi import FastAPI

from ostrom.core import InputError
from ostrom.experiment.console import SeatPeople, conclude, ready, stopped
from ostrom.experiment.hosting import Host, Hosted
from ostrom.experiment.plan import Experiment
from ostrom.experiment.progress import watched
from ostrom.experiment.runner import Outcome
from ostrom.experiment.terminal import err
from ostrom.journal.sql import Journal
from ostrom.web.app import create_app
from ostrom.web.middleware import LOOPBACK
from ostrom.web.pages import pages_folder
from ostrom.web.server import listening, serve, server_address
from ostrom.web.service import Service

_HOST: Final = "127.0.0.1"
_PORT: Final = 8000
_GRACE: Final = 10.0
"""Seconds that the pages have to see how the game ended."""
_SHORT_GRACE: Final = 1.0
"""The same where the host stops: pages that are open hear of it at once, and nobody waits for those that are not."""
_LOOK: Final = 0.05


class Place(NamedTuple):
    """Where the seats' pages are served."""

    host: str | None = None
    port: int | None = None
    quiet: bool = False
    """Whether standard output is not for the links."""
    bound: socket.socket | None = None
    """Where it is listened, once it is."""

    @property
    def at(self) -> str:
        """The address to listen at."""
        return self.host or _HOST


@contextmanager
def pages(host: str | None, port: int | None, *, quiet: bool) -> Iterator[SeatPeople]:
    """A place where people can sit down, held open: the way to play there."""
    pages_folder()  # refused here where there are no pages
    with opened(Place(host, port, quiet)) as place:
        yield partial(with_people, place)


def with_people(place: Place, planned: Experiment, journal: Journal, store: str | None, experiment: str | None) -> str:
    """Play a game that people sit at, or go on with it; its id. Where it stays unfinished, the command ends here with
    what to type next."""
    ready(planned)
    host = Host(journal)
    hosts = LOOPBACK if place.at in LOOPBACK else None
    app = create_app(Service(journal, host, laboratory=False), pages_folder(), hosts)
    table = _Table(planned, host, app, place, experiment)
    try:
        outcome = asyncio.run(table.play())
    except (KeyboardInterrupt, asyncio.CancelledError):
        if table.experiment is None:
            raise KeyboardInterrupt from None
        stopped(journal, table.experiment, store, "ended at once")
    assert table.experiment is not None
    conclude(outcome, journal, table.experiment, store, planned.limits)
    return table.experiment


@contextmanager
def opened(place: Place) -> Iterator[Place]:
    """The place with a socket: at the port that is named; where none is, at the usual one, or at any if that is
    taken."""
    with ExitStack() as held:
        if place.bound is None:
            try:
                bound = held.enter_context(listening(place.at, _PORT if place.port is None else place.port))
            except InputError:
                if place.port is not None:
                    raise
                bound = held.enter_context(listening(place.at, 0))
            place = place._replace(bound=bound)
        yield place


class _Table:
    """A game with people, while this command plays it."""

    def __init__(self, planned: Experiment, host: Host, app: FastAPI, place: Place, experiment: str | None) -> None:
        assert place.bound is not None, "a place is opened before it is played at"
        self._planned, self._host, self._app = planned, host, app
        self._place, self._bound = place, place.bound
        self.experiment = experiment
        """Its id, once it has one."""

    async def play(self) -> Outcome:
        """Serve the pages, play the game, and end both; Ctrl-C once stops in order, twice at once."""
        until = asyncio.Event()
        serving = asyncio.create_task(serve(self._app, self._bound, until))
        try:
            hosted = await self._host.start(self._planned, self.experiment)
            self.experiment = hosted.experiment
            self._listen(hosted)
            say_links(hosted, self._place)
            arriving = asyncio.create_task(_say_who_comes(hosted))
            try:
                with watched(hosted.tally, 1):
                    outcome = await hosted.wait()
            finally:
                arriving.cancel()
            await _until_told(hosted)
            return outcome
        finally:
            until.set()
            await serving

    def _listen(self, hosted: Hosted) -> None:
        loop, running = asyncio.get_running_loop(), asyncio.current_task()
        assert running is not None

        def interrupted() -> None:
            if hosted.stop.requested:
                running.cancel()
                return
            print("\nostrom: stopping; what is decided is kept", file=sys.stderr)
            hosted.stop.request()

        for heard in (signal.SIGINT, signal.SIGTERM):
            loop.add_signal_handler(heard, interrupted)


def say_links(hosted: Hosted, place: Place) -> None:
    """Print a link for each person, with who can open it and how long an answer may take."""
    assert place.bound is not None, "a place is opened before it is played at"
    stream = sys.stderr if place.quiet else sys.stdout
    address = server_address(place.bound, place.at)
    seats = list(hosted.room.seats.values())
    who = "One person opens this link" if len(seats) == 1 else f"{len(seats)} people open a link each"
    if place.at in LOOPBACK:
        who += " on this machine (--host 0.0.0.0 lets others in)"
    print(f"{hosted.name} ({hosted.experiment}). {who}, {hosted.room.seconds:g} s for an answer:", file=stream)
    for seat in seats:
        print(f"  {seat.label}  {address}#/seat/{seat.token}", file=stream, flush=True)


async def _say_who_comes(hosted: Hosted) -> None:
    """Say, where several people are expected, whose link was opened; each is said once."""
    seats = list(hosted.room.seats.values())
    waited = seats if len(seats) > 1 else []
    while waited:
        for seat in [seat for seat in waited if seat.presence.opened]:
            waited = [other for other in waited if other is not seat]
            come = len(seats) - len(waited)
            err.print(f"{seat.label} has come, {come} of {len(seats)}", markup=False, highlight=False)
        await asyncio.sleep(_LOOK)


async def _until_told(hosted: Hosted) -> None:
    """Wait until every page that was opened has seen how the game ended; not for long."""
    loop = asyncio.get_running_loop()
    last = loop.time() + (_SHORT_GRACE if hosted.stop.requested else _GRACE)
    while loop.time() < last and any(seat.presence.opened and not seat.told for seat in hosted.room.seats.values()):
        await asyncio.sleep(_LOOK)
