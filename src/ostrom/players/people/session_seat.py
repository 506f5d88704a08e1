"""The seat of a person at a table of a session. A host can pause it, extend its time, and let another player decide in
the person's place; the data of each call say which player decided."""

import asyncio
import json
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any, Final

from typing_extensions import override

from ostrom.core import Answer, Call, Chance, Fault, IllegalAnswer, Question, Seat, Usage
from ostrom.journal.rows import as_json
from ostrom.players.base import Contestant, NoAnswer, Player, RemotePlayer, Reply, Request, Unanswered, is_remote
from ostrom.players.people.player import HumanPlayer
from ostrom.players.people.seat import HumanSeat, OpenQuestion, OutOfTurn, SeatEnding

DECIDED_BY: Final = "decided_by"
"""The key in a call's `extra` for the player that decided in a person's place."""
_PAUSED: Final = "the host has paused the session; please wait"


class HandedOver(Exception):
    """Raised in the task of an open question if another player takes the seat."""


class SessionSeat(HumanSeat):
    """A seat at a table of a session."""

    def __init__(self, index: int, seconds: float, person: str, table: int) -> None:
        """`table` is the number of the table in the session, from 0."""
        super().__init__(index, seconds)
        # A chapter above 1 is part of the ids of questions.
        self._number = table + 2
        self.person = person
        """The name of the participant, such as person-07."""
        self.substitute: Contestant | None = None
        """The player that decides in the person's place."""
        self.gone = False
        """True if the person has left and no player decides in their place. Fallbacks are then used at once."""
        self.shown_at: str | None = None
        """The time at which the open question was shown."""
        self.refusals = 0
        """The number of refused answers to the open question."""
        self.presence.opened = True
        self._paused_left: float | None = None
        self._listeners: list[Callable[[], None]] = []

    @override
    def chapter(self, game: str) -> int:
        """Return the number of the table, so that the ids of questions differ between the tables of a session."""
        return self._number

    @property
    def paused(self) -> bool:
        return self._paused_left is not None

    def listen(self, listener: Callable[[], None]) -> None:
        """Call a function after every change of the seat."""
        self._listeners.append(listener)

    @override
    def left(self) -> float:
        """Return the number of seconds that remain for the open question; a pause does not reduce it."""
        if self.question is not None and self._paused_left is not None:
            return self._paused_left
        return super().left()

    def pause(self) -> None:
        """Stop the clock of the seat."""
        if not self.paused:
            self._paused_left = self.left() if self.question is not None else self.seconds
            self._stop_timer()
            self._change()

    def go_on(self) -> None:
        """Let the clock of the seat run again."""
        left, self._paused_left = self._paused_left, None
        if left is not None and self.question is not None:
            self._run_timer(left)
        self._change()

    def extend(self, seconds: float) -> None:
        """Give more time for the open question."""
        if self.question is None:
            return
        if self._paused_left is not None:
            self._paused_left += seconds
        else:
            self._run_timer(self.left() + seconds)
        self._change()

    def hand_over(self, substitute: Contestant | None) -> None:
        """Let another player decide the open question and all later ones; None uses the game's fallbacks."""
        self.substitute, self.gone = substitute, substitute is None
        self._stop_waiting(HandedOver())
        self._change()

    @override
    async def ask(self, question: OpenQuestion) -> str:
        if self.substitute is not None:
            raise HandedOver
        if self.gone:
            raise Unanswered(Fault.ABSENT, f"{self.person} has left")
        self.shown_at, self.refusals = datetime.now(UTC).isoformat(timespec="milliseconds"), 0
        return await super().ask(question)

    @override
    async def answer(self, question: str, values: Mapping[str, Any]) -> None:
        if self.paused:
            raise OutOfTurn(_PAUSED)
        await super().answer(question, values)

    def _run_timer(self, seconds: float) -> None:
        self._stop_timer()
        loop = asyncio.get_running_loop()
        self._deadline = loop.time() + seconds
        late = Unanswered(Fault.ABSENT, f"no answer came within {self.seconds:g} s")
        self._timer = loop.call_at(self._deadline, self._miss, late)

    @override
    def _start_timer(self) -> None:
        super()._start_timer()
        if self.paused:
            self._paused_left = super().left()
            self._stop_timer()

    @override
    def _change(self) -> None:
        super()._change()
        for listener in self._listeners:
            listener()


