"""Ledgers: the games of a running experiment, stored decision by decision as they are played. ::

    async with journal.ledgers(experiment) as ledgers:
        ledger = await ledgers.open(head, key="17")
        if ledger is not None:
            await ledger.keep_decision(0, question, answer, call)

When `keep_decision` returns, the decision is stored. Events are stored when the next of these methods returns. One
thread of the journal writes many games together.
"""

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any, Final, Self

from sqlalchemy import func, select

from ostrom.core import Answer, Call, Event, InputError, Question, QuestionKey
from ostrom.journal.engine import Database
from ostrom.journal.read import calls_of, decisions_of
from ostrom.journal.record import GameRecord, Origin
from ostrom.journal.rows import (
    Batch,
    Row,
    Rows,
    answer_row,
    batch_row,
    call_row,
    event_rows,
    finished_row,
    game_row,
    sent_row,
    suspended_row,
    void_row,
)
from ostrom.journal.schema import FINISHED, PLAYING, VOID, answers, events, games, runs
from ostrom.journal.spending import SentCall, open_batches, sent_in_game
from ostrom.journal.write import OpenGame
from ostrom.journal.writer import Patience, Writer

_MAX_RESTORED_AT_ONCE: Final = 3
"""The largest number of games that are restored at the same time."""


@dataclass(eq=False)
class Ledger:
    """The record of one unfinished game. When a method returns, its data is stored and is not lost even if the process
    is killed. Events are an exception: they can be computed from decisions, so no method waits until they are stored.
    However, they are always stored before later data."""

    _writer: Writer
    _game: OpenGame
    decisions: Mapping[QuestionKey, Answer] = field(default_factory=dict)
    """The decisions of earlier runs."""
    calls: Mapping[QuestionKey, Sequence[Call]] = field(default_factory=dict)
    """The calls of earlier runs, by question. The calls of a question are in the order of their attempts."""
    events: int = 0
    """The number of events that earlier runs stored."""
    answer_rows: list[Row] = field(default_factory=list)
    """The answers so far, as rows of their table."""
    sent: Sequence[SentCall] = ()
    """Calls that were in flight when an earlier run ended."""
    runs: Sequence[str] = ()
    """The times at which each run of the experiment began."""
    _state: str = PLAYING
    _events_stored: "asyncio.Future[Any] | None" = None

    def __post_init__(self) -> None:
        self.id = self._game.id
        self._serial = self._game.serial
        self._rounds = max((turn for turn, _, _ in self.decisions), default=None)

    async def keep_sent(
        self, place: int, question: Question, attempt: int, at: str, model: str, dollars: float, tokens: int
    ) -> int:
        """Store that a call is about to be sent, and the maximum of its cost and tokens. Return the number of this
        entry. From then on, the call counts towards budgets, even if this process dies before the reply arrives."""
        self._check()
        row = sent_row(self._serial, place, question.key, attempt, at, model, dollars, tokens)
        await self._store(f"a call of the game {self.id}", Rows(sent=(row,)))
        return int(row[0])

    def batched_row(
        self, place: int, question: Question, attempt: int, at: str, model: str, most: tuple[float, int], batch: int
    ) -> Row:
        """Return the row of a call that is about to be sent in a batch. The row is stored together with the batch."""
        self._check()
        return sent_row(self._serial, place, question.key, attempt, at, model, *most, batch)

    def in_batch(self, place: int, attempt: int) -> SentCall | None:
        """Return a call that an earlier run sent in a batch and whose result may still arrive, or None."""
        mine = (call for call in self.sent if (call.place, call.attempt) == (place, attempt))
        return next((call for call in mine if call.batch is not None and call.settled is None), None)

    async def take_back(self, sent: int) -> None:
        """Remove the entry of a call that was about to be sent, but was not sent."""
        await self._store(f"a call of the game {self.id}", Rows(back=(sent,)))

    async def keep_call(self, place: int, question: Question, call: Call, sent: int | None = None) -> None:
        """Store a call that gave no answer. It replaces the entry that says that the call was sent. `place` is the
        index of the question within the game, from 0."""
        await self._keep(place, question.key, None, call, sent)

    async def keep_decision(
        self, place: int, question: Question, answer: Answer, call: Call | None = None, sent: int | None = None
    ) -> None:
        """Store a decision with the call that led to it. If the question already has a decision, raise `AlreadyDecided`
        and store nothing."""
        await self._keep(place, question.key, answer, call, sent)

    async def keep_events(self, first: int, events: Sequence[Event]) -> None:
        """Store events; `first` is the index of the first one among the game's events, from 0."""
        self._check()
        if events:
            if self._writer.full:
                await self._writer.room()
            rows = event_rows(self._serial, first, (event.as_record() for event in events))
            if self._events_stored is not None:
                await self._events_stored
            self._events_stored = self._writer.hand_in(f"event {first} of the game {self.id}", Rows(events=rows))

    async def finish(self, finals: Sequence[float | None] | None = None) -> None:
        """Record that the game is over, and store the final result of each seat."""
        self._check()
        await self._end(FINISHED, finished_row(self._serial, self._rounds, finals, self.answer_rows))

    async def void(self, reason: str, code: str | None = None, seat: int | None = None) -> None:
        """Record that the game is void. Store the reason in words and as a code, and the seat that caused it. The
        journal's `records` leave out void games."""
        self._check()
        await self._end(VOID, void_row(self._serial, self._rounds, reason, code, seat))

    async def suspend(self, reason: str, code: str) -> None:
        """Record that the game is suspended until it is resumed. Store the reason in words and as a code."""
        self._check()
        await self._store(
            f"why the game {self.id} is suspended", Rows(ends=(suspended_row(self._serial, reason, code),))
        )

    async def _keep(
        self, place: int, key: QuestionKey, answer: Answer | None, call: Call | None, sent: int | None
    ) -> None:
        self._check()
        if self._writer.full:
            await self._writer.room()
        new: dict[str, str] = {}
        call_rows = () if call is None else (call_row(self._serial, place, key, call, self._writer.known, new),)
        answer_rows = () if answer is None else (answer_row(self._serial, place, key, answer),)
        turn, phase, seat = key
        description = f"seat {seat} of the game {self.id} on {phase!r} in turn {turn}"
        await self._store(description, Rows(new, answer_rows, call_rows, back=() if sent is None else (sent,)))
        if answer is not None:
            self._rounds = max(turn, self._rounds or turn)
            self.answer_rows.extend(answer_rows)

    async def _end(self, state: str, row: Row) -> None:
        await self._store(f"the end of the game {self.id}", Rows(ends=(row,)))
        self._state = state

    async def _store(self, description: str, rows: Rows) -> None:
        """Store rows after all events that were passed to the ledger before."""
        events, self._events_stored = self._events_stored, None
        future = self._writer.hand_in(description, rows)
        if events is not None:
            await events
        await future

    def _check(self) -> None:
        if self._state != PLAYING:
            raise InputError(f"the game {self.id} is {self._state}; nothing can be added to it")


