"""A player with a script: it gives what is written, turn after turn, and its last line for ever."""

from collections.abc import Sequence
from dataclasses import dataclass

from ostrom.core import Chance, Question, Seat
from ostrom.players.base import Player


@dataclass(frozen=True)
class Scripted:
    """A contestant of the Commons whose moves are written down. A script that is too short repeats its last entry."""

    contributions: Sequence[float]
    lobby: Sequence[float] = (0.0,)
    votes: Sequence[int | None] = (None,)
    name: str = "Scripted"

    def sit(self, seat: Seat, chance: Chance) -> Player:
        """The script knows no chance and is the same at every seat."""
        return _Reader(self)


@dataclass(frozen=True)
class _Reader:
    script: Scripted

    def answer(self, question: Question) -> object:
        """Read the line of this turn."""
        script = self.script
        lines = {"contribution": script.contributions, "lobby": script.lobby, "vote": script.votes}
        asked = ["contribution"]
        if question.view.rules.lobbying:
            asked.append("lobby")
        if question.view.may_vote:
            asked.append("vote")
        return {field: lines[field][min(question.turn, len(lines[field])) - 1] for field in asked}
