"""Where a journal lies: the URL of an SQLite file or of a PostgreSQL database, and what of it may be shown."""

import importlib.util
import os
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from sqlalchemy import URL, make_url
from sqlalchemy.exc import ArgumentError

from ostrom.core import InputError

DEFAULT: Final = "sqlite:///ostrom.db"
VARIABLE: Final = "OSTROM_STORE"
_RIGHT: Final = "write sqlite:///FILE or postgresql://USER@HOST/DATABASE"
_POSTGRESQL: Final = ("postgresql", "postgres", "postgresql+psycopg")


def store_url(given: str | None = None) -> str:
    """The journal that is meant: the one named, else the one of the environment, else the file of this folder."""
    return given or os.environ.get(VARIABLE) or DEFAULT


@dataclass(frozen=True)
class Location:
    """A journal's place."""

    url: URL = field(repr=False)
    label: str
    """What the place is called in messages: no password, and no options, which may hold one."""
    file: Path | None
    """The file of an SQLite journal."""

    def unwritable(self) -> str | None:
        """Why nobody of this process can write an SQLite journal; None where one can, or where only trying tells."""
        if self.file is None:
            return None
        # SQLite follows links, and keeps its log in the folder of the file itself.
        real = os.path.realpath(self.file) if os.path.lexists(self.file) else os.path.abspath(self.file)
        if os.path.exists(real) and not os.access(real, os.W_OK):
            return "the file is read-only"
        folder = os.path.dirname(real)
        return "its folder is read-only" if os.path.isdir(folder) and not os.access(folder, os.W_OK) else None

    def fit_to_show(self, reason: str) -> str:
        """The first line of a driver's complaint, unless it tells a secret."""
        told = " ".join(reason.strip().splitlines()[:1]) or "no reason given"
        options = self.url.normalized_query.items()
        secrets = [value for name, values in options if "password" in name for value in values]
        secrets += [str(self.url.password)] if self.url.password else []
        return "the reason holds a secret" if any(secret in told for secret in secrets) else told


def locate(url: str) -> Location:
    """Read the URL of a journal; one that cannot be is refused without a word of its password."""
    # A password is most easily shown by showing a URL that was mistyped: what has an @ is not repeated.
    named = "this" if "@" in url else repr(url)
    if "://" not in url:
        raise InputError(f"{named} is not the URL of a journal; {_RIGHT}")
    if url.partition("?")[0].count("@") > 1:
        raise InputError("the URL of the journal has more than one @; write an @ within a password as %40")
    try:
        parsed = make_url(url)
    except (ArgumentError, ValueError):
        raise InputError(f"{named} is not the URL of a journal; {_RIGHT}") from None
    if parsed.drivername in ("sqlite", "sqlite+pysqlite"):
        return _sqlite(parsed)
    if parsed.drivername in _POSTGRESQL:
        return _postgresql(parsed)
    raise InputError(f"a journal is kept in SQLite or in PostgreSQL, not in {parsed.drivername!r}; {_RIGHT}")


def _sqlite(url: URL) -> Location:
    if url.host is not None:
        raise InputError(f"the URL of a file has three slashes: {DEFAULT}")
    if url.database in (None, "", ":memory:"):
        raise InputError(f"a journal in memory keeps nothing; name a file: {DEFAULT}")
    if url.query:
        raise InputError(f"the URL of a file takes no options after the question mark: {DEFAULT}")
    assert url.database is not None
    return Location(url, url.database, Path(url.database))


def _postgresql(url: URL) -> Location:
    if importlib.util.find_spec("psycopg") is None:
        raise InputError("a journal in PostgreSQL needs psycopg: pip install 'ostrom[postgres]'")
    shown = URL.create("postgresql", url.username, host=url.host, port=url.port, database=url.database)
    return Location(url.set(drivername="postgresql+psycopg"), shown.render_as_string(), None)
