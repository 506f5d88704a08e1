"""A person's seat."""

from typing import Any, Literal

from ostrom.web.shapes.base import Shape


class EarlierLine(Shape):
    """Something of the conversation so far, in a game that is told as one."""

    you: bool
    """Whether it is what this person answered, rather than what was asked."""
    text: str


class AskedNow(Shape):
    """The question that a person is asked now."""

    id: str
    """Names it: an answer must say which question it answers."""
    turn: int
    phase: str
    text: str
    """What a model in this seat would be told now, without the rules and the form of the answer."""
    earlier: list[EarlierLine]
    """What a model would be sent before that: earlier turns and its own replies, oldest first. Empty in games whose
    questions tell everything themselves."""
    form: list[str]
    """What is asked for, a line for each field."""
    answer: dict[str, Any]
    """The JSON schema of the answer: an object of numbers, texts and choices."""
    limit: float
    """Seconds that an answer may take."""
    left: float
    """Seconds that are left of them."""
    refused: str | None
    """Why the last answer to it was not accepted."""


class SeatStanding(Shape):
    """How a seat ended."""

    seat: int
    label: str
    player: str
    """Who sat there: told only when the game is over."""
    final: float
    rank: float
    you: bool


class SeatResult(Shape):
    """How the game ended."""

    unit: str
    """What `final` counts: 'tokens', 'capital', …"""
    standings: list[SeatStanding]
    """The best first."""
    story: list[str]
    """What happened last, in words."""


class SeatState(Shape):
    """A seat as the person who holds its link sees it."""

    state: Literal["waiting", "asked", "over", "void", "stopped"]
    """Waiting for others, asked, at the end of the game, in a game that came to nothing, or at a table whose host has
    stopped (and may go on later, with another link)."""
    version: int
    """Grows with every change."""
    game: str
    """The command of the game."""
    clock: str
    """What its time is counted in: round, turn or question."""
    title: str
    label: str
    """What the others call this seat."""
    seats: int
    rules: str
    """The rules, as a model in this seat would be told them."""
    question: AskedNow | None
    decided: list[str]
    """What this person has decided so far, in words, the latest last."""
    missed: int
    """How many of these the game decided in this person's place, since no answer came in time."""
    result: SeatResult | None
    reason: str | None
    """Why a game is void or has stopped."""


class SeatAnswer(Shape):
    """A person's answer."""

    question: str
    values: dict[str, Any]
