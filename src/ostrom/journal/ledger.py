"""Ledgers: the games of an experiment that is being run, each kept decision by decision as it is played. ::

    async with journal.ledgers(experiment) as ledgers:
        ledger = await ledgers.open(head, key="17")
        if ledger is not None:
            await ledger.decided(0, question, answer, call)

What a method was given is stored when it returns. Many games are written together, by one thread of the journal's.
"""

import asyncio
from collections.abc import Mapping, Sequence
from types import TracebackType
from typing import Any, Final, Self

from ostrom.core import Answer, Call, Event, InputError, Question, QuestionKey
from ostrom.journal.engine import Database
from ostrom.journal.entries import Entry, Row, answer_row, call_row, event_rows, size_of
from ostrom.journal.openings import OpenGame, Opening
from ostrom.journal.overview import keys_of
from ostrom.journal.record import GameRecord
from ostrom.journal.restoring import calls_of, decisions_of, events_of
from ostrom.journal.writer import Opened, Writer
from ostrom.journal.writing import FINISHED, PLAYING, VOID, as_json, header, now

_RESTORED: Final = 3
"""So many games are read back at once."""


class Ledger:
    """The record of one game under way; the arena's `GameLedger`."""

    def __init__(
        self,
        writer: Writer,
        game: OpenGame,
        decisions: Mapping[QuestionKey, Answer],
        calls: Mapping[QuestionKey, Sequence[Call]],
        events: int,
    ) -> None:
        self.id: Final = game.id
        """The game's id in the journal."""
        self.decisions: Mapping[QuestionKey, Answer] = decisions
        """What was decided before this run began."""
        self.calls: Mapping[QuestionKey, Sequence[Call]] = calls
        """The calls of questions before this run began, in the order of their attempts."""
        self.events: int = events
        """How many events were kept before this run began."""
        self._writer = writer
        self._serial = game.serial
        self._rounds = max((turn for turn, _, _ in decisions), default=None)
        self._state = PLAYING

    async def called(self, place: int, question: Question, call: Call) -> None:
        """Keep a call that led to no answer. `place` is the question's number within the game, counted from 0."""
        await self._keep(place, question.key, None, call)

    async def decided(self, place: int, question: Question, answer: Answer, call: Call | None = None) -> None:
        """Keep a decision, and with it the call that led to it. A question that is decided already raises
        `AlreadyDecided`, and nothing of this is kept."""
        await self._keep(place, question.key, answer, call)

    async def happened(self, first: int, events: Sequence[Event]) -> None:
        """Keep events; `first` is the number of the first of them within the game, counted from 0."""
        self._check()
        if events:
            if self._writer.full:
                await self._writer.room()
            rows = event_rows(self._serial, first, events)
            await self._put(f"event {first} of the game {self.id}", {}, events=rows, size=size_of(rows, {}))

    async def finish(self) -> None:
        """Say that the game is over."""
        await self._end(FINISHED, None)

    async def void(self, reason: str) -> None:
        """Say that the game came to nothing, and why; it is not among the journal's `records`."""
        await self._end(VOID, as_json(reason, "the reason why a game is void"))

    async def _keep(self, place: int, key: QuestionKey, answer: Answer | None, call: Call | None) -> None:
        self._check()
        if self._writer.full:
            await self._writer.room()
        new: dict[str, str] = {}
        made = () if call is None else (call_row(self._serial, place, key, call, self._writer.known, new),)
        given = () if answer is None else (answer_row(self._serial, place, key, answer),)
        turn, phase, seat = key
        what = f"seat {seat} of the game {self.id} on {phase!r} in turn {turn}"
        await self._put(what, new, answers=given, calls=made, size=size_of(made, new))
        if answer is not None:
            self._rounds = max(turn, self._rounds or turn)

    async def _end(self, state: str, reason: str | None) -> None:
        self._check()
        row = (state, now(), self._rounds, reason, self._serial)
        await self._put(f"the end of the game {self.id}", {}, ends=(row,))
        self._state = state

    async def _put(
        self,
        what: str,
        texts: dict[str, str],
        answers: Sequence[Row] = (),
        calls: Sequence[Row] = (),
        events: Sequence[Row] = (),
        ends: Sequence[Row] = (),
        size: int = 500,
    ) -> None:
        done: asyncio.Future[Any] = asyncio.get_running_loop().create_future()
        await self._writer.put(Entry(what, done, texts, answers, calls, events, ends, size))

    def _check(self) -> None:
        if self._state != PLAYING:
            raise InputError(f"the game {self.id} is {self._state}; nothing can be added to it")


class Ledgers:
    """The ledgers of an experiment's games; of use within one event loop."""

    def __init__(self, database: Database, writer: Writer, experiment: int, name: str) -> None:
        self._database = database
        self._writer = writer
        self._experiment = experiment
        self._name = name
        self._over: set[str] | None = None
        self._restoring = asyncio.Semaphore(_RESTORED)
        self._closed = False

    async def open(self, head: GameRecord, key: str) -> Ledger | None:
        """The ledger of the game with this key: a new one, or one that goes on where it was left; None where the game
        is finished or void. `head` is the game's record before anything has happened in it."""
        if self._closed:
            raise InputError(f"the ledgers of {self._name} are closed; no game can be opened")
        if head.answers or head.events:
            raise InputError(f"the game {key!r} has begun already; a ledger is opened with a record's head alone")
        if self._over is None:
            self._over = await asyncio.to_thread(self._keys_over)
        if key in self._over:
            return None
        row = header(self._name, self._experiment, 0, head, key)
        done: asyncio.Future[OpenGame] = asyncio.get_running_loop().create_future()
        game: OpenGame = await self._writer.put(Opened(Opening(self._experiment, row), done))
        if game.state != PLAYING:
            self._over.add(key)
            return None
        if game.parted is not None:
            raise InputError(
                f"the game {game.id} was begun with other {game.parted} than it is to go on with; it cannot go on"
            )
        if not game.begun:
            return Ledger(self._writer, game, {}, {}, 0)
        async with self._restoring:
            return await asyncio.to_thread(self._restored, game)

    async def close(self) -> None:
        """Return when everything is stored that was handed in."""
        if not self._closed:
            self._closed = True
            # Entries are stored in the order in which they come, so with the last one all are.
            done: asyncio.Future[Any] = asyncio.get_running_loop().create_future()
            await self._writer.put(Entry("the end of a run", done))

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.close()

    def _keys_over(self) -> set[str]:
        with self._database.reading() as connection:
            return keys_of(connection, self._experiment, (FINISHED, VOID))

    def _restored(self, game: OpenGame) -> Ledger:
        with self._database.reading() as connection:
            decisions = decisions_of(connection, game.serial, game.id)
            calls: dict[QuestionKey, list[Call]] = {}
            for key, call in calls_of(connection, game.serial, game.id):
                calls.setdefault(key, []).append(call)
            return Ledger(self._writer, game, decisions, calls, events_of(connection, game.serial))
