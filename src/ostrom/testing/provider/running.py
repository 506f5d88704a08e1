"""Runs a provider: in the event loop of a process of its own, or in a thread beside whoever uses it."""

import asyncio
import threading
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from types import TracebackType
from typing import Any, Self

from ostrom.core import InputError
from ostrom.testing.provider.http import Connection
from ostrom.testing.provider.service import Service, Settings

LOOPBACK = "127.0.0.1"
_BACKLOG = 4096
"""Connections that may wait to be taken: a client may open a thousand at once."""


@asynccontextmanager
async def serving(settings: Settings, port: int = 0) -> AsyncIterator[tuple[Service, str]]:
    """A provider that listens on the loopback interface, and its base URL."""
    service = Service(settings)
    connections: set[Connection] = set()
    loop = asyncio.get_running_loop()
    try:
        server = await loop.create_server(
            lambda: Connection(service.serve, connections), LOOPBACK, port, backlog=_BACKLOG
        )
    except OSError as reason:
        raise InputError(f"port {port} cannot be listened on: {reason.strerror}; --port 0 takes a free one") from None
    try:
        yield service, f"http://{LOOPBACK}:{server.sockets[0].getsockname()[1]}/v1"
    finally:
        server.close()
        service.account.close()
        for connection in list(connections):
            connection.transport.abort()


class Provider:
    """A provider in a thread of this process, for the length of a `with` block. Takes what `Settings` has."""

    def __init__(self, port: int = 0, **settings: Any) -> None:
        self._settings = Settings(**settings)
        self._port = port
        self._ready = threading.Event()
        self._thread = threading.Thread(target=self._run, name="provider", daemon=True)
        self._error: BaseException | None = None
        self._last: dict[str, Any] | None = None
        self._loop: asyncio.AbstractEventLoop
        self._stop: asyncio.Event
        self._service: Service
        self.base_url: str
        """Where it listens, ready to be handed to a client."""

    def __enter__(self) -> Self:
        self._thread.start()
        self._ready.wait()
        if self._error is not None:
            raise self._error
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._loop.call_soon_threadsafe(self._stop.set)
        self._thread.join()

    def account(self) -> dict[str, Any]:
        """What it was asked and what it sent; after the block, the last state."""
        if self._last is not None:
            return self._last
        return asyncio.run_coroutine_threadsafe(self._summary(), self._loop).result()

    def prompts(self, reference: str) -> list[dict[str, Any]]:
        """The requests under this id, with their messages; needs `keep`."""
        found = self._service.account.kept(reference)
        return found["requests"] if isinstance(found, dict) else []

    async def _summary(self) -> dict[str, Any]:
        return self._service.account.summary()

    def _run(self) -> None:
        try:
            asyncio.run(self._serve())
        except BaseException as error:
            self._error = error
        finally:
            self._ready.set()

    async def _serve(self) -> None:
        self._loop, self._stop = asyncio.get_running_loop(), asyncio.Event()
        async with serving(self._settings, self._port) as (service, base_url):
            self._service, self.base_url = service, base_url
            self._ready.set()
            await self._stop.wait()
        self._last = service.account.summary()
