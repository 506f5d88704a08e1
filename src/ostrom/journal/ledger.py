"""Games under way: those of an experiment that is being run are kept decision by decision, in ledgers, as they are
played. ::

    async with journal.ledgers(experiment) as ledgers:
        ledger = await ledgers.open(head, key="17")
        if ledger is not None:
            await ledger.keep_decision(0, question, answer, call)

What a method was given is stored when it returns; events, when the next method does. Many games are written together,
by one thread of the journal's.
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
    Row,
    Rows,
    answer_row,
    call_row,
    event_rows,
    finished_row,
    game_row,
    sent_row,
    suspended_row,
    void_row,
)
from ostrom.journal.schema import FINISHED, PLAYING, VOID, answers, events, games, runs
from ostrom.journal.sent import SentCall, sent_in_game
from ostrom.journal.waiting import Patience
from ostrom.journal.write import OpenGame
from ostrom.journal.writer import Writer

_RESTORED: Final = 3
"""So many games are read back at once."""


@dataclass(eq=False)
class Ledger:
    """The record of one game under way. Every method returns when what it was given is safe from a kill; events follow
    from decisions, so nobody waits for them, but they are stored before whatever comes after them."""

    _writer: Writer
    _game: OpenGame
    decisions: Mapping[QuestionKey, Answer] = field(default_factory=dict)
    """What was decided before this run began."""
    calls: Mapping[QuestionKey, Sequence[Call]] = field(default_factory=dict)
    """The calls of questions before this run began, in the order of their attempts."""
    events: int = 0
    """How many events were kept before this run began."""
    given: list[Row] = field(default_factory=list)
    """The answers so far, as rows of their table."""
    sent: Sequence[SentCall] = ()
    """Calls that were out when an earlier run ended."""
    runs: Sequence[str] = ()
    """When the runs of the experiment began."""
    _state: str = PLAYING
    _events_stored: "asyncio.Future[Any] | None" = None

    def __post_init__(self) -> None:
        self.id = self._game.id
        self._serial = self._game.serial
        self._rounds = max((turn for turn, _, _ in self.decisions), default=None)

    async def keep_sent(
        self, place: int, question: Question, attempt: int, at: str, model: str, dollars: float, tokens: int
    ) -> int:
        """Keep that a call is about to be sent, and what it can at most come to; its number, by which it is known until
        it is back. Whatever happens to this process, so much is counted from now on."""
        self._check()
        row = sent_row(self._serial, place, question.key, attempt, at, model, dollars, tokens)
        await self._store(f"a call of the game {self.id}", Rows(sent=(row,)))
        return int(row[0])

    async def take_back(self, sent: int) -> None:
        """Say that a call which was about to be sent was not."""
        await self._store(f"a call of the game {self.id}", Rows(back=(sent,)))

    async def keep_call(self, place: int, question: Question, call: Call, sent: int | None = None) -> None:
        """Keep a call that led to no answer, in place of that it was sent. `place` is the question's number within the
        game, counted from 0."""
        await self._keep(place, question.key, None, call, sent)

    async def keep_decision(
        self, place: int, question: Question, answer: Answer, call: Call | None = None, sent: int | None = None
    ) -> None:
        """Keep a decision, and with it the call that led to it. A question that is decided already raises
        `AlreadyDecided`, and nothing of this is kept."""
        await self._keep(place, question.key, answer, call, sent)

    async def keep_events(self, first: int, events: Sequence[Event]) -> None:
        """Keep events; `first` is the number of the first of them within the game, counted from 0."""
        self._check()
        if events:
            if self._writer.full:
                await self._writer.room()
            rows = event_rows(self._serial, first, (event.as_record() for event in events))
            if self._events_stored is not None:
                await self._events_stored
            self._events_stored = self._writer.hand_in(f"event {first} of the game {self.id}", Rows(events=rows))

    async def finish(self, finals: Sequence[float | None] | None = None) -> None:
        """Say that the game is over, and what each seat ended with."""
        self._check()
        await self._end(FINISHED, finished_row(self._serial, self._rounds, finals, self.given))

    async def void(self, reason: str, code: str | None = None, seat: int | None = None) -> None:
        """Say that the game came to nothing, and why: in words, as a code, and at which seat. It is not among the
        journal's `records`."""
        self._check()
        await self._end(VOID, void_row(self._serial, self._rounds, reason, code, seat))

    async def suspend(self, reason: str, code: str) -> None:
        """Say why a game does not go on for now, in words and as a code. It says so until it goes on."""
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
        made = () if call is None else (call_row(self._serial, place, key, call, self._writer.known, new),)
        given = () if answer is None else (answer_row(self._serial, place, key, answer),)
        turn, phase, seat = key
        what = f"seat {seat} of the game {self.id} on {phase!r} in turn {turn}"
        await self._store(what, Rows(new, given, made, back=() if sent is None else (sent,)))
        if answer is not None:
            self._rounds = max(turn, self._rounds or turn)
            self.given.extend(given)

    async def _end(self, state: str, row: Row) -> None:
        await self._store(f"the end of the game {self.id}", Rows(ends=(row,)))
        self._state = state

    async def _store(self, what: str, rows: Rows) -> None:
        """Store rows, and the events before them, which the writer stores first as they came first."""
        events, self._events_stored = self._events_stored, None
        stored = self._writer.hand_in(what, rows)
        if events is not None:
            await events
        await stored

    def _check(self) -> None:
        if self._state != PLAYING:
            raise InputError(f"the game {self.id} is {self._state}; nothing can be added to it")


