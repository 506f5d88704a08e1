"""What the arena writes to while a game is played. A journal hands out something of this shape; the arena knows no
journal."""

from collections.abc import Mapping, Sequence
from typing import Protocol

from ostrom.core import Answer, Call, Event, Question, QuestionKey


class GameLedger(Protocol):
    """The record of one game under way. Every method returns when what it was given is safe from a kill."""

    @property
    def decisions(self) -> Mapping[QuestionKey, Answer]:
        """What was decided before this run began."""

    @property
    def calls(self) -> Mapping[QuestionKey, Sequence[Call]]:
        """The calls of questions before this run began, decided or not, in the order of their attempts."""

    @property
    def events(self) -> int:
        """How many events were kept before this run began."""

    async def called(self, place: int, question: Question, call: Call) -> None:
        """Keep a call that led to no answer. `place` is the question's number within the game, counted from 0."""

    async def decided(self, place: int, question: Question, answer: Answer, call: Call | None = None) -> None:
        """Keep a decision, and with it the call that led to it."""

    async def happened(self, first: int, events: Sequence[Event]) -> None:
        """Keep events; `first` is the number of the first of them within the game, counted from 0."""

    async def finish(self, finals: Sequence[float | None] | None = None) -> None:
        """Say that the game is over, and what each seat ended with."""

    async def void(self, reason: str, code: str | None = None, seat: int | None = None) -> None:
        """Say that the game came to nothing, and why: in words, as a code, and at which seat. It counts as played, and
        in no measure."""
