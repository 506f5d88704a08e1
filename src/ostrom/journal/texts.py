"""Texts that many calls share, stored once each under their digest: a conversation that goes on does not store its past
again with every call."""

import json
from collections.abc import Iterable
from hashlib import sha256
from typing import Final

from sqlalchemy import Connection, select

from ostrom.core import RecordError
from ostrom.journal.schema import texts

KNOWN: Final = 50_000
"""So many digests are remembered at least, and twice as many at most."""
_AT_ONCE: Final = 500
"""Texts that are read with one statement."""


def digest_of(text: str) -> str:
    """What a text is called: the first 128 bits of its SHA-256, in hexadecimal."""
    # Half a character has no UTF-8; it gets what UTF-8 would make of it.
    return sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:32]


class Known:
    """Digests that are stored for certain. The ones that were not met for long are forgotten, and then stored again,
    which changes nothing."""

    def __init__(self, most: int = KNOWN) -> None:
        self._most = most
        self._recent: set[str] = set()
        self._before: set[str] = set()

    def __contains__(self, digest: str) -> bool:
        if digest in self._recent:
            return True
        if digest in self._before:
            self.add(digest)
            return True
        return False

    def __len__(self) -> int:
        return len(self._recent) + len(self._before)

    def add(self, digest: str) -> None:
        """Remember a digest whose text is stored."""
        if len(self._recent) >= self._most:
            # Two assignments, and never a set that changes while another thread goes through it.
            self._before, self._recent = self._recent, set()
        self._recent.add(digest)


def texts_of(connection: Connection, digests: Iterable[str], whose: str) -> dict[str, str]:
    """The texts with these digests; one that is missing or damaged is named."""
    wanted = list(dict.fromkeys(digests))
    found: dict[str, str] = {}
    for first in range(0, len(wanted), _AT_ONCE):
        some = wanted[first : first + _AT_ONCE]
        for row in connection.execute(select(texts).where(texts.c.digest.in_(some))):
            found[row.digest] = _text(row.text, row.digest, whose)
    for digest in wanted:
        if digest not in found:
            raise RecordError(f"{whose} of the journal cannot be read: the text {digest} is missing")
    return found


def _text(stored: str, digest: str, whose: str) -> str:
    try:
        text = json.loads(stored)
    except ValueError:
        text = None
    if not isinstance(text, str):
        raise RecordError(f"{whose} of the journal cannot be read: the text {digest} is no JSON string")
    return text
