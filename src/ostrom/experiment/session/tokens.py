"""The secret tokens of a session: the host's, those of participants, and single-use links. Only digests are kept."""

import asyncio
import secrets
from typing import Final

from ostrom.journal.sessions import token_digest
from ostrom.journal.sql import Journal

_TOKEN_BYTES: Final = 24


def new_token() -> str:
    """Return a new secret token."""
    return secrets.token_urlsafe(_TOKEN_BYTES)


class SessionTokens:
    """The tokens of a running session."""

    def __init__(self, journal: Journal, session: str) -> None:
        self._journal, self._session = journal, session
        self._owners: dict[str, int | None] = {}
        self._links: dict[str, int | None] = {}

    def read(self) -> None:
        """Read the tokens in the journal."""
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

    async def give(self, participant: int) -> str:
        """Return a new token of a participant; earlier ones become invalid."""
        token = new_token()
        digest = token_digest(token)
        await asyncio.to_thread(self._store, digest, participant)
        self._owners = {known: owner for known, owner in self._owners.items() if owner != participant}
        self._owners[digest] = participant
        return token

    async def use_link(self, link: str, participant: int) -> bool:
        """Use a single-use link for a participant. Return False if it is unknown or used."""
        if not self.is_free_link(link):
            return False
        digest = token_digest(link)
        self._links[digest] = participant
        return await asyncio.to_thread(self._journal.sessions.use_link, self._session, digest, participant)

    def _store(self, digest: str, participant: int) -> None:
        sessions = self._journal.sessions
        sessions.add_token(self._session, digest, participant=participant, purpose="participant", renew=True)
