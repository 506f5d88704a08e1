"""The clocks of a running session: who is present, how long people have waited in the lobby, and how much time remains
for open questions. They are stored every few seconds, so that they continue after the server was killed. Time during
which no server runs does not count."""

import asyncio
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from datetime import UTC, datetime
from typing import Final, Protocol

from ostrom.core import OstromError
from ostrom.experiment.session import entries as e
from ostrom.experiment.session.file import SessionFile
from ostrom.experiment.session.participants import Participant
from ostrom.experiment.session.state import SessionState
from ostrom.experiment.session.table import LiveTable
from ostrom.experiment.session.versions import Versions
from ostrom.journal.notes import StoredSeat
from ostrom.journal.sql import Journal
from ostrom.players.people.seat import Presence

STORE_INTERVAL_S: Final = 2.0
"""Seconds between two writes of the clocks. If a server is killed, a person gets at most this much additional time."""
_TICK_S: Final = 0.5
_LOBBY: Final = "lobby"
"""The name under which the time in the lobby is stored."""


class TimedSession(Protocol):
    """The parts of a running session that its clocks read, and what they cause."""

    journal: Journal
    file: SessionFile
    state: SessionState
    versions: Versions
    tables: dict[str, LiveTable]
    lobby_over: set[int]
    failure: str | None

    @property
    def id(self) -> str: ...

    @property
    def experiment(self) -> str: ...

    def record(self, *entries: e.AnyEntry) -> "asyncio.Future[None]":
        """Add entries to the state and to the journal."""

    def advance(self) -> None:
        """Add all entries that follow from the present state."""

    def table_of(self, participant: Participant) -> LiveTable | None:
        """Return the table at which a participant plays now."""

    def replace_soon(self, number: int, player: str) -> None:
        """Let a player take over an absent participant's seat."""


