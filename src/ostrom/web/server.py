"""Serves an application until an event is set. It uses a shared event loop and a given socket, and installs no signal
handlers. This module also determines the server's address for links in the network, and limits connections. ::

    until = asyncio.Event()
    with listening("127.0.0.1", 8000) as bound:
        await serve(app, bound, until)   # returns when `until` is set and all requests are answered

Each connection needs an open file. Therefore the number of connections, in total and per client, is kept below the
limit of open files. A request must be complete within seconds. At the limit, a new connection replaces the one that has
been idle longest. So idle or slow clients cannot block a person's answer. These limits are needed because uvicorn
limits concurrent requests and the time between two requests, but neither incomplete requests nor slow clients."""

import asyncio
import errno
import gc
import ipaddress
import resource
import socket
import sys
from collections.abc import Callable, Generator, Iterator
from contextlib import contextmanager
from typing import Any, Final, NamedTuple

import h11
import uvicorn
from fastapi import FastAPI
from typing_extensions import override
from uvicorn.config import Config
from uvicorn.protocols.http.h11_impl import H11Protocol
from uvicorn.server import ServerState

from ostrom.core import InputError
from ostrom.web.log import LOG

_SHUTDOWN_GRACE_S: Final = 5
"""The number of seconds that replies in progress get when the server stops."""
_BACKLOG: Final = 512
_SWITCH_INTERVAL_S: Final = 0.0005
"""The switch interval of threads. With Python's default of 5 ms, a thread that reads the journal would wait that long
for the event loop at every row."""
_GC_THRESHOLD: Final = 50_000
"""The number of objects that triggers garbage collection. Python's default of 700 causes too many collections while
games are read."""

EVERYWHERE: Final = frozenset({"", "0.0.0.0", "::"})
"""Host names that stand for every address of this machine."""
_PROBE_ADDRESSES: Final = ("192.0.2.1", "192.168.255.254", "10.255.255.254", "172.31.255.254", "169.254.255.254")
"""Addresses with which this machine's own address is found: one beyond the default route, and one in each private
network for machines without a default route."""
_DISCARD_PORT: Final = 9


