"""Keeps the password of a journal from travelling in the clear: a server on another machine that asks for it so, over a
connection that need not be encrypted, gets none."""

import ipaddress
import os
from typing import Final

from sqlalchemy import URL

from ostrom.core import InputError

IN_THE_CLEAR: Final = "server requested a cleartext password"
"""What libpq says of a server that does."""
WHY_NOT: Final = (
    "the server asks for the password in the clear, over a connection that others may read; "
    "encrypt it with ?sslmode=verify-full, or let the server ask by scram-sha-256"
)
_ENCRYPTED: Final = ("require", "verify-ca", "verify-full")
"""Settings of sslmode with which nothing is sent before the connection is encrypted."""
_KNOWS: Final = 160_000
"""The version of libpq that can be told how a server may ask."""


def guarded(url: URL) -> dict[str, str]:
    """What a connection to this server is to be told beyond its address, so that the password goes nowhere in the clear
    but within this machine."""
    if _said(url, "sslmode") in _ENCRYPTED or _said(url, "require_auth", "PGREQUIREAUTH") or _is_here(url):
        return {}
    from psycopg import pq  # an extra; whoever has no such journal does not need it

    if pq.version() < _KNOWS:
        raise InputError(
            "a journal on another machine takes an encrypted connection (?sslmode=verify-full) or libpq 16, which "
            "keeps its password from travelling in the clear"
        )
    return {"require_auth": "!password"}


def _said(url: URL, name: str, variable: str = "") -> str:
    """What the address says of an option, or else the environment."""
    given = url.query.get(name) or os.environ.get(variable or f"PG{name.upper()}", "")
    return given if isinstance(given, str) else ",".join(given)


def _is_here(url: URL) -> bool:
    """Whether every server that the address may stand for is this machine, reached over a socket or the loopback
    interface."""
    if _said(url, "service"):
        return False  # what it stands for is in a file that only libpq reads
    names = [url.host or _said(url, "host"), _said(url, "hostaddr")]
    return all(_is_local(name) for given in names for name in given.split(","))


def _is_local(name: str) -> bool:
    if name in ("", "localhost") or name.startswith(("/", "@")):
        return True
    try:
        return ipaddress.ip_address(name.strip("[]")).is_loopback
    except ValueError:
        return False