class SessionClocks:
    """The clocks of one session."""

    def __init__(self, live: TimedSession) -> None:
        self._live = live
        self._presence: dict[int, Presence] = {}
        self._windows: dict[int, int] = {}
        """The number of open pages of each participant that follow the state."""
        self._seen: dict[int, float] = {}
        """The time at which each participant's page was last open, by the clock of the event loop."""
        self._open: dict[int, tuple[str, float]] = {}
        """The questions that were open when an earlier server ended, with the seconds that remained."""
        self._waited: dict[int, float] = {}
        """The seconds that each person has waited in the lobby."""
        self._stored: dict[int, StoredSeat] = {}
        self._tasks: list[asyncio.Task[None]] = []
        self._began = 0.0

    def read(self) -> None:
        """Read the clocks that an earlier server stored."""
        if self._live.file.session.after_restart == "full":
            return
        for seat in self._live.journal.seats.of(self._live.experiment):
            self._stored[seat.seat] = seat
            if seat.question is not None and seat.left is not None:
                if seat.question == _LOBBY:
                    self._waited[seat.seat] = self._lobby_s - seat.left
                else:
                    self._open[seat.seat] = (seat.question, seat.left)

    def take(self, participants: Iterable[int]) -> dict[int, tuple[str, float]]:
        """Return the questions that were open when an earlier server ended; they are then forgotten here."""
        return {number: self._open.pop(number) for number in participants if number in self._open}

    def start(self) -> None:
        """Let the clocks run."""
        self._began = asyncio.get_running_loop().time()
        self._tasks = [
            asyncio.create_task(self._run(), name=f"clocks of {self._live.id}"),
            asyncio.create_task(self._store_often(), name=f"stored clocks of {self._live.id}"),
        ]

    async def close(self) -> None:
        """Store the clocks, and stop them."""
        for task in self._tasks:
            task.cancel()
        if self._tasks:
            await asyncio.wait(self._tasks)
            with suppress(OstromError):
                await self._store()

    # Presence.

    def visit(self, participant: int) -> None:
        """Record a request of a participant's page."""
        self._presence_of(participant).asked()
        self._note_present(participant)

    @contextmanager
    def following(self, participant: int) -> Iterator[None]:
        """Count a page that follows the state of a participant."""
        self._windows[participant] = self._windows.get(participant, 0) + 1
        self._live.versions.touch((participant,))
        with self._presence_of(participant).following():
            self._note_present(participant)
            try:
                yield
            finally:
                self._seen[participant] = asyncio.get_running_loop().time()
                self._windows[participant] -= 1
                self._live.versions.touch((participant,))

    def windows(self, participant: int) -> int:
        """Return the number of windows in which a participant's page is open."""
        return self._windows.get(participant, 0)

    def absent_since(self, participant: int) -> float | None:
        """Return the seconds since a participant's page was last open, or None if it is open."""
        if self._presence_of(participant).active:
            return None
        return asyncio.get_running_loop().time() - self._seen.get(participant, self._began)

    def _presence_of(self, participant: int) -> Presence:
        return self._presence.setdefault(participant, Presence())

    def _note_present(self, participant: int) -> None:
        self._seen[participant] = asyncio.get_running_loop().time()
        person = self._live.state.participants[participant]
        if person.absent_since is not None:
            with suppress(OstromError):
                self._live.record(e.Returned(participant=participant))
                self._live.advance()

    # The lobby and absence.

    @property
    def _lobby_s(self) -> float:
        return 60 * self._live.file.session.lobby_minutes

    def lobby_left(self, participant: int) -> float:
        """Return the seconds for which a participant still waits in the lobby."""
        return max(0.0, self._lobby_s - self._waited.get(participant, 0.0))

    async def _run(self) -> None:
        loop = asyncio.get_running_loop()
        last, people = loop.time(), 0
        while True:
            await asyncio.sleep(_TICK_S)
            now = loop.time()
            if self._live.failure is not None:
                return
            with suppress(OstromError):
                lobby = self._live.state.in_lobby()
                if not self._live.state.paused:
                    self._wait_in_lobby([person.number for person in lobby], now - last)
                self._note_absent()
                self._start_at_time()
            if len(lobby) != people:
                people = len(lobby)
                self._live.versions.touch([person.number for person in lobby])
            last = now

    def _wait_in_lobby(self, people: list[int], seconds: float) -> None:
        over = set()
        for number in people:
            self._waited[number] = self._waited.get(number, 0.0) + seconds
            if self.lobby_left(number) <= 0:
                over.add(number)
        if over - self._live.lobby_over:
            self._live.lobby_over |= over
            self._live.advance()

    def _note_absent(self) -> None:
        """Record who is absent. A player takes over if the file says so."""
        live, settings = self._live, self._live.file.session
        for person in list(live.state.participants.values()):
            if not person.active or person.absent_since is not None:
                continue
            away = self.absent_since(person.number)
            if away is None or away < settings.absent_seconds or live.state.paused:
                continue
            live.record(e.Absent(participant=person.number))
            if settings.replace_absent != "none" and live.table_of(person) is not None:
                live.replace_soon(person.number, settings.replace_absent)

    def _start_at_time(self) -> None:
        live, settings = self._live, self._live.file.session
        if settings.start != "time" or settings.start_at is None or live.state.started is not None:
            return
        if datetime.now(UTC) >= settings.start_at and not live.state.paused:
            live.record(e.Started(by="time"))
            live.advance()

    # Storing.

    async def _store_often(self) -> None:
        while True:
            await asyncio.sleep(STORE_INTERVAL_S)
            with suppress(OstromError):  # If the journal is not writable, the session itself stops and reports it.
                await self._store()

    async def _store(self) -> None:
        now = {seat.seat: seat for seat in self._now()}
        changed = [seat for number, seat in now.items() if self._stored.get(number) != seat]
        gone = [number for number in self._stored if number not in now and self._stored[number].question is not None]
        changed += [StoredSeat(number, self._stored[number].digest) for number in gone]
        if changed:
            new = {seat.seat: seat.digest for seat in changed if seat.seat not in self._stored}
            await asyncio.to_thread(self._write, new, changed)
            self._stored.update({seat.seat: seat for seat in changed})

    def _write(self, new: dict[int, str], changed: list[StoredSeat]) -> None:
        seats, experiment = self._live.journal.seats, self._live.experiment
        if new:
            seats.keep(experiment, new, None)
        seats.keep_clocks(experiment, changed)

    def _now(self) -> Iterator[StoredSeat]:
        """Yield the present clocks. A question that has not been asked again since a restart keeps its clock."""
        clocks = dict(self._open)
        clocks.update(
            {person.number: (_LOBBY, self.lobby_left(person.number)) for person in self._live.state.in_lobby()}
        )
        for table in self._live.tables.values():
            for number, seat in table.seats.items():
                if seat.question is not None:
                    clocks[number] = (seat.question.id, seat.left())
        for number, (question, left) in clocks.items():
            # Participants have no link of their own here; the text only has to differ from every digest.
            yield StoredSeat(number, f"{self._live.id} participant {number}", True, question, round(left, 1))
