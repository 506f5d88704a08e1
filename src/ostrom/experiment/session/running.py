"""A session that runs in this process and event loop. Its state is that of its entries; every entry is stored before
anybody is told that it counts. Tables are games of the session's experiment."""

import asyncio
from collections import Counter
from collections.abc import Sequence
from contextlib import ExitStack, suppress
from datetime import UTC, datetime
from typing import Any

from ostrom.core import InputError, OstromError
from ostrom.core.outlets import complain
from ostrom.experiment.session import entries as e
from ostrom.experiment.session.clocks import SessionClocks
from ostrom.experiment.session.driver import next_entries
from ostrom.experiment.session.entry_writer import EntryWriter, SessionFailed
from ostrom.experiment.session.file import SessionFile
from ostrom.experiment.session.participants import Participant
from ostrom.experiment.session.payment import new_payment_code, payment_of
from ostrom.experiment.session.state import SessionState, TableState
from ostrom.experiment.session.table import (
    LiveTable,
    TablePlan,
    contestant_named,
    first_turn_values,
    points_so_far,
    stored_result,
)
from ostrom.experiment.session.tokens import SessionTokens
from ostrom.experiment.session.versions import Versions
from ostrom.journal.ledger import Ledgers
from ostrom.journal.sessions import NewEntry, PersonalValue, StoredSession
from ostrom.journal.sql import Journal
from ostrom.players.people.seat import GameResult
from ostrom.players.people.session_seat import SessionSeat

RELAY_PLACE = "relay"
"""The setting of a stored session that names the place at which its process answers other processes."""


