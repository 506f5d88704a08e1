"""Sessions that were started from a page. Each is served by `ostrom session` in a process of its own, at a port of its
own. When the lab's server ends, even if it is killed, these processes end too; a session can then be continued, with
the same links."""

import asyncio
import os
import re
import signal
import sys
from collections import deque
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from ostrom.core import InputError
from ostrom.core.text import one_line
from ostrom.journal.engine import VARIABLE

PROGRAM: Final = (sys.executable, "-P", "-m", "ostrom.cli.child", "session", "play")
"""The command that serves a session. It ends when this process ends."""
MAX_SESSIONS: Final = 4
START_TIMEOUT_S: Final = 120.0
_STOP_TIMEOUT_S: Final = 60.0
_MAX_LINE_BYTES: Final = 4 * 1024 * 1024
"""The size of the longest line, which may have a long title."""
_MAX_MESSAGES: Final = 6
_MAX_MESSAGE_CHARACTERS: Final = 600
_TOKEN: Final = "OSTROM_TOKEN"
_LAST_LINE: Final = "Ctrl-C stops"
_ID: Final = re.compile(r"\((s-[0-9]+)\)$")
_JOIN: Final = re.compile(r"^People join at (https?://\S+)  with the code ([A-Z0-9]+)$")
_HOST: Final = re.compile(r"^The host's page, .*: (https?://\S+/host#\S+)$")
_LINK: Final = re.compile(r"^  (https?://\S+/join/[A-Z0-9]+#\S+)$")


@dataclass(eq=False)
class SessionRun:
    """A session that is served by a process of this server."""

    session: str = ""
    """The id of the session."""
    join: str | None = None
    """The address at which people join; None if they need single-use links."""
    code: str | None = None
    host: str | None = None
    """The link of the host's page; None if the session was continued, since the link is then known already."""
    links: list[str] = field(default_factory=list)
    """The single-use links."""
    process: asyncio.subprocess.Process | None = None
    messages: deque[str] = field(default_factory=lambda: deque(maxlen=_MAX_MESSAGES))
    reading: "list[asyncio.Task[None]]" = field(default_factory=list)

    @property
    def is_running(self) -> bool:
        return self.process is not None and self.process.returncode is None

    def read(self, line: str, *, first: bool) -> None:
        """Read a line that the command prints. The first line has a title, which may look like any other line."""
        if first:
            if (named := _ID.search(line)) is not None:
                self.session = named[1]
        elif (join := _JOIN.search(line)) is not None:
            self.join, self.code = join[1], join[2]
        elif (host := _HOST.search(line)) is not None:
            self.host = host[1]
        elif (link := _LINK.search(line)) is not None:
            self.links.append(link[1])


