"""How an application is served within an event loop that others use too: a socket of its own, no signal handlers, and
an end that somebody else decides; and how it is called in links that others in the network open. ::

    until = asyncio.Event()
    with listening("127.0.0.1", 8000) as bound:
        await serve(app, bound, until)   # returns when `until` is set and everybody has been answered

"""

import asyncio
import errno
import gc
import ipaddress
import socket
import sys
from collections.abc import Callable, Generator, Iterator
from contextlib import contextmanager
from typing import Final

import uvicorn
from fastapi import FastAPI

from ostrom.core import InputError
from ostrom.web.connections import AT_ONCE, Connection
from ostrom.web.log import LOG

_GRACE: Final = 5
"""Seconds that answers on their way have to come to their end."""
_BACKLOG: Final = 512
_SWITCH: Final = 0.0005
"""Seconds after which a thread lets another one have its turn. With Python's usual 5 ms, a thread that reads the
journal waits so long for the event loop at every row."""
_ALLOCATED: Final = 50_000
"""Objects after which garbage is looked for; Python's usual 700 are made within a moment where games are read."""

EVERYWHERE: Final = frozenset({"", "0.0.0.0", "::"})
"""What to listen at to be reached at every address of this machine."""
_ELSEWHERE: Final = ("192.0.2.1", "192.168.255.254", "10.255.255.254", "172.31.255.254", "169.254.255.254")
"""Somebody beyond the default route, and somebody in each private network, for where there is no way out."""
_DISCARD: Final = 9


@contextmanager
def listening(host: str, port: int) -> Iterator[socket.socket]:
    """A socket at this place; with the port 0, at any that is free. Refused in one line where there can be none."""
    try:
        family, _, _, _, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)[0]
    except (OSError, UnicodeError):
        raise InputError(
            f"--host {host!r} is not an address of this machine; use 127.0.0.1 for this machine alone"
        ) from None
    # Named as TCP, or asyncio leaves small packets waiting for the acknowledgement of the one before: 40 ms an answer.
    bound = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    try:
        bound.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        bound.bind(address)
        bound.listen(_BACKLOG)
    except OSError as error:
        bound.close()
        raise InputError(_why_not(error, host, port)) from None
    try:
        yield bound
    finally:
        bound.close()


async def serve(
    app: FastAPI,
    bound: socket.socket,
    until: asyncio.Event,
    ready: Callable[[], None] = lambda: None,
    *,
    warm: bool = False,
) -> None:
    """Serve an application at a socket that is listening, until the event is set. `ready` is called when requests are
    answered; from then on, with `warm`, what readers will want to see is computed before they ask. At the end streams
    are closed at once, and answers on their way are waited for."""
    server = _Server(
        uvicorn.Config(
            app,
            log_config=None,
            log_level="critical",  # bugs are told by the guards; who is cut off at the end is none
            access_log=False,
            server_header=False,
            date_header=False,
            lifespan="off",
            ws="none",
            http=Connection,
            backlog=AT_ONCE,
            # Whom a request comes from is believed of the proxy alone that the user named.
            proxy_headers=app.state.connections.proxy is not None,
            forwarded_allow_ips=app.state.connections.proxy or "",
            timeout_graceful_shutdown=_GRACE,
        )
    )
    with _tuned(), LOG.over_asyncio():
        running = asyncio.create_task(server.serve(sockets=[bound]), name="web server")
        ended = asyncio.create_task(until.wait(), name="end of the web server")
        try:
            while not (server.started or running.done()):
                await asyncio.sleep(0.01)
            if server.started:
                bound.listen(_BACKLOG)  # how many may wait is another matter than how many are accepted at once
                ready()
                if warm:
                    app.state.warmup.start()
            await asyncio.wait({running, ended}, return_when=asyncio.FIRST_COMPLETED)
        finally:
            ended.cancel()
            app.state.ending.set()
            app.state.service.end()
            server.should_exit = True
            await running


@contextmanager
def _tuned() -> Iterator[None]:
    """Within this, the interpreter does less beside answering."""
    usual = sys.getswitchinterval()
    sys.setswitchinterval(_SWITCH)
    # What is there now stays until the end. To look through it for garbage again and again takes a quarter of the time
    # in which a journal is read.
    gc.freeze()
    thresholds = gc.get_threshold()
    gc.set_threshold(_ALLOCATED, *thresholds[1:])
    try:
        yield
    finally:
        gc.set_threshold(*thresholds)
        gc.unfreeze()
        sys.setswitchinterval(usual)


class _Server(uvicorn.Server):
    """A server that leaves signals to who started it: other things of this process have to end too."""

    @contextmanager
    def capture_signals(self) -> Generator[None, None, None]:
        """Capture none."""
        yield


def _why_not(error: OSError, host: str, port: int) -> str:
    if error.errno == errno.EADDRINUSE:
        return (
            f"port {port} is already in use; choose another one, as in --port {port + 1 if 0 < port < 65535 else 8001}"
        )
    if error.errno == errno.EACCES:
        return f"port {port} cannot be used: permission denied; choose one from 1024, as in --port 8000"
    if error.errno == errno.EADDRNOTAVAIL:
        return f"--host {host!r} is not an address of this machine; use 127.0.0.1 for this machine alone"
    return f"cannot listen on {host}:{port}: {error.strerror}"


def server_address(bound: socket.socket, host: str) -> str:
    """The address of the pages, as a browser wants it; a server for everybody is named by the address of this machine
    that others reach."""
    port = bound.getsockname()[1]
    if host in EVERYWHERE:
        host = own_address()
    return f"http://[{host}]:{port}/" if ":" in host else f"http://{host}:{port}/"


def own_address() -> str:
    """The address of this machine in its network; its name where it has none but the loopback."""
    return next(filter(_is_reached, _candidates()), None) or socket.gethostname()


def _candidates() -> Iterator[str]:
    """Addresses of this machine, the one on the way out first."""
    for other in _ELSEWHERE:
        if (found := _towards(other)) is not None:
            yield found
    try:
        named = socket.getaddrinfo(socket.gethostname(), None, socket.AF_INET)
    except (OSError, UnicodeError):
        return
    yield from (str(address[0]) for *_, address in named)


def _towards(other: str) -> str | None:
    """From which address something would be sent to another one. Nothing is: connecting a datagram socket only asks
    the routing table."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as asked:
        try:
            asked.connect((other, _DISCARD))
        except OSError:
            return None
        return str(asked.getsockname()[0])


def _is_reached(address: str) -> bool:
    found = ipaddress.ip_address(address)
    return not (found.is_loopback or found.is_unspecified)
