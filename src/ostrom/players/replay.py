"""A player that says again what a record says it said."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from ostrom.core import Chance, Disagreement, Fault, Question, QuestionKey, Seat
from ostrom.players.base import NoAnswer, Player


@dataclass(frozen=True)
class ReplayContestant:
    """Whoever sat there when the record was made."""

    name: str
    answers: Mapping[QuestionKey, Any]
    """Recorded answers by turn, phase and seat."""
    defaulted: Mapping[QuestionKey, Fault | None] = field(default_factory=dict)
    """Those that the game gave in the player's place, and why."""

    def sit(self, seat: Seat, chance: Chance) -> Player:
        """Take the recorded seat; a record needs no chance."""
        return ReplayPlayer(self.answers, self.defaulted)


@dataclass(frozen=True)
class ReplayPlayer:
    """Answers from a record, and from nothing else."""

    answers: Mapping[QuestionKey, Any]
    defaulted: Mapping[QuestionKey, Fault | None] = field(default_factory=dict)

    def answer(self, question: Question) -> object:
        """The recorded answer to this very question; none where there was none and the game's fallback stands."""
        try:
            value = self.answers[question.key]
        except KeyError:
            raise Disagreement(
                f"turn {question.turn}: the rules ask seat {question.seat} for its {question.phase}, "
                "and the record holds no answer"
            ) from None
        if question.key in self.defaulted and value == question.fallback:
            raise NoAnswer(self.defaulted[question.key], "there was no answer when the record was made")
        return value
