"""A server on another machine that asks for the journal's password in the clear gets none."""

import socket
import struct
import threading
from collections.abc import Iterator

import pytest
from sqlalchemy import make_url

from ostrom.core import JournalError
from ostrom.journal.engine import guarded
from ostrom.journal.sql import Journal

PASSWORD = "planted-word-of-the-store"
_WISHES = (80877103, 80877104)
"""By which a client asks for TLS, and for GSS."""


class AskingServer:
    """Speaks as much of PostgreSQL as it takes to ask for a password in the clear, and keeps what it is told."""

    def __init__(self) -> None:
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.port = self.listener.getsockname()[1]
        self.heard: list[bytes] = []
        self.thread = threading.Thread(target=self._serve)
        self.thread.start()

    def _serve(self) -> None:
        while True:
            try:
                connection, _ = self.listener.accept()
            except OSError:
                return
            with connection:
                connection.settimeout(600)
                self._ask(connection)

    def _ask(self, connection: socket.socket) -> None:
        while (first := connection.recv(8)) and struct.unpack("!ii", first)[1] in _WISHES:
            connection.sendall(b"N")
        if first:
            connection.recv(struct.unpack("!ii", first)[0] - 8)
            connection.sendall(b"R" + struct.pack("!ii", 8, 3))  # AuthenticationCleartextPassword
            self.heard.append(connection.recv(1000))

    def close(self) -> None:
        self.listener.shutdown(socket.SHUT_RDWR)
        self.listener.close()
        self.thread.join()


@pytest.fixture
def asking() -> Iterator[AskingServer]:
    server = AskingServer()
    yield server
    server.close()


def complaint(place: str) -> str:
    with pytest.raises(JournalError) as refused:
        Journal.open(f"postgresql://lab:{PASSWORD}@{place}")
    assert not refused.value.passing or "clear" not in str(refused.value)
    assert "\n" not in str(refused.value)
    assert PASSWORD not in str(refused.value)
    return str(refused.value)


def test_another_machine_gets_no_password_in_the_clear(asking: AskingServer) -> None:
    # The name is another machine's; that it leads here is what lets the test hear what such a machine would.
    said = complaint(f"db.example.com:{asking.port}/games?hostaddr=127.0.0.1")
    assert "the server asks for the password in the clear" in said
    assert "sslmode=verify-full" in said
    assert b"".join(asking.heard) == b""


def test_this_machine_gets_it(asking: AskingServer) -> None:
    complaint(f"127.0.0.1:{asking.port}/games")
    assert PASSWORD.encode() in b"".join(asking.heard)


@pytest.mark.parametrize(
    ("place", "is_guarded"),
    [
        ("localhost/x", False),
        ("/x", False),
        ("/x?host=/run/postgresql", False),
        ("[::1]/x", False),
        ("db/x", True),
        ("10.0.0.7:5432/x", True),
        ("/x?host=127.0.0.1,10.0.0.7", True),
        ("localhost/x?hostaddr=10.0.0.7", True),
        ("/x?service=far", True),
        ("db/x?sslmode=prefer", True),
        ("db/x?sslmode=verify-full", False),
        ("db/x?sslmode=require", False),
        ("db/x?require_auth=none", False),
    ],
)
def test_which_connections_are_guarded(place: str, is_guarded: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("PGHOST", "PGHOSTADDR", "PGSSLMODE", "PGSERVICE", "PGREQUIREAUTH"):
        monkeypatch.delenv(name, raising=False)
    assert bool(guarded(make_url(f"postgresql://{place}"))) == is_guarded


def test_what_the_environment_says_counts(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PGHOST", "db.example.com")
    monkeypatch.delenv("PGSSLMODE", raising=False)
    assert guarded(make_url("postgresql:///x"))
    monkeypatch.setenv("PGSSLMODE", "verify-full")
    assert not guarded(make_url("postgresql:///x"))
