"""How a server is called: in links that others in the network open, by an address of this machine that they can
reach."""

import ipaddress
import socket
from collections.abc import Iterator
from typing import Final

EVERYWHERE: Final = frozenset({"", "0.0.0.0", "::"})
"""What to listen at to be reached at every address of this machine."""
_ELSEWHERE: Final = ("192.0.2.1", "192.168.255.254", "10.255.255.254", "172.31.255.254", "169.254.255.254")
"""Somebody beyond the default route, and somebody in each private network, for where there is no way out."""
_DISCARD: Final = 9


def address_of(bound: socket.socket, host: str) -> str:
    """The address of the pages, as a browser wants it; a server for everybody is named by the address of this machine
    that others reach."""
    port = bound.getsockname()[1]
    if host in EVERYWHERE:
        host = own_address()
    return f"http://[{host}]:{port}/" if ":" in host else f"http://{host}:{port}/"


def own_address() -> str:
    """The address of this machine in its network; its name where it has none but the loopback."""
    return next(filter(_is_reached, _candidates()), None) or socket.gethostname()


def _candidates() -> Iterator[str]:
    """Addresses of this machine, the one on the way out first."""
    for other in _ELSEWHERE:
        if (found := _towards(other)) is not None:
            yield found
    try:
        named = socket.getaddrinfo(socket.gethostname(), None, socket.AF_INET)
    except (OSError, UnicodeError):
        return
    yield from (str(address[0]) for *_, address in named)


def _towards(other: str) -> str | None:
    """From which address something would be sent to another one. Nothing is: connecting a datagram socket only asks
    the routing table."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as asked:
        try:
            asked.connect((other, _DISCARD))
        except OSError:
            return None
        return str(asked.getsockname()[0])


def _is_reached(address: str) -> bool:
    found = ipaddress.ip_address(address)
    return not (found.is_loopback or found.is_unspecified)
