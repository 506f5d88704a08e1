"""Who may stay connected. A connection costs an open file, and a process has few: so connections are limited, in all
and for each client, below the limit of open files; a request must be complete within seconds; and where there is no
room left, whoever has waited longest without a whole request makes room for who comes. A person's answer is sent as a
whole, so that nobody who stands around idle or speaks slowly can keep it out.

uvicorn has a limit of requests that are answered at once and a timeout between two requests; it has none for a request
that does not come to its end, and none for a reader who does not read."""

import asyncio
import ipaddress
import resource
from typing import Any, Final, NamedTuple

import h11
from uvicorn.config import Config
from uvicorn.protocols.http.h11_impl import H11Protocol
from uvicorn.server import ServerState

from ostrom.web.log import LOG

HEAD_WITHIN: Final = 10.0
"""Seconds in which the head of a request must have come."""
BODY_WITHIN: Final = 20.0
"""Likewise its body, which has 64 kB at most."""
READ_WITHIN: Final = 30.0
"""Seconds for which a reader may take nothing of what waits for it."""
AT_ONCE: Final = 16
"""Connections that are accepted before anything else is done. Each of them is an open file before it can be refused,
and the loop takes up to four turns until one that was refused is closed."""
_RESERVE: Final = 128
"""Files at the least that connections leave alone: the journal's, the log's, modules that are imported late, and what
is accepted and not yet refused."""
_FEWEST, _MOST = 16, 4096
"""Connections, however many files may be open; each takes some 30 kB of memory, and more while it sends a body."""


class Capacity(NamedTuple):
    """How many connections there may be."""

    connections: int
    per_client: int


def capacity(others: int = 0, files: int | None = None) -> Capacity:
    """What the limit of open files allows, where `others` are needed for something else: calls to models."""
    files = resource.getrlimit(resource.RLIMIT_NOFILE)[0] if files is None else files
    if files == resource.RLIM_INFINITY:
        return Capacity(_MOST, _MOST // 2)
    most = min(_MOST, max(_FEWEST, files - max(_RESERVE, files // 4) - others))
    return Capacity(most, most // 2)


def client_of(peer: Any) -> str:
    """Who is meant by the address of a peer: an IPv6 network of 64 bits is one client, since it has as many addresses
    as it likes."""
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
        self.waiting: dict[Connection, None] = {}


class Connections:
    """All connections of a server; those without a whole request, `waiting`, in the order in which they became so."""

    def __init__(self, allowed: Capacity, proxy: str | None = None) -> None:
        self.allowed = allowed
        self.proxy = proxy
        """The address of a reverse proxy, which connects in the name of many."""
        self.count = 0
        self._waiting: dict[Connection, None] = {}
        self._clients: dict[str, _Client] = {}
        self._there: set[Connection] = set()

    def admit(self, new: "Connection") -> bool:
        """Count a connection in, whoever has to make room for it; False where nobody can."""
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
        # Asked for again: who made room may have been this client's last.
        self._clients.setdefault(new.origin, client).count += 1
        self.count += 1
        self._there.add(new)
        return True

    def wait(self, one: "Connection") -> None:
        """A connection has no whole request, from now on."""
        self.answer(one)
        if one in self._there:
            self._waiting[one] = self._clients[one.origin].waiting[one] = None

    def answer(self, one: "Connection") -> None:
        """A connection has a whole request, which is being answered."""
        if one in self._there:
            self._waiting.pop(one, None)
            self._clients[one.origin].waiting.pop(one, None)

    def forget(self, one: "Connection") -> None:
        """A connection is gone."""
        if one in self._there:
            self.answer(one)
            self._there.discard(one)
            self.count -= 1
            client = self._clients[one.origin]
            client.count -= 1
            if not client.count:
                del self._clients[one.origin]

    def _make_room(self, waiting: dict["Connection", None]) -> bool:
        oldest = next(iter(waiting), None)
        if oldest is None:
            return False
        self.forget(oldest)
        oldest.transport.abort()
        return True


class Connection(H11Protocol):
    """A connection that is held to the clock, among others that are counted."""

    def __init__(
        self,
        config: Config,
        server_state: ServerState,
        app_state: dict[str, Any],
        _loop: asyncio.AbstractEventLoop | None = None,
    ) -> None:
        super().__init__(config, server_state, app_state, _loop)
        app: Any = config.app
        self._among: Connections = app.state.connections
        self.origin = ""
        self._within: float | None = None
        """Seconds that what is missing of a request may take; nothing where it is whole."""
        self._due: asyncio.TimerHandle | None = None
        self._unread: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Somebody has come."""
        super().connection_made(transport)
        self.origin = client_of(self.client)
        if self._among.admit(self):
            self._follow()
        else:
            transport.abort()

    def connection_lost(self, exc: Exception | None) -> None:
        """Somebody is gone."""
        super().connection_lost(exc)
        self._among.forget(self)
        for timer in (self._due, self._unread):
            if timer is not None:
                timer.cancel()

    def handle_events(self) -> None:
        """Read what has come of a request; called with every byte of it, and after every answer."""
        super().handle_events()
        self._follow()

    def pause_writing(self) -> None:
        """The reader takes too little of what is sent."""
        super().pause_writing()
        if self._unread is None:
            self._unread = self.loop.call_later(READ_WITHIN, self.transport.abort)

    def resume_writing(self) -> None:
        """The reader has caught up."""
        super().resume_writing()
        if self._unread is not None:
            self._unread.cancel()
            self._unread = None

    def _follow(self) -> None:
        """Set the clock by what is missing of the request, whenever that has become something else. A byte more of the
        same thing gives no more time."""
        missing = {h11.IDLE: HEAD_WITHIN, h11.SEND_BODY: BODY_WITHIN}
        within = missing.get(self.conn.their_state)
        if within == self._within:
            return
        self._within = within
        if self._due is not None:
            self._due.cancel()
            self._due = None
        if within is None:
            self._among.answer(self)
        else:
            self._among.wait(self)
            self._due = self.loop.call_later(within, self.transport.abort)
