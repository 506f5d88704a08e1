"""A small HTTP client for one participant of a session: requests over one connection, and a stream of states over
another. It needs nothing beyond the standard library, and hundreds of clients share one event loop."""

import asyncio
import json
import time
from collections.abc import AsyncGenerator, AsyncIterator, Mapping
from types import TracebackType
from typing import Any, Final, NamedTuple, Self
from urllib.parse import urlsplit

MAX_IDLE_S: Final = 3.0
"""The time after which an idle connection is not used again: the server may be closing it."""
MAX_LINE_BYTES: Final = 2**20
"""The largest number of bytes of one line of a stream."""


class HttpReply(NamedTuple):
    """The reply to a request."""

    status: int
    body: Any
    """The JSON of the body; None if it is not JSON."""


class ConnectionLost(Exception):
    """Raised if the server closes a connection before a reply is complete."""


class HttpClient:
    """A client with one connection, which is opened again if the server closes it."""

    def __init__(self, address: str) -> None:
        place = urlsplit(address)
        self._host, self._port = place.hostname or "127.0.0.1", place.port or 80
        self.headers: dict[str, str] = {}
        """Headers of all requests, such as the participant's token."""
        self._streams: tuple[asyncio.StreamReader, asyncio.StreamWriter] | None = None
        self._used = 0.0
        self._turn = asyncio.Lock()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Close the connection."""
        if self._streams is not None:
            self._streams[1].close()
            self._streams = None

    async def call(self, method: str, path: str, body: Any = None) -> HttpReply:
        """Send a request, and return the reply. Raise ConnectionLost or OSError if there is none."""
        async with self._turn:
            known = self._streams is not None
            try:
                return await self._exchange(method, path, body)
            except (ConnectionLost, OSError, asyncio.CancelledError) as error:
                self.close()
                # The server may have closed an idle connection. Posts may have arrived, so only reads are repeated.
                if not known or method != "GET" or isinstance(error, asyncio.CancelledError):
                    raise
                return await self._exchange(method, path, body)

    async def _exchange(self, method: str, path: str, body: Any) -> HttpReply:
        if time.monotonic() - self._used > MAX_IDLE_S:
            self.close()
        if self._streams is None:
            self._streams = await self._connect()
        reader, writer = self._streams
        writer.write(self._request(method, path, body))
        await writer.drain()
        status, headers = await _head(reader)
        content = await _content(reader, headers)
        self._used = time.monotonic()
        if headers.get("connection", "").lower() == "close":
            self.close()
        return HttpReply(status, _json(content))

    async def events(self, path: str) -> AsyncGenerator[Any, None]:
        """Yield the data of each event of a stream. Raise ConnectionLost if the reply is no stream."""
        reader, writer = await self._connect()
        try:
            writer.write(self._request("GET", path, None))
            await writer.drain()
            status, headers = await _head(reader)
            if status != 200:
                raise ConnectionLost(f"the stream of events was answered with status {status}")
            lines = _chunked_lines(reader) if "chunked" in headers.get("transfer-encoding", "") else _lines(reader)
            async for line in lines:
                if line.startswith(b"data:"):
                    yield json.loads(line[5:])
        finally:
            writer.close()

    async def _connect(self) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        return await asyncio.open_connection(self._host, self._port, limit=MAX_LINE_BYTES)

    def _request(self, method: str, path: str, body: Any) -> bytes:
        content = b"" if body is None else json.dumps(body).encode()
        headers = {"Host": f"{self._host}:{self._port}", "Accept-Encoding": "identity", **self.headers}
        if body is not None:
            headers |= {"Content-Type": "application/json", "Content-Length": str(len(content))}
        lines = [f"{method} {path} HTTP/1.1", *(f"{name}: {value}" for name, value in headers.items()), "", ""]
        return "\r\n".join(lines).encode("latin-1") + content


async def _head(reader: asyncio.StreamReader) -> tuple[int, Mapping[str, str]]:
    try:
        head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1").split("\r\n")
    except (asyncio.IncompleteReadError, asyncio.LimitOverrunError) as error:
        raise ConnectionLost("the server closed the connection") from error
    pairs = (line.partition(":") for line in head[1:] if line)
    return int(head[0].split()[1]), {name.strip().lower(): value.strip() for name, _, value in pairs}


async def _content(reader: asyncio.StreamReader, headers: Mapping[str, str]) -> bytes:
    try:
        if "chunked" in headers.get("transfer-encoding", ""):
            return b"".join([chunk async for chunk in _chunks(reader)])
        return await reader.readexactly(int(headers.get("content-length", 0)))
    except asyncio.IncompleteReadError as error:
        raise ConnectionLost("the server closed the connection") from error


async def _chunks(reader: asyncio.StreamReader) -> AsyncIterator[bytes]:
    while size := int((await reader.readline()).split(b";")[0] or b"0", 16):
        yield await reader.readexactly(size)
        await reader.readline()
    await reader.readline()


async def _chunked_lines(reader: asyncio.StreamReader) -> AsyncIterator[bytes]:
    rest = b""
    try:
        async for chunk in _chunks(reader):
            *lines, rest = (rest + chunk).split(b"\n")
            for line in lines:
                yield line.rstrip(b"\r")
    except asyncio.IncompleteReadError:
        return


async def _lines(reader: asyncio.StreamReader) -> AsyncIterator[bytes]:
    while line := await reader.readline():
        yield line.rstrip(b"\r\n")


def _json(content: bytes) -> Any:
    try:
        return json.loads(content)
    except ValueError:
        return None
