"""Keep the password of a journal off unencrypted connections: a server on another machine that asks for it in clear
text is refused."""

import ipaddress
import os
from typing import Final

from sqlalchemy import URL

from ostrom.core import InputError

IN_THE_CLEAR: Final = "server requested a cleartext password"
"""libpq's message for such a server."""
CLEARTEXT_REFUSED: Final = (
    "the server asks for the password in the clear, over a connection that others may read; "
    "encrypt it with ?sslmode=verify-full, or let the server ask by scram-sha-256"
)
_ENCRYPTED: Final = ("require", "verify-ca", "verify-full")
"""Values of sslmode that encrypt the connection before anything is sent."""
_MIN_LIBPQ: Final = 160_000
"""The version of libpq that supports require_auth."""


def guarded(url: URL) -> dict[str, str]:
    """Return the connection options that keep the password off unencrypted connections to other machines. Raise
    InputError if libpq is too old."""
    if _option(url, "sslmode") in _ENCRYPTED or _option(url, "require_auth", "PGREQUIREAUTH") or _is_this_machine(url):
        return {}
    from psycopg import pq  # An extra that only such journals need.

    if pq.version() < _MIN_LIBPQ:
        raise InputError(
            "a journal on another machine needs an encrypted connection (?sslmode=verify-full) or libpq 16, which "
            "keeps its password from travelling in the clear"
        )
    return {"require_auth": "!password"}


def _option(url: URL, name: str, variable: str = "") -> str:
    """Return an option of the URL, or else of the environment."""
    value = url.query.get(name) or os.environ.get(variable or f"PG{name.upper()}", "")
    return value if isinstance(value, str) else ",".join(value)


def _is_this_machine(url: URL) -> bool:
    """Return whether every server of the URL is this machine, reached over a socket or the loopback interface."""
    if _option(url, "service"):
        return False  # Only libpq reads the file that defines it.
    names = [url.host or _option(url, "host"), _option(url, "hostaddr")]
    return all(_is_local(name) for entry in names for name in entry.split(","))


def _is_local(name: str) -> bool:
    if name in ("", "localhost") or name.startswith(("/", "@")):
        return True
    try:
        return ipaddress.ip_address(name.strip("[]")).is_loopback
    except ValueError:
        return False
