"""A PostgreSQL server for as long as it is needed: from the distribution's packages, on a free port of the loopback
interface, as an ordinary user, in a folder that goes away with it."""

import contextlib
import getpass
import os
import secrets
import shutil
import socket
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

HOW_TO_GET_IT = "PostgreSQL is not installed: apt-get install postgresql"

_OPTIONS = "-c listen_addresses=127.0.0.1 -c fsync=off -c max_connections=50"


FREE_PORTS = range(10_000, 32_000)
"""Linux hands out ports from 32,768, macOS from 49,152."""


class NoCluster(Exception):
    """PostgreSQL is installed and does not start."""


def programs() -> Path | None:
    """The folder with PostgreSQL's programs; Debian keeps them out of the search path, a folder a version."""
    debian = sorted(Path("/usr/lib/postgresql").glob("*/bin/initdb"), key=lambda path: float(path.parts[4]))
    found = shutil.which("initdb") or (debian[-1] if debian else None)
    return Path(found).parent if found else None


@dataclass
class Server:
    """A server that can be stopped and started again, with all that it holds."""

    programs: Path
    home: Path
    user: str
    port: int = 0

    def call(self, program: str, *arguments: str | Path) -> "subprocess.CompletedProcess[str]":
        """Run one of PostgreSQL's programs as the server's user."""
        command = [*_ordinary(self.user), str(self.programs / program), *map(str, arguments)]
        return subprocess.run(command, capture_output=True, text=True, cwd=self.home, check=False)

    def start(self) -> bool:
        """Start it at its port; whether that went well."""
        options = f"{_OPTIONS} -p {self.port} -k {self.home}"
        # The server inherits our pipes, so its output must go elsewhere or we would wait for it for ever.
        log = ("-l", self.home / "log", "-w")
        return self.call("pg_ctl", "-D", self.home / "data", *log, "-o", options, "start").returncode == 0

    def stop(self, how: str = "immediate") -> None:
        """Stop it: `fast` in order, `immediate` as a crash does."""
        self.call("pg_ctl", "-D", self.home / "data", "-w", "-m", how, "stop")


@contextmanager
def cluster(programs: Path) -> Iterator[Server]:
    """A running server, on which the user lab may do everything without a password."""
    # Not pytest's own folder: another user could not enter it, and a socket's path must be short.
    home = Path(tempfile.mkdtemp(prefix="ostrom-pg-"))
    server = Server(programs, home, "postgres" if os.geteuid() == 0 else getpass.getuser())
    if os.geteuid() == 0:
        shutil.chown(home, server.user)
    try:
        how = ("-U", "lab", "-A", "trust", "-E", "UTF8", "--locale=C", "-N")
        made = server.call("initdb", "-D", home / "data", *how)
        if made.returncode != 0:
            raise NoCluster(f"initdb failed: {made.stderr}")
        for _ in range(5):  # somebody else may take the port between its choice and the start
            server.port = free_port()
            if server.start():
                break
        else:
            raise NoCluster(f"PostgreSQL does not start: {(home / 'log').read_text()}")
        try:
            yield server
        finally:
            server.stop()
    finally:
        shutil.rmtree(home, ignore_errors=True)


def new_database(port: int, name: str) -> str:
    """Make an empty database on the server at this port; its URL."""
    import psycopg

    with psycopg.connect(host="127.0.0.1", port=port, user="lab", dbname="postgres") as server:
        server.autocommit = True
        server.execute(f"CREATE DATABASE {name}".encode())
    return f"postgresql://lab@127.0.0.1:{port}/{name}"


def free_port() -> int:
    """A free port to be bound later, below those that the system hands out to whoever binds or connects meanwhile."""
    while True:
        port = FREE_PORTS.start + secrets.randbelow(len(FREE_PORTS))
        with socket.socket() as probe, contextlib.suppress(OSError):
            probe.bind(("127.0.0.1", port))
            return port


def _ordinary(user: str) -> list[str]:
    """What goes before a command so that an ordinary user runs it: PostgreSQL refuses to run as root."""
    return ["runuser", "-u", user, "--"] if os.geteuid() == 0 else []