class SessionRuns:
    """The sessions that one server has started."""

    def __init__(self, store: str, plugins: Sequence[Path] = (), host: str = "127.0.0.1") -> None:
        """Serve sessions of the journal at this address, with these plugin files, at this host's address."""
        self._store, self._plugins, self._host = store, plugins, host
        self._runs: dict[str, SessionRun] = {}
        self._starting = 0
        self._closed = False
        self.interrupted: tuple[str, ...] = ()
        """The ids of the sessions that were being served when the server ended."""

    def of(self, session: str) -> SessionRun | None:
        """Return the run of a session that is being served, or None."""
        run = self._runs.get(session)
        return run if run is not None and run.is_running else None

    def running(self) -> list[str]:
        """Return the ids of the sessions that are being served."""
        return [name for name, run in self._runs.items() if run.is_running]

    async def start(self, text: str, *, everywhere: bool = False) -> SessionRun:
        """Create a session from the text of a file without mistakes, and serve it. With `everywhere`, other machines
        can reach it, which need the join code or a link."""
        with TemporaryDirectory(prefix="ostrom-session-") as folder:
            file = Path(folder) / "session.toml"
            file.write_text(text, encoding="utf-8")
            # The command stores the file in the journal before it prints its links.
            return await self._serve([str(file), "--new", *self._place(everywhere)])

    async def resume(self, session: str) -> SessionRun:
        """Serve a stored session, at the place that its links name."""
        if self.of(session) is not None:
            raise InputError(f"{session} is already being served here")
        return await self._serve([session])

    async def stop(self, session: str) -> None:
        """Stop serving a session. Nothing is lost, and the session can be continued."""
        run = self.of(session)
        if run is None:
            raise InputError(f"{session} is not being served here")
        await self._end(run)

    async def close(self) -> None:
        """Stop serving all sessions."""
        self._closed = True
        self.interrupted = tuple(self.running())
        await asyncio.gather(*(self._end(run) for run in self._runs.values()))

    def _place(self, everywhere: bool) -> list[str]:
        return ["--host", "0.0.0.0" if everywhere else self._host, "--port", "0"]

    async def _serve(self, arguments: Sequence[str]) -> SessionRun:
        if self._closed:
            raise InputError("this server is stopping; start it again when it is back")
        if len(self.running()) + self._starting >= MAX_SESSIONS:
            raise InputError(f"{MAX_SESSIONS} sessions are already being served here; stop one of them first")
        self._starting += 1
        run = SessionRun()
        try:
            run.process = await self._process(arguments)
            await asyncio.wait_for(self._read_links(run), START_TIMEOUT_S)
        except BaseException as error:
            await self._end(run)
            if isinstance(error, TimeoutError):
                raise InputError(f"the session's server did not start within {START_TIMEOUT_S:g} s") from None
            raise
        finally:
            self._starting -= 1
        self._runs[run.session] = run
        if self._closed:
            await self._end(run)
        return run

    async def _process(self, arguments: Sequence[str]) -> asyncio.subprocess.Process:
        environment = {name: value for name, value in os.environ.items() if name != _TOKEN}
        plugins = [word for file in self._plugins for word in ("--plugin", str(file))]
        *program, action = PROGRAM
        return await asyncio.create_subprocess_exec(
            *(*program, *plugins, action, *arguments),
            # When this pipe is closed, the process detects that the server has ended.
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.PIPE,
            # The address may have a password, so it is not passed as an argument, which other users can read.
            env={**environment, VARIABLE: self._store, "PYTHONUNBUFFERED": "1"},
            limit=_MAX_LINE_BYTES,
            start_new_session=True,  # The server passes Ctrl-C in its terminal on to the sessions.
        )

    async def _read_links(self, run: SessionRun) -> None:
        """Read what the command prints until it serves. Raise InputError with its messages if it ends before."""
        assert run.process is not None
        assert run.process.stdout is not None
        assert run.process.stderr is not None
        messages = asyncio.create_task(_read_messages(run, run.process.stderr))
        run.reading.append(messages)
        first = True
        async for line in run.process.stdout:
            text = line.decode(errors="replace").rstrip("\n")
            if text.startswith(_LAST_LINE) and not first:
                break
            run.read(text, first=first)
            first = False
        else:
            await messages
            reason = one_line("; ".join(run.messages), _MAX_MESSAGE_CHARACTERS)
            raise InputError(f"the session could not be served: {reason or 'its server ended'}")
        if not run.session:
            raise InputError("the session's server did not name its session")
        run.reading.append(asyncio.create_task(_discard(run.process.stdout)))

    async def _end(self, run: SessionRun) -> None:
        """Interrupt the process of a session, and wait until it has ended."""
        if run.process is None:
            return
        if run.is_running:
            with suppress(ProcessLookupError):
                run.process.send_signal(signal.SIGINT)
        try:
            await asyncio.wait_for(run.process.wait(), _STOP_TIMEOUT_S)
        except TimeoutError:
            run.process.kill()
            await run.process.wait()
        if run.process.stdin is not None:
            run.process.stdin.close()
        if run.reading:
            await asyncio.wait(run.reading)


async def _read_messages(run: SessionRun, stream: asyncio.StreamReader) -> None:
    """Keep the last messages that the command prints for its user."""
    rest = b""
    while piece := await stream.read(_MAX_LINE_BYTES):
        *lines, rest = (rest + piece).split(b"\n")
        run.messages.extend(_message(line) for line in lines if line.strip())
        rest = rest[-_MAX_LINE_BYTES:]
    if rest.strip():
        run.messages.append(_message(rest))


def _message(line: bytes) -> str:
    return one_line(line.decode(errors="replace").removeprefix("ostrom: "), _MAX_MESSAGE_CHARACTERS)


async def _discard(stream: asyncio.StreamReader) -> None:
    while await stream.read(_MAX_LINE_BYTES):
        continue
