"""Situations in which a player can be asked by itself: what a game hands to whoever wants to put single questions, such
as an audit."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from pydantic import BaseModel, ConfigDict

from ostrom.core.game import Game


class Step(BaseModel):
    """An answer that was given before the question."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    turn: int
    phase: str
    seat: int
    value: Any


@dataclass(frozen=True, slots=True)
class Situation:
    """A question, and everything that led to it."""

    seed: int
    number: int
    rules: dict[str, Any]
    seats: int
    answers: tuple[Step, ...]
    turn: int
    phase: str
    seat: int
    choices: tuple[str, ...] = ()
    """What can be chosen, however it is shown; empty where a number is asked, and at tables of several seats."""

    def settings(self) -> dict[str, Any]:
        """The situation as plain data."""
        names = ("seed", "number", "rules", "seats", "answers", "turn", "phase", "seat", "choices")
        return {name: getattr(self, name) for name in names}


class Samples(Protocol):
    """The situations of one game. The part `samples` of a game is a function from the game to its samples."""

    @property
    def game(self) -> Game:
        """The game that the questions come from; it may be another form of the one that was asked for."""

    @property
    def name(self) -> str:
        """What the command line calls it."""

    @property
    def alone(self) -> bool:
        """Whether a question is put to one player with nobody beside it."""

    @property
    def temperature(self) -> float | None:
        """At which temperature a model is asked; its own where none is said."""

    def phases(self, settings: Mapping[str, Any], seats: int) -> Sequence[str]:
        """What can be asked, in the order in which it comes."""

    def situations(
        self, settings: Mapping[str, Any], seats: int, phase: str, seed: int, count: int
    ) -> Sequence[Situation]:
        """So many situations of one phase, drawn from the seed."""
