"""The secret tokens of a session: the host's, those of participants, and single-use links. Only digests are kept."""

import asyncio
import base64
import hashlib
import secrets
from collections.abc import Container
from contextlib import suppress
from typing import Final

from ostrom.core import OstromError
from ostrom.journal.sessions import token_digest
from ostrom.journal.sql import Journal

_TOKEN_BYTES: Final = 24


def new_token() -> str:
    """Return a new secret token."""
    return secrets.token_urlsafe(_TOKEN_BYTES)


def token_of_key(session: str, key: str) -> str:
    """Return the token of a participant who joins with a key. The key is as secret as the token, and only the page has
    it; nothing is stored from which either can be computed."""
    digest = hashlib.sha256(f"participant of {session} {key}".encode("utf-8", "surrogatepass")).digest()
    return base64.urlsafe_b64encode(digest).decode().rstrip("=")


class SessionTokens:
    """The tokens of a running session."""

    def __init__(self, journal: Journal, session: str) -> None:
        self._journal, self._session = journal, session
        self._owners: dict[str, int | None] = {}
        self._links: dict[str, int | None] = {}

    def read(self, participants: Container[int]) -> None:
        """Read the tokens in the journal. If the process was killed before a person's joining was completed, the
        token and the link are free again."""
        self._journal.sessions.take_back_incomplete(self._session, participants)
        for token in self._journal.sessions.tokens(self._session):
            (self._links if token.purpose == "link" else self._owners)[token.digest] = token.participant

    def participant(self, token: str) -> int | None:
        """Return the participant to whom a token belongs, or None. Digests are looked up, so the time of the look-up
        says nothing about the token."""
        return self._owners.get(token_digest(token))

    def is_host(self, token: str) -> bool:
        """Return whether a token is the host's."""
        digest = token_digest(token)
        return digest in self._owners and self._owners[digest] is None

    def is_free_link(self, link: str) -> bool:
        """Return whether this is a single-use link that is not used yet."""
        digest = token_digest(link)
        return digest in self._links and self._links[digest] is None

    async def give(self, participant: int, token: str) -> None:
        """Store the token of a participant; earlier ones become invalid."""
        digest = token_digest(token)
        await asyncio.to_thread(self._store, digest, participant)
        self._owners = {known: owner for known, owner in self._owners.items() if owner != participant}
        self._owners[digest] = participant

    async def use_link(self, link: str, participant: int) -> bool:
        """Use a single-use link for a participant. Return False if it is unknown or used."""
        if not self.is_free_link(link):
            return False
        digest = token_digest(link)
        self._links[digest] = participant
        return await asyncio.to_thread(self._journal.sessions.use_link, self._session, digest, participant)

    async def take_back(self, participant: int, link: str | None) -> None:
        """Delete the token of a person who got no place, and let the single-use link be used again."""
        digest = None if link is None else token_digest(link)
        self._owners = {known: owner for known, owner in self._owners.items() if owner != participant}
        if digest in self._links:
            self._links[digest] = None
        with suppress(OstromError):  # The journal may be the reason. The next process that runs the session does it.
            await asyncio.to_thread(self._journal.sessions.take_back, self._session, participant)

    def _store(self, digest: str, participant: int) -> None:
        sessions = self._journal.sessions
        sessions.add_token(self._session, digest, participant=participant, purpose="participant", renew=True)
