"""A PostgreSQL server for as long as it is needed: from the distribution's packages, on a free port of the loopback
interface, as an ordinary user, in a folder that goes away with it."""

import getpass
import os
import shutil
import socket
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

HOW_TO_GET_IT = "PostgreSQL is not installed: apt-get install postgresql"

_OPTIONS = "-c listen_addresses=127.0.0.1 -c fsync=off -c max_connections=50"


class NoCluster(Exception):
    """PostgreSQL is installed and does not start."""


def programs() -> Path | None:
    """The folder with PostgreSQL's programs; Debian keeps them out of the search path, a folder a version."""
    debian = sorted(Path("/usr/lib/postgresql").glob("*/bin/initdb"), key=lambda path: float(path.parts[4]))
    found = shutil.which("initdb") or (debian[-1] if debian else None)
    return Path(found).parent if found else None


@contextmanager
def cluster(programs: Path) -> Iterator[int]:
    """The port of a running server, on which the user lab may do everything without a password."""
    # Not pytest's own folder: another user could not enter it, and a socket's path must be short.
    home = Path(tempfile.mkdtemp(prefix="ostrom-pg-"))
    user = "postgres" if os.geteuid() == 0 else getpass.getuser()
    if os.geteuid() == 0:
        shutil.chown(home, user)
    data, log = home / "data", home / "log"

    def call(*command: str | Path) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [*_ordinary(user), *map(str, command)], capture_output=True, text=True, cwd=home, check=False
        )

    try:
        made = call(programs / "initdb", "-D", data, "-U", "lab", "-A", "trust", "-E", "UTF8", "--locale=C", "-N")
        if made.returncode != 0:
            raise NoCluster(f"initdb failed: {made.stderr}")
        for _ in range(5):  # somebody else may take the port between its choice and the start
            port = free_port()
            options = f"{_OPTIONS} -p {port} -k {home}"
            # The server inherits our pipes, so its output must go elsewhere or we would wait for it for ever.
            started = call(programs / "pg_ctl", "-D", data, "-l", log, "-w", "-o", options, "start")
            if started.returncode == 0:
                break
        else:
            raise NoCluster(f"PostgreSQL does not start: {log.read_text()}")
        try:
            yield port
        finally:
            call(programs / "pg_ctl", "-D", data, "-w", "-m", "immediate", "stop")
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
    """A port that nobody uses."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


def _ordinary(user: str) -> list[str]:
    """What goes before a command so that an ordinary user runs it: PostgreSQL refuses to run as root."""
    return ["runuser", "-u", user, "--"] if os.geteuid() == 0 else []