class Ledgers:
    """The ledgers of an experiment's games; of use within one event loop."""

    def __init__(self, database: Database, writer: Writer, patience: Patience, experiment: int, name: str) -> None:
        self._database = database
        self._writer = writer
        self._patience = patience
        self._experiment = experiment
        self._name = name
        self._over: set[str] | None = None
        self._restoring = asyncio.Semaphore(_RESTORED)
        self._closed = False

    async def open(self, head: GameRecord, key: str, origin: Origin | None = None) -> Ledger | None:
        """The ledger of the game with this key: a new one, or one that goes on where it was left; None where the game
        is finished or void. `head` is the game's record before anything has happened in it."""
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
        if game.parted is not None:
            raise InputError(f"the game {game.id} cannot be resumed: {game.parted} changed since it was begun")
        if not game.begun:
            return Ledger(self._writer, game)
        if game.suspended:
            await self._writer.store(f"that {game.id} goes on", Rows(ends=(suspended_row(game.serial, None, None),)))
        async with self._restoring:
            return await asyncio.to_thread(self._patience.through, partial(self._restored, game))

    async def close(self) -> None:
        """Return when everything is stored that was handed in."""
        if not self._closed:
            self._closed = True
            # Entries are stored in the order in which they come, so with the last one all are.
            await self._writer.store("the end of a run", Rows())

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *error: object) -> None:
        await self.close()

    def _keys_over(self) -> set[str]:
        with self._database.reading() as connection:
            mine = (games.c.experiment == self._experiment, games.c.state.in_((FINISHED, VOID)))
            return set(connection.execute(select(games.c.key).where(*mine)).scalars())

    def _restored(self, game: OpenGame) -> Ledger:
        with self._database.reading() as connection:
            decisions = decisions_of(connection, game.serial, game.id)
            calls: dict[QuestionKey, list[Call]] = {}
            for key, call in calls_of(connection, game.serial, game.id):
                calls.setdefault(key, []).append(call)
            happened = connection.execute(select(func.count()).where(events.c.game == game.serial)).scalar_one()
            given = [tuple(row) for row in connection.execute(select(answers).where(answers.c.game == game.serial))]
            out = sent_in_game(connection, game.serial)
            began = select(runs.c.at).where(runs.c.experiment == self._experiment).order_by(runs.c.number)
            times = list(connection.execute(began).scalars())
            return Ledger(self._writer, game, decisions, calls, happened, given, out, times)
