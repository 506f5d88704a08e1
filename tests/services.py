"""Services that tests need for real, started by the tests themselves. A plugin of pytest.

PostgreSQL comes from the distribution's packages and is started once a session (with pytest-xdist, once a worker) on a
free port of the loopback interface, as an ordinary user, in a folder that goes away with it.
"""

import getpass
import os
import shutil
import socket
import subprocess
import tempfile
from collections.abc import Callable, Iterator
from itertools import count
from pathlib import Path

import pytest

HOW_TO_GET_IT = "PostgreSQL is not installed: apt-get install postgresql"
REQUIRED = "OSTROM_REQUIRE_SERVICES"
"""With this environment variable set to 1, a missing service is a failure."""

_OPTIONS = "-c listen_addresses=127.0.0.1 -c fsync=off -c max_connections=50"


def _programs() -> Path | None:
    """The folder with PostgreSQL's programs; Debian keeps them out of the search path, a folder a version."""
    debian = sorted(Path("/usr/lib/postgresql").glob("*/bin/initdb"), key=lambda path: float(path.parts[4]))
    found = shutil.which("initdb") or (debian[-1] if debian else None)
    return Path(found).parent if found else None


def _missing(reason: str) -> None:
    if os.environ.get(REQUIRED) == "1":
        pytest.fail(reason)
    pytest.skip(reason)


def _ordinary(user: str) -> list[str]:
    """What goes before a command so that an ordinary user runs it: PostgreSQL refuses to run as root."""
    return ["runuser", "-u", user, "--"] if os.geteuid() == 0 else []


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


@pytest.fixture(scope="session")
def postgresql_port() -> Iterator[int]:
    """The port of a running server, on which the user lab may do everything without a password."""
    programs = _programs()
    if programs is None:
        _missing(HOW_TO_GET_IT)
        return
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
        assert made.returncode == 0, made.stderr
        for _ in range(5):  # somebody else may take the port between its choice and the start
            port = _free_port()
            options = f"{_OPTIONS} -p {port} -k {home}"
            # The server inherits our pipes, so its output must go elsewhere or we would wait for it for ever.
            started = call(programs / "pg_ctl", "-D", data, "-l", log, "-w", "-o", options, "start")
            if started.returncode == 0:
                break
        else:
            pytest.fail(f"PostgreSQL does not start: {log.read_text()}")
        try:
            yield port
        finally:
            call(programs / "pg_ctl", "-D", data, "-w", "-m", "immediate", "stop")
    finally:
        shutil.rmtree(home, ignore_errors=True)


@pytest.fixture(scope="session")
def new_database(postgresql_port: int) -> Callable[[], str]:
    """Makes an empty database, and gives its URL."""
    import psycopg

    numbers = count(1)

    def make() -> str:
        name = f"test_{next(numbers)}"
        with psycopg.connect(host="127.0.0.1", port=postgresql_port, user="lab", dbname="postgres") as server:
            server.autocommit = True
            server.execute(f"CREATE DATABASE {name}".encode())
        return f"postgresql://lab@127.0.0.1:{postgresql_port}/{name}"

    return make


@pytest.fixture(params=["sqlite", "postgresql"])
def store(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """The URL of a place where no journal is yet, in either database."""
    if request.param == "sqlite":
        return f"sqlite:///{tmp_path / 'journal.db'}"
    make: Callable[[], str] = request.getfixturevalue("new_database")
    return make()
