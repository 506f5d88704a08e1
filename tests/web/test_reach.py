"""Links that are handed out name an address of this machine that others reach: never the loopback, nor everywhere."""

import socket
from collections.abc import Iterator, Mapping

import pytest

from ostrom.web import server
from ostrom.web.server import own_address, server_address


@pytest.fixture
def bound() -> Iterator[socket.socket]:
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        yield one


def routed(monkeypatch: pytest.MonkeyPatch, routes: Mapping[str, str], named: str = "127.0.1.1") -> None:
    """A machine called 'desk' that sends to some others from some address, and whose name means another one."""
    monkeypatch.setattr(server, "_source_address", routes.get)
    monkeypatch.setattr(socket, "gethostname", lambda: "desk")
    monkeypatch.setattr(socket, "getaddrinfo", lambda *_: [(socket.AF_INET, 0, 0, "", (named, 0))])


def test_the_address_on_the_way_out_is_the_one_that_others_reach(monkeypatch: pytest.MonkeyPatch) -> None:
    routed(monkeypatch, {"192.0.2.1": "192.168.1.5", "10.255.255.254": "10.8.0.2"})
    assert own_address() == "192.168.1.5"


def test_a_network_without_a_way_out_will_do(monkeypatch: pytest.MonkeyPatch) -> None:
    routed(monkeypatch, {"10.255.255.254": "10.20.30.40"})
    assert own_address() == "10.20.30.40"


def test_without_any_network_the_name_says_where(monkeypatch: pytest.MonkeyPatch) -> None:
    routed(monkeypatch, {"192.0.2.1": "127.0.0.1"}, named="192.168.7.7")
    assert own_address() == "192.168.7.7"
    routed(monkeypatch, {})
    assert own_address() == "desk"


@pytest.mark.parametrize("host", ["0.0.0.0", "::", ""])
def test_a_server_for_everybody_is_called_by_the_address_that_others_reach(
    monkeypatch: pytest.MonkeyPatch, bound: socket.socket, host: str
) -> None:
    routed(monkeypatch, {"192.0.2.1": "192.168.1.5"})
    assert server_address(bound, host) == f"http://192.168.1.5:{bound.getsockname()[1]}/"


@pytest.mark.parametrize(
    ("host", "called"), [("127.0.0.1", "127.0.0.1"), ("::1", "[::1]"), ("lab.example", "lab.example")]
)
def test_a_server_at_one_address_is_called_by_it(bound: socket.socket, host: str, called: str) -> None:
    assert server_address(bound, host) == f"http://{called}:{bound.getsockname()[1]}/"
