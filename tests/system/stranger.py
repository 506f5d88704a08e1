"""A server of somebody else: it keeps every byte that it is sent, and answers what it is told to."""

import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

_NOTHING = b'{"object": "list", "data": []}'


def answer(body: bytes = _NOTHING, status: str = "200 OK", headers: str = "") -> bytes:
    """A whole reply, after which the connection closes."""
    head = f"HTTP/1.1 {status}\r\nContent-Type: application/json\r\nContent-Length: {len(body)}\r\n"
    return f"{head}Connection: close\r\n{headers}\r\n".encode() + body


@dataclass
class Stranger:
    """What it was sent so far, and where it listens."""

    place: str
    answers: bytes
    _received: list[bytes] = field(default_factory=list)

    @property
    def base_url(self) -> str:
        return f"http://{self.place}/v1"

    def heard(self) -> bytes:
        """All bytes of all connections."""
        return b"".join(self._received)

    def serve(self, listener: socket.socket) -> None:
        while True:
            try:
                connection, _ = listener.accept()
            except OSError:
                return
            with connection:
                connection.settimeout(600)
                try:
                    self._received.append(connection.recv(1 << 20))
                    connection.sendall(self.answers)
                except OSError:
                    continue


@contextmanager
def stranger(answers: bytes = answer()) -> Iterator[Stranger]:
    """One that listens on the loopback interface, in a thread."""
    with socket.create_server(("127.0.0.1", 0)) as listener:
        found = Stranger(f"127.0.0.1:{listener.getsockname()[1]}", answers)
        thread = threading.Thread(target=found.serve, args=(listener,))
        thread.start()
        try:
            yield found
        finally:
            listener.shutdown(socket.SHUT_RDWR)
            listener.close()
            thread.join()