@contextmanager
def listening(host: str, port: int) -> Iterator[socket.socket]:
    """Yield a listening socket; port 0 means any free port. Raise `InputError` if the server cannot listen there."""
    try:
        family, _, _, _, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)[0]
    except (OSError, UnicodeError):
        raise InputError(
            f"--host {host!r} is not an address of this machine; use 127.0.0.1 for this machine alone"
        ) from None
    # The socket is declared as TCP, so that asyncio disables Nagle's algorithm. Otherwise it would delay replies by 40
    # ms.
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
    """Serve an application at a listening socket until the event is set. `ready` is called when requests can be
    answered. If `warm`, leaderboards and charts are then computed in advance. When the event is set, streams are closed
    at once, and replies in progress are completed."""
    server = _Server(
        uvicorn.Config(
            app,
            log_config=None,
            log_level="critical",  # The guards report bugs. Connections that are cut off at the end are not bugs.
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
                # The number of connections that may wait to be accepted differs from the number that is accepted at
                # once.
                bound.listen(_BACKLOG)
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
    """Reduce the overhead of the interpreter within a `with` block."""
    usual = sys.getswitchinterval()
    sys.setswitchinterval(_SWITCH_INTERVAL_S)
    # Existing objects are excluded from garbage collection. Scanning them would take a quarter of the time of reading a
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
    """A server that leaves signals to its caller, because the caller must also end other parts of the process."""

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
    """Return the URL of the pages. If the server listens at all addresses, the URL has the address of this machine in
    its network."""
    port = bound.getsockname()[1]
    if host in EVERYWHERE:
        host = own_address()
    return f"http://[{host}]:{port}/" if ":" in host else f"http://{host}:{port}/"


def own_address() -> str:
    """Return the address of this machine in its network. If the machine has only the loopback interface, return the
    name of the machine."""
    return next(filter(_is_reachable, _candidates()), None) or socket.gethostname()


def _candidates() -> Iterator[str]:
    """Yield the addresses of this machine. The address of the default route comes first."""
    for other in _PROBE_ADDRESSES:
        if (address := _source_address(other)) is not None:
            yield address
    try:
        entries = socket.getaddrinfo(socket.gethostname(), None, socket.AF_INET)
    except (OSError, UnicodeError):
        return
    yield from (str(address[0]) for *_, address in entries)


def _source_address(other: str) -> str | None:
    """Return the source address of packets to another address, or None if there is none. Connecting a datagram socket
    sends no packets; it only reads the routing table."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect((other, _DISCARD_PORT))
        except OSError:
            return None
        return str(probe.getsockname()[0])


def _is_reachable(address: str) -> bool:
    parsed = ipaddress.ip_address(address)
    return not (parsed.is_loopback or parsed.is_unspecified)


# The following classes limit connections.

HEAD_TIMEOUT_S: Final = 10.0
"""The number of seconds within which the head of a request must be complete."""
BODY_TIMEOUT_S: Final = 20.0
"""The number of seconds within which the body of a request, which has at most 64 kB, must be complete."""
READ_TIMEOUT_S: Final = 30.0
"""The number of seconds after which a connection is closed if the client does not read its reply."""
MAX_ACCEPTED_AT_ONCE: Final = 16
"""The largest number of connections that are accepted in one turn of the event loop. A connection needs an open file
even if it is then refused, and closing a refused connection takes up to four turns."""
_RESERVED_FILES: Final = 128
"""The number of open files that are reserved for the journal, the log, modules that are imported while the server runs,
and connections that are accepted but not yet refused."""
_MIN_CONNECTIONS: Final = 16
_MAX_CONNECTIONS: Final = 4096
"""The largest number of connections. Each needs about 30 kB of memory, and more while it sends a body."""


class Capacity(NamedTuple):
    """The maximum numbers of connections."""

    connections: int
    per_client: int


def capacity(others: int = 0, files: int | None = None) -> Capacity:
    """Return the capacity under the limit of open files; `others` is the number of files needed for calls to models."""
    files = resource.getrlimit(resource.RLIMIT_NOFILE)[0] if files is None else files
    if files == resource.RLIM_INFINITY:
        return Capacity(_MAX_CONNECTIONS, _MAX_CONNECTIONS // 2)
    most = min(_MAX_CONNECTIONS, max(_MIN_CONNECTIONS, files - max(_RESERVED_FILES, files // 4) - others))
    return Capacity(most, most // 2)


def client_of(peer: Any) -> str:
    """Return the client to which a peer's address belongs. For IPv4, the client is the address itself. For IPv6, it is
    the /64 network, because one host can use any address in its network."""
    if not peer:
        return ""
    try:
        address = ipaddress.ip_address(str(peer[0]).partition("%")[0])
    except ValueError:
        return str(peer[0])
    if address.version == 4:
        return str(address)
    if address.ipv4_mapped is not None:
        return str(address.ipv4_mapped)
    return str(ipaddress.ip_network((address, 64), strict=False).network_address)


class _Client:
    def __init__(self) -> None:
        self.count = 0
        self.waiting: dict[LimitedConnection, None] = {}


class Connections:
    """All connections of a server. Connections without a complete request are `waiting`, the oldest first."""

    def __init__(self, allowed: Capacity, proxy: str | None = None) -> None:
        self.allowed = allowed
        self.proxy = proxy
        """The address of a reverse proxy, which connects for many clients. Connections from it are not limited per
        client."""
        self.count = 0
        self._waiting: dict[LimitedConnection, None] = {}
        self._clients: dict[str, _Client] = {}
        self._admitted: set[LimitedConnection] = set()

    def admit(self, new: "LimitedConnection") -> bool:
        """Admit a connection, and close a waiting one if this is needed. Return False if no further connection is
        possible."""
        client = self._clients.setdefault(new.origin, _Client())
        if client.count >= self.allowed.per_client and new.origin != self.proxy:
            LOG.say("client", f"{client.count} connections of one client are open; its idle ones are closed")
            if not self._make_room(client.waiting):
                return False
        if self.count >= self.allowed.connections:
            LOG.say("connections", f"{self.count} connections are open; idle ones are closed")
            if not self._make_room(self._waiting):
                if not client.count:
                    self._clients.pop(new.origin, None)
                return False
        # The client is looked up again, since the closed connection may have been its last.
        self._clients.setdefault(new.origin, client).count += 1
        self.count += 1
        self._admitted.add(new)
        return True

    def wait(self, connection: "LimitedConnection") -> None:
        """Mark a connection as waiting for a complete request."""
        self.answer(connection)
        if connection in self._admitted:
            self._waiting[connection] = self._clients[connection.origin].waiting[connection] = None

    def answer(self, connection: "LimitedConnection") -> None:
        """Mark a connection as having a complete request."""
        if connection in self._admitted:
            self._waiting.pop(connection, None)
            self._clients[connection.origin].waiting.pop(connection, None)

    def forget(self, connection: "LimitedConnection") -> None:
        """Remove a closed connection."""
        if connection in self._admitted:
            self.answer(connection)
            self._admitted.discard(connection)
            self.count -= 1
            client = self._clients[connection.origin]
            client.count -= 1
            if not client.count:
                del self._clients[connection.origin]

    def _make_room(self, waiting: dict["LimitedConnection", None]) -> bool:
        oldest = next(iter(waiting), None)
        if oldest is None:
            return False
        self.forget(oldest)
        oldest.transport.abort()
        return True


class LimitedConnection(H11Protocol):
    """A connection with timeouts. It is counted in the server's `Connections`."""

    def __init__(
        self,
        config: Config,
        server_state: ServerState,
        app_state: dict[str, Any],
        _loop: asyncio.AbstractEventLoop | None = None,
    ) -> None:
        super().__init__(config, server_state, app_state, _loop)
        app: Any = config.app
        self._connections: Connections = app.state.connections
        self.origin = ""
        self._timeout: float | None = None
        """The number of seconds within which the missing part of a request must arrive; None if the request is
        complete."""
        self._request_timer: asyncio.TimerHandle | None = None
        self._read_timer: asyncio.TimerHandle | None = None

    @override
    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        self.origin = client_of(self.client)
        if self._connections.admit(self):
            self._update_timer()
        else:
            transport.abort()

    @override
    def connection_lost(self, exc: Exception | None) -> None:
        super().connection_lost(exc)
        self._connections.forget(self)
        for timer in (self._request_timer, self._read_timer):
            if timer is not None:
                timer.cancel()

    @override
    def handle_events(self) -> None:
        super().handle_events()
        self._update_timer()

    @override
    def pause_writing(self) -> None:
        super().pause_writing()
        if self._read_timer is None:
            self._read_timer = self.loop.call_later(READ_TIMEOUT_S, self.transport.abort)

    @override
    def resume_writing(self) -> None:
        super().resume_writing()
        if self._read_timer is not None:
            self._read_timer.cancel()
            self._read_timer = None

    def _update_timer(self) -> None:
        """Restart the timer when a different part of the request is missing. Further bytes of the same part do not
        restart it."""
        missing = {h11.IDLE: HEAD_TIMEOUT_S, h11.SEND_BODY: BODY_TIMEOUT_S}
        timeout = missing.get(self.conn.their_state)
        if timeout == self._timeout:
            return
        self._timeout = timeout
        if self._request_timer is not None:
            self._request_timer.cancel()
            self._request_timer = None
        if timeout is None:
            self._connections.answer(self)
        else:
            self._connections.wait(self)
            self._request_timer = self.loop.call_later(timeout, self.transport.abort)
