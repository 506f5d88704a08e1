"""Limits on connections. Each needs an open file, so their number is limited, in total and per client, below the limit
of open files; a request must be complete within seconds; and at the limit, the connection that has been idle longest is
closed for a new one. So idle or slow clients cannot block a person's answer.

uvicorn limits concurrent requests and the time between two requests, but neither incomplete requests nor slow
readers."""

import asyncio
import ipaddress
import resource
from typing import Any, Final, NamedTuple

import h11
from typing_extensions import override
from uvicorn.config import Config
from uvicorn.protocols.http.h11_impl import H11Protocol
from uvicorn.server import ServerState

from ostrom.web.log import LOG

HEAD_TIMEOUT_S: Final = 10.0
"""The head of a request must be complete within this time."""
BODY_TIMEOUT_S: Final = 20.0
"""The body of a request, at most 64 kB, must be complete within this time."""
READ_TIMEOUT_S: Final = 30.0
"""A connection is closed after this time without reading its reply."""
MAX_ACCEPTED_AT_ONCE: Final = 16
"""Connections accepted in one turn of the event loop. Each is an open file before it can be refused, and closing a
refused one needs up to four turns."""
_RESERVED_FILES: Final = 128
"""Open files reserved for the journal, the log, late imports, and accepted but not yet refused connections."""
_MIN_CONNECTIONS: Final = 16
_MAX_CONNECTIONS: Final = 4096
"""Each connection needs about 30 kB of memory, and more while it sends a body."""


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
    """Return the client of a peer's address; an IPv6 network of 64 bits is one client, as it can use any address in
    it."""
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
    """The connections of one client."""

    def __init__(self) -> None:
        self.count = 0
        self.waiting: dict[LimitedConnection, None] = {}


class Connections:
    """All connections of a server. Those without a complete request are `waiting`, the oldest first."""

    def __init__(self, allowed: Capacity, proxy: str | None = None) -> None:
        self.allowed = allowed
        self.proxy = proxy
        """The address of a reverse proxy, which connects for many clients."""
        self.count = 0
        self._waiting: dict[LimitedConnection, None] = {}
        self._clients: dict[str, _Client] = {}
        self._admitted: set[LimitedConnection] = set()

    def admit(self, new: "LimitedConnection") -> bool:
        """Admit a connection, closing a waiting one if needed; return False if there is no room."""
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
        # Looked up again, as the closed connection may have been this client's last.
        self._clients.setdefault(new.origin, client).count += 1
        self.count += 1
        self._admitted.add(new)
        return True

    def wait(self, one: "LimitedConnection") -> None:
        """Mark a connection as waiting for a complete request."""
        self.answer(one)
        if one in self._admitted:
            self._waiting[one] = self._clients[one.origin].waiting[one] = None

    def answer(self, one: "LimitedConnection") -> None:
        """Mark a connection as having a complete request."""
        if one in self._admitted:
            self._waiting.pop(one, None)
            self._clients[one.origin].waiting.pop(one, None)

    def forget(self, one: "LimitedConnection") -> None:
        """Remove a closed connection."""
        if one in self._admitted:
            self.answer(one)
            self._admitted.discard(one)
            self.count -= 1
            client = self._clients[one.origin]
            client.count -= 1
            if not client.count:
                del self._clients[one.origin]

    def _make_room(self, waiting: dict["LimitedConnection", None]) -> bool:
        oldest = next(iter(waiting), None)
        if oldest is None:
            return False
        self.forget(oldest)
        oldest.transport.abort()
        return True


class LimitedConnection(H11Protocol):
    """A connection with timeouts, counted in the server's `Connections`."""

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
        """Seconds for the missing part of a request; None if it is complete."""
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
        """Restart the timer when another part of the request is missing; more bytes of the same part do not extend
        it."""
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
