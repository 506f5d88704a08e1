"""The sessions that a server runs, by their codes and tokens."""

from typing import Final

from ostrom.core import InputError
from ostrom.experiment.session.running import LiveSession
from ostrom.journal.sql import Journal
from ostrom.web.guesses import Guesses


class SessionDesk:
    """The sessions that this process runs."""

    def __init__(self, journal: Journal, address: str = "", place: str | None = None) -> None:
        """`address` is the beginning of the addresses that participants open; `place` is the host and port at which
        this process answers."""
        self.address = address
        self.guesses: Final = Guesses()
        """Counts wrong join codes, labels and single-use links."""
        self._journal, self._place = journal, place
        self._sessions: dict[str, LiveSession] = {}

    async def open(self, name: str) -> LiveSession:
        """Run a stored session, by its id or name, and return it."""
        stored = self._journal.sessions.find(name)
        if stored.id in self._sessions:
            raise InputError(f"the session {stored.id} is run here already")
        live = LiveSession(self._journal, stored, self._place)
        await live.open()
        self._sessions[stored.id] = live
        return live

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

    def join_address(self, live: LiveSession) -> str:
        """Return the address at which people join a session."""
        return f"{self.address.rstrip('/')}/join/{live.stored.code}"

    async def close(self) -> None:
        """Stop all sessions; they continue when they are served again."""
        for live in self._sessions.values():
            await live.close()
