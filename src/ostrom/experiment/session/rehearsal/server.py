"""The server of a rehearsal: `ostrom session` in a process of its own, found by the links that it prints."""

import os
import re
import subprocess
import sys
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from queue import Empty, SimpleQueue
from typing import IO, Final

from ostrom.core import InputError
from ostrom.core.text import one_line

_JOIN: Final = re.compile(r"(https?://[^\s/]+)/join/([A-Z0-9]+)(?:#(\S+))?")
_HOST: Final = re.compile(r"https?://[^\s/]+/host#(\S+)")
START_TIMEOUT_S: Final = 120.0
STOP_TIMEOUT_S: Final = 60.0


@dataclass(frozen=True)
class SessionLinks:
    """The address, the join code and the links that a session's server prints."""

    address: str
    code: str
    """The join code."""
    host: str
    """The host's token."""
    links: tuple[str, ...]
    """The tokens of single-use links."""
    process: int
    """The id of the server's process."""


@contextmanager
def session_server(arguments: Sequence[str], links: int = 0) -> Iterator[SessionLinks]:
    """Run `ostrom session` with these arguments within a `with` block; `links` is the number of single-use links that
    it prints. Raise InputError with its message if it does not start."""
    # The child stops when its standard input ends, so that it does not outlive a rehearsal that is killed.
    command = [sys.executable, "-P", "-m", "ostrom.cli.child", "session", *arguments]
    process = subprocess.Popen(
        command,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        env=os.environ | {"COLUMNS": "400", "PYTHONUNBUFFERED": "1"},
        start_new_session=True,  # Ctrl-C ends the rehearsal, which then stops the server.
    )
    assert process.stdin is not None
    assert process.stdout is not None
    lines: SimpleQueue[str | None] = SimpleQueue()
    reading = threading.Thread(target=_read, args=(process.stdout, lines), daemon=True)
    reading.start()
    try:
        yield _links(process, lines, links)
    finally:
        process.terminate()
        try:
            process.wait(STOP_TIMEOUT_S)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
        process.stdin.close()
        reading.join()
        process.stdout.close()


def _read(output: IO[str], lines: "SimpleQueue[str | None]") -> None:
    for line in output:
        lines.put(line)
    lines.put(None)


def _links(process: "subprocess.Popen[str]", lines: "SimpleQueue[str | None]", count: int) -> SessionLinks:
    place: tuple[str, str] | None = None
    host: str | None = None
    tokens: list[str] = []
    printed: list[str] = []
    while place is None or host is None or len(tokens) < count:
        try:
            line = lines.get(timeout=START_TIMEOUT_S)
        except Empty:
            raise InputError(f"the session's server did not start within {START_TIMEOUT_S:g} s") from None
        if line is None:
            text = one_line(" ".join(printed[-3:]), 500) or f"exit status {process.wait()}"
            raise InputError(f"the session's server did not start: {text}")
        printed.append(line)
        if (join := _JOIN.search(line)) is not None:
            place = (join[1], join[2])
            if join[3]:
                tokens.append(join[3])
        if (link := _HOST.search(line)) is not None:
            host = link[1]
    return SessionLinks(*place, host, tuple(tokens), process.pid)
