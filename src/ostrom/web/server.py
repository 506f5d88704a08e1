"""Serves an application in a shared event loop: with a given socket, without signal handlers, until an event is set;
and finds its address for links in the network. ::

    until = asyncio.Event()
    with listening("127.0.0.1", 8000) as bound:
        await serve(app, bound, until)   # returns when `until` is set and all requests are answered

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
from typing_extensions import override

from ostrom.core import InputError
from ostrom.web.connections import MAX_ACCEPTED_AT_ONCE, LimitedConnection
from ostrom.web.log import LOG

_SHUTDOWN_GRACE_S: Final = 5
"""The time for replies in progress when the server stops."""
_BACKLOG: Final = 512
_SWITCH_INTERVAL_S: Final = 0.0005
"""With Python's default of 5 ms, a thread that reads the journal would wait that long for the event loop at every
row."""
_GC_THRESHOLD: Final = 50_000
"""Python's default of 700 objects triggers too frequent garbage collections while games are read."""

EVERYWHERE: Final = frozenset({"", "0.0.0.0", "::"})
"""Hosts that mean every address of this machine."""
_PROBE_ADDRESSES: Final = ("192.0.2.1", "192.168.255.254", "10.255.255.254", "172.31.255.254", "169.254.255.254")
"""An address beyond the default route, and one in each private network for machines without a default route."""
_DISCARD_PORT: Final = 9


@contextmanager
def listening(host: str, port: int) -> Iterator[socket.socket]:
    """Yield a listening socket, for port 0 at any free port; raise `InputError` if that is impossible."""
    try:
        family, _, _, _, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)[0]
    except (OSError, UnicodeError):
        raise InputError(
            f"--host {host!r} is not an address of this machine; use 127.0.0.1 for this machine alone"
        ) from None
    # Declared as TCP, so that asyncio disables Nagle's algorithm, which would delay replies by 40 ms.
    bound = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    try:
        bound.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        bound.bind(address)
        bound.listen(_BACKLOG)
    except OSError as error:
        bound.close()
        raise InputError(_listen_error(error, host, port)) from None
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
    """Serve an application at a listening socket until the event is set. `ready` is called once requests are answered;
    with `warm`, leaderboards and charts are then computed in advance. At the end streams are closed at once, and
    replies in progress are completed."""
    server = _Server(
        uvicorn.Config(
            app,
            log_config=None,
            log_level="critical",  # the guards report bugs; connections cut off at the end are not bugs
            access_log=False,
            server_header=False,
            date_header=False,
            lifespan="off",
            ws="none",
            http=LimitedConnection,
            backlog=MAX_ACCEPTED_AT_ONCE,
            # Only the proxy that the user named is trusted to name clients.
            proxy_headers=app.state.connections.proxy is not None,
            forwarded_allow_ips=app.state.connections.proxy or "",
            timeout_graceful_shutdown=_SHUTDOWN_GRACE_S,
        )
    )
    with _tuned(), LOG.over_asyncio():
        running = asyncio.create_task(server.serve(sockets=[bound]), name="web server")
        ended = asyncio.create_task(until.wait(), name="end of the web server")
        try:
            while not (server.started or running.done()):
                await asyncio.sleep(0.01)
            if server.started:
                bound.listen(_BACKLOG)  # the number that may wait differs from the number accepted at once
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
    """Reduce the interpreter's own work for the length of a `with` block."""
    usual = sys.getswitchinterval()
    sys.setswitchinterval(_SWITCH_INTERVAL_S)
    # Existing objects stay until the end; scanning them for garbage would need a quarter of the time of reading a
    # journal.
    gc.freeze()
    thresholds = gc.get_threshold()
    gc.set_threshold(_GC_THRESHOLD, *thresholds[1:])
    try:
        yield
    finally:
        gc.set_threshold(*thresholds)
        gc.unfreeze()
        sys.setswitchinterval(usual)


class _Server(uvicorn.Server):
    """A server that leaves signals to its caller, which has to end other parts of the process too."""

    @override
    @contextmanager
    def capture_signals(self) -> Generator[None, None, None]:
        yield


def _listen_error(error: OSError, host: str, port: int) -> str:
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
    """Return the URL of the pages; for a server on all addresses, with this machine's address in its network."""
    port = bound.getsockname()[1]
    if host in EVERYWHERE:
        host = own_address()
    return f"http://[{host}]:{port}/" if ":" in host else f"http://{host}:{port}/"


def own_address() -> str:
    """Return the address of this machine in its network, or its name if it has only the loopback."""
    return next(filter(_is_reachable, _candidates()), None) or socket.gethostname()


def _candidates() -> Iterator[str]:
    """Yield the addresses of this machine, that of the default route first."""
    for other in _PROBE_ADDRESSES:
        if (address := _source_address(other)) is not None:
            yield address
    try:
        entries = socket.getaddrinfo(socket.gethostname(), None, socket.AF_INET)
    except (OSError, UnicodeError):
        return
    yield from (str(address[0]) for *_, address in entries)


def _source_address(other: str) -> str | None:
    """Return the source address of packets to another address, or None. Connecting a datagram socket sends nothing; it
    only reads the routing table."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect((other, _DISCARD_PORT))
        except OSError:
            return None
        return str(probe.getsockname()[0])


def _is_reachable(address: str) -> bool:
    parsed = ipaddress.ip_address(address)
    return not (parsed.is_loopback or parsed.is_unspecified)
