"""A player that says again what a record says it said."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from ostrom.players.base import Player
from ostrom.table import Chance, Disagreement, Question, Seat


@dataclass(frozen=True)
class ReplayContestant:
    """Whoever sat there when the record was made."""

    name: str
    answers: Mapping[tuple[int, str, int], Any]
    """Recorded answers by turn, phase and seat."""

    def sit(self, seat: Seat, chance: Chance) -> Player:
        """Take the recorded seat; a record needs no chance."""
        return ReplayPlayer(self.answers)


@dataclass(frozen=True)
class ReplayPlayer:
    """Answers from a record, and from nothing else."""

    answers: Mapping[tuple[int, str, int], Any]

    def answer(self, question: Question) -> object:
        """The recorded answer to this very question."""
        try:
            return self.answers[question.turn, question.phase, question.seat.index]
        except KeyError:
            raise Disagreement(
                f"turn {question.turn}: the rules ask seat {question.seat} for its {question.phase}, "
                "and the record holds no answer"
            ) from None
