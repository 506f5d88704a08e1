"""The sessions that a server runs, by their codes and tokens, or the session for which it stands by."""

import asyncio
from typing import Final, NamedTuple

from ostrom.core import InputError
from ostrom.experiment.session.running import RELAY_PLACE, LiveSession
from ostrom.journal.sessions import StoredSession
from ostrom.journal.sql import Journal
from ostrom.web.guesses import Guesses


class SessionOwner(NamedTuple):
    """The process that runs a session for which this process stands by."""

    place: str
    """The host and port at which it answers other processes."""
    secret: str


class SessionDesk:
    """The sessions that this process runs."""

    def __init__(self, journal: Journal, address: str = "", place: str | None = None, relay: str | None = None) -> None:
        """`address` is the beginning of the addresses that participants open; `place` is the host and port at which
        this process answers people, and `relay` those at which it answers other processes."""
        self.address, self.relay = address, relay
        self.guesses: Final = Guesses()
        """Counts wrong join codes, labels and single-use links."""
        self._journal, self._place = journal, place
        self._sessions: dict[str, LiveSession] = {}
        self._standing_by: tuple[str, str] | None = None
        """The id of the session for which this process stands by, and the secret of its processes."""
        self._owner: SessionOwner | None = None

    async def open(self, name: str) -> LiveSession:
        """Run a stored session, by its id or name, and return it."""
        stored = self._journal.sessions.find(name)
        if stored.id in self._sessions:
            raise InputError(f"the session {stored.id} is run here already")
        live = LiveSession(self._journal, stored, self._place, self.relay)
        await live.open()
        self._sessions[stored.id] = live
        return live

    # Another process that runs the session.

    def stand_by(self, session: str, secret: str) -> None:
        """Relay requests to the process that runs a session, until this process opens it."""
        self._standing_by = (session, secret)

    @property
    def stands_by(self) -> bool:
        return self._standing_by is not None and not self._sessions

    async def owner(self) -> SessionOwner | None:
        """Return the process that runs the session, or None if the journal names none."""
        if self._owner is None and self._standing_by is not None:
            session, secret = self._standing_by
            place = (await asyncio.to_thread(self._journal.sessions.find, session)).settings.get(RELAY_PLACE)
            self._owner = SessionOwner(place, secret) if isinstance(place, str) else None
        return self._owner

    def forget_owner(self) -> None:
        """Read the place of the owner again at the next request, since it did not answer."""
        self._owner = None

    @property
    def sessions(self) -> list[LiveSession]:
        return list(self._sessions.values())

    def with_code(self, code: str) -> LiveSession | None:
        """Return the session with this join code, or None. Case does not matter."""
        return next((live for live in self._sessions.values() if live.stored.code == code.upper()), None)

    def participant(self, token: str) -> tuple[LiveSession, int] | None:
        """Return the session and the participant to whom a token belongs, or None."""
        for live in self._sessions.values():
            number = live.tokens.participant(token)
            if number is not None and number in live.state.participants:
                return live, number
        return None

    def hosted(self, token: str) -> LiveSession | None:
        """Return the session to whose host a token belongs, or None."""
        return next((live for live in self._sessions.values() if live.tokens.is_host(token)), None)

    def join_address(self, stored: StoredSession) -> str:
        """Return the address at which people join a session."""
        return f"{self.address.rstrip('/')}/join/{stored.code}"

    async def close(self) -> None:
        """Stop all sessions; they continue when they are served again."""
        for live in self._sessions.values():
            await live.close()