class Ledgers:
    """The ledgers of an experiment's games, for use within one event loop."""

    def __init__(self, database: Database, writer: Writer, patience: Patience, experiment: int, name: str) -> None:
        self._database = database
        self._writer = writer
        self._patience = patience
        self._experiment = experiment
        self._name = name
        self._over: set[str] | None = None
        self._restoring = asyncio.Semaphore(_MAX_RESTORED_AT_ONCE)
        self._closed = False

    async def open(self, head: GameRecord, key: str, origin: Origin | None = None) -> Ledger | None:
        """Return the ledger of the game with this key. A game that was begun earlier is restored. Return None if the
        game is finished or void. `head` is the record of the game without any events."""
        if self._closed:
            raise InputError(f"the ledgers of {self._name} are closed; no game can be opened")
        if head.answers or head.events:
            raise InputError(f"the game {key!r} has already begun; open its ledger with the record's head alone")
        if self._over is None:
            self._over = await asyncio.to_thread(self._patience.through, self._keys_over)
        if key in self._over:
            return None
        texts: dict[str, str] = {}
        row = game_row(self._experiment, head, key, origin or Origin(), self._writer.known, texts)
        game = await self._writer.open(row, texts)
        if game.state != PLAYING:
            self._over.add(key)
            return None
        if game.difference is not None:
            raise InputError(f"the game {game.id} is not resumable: {game.difference} changed since it was begun")
        if not game.begun:
            return Ledger(self._writer, game)
        if game.suspended:
            await self._writer.store(f"that {game.id} goes on", Rows(ends=(suspended_row(game.serial, None, None),)))
        async with self._restoring:
            return await asyncio.to_thread(self._patience.through, partial(self._restored, game))

    async def keep_batch(self, batch: Batch, sent: Sequence[Row] = ()) -> None:
        """Store the state of a batch; if the batch is new, store its calls too."""
        rows = Rows(sent=sent, batches=(batch_row(self._experiment, batch),))
        await self._writer.store(f"a batch of {self._name}", rows)

    async def open_batches(self) -> dict[int, Batch]:
        """Return the batches of the experiment that are not closed, by serial number."""

        def read() -> dict[int, Batch]:
            with self._database.reading() as connection:
                return {batch.serial: batch for batch in open_batches(connection).get(self._experiment, ())}

        return await asyncio.to_thread(self._patience.through, read)

    async def close(self) -> None:
        """Wait until all data that was passed to the ledgers is stored."""
        if not self._closed:
            self._closed = True
            # Entries are stored in order. If the last entry is stored, all entries are.
            await self._writer.store("the end of a run", Rows())

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *error: object) -> None:
        await self.close()

    def _keys_over(self) -> set[str]:
        with self._database.reading() as connection:
            conditions = (games.c.experiment == self._experiment, games.c.state.in_((FINISHED, VOID)))
            return set(connection.execute(select(games.c.key).where(*conditions)).scalars())

    def _restored(self, game: OpenGame) -> Ledger:
        with self._database.reading() as connection:
            decisions = decisions_of(connection, game.serial, game.id)
            calls: dict[QuestionKey, list[Call]] = {}
            for key, call in calls_of(connection, game.serial, game.id):
                calls.setdefault(key, []).append(call)
            event_count = connection.execute(select(func.count()).where(events.c.game == game.serial)).scalar_one()
            answer_rows = [
                tuple(row) for row in connection.execute(select(answers).where(answers.c.game == game.serial))
            ]
            in_flight = sent_in_game(connection, game.serial)
            began = select(runs.c.at).where(runs.c.experiment == self._experiment).order_by(runs.c.number)
            times = list(connection.execute(began).scalars())
            return Ledger(self._writer, game, decisions, calls, event_count, answer_rows, in_flight, times)