class LiveSession:
    """A session that runs here."""

    def __init__(
        self, journal: Journal, stored: StoredSession, place: str | None = None, relay: str | None = None
    ) -> None:
        """`place` is the host and port at which this process answers people, and `relay` those at which it answers
        other processes that serve the session."""
        self.journal, self.stored, self.place, self.relay = journal, stored, place, relay
        self.file = SessionFile.model_validate(stored.settings["file"])
        self.seed = int(stored.settings["seed"])
        self.state = SessionState(self.file)
        self.versions = Versions()
        self.tables: dict[str, LiveTable] = {}
        """The tables that are played now."""
        self.tokens = SessionTokens(journal, stored.id)
        self.clocks = SessionClocks(self)
        self.lobby_over: set[int] = set()
        """The people who have waited in the lobby for the longest time allowed."""
        self.labels: dict[int, str] = {}
        self.chat: dict[int, str] = {}
        """The texts of messages in the lobby, by their number."""
        self.personal: dict[tuple[int, str], Any] = {}
        self.failure: str | None = None
        """The reason why the session has stopped."""
        self.missed = Counter[int]()
        """The number of questions that each participant missed at the tables that have ended since this process
        began."""
        self.allocated = 0
        """The largest number given to a participant."""
        self.reserved: set[str] = set()
        """The labels and panel ids of people who are joining."""
        self.joining: dict[str, asyncio.Future[tuple[str, int]]] = {}
        """The people who are joining with a key, by their tokens."""
        self._held = ExitStack()
        self._writer: EntryWriter | None = None
        self._ledgers: Ledgers | None = None
        self._tasks: list[asyncio.Task[None]] = []
        self._truths: dict[tuple[str, str], list[float | None]] = {}
        self._results: dict[str, GameResult | None] = {}
        self._closing = False
        self._advancing = False

    @property
    def id(self) -> str:
        return self.stored.id

    @property
    def experiment(self) -> str:
        return self.stored.experiment

    @property
    def is_open(self) -> bool:
        """True if further people can join."""
        state, settings = self.state, self.file.session
        if self._closing or self.failure is not None or state.ended is not None:
            return False
        if state.started is not None and settings.start != "full":
            return False
        taken = sum(person.outcome is None or person.cohort is not None for person in state.participants.values())
        return taken < settings.participants + settings.spare

    # Opening and closing.

    async def open(self) -> None:
        """Claim the session, and continue it from its entries. Raise AlreadyClaimed if another process runs it."""
        await asyncio.to_thread(self._held.enter_context, self.journal.claim(self.experiment))
        try:
            await asyncio.to_thread(self._read)
            self._ledgers = self.journal.ledgers(self.experiment)
            last = await asyncio.to_thread(self.journal.sessions.last_number, self.id)
            self._writer = EntryWriter(self.journal, self.id, last, self._fail)
            await self.record(e.Served())
            for table in self.state.tables.values():
                if table.started and table.ending is None and self.state.ended is None:
                    self._play(table)
                elif table.ending == "finished" and table.game_id is not None:
                    await self._read_truths(table.group.key, table.game_id)
            self.clocks.start()
            self.advance()
        except BaseException:
            self._held.close()
            raise

    def _read(self) -> None:
        self.journal.new_run(self.experiment, {"session": self.id})
        self.state.fold(self.journal.sessions.entries(self.id))
        self.tokens.read(self.state.participants)
        for value in self.journal.sessions.personal(self.id):
            self._keep_personal(value)
        self.allocated = max(self.state.participants, default=0)
        self.clocks.read()
        if self.place is not None:
            self.journal.sessions.set_place(self.id, self.place)
        if self.relay != self.stored.settings.get(RELAY_PLACE):
            self.journal.sessions.set_settings(self.id, {RELAY_PLACE: self.relay})
        self.versions = Versions(after=self.state.last_at)

    async def close(self) -> None:
        """Stop all tables, store everything, and give up the claim. The session can be served again."""
        self._closing = True
        await self.clocks.close()
        await asyncio.gather(*(table.close() for table in self.tables.values()))
        if self._tasks:
            await asyncio.wait(self._tasks)
        if self._writer is not None:
            await self._writer.close()
        if self._ledgers is not None:
            with suppress(OstromError):
                await self._ledgers.close()
        await asyncio.to_thread(self._held.close)
        self.versions.touch_all()

    def _fail(self, error: OstromError) -> None:
        self.failure = str(error)
        complain(f"the session {self.stored.name} has stopped: {error}")
        for table in self.tables.values():
            table.stop.request()
        self.versions.touch_all()

    # Entries.

    def record(self, *entries: e.AnyEntry, personal: Sequence[PersonalValue] = ()) -> "asyncio.Future[None]":
        """Add entries to the state at once, and to the journal; the future is done when they are stored."""
        if self._writer is None or self._closing:
            raise SessionFailed("the session is stopping; it continues when it is served again")
        at = datetime.now(UTC).isoformat(timespec="milliseconds")
        stored = self._writer.add(
            [NewEntry(entry.kind, entry.data(), entry.participant, at) for entry in entries], personal
        )
        for value in personal:
            self._keep_personal(value)
        for entry in entries:
            self.state.add(entry, at)
            if isinstance(entry, e.Started | e.Ended):
                self._spawn(self._note_state("running" if isinstance(entry, e.Started) else "ended"))
        affected = set(self.state.affected(entries))
        stored.add_done_callback(lambda _: self.versions.touch(affected))
        return stored

    async def enter(self, *entries: e.AnyEntry, personal: Sequence[PersonalValue] = ()) -> None:
        """Add entries and all that follows from them; return when they are stored."""
        stored = self.record(*entries, personal=personal)
        self.advance()
        await stored

    def _keep_personal(self, value: PersonalValue) -> None:
        self.personal[value.participant, value.name] = value.value
        if value.name == "label":
            self.labels[value.participant] = str(value.value)
        elif value.name.startswith("chat."):
            self.chat[int(value.name.removeprefix("chat."))] = str(value.value)

    def advance(self) -> None:
        """Add all entries that follow from the present state, and start the tables that can start."""
        if self._advancing or self._closing or self.failure is not None:
            return
        self._advancing = True
        try:
            while new := next_entries(self):
                self.record(*new)
                for entry in new:
                    if isinstance(entry, e.TableStarted):
                        self._play(self.state.tables[entry.key])
        finally:
            self._advancing = False

    async def _note_state(self, state: str) -> None:
        await asyncio.to_thread(self.journal.sessions.set_state, self.id, state)

    def _spawn(self, work: Any) -> None:
        task = asyncio.create_task(work)
        self._tasks.append(task)
        task.add_done_callback(lambda done: self._tasks.remove(done) if done in self._tasks else None)

    # Tables.

    def _play(self, table: TableState) -> None:
        """Play a table. Its group must be in the state."""
        plan = self._plan(table)
        live = LiveTable(plan, self.clocks.take(table.people))
        self.tables[plan.key] = live
        for number, seat in live.seats.items():
            self._listen(number, seat)
            person = self.state.participants[number]
            if not person.active:
                live.replace(number, self._substitute(live, person))
        if self.state.paused or table.paused:
            live.pause()
        assert self._ledgers is not None
        live.start(self._ledgers, self.journal, self._table_over)

    def _plan(self, table: TableState) -> TablePlan:
        group = table.group
        game = self.file.game(group.game)
        treatment = self.file.treatment(group.treatment)
        people = {number: self.state.participants[number].name for number in table.people}
        return TablePlan(
            key=group.key,
            number=table.number,
            game=self.file.game_of(game),
            rules=self.file.rules_of(game, treatment, practice=group.practice),
            seats=group.seats,
            people=people,
            seconds=game.seconds,
            seed=self.seed,
            title=self.file.title_of(game),
            practice=group.practice,
            language=self.file.session.language,
        )

    def _listen(self, number: int, seat: SessionSeat) -> None:
        seat.listen(lambda: self.versions.touch((number,)))

    def _substitute(self, live: LiveTable, person: Participant) -> str | None:
        """Return the player that decides for a person who was replaced or has left. A player of one game may not exist
        in the next; the game's filling player then decides."""
        fill = self.file.game(self.state.tables[live.plan.key].group.game).fill
        for name in (person.replaced_by, fill):
            if name:
                with suppress(InputError):
                    contestant_named(live.plan.game, name)
                    return name
        return None

    def _table_over(self, live: LiveTable) -> None:
        """Enter the end of a table, unless it only stopped with this server."""
        if self._closing or self.failure is not None or live.ending == "stopped":
            return
        self._spawn(self._enter_end(live))

    async def _enter_end(self, live: LiveTable) -> None:
        key, table = live.plan.key, self.state.tables[live.plan.key]
        if table.ending is not None:
            return
        points, reason = {}, None
        if live.ending == "finished" and live.game_id is not None:
            await self._read_truths(key, live.game_id)
            points = self._points(live)
        elif live.ending == "void":
            reason = live.reason
        self._results[key] = live.result
        self.missed.update({number: seat.missed for number, seat in live.seats.items()})
        self.tables.pop(key, None)
        ending = "finished" if live.ending == "finished" else "void"
        with suppress(SessionFailed):
            await self.enter(e.TableEnded(key=key, ending=ending, game=live.game_id, points=points, reason=reason))

    def _points(self, live: LiveTable) -> dict[int, float]:
        """Return the points of the people at a finished table. Who was replaced there keeps what was earned before."""
        finals = {} if live.result is None else {row.seat: row.final for row in live.result.standings}
        points = {}
        for number, seat in live.seats.items():
            person = self.state.participants[number]
            if live.plan.key in person.points_at_replacement:
                points[number] = person.points_at_replacement[live.plan.key]
            elif person.replaced_by is None and person.outcome is None and seat.index in finals:
                points[number] = finals[seat.index]
        return points

    async def points_now(self, live: LiveTable) -> dict[int, float]:
        """Return what people have earned at a table until now, as far as the game shows it."""
        if live.game_id is None:
            return {}
        record = await asyncio.to_thread(self.journal.record, live.game_id)
        values = points_so_far(record)
        earned = {number: values[seat.index] for number, seat in live.seats.items()}
        return {number: value for number, value in earned.items() if value is not None}

    async def _read_truths(self, key: str, game_id: str) -> None:
        """Read the quantities of the first turn that beliefs are about."""
        group = self.state.tables[key].group
        quantities = {belief.quantity for belief in self.file.beliefs if belief.game == group.game}
        if group.table != 1 or group.practice or not quantities:
            return
        record = await asyncio.to_thread(self.journal.record, game_id)
        for quantity in quantities:
            self._truths[key, quantity] = first_turn_values(record, quantity)

    def truth(self, key: str, quantity: str, participant: int) -> float | None:
        """Return the mean of a quantity over the other seats of a table in the first turn, or None if it is unknown."""
        values = self._truths.get((key, quantity))
        if values is None:
            return None
        place = self.state.tables[key].group.seats.index(participant)
        others = [value for seat, value in enumerate(values) if seat != place and value is not None]
        return sum(others) / len(others) if others else None

    async def result_of(self, key: str) -> GameResult | None:
        """Return the result of a table that has ended."""
        if key not in self._results:
            table = self.state.tables[key]
            if table.ending != "finished" or table.game_id is None:
                return None
            plan, game_id = self._plan(table), table.game_id
            self._results[key] = await asyncio.to_thread(stored_result, self.journal, game_id, plan)
        return self._results[key]

    def table_of(self, participant: Participant) -> LiveTable | None:
        """Return the table at which a participant plays now."""
        page = self.state.page_of(participant)
        return self.tables.get(page.key) if page.name == "game" else None

    # People.

    async def replace(
        self,
        number: int,
        player: str,
        *,
        automatic: bool = False,
        outcome: e.Outcome = "timed_out",
        by_host: bool = False,
    ) -> None:
        """Let a player decide in a participant's place from now on. The participant keeps what was earned until now.
        Raise InputError if the participant's game has no such player."""
        live = self.table_of(self.state.participants[number])
        key = question = points = None
        if live is not None:
            contestant_named(live.plan.game, player)
            points = (await self.points_now(live)).get(number)
            seat = live.seat_of(number)
            key = live.plan.key
            question = None if seat is None or seat.question is None else seat.question.id
        if not self.state.participants[number].active:
            return
        replaced = e.Replaced(
            participant=number, by=player, automatic=automatic, key=key, question=question, points=points
        )
        stored = self.record(replaced, e.Released(participant=number, outcome=outcome, by_host=by_host))
        if live is not None:
            await stored  # The player must not decide before the journal says so.
            live.replace(number, player)
        self.advance()
        await stored

    def replace_soon(self, number: int, player: str) -> None:
        """Let a player take over an absent participant's seat, without waiting for it."""

        async def replace() -> None:
            try:
                await self.replace(number, player, automatic=True)
            except InputError as error:
                complain(f"{self.state.participants[number].name} could not be replaced by {player}: {error}")

        self._spawn(replace())

    def payment(self, person: Participant) -> list[e.AnyEntry]:
        """Return the entries of a participant's payment; none if the session pays nothing."""
        payment = payment_of(self.state, person.number, session=self.id, seed=self.seed)
        return [] if payment is None else list(payment.entries(person.number, new_payment_code()))