@dataclass(frozen=True)
class SessionPerson:
    """A participant of a session as the contestant of one table."""

    seat: SessionSeat
    game: str
    """The game's name in records."""
    language: str = "en"

    @property
    def name(self) -> str:
        """The name in results: each participant has their own."""
        return f"human:{self.seat.person}"

    def sit(self, seat: Seat, chance: Chance) -> "SessionPlayer":
        """Return the player for this seat."""
        return SessionPlayer(self.seat, self.game, chance, self.language)


@dataclass(frozen=True)
class _Open:
    """A question as it is sent."""

    page: OpenQuestion
    question: Question
    past: Sequence[Call]


class SessionPlayer(HumanPlayer):
    """The player of a person's seat. Another player can take over at any question."""

    def __init__(self, seat: SessionSeat, game: str, chance: Chance, language: str) -> None:
        super().__init__(seat, game, chance, language)
        self._place, self._draws = seat, chance
        self._decided: list[tuple[Question, Sequence[Call], Answer]] = []
        self._substitute: Player | RemotePlayer | None = None
        self._shown = 0
        """The number of decided questions that the substitute has seen."""

    @override
    def compose(self, question: Question, past: Sequence[Call]) -> Request:
        request = super().compose(question, past)
        opened = _Open(request.payload, question, past)
        return Request(request.prompt, request.settings, 0, 0, 0.0, payload=opened)

    @override
    async def send(self, request: Request, reference: str) -> Reply:
        opened: _Open = request.payload
        try:
            text = await self._place.ask(opened.page)
        except HandedOver:
            if self._place.substitute is None:
                raise Unanswered(Fault.ABSENT, f"{self._place.person} has left") from None
            return await self._ask_substitute(self._place.substitute, opened, reference)
        return Reply(text, Usage(), cost=0.0, finish_reason=None, effective={})

    @override
    def read(self, question: Question, reply: Reply) -> Answer:
        if DECIDED_BY not in reply.extra:
            return super().read(question, reply)
        if self._substitute is not None and is_remote(self._substitute):
            return self._substitute.read(question, reply)
        try:
            return Answer(question.spec.validate(json.loads(reply.text)))
        except IllegalAnswer as reason:
            raise Unanswered(Fault.ILLEGAL, str(reason)) from None

    @override
    def remember(self, question: Question, past: Sequence[Call], answer: Answer) -> None:
        super().remember(question, past, answer)
        self._decided.append((question, past, answer))

    async def _ask_substitute(self, contestant: Contestant, opened: _Open, reference: str) -> Reply:
        if self._substitute is None:
            self._substitute = contestant.sit(Seat(self._place.index), self._draws)
        substitute, extra = self._substitute, {DECIDED_BY: contestant.name}
        earlier, self._shown = self._decided[self._shown :], len(self._decided) + 1
        if is_remote(substitute):
            for question, past, answer in earlier:
                substitute.remember(question, past, answer)
            self._shown -= 1
            reply = await substitute.send(substitute.compose(opened.question, opened.past), reference)
            return Reply(reply.text, reply.usage, reply.cost, reply.finish_reason, reply.effective, extra)
        for question, _, _ in earlier:
            with suppress(NoAnswer):
                substitute.answer(question)
        try:
            value = opened.question.spec.validate(substitute.answer(opened.question))
        except NoAnswer as silence:
            raise Unanswered(silence.fault or Fault.ABSENT, str(silence)) from None
        except IllegalAnswer as reason:
            raise Unanswered(Fault.REJECTED, f"{contestant.name} broke the rules: {reason}") from None
        return Reply(as_json(value, "an answer"), Usage(), 0.0, None, {}, extra)


class TableSeats:
    """The seats of people at one table."""

    def __init__(self, seats: Mapping[int, SessionSeat]) -> None:
        self.seats = seats

    def confirm(self, endpoint: str) -> None:
        """Record that the journal has stored the answer of the seat with this endpoint."""
        for seat in self.seats.values():
            if seat.endpoint == endpoint:
                seat.confirm()

    def withdraw(self) -> None:
        """Withdraw every open question, since the host stops."""
        for seat in self.seats.values():
            seat.withdraw()

    def end(self, ending: SeatEnding) -> None:
        """Tell every seat how the game ended."""
        for seat in self.seats.values():
            seat.end(ending)
