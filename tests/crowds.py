"""Connections that want nothing good: a crowd of raw sockets around a server in a process of its own, which may open
only so many files; and what the process then takes."""

import os
import resource
import socket
import subprocess
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import urlsplit

from at_seats import OSTROM, some_pages

HEAD = b"GET /api/seat HTTP/1.1\r\nHost: 127.0.0.1\r\nX-Slow: "
BODY = (
    b"POST /api/seat/answer HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\n"
    b'Content-Length: 2000\r\nOstrom-Seat: %s\r\n\r\n{"question":'
)


@contextmanager
def bounded(folder: Path, files: int, *arguments: object) -> Iterator[tuple["subprocess.Popen[str]", Path]]:
    """A command that may open only so many files, and the file with what it says to standard error."""
    log = folder / "stderr.log"

    def few() -> None:
        resource.setrlimit(resource.RLIMIT_NOFILE, (files, files))

    with log.open("wb") as errors:
        started = subprocess.Popen(
            [OSTROM, *map(str, arguments)],
            cwd=folder,
            env=os.environ | {"OSTROM_PAGES": str(some_pages(folder)), "COLUMNS": "100"},
            stdout=subprocess.PIPE,
            stderr=errors,
            text=True,
            preexec_fn=few,
        )
        try:
            yield started, log
        finally:
            started.kill()
            started.wait()
            assert started.stdout is not None
            started.stdout.close()


class Crowd:
    """Raw sockets at one server. What the server closes stays closed: nobody comes back."""

    def __init__(self, address: str) -> None:
        place = urlsplit(address)
        self._place = (place.hostname, place.port)
        self._sockets: list[socket.socket] = []
        self._stop = threading.Event()
        self._dripping: list[threading.Thread] = []

    def open(self, count: int, said: bytes = b"") -> list[socket.socket]:
        """So many connections, each of which says this and no more."""
        new = []
        for _ in range(count):
            try:
                one = socket.create_connection(self._place, timeout=60)
                one.sendall(said)
            except OSError:  # refused, or closed at once: what a crowd deserves
                continue
            new.append(one)
        self._sockets += new
        return new

    def drip(self, count: int, said: bytes) -> None:
        """So many connections that say this, and then a byte now and then."""
        new = self.open(count, said)

        def drop() -> None:
            while not self._stop.wait(0.5):
                for one in new:
                    try:
                        one.send(b"x")
                    except OSError:
                        continue

        self._dripping.append(threading.Thread(target=drop))
        self._dripping[-1].start()

    def close(self) -> None:
        self._stop.set()
        for thread in self._dripping:
            thread.join()
        for one in self._sockets:
            one.close()


@contextmanager
def crowd(address: str) -> Iterator[Crowd]:
    """A crowd that goes home at the end."""
    made = Crowd(address)
    try:
        yield made
    finally:
        made.close()


def memory(process: "subprocess.Popen[str]") -> int:
    """Bytes that a process holds in memory."""
    status = Path(f"/proc/{process.pid}/status").read_text()
    return 1024 * next(int(line.split()[1]) for line in status.splitlines() if line.startswith("VmRSS"))


def open_files(process: "subprocess.Popen[str]") -> int:
    """How many files a process has open."""
    return len(os.listdir(f"/proc/{process.pid}/fd"))
